//! `kubectl vipctl recover`.

use std::time::{Duration, Instant};

use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Value, json};

use super::error::CliError;
use super::kube_flags::duration;
use super::progress::Progress;
use super::watch::{Looked, PAUSE, Reading, Watched, show};
use super::{Call, HELP};
use crate::diagnose::{SubjectReport, Verdict};
use crate::exit;
use crate::migrate::cluster::Outcome;
use crate::migrate::live::writer::Writer;
use crate::migrate::recover::{Cause, Remedy, lagging, programmed};
use crate::migrate::specs::Change;
use crate::migrate::words;
use crate::model::ServiceRef;

/// Annotation whose value means nothing: that it is written wakes whoever has to look again.
const NUDGE: &str = "vipctl.dev/nudge";

/// So many writes are tried; an agent that is not woken by these hears nothing.
const MOST_NUDGES: u32 = 3;

/// What was woken looks again within a second; so long is waited before the next write.
const SETTLE: Duration = Duration::from_secs(5);

const EXAMPLES: &str = "\
Examples:
  kubectl vipctl recover svc/b -n shop                     wake the agents, and see that they took it up
  kubectl vipctl recover svc/b -n shop --dry-run=client    say what would be written
";

/// Repair a Service whose claim got stuck, or whose address was taken away, by the smallest write that works.
///
/// Looks as explain does, writes one annotation, waits until every node serves the Service, and takes the
/// annotation off again. Where another Service still claims the port nothing is written.
/// Exit codes: 0 every node serves it, 1 it did not help, 2 an error, 3 not enough could be read, 5 refused.
#[derive(Debug, clap::Args)]
#[command(help_template = HELP, before_help = EXAMPLES)]
pub(super) struct Args {
    /// The Service: [svc/]NAME or NAMESPACE/NAME
    #[arg(value_name = "SERVICE")]
    service: String,
    /// How long the nodes may take to serve it
    #[arg(long, value_name = "DURATION", default_value = "30s", value_parser = duration)]
    timeout: Duration,
    /// Write nothing: say what would be written, or have the API server check it as well
    #[arg(long, value_name = "WHERE")]
    dry_run: Option<DryRun>,
    /// Output format
    #[arg(short, long, value_parser = ["text", "json", "yaml"], default_value = "text")]
    output: String,
    #[command(flatten)]
    reading: Reading,
}

/// How far a write is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum DryRun {
    /// Nothing is sent.
    Client,
    /// The API server checks it and stores nothing.
    Server,
}

/// How it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
enum Ended {
    Healthy,
    Recovered,
    DryRun,
    Failed,
    Unknown,
    Refused,
}

/// The answer.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    api_version: &'static str,
    kind: &'static str,
    exit: u8,
    outcome: Ended,
    service: ServiceRef,
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<Cause>,
    /// What was written, or would be.
    wrote: Vec<String>,
    took_ms: u128,
    /// Ports with the nodes that serve them.
    served: Vec<String>,
    /// What is still missing, or could not be read.
    remaining: Vec<String>,
    /// Commands that lead on.
    next: Vec<String>,
}

/// Repairs and prints.
pub(super) fn run(args: &Args, call: &Call<'_>) -> Result<u8, CliError> {
    let report = super::block_on(async {
        let progress = Progress::begin(call.kube.notes());
        let work = async {
            let watched = Watched::begin(&args.service, &args.reading, call, progress.listener()).await?;
            recover(args, call, &watched).await
        };
        progress.during(work).await
    })?;
    show(&args.output, &report, text)?;
    Ok(report.exit)
}

async fn recover(args: &Args, call: &Call<'_>, watched: &Watched) -> Result<Report, CliError> {
    let Looked { subject, remedy } = watched.look().await?;
    let explain = vec![watched.command("explain", call)];
    let report = |outcome, exit| Report {
        api_version: "vipctl.dev/v1",
        kind: "RecoverReport",
        exit,
        outcome,
        service: watched.id.clone(),
        cause: None,
        wrote: Vec::new(),
        took_ms: 0,
        served: served(&subject),
        remaining: lagging(&subject),
        next: Vec::new(),
    };
    match remedy {
        Remedy::Nothing => Ok(report(Ended::Healthy, exit::OK)),
        Remedy::Unknown(remaining) => {
            Ok(Report { remaining, next: explain, ..report(Ended::Unknown, exit::INCONCLUSIVE) })
        }
        Remedy::Refused(cause) => {
            let next = if cause.next.is_empty() { explain } else { cause.next.clone() };
            Ok(Report { cause: Some(cause), next, ..report(Ended::Refused, exit::REFUSED) })
        }
        Remedy::Nudge(cause) => {
            let begun = Report { cause: Some(cause), next: explain, ..report(Ended::DryRun, exit::OK) };
            mend(args, call, watched, begun).await
        }
    }
}

/// Writes, or tries to, and tells what came of it.
async fn mend(args: &Args, call: &Call<'_>, watched: &Watched, begun: Report) -> Result<Report, CliError> {
    let writer = Writer::new(watched.connection.client.clone(), call.kube.read_timeout());
    let wrote = format!("annotation {NUDGE} on {}", words::service(&watched.id));
    if let Some(how) = args.dry_run {
        try_out(how, &writer, &watched.id).await?;
        return Ok(Report { wrote: vec![wrote], remaining: Vec::new(), next: Vec::new(), ..begun });
    }
    let begin = Instant::now();
    let looked = until_served(args.timeout, &writer, watched).await;
    unmark(&writer, &watched.id).await;
    let (Looked { subject, remedy }, nudges) = looked?;
    let helped = programmed(&subject) && !matches!(remedy, Remedy::Nudge(_) | Remedy::Refused(_));
    let (outcome, exit) = match remedy {
        _ if helped => (Ended::Recovered, exit::OK),
        Remedy::Unknown(_) => (Ended::Unknown, exit::INCONCLUSIVE),
        _ => (Ended::Failed, exit::PROBLEM),
    };
    Ok(Report {
        outcome,
        exit,
        wrote: vec![wrote; nudges],
        took_ms: begin.elapsed().as_millis(),
        served: served(&subject),
        remaining: if helped { Vec::new() } else { first_words(&subject) },
        next: if helped { Vec::new() } else { begun.next.clone() },
        ..begun
    })
}

