//! `kubectl vipctl completion`.

use clap_complete::Shell;

use super::error::CliError;
use super::{HELP, print};
use crate::exit;

const EXAMPLES: &str = "\
Examples:
  source <(kubectl-vipctl completion bash)
  kubectl vipctl completion fish > ~/.config/fish/completions/kubectl-vipctl.fish
  kubectl vipctl completion kubectl > ~/bin/kubectl_complete-vipctl && chmod +x ~/bin/kubectl_complete-vipctl
";

/// What kubectl runs to complete the words after `kubectl vipctl`.
const SHIM: &str = include_str!("../../completions/kubectl_complete-vipctl");

/// Print a completion script for the command kubectl-vipctl, or the one that kubectl asks.
///
/// The scripts for the shells complete `kubectl-vipctl …`. To complete `kubectl vipctl …`, kubectl
/// looks for an executable file called kubectl_complete-vipctl on the PATH, asks it for each word,
/// and offers what it answers in whatever shell kubectl's own completion is loaded; `completion
/// kubectl` prints that file.
#[derive(Debug, clap::Args)]
#[command(help_template = HELP, before_help = EXAMPLES)]
pub(super) struct Args {
    /// The shell, or kubectl
    #[arg(value_parser = ["bash", "zsh", "fish", "powershell", "kubectl"])]
    shell: String,
}

/// Prints the script.
pub(super) fn run(args: &Args) -> Result<u8, CliError> {
    let text = match args.shell.parse::<Shell>() {
        Ok(shell) => {
            let mut script = Vec::new();
            // The shell knows the binary, not kubectl's two words.
            clap_complete::generate(shell, &mut super::command("kubectl-vipctl"), "kubectl-vipctl", &mut script);
            String::from_utf8_lossy(&script).into_owned()
        }
        Err(_) => SHIM.to_owned(),
    };
    print::out(&text)?;
    Ok(exit::OK)
}
