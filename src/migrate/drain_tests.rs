use serde_json::{Value, json};

use super::*;
use crate::migrate::intent::{Direction, Drain, FORMAT, Limits, Move, OnFailure, Party, SourceAfter, Strategy};
use crate::model::ServiceRef;

fn party(name: &str, selector: bool) -> Party {
    let spec = if selector { json!({"selector": {"app": name}}) } else { json!({}) };
    Party {
        service: ServiceRef::new("shop", name),
        uid: name.to_owned(),
        before: json!({ "spec": spec }),
        backed: true,
        local: false,
    }
}

fn intent(selector: bool) -> Intent {
    Intent {
        format: FORMAT.to_owned(),
        id: "192-0-2-10-80-tcp".to_owned(),
        source: party("a", selector),
        target: party("b", selector),
        moves: vec![Move {
            keys: vec!["192.0.2.10:80/TCP".parse().expect("a key")],
            from: json!({"name": "http", "port": 80, "targetPort": 8080}),
            to: json!({"name": "web", "port": 80, "targetPort": 8080}),
        }],
        source_after: SourceAfter::Keeps,
        strategy: Strategy::Handoff,
        drain: Some(Drain { timeout_ms: 1000 }),
        direction: Direction::Forward,
        turn: 0,
        limits: Limits { timeout_ms: 1, max_dark_ms: 1, allow_unknown: 0, on_failure: OnFailure::Stop },
        period_ms: 500,
    }
}

/// A slice of a Service: its name, its port's name and number, and addresses with their readiness.
fn slice(service: &str, name: &str, port: Option<(&str, i32)>, addresses: &[(&str, bool)]) -> EndpointSlice {
    let ports: Vec<Value> =
        port.iter().map(|(name, port)| json!({"name": name, "port": port, "protocol": "TCP"})).collect();
    let endpoints: Vec<Value> = addresses
        .iter()
        .map(|(ip, ready)| json!({"addresses": [ip], "nodeName": "nd1", "zone": "z", "conditions": {"ready": ready}}))
        .collect();
    serde_json::from_value(json!({
        "metadata": {"name": name, "namespace": "shop", "labels": {"kubernetes.io/service-name": service}},
        "addressType": "IPv4", "ports": ports, "endpoints": endpoints,
    }))
    .expect("a slice")
}

/// The slice as the API would hold it once it was made.
fn made(drains: &Drains) -> EndpointSlice {
    let SliceOp::Create(id) = &drains.view.due[0] else { panic!("{:?}", drains.view.due) };
    serde_json::from_value(drains.object(id).expect("an object")).expect("a slice")
}

#[test]
fn the_givers_backends_become_terminating_ones_of_the_takers_port() {
    let source = [slice("a", "a-1", Some(("http", 8080)), &[("10.0.0.1", true), ("10.0.0.2", false)])];
    let target = [slice("b", "b-1", Some(("web", 8080)), &[("10.0.0.9", true)])];
    let drains = Drains::new(&intent(true), &source, &target, false, "u1");
    let made = made(&drains);
    assert_eq!(made.endpoints.len(), 1, "one that does not serve is none to drain");
    let endpoint = &made.endpoints[0];
    let conditions = endpoint.conditions.as_ref().expect("conditions");
    assert_eq!((conditions.ready, conditions.serving, conditions.terminating), (Some(false), Some(true), Some(true)));
    assert_eq!((endpoint.node_name.as_deref(), endpoint.zone.as_deref()), (Some("nd1"), Some("z")));
    let port = &made.ports.as_ref().expect("ports")[0];
    assert_eq!((port.name.as_deref(), port.port), (Some("web"), Some(8080)));
    let labels = made.metadata.labels.as_ref().expect("labels");
    assert_eq!(labels["kubernetes.io/service-name"], "b");
    assert_eq!(labels[LABEL], "192-0-2-10-80-tcp");
    assert_eq!(made.metadata.owner_references.as_ref().expect("an owner")[0].uid, "u1");
    assert_eq!(drains.backends(), ["10.0.0.1:8080/TCP"]);
    let there = Drains::new(&intent(true), &source, &[target[0].clone(), made], false, "u1");
    assert_eq!((there.view.due.len(), there.view.present.len()), (0, 1), "made once");
}

