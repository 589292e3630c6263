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
    let mut finding = Finding::new(
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
    .note("One Service at a time owns a VIP:port/proto on a node; the first accepted one keeps it, and the agent refuses this Service's update as a whole.");
    if let Some(note) = held_back(case, key) {
        finding = finding.note(note);
    }
    finding
        .note(format!("Agents do not try again when svc/{} lets go: free the port there first, then write an annotation on this Service (`kubectl annotate {} KEY=VALUE`).", owner.name, case.args()))
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
        let stuck: Vec<(&NodeView<'_>, Refusal)> = frontend
            .views
            .iter()
            .filter(|view| matches!(view.state, State::Absent))
            .filter_map(|view| Some((view, refusal_behind(case, frontend, view)?)))
            .collect();
        let Some((_, first)) = stuck.first() else { continue };
        // A node where the named owner still has its row is a rejected claim, told by its own key.
        let views: Vec<&NodeView<'_>> = stuck.iter().map(|(view, _)| *view).collect();
        let refusals: BTreeSet<(PortKey, ServiceRef)> =
            stuck.iter().map(|(_, refusal)| (refusal.key, refusal.owner.clone())).collect();
        sink.push(stuck_finding(case, frontend.key, first, &refusals, &views));
    }
}

/// The refused claim that keeps this row away on this node: of this very key or, as updates are
/// refused whole and name one address only, of another key of the same Service.
fn refusal_behind(case: &Case<'_>, frontend: &Frontend<'_>, view: &NodeView<'_>) -> Option<Refusal> {
    if let Some((refusal, _)) = &view.refusal {
        return Some(refusal.clone());
    }
    let siblings = case.held().filter(|other| other.key != frontend.key);
    siblings
        .flat_map(|other| &other.views)
        .filter(|other| other.node() == view.node() && matches!(other.state, State::Absent | State::Other(_)))
        .find_map(|other| other.refusal.as_ref().map(|(refusal, _)| refusal.clone()))
}

fn stuck_finding(
    case: &Case<'_>,
    key: PortKey,
    refusal: &Refusal,
    refusals: &BTreeSet<(PortKey, ServiceRef)>,
    views: &[&NodeView<'_>],
) -> Finding {
    let named = &refusal.owner;
    let claims: Option<bool> = refusals
        .iter()
        .map(|(key, owner)| case.facts.still_claims(owner, *key))
        .reduce(|a, b| if a == b { a } else { a.max(b) })
        .flatten();
    let who = format!("svc/{} (ns {})", named.name, named.namespace);
    if claims == Some(true) {
        return blocked_by_living(case, key, refusal, views);
    }
    let fresh = views.iter().any(|view| case.facts.just_written(case.service, view.agent));
    let confidence = match claims {
        Some(false) if !fresh => Confidence::Certain,
        _ => Confidence::Likely,
    };
    let gone = match (case.facts.lookup(named), claims) {
        (Lookup::Absent, _) => "is gone",
        (_, Some(false)) => "has let go of it",
        _ => "could not be read",
    };
    let (had, cause) = if refusal.key == key {
        (key, format!("stuck claim: {} refused {key}", node_names(views)))
    } else {
        (refusal.key, format!("{key} is held back by a stuck claim: {} refused the whole update", node_names(views)))
    };
    let cause = format!(
        "{cause} because {who} had {}; that Service {gone}",
        if had == key { "it".to_owned() } else { had.to_string() }
    );
    let mut finding = Finding::new(
        Code::StuckClaim,
        Severity::Error,
        confidence,
        Rung::Claimed,
        format!("{cause}, and nobody serves the port there"),
    )
    .on(key);
    if fresh {
        finding = finding.note("The Service was written only seconds before this look, so the agents may still be at it: look again to be certain.");
    }
    finding = finding
        .note("No object in the API shows this: addresses, conditions and endpoints look right, and no Event is written. Only the agents know.")
        .note("An agent that refuses a claim does not queue it. It looks at the Service again only when the Service itself is written, when its watch starts anew, or when the agent restarts; the owner's leaving wakes nothing.");
    if let Some(note) = held_back(case, refusal.key) {
        finding = finding.note(note);
    }
    finding
        .note("The way out is any real write to this Service, such as an annotation; a patch that changes nothing, a change of endpoints or a write to the former owner does not help.")
        .saw(case.saw_rows(key, views))
        .saw(case.saw_refusals(views))
        .saw(saw_owner(case, named, refusal.key))
        .saw([case.saw_service("spec and status", format!("claims {key}; nothing there tells that it is refused"))])
        .then(case.nudge())
        .then(format!("kubectl vipctl explain {}", case.args()))
}

/// No row, and the agents refuse it because of a Service that still claims the port.
fn blocked_by_living(case: &Case<'_>, key: PortKey, refusal: &Refusal, views: &[&NodeView<'_>]) -> Finding {
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
    let mut finding = Finding::new(Code::RejectedClaim, Severity::Error, Confidence::Likely, Rung::Claimed, message)
        .on(key)
        .note("An agent refuses a Service's update as a whole when one of its ports belongs to another Service.")
        .note(format!("Take {} off one of the two; agents do not try again by themselves, so then write an annotation on the Service that shall have it.", refusal.key));
    if let Some(note) = held_back(case, refusal.key) {
        finding = finding.note(note);
    }
    finding
        .saw(case.saw_rows(key, views))
        .saw(case.saw_refusals(views))
        .saw(saw_owner(case, owner, refusal.key))
        .then(format!("kubectl vipctl explain {}", refusal.key))
        .then(format!("kubectl get svc/{} -n {} -o yaml", owner.name, owner.namespace))
}

/// What else of the Service these agents do not have because they refuse its updates as a whole.
fn held_back(case: &Case<'_>, about: PortKey) -> Option<String> {
    let others: Vec<PortKey> = case
        .held()
        .filter(|frontend| frontend.key != about)
        .filter(|frontend| frontend.views.iter().any(|view| matches!(view.state, State::Absent)))
        .map(|frontend| frontend.key)
        .collect();
    let never_accepted = case.facts.obs.agents.iter().any(|agent| {
        let services = agent.answer.known().and_then(|answer| answer.services.as_ref());
        services.is_some_and(|known| !known.contains(&case.service.id))
            && case.facts.obs.asked.services.contains(&case.service.id)
    });
    if never_accepted {
        return Some("Such an agent has never accepted this Service: its cluster IP and node ports are dead on that node as well, and so are all its ports on the address.".to_owned());
    }
    let rest = "every other change of that update is held back too (other ports, annotations, traffic policy, source ranges) until a later update is accepted";
    Some(if others.is_empty() {
        format!("On those nodes {rest}.")
    } else {
        format!(
            "On those nodes {rest}; of this Service {} missing there too.",
            if others.len() == 1 { format!("{} is", others[0]) } else { format!("{} are", list(&others)) }
        )
    })
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
