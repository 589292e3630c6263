//! `kubectl vipctl migrate list`.

use serde::Serialize;

use super::journals::store;
use crate::cli::error::CliError;
use crate::cli::{Call, HELP, print};
use crate::exit;
use crate::migrate::journal::Journal;
use crate::migrate::words;
use crate::render::Style;
use crate::render::migration::{self, Entry, ReportFormat};

const EXAMPLES: &str = "\
Examples:
  kubectl vipctl migrate list -A             every migration that has a journal
";

/// List migrations: those under way, those that stopped, and the last one of each port that ended.
#[derive(Debug, clap::Args)]
#[command(help_template = HELP, before_help = EXAMPLES)]
pub(super) struct Args {
    /// In all namespaces
    #[arg(short = 'A', long)]
    all_namespaces: bool,
    /// Output format
    #[arg(short, long, value_enum, default_value_t = ReportFormat::Text)]
    output: ReportFormat,
    /// When to use colours
    #[arg(long, value_enum, default_value_t = print::Color::Auto, value_name = "WHEN")]
    color: print::Color,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct List {
    api_version: &'static str,
    kind: &'static str,
    exit: u8,
    items: Vec<Entry>,
    unreadable: Vec<String>,
}

/// Lists and prints.
pub(super) fn run(args: &Args, call: &Call<'_>) -> Result<u8, CliError> {
    let (list, namespace) = crate::cli::block_on(async {
        let connection = call.kube.connect().await?;
        let store = store(&connection, call);
        let namespace = (!args.all_namespaces).then(|| connection.namespace.clone());
        let listed = store.list(namespace.as_deref()).await?;
        let entry = |journal: &Journal| entry(journal, journal.runner.as_ref().is_some_and(|r| store.is_dead_here(r)));
        let items = listed.journals.iter().map(entry).collect();
        let (api_version, kind, exit) = ("vipctl.dev/v1", "MigrationList", exit::OK);
        Ok((List { api_version, kind, exit, items, unreadable: listed.unreadable }, namespace))
    })?;
    for text in &list.unreadable {
        print::err(&format!("note: {text}\n"));
    }
    if args.output == ReportFormat::Text && list.items.is_empty() {
        let place = namespace.map_or_else(String::new, |namespace| format!(" in namespace {namespace}"));
        print::err(&format!("No migrations found{place}.\n"));
        return Ok(exit::OK);
    }
    let style = Style { color: args.color.decide(), width: print::width(), details: false };
    print::out(&migration::for_programs(&list, args.output).unwrap_or_else(|| migration::list(&list.items, &style)))?;
    Ok(exit::OK)
}

/// A journal in the list; `dead` says that its runner is known not to live.
fn entry(journal: &Journal, dead: bool) -> Entry {
    let intent = &journal.intent;
    let (state, note) = standing(journal, dead);
    Entry {
        id: intent.id.clone(),
        namespace: journal.namespace.clone(),
        source: intent.source.service.to_string(),
        target: intent.target.service.to_string(),
        keys: words::keys(intent, &intent.all()).iter().map(ToString::to_string).collect(),
        state,
        note,
    }
}

/// In one word how a migration stands, and what there is to say about it.
pub(super) fn standing(journal: &Journal, dead: bool) -> (String, String) {
    match (&journal.finished, &journal.runner) {
        (Some(how), _) => (how.clone(), String::new()),
        (None, Some(runner)) if dead => ("stopped".to_owned(), format!("{runner} is gone")),
        (None, Some(runner)) => ("running".to_owned(), format!("by {runner}")),
        (None, None) => ("stopped".to_owned(), journal.note.clone().unwrap_or_default()),
    }
}
