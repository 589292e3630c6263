//! The ground that ports are moved on: `tests/lab/movable.sh`, and what has to be true of it afterwards.

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

use crate::lab_suite::{BINARY, lab, lab_name, vipctl};
use crate::scenarios::root;

/// The port that moves.
pub const KEY: &str = "192.0.2.10:80/TCP";
/// All other ports at the address, and whose they are.
pub const OTHERS: [(&str, &str); 3] =
    [("192.0.2.10:443/TCP", "shop/a"), ("192.0.2.10:53/UDP", "shop/b"), ("192.0.2.10:8080/TCP", "shop/c")];

const NAMESPACE: &str = "shop";

/// Three Services on one address: a has the port, b can take it, c only looks on.
pub struct Ground {
    before: Vec<Value>,
}

impl Ground {
    /// Resets the lab and makes the three.
    pub fn new() -> Self {
        lab(&["reset", &lab_name()]);
        let output = Command::new(root().join("tests/lab/movable.sh")).arg(lab_name()).output().expect("a script");
        assert!(output.status.success(), "movable.sh: {}", String::from_utf8_lossy(&output.stderr));
        Self { before: ["a", "b", "c"].map(wanted).to_vec() }
    }

    /// All three are as they were, to the byte.
    pub fn restored(&self, what: &str) {
        for name in ["a", "b", "c"] {
            self.restored_one(name, what);
        }
    }

    /// This one is as it was, to the byte.
    pub fn restored_one(&self, name: &str, what: &str) {
        let before = self.before.iter().find(|before| before["metadata"]["name"] == name);
        assert_eq!(before, Some(&wanted(name)), "{what}");
    }
}

/// A Service without what the API server or a controller writes.
fn wanted(name: &str) -> Value {
    let service = service(name);
    let meta = &service["metadata"];
    serde_json::json!({
        "metadata": {"name": meta["name"], "uid": meta["uid"], "labels": meta["labels"], "annotations": meta["annotations"]},
        "spec": service["spec"],
    })
}

pub fn service(name: &str) -> Value {
    kubectl_json(&["get", "service", name])
}

/// The numbers of a Service's ports.
pub fn ports(name: &str) -> Vec<u64> {
    let service = service(name);
    let ports = service["spec"]["ports"].as_array().expect("ports");
    ports.iter().filter_map(|port| port["port"].as_u64()).collect()
}

/// Runs kubectl in the namespace, as the admin.
pub fn kubectl(args: &[&str]) -> String {
    lab(&[&["run", &lab_name(), "--", "kubectl", "-n", NAMESPACE], args].concat())
}

pub fn kubectl_json(args: &[&str]) -> Value {
    serde_json::from_str(&kubectl(&[args, &["-o", "json"]].concat())).expect("JSON")
}

/// Runs `kubectl vipctl` with its report as JSON.
pub fn vip(args: &[&str]) -> Output {
    vipctl("admin", &[args, &["-n", NAMESPACE, "-o", "json"]].concat())
}

/// The exit code of a command, checked against its JSON where it printed any.
pub fn exit(output: &Output) -> i32 {
    let code = output.status.code().expect("an exit code");
    if let Ok(value) = serde_json::from_slice::<Value>(&output.stdout)
        && let Some(said) = value["exit"].as_i64()
    {
        assert_eq!(said, i64::from(code), "one number for both: {value:#}");
    }
    code
}

/// What a command printed, for messages.
pub fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Runs a command and insists on its exit code.
pub fn expect(code: i32, args: &[&str]) -> Value {
    let output = vip(args);
    assert_eq!(exit(&output), code, "{args:?}: {}", said(&output));
    serde_json::from_slice(&output.stdout).unwrap_or(Value::Null)
}

/// The arguments of a run that moves port 80.
pub fn moving<'a>(from: &'a str, to: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut args = vec!["migrate", "run", from, to, "--port", "80", "--yes"];
    args.extend(more);
    args
}

