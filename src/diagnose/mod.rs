//! From an observation to findings: pure functions over plain data.
//!
//! [`explain`] is the way in. `facts` puts the observation's parts together, `rules` holds one function
//! for each fault, `ladder` and `verdict` sum up. What several rules need to know (who may share, what a
//! pool holds, who announces) stands in a module of its own below them.

pub(crate) mod announce;
mod case;
mod code;
mod endpoints;
mod explain;
pub(crate) mod exposure;
pub(crate) mod facts;
mod finding;
mod ladder;
mod operator;
pub(crate) mod pools;
pub(crate) mod refusal;
pub(crate) mod responsible;
mod rules;
pub(crate) mod sharing;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
mod verdict;

pub use code::Code;
pub use explain::{NotExplainable, explain};
pub use finding::{
    Confidence, Evidence, Explanation, Finding, FrontendReport, NodeCounts, NodeState, PortText, Rung, RungReport,
    RungState, Severity, Sharer, SourceReport, SubjectReport, Verdict,
};
pub use rules::outside_support;
