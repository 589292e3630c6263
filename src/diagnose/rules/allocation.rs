//! Rules about how the Service comes by its address.

use super::clash::{Clash, leaving};
use super::{status, withheld};
use crate::diagnose::case::{Case, Sink, list, saw_api, saw_service};
use crate::diagnose::facts::vips;
use crate::diagnose::operator::operator_state;
use crate::diagnose::responsible::{Allocator, ipam_condition};
use crate::diagnose::sharing::{ips_annotation, key, meant_to_share, missing_requests, requested};
use crate::diagnose::{Code, Confidence, Finding, Rung, Severity};
use crate::model::{MissingKind, Read, Service};

/// VIP1106: no part of Cilium gives the Service an address, and nobody else did.
pub fn nobody_responsible(case: &Case<'_>, sink: &mut Sink) {
    let Allocator::NotCilium(why) = case.facts.allocator(case.service) else { return };
    if !vips(case.service).is_empty() {
        return;
    }
    let other = status::without_vip(case.service);
    let mut finding = Finding::new(
        Code::NobodyResponsible,
        Severity::Error,
        Confidence::Certain,
        Rung::Responsible,
        match &other {
            Some(other) => {
                format!("Cilium does not allocate for this Service ({why}), and nobody gave it a VIP: {other}")
            }
            None => format!("Cilium does not allocate for this Service, and nobody else has: {why}"),
        },
    )
    .saw([case.saw_service(
        "spec and status",
        format!("{why}; {}", other.as_deref().unwrap_or("status.loadBalancer is empty")),
    )]);
    if other.is_some() {
        finding = finding.note(status::NO_VIP);
    }
    if case.service.class.is_some() {
        finding = finding.note(
            "loadBalancerClass cannot be changed once it is set: if Cilium is to serve it, make the Service again \
             without a class or with io.cilium/l2-announcer; otherwise look at the controller of that class.",
        );
    }
    sink.push(finding.then(format!("kubectl get {} -o yaml", case.args())));
}

/// VIP1107 and, where there is no pool at all, VIP1103: LB-IPAM has not said anything yet.
pub fn not_handled_yet(case: &Case<'_>, sink: &mut Sink) {
    if !case.waits_for_lb_ipam() || ipam_condition(case.service).is_some() {
        return;
    }
    let obs = case.facts.obs;
    let no_pools = match &obs.pools {
        Read::Known { value, .. } => value.is_empty(),
        Read::Unknown(missing) => missing.kind == MissingKind::NotServed,
    };
    if no_pools {
        sink.push(
            Finding::new(
                Code::NoPool,
                Severity::Error,
                Confidence::Certain,
                Rung::Allocated,
                "there is no CiliumLoadBalancerIPPool, and LB-IPAM sleeps until there is one",
            )
            .note("While it sleeps it writes no condition: the Service just stays <pending>.")
            .saw([
                saw_api(
                    &obs.pools,
                    "pools",
                    "no CiliumLoadBalancerIPPool exists",
                    "kubectl get ciliumloadbalancerippools",
                ),
                case.saw_condition(),
            ])
            .then("kubectl get ciliumloadbalancerippools"),
        );
        return;
    }
    let (confidence, cause, evidence) = operator_state(case);
    let mut finding = Finding::new(
        Code::NotHandledYet,
        Severity::Error,
        confidence,
        Rung::Allocated,
        format!("LB-IPAM has not handled this Service yet: {cause}"),
    );
    if let Some(note) = withheld::operator_panics(case) {
        finding = finding.note(note);
    }
    sink.push(
        finding.note("LB-IPAM runs in the cilium-operator that holds the leader Lease; it handles all waiting Services as soon as it runs.")
        .saw([case.saw_condition()])
        .saw(evidence)
        .then(format!("kubectl get pods -n {} -l io.cilium/app=operator", obs.install.namespace))
        .then(format!("kubectl get lease cilium-operator-resource-lock -n {}", obs.install.namespace)),
    );
}

