//! What an observation says when its parts are put together: who claims what, and which node has it.

use std::net::IpAddr;

use jiff::{SignedDuration, Timestamp};

use super::exposure;
use super::refusal::{Refusal, refusals};
use super::responsible::{Allocator, allocator};
use super::sharing;
use crate::model::{
    Agent, AgentAnswer, EndpointSlice, FrontendRow, HealthRow, Missing, MissingKind, Observation, PortKey, Read,
    Service, ServicePort, ServiceRef, StatusKind,
};

/// How long after a write an agent may still be on its way: it batches events for half a second
/// (`lb-reflector-wait-time`) and then writes its maps.
pub const SETTLE: SignedDuration = SignedDuration::from_secs(5);

/// An observation with its indexes.
pub struct Facts<'a> {
    /// What was seen.
    pub obs: &'a Observation,
    /// All Services that were read.
    pub services: &'a [Service],
    /// The highest minor version among the agents, 1.x; none where no version is known.
    pub minor: Option<u32>,
}

/// What is known of a Service by its name.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Lookup<'a> {
    /// It is there.
    Present(&'a Service),
    /// It was looked for and is not there.
    Absent,
    /// It is not a Service but the host port of a pod (agents name those `ns/pod:host-port:…`).
    HostPort,
    /// It could not be read.
    Unknown,
}

