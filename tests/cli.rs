//! The program as a process: what it says, where, and with which exit code.

use std::collections::HashMap;

use crate::support::{Home, Server, World, row, service};

fn world() -> World {
    World {
        services: vec![
            service("shop", "web", "192.0.2.10"),
            service("shop", "registry", "192.0.2.11"),
            service("other", "web", "192.0.2.12"),
        ],
        agents: vec!["cilium-ok-1"],
        rows: row("192.0.2.10:80/TCP", "shop/web"),
        ..World::default()
    }
}

#[test]
fn without_a_command_a_short_help() {
    let ran = Home::new("overview").run(&[]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.lines().count() <= 12, "{}", ran.out);
    assert!(ran.out.contains("kubectl vipctl explain svc/web"));
}

#[test]
fn wrong_usage_is_2_with_the_nearest_command() {
    let home = Home::new("usage");
    for (args, said) in [
        (&["explian"][..], "explain"),
        (&["explain"][..], "say what to look at"),
        (&["explain", "--details"][..], "kubectl vipctl explain -A"),
        (&["explain", "gateway/g"][..], "svc/cilium-gateway-NAME"),
        (&["explain", "192.0.2.300"][..], "is not an address"),
        (&["explain", "svc/b", "-A"][..], "cannot be used with"),
        (&["explain", "svc/b", "-o", "xml"][..], "invalid value 'xml'"),
        (&["explain", "--demo", "nonsense"][..], "stuck-claim"),
        (&["code", "VIP0000"][..], "is not a code"),
        (&["completion", "tcsh"][..], "bash"),
    ] {
        let ran = home.run(args);
        assert_eq!(ran.code, 2, "{args:?}: {}{}", ran.out, ran.err);
        assert!(ran.err.starts_with("error: ") && ran.err.contains(said), "{args:?}: {}", ran.err);
        assert_eq!(ran.out, "", "{args:?}");
    }
}

#[test]
fn help_names_kubectl_and_begins_with_examples() {
    let ran = Home::new("help").run(&["explain", "--help"]);
    let (examples, usage) = (ran.out.find("Examples:"), ran.out.find("Usage: kubectl vipctl explain"));
    assert!(ran.code == 0 && examples.is_some() && examples < usage, "{}", ran.out);
    for flag in ["--as-user-extra", "--request-timeout", "--tls-server-name", "--insecure-skip-tls-verify", "-A", "-l"]
    {
        assert!(ran.out.contains(flag), "{flag}");
    }
}

#[test]
fn errors_are_json_where_json_is_read() {
    let home = Home::new("jsonerror");
    for args in [
        &["explain", "-o", "json"][..],
        &["explain", "svc/b", "--bad", "-ojson"][..],
        &["explain", "svc/b", "-o", "json"][..],
    ] {
        let ran = home.run(args);
        let value = ran.json();
        assert_eq!((ran.code, value["exit"].as_i64()), (2, Some(2)), "{args:?}");
        assert!(value["error"]["message"].as_str().is_some_and(|m| !m.is_empty()), "{args:?}: {value}");
        assert!(!ran.err.is_empty(), "{args:?}: people read standard error");
    }
}

