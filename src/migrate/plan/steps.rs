//! The plan in words: what is done, what is waited for, and the commands around it.

use super::request::{Becomes, Ports, Request};
use super::{ExpectedDark, Step, named, ports};
use crate::migrate::intent::{Intent, Limits, OnFailure, SourceAfter, Strategy};
use crate::model::PortKey;

/// The steps in order.
pub(super) fn steps(intent: &Intent, nodes: usize) -> Vec<Step> {
    let (a, b) = (named(&intent.source.service), named(&intent.target.service));
    let mut steps = vec![
        step(
            format!(
                "write the journal: ConfigMap vipctl-{} in namespace {}; it is the lock as well",
                intent.id, intent.target.service.namespace
            ),
            None,
        ),
        step(
            format!("mark {a} and {b} with annotation vipctl.dev/migration"),
            Some(format!("{} shown both marks: each agent follows both Services", have(nodes))),
        ),
    ];
    match intent.strategy {
        Strategy::Ordered => ordered(intent, nodes, &mut steps),
        Strategy::Handoff => handoff(intent, nodes, &mut steps),
    }
    steps.push(step("take the marks off both, and close the journal".to_owned(), None));
    steps
}

fn step(does: String, until: Option<String>) -> Step {
    Step { does, until }
}

/// `the agent has`, `all 3 agents have`.
fn have(nodes: usize) -> String {
    if nodes == 1 { "the agent has".to_owned() } else { format!("all {nodes} agents have") }
}

fn every(nodes: usize) -> String {
    if nodes == 1 { "the node serves".to_owned() } else { format!("all {nodes} nodes serve") }
}

fn no_node(nodes: usize) -> String {
    if nodes == 1 { "the node has no row".to_owned() } else { format!("none of {nodes} nodes has a row") }
}

