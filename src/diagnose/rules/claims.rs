//! Rules about who owns a frontend where another Service has its row.

use std::collections::BTreeMap;

use crate::diagnose::case::{Case, Frontend, Sink, list, node_names, saw_service};
use crate::diagnose::facts::{Lookup, NodeView, State, claims};
use crate::diagnose::{Code, Confidence, Evidence, Finding, Rung, Severity};
use crate::model::{PortKey, ServiceRef};

/// Nodes by the owner of their row, ours included.
type Owners<'c, 'a> = BTreeMap<&'a ServiceRef, Vec<&'c NodeView<'a>>>;

fn owners<'c, 'a>(frontend: &'c Frontend<'a>) -> Owners<'c, 'a> {
    let mut owners = Owners::new();
    for view in &frontend.views {
        if let State::Programmed(row) | State::NotDone(row) | State::Other(row) | State::Listed(row) = view.state {
            owners.entry(&row.owner).or_default().push(view);
        }
    }
    owners
}

/// The owners that may have their rows rightly: ours, and those that claim the port or could not be read.
fn living<'c, 'a>(case: &Case<'a>, frontend: &'c Frontend<'a>) -> Owners<'c, 'a> {
    let mut owners = owners(frontend);
    owners.retain(|owner, _| !gone(case, owner, frontend.key));
    owners
}

/// Tells whether a row of this owner is left over: it is another Service, and it claims the port no more.
fn gone(case: &Case<'_>, owner: &ServiceRef, key: PortKey) -> bool {
    *owner != case.service.id && case.facts.still_claims(owner, key) == Some(false)
}

/// VIP2103: nodes disagree about the owner, and each owner has its reasons.
pub fn split_owner(case: &Case<'_>, sink: &mut Sink) {
    for frontend in case.held() {
        let owners = living(case, frontend);
        if owners.len() < 2 {
            continue;
        }
        let key = frontend.key;
        let parts: Vec<String> =
            owners.iter().map(|(owner, on)| format!("{} on {}", who(owner), node_names(on))).collect();
        let views: Vec<&NodeView<'_>> = frontend.views.iter().collect();
        let rivals: Vec<&ServiceRef> = owners.keys().copied().filter(|owner| **owner != case.service.id).collect();
        let names: Vec<String> = rivals.iter().map(|rival| who(rival)).collect();
        let mut finding = Finding::new(
            Code::SplitOwner,
            Severity::Error,
            Confidence::Certain,
            Rung::Claimed,
            format!("nodes disagree about the owner of {key}: {}", parts.join("; ")),
        )
        .on(key)
        .note("Each agent keeps the Service it accepted first and refuses the other as a whole. Which one answers depends on the node that takes the packet in.")
        .note("No agent tries a refused claim again when the owner lets go, so the split stays until the refused Service is written.")
        .note(format!("Besides svc/{}, {} claims the port: take it off all but one, wait until no node has their rows, then `kubectl vipctl recover` the one that shall have it.", case.service.id.name, list(&names)))
        .saw(case.saw_rows(key, &views))
        .saw(case.saw_refusals(&views));
        for rival in rivals.iter().take(2) {
            finding = finding.saw(saw_owner(case, rival, key)).then(get(rival));
        }
        sink.push(finding.then(format!("kubectl vipctl explain {key}")));
    }
}

/// VIP2101: one other Service has the rows and claims the port, so the refusal is legitimate.
pub fn rejected_claim(case: &Case<'_>, sink: &mut Sink) {
    for frontend in case.held() {
        let owners = living(case, frontend);
        let mut all = owners.iter();
        let (Some((owner, views)), None) = (all.next(), all.next()) else { continue };
        if **owner == case.service.id {
            continue;
        }
        let key = frontend.key;
        let sure = case.facts.still_claims(owner, key).is_some();
        let confidence = if sure { Confidence::Certain } else { Confidence::Likely };
        let mut finding = Finding::new(
            Code::RejectedClaim,
            Severity::Error,
            confidence,
            Rung::Claimed,
            format!("port {}/{} on {} is owned by {}", key.port, key.proto, key.vip, who(owner)),
        )
        .on(key)
        .saw(case.saw_rows(key, views))
        .saw(case.saw_refusals(views))
        .saw(saw_owner(case, owner, key))
        .note("One Service at a time owns a VIP:port/proto on a node; the first accepted one keeps it, and the agent refuses this Service's update as a whole.")
        .note(held_back(case, key));
        if let Lookup::Present(owner) = case.facts.lookup(owner)
            && owner.deleting.is_none()
        {
            finding = finding.note(case.take_over(owner, &[(key.port, key.proto)]));
        }
        if let Lookup::Present(owner) = case.facts.lookup(owner)
            && let Some(since) = owner.deleting
        {
            finding = finding.note(format!(
                "svc/{} is being deleted since {since} and keeps the port until its finalizers are done.",
                owner.id.name
            ));
        }
        sink.push(
            finding
                .note(format!(
                    "Agents do not try again when {} lets go: free the port there first, then `{}`.",
                    who(owner),
                    case.recover()
                ))
                .then(format!("kubectl vipctl explain {key}"))
                .then(get(owner)),
        );
    }
}

