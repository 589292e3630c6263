//! Rules about how the network learns of the address.

use std::net::IpAddr;

use crate::diagnose::announce::{announced, picture};
use crate::diagnose::case::{Case, Sink, ago, saw_api};
use crate::diagnose::{Code, Confidence, Finding, Rung, RungState, Severity};

/// The addresses of the frontends under examination, each once.
fn addresses(case: &Case<'_>) -> Vec<IpAddr> {
    let mut vips: Vec<IpAddr> = case.held().map(|frontend| frontend.key.vip).collect();
    vips.dedup();
    vips
}

/// VIP4101: nothing selects the address for announcement, although announcing is switched on.
pub fn not_announced(case: &Case<'_>, sink: &mut Sink) {
    for vip in addresses(case) {
        let picture = picture(case.facts, vip);
        if announced(case.facts, vip).state != RungState::Broken || !picture.policies.is_empty() {
            continue;
        }
        let obs = case.facts.obs;
        let policies = obs.l2_policies.known().map_or(0, Vec::len);
        let advertisements = obs.advertisements.known().map_or(0, Vec::len);
        let mut finding = Finding::new(
            Code::NotAnnounced,
            Severity::Error,
            Confidence::Likely,
            Rung::Announced,
            format!("nothing announces {vip}: no L2 announcement policy and no BGP advertisement selects this Service"),
        )
        .note("The nodes serve the port, but the network outside does not learn where the address is. A static route to a node, or another announcer beside Cilium, would do as well and was not looked for.")
        .saw([
            saw_api(&obs.l2_policies, "L2 announcement policies", format!("{policies} exist, none selects it"), "kubectl get ciliuml2announcementpolicies -o yaml"),
            saw_api(&obs.advertisements, "BGP advertisements", format!("{advertisements} exist, none selects it"), "kubectl get ciliumbgpadvertisements -o yaml"),
            saw_api(&obs.install.config, "cilium-config", format!("enable-l2-announcements={}, enable-bgp-control-plane={}", word(picture.l2_on), word(picture.bgp_on)), format!("kubectl get configmap cilium-config -n {} -o yaml", obs.install.namespace)),
        ])
        .then("kubectl get ciliuml2announcementpolicies -o yaml");
        if picture.bgp_on == Some(true) {
            finding = finding.then("kubectl get ciliumbgpadvertisements -o yaml");
        }
        sink.push(finding);
    }
}

fn word(switch: Option<bool>) -> &'static str {
    match switch {
        Some(true) => "true",
        Some(false) => "false",
        None => "unknown",
    }
}

/// VIP4102: a policy selects the address, but nobody living holds its Lease.
pub fn lease_not_held(case: &Case<'_>, sink: &mut Sink) {
    for vip in addresses(case) {
        let picture = picture(case.facts, vip);
        if announced(case.facts, vip).state != RungState::Broken || picture.policies.is_empty() {
            continue;
        }
        let obs = case.facts.obs;
        let now = obs.leases.at().unwrap_or_else(|| case.facts.now());
        let names: Vec<&str> = picture.policies.iter().map(|policy| policy.name.as_str()).collect();
        let held: Vec<String> = picture
            .leases
            .iter()
            .map(|lease| {
                format!(
                    "{} holder '{}', renewed {}",
                    lease.name,
                    lease.holder,
                    lease.renewed.map_or_else(|| "never".to_owned(), |at| ago(now, at))
                )
            })
            .collect();
        let fact =
            if held.is_empty() { "no Lease of a Service with this address exists".to_owned() } else { held.join("; ") };
        let namespace = &obs.install.namespace;
        sink.push(
            Finding::new(
                Code::LeaseNotHeld,
                Severity::Error,
                Confidence::Certain,
                Rung::Announced,
                format!("no living node holds the L2 announcement Lease of {vip}, so nobody answers ARP or NDP for it"),
            )
            .note(format!("L2 policy {} selects it. Its nodeSelector or interfaces may match no node, or the holder's agent has ended and no other has taken over yet.", names.join(", ")))
            .saw([saw_api(&obs.leases, format!("leases in {namespace}"), fact, format!("kubectl get leases -n {namespace}"))])
            .then(format!("kubectl get leases -n {namespace}"))
            .then(format!("kubectl get ciliuml2announcementpolicies {} -o yaml", names.join(" "))),
        );
    }
}