#[test]
fn endpoints_that_go_away_are_followed_before_and_after_the_switch() {
    let before = [slice("a", "a-1", Some(("http", 8080)), &[("10.0.0.1", true), ("10.0.0.2", true)])];
    let own = slice("b", "b-1", Some(("web", 8080)), &[("10.0.0.9", true)]);
    let drain = made(&Drains::new(&intent(true), &before, std::slice::from_ref(&own), false, ""));
    let target = [own, drain.clone()];
    let id = id_of(&drain);
    let less = [slice("a", "a-1", Some(("http", 8080)), &[("10.0.0.2", true)])];
    let more = [slice("a", "a-1", Some(("http", 8080)), &[("10.0.0.1", true), ("10.0.0.2", true), ("10.0.0.3", true)])];
    let due = |source: &[EndpointSlice], switched| Drains::new(&intent(true), source, &target, switched, "").view.due;
    assert_eq!(due(&less, false), [SliceOp::Update(id.clone())]);
    assert_eq!(due(&more, false), [SliceOp::Update(id.clone())]);
    // Afterwards the giver's slices have lost the port, and nothing is added any more.
    let without = [slice("a", "a-1", None, &[("10.0.0.2", true)])];
    let followed = Drains::new(&intent(true), &without, &target, true, "");
    assert_eq!(followed.view.due, [SliceOp::Update(id.clone())]);
    let object = followed.object(&id).expect("an object");
    assert_eq!(object["endpoints"][0]["addresses"], json!(["10.0.0.2"]));
    assert!(object["metadata"].get("labels").is_none(), "an update leaves its names alone");
    assert_eq!(due(&more, true), [], "nothing new after the switch");
    assert_eq!(due(&[slice("a", "a-1", None, &[])], true), [SliceOp::Delete(id)]);
    assert_eq!(due(&[], true), [], "no slice at all tells nothing");
}

#[test]
fn the_same_backends_need_no_drain() {
    let source = [slice("a", "a-1", Some(("http", 8080)), &[("10.0.0.1", true)])];
    let same = [slice("b", "b-1", Some(("web", 8080)), &[("10.0.0.1", true)])];
    assert!(!Drains::new(&intent(true), &source, &same, false, "").view.useful);
    let other_port = [slice("b", "b-1", Some(("web", 9090)), &[("10.0.0.1", true)])];
    assert!(Drains::new(&intent(true), &source, &other_port, false, "").view.useful);
    let knows_not_yet = [slice("b", "b-1", Some(("dns", 53)), &[("10.0.0.1", true)])];
    assert!(!Drains::new(&intent(true), &source, &knows_not_yet, false, "").view.useful, "the same pods");
}

#[test]
fn the_taker_must_have_backends_of_its_own() {
    let source = [slice("a", "a-1", Some(("http", 8080)), &[("10.0.0.1", true)])];
    let backed = |selector, target: &[EndpointSlice]| {
        Drains::new(&intent(selector), &source, target, false, "").view.taker_backed
    };
    assert!(backed(false, &[slice("b", "b-1", Some(("web", 8080)), &[("10.0.0.9", true)])]));
    assert!(!backed(true, &[slice("b", "b-1", Some(("web", 8080)), &[("10.0.0.9", false)])]));
    assert!(backed(true, &[slice("b", "b-1", Some(("dns", 53)), &[("10.0.0.9", true)])]), "follows the Service");
    assert!(!backed(false, &[slice("b", "b-1", Some(("dns", 53)), &[("10.0.0.9", true)])]), "nobody adds the port");
    assert!(!backed(true, &[]));
    let drain = made(&Drains::new(&intent(true), &source, &[], false, ""));
    assert!(!backed(true, &[drain]), "our own slice backs nobody");
}

#[test]
fn going_back_mirrors_it_and_counts_both_ways_as_present() {
    let source = [slice("a", "a-1", Some(("http", 8080)), &[("10.0.0.1", true)])];
    let own = slice("b", "b-1", Some(("web", 8080)), &[("10.0.0.9", true)]);
    let forward = made(&Drains::new(&intent(true), &source, std::slice::from_ref(&own), false, "u1"));
    let target = [own, forward];
    let back = Drains::new(&intent(true).reversed(), &source, &target, false, "u1");
    assert_eq!(back.view.present.len(), 1, "the one of the way there");
    let made = made(&back);
    assert_ne!(made.metadata.name.as_ref(), Some(&back.view.present[0].name), "both may be there at once");
    assert_eq!(made.metadata.labels.as_ref().expect("labels")["kubernetes.io/service-name"], "a");
    assert_eq!(made.ports.as_ref().expect("ports")[0].name.as_deref(), Some("http"));
    assert_eq!(back.backends(), ["10.0.0.9:8080/TCP"]);
    assert!(!back.view.due.iter().any(|op| matches!(op, SliceOp::Delete(_))), "connections still drain through it");
    let switched = Drains::new(&intent(true).reversed(), &source, &target, true, "u1");
    assert_eq!(switched.view.due, [SliceOp::Delete(switched.view.present[0].clone())], "nothing drains through it");
}
