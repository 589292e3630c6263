//! Everything that may happen next: what the program, the agents and the operator do by themselves, and what
//! goes wrong as long as faults are left.

use std::collections::BTreeSet;

use super::program::{Eyes, Program, Runner};
use super::properties::{self, Broken};
use super::world::{Agent, Change, Flight, Model, Object, SIDES, Shape, TURN, View, ix};
use crate::migrate::intent::Side;

/// What may go wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fault {
    /// The program dies: before a write, with the write on its way, after it.
    Crash,
    /// A write is done, or is on its way, and the answer is lost.
    Lost,
    /// The API server refuses a write.
    Refused,
    /// Somebody writes to a Service without changing anything that matters.
    Metadata,
    /// An agent starts anew, from a list that may be one version old, in any order.
    Restart,
    /// An agent does not answer for a while.
    Silent,
    /// The operator is not there for a while.
    Operator,
    /// The operator saw the claim before the release, and took the VIP away.
    Strip,
    /// Time goes by faster than events do.
    Hasty,
    /// The time of the run is over.
    Late,
    /// A port was dark for too long.
    Dark,
    /// The user wants it to stop.
    Stop,
    /// Somebody gives the source its ports again.
    Meddle,
    /// A second run takes the journal over while the first goes on.
    Second,
}

/// All of them.
pub const ALL: [Fault; 14] = [
    Fault::Crash,
    Fault::Lost,
    Fault::Refused,
    Fault::Metadata,
    Fault::Restart,
    Fault::Silent,
    Fault::Operator,
    Fault::Strip,
    Fault::Hasty,
    Fault::Late,
    Fault::Dark,
    Fault::Stop,
    Fault::Meddle,
    Fault::Second,
];

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Start,
    Look(usize, Eyes),
    Write(usize, Flight),
    Conflict(usize),
    Saved(usize),
    Resume { back: bool },
    Deliver(Side),
    Tick,
    Slices,
    Operator,
    Arrives(Flight),
    Heals,
    Fault(Fault),
}

/// A state that may be next.
pub struct Next {
    pub step: Step,
    /// Whether it happens without anything going wrong.
    pub fair: bool,
    /// Whether the program wrote something.
    pub write: bool,
    pub model: Model,
    pub broken: Option<Broken>,
}

/// What is explored: a world, a program, and what may go wrong.
pub struct Setting {
    pub name: String,
    pub shape: Shape,
    pub program: Program,
    pub faults: BTreeSet<Fault>,
    pub most: u8,
    pub rollback: bool,
}

/// The states after a state.
pub struct Steps<'a> {
    pub setting: &'a Setting,
    pub model: &'a Model,
    next: Vec<Next>,
}

impl Setting {
    pub fn start(&self) -> Model {
        Model::new(&self.shape, self.most, self.rollback)
    }

    pub fn next(&self, model: &Model) -> Vec<Next> {
        let mut steps = Steps { setting: self, model, next: Vec::new() };
        for who in 0..2 {
            steps.program(who);
        }
        steps.calm();
        steps.user();
        // When nobody runs, or the end was told, the rest of the world may only calm down.
        if model.runners.iter().any(Option::is_some) && model.journal.finished.is_none() {
            steps.faults();
        }
        steps.next
    }
}

