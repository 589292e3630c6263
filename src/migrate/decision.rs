//! What may be decided: what to write, what to wait for, how it ends; and what a run remembers meanwhile.

use super::intent::{Intent, Moves, Side};
use super::world::{Millis, SliceOp, SpecState, World};

/// Something to write, one at a time.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Put the turn's mark on a Service.
    Mark(Side),
    /// Make a Service claim exactly these moves; without any it becomes what the intent says.
    Hold {
        /// Which Service.
        side: Side,
        /// What it claims afterwards.
        moves: Moves,
    },
    /// Release everything on one Service and claim it on the other, back to back.
    Swap {
        /// Who gives.
        giver: Side,
    },
    /// Make the deleted source again, claiming nothing yet.
    Restore,
    /// Make, change or remove a drain slice.
    Slice(SliceOp),
    /// Write a Service again so that agents look at it again.
    Nudge(Side),
    /// Take the mark off a Service.
    Unmark(Side),
}

/// What comes next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// Do this.
    Do(Effect),
    /// Turn round: save the reversed intent, and decide again.
    Turn(Stop),
    /// Look again when something changed.
    Wait(Waiting),
    /// There is nothing more to do.
    End(End),
}

/// What is waited for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Waiting {
    /// These nodes do not show both marks yet.
    Marks(Vec<String>),
    /// The drain slices' backends are not on these nodes yet.
    Slices(Vec<String>),
    /// The taker has no active backends.
    Backends,
    /// The taker does not have the VIP.
    Vip,
    /// Neither Service may change for so many milliseconds more.
    Quiet(Millis),
    /// These nodes still have a row, or do not answer.
    Dropped {
        /// Which move.
        mv: usize,
        /// Where.
        nodes: Vec<String>,
    },
    /// These nodes do not serve it from the taker yet.
    Programmed {
        /// Which move.
        mv: usize,
        /// Where.
        nodes: Vec<String>,
    },
    /// Old connections may go on for so many milliseconds more.
    Drained(Millis),
}

/// How it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// Everything has moved; so many nodes could not be asked.
    Done {
        /// Nodes that are unknown.
        unknown: usize,
    },
    /// Everything is as it was before; so many nodes could not be asked.
    RolledBack {
        /// Nodes that are unknown.
        unknown: usize,
    },
    /// It stopped, and can be resumed or rolled back.
    Stopped(Stop),
}

/// Why it stopped, or turned round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// Somebody else wrote to a Service: what and who.
    Foreign(Side, String),
    /// The Service is another one, or is gone.
    Replaced(Side),
    /// Both claim this move: somebody else wrote.
    Both(usize),
    /// A third Service has the port on a node.
    OtherOwner {
        /// Which move.
        mv: usize,
        /// Where, and who.
        at: String,
    },
    /// The time is over.
    Late,
    /// A port was dark on a node for too long.
    Dark(String),
    /// The API server refused a write.
    Refused(String),
    /// The user asked for it.
    Asked,
}

/// What the runner remembers of its own run; nothing that a resumed run could not do without.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Tally {
    /// How often each side was nudged.
    pub nudges: [u32; 2],
    /// What this run last wrote, or first saw, of each Service: anything else is somebody else's write.
    pub expected: [Option<Moves>; 2],
    /// The time of the run is over.
    pub late: bool,
    /// The user wants it to stop.
    pub stop: bool,
    /// A write was refused.
    pub refused: Option<String>,
}

impl Tally {
    /// What is expected of a side.
    pub fn expected(&mut self, side: Side) -> &mut Option<Moves> {
        &mut self.expected[usize::from(side == Side::Target)]
    }

    /// How often a side was nudged so far.
    #[must_use]
    pub fn nudges(&self, side: Side) -> u32 {
        self.nudges[usize::from(side == Side::Target)]
    }

    /// One more effect was tried.
    pub fn count(&mut self, effect: &Effect) {
        if let Effect::Nudge(side) = effect {
            self.nudges[usize::from(*side == Side::Target)] += 1;
        }
    }

    /// Takes what it first sees of each Service for granted, and nothing that comes later. Before the turn's
    /// mark is on it, a write of an earlier turn may still arrive: that is nobody else's.
    pub fn remember(&mut self, intent: &Intent, world: &World) {
        for side in [Side::Source, Side::Target] {
            let spec = world.spec(side);
            let fenced = !spec.present || spec.mark == Some(intent.turn);
            if let (true, SpecState::Claims(moves)) = (fenced, &spec.state) {
                self.expected(side).get_or_insert_with(|| moves.clone());
            }
        }
    }

    /// A write got no answer: what the Services are is not known any more.
    pub fn unanswered(&mut self) {
        self.expected = [None, None];
    }

    /// It goes the other way from here.
    pub fn turned(&mut self) {
        *self = Self { expected: self.expected.clone(), ..Self::default() };
    }
}

/// Removes what a migration leaves lying about: slices and marks.
#[must_use]
pub fn cleanup(world: &World) -> Option<Effect> {
    if let Some(slice) = world.drain.present.first() {
        return Some(Effect::Slice(SliceOp::Delete(slice.clone())));
    }
    [Side::Source, Side::Target].into_iter().find(|side| world.spec(*side).mark.is_some()).map(Effect::Unmark)
}
