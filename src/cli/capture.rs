//! `kubectl vipctl capture`.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::ValueHint;

use super::error::CliError;
use super::source::{Choice, Look, Saved, look};
use super::{Call, HELP, print};
use crate::exit;
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
    #[arg(short = 'f', long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    filename: Option<PathBuf>,
    /// Overwrite the file where it exists
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    look: Look,
}

/// Looks and saves.
pub(super) fn run(args: &Args, call: &Call<'_>) -> Result<u8, CliError> {
    let file = args.filename.as_deref().filter(|file| file.as_os_str() != "-");
    let existing = if args.force { Existing::Overwrite } else { Existing::RefuseUnlessForced };
    let target = file.map(|file| Target::new(file, existing)).transpose()?;
    let observation = look(&args.choice, &args.look, &Saved::default(), call, Some(call.line.clone()))?;
    match target {
        Some(target) => target.write(&observation)?,
        None => print::out(&text(&observation)?)?,
    }
    Ok(exit::OK)
}

fn text(observation: &Observation) -> anyhow::Result<String> {
    write_capture(observation).context("failed to write JSON")
}

/// What happens to a file that exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Existing {
    /// It stays.
    Refuse,
    /// It stays, and `--force` would overwrite it.
    RefuseUnlessForced,
    /// It is overwritten.
    Overwrite,
}

/// A file that is to hold a result.
pub(super) struct Target<'a> {
    file: &'a Path,
    existing: Existing,
}

impl<'a> Target<'a> {
    /// Refuses a file that must stay, before anything is read.
    pub(super) fn new(file: &'a Path, existing: Existing) -> Result<Self, CliError> {
        let target = Self { file, existing };
        if existing != Existing::Overwrite && file.exists() { Err(target.exists()) } else { Ok(target) }
    }

    fn exists(&self) -> CliError {
        let error = CliError::file(&anyhow::anyhow!("{} exists already", self.file.display()));
        match self.existing {
            Existing::RefuseUnlessForced => error.hint("name another file, or overwrite it with --force"),
            Existing::Refuse | Existing::Overwrite => error.hint("name another file"),
        }
    }

    /// Writes the capture and says so.
    pub(super) fn write(&self, observation: &Observation) -> Result<(), CliError> {
        let text = text(observation)?;
        self.save(&text, OpenOptions::new())?;
        let agents = observation.agents.len();
        let silent = observation.agents.iter().filter(|agent| agent.answer.known().is_none()).count();
        let note = if silent == 0 { String::new() } else { format!(", {silent} of them without an answer") };
        print::err(&format!("{} written: {} bytes, {agents} agents{note}\n", self.file.display(), text.len()));
        Ok(())
    }

    /// Writes a text that only this user may read: it holds whole objects of the cluster.
    pub(super) fn write_private(&self, text: &str) -> Result<(), CliError> {
        let mut options = OpenOptions::new();
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        self.save(text, options)?;
        print::err(&format!("{} written\n", self.file.display()));
        Ok(())
    }

    fn save(&self, text: &str, mut options: OpenOptions) -> Result<(), CliError> {
        options.write(true);
        if self.existing == Existing::Overwrite {
            options.create(true).truncate(true);
        } else {
            options.create_new(true);
        }
        match options.open(self.file).and_then(|mut opened| opened.write_all(text.as_bytes())) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(self.exists()),
            written => written
                .with_context(|| format!("failed to write {}", self.file.display()))
                .map_err(|error| CliError::file(&error)),
        }
    }
}
