//! How the network learns of an address: L2 policies with their Leases, and BGP advertisements.

use std::net::IpAddr;

use super::case::{ago, saw_api};
use super::facts::Facts;
use super::finding::{Evidence, RungState};
use super::pools::selects;
use crate::model::{L2Policy, Lease, MissingKind, Read, Service};

/// What is known of an address's announcement.
pub struct Announced {
    /// The rung's state.
    pub state: RungState,
    /// In a few words.
    pub detail: String,
    /// Nodes that announce it, with the evidence for each.
    pub announcers: Vec<(String, Evidence)>,
}

/// What decides about the announcement of one address.
pub struct Picture<'a> {
    /// L2 announcements are switched on; none where settings were not read.
    pub l2_on: Option<bool>,
    /// The BGP control plane is switched on.
    pub bgp_on: Option<bool>,
    /// L2 policies that select a Service with the address.
    pub policies: Vec<&'a L2Policy>,
    /// BGP advertisements that do.
    advertisements: Vec<&'a str>,
    /// Leases of Services that hold the address, held and released.
    pub leases: Vec<&'a Lease>,
}

fn switched(facts: &Facts<'_>, key: &str) -> Option<bool> {
    Some(facts.obs.install.config.known()?.get(key).is_some_and(|value| value == "true"))
}

/// L2 policies take the class-less and `io.cilium/l2-announcer` Services only.
fn l2_selects(policy: &L2Policy, service: &Service, vip: IpAddr) -> bool {
    let class = service.class.as_deref().is_none_or(|class| class == "io.cilium/l2-announcer");
    let external = service.external_ips.contains(&vip);
    let status = service.ingress.iter().any(|ingress| ingress.ip == Some(vip));
    let kind = (external && policy.external_ips) || (status && policy.load_balancer_ips);
    class && kind && policy.service_selector.as_ref().is_none_or(|selector| selects(selector, service))
}

/// Puts the picture together.
#[must_use]
pub fn picture<'a>(facts: &Facts<'a>, vip: IpAddr) -> Picture<'a> {
    let obs = facts.obs;
    let holders: Vec<&Service> = facts.holders(vip).collect();
    let policies = obs.l2_policies.known().map_or(&[][..], Vec::as_slice);
    let advertisements = obs.advertisements.known().map_or(&[][..], Vec::as_slice);
    let leases = obs.leases.known().map_or(&[][..], Vec::as_slice);
    Picture {
        l2_on: switched(facts, "enable-l2-announcements"),
        bgp_on: switched(facts, "enable-bgp-control-plane"),
        policies: policies
            .iter()
            .filter(|policy| holders.iter().any(|holder| l2_selects(policy, holder, vip)))
            .collect(),
        advertisements: advertisements
            .iter()
            .filter(|advertisement| {
                let selector = advertisement.selector.as_ref();
                selector.is_some_and(|selector| holders.iter().any(|holder| selects(selector, holder)))
            })
            .map(|advertisement| advertisement.name.as_str())
            .collect(),
        leases: leases.iter().filter(|lease| holders.iter().any(|holder| lease.name == lease_name(holder))).collect(),
    }
}

/// The Lease of a Service's L2 announcement: one for each Service, in Cilium's namespace.
fn lease_name(service: &Service) -> String {
    format!("cilium-l2announce-{}-{}", service.id.namespace, service.id.name)
}

