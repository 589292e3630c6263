//! The preconditions, a family in each file.

mod announce;
mod differences;
mod ipam;
mod nodes;
mod owners;
mod services;
mod sharing;
mod unfinished;

use super::{Case, Check, backends, permissions};
use crate::migrate::intent::{Move, SourceAfter};
use crate::model::PortKey;

/// What moves, as far as that could be told.
pub(super) struct Chosen<'a> {
    /// The moves.
    pub moves: &'a [Move],
    /// What becomes of the source.
    pub source_after: Option<SourceAfter>,
}

impl Chosen<'_> {
    /// Everything that changes hands.
    fn keys(&self) -> impl Iterator<Item = PortKey> {
        self.moves.iter().flat_map(|mv| mv.keys.iter().copied())
    }

    /// Whether the source leaves the VIP.
    fn source_leaves(&self) -> bool {
        matches!(self.source_after, Some(SourceAfter::ClusterIp | SourceAfter::Delete))
    }
}

/// Checks everything; each family says at least one thing.
pub(super) fn all(case: &Case<'_>, chosen: &Chosen<'_>) -> Vec<Check> {
    let mut checks = Vec::new();
    services::check(case, &mut checks);
    owners::check(case, &mut checks);
    unfinished::check(case, chosen, &mut checks);
    sharing::check(case, chosen, &mut checks);
    nodes::check(case, chosen, &mut checks);
    backends::check(case, chosen.moves, &mut checks);
    ipam::check(case, chosen, &mut checks);
    announce::check(case, chosen, &mut checks);
    differences::check(case, &mut checks);
    permissions::check(case, &mut checks);
    checks
}
