//! What LB-IPAM would do meanwhile, and whether a mishap would heal.

use std::net::IpAddr;

use super::Chosen;
use crate::diagnose::pools::{Refuses, holds, refuses};
use crate::diagnose::responsible::{Allocator, ipam_condition};
use crate::diagnose::sharing::{ips_annotation, requested};
use crate::migrate::intent::Strategy;
use crate::migrate::plan::{Case, Check, args, named};
use crate::model::Service;

pub(super) fn check(case: &Case<'_>, chosen: &Chosen<'_>, checks: &mut Vec<Check>) {
    let mut vips: Vec<IpAddr> = chosen.keys().map(|key| key.vip).collect();
    vips.sort_unstable();
    vips.dedup();
    flapping(case, checks);
    match case.facts.allocator(case.target) {
        Allocator::LbIpam => {
            pinned(case, &vips, checks);
            pool(case, &vips, checks);
            operator(case, checks);
        }
        other => {
            let who = match other {
                Allocator::NodeIpam => "Node IPAM gives it its addresses".to_owned(),
                Allocator::NotCilium(why) => why,
                Allocator::Unneeded => "nobody gives it addresses".to_owned(),
                Allocator::Unknown => "Cilium's settings could not be read".to_owned(),
                Allocator::LbIpam => String::new(),
            };
            let saw = format!("LB-IPAM does not answer for the address of {}: {who}", named(&case.target.id));
            checks.push(Check::warning("ipam", saw, "see that whoever does leaves both with their address"));
        }
    }
    if chosen.source_leaves() && !asks(case.source, &vips) {
        let saw = format!(
            "{} leaves the VIP and is not pinned to it: going back may give it another",
            named(&case.source.id)
        );
        checks.push(Check::warning("rollback", saw, pin(case.source, &vips)));
    }
    seekers(case, &vips, checks);
}

fn asks(service: &Service, vips: &[IpAddr]) -> bool {
    let wanted = requested(service).ips;
    let mine: Vec<IpAddr> = service.ingress.iter().filter_map(|ingress| ingress.ip).collect();
    vips.iter().chain(&mine).all(|vip| wanted.contains(vip))
}

/// The command that pins a Service to what it has.
fn pin(service: &Service, vips: &[IpAddr]) -> String {
    let mut all: Vec<IpAddr> = service.ingress.iter().filter_map(|ingress| ingress.ip).collect();
    all.extend(vips.iter().filter(|vip| !service.ingress.iter().any(|ingress| ingress.ip == Some(**vip))));
    let all: Vec<String> = all.iter().map(ToString::to_string).collect();
    format!("kubectl annotate {} --overwrite {}={}", args(&service.id), ips_annotation(service), all.join(","))
}

fn pinned(case: &Case<'_>, vips: &[IpAddr], checks: &mut Vec<Check>) {
    const ID: &str = "pinned";
    let b = named(&case.target.id);
    if vips.is_empty() {
        return;
    }
    if asks(case.target, vips) {
        checks.push(Check::ok(ID, format!("{b} asks for its address: LB-IPAM gives it that one or none")));
        return;
    }
    let (way_out, saw) = (pin(case.target, vips), format!("{b} does not ask for its address"));
    checks.push(match case.request.strategy {
        Strategy::Handoff => Check::refused(
            ID,
            format!("{saw}: should LB-IPAM see it before the source, it might move it to another one for good"),
            way_out,
        ),
        Strategy::Ordered => Check::warning(ID, format!("{saw}: a mishap could give it another one"), way_out),
    });
}