/// Writes, and looks until every node serves the Service; again where that did not help.
async fn until_served(timeout: Duration, writer: &Writer, watched: &Watched) -> Result<(Looked, usize), CliError> {
    let begin = Instant::now();
    let mut nudges = 0;
    let mut last = None;
    loop {
        if nudges < MOST_NUDGES && last.is_none_or(|at: Instant| at.elapsed() > SETTLE) {
            nudge(writer, &watched.id).await?;
            nudges += 1;
            last = Some(Instant::now());
        }
        tokio::time::sleep(PAUSE).await;
        let after = watched.look().await?;
        // An agent that could not be asked is waited for as well.
        let well = programmed(&after.subject) && !matches!(after.remedy, Remedy::Nudge(_));
        let in_vain = matches!(after.remedy, Remedy::Refused(_));
        if well || in_vain || begin.elapsed() > timeout {
            return Ok((after, nudges as usize));
        }
    }
}

async fn object(writer: &Writer, id: &ServiceRef) -> Result<Value, CliError> {
    let object =
        writer.get(id).await.map_err(|text| anyhow::anyhow!("failed to read {}: {text}", words::service(id)))?;
    Ok(object.ok_or_else(|| anyhow::anyhow!("{} was deleted meanwhile", words::service(id)))?)
}

/// The annotation with a value, or without one to take it off; only if nobody else writes meanwhile.
fn annotate(object: &Value, value: Option<&str>) -> Change {
    Change::Patch(json!({"metadata": {
        "uid": object["metadata"]["uid"],
        "resourceVersion": object["metadata"]["resourceVersion"],
        "annotations": { NUDGE: value },
    }}))
}

async fn try_out(how: DryRun, writer: &Writer, id: &ServiceRef) -> Result<(), CliError> {
    if how == DryRun::Server {
        let change = annotate(&object(writer, id).await?, Some(&Timestamp::now().to_string()));
        let checked = writer.dry_run(id, &change).await;
        checked.map_err(|text| anyhow::anyhow!("the API server would refuse it: {text}"))?;
    }
    Ok(())
}

/// Writes the annotation; again where somebody else wrote meanwhile. One without an answer does no harm if
/// it is done twice.
async fn nudge(writer: &Writer, id: &ServiceRef) -> Result<(), CliError> {
    let mut said = String::new();
    for _ in 0..MOST_NUDGES {
        let change = annotate(&object(writer, id).await?, Some(&Timestamp::now().to_string()));
        match writer.change(id, &change).await {
            Outcome::Done => return Ok(()),
            Outcome::Conflict(text) | Outcome::Unknown(text) => said = text,
            Outcome::Refused(text) => return Err(CliError::refused_write(id, &text)),
        }
    }
    Err(anyhow::anyhow!("failed to write {}: {said}", words::service(id)).into())
}

/// Takes the annotation off. It harms nobody where that fails.
async fn unmark(writer: &Writer, id: &ServiceRef) {
    if let Ok(object) = object(writer, id).await
        && object["metadata"]["annotations"].get(NUDGE).is_some()
    {
        let _ = writer.change(id, &annotate(&object, None)).await;
    }
}

fn served(subject: &SubjectReport) -> Vec<String> {
    let on = |n: usize, total: usize| format!("on {n} of {total} node{}", if total == 1 { "" } else { "s" });
    let frontends = subject.frontends.iter().filter(|frontend| frontend.nodes.programmed > 0);
    frontends.map(|f| format!("{} {}", f.address, on(f.nodes.programmed, f.nodes.total))).collect()
}

fn first_words(subject: &SubjectReport) -> Vec<String> {
    let first = subject.findings.first().map(|finding| format!("{}: {}", finding.code, finding.message));
    let unknown = subject.unknown.iter().filter(|_| subject.verdict == Verdict::Unknown).cloned();
    first.into_iter().chain(lagging(subject)).chain(unknown).collect()
}

fn text(report: &Report) -> String {
    let name = words::service(&report.service);
    let mut lines = vec![match report.outcome {
        Ended::Healthy => format!("{name}: healthy, nothing to do"),
        Ended::Recovered => {
            let took = words::duration(u64::try_from(report.took_ms).unwrap_or(u64::MAX));
            format!("{name}: recovered in {took}")
        }
        Ended::DryRun => format!("{name}: would be written (dry run)"),
        Ended::Failed => format!("{name}: not recovered"),
        Ended::Unknown => format!("{name}: not enough could be read to say whether every node serves it"),
        Ended::Refused => format!("{name}: refused, no write to this Service repairs it"),
    }];
    let mut section = |label: &str, texts: &[String]| {
        let labels = std::iter::once(label).chain(std::iter::repeat(""));
        lines.extend(labels.zip(texts).map(|(label, text)| format!("{label:10}{text}")));
    };
    let cause: Vec<String> = report.cause.iter().map(|cause| format!("{}: {}", cause.code, cause.message)).collect();
    section("cause", &cause);
    section("wrote", &report.wrote);
    section("served", &report.served);
    section("remaining", &report.remaining);
    section("next", &report.next);
    lines.join("\n") + "\n"
}
