//! The command line: flags in, one printed answer and an exit code out.
//!
//! One file for each command; each is an `Args` struct whose comments are the help, and one
//! function. Everything is parsed before a runtime, TLS or a file is touched.

mod capture;
mod code;
mod completion;
mod error;
mod explain;
mod kube_flags;
mod print;
mod progress;
mod source;
mod subject;
mod version;

use std::ffi::OsString;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use error::CliError;

/// Exit code: healthy, or done.
pub const EXIT_OK: u8 = 0;
/// Exit code: wrong usage, a failure of the tool, or an object that is not there.
pub const EXIT_ERROR: u8 = 2;
/// Exit code: interrupted before anything was written.
pub const EXIT_INTERRUPTED: u8 = 130;

/// How help is laid out: examples before everything else.
const HELP: &str = "{about-with-newline}\n{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}";

/// Printed where no command is given.
const OVERVIEW: &str = "\
Explains why a Cilium LoadBalancer address or port is missing.

  kubectl vipctl explain svc/web -n shop       why is this Service not reachable
  kubectl vipctl explain 192.0.2.10:443        who has this port, on which nodes
  kubectl vipctl explain -A                    every LoadBalancer Service
  kubectl vipctl explain --demo stuck-claim    try it without a cluster
  kubectl vipctl capture svc/web -f web.json   save what explain reads
  kubectl vipctl code VIP2102                  the long page of a finding

Exit codes: 0 healthy, 1 a problem, 2 an error, 3 not enough could be read.
More: kubectl vipctl help, kubectl vipctl help COMMAND
";

/// Explains why a Cilium LoadBalancer address or port is missing.
#[derive(Debug, Parser)]
#[command(name = "kubectl-vipctl", bin_name = "kubectl vipctl", version, max_term_width = 100)]
#[command(disable_help_subcommand = false, infer_subcommands = false)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Explain Services, addresses and ports.
    Explain(Box<explain::Args>),
    /// Save what explain reads to one file.
    Capture(Box<capture::Args>),
    /// Show the page of a finding's code.
    Code(code::Args),
    /// Show the versions of this program and of the cluster.
    Version(Box<version::Args>),
    /// Print a completion script for a shell.
    Completion(completion::Args),
}

/// Runs the program with its arguments and gives the exit code.
#[must_use]
pub fn run(argv: &[OsString]) -> u8 {
    let json = wants_json(argv);
    let matches = match Cli::command().try_get_matches_from(argv) {
        Ok(matches) => matches,
        Err(error) => return error::usage(&error, json),
    };
    let parsed = Cli::from_arg_matches(&matches).map_err(|e| CliError::usage(e.to_string()));
    let result = parsed.and_then(|cli| match cli.command {
        None => print::out(OVERVIEW).map(|()| EXIT_OK).map_err(CliError::from),
        Some(Command::Explain(args)) => explain::run(&args, &command_line(argv)),
        Some(Command::Capture(args)) => capture::run(&args, &command_line(argv)),
        Some(Command::Code(args)) => code::run(&args),
        Some(Command::Version(args)) => version::run(&args),
        Some(Command::Completion(args)) => completion::run(&args),
    });
    result.unwrap_or_else(|error| error.report(json))
}

/// Whether the caller reads JSON; asked of the bare words, for a line that does not parse must be
/// answered in JSON as well.
fn wants_json(argv: &[OsString]) -> bool {
    let words: Vec<_> = argv.iter().map(|w| w.to_string_lossy()).collect();
    let joined = words.iter().any(|w| matches!(w.as_ref(), "-ojson" | "-o=json" | "--output=json"));
    joined || words.windows(2).any(|pair| matches!(pair[0].as_ref(), "-o" | "--output") && pair[1] == "json")
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
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|e| CliError::internal(format!("failed to start: {e}")))?;
    let result = runtime.block_on(async {
        tokio::select! {
            result = work => result,
            _ = tokio::signal::ctrl_c() => Err(CliError::interrupted()),
        }
    });
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
    fn json_is_seen_on_lines_that_do_not_parse() {
        for line in ["x explain -o json --bad", "x -ojson", "x --output=json nonsense", "x --output json"] {
            assert!(wants_json(&words(line)), "{line}");
        }
        assert!(!wants_json(&words("x explain json -o text")));
    }

    #[test]
    fn a_capture_keeps_no_token() {
        let line = command_line(&words("/bin/kubectl-vipctl capture --token abc svc/b --token=def"));
        assert_eq!(line, "kubectl vipctl capture --token … svc/b --token=…");
    }
}
