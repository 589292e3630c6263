//! What goes wrong around a migration while it runs.

use super::ground::{Ground, clean, cut, expect, kubectl, moving, ports, said, service, settled, vip};
use super::watch::Watch;
use crate::lab_suite::{lab, lab_name};
use crate::scenarios::root;

/// The write after which something is done to the cluster: journal and marks are there, the port is not
/// open yet.
const MARKED: usize = 3;
/// The write after which the port is open.
const RELEASED: usize = 4;

/// A script for `--cut N:do=…` that calls the lab.
fn script(args: &str) -> String {
    format!("do={} {args}", root().join("tests/lab/lab").display())
}

/// The same, beside the run.
fn beside(args: &str) -> String {
    format!("do=( {} {args} ) >/dev/null 2>&1 &", root().join("tests/lab/lab").display())
}

#[test]
#[ignore = "needs a lab"]
fn without_an_operator_it_works_all_the_same() {
    Ground::new();
    lab(&["operator", &lab_name(), "stop"]);
    let watch = Watch::start();
    expect(0, &moving("a", "b", &[]));
    settled("shop/b", "no operator");
    watch.finish("no operator");
    lab(&["operator", &lab_name(), "start"]);
    settled("shop/b", "the operator is back");
}

#[test]
#[ignore = "needs a lab"]
fn an_agent_that_dies_makes_it_unknown_and_not_done() {
    let ground = Ground::new();
    let name = lab_name();
    let kill = script(&format!("node {name} nd2 kill"));
    let unknown = cut(RELEASED, &kill, &moving("a", "b", &["--allow-unknown", "1", "--timeout", "20s"]));
    assert_eq!(unknown.exit, 4, "{}", unknown.said);
    assert_eq!(unknown.report["outcome"], "doneWithUnknown", "{:#}", unknown.report);
    lab(&["node", &name, "nd2", "start"]);
    expect(0, &["migrate", "resume"]);
    settled("shop/b", "resumed with the agent back");

    expect(0, &["migrate", "rollback", "--yes"]);
    ground.restored("before the second round");
    let stopped = cut(MARKED, &kill, &moving("a", "b", &["--timeout", "4s", "--on-failure", "stop"]));
    assert_eq!(stopped.exit, 4, "{}", stopped.said);
    assert!(stopped.said.contains("nd2"), "names the node: {}", stopped.said);
    assert_eq!(ports("a"), [80, 443], "nothing was opened");
    lab(&["node", &name, "nd2", "start"]);
    expect(0, &["migrate", "resume"]);
    settled("shop/b", "resumed after a stop");
}

#[test]
#[ignore = "needs a lab"]
fn an_exec_that_is_cut_is_opened_again() {
    Ground::new();
    let watch = Watch::start();
    let tool = root().join("tests/lab/lab").display().to_string();
    let name = lab_name();
    let broken = beside(&format!("node {name} nd2 cut-exec 0; sleep 2; {tool} node {name} nd2 mend-exec"));
    let run = cut(RELEASED, &broken, &moving("a", "b", &[]));
    assert_eq!(run.exit, 0, "{}", run.said);
    settled("shop/b", "exec was cut");
    watch.finish("exec was cut");
}

#[test]
#[ignore = "needs a lab"]
fn an_api_server_that_restarts_is_waited_for() {
    Ground::new();
    let watch = Watch::start();
    let run = cut(RELEASED, &beside(&format!("apiserver {} restart", lab_name())), &moving("a", "b", &[]));
    assert_eq!(run.exit, 0, "{}", run.said);
    settled("shop/b", "the API server was restarted");
    watch.finish("the API server was restarted");
}

#[test]
#[ignore = "needs a lab"]
fn a_second_runner_is_refused() {
    Ground::new();
    let (name, binary) = (lab_name(), crate::lab_suite::BINARY);
    let second = std::env::temp_dir().join(format!("vipctl-second-{}.txt", std::process::id()));
    let run = |what: &str| {
        script(&format!(
            "run {name} -- {binary} migrate {what} -n shop --yes > {} 2>&1; echo $? >> {0}",
            second.display()
        ))
    };
    for (what, words) in [("run a b --port 80", "192-0-2-10-80-tcp"), ("run c b --port 8080", "192-0-2-10-80-tcp")] {
        let first = cut(MARKED, &run(what), &moving("a", "b", &[]));
        assert_eq!(first.exit, 0, "{}", first.said);
        let told = std::fs::read_to_string(&second).expect("the second's words");
        assert_eq!(told.lines().last(), Some("5"), "{what}: {told}");
        assert!(told.contains(words), "{what}: names the migration: {told}");
        settled("shop/b", what);
        expect(0, &["migrate", "rollback", "--yes"]);
    }
    std::fs::remove_file(&second).expect("remove");
    settled("shop/a", "after both");
}

