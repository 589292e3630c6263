//! What must hold: in each decision, at each write, in each state, and at the end.

use super::program::mask;
use super::world::{Change, Flight, Model, SIDES, Shape, ix};
use crate::migrate::intent::{Direction, Intent, Side, SourceAfter, Strategy};
use crate::migrate::machine::{Decision, Effect, End, MOST_NUDGES, Tally};

/// A property that does not hold, and how that shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    pub property: &'static str,
    pub how: String,
}

/// This property does not hold.
pub fn broken(property: &'static str, how: impl Into<String>) -> Option<Broken> {
    Some(Broken { property, how: how.into() })
}

/// What must hold where something is decided. The model is as it is at this moment, whatever was seen of it.
pub fn of_decision(intent: &Intent, model: &Model, tally: &Tally, decision: &Decision) -> Option<Broken> {
    let effect = match decision {
        Decision::Do(effect) => effect,
        Decision::End(end) => return of_end(intent, model, end),
        Decision::Turn(_) if intent.direction == Direction::Back => return broken("L2", "turns round twice"),
        Decision::Turn(_) | Decision::Wait(_) => return None,
    };
    if SIDES.into_iter().any(|side| tally.nudges(side) > MOST_NUDGES) {
        return broken("L2", "nudges without end");
    }
    let claimed = |side: Side| model.object(side).moves;
    let unexpected = |side: Side| tally.expected[ix(side)].as_ref().is_some_and(|moves| mask(moves) != claimed(side));
    if SIDES.into_iter().any(unexpected) {
        return broken("foreign", format!("{effect:?} although somebody else wrote"));
    }
    let (giver, taker) = (intent.giver(), intent.taker());
    match effect {
        Effect::Hold { side, moves } if *side == giver && mask(moves) != claimed(giver) => {
            opens(intent, model).or_else(|| last_port(intent, model, mask(moves)))
        }
        Effect::Swap { .. } => follows(intent, model).or_else(|| last_port(intent, model, 0)),
        Effect::Hold { side, moves } if *side == taker => claims(intent, model, mask(moves) & !claimed(taker)),
        _ => None,
    }
}

/// S5: every agent follows both Services before anything is opened.
fn follows(intent: &Intent, model: &Model) -> Option<Broken> {
    let turn = u32::from(model.agents.iter().all(|agent| !agent.view.silent));
    let proved = SIDES
        .into_iter()
        .filter(|side| model.object(*side).present)
        .all(|side| model.agents.iter().all(|agent| u32::from(agent.view.row[ix(side)]) == intent.turn + 1));
    if turn == 1 && proved { None } else { broken("S5", "opens a port before every agent was seen to follow") }
}

/// S5: and under `ordered` only while every other port is served.
fn opens(intent: &Intent, model: &Model) -> Option<Broken> {
    let claimed = SIDES.iter().fold(0, |all, side| all | model.object(*side).moves);
    let open = claimed != mask(&intent.all());
    if open && intent.strategy == Strategy::Ordered {
        return broken("S5", "opens a port while another one is open");
    }
    follows(intent, model)
}

/// S3: the source's last port goes only while the target has the VIP.
fn last_port(intent: &Intent, model: &Model, left: u8) -> Option<Broken> {
    let goes = intent.direction == Direction::Forward
        && left == 0
        && matches!(intent.source_after, SourceAfter::ClusterIp | SourceAfter::Delete);
    if goes && !model.object(Side::Target).vip { broken("S3", "the VIP is left to nobody") } else { None }
}

/// S7: a port is claimed when no agent that answers has a row of it; going forward, every agent answers.
fn claims(intent: &Intent, model: &Model, new: u8) -> Option<Broken> {
    let forward = intent.direction == Direction::Forward;
    let gone = model.agents.iter().all(|agent| {
        let view = agent.view;
        let synced = view.row[1] != 0 && (view.row[0] != 0 || !model.object(Side::Source).present);
        if view.silent { !forward } else { synced && (view.owns[0] | view.owns[1]) & new == 0 }
    });
    if gone { None } else { broken("S7", "claims a port before every agent was seen without it") }
}

/// S1: no write of ours makes both claim one move. Where somebody else wrote, that is not ours.
pub fn of_write(model: &Model, request: Flight) -> Option<Broken> {
    let Flight::Service(side, Change::Claim(moves)) = request else { return None };
    let (me, other) = (model.object(side), model.object(side.other()));
    let both = moves & !me.moves & other.moves;
    if both != 0 && other.present && !model.meddled { broken("S1", "both claim one port") } else { None }
}

/// S2: an agent that has seen everything has no row of a Service that does not ask for it any more.
pub fn of_state(model: &Model) -> Option<Broken> {
    let wrong = |side: Side, owns: u8| {
        let object = model.object(side);
        owns & !(if object.vip { object.moves } else { 0 }) != 0
    };
    let agent = model
        .agents
        .iter()
        .find(|agent| agent.quiet() && SIDES.into_iter().any(|side| wrong(side, agent.view.owns[ix(side)])));
    agent.and_then(|agent| broken("S2", format!("a row stays that nobody asks for: {agent:?}")))
}

/// S6, R1, R2: at the end both Services are what they should be, every agent shows it, and nothing is left.
fn of_end(intent: &Intent, model: &Model, end: &End) -> Option<Broken> {
    let holder = match end {
        End::Done { .. } => Side::Target,
        End::RolledBack { .. } => Side::Source,
        End::Stopped(_) => return None,
    };
    let all = mask(&intent.all());
    let (has, other) = (model.object(holder), model.object(holder.other()));
    let kept = holder == Side::Source || other.present == (intent.source_after != SourceAfter::Delete);
    if has.moves != all || other.moves != 0 || !has.present || !kept {
        return broken("R1", format!("ends with {has:?} and {other:?}"));
    }
    if has.mark != 0 || other.mark != 0 || model.slices != 0 {
        return broken("R2", "something of ours is left");
    }
    let served = model.agents.iter().all(|agent| !agent.view.silent && agent.view.owns[ix(holder)] == all);
    if served { None } else { broken("S6", "the end is told before every agent shows it") }
}

/// Whether this is where a migration may end for good.
pub fn good(shape: &Shape, model: &Model) -> bool {
    let Some(back) = model.journal.finished else { return false };
    let holder = if back { Side::Source } else { Side::Target };
    let right = |agent: &super::world::Agent| agent.quiet() && agent.view.owns[ix(holder)] == shape.all();
    model.object(holder).moves == shape.all() && model.agents.iter().all(right)
}
