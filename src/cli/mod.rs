//! The command line: flags in, one printed answer and an exit code out.
//!
//! One file for each command; each is an `Args` struct whose comments are the help, and one
//! function. Everything is parsed before a runtime, TLS or a file is touched.

mod capture;
mod code;
mod complete;
mod completion;
mod error;
mod explain;
mod kube_flags;
mod migrate;
mod print;
mod progress;
mod recover;
mod source;
mod subject;
mod version;
mod wait;
mod watch;

use std::ffi::OsString;

use anyhow::Context as _;
use clap::{ArgMatches, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use crate::exit;
use error::CliError;
use kube_flags::KubeFlags;
use print::Machine;

/// How help is laid out: examples before everything else.
const HELP: &str = "{about-with-newline}\n{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}";

/// Printed where no command is given.
const OVERVIEW: &str = "\
Explains why a Cilium LoadBalancer address or port is missing, and moves ports.

  kubectl vipctl explain svc/web -n shop       why is this Service not reachable
  kubectl vipctl explain 192.0.2.10:443        who has this port, on which nodes
  kubectl vipctl explain -A                    every LoadBalancer Service
  kubectl vipctl explain --demo stuck-claim    try it without a cluster
  kubectl vipctl migrate plan a b --port 80    move a port, and lose nothing
  kubectl vipctl capture svc/web -f web.json   save what explain reads
  kubectl vipctl code VIP2102                  the long page of a finding

Exit codes: 0 healthy, 1 a problem, 2 an error, 3 not enough could be read.
More: kubectl vipctl help, kubectl vipctl help COMMAND
";

/// Explains why a Cilium LoadBalancer address or port is missing, and moves ports between Services.
#[derive(Debug, Parser)]
#[command(name = "kubectl-vipctl", bin_name = "kubectl vipctl", version, max_term_width = 100)]
#[command(disable_help_subcommand = false, infer_subcommands = false)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    kube: KubeFlags,
}

/// What a command is told beside its own flags.
struct Call<'a> {
    /// Its name.
    name: &'a str,
    kube: &'a KubeFlags,
    /// Its matches, for what the parsed flags do not show: whether a flag was typed.
    matches: &'a ArgMatches,
    /// The whole line, without secrets.
    line: String,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Explain Services, addresses and ports.
    Explain(Box<explain::Args>),
    /// Save what explain reads to one file.
    Capture(Box<capture::Args>),
    /// Move ports between two Services that share a VIP
    Migrate(Box<migrate::Args>),
    /// Repair a stuck claim by the smallest write that works
    Recover(Box<recover::Args>),
    /// Wait until every node serves a Service
    Wait(Box<wait::Args>),
    /// Show the page of a finding's code.
    Code(code::Args),
    /// Show the versions of this program and of the cluster.
    Version(Box<version::Args>),
    /// Print a completion script for a shell.
    Completion(completion::Args),
}

/// The command line's definition under the name by which it is called. Commands that connect to nothing
/// take the connection's flags and do not show them.
fn command(name: &'static str) -> clap::Command {
    let mut command = Cli::command().bin_name(name);
    command.build();
    for apart in ["code", "completion", "help"] {
        command = command
            .mut_subcommand(apart, |sub| sub.mut_args(|arg| if arg.is_global_set() { arg.hide(true) } else { arg }));
    }
    command
}

/// Runs the program with its arguments and gives the exit code.
#[must_use]
pub fn run(argv: &[OsString]) -> u8 {
    if argv.get(1).is_some_and(|word| word == complete::WORD) {
        return complete::run(&argv[2..]);
    }
    let argv = kube_flags::join_levels(argv);
    let machine = Machine::of(&argv);
    let matches = match command("kubectl vipctl").try_get_matches_from(&argv) {
        Ok(matches) => matches,
        Err(error) => return error::usage(&error, machine),
    };
    let parsed = Cli::from_arg_matches(&matches).map_err(|e| CliError::usage(e.to_string()));
    let result = parsed.and_then(|cli| {
        let (name, matches) = matches.subcommand().unwrap_or(("", &matches));
        let call = Call { name, kube: &cli.kube, matches, line: command_line(&argv) };
        match cli.command {
            None => Ok(print::out(OVERVIEW).map(|()| exit::OK)?),
            Some(Command::Explain(args)) => explain::run(&args, &call),
            Some(Command::Capture(args)) => capture::run(&args, &call),
            Some(Command::Migrate(args)) => migrate::run(&args, &call),
            Some(Command::Recover(args)) => recover::run(&args, &call),
            Some(Command::Wait(args)) => wait::run(&args, &call),
            Some(Command::Code(args)) => code::run(&args),
            Some(Command::Version(args)) => version::run(&args, &call),
            Some(Command::Completion(args)) => completion::run(&args),
        }
    });
    result.unwrap_or_else(|error| error.report(machine))
}

/// The command line as it may be kept in a capture: without secrets.
fn command_line(argv: &[OsString]) -> String {
    let mut words = vec!["kubectl vipctl".to_owned()];
    let mut secret = false;
    for word in argv.iter().skip(1).map(|w| w.to_string_lossy()) {
        if std::mem::replace(&mut secret, word == "--token") {
            words.push("…".to_owned());
        } else if word.starts_with("--token=") {
            words.push("--token=…".to_owned());
        } else {
            words.push(word.into_owned());
        }
    }
    words.join(" ")
}

/// Runs asynchronous work on one thread; Ctrl-C ends it at once.
fn block_on<T>(work: impl Future<Output = Result<T, CliError>>) -> Result<T, CliError> {
    block_on_to_end(async {
        tokio::select! {
            result = work => result,
            _ = tokio::signal::ctrl_c() => Err(CliError::interrupted()),
        }
    })
}

/// The same for work that hears signals itself.
fn block_on_to_end<T>(work: impl Future<Output = Result<T, CliError>>) -> Result<T, CliError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().context("failed to start")?;
    let result = runtime.block_on(work);
    // A credential plugin or a name look-up may hang in a thread: nobody waits for it.
    runtime.shutdown_background();
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn clap_agrees_with_itself() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_capture_keeps_no_token() {
        let line = command_line(&words("/bin/kubectl-vipctl capture --token abc svc/b --token=def"));
        assert_eq!(line, "kubectl vipctl capture --token … svc/b --token=…");
    }
}
