//! From nodes and findings to one word for a frontend, and one exit code for all.

use super::Code;
use super::case::Frontend;
use super::facts::{Facts, NodeView, State};
use super::finding::{Finding, FrontendReport, NodeCounts, NodeState, Rung, Severity, SubjectReport, Verdict};
use crate::exit;
use crate::model::{PortKey, ServiceRef};

/// Counts the nodes by what they have.
#[must_use]
pub fn counts(views: &[NodeView<'_>]) -> NodeCounts {
    let mut counts = NodeCounts { total: views.len(), ..NodeCounts::default() };
    for view in views {
        *match view.state {
            State::Programmed(_) => &mut counts.programmed,
            State::Other(_) => &mut counts.other_owner,
            State::NotDone(_) | State::Absent => &mut counts.absent,
            State::Listed(_) | State::Unknown(_) => &mut counts.unknown,
        } += 1;
    }
    counts
}

/// One line for each node.
#[must_use]
pub fn by_node(views: &[NodeView<'_>]) -> Vec<NodeState> {
    views.iter().map(node_state).collect()
}

fn node_state(view: &NodeView<'_>) -> NodeState {
    let (state, row, detail) = match view.state {
        State::Programmed(row) => ("programmed", Some(row), String::new()),
        State::NotDone(row) => {
            ("notDone", Some(row), format!("{:?} {}", row.status.kind, row.status.error).trim().to_owned())
        }
        State::Other(row) => ("otherOwner", Some(row), String::new()),
        State::Listed(row) => ("listed", Some(row), "service list tells no status".to_owned()),
        State::Absent => {
            ("absent", None, view.refusal.as_ref().map_or_else(String::new, |_| "claim refused".to_owned()))
        }
        State::Unknown(missing) => ("unknown", None, missing.text.clone()),
    };
    NodeState {
        node: view.node().to_owned(),
        state,
        owner: row.map(|row| row.owner.clone()),
        detail,
        backends: row.map(|row| row.backends.iter().filter(|backend| backend.active).count()),
        since: row.and_then(|row| row.status.updated),
    }
}

/// The one owner of all rows; none where there is no row or owners differ.
#[must_use]
pub fn owner(views: &[NodeView<'_>]) -> Option<ServiceRef> {
    let mut owners = views.iter().filter_map(|view| match view.state {
        State::Programmed(row) | State::NotDone(row) | State::Other(row) | State::Listed(row) => Some(&row.owner),
        State::Absent | State::Unknown(_) => None,
    });
    let first = owners.next()?;
    owners.all(|owner| owner == first).then(|| first.clone())
}

/// The report on one frontend.
#[must_use]
pub fn frontend(facts: &Facts<'_>, frontend: &Frontend<'_>, findings: &[Finding]) -> FrontendReport {
    let not_asked = facts.obs.agents.len() - facts.asked_agents().len();
    let counts = NodeCounts { not_asked, ..counts(&frontend.views) };
    if !frontend.held {
        return FrontendReport {
            owner: owner(&frontend.views),
            nodes: counts,
            by_node: by_node(&frontend.views),
            ..without_address(frontend.key.to_string(), findings)
        };
    }
    let about: Vec<&Finding> =
        findings.iter().filter(|f| concerns(f, frontend.key) && f.severity >= Severity::Warning).collect();
    FrontendReport {
        address: frontend.key.to_string(),
        verdict: judge(counts, &about),
        rung: first_rung(&about),
        owner: owner(&frontend.views),
        nodes: counts,
        by_node: by_node(&frontend.views),
    }
}

/// The first broken rung; one that is really broken before one that is only not as it should be.
fn first_rung(about: &[&Finding]) -> Option<Rung> {
    let errors = about.iter().filter(|finding| finding.severity == Severity::Error).map(|finding| finding.rung);
    errors.min().or_else(|| about.iter().map(|finding| finding.rung).min())
}

/// The report on a port that has no address to be served on.
#[must_use]
pub fn without_address(address: String, findings: &[Finding]) -> FrontendReport {
    let first = findings.iter().find(|finding| finding.severity >= Severity::Warning);
    let verdict = match first.map(|finding| finding.code) {
        Some(Code::NotHandledYet) | None => Verdict::Pending,
        Some(_) => Verdict::Missing,
    };
    FrontendReport {
        address,
        verdict,
        rung: first.map(|finding| finding.rung),
        owner: None,
        nodes: NodeCounts::default(),
        by_node: Vec::new(),
    }
}

fn concerns(finding: &Finding, key: PortKey) -> bool {
    finding.frontend.is_none_or(|about| about == key)
}

/// The word for a frontend. What nodes have comes first; findings about backends and announcement
/// speak only where the rows are in place.
fn judge(nodes: NodeCounts, about: &[&Finding]) -> Verdict {
    let readable = nodes.total - nodes.unknown;
    let has = |test: fn(&Finding) -> bool| about.iter().any(|finding| test(finding));
    if has(|f| f.code == Code::NotMadeByDesign) {
        return Verdict::Missing;
    }
    if readable == 0 {
        return match first_rung(about) {
            Some(Rung::Backed | Rung::Announced | Rung::Reachable) => Verdict::Unreachable,
            _ => Verdict::Unknown,
        };
    }
    if has(|f| f.code == Code::SplitOwner) {
        return Verdict::Split;
    }
    if nodes.other_owner > 0 {
        let owned = has(|f| f.code == Code::RejectedClaim) || nodes.programmed == 0;
        return if owned { Verdict::WrongOwner } else { Verdict::Degraded };
    }
    if nodes.absent > 0 {
        let arriving = about.iter().all(|f| f.severity < Severity::Error);
        return match (nodes.programmed, arriving) {
            (_, true) => Verdict::Pending,
            (0, _) => Verdict::Missing,
            _ => Verdict::Degraded,
        };
    }
    if has(|f| f.severity == Severity::Error && (f.code == Code::MapDiffers || f.rung >= Rung::Backed)) {
        return Verdict::Unreachable;
    }
    if !about.is_empty() {
        return Verdict::Degraded;
    }
    if nodes.unknown > 0 { Verdict::Unknown } else { Verdict::Healthy }
}

/// 0 healthy, 1 a problem was found, 3 nothing found but not everything seen.
#[must_use]
pub fn exit(subjects: &[SubjectReport]) -> u8 {
    let problem = |subject: &SubjectReport| {
        !matches!(subject.verdict, Verdict::Healthy | Verdict::Unknown)
            || subject.findings.iter().any(|finding| finding.severity >= Severity::Warning)
    };
    if subjects.iter().any(problem) {
        exit::PROBLEM
    } else if subjects.iter().any(|subject| subject.verdict == Verdict::Unknown) {
        exit::INCONCLUSIVE
    } else {
        exit::OK
    }
}
