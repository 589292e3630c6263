//! What this program itself could not do, and what it was not tested with.

use crate::diagnose::case::{Case, Sink};
use crate::diagnose::facts::{minor, versions};
use crate::diagnose::{Code, Confidence, Evidence, Finding, Rung, Severity};
use crate::model::{Agent, MissingKind};

/// Codes that tell about nodes or the tool and are no consequence of an earlier rung.
pub const ABOUT_NODES: [Code; 4] = [Code::NoExec, Code::NodeSilent, Code::UnsupportedVersion, Code::ApiUnreadable];

fn silent<'a>(case: &Case<'a>) -> Vec<&'a Agent> {
    let dead = case.facts.dead_agents();
    let agents = case.facts.obs.agents.iter();
    agents.filter(|agent| agent.answer.known().is_none() && !dead.iter().any(|d| std::ptr::eq(*d, *agent))).collect()
}

/// VIP9101: no agent could be asked, for the same reason everywhere.
pub fn no_exec(case: &Case<'_>, sink: &mut Sink) {
    let silent = silent(case);
    let all = case.facts.obs.agents.len();
    let reason = silent.first().and_then(|agent| agent.answer.missing());
    let Some(reason) =
        reason.filter(|r| silent.len() == all && matches!(r.kind, MissingKind::Forbidden | MissingKind::NotAsked))
    else {
        return;
    };
    let mut finding = Finding::new(
        Code::NoExec,
        Severity::Info,
        Confidence::Certain,
        Rung::Programmed,
        format!(
            "the agents could not be asked: {}",
            if reason.permission.is_some() { "this user may not exec into their pods" } else { &reason.text }
        ),
    )
    .note("The API alone cannot show whether a node serves the port: a refused claim leaves no trace in it.");
    if let Some(permission) = &reason.permission {
        finding = finding.saw([Evidence {
            source: "API server".to_owned(),
            at: None,
            fact: format!("{} (needs {permission})", reason.text),
            recheck: Some(format!(
                "kubectl auth can-i create pods --subresource=exec -n {}",
                case.facts.obs.install.namespace
            )),
        }]);
    }
    sink.push(match reason.kind {
        MissingKind::NotAsked => finding.then(format!("kubectl vipctl explain {}", case.args())),
        _ => finding.then("kubectl vipctl code VIP9101 -o yaml"),
    });
}

/// VIP9102: some nodes gave no answer.
pub fn node_silent(case: &Case<'_>, sink: &mut Sink) {
    let silent: Vec<&Agent> = silent(case)
        .into_iter()
        .filter(|agent| agent.answer.missing().is_some_and(|m| m.kind != MissingKind::NotAsked))
        .collect();
    if silent.is_empty() || sink.iter().any(|finding| finding.code == Code::NoExec) {
        return;
    }
    let namespace = &case.facts.obs.install.namespace;
    let names: Vec<&str> = silent.iter().map(|agent| agent.node()).collect();
    let evidence = silent.iter().map(|agent| Evidence {
        source: format!("node {}", agent.node()),
        at: Some(case.facts.now()),
        fact: agent.answer.missing().map_or_else(String::new, |missing| missing.text.clone()),
        recheck: (!agent.pod.name.is_empty()).then(|| case.facts.exec(agent, "status --brief")),
    });
    sink.push(
        Finding::new(
            Code::NodeSilent,
            Severity::Info,
            Confidence::Certain,
            Rung::Programmed,
            format!(
                "no usable answer from {} of {} agents: {}",
                silent.len(),
                case.facts.obs.agents.len(),
                names.join(", ")
            ),
        )
        .note("What these nodes have is unknown; it is counted neither as absent nor as healthy.")
        .saw(evidence)
        .then(format!("kubectl get pods -n {namespace} -l k8s-app=cilium -o wide")),
    );
}

/// VIP9104: the API server did not let something be read.
pub fn api_unreadable(case: &Case<'_>, sink: &mut Sink) {
    let unread = case.facts.unread_api();
    if unread.is_empty() {
        return;
    }
    let names: Vec<&str> = unread.iter().map(|(what, _)| *what).collect();
    let evidence = unread.iter().map(|(what, missing)| Evidence {
        source: (*what).to_owned(),
        at: Some(case.facts.now()),
        fact: missing.to_string(),
        recheck: None,
    });
    let mut finding = Finding::new(
        Code::ApiUnreadable,
        Severity::Info,
        Confidence::Certain,
        Rung::Declared,
        format!("not everything could be read from the API: {}", names.join(", ")),
    )
    .note("Rungs that need it are unknown; a cause may lie there.")
    .saw(evidence);
    if unread.iter().any(|(_, missing)| missing.permission.is_some()) {
        finding = finding.then("kubectl vipctl code VIP9101 -o yaml");
    }
    sink.push(finding);
}

/// The versions outside 1.18 to 1.20, with what follows from that.
#[must_use]
pub fn outside_support(version: &str) -> Option<&'static str> {
    match minor(version)? {
        ..18 => Some(
            "older than 1.18: explained from the API and the agents' service list; there the last Service written wins a port",
        ),
        18..=20 => None,
        21.. => Some("newer than 1.20, the last line that was tested: read with care"),
    }
}

/// VIP9103: a version that was not tested.
pub fn version_outside_support(case: &Case<'_>, sink: &mut Sink) {
    for version in versions(case.facts.obs) {
        if let Some(what) = outside_support(&version) {
            let namespace = &case.facts.obs.install.namespace;
            sink.push(
                Finding::new(
                    Code::UnsupportedVersion,
                    Severity::Info,
                    Confidence::Certain,
                    Rung::Declared,
                    format!("Cilium {version} is {what}"),
                )
                .saw([Evidence {
                    source: "agents".to_owned(),
                    at: Some(case.facts.now()),
                    fact: format!("version {version}"),
                    recheck: Some(format!("kubectl get pods -n {namespace} -l k8s-app=cilium -o wide")),
                }]),
            );
        }
    }
}
