//! The report on a migration: what was done, how long ports were dark, and the ways on. Serialises to
//! `kind: MigrationReport` of `vipctl.dev/v1`; fields may be added, these names stay.

use serde::Serialize;

use super::cluster::{LookError, Outcome};
use super::executor::{Ended, Step};
use super::intent::{Direction, Intent, Moves, Strategy};
use super::machine::{End, Stop};
use super::words;
use super::world::{KeyState, Millis, NodeView, World};
use crate::exit;
use crate::model::{PortKey, ServiceRef};

/// What dark times rest on.
const BASIS: &str = "no row in the agent's table, asked about every 10 ms";

/// How a migration ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Result {
    /// Every node showed the new owner.
    Done,
    /// Every node that could be asked did; the journal stays, and `resume` asks the others.
    DoneWithUnknown,
    /// It stopped safely; it can be resumed or rolled back.
    Stopped,
    /// Everything is as it was before.
    RolledBack,
    /// A precondition does not hold, and nothing was written.
    Refused,
}

/// The whole report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// `vipctl.dev/v1`.
    pub api_version: &'static str,
    /// `MigrationReport`.
    pub kind: &'static str,
    /// The exit code: 0 done, 1 rolled back because it failed, 4 stopped or not known of every node, 5 refused.
    pub exit: u8,
    /// How it ended.
    pub outcome: Result,
    /// Why it ended so, where that is not the plain end; a fragment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The migration's name, as `resume` and `rollback` take it.
    pub id: String,
    /// In which order things happened.
    pub strategy: Strategy,
    /// Forward, or back.
    pub direction: Direction,
    /// Who had the ports before.
    pub source: ServiceRef,
    /// Who was to get them.
    pub target: ServiceRef,
    /// The ports.
    pub keys: Vec<PortKey>,
    /// How long this run took, in milliseconds.
    pub took_ms: Millis,
    /// Node by node.
    pub nodes: Vec<NodeReport>,
    /// What was written, in order.
    pub steps: Vec<StepReport>,
    /// What the two Services claim and who serves the ports, as last seen; a sentence each.
    pub state: Vec<String>,
    /// Connections that were tried meanwhile, with `--probe`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probe: Option<ProbeReport>,
    /// The command that brings everything back to how it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undo: Option<String>,
    /// The commands with which to go on, safest first.
    pub next: Vec<String>,
}

/// One node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NodeReport {
    /// Its name.
    pub name: String,
    /// Each port on it; empty where the node is unknown.
    pub ports: Vec<PortReport>,
    /// What the dark times rest on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub basis: Option<&'static str>,
    /// Why the node is unknown, where it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown: Option<String>,
}

/// One port on one node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PortReport {
    /// Which.
    pub address: PortKey,
    /// Who has it now; null where nobody does.
    pub owner: Option<ServiceRef>,
    /// How long this run saw it without a row, in milliseconds.
    pub dark_ms: Millis,
}

/// Something that was written, or tried.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StepReport {
    /// Milliseconds since the run began.
    pub at_ms: Millis,
    /// What.
    pub what: String,
    /// `done`, `conflict`, `refused` or `unknown`.
    pub outcome: &'static str,
    /// The words with which it failed, where it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

impl StepReport {
    /// A step of a run that began at `begin`; `held` is what its Service claimed before it.
    #[must_use]
    pub fn of(intent: &Intent, step: &Step, held: &Moves, begin: Millis) -> Self {
        let (outcome, detail) = match &step.outcome {
            Outcome::Done => ("done", None),
            Outcome::Conflict(text) => ("conflict", Some(text.clone())),
            Outcome::Refused(text) => ("refused", Some(text.clone())),
            Outcome::Unknown(text) => ("unknown", Some(text.clone())),
        };
        let what = words::effect(intent, &step.effect, held);
        Self { at_ms: step.at.saturating_sub(begin), what, outcome, detail }
    }
}

/// What real connections met.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProbeReport {
    /// Where they went.
    pub address: PortKey,
    /// How many were tried.
    pub attempts: usize,
    /// How many were refused, reset or not answered within a second.
    pub failed: usize,
    /// The longest time without a connection, from the first that failed to the next that did not, in
    /// milliseconds.
    pub longest_dark_ms: Millis,
}

