//! The flags that say what shall move, and how.

use std::net::IpAddr;
use std::time::Duration;

use crate::cli::error::CliError;
use crate::cli::kube_flags::duration;
use crate::cli::source::Look;
use crate::cli::subject::{self, Typed};
use crate::migrate::intent::{Drain, Limits, OnFailure, SourceAfter, Strategy};
use crate::migrate::plan::{Becomes, Change, Ports, Request, Wish};
use crate::model::{ServiceRef, Subject};

/// What to move.
#[derive(Debug, Clone, clap::Args)]
#[group(id = "request")]
pub(in crate::cli) struct Args {
    /// The Service that has the port: [svc/]NAME or NAMESPACE/NAME
    #[arg(value_name = "FROM")]
    from: Option<String>,
    /// The Service that shall have it
    #[arg(value_name = "TO")]
    to: Option<String>,
    /// Port to move, e.g. 80 or 53/UDP; may be repeated
    #[arg(long = "port", value_name = "PORT[/PROTO]", value_delimiter = ',')]
    ports: Vec<Wish>,
    /// Move every port of FROM
    #[arg(long, conflicts_with = "ports")]
    all_ports: bool,
    /// The VIP that is meant, where FROM has others that TO has not
    #[arg(long, value_name = "IP")]
    vip: Option<IpAddr>,
    /// What becomes of FROM when its last port goes: clusterip, park=PORT or delete
    #[arg(long, value_name = "WHAT", value_parser = source_after)]
    source_after: Option<SourceAfter>,
    #[command(flatten)]
    how: How,
    #[command(flatten)]
    changes: Changes,
}

/// How to move it.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "How")]
struct How {
    /// ordered: release, wait until every node dropped it, claim. handoff: both at once, after quiet
    #[arg(long, value_enum, default_value_t = Order::Ordered)]
    strategy: Order,
    /// Keep no established connections over a handoff
    #[arg(long)]
    no_drain: bool,
    /// How long established connections may take to end after a handoff
    #[arg(long, value_name = "DURATION", default_value = "60s", value_parser = duration)]
    drain_timeout: Duration,
    /// How long all of it may take, and going back as long again; the time of --drain-timeout apart
    #[arg(long, value_name = "DURATION", default_value = "2m", value_parser = duration)]
    timeout: Duration,
    /// How long a port may be dark on a node before going back (ordered)
    #[arg(long, value_name = "DURATION", default_value = "20s", value_parser = duration)]
    max_dark: Duration,
    /// How many nodes may stay unknown
    #[arg(long, value_name = "N", default_value = "0")]
    allow_unknown: usize,
    /// What to do when a limit is passed
    #[arg(long, value_enum, default_value_t = Failure::Rollback)]
    on_failure: Failure,
    /// Go on although Helm, Argo CD or Flux will set the Services back
    #[arg(long)]
    override_owner: bool,
    /// How long one agent may take to answer
    #[arg(long, value_name = "DURATION", default_value = "5s", value_parser = duration)]
    node_timeout: Duration,
    /// Namespace of Cilium; found by the agents' label where it is not given
    #[arg(long, value_name = "NAMESPACE", env = "CILIUM_NAMESPACE", hide_env_values = true)]
    cilium_namespace: Option<String>,
}

