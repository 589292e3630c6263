//! Rules about backends.

use crate::diagnose::announce::{announced, may_announce};
use crate::diagnose::case::{Case, Frontend, Sink, count, node_names, saw_api};
use crate::diagnose::endpoints::{Endpoints, ready_endpoints};
use crate::diagnose::facts::{NodeView, SETTLE, State, have};
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

/// Nodes whose row has an active backend.
fn backed<'c, 'a>(frontend: &'c Frontend<'a>) -> Vec<&'c NodeView<'a>> {
    let full = |view: &&NodeView<'a>| match view.state {
        State::Programmed(row) => !row.redirected && row.backends.iter().any(|b| b.active),
        _ => false,
    };
    frontend.views.iter().filter(full).collect()
}

/// Tells whether the rows of all these nodes changed so shortly before the answer that backends may be on their way.
fn fresh(views: &[&NodeView<'_>]) -> bool {
    views.iter().all(|view| match view.state {
        State::Programmed(row) | State::NotDone(row) => {
            let age = view.agent.answer.at().zip(row.status.updated).map(|(at, since)| at.duration_since(since));
            age.is_some_and(|age| age <= SETTLE)
        }
        _ => false,
    })
}

/// VIP3101, and VIP2106 where the nodes and the API say different things: nothing to send to.
pub fn no_backends(case: &Case<'_>, sink: &mut Sink) {
    for frontend in case.held() {
        match ready_endpoints(case.facts, case.service, frontend.key) {
            Some(api) if api.ready == 0 => nothing_ready(case, frontend, &api, sink),
            api => something_ready(case, frontend, api.as_ref(), sink),
        }
    }
}

/// The API has no ready endpoint: empty rows are right, others are behind.
fn nothing_ready(case: &Case<'_>, frontend: &Frontend<'_>, api: &Endpoints, sink: &mut Sink) {
    let key = frontend.key;
    let (bare, full) = (empty(frontend), backed(frontend));
    let rows = with_row(frontend);
    if api.serving > 0 {
        if rows == 0 || !bare.is_empty() {
            sink.push(only_terminating(case, key, &bare, api));
        }
        return;
    }
    if !full.is_empty() {
        let message = format!(
            "{} {} an active backend for {key}, although the API has no ready endpoint",
            node_names(&full),
            have(&full)
        );
        sink.push(behind(case, key, &full, Severity::Warning, message));
    }
    if bare.is_empty() {
        if rows == 0 {
            sink.push(by_api_only(case, key));
        }
    } else {
        sink.push(bare_rows(case, key, &bare, true, Confidence::Certain));
    }
}

/// The API has ready endpoints, or was not read: an empty row is a fault, unless with Local nothing
/// runs on that node.
fn something_ready(case: &Case<'_>, frontend: &Frontend<'_>, api: Option<&Endpoints>, sink: &mut Sink) {
    let key = frontend.key;
    let policy = case.service.external_policy;
    let all = empty(frontend);
    let everywhere = !all.is_empty() && all.len() == with_row(frontend);
    let expected = |view: &NodeView<'_>| api.and_then(|api| api.expected_on(view.node(), policy));
    let lagging: Vec<&NodeView<'_>> = all.iter().copied().filter(|view| expected(view) == Some(true)).collect();
    let local = policy == TrafficPolicy::Local;
    if !lagging.is_empty() && (local || !everywhere) {
        let severity = if everywhere && lagging.len() == all.len() && complete(case, frontend) {
            Severity::Error
        } else {
            Severity::Warning
        };
        let place = if local { "a ready endpoint there" } else { "ready endpoints" };
        let message = format!(
            "{} {} no active backend for {key}, although the API has {place}",
            node_names(&lagging),
            have(&lagging)
        );
        sink.push(behind(case, key, &lagging, severity, message));
        return;
    }
    // With Local an empty row is normal on a node without pods, and nothing is known of nodes that were not read.
    if all.is_empty() || (local && !(everywhere && complete(case, frontend))) {
        return;
    }
    let young = fresh(&all);
    let sure = if young || api.is_some() { Confidence::Likely } else { Confidence::Certain };
    let mut finding = bare_rows(case, key, &all, everywhere, sure);
    if young {
        finding.severity = Severity::Warning;
        finding = finding.note("The rows changed seconds before they were read; backends may be on their way.");
    }
    sink.push(finding);
}

/// Every node was asked and answered, and has a row.
fn complete(case: &Case<'_>, frontend: &Frontend<'_>) -> bool {
    case.facts.obs.agents.iter().all(|agent| agent.answer.known().is_some())
        && with_row(frontend) == frontend.views.len()
}

/// VIP2106: rows that do not follow the API's endpoints.
fn behind(case: &Case<'_>, key: PortKey, views: &[&NodeView<'_>], severity: Severity, message: String) -> Finding {
    let young = fresh(views);
    let (severity, confidence) =
        if young { (Severity::Warning, Confidence::Possible) } else { (severity, Confidence::Likely) };
    let mut finding = Finding::new(Code::AgentLags, severity, confidence, Rung::Backed, message)
        .on(key)
        .saw(case.saw_rows(key, views))
        .saw(saw_endpoints(case, key))
        .note("Agents take endpoint changes in twice a second; one that stays behind has lost its watch or hangs, or counts the backends as unhealthy.");
    if young {
        finding = finding.note("The rows changed seconds before they were read: look again.");
    }
    finding.then(format!("kubectl vipctl explain {}", case.args())).then(case.facts.logs(views[0].agent, "--since=10m"))
}

