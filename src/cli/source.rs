//! Where to look: flags that choose the source and how it looks, and the look itself.

use std::path::PathBuf;
use std::time::Duration;

use clap::ValueHint;
use clap::parser::ValueSource;

use super::error::CliError;
use super::kube_flags::{KubeFlags, duration};
use super::progress::Progress;
use super::subject::{self, Typed};
use super::{Call, complete};
use crate::model::{Observation, Subject};
use crate::observe::{CaptureFile, Demo, Live, LiveSettings, ObserveError, Scope, Selection, Source as _};

/// Flags that say how to reach or read a cluster, or choose in a way that only a cluster can answer. Here
/// and not with the flags, for a variable of the environment may stand beside a saved look.
const LIVE_ONLY: [&str; 22] = [
    "selector",
    "no_exec",
    "deep",
    "nodes",
    "node_timeout",
    "concurrency",
    "cilium_namespace",
    "kubeconfig",
    "context",
    "cluster",
    "user",
    "server",
    "token",
    "as",
    "as_group",
    "as_uid",
    "as_user_extra",
    "tls_server_name",
    "certificate_authority",
    "client_certificate",
    "client_key",
    "insecure_skip_tls_verify",
];

/// What to look at.
#[derive(Debug, Clone, Default, clap::Args)]
pub(super) struct Choice {
    /// Services and addresses: [svc/]NAME, NAMESPACE/NAME, VIP, VIP:PORT[/PROTO]; without one, -n NAMESPACE
    /// means every LoadBalancer Service there
    #[arg(value_name = "SUBJECT")]
    pub subjects: Vec<String>,
    /// Every LoadBalancer Service of all namespaces
    #[arg(short = 'A', long, conflicts_with = "subjects")]
    pub all_namespaces: bool,
    /// The LoadBalancer Services with these labels
    #[arg(short = 'l', long, value_name = "LABELS", conflicts_with = "subjects")]
    pub selector: Option<String>,
}

/// How to look at a cluster.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Reading")]
pub(super) struct Look {
    /// Read the API only, ask no agent
    #[arg(long)]
    pub no_exec: bool,
    /// Compare the tables with the BPF maps; reads the whole map on each node
    #[arg(long, conflicts_with = "no_exec")]
    pub deep: bool,
    /// Ask only the agents of the nodes with these labels
    #[arg(long, value_name = "LABELS", conflicts_with = "no_exec")]
    pub nodes: Option<String>,
    /// How long one agent may take; most need a fifth of a second
    #[arg(long, value_name = "DURATION", default_value = "5s", value_parser = duration)]
    pub node_timeout: Duration,
    /// How many agents are asked at the same time
    #[arg(long, value_name = "N", default_value = "16", value_parser = clap::value_parser!(u16).range(1..))]
    pub concurrency: u16,
    /// Namespace of Cilium; found by the agents' label where it is not given
    #[arg(long, value_name = "NAMESPACE", env = "CILIUM_NAMESPACE", hide_env_values = true)]
    pub cilium_namespace: Option<String>,
}

/// Saved looks in place of a cluster.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Without a cluster")]
pub(super) struct Saved {
    /// Read a capture instead of a cluster; - reads standard input
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "demo")]
    pub capture: Option<PathBuf>,
    /// Read a capture that is built in; without a name, list them
    #[arg(long, value_name = "NAME", num_args = 0..=1, default_missing_value = "", add = complete::demos())]
    pub demo: Option<String>,
}

impl Choice {
    /// All Services are meant, of one namespace or of all.
    fn selects(&self, kube: &KubeFlags) -> bool {
        self.all_namespaces || self.selector.is_some() || (self.subjects.is_empty() && kube.namespace.is_some())
    }

    fn scope(&self, typed: &[Typed], kube: &KubeFlags, namespace: &str) -> Scope {
        let subjects: Vec<Subject> = typed.iter().map(|t| t.clone().subject(namespace)).collect();
        let selection = self.selects(kube).then(|| Selection {
            namespace: (!self.all_namespaces).then(|| namespace.to_owned()),
            labels: self.selector.clone(),
        });
        Scope { subjects, selection }
    }
}

