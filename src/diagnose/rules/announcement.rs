//! Rules about how the network learns of the address.

use std::net::IpAddr;

use crate::diagnose::announce::{Picture, announced, picture};
use crate::diagnose::case::{Case, Sink, ago, saw_api};
use crate::diagnose::facts::SETTLE;
use crate::diagnose::{Code, Confidence, Evidence, Finding, Rung, RungState, Severity};

/// The addresses of the frontends under examination, each once.
fn addresses(case: &Case<'_>) -> Vec<IpAddr> {
    let mut vips: Vec<IpAddr> = case.held().map(|frontend| frontend.key.vip).collect();
    vips.dedup();
    vips
}

/// VIP4101: announcing is switched on, and neither L2 nor BGP has the address.
pub fn not_announced(case: &Case<'_>, sink: &mut Sink) {
    for vip in addresses(case) {
        let picture = picture(case.facts, vip);
        if announced(case.facts, vip).state == RungState::Broken && picture.policies.is_empty() {
            sink.push(nothing_announces(case, vip, &picture));
        }
    }
}

fn nothing_announces(case: &Case<'_>, vip: IpAddr, picture: &Picture<'_>) -> Finding {
    let obs = case.facts.obs;
    let (policies, advertisements) = (obs.l2_policies.known(), obs.advertisements.known());
    let exist = |n: usize, selecting: &[String], on: Option<bool>| match selecting {
        _ if n > 0 && on == Some(false) => format!("{n} exist, but this way of announcing is off"),
        [] => format!("{n} exist, none selects it"),
        names => format!("{n} exist, {} selects it", names.join(", ")),
    };
    let selecting: Vec<String> = picture.advertisements.iter().map(|ad| ad.name.clone()).collect();
    let l2_off = picture.l2_on == Some(false);
    let why = if selecting.is_empty() && l2_off {
        "no BGP advertisement selects this Service, and L2 announcements are off".to_owned()
    } else if selecting.is_empty() {
        "no L2 announcement policy and no BGP advertisement selects this Service".to_owned()
    } else {
        format!("BGP advertisement {} selects it, but no BGP session is established", selecting.join(", "))
    };
    let ways =
        format!("enable-l2-announcements={}, enable-bgp-control-plane={}", word(picture.l2_on), word(picture.bgp_on));
    let mut finding = Finding::new(
        Code::NotAnnounced,
        Severity::Error,
        Confidence::Likely,
        Rung::Announced,
        format!("nothing announces {vip}: {why}"),
    )
    .note("The nodes serve the port, but the network outside does not learn where the address is. A static route to a node, or another announcer beside Cilium, would do as well and was not looked for.")
    .saw([
        saw_api(&obs.l2_policies, "L2 announcement policies", exist(policies.map_or(0, Vec::len), &[], picture.l2_on), "kubectl get ciliuml2announcementpolicies -o yaml"),
        saw_api(&obs.advertisements, "BGP advertisements", exist(advertisements.map_or(0, Vec::len), &selecting, picture.bgp_on), "kubectl get ciliumbgpadvertisements -o yaml"),
        saw_api(&obs.install.config, "cilium-config", ways, format!("kubectl get configmap cilium-config -n {} -o yaml", obs.install.namespace)),
    ]);
    if !selecting.is_empty() {
        finding = finding.saw(saw_sessions(case)).then("kubectl get ciliumbgpnodeconfigs -o yaml");
    }
    if !l2_off {
        finding = finding.then("kubectl get ciliuml2announcementpolicies -o yaml");
    }
    if picture.bgp_on == Some(true) {
        finding = finding.then("kubectl get ciliumbgpadvertisements -o yaml");
    }
    finding
}

fn saw_sessions(case: &Case<'_>) -> Vec<Evidence> {
    let read = &case.facts.obs.bgp_nodes;
    let nodes = read.known().map_or(&[][..], Vec::as_slice);
    let peers: Vec<String> = nodes
        .iter()
        .flat_map(|node| node.peers.iter().map(move |peer| format!("{} to {}", node.node, peer.peer)))
        .collect();
    let fact = if peers.is_empty() {
        "no node has a BGP configuration".to_owned()
    } else {
        format!("not established: {}", peers.join(", "))
    };
    vec![saw_api(read, "BGP sessions", fact, "kubectl get ciliumbgpnodeconfigs -o yaml")]
}

fn word(switch: Option<bool>) -> &'static str {
    match switch {
        Some(true) => "true",
        Some(false) => "false",
        None => "unknown",
    }
}

