//! Rules about backends.

use crate::diagnose::announce::{announced, may_announce};
use crate::diagnose::case::{Case, Frontend, Sink, count, node_names, saw_api};
use crate::diagnose::endpoints::ready_endpoints;
use crate::diagnose::facts::{NodeView, State};

use crate::diagnose::{Code, Confidence, Evidence, Finding, Rung, Severity};
use crate::model::{PortKey, Service, TrafficPolicy};

fn saw_endpoints(case: &Case<'_>, key: PortKey) -> Vec<Evidence> {
    let Some(found) = ready_endpoints(case.facts, case.service, key) else { return Vec::new() };
    let fact = format!("{} of {} ready for {}/{}", found.ready, count(found.all, "endpoint"), key.port, key.proto);
    let id = &case.service.id;
    let recheck =
        format!("kubectl get endpointslices -n {} -l kubernetes.io/service-name={} -o wide", id.namespace, id.name);
    vec![saw_api(&case.facts.obs.slices, format!("endpointslices of {id}"), fact, recheck)]
}

/// Nodes whose row has no active backend; rows that hand over to the proxy need none.
fn empty<'c, 'a>(frontend: &'c Frontend<'a>) -> Vec<&'c NodeView<'a>> {
    let bare = |view: &&NodeView<'a>| match view.state {
        State::Programmed(row) | State::NotDone(row) => !row.redirected && !row.backends.iter().any(|b| b.active),
        _ => false,
    };
    frontend.views.iter().filter(bare).collect()
}

fn with_row(frontend: &Frontend<'_>) -> usize {
    frontend.views.iter().filter(|view| matches!(view.state, State::Programmed(_) | State::NotDone(_))).count()
}

/// VIP3101: nothing to send to.
pub fn no_backends(case: &Case<'_>, sink: &mut Sink) {
    for frontend in case.held() {
        let bare = empty(frontend);
        let rows = with_row(frontend);
        let local = case.service.external_policy == TrafficPolicy::Local;
        let api = ready_endpoints(case.facts, case.service, frontend.key);
        let api_empty = api.as_ref().is_some_and(|found| found.ready == 0);
        let everywhere = rows > 0 && bare.len() == rows;
        // With Local an empty row is normal on a node without pods.
        if bare.is_empty() || (local && !everywhere) {
            if rows == 0 && api_empty {
                sink.push(by_api_only(case, frontend.key));
            }
            continue;
        }
        sink.push(bare_rows(case, frontend.key, &bare, everywhere, api_empty));
    }
}

fn bare_rows(case: &Case<'_>, key: PortKey, bare: &[&NodeView<'_>], everywhere: bool, api_empty: bool) -> Finding {
    let severity = if everywhere { Severity::Error } else { Severity::Warning };
    let hint = ready_endpoints(case.facts, case.service, key)
        .and_then(|found| found.hint)
        .map_or_else(String::new, |hint| format!(": {hint}"));
    let message = if everywhere {
        format!("no node has an active backend for {key}{hint}")
    } else {
        format!("{} has no active backend for {key}, other nodes have{hint}", node_names(bare))
    };
    let mut finding = Finding::new(Code::NoBackends, severity, Confidence::Certain, Rung::Backed, message)
        .on(key)
        .saw(case.saw_rows(key, bare))
        .saw(saw_endpoints(case, key))
        .note("The frontend itself is in place: connections are refused or dropped until a backend is ready.");
    if !api_empty && ready_endpoints(case.facts, case.service, key).is_some() {
        finding = finding.note("The API shows ready endpoints, so these agents are behind, or they count them as unhealthy or as belonging to another port.");
    }
    let id = &case.service.id;
    finding
        .then(format!("kubectl get endpointslices -n {} -l kubernetes.io/service-name={}", id.namespace, id.name))
        .then(pods_command(case.service))
}

