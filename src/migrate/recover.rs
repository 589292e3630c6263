//! What mends a Service that is not served: whether one write wakes whoever has to look again, or who has
//! to let go first. Pure.

use serde::Serialize;

use crate::diagnose::{Code, Confidence, Finding, Severity, SubjectReport, Verdict};
use crate::model::Observation;

/// What can be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remedy {
    /// Every node serves it.
    Nothing,
    /// A write to the Service makes agents, or LB-IPAM, look at it again.
    Nudge(Cause),
    /// No write to this Service mends it.
    Refused(Cause),
    /// Not enough could be read to say.
    Unknown(Vec<String>),
}

/// Why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Cause {
    /// The finding's code.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// What to do where a write does not help.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub next: Vec<String>,
}

/// Findings that make agents look again where the Service is written.
const BY_AGENTS: [Code; 2] = [Code::StuckClaim, Code::MapDiffers];

/// Findings that LB-IPAM puts right when it next handles the Service, if an operator leads.
const BY_LB_IPAM: [Code; 2] = [Code::StatusCleared, Code::NotHandledYet];

/// Findings in whose presence a write is in vain: it is refused again.
const IN_VAIN: [Code; 2] = [Code::RejectedClaim, Code::SplitOwner];

/// Whether an operator leads, and so LB-IPAM handles Services; none where that could not be read.
#[must_use]
pub fn operator_leads(seen: &Observation) -> Option<bool> {
    let leader = &seen.install.leader;
    let now = leader.at().unwrap_or(seen.taken_at);
    leader.known().map(|lease| lease.as_ref().is_some_and(|lease| lease.is_live(now)))
}

/// Decides from what `explain` found out about the Service, and whether an operator leads.
#[must_use]
pub fn remedy(subject: &SubjectReport, operator: Option<bool>) -> Remedy {
    let faults = || subject.findings.iter().filter(|finding| finding.severity >= Severity::Warning);
    if let Some(finding) = faults().find(|finding| IN_VAIN.contains(&finding.code)) {
        return Remedy::Refused(cause(finding));
    }
    let by_agents = |finding: &&Finding| BY_AGENTS.contains(&finding.code) && finding.confidence >= Confidence::Likely;
    if let Some(finding) = faults().find(by_agents) {
        return Remedy::Nudge(Cause { next: Vec::new(), ..cause(finding) });
    }
    match (faults().next(), subject.verdict) {
        (Some(finding), _) if BY_LB_IPAM.contains(&finding.code) => match operator {
            Some(false) => Remedy::Refused(without_operator(finding)),
            _ => Remedy::Nudge(Cause { next: Vec::new(), ..cause(finding) }),
        },
        (Some(finding), _) => Remedy::Refused(cause(finding)),
        (None, Verdict::Healthy) => Remedy::Nothing,
        (None, _) => Remedy::Unknown(unknown(subject)),
    }
}

fn without_operator(finding: &Finding) -> Cause {
    let message = format!("{}; no cilium-operator leads, so nobody would look at a write", finding.message);
    Cause { message, ..cause(finding) }
}

fn cause(finding: &Finding) -> Cause {
    Cause { code: finding.code.id(), message: finding.message.clone(), next: finding.next.clone() }
}

fn unknown(subject: &SubjectReport) -> Vec<String> {
    let findings = subject.findings.iter().map(|finding| finding.message.clone());
    let mut all: Vec<String> = findings.chain(subject.unknown.iter().cloned()).collect();
    all.dedup();
    all
}

/// Whether every node that was asked has every port of the Service in its datapath, from the Service.
#[must_use]
pub fn programmed(subject: &SubjectReport) -> bool {
    !subject.frontends.is_empty()
        && subject.frontends.iter().all(|f| f.nodes.total > 0 && f.nodes.programmed == f.nodes.total)
}

/// Whether a node that could be asked lacks a port, or a port has no address: what is not known is no fault.
#[must_use]
pub fn lacks(subject: &SubjectReport) -> bool {
    subject.frontends.iter().any(|frontend| {
        let without = frontend.by_node.is_empty() && frontend.verdict != Verdict::Healthy;
        without || frontend.by_node.iter().any(|node| !matches!(node.state, "programmed" | "unknown"))
    })
}

