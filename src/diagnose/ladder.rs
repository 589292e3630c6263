//! The ladder: the state of each rung as seen, and what follows from the first broken one.

use std::net::IpAddr;

use super::announce::announced;
use super::case::{Case, count, list};
use super::endpoints::ready_endpoints;
use super::facts::{State, vips};
use super::finding::{Finding, Rung, RungReport, RungState, Severity};
use super::responsible::{Allocator, ipam_condition};
use super::sharing::{incompatible, missing_requests};
use crate::model::TrafficPolicy;

/// The state of one rung by itself, whatever the other rungs are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// The state.
    pub state: RungState,
    /// What was seen, in a few words.
    pub detail: String,
}

fn seen(state: RungState, detail: impl Into<String>) -> Seen {
    Seen { state, detail: detail.into() }
}

/// Looks at every rung by itself.
#[must_use]
pub fn look(case: &Case<'_>) -> Vec<(Rung, Seen)> {
    Rung::ALL.into_iter().map(|rung| (rung, look_at(case, rung))).collect()
}

fn look_at(case: &Case<'_>, rung: Rung) -> Seen {
    match rung {
        Rung::Declared => {
            let class = case.service.class.as_deref().map_or_else(String::new, |class| format!(", class {class}"));
            seen(
                RungState::Ok,
                format!("type {}{class}, {}", case.service.kind, count(case.service.ports.len(), "port")),
            )
        }
        Rung::Responsible => responsible(case),
        Rung::Allocated => allocated(case),
        Rung::Shared => shared(case),
        Rung::Claimed => claimed(case),
        Rung::Programmed => programmed(case),
        Rung::Backed => backed(case),
        Rung::Announced => announcement(case),
        Rung::Reachable => seen(RungState::Unknown, "explain sends no packets"),
    }
}

fn responsible(case: &Case<'_>) -> Seen {
    match case.facts.allocator(case.service) {
        Allocator::LbIpam => seen(RungState::Ok, "LB-IPAM"),
        Allocator::NodeIpam => seen(RungState::Ok, "Node IPAM"),
        Allocator::NotCilium(why) => seen(RungState::NotApplicable, format!("not Cilium: {why}")),
        Allocator::Unneeded => seen(RungState::NotApplicable, "addresses come from spec.externalIPs"),
        Allocator::Unknown => seen(RungState::Unknown, "cilium-config could not be read"),
    }
}

fn allocated(case: &Case<'_>) -> Seen {
    let vips = vips(case.service);
    let missing = missing_requests(case.service);
    match (vips.is_empty(), missing.is_empty()) {
        (true, _) => seen(
            RungState::Broken,
            ipam_condition(case.service)
                .map_or_else(|| "no address".to_owned(), |c| format!("no address ({})", c.reason)),
        ),
        (false, true) => seen(RungState::Ok, list(&vips)),
        (false, false) => seen(RungState::Broken, format!("{}, without {}", list(&vips), list(&missing))),
    }
}

fn shared(case: &Case<'_>) -> Seen {
    let vips = vips(case.service);
    let mut others: Vec<_> =
        vips.iter().flat_map(|vip| case.facts.holders(*vip)).filter(|other| other.id != case.service.id).collect();
    others.dedup_by(|a, b| a.id == b.id);
    if others.is_empty() {
        let state =
            if case.facts.obs.services.known().is_some() { RungState::NotApplicable } else { RungState::Unknown };
        return seen(state, "nobody else has the address");
    }
    // Sharing rules are LB-IPAM's; addresses that others give are not bound by them.
    let bound = case.facts.allocator(case.service) == Allocator::LbIpam;
    let clash = others.iter().find(|other| {
        bound
            && case.facts.allocator(other) == Allocator::LbIpam
            && incompatible(case.service, other, case.facts.minor).is_some()
    });
    let names: Vec<String> = others.iter().map(|other| other.id.to_string()).collect();
    match clash {
        Some(other) => seen(
            RungState::Unknown,
            format!("has the address together with {}, which LB-IPAM's rules would not allow", other.id),
        ),
        None => seen(RungState::Ok, format!("with {}", list(&names))),
    }
}

/// Counts the nodes of all frontends for which the test holds.
fn any(case: &Case<'_>, test: impl Fn(&State<'_>) -> bool) -> bool {
    case.held().flat_map(|frontend| &frontend.views).any(|view| test(&view.state))
}

fn unread(case: &Case<'_>) -> Option<Seen> {
    if case.held().next().is_none() {
        return Some(seen(RungState::Unknown, "no address, so no frontend to look for"));
    }
    let readable = any(case, |state| !matches!(state, State::Unknown(_)));
    (!readable).then(|| seen(RungState::Unknown, "no agent could be read"))
}

fn claimed(case: &Case<'_>) -> Seen {
    if let Some(seen) = unread(case) {
        return seen;
    }
    if any(case, |state| matches!(state, State::Other(_))) {
        return seen(RungState::Broken, "another Service owns it on some node");
    }
    let refused = case
        .held()
        .flat_map(|f| &f.views)
        .any(|view| view.refusal.is_some() && !matches!(view.state, State::Programmed(_)));
    if refused {
        return seen(RungState::Broken, "an agent refused the claim");
    }
    seen(RungState::Ok, "no other owner on any readable node")
}

