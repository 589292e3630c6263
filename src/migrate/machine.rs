//! Decides the next thing to do, from what is wanted and what was seen. Pure, total, and without a memory
//! of steps: a crash, a second run, another writer, and it looks again and decides again.
//!
//! # The order of things
//! Both Services are marked and every agent shows both marks before anything is opened: an agent that
//! does not follow is found while the port is still served. Then `ordered` releases one port, waits
//! until no node has a row of it, claims it, and waits until every node serves it from the new owner.
//! `handoff` waits for quiet as well, and then writes both Services back to back; whatever that leaves
//! undone is finished by the ordered way. Going back is the same with the two Services exchanged.
//!
//! # Guarantees
//! - The two never claim one port at a time (S1): a claim is written only when the other was seen without.
//! - No write follows one whose answer is missing, before both Services have been written in the new turn:
//!   a late one then fails by its resourceVersion.
//! - Done is said only when every node that may not stay unknown showed the new owner (S6), in an answer
//!   asked for after the last write (S7).
//! - What anybody else changes wins: the machine stops.

pub use super::decision::{Decision, Effect, End, Stop, Tally, Waiting, cleanup};
use super::intent::{Direction, Intent, Moves, OnFailure, Side, SourceAfter, Strategy};
use super::world::{KeyState, Millis, NodeView, Seen, SliceOp, Spec, SpecState, World};

/// A Service that an agent does not take up is written anew this many times.
pub const MOST_NUDGES: u32 = 6;

const SIDES: [Side; 2] = [Side::Source, Side::Target];

/// Decides the next thing to do.
#[must_use]
pub fn decide(intent: &Intent, world: &World, tally: &Tally) -> Decision {
    let it = Deciding { intent, world, tally };
    if let Some(stop) = it.foreign() {
        return if it.can_go_back(&stop) { Decision::Turn(stop) } else { Decision::End(End::Stopped(stop)) };
    }
    if it.finished() {
        return it.finish();
    }
    it.give_up().or_else(|| it.handoff()).unwrap_or_else(|| it.ordered())
}

/// Who claims a move in the API.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holder {
    Giver,
    Taker,
    Nobody,
    Both,
}

struct Deciding<'a> {
    intent: &'a Intent,
    world: &'a World,
    tally: &'a Tally,
}