/// One line for each reason why nodes are not there yet: `192.0.2.10:80/TCP absent on nd1, nd2`.
#[must_use]
pub fn lagging(subject: &SubjectReport) -> Vec<String> {
    let mut lines: Vec<(String, Vec<&str>)> = Vec::new();
    for frontend in &subject.frontends {
        if frontend.by_node.is_empty() && frontend.verdict != Verdict::Healthy {
            lines.push((format!("{} has no address", frontend.address), Vec::new()));
        }
        for node in frontend.by_node.iter().filter(|node| node.state != "programmed") {
            let detail = match (&node.owner, node.detail.as_str()) {
                (Some(owner), _) if node.state == "otherOwner" => format!(" ({owner})"),
                (_, "") => String::new(),
                (_, detail) => format!(" ({detail})"),
            };
            let text = format!("{} {}{detail}", frontend.address, words(node.state));
            match lines.iter_mut().find(|(known, _)| *known == text) {
                Some((_, nodes)) => nodes.push(&node.node),
                None => lines.push((text, vec![&node.node])),
            }
        }
    }
    let line = |(text, nodes): (String, Vec<&str>)| match nodes.as_slice() {
        [] => text,
        nodes => format!("{text} on {}", super::words::list(nodes)),
    };
    lines.into_iter().map(line).collect()
}

fn words(state: &str) -> &str {
    match state {
        "notDone" => "not in the datapath",
        "otherOwner" => "owned by another Service",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnose::explain;
    use crate::model::SourceKind;
    use crate::observe::read_capture;

    fn look(name: &str, service: &str) -> (SubjectReport, Remedy) {
        let path = format!("{}/tests/fixtures/captures/{name}.json", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).expect(&path);
        let observation = read_capture(&text, name, SourceKind::Capture).expect("a capture");
        let explanation = explain(&observation).expect("explainable");
        let found = explanation.subjects.into_iter().find(|subject| subject.name == service);
        let subject = found.unwrap_or_else(|| panic!("{name} is not about {service}"));
        let remedy = remedy(&subject, operator_leads(&observation));
        (subject, remedy)
    }

    #[test]
    fn a_stuck_claim_is_nudged_and_a_rejected_one_is_not() {
        let Remedy::Nudge(cause) = look("stuck-claim", "b").1 else { panic!("a nudge") };
        assert_eq!((cause.code, cause.next.len()), ("VIP2102", 0));
        let Remedy::Refused(cause) = look("rejected-claim", "b").1 else { panic!("a refusal") };
        assert!(cause.code == "VIP2101" && cause.message.contains("svc/a (ns shop)"), "{cause:?}");
        assert!(matches!(look("split-owner", "b").1, Remedy::Refused(_)));
    }

    #[test]
    fn a_cleared_address_comes_back_only_where_an_operator_leads() {
        let (subject, remedied) = look("address-cleared", "a");
        let Remedy::Refused(cause) = remedied else { panic!("no operator leads there") };
        assert!(cause.code == "VIP7101" && cause.message.contains("no cilium-operator leads"), "{cause:?}");
        assert!(matches!(remedy(&subject, Some(true)), Remedy::Nudge(cause) if cause.code == "VIP7101"));
    }

    #[test]
    fn what_is_well_and_what_no_write_mends() {
        let (healthy, remedy) = look("healthy", "a");
        assert_eq!(remedy, Remedy::Nothing);
        assert!(programmed(&healthy) && lagging(&healthy).is_empty());
        let Remedy::Refused(cause) = look("no-pool", "a").1 else { panic!("no write makes a pool") };
        assert_eq!(cause.code, "VIP1103");
        let (stuck, _) = look("stuck-claim", "b");
        assert!(!programmed(&stuck));
        let lines = lagging(&stuck);
        assert!(lines[0].starts_with("192.0.2.10:80/TCP absent (claim refused) on nd1"), "{lines:?}");
    }
}