/// VIP4102: a policy selects the address, but nobody living holds its Lease, or the holder does not answer.
pub fn lease_not_held(case: &Case<'_>, sink: &mut Sink) {
    for vip in addresses(case) {
        let picture = picture(case.facts, vip);
        let found = announced(case.facts, vip);
        if found.state != RungState::Broken || picture.policies.is_empty() {
            continue;
        }
        let names: Vec<&str> = picture.policies.iter().map(|policy| policy.name.as_str()).collect();
        let finding = if found.mute.is_empty() {
            nobody_holds(case, vip, &picture)
        } else {
            holder_is_mute(case, vip, &picture, &found.mute)
        };
        sink.push(finding.then(format!("kubectl get ciliuml2announcementpolicies {} -o yaml", names.join(" "))));
    }
}

fn nobody_holds(case: &Case<'_>, vip: IpAddr, picture: &Picture<'_>) -> Finding {
    let obs = case.facts.obs;
    let now = obs.leases.at().unwrap_or_else(|| case.facts.now());
    let names: Vec<&str> = picture.policies.iter().map(|policy| policy.name.as_str()).collect();
    let held = picture.leases.iter().map(|lease| {
        let renewed = lease.renewed.map_or_else(|| "never".to_owned(), |at| ago(now, at));
        format!("{} holder '{}', renewed {renewed}", lease.name, lease.holder)
    });
    let held: Vec<String> = held.collect();
    let fact =
        if held.is_empty() { "no Lease of a Service with this address exists".to_owned() } else { held.join("; ") };
    let namespace = &obs.install.namespace;
    // A Lease is taken some moments after the Service is written.
    let young = case.service.last_write().is_some_and(|written| now.duration_since(written) < SETTLE);
    Finding::new(
        Code::LeaseNotHeld,
        Severity::Error,
        if young { Confidence::Likely } else { Confidence::Certain },
        Rung::Announced,
        format!("no living node holds the L2 announcement Lease of {vip}, so nobody answers ARP or NDP for it"),
    )
    .note(format!("L2 policy {} selects it. Its nodeSelector or interfaces may match no node, or the holder's agent has ended and no other has taken over yet.", names.join(", ")))
    .saw([saw_api(&obs.leases, format!("leases in {namespace}"), fact, format!("kubectl get leases -n {namespace}"))])
    .then(format!("kubectl get leases -n {namespace}"))
}

/// A Lease that was taken seconds ago looks the same, and its age is not known: likely at most.
fn holder_is_mute(case: &Case<'_>, vip: IpAddr, picture: &Picture<'_>, mute: &[(String, Evidence)]) -> Finding {
    let obs = case.facts.obs;
    let namespace = &obs.install.namespace;
    let nodes: Vec<&str> = mute.iter().map(|(node, _)| node.as_str()).collect();
    let interfaces = picture.policies.iter().map(|policy| {
        let patterns =
            if policy.interfaces.is_empty() { "any interface".to_owned() } else { policy.interfaces.join(", ") };
        let recheck = format!("kubectl get ciliuml2announcementpolicies {} -o yaml", policy.name);
        saw_api(&obs.l2_policies, format!("L2 policy {}", policy.name), format!("interfaces: {patterns}"), recheck)
    });
    let agents = obs.agents.iter().filter(|agent| nodes.contains(&agent.node()));
    let tables = agents.map(|agent| Evidence {
        source: format!("node {} l2-announce", agent.node()),
        at: agent.answer.at(),
        fact: format!("no row for {vip}"),
        recheck: Some(case.facts.exec(agent, "shell -- db/show l2-announce")),
    });
    Finding::new(
        Code::LeaseNotHeld,
        Severity::Error,
        Confidence::Likely,
        Rung::Announced,
        if let [node] = nodes[..] {
            format!("{node} holds the L2 announcement Lease for {vip} but does not answer ARP or NDP for it")
        } else {
            format!("{} hold L2 announcement Leases for {vip} but do not answer ARP or NDP for it", nodes.join(", "))
        },
    )
    .note("A holder answers on its devices that the policy's interfaces match; where none matches it holds the Lease and stays silent. A Lease that was taken seconds ago looks the same.")
    .saw(mute.iter().map(|(_, seen)| seen.clone()))
    .saw(tables)
    .saw(interfaces)
    .then(format!("kubectl get leases -n {namespace}"))
}
