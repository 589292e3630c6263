//! What a rule says, and what an explanation is made of. All of it serialises to the JSON contract
//! `vipctl.dev/v1`: fields may be added, these names stay.

use std::net::IpAddr;

use jiff::Timestamp;
use serde::Serialize;

use super::Code;
use crate::model::{PortKey, Proto, ServiceRef, SourceKind};

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing; changes no verdict.
    Info,
    /// Something is not as it should be, traffic may still flow.
    Warning,
    /// Traffic does not arrive, or not where it should.
    Error,
}

/// How sure a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    /// One of several explanations.
    Possible,
    /// Concluded from what was seen; the message says from what.
    Likely,
    /// Seen directly.
    Certain,
}

/// The rungs that every frontend climbs, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Rung {
    /// Type, class and port are in the spec.
    Declared,
    /// Somebody allocates addresses for it.
    Responsible,
    /// It has its address.
    Allocated,
    /// It goes together with its sharers.
    Shared,
    /// No other Service owns the port on any node.
    Claimed,
    /// Every node has the row, with the right owner, Done.
    Programmed,
    /// It has active backends.
    Backed,
    /// The network learns of the address.
    Announced,
    /// Nothing else keeps packets out.
    Reachable,
}

impl Rung {
    /// All rungs, from the first to the last.
    pub const ALL: [Self; 9] = [
        Self::Declared,
        Self::Responsible,
        Self::Allocated,
        Self::Shared,
        Self::Claimed,
        Self::Programmed,
        Self::Backed,
        Self::Announced,
        Self::Reachable,
    ];
}

/// The state of a rung.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum RungState {
    /// Seen to hold.
    Ok,
    /// Seen not to hold.
    Broken,
    /// Cannot hold because an earlier rung is broken.
    Consequence,
    /// Could not be read.
    Unknown,
    /// Does not apply to this Service.
    NotApplicable,
}

/// The verdict on a frontend or a subject, worst last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Verdict {
    /// Every rung that could be read holds, on every node.
    Healthy,
    /// Not enough could be read to say.
    Unknown,
    /// The address is on its way.
    Pending,
    /// Serves, but not everywhere or not as it should.
    Degraded,
    /// Two writers change the address in turn; one look can only suspect that, so it is never said of one.
    Flapping,
    /// Programmed, but packets do not get there or find no backend.
    Unreachable,
    /// Nodes disagree about the owner.
    Split,
    /// Another Service has the port.
    WrongOwner,
    /// No node serves it.
    Missing,
}

/// Something seen: source, time, fact, and how to look again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Evidence {
    /// Where, e.g. `svc shop/b status` or `node nd1 frontends`; equal facts of several nodes are one
    /// entry, `nodes nd1,nd2 frontends`.
    pub source: String,
    /// When it was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<Timestamp>,
    /// What.
    pub fact: String,
    /// A command that looks again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recheck: Option<String>,
}

/// A cause that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// Its code.
    pub code: Code,
    /// How bad.
    pub severity: Severity,
    /// How sure.
    pub confidence: Confidence,
    /// The rung that it breaks.
    pub rung: Rung,
    /// The frontend it is about; none where it is about the whole Service.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frontend: Option<PortKey>,
    /// The cause in one sentence that stands alone.
    pub message: String,
    /// Further sentences: why, what else follows from it, what misleads. Each stands alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What it rests on.
    pub evidence: Vec<Evidence>,
    /// Causes that were looked for and are not it, as short noun phrases.
    pub ruled_out: Vec<String>,
    /// What could not be read, and whether it could change the verdict.
    pub unknown: Vec<String>,
    /// At most three commands, safest first, ready to paste.
    pub next: Vec<String>,
}

impl Finding {
    /// A finding about the Service as a whole, still without evidence.
    #[must_use]
    pub fn new(code: Code, severity: Severity, confidence: Confidence, rung: Rung, message: impl Into<String>) -> Self {
        Self {
            code,
            severity,
            confidence,
            rung,
            frontend: None,
            message: message.into(),
            notes: Vec::new(),
            evidence: Vec::new(),
            ruled_out: Vec::new(),
            unknown: Vec::new(),
            next: Vec::new(),
        }
    }

    /// Makes it about one frontend.
    #[must_use]
    pub fn on(mut self, key: PortKey) -> Self {
        self.frontend = Some(key);
        self
    }

