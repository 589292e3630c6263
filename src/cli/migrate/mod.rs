//! `kubectl vipctl migrate` and its subcommands.

mod abandon;
mod ask;
mod driver;
mod journals;
mod list;
mod plan;
mod probe;
mod request;
mod resume;
mod run;
mod signals;
mod status;
mod view;

use super::error::CliError;
use super::{Call, HELP};

const EXAMPLES: &str = "\
Examples:
  kubectl vipctl migrate plan svc/a svc/b --port 80 -n shop     what would happen; writes nothing
";

/// Move ports between two Services that share a VIP, so that no port is ever lost.
#[derive(Debug, clap::Args)]
#[command(help_template = HELP, before_help = EXAMPLES, arg_required_else_help = true)]
pub(super) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Show the steps, what speaks against them, and how to undo them
    Plan(Box<plan::Args>),
    /// Plan, ask, move, and wait until every node serves it
    Run(Box<run::Args>),
    /// Show how a migration stands
    Status(Box<status::Args>),
    /// Go on with one that stopped
    Resume(Box<resume::Resume>),
    /// Bring everything back to how it was
    Rollback(Box<resume::Rollback>),
    /// Forget one, and leave all ports as they are
    Abandon(Box<abandon::Args>),
    /// List migrations
    List(Box<list::Args>),
}

/// Runs the subcommand.
pub(super) fn run(args: &Args, call: &Call<'_>) -> Result<u8, CliError> {
    match &args.action {
        Action::Plan(args) => plan::run(args, call),
        Action::Run(args) => run::run(args, call),
        Action::Status(args) => status::run(args, call),
        Action::Resume(args) => resume::resume(args, call),
        Action::Rollback(args) => resume::rollback(args, call),
        Action::Abandon(args) => abandon::run(args, call),
        Action::List(args) => list::run(args, call),
    }
}
