//! The world of a migration in small numbers: two Services in an API server, LB-IPAM's operator, agents, the
//! journal. Moves are bits; turns are counted back from the journal's, which is always [`TURN`].

use std::fmt;

use super::program::{Phase, Runner};
use crate::migrate::intent::{Side, SourceAfter};

/// The journal's turn. Older ones are smaller; all those that are older than 1 would be are 1.
pub const TURN: u8 = 4;

/// The two sides.
pub const SIDES: [Side; 2] = [Side::Source, Side::Target];

/// A side as an index.
pub fn ix(side: Side) -> usize {
    usize::from(side == Side::Target)
}

/// A side as a bit.
pub fn bit(side: Side) -> u8 {
    1 << ix(side)
}

/// A Service, as one write left it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Object {
    pub present: bool,
    /// The moves whose ports it has, as long as it is of type LoadBalancer.
    pub moves: u8,
    /// The turn of its mark; 0 is none.
    pub mark: u8,
    /// Whether its status has the VIP.
    pub vip: bool,
}

/// What can be seen of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct View {
    /// The moves of which each side has the row.
    pub owns: [u8; 2],
    /// The row in the table of Services: 0 is none, else one more than the mark.
    pub row: [u8; 2],
    /// The sides whose drain slice is in its table.
    pub slices: u8,
    /// It does not answer.
    pub silent: bool,
}

/// An agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Agent {
    pub view: View,
    /// How many versions of each Service have not been delivered yet.
    pub lag: [u8; 2],
    /// Services with an event since the last tick, in the order of their first.
    pub buffer: [Option<Side>; 2],
}

/// The journal: what survives a crash.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Journal {
    pub back: bool,
    /// Which runner has it.
    pub holder: u8,
    /// How it ended, where it did: true is rolled back.
    pub finished: Option<bool>,
    /// Used by a plan that is known to be wrong: how far it got.
    pub step: u8,
}

/// What a write does to a Service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Change {
    Mark(u8),
    Unmark,
    Claim(u8),
    Remove,
    Create(u8),
}

/// A request whose answer nobody waits for any more; it may still arrive. It is dropped as soon as its
/// resourceVersion is an old one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Flight {
    Service(Side, Change),
    Slice(Side, bool),
    Journal { back: bool, turn: u8 },
}

/// What stays the same in one exploration.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// How many moves.
    pub moves: u8,
    pub agents: usize,
    pub after: SourceAfter,
    /// Whether agents get events late, and those of different Services in any order.
    pub lag: bool,
}

impl Shape {
    /// All moves.
    pub fn all(&self) -> u8 {
        (1 << self.moves) - 1
    }

    /// Whether a Service with these moves is of type LoadBalancer.
    pub fn balances(&self, side: Side, object: Object) -> bool {
        object.present && (side == Side::Target || object.moves != 0 || self.keeps())
    }

    fn keeps(&self) -> bool {
        matches!(self.after, SourceAfter::Keeps | SourceAfter::Park(_))
    }
}

/// One state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Model {
    /// The versions of each Service that somebody may still see; the last is what the API server holds.
    pub past: [Vec<Object>; 2],
    /// The sides for which there is a drain slice.
    pub slices: u8,
    pub agents: Vec<Agent>,
    /// LB-IPAM's operator runs.
    pub operator: bool,
    pub journal: Journal,
    pub runners: [Option<Runner>; 2],
    pub flights: Vec<Flight>,
    /// Faults that may still come.
    pub left: u8,
    /// The user may still order a rollback.
    pub may_roll_back: bool,
    /// Somebody else gave the source its ports again.
    pub meddled: bool,
}

impl Model {
    /// The world before: the source has all moves, and every agent agrees.
    pub fn new(shape: &Shape, faults: u8, may_roll_back: bool) -> Self {
        let all = shape.all();
        let view = View { owns: [all, 0], row: [1, 1], slices: 0, silent: false };
        let object = |moves| vec![Object { present: true, moves, mark: 0, vip: true }];
        Self {
            past: [object(all), object(0)],
            slices: 0,
            agents: vec![Agent { view, lag: [0, 0], buffer: [None, None] }; shape.agents],
            operator: true,
            journal: Journal { back: false, holder: 0, finished: None, step: 0 },
            runners: [Some(Runner::new(false, 0)), None],
            flights: Vec::new(),
            left: faults,
            may_roll_back,
            meddled: false,
        }
    }

    /// A Service, as the API server holds it.
    pub fn object(&self, side: Side) -> Object {
        *self.past[ix(side)].last().expect("there is always a version")
    }

    /// Writes a Service. Whoever read it before has an old version from here on.
    pub fn write(&mut self, shape: &Shape, side: Side, object: Object) {
        let balances = shape.balances(side, object);
        self.past[ix(side)].push(Object { vip: object.vip && balances, ..object });
        self.flights.retain(|flight| !matches!(flight, Flight::Service(of, _) if *of == side));
        for runner in self.runners.iter_mut().flatten() {
            runner.outdated(side);
        }
        for agent in &mut self.agents {
            agent.lag[ix(side)] += 1;
            if !shape.lag || agent.lag[ix(side)] > 2 {
                agent.deliver(side);
            }
        }
    }

    /// Carries out what a request says; false where it does not fit what is there.
    pub fn change(&mut self, shape: &Shape, side: Side, change: Change) -> bool {
        let object = self.object(side);
        if object.present == matches!(change, Change::Create(_)) {
            return false;
        }
        let next = match change {
            Change::Mark(mark) => Object { mark, ..object },
            Change::Unmark => Object { mark: 0, ..object },
            Change::Claim(moves) => Object { moves, ..object },
            Change::Remove => Object { present: false, moves: 0, mark: 0, vip: false },
            Change::Create(mark) => Object { present: true, moves: 0, mark, vip: false },
        };
        self.write(shape, side, next);
        true
    }