    /// Adds a sentence.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Adds evidence.
    #[must_use]
    pub fn saw(mut self, evidence: impl IntoIterator<Item = Evidence>) -> Self {
        self.evidence.extend(evidence);
        self
    }

    /// Adds a command.
    #[must_use]
    pub fn then(mut self, command: impl Into<String>) -> Self {
        self.next.push(command.into());
        self
    }
}

/// How many nodes are in which state for one frontend.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NodeCounts {
    /// Nodes with a Cilium agent.
    pub total: usize,
    /// Row with the right owner, Done.
    pub programmed: usize,
    /// Row with another owner.
    pub other_owner: usize,
    /// No row (or one that is not in the datapath).
    pub absent: usize,
    /// Not readable.
    pub unknown: usize,
    /// Left out by the user (`--nodes`); not in the total.
    #[serde(skip_serializing_if = "is_zero")]
    pub not_asked: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_zero(n: &usize) -> bool {
    *n == 0
}

/// What one node has for one frontend.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NodeState {
    /// The node.
    pub node: String,
    /// `programmed`, `notDone`, `listed`, `otherOwner`, `absent` or `unknown`.
    pub state: &'static str,
    /// The row's owner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<ServiceRef>,
    /// The row's status with its error, or why the node is unknown.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// Active backends in the row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backends: Option<usize>,
    /// When the row's status last changed, by the node's clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
}

/// One frontend of a subject.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FrontendReport {
    /// `192.0.2.10:80/TCP`; `<pending>:80/TCP` where there is no address yet.
    pub address: String,
    /// Its verdict.
    pub verdict: Verdict,
    /// The first broken rung.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rung: Option<Rung>,
    /// The owner on all nodes that could be read; null where there is none or they differ.
    pub owner: Option<ServiceRef>,
    /// Counts of nodes.
    pub nodes: NodeCounts,
    /// Node by node.
    pub by_node: Vec<NodeState>,
}

/// One rung of a subject's ladder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RungReport {
    /// Which.
    pub rung: Rung,
    /// Its state.
    pub state: RungState,
    /// What was seen, in a few words.
    pub detail: String,
}

/// A Service that shares the VIP, or claims the port.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Sharer {
    /// Which.
    pub service: ServiceRef,
    /// The ports it declares.
    pub ports: Vec<PortText>,
    /// How it has the VIP: `status`, `externalIPs`, or `requests it` where it has not got it.
    pub via: &'static str,
}

/// A port as text, `80/TCP`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PortText(pub u16, pub Proto);

impl std::fmt::Display for PortText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.0, self.1)
    }
}

impl Serialize for PortText {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Everything said about one subject.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SubjectReport {
    /// `Service`, `VIP` or `Frontend`.
    pub kind: &'static str,
    /// The Service's namespace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// The Service's name, or the address that was asked about.
    pub name: String,
    /// The worst verdict of its frontends.
    pub verdict: Verdict,
    /// Its addresses.
    pub vips: Vec<IpAddr>,
    /// Its frontends.
    pub frontends: Vec<FrontendReport>,
    /// Its ladder.
    pub ladder: Vec<RungReport>,
    /// Services that claim the port; only where an address and port was asked about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claimants: Option<Vec<Sharer>>,
    /// The other Services on the same VIPs.
    pub sharers: Vec<Sharer>,
    /// Findings, the cause first.
    pub findings: Vec<Finding>,
    /// What could not be read, for the subject as a whole.
    pub unknown: Vec<String>,
    /// How many checks were decided.
    pub checks: usize,
}

/// Where an explanation comes from, in the JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SourceReport {
    /// live, capture or demo.
    pub kind: SourceKind,
    /// The kubeconfig context or the name of the capture.
    pub context: String,
    /// Cilium versions seen, each once.
    pub cilium: Vec<String>,
    /// The API server's version.
    pub kubernetes: Option<String>,
    /// When.
    pub taken_at: Timestamp,
}

/// The whole answer of `explain`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// `vipctl.dev/v1`.
    pub api_version: &'static str,
    /// `Explanation`.
    pub kind: &'static str,
    /// The exit code: 0 healthy, 1 a problem, 3 inconclusive.
    pub exit: u8,
    /// Where it comes from.
    pub source: SourceReport,
    /// One report for each subject.
    pub subjects: Vec<SubjectReport>,
}
