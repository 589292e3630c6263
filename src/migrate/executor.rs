//! The loop: look, decide, do, look again. Everything that it remembers could be lost without harm.

use super::cluster::{Applied, Cluster, LookError, Outcome};
use super::intent::Intent;
use super::machine::{Decision, Effect, End, Stop, Tally, Waiting, decide};
use super::world::{Millis, SliceOp, World};

/// How long to wait for a change before looking anyway.
const LOOK_AGAIN_MS: Millis = 250;

/// A slice whose making got no answer is looked for so long: nothing fences off a request that makes
/// something, and one that comes after the end would stay.
const MAY_COME_MS: Millis = 10_000;

/// Something that happened, for whoever watches.
#[derive(Debug)]
pub enum Event<'a> {
    /// A look, and what it made us wait for.
    Seen {
        /// What was seen.
        world: &'a World,
        /// What is waited for; none where something is done next.
        waiting: Option<&'a Waiting>,
    },
    /// Something is about to be written.
    Doing(&'a Effect),
    /// It was, or was not.
    Did(&'a Step),
    /// It goes back from here.
    Turned(&'a Stop),
    /// No look could be taken.
    Trouble(&'a str),
}

/// Something that was written, or tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// What.
    pub effect: Effect,
    /// When it began, by the runner's clock.
    pub at: Millis,
    /// How it ended.
    pub outcome: Outcome,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// The intent as it was last saved.
    pub intent: Intent,
    /// How it ended; an error where the run lost its lock or the API server.
    pub end: Result<End, LookError>,
    /// Why it turned round, where it did.
    pub turned: Option<Stop>,
    /// What was written, in order.
    pub steps: Vec<Step>,
    /// The last look.
    pub world: Option<World>,
}

/// Brings a migration to an end. `stop` says whether the user wants it to stop.
pub async fn run<C: Cluster>(
    cluster: &mut C,
    intent: Intent,
    stop: &dyn Fn() -> bool,
    tell: &mut dyn FnMut(Event<'_>),
) -> Ended {
    let deadline = cluster.now() + intent.limits.timeout_ms;
    let tally = Tally::default();
    let mut run = Run {
        cluster,
        intent,
        tally,
        deadline,
        blind: false,
        conflicts: 0,
        may_come: 0,
        turned: None,
        steps: Vec::new(),
        world: None,
    };
    let end = run.until_end(stop, tell).await;
    Ended { intent: run.intent, end, turned: run.turned, steps: run.steps, world: run.world }
}

struct Run<'c, C> {
    cluster: &'c mut C,
    intent: Intent,
    tally: Tally,
    deadline: Millis,
    /// The last look could not be taken.
    blind: bool,
    /// So many writes in a row met somebody else's.
    conflicts: u32,
    /// Until when a slice may still come that was asked for without an answer.
    may_come: Millis,
    turned: Option<Stop>,
    steps: Vec<Step>,
    world: Option<World>,
}

impl<C: Cluster> Run<'_, C> {
    async fn until_end(&mut self, stop: &dyn Fn() -> bool, tell: &mut dyn FnMut(Event<'_>)) -> Result<End, LookError> {
        loop {
            let world = match self.cluster.look(&self.intent).await {
                Ok(world) => world,
                Err(LookError::Unreachable(text)) if !stop() && !self.late() => {
                    tell(Event::Trouble(&text));
                    self.blind = true;
                    self.cluster.pause(LOOK_AGAIN_MS).await;
                    continue;
                }
                Err(error) => return Err(error),
            };
            if std::mem::take(&mut self.blind) {
                // The agents may have lost the API server as well: they have to show anew that they follow.
                self.save(Intent { turn: self.intent.turn + 1, ..self.intent.clone() }).await?;
                continue;
            }
            self.tally.late = self.late();
            self.tally.stop = stop();
            self.tally.remember(&self.intent, &world);
            let decision = decide(&self.intent, &world, &self.tally);
            let waiting = if let Decision::Wait(waiting) = &decision { Some(waiting) } else { None };
            tell(Event::Seen { world: &world, waiting });
            let now = world.now;
            self.world = Some(world);
            match decision {
                Decision::End(End::Done { .. } | End::RolledBack { .. })
                    if self.cluster.now() < self.may_come && !stop() =>
                {
                    self.cluster.pause(LOOK_AGAIN_MS).await;
                }
                Decision::End(end) => return Ok(end),
                Decision::Do(effect) => self.act(effect, now, tell).await?,
                Decision::Turn(why) => self.turn(why, tell).await?,
                Decision::Wait(waiting) => self.cluster.pause(patience(&waiting)).await,
            }
        }
    }

    fn late(&self) -> bool {
        self.cluster.now() > self.deadline
    }

    async fn act(&mut self, effect: Effect, at: Millis, tell: &mut dyn FnMut(Event<'_>)) -> Result<(), LookError> {
        tell(Event::Doing(&effect));
        let Applied { outcome, wrote } = self.cluster.apply(&self.intent, &effect).await;
        for (side, moves) in wrote {
            *self.tally.expected(side) = Some(moves);
        }
        self.tally.count(&effect);
        let step = Step { effect, at, outcome };
        tell(Event::Did(&step));
        match &step.outcome {
            Outcome::Done => self.conflicts = 0,
            Outcome::Conflict(_) => {
                self.conflicts += 1;
                // Once is chance; somebody who writes all the time is not outrun.
                if self.conflicts > 1 {
                    self.cluster.pause(LOOK_AGAIN_MS).await;
                }
            }
            Outcome::Refused(text) => self.tally.refused = Some(text.clone()),
            Outcome::Unknown(_) => {
                if matches!(step.effect, Effect::Slice(SliceOp::Create(_))) {
                    self.may_come = self.cluster.now() + MAY_COME_MS;
                }
                self.unanswered().await?;
            }
        }
        self.steps.push(step);
        Ok(())
    }

    /// A write without an answer may still arrive. In a new turn both Services are written before anything
    /// else is, and then it is refused.
    async fn unanswered(&mut self) -> Result<(), LookError> {
        self.tally.unanswered();
        let next = Intent { turn: self.intent.turn + 1, ..self.intent.clone() };
        self.save(next).await
    }

    async fn turn(&mut self, why: Stop, tell: &mut dyn FnMut(Event<'_>)) -> Result<(), LookError> {
        tell(Event::Turned(&why));
        self.save(self.intent.reversed()).await?;
        self.turned = Some(why);
        // Going back gets as much time as going forward had.
        self.deadline = self.cluster.now() + self.intent.limits.timeout_ms;
        self.tally.turned();
        Ok(())
    }

    /// Saves, again where there was no answer: the same text written twice is the same journal.
    async fn save(&mut self, intent: Intent) -> Result<(), LookError> {
        loop {
            match self.cluster.save(&intent).await {
                Outcome::Done => {
                    self.intent = intent;
                    return Ok(());
                }
                Outcome::Conflict(text) => return Err(LookError::LostLock(text)),
                Outcome::Unknown(_) if !self.late() => self.cluster.pause(LOOK_AGAIN_MS).await,
                Outcome::Refused(text) | Outcome::Unknown(text) => return Err(LookError::Unreachable(text)),
            }
        }
    }
}

/// How long nothing need be looked at while that is waited for.
fn patience(waiting: &Waiting) -> Millis {
    match waiting {
        Waiting::Quiet(left) => (*left).clamp(1, LOOK_AGAIN_MS),
        _ => LOOK_AGAIN_MS,
    }
}
