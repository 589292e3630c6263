//! Both Services as JSON, held against the intent; and the writes that change them. Pure.
//!
//! JSON, not types: a field that this build does not know is compared and kept like any other. Every
//! write carries `resourceVersion`, `uid` and the whole list of ports, so that it succeeds only on the
//! object that it was made from.

mod compare;
mod form;
mod read;
#[cfg(test)]
mod tests;

use serde_json::{Map, Value, json};

use super::intent::{Intent, Moves, Side};
use form::{Form, LB_ONLY};

pub use read::read;

/// The annotation that marks a Service, or a drain slice, as part of a migration: `<id>.<turn>`, after a
/// nudge `<id>.<turn>.<n>`.
pub const MARK: &str = "vipctl.dev/migration";

/// What our annotations and labels begin with.
pub const OURS: &str = "vipctl.dev/";

/// The field manager of every write.
pub const MANAGER: &str = "kubectl-vipctl";

/// The name of a port that was moved out of the way. Another name than before: under the same name the
/// API server keeps the node port, and nobody else could have it.
pub const PARKED: &str = "parked";

/// A write to one Service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// A JSON merge patch; it carries the `uid` and `resourceVersion` of the object that it is for.
    Patch(Value),
    /// A new object.
    Create(Value),
    /// Removal of this very object in this very state.
    Delete {
        /// `metadata.uid`.
        uid: String,
        /// `metadata.resourceVersion`.
        resource_version: String,
    },
}

/// What a Service says, without what the API server and we ourselves add to it: the form of
/// `Party::before`.
#[must_use]
pub fn manifest(object: &Value) -> Value {
    const SERVERS: [&str; 8] = [
        "managedFields",
        "resourceVersion",
        "generation",
        "selfLink",
        "uid",
        "creationTimestamp",
        "deletionTimestamp",
        "deletionGracePeriodSeconds",
    ];
    let mut out = object.clone();
    let Some(root) = out.as_object_mut() else { return out };
    root.remove("status");
    root.entry("apiVersion").or_insert_with(|| json!("v1"));
    root.entry("kind").or_insert_with(|| json!("Service"));
    if let Some(metadata) = root.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.retain(|key, _| !SERVERS.contains(&key.as_str()));
        for key in ["labels", "annotations"] {
            let Some(map) = metadata.get_mut(key).and_then(Value::as_object_mut) else { continue };
            map.retain(|name, _| !name.starts_with(OURS));
            if map.is_empty() {
                metadata.remove(key);
            }
        }
    }
    out
}

/// Takes over into `before` what others changed of an object that decides nothing about its ports: labels,
/// annotations that are not Cilium's, finalizers and owners.
pub fn accept_idle(before: &mut Value, object: &Value) {
    let mut now = manifest(object);
    let (Some(before), Some(now)) = (before["metadata"].as_object_mut(), now["metadata"].as_object_mut()) else {
        return;
    };
    let cilium = |map: Option<&Value>, ours: bool| -> Map<String, Value> {
        let entries = map.and_then(Value::as_object).into_iter().flatten();
        entries.filter(|(name, _)| name.contains("cilium.io") == ours).map(|(k, v)| (k.clone(), v.clone())).collect()
    };
    let mut annotations = cilium(before.get("annotations"), true);
    annotations.extend(cilium(now.get("annotations"), false));
    now.insert("annotations".into(), Value::Object(annotations));
    for part in ["labels", "annotations", "finalizers", "ownerReferences"] {
        match now.remove(part) {
            Some(value) => drop(before.insert(part.into(), value)),
            None => drop(before.remove(part)),
        }
    }
}

/// The turn of a mark's text, where it is one of this migration.
#[must_use]
pub fn mark_turn(id: &str, mark: &str) -> Option<u32> {
    let (turn, _) = parse_mark(id, mark)?;
    Some(turn)
}

fn parse_mark(id: &str, mark: &str) -> Option<(u32, u32)> {
    let rest = mark.strip_prefix(id)?.strip_prefix('.')?;
    match rest.split_once('.') {
        Some((turn, nudge)) => Some((turn.parse().ok()?, nudge.parse().ok()?)),
        None => Some((rest.parse().ok()?, 0)),
    }
}

/// Puts this turn's mark on a Service.
#[must_use]
pub fn mark(intent: &Intent, object: &Value) -> Change {
    annotate(object, &json!(intent.mark()))
}

/// Writes a Service's mark anew, so that every agent handles the Service once more.
#[must_use]
pub fn nudge(intent: &Intent, object: &Value) -> Change {
    let before = mark_of(object).and_then(|mark| parse_mark(&intent.id, mark));
    let n = before.filter(|(turn, _)| *turn == intent.turn).map_or(0, |(_, n)| n);
    annotate(object, &json!(format!("{}.{}", intent.mark(), n + 1)))
}

/// Takes the mark off a Service.
#[must_use]
pub fn unmark(object: &Value) -> Change {
    annotate(object, &Value::Null)
}

fn annotate(object: &Value, value: &Value) -> Change {
    let mut metadata = identity(object);
    metadata.insert("annotations".into(), json!({ MARK: value }));
    Change::Patch(json!({ "metadata": metadata }))
}

/// Makes a Service claim exactly these moves. `object` is the Service as it was just read.
#[must_use]
pub fn hold(intent: &Intent, side: Side, moves: &Moves, object: &Value) -> Change {
    let before = &intent.party(side).before;
    let spec = match form::form(intent, side, moves) {
        Form::Gone => {
            return Change::Delete {
                uid: text(object, "/metadata/uid").to_owned(),
                resource_version: text(object, "/metadata/resourceVersion").to_owned(),
            };
        }
        Form::ClusterIp => {
            let mut spec: Map<String, Value> = LB_ONLY.iter().map(|key| ((*key).to_owned(), Value::Null)).collect();
            spec.insert("type".into(), json!("ClusterIP"));
            spec.insert("ports".into(), form::without_node_ports(form::ports_before(before)));
            spec
        }
        Form::Ports(ports) => {
            let mut spec = Map::new();
            if text(object, "/spec/type") != text(before, "/spec/type") {
                // Kubernetes dropped these with the type.
                let dropped = LB_ONLY.iter().chain(&["type"]).filter_map(|key| Some((*key, before["spec"].get(key)?)));
                spec.extend(dropped.map(|(key, value)| (key.to_owned(), value.clone())));
            }
            spec.insert("ports".into(), Value::Array(ports));
            spec
        }
    };
    Change::Patch(json!({ "metadata": identity(object), "spec": spec }))
}

/// Makes the deleted source again, under this turn's mark: of type ClusterIP, so that it claims nothing
/// yet, with the cluster addresses that it had.
#[must_use]
pub fn restore(intent: &Intent) -> Change {
    let mut object = form::cluster_ip(&intent.source.before);
    object["metadata"]["annotations"][MARK] = json!(intent.mark());
    Change::Create(object)
}

fn identity(object: &Value) -> Map<String, Value> {
    ["uid", "resourceVersion"]
        .into_iter()
        .filter_map(|key| Some((key.to_owned(), object["metadata"].get(key)?.clone())))
        .collect()
}

fn mark_of(object: &Value) -> Option<&str> {
    object["metadata"]["annotations"].get(MARK)?.as_str()
}

fn text<'a>(object: &'a Value, pointer: &str) -> &'a str {
    object.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}
