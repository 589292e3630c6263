//! `kubectl vipctl migrate run`.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::ValueHint;
use serde_json::Value;

use super::driver::{Setup, Showing, drive, show_plan};
use super::journals::store;
use super::plan::{Prepared, prepare, prepare_for, read_plan};
use super::signals::Signals;
use super::{ask, request};
use crate::cli::error::CliError;
use crate::cli::recover::DryRun;
use crate::cli::{Call, HELP, print};
use crate::exit;
use crate::migrate::intent::{Intent, Moves, Side};
use crate::migrate::live::writer::Writer;
use crate::migrate::plan::{CheckState, Plan, stale};
use crate::migrate::{report, specs, words};
use crate::observe::Connection;
use crate::render::migration::{self, ReportFormat};
use crate::render::{self, PlanFormat};

const EXAMPLES: &str = "\
Examples:
  kubectl vipctl migrate run svc/a svc/b --port 80 -n shop
  kubectl vipctl migrate run svc/a svc/b --port 80 --strategy handoff --probe 192.0.2.10:80
  kubectl vipctl migrate run --plan plan.json                       exactly what was planned, without a question
  kubectl vipctl migrate run svc/a svc/b --port 80 --dry-run=server both writes checked, nothing stored
";

/// Move ports from one Service to another: plan, ask, write, and wait until every node serves them.
///
/// Ctrl-C stops at the next safe point; `resume` and `rollback` work after any end.
/// Exit codes: 0 done, 1 rolled back because it failed, 2 an error, 4 stopped or not known of every node,
/// 5 refused, 130 interrupted before anything was written.
#[derive(Debug, clap::Args)]
#[command(help_template = HELP, before_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    request: request::Args,
    /// Run this saved plan, if it still holds; - and without a question
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["from", "to", "ports", "all_ports"])]
    plan: Option<PathBuf>,
    /// Ask nothing
    #[arg(short, long)]
    yes: bool,
    /// Write nothing: show the plan, or have the API server check both writes as well
    #[arg(long, value_name = "WHERE")]
    dry_run: Option<DryRun>,
    #[command(flatten)]
    showing: Showing,
}

/// Plans, asks, and runs.
pub(super) fn run(args: &Args, call: &Call<'_>) -> Result<u8, CliError> {
    let saved = args.plan.as_deref().map(read_plan).transpose()?;
    if saved.is_none() {
        // What is missing on the command line is told before anything is connected to.
        args.request.request("default")?;
    }
    if args.dry_run.is_none() {
        ask::can_ask(args.yes || saved.is_some())?;
    }
    crate::cli::block_on_to_end(async {
        let mut signals = Signals::listen().context("failed to listen for signals")?;
        match signals.during(begin(args, call, saved.as_ref())).await? {
            Begun::Over(exit) => Ok(exit),
            // Not broken off: whoever is told that nothing was written must not find a journal.
            Begun::Agreed(agreed) => drive(agreed.lock(args, call).await?, &mut signals).await,
        }
    })
}

/// What came of it before anything was written to a Service.
enum Begun {
    /// It was refused, or only tried.
    Over(u8),
    /// It is to be done.
    Agreed(Box<Agreed>),
}

/// What is to be done, before there is a journal of it.
struct Agreed {
    connection: Connection,
    intent: Intent,
}

impl Agreed {
    async fn lock<'a>(self, args: &'a Args, call: &'a Call<'a>) -> Result<Setup<'a>, CliError> {
        let store = store(&self.connection, call);
        let journal = store.create(&self.intent).await?;
        Ok(Setup {
            connection: self.connection,
            store,
            journal,
            asked_back: false,
            cilium_namespace: args.request.look().cilium_namespace,
            showing: &args.showing,
            call,
        })
    }
}

async fn begin(args: &Args, call: &Call<'_>, saved: Option<&Plan>) -> Result<Begun, CliError> {
    let Prepared { plan, connection } = match saved {
        None => prepare(&args.request, call).await?,
        Some(saved) => prepare_for(&saved.request, &args.request, call.kube.connect().await?, call).await?,
    };
    if let Some(saved) = saved {
        let differences = stale(saved, &plan);
        if !differences.is_empty() {
            let error = CliError::refused("the plan is stale: the cluster is not as it was when it was made");
            let error = differences.into_iter().fold(error, CliError::hint);
            return Err(error.hint("plan again with `kubectl vipctl migrate plan … --out FILE`"));
        }
    }
    let saved = saved.and_then(|saved| saved.intent.clone());
    let Some(intent) = saved.or_else(|| plan.intent.clone()).filter(|_| plan.exit == exit::OK) else {
        return refuse(args, &plan);
    };
    if args.dry_run != Some(DryRun::Client) {
        let writer = Writer::new(connection.client.clone(), call.kube.read_timeout());
        check_writes(&writer, &intent).await?;
    }
    if let Some(how) = args.dry_run {
        print::out(&render::plan(&plan, plan_format(args.showing.output), &args.showing.style()))?;
        if how == DryRun::Server {
            print::err("the API server takes both writes (dry run)\n");
        }
        return Ok(Begun::Over(exit::OK));
    }
    show_plan(&plan, &args.showing);
    let key = words::keys(&intent, &intent.all()).first().map(ToString::to_string).unwrap_or_default();
    let answer = key.split('/').next().unwrap_or_default();
    ask::ask("Run this plan?", answer, args.yes || args.plan.is_some()).await?;
    Ok(Begun::Agreed(Box::new(Agreed { connection, intent })))
}

fn plan_format(format: ReportFormat) -> PlanFormat {
    match format {
        ReportFormat::Text => PlanFormat::Text,
        ReportFormat::Json => PlanFormat::Json,
        ReportFormat::Yaml => PlanFormat::Yaml,
    }
}

/// Says why it is refused: the plan for people, a report for programs where there is enough to make one.
fn refuse(args: &Args, plan: &Plan) -> Result<Begun, CliError> {
    let reasons = plan.checks.iter().filter(|check| check.state == CheckState::Refused);
    let reasons: Vec<String> = reasons.map(|check| format!("{}: {}", check.id, check.saw)).collect();
    let report = plan.intent.as_ref().map(|intent| report::refused(intent, reasons.join("; ")));
    let text = report.as_ref().and_then(|report| migration::for_programs(report, args.showing.output));
    let plan = || render::plan(plan, plan_format(args.showing.output), &args.showing.style());
    print::out(&text.unwrap_or_else(plan))?;
    Ok(Begun::Over(exit::REFUSED))
}

/// Asks the API server whether it would take both writes. The source still has its node ports, so the
/// target's are left to be chosen here.
async fn check_writes(writer: &Writer, intent: &Intent) -> Result<(), CliError> {
    let mut tried = intent.clone();
    for entry in tried.moves.iter_mut().filter_map(|mv| mv.to.as_object_mut()) {
        entry.remove("nodePort");
    }
    for (side, moves) in [(Side::Source, Moves::new()), (Side::Target, intent.all())] {
        let party = intent.party(side);
        let name = words::service(&party.service);
        let object: Option<Value> = writer.get(&party.service).await.map_err(CliError::failed)?;
        let object = object.ok_or_else(|| CliError::refused(format!("{name} was deleted meanwhile")))?;
        let change = specs::hold(&tried, side, &moves, &object);
        if let Err(text) = writer.dry_run(&party.service, &change).await {
            return Err(CliError::refused(format!("the API server would not take the write to {name}: {text}")));
        }
    }
    Ok(())
}
