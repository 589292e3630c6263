//! A look at a running cluster.
//!
//! What takes time is one exec on each node, so everything is arranged around it: agents are asked
//! as soon as their pods and the subjects' addresses are known, and all other lists come in while
//! the agents answer.

mod absent;
mod agents;
mod clock;
mod lists;
mod subjects;

use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use futures::future::{FutureExt as _, LocalBoxFuture, Shared};
use jiff::{SignedDuration, Timestamp};
use k8s_openapi::api::core::v1 as core;

use super::api::{Cause, Failure, Got, Reader, noted};
use super::{ConnectError, Connection, Event, ObserveError, Scope, Selection, Source};
use crate::model::{
    Agent, Asked, FORMAT, Install, Node, Observation, Origin, Read, Service, ServiceRef, SourceKind, Subject,
};
pub(crate) use agents::one_each;
pub(crate) use clock::offset as clock_offset;
pub use lists::ServerVersions;
pub(crate) use lists::{AGENT_CONTAINER, AGENT_LABEL, DEFAULT_NAMESPACE};
use subjects::Resolved;

/// Something that is read once and needed in several places.
type Once<'a, T> = Shared<LocalBoxFuture<'a, Rc<Got<T>>>>;

/// How to look.
pub struct LiveSettings {
    /// Cilium's namespace; none looks for the agents' label everywhere.
    pub cilium_namespace: Option<String>,
    /// False reads the API only.
    pub exec: bool,
    /// Reads the BPF maps beside the tables.
    pub deep: bool,
    /// A label selector on Nodes; agents of others are not asked.
    pub nodes: Option<String>,
    /// How long one agent may take.
    pub node_timeout: Duration,
    /// How many agents are asked at the same time.
    pub concurrency: usize,
    /// How long one read of the API may take.
    pub read_timeout: Duration,
    /// Connection flags as the user gave them, for commands to be pasted.
    pub flags: Vec<String>,
    /// The command line, for a capture.
    pub command: Option<String>,
}

/// A running cluster as a source.
pub struct Live {
    connection: Connection,
    settings: LiveSettings,
    reader: Reader,
}

impl Live {
    /// Builds the source; `events` hears what is being read.
    #[must_use]
    pub fn new(connection: Connection, settings: LiveSettings, events: Box<dyn Fn(Event)>) -> Self {
        for note in &connection.notes {
            events(Event::Note(note.clone()));
        }
        let reader = Reader { deadline: settings.read_timeout, events };
        Self { connection, settings, reader }
    }

    /// The namespace that is meant where none is named.
    #[must_use]
    pub fn namespace(&self) -> &str {
        &self.connection.namespace
    }

    /// Turns the failure of a read that everything rests on into an error.
    fn fatal(&self, what: &str, failure: &Failure) -> ObserveError {
        let (url, context) = (self.connection.url.clone(), self.connection.context.clone());
        let text = failure.text.clone();
        match failure.cause {
            Cause::Connect | Cause::Timeout => ConnectError::Unreachable { url, context, text }.into(),
            Cause::Unauthorized => ConnectError::Unauthorized { url, context, text }.into(),
            Cause::Forbidden => ObserveError::Forbidden { text, permission: failure.permission.clone() },
            _ => ObserveError::Read { what: what.to_owned(), text },
        }
    }
}

/// What comes from the subjects and their agents.
struct Near {
    resolved: Resolved,
    agents: AgentsFound,
    slices: Read<Vec<crate::model::EndpointSlice>>,
    leases: Read<Vec<crate::model::Lease>>,
    owners: lists::Owners,
}

/// The agents, or why their pods are not known.
type AgentsFound = Got<Vec<Agent>>;

/// What comes from the rest of the cluster.
struct Far {
    origin: Origin,
    install: Install,
    pools: Read<Vec<crate::model::Pool>>,
    l2_policies: Read<Vec<crate::model::L2Policy>>,
    advertisements: Read<Vec<crate::model::Advertisement>>,
    bgp_nodes: Read<Vec<crate::model::BgpNode>>,
    nodes: Read<Vec<Node>>,
    /// How far the API server's clock is ahead of ours.
    offset: SignedDuration,
}

impl Source for Live {
    async fn observe(&self, scope: &Scope) -> Result<Observation, ObserveError> {
        let taken_at = Timestamp::now();
        let balancers: Once<Vec<Service>> = self.candidates(&scope.subjects).map(Rc::new).boxed_local().shared();
        let pods: Once<Vec<core::Pod>> = self.agent_pods().map(Rc::new).boxed_local().shared();
        let (near, far) = self.near_then_far(scope, &balancers, &pods).await?;
        let offset = far.offset;
        let balancers = balancers.await;
        let mut observation = assemble(taken_at, &balancers, near, far);
        clock::shift(&mut observation, offset);
        Ok(observation)
    }
}

