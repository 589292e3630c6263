//! What is typed: where flags may stand, what is no subject, and what the answer to a slip says.

use crate::support::{Home, Server, World, row, service};

fn lab(name: &str) -> (Server, Home) {
    let server = Server::start(World {
        services: vec![service("shop", "web", "192.0.2.10"), service("other", "dns", "192.0.2.12")],
        agents: vec!["cilium-ok-1"],
        rows: row("192.0.2.10:80/TCP", "shop/web"),
        ..World::default()
    });
    let home = Home::with(name, &server);
    (server, home)
}

#[test]
fn kubectl_flags_may_stand_before_the_command_and_behind_it() {
    let (_server, home) = lab("global");
    for args in [
        &["-n", "other", "--context", "prod", "capture", "svc/dns"][..],
        &["--context", "prod", "capture", "svc/dns", "-n", "other"],
        &["capture", "svc/dns", "-n", "other", "--context", "prod"],
        // The later one wins, as in kubectl.
        &["-n", "shop", "capture", "svc/dns", "-n", "other", "--context", "prod"],
    ] {
        let ran = home.run(args);
        assert_eq!(ran.code, 0, "{args:?}: {}", ran.err);
        let value = ran.json();
        assert_eq!(value["subjects"][0]["service"], "other/dns", "{args:?}");
        assert_eq!(value["origin"]["context"], "prod", "{args:?}");
    }
    let help = home.run(&["code", "--help"]);
    assert!(!help.out.contains("--kubeconfig"), "it connects to nothing: {}", help.out);
    assert_eq!(home.run(&["-n", "shop", "code", "VIP2102"]).code, 0, "but takes them");
}

#[test]
fn a_log_level_eats_no_subject() {
    let (_server, home) = lab("level");
    for args in [
        &["capture", "-v", "svc/web"][..],
        &["capture", "-v", "6", "svc/web"],
        &["capture", "-v6", "svc/web"],
        &["-v=6", "capture", "svc/web"],
        &["capture", "--v=6", "web"],
    ] {
        let ran = home.run(args);
        assert_eq!(ran.json()["subjects"][0]["service"], "shop/web", "{args:?}: {}", ran.err);
        assert!(ran.err.contains("total: "), "{args:?}: {}", ran.err);
    }
}

