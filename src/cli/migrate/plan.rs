//! `kubectl vipctl migrate plan`.

use std::collections::BTreeSet;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context as _;
use clap::ValueHint;
use futures::future::join_all;
use k8s_openapi::api::authorization::v1::{ResourceAttributes, SelfSubjectAccessReview, SelfSubjectAccessReviewSpec};
use kube::Api;
use kube::api::PostParams;
use serde_json::Value;

use super::{journals, request};
use crate::cli::capture::{Existing, Target};
use crate::cli::error::CliError;
use crate::cli::progress::Progress;
use crate::cli::source::settings;
use crate::cli::{Call, HELP, print};
use crate::migrate::journal::Journal;
use crate::migrate::live::store::Store;
use crate::migrate::plan::{self, Access, Plan, Request, Seen};
use crate::model::{Observation, Permission, ServiceRef, Subject};
use crate::observe::{Connection, Live, Scope, Source as _};
use crate::render::{self, PlanFormat, Style};

const EXAMPLES: &str = "\
Examples:
  kubectl vipctl migrate plan svc/a svc/b --port 80 -n shop
  kubectl vipctl migrate plan shop/a web/b --port 80 --port 443      in two namespaces
  kubectl vipctl migrate plan svc/a svc/b --port 80 --strategy handoff
  kubectl vipctl migrate plan svc/a svc/b --all-ports --source-after clusterip
  kubectl vipctl migrate plan svc/a svc/b --port 80 -o commits       the two changes to make in Git
  kubectl vipctl migrate plan svc/a svc/b --port 80 --out plan.json  for `migrate run --plan`
";

/// Looks again this often where a Service is written between the look and the read of the object.
const LOOKS: usize = 3;

/// Show the steps of a move, what speaks against it, how long ports are dark, and how to undo it.
///
/// Reads only. Exit codes: 0 it can be run, 2 an error, 5 it is refused.
#[derive(Debug, clap::Args)]
#[command(help_template = HELP, before_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    /// Output format
    #[arg(short, long, value_enum, default_value_t = PlanFormat::Text)]
    output: PlanFormat,
    /// Save the plan as well, to be run later exactly as it is
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    out: Option<PathBuf>,
    /// When to use colours
    #[arg(long, value_enum, default_value_t = print::Color::Auto, value_name = "WHEN")]
    color: print::Color,
    #[command(flatten)]
    request: request::Args,
}

/// How long one question about permissions may take; what is not answered is not known.
const PATIENCE: Duration = Duration::from_secs(5);

/// A plan with what it was made from.
pub(in crate::cli) struct Prepared {
    /// The plan.
    pub plan: Plan,
    /// To the cluster that it is for.
    pub connection: Connection,
}

/// Plans and prints.
pub(super) fn run(args: &Args, call: &Call<'_>) -> Result<u8, CliError> {
    let out = args.out.as_deref().map(|file| Target::new(file, Existing::Refuse)).transpose()?;
    // What is missing on the command line is told before anything is connected to.
    args.request.request("default")?;
    let plan = crate::cli::block_on(async { Ok(prepare(&args.request, call).await?.plan) })?;
    if let Some(out) = out {
        out.write_private(&render::plan(&plan, PlanFormat::Json, &Style::default()))?;
    }
    let style = Style { color: args.color.decide(), width: print::width(), details: true };
    print::out(&render::plan(&plan, args.output, &style))?;
    Ok(plan.exit)
}

/// Looks at the cluster and plans what the flags ask for.
///
/// # Errors
/// Where flags are missing, a Service is not there, or the cluster cannot be read.
pub(in crate::cli) async fn prepare(args: &request::Args, call: &Call<'_>) -> Result<Prepared, CliError> {
    let connection = call.kube.connect().await?;
    let request = args.request(&connection.namespace)?;
    prepare_for(&request, args, connection, call).await
}

/// Looks at the cluster and plans a request that is known, e.g. that of a saved plan.
///
/// # Errors
/// Where a Service is not there, or the cluster cannot be read.
pub(in crate::cli) async fn prepare_for(
    request: &Request,
    args: &request::Args,
    connection: Connection,
    call: &Call<'_>,
) -> Result<Prepared, CliError> {
    let progress = Progress::begin(call.kube.notes());
    let live = Live::new(connection.clone(), settings(&args.look(), call.kube, None), progress.listener());
    let plan = progress.during(look(request, &live, &connection, call)).await?;
    Ok(Prepared { plan, connection })
}

/// A plan that was saved with `--out`.
///
/// # Errors
/// Where the file cannot be read, is no plan, or is one that was refused.
pub(in crate::cli) fn read_plan(file: &Path) -> Result<Plan, CliError> {
    let name = file.display();
    let text = std::fs::read_to_string(file)
        .with_context(|| format!("failed to read {name}"))
        .map_err(|error| CliError::file(&error))?;
    let plan: Plan = serde_json::from_str(&text)
        .with_context(|| format!("{name} is not a plan of this version"))
        .map_err(|error| CliError::file(&error).hint("`kubectl vipctl migrate plan … --out FILE` writes one"))?;
    if plan.intent.is_none() || plan.exit != crate::exit::OK {
        let error = CliError::file(&anyhow::anyhow!("{name} holds a plan that was refused"));
        return Err(error.hint("settle what spoke against it, and plan again"));
    }
    Ok(plan)
}

