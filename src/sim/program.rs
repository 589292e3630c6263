//! The program in the model: the real decision, and around it what the executor does, cut into the pieces
//! between which something else may happen.

use std::collections::BTreeSet;

use super::properties::{self, Broken};
use super::world::{Change, Flight, Model, SIDES, TURN, View, bit, ix};
use crate::migrate::intent::{
    Direction, Drain, FORMAT, Intent, Limits, Move, Moves, OnFailure, Party, Side, SourceAfter, Strategy,
};
use crate::migrate::machine::{Decision, Effect, End, Tally};
use crate::migrate::world::{DrainView, KeyState, NodeView, Seen, SliceId, SliceOp, Spec, SpecState, World};

/// How something is decided: the real way, or one that is known to be wrong. The number is the step that the
/// journal names, for the one that believes in it.
pub type Decide = fn(&Intent, &World, &Tally, u8) -> Decision;

/// A run of the command.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Runner {
    pub back: bool,
    pub turn: u8,
    pub step: u8,
    pub tally: Tally,
    pub phase: Phase,
}

/// What a runner is about to do.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Look and decide. After a write the nodes' answers may still be those from before it.
    Look { stale: Option<Vec<View>> },
    /// Write.
    Act {
        effect: Effect,
        /// Whether each Service still is as it was seen.
        fresh: [bool; 2],
        /// The second write of a handoff.
        second: bool,
    },
    /// Save the journal: this direction and turn.
    Save { back: bool, turn: u8, turned: bool },
    /// Save the step that was done; only for the plan that does so.
    SaveStep,
}

/// How a look falls out, where that is not the model's business.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Eyes {
    /// The agents' answers are from before the last write.
    pub stale: bool,
    /// Much time has passed.
    pub elapsed: bool,
    /// More of it than a port may be dark.
    pub dark: bool,
    pub late: bool,
    pub stop: bool,
}

impl Runner {
    pub fn new(back: bool, step: u8) -> Self {
        Self { back, turn: TURN, step, tally: Tally::default(), phase: Phase::Look { stale: None } }
    }

    /// Somebody wrote a Service.
    pub fn outdated(&mut self, side: Side) {
        if let Phase::Act { fresh, .. } = &mut self.phase {
            fresh[ix(side)] = false;
        }
    }

    pub fn older(&mut self) {
        let older = |turn: u8| if turn > 1 { turn - 1 } else { turn };
        self.turn = older(self.turn);
        match &mut self.phase {
            Phase::Look { stale: Some(views) } => views.iter_mut().for_each(View::older),
            Phase::Save { turn, .. } => *turn = older(*turn),
            _ => {}
        }
    }

    pub fn stale_view(&self, at: usize) -> Option<View> {
        match &self.phase {
            Phase::Look { stale: Some(views) } => views.get(at).copied(),
            _ => None,
        }
    }

    pub fn reorder(&mut self, order: &[usize]) {
        if let Phase::Look { stale: Some(views) } = &mut self.phase {
            *views = order.iter().map(|at| views[*at]).collect();
        }
    }
}

/// One exploration: the shape of the world, and what is asked of the program.
#[derive(Debug, Clone)]
pub struct Program {
    pub intent: Intent,
    pub decide: Decide,
    /// Whether the journal names the step.
    pub steps: bool,
}

impl Program {
    pub fn new(moves: u8, strategy: Strategy, after: SourceAfter, drain: bool, on_failure: OnFailure) -> Self {
        let party = |name: &str| Party {
            service: crate::model::ServiceRef::new("shop", name),
            uid: String::new(),
            before: serde_json::Value::Null,
            backed: true,
            local: false,
        };
        let one = Move { keys: Vec::new(), from: serde_json::Value::Null, to: serde_json::Value::Null };
        let limits = Limits { timeout_ms: 1_000_000_000, max_dark_ms: LONG, allow_unknown: 0, on_failure };
        let intent = Intent {
            format: FORMAT.into(),
            id: "m".into(),
            source: party("a"),
            target: party("b"),
            moves: vec![one; usize::from(moves)],
            source_after: after,
            strategy,
            drain: drain.then_some(Drain { timeout_ms: 5_000 }),
            direction: Direction::Forward,
            turn: 1,
            limits,
            period_ms: 500,
        };
        Self {
            intent,
            decide: |intent, world, tally, _| crate::migrate::machine::decide(intent, world, tally),
            steps: false,
        }
    }

