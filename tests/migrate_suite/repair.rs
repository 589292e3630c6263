//! `recover` and `wait` against the states that the lab's scenarios make.

use std::thread;
use std::time::Duration;

use serde_json::Value;

use super::ground::{Ground, KEY, expect, kubectl, said, service, vip};
use crate::lab_suite::{enter, explain, lab, lab_name, scenario};

#[test]
#[ignore = "needs a lab"]
fn what_a_write_repairs_is_repaired() {
    for name in ["stuck-claim", "stuck-owner-deleted", "map-differs"] {
        let scenario = scenario(name);
        enter(&scenario);
        let subject = scenario.get("explain").expect("arguments").split_whitespace().next().expect("a subject");
        let output = vip(&["recover", subject]);
        assert_eq!(output.status.code(), Some(0), "{name}: {}", said(&output));
        let now = explain("admin", &[subject, "-n", "shop"]);
        assert_eq!(now["exit"], 0, "{name}: {now:#}");
        let again = vip(&["recover", subject]);
        assert_eq!(again.status.code(), Some(0), "{name}, healthy: {}", said(&again));
    }
}

#[test]
#[ignore = "needs a lab"]
fn what_no_write_repairs_is_refused_with_the_reason() {
    for (name, subject, reason) in [
        ("rejected-claim", "svc/b", "svc/a"),
        ("held-back", "svc/b", "svc/a"),
        ("split-owner", "svc/b", "VIP2103"),
        ("address-cleared", "svc/a", "no cilium-operator leads"),
    ] {
        enter(&scenario(name));
        let before = service(subject.trim_start_matches("svc/"));
        let output = vip(&["recover", subject]);
        assert_eq!(output.status.code(), Some(5), "{name}: {}", said(&output));
        assert!(said(&output).contains(reason), "{name}: {}", said(&output));
        assert_eq!(before, service(subject.trim_start_matches("svc/")), "{name}: nothing was written");
    }
}

#[test]
#[ignore = "needs a lab"]
fn waiting_ends_when_every_node_serves() {
    Ground::new();
    expect(0, &["wait", "svc/b", "--for=healthy", "--timeout", "10s"]);
    let moved = thread::spawn(|| {
        thread::sleep(Duration::from_secs(1));
        give_port_to_b();
    });
    kubectl(&["patch", "service", "a", "--type=json", "-p", r#"[{"op":"remove","path":"/spec/ports/0"}]"#]);
    moved.join().expect("a patch");
    expect(0, &["wait", "svc/b", "--for=programmed", "--timeout", "10s"]);
    let b = explain("admin", &["svc/b", "-n", "shop"]);
    let frontends = b["subjects"][0]["frontends"].as_array().expect("frontends");
    let frontend = frontends.iter().find(|frontend| frontend["address"] == KEY).expect("the port");
    assert_eq!(frontend["nodes"]["programmed"], 3, "{b:#}");
}

#[test]
#[ignore = "needs a lab"]
fn waiting_in_vain_tells_why() {
    enter(&scenario("stuck-claim"));
    let output = vip(&["wait", "svc/b", "--for=programmed", "--timeout", "2s"]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains("192.0.2.10:80/TCP"), "{}", said(&output));
    lab(&["node", &lab_name(), "nd2", "freeze"]);
    let output = vip(&["wait", "svc/a", "--for=programmed", "--timeout", "2s"]);
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    lab(&["node", &lab_name(), "nd2", "thaw"]);
    assert_eq!(expect(0, &["wait", "svc/a", "--for=programmed", "--timeout", "20s"])["exit"], Value::from(0));
}

fn give_port_to_b() {
    let port = r#"[{"op":"add","path":"/spec/ports/-","value":{"name":"http","port":80,"targetPort":12080}}]"#;
    kubectl(&["patch", "service", "b", "--type=json", "-p", port]);
}
