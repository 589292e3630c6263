//! Exec over WebSocket in every way that it goes wrong: half an answer is never an answer, and one
//! silent node costs its own deadline and nobody else's.

use std::time::{Duration, Instant};

use k8s_openapi::api::core::v1::Pod;
use vipctl::observe::exec::{Bounds, ExecError, Output, capture};

use crate::support::{Home, Server, World, row, service};

const DEADLINE: Duration = Duration::from_millis(1500);

fn run(pod: &'static str) -> (Result<Output, ExecError>, Duration) {
    run_in(World::default(), pod, Bounds::within(DEADLINE))
}

fn run_in(world: World, pod: &'static str, bounds: Bounds) -> (Result<Output, ExecError>, Duration) {
    let server = Server::start(world);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let mut config = kube::Config::new(server.url.parse().expect("a URL"));
        config.default_retry = false;
        let client = kube::Client::try_from(config).expect("a client");
        let pods: kube::Api<Pod> = kube::Api::namespaced(client, "kube-system");
        let argv = ["sh", "-c", "x", "y", "db/prefix -f json frontends 192.0.2.10", "#0"].map(str::to_owned);
        let begin = Instant::now();
        let result = capture(&pods, pod, "cilium-agent", &argv, bounds).await;
        (result, begin.elapsed())
    })
}

#[test]
fn a_whole_answer_comes_through_on_both_protocols() {
    for pod in ["cilium-ok", "cilium-ok-v4"] {
        let (result, _) = run(pod);
        let output = result.expect(pod);
        assert!(output.stdout.ends_with("nd> ") && output.bytes == output.stdout.len(), "{pod}: {output:?}");
    }
}

#[test]
fn a_connection_that_ends_without_a_status_is_truncated_at_once() {
    for pod in ["cilium-cut", "cilium-close", "cilium-cut-v4", "cilium-close-v4"] {
        let (result, took) = run(pod);
        assert!(matches!(result, Err(ExecError::Truncated { .. })), "{pod}: {result:?}");
        assert!(took < DEADLINE, "{pod} was not waited for: {took:?}");
    }
}

#[test]
fn silence_ends_with_the_deadline() {
    let (result, took) = run("cilium-hang");
    assert!(matches!(result, Err(ExecError::Timeout { .. })), "{result:?}");
    assert!(took >= DEADLINE && took < DEADLINE + Duration::from_millis(500), "{took:?}");
}

#[test]
fn the_command_s_code_and_last_words_are_told() {
    let (result, _) = run("cilium-exit");
    let Err(ExecError::Exit { code: 3, said }) = result else { panic!("{result:?}") };
    assert_eq!(said, "unknown flag");
}

#[test]
fn a_missing_container_is_no_agent() {
    let (result, _) = run("cilium-gone");
    assert!(matches!(result, Err(ExecError::NoContainer(_))), "{result:?}");
}

#[test]
fn a_refused_upgrade_names_both_verbs() {
    let world = World { forbidden: vec!["*/exec"], ..World::default() };
    let (result, _) = run_in(world, "cilium-ok", Bounds::within(DEADLINE));
    let error = result.expect_err("403");
    let missing = error.missing("kube-system");
    let permission = missing.permission.expect("what to ask for").to_string();
    assert_eq!(permission, "get,create pods/exec in namespace kube-system");
}

#[test]
fn success_without_output_is_an_empty_answer() {
    let (result, _) = run("cilium-quiet");
    assert_eq!(result.expect("success"), Output { stdout: String::new(), bytes: 0 });
}

#[test]
fn both_streams_are_read_side_by_side_however_much_comes() {
    let (result, _) = run_in(World::default(), "cilium-big", Bounds::within(Duration::from_secs(20)));
    assert_eq!(result.expect("all of it").bytes, 96 * 100_000 + 48 * 1000);
}

#[test]
fn a_flood_is_cut_off() {
    let bounds = Bounds { deadline: Duration::from_secs(20), bytes: 1_000_000 };
    let (result, _) = run_in(World::default(), "cilium-flood", bounds);
    assert!(matches!(result, Err(ExecError::TooLarge { most: 1_000_000 })), "another end");
}

#[test]
fn a_silent_node_is_unknown_and_holds_nobody_up() {
    let agents = vec!["cilium-ok-1", "cilium-hang-2", "cilium-ok-3", "cilium-cut-4", "cilium-half-5", "cilium-exit-6"];
    let rows = row("192.0.2.10:80/TCP", "shop/b");
    let server =
        Server::start(World { services: vec![service("shop", "b", "192.0.2.10")], agents, rows, ..World::default() });
    let home = Home::with("silent", &server);
    let begin = Instant::now();
    let ran = home.run(&["capture", "svc/b", "--node-timeout", "1s", "-v"]);
    let took = begin.elapsed();
    assert_eq!(ran.code, 0, "{}", ran.err);
    let capture = ran.json();
    let kinds: Vec<String> = capture["agents"]
        .as_array()
        .expect("agents")
        .iter()
        .map(|agent| {
            let answer = &agent["answer"];
            answer["unknown"]["kind"]
                .as_str()
                .unwrap_or(if answer["known"].is_object() { "known" } else { "?" })
                .to_owned()
        })
        .collect();
    assert_eq!(kinds, ["known", "timeout", "known", "truncated", "truncated", "failed"]);
    assert!(took < Duration::from_secs(3), "{took:?}");
    assert!(ran.err.contains("nd2: exec 10") && ran.err.contains("no answer within 1.0 s"), "{}", ran.err);
}

#[test]
fn waiting_agents_get_their_turn() {
    let agents = vec!["cilium-slow-1", "cilium-slow-2", "cilium-slow-3", "cilium-slow-4"];
    let world =
        || World { services: vec![service("shop", "b", "192.0.2.10")], agents: agents.clone(), ..World::default() };
    let time = |name: &str, concurrency: &str| {
        let home = Home::with(name, &Server::start(world()));
        let begin = Instant::now();
        // Each has its whole second from its own beginning.
        let ran = home.run(&["capture", "svc/b", "--concurrency", concurrency, "--node-timeout", "1s"]);
        let capture = ran.json();
        let answers = capture["agents"].as_array().expect("agents").iter().map(|a| &a["answer"]);
        assert!(answers.clone().all(|answer| answer["known"].is_object()), "{:?}", answers.collect::<Vec<_>>());
        begin.elapsed()
    };
    let (alone, together) = (time("turn1", "1"), time("turn4", "16"));
    assert!(alone >= Duration::from_millis(1200), "one after the other: {alone:?}");
    assert!(together < alone * 4 / 5, "side by side: {together:?}, one after the other: {alone:?}");
}
