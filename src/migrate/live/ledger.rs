//! What is kept of one agent's answers. Pure.

use std::collections::BTreeMap;

use super::moment::Tick;
use crate::migrate::intent::Side;
use crate::migrate::specs::{MARK, mark_turn};
use crate::migrate::world::{KeyState, Millis, Seen};
use crate::model::{PortKey, ServiceRef};
use crate::observe::cilium_dbg::{Follow, Followed, Watch};

/// A tick that is known so exactly replaces an earlier one, which may have been known better.
const SHARP_MS: Millis = 50;

/// What a migration asks of every agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Subject {
    /// The migration's id.
    pub id: String,
    /// Who has the ports before.
    pub source: ServiceRef,
    /// Who has them afterwards.
    pub target: ServiceRef,
    /// The keys of each move.
    pub moves: Vec<Vec<PortKey>>,
}

/// What changes about the questions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wanted {
    /// Whether the source is there; a deleted one has no row.
    pub source: bool,
    /// Whether the target is there.
    pub target: bool,
    /// Who takes the ports.
    pub taker: Side,
    /// Backends that the taker must have, as agents print them.
    pub backends: Vec<String>,
}

impl Subject {
    /// The questions; backends that were all seen are not asked for again.
    pub fn watch(&self, wanted: &Wanted, backends: bool) -> Watch {
        let there = [(wanted.target, &self.target), (wanted.source, &self.source)];
        Watch {
            keys: self.moves.concat(),
            services: there.into_iter().filter(|(there, _)| *there).map(|(_, id)| id.clone()).collect(),
            backends: if backends { wanted.backends.clone() } else { Vec::new() },
        }
    }

    fn party(&self, side: Side) -> &ServiceRef {
        match side {
            Side::Source => &self.source,
            Side::Target => &self.target,
        }
    }

    /// Several keys of one move count as their worst: not the taker's while the giver has one, and not
    /// served while one is missing.
    fn key_state(&self, rows: &[Option<Followed>], taker: Side) -> KeyState {
        let of = |owner: &ServiceRef| [Side::Source, Side::Target].into_iter().find(|side| self.party(*side) == owner);
        if let Some(other) = rows.iter().flatten().find(|row| of(&row.owner).is_none()) {
            return KeyState::Other(other.owner.clone());
        }
        let missing = rows.iter().any(Option::is_none);
        let giver = rows.iter().flatten().any(|row| of(&row.owner) == Some(taker.other()));
        if missing && !giver {
            return KeyState::Absent;
        }
        KeyState::Owned {
            side: if giver { taker.other() } else { taker },
            done: !missing && rows.iter().flatten().all(|row| row.done),
            active: !missing && rows.iter().flatten().all(|row| row.active),
        }
    }
}

/// What is known of one agent over the time of a run.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    seen: Option<Seen>,
    marks: BTreeMap<ServiceRef, String>,
    dark_since: Vec<Option<Millis>>,
    dark_ms: Vec<Millis>,
    /// When the agent last took something in: its tick.
    pub tick: Option<Tick>,
}

fn marks_of(services: &[ServiceRef], follow: &Follow) -> BTreeMap<ServiceRef, String> {
    let rows = services.iter().zip(&follow.services);
    rows.filter_map(|(id, row)| Some((id.clone(), row.as_ref()?.get(MARK)?.clone()))).collect()
}

impl Ledger {
    /// Takes in an answer to questions that were sent, and answered, then.
    pub fn take(&mut self, subject: &Subject, wanted: &Wanted, follow: &Follow, sent: Millis, got: Millis) -> Seen {
        let synced = follow.services.iter().all(Option::is_some);
        let marks = marks_of(&subject.watch(wanted, false).services, follow);
        let turn = |side: Side| mark_turn(&subject.id, marks.get(subject.party(side))?);
        let rows = per_move(subject, &follow.keys);
        let keys: Vec<KeyState> = rows.iter().map(|rows| subject.key_state(rows, wanted.taker)).collect();
        self.note_tick(&marks, &keys, got);
        if synced {
            self.darkness(&rows, sent);
        }
        let same = self.seen.as_ref().filter(|before| before.keys == keys);
        let before = self.seen.as_ref().is_some_and(|before| before.drain);
        let taker = subject.party(wanted.taker);
        let backends =
            if follow.backends.is_empty() { before } else { follow.backends.iter().all(|b| b.contains(taker)) };
        let seen = Seen {
            at: sent,
            synced,
            source_mark: turn(Side::Source),
            target_mark: turn(Side::Target),
            since: same.map_or(sent, |before| before.since),
            keys,
            drain: wanted.backends.is_empty() || backends,
            dark_since: self.dark_since.clone(),
            dark_ms: self.dark_ms.clone(),
        };
        self.marks = marks;
        self.seen = Some(seen.clone());
        seen
    }

    /// Forgets what a new stream, or another question, has to show anew; what was dark stays known.
    pub fn reopen(&mut self) {
        if let Some(seen) = &mut self.seen {
            seen.drain = false;
        }
    }

    /// Whether every backend that is wanted was seen.
    pub fn drained(&self) -> bool {
        self.seen.as_ref().is_some_and(|seen| seen.drain)
    }

    /// Marks and owners arrive with a tick, and nothing else brings them.
    fn note_tick(&mut self, marks: &BTreeMap<ServiceRef, String>, keys: &[KeyState], got: Millis) {
        let Some(before) = &self.seen else { return };
        let owner = |key: &KeyState| match key {
            KeyState::Owned { side, .. } => Some(Some(*side)),
            KeyState::Other(_) => Some(None),
            KeyState::Absent => None,
        };
        let changed = self.marks != *marks || before.keys.iter().map(owner).ne(keys.iter().map(owner));
        // It came after the last answer was given, and before this one.
        let tick = Tick { from: before.at, to: got };
        let better = self.tick.is_none_or(|old| tick.width() <= old.width().max(SHARP_MS));
        if changed && better {
            self.tick = Some(tick);
        }
    }

    fn darkness(&mut self, rows: &[&[Option<Followed>]], now: Millis) {
        self.dark_since.resize(rows.len(), None);
        self.dark_ms.resize(rows.len(), 0);
        for (mv, rows) in rows.iter().enumerate() {
            let (since, total) = (&mut self.dark_since[mv], &mut self.dark_ms[mv]);
            if rows.iter().any(Option::is_none) {
                since.get_or_insert(now);
            } else if let Some(begin) = since.take() {
                *total += now.saturating_sub(begin);
            }
        }
    }
}

fn per_move<'a>(subject: &Subject, rows: &'a [Option<Followed>]) -> Vec<&'a [Option<Followed>]> {
    let mut rest = rows;
    let mut all = Vec::with_capacity(subject.moves.len());
    for keys in &subject.moves {
        let (these, more) = rest.split_at(keys.len().min(rest.len()));
        all.push(these);
        rest = more;
    }
    all
}

#[cfg(test)]
#[path = "ledger_tests.rs"]
mod tests;
