//! Captures: one observation in one JSON file.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::{ObserveError, Scope, Source, explainable, typed};
use crate::model::{FORMAT, Observation, Service, ServiceRef, SourceKind, Subject};

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
    /// It is something else.
    #[error("{name} is not a capture of this program: {text}")]
    Foreign {
        /// The file.
        name: String,
        /// What tells.
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
    /// It holds a name that would be dangerous in a command.
    #[error("capture {name} holds a name that no Kubernetes object has: '{value}' in {field}")]
    Name {
        /// The file.
        name: String,
        /// Where in it.
        field: String,
        /// The name.
        value: String,
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

/// What all formats of captures begin with.
const FORMATS: &str = "vipctl.dev/capture/";

/// The part of a capture that says what it is.
#[derive(serde::Deserialize)]
struct Head {
    format: Option<String>,
}

/// Reads a capture; `name` is for errors and becomes the context.
///
/// # Errors
/// As [`CaptureError`], without the first.
pub fn read_capture(text: &str, name: &str, kind: SourceKind) -> Result<Observation, CaptureError> {
    let foreign = |text: String| CaptureError::Foreign { name: name.to_owned(), text };
    let json_error = |error: serde_json::Error| {
        // What is cut off was a capture all the same.
        if !text.contains(FORMATS) {
            return foreign(error.to_string());
        }
        let full = error.to_string();
        // The position is told apart from the text.
        let text = full.rsplit_once(" at line ").map_or(full.as_str(), |(text, _)| text).to_owned();
        CaptureError::Json { name: name.to_owned(), line: error.line(), column: error.column(), text }
    };
    // The format first: another one need not have any of our fields.
    let head: Head = serde_json::from_str(text).map_err(json_error)?;
    match head.format {
        Some(format) if format == FORMAT => {}
        Some(found) if found.starts_with(FORMATS) => {
            return Err(CaptureError::Format { name: name.to_owned(), found });
        }
        Some(found) => return Err(foreign(format!("its format is '{found}'"))),
        None => return Err(foreign("it names no format".to_owned())),
    }
    let mut observation: Observation = serde_json::from_str(text).map_err(json_error)?;
    if let Some((field, value)) = super::names::first_bad(&observation) {
        return Err(CaptureError::Name { name: name.to_owned(), field, value: value.escape_default().to_string() });
    }
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
        let piped = self.path.as_os_str() == "-";
        // Errors name the file as it was typed, the explanation names the file alone.
        let name = if piped { "(stdin)".to_owned() } else { self.path.display().to_string() };
        let text = read_text(&self.path).map_err(|source| CaptureError::Io { name: name.clone(), source })?;
        let mut observation = read_capture(&text, &name, SourceKind::Capture)?;
        if let (false, Some(file)) = (piped, self.path.file_name()) {
            observation.origin.context = file.to_string_lossy().into_owned();
        }
        asked_of(observation, scope)
    }
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
/// A Service without a namespace is looked for by its name alone. The agents' answers hold what the
/// capture asked them about: of other subjects it may know less, and the rules see from
/// [`Observation::asked`] that it was not asked.
pub(super) fn asked_of(mut observation: Observation, scope: &Scope) -> Result<Observation, ObserveError> {
    let held = Held::of(&observation);
    let mut subjects = Vec::new();
    for subject in &scope.subjects {
        subjects.push(match subject {
            Subject::Service(id) => Subject::Service(held.find(id)?),
            other => other.clone(),
        });
    }
    if let Some(selection) = &scope.selection {
        let here = |s: &&Service| selection.namespace.as_ref().is_none_or(|ns| *ns == s.id.namespace);
        let chosen = held.services.iter().filter(|s| explainable(s)).filter(here);
        subjects.extend(chosen.map(|s| Subject::Service(s.id.clone())));
        if subjects.is_empty() {
            return Err(held.nothing(format!("LoadBalancer Service {selection}")));
        }
    }
    if subjects.is_empty() && observation.subjects.is_empty() {
        return Err(held.nothing("subject".to_owned()));
    }
    if !subjects.is_empty() {
        observation.subjects = subjects;
    }
    Ok(observation)
}

/// The Services of a saved look.
struct Held<'a> {
    holder: String,
    services: &'a [Service],
}

impl<'a> Held<'a> {
    fn of(observation: &'a Observation) -> Self {
        let holder = match observation.origin.kind {
            SourceKind::Demo => format!("the demo {}", observation.origin.context),
            _ => "the capture".to_owned(),
        };
        Self { holder, services: observation.services.known().map_or(&[], Vec::as_slice) }
    }

    fn find(&self, id: &ServiceRef) -> Result<ServiceRef, ObserveError> {
        let fits = |s: &&Service| s.id.name == id.name && (id.namespace.is_empty() || s.id.namespace == id.namespace);
        let found: Vec<&ServiceRef> = self.services.iter().filter(fits).map(|s| &s.id).collect();
        match found[..] {
            [one] => Ok(one.clone()),
            [] if id.namespace.is_empty() => Err(self.nothing(format!("svc/{}", id.name))),
            [] => Err(self.nothing(typed(id))),
            _ => Err(ObserveError::Ambiguous {
                holder: self.holder.clone(),
                name: id.name.clone(),
                namespaces: found.iter().map(|id| id.namespace.clone()).collect(),
            }),
        }
    }

    fn nothing(&self, what: String) -> ObserveError {
        let holds = self.services.iter().filter(|s| explainable(s)).map(|s| typed(&s.id)).collect();
        ObserveError::NotCaptured { holder: self.holder.clone(), what, holds }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::Selection;

    #[test]
    fn a_capture_without_a_subject_answers_nothing() {
        let text = include_str!("../../tests/fixtures/captures/healthy.json");
        let healthy = || read_capture(text, "healthy", SourceKind::Capture).expect("a capture");
        let selection = Some(Selection { namespace: Some("no-such".to_owned()), labels: None });
        for (subjects, scope) in
            [(Vec::new(), Scope::default()), (healthy().subjects, Scope { subjects: Vec::new(), selection })]
        {
            let error = asked_of(Observation { subjects, ..healthy() }, &scope).expect_err("nothing is selected");
            assert!(matches!(error, ObserveError::NotCaptured { .. }), "{error}");
        }
        assert_eq!(asked_of(healthy(), &Scope::default()).expect("its own subjects").subjects, healthy().subjects);
    }

    #[test]
    fn flags_stay_out_of_captures() {
        let text = include_str!("../../tests/fixtures/captures/healthy.json");
        let strange = text.replacen(r#""origin": {"#, r#""origin": {"flags": ["; reboot"], "#, 1);
        assert_ne!(strange, text);
        let mut observation = read_capture(&strange, "x", SourceKind::Capture).expect("a capture");
        assert!(observation.origin.flags.is_empty());
        observation.origin.flags = vec!["--context".to_owned(), "lab".to_owned()];
        assert!(!write_capture(&observation).expect("JSON").contains("--context\""));
    }
}
