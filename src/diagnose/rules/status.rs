//! A status that says something else than LB-IPAM would write: another writer, or a look too early.

use std::net::IpAddr;

use crate::diagnose::case::{Case, Sink, list, vip_text};
use crate::diagnose::operator::operator_state;
use crate::diagnose::responsible::ipam_condition;
use crate::diagnose::{Code, Confidence, Finding, Rung, Severity};
use crate::model::Service;

/// Said where the status has something that is no VIP.
pub const NO_VIP: &str = "Agents make frontends only for addresses with ipMode VIP (or none). A host name or an address with ipMode Proxy is served by whoever wrote it; packets may well arrive, but not by this VIP.";

/// What the status has in place of a VIP; `None` where it is empty or holds one.
pub fn without_vip(service: &Service) -> Option<String> {
    if service.ingress.is_empty() || service.ingress.iter().any(|ingress| ingress.is_vip() && ingress.ip.is_some()) {
        return None;
    }
    let texts: Vec<String> = service
        .ingress
        .iter()
        .filter_map(|ingress| match (ingress.ip, &ingress.hostname, ingress.ip_mode.as_deref()) {
            (Some(ip), _, mode) => Some(format!("the address {ip} with ipMode {}", mode.unwrap_or("VIP"))),
            (None, Some(name), _) => Some(format!("the host name {name}")),
            (None, None, _) => None,
        })
        .collect();
    (!texts.is_empty()).then(|| format!("its status has only {}, which is not Cilium's to serve", texts.join(" and ")))
}

/// VIP7101: LB-IPAM says satisfied, yet the address is gone: when it withdraws an address itself, it
/// changes the condition in the same write (`operator/pkg/lbipam`, `patchSvcStatus`).
pub fn cleared(case: &Case<'_>, sink: &mut Sink) {
    let satisfied = ipam_condition(case.service).is_some_and(|condition| condition.status == "True");
    if !case.waits_for_lb_ipam() || !satisfied {
        return;
    }
    let other = without_vip(case.service);
    let message = match &other {
        Some(other) => format!("LB-IPAM counts this Service as satisfied, but {other}: another writer has changed it"),
        None => {
            "LB-IPAM counts this Service as satisfied, but its status has no address: another writer has removed it"
                .to_owned()
        }
    };
    let mut finding = Finding::new(Code::StatusCleared, Severity::Error, Confidence::Likely, Rung::Allocated, message)
        .note("LB-IPAM withdraws an address and changes its condition in one write; the two never differ by its own doing.")
        .note("Look for a second controller that acts on LoadBalancer Services without a class, such as MetalLB's without --lb-class. A write that only removes fields leaves no trace in managedFields.");
    if other.is_some() {
        finding = finding.note(NO_VIP);
    }
    sink.push(
        finding
            .saw([case.saw_condition()])
            .then(watch(case))
            .then("kubectl get deployments -A | grep -i -E 'metallb|kube-vip|loadbalancer'"),
    );
}

fn watch(case: &Case<'_>) -> String {
    format!("kubectl get {} -w -o jsonpath='{{.status}}{{\"\\n\"}}'", case.args())
}

/// VIP7101 or VIP1107: nothing bars the requested address, LB-IPAM has not refused it, and yet the
/// status has another. Who wrote the status tells an alien write from a request that LB-IPAM has
/// not looked at since.
pub fn differs(case: &Case<'_>, ip: IpAddr, severity: Severity) -> Finding {
    let has = vip_text(&case.service.vips());
    let mut writers: Vec<&str> = Vec::new();
    for manager in &case.service.managers {
        let name = manager.name.as_str();
        if manager.subresource == "status" && !name.starts_with("cilium-operator") && !writers.contains(&name) {
            writers.push(name);
        }
    }
    let (_, state, evidence) = operator_state(case);
    let finding = if writers.is_empty() {
        let message = format!(
            "it asks for {ip} and has {has}, and LB-IPAM has not said anything against {ip}: the request may be newer \
             than its last look ({state}), or another writer changed the status"
        );
        Finding::new(Code::NotHandledYet, severity, Confidence::Possible, Rung::Allocated, message)
    } else {
        let message = format!(
            "it asks for {ip} and has {has}, and LB-IPAM has not refused {ip}: another writer has changed the status \
             (managedFields names {})",
            list(&writers)
        );
        let fact = format!("status was written by {} too", list(&writers));
        Finding::new(Code::StatusCleared, severity, Confidence::Likely, Rung::Allocated, message)
            .saw([case.saw_service("managedFields", fact)])
    };
    finding
        .note(
            "LB-IPAM puts such a status right when it next handles the Service; while no operator leads, nobody does.",
        )
        .saw(evidence)
        .then(format!("kubectl get {} -o yaml --show-managed-fields", case.args()))
        .then(watch(case))
}
