//! What the intent makes of a Service, for each set of moves that it claims.

use serde_json::{Value, json};

use super::PARKED;
use crate::migrate::intent::{Intent, Moves, Side, SourceAfter};

/// Fields that only a LoadBalancer Service may have. Kubernetes drops most of them when the type changes,
/// and refuses the change where source ranges are left.
pub(super) const LB_ONLY: [&str; 5] = [
    "allocateLoadBalancerNodePorts",
    "externalTrafficPolicy",
    "healthCheckNodePort",
    "loadBalancerClass",
    "loadBalancerSourceRanges",
];

/// What becomes of a Service.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Form {
    /// As before, but with these ports.
    Ports(Vec<Value>),
    /// Type ClusterIP with the ports it had before.
    ClusterIp,
    /// It is deleted.
    Gone,
}

/// What becomes of the Service of a side when it claims these moves.
pub(super) fn form(intent: &Intent, side: Side, held: &Moves) -> Form {
    let before = ports_before(&intent.party(side).before);
    if side == Side::Target {
        let added = held.iter().filter_map(|mv| intent.moves.get(*mv)).map(|mv| mv.to.clone());
        return Form::Ports(before.iter().cloned().chain(added).collect());
    }
    match intent.source_after {
        SourceAfter::ClusterIp if held.is_empty() => return Form::ClusterIp,
        SourceAfter::Delete if held.is_empty() => return Form::Gone,
        _ => {}
    }
    let stays = |entry: &&Value| match intent.moves.iter().position(|mv| key(&mv.from) == key(entry)) {
        Some(mv) => held.contains(&mv),
        None => true,
    };
    let mut ports: Vec<Value> = before.iter().filter(stays).cloned().collect();
    if let (SourceAfter::Park(port), true, Some(last)) = (intent.source_after, held.is_empty(), intent.moves.last()) {
        ports.push(parked(&last.from, port));
    }
    Form::Ports(ports)
}

/// A port under a free number. Its node port is a new one: the old one goes to the target, or is free.
fn parked(from: &Value, port: u16) -> Value {
    let mut entry = from.clone();
    if let Some(map) = entry.as_object_mut() {
        map.remove("nodePort");
        map.insert("name".into(), json!(PARKED));
        map.insert("port".into(), json!(port));
    }
    entry
}

/// `spec.ports` of an object.
pub(super) fn ports_before(object: &Value) -> &[Value] {
    object["spec"]["ports"].as_array().map_or(&[], Vec::as_slice)
}

/// A port's number and protocol, by which it is told from all others of its Service.
pub(super) fn key(entry: &Value) -> (u64, &str) {
    (entry["port"].as_u64().unwrap_or_default(), entry["protocol"].as_str().unwrap_or("TCP"))
}

/// The same ports without a port on the nodes.
pub(super) fn without_node_ports(ports: &[Value]) -> Value {
    let mut ports = ports.to_vec();
    for entry in ports.iter_mut().filter_map(Value::as_object_mut) {
        entry.remove("nodePort");
    }
    Value::Array(ports)
}

/// The object as type ClusterIP, claiming no VIP.
pub(super) fn cluster_ip(before: &Value) -> Value {
    let mut object = before.clone();
    let ports = without_node_ports(ports_before(before));
    if let Some(spec) = object.get_mut("spec").and_then(Value::as_object_mut) {
        spec.retain(|name, _| !LB_ONLY.contains(&name.as_str()));
        spec.insert("type".into(), json!("ClusterIP"));
        spec.insert("ports".into(), ports);
    }
    object
}
