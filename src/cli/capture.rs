//! `kubectl vipctl capture`.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use super::error::CliError;
use super::kube_flags::KubeFlags;
use super::source::{Choice, Look, Saved, look};
use super::{EXIT_OK, HELP, print};
use crate::model::Observation;
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
    let target = file.map(|file| Target::new(file, args.force)).transpose()?;
    let observation = look(&args.choice, &args.look, &Saved::default(), &args.kube, Some(command.to_owned()))?;
    match target {
        Some(target) => target.write(&observation)?,
        None => print::out(&text(&observation)?)?,
    }
    Ok(EXIT_OK)
}

fn text(observation: &Observation) -> Result<String, CliError> {
    write_capture(observation).map_err(|e| CliError::internal(format!("failed to write JSON: {e}")))
}

/// A file that is to hold a capture.
pub(super) struct Target<'a> {
    file: &'a Path,
    force: bool,
}

impl<'a> Target<'a> {
    /// Refuses a file that exists, before anything is read; `force` overwrites it.
    pub(super) fn new(file: &'a Path, force: bool) -> Result<Self, CliError> {
        let target = Self { file, force };
        if !force && file.exists() { Err(target.exists()) } else { Ok(target) }
    }

    fn exists(&self) -> CliError {
        CliError::file(format!("{} exists already", self.file.display()))
            .hint("name another file, or let `capture --force` overwrite it")
    }

    /// Writes the capture and says so.
    pub(super) fn write(&self, observation: &Observation) -> Result<(), CliError> {
        let text = text(observation)?;
        let mut options = OpenOptions::new();
        options.write(true);
        if self.force {
            options.create(true).truncate(true);
        } else {
            options.create_new(true);
        }
        let written = options.open(self.file).and_then(|mut opened| opened.write_all(text.as_bytes()));
        written.map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => self.exists(),
            _ => CliError::file(format!("failed to write {}: {error}", self.file.display())),
        })?;
        let agents = observation.agents.len();
        let silent = observation.agents.iter().filter(|agent| agent.answer.known().is_none()).count();
        let note = if silent == 0 { String::new() } else { format!(", {silent} of them without an answer") };
        print::err(&format!("{} written: {} bytes, {agents} agents{note}\n", self.file.display(), text.len()));
        Ok(())
    }
}