fn pool(case: &Case<'_>, vips: &[IpAddr], checks: &mut Vec<Check>) {
    const ID: &str = "pool";
    let Some(pools) = case.seen.observation.pools.known() else {
        let saw = "the pools could not be read";
        checks.push(Check::unknown(ID, saw, "ask for `list ciliumloadbalancerippools.cilium.io`"));
        return;
    };
    let before = checks.len();
    for vip in vips {
        let Some(pool) = pools.iter().find(|pool| holds(pool, *vip)) else {
            checks.push(worse(
                case,
                ID,
                format!("no pool has {vip}"),
                "make one: kubectl get ciliumloadbalancerippools",
            ));
            continue;
        };
        for service in [case.source, case.target] {
            let Some(why) = refuses(pool, service) else { continue };
            let why = match why {
                Refuses::Disabled => "is disabled".to_owned(),
                Refuses::Conflict(text) => format!("is in conflict ({text})"),
                Refuses::Selector(selector) => format!("selects {selector}, which {} is not", named(&service.id)),
                Refuses::Family => format!("has no address of the families of {}", named(&service.id)),
            };
            let saw = format!("pool {} of {vip} {why}: an address that is lost would not be given again", pool.name);
            checks.push(worse(case, ID, saw, &format!("kubectl get ciliumloadbalancerippool {} -o yaml", pool.name)));
        }
    }
    checks.dedup();
    if checks.len() == before && !vips.is_empty() {
        checks.push(Check::ok(ID, "the pool would give both their address again"));
    }
}

/// In a handoff LB-IPAM may see the two writes in either order, so it must be able to heal.
fn worse(case: &Case<'_>, id: &str, saw: String, way_out: &str) -> Check {
    match case.request.strategy {
        Strategy::Handoff => Check::refused(id, saw, way_out),
        Strategy::Ordered => Check::warning(id, saw, way_out),
    }
}

fn operator(case: &Case<'_>, checks: &mut Vec<Check>) {
    const ID: &str = "operator";
    let install = &case.seen.observation.install;
    let way_out = format!("kubectl get pods -n {} -l io.cilium/app=operator", install.namespace);
    let now = install.leader.at().unwrap_or(case.seen.observation.taken_at);
    let dead = install.operators.known().is_some_and(|pods| pods.iter().all(|pod| !pod.ready));
    let leaderless =
        install.leader.known().is_some_and(|lease| lease.as_ref().is_some_and(|lease| !lease.is_live(now)));
    checks.push(if dead {
        Check::warning(ID, "no cilium-operator is ready: an address that is lost comes back when it is", way_out)
    } else if leaderless {
        Check::warning(ID, "no cilium-operator leads: an address that is lost comes back when one does", way_out)
    } else if install.operators.known().is_none() && install.leader.known().is_none() {
        Check::unknown(ID, "whether cilium-operator runs could not be read", way_out)
    } else {
        Check::ok(ID, "cilium-operator runs")
    });
}

/// A status that two write in turn makes routes come and go: no wait would end.
fn flapping(case: &Case<'_>, checks: &mut Vec<Check>) {
    for service in [case.source, case.target] {
        let satisfied = ipam_condition(service).is_some_and(|condition| condition.status == "True");
        let empty = service.ingress.is_empty();
        let lb_ipam = case.facts.allocator(service) == Allocator::LbIpam;
        if satisfied && empty && lb_ipam {
            let saw = format!(
                "LB-IPAM counts {} as satisfied, yet its status is empty: another writer removes the address",
                named(&service.id)
            );
            checks.push(Check::refused(
                "flapping",
                saw,
                format!("find it: kubectl vipctl explain {}", args(&service.id)),
            ));
        }
    }
}

fn seekers(case: &Case<'_>, vips: &[IpAddr], checks: &mut Vec<Check>) {
    for vip in vips {
        let all = case.facts.seekers(*vip).filter(|other| other.id != case.source.id && other.id != case.target.id);
        let names: Vec<String> = all.map(|other| named(&other.id)).collect();
        if !names.is_empty() {
            let saw = format!("{} waits for {vip}, and may get it by the change", names.join(", "));
            checks.push(Check::warning("waiting", saw, format!("look: kubectl vipctl explain {vip}")));
        }
    }
}
