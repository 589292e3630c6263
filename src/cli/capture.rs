//! `kubectl vipctl capture`.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use super::error::CliError;
use super::kube_flags::KubeFlags;
use super::source::{Choice, Look, Saved, look};
use super::{EXIT_OK, HELP, print};
use crate::observe::write_capture;

const EXAMPLES: &str = "\
Examples:
  kubectl vipctl capture svc/web -n shop -f web.json
  kubectl vipctl capture 192.0.2.10 > vip.json
  kubectl vipctl explain --capture web.json       later, elsewhere, by somebody else
";

/// Save what explain reads to one file, so that it can be explained again without the cluster.
///
/// It holds Services, endpoints, pools, policies, Leases and nodes as far as they decide about an
/// address, and the agents' answers; no Secrets, and of annotations only those of Cilium and of
/// other address allocators. Names and addresses are kept as they are.
#[derive(Debug, clap::Args)]
#[command(help_template = HELP, before_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    choice: Choice,
    /// File to write; - or none is standard output
    #[arg(short = 'f', long, value_name = "FILE")]
    filename: Option<PathBuf>,
    /// Overwrite the file where it exists
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    look: Look,
    #[command(flatten)]
    kube: KubeFlags,
}

/// Looks and saves.
pub(super) fn run(args: &Args, command: &str) -> Result<u8, CliError> {
    let file = args.filename.as_deref().filter(|file| file.as_os_str() != "-");
    if let Some(file) = file.filter(|file| !args.force && file.exists()) {
        return Err(exists(file));
    }
    let observation = look(&args.choice, &args.look, &Saved::default(), &args.kube, Some(command.to_owned()))?;
    let text = write_capture(&observation).map_err(|e| CliError::internal(format!("failed to write JSON: {e}")))?;
    let Some(file) = file else {
        print::out(&text)?;
        return Ok(EXIT_OK);
    };
    write(file, &text, args.force)?;
    let silent = observation.agents.iter().filter(|a| a.answer.known().is_none()).count();
    let note = if silent == 0 { String::new() } else { format!(", {silent} of them without an answer") };
    let agents = observation.agents.len();
    print::err(&format!("{} written: {} bytes, {agents} agents{note}\n", file.display(), text.len()));
    Ok(EXIT_OK)
}

fn exists(file: &Path) -> CliError {
    CliError::file(format!("{} exists already", file.display())).hint("--force overwrites it")
}

fn write(file: &Path, text: &str, force: bool) -> Result<(), CliError> {
    let mut options = OpenOptions::new();
    options.write(true);
    if force {
        options.create(true).truncate(true);
    } else {
        options.create_new(true);
    }
    let written = options.open(file).and_then(|mut opened| opened.write_all(text.as_bytes()));
    written.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => exists(file),
        _ => CliError::file(format!("failed to write {}: {error}", file.display())),
    })
}
