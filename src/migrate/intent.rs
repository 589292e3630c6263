//! What is wanted: the content of the journal, and all that survives a crash. Never how far it got:
//! that is looked up.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::model::{PortKey, ServiceRef};

/// The journal's format.
pub const FORMAT: &str = "vipctl.dev/journal/v1";

/// A move of one or several ports from one Service to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Intent {
    /// [`FORMAT`].
    pub format: String,
    /// Its name: the first PortKey, as a Kubernetes name has to look (`192-0-2-10-80-tcp`).
    pub id: String,
    /// Who has the ports before.
    pub source: Party,
    /// Who has them afterwards.
    pub target: Party,
    /// The ports, in the order in which they move.
    pub moves: Vec<Move>,
    /// What becomes of the source when its last port goes.
    pub source_after: SourceAfter,
    /// In which order things happen.
    pub strategy: Strategy,
    /// How connections that are open at the switch are kept; none where they are not.
    pub drain: Option<Drain>,
    /// Forward, or back to how it was.
    pub direction: Direction,
    /// Grows with each run that takes this up, each reversal and each write without an answer. A Service
    /// that carries the mark of this turn takes no write that was sent in an earlier one.
    pub turn: u32,
    /// When to give up, and what then.
    pub limits: Limits,
    /// The agents' reflector period in milliseconds (`lb-reflector-wait-time`, 500 by default).
    pub period_ms: u64,
}

/// One of the two Services, as it was before anything was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Party {
    /// Namespace and name.
    pub service: ServiceRef,
    /// The object's UID.
    pub uid: String,
    /// The object as the API held it, without `status`, `managedFields`, `resourceVersion` and generation.
    pub before: Value,
    /// Whether its ports of this move had, or will have, active backends; then a row without any is not done.
    pub backed: bool,
    /// Whether only nodes with a local backend serve it (`externalTrafficPolicy: Local`).
    pub local: bool,
}

/// One port on its way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Move {
    /// What changes hands: the port at each VIP that the two Services share.
    pub keys: Vec<PortKey>,
    /// The entry of `spec.ports` on the source, as read.
    pub from: Value,
    /// The entry of `spec.ports` on the target, as it will be written.
    pub to: Value,
}

/// What becomes of the source when its last port goes: a Service cannot have no ports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum SourceAfter {
    /// It has other ports and keeps them.
    Keeps,
    /// Type ClusterIP, with all its ports and its cluster address.
    ClusterIp,
    /// Its last port moves to this free number.
    Park(u16),
    /// It is deleted; [`Party::before`] makes it again.
    Delete,
}

/// In which order things happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Strategy {
    /// Release, wait until every node dropped it, claim; one port after the other.
    Ordered,
    /// Release and claim back to back, so that agents see both in one batch; all ports at once.
    Handoff,
}

/// How open connections are kept over a handoff: the old backends as terminating ones of the new owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Drain {
    /// How long old connections may take, in milliseconds.
    pub timeout_ms: u64,
}

/// Which way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Direction {
    /// From source to target.
    Forward,
    /// Back to the source.
    Back,
}

/// When to give up, and what then.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Limits {
    /// All of a run, in milliseconds.
    pub timeout_ms: u64,
    /// How long a port may be dark on a node before going back, in milliseconds (`ordered`).
    pub max_dark_ms: u64,
    /// So many nodes may stay unknown.
    pub allow_unknown: usize,
    /// What to do when a limit is passed.
    pub on_failure: OnFailure,
}

/// What to do when a limit is passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum OnFailure {
    /// Leave everything as it is.
    Stop,
    /// Go back to how it was.
    Rollback,
}

/// One of the two Services.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Side {
    /// Who had the ports before the migration.
    Source,
    /// Who gets them by it.
    Target,
}

impl Side {
    /// The other one.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Source => Self::Target,
            Self::Target => Self::Source,
        }
    }
}

/// Some of the moves, by their place in [`Intent::moves`].
pub type Moves = BTreeSet<usize>;

impl Intent {
    /// The Service of a side.
    #[must_use]
    pub fn party(&self, side: Side) -> &Party {
        match side {
            Side::Source => &self.source,
            Side::Target => &self.target,
        }
    }

    /// Who gives ports away in the current direction.
    #[must_use]
    pub fn giver(&self) -> Side {
        match self.direction {
            Direction::Forward => Side::Source,
            Direction::Back => Side::Target,
        }
    }

    /// Who gets them.
    #[must_use]
    pub fn taker(&self) -> Side {
        self.giver().other()
    }

    /// The moves in the order of the current direction.
    #[must_use]
    pub fn order(&self) -> Vec<usize> {
        let forward = 0..self.moves.len();
        match self.direction {
            Direction::Forward => forward.collect(),
            Direction::Back => forward.rev().collect(),
        }
    }

    /// All moves.
    #[must_use]
    pub fn all(&self) -> Moves {
        (0..self.moves.len()).collect()
    }

    /// The annotation's value that marks a Service as seen by this turn.
    #[must_use]
    pub fn mark(&self) -> String {
        format!("{}.{}", self.id, self.turn)
    }

    /// The same, the other way, in a new turn.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let direction = match self.direction {
            Direction::Forward => Direction::Back,
            Direction::Back => Direction::Forward,
        };
        Self { direction, turn: self.turn + 1, ..self.clone() }
    }
}