#[test]
#[ignore = "needs a lab"]
fn a_target_that_is_deleted_meanwhile_gives_back() {
    let ground = Ground::new();
    let run = cut(
        RELEASED,
        &script(&format!("run {} -- kubectl -n shop delete service b", lab_name())),
        &moving("a", "b", &[]),
    );
    assert_eq!(run.exit, 1, "{}", run.said);
    assert_eq!(run.report["outcome"], "rolledBack", "{:#}", run.report);
    assert!(run.report["reason"].as_str().is_some_and(|why| why.contains("svc/b")), "{:#}", run.report);
    ground.restored_one("a", "the target was deleted");
}

#[test]
#[ignore = "needs a lab"]
fn a_label_that_others_write_meanwhile_stays_and_stops_nothing_that_is_open() {
    Ground::new();
    let label = script(&format!("run {} -- kubectl -n shop label service a team=web", lab_name()));
    let run = cut(RELEASED, &label, &moving("a", "b", &[]));
    assert_ne!(run.exit, 137, "{}", run.said);
    assert_eq!(service("a")["metadata"]["labels"]["team"], "web", "{}", run.said);
    // It may stop once the port is served again, but never before.
    if run.exit == 4 {
        assert!(run.report["reason"].to_string().contains("labels"), "{:#}", run.report);
        expect(0, &["migrate", "resume"]);
    }
    settled("shop/b", "somebody wrote a label");
}

#[test]
#[ignore = "needs a lab"]
fn a_controller_that_writes_back_wins_and_is_named() {
    Ground::new();
    let name = lab_name();
    let git = std::env::temp_dir().join(format!("vipctl-git-{}.yaml", std::process::id()));
    std::fs::write(&git, IN_GIT).expect("a manifest");
    let over = git.with_extension("over");
    let tool = root().join("tests/lab/lab").display().to_string();
    let writer = format!(
        "do=( {tool} writer {name} reapply {} --every 100ms --for 3s; touch {} ) >/dev/null 2>&1 &",
        git.display(),
        over.display()
    );
    let stopped = cut(RELEASED, &writer, &moving("a", "b", &[]));
    assert_eq!(stopped.exit, 4, "{}", stopped.said);
    assert_eq!(stopped.report["outcome"], "stopped", "{:#}", stopped.report);
    let reason = stopped.report["reason"].to_string();
    assert!(reason.contains("argocd-controller") && reason.contains("svc/a"), "{reason}");
    // The same again is refused before anything is written, and nothing is left when it is given up.
    expect(0, &["migrate", "abandon", "--yes"]);
    clean("abandoned");
    let again = vip(&moving("a", "b", &[]));
    assert_eq!(again.status.code(), Some(5), "{}", said(&again));
    settled("shop/a", "left to the controller");
    // It would write to the Services of the next test.
    while !over.exists() {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    for file in [git, over] {
        std::fs::remove_file(&file).expect("remove");
    }
}

const IN_GIT: &str = "\
apiVersion: v1
kind: Service
metadata:
  name: a
  namespace: shop
spec:
  ports:
  - {name: http, port: 80, targetPort: 11080, protocol: TCP}
  - {name: https, port: 443, targetPort: 11443, protocol: TCP}
";

#[test]
#[ignore = "needs a lab"]
fn ctrl_c_stops_at_a_safe_point() {
    let ground = Ground::new();
    let watch = Watch::start();
    for n in 1..20 {
        let what = format!("Ctrl-C at write {n}");
        let stopped = cut(n, "interrupt", &moving("a", "b", &[]));
        if !stopped.reached {
            break;
        }
        // The last writes are those of a migration that is done already.
        assert!([0, 4].contains(&stopped.exit), "{what}: {}", stopped.said);
        if stopped.exit == 4 {
            let open = !ports("a").contains(&80) && !ports("b").contains(&80);
            assert!(!open, "{what}: the port was left open");
            expect(0, &["migrate", "resume"]);
        }
        settled("shop/b", &what);
        expect(0, &["migrate", "rollback", "--yes"]);
        ground.restored(&what);
    }
    watch.finish("Ctrl-C");
    assert_eq!(kubectl(&["get", "configmaps", "-o", "name"]).matches("vipctl-").count(), 1, "one journal, used again");
}
