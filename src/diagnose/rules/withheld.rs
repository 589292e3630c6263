//! Why LB-IPAM gives no address: recomputed from pools and sharers, beside Cilium's own words.

use std::net::IpAddr;

use super::clash::{barred_from_key, clash, clashes};
use super::status;
use crate::diagnose::case::{Case, count, saw_api};
use crate::diagnose::pools::{Refuses, fill, holds, refuses, reserving};
use crate::diagnose::responsible::ipam_condition;
use crate::diagnose::sharing::{key, requested};
use crate::diagnose::{Code, Confidence, Finding, Rung, Severity};
use crate::model::{Pool, Read, Service};

const POOLS: &str = "kubectl get ciliumloadbalancerippools -o yaml";

/// Why the Service does not get this very address.
pub fn this_address(case: &Case<'_>, ip: IpAddr, severity: Severity) -> Finding {
    let taken = || clash(case, ip, &clashes(case, ip), severity);
    let finding = match &case.facts.obs.pools {
        Read::Known { value: pools, .. } => {
            let around: Vec<&Pool> = pools.iter().filter(|pool| holds(pool, ip)).collect();
            if around.iter().any(|pool| refuses(pool, case.service).is_none()) {
                taken()
            } else {
                Some(outside(case, ip, &around, severity))
            }
        }
        Read::Unknown(_) => taken(),
    };
    let refused = ipam_condition(case.service).is_some_and(|condition| condition.status != "True");
    finding
        .unwrap_or_else(|| {
            if refused {
                in_cilium_words(case, severity, Code::PartlyAllocated)
            } else {
                status::differs(case, ip, severity)
            }
        })
        .saw([case.saw_condition()])
}

/// VIP1105: no pool may give the address.
fn outside(case: &Case<'_>, ip: IpAddr, around: &[&Pool], severity: Severity) -> Finding {
    let pools = case.facts.obs.pools.known().map_or(&[][..], Vec::as_slice);
    let message = match (around, reserving(pools, ip)) {
        ([], Some(pool)) => format!(
            "it asks for {ip}, the first or last address of a block of pool {}, which says allowFirstLastIPs: No",
            pool.name
        ),
        ([], None) => format!("it asks for {ip}, which is in no pool"),
        _ => {
            let whys: Vec<String> = around.iter().filter_map(|pool| refusal_text(pool, case.service)).collect();
            format!("it asks for {ip}, and the pool that has it may not give it: {}", whys.join("; "))
        }
    };
    let mut finding = Finding::new(Code::OutsidePools, severity, Confidence::Certain, Rung::Allocated, message)
        .saw([saw_api(&case.facts.obs.pools, "pools", pools_text(pools), POOLS)])
        .then(POOLS)
        .then(format!("kubectl get {} -o yaml", case.args()));
    if let Some(note) = operator_panics(case) {
        finding = finding.note(note);
    }
    if !around.is_empty() && ipam_condition(case.service).is_some_and(|condition| condition.reason == "no_pool") {
        finding = finding.note("Cilium then says that no pool has the address, although one does: disabled and conflicting pools are passed over before it looks.");
    }
    finding
}

fn refusal_text(pool: &Pool, service: &Service) -> Option<String> {
    Some(match refuses(pool, service)? {
        Refuses::Disabled => format!("pool {} is disabled", pool.name),
        Refuses::Conflict(text) => format!("pool {} is in conflict with another ({text})", pool.name),
        Refuses::Selector(selector) => format!("pool {} takes only Services with {selector}", pool.name),
        Refuses::Family => format!("pool {} has no addresses of the Service's IP families", pool.name),
    })
}

fn pools_text(pools: &[Pool]) -> String {
    let texts: Vec<String> = pools
        .iter()
        .map(|pool| {
            let blocks: Vec<String> = pool.blocks.iter().map(ToString::to_string).collect();
            format!("{} [{}]", pool.name, blocks.join(", "))
        })
        .collect();
    if texts.is_empty() { "no pools".to_owned() } else { texts.join(", ") }
}

/// Why the Service, which asks for no fixed address, gets none.
pub fn any_address(case: &Case<'_>, severity: Severity) -> Finding {
    let Some(pools) = case.facts.obs.pools.known() else {
        return in_cilium_words(case, severity, Code::NoPool).saw([case.saw_condition()]);
    };
    let serving: Vec<&Pool> = pools.iter().filter(|pool| refuses(pool, case.service).is_none()).collect();
    let finding = if serving.is_empty() {
        no_pool(case, pools, severity)
    } else if let Some(finding) = barred_from_key(case).and_then(|(ip, found)| clash(case, ip, &found, severity)) {
        finding
    } else {
        let fills: Vec<_> = serving.iter().map(|pool| (pool, fill(pool, case.facts.services.iter()))).collect();
        let texts: Vec<String> =
            fills.iter().map(|(pool, fill)| format!("{} {}/{} used", pool.name, fill.used, fill.total)).collect();
        if fills.iter().all(|(_, fill)| fill.used >= fill.total) {
            pool_full(case, &serving, &texts, severity)
        } else {
            in_cilium_words(case, severity, Code::PoolFull)
        }
        .saw([saw_api(&case.facts.obs.pools, "pools", texts.join(", "), POOLS)])
    };
    finding.saw([case.saw_condition()])
}

