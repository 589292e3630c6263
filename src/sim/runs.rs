//! The real loop over the model: killed at every effect, resumed, rolled back; it ends the same.

use std::future::pending;

use futures::FutureExt as _;

use super::faults::perform;
use super::program::{Eyes, Program, Runner, world};
use super::random::Dice;
use super::world::{Change, Flight, Model, Object, SIDES, Shape, View};
use crate::migrate::cluster::{Applied, Cluster, LookError, Outcome};
use crate::migrate::executor::{Ended, Step, run};
use crate::migrate::intent::{Intent, Moves, OnFailure, SourceAfter, Strategy};
use crate::migrate::machine::{Effect, End, Stop};
use crate::migrate::world::{SliceOp, World};

/// What happens to one write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mishap {
    /// The program dies before it.
    Before,
    /// The program dies after it.
    After,
    /// The program dies while it is on its way.
    Underway,
    /// It is done, and nobody says so.
    Unheard,
    /// There is no answer, and it comes later.
    Late,
    /// It is refused.
    Refused,
}

const MISHAPS: [Mishap; 6] =
    [Mishap::Before, Mishap::After, Mishap::Underway, Mishap::Unheard, Mishap::Late, Mishap::Refused];

/// Both Services, the slices, and which moves each agent has from whom.
type Settled = ([Object; 2], u8, Vec<[u8; 2]>);

/// A cluster of the model. Time passes only while it is paused, or when a write is done.
struct SimCluster {
    program: Program,
    shape: Shape,
    model: Model,
    saved: Intent,
    clock: u64,
    stale: Option<Vec<View>>,
    dice: Dice,
    /// After so many writes this happens.
    mishap: Option<(usize, Mishap)>,
    writes: usize,
    /// Before this time no late request arrives.
    hold: u64,
}

impl SimCluster {
    fn new(strategy: Strategy, after: SourceAfter, drain: bool, seed: u64) -> Self {
        let shape = Shape { moves: 2, agents: 3, after, lag: true };
        let program = Program::new(2, strategy, after, drain, OnFailure::Rollback);
        let saved = program.intent.clone();
        let model = Model::new(&shape, 0, false);
        let dice = Dice::new(seed);
        Self { program, shape, model, saved, clock: 0, stale: None, dice, mishap: None, writes: 0, hold: 0 }
    }

    /// What happens to this write; the journal's count, too.
    fn mishap(&mut self) -> Option<Mishap> {
        self.writes += 1;
        let (at, mishap) = self.mishap?;
        (at + 1 == self.writes).then_some(mishap)
    }

    /// Every agent, the operator and late requests get on, in any order.
    fn time_passes(&mut self) {
        for at in 0..self.model.agents.len() {
            for side in SIDES {
                if self.model.agents[at].lag[super::world::ix(side)] > 0 && self.dice.roll(2) == 0 {
                    self.model.agents[at].deliver(side);
                }
            }
            if self.dice.roll(2) == 0 {
                self.model.tick(&self.shape, at);
                self.model.agents[at].view.slices = self.model.slices;
            }
        }
        if let Some((side, object)) = self.model.operator_step(&self.shape) {
            self.model.write(&self.shape, side, object);
        }
        if !self.model.flights.is_empty() && self.clock >= self.hold && self.dice.roll(3) == 0 {
            self.arrives();
        }
    }

    fn arrives(&mut self) {
        let request = self.model.flights.remove(0);
        perform(&self.shape, &mut self.model, request);
    }

    /// One request; the Services must be as they were when it was decided upon.
    async fn request(&mut self, intent: &Intent, effect: &Effect, second: bool) -> Outcome {
        let request = self.program.request(intent, effect, second);
        let mishap = self.mishap();
        match mishap {
            Some(Mishap::Before) => return pending().await,
            Some(Mishap::Refused) => return Outcome::Refused("no".into()),
            Some(Mishap::Underway | Mishap::Late) => self.model.flights.push(request),
            _ => {
                self.stale = Some(self.model.agents.iter().map(|agent| agent.view).collect());
                if !perform(&self.shape, &mut self.model, request) {
                    return Outcome::Conflict("it is there".into());
                }
            }
        }
        match mishap {
            Some(Mishap::After | Mishap::Underway) => pending().await,
            Some(_) => Outcome::Unknown("no answer".into()),
            None => Outcome::Done,
        }
    }

