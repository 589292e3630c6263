//! `kubectl vipctl migrate abandon`.

use anyhow::Context as _;
use serde::Serialize;

use super::ask;
use super::journals::{Which, find, store, title, wait_for_silence};
use super::signals::Signals;
use super::status::settled;
use crate::cli::error::CliError;
use crate::cli::{Call, HELP, print};
use crate::exit;
use crate::migrate::cluster::{Cluster as _, Outcome};
use crate::migrate::intent::{Intent, Moves};
use crate::migrate::live::{LiveCluster, LiveSettings};
use crate::migrate::machine::cleanup;
use crate::migrate::words;
use crate::render::migration::{self, ReportFormat};

/// Conflicts that are met again in a row before giving up.
const MOST_TRIES: u32 = 10;

const EXAMPLES: &str = "\
Examples:
  kubectl vipctl migrate abandon 192-0-2-10-80-tcp -n shop
";

/// Forget a migration: remove its marks, drain slices and journal, and leave all ports as they are.
///
/// Says what the two Services hold then. A port that nobody claims stays so: `resume` or `rollback` first.
#[derive(Debug, clap::Args)]
#[command(help_template = HELP, before_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    which: Which,
    /// Ask nothing
    #[arg(short, long)]
    yes: bool,
    /// Do not wait whether another run still works on it
    #[arg(long)]
    take_over: bool,
    /// Output format
    #[arg(short, long, value_enum, default_value_t = ReportFormat::Text)]
    output: ReportFormat,
    /// Namespace of Cilium; found by the agents' label where it is not given
    #[arg(long, value_name = "NAMESPACE", env = "CILIUM_NAMESPACE", hide_env_values = true)]
    cilium_namespace: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Abandoned {
    api_version: &'static str,
    kind: &'static str,
    exit: u8,
    id: String,
    /// What was removed.
    removed: Vec<String>,
    /// What the Services hold now, and who serves the ports.
    now: Vec<String>,
}

/// Removes what a migration left lying about, and the journal at last.
pub(super) fn run(args: &Args, call: &Call<'_>) -> Result<u8, CliError> {
    ask::can_ask(args.yes)?;
    let abandoned = crate::cli::block_on_to_end(async {
        let mut signals = Signals::listen().context("failed to listen for signals")?;
        // Each removal stands for itself: leaving between two of them leaves a journal to abandon again.
        signals.during(abandon(args, call)).await
    })?;
    print::out(&migration::for_programs(&abandoned, args.output).unwrap_or_else(|| text(&abandoned)))?;
    Ok(abandoned.exit)
}

async fn abandon(args: &Args, call: &Call<'_>) -> Result<Abandoned, CliError> {
    let connection = call.kube.connect().await?;
    let store = store(&connection, call);
    let journal =
        find(&store, &args.which, &connection, "unfinished migration", |journal| journal.finished.is_none()).await?;
    let journal = wait_for_silence(&store, journal, args.take_over).await?;
    let what = format!("Forget the migration of {} and leave all ports as they are?", title(&journal.intent));
    ask::ask(&what, &journal.intent.id, args.yes).await?;
    let intent = journal.intent.clone();
    let journal = store.take(&journal, intent).await?;
    let intent = journal.intent.clone();
    let settings = LiveSettings {
        cilium_namespace: args.cilium_namespace.clone().filter(|name| !name.is_empty()),
        deadline: call.kube.read_timeout(),
        choose_moment: true,
    };
    let failed = |error: crate::migrate::cluster::LookError| CliError::stopped(error.to_string());
    let mut cluster = LiveCluster::start(connection.client.clone(), settings, store, journal).await.map_err(failed)?;
    let mut removed = tidy(&mut cluster, &intent).await?;
    let world = settled(&mut cluster, &intent).await.map_err(failed)?;
    let (store, journal) = cluster.into_journal();
    store.delete(&journal).await?;
    removed.push(format!("remove the journal, configmap {}/{}", journal.namespace, journal.name));
    Ok(Abandoned {
        api_version: "vipctl.dev/v1",
        kind: "MigrationAbandoned",
        exit: exit::OK,
        id: intent.id.clone(),
        removed,
        now: words::state(&intent, &world),
    })
}

async fn tidy(cluster: &mut LiveCluster, intent: &Intent) -> Result<Vec<String>, CliError> {
    let mut removed = Vec::new();
    let mut tries = 0;
    loop {
        let world = cluster.look(intent).await.map_err(|error| CliError::stopped(error.to_string()))?;
        let Some(effect) = cleanup(&world) else { return Ok(removed) };
        match cluster.apply(intent, &effect).await.outcome {
            Outcome::Done => removed.push(words::effect(intent, &effect, &Moves::new())),
            Outcome::Conflict(_) | Outcome::Unknown(_) if tries < MOST_TRIES => tries += 1,
            Outcome::Conflict(text) | Outcome::Unknown(text) | Outcome::Refused(text) => {
                return Err(CliError::stopped(format!(
                    "failed to {}: {text}",
                    words::effect(intent, &effect, &Moves::new())
                )));
            }
        }
    }
}

fn text(abandoned: &Abandoned) -> String {
    let mut text = format!("migration {} is forgotten\n", abandoned.id);
    for (label, lines) in [("did", &abandoned.removed), ("now", &abandoned.now)] {
        for (number, line) in lines.iter().enumerate() {
            text.push_str(&format!("{:10}{line}\n", if number == 0 { label } else { "" }));
        }
    }
    text
}