async fn look(request: &Request, live: &Live, connection: &Connection, call: &Call<'_>) -> Result<Plan, CliError> {
    let client = &connection.client;
    let pair = [&request.source, &request.target];
    let store = journals::store(connection, call);
    let needed = plan::needed(request);
    let (access, journals) = futures::join!(access(client, &needed), unfinished(&store, pair));
    let mut looks = 0;
    loop {
        looks += 1;
        let (source, target) = futures::join!(object(client, pair[0], call), object(client, pair[1], call));
        // A Service that is not there is told of by the look, which knows what was meant.
        let read = [source.as_ref(), target.as_ref()].into_iter().filter_map(Result::ok);
        let observation = observe(live, pair, read).await?;
        let (source, target) = (source?, target?);
        let written = !same(&observation, pair[0], &source) || !same(&observation, pair[1], &target);
        if written && looks < LOOKS {
            continue;
        }
        let seen = Seen {
            observation: &observation,
            source: &source,
            target: &target,
            access: &access,
            unfinished: journals.as_deref().map_err(String::as_str),
        };
        return Ok(plan::plan(request, &seen));
    }
}

/// Whether the look saw the same writing of a Service.
fn same(observation: &Observation, id: &ServiceRef, object: &Value) -> bool {
    let services = observation.services.known().map_or(&[][..], Vec::as_slice);
    let seen = services.iter().find(|service| service.id == *id).map(|service| &*service.resource_version);
    seen == object["metadata"]["resourceVersion"].as_str()
}

/// Looks at both Services and at everything on their addresses.
async fn observe<'o>(
    live: &Live,
    pair: [&ServiceRef; 2],
    read: impl Iterator<Item = &'o Value>,
) -> Result<Observation, CliError> {
    let ingress = read.flat_map(|object| object["status"]["loadBalancer"]["ingress"].as_array().into_iter().flatten());
    let vips: BTreeSet<IpAddr> = ingress.filter_map(|entry| entry["ip"].as_str()?.parse().ok()).collect();
    let services = pair.into_iter().cloned().map(Subject::Service);
    let subjects = services.chain(vips.into_iter().map(Subject::Vip)).collect();
    Ok(live.observe(&Scope { subjects, selection: None }).await?)
}

/// A Service exactly as the API server sends it.
async fn object(client: &kube::Client, id: &ServiceRef, call: &Call<'_>) -> Result<Value, CliError> {
    let path = format!("/api/v1/namespaces/{}/services", id.namespace);
    let request = kube::core::Request::new(path)
        .get(&id.name, &kube::api::GetParams::default())
        .with_context(|| format!("failed to ask for svc/{} (ns {})", id.name, id.namespace))?;
    let answer = tokio::time::timeout(call.kube.read_timeout(), client.request::<Value>(request)).await;
    let read = format!("failed to get svc/{} (ns {})", id.name, id.namespace);
    Ok(answer.with_context(|| format!("{read}: no answer in time"))?.context(read)?)
}

/// Asks for every permission; what is not answered is not known.
async fn access(client: &kube::Client, needed: &[Permission]) -> Vec<Access> {
    let reviews: Api<SelfSubjectAccessReview> = Api::all(client.clone());
    let ask = async |permission: &Permission| {
        let review = SelfSubjectAccessReview {
            spec: SelfSubjectAccessReviewSpec {
                resource_attributes: Some(attributes(permission)),
                ..SelfSubjectAccessReviewSpec::default()
            },
            ..SelfSubjectAccessReview::default()
        };
        let params = PostParams::default();
        let answer = tokio::time::timeout(PATIENCE, reviews.create(&params, &review)).await;
        let status = answer.ok().and_then(Result::ok).and_then(|review| review.status);
        Access { permission: permission.clone(), allowed: status.map(|status| status.allowed) }
    };
    join_all(needed.iter().map(ask)).await
}

fn attributes(permission: &Permission) -> ResourceAttributes {
    let (resource, group) = permission.resource.split_once('.').unwrap_or((&permission.resource, ""));
    ResourceAttributes {
        verb: Some(permission.verb.clone()),
        resource: Some(resource.to_owned()),
        group: Some(group.to_owned()),
        namespace: permission.namespace.clone(),
        ..ResourceAttributes::default()
    }
}

/// The journals in both namespaces of migrations that are not finished. One that cannot be read counts as
/// none: it does not say which Services it is about.
async fn unfinished(store: &Store, pair: [&ServiceRef; 2]) -> Result<Vec<plan::Unfinished>, String> {
    let namespaces: BTreeSet<&str> = pair.iter().map(|id| id.namespace.as_str()).collect();
    let mut all = Vec::new();
    for namespace in namespaces {
        let listed = store.list(Some(namespace)).await.map_err(|error| error.to_string())?;
        all.extend(listed.journals.into_iter().filter(|journal| journal.finished.is_none()));
    }
    let told = all.into_iter().map(|Journal { namespace, intent, .. }| plan::Unfinished {
        namespace,
        id: intent.id,
        services: [intent.source.service, intent.target.service],
    });
    Ok(told.collect())
}