/// VIP2106: nodes have a row of an owner that does not claim the port any more.
pub fn left_over_rows(case: &Case<'_>, sink: &mut Sink) {
    for frontend in case.held() {
        for (owner, views) in owners(frontend) {
            if gone(case, owner, frontend.key) {
                sink.push(left_over(case, frontend.key, owner, &views));
            }
        }
    }
}

fn left_over(case: &Case<'_>, key: PortKey, owner: &ServiceRef, views: &[&NodeView<'_>]) -> Finding {
    let present = match case.facts.lookup(owner) {
        Lookup::Present(service) => Some(service),
        _ => None,
    };
    let fresh = present.is_some_and(|service| views.iter().any(|view| case.facts.just_written(service, view.agent)));
    let confidence = if fresh { Confidence::Possible } else { Confidence::Likely };
    let nodes = node_names(views);
    // An owner whose own last update was refused keeps its old rows: that refusal is the knot.
    let knot = present.and_then(|service| {
        views.iter().find_map(|view| Some((service, case.facts.refusals_of(view.agent, service).into_iter().next()?)))
    });
    let message = match &knot {
        Some((_, (refusal, _))) => format!(
            "{nodes}: {} still has {key}, because its own last update was refused over {}",
            who(owner),
            refusal.key
        ),
        None => format!("{nodes}: the row of {key} still belongs to {}, which no longer claims it", who(owner)),
    };
    let finding = Finding::new(Code::AgentLags, Severity::Error, confidence, Rung::Claimed, message)
        .on(key)
        .saw(case.saw_rows(key, views))
        .saw(saw_owner(case, owner, key));
    match knot {
        Some((service, _)) => finding
            .note("An agent that refuses a Service's update keeps what it accepted last, ports that are gone from the spec included.")
            .note(format!("Mend {} first, then `{}`: the claim here was refused meanwhile and is not tried again by itself.", who(owner), case.recover()))
            .then(format!("kubectl vipctl explain svc/{} -n {}", service.id.name, service.id.namespace)),
        None => finding
            .note("These agents have not seen the owner's last change. One that was made seconds ago may still be on its way: agents take changes in twice a second.")
            .note("If it stays, the agent does not hear from the API server any more; its log tells.")
            .then(case.facts.logs(views[0].agent, "--since=10m"))
            .then(format!("kubectl vipctl explain {key}")),
    }
}

/// An owner as a person reads it; agents name the host port of a pod `ns/pod:host-port:PORT:UID`.
pub(super) fn who(owner: &ServiceRef) -> String {
    match owner.name.split_once(":host-port:") {
        Some((pod, _)) => format!("the hostPort of pod/{pod} (ns {})", owner.namespace),
        None => format!("svc/{} (ns {})", owner.name, owner.namespace),
    }
}

/// The command that shows an owner.
pub(super) fn get(owner: &ServiceRef) -> String {
    let name = match owner.name.split_once(":host-port:") {
        Some((pod, _)) => format!("pod/{pod}"),
        None => format!("svc/{}", owner.name),
    };
    format!("kubectl get {name} -n {} -o yaml", owner.namespace)
}

/// What else of the Service these agents do not have because they refuse its updates as a whole.
pub(super) fn held_back(case: &Case<'_>, about: PortKey) -> String {
    let agents = case.facts.obs.agents.iter();
    let never: Vec<&str> =
        agents.filter(|agent| case.facts.never_accepted(case.service, agent)).map(|agent| agent.node()).collect();
    if !never.is_empty() {
        return format!(
            "On {} the agent has never accepted this Service: its cluster IP and node ports are dead there as well, and all its ports on the address.",
            never.join(",")
        );
    }
    let absent = |frontend: &&Frontend<'_>| frontend.views.iter().any(|view| matches!(view.state, State::Absent));
    let others: Vec<PortKey> =
        case.held().filter(|frontend| frontend.key != about).filter(absent).map(|frontend| frontend.key).collect();
    let missing = match others.as_slice() {
        [] => String::new(),
        [one] => format!("; of this Service {one} is missing there too"),
        many => format!("; of this Service {} are missing there too", list(many)),
    };
    format!(
        "Every other change of the refused update is held back on those nodes too: ports, annotations, policies, source ranges{missing}."
    )
}

/// What the API says about the owner that agents name.
pub(super) fn saw_owner(case: &Case<'_>, owner: &ServiceRef, key: PortKey) -> Vec<Evidence> {
    let entry = |fact: &str| Evidence {
        source: who(owner),
        at: case.facts.obs.services.at(),
        fact: fact.to_owned(),
        recheck: Some(get(owner)),
    };
    vec![match case.facts.lookup(owner) {
        Lookup::Present(service) => {
            let verb = if claims(service, key) { "claims" } else { "does not claim" };
            saw_service(case.facts, service, "spec and status", format!("{verb} {key}"))
        }
        Lookup::Absent => entry("does not exist"),
        Lookup::HostPort => entry("is named as the owner by the agents"),
        Lookup::Unknown => entry("could not be read"),
    }]
}
