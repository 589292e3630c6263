//! What the agents show: everybody answers, the source serves, nothing is refused.

use super::Chosen;
use crate::diagnose::facts::{NodeView, State, minor, versions};
use crate::diagnose::outside_support;
use crate::migrate::plan::{Case, Check, args, named};
use crate::model::{Agent, PortKey, Service, ServiceRef};

/// The oldest minor version of Cilium 1.x whose tables this program follows.
const OLDEST: u32 = 18;

pub(super) fn check(case: &Case<'_>, chosen: &Chosen<'_>, checks: &mut Vec<Check>) {
    agents(case, checks);
    version(case, checks);
    if case.seen.observation.agents.iter().all(|agent| agent.answer.known().is_none()) {
        return;
    }
    let before = checks.len();
    for key in chosen.keys() {
        checks.extend(served(case, key));
    }
    if checks.len() == before && !chosen.moves.is_empty() {
        let saw = format!("{} has each port on every node that could be read, Done", named(&case.source.id));
        checks.push(Check::ok("served", saw));
    }
    healthy(case, checks);
}

fn agents(case: &Case<'_>, checks: &mut Vec<Check>) {
    const ID: &str = "agents";
    let all = &case.seen.observation.agents;
    let unknown: Vec<&Agent> = all.iter().filter(|agent| agent.answer.known().is_none()).collect();
    let allowed = case.request.limits.allow_unknown;
    if all.is_empty() {
        let saw = "no Cilium agent was found";
        checks.push(Check::refused(ID, saw, "say where Cilium runs with --cilium-namespace"));
    } else if unknown.is_empty() {
        checks.push(Check::ok(ID, format!("{} of {} answered", all.len(), all.len())));
    } else {
        let saw = format!("no answer from {}", silence(&unknown));
        checks.push(if unknown.len() == all.len() {
            Check::refused(ID, saw, "one must answer at least, and all should: mend that first")
        } else if unknown.len() > allowed {
            let way_out = format!(
                "mend them, or go on without knowing what they have: --allow-unknown {} (ends with exit code 4)",
                unknown.len()
            );
            Check::refused(ID, saw, way_out)
        } else {
            Check::warning(ID, saw, "they may stay unknown by --allow-unknown; done is not said without them")
        });
    }
}

/// Nodes with the reason why they did not answer, those with the same one together.
fn silence(unknown: &[&Agent]) -> String {
    let mut reasons: Vec<(String, Vec<&str>)> = Vec::new();
    for agent in unknown {
        let reason = agent.answer.missing().map(ToString::to_string).unwrap_or_default();
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, nodes)) => nodes.push(agent.node()),
            None => reasons.push((reason, vec![agent.node()])),
        }
    }
    let text = |(reason, nodes): &(String, Vec<&str>)| format!("{}: {reason}", some(nodes));
    reasons.iter().map(text).collect::<Vec<_>>().join("; ")
}

/// Some names, and how many more there are.
fn some(names: &[&str]) -> String {
    const SHOWN: usize = 4;
    match names.len() {
        n if n <= SHOWN => names.join(", "),
        n => format!("{} and {} more", names[..SHOWN].join(", "), n - SHOWN),
    }
}

fn version(case: &Case<'_>, checks: &mut Vec<Check>) {
    const ID: &str = "version";
    let versions = versions(case.seen.observation);
    let text = versions.join(", ");
    let silent = case.seen.observation.agents.iter().filter(|agent| agent.version().is_none()).count();
    if versions.iter().any(|version| minor(version).is_some_and(|minor| minor < OLDEST)) {
        let saw = format!("Cilium {text}: before 1.18 an agent's tables do not tell who has a port");
        checks.push(Check::refused(ID, saw, "update Cilium first"));
    } else if let Some(new) = versions.iter().find(|version| outside_support(version).is_some()) {
        let saw = format!("Cilium {new} is newer than 1.20, the last line that was tested");
        checks.push(Check::warning(ID, saw, "try it on a port that nobody misses"));
    } else if versions.len() > 1 {
        let saw = format!("agents of several versions: {text}. An update may be under way");
        checks.push(Check::warning(ID, saw, "wait until it is over: an agent that restarts is unknown for a while"));
    } else if silent > 0 || versions.is_empty() {
        checks.push(Check::warning(ID, format!("{silent} agents name no version"), "1.18 to 1.20 were tested"));
    } else {
        checks.push(Check::ok(ID, format!("Cilium {text}")));
    }
}

/// The source must have the key on every node that could be read.
fn served(case: &Case<'_>, key: PortKey) -> Option<Check> {
    let wrong = not_programmed(case, key, &case.source.id);
    (!wrong.is_empty()).then(|| {
        let saw = format!("{} does not serve {key} everywhere: {}", named(&case.source.id), wrong.join(", "));
        Check::refused("served", saw, format!("mend that first: kubectl vipctl explain {key}"))
    })
}

/// What nodes have in place of a Done row of this owner; unknown ones left out.
fn not_programmed(case: &Case<'_>, key: PortKey, owner: &ServiceRef) -> Vec<String> {
    let word = |view: &NodeView<'_>| match view.state {
        State::Programmed(_) | State::Unknown(_) => None,
        State::NotDone(_) => Some(format!("not Done on {}", view.node())),
        State::Other(row) => Some(format!("owned by {} on {}", named(&row.owner), view.node())),
        State::Listed(_) => Some(format!("no table on {}", view.node())),
        State::Absent => Some(format!("no row on {}", view.node())),
    };
    case.facts.views(key, Some(owner)).iter().filter_map(word).collect()
}

/// An agent that holds back one change of a Service holds back every later one, too: the marks would
/// never be seen.
fn healthy(case: &Case<'_>, checks: &mut Vec<Check>) {
    const ID: &str = "health";
    let before = checks.len();
    for service in [case.source, case.target] {
        let nodes = refusing(case, service);
        if !nodes.is_empty() {
            let saw = format!("a change of {} is refused on {}", named(&service.id), nodes.join(", "));
            let way_out = format!("mend that first: kubectl vipctl explain {}", args(&service.id));
            checks.push(Check::refused(ID, saw, way_out));
        }
    }
    let ingress = case.target.ingress.iter().filter(|ingress| ingress.is_vip()).filter_map(|ingress| ingress.ip);
    let keys = ingress
        .flat_map(|vip| case.target.ports.iter().map(move |port| PortKey { vip, port: port.port, proto: port.proto }));
    for key in keys {
        let wrong = not_programmed(case, key, &case.target.id);
        if !wrong.is_empty() {
            let saw = format!("{} does not serve its own {key}: {}", named(&case.target.id), wrong.join(", "));
            checks.push(Check::refused(ID, saw, format!("mend that first: kubectl vipctl explain {key}")));
        }
    }
    if checks.len() == before {
        let saw =
            format!("no agent refuses anything of the two, and every port of {} is served", named(&case.target.id));
        checks.push(Check::ok(ID, saw));
    }
}

/// The nodes whose agents refuse something of this Service.
fn refusing(case: &Case<'_>, service: &Service) -> Vec<String> {
    let agents = case.facts.asked_agents().into_iter();
    let refuses = |agent: &&Agent| {
        let known = agent.answer.known().is_some();
        known && (!case.facts.refusals_of(agent, service).is_empty() || case.facts.never_accepted(service, agent))
    };
    agents.filter(refuses).map(|agent| agent.node().to_owned()).collect()
}
