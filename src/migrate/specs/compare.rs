//! Where one manifest differs from another, apart from what Kubernetes decides by itself.

use serde_json::{Map, Value, json};

/// Put there and taken away by cloud controllers as the type changes.
const CLEANUP: &str = "service.kubernetes.io/load-balancer-cleanup";

/// The paths at which `actual` is not `expected`, in order. A node port that `expected` does not name is
/// for Kubernetes to choose.
pub(super) fn differences(expected: &Value, actual: &Value) -> Vec<String> {
    let (mut expected, mut actual) = (expected.clone(), actual.clone());
    for object in [&mut expected, &mut actual] {
        without_cleanup(object);
        fill_ports(object);
    }
    forget_chosen_ports(&expected, &mut actual);
    let mut paths = Vec::new();
    for part in ["metadata", "spec"] {
        walk(part.to_owned(), &expected[part], &actual[part], &mut paths);
    }
    paths
}

fn without_cleanup(object: &mut Value) {
    let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) else { return };
    let Some(finalizers) = metadata.get_mut("finalizers").and_then(Value::as_array_mut) else { return };
    finalizers.retain(|name| name != CLEANUP);
    if finalizers.is_empty() {
        metadata.remove("finalizers");
    }
}

fn entries(object: &mut Value) -> impl Iterator<Item = &mut Map<String, Value>> {
    object
        .pointer_mut("/spec/ports")
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten()
        .filter_map(Value::as_object_mut)
}

/// Writes out what Kubernetes fills in.
fn fill_ports(object: &mut Value) {
    for entry in entries(object) {
        let port = entry.get("port").cloned().unwrap_or_default();
        entry.entry("protocol").or_insert_with(|| json!("TCP"));
        entry.entry("targetPort").or_insert(port);
        entry.retain(|name, value| !value.is_null() && (name != "name" || value != ""));
    }
}

fn forget_chosen_ports(expected: &Value, actual: &mut Value) {
    let expected = expected["spec"]["ports"].as_array().map_or(&[][..], Vec::as_slice);
    for (wanted, entry) in expected.iter().zip(entries(actual)) {
        if wanted.get("nodePort").is_none() {
            entry.remove("nodePort");
        }
    }
}

fn walk(path: String, expected: &Value, actual: &Value, paths: &mut Vec<String>) {
    let (Some(left), Some(right)) = (expected.as_object(), actual.as_object()) else {
        if expected != actual {
            paths.push(path);
        }
        return;
    };
    let mut names: Vec<&String> = left.keys().chain(right.keys()).collect();
    names.sort();
    names.dedup();
    for name in names {
        let (left, right) = (left.get(name).unwrap_or(&Value::Null), right.get(name).unwrap_or(&Value::Null));
        // An empty map and none are the same, and one name that is missing is named itself.
        let (left, right) = match (left, right) {
            (Value::Null, Value::Object(_)) => (&json!({}), right),
            (Value::Object(_), Value::Null) => (left, &json!({})),
            both => both,
        };
        let plain = name.chars().all(|c| c.is_ascii_alphanumeric());
        walk(if plain { format!("{path}.{name}") } else { format!("{path}[{name}]") }, left, right, paths);
    }
}