#[test]
fn a_namespace_alone_means_all_its_services() {
    let (_server, home) = lab("namespace");
    let ran = home.run(&["explain", "-n", "other", "-o", "name"]);
    assert_eq!(ran.out, "service/dns\n", "{}", ran.err);
    let ran = home.run(&["capture", "-n", "empty"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("no LoadBalancer Service in namespace empty\n"), "{}", ran.err);
    assert!(ran.err.contains("`kubectl vipctl capture -A` looks in all namespaces"), "{}", ran.err);
    let ran = home.run(&["explain", "-A", "-l", "a=b", "--namespace", "other"]);
    assert_ne!(ran.code, 2, "-A wins: {}", ran.err);
    let nothing = home.run(&["capture"]);
    assert!(nothing.code == 2 && nothing.err.contains("kubectl vipctl capture svc/web -n shop"), "{}", nothing.err);
    assert!(!nothing.err.contains("explain"), "{}", nothing.err);
    let empty = Server::start(World { agents: vec!["cilium-ok-1"], ..World::default() });
    let ran = Home::with("emptycluster", &empty).run(&["explain", "-A"]);
    assert!(ran.code == 2 && ran.err.contains("`kubectl get services -A` lists"), "{}", ran.err);
}

#[test]
fn other_types_are_no_namespaces() {
    let home = Home::new("types");
    for (word, otherwise) in [("pool/x", "svc/x -n pool"), ("cm/x", "svc/x -n cm"), ("pod/x", "svc/x -n pod")] {
        let ran = home.run(&["explain", word]);
        assert_eq!(ran.code, 2, "{word}");
        assert!(ran.err.contains(" is not a subject of this command\n") && ran.err.contains(otherwise), "{}", ran.err);
    }
    let ran = home.run(&["explain", "node", "nd1"]);
    assert!(ran.err.contains("if node is the name of a Service: svc/node"), "{}", ran.err);
    let ran = home.run(&["explain", "svc/b,svc/a"]);
    assert!(ran.code == 2 && ran.err.contains("put blanks between several: svc/b svc/a"), "{}", ran.err);
}

#[test]
fn kubeconfigs_that_hold_nothing_or_are_broken_take_one_line() {
    let home = Home::new("kubeconfigs");
    let read = |text: &str| {
        std::fs::write(home.path.join("k"), text).expect("a file");
        home.run(&["explain", "svc/b", "--kubeconfig", "k"]).err
    };
    assert!(read("").starts_with("error: kubeconfig k holds no cluster\n"));
    assert!(
        read("clusters: [{name: c, cluster: {server: \"http://x\"}}]").contains("kubeconfig k has no current-context")
    );
    for broken in ["a: [", "clusters: 5", "words"] {
        let said = read(broken);
        assert!(said.starts_with("error: kubeconfig k cannot be read: ") && said.contains("line 1"), "{said}");
        assert!(said.lines().count() == 1 && said.matches("error:").count() == 1, "{said}");
    }
}

#[test]
fn saved_looks_refuse_what_they_cannot_heed() {
    let home = Home::new("saved");
    for flag in [
        &["--nodes", "a=b"][..],
        &["--no-exec"],
        &["--deep"],
        &["--node-timeout", "1s"],
        &["--cilium-namespace", "x"],
        &["-l", "a=b"],
        &["--context", "x"],
        &["--as", "x"],
    ] {
        let ran = home.run(&[&["explain", "--demo", "healthy"], flag].concat());
        assert!(ran.code == 2 && ran.err.contains("cannot be used with '--demo'"), "{flag:?}: {}", ran.err);
    }
    let ran = home.run(&["--token", "x", "explain", "--capture", "none.json"]);
    assert!(ran.err.contains("'--token' cannot be used with '--capture'"), "{}", ran.err);
    let env = std::collections::HashMap::from([("CILIUM_NAMESPACE", "cilium".to_owned())]);
    assert_eq!(home.run_with(&["explain", "--demo", "healthy"], &env).code, 0, "the environment is not typed");
    let ran = home.run(&["explain", "svc/b", "--demo"]);
    assert!(ran.code == 2 && ran.err.contains("--demo stuck-claim svc/b"), "{}", ran.err);
    let ran = home.run(&["explain", "--demo", "stuck-claim", "svc/zz"]);
    let said = "error: the demo stuck-claim holds no svc/zz; it holds svc/a -n shop, svc/b -n shop\n";
    assert_eq!((ran.code, ran.err.as_str()), (2, said));
    let ran = home.run(&["explain", "--demo", "stuck-claim", "-n", "other"]);
    assert!(ran.err.contains("holds no LoadBalancer Service in namespace other"), "{}", ran.err);
}

#[test]
fn a_conflict_shows_no_usage_that_misleads() {
    let ran = Home::new("conflict").run(&["explain", "-A", "svc/b"]);
    assert!(ran.code == 2 && ran.err.contains("cannot be used with") && !ran.err.contains("Usage"), "{}", ran.err);
}

#[test]
fn a_path_to_no_capture_stays_as_it_was_typed() {
    let home = Home::new("path");
    std::fs::create_dir(home.path.join("d")).expect("a folder");
    std::fs::write(home.path.join("d/c.json"), "{}").expect("a file");
    let ran = home.run(&["explain", "--capture", "./d/c.json"]);
    assert!(ran.err.starts_with("error: ./d/c.json is not a capture of this program: "), "{}", ran.err);
    assert!(ran.err.contains("`kubectl vipctl capture svc/NAME -f FILE` writes one"), "{}", ran.err);
    std::fs::write(home.path.join("d/c.json"), "{\"format\":\"vipctl.dev/capture/v9\"}").expect("a file");
    let ran = home.run(&["explain", "--capture", "./d/c.json"]);
    assert!(ran.err.contains("./d/c.json has format 'vipctl.dev/capture/v9'"), "{}", ran.err);
    assert!(ran.err.contains("record it again"), "{}", ran.err);
}

#[test]
fn yaml_is_answered_in_yaml() {
    let (_server, home) = lab("yaml");
    for args in [&["explain", "-o", "yaml"][..], &["explain", "svc/b", "--bad", "-oyaml"]] {
        let ran = home.run(args);
        let value: serde_json::Value = serde_saphyr::from_str(&ran.out).expect("YAML");
        assert_eq!((value["kind"].as_str(), value["exit"].as_i64(), ran.code), (Some("Error"), Some(2), 2), "{args:?}");
    }
    let ran = home.run(&["version", "-o", "yaml"]);
    let value: serde_json::Value = serde_saphyr::from_str(&ran.out).expect("YAML");
    assert_eq!((value["kind"].as_str(), value["cilium"][0].as_str()), (Some("Version"), Some("1.20.2")));
}

#[test]
fn version_says_why_cilium_is_unknown() {
    let forbidden = vec!["/api/v1/pods", "/api/v1/namespaces/kube-system/pods"];
    let server = Server::start(World { forbidden, agents: vec!["cilium-ok-1"], ..World::default() });
    let ran = Home::with("noversion", &server).run(&["version"]);
    assert!(ran.code == 0 && ran.out.contains("<unknown>: forbidden, missing permission: list pods"), "{}", ran.out);
    let ran = Home::with("noagents", &Server::start(World::default())).run(&["version", "-o", "json"]);
    let why = ran.json()["ciliumUnknown"].clone();
    assert!(why.as_str().is_some_and(|why| why.contains("no pod with label k8s-app=cilium")), "{why}");
}

#[test]
fn the_demos_end_with_the_documented_codes() {
    let home = Home::new("exits");
    for (demo, code) in [
        ("healthy", vipctl::exit::OK),
        ("stuck-claim", vipctl::exit::PROBLEM),
        ("exec-forbidden", vipctl::exit::INCONCLUSIVE),
    ] {
        assert_eq!(home.run(&["explain", "--demo", demo]).code, i32::from(code), "{demo}");
    }
}

#[test]
fn what_writes_asks_first_and_says_so_where_it_cannot() {
    let home = Home::new("ask");
    for args in [
        &["migrate", "run", "svc/a", "svc/b", "--port", "80"][..],
        &["migrate", "rollback"],
        &["migrate", "abandon", "x"],
    ] {
        let ran = home.run(args);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args:?}: {}", ran.err);
        assert!(
            ran.err.contains("standard input is no terminal") && ran.err.contains("--yes"),
            "{args:?}: {}",
            ran.err
        );
    }
    let ran = home.run(&["migrate", "run", "svc/a", "svc/b", "--yes"]);
    assert!(ran.code == 2 && ran.err.contains("--all-ports"), "{}", ran.err);
    let ran = home.run(&["migrate", "run", "svc/a", "svc/b", "--port", "80", "--plan", "p.json"]);
    assert!(ran.code == 2 && ran.err.contains("cannot be used with"), "{}", ran.err);
    let ran = home.run(&["migrate", "run", "--plan", "p.json"]);
    assert!(ran.code == 2 && ran.err.contains("failed to read p.json"), "{}", ran.err);
    let ran = home.run(&["migrate", "resume", "--probe", "192.0.2.10:53/UDP"]);
    assert!(ran.code == 2 && ran.err.contains("only TCP"), "{}", ran.err);
}

