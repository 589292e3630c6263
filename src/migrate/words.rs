//! What a migration does, waits for and stops at, in words. Everything that people read of one comes from
//! here, so that the table, the lines and the report say the same.

use std::collections::BTreeSet;

use super::cluster::Outcome;
use super::intent::{Intent, Moves, Side, SourceAfter};
use super::machine::{Effect, Stop, Waiting};
use super::world::{KeyState, SliceOp, Spec, SpecState, World};
use crate::model::{PortKey, ServiceRef};

/// How many names of a list are written out.
const SHOWN: usize = 5;

/// `svc/a (ns shop)`.
#[must_use]
pub fn service(id: &ServiceRef) -> String {
    format!("svc/{} (ns {})", id.name, id.namespace)
}

/// The Service of a side, as [`service`].
#[must_use]
pub fn side(intent: &Intent, side: Side) -> String {
    service(&intent.party(side).service)
}

/// Names with commas, and how many more there are.
#[must_use]
pub fn list<T: ToString>(items: &[T]) -> String {
    let mut text = items.iter().take(SHOWN).map(ToString::to_string).collect::<Vec<_>>().join(", ");
    if items.len() > SHOWN {
        text.push_str(&format!(" and {} more", items.len() - SHOWN));
    }
    text
}

/// The ports of some moves.
#[must_use]
pub fn keys<'a>(intent: &Intent, moves: impl IntoIterator<Item = &'a usize>) -> Vec<PortKey> {
    moves.into_iter().filter_map(|mv| intent.moves.get(*mv)).flat_map(|mv| mv.keys.iter().copied()).collect()
}

fn ports(intent: &Intent, moves: &Moves) -> String {
    list(&keys(intent, moves))
}

/// The ports of one move.
#[must_use]
pub fn port(intent: &Intent, mv: usize) -> String {
    list(&keys(intent, [&mv]))
}

/// What an effect does. `held` is what its Service claimed of the moves before it.
#[must_use]
pub fn effect(intent: &Intent, effect: &Effect, held: &Moves) -> String {
    match effect {
        Effect::Mark(of) => format!("mark {}", side(intent, *of)),
        Effect::Hold { side: of, moves } => hold(intent, *of, moves, held),
        Effect::Swap { giver } => format!(
            "hand {} over from {} to {}, back to back",
            ports(intent, &intent.all()),
            side(intent, *giver),
            side(intent, giver.other())
        ),
        Effect::Restore => format!("make {} again, without address", side(intent, Side::Source)),
        Effect::Slice(SliceOp::Create(id)) => format!("make drain slice {}/{}", id.namespace, id.name),
        Effect::Slice(SliceOp::Update(id)) => format!("bring drain slice {}/{} up to date", id.namespace, id.name),
        Effect::Slice(SliceOp::Delete(id)) => format!("remove drain slice {}/{}", id.namespace, id.name),
        Effect::Nudge(of) => format!("nudge {}: agents look at it again", side(intent, *of)),
        Effect::Unmark(of) => format!("take the mark off {}", side(intent, *of)),
    }
}

fn hold(intent: &Intent, of: Side, moves: &Moves, held: &Moves) -> String {
    let name = side(intent, of);
    let (new, old): (Moves, Moves) = (moves - held, held - moves);
    match (new.is_empty(), old.is_empty()) {
        (false, true) => format!("claim {} on {name}", ports(intent, &new)),
        (true, false) => format!("release {} on {name}{}", ports(intent, &old), afterwards(intent, of, moves)),
        (true, true) if of == Side::Source && moves.is_empty() && intent.source_after == SourceAfter::Delete => {
            format!("delete {name}")
        }
        (true, true) => format!("write the ports of {name} again"),
        (false, false) => {
            format!("claim {} and release {} on {name}", ports(intent, &new), ports(intent, &old))
        }
    }
}

/// What becomes of a source that gives up its last port.
fn afterwards(intent: &Intent, of: Side, moves: &Moves) -> String {
    match intent.source_after {
        _ if of != Side::Source || !moves.is_empty() => String::new(),
        SourceAfter::Keeps | SourceAfter::Delete => String::new(),
        SourceAfter::ClusterIp => ", which becomes type ClusterIP".to_owned(),
        SourceAfter::Park(port) => format!(", which keeps it as port {port}"),
    }
}

/// What is waited for.
#[must_use]
pub fn waiting(intent: &Intent, waiting: &Waiting) -> String {
    let taker = side(intent, intent.taker());
    match waiting {
        Waiting::Marks(nodes) => format!("both Services to be followed by {}", list(nodes)),
        Waiting::Slices(nodes) => format!("the backends that will drain to be known to {}", list(nodes)),
        Waiting::Backends => format!("{taker} to have a ready backend"),
        Waiting::Vip => format!("{taker} to have the address"),
        Waiting::Quiet(ms) => format!("quiet: nobody writes to the two Services for {} more", duration(*ms)),
        Waiting::Dropped { mv, nodes } => format!("{} to be dropped by {}", port(intent, *mv), list(nodes)),
        Waiting::Programmed { mv, nodes } => {
            format!("{} to be served from {taker} by {}", port(intent, *mv), list(nodes))
        }
        Waiting::Drained(ms) => format!("open connections to end, {} at most", duration(*ms)),
    }
}

