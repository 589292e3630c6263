//! `kubectl vipctl migrate` against a real Cilium: it is killed, cut off and interfered with, and the port
//! has one owner in the end. Needs a lab that is up, named in `VIPCTL_LAB_NAME`, as `lab_suite` does.

mod ground;
mod repair;
mod trouble;
mod walk;
mod watch;

use ground::{Ground, expect, moving, settled};
use watch::Watch;

#[test]
#[ignore = "needs a lab"]
fn a_port_goes_there_and_back() {
    for strategy in ["ordered", "handoff"] {
        let ground = Ground::new();
        let watch = Watch::start();
        let drain: &[&str] = if strategy == "handoff" { &["--drain-timeout", "2s"] } else { &[] };
        let there = expect(0, &moving("a", "b", &[&["--strategy", strategy], drain].concat()));
        assert_eq!(there["outcome"], "done", "{there:#}");
        assert_eq!(there["nodes"].as_array().map(Vec::len), Some(3), "{there:#}");
        settled("shop/b", strategy);
        let back = expect(0, &["migrate", "rollback", "--yes"]);
        assert_eq!(back["outcome"], "rolledBack", "{back:#}");
        settled("shop/a", strategy);
        ground.restored(strategy);
        watch.finish(strategy);
    }
}

#[test]
#[ignore = "needs a lab"]
fn the_watch_sees_what_it_is_for() {
    let ground = Ground::new();
    settled("shop/a", "before");
    ground.restored("before");
    let watch = Watch::start();
    let away = r#"[{"op":"replace","path":"/spec/ports/0/port","value":8081}]"#;
    ground::kubectl(&["patch", "service", "c", "--type=json", "-p", away]);
    // Two batches of an agent: by then no node has the port.
    std::thread::sleep(std::time::Duration::from_secs(1));
    let faults = watch.faults().join("\n");
    for word in ["failed", "broken", "gone"] {
        assert!(faults.contains(word), "{word}: {faults}");
    }
    assert!(!faults.contains("443/TCP") && !faults.contains("53/UDP"), "{faults}");
}