    /// What a user does: again and again, until it has ended.
    fn finish(&mut self, mut intent: Intent, on: OnFailure) -> (Ended, bool) {
        let mut killed = false;
        for _ in 0..5 {
            intent.limits.on_failure = on;
            if let Some(ended) = run(self, intent, &|| false, &mut |_| {}).now_or_never() {
                let stopped = matches!(ended.end, Ok(End::Stopped(Stop::Refused(_))));
                if !stopped {
                    return (ended, killed);
                }
            } else {
                killed = true;
            }
            self.stale = None;
            intent = Intent { turn: self.saved.turn + 1, ..self.saved.clone() };
            self.saved = intent.clone();
        }
        panic!("does not end: {}", self.model);
    }

    /// What is there when everything has calmed down, with what came late.
    fn settled(&mut self) -> Settled {
        while !self.model.flights.is_empty() {
            let late = self.model.flights[0];
            assert!(!matches!(late, Flight::Service(_, Change::Claim(_) | Change::Remove)), "still to come: {late:?}");
            self.model.flights.remove(0);
        }
        for _ in 0..100 {
            self.time_passes();
        }
        let owns = self.model.agents.iter().map(|agent| agent.view.owns).collect();
        (SIDES.map(|side| self.model.object(side)), self.model.slices, owns)
    }
}

impl Cluster for SimCluster {
    fn now(&self) -> u64 {
        self.clock
    }

    async fn look(&mut self, intent: &Intent) -> Result<World, LookError> {
        if self.saved != *intent && self.saved.turn != intent.turn {
            return Err(LookError::LostLock("somebody else has it".into()));
        }
        let runner =
            Runner { phase: super::program::Phase::Look { stale: self.stale.take() }, ..Runner::new(false, 0) };
        let eyes = Eyes { stale: self.dice.roll(2) == 0, elapsed: self.model.quiescent(), ..Eyes::default() };
        Ok(world(intent, &self.model, &runner, Eyes { elapsed: eyes.elapsed && !eyes.stale, ..eyes }))
    }

    async fn apply(&mut self, intent: &Intent, effect: &Effect) -> Applied {
        let mut wrote = Vec::new();
        let writes: &[bool] = if matches!(effect, Effect::Swap { .. }) { &[false, true] } else { &[false] };
        let mut outcome = Outcome::Done;
        for second in writes {
            outcome = self.request(intent, effect, *second).await;
            if outcome != Outcome::Done {
                break;
            }
            match effect {
                Effect::Hold { side, moves } => wrote.push((*side, moves.clone())),
                Effect::Swap { giver } if !second => wrote.push((*giver, Moves::new())),
                Effect::Swap { giver } => wrote.push((giver.other(), intent.all())),
                _ => {}
            }
        }
        self.clock += 10;
        Applied { outcome, wrote }
    }

    async fn save(&mut self, intent: &Intent) -> Outcome {
        match self.mishap() {
            Some(Mishap::Before | Mishap::Underway) => pending().await,
            Some(Mishap::Refused | Mishap::Late) => Outcome::Unknown("no answer".into()),
            mishap => {
                self.saved = intent.clone();
                match mishap {
                    Some(Mishap::After) => pending().await,
                    Some(_) => Outcome::Unknown("no answer".into()),
                    None => Outcome::Done,
                }
            }
        }
    }

    async fn pause(&mut self, most_ms: u64) {
        self.clock += most_ms;
        self.time_passes();
    }
}

fn clusters(seed: u64) -> impl Iterator<Item = SimCluster> {
    let ways = [(Strategy::Ordered, false), (Strategy::Handoff, false), (Strategy::Handoff, true)];
    let afters = [SourceAfter::Keeps, SourceAfter::ClusterIp, SourceAfter::Delete];
    ways.into_iter()
        .flat_map(move |(strategy, drain)| afters.map(|after| SimCluster::new(strategy, after, drain, seed)))
}

/// How many writes a run takes where nothing goes wrong, and where it ends.
fn plain(mut cluster: SimCluster) -> (usize, Settled) {
    let intent = cluster.saved.clone();
    let (ended, _) = cluster.finish(intent, OnFailure::Stop);
    assert!(matches!(ended.end, Ok(End::Done { unknown: 0 })), "{:?}", ended.end);
    (cluster.writes, cluster.settled())
}