/// VIP1103.
fn no_pool(case: &Case<'_>, pools: &[Pool], severity: Severity) -> Finding {
    let whys: Vec<String> = pools.iter().filter_map(|pool| refusal_text(pool, case.service)).collect();
    let message = if whys.is_empty() {
        "there is no CiliumLoadBalancerIPPool".to_owned()
    } else {
        format!("no pool gives addresses to this Service: {}", whys.join("; "))
    };
    Finding::new(Code::NoPool, severity, Confidence::Certain, Rung::Allocated, message)
        .saw([
            saw_api(&case.facts.obs.pools, "pools", pools_text(pools), POOLS),
            case.saw_service("metadata", format!("labels {}", labels_text(case.service))),
        ])
        .note("A pool's serviceSelector sees the Service's labels and its io.kubernetes.service.name and .namespace.")
        .then(POOLS)
        .then(format!("kubectl get {} --show-labels", case.args()))
}

fn labels_text(service: &Service) -> String {
    let labels: Vec<String> = service.labels.iter().map(|(name, value)| format!("{name}={value}")).collect();
    if labels.is_empty() { "none".to_owned() } else { labels.join(",") }
}

/// VIP1104.
fn pool_full(case: &Case<'_>, serving: &[&Pool], texts: &[String], severity: Severity) -> Finding {
    let holders: Vec<String> = case
        .facts
        .services
        .iter()
        .filter(|service| service.vips().iter().any(|ip| serving.iter().any(|pool| holds(pool, *ip))))
        .map(|service| {
            let deleting = if service.deleting.is_some() { " (being deleted, waits for a finalizer)" } else { "" };
            format!("{}{deleting}", service.id)
        })
        .collect();
    let shown = if holders.len() > 6 {
        format!("{} and {} more", holders[..6].join(", "), holders.len() - 6)
    } else {
        holders.join(", ")
    };
    Finding::new(
        Code::PoolFull,
        severity,
        Confidence::Certain,
        Rung::Allocated,
        format!("no pool that serves it has a free address: {}", texts.join(", ")),
    )
    .note(format!("The addresses are held by {} ({shown}). Free one, add a block to the pool, or let this Service share an address by a sharing key.", count(holders.len(), "Service")))
    .then(POOLS)
    .then("kubectl get svc -A --field-selector spec.type=LoadBalancer")
}

/// A possible cause of an operator that does not get ready: the first or last address of a block that
/// keeps those back, asked for with a sharing key, makes the operator panic (seen on 1.20.2).
pub fn operator_panics(case: &Case<'_>) -> Option<String> {
    let operators = case.facts.obs.install.operators.known()?;
    let pools = case.facts.obs.pools.known()?;
    if operators.iter().all(|pod| pod.ready) {
        return None;
    }
    let asks = |service: &Service| {
        let wanted = requested(service).ips.into_iter();
        let ip = wanted
            .filter(|_| service.kind == "LoadBalancer" && key(service).is_some())
            .find(|ip| reserving(pools, *ip).is_some())?;
        Some((service.id.clone(), ip))
    };
    let (id, ip) = case.facts.services.iter().find_map(asks)?;
    Some(format!(
        "A cilium-operator is not ready, and a possible cause is svc {id}: it has a sharing key and asks for {ip}, the          reserved first or last address of a block, which makes the operator of Cilium 1.20.2 panic. See the          operator's log (--previous), and take the request or the key off that Service."
    ))
}

/// Where our own maths find no cause: Cilium's refusal in its words, marked as theirs.
fn in_cilium_words(case: &Case<'_>, severity: Severity, fallback: Code) -> Finding {
    let (reason, text) = ipam_condition(case.service).map_or((String::new(), "no words on it".to_owned()), |c| {
        (c.reason.clone(), format!("{} ({})", c.message, c.reason))
    });
    let code = match reason.as_str() {
        "no_pool" | "pool_selector_mismatch" => Code::NoPool,
        "out_of_ips" => Code::PoolFull,
        "already_allocated" => Code::AddressTaken,
        "already_allocated_incompatible_service" | "already_allocated_different_sharing_key" => {
            Code::WithheldIncompatible
        }
        _ => fallback,
    };
    let gives = if case.service.vips().is_empty() { "gives no address" } else { "does not give all addresses" };
    Finding::new(code, severity, Confidence::Likely, Rung::Allocated, format!("LB-IPAM {gives} and says: {text}"))
        .note("What was read of pools and Services does not show the cause by itself; these are Cilium's words. They may be from before the last change.")
        .then(POOLS)
        .then(format!("kubectl get {} -o yaml", case.args()))
}
