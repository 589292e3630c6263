//! Whether everybody on the VIP goes together before, in between and afterwards.

use std::collections::BTreeMap;
use std::net::IpAddr;

use super::Chosen;
use crate::diagnose::facts::has_port;
use crate::diagnose::sharing::{Incompatible, incompatible};
use crate::migrate::intent::SourceAfter;
use crate::migrate::plan::{Case, Check, named, ports};
use crate::model::{Service, ServicePort};

const ID: &str = "sharing";

pub(super) fn check(case: &Case<'_>, chosen: &Chosen<'_>, checks: &mut Vec<Check>) {
    let before = checks.len();
    third_claimants(case, chosen, checks);
    let others = others(case, chosen);
    let target = with_ports(case.target, chosen);
    let source = without_ports(case, chosen);
    let partners = source.iter().chain(others.values().copied());
    let clashes = partners.filter_map(|other| Some((other, incompatible(&target, other, case.facts.minor)?)));
    checks.extend(clashes.map(|(other, why)| {
        Check::refused(
            ID,
            format!(
                "{} and {} could not share the VIP afterwards: {}",
                named(&target.id),
                named(&other.id),
                words(&why)
            ),
            "make the two alike in this first: otherwise LB-IPAM withdraws the VIP from one of them",
        )
    }));
    if !case.facts.all_services() {
        let saw = "not every Service could be read: another one may claim the port, too";
        checks.push(Check::refused(ID, saw, "ask for `list services` in all namespaces"));
    }
    if checks.len() == before && !chosen.moves.is_empty() {
        let with = match others.len() {
            0 => "nobody else is on the VIP".to_owned(),
            n => format!("{n} more on the VIP stay compatible"),
        };
        checks.push(Check::ok(ID, format!("the two may share before and after; {with}")));
    }
}

/// Everybody else who has, or asks for, one of the VIPs.
fn others<'a>(case: &Case<'a>, chosen: &Chosen<'_>) -> BTreeMap<String, &'a Service> {
    let vips: std::collections::BTreeSet<IpAddr> = chosen.keys().map(|key| key.vip).collect();
    let all = vips.iter().flat_map(|vip| case.facts.holders(*vip).chain(case.facts.seekers(*vip)));
    let third = all.filter(|service| service.id != case.source.id && service.id != case.target.id);
    // What has the address by spec.externalIPs alone is nobody that LB-IPAM compares.
    third.filter(|service| service.kind == "LoadBalancer").map(|service| (service.id.to_string(), service)).collect()
}

fn third_claimants(case: &Case<'_>, chosen: &Chosen<'_>, checks: &mut Vec<Check>) {
    for key in chosen.keys() {
        let all = case.facts.holders(key.vip).chain(case.facts.seekers(key.vip));
        let mut third: Vec<String> = all
            .filter(|service| service.id != case.source.id && service.id != case.target.id && has_port(service, key))
            .map(|service| named(&service.id))
            .collect();
        third.dedup();
        if !third.is_empty() {
            let saw = format!("{} claims {key} as well", third.join(", "));
            checks.push(Check::refused(ID, saw, format!("settle that first: kubectl vipctl explain {key}")));
        }
    }
}

/// The target with the moved ports.
fn with_ports(target: &Service, chosen: &Chosen<'_>) -> Service {
    let mut with = target.clone();
    with.ports.extend(chosen.moves.iter().filter_map(|mv| {
        let (port, proto) = ports::key(&mv.to)?;
        Some(ServicePort { name: String::new(), port, proto, node_port: None, target: String::new() })
    }));
    with
}

/// The source without them; none where it leaves the VIP.
fn without_ports(case: &Case<'_>, chosen: &Chosen<'_>) -> Option<Service> {
    if chosen.source_leaves() {
        return None;
    }
    let mut without = case.source.clone();
    let moved = |port: &ServicePort| chosen.keys().any(|key| key.port == port.port && key.proto == port.proto);
    let last = without.ports.iter().rfind(|port| moved(port)).cloned();
    without.ports.retain(|port| !moved(port));
    if let (Some(SourceAfter::Park(port)), Some(last)) = (chosen.source_after, last) {
        without.ports.push(ServicePort { port, ..last });
    }
    Some(without)
}

fn words(why: &Incompatible) -> String {
    match why {
        Incompatible::Key => "their sharing keys differ".to_owned(),
        Incompatible::Namespace { lacking, wants, .. } => {
            format!("{lacking} does not list namespace {wants} in lbipam.cilium.io/sharing-cross-namespace")
        }
        Incompatible::Ports(ports) => {
            let ports: Vec<String> = ports.iter().map(|(port, proto)| format!("{port}/{proto}")).collect();
            format!("both would have {}", ports.join(", "))
        }
        Incompatible::TrafficPolicy => "their externalTrafficPolicy differs".to_owned(),
        Incompatible::LocalWithoutSelector => {
            "both are externalTrafficPolicy Local, and one has no selector".to_owned()
        }
        Incompatible::LocalSelector => "both are externalTrafficPolicy Local and select different pods".to_owned(),
    }
}
