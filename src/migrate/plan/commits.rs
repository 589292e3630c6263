//! The same move as two changes in Git, for Services that Helm, Argo CD or Flux write.

use serde_json::{Value, json};

use super::{CheckState, Plan, named, ports, steps};
use crate::migrate::intent::{Intent, Move, Party, SourceAfter};

/// Both changes as YAML with comments that say what to do between them; none where it is not known what
/// would move.
#[must_use]
pub fn commits(plan: &Plan) -> Option<String> {
    let intent = plan.intent.as_ref()?;
    let keys = steps::addresses(&plan.keys);
    let (a, b) = (named(&intent.source.service), named(&intent.target.service));
    let ports: Vec<String> = intent.moves.iter().map(|mv| ports::text(&mv.from)).collect();
    let ports = ports.join(", ");
    let mut text = format!("# {keys} from {a} to {b}, in two commits.\n");
    // That somebody owns the Services is what commits are for.
    let refused = plan.checks.iter().filter(|check| check.state == CheckState::Refused && check.id != "owners");
    for check in refused {
        text.push_str(&comment(&format!("settle first: {}", check.saw)));
    }
    text.push_str("# Ports are as they must be afterwards; nodePort is left out: keep it where a manifest has it.\n");
    text.push_str(&format!("#\n# Commit 1: release {ports} on {a}.\n#   before: {}\n", list(&intent.source.before)));
    text.push_str(&released(intent));
    text.push_str("#\n# Wait until it is in the cluster, and no node has the port any more:\n");
    for key in &plan.keys {
        text.push_str(&format!("#   {}\n", nobody(&key.to_string())));
    }
    text.push_str("# Not sooner: a claim that an agent refuses is not tried again by itself.\n");
    text.push_str(&format!("#\n# Commit 2: claim {ports} on {b}.\n#   before: {}\n", list(&intent.target.before)));
    text.push_str(&claimed(intent));
    text.push_str(&format!(
        "#\n# Then wait until every node serves it:\n#   kubectl vipctl wait {} --for=healthy\n",
        super::args(&intent.target.service)
    ));
    Some(text)
}

/// A shell line that ends when no node has the port; one that cannot be read counts as having it.
fn nobody(key: &str) -> String {
    format!(
        "until kubectl vipctl explain {key} -o json | jq -e '[.subjects[].frontends[].nodes | .total > 0 and .absent \
         == .total] | all'; do sleep 1; done"
    )
}

fn comment(text: &str) -> String {
    text.lines().map(|line| format!("# {line}\n")).collect()
}

fn entries(party: &Value) -> Vec<Value> {
    party["spec"]["ports"].as_array().cloned().unwrap_or_default()
}

fn list(before: &Value) -> String {
    entries(before).iter().map(ports::text).collect::<Vec<_>>().join(", ")
}

fn without_node_port(mut entry: Value) -> Value {
    if let Some(entry) = entry.as_object_mut() {
        entry.remove("nodePort");
    }
    entry
}

/// A Service with nothing but what the commit is about.
fn fragment(party: &Party, spec: &Value) -> String {
    let id = &party.service;
    let object = json!({
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": { "name": id.name, "namespace": id.namespace },
        "spec": spec,
    });
    let yaml = serde_saphyr::to_string(&object).expect("an object has string keys only, so it always serialises");
    format!("---\n{}\n", yaml.trim_end())
}

fn released(intent: &Intent) -> String {
    let moved = |entry: &Value| intent.moves.iter().any(|mv| mv.from == *entry);
    let kept = entries(&intent.source.before).into_iter().filter(|entry| !moved(entry)).map(without_node_port);
    let mut kept: Vec<Value> = kept.collect();
    match (intent.source_after, intent.moves.last()) {
        (SourceAfter::Delete, _) => return format!("# Remove the manifest of {}.\n", named(&intent.source.service)),
        (SourceAfter::ClusterIp, _) => return fragment(&intent.source, &json!({ "type": "ClusterIP" })),
        (SourceAfter::Park(port), Some(Move { from, .. })) => {
            let mut parked = without_node_port(from.clone());
            parked["port"] = json!(port);
            kept.push(parked);
        }
        _ => {}
    }
    fragment(&intent.source, &json!({ "ports": kept }))
}

fn claimed(intent: &Intent) -> String {
    let before = entries(&intent.target.before).into_iter();
    let all = before.chain(intent.moves.iter().map(|mv| mv.to.clone())).map(without_node_port);
    fragment(&intent.target, &json!({ "ports": all.collect::<Vec<Value>>() }))
}