/// VIP1101–1105, 1109: LB-IPAM refused, and these are the rules that say why.
pub fn no_address(case: &Case<'_>, sink: &mut Sink) {
    let refused = ipam_condition(case.service).is_some_and(|condition| condition.status != "True");
    if !case.waits_for_lb_ipam() || !refused {
        return;
    }
    let wanted = missing_requests(case.service);
    if wanted.is_empty() {
        sink.push(withheld::any_address(case, Severity::Error));
    }
    for ip in wanted {
        sink.push(withheld::this_address(case, ip, Severity::Error));
    }
}

/// VIP1110 and the same causes as a warning: it has an address, but not all that it asks for.
pub fn partly_allocated(case: &Case<'_>, sink: &mut Sink) {
    if case.service.kind != "LoadBalancer" {
        return;
    }
    let wish = requested(case.service);
    if !wish.unreadable.is_empty() {
        let place = ips_annotation(case.service);
        let bad = list(&wish.unreadable);
        sink.push(
            Finding::new(
                Code::PartlyAllocated,
                Severity::Warning,
                Confidence::Certain,
                Rung::Allocated,
                format!("it asks for '{bad}', which is no address: Cilium ignores such an entry without a word"),
            )
            .note("A Service whose only request is ignored gets any free address instead. Write the bare address, without prefix length or port.")
            .saw([case.saw_service("annotations", format!("{place} or spec.loadBalancerIP holds '{bad}'"))])
            .then(format!("kubectl get {} -o yaml", case.args())),
        );
    }
    if case.facts.allocator(case.service) != Allocator::LbIpam || case.service.vips().is_empty() {
        return;
    }
    for ip in missing_requests(case.service) {
        let mut finding = withheld::this_address(case, ip, Severity::Warning);
        finding.notes.push(format!("It has {} all the same.", list(&case.service.vips())));
        sink.push(finding);
    }
}

/// VIP1108: an unpinned Service that could not join its key's address counts as satisfied elsewhere.
pub fn shared_elsewhere(case: &Case<'_>, sink: &mut Sink) {
    let own = case.service.vips();
    let unpinned = requested(case.service).ips.is_empty();
    if key(case.service).is_none() || !unpinned || own.is_empty() {
        return;
    }
    let group: Vec<&Service> = case
        .facts
        .services
        .iter()
        .filter(|other| other.id != case.service.id && meant_to_share(case.service, other) && !other.vips().is_empty())
        .collect();
    if group.iter().any(|other| other.vips().iter().any(|ip| own.contains(ip))) {
        return;
    }
    // Whoever came first keeps the address; the other moved. Of two Services only the younger did.
    let clash = group
        .iter()
        .filter(|other| other.created <= case.service.created)
        .find_map(|other| Clash::between(case, other));
    let Some(clash) = clash else { return };
    let other = clash.holder;
    let reason = clash.reason(case.service);
    let mut finding = Finding::new(
        Code::SharedElsewhere,
        Severity::Warning,
        Confidence::Certain,
        Rung::Shared,
        format!("it has {} of its own instead of {}, the address of its sharing key: {reason}", list(&own), list(&other.vips())),
    )
    .note("A Service that asks for no fixed address is moved silently: its condition says satisfied, and it does not come back when the hindrance goes.")
    .note(format!(
        "To share, remove every hindrance ({}) and then pin both with the annotation {}.",
        clash.remedies(case.service),
        ips_annotation(case.service)
    ));
    if let Some(note) = leaving(case, other) {
        finding = finding.note(note);
    }
    let fact = format!("sharing key '{}', address {}", key(other).unwrap_or_default(), list(&other.vips()));
    sink.push(
        finding
            .saw([case.saw_condition(), saw_service(case.facts, other, "status", fact)])
            .then(format!("kubectl get svc -n {} {} -o wide", other.id.namespace, other.id.name)),
    );
}