/// Why it stopped, or turned round.
#[must_use]
pub fn stop(intent: &Intent, stop: &Stop) -> String {
    match stop {
        Stop::Foreign(of, what) => format!("somebody else changed {}: {what}", side(intent, *of)),
        Stop::Replaced(of) => format!("{} is gone, or another one of the same name", side(intent, *of)),
        Stop::Both(mv) => format!("both Services claim {}: somebody else wrote", port(intent, *mv)),
        Stop::OtherOwner { mv, at } => format!("{} belongs to a third Service: {at}", port(intent, *mv)),
        Stop::Late => "the time of --timeout is over".to_owned(),
        Stop::Dark(node) => {
            format!("a port was dark on {node} for longer than {}", duration(intent.limits.max_dark_ms))
        }
        Stop::Refused(text) => format!("the API server refused a write: {text}"),
        Stop::Asked => "you asked for it".to_owned(),
    }
}

/// How a write ended.
#[must_use]
pub fn outcome(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Done => "done".to_owned(),
        Outcome::Conflict(text) => format!("not done, somebody else wrote meanwhile: {text}"),
        Outcome::Refused(text) => format!("refused: {text}"),
        Outcome::Unknown(text) => format!("no answer: {text}"),
    }
}

/// Who has a port on a node: a Service's name, with what is missing.
#[must_use]
pub fn owner(intent: &Intent, key: &KeyState) -> String {
    match key {
        KeyState::Absent => "nobody".to_owned(),
        KeyState::Owned { side: of, done, active } => {
            let id = &intent.party(*of).service;
            let missing = match (done, active) {
                (false, _) => " (not in the datapath yet)",
                (true, false) => " (no active backend)",
                (true, true) => "",
            };
            format!("{id}{missing}")
        }
        KeyState::Other(owner) => owner.to_string(),
    }
}

/// What the two Services claim now and which nodes serve it, a sentence each.
#[must_use]
pub fn state(intent: &Intent, world: &World) -> Vec<String> {
    let mut lines: Vec<String> =
        [Side::Source, Side::Target].iter().map(|of| spec(intent, *of, world.spec(*of))).collect();
    for (mv, _) in intent.moves.iter().enumerate() {
        let mut owners: Vec<(String, Vec<&str>)> = Vec::new();
        let mut silent = Vec::new();
        for node in &world.nodes {
            let seen = match &node.seen {
                Ok(seen) => seen,
                Err(why) => {
                    silent.push(format!("{} ({why})", node.name));
                    continue;
                }
            };
            let text = seen.keys.get(mv).map_or_else(|| "nobody".to_owned(), |key| owner(intent, key));
            match owners.iter_mut().find(|(known, _)| *known == text) {
                Some((_, nodes)) => nodes.push(&node.name),
                None => owners.push((text, vec![&node.name])),
            }
        }
        let known = owners.iter().map(|(who, nodes)| format!("{who} on {}", list(nodes)));
        let silent = (!silent.is_empty()).then(|| format!("unknown on {}", list(&silent)));
        let parts: Vec<String> = known.chain(silent).collect();
        if !parts.is_empty() {
            lines.push(format!("{} belongs to {}", port(intent, mv), parts.join("; ")));
        }
    }
    lines
}

fn spec(intent: &Intent, of: Side, spec: &Spec) -> String {
    let name = side(intent, of);
    match &spec.state {
        SpecState::Claims(moves) if moves.is_empty() && !spec.present => format!("{name} is not there"),
        SpecState::Claims(moves) if moves.is_empty() => format!("{name} claims none of the ports"),
        SpecState::Claims(moves) => format!("{name} claims {}", ports(intent, moves)),
        SpecState::Replaced => format!("{name} is another one than when the migration began"),
        SpecState::Gone => format!("{name} is not there any more"),
        SpecState::Foreign(what) => format!("{name} was changed by somebody else: {what}"),
    }
}

/// Nodes that something is waited for on; empty where it is not about nodes.
#[must_use]
pub fn waited_for(waiting: &Waiting) -> BTreeSet<&str> {
    match waiting {
        Waiting::Marks(nodes)
        | Waiting::Slices(nodes)
        | Waiting::Dropped { nodes, .. }
        | Waiting::Programmed { nodes, .. } => nodes.iter().map(String::as_str).collect(),
        Waiting::Backends | Waiting::Vip | Waiting::Quiet(_) | Waiting::Drained(_) => BTreeSet::new(),
    }
}

/// Milliseconds as people write them: `512 ms`, `12.3 s`, `4 min`.
#[must_use]
pub fn duration(ms: u64) -> String {
    match ms {
        ..1_000 => format!("{ms} ms"),
        1_000..10_000 if ms.is_multiple_of(1000) => format!("{} s", ms / 1000),
        1_000..120_000 => format!("{}.{} s", ms / 1000, ms % 1000 / 100),
        _ => format!("{} min", ms / 60_000),
    }
}
