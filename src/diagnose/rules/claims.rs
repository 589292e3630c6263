//! Rules about who owns a frontend, and whose claim an agent refused.

use std::collections::BTreeSet;

use crate::diagnose::case::{Case, Frontend, Sink, list, node_names, saw_service};
use crate::diagnose::facts::{Lookup, NodeView, State};
use crate::diagnose::refusal::Refusal;
use crate::diagnose::{Code, Confidence, Evidence, Finding, Rung, Severity};
use crate::model::{PortKey, ServiceRef};

/// The owner of a row that is not ours, on every node that has one.
fn foreign<'c, 'a>(frontend: &'c Frontend<'a>) -> Vec<(&'a ServiceRef, &'c NodeView<'a>)> {
    frontend
        .views
        .iter()
        .filter_map(|view| match view.state {
            State::Other(row) => Some((&row.owner, view)),
            _ => None,
        })
        .collect()
}

fn has_ours(frontend: &Frontend<'_>) -> bool {
    frontend.views.iter().any(|view| matches!(view.state, State::Programmed(_) | State::NotDone(_) | State::Listed(_)))
}

/// VIP2103: nodes disagree about the owner.
pub fn split_owner(case: &Case<'_>, sink: &mut Sink) {
    for frontend in case.held() {
        let rows = foreign(frontend);
        let mut owners: BTreeSet<&ServiceRef> = rows.iter().map(|(owner, _)| *owner).collect();
        if has_ours(frontend) {
            owners.insert(&case.service.id);
        }
        if owners.len() < 2 {
            continue;
        }
        let key = frontend.key;
        let parts: Vec<String> =
            owners.iter().map(|owner| format!("{owner} on {}", owned_by(frontend, owner))).collect();
        let views: Vec<&NodeView<'_>> = frontend.views.iter().collect();
        let rivals: Vec<&&ServiceRef> = owners.iter().filter(|owner| ***owner != case.service.id).collect();
        let claiming: Vec<String> = rivals
            .iter()
            .filter(|owner| case.facts.still_claims(owner, key) == Some(true))
            .map(ToString::to_string)
            .collect();
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
        .saw(case.saw_rows(key, &views))
        .saw(case.saw_refusals(&views));
        if claiming.is_empty() {
            finding = finding
                .note(format!(
                    "Only svc/{} claims the port in the API; the other owner's rows are left over.",
                    case.service.id.name
                ))
                .then(case.nudge());
        } else {
            finding = finding.note(format!("Besides this Service, {} still claims the port in the API: take it off one of them, wait until no node has that row, then write an annotation on the other.", claiming.join(", ")));
            for rival in &rivals {
                finding = finding.then(format!("kubectl get svc/{} -n {} -o yaml", rival.name, rival.namespace));
            }
        }
        finding.next.truncate(2);
        sink.push(finding.then(format!("kubectl vipctl explain {key}")));
    }
}

fn owned_by(frontend: &Frontend<'_>, owner: &ServiceRef) -> String {
    let views: Vec<&NodeView<'_>> = frontend
        .views
        .iter()
        .filter(|view| match view.state {
            State::Programmed(row) | State::NotDone(row) | State::Other(row) | State::Listed(row) => {
                row.owner == *owner
            }
            State::Absent | State::Unknown(_) => false,
        })
        .collect();
    node_names(&views)
}

/// VIP2101 and, where the owner has given it up in the API, VIP2106: one other Service has the rows.
pub fn rejected_claim(case: &Case<'_>, sink: &mut Sink) {
    for frontend in case.held() {
        let rows = foreign(frontend);
        let Some((owner, _)) = rows.first() else { continue };
        if has_ours(frontend) || rows.iter().any(|(other, _)| other != owner) {
            continue;
        }
        let views: Vec<&NodeView<'_>> = rows.iter().map(|(_, view)| *view).collect();
        sink.push(match case.facts.still_claims(owner, frontend.key) {
            Some(false) => left_over(case, frontend.key, owner, &views),
            known => owned(case, frontend, owner, &views, known.is_some()),
        });
    }
}

