//! `kubectl vipctl version`.

use serde::Serialize;

use super::error::CliError;
use super::kube_flags::KubeFlags;
use super::progress::Progress;
use super::{EXIT_OK, HELP, print};
use crate::observe::{Live, LiveSettings};

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
    #[arg(short, long, value_parser = ["text", "json"], default_value = "text")]
    output: String,
    /// Namespace of Cilium; found by the agents' label where it is not given
    #[arg(long, value_name = "NAMESPACE", env = "CILIUM_NAMESPACE", hide_env_values = true)]
    cilium_namespace: Option<String>,
    #[command(flatten)]
    kube: KubeFlags,
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
}

/// Prints the versions.
pub(super) fn run(args: &Args) -> Result<u8, CliError> {
    let mut versions = Versions {
        api_version: "vipctl.dev/v1",
        kind: "Version",
        exit: EXIT_OK,
        version: env!("CARGO_PKG_VERSION"),
        supported_cilium: SUPPORTED,
        kubernetes: None,
        cilium: None,
    };
    if !args.client {
        let (kubernetes, cilium) = server(args)?;
        (versions.kubernetes, versions.cilium) = (Some(kubernetes), Some(cilium));
    }
    let text = if args.output == "json" {
        let json = serde_json::to_string_pretty(&versions);
        json.map_err(|e| CliError::internal(format!("failed to write JSON: {e}")))? + "\n"
    } else {
        text(&versions)
    };
    print::out(&text)?;
    Ok(EXIT_OK)
}

fn text(versions: &Versions) -> String {
    let mut text = format!("kubectl-vipctl  {}\n", versions.version);
    if let Some(kubernetes) = &versions.kubernetes {
        text += &format!("Kubernetes      {kubernetes}\n");
    }
    if let Some(cilium) = &versions.cilium {
        let seen = if cilium.is_empty() { "<unknown>".to_owned() } else { cilium.join(", ") };
        text += &format!("Cilium          {seen}\n");
    }
    text + &format!("supported       Cilium {}\n", versions.supported_cilium.join(", "))
}

fn server(args: &Args) -> Result<(String, Vec<String>), CliError> {
    super::block_on(async {
        let progress = Progress::begin(args.kube.notes());
        let work = async {
            let connection = args.kube.connect().await?;
            let settings = LiveSettings {
                cilium_namespace: args.cilium_namespace.clone().filter(|name| !name.is_empty()),
                exec: false,
                deep: false,
                nodes: None,
                node_timeout: args.kube.read_timeout(),
                concurrency: 1,
                read_timeout: args.kube.read_timeout(),
                flags: Vec::new(),
                command: None,
            };
            Ok(Live::new(connection, settings, progress.listener()).versions().await?)
        };
        progress.during(work).await
    })
}
