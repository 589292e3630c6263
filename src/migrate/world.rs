//! What was seen of the world that a migration is about. Plain data: times are milliseconds of the
//! runner's own steady clock, whose zero means nothing.

use crate::model::ServiceRef;

use super::intent::{Moves, Side};

/// Milliseconds of the runner's steady clock.
pub type Millis = u64;

/// One look: both Services in the API, every node, and our slices.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct World {
    /// Now.
    pub now: Millis,
    /// When this run last wrote something to a cluster; what was seen before that proves nothing.
    pub last_write: Millis,
    /// The source.
    pub source: Spec,
    /// The target.
    pub target: Spec,
    /// Since when neither Service, nor a slice of theirs, was seen to change.
    pub quiet_since: Millis,
    /// The nodes, by name.
    pub nodes: Vec<NodeView>,
    /// The drain slices.
    pub drain: DrainView,
    /// Since when the taker holds every move, as the API dates its last write; none where it does not.
    pub switched_for: Option<Millis>,
}

impl World {
    /// The Service of a side.
    #[must_use]
    pub fn spec(&self, side: Side) -> &Spec {
        match side {
            Side::Source => &self.source,
            Side::Target => &self.target,
        }
    }
}

/// A Service in the API, held against the intent.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Spec {
    /// Which of the moves it claims.
    pub state: SpecState,
    /// Whether it is there; only a source that the intent deletes may not be.
    pub present: bool,
    /// The turn of the mark that it carries.
    pub mark: Option<u32>,
    /// Whether its status has the VIPs of the moves.
    pub has_vip: bool,
    /// What somebody else changed of it that decides nothing about its ports (labels, others' annotations):
    /// a reason to stop where no port is open.
    pub touched: Option<String>,
    /// The mark of another migration that it carries.
    pub stranger: Option<String>,
    /// Who wrote it last, status apart, and when; for messages.
    pub writer: String,
}

/// A Service in the API, held against the intent.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum SpecState {
    /// It is what the intent makes of it where it claims these moves.
    Claims(Moves),
    /// It is another object than the one that the intent is about.
    Replaced,
    /// It is not there, and the intent does not delete it.
    Gone,
    /// Somebody changed it: what, by whom.
    Foreign(String),
}

/// A node, as its agent shows it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct NodeView {
    /// Its name.
    pub name: String,
    /// What its agent said, or why it did not.
    pub seen: Result<Seen, String>,
}

/// What an agent said.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Seen {
    /// When the question was sent.
    pub at: Millis,
    /// Whether it has rows of both Services (of the target alone where the source was deleted): an agent
    /// that has just started shows empty tables.
    pub synced: bool,
    /// The turn of the source's mark in its table.
    pub source_mark: Option<u32>,
    /// The turn of the target's mark in its table.
    pub target_mark: Option<u32>,
    /// For each move, who has it.
    pub keys: Vec<KeyState>,
    /// Whether the backends of every drain slice are in its table.
    pub drain: bool,
    /// Since when the keys are as they are.
    pub since: Millis,
    /// For each move, since when no row was seen, where none is.
    pub dark_since: Vec<Option<Millis>>,
    /// For each move, how long this run saw no row, all together and without the time since `dark_since`.
    pub dark_ms: Vec<Millis>,
}

impl Seen {
    /// The turn of a side's mark.
    #[must_use]
    pub fn mark(&self, side: Side) -> Option<u32> {
        match side {
            Side::Source => self.source_mark,
            Side::Target => self.target_mark,
        }
    }
}

/// Who has a move's port on a node. Several keys of one move (one for each VIP) count as their worst.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum KeyState {
    /// No row.
    Absent,
    /// A row of one of the two.
    Owned {
        /// Whose.
        side: Side,
        /// `Status` is Done (on 1.20 also with an `ID`).
        done: bool,
        /// It has active backends (terminating ones do not count).
        active: bool,
    },
    /// A row of somebody else.
    Other(ServiceRef),
}

/// The drain slices, held against what they should be.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct DrainView {
    /// Whether a drain is of use: the two Services have different backends.
    pub useful: bool,
    /// What to do so that they are as they should be while connections drain; empty where they are.
    pub due: Vec<SliceOp>,
    /// Every slice of this migration that is there.
    pub present: Vec<SliceId>,
    /// Whether the taker has active backends of its own for every move, by its slices.
    pub taker_backed: bool,
    /// Connections that still use them, where the agents can tell.
    pub connections: Option<u64>,
}

/// A slice by namespace and name.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SliceId {
    /// The namespace.
    pub namespace: String,
    /// The name.
    pub name: String,
}

/// What to do with one drain slice.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum SliceOp {
    /// Make it.
    Create(SliceId),
    /// Bring its endpoints up to date.
    Update(SliceId),
    /// Remove it.
    Delete(SliceId),
}
