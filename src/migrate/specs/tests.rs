use serde_json::{Value, json};

use super::*;
use crate::migrate::intent::{Direction, FORMAT, Limits, Move, OnFailure, Party, SourceAfter, Strategy};
use crate::migrate::live::fake::merge;
use crate::migrate::world::{Spec, SpecState};
use crate::model::ServiceRef;

const LIMITS: Limits = Limits { timeout_ms: 1, max_dark_ms: 1, allow_unknown: 0, on_failure: OnFailure::Stop };

fn source() -> Value {
    json!({
        "apiVersion": "v1", "kind": "Service",
        "metadata": {
            "name": "a", "namespace": "shop", "uid": "ua", "resourceVersion": "7", "generation": 2,
            "creationTimestamp": "2026-01-01T00:00:00Z",
            "labels": {"tier": "edge"},
            "annotations": {"lbipam.cilium.io/sharing-key": "edge"},
            "managedFields": [
                {"manager": "kubectl", "operation": "Apply", "time": "2026-01-01T00:00:00Z"},
                {"manager": "cilium-operator", "operation": "Update", "subresource": "status", "time": "2026-03-01T00:00:00Z"},
            ],
        },
        "spec": {
            "type": "LoadBalancer", "clusterIP": "10.96.0.7", "clusterIPs": ["10.96.0.7"],
            "externalTrafficPolicy": "Local", "healthCheckNodePort": 30999, "allocateLoadBalancerNodePorts": true,
            "loadBalancerClass": "io.cilium/l2-announcer", "loadBalancerSourceRanges": ["198.51.100.0/24"],
            "selector": {"app": "a"},
            "ports": [
                {"name": "dns", "port": 53, "protocol": "UDP", "targetPort": 53, "nodePort": 30053},
                {"name": "http", "port": 80, "protocol": "TCP", "targetPort": 8080, "nodePort": 30080},
                {"name": "dns-tcp", "port": 53, "protocol": "TCP", "targetPort": 53, "nodePort": 30054},
            ],
        },
        "status": {"loadBalancer": {"ingress": [{"ip": "192.0.2.10"}, {"ip": "2001:db8:0:0::10"}]}},
    })
}

fn target() -> Value {
    json!({
        "apiVersion": "v1", "kind": "Service",
        "metadata": {"name": "b", "namespace": "shop", "uid": "ub", "resourceVersion": "9"},
        "spec": {
            "type": "LoadBalancer", "selector": {"app": "b"},
            "ports": [{"port": 443, "protocol": "TCP", "targetPort": 443, "nodePort": 30443}],
        },
        "status": {"loadBalancer": {"ingress": [{"ip": "192.0.2.10"}]}},
    })
}

/// The moves are the source's ports at these places.
fn intent(places: &[usize], after: SourceAfter) -> Intent {
    let party = |object: &Value, name: &str, uid: &str| Party {
        service: ServiceRef::new("shop", name),
        uid: uid.to_owned(),
        before: manifest(object),
        backed: true,
        local: false,
    };
    let moves = places.iter().map(|place| {
        let from = source()["spec"]["ports"][*place].clone();
        let key = format!("192.0.2.10:{}/{}", from["port"], from["protocol"].as_str().expect("a protocol"));
        Move { keys: vec![key.parse().expect("a key")], to: from.clone(), from }
    });
    Intent {
        format: FORMAT.to_owned(),
        id: "192-0-2-10-80-tcp".to_owned(),
        source: party(&source(), "a", "ua"),
        target: party(&target(), "b", "ub"),
        moves: moves.collect(),
        source_after: after,
        strategy: Strategy::Ordered,
        drain: None,
        direction: Direction::Forward,
        turn: 0,
        limits: LIMITS,
        period_ms: 500,
    }
}

fn apply(object: &Value, change: &Change) -> Option<Value> {
    match change {
        Change::Patch(patch) => {
            assert_eq!(patch["metadata"]["resourceVersion"], object["metadata"]["resourceVersion"], "compare-and-swap");
            assert_eq!(patch["metadata"]["uid"], object["metadata"]["uid"]);
            let mut after = object.clone();
            merge(&mut after, patch);
            Some(after)
        }
        Change::Create(object) => {
            let mut made = object.clone();
            made["metadata"]["uid"] = json!("again");
            made["metadata"]["resourceVersion"] = json!("20");
            Some(made)
        }
        Change::Delete { uid, resource_version } => {
            assert_eq!(object["metadata"]["uid"], **uid);
            assert_eq!(object["metadata"]["resourceVersion"], **resource_version);
            None
        }
    }
}

fn held(intent: &Intent, side: Side, object: Option<&Value>) -> Moves {
    match read(intent, side, object).state {
        SpecState::Claims(moves) => moves,
        other => panic!("{side:?}: {other:?}"),
    }
}

fn foreign(intent: &Intent, object: &Value) -> String {
    match read(intent, Side::Source, Some(object)).state {
        SpecState::Foreign(text) => text,
        other => panic!("{other:?}"),
    }
}

