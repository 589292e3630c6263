//! How the network learns of an address: L2 policies with their Leases, and BGP advertisements.

use std::net::IpAddr;

use super::case::{ago, saw_api};
use super::facts::Facts;
use super::finding::{Evidence, RungState};
use super::pools::selects;
use super::responsible::Allocator;
use crate::model::{Advertisement, L2Policy, Lease, MissingKind, Read, Service};

const L2_CLASS: &str = "io.cilium/l2-announcer";
const BGP_CLASS: &str = "io.cilium/bgp-control-plane";

/// What is known of an address's announcement.
pub struct Announced {
    /// The rung's state. Unknown exactly where something that matters could not be read;
    /// not applicable where the announcement is not Cilium's to make.
    pub state: RungState,
    /// In a few words.
    pub detail: String,
    /// Nodes that announce it by L2, with the evidence for each. BGP's nodes are not in it: they
    /// withdraw the route by themselves where traffic policy Local leaves them without a backend.
    pub announcers: Vec<(String, Evidence)>,
    /// Nodes that hold the Lease and, by their own table, do not answer for the address.
    pub mute: Vec<(String, Evidence)>,
}

/// What decides about the announcement of one address.
pub struct Picture<'a> {
    /// L2 announcements are switched on; none where settings were not read.
    pub l2_on: Option<bool>,
    /// The BGP control plane is switched on.
    pub bgp_on: Option<bool>,
    /// L2 policies that select the address through a Service that holds it; none where L2 is off.
    pub policies: Vec<&'a L2Policy>,
    /// BGP advertisements that do; none where BGP is off.
    pub advertisements: Vec<&'a Advertisement>,
    /// Leases of Services through which the address is selected, held and released.
    pub leases: Vec<&'a Lease>,
}

/// One way of announcing.
enum Way {
    /// It is in use.
    Up(String),
    /// It is on and does not announce.
    Down(String),
    /// Not known, and why.
    Unknown(String),
    /// Switched off.
    Off,
}

fn switched(facts: &Facts<'_>, key: &str) -> Option<bool> {
    Some(facts.obs.install.config.known()?.get(key).is_some_and(|value| value == "true"))
}

fn in_status(service: &Service, vip: IpAddr) -> bool {
    service.ingress.iter().any(|ingress| ingress.ip == Some(vip))
}

/// A way of announcing takes Services without a class and those of its own.
fn class_fits(service: &Service, own: &str) -> bool {
    service.class.as_deref().is_none_or(|class| class == own)
}

fn l2_selects(policy: &L2Policy, service: &Service, vip: IpAddr) -> bool {
    let external = policy.external_ips && service.external_ips.contains(&vip);
    let status = policy.load_balancer_ips && in_status(service, vip);
    class_fits(service, L2_CLASS)
        && (external || status)
        && policy.service_selector.as_ref().is_none_or(|selector| selects(selector, service))
}

fn bgp_selects(advertisement: &Advertisement, service: &Service, vip: IpAddr) -> bool {
    let lists = |kind: &str| advertisement.addresses.iter().any(|address| address == kind);
    let external = lists("ExternalIP") && service.external_ips.contains(&vip);
    let status = lists("LoadBalancerIP") && in_status(service, vip);
    class_fits(service, BGP_CLASS)
        && (external || status)
        && advertisement.selector.as_ref().is_some_and(|selector| selects(selector, service))
}

/// A Service's Lease speaks for an address that some policy selects by its kind. Where policies were
/// not read it still does if all addresses of the Service are of one kind.
fn lease_counts(facts: &Facts<'_>, service: &Service, vip: IpAddr) -> bool {
    match facts.obs.l2_policies.known() {
        Some(policies) => policies.iter().any(|policy| l2_selects(policy, service, vip)),
        None => service.external_ips.is_empty() || service.ingress.is_empty(),
    }
}

/// Puts the picture together.
#[must_use]
pub fn picture<'a>(facts: &Facts<'a>, vip: IpAddr) -> Picture<'a> {
    let obs = facts.obs;
    let holders: Vec<&Service> = facts.holders(vip).collect();
    let policies = obs.l2_policies.known().map_or(&[][..], Vec::as_slice);
    let advertisements = obs.advertisements.known().map_or(&[][..], Vec::as_slice);
    let leases = obs.leases.known().map_or(&[][..], Vec::as_slice);
    let speaks = |lease: &Lease| {
        holders.iter().any(|holder| lease.name == lease_name(holder) && lease_counts(facts, holder, vip))
    };
    let l2_on = switched(facts, "enable-l2-announcements");
    let l2 = |policy: &L2Policy| l2_on != Some(false) && holders.iter().any(|holder| l2_selects(policy, holder, vip));
    let bgp_on = switched(facts, "enable-bgp-control-plane");
    let bgp = |ad: &Advertisement| bgp_on != Some(false) && holders.iter().any(|holder| bgp_selects(ad, holder, vip));
    Picture {
        l2_on,
        bgp_on,
        policies: policies.iter().filter(|policy| l2(policy)).collect(),
        advertisements: advertisements.iter().filter(|ad| bgp(ad)).collect(),
        leases: leases.iter().filter(|lease| speaks(lease)).collect(),
    }
}