/// Addresses with commas.
pub(super) fn addresses(keys: &[PortKey]) -> String {
    keys.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// What the source's release of its last port is.
fn release(intent: &Intent, last: bool, port: &str) -> String {
    let a = named(&intent.source.service);
    match intent.source_after {
        SourceAfter::ClusterIp if last => format!("release {port}: {a} becomes type ClusterIP"),
        SourceAfter::Delete if last => format!("release {port}: delete {a}; the journal keeps it"),
        SourceAfter::Park(to) if last => format!("release {port}: the last port of {a} moves to {to}"),
        _ => format!("release {port}: take it out of spec.ports of {a}"),
    }
}

fn ordered(intent: &Intent, nodes: usize, steps: &mut Vec<Step>) {
    let b = named(&intent.target.service);
    for (number, mv) in intent.moves.iter().enumerate() {
        let (port, keys) = (ports::text(&mv.from), addresses(&mv.keys));
        let last = number + 1 == intent.moves.len();
        steps.push(step(release(intent, last, &port), Some(format!("{} of {keys}", no_node(nodes)))));
        steps.push(step(
            format!("claim {port}: put it into spec.ports of {b}"),
            Some(format!("{} {keys} from {b}, Done and with active backends", every(nodes))),
        ));
    }
}

fn handoff(intent: &Intent, nodes: usize, steps: &mut Vec<Step>) {
    let (a, b) = (named(&intent.source.service), named(&intent.target.service));
    let texts: Vec<String> = intent.moves.iter().map(|mv| ports::text(&mv.from)).collect();
    let keys: Vec<PortKey> = intent.moves.iter().flat_map(|mv| mv.keys.iter().copied()).collect();
    let port = texts.join(", ");
    if intent.drain.is_some() {
        steps.push(step(
            format!("unless both have the same backends: give {b} those of {a} as terminating ones (a drain slice)"),
            Some(format!("{} them", have(nodes))),
        ));
    }
    steps.push(step(
        "write nothing".to_owned(),
        Some(format!("neither Service has changed for {} ms, and no agent's tick is near", 2 * intent.period_ms)),
    ));
    steps.push(step(
        format!("{}; claim it on {b} at once", release(intent, true, &port)),
        Some(format!("{} {} from {b}, Done and with active backends", every(nodes), addresses(&keys))),
    ));
    if let Some(drain) = intent.drain {
        steps.push(step(
            "keep the old backends for established connections, then remove the drain slice".to_owned(),
            Some(format!("none is left, or {} have passed", seconds(drain.timeout_ms))),
        ));
    }
}

/// `60 s`, `1.5 s`.
fn seconds(ms: u64) -> String {
    if ms.is_multiple_of(1000) { format!("{} s", ms / 1000) } else { format!("{}.{:03} s", ms / 1000, ms % 1000) }
}

/// How long it is dark: an agent that drops a port takes the claim up with its next tick.
pub(super) fn expected_dark(intent: &Intent) -> ExpectedDark {
    let period = intent.period_ms;
    match intent.strategy {
        Strategy::Ordered => ExpectedDark {
            per_node_ms: period,
            basis: format!(
                "each agent drops a port at one tick of its reflector and takes it up at the next, {period} ms later; \
                 established connections are reset"
            ),
        },
        Strategy::Handoff => ExpectedDark {
            per_node_ms: 0,
            basis: format!(
                "each agent sees both writes in one batch; should one's tick fall between them, that node is dark \
                 for {period} ms; {}",
                if intent.drain.is_some() {
                    "established connections live on"
                } else {
                    "connections in flight fail, established ones are reset"
                }
            ),
        },
    }
}

/// The command that undoes it.
pub(super) fn undo(intent: &Intent, flags: &[String]) -> String {
    let id = &intent.target.service;
    let words = ["kubectl vipctl migrate rollback", &intent.id, "-n", &id.namespace];
    with_flags(words.iter().map(|word| (*word).to_owned()).collect(), flags)
}

fn with_flags(mut words: Vec<String>, flags: &[String]) -> String {
    words.extend_from_slice(flags);
    words.join(" ")
}

/// The command line that asks for this: `kubectl vipctl migrate VERB …`, with the connection's flags.
#[must_use]
pub fn command(verb: &str, request: &Request, flags: &[String]) -> String {
    let (a, b) = (&request.source, &request.target);
    let mut words = vec!["kubectl vipctl migrate".to_owned(), verb.to_owned()];
    if a.namespace == b.namespace {
        words.extend([format!("svc/{}", a.name), format!("svc/{}", b.name), "-n".to_owned(), a.namespace.clone()]);
    } else {
        words.extend([a.to_string(), b.to_string()]);
    }
    match &request.ports {
        Ports::All => words.push("--all-ports".to_owned()),
        Ports::These(wishes) => words.extend(wishes.iter().flat_map(|wish| ["--port".to_owned(), wish.to_string()])),
    }
    words.extend(request.vip.iter().flat_map(|vip| ["--vip".to_owned(), vip.to_string()]));
    words.extend(request.source_after.iter().filter_map(|after| {
        Some(match after {
            SourceAfter::Keeps => return None,
            SourceAfter::ClusterIp => "--source-after clusterip".to_owned(),
            SourceAfter::Park(port) => format!("--source-after park={port}"),
            SourceAfter::Delete => "--source-after delete".to_owned(),
        })
    }));
    if request.strategy == Strategy::Handoff {
        words.push("--strategy handoff".to_owned());
        words.extend(drain_words(request));
    }
    words.extend(request.changes.iter().map(|change| {
        let port = change.port.map(|port| format!("{port}=")).unwrap_or_default();
        match &change.to {
            Becomes::TargetPort(value) => format!("--target-port {port}{value}"),
            Becomes::Name(value) => format!("--port-name {port}{value}"),
            Becomes::AppProtocol(value) => format!("--app-protocol {port}{value}"),
        }
    }));
    words.extend(limit_words(&request.limits));
    if request.override_owner {
        words.push("--override-owner".to_owned());
    }
    with_flags(words, flags)
}

fn drain_words(request: &Request) -> Option<String> {
    match request.drain {
        None => Some("--no-drain".to_owned()),
        Some(drain) if drain.timeout_ms == 60_000 => None,
        Some(drain) => Some(format!("--drain-timeout {}ms", drain.timeout_ms)),
    }
}

/// Limits that are not the usual ones.
fn limit_words(limits: &Limits) -> Vec<String> {
    let mut words = Vec::new();
    if limits.timeout_ms != 120_000 {
        words.push(format!("--timeout {}ms", limits.timeout_ms));
    }
    if limits.max_dark_ms != 20_000 {
        words.push(format!("--max-dark {}ms", limits.max_dark_ms));
    }
    if limits.allow_unknown > 0 {
        words.push(format!("--allow-unknown {}", limits.allow_unknown));
    }
    if limits.on_failure == OnFailure::Stop {
        words.push("--on-failure stop".to_owned());
    }
    words
}