impl Steps<'_> {
    pub fn push(&mut self, step: Step, fair: bool, model: Model, broken: Option<Broken>) {
        let keep = model.left > 0 && [Fault::Restart, Fault::Strip].iter().any(|f| self.setting.faults.contains(f));
        let broken = broken.or_else(|| properties::of_state(&model));
        let write = matches!(step, Step::Write(..));
        self.next.push(Next { step, fair, write, model: model.tidy(keep), broken });
    }

    /// The model after one more fault of this kind; none where there is none left.
    pub fn fault(&self, fault: Fault) -> Option<Model> {
        let may = self.model.left > 0 && self.setting.faults.contains(&fault);
        may.then(|| Model { left: self.model.left - 1, ..self.model.clone() })
    }

    pub fn faulty(&mut self, fault: Fault, change: impl FnOnce(&mut Model)) {
        if let Some(mut model) = self.fault(fault) {
            change(&mut model);
            self.push(Step::Fault(fault), false, model, None);
        }
    }

    /// Agents, operator, and requests that are still on their way.
    fn calm(&mut self) {
        for at in 0..self.model.agents.len() {
            self.agent(at);
        }
        if let (true, Some((side, object))) = (self.model.operator, self.model.operator_step(&self.setting.shape)) {
            let mut model = self.model.clone();
            model.write(&self.setting.shape, side, object);
            self.push(Step::Operator, true, model, None);
        }
        if !self.model.operator {
            self.push(Step::Heals, true, Model { operator: true, ..self.model.clone() }, None);
        }
        for (at, request) in self.model.flights.iter().enumerate() {
            let mut model = self.model.clone();
            model.flights.remove(at);
            // A slice that comes after the end goes with the journal that owns it.
            let ended = matches!(request, Flight::Slice(..)) && model.journal.finished.is_some();
            let broken = if ended { None } else { properties::of_write(&model, *request) };
            let late = model.journal.finished.is_some()
                && matches!(request, Flight::Service(_, Change::Claim(_) | Change::Remove));
            let broken = if late { properties::broken("S1", "a claim comes after the end") } else { broken };
            if !ended {
                perform(&self.setting.shape, &mut model, *request);
            }
            self.push(Step::Arrives(*request), false, model, broken);
        }
    }

    fn agent(&mut self, at: usize) {
        let Agent { view, lag, buffer } = self.model.agents[at];
        for side in SIDES {
            if lag[ix(side)] > 0 {
                let mut model = self.model.clone();
                model.agents[at].deliver(side);
                self.push(Step::Deliver(side), true, model, None);
            }
        }
        if buffer[0].is_some() {
            let mut model = self.model.clone();
            model.tick(&self.setting.shape, at);
            self.push(Step::Tick, true, model, None);
        }
        if view.slices != self.model.slices {
            let mut model = self.model.clone();
            model.agents[at].view.slices = model.slices;
            self.push(Step::Slices, true, model, None);
        }
        if view.silent {
            let mut model = self.model.clone();
            model.agents[at].view.silent = false;
            self.push(Step::Heals, true, model, None);
        }
    }

    /// Resuming where nobody runs, rolling back at any time, a second run beside the first.
    fn user(&mut self) {
        let Model { journal, runners, .. } = self.model;
        if journal.finished.is_some() {
            return;
        }
        let back = journal.back;
        if runners.iter().all(Option::is_none) {
            self.take(0, back, self.model.clone(), true);
            if !back && self.model.may_roll_back {
                self.take(0, true, Model { may_roll_back: false, ..self.model.clone() }, false);
            }
        } else if let (Some(free), Some(model)) = (runners.iter().position(Option::is_none), self.fault(Fault::Second))
        {
            self.take(free, back, model.clone(), false);
            if !back {
                self.take(free, true, model, false);
            }
        }
    }

    fn take(&mut self, who: usize, back: bool, mut model: Model, fair: bool) {
        perform(&self.setting.shape, &mut model, Flight::Journal { back, turn: TURN + 1 });
        model.journal.holder = u8::from(who == 1);
        model.runners[who] = Some(Runner::new(back, model.journal.step));
        self.push(Step::Resume { back }, fair, model, None);
    }

    fn faults(&mut self) {
        let shape = self.setting.shape;
        for side in SIDES {
            if self.model.object(side).present {
                self.faulty(Fault::Metadata, |model| model.write(&shape, side, model.object(side)));
            }
        }
        for at in 0..self.model.agents.len() {
            self.faulty(Fault::Silent, |model| model.agents[at].view.silent = true);
            self.restart(at);
        }
        self.faulty(Fault::Operator, |model| model.operator = false);
        let source = &self.model.past[0];
        let target = self.model.object(Side::Target);
        if source.len() > 1 && source[source.len() - 2].moves & target.moves != 0 && target.vip {
            self.faulty(Fault::Strip, |model| model.write(&shape, Side::Target, Object { vip: false, ..target }));
        }
        let source = self.model.object(Side::Source);
        if source.present && source.moves != shape.all() && !self.model.meddled {
            self.faulty(Fault::Meddle, |model| {
                model.write(&shape, Side::Source, Object { moves: shape.all(), ..source });
                model.meddled = true;
            });
        }
    }

    fn restart(&mut self, at: usize) {
        let old = |side: Side| u8::from(self.model.past[ix(side)].len() > 1);
        for (source, target) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            if source > old(Side::Source) || target > old(Side::Target) {
                continue;
            }
            for buffer in [[Some(Side::Source), Some(Side::Target)], [Some(Side::Target), Some(Side::Source)]] {
                let view = View { owns: [0, 0], row: [0, 0], slices: 0, silent: false };
                self.faulty(Fault::Restart, |model| {
                    model.agents[at] = Agent { view, lag: [source, target], buffer };
                });
            }
        }
    }
}

/// Carries out a request; false where nothing came of it.
pub fn perform(shape: &Shape, model: &mut Model, request: Flight) -> bool {
    match request {
        Flight::Service(side, change) => model.change(shape, side, change),
        Flight::Slice(side, there) => {
            let bit = super::world::bit(side);
            model.slices = if there { model.slices | bit } else { model.slices & !bit };
            true
        }
        Flight::Journal { back, turn } => {
            model.flights.retain(|flight| !matches!(flight, Flight::Journal { .. }));
            model.journal.back = back;
            if turn > TURN {
                model.next_turn();
            }
            true
        }
    }
}
