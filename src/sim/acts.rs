//! What a run of the program does next, and the ways in which that goes wrong.

use super::faults::{Fault, Step, Steps, perform};
use super::program::{Eyes, Phase, Runner};
use super::properties;
use super::world::{Change, Flight, Model, TURN, View, ix};
use crate::migrate::intent::Moves;
use crate::migrate::machine::{Effect, Tally};

impl Steps<'_> {
    pub fn program(&mut self, who: usize) {
        let Some(runner) = &self.model.runners[who] else { return };
        match &runner.phase {
            Phase::Look { stale } => {
                let wrote = stale.is_some();
                self.looks(who, wrote);
                if wrote {
                    self.faulty(Fault::Crash, |model| model.runners[who] = None);
                }
            }
            Phase::Act { effect, fresh, second } => self.act(who, runner, effect, *fresh, *second),
            Phase::Save { back, turn, turned } => self.save(who, *back, *turn, *turned),
            Phase::SaveStep => {
                let mut model = self.model.clone();
                model.journal.step = runner.step;
                if let Some(runner) = &mut model.runners[who] {
                    runner.phase = Phase::Look { stale: None };
                }
                self.push(Step::Saved(who), true, model, None);
                self.faulty(Fault::Crash, |model| model.runners[who] = None);
            }
        }
    }

    fn looks(&mut self, who: usize, wrote: bool) {
        let plain = Eyes::default();
        let elapsed = Eyes { elapsed: true, ..plain };
        self.look(who, plain, None);
        if wrote {
            self.look(who, Eyes { stale: true, ..plain }, None);
        }
        let fault = (!self.model.quiescent()).then_some(Fault::Hasty);
        self.look(who, elapsed, fault);
        self.look(who, Eyes { dark: true, ..elapsed }, Some(Fault::Dark));
        self.look(who, Eyes { late: true, ..plain }, Some(Fault::Late));
        self.look(who, Eyes { stop: true, ..plain }, Some(Fault::Stop));
    }

    fn look(&mut self, who: usize, eyes: Eyes, fault: Option<Fault>) {
        let model = fault.map_or_else(|| Some(self.model.clone()), |fault| self.fault(fault));
        let Some(mut model) = model else { return };
        let broken = self.setting.program.look(&mut model, who, eyes);
        self.push(Step::Look(who, eyes), fault.is_none(), model, broken);
    }

    fn act(&mut self, who: usize, runner: &Runner, effect: &Effect, fresh: [bool; 2], second: bool) {
        let (setting, intent) = (self.setting, self.setting.program.intent(runner.back, runner.turn));
        let request = setting.program.request(&intent, effect, second);
        let mut model = self.model.clone();
        let broken = properties::of_write(&model, request);
        let views: Vec<View> = model.agents.iter().map(|agent| agent.view).collect();
        let valid = match request {
            Flight::Service(_, Change::Create(_)) | Flight::Slice(..) | Flight::Journal { .. } => true,
            Flight::Service(side, _) => fresh[ix(side)],
        };
        let done = valid && perform(&setting.shape, &mut model, request);
        let after = |model: &mut Model, written: bool| {
            let Some(me) = &mut model.runners[who] else { return };
            if written {
                wrote(&mut me.tally, request);
            }
            match (effect, done) {
                (Effect::Swap { .. }, true) if !second => {
                    me.phase = Phase::Act { effect: effect.clone(), fresh, second: true };
                }
                _ => {
                    me.tally.count(effect);
                    me.step += u8::from(setting.program.steps && !me.back);
                    me.phase = if setting.program.steps {
                        Phase::SaveStep
                    } else {
                        Phase::Look { stale: Some(views.clone()) }
                    };
                }
            }
        };
        let before = model.clone();
        after(&mut model, done);
        let step = if done { Step::Write(who, request) } else { Step::Conflict(who) };
        self.push(step, true, model, if done { broken } else { None });
        if valid {
            self.goes_wrong(who, runner, request, &before);
        }
    }

    /// The ways in which a write that would be accepted goes wrong; `done` is the model after it.
    fn goes_wrong(&mut self, who: usize, runner: &Runner, request: Flight, done: &Model) {
        self.faulty(Fault::Crash, |model| model.runners[who] = None);
        self.faulty(Fault::Crash, |model| {
            model.runners[who] = None;
            model.flights.push(request);
        });
        let save = Phase::Save { back: runner.back, turn: runner.turn + 1, turned: false };
        let unanswered = |model: &mut Model| {
            if let Some(me) = &mut model.runners[who] {
                me.tally.unanswered();
                me.phase = save;
            }
        };
        self.faulty(Fault::Lost, |model| {
            *model = Model { left: model.left, ..done.clone() };
            unanswered.clone()(model);
        });
        self.faulty(Fault::Lost, |model| {
            model.flights.push(request);
            unanswered(model);
        });
        self.faulty(Fault::Refused, |model| {
            if let Some(me) = &mut model.runners[who] {
                me.tally.refused = Some(String::new());
                me.phase = Phase::Look { stale: None };
            }
        });
    }

    fn save(&mut self, who: usize, back: bool, turn: u8, turned: bool) {
        let mut model = self.model.clone();
        if usize::from(model.journal.holder) != who || model.journal.finished.is_some() {
            model.runners[who] = None;
            return self.push(Step::Conflict(who), true, model, None);
        }
        let request = Flight::Journal { back, turn };
        perform(&self.setting.shape, &mut model, request);
        if let Some(me) = &mut model.runners[who] {
            (me.back, me.turn) = (back, TURN);
            me.phase = Phase::Look { stale: None };
            if turned {
                me.tally.turned();
            }
        }
        self.push(Step::Saved(who), true, model, None);
        self.faulty(Fault::Crash, |model| model.runners[who] = None);
        self.faulty(Fault::Crash, |model| {
            model.runners[who] = None;
            model.flights.push(request);
        });
        // It is saved again until there is an answer.
        self.faulty(Fault::Lost, |model| {
            perform(&self.setting.shape, model, request);
        });
        self.faulty(Fault::Lost, |model| model.flights.push(request));
    }
}

/// What the runner remembers of a write that it knows to be done.
fn wrote(tally: &mut Tally, request: Flight) {
    match request {
        Flight::Service(side, Change::Claim(moves)) => *tally.expected(side) = Some(super::program::moves(moves)),
        Flight::Service(side, Change::Remove | Change::Create(_)) => *tally.expected(side) = Some(Moves::new()),
        _ => {}
    }
}
