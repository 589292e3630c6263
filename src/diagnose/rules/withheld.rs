//! Why LB-IPAM gives no address: recomputed from pools and sharers, beside Cilium's own words.

use std::net::IpAddr;

use crate::diagnose::case::{Case, count, list, saw_api, saw_service};
use crate::diagnose::pools::{Refuses, fill, range, ranges, refuses};
use crate::diagnose::responsible::ipam_condition;
use crate::diagnose::sharing::{Incompatible, incompatible, key};
use crate::diagnose::{Code, Confidence, Finding, Rung, Severity};
use crate::model::{Pool, Read, Service, TrafficPolicy};

const POOLS: &str = "kubectl get ciliumloadbalancerippools -o yaml";

/// Why the Service does not get this very address.
pub fn this_address(case: &Case<'_>, ip: IpAddr, severity: Severity) -> Finding {
    let finding = match &case.facts.obs.pools {
        Read::Known { value: pools, .. } => {
            let around: Vec<&Pool> = pools.iter().filter(|pool| holds(pool, ip)).collect();
            if around.iter().any(|pool| refuses(pool, case.service).is_none()) {
                taken(case, ip, severity)
            } else {
                Some(outside(case, ip, &around, severity))
            }
        }
        Read::Unknown(_) => taken(case, ip, severity),
    };
    finding.unwrap_or_else(|| in_cilium_words(case, severity, Code::PartlyAllocated)).saw([case.saw_condition()])
}

fn holds(pool: &Pool, ip: IpAddr) -> bool {
    ranges(pool).iter().any(|range| range.contains(ip))
}

