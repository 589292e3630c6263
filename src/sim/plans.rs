//! Plans that are known to be wrong. Each has to be caught, or the properties are worth nothing.

use super::program::Decide;
use crate::migrate::intent::{Direction, Intent, Moves, Side};
use crate::migrate::machine::{Decision, Effect, End, Tally, Waiting, decide};
use crate::migrate::world::{KeyState, NodeView, Seen, SpecState, World};

/// Claims before it releases.
pub const CLAIM_FIRST: Decide = |intent, world, tally, _| match decide(intent, world, tally) {
    Decision::Do(Effect::Hold { side, .. }) if side == intent.giver() && held(world, intent.taker()).is_empty() => {
        Decision::Do(Effect::Hold { side: intent.taker(), moves: intent.all() })
    }
    decision => decision,
};

/// Goes back by the step that the journal names: what it does not name was not done.
pub const STEPS: Decide = |intent, world, tally, step| {
    let mut world = world.clone();
    // Both marks are the first two steps, the release is the third, the claim the fourth.
    if intent.direction == Direction::Back && step < 4 {
        world.target.state = SpecState::Claims(Moves::new());
    }
    decide(intent, &world, &Tally { expected: [None, None], ..tally.clone() })
};

/// Waits for the API server's word, and for no agent's.
pub const API_ONLY: Decide = |intent, world, tally, _| {
    let believe = |node: &NodeView| NodeView { seen: Ok(believed(intent, world)), ..node.clone() };
    decide(intent, &World { nodes: world.nodes.iter().map(believe).collect(), ..world.clone() }, tally)
};

/// Looks at one node, and takes the others to be like it.
pub const ONE_NODE: Decide = |intent, world, tally, _| {
    decide(intent, &World { nodes: world.nodes.iter().take(1).cloned().collect(), ..world.clone() }, tally)
};

/// Goes back in one step: both Services at once, and done.
pub const BACK_AT_ONCE: Decide = |intent, world, tally, step| match intent.direction {
    Direction::Forward => decide(intent, world, tally),
    Direction::Back if held(world, Side::Source) == intent.all() => API_ONLY(intent, world, tally, step),
    Direction::Back => Decision::Do(Effect::Swap { giver: Side::Target }),
};

/// Waits for agents, and wakes none.
pub const NO_NUDGE: Decide = |intent, world, tally, _| match decide(intent, world, tally) {
    Decision::Do(Effect::Nudge(_)) => Decision::Wait(Waiting::Backends),
    decision => decision,
};

/// Takes an agent that shows nothing for one that has nothing.
pub const EMPTY_IS_GONE: Decide = |intent, world, tally, _| {
    let believe = |node: &NodeView| {
        let seen = node.seen.clone().map(|seen| Seen { synced: true, ..seen });
        NodeView { seen, ..node.clone() }
    };
    decide(intent, &World { nodes: world.nodes.iter().map(believe).collect(), ..world.clone() }, tally)
};

/// Puts no mark on anything: a late write of an earlier turn is not kept out.
pub const NO_FENCE: Decide = |intent, world, tally, _| {
    let mut world = world.clone();
    let turn = Some(intent.turn);
    (world.source.mark, world.target.mark) = (turn, turn);
    for seen in world.nodes.iter_mut().filter_map(|node| node.seen.as_mut().ok()) {
        (seen.source_mark, seen.target_mark) = (turn, turn);
    }
    match decide(intent, &world, tally) {
        Decision::Do(Effect::Unmark(_)) if intent.direction == Direction::Forward => {
            Decision::End(End::Done { unknown: 0 })
        }
        Decision::Do(Effect::Unmark(_)) => Decision::End(End::RolledBack { unknown: 0 }),
        decision => decision,
    }
};

fn held(world: &World, side: Side) -> Moves {
    match &world.spec(side).state {
        SpecState::Claims(moves) => moves.clone(),
        _ => Moves::new(),
    }
}

/// What an agent would show if it had done already what the API server holds.
fn believed(intent: &Intent, world: &World) -> Seen {
    let key = |mv: usize| {
        let owner = [Side::Source, Side::Target].into_iter().find(|side| held(world, *side).contains(&mv));
        owner.map_or(KeyState::Absent, |side| KeyState::Owned { side, done: true, active: true })
    };
    let keys: Vec<KeyState> = (0..intent.moves.len()).map(key).collect();
    Seen {
        at: world.now,
        synced: true,
        source_mark: world.source.mark,
        target_mark: world.target.mark,
        drain: true,
        since: world.now,
        dark_since: vec![None; keys.len()],
        dark_ms: vec![0; keys.len()],
        keys,
    }
}
