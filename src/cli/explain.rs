//! `kubectl vipctl explain`.

use std::path::PathBuf;

use super::capture::Target;
use super::error::CliError;
use super::kube_flags::KubeFlags;
use super::source::{Choice, Look, Saved, demo_list, look};
use super::{HELP, print};
use crate::diagnose;
use crate::render::{self, Format, Style};

const EXAMPLES: &str = "\
Examples:
  kubectl vipctl explain svc/web -n shop          one Service
  kubectl vipctl explain shop/web shop/dns        several
  kubectl vipctl explain 192.0.2.10:443           who has this port, on which nodes
  kubectl vipctl explain 192.0.2.10               everything on this address
  kubectl vipctl explain -A -o json               every LoadBalancer Service, for programs
  kubectl vipctl explain --capture web.json       what was saved by `capture`
  kubectl vipctl explain --demo stuck-claim       without a cluster
";

/// Explain Services, addresses and ports: what is wrong, from what was seen, and what to do.
///
/// Reads the API and asks every Cilium agent by one read-only `kubectl exec`. Exit codes: 0 healthy,
/// 1 a problem, 2 an error, 3 not enough could be read.
#[derive(Debug, clap::Args)]
#[command(help_template = HELP, before_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    choice: Choice,
    /// Output format
    #[arg(short, long, value_enum, default_value_t = Format::Text)]
    output: Format,
    /// Show every note, every finding in full, and the ladder
    #[arg(long)]
    details: bool,
    /// When to use colours
    #[arg(long, value_enum, default_value_t = print::Color::Auto, value_name = "WHEN")]
    color: print::Color,
    /// Save what was read as well, as `capture` does
    #[arg(long, value_name = "FILE", conflicts_with_all = ["capture", "demo"])]
    save: Option<PathBuf>,
    #[command(flatten)]
    look: Look,
    #[command(flatten)]
    saved: Saved,
    #[command(flatten)]
    kube: KubeFlags,
}

/// Looks, explains and prints.
pub(super) fn run(args: &Args, command: &str) -> Result<u8, CliError> {
    if args.saved.demo.as_deref() == Some("") {
        print::out(&demo_list())?;
        return Ok(super::EXIT_OK);
    }
    let save = args.save.as_deref().map(|file| Target::new(file, false)).transpose()?;
    let command = save.is_some().then(|| command.to_owned());
    let observation = look(&args.choice, &args.look, &args.saved, &args.kube, command)?;
    if let Some(save) = save {
        save.write(&observation)?;
    }
    let explanation = diagnose::explain(&observation)?;
    let style = Style { color: args.color.decide(), width: print::width(), details: args.details };
    print::out(&render::explanation(&explanation, args.output, &style))?;
    Ok(explanation.exit)
}