fn names(object: &Value) -> Vec<&str> {
    object["spec"]["ports"].as_array().expect("ports").iter().map(|port| port["name"].as_str().unwrap_or("-")).collect()
}

#[test]
fn released_in_any_order_and_taken_back_it_is_what_it_was() {
    let intent = intent(&[1, 0], SourceAfter::Keeps);
    let mut object = source();
    for moves in [Moves::from([1]), Moves::new(), Moves::from([0]), intent.all()] {
        object = apply(&object, &hold(&intent, Side::Source, &moves, &object)).expect("it stays");
        assert_eq!(held(&intent, Side::Source, Some(&object)), moves);
    }
    assert_eq!(object, source(), "to the byte, list order and node ports included");
}

#[test]
fn a_twin_of_another_protocol_stays() {
    let intent = intent(&[0], SourceAfter::Keeps);
    let after = apply(&source(), &hold(&intent, Side::Source, &Moves::new(), &source())).expect("it stays");
    assert_eq!(names(&after), ["http", "dns-tcp"]);
}

#[test]
fn the_target_gets_the_ports_behind_its_own_and_gives_them_back() {
    let intent = intent(&[1, 2], SourceAfter::Keeps);
    let both = apply(&target(), &hold(&intent, Side::Target, &intent.all(), &target())).expect("it stays");
    assert_eq!(names(&both), ["-", "http", "dns-tcp"]);
    assert_eq!(held(&intent, Side::Target, Some(&both)), intent.all());
    let back = apply(&both, &hold(&intent, Side::Target, &Moves::new(), &both)).expect("it stays");
    assert_eq!(back, target());
}

#[test]
fn as_cluster_ip_it_keeps_its_ports_and_comes_back_whole() {
    let intent = intent(&[0, 1, 2], SourceAfter::ClusterIp);
    let after = apply(&source(), &hold(&intent, Side::Source, &Moves::new(), &source())).expect("it stays");
    assert_eq!(after["spec"]["type"], "ClusterIP");
    assert_eq!((names(&after), &after["spec"]["clusterIP"]), (vec!["dns", "http", "dns-tcp"], &json!("10.96.0.7")));
    for gone in LB_ONLY {
        assert!(after["spec"].get(gone).is_none(), "{gone}");
    }
    assert!(after["spec"]["ports"].as_array().expect("ports").iter().all(|port| port.get("nodePort").is_none()));
    assert_eq!(held(&intent, Side::Source, Some(&after)), Moves::new());
    let back = apply(&after, &hold(&intent, Side::Source, &intent.all(), &after)).expect("it stays");
    assert_eq!(back, source());
}

#[test]
fn a_parked_port_has_another_number_and_name() {
    let intent = intent(&[0, 1, 2], SourceAfter::Park(9999));
    let after = apply(&source(), &hold(&intent, Side::Source, &Moves::new(), &source())).expect("it stays");
    let ports = after["spec"]["ports"].as_array().expect("ports");
    assert_eq!((ports.len(), &ports[0]["port"], &ports[0]["name"]), (1, &json!(9999), &json!(PARKED)));
    assert!(ports[0].get("nodePort").is_none(), "the number is free for the target");
    let mut assigned = after.clone();
    assigned["spec"]["ports"][0]["nodePort"] = json!(31234);
    assert_eq!(held(&intent, Side::Source, Some(&assigned)), Moves::new(), "the API server chose one");
    assert_eq!(apply(&assigned, &hold(&intent, Side::Source, &intent.all(), &assigned)), Some(source()));
}

#[test]
fn a_deleted_source_is_made_again_in_two_steps_of_which_the_first_claims_nothing() {
    let intent = intent(&[0, 1, 2], SourceAfter::Delete);
    assert_eq!(apply(&source(), &hold(&intent, Side::Source, &Moves::new(), &source())), None);
    let gone = read(&intent, Side::Source, None);
    assert_eq!((gone.state, gone.present), (SpecState::Claims(Moves::new()), false));
    let back = intent.reversed();
    let shell = apply(&Value::Null, &restore(&back)).expect("an object");
    let spec = read(&back, Side::Source, Some(&shell));
    assert_eq!((spec.state, spec.mark), (SpecState::Claims(Moves::new()), Some(1)), "another uid, but our mark");
    let whole = apply(&shell, &hold(&back, Side::Source, &back.all(), &shell)).expect("it stays");
    assert_eq!(held(&back, Side::Source, Some(&whole)), back.all());
    let clean = apply(&whole, &unmark(&whole)).expect("it stays");
    assert_eq!(manifest(&clean), manifest(&source()));
    let mut stranger = source();
    stranger["metadata"]["uid"] = json!("somebody else's");
    assert_eq!(read(&intent, Side::Source, Some(&stranger)).state, SpecState::Replaced);
}