    /// One more turn: everything that carries one gets older.
    pub fn next_turn(&mut self) {
        let older = |turn: &mut u8| *turn = if *turn > 1 { *turn - 1 } else { *turn };
        for object in self.past.iter_mut().flatten() {
            older(&mut object.mark);
        }
        for agent in &mut self.agents {
            agent.view.older();
        }
        for flight in &mut self.flights {
            match flight {
                Flight::Service(_, Change::Mark(turn) | Change::Create(turn)) | Flight::Journal { turn, .. } => {
                    older(turn)
                }
                Flight::Service(..) | Flight::Slice(..) => {}
            }
        }
        for runner in self.runners.iter_mut().flatten() {
            runner.older();
        }
    }

    /// What LB-IPAM's operator would do next, if anything.
    pub fn operator_step(&self, shape: &Shape) -> Option<(Side, Object)> {
        let [source, target] = SIDES.map(|side| self.object(side));
        let clash = source.moves & target.moves != 0;
        if clash {
            return target.vip.then_some((Side::Target, Object { vip: false, ..target }));
        }
        let lacks = |side: &Side| shape.balances(*side, self.object(*side)) && !self.object(*side).vip;
        SIDES.into_iter().find(lacks).map(|side| (side, Object { vip: true, ..self.object(side) }))
    }

    /// Every agent has seen and handled everything.
    pub fn quiescent(&self) -> bool {
        self.agents.iter().all(|agent| agent.quiet() && agent.view.slices == self.slices)
    }

    /// Handles an agent's buffer, in one transaction.
    pub fn tick(&mut self, shape: &Shape, agent: usize) {
        let Agent { view, lag, buffer } = &mut self.agents[agent];
        for side in std::mem::take(buffer).into_iter().flatten() {
            let (me, versions) = (ix(side), &self.past[ix(side)]);
            let object = versions[versions.len() - 1 - usize::from(lag[me])];
            let wanted = if object.vip && shape.balances(side, object) { object.moves } else { 0 };
            if !object.present {
                (view.owns[me], view.row[me]) = (0, 0);
            } else if wanted & view.owns[1 - me] == 0 {
                (view.owns[me], view.row[me]) = (wanted, 1 + object.mark);
            }
            // Else it is refused as a whole, and nobody tries again.
        }
    }

    /// The same state is written the same way: agents are alike, and nobody remembers what nobody can see.
    pub fn tidy(mut self, keep_previous: bool) -> Self {
        for side in SIDES {
            let lag = self.agents.iter().map(|agent| agent.lag[ix(side)]).max().unwrap_or(0);
            let keep = usize::from(lag.max(u8::from(keep_previous))) + 1;
            let past = &mut self.past[ix(side)];
            past.drain(..past.len().saturating_sub(keep));
        }
        self.flights.sort_unstable();
        self.flights.dedup();
        let mut order: Vec<usize> = (0..self.agents.len()).collect();
        let stale = |at: usize| self.runners.each_ref().map(|r| r.as_ref().and_then(|r| r.stale_view(at)));
        order.sort_by_cached_key(|at| (self.agents[*at], stale(*at)));
        self.agents = order.iter().map(|at| self.agents[*at]).collect();
        for runner in self.runners.iter_mut().flatten() {
            runner.reorder(&order);
        }
        self
    }
}

impl View {
    /// Its marks are one turn older.
    pub fn older(&mut self) {
        for row in &mut self.row {
            *row = if *row > 2 { *row - 1 } else { *row };
        }
    }
}

impl Agent {
    /// Nothing is on its way to it, or waits in it.
    pub fn quiet(&self) -> bool {
        self.lag == [0, 0] && self.buffer == [None, None]
    }

    /// An event arrives: it waits where the Service's first one since the last tick waits.
    pub fn deliver(&mut self, side: Side) {
        self.lag[ix(side)] -= 1;
        if !self.buffer.contains(&Some(side)) {
            self.buffer[usize::from(self.buffer[0].is_some())] = Some(side);
        }
    }
}

impl fmt::Display for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let vip = if self.vip { "" } else { " without VIP" };
        if self.present { write!(f, "{:b} mark {}{vip}", self.moves, self.mark) } else { f.write_str("gone") }
    }
}

impl fmt::Display for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let View { owns, row, slices, silent } = self.view;
        let silent = if silent { " silent" } else { "" };
        write!(f, "[a {:b} b {:b} rows {row:?} slices {slices:b} lag {:?}", owns[0], owns[1], self.lag)?;
        write!(f, " buffer {:?}{silent}]", self.buffer.iter().flatten().collect::<Vec<_>>())
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [source, target] = SIDES.map(|side| self.object(side));
        write!(f, "a {source}; b {target}; slices {:b};", self.slices)?;
        self.agents.iter().try_for_each(|agent| write!(f, " {agent}"))?;
        for runner in self.runners.iter().flatten() {
            let way = if runner.back { "back" } else { "forward" };
            let phase = match &runner.phase {
                Phase::Look { stale: None } => "looks".to_owned(),
                Phase::Look { stale: Some(_) } => "has written".to_owned(),
                phase => format!("{phase:?}"),
            };
            let [a, b] = SIDES.map(|side| runner.tally.nudges(side));
            write!(f, "; run {way} turn {} nudges {a} {b}: {phase}", runner.turn)?;
        }
        let Journal { back, finished, .. } = self.journal;
        write!(f, "; journal back {back} finished {finished:?} in flight {:?} left {}", self.flights, self.left)
    }
}