/// What changes on the way.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Changes on the way (PORT= where several ports move)")]
struct Changes {
    /// targetPort on TO: a number or a name
    #[arg(long, value_name = "[PORT=]TARGET")]
    target_port: Vec<String>,
    /// Name of the port on TO
    #[arg(long, value_name = "[PORT=]NAME")]
    port_name: Vec<String>,
    /// appProtocol on TO
    #[arg(long, value_name = "[PORT=]PROTOCOL")]
    app_protocol: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Order {
    Ordered,
    Handoff,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Failure {
    Stop,
    Rollback,
}

fn source_after(text: &str) -> Result<SourceAfter, String> {
    match text.split_once('=') {
        None if text == "clusterip" => Ok(SourceAfter::ClusterIp),
        None if text == "delete" => Ok(SourceAfter::Delete),
        Some(("park", port)) => match port.parse() {
            Ok(port) if port > 0 => Ok(SourceAfter::Park(port)),
            _ => Err("the port to park at must be a number, e.g. park=10080".to_owned()),
        },
        _ => Err("it must be clusterip, park=PORT or delete".to_owned()),
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

impl Args {
    /// How the cluster is read for it.
    pub(in crate::cli) fn look(&self) -> Look {
        Look {
            no_exec: false,
            deep: false,
            nodes: None,
            node_timeout: self.how.node_timeout,
            concurrency: 16,
            cilium_namespace: self.how.cilium_namespace.clone(),
        }
    }

    /// What is asked for; `namespace` is that of Services named without one.
    ///
    /// # Errors
    /// Where a Service or the ports are missing, or a word is no Service.
    pub(in crate::cli) fn request(&self, namespace: &str) -> Result<Request, CliError> {
        let (Some(from), Some(to)) = (&self.from, &self.to) else {
            return Err(CliError::usage("say which Service has the port, and which one shall have it")
                .hint("kubectl vipctl migrate plan svc/a svc/b --port 80 -n shop"));
        };
        let ports = match (self.all_ports, self.ports.as_slice()) {
            (true, _) => Ports::All,
            (false, []) => {
                return Err(CliError::usage("say which ports shall move: --port PORT, or --all-ports"));
            }
            (false, ports) => Ports::These(ports.to_vec()),
        };
        let how = &self.how;
        let drain = Drain { timeout_ms: millis(how.drain_timeout) };
        let strategy = match how.strategy {
            Order::Ordered => Strategy::Ordered,
            Order::Handoff => Strategy::Handoff,
        };
        Ok(Request {
            source: service(from, namespace)?,
            target: service(to, namespace)?,
            ports,
            vip: self.vip,
            strategy,
            drain: (strategy == Strategy::Handoff && !how.no_drain).then_some(drain),
            source_after: self.source_after,
            changes: self.changes.read()?,
            limits: Limits {
                timeout_ms: millis(how.timeout),
                max_dark_ms: millis(how.max_dark),
                allow_unknown: how.allow_unknown,
                on_failure: match how.on_failure {
                    Failure::Stop => OnFailure::Stop,
                    Failure::Rollback => OnFailure::Rollback,
                },
            },
            override_owner: how.override_owner,
        })
    }
}

fn service(word: &str, namespace: &str) -> Result<ServiceRef, CliError> {
    // The two may be in different namespaces, so -n is only a default here.
    let typed = subject::parse(&[word.to_owned()], None)?.into_iter().next();
    match typed.map(|typed: Typed| typed.subject(namespace)) {
        Some(Subject::Service(id)) => Ok(id),
        _ => Err(CliError::usage(format!("'{word}' is not a Service"))
            .hint("a port moves from one Service to another: svc/NAME or NAMESPACE/NAME; --vip chooses the address")),
    }
}

impl Changes {
    fn read(&self) -> Result<Vec<Change>, CliError> {
        let targets = self.target_port.iter().map(|word| change(word, Becomes::TargetPort));
        let names = self.port_name.iter().map(|word| change(word, Becomes::Name));
        let protocols = self.app_protocol.iter().map(|word| change(word, Becomes::AppProtocol));
        targets.chain(names).chain(protocols).collect()
    }
}

fn change(word: &str, to: fn(String) -> Becomes) -> Result<Change, CliError> {
    let (port, value) = match word.split_once('=') {
        None => (None, word),
        Some((port, value)) => {
            let port: Option<u16> = port.parse().ok();
            (Some(port.ok_or_else(|| CliError::usage(format!("'{word}' must be VALUE or PORT=VALUE")))?), value)
        }
    };
    if value.is_empty() {
        return Err(CliError::usage(format!("'{word}' must be VALUE or PORT=VALUE")));
    }
    Ok(Change { port, to: to(value.to_owned()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_becomes_of_the_source() {
        assert_eq!(source_after("clusterip"), Ok(SourceAfter::ClusterIp));
        assert_eq!(source_after("delete"), Ok(SourceAfter::Delete));
        assert_eq!(source_after("park=10080"), Ok(SourceAfter::Park(10_080)));
        for text in ["park", "park=", "park=0", "park=x", "keep", "delete=1"] {
            assert!(source_after(text).is_err(), "{text}");
        }
    }

    #[test]
    fn changes_name_a_port_or_none() {
        let read = |word: &str| change(word, Becomes::TargetPort).ok();
        let to = |port, value: &str| Some(Change { port, to: Becomes::TargetPort(value.to_owned()) });
        assert_eq!(read("8080"), to(None, "8080"));
        assert_eq!(read("80=http"), to(Some(80), "http"));
        assert_eq!((read("x=1"), read("80="), read("")), (None, None, None));
    }

    #[test]
    fn services_may_be_in_two_namespaces() {
        let read = |word: &str| service(word, "shop").ok().map(|id| id.to_string());
        assert_eq!(read("svc/a").as_deref(), Some("shop/a"));
        assert_eq!(read("web/b").as_deref(), Some("web/b"));
        assert_eq!((read("192.0.2.10"), read("pod/x")), (None, None));
    }
}
