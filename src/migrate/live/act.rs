//! Carrying out one effect, at a moment that suits the agents.

use std::time::{Duration, Instant};

use serde_json::Value;

use super::cluster::LiveCluster;
use super::moment::{Moment, moment};
use super::reading::{Reading, revision};
use crate::migrate::cluster::{Applied, Outcome};
use crate::migrate::intent::{Intent, Moves, Side};
use crate::migrate::machine::Effect;
use crate::migrate::specs::{self, Change};
use crate::migrate::world::{Millis, SliceOp};

/// Before the moment: time for reading both Services once more, which keeps the connection warm as well.
const PREPARE_MS: Millis = 25;

/// A moment that was missed, because reading took long, is chosen anew this many times.
const TRIES: usize = 5;

/// A moment, and when to send so that the write, or the middle of two, arrives then.
struct Aim {
    moment: Moment,
    send: Millis,
}

impl LiveCluster {
    /// Does it; what it is based on is what the last look read, and any write since then refuses it.
    pub(super) async fn act(&mut self, intent: &Intent, effect: &Effect) -> Applied {
        match effect {
            Effect::Mark(side) => self.write(intent, *side, |object| specs::mark(intent, object)).await.into(),
            Effect::Nudge(side) => self.write(intent, *side, |object| specs::nudge(intent, object)).await.into(),
            Effect::Unmark(side) => self.write(intent, *side, specs::unmark).await.into(),
            Effect::Hold { side, moves } => self.hold(intent, *side, moves).await,
            Effect::Swap { giver } => self.swap(intent, *giver).await,
            Effect::Restore => {
                let service = &intent.source.service;
                self.writer.change(service, &specs::restore(intent)).await.into()
            }
            Effect::Slice(op) => self.slice(intent, op).await.into(),
        }
    }

    async fn write(&self, intent: &Intent, side: Side, change: impl Fn(&Value) -> Change) -> Outcome {
        match self.reading.object(side) {
            Some(object) => self.writer.change(&intent.party(side).service, &change(object)).await,
            None => gone(intent, side),
        }
    }

    async fn slice(&self, intent: &Intent, op: &SliceOp) -> Outcome {
        let object = |id| self.drains(intent, self.switched(intent))?.object(id);
        let (id, object) = match op {
            SliceOp::Delete(id) => return self.writer.delete_slice(id).await,
            SliceOp::Create(id) | SliceOp::Update(id) => (id, object(id)),
        };
        match (op, object) {
            (SliceOp::Create(_), Some(object)) => self.writer.create_slice(id, &object).await,
            (_, Some(object)) => self.writer.update_slice(id, &object).await,
            (_, None) => Outcome::Conflict(format!("nothing is to drain in {}/{} any more", id.namespace, id.name)),
        }
    }

    /// Claims at once; a release waits for its moment, so that the claim can follow before any node's
    /// second tick.
    async fn hold(&mut self, intent: &Intent, side: Side, moves: &Moves) -> Applied {
        if side == intent.giver() {
            let aim = self.aim(intent, 0, 0);
            self.until(aim.send).await;
        } else if let Err(outcome) = self.giver_unchanged(intent).await {
            return outcome.into();
        }
        let outcome = self.write(intent, side, |object| specs::hold(intent, side, moves, object)).await;
        let wrote = if outcome == Outcome::Done { vec![(side, moves.clone())] } else { Vec::new() };
        Applied { outcome, wrote }
    }

    /// A claim rests on the giver's being without the port: that is looked at once more.
    async fn giver_unchanged(&mut self, intent: &Intent) -> Result<(), Outcome> {
        let before = self.reading.object(intent.giver()).map(revision);
        let now = self.clock.now();
        let reading = Reading::take(&self.writer, intent, now).await.map_err(Outcome::Conflict)?;
        self.read(reading);
        if before == self.reading.object(intent.giver()).map(revision) {
            return Ok(());
        }
        Err(Outcome::Conflict(format!("Service {} was written meanwhile", intent.party(intent.giver()).service)))
    }

    /// Both writes with nothing between them but the first one's answer.
    async fn swap(&mut self, intent: &Intent, giver: Side) -> Applied {
        let taker = giver.other();
        let (nothing, all) = (Moves::new(), intent.all());
        if let Err(outcome) = self.prepare(intent).await {
            return outcome.into();
        }
        let (Some(from), Some(to)) = (self.reading.object(giver), self.reading.object(taker)) else {
            return gone(intent, if self.reading.object(giver).is_none() { giver } else { taker }).into();
        };
        let release = specs::hold(intent, giver, &nothing, from);
        let claim = specs::hold(intent, taker, &all, to);
        let (give, take) = (&intent.party(giver).service, &intent.party(taker).service);
        let begin = Instant::now();
        let first = self.writer.send(give, &release).await;
        if first != Outcome::Done {
            return first.into();
        }
        let second = self.writer.send(take, &claim).await;
        self.write_ms = Millis::try_from(begin.elapsed().as_millis()).unwrap_or(self.write_ms) / 2;
        if second != Outcome::Done {
            return Applied { outcome: second, wrote: vec![(giver, nothing)] };
        }
        let (first, second) =
            futures::join!(self.writer.read_back(give, &release), self.writer.read_back(take, &claim));
        let outcome = if first == Outcome::Done { second } else { first };
        Applied { outcome, wrote: vec![(giver, nothing), (taker, all)] }
    }

    /// Waits for the moment of a pair, and has looked shortly before that nothing changed meanwhile.
    async fn prepare(&mut self, intent: &Intent) -> Result<(), Outcome> {
        for tries in 1.. {
            // The pair's middle is one write's time after its beginning.
            let aim = self.aim(intent, PREPARE_MS, self.write_ms);
            self.until(aim.send.saturating_sub(PREPARE_MS)).await;
            let before = [Side::Source, Side::Target].map(|side| self.reading.object(side).map(revision));
            let now = self.clock.now();
            let reading = Reading::take(&self.writer, intent, now).await.map_err(Outcome::Conflict)?;
            self.read(reading);
            if before != [Side::Source, Side::Target].map(|side| self.reading.object(side).map(revision)) {
                return Err(Outcome::Conflict("a Service was written just before the handoff".to_owned()));
            }
            let late = self.clock.now().saturating_sub(aim.send);
            if late <= aim.moment.gap / 4 || tries == TRIES {
                // A slow API server keeps missing: then it goes now, and some node may be dark for a period.
                self.until(aim.send).await;
                return Ok(());
            }
        }
        Ok(())
    }

    fn aim(&self, intent: &Intent, prepare: Millis, before: Millis) -> Aim {
        let ticks = if self.settings.choose_moment { self.agents.ticks() } else { Vec::new() };
        let moment = moment(&ticks, intent.period_ms, self.clock.now() + prepare + before);
        Aim { moment, send: moment.at.saturating_sub(before) }
    }

    async fn until(&self, at: Millis) {
        tokio::time::sleep(Duration::from_millis(at.saturating_sub(self.clock.now()))).await;
    }
}

fn gone(intent: &Intent, side: Side) -> Outcome {
    Outcome::Conflict(format!("Service {} is not there any more", intent.party(side).service))
}

impl From<Outcome> for Applied {
    fn from(outcome: Outcome) -> Self {
        Self { outcome, wrote: Vec::new() }
    }
}