/// What announces the address through this one Service: L2 policies and BGP advertisements by name. None
/// where one of them could not be read.
#[must_use]
pub fn through(facts: &Facts<'_>, service: &Service, vip: IpAddr) -> Option<Vec<String>> {
    let (obs, mut names) = (facts.obs, Vec::new());
    if switched(facts, "enable-l2-announcements")? {
        let policies = obs.l2_policies.known()?.iter().filter(|policy| l2_selects(policy, service, vip));
        names.extend(policies.map(|policy| format!("L2 policy {}", policy.name)));
    }
    if switched(facts, "enable-bgp-control-plane")? {
        let ads = obs.advertisements.known()?.iter().filter(|ad| bgp_selects(ad, service, vip));
        names.extend(ads.map(|ad| format!("BGP advertisement {}", ad.name)));
    }
    Some(names)
}

/// The Lease of a Service's L2 announcement: one for each Service, in Cilium's namespace.
fn lease_name(service: &Service) -> String {
    format!("cilium-l2announce-{}-{}", service.id.namespace, service.id.name)
}

/// What is known of how this address is announced, through this Service or a sharer.
#[must_use]
pub fn announced(facts: &Facts<'_>, vip: IpAddr) -> Announced {
    let picture = picture(facts, vip);
    let (announcers, mute) = l2_nodes(facts, vip, &picture);
    let ways = [l2_way(facts, &picture, &announcers, &mute), bgp_way(facts, &picture)];
    let (state, detail) = match not_ciliums(facts, vip) {
        Some(why) if announcers.is_empty() => (RungState::NotApplicable, why),
        _ => together(facts, &ways),
    };
    Announced { state, detail, announcers, mute }
}

/// Why the announcement is not Cilium's to make, where it is not.
fn not_ciliums(facts: &Facts<'_>, vip: IpAddr) -> Option<String> {
    let nodes = facts.obs.nodes.known().map_or(&[][..], Vec::as_slice);
    if let Some(node) = nodes.iter().find(|node| node.addresses.contains(&vip)) {
        return Some(format!("it is an address of node {}, which answers for it by itself", node.name));
    }
    let mut foreign = None;
    for holder in facts.holders(vip) {
        if facts.allocator(holder) == Allocator::NodeIpam && in_status(holder, vip) {
            return Some("it is an address of a node".to_owned());
        }
        let class = holder.class.as_deref()?;
        if class.starts_with("io.cilium/") {
            return None;
        }
        foreign = Some(format!("by whoever serves class {class}, if at all"));
    }
    foreign
}

fn together(facts: &Facts<'_>, ways: &[Way; 2]) -> (RungState, String) {
    let texts = |pick: fn(&Way) -> Option<&str>| -> Option<String> {
        let mut texts: Vec<&str> = ways.iter().filter_map(pick).collect();
        texts.dedup();
        (!texts.is_empty()).then(|| texts.join("; "))
    };
    let up = |way: &Way| matches!(way, Way::Up(_));
    if ways.iter().any(up) {
        let detail = texts(|way| if let Way::Up(text) = way { Some(text) } else { None });
        return (RungState::Ok, detail.unwrap_or_default());
    }
    if let Some(detail) = texts(|way| if let Way::Unknown(text) = way { Some(text) } else { None }) {
        return (RungState::Unknown, detail);
    }
    match texts(|way| if let Way::Down(text) = way { Some(text) } else { None }) {
        None => (RungState::NotApplicable, "Cilium announces nothing here (L2 and BGP are off)".to_owned()),
        Some(_) if !facts.all_services() => {
            (RungState::Unknown, "not through the Services that were read; others could not be read".to_owned())
        }
        Some(detail) => (RungState::Broken, detail),
    }
}

fn l2_way(
    facts: &Facts<'_>,
    picture: &Picture<'_>,
    announcers: &[(String, Evidence)],
    mute: &[(String, Evidence)],
) -> Way {
    let names = |nodes: &[(String, Evidence)]| nodes.iter().map(|(n, _)| n.as_str()).collect::<Vec<_>>().join(", ");
    if !announcers.is_empty() {
        return Way::Up(format!("by L2 from {}", names(announcers)));
    }
    match picture.l2_on {
        Some(false) => return Way::Off,
        None => return Way::Unknown("cilium-config could not be read".to_owned()),
        Some(true) => {}
    }
    if !readable(&facts.obs.l2_policies) {
        Way::Unknown("L2 policies could not be read".to_owned())
    } else if picture.policies.is_empty() {
        Way::Down("no L2 policy selects it".to_owned())
    } else if facts.obs.leases.known().is_none() {
        Way::Unknown("Leases could not be read".to_owned())
    } else if mute.is_empty() {
        Way::Down("an L2 policy selects it, but no living node holds the Lease".to_owned())
    } else {
        Way::Down(format!("held by {}, which does not answer (interfaces)", names(mute)))
    }
}