#[test]
fn no_cluster_says_what_to_do() {
    let ran = Home::new("nocluster").run(&["explain", "svc/b"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("no kubeconfig was found") && ran.err.contains("--demo stuck-claim"), "{}", ran.err);
}

#[test]
fn contexts_and_files_follow_kubectl() {
    let server = Server::start(world());
    let home = Home::with("contexts", &server);
    let ran = home.run(&["explain", "svc/web", "--context", "prd"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("context \"prd\" does not exist") && ran.err.contains("prod, lab"), "{}", ran.err);
    // A file of the list that is not there is skipped; one that is named is an error.
    let list = format!("{}/missing:{}/.kube/config", home.path.display(), home.path.display());
    let env = HashMap::from([("KUBECONFIG", list)]);
    let ran = home.run_with(&["capture", "svc/web", "-v"], &env);
    assert!(ran.code == 0 && ran.err.contains("missing does not exist, skipped"), "{}", ran.err);
    let ran = home.run(&["explain", "svc/web", "--kubeconfig", "missing"]);
    assert!(ran.code == 2 && ran.err.contains("failed to read kubeconfig missing"), "{}", ran.err);
}

#[test]
fn an_unreachable_server_is_named_with_its_context() {
    let home = Home::with("unreachable", &Server::start(World::default()));
    let ran = home.run(&["explain", "svc/b", "--server", "http://127.0.0.1:9"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("http://127.0.0.1:9") && ran.err.contains("context \"lab\""), "{}", ran.err);
    assert!(ran.err.contains("refused"), "{}", ran.err);
    let ran = Home::new("nocontext").run(&["explain", "svc/b", "--server", "http://127.0.0.1:9"]);
    assert!(ran.err.contains("http://127.0.0.1:9: ") && !ran.err.contains("context"), "{}", ran.err);
}

#[test]
fn a_missing_service_names_what_is_near() {
    let mut cluster_ip = service("shop", "wbe-admin", "192.0.2.13");
    cluster_ip["spec"]["type"] = "ClusterIP".into();
    let mut world = world();
    world.services.push(cluster_ip);
    let server = Server::start(world);
    let home = Home::with("notfound", &server);
    let ran = home.run(&["explain", "svc/wbe"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.starts_with("Error from server (NotFound): services \"wbe\" not found"), "{}", ran.err);
    assert!(ran.err.contains("did you mean: svc/web -n shop\n"), "none without a VIP: {}", ran.err);
    let ran = home.run(&["explain", "svc/registry", "-n", "other"]);
    assert!(ran.err.contains("did you mean: svc/registry -n shop\n"), "the same name, alone: {}", ran.err);
    let ran = home.run(&["explain", "svc/w"]);
    assert!(!ran.err.contains("did you mean"), "one letter is no part of a name: {}", ran.err);
    let ran = home.run(&["explain", "svc/web", "-n", "shpo", "-o", "json"]);
    assert!(ran.err.contains("namespaces \"shpo\" not found") && ran.err.contains("-n shop"), "{}", ran.err);
    assert_eq!(ran.json()["error"]["reason"], "NotFound");
    assert!(!ran.err.contains("was read as"), "{}", ran.err);
    let ran = home.run(&["explain", "edge/web"]);
    assert!(ran.err.contains("'edge/web' was read as NAMESPACE/NAME"), "{}", ran.err);
}

#[test]
fn forbidden_names_the_permission_and_the_way_out() {
    let server = Server::start(World { forbidden: vec!["/api/v1/namespaces/shop/services"], ..world() });
    let ran = Home::with("forbidden", &server).run(&["explain", "svc/web", "-o", "json"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.starts_with("Error from server (Forbidden): "), "{}", ran.err);
    assert!(ran.err.contains("get services in namespace shop") && ran.err.contains("code VIP9101"), "{}", ran.err);
    assert_eq!(ran.json()["error"]["permission"]["verb"], "get");
}

#[test]
fn the_cluster_wide_list_may_be_forbidden() {
    let server = Server::start(World { forbidden: vec!["/api/v1/services"], ..world() });
    let ran = Home::with("narrow", &server).run(&["capture", "svc/web"]);
    let capture = ran.json();
    assert_eq!(capture["services"]["known"]["value"].as_array().map(Vec::len), Some(1), "{}", ran.err);
    assert_eq!(capture["othersMissing"]["kind"], "forbidden");
    assert_eq!(capture["othersMissing"]["permission"]["verb"], "list");
}

#[test]
fn agents_that_may_not_be_asked_are_unknown_with_the_permission() {
    let server = Server::start(World { forbidden: vec!["*/exec"], ..world() });
    let ran = Home::with("noexec", &server).run(&["capture", "svc/web"]);
    let unknown = &ran.json()["agents"][0]["answer"]["unknown"];
    assert_eq!(unknown["kind"], "forbidden");
    assert_eq!(unknown["permission"]["resource"], "pods/exec");
}

#[test]
fn without_cilium_it_says_where_it_looked() {
    let home = Home::with("nocilium", &Server::start(World { agents: vec![], ..world() }));
    let ran = home.run(&["explain", "svc/web"]);
    assert!(ran.code == 2 && ran.err.contains("no pod with label k8s-app=cilium in any namespace"), "{}", ran.err);
    let env = HashMap::from([("CILIUM_NAMESPACE", "cilium".to_owned())]);
    let ran = home.run_with(&["explain", "svc/web"], &env);
    assert!(ran.err.contains("in namespace cilium") && ran.err.contains("--cilium-namespace"), "{}", ran.err);
}

#[test]
fn every_flag_of_kubectl_reaches_the_server() {
    let server = Server::start(world());
    let home = Home::with("flags", &server);
    let ran = home.run(&[
        "capture",
        "svc/web",
        "--as",
        "jane",
        "--as-group",
        "g1",
        "--as-group",
        "g2",
        "--as-uid",
        "42",
        "--as-user-extra",
        "k=v",
        "--token",
        "secret",
        "--request-timeout",
        "5s",
        "--user",
        "u",
        "--cluster",
        "c",
        "--context",
        "lab",
        "-n",
        "shop",
        "--insecure-skip-tls-verify",
        "--tls-server-name",
        "x",
        "-s",
        &server.url,
        "-v=0",
    ]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for request in server.seen.lock().expect("log").iter() {
        assert_eq!(request.header("impersonate-user"), ["jane"], "{}", request.path);
        assert_eq!(request.header("impersonate-uid"), ["42"], "{}", request.path);
        assert_eq!(request.header("impersonate-group"), ["g1", "g2"], "{}", request.path);
        assert_eq!(request.header("impersonate-extra-k"), ["v"], "{}", request.path);
        assert_eq!(request.header("authorization"), ["Bearer secret"], "{}", request.path);
    }
    assert!(!ran.out.contains("secret"), "a capture holds no token");
    assert!(ran.json()["origin"]["command"].as_str().is_some_and(|c| c.starts_with("kubectl vipctl capture svc/web")));
}

#[test]
fn proxies_are_decided_for_the_server() {
    let server = Server::start(world());
    let home = Home::new("proxy");
    let kubeconfig = |proxy: &str| {
        format!(
            "current-context: x\ncontexts: [{{name: x, context: {{cluster: c}}}}]\n\
             clusters: [{{name: c, cluster: {{server: \"http://k8s.example.invalid:80\"{proxy}}}}}]\n"
        )
    };
    let env = |no_proxy: &str| HashMap::from([("HTTP_PROXY", server.url.clone()), ("NO_PROXY", no_proxy.to_owned())]);
    home.kubeconfig(&kubeconfig(""));
    home.run_with(&["explain", "svc/web"], &env("10.0.0.0/8"));
    assert!(!server.seen.lock().expect("log").is_empty(), "through the proxy");
    server.seen.lock().expect("log").clear();
    home.run_with(&["explain", "svc/web"], &env(".example.invalid"));
    assert!(server.seen.lock().expect("log").is_empty(), "past the proxy");
}

#[test]
fn selections_become_subjects() {
    let server = Server::start(world());
    let home = Home::with("selection", &server);
    let subjects = |args: &[&str]| -> Vec<String> {
        let ran = home.run(args);
        let subjects = ran.json()["subjects"].as_array().expect("subjects").clone();
        subjects.iter().map(|s| s["service"].as_str().expect("id").to_owned()).collect()
    };
    assert_eq!(subjects(&["capture", "-A"]), ["shop/web", "shop/registry", "other/web"]);
    assert_eq!(subjects(&["capture", "-l", "a=b", "-n", "other"]), ["other/web"]);
    assert_eq!(subjects(&["capture", "-n", "shop"]), ["shop/web", "shop/registry"]);
    let ran = home.run(&["capture", "-l", "a=b", "-n", "empty"]);
    assert!(
        ran.code == 2 && ran.err.contains("no LoadBalancer Service with labels 'a=b' in namespace empty"),
        "{}",
        ran.err
    );
}

#[test]
fn an_address_asks_about_its_claimants_of_every_type() {
    let mut world = world();
    let mut external = service("other", "ext", "192.0.2.99");
    external["spec"] = serde_json::json!({"type": "ClusterIP", "externalIPs": ["192.0.2.50"], "ports": [{"port": 80}]});
    external["status"] = serde_json::json!({});
    world.services.push(external);
    let server = Server::start(world);
    let home = Home::with("address", &server);
    let asked = |subject: &str| home.run(&["capture", subject]).json()["asked"]["services"].clone();
    assert_eq!(asked("svc/shop/web"), serde_json::json!(["shop/web"]));
    let whole = |server: &Server| {
        server.requests("/api/v1/services").iter().filter(|r| r.query.iter().all(|(n, _)| n != "fieldSelector")).count()
    };
    assert_eq!(whole(&server), 0, "a question about a Service does not grow with their number");
    assert_eq!(asked("192.0.2.10:80"), serde_json::json!(["shop/web"]));
    assert_eq!(asked("192.0.2.50"), serde_json::json!(["other/ext"]));
    assert_eq!(whole(&server), 2, "a Service of any type may claim an address by externalIPs");
}

#[test]
fn a_capture_explains_as_the_cluster_did() {
    let server = Server::start(world());
    let home = Home::with("replay", &server);
    let ran = home.run(&["capture", "svc/web", "-f", "web.json"]);
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{}", ran.err);
    let again = home.run(&["capture", "svc/web", "-f", "web.json"]);
    assert!(again.code == 2 && again.err.contains("exists already") && again.err.contains("--force"), "{}", again.err);
    assert_eq!(home.run(&["capture", "svc/web", "-f", "web.json", "--force"]).code, 0);
    let (live, replayed) = (
        home.run(&["explain", "svc/web", "-o", "json"]),
        home.run(&["explain", "--capture", "web.json", "-o", "json"]),
    );
    assert_eq!(live.code, replayed.code);
    let strip = |text: &str| {
        // Times of reading are the only difference, and the source.
        let mut value: serde_json::Value = serde_json::from_str(text).expect("JSON");
        value["source"] = serde_json::Value::Null;
        let text = value.to_string();
        let mut parts = text.split("\"at\":\"");
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |all, part| all + part.split_once('"').map_or("", |(_, rest)| rest))
    };
    assert_eq!(strip(&live.out), strip(&replayed.out));
    assert_eq!(replayed.json()["source"]["context"], "web.json");
    let other = home.run(&["explain", "svc/registry", "--capture", "web.json", "-o", "json"]);
    assert_eq!(other.json()["subjects"][0]["name"], "registry", "{}", other.err);
    let missing = home.run(&["explain", "svc/wbe", "--capture", "web.json"]);
    let said =
        "error: the capture holds no svc/wbe; it holds svc/web -n other, svc/registry -n shop, svc/web -n shop\n";
    assert_eq!((missing.code, missing.err.as_str()), (2, said));
    let open = home.run(&["explain", "svc/web", "--capture", "web.json"]);
    assert!(open.code == 2 && open.err.contains("holds svc/web in several namespaces: other, shop"), "{}", open.err);
    let one = home.run(&["explain", "svc/web", "-n", "other", "--capture", "web.json"]);
    assert!(one.code != 2, "{}", one.err);
    let both = home.run(&["explain", "-n", "shop", "--capture", "web.json", "-o", "name"]);
    assert_eq!(both.out, "service/registry\nservice/web\n", "{}", both.err);
    let save = home.run(&["explain", "svc/web", "--save", "web.json"]);
    assert!(save.code == 2 && save.err.ends_with("hint: name another file\n"), "{}", save.err);
}

#[test]
fn what_is_no_capture_is_refused_with_the_place() {
    let home = Home::new("badcapture");
    let read = |text: &str| {
        std::fs::write(home.path.join("c.json"), text).expect("a file");
        home.run(&["explain", "--capture", "c.json"])
    };
    for (text, said) in [
        ("{\"format\":\"vipctl.dev/capture/v9\"}", "has format 'vipctl.dev/capture/v9', this program reads"),
        ("{}", "c.json is not a capture of this program: it names no format"),
        ("{\"format\":\"x/v1\"}", "is not a capture of this program: its format is 'x/v1'"),
        ("{\"format\":\"vipctl.dev/capture/v1\",\n\"takenAt\":", "line 2"),
        ("{\"format\":\"vipctl.dev/capture/v1\"}", "missing field"),
        ("not json", "is not a capture of this program: expected ident at line 1 column 2"),
    ] {
        let ran = read(text);
        assert!(ran.code == 2 && ran.err.contains(said) && ran.err.contains("c.json"), "{text}: {}", ran.err);
    }
    assert!(home.run(&["explain", "--capture", "none.json"]).err.contains("failed to read capture none.json"));
}

#[test]
fn demos_need_no_cluster() {
    let home = Home::new("demo");
    let list = home.run(&["explain", "--demo"]);
    assert!(list.code == 0 && list.out.lines().count() > 3, "{}", list.out);
    for line in list.out.lines() {
        let name = line.split_whitespace().next().expect("a name");
        let ran = home.run(&["explain", "--demo", name, "-o", "json"]);
        let value = ran.json();
        assert_eq!(value["exit"].as_i64(), Some(ran.code.into()), "{name}: {}", ran.err);
        assert_eq!((value["source"]["kind"].as_str(), value["source"]["context"].as_str()), (Some("demo"), Some(name)));
    }
}

#[test]
fn versions() {
    let server = Server::start(world());
    let home = Home::with("version", &server);
    let ran = home.run(&["version", "-o", "json"]);
    let value = ran.json();
    assert_eq!(
        (value["kubernetes"].as_str(), value["cilium"][0].as_str()),
        (Some("1.34.4"), Some("1.20.2")),
        "{}",
        ran.err
    );
    server.seen.lock().expect("log").clear();
    let ran = home.run(&["version", "--client"]);
    assert!(ran.out.contains(env!("CARGO_PKG_VERSION")) && ran.out.contains("1.18, 1.19, 1.20"), "{}", ran.out);
    assert!(server.seen.lock().expect("log").is_empty(), "it connects to nothing");
}
