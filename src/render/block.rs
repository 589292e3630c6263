//! Which findings are said together: one block for each cause, with the frontends it breaks.

use crate::diagnose::{Finding, FrontendReport, NodeCounts, Severity, SubjectReport, Verdict};

/// Frontends that are broken in the same way by the same cause.
pub(super) struct Block<'a> {
    /// The frontends; none where the subject has none.
    pub(super) frontends: Vec<&'a FrontendReport>,
    /// Their verdict.
    pub(super) verdict: Verdict,
    /// The node counts of each; all zero where they differ.
    pub(super) nodes: NodeCounts,
    /// The cause: findings of one code, one for each frontend or one for all.
    pub(super) causes: Vec<&'a Finding>,
}

/// A subject's parts in the order in which they are said.
pub(super) struct Blocks<'a> {
    /// What is broken.
    pub(super) broken: Vec<Block<'a>>,
    /// What is not.
    pub(super) healthy: Vec<&'a FrontendReport>,
    /// Findings that are nobody's cause.
    pub(super) others: Vec<&'a Finding>,
}

/// Sorts a subject's frontends and findings into blocks.
pub(super) fn blocks(subject: &SubjectReport) -> Blocks<'_> {
    let mut broken: Vec<Block<'_>> = Vec::new();
    let (healthy, sick): (Vec<_>, Vec<_>) = subject.frontends.iter().partition(|f| f.verdict == Verdict::Healthy);
    for frontend in sick {
        let cause = cause(subject, frontend);
        // A cause of the whole Service is said once, whatever each port has on the nodes.
        let whole = |block: &Block<'_>| cause.is_some_and(|c| c.frontend.is_none() && contains(&block.causes, c));
        let alike = |block: &&mut Block<'_>| {
            let same_code = block.causes.first().map(|c| c.code) == cause.map(|c| c.code);
            block.verdict == frontend.verdict && (whole(block) || (block.nodes == frontend.nodes && same_code))
        };
        match broken.iter_mut().find(alike) {
            Some(block) => {
                block.frontends.push(frontend);
                if block.nodes != frontend.nodes {
                    block.nodes = NodeCounts::default();
                }
                block.causes.extend(cause.filter(|c| !contains(&block.causes, c)));
            }
            None => broken.push(Block {
                frontends: vec![frontend],
                verdict: frontend.verdict,
                nodes: frontend.nodes,
                causes: cause.into_iter().collect(),
            }),
        }
    }
    if broken.is_empty() && subject.verdict != Verdict::Healthy {
        broken.push(whole(subject, &healthy));
    }
    let said = |finding: &&Finding| broken.iter().any(|block| contains(&block.causes, finding));
    let others = subject.findings.iter().filter(|finding| !said(finding)).collect();
    Blocks { broken, healthy, others }
}

/// No frontend is broken, or there is none, and yet something is wrong with the subject.
fn whole<'a>(subject: &'a SubjectReport, healthy: &[&'a FrontendReport]) -> Block<'a> {
    let worst = subject.findings.iter().max_by_key(|f| (f.severity, !about_reading(f)));
    Block {
        frontends: healthy.to_vec(),
        verdict: subject.verdict,
        nodes: healthy.first().map_or_else(NodeCounts::default, |frontend| frontend.nodes),
        causes: worst.into_iter().collect(),
    }
}

/// The finding that explains a frontend's verdict: its own before one about the whole Service, one
/// about the broken rung before another.
fn cause<'a>(subject: &'a SubjectReport, frontend: &FrontendReport) -> Option<&'a Finding> {
    let own = |f: &Finding| f.frontend.is_some_and(|key| key.to_string() == frontend.address);
    let whole = |f: &Finding| f.frontend.is_none();
    let rung = |f: &Finding| frontend.rung.is_none_or(|rung| rung == f.rung);
    let worth = |f: &&Finding| match frontend.verdict {
        Verdict::Unknown => true,
        _ => f.severity > Severity::Info && !about_reading(f),
    };
    let find = |test: &dyn Fn(&Finding) -> bool| subject.findings.iter().filter(worth).find(|f| test(f));
    find(&|f| own(f) && rung(f))
        .or_else(|| find(&own))
        .or_else(|| find(&|f| whole(f) && rung(f)))
        .or_else(|| find(&whole))
}

/// Codes of the 9xxx group say what could not be read: they explain an unknown verdict only.
fn about_reading(finding: &Finding) -> bool {
    finding.code.id().starts_with("VIP9")
}

fn contains(findings: &[&Finding], finding: &Finding) -> bool {
    findings.iter().any(|known| std::ptr::eq(*known, finding))
}
