//! `kubectl vipctl code`.

use super::error::CliError;
use super::{HELP, complete, print};
use crate::diagnose::Code;
use crate::exit;
use crate::render::{Format, Style, codes};

const EXAMPLES: &str = "\
Examples:
  kubectl vipctl code                             every code
  kubectl vipctl code VIP2102                     what it means and what to do
  kubectl vipctl code VIP9101 -o yaml | kubectl apply -f -      the Role that lets it read
";

/// Show what a finding's code means, how it comes about and what to do; without a code, list them.
#[derive(Debug, clap::Args)]
#[command(help_template = HELP, before_help = EXAMPLES)]
pub(super) struct Args {
    /// The code, e.g. VIP2102
    #[arg(value_name = "CODE", conflicts_with = "list", add = complete::codes())]
    code: Option<String>,
    /// List every code
    #[arg(long)]
    list: bool,
    /// Output format
    #[arg(short, long, value_enum, default_value_t = Format::Text)]
    output: Format,
}

/// Prints the page or the list.
pub(super) fn run(args: &Args) -> Result<u8, CliError> {
    let style = Style { color: print::Color::Auto.decide(), width: print::width(), details: false };
    let text = match &args.code {
        None => codes::list(args.output, &style),
        Some(text) => codes::page(text.parse::<Code>().map_err(CliError::usage)?, args.output),
    };
    print::out(&text)?;
    Ok(exit::OK)
}
