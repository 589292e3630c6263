//! `kubectl vipctl version`.

use serde::Serialize;

use super::error::CliError;
use super::print::Machine;
use super::progress::Progress;
use super::{Call, HELP, print};
use crate::exit;
use crate::observe::{Live, LiveSettings, ServerVersions};

/// Cilium lines that are tested.
const SUPPORTED: [&str; 3] = ["1.18", "1.19", "1.20"];

const EXAMPLES: &str = "\
Examples:
  kubectl vipctl version
  kubectl vipctl version --client -o json
";

/// Show the versions of this program, of Kubernetes and of Cilium, and which Cilium is supported.
#[derive(Debug, clap::Args)]
#[command(help_template = HELP, before_help = EXAMPLES)]
pub(super) struct Args {
    /// This program's version only; connects to nothing
    #[arg(long)]
    client: bool,
    /// Output format
    #[arg(short, long, value_parser = ["text", "json", "yaml"], default_value = "text")]
    output: String,
    /// Namespace of Cilium; found by the agents' label where it is not given
    #[arg(long, value_name = "NAMESPACE", env = "CILIUM_NAMESPACE", hide_env_values = true)]
    cilium_namespace: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Versions {
    api_version: &'static str,
    kind: &'static str,
    exit: u8,
    version: &'static str,
    supported_cilium: [&'static str; 3],
    #[serde(skip_serializing_if = "Option::is_none")]
    kubernetes: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cilium: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cilium_unknown: Option<String>,
}

/// Prints the versions.
pub(super) fn run(args: &Args, call: &Call<'_>) -> Result<u8, CliError> {
    let server = if args.client { None } else { Some(server(args, call)?) };
    let (kubernetes, cilium, cilium_unknown) = match server {
        Some(seen) => (Some(seen.kubernetes), Some(seen.cilium), seen.unknown),
        None => (None, None, None),
    };
    let versions = Versions {
        api_version: "vipctl.dev/v1",
        kind: "Version",
        exit: exit::OK,
        version: env!("CARGO_PKG_VERSION"),
        supported_cilium: SUPPORTED,
        kubernetes,
        cilium,
        cilium_unknown,
    };
    print::out(&match args.output.as_str() {
        "json" => Machine::Json.text(&versions)?,
        "yaml" => Machine::Yaml.text(&versions)?,
        _ => text(&versions),
    })?;
    Ok(exit::OK)
}

fn text(versions: &Versions) -> String {
    let mut text = format!("kubectl-vipctl  {}\n", versions.version);
    if let Some(kubernetes) = &versions.kubernetes {
        text += &format!("Kubernetes      {kubernetes}\n");
    }
    if let Some(why) = &versions.cilium_unknown {
        text += &format!("Cilium          <unknown>: {why}\n");
    } else if let Some(cilium) = &versions.cilium {
        text += &format!("Cilium          {}\n", cilium.join(", "));
    }
    text + &format!("supported       Cilium {}\n", versions.supported_cilium.join(", "))
}

fn server(args: &Args, call: &Call<'_>) -> Result<ServerVersions, CliError> {
    let kube = call.kube;
    super::block_on(async {
        let progress = Progress::begin(kube.notes());
        let work = async {
            let connection = kube.connect().await?;
            let settings = LiveSettings {
                cilium_namespace: args.cilium_namespace.clone().filter(|name| !name.is_empty()),
                exec: false,
                deep: false,
                nodes: None,
                node_timeout: kube.read_timeout(),
                concurrency: 1,
                read_timeout: kube.read_timeout(),
                flags: Vec::new(),
                command: None,
            };
            Ok(Live::new(connection, settings, progress.listener()).versions().await?)
        };
        progress.during(work).await
    })
}