/// The owner claims the port: the refusal is legitimate.
fn owned(case: &Case<'_>, frontend: &Frontend<'_>, owner: &ServiceRef, views: &[&NodeView<'_>], sure: bool) -> Finding {
    let key = frontend.key;
    let confidence = if sure { Confidence::Certain } else { Confidence::Likely };
    Finding::new(
        Code::RejectedClaim,
        Severity::Error,
        confidence,
        Rung::Claimed,
        format!("port {}/{} on {} is owned by svc/{} (ns {})", key.port, key.proto, key.vip, owner.name, owner.namespace),
    )
    .on(key)
    .saw(case.saw_rows(key, views))
    .saw(case.saw_refusals(views))
    .saw(saw_owner(case, owner, key))
    .note("One Service at a time owns a VIP:port/proto on a node; the first accepted one keeps it, and the agent refuses this Service's update as a whole.")
    .note(held_back(case, key))
        .note(format!("Agents do not try again when svc/{} lets go. Free the port there first, then explain this Service again for the write that wakes them.", owner.name))
        .then(format!("kubectl vipctl explain {key}"))
        .then(format!("kubectl get svc/{} -n {} -o yaml", owner.name, owner.namespace))
}

/// VIP2106: the owner named by the rows does not claim the port any more.
fn left_over(case: &Case<'_>, key: PortKey, owner: &ServiceRef, views: &[&NodeView<'_>]) -> Finding {
    let fresh = match case.facts.lookup(owner) {
        Lookup::Present(service) => views.iter().any(|view| case.facts.just_written(service, view.agent)),
        _ => false,
    };
    let confidence = if fresh { Confidence::Possible } else { Confidence::Likely };
    Finding::new(
        Code::AgentLags,
        Severity::Error,
        confidence,
        Rung::Claimed,
        format!("{} still has {key} as owned by svc/{} (ns {}), which no longer claims it", node_names(views), owner.name, owner.namespace),
    )
    .on(key)
    .note("These agents have not seen, or not accepted, the owner's last change. A change made seconds ago may still be on its way: agents take changes in twice a second.")
    .note("If it stays, a later update of that owner may itself be refused: look at its other ports, and at the agent's connection to the API server.")
    .saw(case.saw_rows(key, views))
    .saw(saw_owner(case, owner, key))
    .then(format!("kubectl vipctl explain {key}"))
}

/// VIP2102: no node has a row for it, the agents have refused the claim, and the owner they name is gone.
pub fn stuck_claim(case: &Case<'_>, sink: &mut Sink) {
    for frontend in case.held() {
        let refused: Vec<Refused<'_, '_>> = frontend
            .views
            .iter()
            .filter(|view| matches!(view.state, State::Absent))
            .filter_map(|view| refused(case, frontend, view))
            .collect();
        if !refused.is_empty() {
            sink.push(stuck_finding(case, frontend.key, &refused));
        }
    }
}

/// A node without the row, and the refusal that keeps the row away.
struct Refused<'c, 'a> {
    /// The node's view of the frontend.
    view: &'c NodeView<'a>,
    /// The view that reports the refusal: of the same frontend or, as updates are refused whole and
    /// name one address only, of another one of the same Service.
    reporter: &'c NodeView<'a>,
    refusal: &'c Refusal,
}

fn refused<'c, 'a>(case: &'c Case<'a>, frontend: &'c Frontend<'a>, view: &'c NodeView<'a>) -> Option<Refused<'c, 'a>> {
    let siblings = case.held().filter(|other| other.key != frontend.key).flat_map(|other| &other.views);
    let reporters = std::iter::once(view).chain(
        siblings.filter(|other| other.node() == view.node() && matches!(other.state, State::Absent | State::Other(_))),
    );
    reporters.into_iter().find_map(|reporter| {
        let (refusal, _) = reporter.refusal.as_ref()?;
        Some(Refused { view, reporter, refusal })
    })
}

fn stuck_finding(case: &Case<'_>, key: PortKey, refused: &[Refused<'_, '_>]) -> Finding {
    let refusal = refused[0].refusal;
    let views: Vec<&NodeView<'_>> = refused.iter().map(|r| r.view).collect();
    let reporters: Vec<&NodeView<'_>> = refused.iter().map(|r| r.reporter).collect();
    let named = &refusal.owner;
    let known: Vec<Option<bool>> =
        refused.iter().map(|r| case.facts.still_claims(&r.refusal.owner, r.refusal.key)).collect();
    // An owner that still claims the port makes the refusal legitimate; one that could not be read
    // leaves it open.
    let claims = [Some(true), None].into_iter().find(|answer| known.contains(answer)).unwrap_or(Some(false));
    if claims == Some(true) {
        return blocked_by_living(case, key, refusal, &views, &reporters);
    }
    let fresh = views.iter().any(|view| case.facts.just_written(case.service, view.agent));
    let confidence = if claims == Some(false) && !fresh { Confidence::Certain } else { Confidence::Likely };
    Finding::new(Code::StuckClaim, Severity::Error, confidence, Rung::Claimed, stuck_message(case, key, refusal, &views, claims, fresh))
        .on(key)
        .note("No object in the API shows this, and no Event tells of it: only the agents know.")
        .note("An agent does not queue what it refuses: it looks again only when this Service itself is written, when its watch starts anew, or when the agent restarts.")
        .note(held_back(case, refusal.key))
        .note("The way out is a real write to this Service, such as an annotation. A patch that changes nothing, new endpoints, or a write to the former owner wake nobody.")
        .saw(case.saw_rows(key, &views))
        .saw(case.saw_refusals(&reporters))
        .saw(saw_owner(case, named, refusal.key))
        .saw([case.saw_service("spec and status", format!("claims {key}"))])
        .then(case.nudge())
        .then(format!("kubectl vipctl explain {}", case.args()))
}

