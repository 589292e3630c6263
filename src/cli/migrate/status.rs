//! `kubectl vipctl migrate status`: the journal, and one look at the world.

use std::time::{Duration, Instant};

use jiff::{Timestamp, ToSpan as _};
use serde::Serialize;

use super::journals::{Which, find, store, title};
use super::list::standing;
use crate::cli::error::CliError;
use crate::cli::{Call, HELP, print};
use crate::exit;
use crate::migrate::cluster::{Cluster as _, LookError};
use crate::migrate::intent::{Direction, Intent, Moves, Strategy};
use crate::migrate::journal::Journal;
use crate::migrate::live::store::Store;
use crate::migrate::live::{LiveCluster, LiveSettings};
use crate::migrate::machine::{Decision, End, Tally, decide};
use crate::migrate::report::{self, NodeReport};
use crate::migrate::words;
use crate::migrate::world::{SpecState, World};
use crate::model::PortKey;
use crate::observe::Connection;
use crate::render::Style;
use crate::render::migration::{self, ReportFormat};

/// So long the agents have to answer once.
const PATIENCE: Duration = Duration::from_secs(3);

const EXAMPLES: &str = "\
Examples:
  kubectl vipctl migrate status                     the one that is not finished, in this namespace
  kubectl vipctl migrate status 192-0-2-10-80-tcp -n shop -o json
";

/// Show how a migration stands: who claims the ports, who serves them on each node, what is waited for, and
/// the commands that lead on. Writes nothing.
#[derive(Debug, clap::Args)]
#[command(help_template = HELP, before_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    which: Which,
    /// Output format
    #[arg(short, long, value_enum, default_value_t = ReportFormat::Text)]
    output: ReportFormat,
    /// When to use colours
    #[arg(long, value_enum, default_value_t = print::Color::Auto, value_name = "WHEN")]
    color: print::Color,
    /// Namespace of Cilium; found by the agents' label where it is not given
    #[arg(long, value_name = "NAMESPACE", env = "CILIUM_NAMESPACE", hide_env_values = true)]
    cilium_namespace: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Status {
    api_version: &'static str,
    kind: &'static str,
    exit: u8,
    id: String,
    namespace: String,
    title: String,
    strategy: Strategy,
    direction: Direction,
    keys: Vec<PortKey>,
    /// `running`, `stopped`, or how it was finished.
    state: String,
    note: String,
    heartbeat: Option<Timestamp>,
    /// How many of the moves are where they shall be, in the API; none where the Services cannot be judged.
    moved: Option<usize>,
    moves: usize,
    now: Vec<String>,
    nodes: Vec<NodeReport>,
    /// What would be done or waited for next.
    waiting_for: String,
    next: Vec<String>,
}

/// Looks and prints.
pub(super) fn run(args: &Args, call: &Call<'_>) -> Result<u8, CliError> {
    let status = crate::cli::block_on(async {
        let connection = call.kube.connect().await?;
        let store = store(&connection, call);
        let journal =
            match find(&store, &args.which, &connection, "unfinished migration", |journal| journal.finished.is_none())
                .await
            {
                Err(_) if args.which.id.is_none() => {
                    find(&store, &args.which, &connection, "migration", |_| true).await?
                }
                found => found?,
            };
        status(args, call, &connection, &store, journal).await
    })?;
    let style = Style { color: args.color.decide(), width: print::width(), details: false };
    print::out(&migration::for_programs(&status, args.output).unwrap_or_else(|| text(&status, &style)))?;
    Ok(status.exit)
}