/// VIP1105: no pool may give the address.
fn outside(case: &Case<'_>, ip: IpAddr, around: &[&Pool], severity: Severity) -> Finding {
    let pools = case.facts.obs.pools.known().map_or(&[][..], Vec::as_slice);
    let reserved = pools.iter().find(|pool| {
        !holds(pool, ip) && pool.blocks.iter().filter_map(|block| range(block, true)).any(|range| range.contains(ip))
    });
    let message = match (around, reserved) {
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
    if !around.is_empty() {
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

/// VIP1101, 1102, 1109: somebody has the address and does not share it with this Service.
fn taken(case: &Case<'_>, ip: IpAddr, severity: Severity) -> Option<Finding> {
    let holders: Vec<&Service> =
        case.facts.holders(ip).filter(|holder| holder.id != case.service.id && holder.kind == "LoadBalancer").collect();
    let (holder, why) =
        holders.iter().find_map(|holder| Some((*holder, incompatible(case.service, holder, case.facts.minor)?)))?;
    Some(clash(case, &list(&[ip]), holder, &why, severity))
}

/// The finding about a sharer that stands in the way.
fn clash(case: &Case<'_>, address: &str, holder: &Service, why: &Incompatible, severity: Severity) -> Finding {
    let reason = sentence(case.service, holder, why);
    let mine = key(case.service);
    let (code, message) = match why {
        Incompatible::Port(..) => {
            (Code::WithheldSamePort, format!("LB-IPAM withholds the whole address {address}: {reason}"))
        }
        Incompatible::Key if mine.is_none() || key(holder).is_none() => (
            Code::AddressTaken,
            format!(
                "address {address} is held by svc/{} (ns {}), which does not share it: {reason}",
                holder.id.name, holder.id.namespace
            ),
        ),
        _ => (Code::WithheldIncompatible, format!("LB-IPAM withholds the whole address {address}: {reason}")),
    };
    let way_out = match why {
        Incompatible::Port(port, proto) => {
            format!("Take {port}/{proto} off svc/{} or off this Service", holder.id.name)
        }
        Incompatible::Key => "Give both the same sharing key, or ask for another address".to_owned(),
        Incompatible::Namespace { wants, .. } => format!("List namespace {wants} (or *) in that annotation"),
        Incompatible::TrafficPolicy => "Set the same externalTrafficPolicy on both".to_owned(),
        Incompatible::LocalWithoutSelector | Incompatible::LocalSelector => {
            "Set externalTrafficPolicy Cluster on both, or give both the same selector".to_owned()
        }
    };
    let mut finding = Finding::new(code, severity, Confidence::Certain, Rung::Shared, message)
        .saw([saw_service(case.facts, holder, "spec and status", holder_text(holder))])
        .note("LB-IPAM gives or withholds an address as a whole: every port of this Service is off the address, not only the one that clashes.")
        .note(format!("Who holds the address keeps it. {way_out}: LB-IPAM then gives it by itself."));
    if let Some(note) = misleading(case.service, code) {
        finding = finding.note(note);
    }
    finding
        .then(format!("kubectl get svc/{} -n {} -o yaml", holder.id.name, holder.id.namespace))
        .then(format!("kubectl vipctl explain {}", case.args()))
}

fn holder_text(holder: &Service) -> String {
    let ports: Vec<String> = holder.ports.iter().map(|port| format!("{}/{}", port.port, port.proto)).collect();
    format!(
        "address {}, ports {}, sharing key {}",
        list(&holder.vips()),
        ports.join(" "),
        key(holder).map_or_else(|| "none".to_owned(), |key| format!("'{key}'"))
    )
}

/// The rule that keeps two Services apart, in one sentence.
pub fn sentence(service: &Service, holder: &Service, why: &Incompatible) -> String {
    let other = format!("svc/{} (ns {})", holder.id.name, holder.id.namespace);
    match why {
        Incompatible::Key if key(service).is_none() && key(holder).is_none() => "neither has a sharing key".to_owned(),
        Incompatible::Key => format!(
            "its sharing key is {}, that of {other} is {}",
            key(service).map_or_else(|| "not set".to_owned(), |key| format!("'{key}'")),
            key(holder).map_or_else(|| "not set".to_owned(), |key| format!("'{key}'"))
        ),
        Incompatible::Namespace { lacking, wants, has } => format!(
            "svc {lacking} does not permit sharing with namespace {wants} (annotation lbipam.cilium.io/sharing-cross-namespace is {})",
            has.as_ref().map_or_else(|| "not set".to_owned(), |has| format!("'{has}'"))
        ),
        Incompatible::Port(port, proto) => format!("{other} has port {port}/{proto} on it"),
        Incompatible::TrafficPolicy => format!(
            "its externalTrafficPolicy is {}, that of {other} is {}",
            policy(service.external_policy),
            policy(holder.external_policy)
        ),
        Incompatible::LocalWithoutSelector => {
            format!("with externalTrafficPolicy Local both need a selector, and one of it and {other} has none")
        }
        Incompatible::LocalSelector => {
            format!("with externalTrafficPolicy Local both must select the same pods, and {other} selects others")
        }
    }
}

fn policy(policy: TrafficPolicy) -> &'static str {
    match policy {
        TrafficPolicy::Cluster => "Cluster",
        TrafficPolicy::Local => "Local",
    }
}

/// What to say where Cilium's reason points elsewhere than the cause.
fn misleading(service: &Service, code: Code) -> Option<String> {
    let reason = ipam_condition(service)?.reason.as_str();
    match reason {
        "out_of_ips" => Some("Cilium's reason out_of_ips names its last step, not the cause: it could not join the shared address and then found no free one.".to_owned()),
        "already_allocated_different_sharing_key" if code != Code::WithheldIncompatible => Some("Up to Cilium 1.16 the reason already_allocated_different_sharing_key stands for every kind of clash, not only for keys.".to_owned()),
        "no_pool" => Some("Cilium's reason no_pool names its last step, not the cause.".to_owned()),
        _ => None,
    }
}

/// Why the Service, which asks for no fixed address, gets none.
pub fn any_address(case: &Case<'_>, severity: Severity) -> Finding {
    let Some(pools) = case.facts.obs.pools.known() else {
        return in_cilium_words(case, severity, Code::NoPool).saw([case.saw_condition()]);
    };
    let serving: Vec<&Pool> = pools.iter().filter(|pool| refuses(pool, case.service).is_none()).collect();
    let finding = if serving.is_empty() {
        no_pool(case, pools, severity)
    } else if let Some((holder, why)) = barred_from_key(case) {
        clash(case, &list(&holder.vips()), holder, &why, severity)
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

/// The first Service of the same key that has an address which this one may not share.
fn barred_from_key<'a>(case: &Case<'a>) -> Option<(&'a Service, Incompatible)> {
    key(case.service)?;
    let group = case
        .facts
        .services
        .iter()
        .filter(|other| other.id != case.service.id && key(other) == key(case.service) && !other.vips().is_empty());
    let mut barred = None;
    for other in group {
        // One compatible member is enough to join, so the key is not what keeps it out.
        let why = incompatible(case.service, other, case.facts.minor)?;
        barred.get_or_insert((other, why));
    }
    barred
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
        .map(|service| service.id.to_string())
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

/// Where our own maths find no cause: Cilium's words, marked as theirs.
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
    Finding::new(code, severity, Confidence::Likely, Rung::Allocated, format!("LB-IPAM gives no address and says: {text}"))
        .note("What was read of pools and Services does not show the cause by itself; these are Cilium's words. They may be from before the last change.")
        .then(POOLS)
        .then(format!("kubectl get {} -o yaml", case.args()))
}
