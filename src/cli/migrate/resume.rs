//! `kubectl vipctl migrate resume` and `rollback`: an intent that is there, carried on or turned round.

use super::ask;
use super::driver::{Setup, Showing, drive};
use super::journals::{Which, find, store, title, wait_for_silence};
use super::signals::Signals;
use crate::cli::error::CliError;
use crate::cli::{Call, HELP, print};
use crate::migrate::intent::{Direction, Intent, Side};
use crate::migrate::journal::Journal;
use crate::migrate::live::writer::Writer;
use crate::migrate::specs;
use crate::migrate::words;
use crate::migrate::world::SpecState;
use crate::render::migration::ReportFormat;
use anyhow::Context as _;

const RESUME: &str = "\
Examples:
  kubectl vipctl migrate resume                         the one that is not finished, in this namespace
  kubectl vipctl migrate resume 192-0-2-10-80-tcp -n shop
";

const ROLLBACK: &str = "\
Examples:
  kubectl vipctl migrate rollback -n shop               back to how it was, also after the end
";

/// Go on with a migration that stopped, in the direction in which it was going.
///
/// Exit codes: 0 done, 1 rolled back because it failed, 2 an error, 4 stopped, 5 somebody else works on it.
#[derive(Debug, clap::Args)]
#[command(help_template = HELP, before_help = RESUME)]
pub(super) struct Resume {
    #[command(flatten)]
    common: Common,
}

/// Bring both Services back to how they were before a migration, step by step like the way there.
///
/// Exit codes: 0 as it was, 2 an error, 4 stopped, 5 somebody else works on it.
#[derive(Debug, clap::Args)]
#[command(help_template = HELP, before_help = ROLLBACK)]
pub(super) struct Rollback {
    #[command(flatten)]
    common: Common,
    /// Ask nothing
    #[arg(short, long)]
    yes: bool,
}

#[derive(Debug, Clone, clap::Args)]
#[group(skip)]
struct Common {
    #[command(flatten)]
    which: Which,
    /// Do not wait whether another run still works on it
    #[arg(long)]
    take_over: bool,
    /// Namespace of Cilium; found by the agents' label where it is not given
    #[arg(long, value_name = "NAMESPACE", env = "CILIUM_NAMESPACE", hide_env_values = true)]
    cilium_namespace: Option<String>,
    #[command(flatten)]
    showing: Showing,
}

/// Resumes.
pub(super) fn resume(args: &Resume, call: &Call<'_>) -> Result<u8, CliError> {
    crate::cli::block_on_to_end(go(&args.common, call, false, true))
}

/// Rolls back.
pub(super) fn rollback(args: &Rollback, call: &Call<'_>) -> Result<u8, CliError> {
    ask::can_ask(args.yes)?;
    crate::cli::block_on_to_end(go(&args.common, call, true, args.yes))
}

async fn go(common: &Common, call: &Call<'_>, back: bool, yes: bool) -> Result<u8, CliError> {
    let mut signals = Signals::listen().context("failed to listen for signals")?;
    let begun = async {
        let connection = call.kube.connect().await?;
        let store = store(&connection, call);
        let journal = found(&store, common, &connection, back).await?;
        wanted(&journal, back)?;
        let journal = wait_for_silence(&store, journal, common.take_over).await?;
        // Whoever worked on it may have finished it meanwhile.
        let intent = wanted(&journal, back)?;
        if back {
            let what = format!("Bring {} back to how it was?", title(&journal.intent));
            ask::ask(&what, &journal.intent.id, yes).await?;
        }
        let intent = consented(intent, &connection, call, journal.finished.is_some()).await?;
        let journal = store.take(&journal, intent).await?;
        Ok((connection, store, journal))
    };
    let (connection, store, journal) = signals.during(begun).await?;
    if common.showing.output == ReportFormat::Text {
        let way = if journal.intent.direction == Direction::Back { "going back: " } else { "" };
        print::err(&format!("{way}{} (migration {})\n", title(&journal.intent), journal.intent.id));
    }
    let asked_back = back || journal.intent.direction == Direction::Back;
    let cilium_namespace = common.cilium_namespace.clone();
    drive(
        Setup { connection, store, journal, asked_back, cilium_namespace, showing: &common.showing, call },
        &mut signals,
    )
    .await
}

/// Who goes on knows of what others changed about the two Services, their ports and specs apart: it stays.
/// One that was `finished` is not begun again where nothing could come of it: it would be one to abandon, and
/// how to undo it would be lost.
async fn consented(
    mut intent: Intent,
    connection: &crate::observe::Connection,
    call: &Call<'_>,
    finished: bool,
) -> Result<Intent, CliError> {
    let writer = Writer::new(connection.client.clone(), call.kube.read_timeout());
    for side in [Side::Source, Side::Target] {
        let party = if side == Side::Source { &mut intent.source } else { &mut intent.target };
        let service = party.service.clone();
        let object = writer.get(&service).await.map_err(CliError::failed)?;
        if let Some(object) = object.as_ref().filter(|object| object["metadata"]["uid"] == *party.uid) {
            specs::accept_idle(&mut party.before, object);
        }
        let what = match specs::read(&intent, side, object.as_ref()).state {
            SpecState::Foreign(what) => what,
            SpecState::Replaced => "it is another Service of the same name by now".to_owned(),
            SpecState::Gone if side == Side::Source => "it is gone".to_owned(),
            SpecState::Gone | SpecState::Claims(_) => continue,
        };
        if finished {
            let name = words::service(&service);
            return Err(CliError::refused(format!("{name} is not as this migration left it: {what}"))
                .hint("nothing was written; bring it back to how it was, or move the port with `migrate run`"));
        }
    }
    Ok(intent)
}

/// Unfinished ones count; for going back also the one that is done, where no other is meant.
async fn found(
    store: &crate::migrate::live::store::Store,
    common: &Common,
    connection: &crate::observe::Connection,
    back: bool,
) -> Result<Journal, CliError> {
    let unfinished =
        find(store, &common.which, connection, "unfinished migration", |journal| journal.finished.is_none()).await;
    match unfinished {
        Err(_) if back && common.which.id.is_none() => {
            find(store, &common.which, connection, "migration to undo", |journal| {
                journal.finished.as_deref() == Some("done")
            })
            .await
        }
        found => found,
    }
}

/// The intent to go on with.
fn wanted(journal: &Journal, back: bool) -> Result<Intent, CliError> {
    let intent = &journal.intent;
    let id = &intent.id;
    match (journal.finished.as_deref(), back, intent.direction) {
        (Some("done"), true, Direction::Forward) | (None, true, Direction::Forward) => Ok(intent.reversed()),
        (None, _, _) => Ok(intent.clone()),
        (Some("rolledBack"), ..) => {
            Err(CliError::refused(format!("migration {id} was rolled back: nothing of it is left to do")))
        }
        (Some(how), ..) => Err(CliError::refused(format!("migration {id} is finished ({how})"))
            .hint("`kubectl vipctl migrate rollback` undoes it")),
    }
}
