//! `kubectl vipctl wait`.

use std::time::{Duration, Instant};

use serde::Serialize;

use super::error::CliError;
use super::kube_flags::duration;
use super::print;
use super::watch::{PAUSE, Reading, Watched, show};
use super::{Call, HELP};
use crate::diagnose::{SubjectReport, Verdict};
use crate::exit;
use crate::migrate::recover::{lacks, lagging, programmed};
use crate::migrate::words;
use crate::model::ServiceRef;

const EXAMPLES: &str = "\
Examples:
  kubectl vipctl wait svc/web -n shop --for=programmed              every node has it in its datapath
  kubectl vipctl wait svc/web -n shop --for=healthy --timeout 5m    and it is backed and announced
";

/// Wait until every node serves a Service. For scripts and CI; says on standard error what it waits for.
///
/// Exit codes: 0 it is so, 1 the time is over, 2 an error, 3 the time is over and nodes could not be asked.
#[derive(Debug, clap::Args)]
#[command(help_template = HELP, before_help = EXAMPLES)]
pub(super) struct Args {
    /// The Service: [svc/]NAME or NAMESPACE/NAME
    #[arg(value_name = "SERVICE")]
    service: String,
    /// programmed: every node has each port in its datapath, from this Service; healthy: explain finds no
    /// fault either
    #[arg(long = "for", value_name = "STATE")]
    state: State,
    /// How long to wait
    #[arg(long, value_name = "DURATION", default_value = "2m", value_parser = duration)]
    timeout: Duration,
    /// Output format
    #[arg(short, long, value_parser = ["text", "json", "yaml"], default_value = "text")]
    output: String,
    #[command(flatten)]
    reading: Reading,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, Serialize)]
#[serde(rename_all = "camelCase")]
enum State {
    Programmed,
    Healthy,
}

/// The answer.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    api_version: &'static str,
    kind: &'static str,
    exit: u8,
    service: ServiceRef,
    /// What was waited for.
    state: State,
    reached: bool,
    took_ms: u128,
    verdict: Option<Verdict>,
    /// Why it is not so, at last.
    waiting_for: Vec<String>,
}

/// Waits and prints.
pub(super) fn run(args: &Args, call: &Call<'_>) -> Result<u8, CliError> {
    let quiet = args.output != "text" && !call.kube.notes();
    let report = super::block_on(async {
        let watched = Watched::begin(&args.service, &args.reading, call, Box::new(|_| ())).await?;
        wait(args, &watched, quiet).await
    })?;
    show(&args.output, &report, text)?;
    Ok(report.exit)
}

async fn wait(args: &Args, watched: &Watched, quiet: bool) -> Result<Report, CliError> {
    let begin = Instant::now();
    let mut subject = Some(watched.look().await?.subject);
    let mut said = Vec::new();
    loop {
        let reached = subject.as_ref().is_some_and(|subject| is(args.state, subject));
        let why = subject.as_ref().map_or_else(|| vec!["the API server does not answer".to_owned()], reasons);
        let over = begin.elapsed() >= args.timeout;
        if reached || over {
            let unknown = subject.as_ref().is_none_or(|subject| {
                subject.verdict == Verdict::Unknown || (args.state == State::Programmed && !lacks(subject))
            });
            let exit = match (reached, unknown) {
                (true, _) => exit::OK,
                (false, false) => exit::PROBLEM,
                (false, true) => exit::INCONCLUSIVE,
            };
            return Ok(Report {
                api_version: "vipctl.dev/v1",
                kind: "WaitReport",
                exit,
                service: watched.id.clone(),
                state: args.state,
                reached,
                took_ms: begin.elapsed().as_millis(),
                verdict: subject.map(|subject| subject.verdict),
                waiting_for: if reached { Vec::new() } else { why },
            });
        }
        if why != said && !quiet {
            let at = begin.elapsed().as_millis();
            for line in &why {
                print::err(&format!("{:>3}.{:03}  {line}\n", at / 1000, at % 1000));
            }
        }
        said = why;
        tokio::time::sleep(PAUSE.min(args.timeout.saturating_sub(begin.elapsed()))).await;
        // The API server may be away for a moment, an object may not.
        subject = watched.try_look().await.ok().transpose()?.map(|looked| looked.subject);
    }
}

fn is(state: State, subject: &SubjectReport) -> bool {
    match state {
        State::Programmed => programmed(subject),
        State::Healthy => subject.verdict == Verdict::Healthy,
    }
}

/// What explain says first, and each node that lags.
fn reasons(subject: &SubjectReport) -> Vec<String> {
    let first = subject.findings.first().map(|finding| format!("{}: {}", finding.code, finding.message));
    let mut all: Vec<String> = first.into_iter().chain(lagging(subject)).collect();
    if all.is_empty() {
        all.clone_from(&subject.unknown);
    }
    all
}

fn text(report: &Report) -> String {
    let name = words::service(&report.service);
    let state = match report.state {
        State::Programmed => "programmed on every node",
        State::Healthy => "healthy",
    };
    let took = words::duration(u64::try_from(report.took_ms).unwrap_or(u64::MAX));
    if report.reached {
        return format!("{name} is {state} after {took}\n");
    }
    let why = report.waiting_for.first().map(|why| format!(": {why}")).unwrap_or_default();
    format!("{name} is not {state} after {took}{why}\n")
}
