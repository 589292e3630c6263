//! Runs a migration that has its journal, to its end or to a stop, and reports.

use std::cell::{Cell, RefCell};
use std::pin::pin;
use std::time::Duration;

use super::probe::{self, Probe};
use super::signals::Signals;
use super::view::{Show, View};
use crate::cli::error::CliError;
use crate::cli::{Call, print};
use crate::exit;
use crate::migrate::cluster::{Cluster as _, LookError};
use crate::migrate::executor::{self, Ended};
use crate::migrate::intent::{Intent, Side};
use crate::migrate::journal::Journal;
use crate::migrate::live::store::Store;
use crate::migrate::live::writer::{Note, Writer};
use crate::migrate::live::{LiveCluster, LiveSettings};
use crate::migrate::machine::{End, Stop};
use crate::migrate::report::{self, Report, Result as Outcome, Story};
use crate::migrate::words;
use crate::model::PortKey;
use crate::observe::Connection;
use crate::render::migration::{self, ReportFormat};
use crate::render::{self, Style};

/// Redraws of the table, and looks at nothing else.
const BEAT: Duration = Duration::from_millis(100);

/// How a run is shown, and what is measured beside it.
#[derive(Debug, Clone, clap::Args)]
#[group(skip)]
#[command(next_help_heading = "Output")]
pub(super) struct Showing {
    /// Output format of the report; what goes on meanwhile is told on standard error
    #[arg(short, long, value_enum, default_value_t = ReportFormat::Text)]
    pub output: ReportFormat,
    /// When to use colours
    #[arg(long, value_enum, default_value_t = print::Color::Auto, value_name = "WHEN")]
    pub color: print::Color,
    /// Connect to this address every 20 ms meanwhile, from here, and report what failed
    #[arg(long, value_name = "VIP:PORT", value_parser = probe::address)]
    pub probe: Option<PortKey>,
    /// Write without regard to the agents' ticks; for measurements
    #[arg(long, hide = true)]
    pub any_moment: bool,
}

impl Showing {
    /// How text is laid out.
    pub fn style(&self) -> Style {
        Style { color: self.color.decide(), width: print::width(), details: false }
    }
}

/// What it takes to run one.
pub(super) struct Setup<'a> {
    pub connection: Connection,
    pub store: Store,
    pub journal: Journal,
    /// The user asked to go back.
    pub asked_back: bool,
    pub cilium_namespace: Option<String>,
    pub showing: &'a Showing,
    pub call: &'a Call<'a>,
}

/// How a run ended: by itself, or because the user would not wait for it.
enum Left {
    Ended(Box<Ended>),
    AtOnce,
}

/// Runs, prints the report, and gives the exit code.
pub(super) async fn drive(setup: Setup<'_>, signals: &mut Signals) -> Result<u8, CliError> {
    let Setup { connection, store, journal, asked_back, cilium_namespace, showing, call } = setup;
    let intent = journal.intent.clone();
    let flags = call.kube.to_repeat();
    let show = Show::choose(showing.output == ReportFormat::Text, call.kube.notes());
    let view = RefCell::new(View::new(&intent, show, showing.style()));
    let writer = Writer::new(connection.client.clone(), call.kube.read_timeout());
    tell_services(&writer, &intent, &view, "MigrationStarted", false, &begun(&intent)).await;
    let settings = LiveSettings {
        cilium_namespace: cilium_namespace.filter(|name| !name.is_empty()),
        deadline: call.kube.read_timeout(),
        choose_moment: !showing.any_moment,
    };
    let probe = showing.probe.map(Probe::begin);
    let mut cluster =
        LiveCluster::start(connection.client, settings, store, journal).await.map_err(no_start(&intent, &flags))?;
    let begin = cluster.now();
    let left = until_left(&mut cluster, &intent, &view, signals).await;
    let end = cluster.now();
    let (store, journal) = cluster.into_journal();
    let at_once = matches!(left, Left::AtOnce);
    let last = view.borrow().last.clone();
    let (ended, steps) = match left {
        Left::Ended(ended) => (*ended, view.into_inner().end()),
        Left::AtOnce => abandoned(view.into_inner()),
    };
    let probe = match probe {
        Some(probe) if !at_once => Some(probe.end().await),
        _ => None,
    };
    let story = Story { ended: &ended, begin, end, asked_back, steps, probe, flags: &flags };
    let mut report = report::report(story);
    if at_once {
        report.state.insert(0, report::LAST_SEEN.to_owned());
        report.reason = Some(format!("you left before a safe point; the last thing, which may still arrive: {last}"));
    } else {
        close(&store, journal, &ended, &report).await;
        tell_end(&writer, &ended.intent, &report).await;
    }
    print::out(&migration::report(&report, showing.output, &showing.style()))?;
    Ok(report.exit)
}

