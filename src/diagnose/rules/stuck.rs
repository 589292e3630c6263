//! Rules about claims that agents refused, where nobody has the row now.

use jiff::SignedDuration;

use super::claims::{get, held_back, saw_owner, who};
use crate::diagnose::case::{Case, Frontend, Sink, node_names};
use crate::diagnose::facts::{Lookup, NodeView, State};
use crate::diagnose::refusal::Refusal;
use crate::diagnose::{Code, Confidence, Evidence, Finding, Rung, Severity};
use crate::model::{HealthRow, PortKey};

/// An agent that sees a write to a refused Service refuses it again, which renews its health row, within
/// a second; a row that is older than the last write by this much belongs to an agent that sees no writes.
const DEAF: SignedDuration = SignedDuration::from_secs(5);

/// A node without the row, and the refusal that keeps the row away.
struct Refused<'c, 'a> {
    view: &'c NodeView<'a>,
    /// Of this very address or, as updates are refused whole and name one address only, of another one
    /// of the same Service: another port, its cluster IP, a node port.
    refusal: Refusal,
    row: &'a HealthRow,
}

/// VIP2102, and VIP2101 where the owner that the agents name still claims the port: no row, and the
/// agents report that they refused the claim.
pub fn stuck_claim(case: &Case<'_>, sink: &mut Sink) {
    for frontend in case.held() {
        let refused = frontend.views.iter().filter(|view| matches!(view.state, State::Absent));
        let (deaf, refused): (Vec<_>, Vec<_>) =
            refused.filter_map(|view| refusal_behind(case, frontend, view)).partition(|refused| is_deaf(case, refused));
        if !deaf.is_empty() {
            sink.push(deaf_agents(case, frontend.key, &deaf));
        }
        if refused.is_empty() {
            continue;
        }
        let known: Vec<Option<bool>> =
            refused.iter().map(|r| case.facts.still_claims(&r.refusal.owner, r.refusal.key)).collect();
        // An owner that still claims the port makes the refusal legitimate; one that could not be read
        // leaves it open.
        let claims = [Some(true), None].into_iter().find(|answer| known.contains(answer)).unwrap_or(Some(false));
        sink.push(match claims {
            Some(true) => blocked_by_living(case, frontend.key, &refused),
            _ => stuck(case, frontend.key, &refused, claims),
        });
    }
}

fn refusal_behind<'c, 'a>(case: &Case<'a>, frontend: &Frontend<'a>, view: &'c NodeView<'a>) -> Option<Refused<'c, 'a>> {
    let mut all = case.facts.refusals_of(view.agent, case.service);
    // Its own address first.
    all.sort_by_key(|(refusal, _)| refusal.key != frontend.key);
    let (refusal, row) = all.into_iter().next()?;
    // Where the named owner is gone but its row is still there, the agent has not seen it go.
    let behind = case.held().flat_map(|other| &other.views).any(|other| {
        other.node() == view.node()
            && matches!(other.state, State::Other(row) if row.key == refusal.key && row.owner == refusal.owner)
            && case.facts.still_claims(&refusal.owner, refusal.key) == Some(false)
    });
    (!behind).then_some(Refused { view, refusal, row })
}

fn is_deaf(case: &Case<'_>, refused: &Refused<'_, '_>) -> bool {
    let written = case.service.last_write();
    written.zip(refused.row.updated).is_some_and(|(written, updated)| written.duration_since(updated) > DEAF)
        && !case.facts.just_written(case.service, refused.view.agent)
}

fn views<'c, 'a>(refused: &[Refused<'c, 'a>]) -> Vec<&'c NodeView<'a>> {
    refused.iter().map(|refused| refused.view).collect()
}

/// The health rows, folded by what they say.
fn saw_health(case: &Case<'_>, refused: &[Refused<'_, '_>]) -> Vec<Evidence> {
    case.fold(
        &views(refused),
        "health",
        "db/prefix -f json health agent.controlplane.loadbalancer-reflectors",
        |view| {
            let own = refused.iter().find(|refused| refused.view.node() == view.node());
            own.map_or_else(String::new, |refused| {
                let Refusal { key, owner } = &refused.refusal;
                format!("{}: \"already owned by another service: {key} is owned by {owner}\"", refused.row.level)
            })
        },
    )
}