/// What a run behind `lab run --cut` did.
pub struct Cut {
    /// Its exit code; 137 where it was killed.
    pub exit: i64,
    /// Whether the write that was to be cut came at all.
    pub reached: bool,
    /// What it wrote.
    pub writes: Vec<Value>,
    /// What it printed, for messages and as JSON.
    pub said: String,
    /// Its report; null where it was killed.
    pub report: Value,
}

/// Runs `kubectl vipctl` and breaks its `n`-th write.
pub fn cut(n: usize, how: &str, args: &[&str]) -> Cut {
    let file: PathBuf = std::env::temp_dir().join(format!("vipctl-cut-{}.json", std::process::id()));
    let plan = format!("{n}:{how}");
    let output = Command::new(root().join("tests/lab/lab"))
        .args(["run", &lab_name(), "--cut", &plan, "--report", file.to_str().expect("a path"), "--", BINARY])
        .args(args)
        .args(["-n", NAMESPACE, "-o", "json"])
        .output()
        .expect("the lab's command");
    let text = std::fs::read_to_string(&file).unwrap_or_else(|err| panic!("{plan}: {err}: {}", said(&output)));
    std::fs::remove_file(&file).expect("remove the report");
    let told: Value = serde_json::from_str(&text).expect("JSON");
    Cut {
        exit: told["exit"].as_i64().expect("an exit code"),
        reached: told["cut"].as_bool().expect("a truth"),
        writes: told["writes"].as_array().cloned().unwrap_or_default(),
        said: said(&output),
        report: serde_json::from_slice(&output.stdout).unwrap_or(Value::Null),
    }
}

/// Whether a migration is under way, by its journal.
pub fn unfinished() -> bool {
    let journals = kubectl_json(&["get", "configmaps", "-l", "app.kubernetes.io/managed-by=kubectl-vipctl"]);
    let open = |journal: &&Value| journal["metadata"]["annotations"]["vipctl.dev/finished"].is_null();
    journals["items"].as_array().expect("items").iter().find(open).is_some()
}

/// Every port has exactly one owner, the same on every node, and nothing of ours lies about.
pub fn settled(owner: &str, what: &str) {
    let table = lab(&["frontends", &lab_name(), "192.0.2.10", "-o", "json"]);
    let rows: Vec<Value> = table.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    for (key, who) in OTHERS.into_iter().chain([(KEY, owner)]) {
        let mut nodes: Vec<&str> = Vec::new();
        for row in rows.iter().filter(|row| row["row"]["address"] == key) {
            assert_eq!(row["row"]["owner"], who, "{what}: {table}");
            assert_eq!(row["row"]["status"], "Done", "{what}: {table}");
            nodes.push(row["node"].as_str().expect("a node"));
        }
        nodes.sort_unstable();
        assert_eq!(nodes, ["nd1", "nd2", "nd3"], "{what}: {key}: {table}");
    }
    let holder = owner.trim_start_matches("shop/");
    for name in ["a", "b"] {
        assert_eq!(ports(name).contains(&80), name == holder, "{what}: the ports of {name}");
    }
    clean(what);
}

/// Neither marks nor drain slices are left.
pub fn clean(what: &str) {
    let slices = kubectl(&[
        "get",
        "endpointslices",
        "-l",
        "endpointslice.kubernetes.io/managed-by=kubectl-vipctl",
        "-o",
        "name",
    ]);
    assert_eq!(slices, "", "{what}: drain slices are left");
    for name in ["a", "b", "c"] {
        let annotations = service(name)["metadata"]["annotations"].clone();
        let ours: Vec<&String> = annotations
            .as_object()
            .into_iter()
            .flatten()
            .map(|(key, _)| key)
            .filter(|key| key.contains("vipctl.dev"))
            .collect();
        assert!(ours.is_empty(), "{what}: {name} still has {ours:?}");
    }
}