fn bgp_way(facts: &Facts<'_>, picture: &Picture<'_>) -> Way {
    match picture.bgp_on {
        Some(false) => return Way::Off,
        None => return Way::Unknown("cilium-config could not be read".to_owned()),
        Some(true) => {}
    }
    // Where the kind is not served, BGP is set up by an older kind that is not read.
    if facts.obs.advertisements.known().is_none() {
        return Way::Unknown("BGP advertisements could not be read".to_owned());
    }
    if picture.advertisements.is_empty() {
        return Way::Down("no BGP advertisement selects it".to_owned());
    }
    let Some(nodes) = facts.obs.bgp_nodes.known() else {
        return Way::Unknown("a BGP advertisement selects it; sessions could not be read".to_owned());
    };
    let peers = || nodes.iter().flat_map(|node| node.peers.iter().map(move |peer| (node.node.as_str(), peer)));
    let advertising: Vec<String> = nodes
        .iter()
        .filter_map(|node| {
            let routes = node.peers.iter().filter(|peer| peer.established).map(|peer| peer.advertised).max()?;
            let plural = if routes == 1 { "" } else { "s" };
            (routes > 0).then(|| format!("{} ({routes} route{plural} advertised)", node.node))
        })
        .collect();
    if !advertising.is_empty() {
        Way::Up(format!("by BGP from {}", advertising.join(", ")))
    } else if peers().any(|(_, peer)| peer.established) {
        Way::Unknown("a BGP advertisement selects it, but no session tells of advertised routes".to_owned())
    } else if !nodes.is_empty() && peers().next().is_none() {
        // The agents' status reports can be switched off.
        Way::Unknown("a BGP advertisement selects it, but no node reports sessions".to_owned())
    } else {
        Way::Down("a BGP advertisement selects it, but no BGP session is established".to_owned())
    }
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

/// A kind that the API does not serve has no objects; that is knowledge, not ignorance.
fn readable<T>(read: &Read<T>) -> bool {
    read.missing().is_none_or(|missing| missing.kind == MissingKind::NotServed)
}

/// Nodes with evidence for each.
type Nodes = Vec<(String, Evidence)>;

/// The nodes that answer by L2, and those that should by their Lease but do not by their own table.
/// A holder whose table was not read is taken at its Lease.
fn l2_nodes(facts: &Facts<'_>, vip: IpAddr, picture: &Picture<'_>) -> (Nodes, Nodes) {
    let mut answering = answering(facts, vip);
    let silent = |node: &str| {
        let agent = facts.obs.agents.iter().find(|agent| agent.node() == node);
        let table = agent.and_then(|agent| agent.answer.known()?.l2.as_ref());
        facts.obs.asked.vips.contains(&vip) && table.is_some_and(|rows| rows.iter().all(|row| row.ip != vip))
    };
    let (mut mute, held): (Nodes, Nodes) =
        holders_of_leases(facts, picture).into_iter().partition(|(node, _)| silent(node));
    answering.splice(0..0, held);
    for nodes in [&mut answering, &mut mute] {
        nodes.sort_by(|a, b| a.0.cmp(&b.0));
        nodes.dedup_by(|a, b| a.0 == b.0);
    }
    (answering, mute)
}

fn holders_of_leases(facts: &Facts<'_>, picture: &Picture<'_>) -> Nodes {
    let now = facts.obs.leases.at().unwrap_or_else(|| facts.now());
    let namespace = &facts.obs.install.namespace;
    let held = picture.leases.iter().filter(|lease| lease.is_live(now)).map(|lease| {
        let fact =
            format!("held by {}, renewed {}", lease.holder, lease.renewed.map_or_else(String::new, |at| ago(now, at)));
        let recheck = format!("kubectl get lease {} -n {namespace} -o yaml", lease.name);
        (lease.holder.clone(), saw_api(&facts.obs.leases, format!("lease {}", lease.name), fact, recheck))
    });
    held.collect()
}

/// Nodes whose table says that they answer for the address.
fn answering(facts: &Facts<'_>, vip: IpAddr) -> Nodes {
    let rows = facts.obs.agents.iter().filter_map(|agent| {
        let row = agent.answer.known()?.l2.as_ref()?.iter().find(|row| row.ip == vip)?;
        let evidence = Evidence {
            source: format!("node {} l2-announce", agent.node()),
            at: agent.answer.at(),
            fact: format!("answers ARP/NDP for {vip} on {}", row.interface),
            recheck: Some(facts.exec(agent, "shell -- db/show l2-announce")),
        };
        Some((agent.node().to_owned(), evidence))
    });
    rows.collect()
}
