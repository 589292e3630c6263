//! The formats for programs. The serialised types are the contract; nothing is added or renamed.

use serde::Serialize;

use crate::diagnose::Explanation;

/// Pretty JSON.
pub(super) fn json<T: Serialize>(value: &T) -> String {
    let mut text =
        serde_json::to_string_pretty(value).expect("reports have string keys only, so they always serialise");
    text.push('\n');
    text
}

/// YAML with the same content.
pub(super) fn yaml<T: Serialize>(value: &T) -> String {
    let mut text = serde_saphyr::to_string(value).expect("reports have string keys only, so they always serialise");
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// `service/NAME` a line as kubectl's `-o name` has it; addresses as they were asked about.
pub(super) fn names(explanation: &Explanation) -> String {
    let mut out = String::new();
    for subject in &explanation.subjects {
        if subject.kind == "Service" {
            out.push_str("service/");
        }
        out.push_str(&subject.name);
        out.push('\n');
    }
    out
}