    pub fn intent(&self, back: bool, turn: u8) -> Intent {
        let direction = if back { Direction::Back } else { Direction::Forward };
        Intent { direction, turn: turn.into(), ..self.intent.clone() }
    }

    /// One look and the decision that follows. The model is left as it is after that.
    pub fn look(&self, model: &mut Model, who: usize, eyes: Eyes) -> Option<Broken> {
        let runner = model.runners[who].clone()?;
        if lost_lock(model, who, runner.turn) {
            model.runners[who] = None;
            return None;
        }
        let intent = self.intent(runner.back, runner.turn);
        let world = world(&intent, model, &runner, eyes);
        let mut tally = runner.tally.clone();
        (tally.late, tally.stop) = (eyes.late, eyes.stop);
        tally.remember(&intent, &world);
        let decision = (self.decide)(&intent, &world, &tally, runner.step);
        let broken = properties::of_decision(&intent, model, &tally, &decision);
        (tally.late, tally.stop) = (false, false);
        let phase = match decision {
            Decision::Wait(_) => Some(runner.phase.clone()),
            Decision::Do(effect) => Some(Phase::Act { effect, fresh: [true, true], second: false }),
            Decision::Turn(_) => Some(Phase::Save { back: !runner.back, turn: runner.turn + 1, turned: true }),
            Decision::End(end) => {
                match end {
                    End::Done { .. } => model.journal.finished = Some(false),
                    End::RolledBack { .. } => model.journal.finished = Some(true),
                    End::Stopped(_) => {}
                }
                None
            }
        };
        model.runners[who] = phase.map(|phase| Runner { phase, tally, ..runner });
        broken
    }

    /// The write that comes next in an effect.
    pub fn request(&self, intent: &Intent, effect: &Effect, second: bool) -> Flight {
        let turn = u8::try_from(intent.turn).unwrap_or(TURN);
        match effect {
            Effect::Mark(side) | Effect::Nudge(side) => Flight::Service(*side, Change::Mark(turn)),
            Effect::Unmark(side) => Flight::Service(*side, Change::Unmark),
            Effect::Hold { side, moves } => Flight::Service(*side, hold(intent, *side, moves)),
            Effect::Restore => Flight::Service(Side::Source, Change::Create(turn)),
            Effect::Swap { giver } if second => {
                Flight::Service(giver.other(), hold(intent, giver.other(), &intent.all()))
            }
            Effect::Swap { giver } => Flight::Service(*giver, hold(intent, *giver, &Moves::new())),
            Effect::Slice(SliceOp::Create(id) | SliceOp::Update(id)) => Flight::Slice(side_of(id), true),
            Effect::Slice(SliceOp::Delete(id)) => Flight::Slice(side_of(id), false),
        }
    }
}

fn hold(intent: &Intent, side: Side, moves: &Moves) -> Change {
    if side == Side::Source && moves.is_empty() && intent.source_after == SourceAfter::Delete {
        return Change::Remove;
    }
    Change::Claim(mask(moves))
}

/// The journal is read after the Services, and only where one of them does not carry this turn's mark: with
/// both marks there, nobody has taken over yet.
fn lost_lock(model: &Model, who: usize, turn: u8) -> bool {
    let marked = SIDES.iter().all(|side| !model.object(*side).present || model.object(*side).mark == turn);
    !marked && (usize::from(model.journal.holder) != who || model.journal.finished.is_some())
}