fn pods_command(service: &Service) -> String {
    let labels: Vec<String> = service.selector.iter().map(|(name, value)| format!("{name}={value}")).collect();
    if labels.is_empty() {
        format!("kubectl get {} -o yaml", crate::diagnose::case::svc_args(service))
    } else {
        format!("kubectl get pods -n {} -l {} -o wide", service.id.namespace, labels.join(","))
    }
}

/// No row could be read, and the API itself has nothing ready.
fn by_api_only(case: &Case<'_>, key: PortKey) -> Finding {
    let hint = ready_endpoints(case.facts, case.service, key).and_then(|found| found.hint).unwrap_or("none is ready");
    Finding::new(
        Code::NoBackends,
        Severity::Error,
        Confidence::Likely,
        Rung::Backed,
        format!("there is no ready endpoint for {key}: {hint}"),
    )
    .on(key)
    .saw(saw_endpoints(case, key))
    .then(pods_command(case.service))
}

/// VIP3102: with Local, the nodes that draw the traffic, or may draw it, have no backend of their own.
pub fn local_without_backend(case: &Case<'_>, sink: &mut Sink) {
    if case.service.external_policy != TrafficPolicy::Local {
        return;
    }
    for frontend in case.held() {
        let bare = empty(frontend);
        if bare.is_empty() || bare.len() == with_row(frontend) {
            continue;
        }
        let announcers = announced(case.facts, frontend.key.vip).announcers;
        let among = |nodes: &[String]| -> Vec<&NodeView<'_>> {
            bare.iter().copied().filter(|view| nodes.iter().any(|node| node == view.node())).collect()
        };
        if announcers.is_empty() {
            // Nobody announces; if only nodes without a backend may, that is why.
            let may = may_announce(case.facts, frontend.key.vip).unwrap_or_default();
            let dark = among(&may);
            if !may.is_empty() && dark.len() == may.len() {
                sink.push(without_own_backend(case, frontend.key, &dark, true, Vec::new()));
            }
            continue;
        }
        let nodes: Vec<String> = announcers.iter().map(|(node, _)| node.clone()).collect();
        let dark = among(&nodes);
        if !dark.is_empty() {
            let proof = announcers.iter().filter(|(node, _)| dark.iter().any(|view| view.node() == node));
            let proof = proof.map(|(_, seen)| seen.clone()).collect();
            sink.push(without_own_backend(case, frontend.key, &dark, dark.len() == nodes.len(), proof));
        }
    }
}

/// The finding about nodes `dark`; `all` tells that no other node announces or may announce.
fn without_own_backend(
    case: &Case<'_>,
    key: PortKey,
    dark: &[&NodeView<'_>],
    all: bool,
    proof: Vec<Evidence>,
) -> Finding {
    let severity = if all { Severity::Error } else { Severity::Warning };
    let nodes = node_names(dark);
    let message = if proof.is_empty() {
        format!(
            "externalTrafficPolicy is Local, and only {nodes} may announce {}, without a backend for {key}",
            key.vip
        )
    } else {
        format!("externalTrafficPolicy is Local, and {nodes}, which announces {}, has no backend for {key}", key.vip)
    };
    let mut finding = Finding::new(Code::LocalWithoutBackend, severity, Confidence::Certain, Rung::Backed, message)
        .on(key)
        .note("With Local a node drops what it cannot serve itself. On Cilium 1.20 only a node with a backend of its own stands for the announcement's Lease, so nobody announces where none has one; reports on older versions have nodes announcing without.")
        .note("Ways out: externalTrafficPolicy Cluster, a backend on the nodes that may announce, or a nodeSelector in the L2 policy that fits the backends.");
    if proof.is_empty() {
        let policies = &case.facts.obs.l2_policies;
        finding = finding.saw([saw_api(
            policies,
            "L2 announcement policies",
            format!("allow {nodes}"),
            "kubectl get ciliuml2announcementpolicies -o yaml",
        )]);
    }
    finding
        .saw(proof)
        .saw(case.saw_rows(key, dark))
        .saw(saw_endpoints(case, key))
        .then(pods_command(case.service))
        .then("kubectl get ciliuml2announcementpolicies -o yaml")
}