impl Deciding<'_> {
    fn claims(&self, side: Side) -> Moves {
        match &self.world.spec(side).state {
            SpecState::Claims(moves) => moves.clone(),
            _ => Moves::new(),
        }
    }

    fn holder(&self, mv: usize) -> Holder {
        let has = |side| matches!(&self.world.spec(side).state, SpecState::Claims(moves) if moves.contains(&mv));
        match (has(self.intent.giver()), has(self.intent.taker())) {
            (true, true) => Holder::Both,
            (true, false) => Holder::Giver,
            (false, true) => Holder::Taker,
            (false, false) => Holder::Nobody,
        }
    }

    /// What somebody else did that ends this.
    fn foreign(&self) -> Option<Stop> {
        for side in SIDES {
            let Spec { state, writer, mark, stranger, .. } = self.world.spec(side);
            if let Some(other) = stranger {
                return Some(Stop::Foreign(side, format!("another migration has marked it: {other}")));
            }
            if *mark > Some(self.intent.turn) {
                return Some(Stop::Foreign(side, "another run has taken this migration over".into()));
            }
            let expected = &self.tally.expected[usize::from(side == Side::Target)];
            match state {
                SpecState::Foreign(text) => return Some(Stop::Foreign(side, text.clone())),
                // Going back needs no target that claims anything.
                SpecState::Gone if side == Side::Target && self.intent.direction == Direction::Back => {}
                SpecState::Replaced | SpecState::Gone => return Some(Stop::Replaced(side)),
                SpecState::Claims(moves) if expected.as_ref().is_some_and(|e| e != moves) => {
                    return Some(Stop::Foreign(side, format!("its ports were written by {writer}")));
                }
                SpecState::Claims(_) => {}
            }
        }
        let both = self.intent.order().into_iter().find(|mv| self.holder(*mv) == Holder::Both);
        both.map(Stop::Both).or_else(|| self.third_owner())
    }

    /// Somebody deleted the target: its ports can still be given back.
    fn can_go_back(&self, stop: &Stop) -> bool {
        *stop == Stop::Replaced(Side::Target)
            && self.world.target.state == SpecState::Gone
            && self.intent.direction == Direction::Forward
            && self.intent.limits.on_failure == OnFailure::Rollback
    }

    fn third_owner(&self) -> Option<Stop> {
        self.known().find_map(|(node, seen)| {
            seen.keys.iter().enumerate().find_map(|(mv, key)| match key {
                KeyState::Other(owner) => Some(Stop::OtherOwner { mv, at: format!("{owner} on {}", node.name) }),
                _ => None,
            })
        })
    }

    fn known(&self) -> impl Iterator<Item = (&NodeView, &Seen)> {
        self.world.nodes.iter().filter_map(|node| node.seen.as_ref().ok().map(|seen| (node, seen)))
    }

    fn unknown(&self) -> Vec<String> {
        self.world.nodes.iter().filter(|node| node.seen.is_err()).map(|node| node.name.clone()).collect()
    }

    /// Nodes of which this is not known to be so; unknown ones only where they are more than `allowed`.
    fn lagging(&self, allowed: usize, so: impl Fn(&Seen) -> bool) -> Vec<String> {
        let fresh = |seen: &Seen| seen.at >= self.world.last_write && seen.synced;
        let known = self.known().filter(|(_, seen)| !(fresh(seen) && so(seen)));
        let mut nodes: Vec<String> = known.map(|(node, _)| node.name.clone()).collect();
        let unknown = self.unknown();
        if unknown.len() > allowed {
            nodes.extend(unknown);
        }
        nodes
    }

    fn allowed(&self) -> usize {
        self.intent.limits.allow_unknown
    }

    /// Where the taker does not serve a move yet.
    fn unserved(&self, mv: usize) -> Vec<String> {
        let taker = self.intent.taker();
        let party = self.intent.party(taker);
        let somewhere =
            self.known().any(|(_, seen)| matches!(seen.keys.get(mv), Some(KeyState::Owned { active: true, .. })));
        let served = |seen: &Seen| match seen.keys.get(mv) {
            Some(KeyState::Owned { side, done: true, active }) if *side == taker => {
                *active || !party.backed || (party.local && somewhere)
            }
            _ => false,
        };
        self.lagging(self.allowed(), served)
    }

    fn finished(&self) -> bool {
        self.intent.order().into_iter().all(|mv| self.holder(mv) == Holder::Taker && self.unserved(mv).is_empty())
    }

    /// A port that nobody claims, or that the taker claims and a node does not serve.
    fn open(&self) -> bool {
        self.intent.order().into_iter().any(|mv| match self.holder(mv) {
            Holder::Nobody => true,
            Holder::Taker => !self.unserved(mv).is_empty(),
            Holder::Giver | Holder::Both => false,
        })
    }

    /// Turning round or stopping, where a limit is passed or somebody wants it.
    fn give_up(&self) -> Option<Decision> {
        let limits = &self.intent.limits;
        let long = |since: Millis| self.world.now.saturating_sub(since) > limits.max_dark_ms;
        let dark = self.known().find(|(_, seen)| {
            let since = seen.dark_since.iter().flatten().min();
            // A row without active backends answers nobody, either.
            let idle = seen.keys.iter().any(|key| self.idle(key)) && long(seen.since.max(self.world.last_write));
            idle || since.is_some_and(|since| long(*since))
        });
        let forward = self.intent.direction == Direction::Forward;
        let stop = match (&self.tally.refused, dark) {
            (Some(text), _) => Stop::Refused(text.clone()),
            (None, Some((node, _))) if forward && self.open() => Stop::Dark(node.name.clone()),
            _ if self.tally.late => Stop::Late,
            _ if !self.open() => return self.safe_stop().map(|stop| Decision::End(End::Stopped(stop))),
            _ => return None,
        };
        Some(if forward && limits.on_failure == OnFailure::Rollback {
            Decision::Turn(stop)
        } else {
            Decision::End(End::Stopped(stop))
        })
    }

    /// Writes something, but not before both Services carry this turn's mark: then nothing that was sent in
    /// an earlier turn can still arrive.
    fn write(&self, effect: Effect) -> Decision {
        Decision::Do(self.fence().unwrap_or(effect))
    }

    fn fence(&self) -> Option<Effect> {
        let unmarked = |side: &Side| {
            let spec = self.world.spec(*side);
            spec.present && spec.mark != Some(self.intent.turn)
        };
        [self.intent.giver(), self.intent.taker()].into_iter().find(unmarked).map(Effect::Mark)
    }

    /// What has to be true before a move is opened: every agent follows both Services, and the taker can
    /// take it.
    fn not_ready(&self, mv: usize) -> Option<Decision> {
        let follows =
            |seen: &Seen| SIDES.iter().all(|side| !self.world.spec(*side).present || self.follows(*side, seen));
        let nodes = self.lagging(self.allowed(), follows);
        if !nodes.is_empty() {
            return Some(self.wait(mv, Waiting::Marks(nodes)));
        }
        let taker = self.world.spec(self.intent.taker());
        let lacks = taker.present && !taker.has_vip && !self.taker_needs_no_vip();
        lacks.then_some(Decision::Wait(Waiting::Vip))
    }

    /// Whether an agent shows a Service with this turn's mark.
    fn follows(&self, side: Side, seen: &Seen) -> bool {
        seen.mark(side) == Some(self.intent.turn)
    }

    /// Waits for nodes, and wakes those that will not do it by themselves. An agent that refuses a Service,
    /// because another still had one of its ports, refuses all of it and does not look again before somebody
    /// writes that Service. Each time after a longer wait: one that has only just started shows nothing, too.
    fn wait(&self, mv: usize, waiting: Waiting) -> Decision {
        let stuck = |side: &Side| {
            let settled = (3 * self.intent.period_ms) << self.tally.nudges(*side);
            let old = |since: Millis| self.world.now.saturating_sub(since.max(self.world.last_write)) > settled;
            let spec = self.world.spec(*side);
            let claims = spec.has_vip && self.claims(*side).contains(&mv);
            let behind = |seen: &Seen| {
                let shows = matches!(seen.keys.get(mv), Some(KeyState::Owned { side: owner, .. }) if owner == side);
                shows != claims || !self.follows(*side, seen)
            };
            spec.present && self.known().any(|(_, seen)| old(seen.since) && behind(seen))
        };
        let mut sides = [self.intent.giver(), self.intent.taker()].into_iter();
        let side = sides.find(|side| self.tally.nudges(*side) < MOST_NUDGES && stuck(side));
        side.map_or(Decision::Wait(waiting), |side| self.write(Effect::Nudge(side)))
    }

    /// A source that gave up its last port has no VIP until it claims one again.
    fn taker_needs_no_vip(&self) -> bool {
        let intent = self.intent;
        intent.taker() == Side::Source
            && self.claims(Side::Source).is_empty()
            && matches!(intent.source_after, SourceAfter::ClusterIp | SourceAfter::Delete)
    }

    /// The steps before the switch of a handoff; none where it is not one, or is under way.
    fn handoff(&self) -> Option<Decision> {
        let intent = self.intent;
        let fresh = intent.order().into_iter().all(|mv| self.holder(mv) == Holder::Giver);
        if intent.strategy != Strategy::Handoff || !fresh {
            return None;
        }
        if !self.world.spec(intent.taker()).present {
            return Some(self.write(Effect::Restore));
        }
        if let Some(mark) = self.fence() {
            return Some(Decision::Do(mark));
        }
        let drain = &self.world.drain;
        if !drain.taker_backed {
            return Some(Decision::Wait(Waiting::Backends));
        }
        if intent.drain.is_some() && drain.useful {
            if let Some(op) = drain.due.first() {
                return Some(Decision::Do(Effect::Slice(op.clone())));
            }
            let nodes = self.lagging(self.allowed(), |seen| seen.drain);
            if !nodes.is_empty() {
                let first = intent.order().first().copied().unwrap_or_default();
                return Some(self.wait(first, Waiting::Slices(nodes)));
            }
        }
        if let Some(decision) = intent.order().into_iter().find_map(|mv| self.not_ready(mv)) {
            return Some(decision);
        }
        let quiet = self.world.now.saturating_sub(self.world.quiet_since);
        let wanted = 2 * intent.period_ms;
        if quiet < wanted {
            return Some(Decision::Wait(Waiting::Quiet(wanted - quiet)));
        }
        Some(Decision::Do(Effect::Swap { giver: intent.giver() }))
    }

    /// The first move that is not where it belongs.
    fn ordered(&self) -> Decision {
        for mv in self.intent.order() {
            match self.holder(mv) {
                Holder::Giver => return self.release(mv),
                Holder::Nobody => return self.claim(mv),
                Holder::Taker => {
                    let nodes = self.unserved(mv);
                    if !nodes.is_empty() {
                        return self.wait(mv, Waiting::Programmed { mv, nodes });
                    }
                }
                Holder::Both => return Decision::End(End::Stopped(Stop::Both(mv))),
            }
        }
        self.finish()
    }

    fn release(&self, mv: usize) -> Decision {
        if let Some(mark) = self.fence() {
            return Decision::Do(mark);
        }
        if let Some(decision) = self.not_ready(mv) {
            return decision;
        }
        let side = self.intent.giver();
        let mut moves = self.claims(side);
        moves.remove(&mv);
        Decision::Do(Effect::Hold { side, moves })
    }

    fn claim(&self, mv: usize) -> Decision {
        // Going back, a node that cannot be asked must not keep the port from those that can.
        let patient = self.intent.direction == Direction::Forward
            || self.world.now.saturating_sub(self.world.last_write) < 4 * self.intent.period_ms;
        let allowed = if patient { self.allowed() } else { usize::MAX };
        let nodes = self.lagging(allowed, |seen| matches!(seen.keys.get(mv), Some(KeyState::Absent)));
        if !nodes.is_empty() {
            return self.wait(mv, Waiting::Dropped { mv, nodes });
        }
        let side = self.intent.taker();
        if !self.world.spec(side).present {
            return self.write(Effect::Restore);
        }
        let mut moves = self.claims(side);
        moves.insert(mv);
        self.write(Effect::Hold { side, moves })
    }

    /// Whether it is a row of the taker's that lacks the backends it should have.
    fn idle(&self, key: &KeyState) -> bool {
        let party = self.intent.party(self.intent.taker());
        let backed = party.backed && !party.local;
        backed && matches!(key, KeyState::Owned { side, active: false, .. } if *side == self.intent.taker())
    }

    /// Why to stop where no port is open.
    fn safe_stop(&self) -> Option<Stop> {
        if self.tally.stop {
            return Some(Stop::Asked);
        }
        SIDES.into_iter().find_map(|side| Some(Stop::Foreign(side, self.world.spec(side).touched.clone()?)))
    }

    /// Everything is where it belongs: old connections first, then what we left lying about.
    fn finish(&self) -> Decision {
        if let Some(text) = &self.tally.refused {
            return Decision::End(End::Stopped(Stop::Refused(text.clone())));
        }
        if self.tally.stop {
            return Decision::End(End::Stopped(Stop::Asked));
        }
        // A run that this one took over from stops when it sees the new mark.
        let earlier = |side: &Side| self.world.spec(*side).mark.is_some_and(|mark| mark != self.intent.turn);
        if let Some(side) = SIDES.into_iter().find(earlier) {
            return Decision::Do(Effect::Mark(side));
        }
        if let Some(decision) = self.drain() {
            return decision;
        }
        let gone = self.intent.source_after == SourceAfter::Delete && self.intent.direction == Direction::Forward;
        if gone && self.world.source.present {
            return self.write(Effect::Hold { side: Side::Source, moves: Moves::new() });
        }
        if let Some(effect) = cleanup(self.world) {
            return Decision::Do(effect);
        }
        let unknown = self.unknown().len();
        Decision::End(match self.intent.direction {
            Direction::Forward => End::Done { unknown },
            Direction::Back => End::RolledBack { unknown },
        })
    }

    fn drain(&self) -> Option<Decision> {
        let (view, drain) = (&self.world.drain, self.intent.drain?);
        let since = self.world.switched_for?;
        if view.present.is_empty() || since >= drain.timeout_ms || view.connections == Some(0) {
            return None;
        }
        // Nothing is made anew after the switch: it would come too late for the connections it is for.
        let due = view.due.iter().find(|op| !matches!(op, SliceOp::Create(_)));
        Some(due.map_or(Decision::Wait(Waiting::Drained(drain.timeout_ms - since)), |op| {
            Decision::Do(Effect::Slice(op.clone()))
        }))
    }
}
