//! What is asked of a node's agent, and how its answer is read. Pure: no client, no clock.
//!
//! One call for each node: the queries go as arguments to a fixed script that feeds them to one
//! `cilium-dbg shell`, which costs one process on the node where one call for each query would cost
//! several. After each query a comment line `#N` is fed as well; its echo proves that the
//! answer before it is complete. The exit code proves nothing (older shells exit 0 on any trouble).

mod follow;
mod legacy;
mod maps;
mod parse;
mod rows;

use std::net::IpAddr;

use crate::model::{Asked, ServiceRef, in_names};

pub use follow::{Follow, Followed, Watch};
pub use legacy::service_list;
pub use maps::{map_call, map_entries};
pub use parse::{Parsed, ReadError, answer, dial_trouble, version_of};
pub(super) use parse::{cut, plain_text};

/// Feeds its arguments to the agent's shell, one line each. `timeout` (where the image has it) ends
/// the process on the node when the agent hangs and nobody listens any more.
const SCRIPT: &str = r#"b=$(command -v cilium-dbg || command -v cilium) || exit 127
t=$(command -v timeout) && t="$t 20"
printf '%s\r' "$@" | $t "$b" shell"#;

/// The way to ask agents without the tables (Cilium 1.17 and older).
const LEGACY: &str = r#"b=$(command -v cilium-dbg || command -v cilium) || exit 127
exec "$b" service list -o json"#;

/// Keeps the agent's shell open for questions on its standard input. It ends with that.
const SHELL: &str = r#"b=$(command -v cilium-dbg || command -v cilium) || exit 127
exec "$b" shell 2>&1"#;

/// Arguments of one call stay below this, so that its URL passes every server on the way.
const MOST_BYTES: usize = 12_000;

/// One question to an agent; the answer to each is a section of the output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Query {
    /// Frontend rows of an address.
    Vip(IpAddr),
    /// Frontend rows that a Service owns.
    Owned(ServiceRef),
    /// Whether the Service has a row in `services`, and its flags.
    Accepted(ServiceRef),
    /// Health rows of a level.
    Health(&'static str),
    /// Rows of `l2-announce` for an address.
    L2(IpAddr),
}

impl Query {
    /// The shell's command.
    ///
    /// # Errors
    /// When a name holds a character that no Kubernetes name has: it would not stay one argument.
    pub fn command(&self) -> Result<String, String> {
        Ok(match self {
            Self::Vip(IpAddr::V4(ip)) => format!("db/prefix -f json frontends {ip}"),
            Self::Vip(IpAddr::V6(ip)) => format!("db/prefix -f json frontends [{ip}]"),
            Self::Owned(id) => format!("db/list -i service -f json frontends {}", plain(id)?),
            Self::Accepted(id) => format!("db/get --columns=Name,Flags services {}", plain(id)?),
            Self::Health(level) => format!("db/list -i level -f json health {level}"),
            Self::L2(ip) => format!("db/prefix -f json l2-announce {ip}"),
        })
    }
}

fn plain(id: &ServiceRef) -> Result<String, String> {
    let text = id.to_string();
    if text.chars().all(in_names) && !text.starts_with('-') {
        Ok(text)
    } else {
        Err(format!("'{text}' cannot be the name of a Service"))
    }
}

/// The questions for everything that is asked, in the order of the answers.
///
/// `l2-announce` comes last: where that table were missing, the shell of some releases stops at the
/// error, and all that matters more is already said.
#[must_use]
pub fn queries(asked: &Asked) -> Vec<Query> {
    let mut all: Vec<Query> = asked.vips.iter().copied().map(Query::Vip).collect();
    all.extend(asked.services.iter().cloned().map(Query::Owned));
    all.extend(asked.services.iter().cloned().map(Query::Accepted));
    all.extend([Query::Health("Degraded"), Query::Health("Stopped")]);
    all.extend(asked.vips.iter().copied().map(Query::L2));
    all
}

/// One call: the command line for exec and the questions that it asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The command with its arguments.
    pub argv: Vec<String>,
    /// What it asks.
    pub queries: Vec<Query>,
}

/// Divides the questions into as few calls as may be; one, unless very much is asked.
///
/// # Errors
/// As [`Query::command`].
pub fn calls(queries: &[Query]) -> Result<Vec<Call>, String> {
    let mut calls: Vec<Call> = Vec::new();
    let mut room = 0;
    for query in queries {
        let command = query.command()?;
        if command.len() > room || calls.is_empty() {
            let argv = ["sh", "-c", SCRIPT, "vipctl"].map(str::to_owned).to_vec();
            calls.push(Call { argv, queries: Vec::new() });
            room = MOST_BYTES;
        }
        if let Some(call) = calls.last_mut() {
            room = room.saturating_sub(command.len() + 8);
            call.argv.push(command);
            call.argv.push(format!("#{}", call.queries.len()));
            call.queries.push(query.clone());
        }
    }
    Ok(calls)
}

/// The call for agents that have no such tables.
#[must_use]
pub fn legacy_call() -> Vec<String> {
    ["sh", "-c", LEGACY].map(str::to_owned).to_vec()
}

/// The call that opens the agent's shell.
#[must_use]
pub fn shell_call() -> Vec<String> {
    ["sh", "-c", SHELL].map(str::to_owned).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked() -> Asked {
        Asked {
            services: vec![ServiceRef::new("shop", "b")],
            vips: vec!["192.0.2.10".parse().expect("v4"), "2001:db8::10".parse().expect("v6")],
        }
    }

    #[test]
    fn one_call_asks_everything_by_index() {
        let calls = calls(&queries(&asked())).expect("plain names");
        assert_eq!(calls.len(), 1);
        assert_eq!(
            calls[0].argv[4..],
            [
                "db/prefix -f json frontends 192.0.2.10",
                "#0",
                "db/prefix -f json frontends [2001:db8::10]",
                "#1",
                "db/list -i service -f json frontends shop/b",
                "#2",
                "db/get --columns=Name,Flags services shop/b",
                "#3",
                "db/list -i level -f json health Degraded",
                "#4",
                "db/list -i level -f json health Stopped",
                "#5",
                "db/prefix -f json l2-announce 192.0.2.10",
                "#6",
                "db/prefix -f json l2-announce 2001:db8::10",
                "#7",
            ]
        );
    }

    #[test]
    fn nothing_but_names_reaches_the_shell() {
        for name in ["b;reboot", "b$(id)", "b --delete", "b\rdb/delete", "b'", "b\"", "ü"] {
            let query = Query::Owned(ServiceRef::new("shop", name));
            assert!(query.command().is_err(), "{name}");
        }
        assert!(Query::Accepted(ServiceRef::new("-x", "b")).command().is_err());
    }

    #[test]
    fn no_command_changes_anything() {
        for call in calls(&queries(&asked())).expect("plain names") {
            for word in call.argv.iter().flat_map(|a| a.split_whitespace()) {
                assert!(!matches!(word, "--delete" | "db/insert" | "db/delete"), "{word}");
            }
        }
    }

    #[test]
    fn very_many_questions_become_several_calls() {
        let services = (0..1000).map(|n| ServiceRef::new("shop", format!("svc-{n}"))).collect();
        let all = queries(&Asked { services, vips: Vec::new() });
        let calls = calls(&all).expect("plain names");
        assert!(calls.len() > 1);
        assert!(calls.iter().all(|c| c.argv.iter().map(String::len).sum::<usize>() < 2 * MOST_BYTES));
        let again: Vec<Query> = calls.into_iter().flat_map(|c| c.queries).collect();
        assert_eq!(again, all, "each is asked once, in order");
    }
}
