//! A Service, held against the intent.

use std::net::IpAddr;

use jiff::Timestamp;
use serde_json::Value;

use super::form::{self, Form, key, ports_before};
use super::{MANAGER, compare, manifest, mark_of, mark_turn, text};
use crate::migrate::intent::{Direction, Intent, Moves, Party, Side, SourceAfter};
use crate::migrate::world::{Spec, SpecState};

/// Holds the Service of a side, as the API has it, against the intent; `None` where it is not there.
#[must_use]
pub fn read(intent: &Intent, side: Side, object: Option<&Value>) -> Spec {
    let deletes = side == Side::Source && intent.source_after == SourceAfter::Delete;
    let Some(object) = object else {
        let state = if deletes { SpecState::Claims(Moves::new()) } else { SpecState::Gone };
        return Spec {
            state,
            present: false,
            mark: None,
            has_vip: false,
            touched: None,
            stranger: None,
            writer: String::new(),
        };
    };
    let (state, touched) = state(intent, side, object, deletes);
    let mark = mark_of(object);
    let turn = mark.and_then(|mark| mark_turn(&intent.id, mark));
    Spec {
        state,
        present: true,
        mark: turn,
        touched,
        stranger: mark.filter(|_| turn.is_none()).map(str::to_owned),
        has_vip: has_vip(intent, object),
        writer: last_writer(object).map_or_else(|| "somebody who left no trace".to_owned(), |writer| writer.text),
    }
}

/// The state, and what was changed that decides nothing.
fn state(intent: &Intent, side: Side, object: &Value, deletes: bool) -> (SpecState, Option<String>) {
    let party = intent.party(side);
    let held = held(intent, side, object);
    let (differences, idle): (Vec<String>, Vec<String>) =
        differences(intent, side, party, &held, object).into_iter().partition(|path| decides(path));
    if text(object, "/metadata/uid") != party.uid {
        let marked = mark_of(object).is_some_and(|mark| mark_turn(&intent.id, mark).is_some());
        // Made again by a rollback that is at its end, for only then does it bear no mark.
        let again = intent.direction == Direction::Back && held == intent.all() && differences.is_empty();
        if !(deletes && (marked || again)) {
            return (SpecState::Replaced, None);
        }
    }
    if object.pointer("/metadata/deletionTimestamp").is_some() {
        return (SpecState::Foreign("it is being deleted".to_owned()), None);
    }
    if !differences.is_empty() {
        return (SpecState::Foreign(blame(&differences, object)), None);
    }
    (SpecState::Claims(held), (!idle.is_empty()).then(|| blame(&idle, object)))
}

/// Whether a change at this path can decide about ports and VIP. Others' labels and annotations do not, and
/// no write of ours would undo them.
fn decides(path: &str) -> bool {
    !path.starts_with("metadata") || path.contains("cilium.io")
}

/// The moves whose ports the object has.
fn held(intent: &Intent, side: Side, object: &Value) -> Moves {
    if side == Side::Source && text(object, "/spec/type") == "ClusterIP" {
        return Moves::new();
    }
    let ports = ports_before(object);
    let entry = |mv: usize| match side {
        Side::Source => &intent.moves[mv].from,
        Side::Target => &intent.moves[mv].to,
    };
    (0..intent.moves.len()).filter(|mv| ports.iter().any(|port| key(port) == key(entry(*mv)))).collect()
}

/// The paths at which an object is not what the intent makes of it.
fn differences(intent: &Intent, side: Side, party: &Party, held: &Moves, object: &Value) -> Vec<String> {
    let actual = manifest(object);
    match form::form(intent, side, held) {
        Form::Ports(ports) => {
            let mut expected = party.before.clone();
            expected["spec"]["ports"] = Value::Array(ports);
            compare::differences(&expected, &actual)
        }
        // What is deleted is seen before, where it is made again, and in between as ClusterIP.
        Form::ClusterIp | Form::Gone => compare::differences(&form::cluster_ip(&party.before), &actual),
    }
}

fn has_vip(intent: &Intent, object: &Value) -> bool {
    let list = |pointer: &str| object.pointer(pointer).and_then(Value::as_array).into_iter().flatten();
    let ingress = list("/status/loadBalancer/ingress")
        .filter(|entry| entry["ipMode"].as_str().is_none_or(|mode| mode == "VIP"))
        .filter_map(|entry| entry["ip"].as_str());
    let external = list("/spec/externalIPs").filter_map(Value::as_str);
    let vips: Vec<IpAddr> =
        ingress.chain(external).filter_map(|ip| ip.parse().ok()).map(|ip: IpAddr| ip.to_canonical()).collect();
    intent.moves.iter().flat_map(|mv| &mv.keys).all(|key| vips.contains(&key.vip))
}

struct Writer {
    text: String,
    ours: bool,
}

/// Who wrote the object last, its status apart. Times are whole seconds; of two writers in one second it
/// is the one that is not us.
fn last_writer(object: &Value) -> Option<Writer> {
    let fields = object.pointer("/metadata/managedFields").and_then(Value::as_array)?;
    let writers = fields.iter().filter(|entry| entry["subresource"].as_str().is_none_or(str::is_empty));
    let (at, theirs, name) = writers
        .filter_map(|entry| {
            let at: Timestamp = entry["time"].as_str()?.parse().ok()?;
            let name = entry["manager"].as_str()?;
            Some((at, name != MANAGER, name))
        })
        .max()?;
    Some(Writer { text: format!("{name} at {at}"), ours: !theirs })
}

fn blame(differences: &[String], object: &Value) -> String {
    const MOST: usize = 4;
    let mut what = differences.iter().take(MOST).map(String::as_str).collect::<Vec<_>>().join(", ");
    if differences.len() > MOST {
        what.push_str(&format!(" and {} more", differences.len() - MOST));
    }
    let were = if differences.len() == 1 { "was" } else { "were" };
    match last_writer(object).filter(|writer| !writer.ours) {
        Some(writer) => format!("{what} {were} changed by {}", writer.text),
        // A write that only removes fields leaves no name.
        None => format!("{what} {were} changed, by whom is not recorded"),
    }
}
