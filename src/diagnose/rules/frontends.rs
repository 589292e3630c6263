//! Rules about rows that are missing without a refusal, or not in the datapath.

use jiff::SignedDuration;

use crate::diagnose::case::{Case, Frontend, Sink, node_names, saw_api};
use crate::diagnose::facts::{NodeView, State};
use crate::diagnose::{Code, Confidence, Finding, Rung, Severity};
use crate::model::StatusKind;

/// A row may wait this long for its turn without being news.
const PATIENCE: SignedDuration = SignedDuration::from_secs(5);

/// VIP2106: a node has no row and reports no refusal.
pub fn row_missing(case: &Case<'_>, sink: &mut Sink) {
    for frontend in case.held() {
        let refused_here = |view: &NodeView<'_>| {
            view.refusal.is_some()
                || case.held().flat_map(|f| &f.views).any(|other| {
                    other.node() == view.node()
                        && other.refusal.is_some()
                        && !matches!(other.state, State::Programmed(_))
                })
        };
        let views: Vec<&NodeView<'_>> =
            frontend.views.iter().filter(|view| matches!(view.state, State::Absent) && !refused_here(view)).collect();
        // Where another Service has the row elsewhere, that is the story.
        let foreign = frontend.views.iter().any(|view| matches!(view.state, State::Other(_)));
        if !views.is_empty() && !foreign {
            sink.push(missing(case, frontend, &views));
        }
    }
}

fn missing(case: &Case<'_>, frontend: &Frontend<'_>, views: &[&NodeView<'_>]) -> Finding {
    let key = frontend.key;
    let fresh = views.iter().all(|view| case.facts.just_written(case.service, view.agent));
    let (severity, confidence, message) = if fresh {
        (
            Severity::Warning,
            Confidence::Likely,
            format!("{} has no row for {key} yet: the Service was written seconds ago", node_names(views)),
        )
    } else {
        (
            Severity::Error,
            Confidence::Possible,
            format!("{} has no row for {key} and reports no refused claim", node_names(views)),
        )
    };
    let mut finding = Finding::new(Code::AgentLags, severity, confidence, Rung::Programmed, message)
        .on(key)
        .saw(case.saw_rows(key, views))
        .note("Agents take Service changes in twice a second.");
    if !fresh {
        let never = views.iter().filter(|view| {
            view.answer()
                .and_then(|answer| answer.services.as_ref())
                .is_some_and(|known| !known.contains(&case.service.id))
        });
        if never.count() > 0 && case.facts.obs.asked.services.contains(&case.service.id) {
            finding = finding.note("The agent does not know the Service at all, neither its cluster IP: its watch may be behind, or another setting keeps the Service away from it.");
        }
        if case.service.annotations.keys().any(|name| name.starts_with("service.cilium.io/node")) {
            finding = finding.note("The Service is limited to nodes by annotation; an agent compares its node's labels only when the Service is written, so a label that came later needs a write to the Service.");
        }
        finding = finding.note("Look at the agent's log and its connection to the API server; a restart of the agent reads everything anew.");
    }
    finding.then(format!("kubectl vipctl explain {}", case.args())).then(format!(
        "kubectl logs -n {} {} -c cilium-agent --since=10m",
        case.facts.obs.install.namespace, views[0].agent.pod.name
    ))
}

/// VIP2104: the row is there and not in the datapath.
pub fn not_programmed(case: &Case<'_>, sink: &mut Sink) {
    for frontend in case.held() {
        let views: Vec<&NodeView<'_>> =
            frontend.views.iter().filter(|view| matches!(view.state, State::NotDone(_))).collect();
        if views.is_empty() {
            continue;
        }
        let (severity, why) = worst(&views);
        let key = frontend.key;
        sink.push(
            Finding::new(Code::NotProgrammed, severity, Confidence::Certain, Rung::Programmed, format!("{} has the row of {key}, but {why}", node_names(&views)))
                .on(key)
                .note("A failed write to the BPF maps is tried again by itself, from one second up to a minute apart; a row that stays Pending waits for the agent to finish starting, or its reconciler does not run.")
                .saw(case.saw_rows(key, &views))
                .then(format!("kubectl logs -n {} {} -c cilium-agent --since=10m", case.facts.obs.install.namespace, views[0].agent.pod.name))
                .then(format!("kubectl vipctl explain {}", case.args())),
        );
    }
}

fn worst(views: &[&NodeView<'_>]) -> (Severity, String) {
    let mut answer = (Severity::Warning, "it is being written just now".to_owned());
    for view in views {
        let State::NotDone(row) = view.state else { continue };
        let waited = view.agent.answer.at().zip(row.status.updated).map(|(at, since)| at.duration_since(since));
        answer = match row.status.kind {
            StatusKind::Error => return (Severity::Error, format!("the datapath refused it: {}", row.status.error)),
            StatusKind::Done => {
                (Severity::Error, "it has id 0: the agent leaves it out of the datapath on purpose".to_owned())
            }
            _ if waited.is_none_or(|waited| waited > PATIENCE) => {
                (Severity::Error, "it waits to be written to the datapath".to_owned())
            }
            _ => continue,
        };
    }
    answer
}

/// VIP2106: an agent does not run, so its node keeps what it had and follows no change.
pub fn agent_not_running(case: &Case<'_>, sink: &mut Sink) {
    let dead = case.facts.dead_agents();
    if dead.is_empty() || case.held().next().is_none() {
        return;
    }
    let nodes: Vec<&str> = dead.iter().map(|agent| agent.node()).collect();
    let namespace = &case.facts.obs.install.namespace;
    let mut finding = Finding::new(
        Code::AgentLags,
        Severity::Warning,
        Confidence::Certain,
        Rung::Programmed,
        format!("the Cilium agent on {} does not run", nodes.join(", ")),
    )
    .note("Such a node goes on with what its datapath held when the agent ended, and follows no change. Whether it serves this port could not be read.");
    for agent in &dead {
        let why = agent.answer.missing().map_or("", |missing| missing.text.as_str());
        let recheck = format!("kubectl get pod {} -n {namespace}", agent.pod.name);
        finding = finding.saw([saw_api(
            &case.facts.obs.nodes,
            format!("pod {namespace}/{}", agent.pod.name),
            format!("Ready is {}; {why}", agent.pod.ready),
            recheck,
        )]);
    }
    sink.push(
        finding
            .then(format!("kubectl get pods -n {namespace} -l k8s-app=cilium -o wide"))
            .then(format!("kubectl logs -n {namespace} {} -c cilium-agent --previous", dead[0].pod.name)),
    );
}