#[test]
fn killed_at_every_write_and_resumed() {
    let mut killed = 0;
    for which in 0..9 {
        let cluster = || clusters(which as u64 + 1).nth(which).expect("nine of them");
        let (writes, end) = plain(cluster());
        for (at, mishap) in (0..writes).flat_map(|at| MISHAPS.map(|mishap| (at, mishap))) {
            let mut cluster = cluster();
            cluster.mishap = Some((at, mishap));
            let intent = cluster.saved.clone();
            let (ended, dead) = cluster.finish(intent, OnFailure::Stop);
            assert!(matches!(ended.end, Ok(End::Done { unknown: 0 })), "{which} {at} {mishap:?}: {:?}", ended.end);
            assert_eq!(cluster.settled(), end, "{which} {at} {mishap:?}");
            killed += usize::from(dead);
        }
    }
    assert!(killed > 100, "only {killed} were killed");
}

/// Nothing fences off a request that makes a slice: who lives to see the end waits for it there.
#[test]
fn a_slice_that_comes_seconds_late_does_not_stay() {
    let mut made_late = 0;
    let cluster = || SimCluster::new(Strategy::Handoff, SourceAfter::Keeps, true, 5);
    let (writes, end) = plain(cluster());
    for at in 0..writes {
        let mut cluster = cluster();
        (cluster.mishap, cluster.hold) = (Some((at, Mishap::Late)), 8_000);
        let intent = cluster.saved.clone();
        let (ended, _) = cluster.finish(intent, OnFailure::Stop);
        let is_slice = |step: &Step| matches!(step.effect, Effect::Slice(SliceOp::Create(_)));
        made_late += ended.steps.iter().filter(|step| is_slice(step) && step.outcome != Outcome::Done).count();
        let slices = cluster.model.flights.iter().filter(|flight| matches!(flight, Flight::Slice(_, true)));
        assert_eq!(slices.count(), 0, "{at}: a slice is still to come");
        assert_eq!(cluster.settled(), end, "{at}");
    }
    assert!(made_late > 0, "no slice was late");
}

#[test]
fn killed_at_every_write_and_rolled_back() {
    for which in 0..9 {
        let cluster = || clusters(which as u64 + 1).nth(which).expect("nine of them");
        let (writes, _) = plain(cluster());
        let before = cluster().settled();
        for (at, mishap) in (0..writes).flat_map(|at| MISHAPS.map(|mishap| (at, mishap))) {
            let mut cluster = cluster();
            cluster.mishap = Some((at, mishap));
            let first = cluster.saved.clone();
            let end = run(&mut cluster, first, &|| false, &mut |_| {}).now_or_never();
            let done = end.is_some_and(|ended| matches!(ended.end, Ok(End::Done { .. } | End::RolledBack { .. })));
            // Where it ended well by itself there is no journal to roll back by.
            if done {
                continue;
            }
            let way = cluster.saved.direction;
            let turn = cluster.saved.turn + 1;
            let back = crate::migrate::intent::Direction::Back;
            cluster.saved = Intent { turn, direction: back, ..cluster.saved.clone() };
            cluster.stale = None;
            let intent = cluster.saved.clone();
            let (ended, _) = cluster.finish(intent, OnFailure::Stop);
            assert!(
                matches!(ended.end, Ok(End::RolledBack { unknown: 0 })),
                "{which} {at} {mishap:?} {way:?}: {:?}",
                ended.end
            );
            assert_eq!(cluster.settled(), before, "{which} {at} {mishap:?}");
        }
    }
}

#[test]
fn resuming_what_has_ended_changes_nothing() {
    for mut cluster in clusters(7) {
        let intent = cluster.saved.clone();
        cluster.finish(intent, OnFailure::Stop);
        let end = cluster.settled();
        let intent = Intent { turn: cluster.saved.turn + 1, ..cluster.saved.clone() };
        cluster.saved = intent.clone();
        let (ended, _) = cluster.finish(intent, OnFailure::Stop);
        assert_eq!(ended.steps, [], "it writes again");
        assert_eq!(cluster.settled(), end);
    }
}

#[test]
fn a_refused_write_turns_it_round() {
    let mut cluster = SimCluster::new(Strategy::Ordered, SourceAfter::ClusterIp, false, 3);
    let before = cluster.settled();
    cluster.mishap = Some((3, Mishap::Refused));
    let intent = cluster.saved.clone();
    let (ended, _) = cluster.finish(intent, OnFailure::Rollback);
    assert_eq!(ended.end, Ok(End::RolledBack { unknown: 0 }));
    assert!(matches!(ended.turned, Some(Stop::Refused(_))), "{:?}", ended.turned);
    assert_eq!(cluster.settled(), before);
}