#[test]
fn what_others_change_is_named_with_who_did_it() {
    let intent = intent(&[1], SourceAfter::Keeps);
    let edit = |pointer: &str, value: Value| {
        let mut object = source();
        *object.pointer_mut(pointer).expect(pointer) = value;
        let writer = json!({"manager": "argocd-controller", "operation": "Apply", "time": "2026-02-01T00:00:00Z"});
        object["metadata"]["managedFields"].as_array_mut().expect("managers").push(writer);
        foreign(&intent, &object)
    };
    let text = edit("/spec/selector/app", json!("other"));
    assert!(text.contains("spec.selector.app") && text.contains("argocd-controller at 2026-02-01"), "{text}");
    assert!(edit("/spec/ports/1/targetPort", json!(1)).contains("spec.ports"));
    assert!(edit("/spec/ports/0/nodePort", json!(31000)).contains("spec.ports"));
    let mut labelled = source();
    labelled["metadata"]["labels"]["tier"] = json!("core");
    let spec = read(&intent, Side::Source, Some(&labelled));
    assert_eq!(spec.state, SpecState::Claims(intent.all()), "a label decides nothing about ports");
    assert!(spec.touched.expect("but it was changed").contains("metadata.labels.tier"));
    let mut accepted = intent.clone();
    let mut keyless = labelled.clone();
    keyless["metadata"]["annotations"] = json!({"example.com/team": "x"});
    accept_idle(&mut accepted.source.before, &keyless);
    assert_eq!(
        read(&accepted, Side::Source, Some(&labelled)).touched.as_deref().map(|text| text.contains("labels")),
        Some(false)
    );
    assert!(foreign(&accepted, &keyless).contains("sharing-key"), "what decides is not taken over");
    labelled["metadata"]["annotations"][MARK] = json!("10-0-0-1-80-tcp.3");
    let spec = read(&intent, Side::Source, Some(&labelled));
    assert_eq!((spec.mark, spec.stranger.as_deref()), (None, Some("10-0-0-1-80-tcp.3")));
    assert!(edit("/metadata/annotations", json!({})).contains("lbipam.cilium.io/sharing-key"));
    let mut deleting = source();
    deleting["metadata"]["deletionTimestamp"] = json!("2026-02-01T00:00:00Z");
    assert!(foreign(&intent, &deleting).contains("being deleted"));
}

#[test]
fn what_kubernetes_and_we_ourselves_write_is_no_change() {
    let intent = intent(&[1], SourceAfter::Keeps);
    let mut object = source();
    object["status"] = json!({});
    object["metadata"]["resourceVersion"] = json!("99");
    object["metadata"]["finalizers"] = json!(["service.kubernetes.io/load-balancer-cleanup"]);
    let marked = apply(&object, &mark(&intent, &object)).expect("it stays");
    let Spec { state, mark, has_vip, writer, .. } = read(&intent, Side::Source, Some(&marked));
    assert_eq!((state, mark, has_vip), (SpecState::Claims(intent.all()), Some(0), false));
    assert!(writer.starts_with("kubectl at 2026-01-01"), "{writer}");
}

#[test]
fn a_nudge_is_a_new_text_of_the_same_turn_and_other_marks_are_not_ours() {
    let intent = intent(&[1], SourceAfter::Keeps);
    let mut object = source();
    for text in ["192-0-2-10-80-tcp.0.1", "192-0-2-10-80-tcp.0.2"] {
        object = apply(&object, &nudge(&intent, &object)).expect("it stays");
        assert_eq!(object["metadata"]["annotations"][MARK], text);
        assert_eq!(read(&intent, Side::Source, Some(&object)).mark, Some(0));
    }
    let clean = apply(&object, &unmark(&object)).expect("it stays");
    assert_eq!(clean, source());
    for other in ["192-0-2-10-80-tcp", "192-0-2-10-80-tcpx.0", "10-0-0-1-80-tcp.0", "192-0-2-10-80-tcp.0.1.2"] {
        assert_eq!(mark_turn(&intent.id, other), None, "{other}");
    }
}

#[test]
fn the_vip_is_there_where_the_status_says_so() {
    let intent = intent(&[1], SourceAfter::Keeps);
    assert!(read(&intent, Side::Source, Some(&source())).has_vip);
    let mut proxied = source();
    proxied["status"]["loadBalancer"]["ingress"] = json!([{"ip": "192.0.2.10", "ipMode": "Proxy"}]);
    assert!(!read(&intent, Side::Source, Some(&proxied)).has_vip);
}

#[test]
fn unnamed_and_defaulted_ports_are_the_same_port() {
    let mut intent = intent(&[1], SourceAfter::Keeps);
    intent.moves[0].to = json!({"port": 80});
    let mut object = apply(&target(), &hold(&intent, Side::Target, &intent.all(), &target())).expect("it stays");
    object["spec"]["ports"][1] = json!({"port": 80, "protocol": "TCP", "targetPort": 80, "nodePort": 31111});
    assert_eq!(held(&intent, Side::Target, Some(&object)), intent.all());
}
