//! Captures: one observation in one JSON file.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::{ObserveError, Scope, Source};
use crate::model::{FORMAT, Observation, SourceKind};

/// Why a file is no capture.
#[derive(Debug, thiserror::Error)]
pub enum CaptureError {
    /// It cannot be read.
    #[error("failed to read capture {name}: {source}")]
    Io {
        /// The file.
        name: String,
        /// Why.
        source: std::io::Error,
    },
    /// It is not JSON, or not an observation's.
    #[error("capture {name} is not readable at line {line}, column {column}: {text}")]
    Json {
        /// The file.
        name: String,
        /// Where.
        line: usize,
        /// Where in the line.
        column: usize,
        /// What is wrong there.
        text: String,
    },
    /// It is one of another format.
    #[error("capture {name} has format '{found}', this program reads '{FORMAT}'")]
    Format {
        /// The file.
        name: String,
        /// What it says it is.
        found: String,
    },
    /// There is no demo of that name.
    #[error("there is no demo '{0}'")]
    NoDemo(String),
}

/// Writes an observation as a capture: pretty, in a stable order, with a line end.
///
/// # Errors
/// When a value cannot be written as JSON.
pub fn write_capture(observation: &Observation) -> Result<String, serde_json::Error> {
    serde_json::to_string_pretty(observation).map(|text| text + "\n")
}

/// Reads a capture; `name` is for errors and becomes the context.
///
/// # Errors
/// As [`CaptureError`].
pub fn read_capture(text: &str, name: &str, kind: SourceKind) -> Result<Observation, CaptureError> {
    let json_error = |error: serde_json::Error| {
        let full = error.to_string();
        // The position is told apart from the text.
        let text = full.rsplit_once(" at line ").map_or(full.as_str(), |(text, _)| text).to_owned();
        CaptureError::Json { name: name.to_owned(), line: error.line(), column: error.column(), text }
    };
    // The format first: another one need not have any of our fields.
    #[derive(serde::Deserialize)]
    struct Head {
        format: Option<String>,
    }
    let head: Head = serde_json::from_str(text).map_err(json_error)?;
    match head.format {
        Some(format) if format == FORMAT => {}
        found => {
            let found = found.unwrap_or_else(|| "none".to_owned());
            return Err(CaptureError::Format { name: name.to_owned(), found });
        }
    }
    let mut observation: Observation = serde_json::from_str(text).map_err(json_error)?;
    observation.origin.kind = kind;
    observation.origin.context = name.to_owned();
    Ok(observation)
}

/// A capture on disk, or on standard input where the path is `-`.
pub struct CaptureFile {
    /// Its path.
    pub path: PathBuf,
}

impl Source for CaptureFile {
    async fn observe(&self, scope: &Scope) -> Result<Observation, ObserveError> {
        let name = display_name(&self.path);
        let text = read_text(&self.path).map_err(|source| CaptureError::Io { name: name.clone(), source })?;
        Ok(asked_of(read_capture(&text, &name, SourceKind::Capture)?, scope))
    }
}

fn display_name(path: &Path) -> String {
    if path.as_os_str() == "-" {
        return "(stdin)".to_owned();
    }
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

fn read_text(path: &Path) -> std::io::Result<String> {
    if path.as_os_str() != "-" {
        return std::fs::read_to_string(path);
    }
    let mut text = String::new();
    std::io::stdin().lock().read_to_string(&mut text)?;
    Ok(text)
}

/// The same look, asked about something else where something else was named.
///
/// The agents' answers hold what the capture asked them about: of other subjects it may know less,
/// and the rules see from [`Observation::asked`] that it was not asked.
pub(super) fn asked_of(mut observation: Observation, scope: &Scope) -> Observation {
    if !scope.subjects.is_empty() {
        observation.subjects.clone_from(&scope.subjects);
    }
    observation
}