/// How a migration is named in commands to paste.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commands {
    /// Its id.
    pub id: String,
    /// The namespace of its journal.
    pub namespace: String,
    /// The user's connection flags.
    pub flags: Vec<String>,
}

impl Commands {
    /// The commands about an intent's journal.
    #[must_use]
    pub fn about(intent: &Intent, flags: &[String]) -> Self {
        let namespace = intent.target.service.namespace.clone();
        Self { id: intent.id.clone(), namespace, flags: flags.to_vec() }
    }

    /// `kubectl vipctl migrate VERB ID -n NAMESPACE`.
    #[must_use]
    pub fn line(&self, verb: &str) -> String {
        self.words(&[verb, &self.id])
    }

    /// The command that shows all migrations there.
    #[must_use]
    pub fn list(&self) -> String {
        self.words(&["list"])
    }

    fn words(&self, verb: &[&str]) -> String {
        let mut words = vec!["kubectl vipctl migrate"];
        words.extend(verb);
        words.extend(["-n", &self.namespace]);
        words.extend(self.flags.iter().map(String::as_str));
        words.join(" ")
    }
}

/// A run that has ended, and what the report needs to know beside it.
pub struct Story<'a> {
    /// How it ended.
    pub ended: &'a Ended,
    /// When it began, by the runner's clock.
    pub begin: Millis,
    /// When it ended.
    pub end: Millis,
    /// The user asked to go back; otherwise going back means that it failed.
    pub asked_back: bool,
    /// What was written.
    pub steps: Vec<StepReport>,
    /// Real connections.
    pub probe: Option<ProbeReport>,
    /// The user's connection flags, for commands.
    pub flags: &'a [String],
}

/// Puts the report together.
#[must_use]
pub fn report(story: Story<'_>) -> Report {
    let Story { ended, begin, end, asked_back, steps, probe, flags } = story;
    let intent = &ended.intent;
    let (outcome, exit, reason) = judge(ended, asked_back);
    let commands = Commands::about(intent, flags);
    let (undo, next) = match &ended.end {
        // Whoever has the journal now decides how it goes on.
        Err(LookError::LostLock(_)) => (None, vec![commands.list()]),
        _ => ways(outcome, intent, &commands),
    };
    Report {
        exit,
        reason,
        took_ms: end.saturating_sub(begin),
        nodes: ended.world.as_ref().map_or_else(Vec::new, |world| nodes(intent, world)),
        steps,
        state: state(ended),
        probe,
        undo,
        next,
        ..empty(intent, outcome)
    }
}

/// What is so at the end; of a run that could not look any more, what was so when it last could.
fn state(ended: &Ended) -> Vec<String> {
    let lines = ended.world.as_ref().map_or_else(Vec::new, |world| words::state(&ended.intent, world));
    let old = ended.end.is_err().then(|| LAST_SEEN.to_owned());
    old.into_iter().chain(lines).collect()
}

/// Stands before a state that may have changed since.
pub const LAST_SEEN: &str = "as it was last seen (`status` looks again):";

/// The report of a run that never began: why in `reason`.
#[must_use]
pub fn refused(intent: &Intent, reason: String) -> Report {
    Report { exit: exit::REFUSED, reason: Some(reason), ..empty(intent, Result::Refused) }
}

fn empty(intent: &Intent, outcome: Result) -> Report {
    Report {
        api_version: "vipctl.dev/v1",
        kind: "MigrationReport",
        exit: exit::OK,
        outcome,
        reason: None,
        id: intent.id.clone(),
        strategy: intent.strategy,
        direction: intent.direction,
        source: intent.source.service.clone(),
        target: intent.target.service.clone(),
        keys: words::keys(intent, &intent.all()),
        took_ms: 0,
        nodes: Vec::new(),
        steps: Vec::new(),
        state: Vec::new(),
        probe: None,
        undo: None,
        next: Vec::new(),
    }
}

