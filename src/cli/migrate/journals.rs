//! Finding a journal by what was typed, and taking it over from whoever had it.

use std::time::{Duration, Instant};

use jiff::Timestamp;

use crate::cli::error::CliError;
use crate::cli::{Call, print};
use crate::migrate::intent::Intent;
use crate::migrate::journal::{Journal, Runner};
use crate::migrate::live::store::{Store, StoreError};
use crate::migrate::words;
use crate::model::ServiceRef;
use crate::observe::Connection;

/// A runner that has not written for so long is not there any more: one that is writes every five seconds.
const SILENCE: Duration = Duration::from_secs(15);
const AGAIN: Duration = Duration::from_secs(1);

/// Which migration is meant.
#[derive(Debug, Clone, clap::Args)]
#[group(skip)]
pub(super) struct Which {
    /// The migration's ID, as `migrate list` shows it; may be left out where there is only one
    #[arg(value_name = "ID")]
    pub id: Option<String>,
    /// Look for it in all namespaces
    #[arg(short = 'A', long)]
    pub all_namespaces: bool,
}

/// This process, as others see it in the journal.
pub(super) fn me() -> Runner {
    let variable = |names: [&str; 2]| names.iter().find_map(|name| std::env::var(name).ok().filter(|v| !v.is_empty()));
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").map(|name| name.trim().to_owned()).ok();
    let host = host.filter(|name| !name.is_empty()).or_else(|| variable(["HOSTNAME", "COMPUTERNAME"]));
    Runner {
        name: variable(["USER", "USERNAME"]).unwrap_or_else(|| "somebody".to_owned()),
        host: host.unwrap_or_else(|| "unknown".to_owned()),
        pid: std::process::id(),
    }
}

/// The store behind a connection.
pub(super) fn store(connection: &Connection, call: &Call<'_>) -> Store {
    Store::new(connection.client.clone(), call.kube.read_timeout(), me())
}

impl From<StoreError> for CliError {
    fn from(error: StoreError) -> Self {
        let message = error.to_string();
        match error {
            StoreError::Taken(_) => {
                Self::refused(message).hint("kubectl vipctl migrate list -A shows it, and who works on it")
            }
            StoreError::Missing(_) => {
                Self::not_found(message).hint("kubectl vipctl migrate list -A shows all there are")
            }
            StoreError::Unreadable(_) | StoreError::Failed(_) => Self::failed(message),
        }
    }
}

/// The services of a migration in a few words, for messages.
pub(super) fn title(intent: &Intent) -> String {
    let service = |id: &ServiceRef| words::service(id);
    let keys = words::list(&words::keys(intent, &intent.all()));
    format!("{keys} from {} to {}", service(&intent.source.service), service(&intent.target.service))
}

/// Finds the one that is meant; where no ID was typed, one that `fits`, which are called so.
pub(super) async fn find(
    store: &Store,
    which: &Which,
    connection: &Connection,
    called: &str,
    fits: impl Fn(&Journal) -> bool,
) -> Result<Journal, CliError> {
    if let (Some(id), false) = (&which.id, which.all_namespaces) {
        return Ok(store.load(&connection.namespace, id).await?);
    }
    let namespace = (!which.all_namespaces).then_some(&*connection.namespace);
    let listed = store.list(namespace).await?;
    for text in &listed.unreadable {
        print::err(&format!("note: {text}\n"));
    }
    let named = |journal: &Journal| which.id.as_ref().map_or_else(|| fits(journal), |id| *id == journal.intent.id);
    let mut found: Vec<Journal> = listed.journals.into_iter().filter(named).collect();
    let place = namespace.map_or_else(|| "any namespace".to_owned(), |namespace| format!("namespace {namespace}"));
    match found.len() {
        1 => Ok(found.remove(0)),
        0 => {
            let meant = which.id.as_ref().map_or_else(|| called.to_owned(), |id| format!("migration {id}"));
            let error = CliError::not_found(format!("no {meant} in {place}"));
            Err(error.hint("kubectl vipctl migrate list -A shows all there are"))
        }
        _ => {
            let line = |journal: &Journal| {
                format!("{} -n {}: {}", journal.intent.id, journal.namespace, title(&journal.intent))
            };
            let all: Vec<String> = found.iter().map(line).collect();
            let error = CliError::usage(format!("there are {} migrations in {place}: say which by its ID", all.len()));
            Err(all.into_iter().fold(error, CliError::hint))
        }
    }
}

/// Waits until nobody else works on it; with `force` at once.
pub(super) async fn wait_for_silence(store: &Store, journal: Journal, force: bool) -> Result<Journal, CliError> {
    let Some(runner) = journal.runner.clone().filter(|runner| !force && !store.is_dead_here(runner)) else {
        return Ok(journal);
    };
    let wrote = journal.heartbeat.map(|at| Timestamp::now().duration_since(at).as_secs().max(0));
    let wrote = wrote.map(|seconds| format!(", last heard of {seconds} s ago")).unwrap_or_default();
    print::err(&format!("{runner} works on it{wrote}: waiting {} s for its silence\n", SILENCE.as_secs()));
    let begin = Instant::now();
    loop {
        tokio::time::sleep(AGAIN).await;
        let now = store.load(&journal.namespace, &journal.intent.id).await?;
        if now.runner.is_none() {
            return Ok(now);
        }
        if now.resource_version != journal.resource_version {
            let who = now.runner.map_or_else(String::new, |runner| runner.to_string());
            return Err(CliError::refused(format!("{who} still works on migration {}", now.intent.id))
                .hint("wait until it ends, or interrupt it there; --take-over does not ask"));
        }
        if begin.elapsed() >= SILENCE {
            return Ok(now);
        }
    }
}