fn stuck_message(
    case: &Case<'_>,
    key: PortKey,
    refusal: &Refusal,
    views: &[&NodeView<'_>],
    claims: Option<bool>,
    fresh: bool,
) -> String {
    let owner = &refusal.owner;
    let who = format!("svc/{} (ns {})", owner.name, owner.namespace);
    let gone = match (case.facts.lookup(owner), claims) {
        (Lookup::Absent, _) => "is gone",
        (_, Some(false)) => "has let go of it",
        _ => "could not be read",
    };
    let nodes = node_names(views);
    let cause = if refusal.key == key {
        format!("stuck claim: {nodes} refused {key} because {who} had it")
    } else {
        format!(
            "{key} is held back by a stuck claim: {nodes} refused the whole update because {who} had {}",
            refusal.key
        )
    };
    let unsure = if fresh { " (the Service was written seconds before this look: look again)" } else { "" };
    format!("{cause}; that Service {gone}, and nobody serves the port there{unsure}")
}

/// No row, and the agents refuse it because of a Service that still claims the port.
fn blocked_by_living(
    case: &Case<'_>,
    key: PortKey,
    refusal: &Refusal,
    views: &[&NodeView<'_>],
    reporters: &[&NodeView<'_>],
) -> Finding {
    let owner = &refusal.owner;
    let message = if refusal.key == key {
        format!(
            "{} refused {key} because svc/{} (ns {}) had it, and that Service still claims it",
            node_names(views),
            owner.name,
            owner.namespace
        )
    } else {
        format!(
            "held back: {} refused the whole update because svc/{} (ns {}) owns {}",
            node_names(views),
            owner.name,
            owner.namespace,
            refusal.key
        )
    };
    Finding::new(Code::RejectedClaim, Severity::Error, Confidence::Likely, Rung::Claimed, message)
        .on(key)
        .note("An agent refuses a Service's update as a whole when one of its ports belongs to another Service.")
        .note(format!("Take {} off one of the two; agents do not try again by themselves, so then write an annotation on the Service that shall have it.", refusal.key))
        .note(held_back(case, refusal.key))
        .saw(case.saw_rows(key, views))
        .saw(case.saw_refusals(reporters))
        .saw(saw_owner(case, owner, refusal.key))
        .then(format!("kubectl vipctl explain {}", refusal.key))
        .then(format!("kubectl get svc/{} -n {} -o yaml", owner.name, owner.namespace))
}

/// What else of the Service these agents do not have because they refuse its updates as a whole.
fn held_back(case: &Case<'_>, about: PortKey) -> String {
    let never: Vec<&str> = case
        .facts
        .obs
        .agents
        .iter()
        .filter(|agent| case.facts.never_accepted(case.service, agent))
        .map(|agent| agent.node())
        .collect();
    if !never.is_empty() {
        return format!(
            "On {} the agent has never accepted this Service: its cluster IP and node ports are dead there as well, and all its ports on the address.",
            never.join(",")
        );
    }
    let others: Vec<PortKey> = case
        .held()
        .filter(|frontend| frontend.key != about)
        .filter(|frontend| frontend.views.iter().any(|view| matches!(view.state, State::Absent)))
        .map(|frontend| frontend.key)
        .collect();
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
fn saw_owner(case: &Case<'_>, owner: &ServiceRef, key: PortKey) -> Vec<Evidence> {
    let recheck = Some(format!("kubectl get svc/{} -n {} -o yaml", owner.name, owner.namespace));
    let at = case.facts.obs.services.at();
    let entry = |fact: String| Evidence { source: format!("svc {owner}"), at, fact, recheck: recheck.clone() };
    vec![match case.facts.lookup(owner) {
        Lookup::Present(service) => {
            let verb = if crate::diagnose::facts::claims(service, key) { "claims" } else { "does not claim" };
            saw_service(case.facts, service, "spec and status", format!("{verb} {key}"))
        }
        Lookup::Absent => entry("does not exist".to_owned()),
        Lookup::HostPort => Evidence { recheck: None, ..entry("is the host port of a pod".to_owned()) },
        Lookup::Unknown => entry("could not be read".to_owned()),
    }]
}