/// What one node has for a frontend.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum State<'a> {
    /// The row, with the expected owner, in the datapath.
    Programmed(&'a FrontendRow),
    /// The row, with the expected owner, not in the datapath.
    NotDone(&'a FrontendRow),
    /// The row with another owner.
    Other(&'a FrontendRow),
    /// `service list` of an agent without tables names the expected owner; it tells nothing of the datapath.
    Listed(&'a FrontendRow),
    /// No row.
    Absent,
    /// Not readable.
    Unknown(&'a Missing),
}

/// One node's view of a frontend.
#[derive(Debug, Clone, PartialEq)]
pub struct NodeView<'a> {
    /// The agent.
    pub agent: &'a Agent,
    /// What it has.
    pub state: State<'a>,
    /// The refused claim that its health table reports for this very address, with the row it stands in.
    pub refusal: Option<(Refusal, &'a HealthRow)>,
}

impl<'a> NodeView<'a> {
    /// The node's name.
    #[must_use]
    pub fn node(&self) -> &'a str {
        &self.agent.pod.node
    }

    /// The agent's answer, where there is one.
    #[must_use]
    pub fn answer(&self) -> Option<&'a AgentAnswer> {
        self.agent.answer.known()
    }
}

/// The verb after node names: one node has, several have.
#[must_use]
pub fn have(views: &[&NodeView<'_>]) -> &'static str {
    if views.len() == 1 { "has" } else { "have" }
}

impl<'a> Facts<'a> {
    /// Builds the indexes.
    #[must_use]
    pub fn new(obs: &'a Observation) -> Self {
        Self {
            obs,
            services: obs.services.known().map_or(&[], Vec::as_slice),
            minor: versions(obs).iter().filter_map(|version| minor(version)).max(),
        }
    }

    /// Tells whether every LoadBalancer Service was read, so that one that is not there does not exist.
    #[must_use]
    pub fn all_services(&self) -> bool {
        self.obs.services.known().is_some() && self.obs.others_missing.is_none()
    }

    /// Looks a Service up by name. The list holds every LoadBalancer Service and whoever agents named;
    /// a name that is neither there nor known to be absent was not readable.
    #[must_use]
    pub fn lookup(&self, id: &ServiceRef) -> Lookup<'a> {
        if let Some(service) = self.services.iter().find(|service| service.id == *id) {
            Lookup::Present(service)
        } else if id.name.contains(":host-port:") {
            Lookup::HostPort
        } else if self.obs.absent.contains(id) {
            Lookup::Absent
        } else {
            Lookup::Unknown
        }
    }

    /// Tells whether the named owner still claims the key; `None` where that is not known.
    #[must_use]
    pub fn still_claims(&self, owner: &ServiceRef, key: PortKey) -> Option<bool> {
        match self.lookup(owner) {
            Lookup::Present(service) => Some(claims(service, key)),
            Lookup::Absent => Some(false),
            Lookup::HostPort => Some(true),
            Lookup::Unknown => None,
        }
    }

    /// Every Service that has the address, by status or `spec.externalIPs`.
    pub fn holders(&self, vip: IpAddr) -> impl Iterator<Item = &'a Service> {
        self.services.iter().filter(move |service| vips(service).contains(&vip))
    }

    /// Services that ask for the address without having it.
    pub fn seekers(&self, vip: IpAddr) -> impl Iterator<Item = &'a Service> {
        self.services.iter().filter(move |service| {
            service.kind == "LoadBalancer"
                && sharing::requested(service).ips.contains(&vip)
                && !vips(service).contains(&vip)
        })
    }

    /// Who allocates this Service's address.
    #[must_use]
    pub fn allocator(&self, service: &Service) -> Allocator {
        allocator(service, &self.obs.install)
    }

    /// The EndpointSlices of a Service; `None` where they were not read.
    #[must_use]
    pub fn slices(&self, id: &ServiceRef) -> Option<Vec<&'a EndpointSlice>> {
        // Only those of the Services asked for are read; of others an empty list would say nothing.
        let read = self.obs.asked.services.contains(id).then(|| self.obs.slices.known())??;
        Some(read.iter().filter(|slice| slice.service == *id).collect())
    }

    /// The nodes' views of a key, with `owner` as the Service that should own it.
    #[must_use]
    pub fn views(&self, key: PortKey, owner: Option<&ServiceRef>) -> Vec<NodeView<'a>> {
        self.asked_agents().into_iter().map(|agent| self.view(agent, key, owner)).collect()
    }

    /// The agents that count: not those that the user left out, unless no agent was asked at all.
    #[must_use]
    pub fn asked_agents(&self) -> Vec<&'a Agent> {
        let skipped = |agent: &Agent| agent.answer.missing().is_some_and(|m| m.kind == MissingKind::NotAsked);
        let all_skipped = self.obs.agents.iter().all(skipped);
        self.obs.agents.iter().filter(|agent| all_skipped || !skipped(agent)).collect()
    }

    fn view(&self, agent: &'a Agent, key: PortKey, owner: Option<&ServiceRef>) -> NodeView<'a> {
        let answer = match &agent.answer {
            Read::Known { value, .. } => value,
            Read::Unknown(missing) => return NodeView { agent, state: State::Unknown(missing), refusal: None },
        };
        let refusal = reported(answer).find(|(refusal, _)| refusal.key == key);
        let row = answer.frontends.iter().find(|row| row.key == key && !row.internal);
        let state = match row {
            Some(row) if owner.is_some_and(|owner| row.owner != *owner) => State::Other(row),
            Some(row) if row.status.kind == StatusKind::Other => State::Listed(row),
            Some(row) if in_datapath(row, agent) => State::Programmed(row),
            Some(row) => State::NotDone(row),
            // An agent that was only asked about a Service says nothing about other owners.
            None if !self.obs.asked.vips.contains(&key.vip) => State::Unknown(&NOT_ASKED),
            // Without the nodes' labels nobody knows whether the Service is meant for this node.
            None => match self.obs.nodes.missing() {
                Some(missing) if owner.is_some_and(|owner| self.bound_to_nodes(owner)) => State::Unknown(missing),
                _ => State::Absent,
            },
        };
        NodeView { agent, state, refusal }
    }

    fn bound_to_nodes(&self, owner: &ServiceRef) -> bool {
        self.services.iter().any(|service| service.id == *owner && exposure::bound_to_nodes(service))
    }

    /// The parts of the API that could not be read, by what they are.
    #[must_use]
    pub fn unread_api(&self) -> Vec<(&'static str, &'a Missing)> {
        let obs = self.obs;
        let all = [
            ("Services", obs.services.missing()),
            ("other Services", obs.others_missing.as_ref().filter(|_| obs.services.known().is_some())),
            ("EndpointSlices", obs.slices.missing()),
            ("pools", obs.pools.missing()),
            ("L2 announcement policies", obs.l2_policies.missing()),
            ("BGP advertisements", obs.advertisements.missing()),
            ("Leases", obs.leases.missing()),
            ("nodes", obs.nodes.missing()),
            ("cilium-config", obs.install.config.missing()),
            ("operator pods", obs.install.operators.missing()),
        ];
        // A kind that is not served has no objects, and nobody misses it.
        let unread = |(what, missing): (&'static str, Option<&'a Missing>)| {
            Some((what, missing.filter(|missing| missing.kind != MissingKind::NotServed)?))
        };
        all.into_iter().filter_map(unread).collect()
    }

    /// The refused claims in an agent's health table that can only be this Service's: of an address that
    /// it claims, its cluster IP, or one of its node ports.
    #[must_use]
    pub fn refusals_of(&self, agent: &'a Agent, service: &Service) -> Vec<(Refusal, &'a HealthRow)> {
        let all = agent.answer.known().into_iter().flat_map(reported);
        all.filter(|(refusal, _)| refusal.owner != service.id && key_of(service, refusal.key)).collect()
    }

    /// Tells whether this agent has no row of the Service in its table `services`: then it never accepted
    /// any version of it, and its cluster IP is dead there too (seen on 1.20.2).
    #[must_use]
    pub fn never_accepted(&self, service: &Service, agent: &Agent) -> bool {
        let known = agent.answer.known().and_then(|answer| answer.services.as_ref());
        self.obs.asked.services.contains(&service.id) && known.is_some_and(|known| !known.contains(&service.id))
    }

    /// The agents that do not run, by what the API says of their pods. One that is not ready and
    /// gave no whole answer counts; one that could not be asked for another reason does not.
    #[must_use]
    pub fn dead_agents(&self) -> Vec<&'a Agent> {
        let dead = |agent: &&Agent| match agent.answer.missing().map(|missing| missing.kind) {
            Some(MissingKind::NoAgent) => true,
            Some(MissingKind::Timeout | MissingKind::Failed | MissingKind::Truncated) => {
                !agent.pod.ready && !agent.pod.name.is_empty()
            }
            _ => false,
        };
        self.obs.agents.iter().filter(dead).collect()
    }

    /// Tells whether the Service was written so shortly before the node answered that the agent may
    /// not have seen it yet.
    #[must_use]
    pub fn just_written(&self, service: &Service, agent: &Agent) -> bool {
        let Some(asked_at) = agent.answer.at() else { return false };
        service.last_write().is_some_and(|written| asked_at.duration_since(written) < SETTLE)
    }

    /// The command that runs `cilium-dbg` in an agent's pod.
    #[must_use]
    pub fn exec(&self, agent: &Agent, command: &str) -> String {
        let namespace = &self.obs.install.namespace;
        format!("kubectl exec -n {namespace} {} -c cilium-agent -- cilium-dbg {command}", agent.pod.name)
    }

    /// The command that shows an agent's log; `which` chooses the part of it.
    #[must_use]
    pub fn logs(&self, agent: &Agent, which: &str) -> String {
        let namespace = &self.obs.install.namespace;
        format!("kubectl logs -n {namespace} {} -c cilium-agent {which}", agent.pod.name)
    }

    /// The look's own time.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.obs.taken_at
    }
}