/// What is known of how this address is announced, through this Service or a sharer.
#[must_use]
pub fn announced(facts: &Facts<'_>, vip: IpAddr) -> Announced {
    let picture = picture(facts, vip);
    let mut announcers = l2_announcers(facts, vip, &picture);
    announcers.dedup_by(|a, b| a.0 == b.0);
    let (state, detail) = if !announcers.is_empty() {
        let names: Vec<&str> = announcers.iter().map(|(node, _)| node.as_str()).collect();
        (RungState::Ok, format!("by L2 from {}", names.join(", ")))
    } else if !picture.advertisements.is_empty() && picture.bgp_on != Some(false) {
        let names = picture.advertisements.join(", ");
        (RungState::Unknown, format!("BGP advertisement {names} selects it; routes were not read"))
    } else if !picture.policies.is_empty() && facts.obs.leases.known().is_none() {
        (RungState::Unknown, "Leases could not be read".to_owned())
    } else if !picture.policies.is_empty() && picture.l2_on == Some(true) {
        (RungState::Broken, "an L2 policy selects it, but no living node holds the Lease".to_owned())
    } else if uncertain(facts, &picture) {
        (RungState::Unknown, "policies or settings could not be read".to_owned())
    } else if picture.l2_on == Some(true) || picture.bgp_on == Some(true) {
        (RungState::Broken, "no L2 policy and no BGP advertisement selects it".to_owned())
    } else {
        (RungState::NotApplicable, "Cilium announces nothing here (L2 and BGP are off)".to_owned())
    };
    Announced { state, detail, announcers }
}

/// The nodes that L2 policies allow to announce the address; `None` where BGP may do it as well, or
/// where nodes or policies were not read.
#[must_use]
pub fn may_announce(facts: &Facts<'_>, vip: IpAddr) -> Option<Vec<String>> {
    let picture = picture(facts, vip);
    if picture.bgp_on != Some(false) || picture.policies.is_empty() {
        return None;
    }
    let nodes = facts.obs.nodes.known()?;
    let allowed = nodes.iter().filter(|node| {
        let fits = |policy: &&L2Policy| policy.node_selector.as_ref().is_none_or(|s| s.matches(&node.labels));
        picture.policies.iter().any(fits)
    });
    Some(allowed.map(|node| node.name.clone()).collect())
}

fn uncertain(facts: &Facts<'_>, picture: &Picture<'_>) -> bool {
    !facts.all_services()
        || picture.l2_on.is_none()
        || picture.bgp_on.is_none()
        || (picture.l2_on == Some(true) && !readable(&facts.obs.l2_policies))
        || (picture.bgp_on == Some(true) && !readable(&facts.obs.advertisements))
}

/// A kind that the API does not serve has no objects; that is knowledge, not ignorance.
fn readable<T>(read: &Read<T>) -> bool {
    read.missing().is_none_or(|missing| missing.kind == MissingKind::NotServed)
}

fn l2_announcers(facts: &Facts<'_>, vip: IpAddr, picture: &Picture<'_>) -> Vec<(String, Evidence)> {
    let now = facts.obs.leases.at().unwrap_or_else(|| facts.now());
    let namespace = &facts.obs.install.namespace;
    let held = picture.leases.iter().filter(|lease| lease.is_live(now)).map(|lease| {
        let fact =
            format!("held by {}, renewed {}", lease.holder, lease.renewed.map_or_else(String::new, |at| ago(now, at)));
        let recheck = format!("kubectl get lease {} -n {namespace} -o yaml", lease.name);
        (lease.holder.clone(), saw_api(&facts.obs.leases, format!("lease {}", lease.name), fact, recheck))
    });
    let answering = facts.obs.agents.iter().filter_map(|agent| {
        let rows = agent.answer.known()?.l2.as_ref()?;
        let row = rows.iter().find(|row| row.ip == vip)?;
        let evidence = Evidence {
            source: format!("node {} l2-announce", agent.node()),
            at: agent.answer.at(),
            fact: format!("answers ARP/NDP for {vip} on {}", row.interface),
            recheck: Some(format!(
                "kubectl exec -n {namespace} {} -c cilium-agent -- cilium-dbg shell -- db/show l2-announce",
                agent.pod.name
            )),
        };
        Some((agent.node().to_owned(), evidence))
    });
    let mut all: Vec<(String, Evidence)> = held.chain(answering).collect();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all
}
