//! Where to look: flags that choose the source and how it looks, and the look itself.

use std::path::PathBuf;
use std::time::Duration;

use super::error::CliError;
use super::kube_flags::{KubeFlags, duration};
use super::progress::Progress;
use super::subject::{self, Typed};
use crate::model::{Observation, Subject};
use crate::observe::{CaptureFile, DEMOS, Demo, Live, LiveSettings, Scope, Selection, Source as _};

/// What to look at.
#[derive(Debug, Clone, Default, clap::Args)]
pub(super) struct Choice {
    /// Services and addresses: [svc/]NAME, NAMESPACE/NAME, VIP, VIP:PORT[/PROTO]
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
    /// Read the API only, ask no agent; verdicts are then likely at most
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
    #[arg(long, value_name = "FILE", conflicts_with = "demo")]
    pub capture: Option<PathBuf>,
    /// Read a capture that is built in; without a name, list them
    #[arg(long, value_name = "NAME", num_args = 0..=1, default_missing_value = "")]
    pub demo: Option<String>,
}

/// The list of demos, one a line.
pub(super) fn demo_list() -> String {
    let width = DEMOS.iter().map(|(name, ..)| name.len()).max().unwrap_or(0);
    DEMOS.iter().map(|(name, what, _)| format!("{name:width$}  {what}\n")).collect()
}

impl Choice {
    fn typed(&self, kube: &KubeFlags) -> Result<Vec<Typed>, CliError> {
        subject::parse(&self.subjects, kube.namespace.as_deref())
    }

    fn is_empty(&self) -> bool {
        self.subjects.is_empty() && !self.all_namespaces && self.selector.is_none()
    }

    fn scope(&self, typed: Vec<Typed>, namespace: &str) -> Scope {
        let subjects: Vec<Subject> = typed.into_iter().map(|t| t.subject(namespace)).collect();
        let selects = self.all_namespaces || self.selector.is_some();
        let selection = selects.then(|| Selection {
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
    kube: &KubeFlags,
    command: Option<String>,
) -> Result<Observation, CliError> {
    let typed = choice.typed(kube)?;
    // In a capture an open namespace means: wherever that name is.
    let replay = |typed| choice.scope(typed, kube.namespace.as_deref().unwrap_or_default());
    if (saved.capture.is_some() || saved.demo.is_some()) && choice.selector.is_some() {
        return Err(CliError::usage("-l chooses among the Services of a cluster, not of a capture"));
    }
    if let Some(name) = &saved.demo {
        let source = Demo { name: name.clone() };
        return super::block_on(async { Ok(source.observe(&replay(typed)).await?) });
    }
    if let Some(path) = &saved.capture {
        let source = CaptureFile { path: path.clone() };
        return super::block_on(async { Ok(source.observe(&replay(typed)).await?) });
    }
    if choice.is_empty() {
        return Err(CliError::usage("say what to look at: a Service, an address, -A or -l")
            .hint("kubectl vipctl explain svc/web -n shop")
            .hint("kubectl vipctl explain 192.0.2.10:443")
            .hint("kubectl vipctl explain -A"));
    }
    super::block_on(async {
        let progress = Progress::begin(kube.notes());
        let work = async {
            let connection = kube.connect().await?;
            let settings = settings(look, kube, command);
            let live = Live::new(connection, settings, progress.listener());
            let scope = choice.scope(typed, live.namespace());
            Ok(live.observe(&scope).await?)
        };
        progress.during(work).await
    })
}

fn settings(look: &Look, kube: &KubeFlags, command: Option<String>) -> LiveSettings {
    LiveSettings {
        cilium_namespace: look.cilium_namespace.clone().filter(|name| !name.is_empty()),
        exec: !look.no_exec,
        deep: look.deep,
        nodes: look.nodes.clone(),
        node_timeout: look.node_timeout,
        concurrency: look.concurrency.into(),
        read_timeout: kube.read_timeout(),
        flags: Vec::new(),
        command,
    }
}
