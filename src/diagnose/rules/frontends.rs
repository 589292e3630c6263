//! Rules about rows that are missing without a refusal, or not in the datapath.

use jiff::SignedDuration;

use crate::diagnose::case::{Case, Frontend, Sink, node_names, saw_api};
use crate::diagnose::facts::{NodeView, State, have};
use crate::diagnose::{Code, Confidence, Evidence, Finding, Rung, Severity};
use crate::model::{PortKey, StatusKind};

/// A row may wait this long for its turn without being news.
const PATIENCE: SignedDuration = SignedDuration::from_secs(5);

/// VIP2106: a node has no row and reports no refusal.
pub fn row_missing(case: &Case<'_>, sink: &mut Sink) {
    for frontend in case.held() {
        let refused_here = |view: &NodeView<'_>| !case.facts.refusals_of(view.agent, case.service).is_empty();
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
            format!("{} {} no row for {key} yet: the Service was written seconds ago", node_names(views), have(views)),
        )
    } else {
        (
            Severity::Error,
            Confidence::Possible,
            format!(
                "{} {} no row for {key} and {} no refused claim",
                node_names(views),
                have(views),
                if views.len() == 1 { "reports" } else { "report" }
            ),
        )
    };
    let mut finding = Finding::new(Code::AgentLags, severity, confidence, Rung::Programmed, message)
        .on(key)
        .saw(case.saw_rows(key, views))
        .note("Agents take Service changes in twice a second.");
    if !fresh {
        if views.iter().any(|view| case.facts.never_accepted(case.service, view.agent)) {
            finding = finding.note("The agent does not know the Service at all, neither its cluster IP: its watch may be behind, or another setting keeps the Service away from it.");
        }
        if case.service.annotations.keys().any(|name| name.starts_with("service.cilium.io/node")) {
            finding = finding.note("The Service is limited to nodes by annotation; an agent compares its node's labels only when the Service is written, so a label that came later needs a write to the Service.");
        }
        finding = finding.note("Look at the agent's log and its connection to the API server; a restart of the agent reads everything anew.");
    }
    finding.then(format!("kubectl vipctl explain {}", case.args())).then(case.facts.logs(views[0].agent, "--since=10m"))
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
            Finding::new(Code::NotProgrammed, severity, Confidence::Certain, Rung::Programmed, format!("{} {} the row of {key}, but {why}", node_names(&views), have(&views)))
                .on(key)
                .note("A failed write to the BPF maps is tried again by itself, from one second up to a minute apart; a row that stays Pending waits for the agent to finish starting, or its reconciler does not run.")
                .saw(case.saw_rows(key, &views))
                .then(case.facts.logs(views[0].agent, "--since=10m"))
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

/// VIP2105: the table and the node's BPF map say different things. Known only where maps were read.
pub fn map_differs(case: &Case<'_>, sink: &mut Sink) {
    for frontend in case.held() {
        let differing: Vec<(&NodeView<'_>, String)> =
            frontend.views.iter().filter_map(|view| Some((view, difference(view, frontend.key)?))).collect();
        let Some((_, first)) = differing.first() else { continue };
        let views: Vec<&NodeView<'_>> = differing.iter().map(|(view, _)| *view).collect();
        let known = frontend.views.iter().filter(|view| view.answer().is_some()).count();
        let everywhere = views.len() == known;
        let maps = differing.iter().map(|(view, what)| Evidence {
            source: format!("node {} BPF map", view.node()),
            at: view.answer().and_then(|answer| answer.maps.as_ref()?.at()),
            fact: what.clone(),
            recheck: Some(case.facts.exec(view.agent, "bpf lb list")),
        });
        sink.push(
            Finding::new(
                Code::MapDiffers,
                if everywhere { Severity::Error } else { Severity::Warning },
                Confidence::Certain,
                Rung::Programmed,
                format!("table and BPF map of {} differ about {}: {first}", node_names(&views), frontend.key),
            )
            .on(frontend.key)
            .note("The agent believes that the entry is written and does not compare. It writes the entry again when the Service is written (an annotation is enough, and on 1.20.2 puts a lost entry back within a second) or when the agent restarts.")
            .note("A map that is full, a second BPF file system in the agent's mounts, or another program that writes the map can be behind it; the agent's log tells of failed writes.")
            .saw(case.saw_rows(frontend.key, &views))
            .saw(maps)
            .then(case.facts.exec(views[0].agent, "bpf lb list"))
            .then(format!("{} --deep", case.recover())),
        );
    }
}

/// How a node's map differs from its table about a frontend; none where they agree, or where the row
/// changed so shortly before that the two were read on different sides of the change.
fn difference(view: &NodeView<'_>, key: PortKey) -> Option<String> {
    let maps = view.answer()?.maps.as_ref()?;
    let entry = maps.known()?.iter().find(|entry| entry.key == key && !entry.internal);
    let State::Programmed(row) = view.state else {
        let stale = matches!(view.state, State::Absent) && entry.is_some_and(|entry| entry.frontend);
        return stale.then(|| "the map still has an entry that the table has not".to_owned());
    };
    // The map may have been read at the beginning of the call, and the row at its end.
    let took = i64::try_from(view.answer()?.took_ms).unwrap_or(i64::MAX);
    let margin = SignedDuration::from_secs(1).saturating_add(SignedDuration::from_millis(took));
    let settled = maps.at().zip(row.status.updated).is_none_or(|(at, since)| at.duration_since(since) > margin);
    let active = row.backends.iter().filter(|backend| backend.active).count();
    match entry.filter(|entry| entry.frontend) {
        _ if !settled => None,
        None => Some("the map has no entry, although the table says Done".to_owned()),
        Some(entry) if active > 0 && entry.backends == 0 => {
            Some(format!("the map's entry has no backends, the table's row has {active}"))
        }
        Some(_) => None,
    }
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
        if let [node] = nodes[..] {
            format!("the Cilium agent on {node} does not run")
        } else {
            format!("the Cilium agents on {} do not run", nodes.join(", "))
        },
    )
    .note("Such a node goes on with what its datapath held when the agent ended, and follows no change. Whether it serves this port could not be read.");
    let pods = format!("kubectl get pods -n {namespace} -l k8s-app=cilium -o wide");
    for agent in &dead {
        let why = agent.answer.missing().map_or("", |missing| missing.text.as_str());
        // A node without an agent's pod has no pod to name.
        let (source, fact) = match agent.pod.name.as_str() {
            "" => (format!("node {}", agent.node()), why.to_owned()),
            name => (format!("pod {namespace}/{name}"), format!("Ready is {}; {why}", agent.pod.ready)),
        };
        finding = finding.saw([saw_api(&case.facts.obs.nodes, source, fact, pods.clone())]);
    }
    finding = finding.then(pods);
    if let Some(agent) = dead.iter().find(|agent| !agent.pod.name.is_empty()) {
        finding = finding.then(case.facts.logs(agent, "--previous"));
    }
    sink.push(finding);
}