#[test]
fn wait_needs_a_state_and_names_what_it_waits_for() {
    let (_server, home) = lab("wait");
    let ran = home.run(&["wait", "svc/web"]);
    assert!(ran.code == 2 && ran.err.contains("--for"), "{}", ran.err);
    let ran = home.run(&["wait", "192.0.2.10", "--for=healthy"]);
    assert!(ran.code == 2 && ran.err.contains("is not a Service"), "{}", ran.err);
    let ran = home.run(&["wait", "svc/web", "--for=programmed", "--timeout", "1s", "-o", "json"]);
    let value = ran.json();
    assert_eq!((ran.code, &value["reached"], &value["exit"]), (0, &true.into(), &0.into()), "{}", ran.err);
    let ran = home.run(&["wait", "svc/dns", "-n", "other", "--for=programmed", "--timeout", "600ms"]);
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("svc/dns (ns other) is not programmed on every node"), "{}", ran.out);
    assert!(ran.err.contains("192.0.2.12:80/TCP absent on"), "what is waited for: {}", ran.err);
}

#[test]
fn recover_does_nothing_where_nothing_is_to_be_done() {
    let (_server, home) = lab("recover");
    let ran = home.run(&["recover", "svc/dns", "-n", "other", "-o", "json"]);
    let value = ran.json();
    assert_eq!(value["kind"], "RecoverReport");
    assert!(value["wrote"].as_array().is_some_and(Vec::is_empty), "{value}");
}