/// VIP2102.
fn stuck(case: &Case<'_>, key: PortKey, refused: &[Refused<'_, '_>], claims: Option<bool>) -> Finding {
    let refusal = &refused[0].refusal;
    let views = views(refused);
    let fresh = views.iter().any(|view| case.facts.just_written(case.service, view.agent));
    let confidence = if claims == Some(false) && !fresh { Confidence::Certain } else { Confidence::Likely };
    let gone = match (case.facts.lookup(&refusal.owner), claims) {
        (Lookup::Absent, _) => "is gone",
        (_, Some(false)) => "has let go of it",
        _ => "could not be read",
    };
    let (nodes, who) = (node_names(&views), who(&refusal.owner));
    let cause = if refusal.key == key {
        format!("stuck claim: {nodes} refused {key} because {who} had it")
    } else {
        format!(
            "{key} is held back by a stuck claim: {nodes} refused the whole update because {who} had {}",
            refusal.key
        )
    };
    let unsure = if fresh { " (the Service was written seconds before this look: look again)" } else { "" };
    let message = format!("{cause}; that Service {gone}, and nobody serves the port there{unsure}");
    Finding::new(Code::StuckClaim, Severity::Error, confidence, Rung::Claimed, message)
        .on(key)
        .note("No object in the API shows this, and no Event tells of it: only the agents know.")
        .note("An agent does not queue what it refuses: it looks again only when this Service itself is written, when its watch starts anew, or when the agent restarts.")
        .note(held_back(case, refusal.key))
        .note("The way out is a real write to this Service, such as an annotation. A patch that changes nothing, new endpoints, or a write to the former owner wake nobody.")
        .saw(case.saw_rows(key, &views))
        .saw(saw_health(case, refused))
        .saw(saw_owner(case, &refusal.owner, refusal.key))
        .saw([case.saw_service("spec and status", format!("claims {key}"))])
        .then(case.recover())
        .then(format!("kubectl vipctl explain {}", case.args()))
}

/// VIP2101: no row, and the agents refuse it because of a Service that still claims the port.
fn blocked_by_living(case: &Case<'_>, key: PortKey, refused: &[Refused<'_, '_>]) -> Finding {
    let Refusal { key: clash, owner } = &refused[0].refusal;
    let views = views(refused);
    let (nodes, who) = (node_names(&views), who(owner));
    let message = if *clash == key {
        format!("{nodes} refused {key} because {who} had it, and that Service still claims it")
    } else {
        format!("held back: {nodes} refused the whole update because {who} owns {clash}")
    };
    Finding::new(Code::RejectedClaim, Severity::Error, Confidence::Likely, Rung::Claimed, message)
        .on(key)
        .note("An agent refuses a Service's update as a whole when one of its ports belongs to another Service.")
        .note(format!("Take {clash} off one of the two; agents do not try again by themselves, so then `kubectl vipctl recover` the Service that shall have it."))
        .note(held_back(case, *clash))
        .saw(case.saw_rows(key, &views))
        .saw(saw_health(case, refused))
        .saw(saw_owner(case, owner, *clash))
        .then(format!("kubectl vipctl explain {clash}"))
        .then(get(owner))
}

/// VIP2106: the refusal is older than the Service's last write, so the agent does not see writes.
fn deaf_agents(case: &Case<'_>, key: PortKey, deaf: &[Refused<'_, '_>]) -> Finding {
    let views = views(deaf);
    let nodes = node_names(&views);
    Finding::new(
        Code::AgentLags,
        Severity::Error,
        Confidence::Likely,
        Rung::Claimed,
        format!("{nodes} refused {key} some time ago and did not look again when the Service was last written"),
    )
    .on(key)
    .note("A write to a refused Service makes an agent look again within a second. That it did not points to an agent that hears nothing from the API server, or to clocks that differ by more than seconds.")
    .saw(case.saw_rows(key, &views))
    .saw(saw_health(case, deaf))
    .saw([case.saw_service("metadata", case.service.last_write().map_or_else(String::new, |at| format!("last written {at}")))])
    .then(case.facts.logs(views[0].agent, "--since=10m"))
    .then(case.facts.exec(views[0].agent, "status --brief"))
}
