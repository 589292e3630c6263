//! `kubectl vipctl explain`.

use std::path::PathBuf;

use clap::ValueHint;

use super::capture::{Existing, Target};
use super::error::CliError;
use super::source::{Choice, Look, Saved, look};
use super::{Call, HELP, print};
use crate::render::{self, Format, Style};
use crate::{diagnose, exit};

const EXAMPLES: &str = "\
Examples:
  kubectl vipctl explain svc/web -n shop          one Service
  kubectl vipctl explain shop/web shop/dns        several
  kubectl vipctl explain 192.0.2.10:443           who has this port, on which nodes
  kubectl vipctl explain 192.0.2.10               everything on this address
  kubectl vipctl explain -n shop                  every LoadBalancer Service of a namespace
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
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["capture", "demo"])]
    save: Option<PathBuf>,
    #[command(flatten)]
    look: Look,
    #[command(flatten)]
    saved: Saved,
}

/// Looks, explains and prints.
pub(super) fn run(args: &Args, call: &Call<'_>) -> Result<u8, CliError> {
    if args.saved.demo.as_deref() == Some("") {
        if let Some(subject) = args.choice.subjects.first() {
            return Err(CliError::usage(format!("--demo names no demo in which to look for '{subject}'"))
                .hint("kubectl vipctl explain --demo lists the demos")
                .hint(format!("kubectl vipctl explain --demo stuck-claim {subject}")));
        }
        print::out(&print::demo_list())?;
        return Ok(exit::OK);
    }
    let save = args.save.as_deref().map(|file| Target::new(file, Existing::Refuse)).transpose()?;
    let command = save.is_some().then(|| call.line.clone());
    let observation = look(&args.choice, &args.look, &args.saved, call, command)?;
    if let Some(save) = save {
        save.write(&observation)?;
    }
    let explanation = diagnose::explain(&observation)?;
    let style = Style { color: args.color.decide(), width: print::width(), details: args.details };
    print::out(&render::explanation(&explanation, args.output, &style))?;
    Ok(explanation.exit)
}