fn no_start(intent: &Intent, flags: &[String]) -> impl FnOnce(LookError) -> CliError {
    let resume = report::Commands::about(intent, flags).line("resume");
    move |error| CliError::stopped(format!("nothing of the two Services was written: {error}")).hint(resume)
}

/// Runs until it ends, or until the second signal.
async fn until_left(cluster: &mut LiveCluster, intent: &Intent, view: &RefCell<View>, signals: &mut Signals) -> Left {
    let stop = Cell::new(false);
    let wants_stop = || stop.get();
    let mut tell = |event: executor::Event<'_>| view.borrow_mut().hear(&event);
    let mut work = pin!(executor::run(cluster, intent.clone(), &wants_stop, &mut tell));
    loop {
        tokio::select! {
            biased;
            ended = &mut work => return Left::Ended(Box::new(ended)),
            () = signals.next() => {
                if stop.replace(true) {
                    return Left::AtOnce;
                }
                view.borrow_mut().note("stopping at the next safe point; the same again leaves at once");
            }
            () = tokio::time::sleep(BEAT) => view.borrow().draw(),
        }
    }
}

/// A run that the user left, as far as it was seen.
fn abandoned(view: View) -> (Ended, Vec<report::StepReport>) {
    let (intent, world) = view.seen_last();
    let ended = Ended { intent, end: Ok(End::Stopped(Stop::Asked)), turned: None, steps: Vec::new(), world };
    (ended, view.end())
}

/// Finishes the journal, or leaves it to whoever resumes; one that is lost is not touched.
async fn close(store: &Store, mut journal: Journal, ended: &Ended, report: &Report) {
    if matches!(ended.end, Err(LookError::LostLock(_))) {
        return;
    }
    let over = match &ended.end {
        Ok(End::Done { unknown: 0 }) => Some("done"),
        Ok(End::RolledBack { unknown: 0 }) => Some("rolledBack"),
        _ => None,
    };
    let written = match over {
        Some(outcome) => store.finish(&mut journal, outcome).await,
        None => store.leave(&mut journal, report.reason.as_deref().unwrap_or("stopped")).await,
    };
    if let Err(error) = written {
        print::err(&format!("note: the journal could not be brought up to date: {error}\n"));
    }
}

fn begun(intent: &Intent) -> String {
    let (from, to) = (words::side(intent, intent.giver()), words::side(intent, intent.taker()));
    let keys = words::list(&words::keys(intent, &intent.all()));
    format!("kubectl vipctl began to move {keys} from {from} to {to} (migration {})", intent.id)
}

async fn tell_end(writer: &Writer, intent: &Intent, report: &Report) {
    let why = report.reason.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
    let keys = words::list(&report.keys);
    let (reason, warning, what) = match report.outcome {
        Outcome::Done => ("MigrationDone", false, "has moved"),
        Outcome::DoneWithUnknown => ("MigrationDone", true, "has moved as far as nodes could be asked"),
        Outcome::RolledBack => ("MigrationRolledBack", report.exit != exit::OK, "is back where it was"),
        Outcome::Stopped | Outcome::Refused => ("MigrationStopped", true, "is on its way and stopped"),
    };
    let text = format!("{keys} {what} (migration {}){why}", intent.id);
    for note in notes(intent, reason, warning, &text) {
        if let Err(error) = writer.event(&note).await {
            print::err(&format!("note: no Event was written: {error}\n"));
            return;
        }
    }
}

async fn tell_services(
    writer: &Writer,
    intent: &Intent,
    view: &RefCell<View>,
    reason: &'static str,
    warning: bool,
    text: &str,
) {
    for note in notes(intent, reason, warning, text) {
        if let Err(error) = writer.event(&note).await {
            view.borrow_mut().note(&format!("note: no Event was written: {error}"));
            return;
        }
    }
}

fn notes(intent: &Intent, reason: &'static str, warning: bool, text: &str) -> [Note; 2] {
    [Side::Source, Side::Target].map(|side| {
        let party = intent.party(side);
        Note { about: party.service.clone(), uid: party.uid.clone(), reason, text: text.to_owned(), warning }
    })
}

/// Prints a plan where people read, before it is run.
pub(super) fn show_plan(plan: &crate::migrate::plan::Plan, showing: &Showing) {
    if showing.output == ReportFormat::Text {
        print::err(&render::plan(plan, render::PlanFormat::Text, &showing.style()));
    }
}