/// Looks at a saved capture where one is chosen, else at the cluster.
pub(super) fn look(
    choice: &Choice,
    look: &Look,
    saved: &Saved,
    call: &Call<'_>,
    command: Option<String>,
) -> Result<Observation, CliError> {
    let kube = call.kube;
    let typed = subject::parse(&choice.subjects, kube.namespace.as_deref())?;
    let failed = |error| in_context(error, &typed, call.name);
    if saved.demo.is_some() || saved.capture.is_some() {
        refuse_live_flags(saved, call)?;
    }
    // In a capture an open namespace means: wherever that name is.
    let replay = || choice.scope(&typed, kube, kube.namespace.as_deref().unwrap_or_default());
    if let Some(name) = &saved.demo {
        let source = Demo { name: name.clone() };
        return super::block_on(async { source.observe(&replay()).await.map_err(failed) });
    }
    if let Some(path) = &saved.capture {
        let source = CaptureFile { path: path.clone() };
        return super::block_on(async { source.observe(&replay()).await.map_err(failed) });
    }
    if typed.is_empty() && !choice.selects(kube) {
        let line = |what: &str| format!("kubectl vipctl {} {what}", call.name);
        return Err(CliError::usage("say what to look at: a Service, an address, -n, -A or -l")
            .hint(line("svc/web -n shop"))
            .hint(line("192.0.2.10:443"))
            .hint(line("-A")));
    }
    super::block_on(async {
        let progress = Progress::begin(kube.notes());
        let work = async {
            let connection = kube.connect().await?;
            let live = Live::new(connection, settings(look, kube, command), progress.listener());
            let scope = choice.scope(&typed, kube, live.namespace());
            live.observe(&scope).await.map_err(failed)
        };
        progress.during(work).await
    })
}

/// Refuses what a saved look cannot heed, rather than to ignore it.
fn refuse_live_flags(saved: &Saved, call: &Call<'_>) -> Result<(), CliError> {
    let by_hand = |id: &&&str| call.matches.value_source(id) == Some(ValueSource::CommandLine);
    let Some(flag) = LIVE_ONLY.iter().find(by_hand) else { return Ok(()) };
    let source = if saved.demo.is_some() { "demo" } else { "capture" };
    Err(CliError::usage(format!("the argument '--{}' cannot be used with '--{source}'", flag.replace('_', "-")))
        .hint("it is about reading a cluster, and a saved look reads none"))
}

/// Adds what the command line knows about an error.
fn in_context(error: ObserveError, typed: &[Typed], command: &str) -> CliError {
    let hint = match &error {
        ObserveError::NoNamespace { name, .. } => typed.iter().find_map(|subject| subject.read_as(name)),
        ObserveError::NothingSelected(Selection { namespace: None, labels: None }) => {
            Some("`kubectl get services -A` lists the Services of all types".to_owned())
        }
        ObserveError::NothingSelected(Selection { namespace: Some(_), labels: None }) => {
            Some(format!("`kubectl vipctl {command} -A` looks in all namespaces"))
        }
        ObserveError::NothingSelected(Selection { labels: Some(labels), .. }) => {
            Some(format!("`kubectl get services -A -l '{labels}'` shows what has these labels"))
        }
        _ => None,
    };
    let error = CliError::from(error);
    match hint {
        Some(hint) => error.hint(hint),
        None => error,
    }
}

/// How a running cluster is read with these flags.
pub(super) fn settings(look: &Look, kube: &KubeFlags, command: Option<String>) -> LiveSettings {
    LiveSettings {
        cilium_namespace: look.cilium_namespace.clone().filter(|name| !name.is_empty()),
        exec: !look.no_exec,
        deep: look.deep,
        nodes: look.nodes.clone(),
        node_timeout: look.node_timeout,
        concurrency: look.concurrency.into(),
        read_timeout: kube.read_timeout(),
        flags: kube.to_repeat(),
        command,
    }
}