fn judge(ended: &Ended, asked_back: bool) -> (Result, u8, Option<String>) {
    let intent = &ended.intent;
    let why = || ended.turned.as_ref().map(|stop| words::stop(intent, stop));
    let silent = |n: usize| {
        let nodes = if n == 1 { "node".to_owned() } else { format!("{n} nodes") };
        Some(format!("{nodes} could not be asked: {}", unknown_nodes(ended.world.as_ref())))
    };
    match &ended.end {
        Ok(End::Done { unknown: 0 }) => (Result::Done, exit::OK, None),
        Ok(End::Done { unknown }) => (Result::DoneWithUnknown, exit::STOPPED, silent(*unknown)),
        Ok(End::RolledBack { unknown: 0 }) if asked_back => (Result::RolledBack, exit::OK, None),
        Ok(End::RolledBack { unknown }) if asked_back => (Result::RolledBack, exit::STOPPED, silent(*unknown)),
        Ok(End::RolledBack { .. }) => (Result::RolledBack, exit::PROBLEM, why()),
        Ok(End::Stopped(stop)) => {
            let first = why().filter(|_| *stop != Stop::Asked).map(|why| format!(" (it was going back: {why})"));
            (Result::Stopped, exit::STOPPED, Some(words::stop(intent, stop) + &first.unwrap_or_default()))
        }
        Err(LookError::Unreachable(text)) => {
            (Result::Stopped, exit::STOPPED, Some(format!("the API server does not answer: {text}")))
        }
        Err(LookError::LostLock(text)) => {
            (Result::Stopped, exit::STOPPED, Some(format!("the journal is not this run's any more: {text}")))
        }
    }
}

fn unknown_nodes(world: Option<&World>) -> String {
    let nodes = world.map_or(&[][..], |world| &world.nodes);
    let silent: Vec<String> =
        nodes.iter().filter_map(|node| Some(format!("{}: {}", node.name, node.seen.as_ref().err()?))).collect();
    words::list(&silent)
}

/// The command that undoes it, and those with which to go on.
fn ways(outcome: Result, intent: &Intent, commands: &Commands) -> (Option<String>, Vec<String>) {
    let back = commands.line("rollback");
    match (outcome, intent.direction) {
        (Result::Done, _) => (Some(back), Vec::new()),
        (Result::DoneWithUnknown, _) => (Some(back), vec![commands.line("resume")]),
        (Result::Stopped, Direction::Forward) => {
            (Some(back.clone()), vec![commands.line("status"), commands.line("resume"), back])
        }
        (Result::Stopped, Direction::Back) => {
            (None, vec![commands.line("status"), commands.line("resume"), commands.line("abandon")])
        }
        (Result::RolledBack | Result::Refused, _) => (None, Vec::new()),
    }
}

/// Each node as it was last seen.
#[must_use]
pub fn nodes(intent: &Intent, world: &World) -> Vec<NodeReport> {
    world.nodes.iter().map(|node| node_report(intent, node, world.now)).collect()
}

fn node_report(intent: &Intent, node: &NodeView, now: Millis) -> NodeReport {
    let name = node.name.clone();
    let seen = match &node.seen {
        Ok(seen) => seen,
        Err(why) => return NodeReport { name, ports: Vec::new(), basis: None, unknown: Some(why.clone()) },
    };
    let ports = intent.moves.iter().enumerate().flat_map(|(mv, entry)| {
        let owner = seen.keys.get(mv).and_then(|key| owner(intent, key));
        let dark_ms = dark(node, mv, now).unwrap_or(0);
        entry.keys.iter().map(move |key| PortReport { address: *key, owner: owner.clone(), dark_ms })
    });
    NodeReport { name, ports: ports.collect(), basis: Some(BASIS), unknown: None }
}

fn owner(intent: &Intent, key: &KeyState) -> Option<ServiceRef> {
    match key {
        KeyState::Absent => None,
        KeyState::Owned { side, .. } => Some(intent.party(*side).service.clone()),
        KeyState::Other(owner) => Some(owner.clone()),
    }
}

/// How long a node was seen without a move's row, in milliseconds, the present darkness included; none where
/// the node is unknown.
#[must_use]
pub fn dark(node: &NodeView, mv: usize, now: Millis) -> Option<Millis> {
    let seen = node.seen.as_ref().ok()?;
    let before = seen.dark_ms.get(mv).copied().unwrap_or(0);
    let since = seen.dark_since.get(mv).copied().flatten();
    Some(before + since.map_or(0, |since| now.saturating_sub(since)))
}
