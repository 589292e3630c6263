//! `kubectl vipctl completion`.

use clap::CommandFactory as _;
use clap_complete::Shell;

use super::error::CliError;
use super::{Cli, EXIT_OK, HELP, print};

const EXAMPLES: &str = "\
Examples:
  source <(kubectl vipctl completion bash)
  kubectl vipctl completion fish > ~/.config/fish/completions/kubectl-vipctl.fish
";

/// Print a completion script for the command kubectl-vipctl.
#[derive(Debug, clap::Args)]
#[command(help_template = HELP, before_help = EXAMPLES)]
pub(super) struct Args {
    /// The shell
    #[arg(value_parser = ["bash", "zsh", "fish", "powershell"])]
    shell: String,
}

/// Prints the script.
pub(super) fn run(args: &Args) -> Result<u8, CliError> {
    let shell: Shell = args.shell.parse().map_err(CliError::usage)?;
    let mut script = Vec::new();
    // The shell knows the binary, not kubectl's two words.
    let mut command = Cli::command().bin_name("kubectl-vipctl");
    clap_complete::generate(shell, &mut command, "kubectl-vipctl", &mut script);
    print::out(&String::from_utf8_lossy(&script))?;
    Ok(EXIT_OK)
}