async fn status(
    args: &Args,
    call: &Call<'_>,
    connection: &Connection,
    store: &Store,
    journal: Journal,
) -> Result<Status, CliError> {
    let settings = LiveSettings {
        cilium_namespace: args.cilium_namespace.clone().filter(|name| !name.is_empty()),
        deadline: call.kube.read_timeout(),
        choose_moment: true,
    };
    let mut cluster = watch(connection, settings, store.clone(), &journal).await?;
    let world = settled(&mut cluster, &journal.intent).await.map_err(|error| CliError::failed(error.to_string()))?;
    let intent = &journal.intent;
    let dead = journal.runner.as_ref().is_some_and(|runner| store.is_dead_here(runner));
    let (state, note) = standing(&journal, dead);
    let commands = report::Commands::about(intent, &call.kube.to_repeat());
    let verbs: &[&str] = match (journal.finished.as_deref(), intent.direction) {
        (Some("done"), _) => &["rollback"],
        (Some(_), _) => &[],
        (None, Direction::Forward) => &["resume", "rollback", "abandon"],
        (None, Direction::Back) => &["resume", "abandon"],
    };
    Ok(Status {
        api_version: "vipctl.dev/v1",
        kind: "MigrationStatus",
        exit: exit::OK,
        id: intent.id.clone(),
        namespace: journal.namespace.clone(),
        title: title(intent),
        strategy: intent.strategy,
        direction: intent.direction,
        keys: words::keys(intent, &intent.all()),
        state,
        note,
        heartbeat: journal.heartbeat.filter(|_| journal.finished.is_none()),
        moved: moved(intent, &world),
        moves: intent.moves.len(),
        now: words::state(intent, &world),
        nodes: report::nodes(intent, &world),
        waiting_for: if journal.finished.is_some() { String::new() } else { upcoming(intent, &world) },
        next: verbs.iter().map(|verb| commands.line(verb)).collect(),
    })
}

/// A cluster that is only looked at: with a heartbeat that is never due, a look writes nothing.
pub(super) async fn watch(
    connection: &Connection,
    settings: LiveSettings,
    store: Store,
    journal: &Journal,
) -> Result<LiveCluster, CliError> {
    let never = Timestamp::now().checked_add(1.hour()).unwrap_or(Timestamp::MAX);
    let journal = Journal { heartbeat: Some(never), ..journal.clone() };
    let started = LiveCluster::start(connection.client.clone(), settings, store, journal).await;
    started.map_err(|error| CliError::failed(error.to_string()))
}

/// Looks until every agent has answered, or the patience is over.
pub(super) async fn settled(cluster: &mut LiveCluster, intent: &Intent) -> Result<World, LookError> {
    let begin = Instant::now();
    loop {
        let world = cluster.look(intent).await?;
        let all = world.nodes.iter().all(|node| node.seen.is_ok());
        if all || begin.elapsed() > PATIENCE {
            return Ok(world);
        }
        cluster.pause(100).await;
    }
}

fn moved(intent: &Intent, world: &World) -> Option<usize> {
    let claims = |state: &SpecState| if let SpecState::Claims(moves) = state { Some(moves.clone()) } else { None };
    let taker: Moves = claims(&world.spec(intent.taker()).state)?;
    claims(&world.spec(intent.giver()).state).map(|_| taker.len())
}

fn upcoming(intent: &Intent, world: &World) -> String {
    match decide(intent, world, &Tally::default()) {
        Decision::Wait(waiting) => format!("{} (waited for)", words::waiting(intent, &waiting)),
        Decision::Do(effect) => {
            let held = match &effect {
                crate::migrate::machine::Effect::Hold { side, .. } => &world.spec(*side).state,
                _ => &world.source.state,
            };
            let held = if let SpecState::Claims(moves) = held { moves.clone() } else { Moves::new() };
            words::effect(intent, &effect, &held)
        }
        Decision::Turn(stop) => format!("going back: {}", words::stop(intent, &stop)),
        Decision::End(End::Stopped(stop)) => format!("nothing, it stops: {}", words::stop(intent, &stop)),
        Decision::End(_) => "nothing: all is where it belongs".to_owned(),
    }
}

fn text(status: &Status, style: &Style) -> String {
    let heading = format!("migration {} (ns {})", status.id, status.namespace);
    let way = match status.direction {
        Direction::Forward => "",
        Direction::Back => ", on the way back",
    };
    let under_way = status.moved.filter(|_| status.state == "running" || status.state == "stopped");
    let progress = under_way.map(|moved| format!("{moved} of {} moved", status.moves));
    let lines = |text: &str| if text.is_empty() { Vec::new() } else { vec![text.to_owned()] };
    let mut note = lines(&status.note);
    if let Some(at) = status.heartbeat.filter(|_| status.state == "running") {
        note.push(format!("last heard of {} s ago", Timestamp::now().duration_since(at).as_secs().max(0)));
    }
    let sections = [
        ("moves", vec![format!("{}{way}", status.title)]),
        ("note", note),
        ("so far", progress.into_iter().collect()),
        ("now", status.now.clone()),
        ("upcoming", lines(&status.waiting_for)),
    ];
    let good = status.state == "done" || status.state == "rolledBack";
    migration::status(&heading, (&status.state.to_uppercase(), good), &sections, &status.next, style)
}