fn programmed(case: &Case<'_>) -> Seen {
    if let Some(seen) = unread(case) {
        return seen;
    }
    let views = || case.held().flat_map(|frontend| &frontend.views);
    let total = views().count();
    let done = views().filter(|view| matches!(view.state, State::Programmed(_))).count();
    let unknown = views().filter(|view| matches!(view.state, State::Unknown(_) | State::Listed(_))).count();
    let detail = format!(
        "{done} of {total} rows Done{}",
        if unknown > 0 { format!(", {unknown} unknown") } else { String::new() }
    );
    let state = if done == total {
        RungState::Ok
    } else if done + unknown == total {
        RungState::Unknown
    } else {
        RungState::Broken
    };
    seen(state, detail)
}

fn backed(case: &Case<'_>) -> Seen {
    let counts: Vec<_> =
        case.held().filter_map(|frontend| ready_endpoints(case.facts, case.service, frontend.key)).collect();
    let rows: Vec<_> = case
        .held()
        .flat_map(|frontend| &frontend.views)
        .filter_map(|view| match view.state {
            State::Programmed(row) => Some(row),
            _ => None,
        })
        .collect();
    let ready = counts.iter().map(|found| found.ready).min();
    let text = |n: usize| count(n, "ready endpoint");
    if rows.iter().any(|row| row.redirected) {
        return seen(RungState::Ok, "handed to the node's proxy");
    }
    let active = rows.iter().any(|row| row.backends.iter().any(|backend| backend.active));
    match ready {
        Some(0) if counts.iter().any(|found| found.ready == 0 && found.serving > 0) => {
            seen(RungState::Broken, "only terminating endpoints")
        }
        Some(0) => seen(RungState::Broken, "no ready endpoint"),
        _ if active => seen(RungState::Ok, ready.map_or_else(|| "active backends".to_owned(), text)),
        Some(n) if !rows.is_empty() && case.service.external_policy == TrafficPolicy::Local => {
            seen(RungState::Unknown, format!("{} in the API, none on the nodes that were read", text(n)))
        }
        _ if !rows.is_empty() => seen(RungState::Broken, "no active backend"),
        Some(n) => seen(RungState::Ok, format!("{} in the API", text(n))),
        None => seen(RungState::Unknown, "EndpointSlices were not read"),
    }
}

/// The worst of all addresses: one that is not announced is not made good by another.
fn announcement(case: &Case<'_>) -> Seen {
    let mut vips: Vec<IpAddr> = case.held().map(|frontend| frontend.key.vip).collect();
    vips.dedup();
    let found: Vec<_> = vips.iter().map(|vip| (vip, announced(case.facts, *vip))).collect();
    let order = [RungState::Broken, RungState::Unknown, RungState::Ok, RungState::NotApplicable];
    let worst = order.into_iter().find(|state| found.iter().any(|(_, announced)| announced.state == *state));
    let Some(state) = worst else { return seen(RungState::Unknown, "no address to announce") };
    let texts: Vec<String> = found
        .iter()
        .filter(|(_, announced)| announced.state == state)
        .map(
            |(vip, announced)| {
                if found.len() == 1 { announced.detail.clone() } else { format!("{vip}: {}", announced.detail) }
            },
        )
        .collect();
    seen(state, texts.join("; "))
}

/// The ladder as it is shown: rungs that a finding breaks are broken, later ones are consequences
/// unless they are known to hold.
#[must_use]
pub fn climb(looks: Vec<(Rung, Seen)>, findings: &[Finding]) -> Vec<RungReport> {
    let breaks = |rung: Rung| findings.iter().any(|f| f.rung == rung && f.severity >= Severity::Warning);
    let fatal = findings.iter().filter(|f| f.severity == Severity::Error).map(|f| f.rung).min();
    looks
        .into_iter()
        .map(|(rung, seen)| {
            let after = fatal.is_some_and(|fatal| rung > fatal);
            let state = match seen.state {
                _ if breaks(rung) => RungState::Broken,
                RungState::Broken | RungState::Unknown if after => RungState::Consequence,
                RungState::Broken => RungState::Unknown,
                state => state,
            };
            RungReport { rung, state, detail: seen.detail }
        })
        .collect()
}

/// Causes that the ladder rules out for a finding at this rung, as noun phrases.
#[must_use]
pub fn ruled_out(looks: &[(Rung, Seen)], finding: &Finding) -> Vec<String> {
    looks
        .iter()
        .filter(|(rung, seen)| *rung != finding.rung && seen.state == RungState::Ok)
        .filter_map(|(rung, _)| match rung {
            Rung::Declared | Rung::Reachable => None,
            Rung::Responsible => Some("wrong class"),
            Rung::Allocated => Some("no address"),
            Rung::Shared => Some("sharing rules"),
            Rung::Claimed => Some("another owner"),
            Rung::Programmed => Some("datapath behind"),
            Rung::Backed => Some("no endpoints"),
            Rung::Announced => Some("not announced"),
        })
        .map(str::to_owned)
        .collect()
}