/// Every refused claim that an agent reports, with the health row it stands in.
fn reported(answer: &AgentAnswer) -> impl Iterator<Item = (Refusal, &HealthRow)> {
    answer.health.iter().flat_map(|row| refusals(row).into_iter().map(move |refusal| (refusal, row)))
}

/// Used where a view has to point at a reason that no agent gave.
static NOT_ASKED: std::sync::LazyLock<Missing> = std::sync::LazyLock::new(|| Missing {
    kind: MissingKind::NotAsked,
    text: "the agents were not asked about this address".to_owned(),
    permission: None,
});

/// A row is in the datapath when it is Done; on 1.20 a Done row with id 0 was left out on purpose
/// (`reconciler/bpf_reconciler.go`, `isDatapathCandidate`).
fn in_datapath(row: &FrontendRow, agent: &Agent) -> bool {
    let zero_means_out = agent.version().and_then(minor).is_some_and(|minor| minor >= 20);
    row.status.kind == StatusKind::Done && !(zero_means_out && row.status.id == 0)
}

/// The addresses for which agents make frontends: `spec.externalIPs` of any Service, and the status
/// of LoadBalancer Services only (`reflectors/conversions.go`).
#[must_use]
pub fn vips(service: &Service) -> Vec<IpAddr> {
    match service.kind.as_str() {
        "ExternalName" => Vec::new(),
        "LoadBalancer" => service.vips(),
        _ => service.external_ips.clone(),
    }
}

/// Tells whether the Service claims the key.
#[must_use]
pub fn claims(service: &Service, key: PortKey) -> bool {
    has_port(service, key) && vips(service).contains(&key.vip)
}

/// Tells whether an agent makes this key for the Service: a VIP, its cluster IP, or a node port.
fn key_of(service: &Service, key: PortKey) -> bool {
    let node_port = |port: &ServicePort| port.node_port == Some(key.port) && port.proto == key.proto;
    if key.vip.is_unspecified() {
        return service.ports.iter().any(node_port);
    }
    let cluster_ip = service.cluster_ip.as_deref().and_then(|ip| ip.parse::<IpAddr>().ok());
    claims(service, key) || (cluster_ip == Some(key.vip) && has_port(service, key))
}

/// Tells whether the Service declares the key's port and protocol.
#[must_use]
pub fn has_port(service: &Service, key: PortKey) -> bool {
    service.ports.iter().any(|port| port.port == key.port && port.proto == key.proto)
}

/// Every Cilium version seen, each once, sorted.
#[must_use]
pub fn versions(obs: &Observation) -> Vec<String> {
    let mut all: Vec<String> = obs.agents.iter().filter_map(|agent| agent.version().map(str::to_owned)).collect();
    all.sort();
    all.dedup();
    all
}

/// The minor number of a Cilium version `1.x…`.
#[must_use]
pub fn minor(version: &str) -> Option<u32> {
    version.trim_start_matches('v').strip_prefix("1.")?.split(['.', '-']).next()?.parse().ok()
}
