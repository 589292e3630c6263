//! From an observation to findings: pure functions over plain data.

mod code;
mod finding;

pub use code::Code;
pub use finding::{
    Confidence, Evidence, Explanation, Finding, FrontendReport, NodeCounts, NodeState, PortText, Rung, RungReport,
    RungState, Severity, Sharer, SourceReport, SubjectReport, Verdict,
};