/// Cilium sends to terminating backends where no other is there (seen on 1.20.2).
fn only_terminating(case: &Case<'_>, key: PortKey, bare: &[&NodeView<'_>], api: &Endpoints) -> Finding {
    let message =
        format!("only terminating backends are left for {key}: {} still serving", count(api.serving, "endpoint"));
    Finding::new(Code::NoBackends, Severity::Warning, Confidence::Likely, Rung::Backed, message)
        .on(key)
        .saw(case.saw_rows(key, bare))
        .saw(saw_endpoints(case, key))
        .note("New connections go to terminating backends while no other is ready, and are refused when the last one has ended.")
        .then(pods_command(case.service))
}

fn bare_rows(case: &Case<'_>, key: PortKey, bare: &[&NodeView<'_>], everywhere: bool, sure: Confidence) -> Finding {
    let severity = if everywhere { Severity::Error } else { Severity::Warning };
    let api = ready_endpoints(case.facts, case.service, key);
    let hint = api.as_ref().and_then(|found| found.hint).map_or_else(String::new, |hint| format!(": {hint}"));
    let message = if !everywhere {
        format!("{} {} no active backend for {key}, other nodes have{hint}", node_names(bare), have(bare))
    } else if backed_anywhere(case, key) {
        format!("there is no ready endpoint for {key}{hint}")
    } else {
        format!("no node has an active backend for {key}{hint}")
    };
    let mut finding = Finding::new(Code::NoBackends, severity, sure, Rung::Backed, message)
        .on(key)
        .saw(case.saw_rows(key, bare))
        .saw(saw_endpoints(case, key))
        .note("The frontend itself is in place: connections are refused or dropped until a backend is ready.");
    if api.is_some_and(|found| found.ready > 0) {
        finding = finding.note("The API shows ready endpoints, so these agents are behind, or they count them as unhealthy or as belonging to another port.");
    }
    let id = &case.service.id;
    finding
        .then(format!("kubectl get endpointslices -n {} -l kubernetes.io/service-name={}", id.namespace, id.name))
        .then(pods_command(case.service))
}

fn backed_anywhere(case: &Case<'_>, key: PortKey) -> bool {
    case.held().any(|frontend| frontend.key == key && !backed(frontend).is_empty())
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
        let api = ready_endpoints(case.facts, case.service, frontend.key);
        let mut bare = empty(frontend);
        let nowhere = api.as_ref().map_or(bare.len() == with_row(frontend), |api| api.ready == 0);
        // A node with an endpoint of its own is behind, which is another story.
        let lags = |view: &NodeView<'_>| {
            api.as_ref().and_then(|api| api.expected_on(view.node(), TrafficPolicy::Local)) == Some(true)
        };
        bare.retain(|view| !lags(view));
        if bare.is_empty() || nowhere {
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
        format!(
            "externalTrafficPolicy is Local, and {nodes}, which {} {}, {} no backend for {key}",
            if dark.len() == 1 { "announces" } else { "announce" },
            key.vip,
            have(dark)
        )
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
