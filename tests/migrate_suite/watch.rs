//! Looks on while ports move: real connections to all other ports at the address, and every node's table.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use super::ground::{KEY, OTHERS};
use crate::lab_suite::lab_name;
use crate::scenarios::root;

/// A watch over the ports that nobody moves.
pub struct Watch {
    clients: Child,
    table: Child,
    file: PathBuf,
}

impl Watch {
    /// Begins, and returns once every client is answered.
    pub fn start() -> Self {
        let file = std::env::temp_dir().join(format!("vipctl-watch-{}.jsonl", std::process::id()));
        let out = File::create(&file).expect("a file");
        let table = tool(&["frontends", &lab_name(), "192.0.2.10", "--every", "20ms", "--for", "1h", "-o", "json"])
            .stdout(out)
            .spawn()
            .expect("the lab's command");
        let name = lab_name();
        // A lost packet is sent again after a second: with less patience it counts as a failure.
        let mut args = vec!["clients", &name, "--every", "40ms", "--ping", "40ms", "--timeout", "900ms", "-o", "json"];
        args.extend(OTHERS.map(|(key, _)| key));
        let mut clients = tool(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the lab's command");
        let mut ready = String::new();
        let stderr = clients.stderr.as_mut().expect("a pipe");
        BufReader::new(stderr).read_line(&mut ready).expect("a line");
        assert_eq!(ready.trim(), "clients: all are answered");
        Self { clients, table, file }
    }

    /// Ends it: no connection to another port may have failed, and no node may have lost a row of one.
    pub fn finish(self, what: &str) {
        let faults = self.faults();
        assert!(faults.is_empty(), "{what}: {faults:#?}");
    }

    /// Ends it, and tells what was wrong.
    pub fn faults(mut self) -> Vec<String> {
        interrupt(&self.clients);
        let mut text = String::new();
        self.clients.stdout.as_mut().expect("a pipe").read_to_string(&mut text).expect("text");
        self.clients.wait().expect("an end");
        self.table.kill().expect("a signal");
        self.table.wait().expect("an end");
        let seen: Value = serde_json::from_str(&text).expect("JSON");
        let mut faults: Vec<String> = seen["groups"].as_array().expect("groups").iter().flat_map(refused).collect();
        let lines = std::fs::read_to_string(&self.file).expect("the timeline");
        assert!(lines.contains("appeared"), "the timeline is empty: {lines}");
        // The last line may be half: the writer was killed.
        let events = lines.lines().filter_map(|line| serde_json::from_str(line).ok());
        faults.extend(events.filter(disturbed).map(|event| event.to_string()));
        faults
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        // Where a test fails, both still run; otherwise this does nothing.
        for child in [&mut self.clients, &mut self.table] {
            drop(child.kill());
            drop(child.wait());
        }
        drop(std::fs::remove_file(&self.file));
    }
}

/// What went wrong for the clients of one port on one node.
fn refused(group: &Value) -> Vec<String> {
    let (fresh, kept) = (&group["fresh"], &group["kept"]);
    let at = format!("{} by {}", group["target"], group["node"]);
    let mut faults = Vec::new();
    if fresh["attempts"] == 0 || fresh["failed"] != 0 {
        faults.push(format!("{at}: {} of {} failed: {}", fresh["failed"], fresh["attempts"], fresh["dark"]));
    }
    if kept["broken"] != Value::Array(Vec::new()) {
        faults.push(format!("{at}: broken: {}", kept["broken"]));
    }
    faults
}

/// Whether an event of a node's table is one that no migration of the port may cause.
fn disturbed(event: &Value) -> bool {
    let address = event["row"]["address"].as_str().unwrap_or_default();
    let owner = event["row"]["owner"].as_str().unwrap_or_default();
    match OTHERS.iter().find(|(key, _)| *key == address) {
        Some((_, who)) => owner != *who || event["kind"] == "gone",
        None => address == KEY && !["shop/a", "shop/b"].contains(&owner),
    }
}

fn tool(args: &[&str]) -> Command {
    let mut command = Command::new(root().join("tests/lab/lab"));
    command.args(args);
    command
}

/// Sends SIGINT to a process that this test started.
fn interrupt(child: &Child) {
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
    assert!(sent.success());
}