/// What the clock shows at every look; only differences matter.
const NOW: u64 = 10_000_000;

/// Longer than anything is waited for, in milliseconds.
const LONG: u64 = 1_000_000;

/// What a look shows.
pub fn world(intent: &Intent, model: &Model, runner: &Runner, eyes: Eyes) -> World {
    let now = NOW;
    let last_write = if eyes.elapsed || eyes.dark { now - LONG } else { now };
    let stale = |at: usize| if eyes.stale { runner.stale_view(at) } else { None };
    let node = |at: usize| {
        let (view, asked) = stale(at).map_or((model.agents[at].view, now), |view| (view, last_write - 1));
        let seen = if view.silent {
            Err("no answer".to_owned())
        } else {
            Ok(seen(intent, model, view, asked, last_write, eyes))
        };
        NodeView { name: format!("nd{at}"), seen }
    };
    let all = intent.all();
    let holds = |side: Side| moves(model.object(side).moves) == all && model.object(side.other()).moves == 0;
    World {
        now,
        last_write,
        source: spec(model, Side::Source),
        target: spec(model, Side::Target),
        quiet_since: last_write,
        nodes: (0..model.agents.len()).map(node).collect(),
        drain: drain(intent, model),
        switched_for: holds(intent.taker()).then_some(now - last_write),
    }
}

fn spec(model: &Model, side: Side) -> Spec {
    let object = model.object(side);
    Spec {
        state: SpecState::Claims(moves(object.moves)),
        present: object.present,
        mark: mark(object.mark),
        has_vip: object.vip,
        touched: None,
        stranger: None,
        writer: String::new(),
    }
}

fn seen(intent: &Intent, model: &Model, view: View, at: u64, since: u64, eyes: Eyes) -> Seen {
    let key = |mv: usize| match SIDES.into_iter().find(|side| view.owns[ix(*side)] & (1 << mv) != 0) {
        Some(side) => KeyState::Owned { side, done: true, active: true },
        None => KeyState::Absent,
    };
    let keys: Vec<KeyState> = (0..intent.moves.len()).map(key).collect();
    let dark = |key: &KeyState| (*key == KeyState::Absent).then_some(if eyes.dark { 0 } else { since });
    Seen {
        at,
        synced: view.row[1] != 0 && (view.row[0] != 0 || !model.object(Side::Source).present),
        source_mark: mark(view.row[0].saturating_sub(1)),
        target_mark: mark(view.row[1].saturating_sub(1)),
        dark_since: keys.iter().map(dark).collect(),
        dark_ms: vec![0; keys.len()],
        keys,
        drain: view.slices & bit(intent.taker()) != 0,
        since,
    }
}

fn drain(intent: &Intent, model: &Model) -> DrainView {
    let present = |side: &Side| model.slices & bit(*side) != 0;
    let mut due = Vec::new();
    if present(&intent.giver()) {
        due.push(SliceOp::Delete(slice(intent.giver())));
    }
    if intent.drain.is_some() && !present(&intent.taker()) {
        due.push(SliceOp::Create(slice(intent.taker())));
    }
    DrainView {
        useful: true,
        due,
        present: SIDES.into_iter().filter(|side| present(side)).map(slice).collect(),
        taker_backed: true,
        connections: None,
    }
}

fn slice(side: Side) -> SliceId {
    SliceId { namespace: String::new(), name: if side == Side::Source { "a" } else { "b" }.into() }
}

fn side_of(id: &SliceId) -> Side {
    if id.name == "a" { Side::Source } else { Side::Target }
}

fn mark(turn: u8) -> Option<u32> {
    (turn != 0).then_some(turn.into())
}

/// Bits as a set.
pub fn moves(mask: u8) -> Moves {
    (0..8).filter(|mv| mask & (1 << mv) != 0).collect()
}

/// A set as bits.
pub fn mask(moves: &BTreeSet<usize>) -> u8 {
    moves.iter().fold(0, |mask, mv| mask | 1 << mv)
}