impl Live {
    /// Reads what the questions to the agents need, asks them, and reads all the rest meanwhile: each
    /// read opens a connection of its own, and a dozen at once would delay the first ones.
    async fn near_then_far(
        &self,
        scope: &Scope,
        balancers: &Once<'_, Vec<Service>>,
        pods: &Once<'_, Vec<core::Pod>>,
    ) -> Result<(Near, Far), ObserveError> {
        let (resolved, found, chosen) =
            futures::join!(self.resolve(scope, balancers), pods.clone(), self.chosen_nodes());
        let (resolved, chosen) = (resolved?, chosen?);
        if let Ok(agents) = found.as_ref()
            && agents.is_empty()
        {
            return Err(self.no_cilium());
        }
        let namespace = self.cilium_namespace(&found);
        let slices = self.slices(&resolved.asked.services);
        let leases = self.leases(&namespace, &resolved, balancers);
        let agents = async {
            match found.as_ref() {
                Ok(pods) => Ok(self.ask_all(pods, &resolved.asked, chosen.as_ref()).await),
                Err(failure) => Err(failure.clone()),
            }
        };
        // The agents stand first in line, so their requests go out first.
        let (mut agents, slices, leases, known, far) =
            futures::join!(agents, slices, leases, balancers.clone(), self.far(pods));
        if let Ok(agents) = &mut agents {
            self.add_absent(agents, &far.nodes, chosen.as_ref()).await;
        }
        let answers = agents.as_ref().map_or(&[][..], Vec::as_slice);
        let owners = self.owners(answers, &known, &resolved).await;
        Ok((Near { resolved, agents, slices, leases, owners }, far))
    }

    /// Reads the rest.
    async fn far(&self, pods: &Once<'_, Vec<core::Pod>>) -> Far {
        let (version, offset, pools, l2_policies, advertisements, bgp_nodes, nodes, install) = futures::join!(
            self.version(),
            self.clock_offset(),
            self.pools(),
            self.l2_policies(),
            self.advertisements(),
            self.bgp_nodes(),
            self.nodes(),
            self.install(pods),
        );
        let origin = Origin {
            kind: SourceKind::Live,
            context: self.connection.context.clone().unwrap_or_else(|| "(flags)".to_owned()),
            kubernetes: version.ok(),
            flags: self.settings.flags.clone(),
            command: self.settings.command.clone(),
        };
        Far { origin, install, pools, l2_policies, advertisements, bgp_nodes, nodes, offset }
    }

    fn no_cilium(&self) -> ObserveError {
        let namespace = self.settings.cilium_namespace.clone();
        let place = Selection { namespace, labels: None }.to_string();
        ObserveError::NoCilium { label: lists::AGENT_LABEL, place }
    }
}

fn assemble(taken_at: Timestamp, balancers: &Got<Vec<Service>>, near: Near, far: Far) -> Observation {
    let Near { resolved, agents, slices, leases, owners } = near;
    let mut all: BTreeMap<ServiceRef, Service> = BTreeMap::new();
    let listed = balancers.as_ref().ok().into_iter().flatten().cloned();
    for service in listed.chain(resolved.services).chain(owners.found) {
        all.insert(service.id.clone(), service);
    }
    let others_missing = balancers.as_ref().err().map(Failure::missing);
    let services = match (all.is_empty(), others_missing.clone()) {
        (true, Some(missing)) => Read::Unknown(missing),
        _ => noted(Ok(all.into_values().collect())),
    };
    let agents = agents.unwrap_or_else(|failure| agents::unseen(&far.nodes, &failure.missing()));
    Observation {
        format: FORMAT.to_owned(),
        taken_at,
        origin: far.origin,
        subjects: resolved.subjects,
        asked: resolved.asked,
        install: far.install,
        services,
        others_missing,
        absent: owners.absent,
        slices,
        pools: far.pools,
        l2_policies: far.l2_policies,
        advertisements: far.advertisements,
        bgp_nodes: far.bgp_nodes,
        leases,
        nodes: far.nodes,
        agents,
    }
}

/// The subjects' questions to the agents, each once and in order.
fn asked(subjects: &[Subject], services: &[Service], claimants: &[ServiceRef]) -> Asked {
    let mut asked = Asked::default();
    for subject in subjects {
        match subject {
            Subject::Service(id) => {
                asked.services.push(id.clone());
                if let Some(service) = services.iter().find(|s| &s.id == id) {
                    asked.vips.extend(service.vips());
                    asked.vips.extend(subjects::requested(service));
                }
            }
            Subject::Vip(vip) => asked.vips.push(*vip),
            Subject::Frontend(key) => asked.vips.push(key.vip),
        }
    }
    asked.services.extend_from_slice(claimants);
    asked.services.sort();
    asked.services.dedup();
    asked.vips.sort();
    asked.vips.dedup();
    asked
}
