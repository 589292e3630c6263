//! What a migration may do to a cluster: the one trait through which anything is written.

use super::intent::{Intent, Moves, Side};
use super::machine::Effect;
use super::world::{Millis, World};

/// How an effect ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It is done, and was read back.
    Done,
    /// Somebody else wrote in between; nothing was changed by us.
    Conflict(String),
    /// The API server refused it; nothing was changed.
    Refused(String),
    /// There was no answer: it may have been done, or may still be.
    Unknown(String),
}

/// What an effect did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Applied {
    /// How it ended.
    pub outcome: Outcome,
    /// What is known to have been written: which Service claims which moves by it. A handoff that ended
    /// between its two writes names the first.
    pub wrote: Vec<(Side, Moves)>,
}

/// Why a look could not be taken at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LookError {
    /// The API server does not answer; it may again.
    #[error("{0}")]
    Unreachable(String),
    /// The journal belongs to somebody else by now, or is gone: this run has no right to go on.
    #[error("{0}")]
    LostLock(String),
}

/// A cluster that is migrated in.
#[expect(async_fn_in_trait, reason = "the runtime has one thread, so nobody needs the future to be Send")]
pub trait Cluster {
    /// Milliseconds of a steady clock; those of every [`World`] that this cluster shows.
    fn now(&self) -> Millis;

    /// Looks at both Services, the nodes and the slices; checks that the journal is still ours. Where one of
    /// the Services does not carry this turn's mark, the journal is read *after* them: whoever took over
    /// in between has written, or will write, both, so that nothing we do with what was read here succeeds.
    async fn look(&mut self, intent: &Intent) -> Result<World, LookError>;

    /// Does one thing, with its own deadline and without repeating it, and reads it back. It succeeds only on
    /// the very versions of the Services that the last look read.
    async fn apply(&mut self, intent: &Intent, effect: &Effect) -> Applied;

    /// Writes the intent to the journal, by compare-and-swap; a conflict says that the journal is somebody
    /// else's by now.
    async fn save(&mut self, intent: &Intent) -> Outcome;

    /// Waits until a node's view changes, or so many milliseconds passed.
    async fn pause(&mut self, most_ms: u64);
}
