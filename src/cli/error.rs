//! One error at the edge: what happened, what to do about it, and the exit code.

use serde::Serialize;

use super::print::{self, Machine};
use crate::diagnose::{Code, NotExplainable};
use crate::exit;
use crate::model::{Permission, ServiceRef};
use crate::observe::{CaptureError, ConnectError, ObserveError};

/// An error as the user sees it.
#[derive(Debug)]
pub(super) struct CliError {
    /// One word for programs: `NotFound`, `Forbidden`, …
    reason: &'static str,
    /// True where the API server said so: kubectl words such errors in another way.
    server: bool,
    message: String,
    hints: Vec<String>,
    exit: u8,
    permission: Option<Box<Permission>>,
}

/// The error as a program reads it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report<'a> {
    api_version: &'static str,
    kind: &'static str,
    exit: u8,
    error: Body<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    code: Option<&'static str>,
    reason: &'a str,
    message: &'a str,
    hint: Option<String>,
    retryable: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    permission: Option<&'a Permission>,
}

impl CliError {
    fn new(reason: &'static str, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { reason, server: false, message, hints: Vec::new(), exit: exit::ERROR, permission: None }
    }

    /// Wrong usage.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new("Usage", message)
    }

    /// A file that cannot be written.
    pub fn file(error: &anyhow::Error) -> Self {
        Self::new("File", format!("{error:#}"))
    }

    /// A write that the API server does not take.
    pub fn refused_write(id: &ServiceRef, text: &str) -> Self {
        Self::new("Refused", format!("the API server refused to write svc/{} (ns {}): {text}", id.name, id.namespace))
            .hint("the Role to apply: kubectl vipctl code VIP9101 -o yaml")
    }

    /// The question was not answered with yes.
    pub fn declined(wanted: &str) -> Self {
        Self {
            exit: exit::INTERRUPTED,
            ..Self::new("Declined", format!("the answer was not {wanted}: nothing was written"))
        }
    }

    /// Something that must not be done now; nothing was written.
    pub fn refused(message: impl Into<String>) -> Self {
        Self { exit: exit::REFUSED, ..Self::new("Refused", message) }
    }

    /// A migration that has its journal and did not get further.
    pub fn stopped(message: impl Into<String>) -> Self {
        Self { exit: exit::STOPPED, ..Self::new("Stopped", message) }
    }

    /// Something of this program's own that is not there.
    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new("NotFound", message)
    }

    /// Trouble with the cluster, in its words.
    pub fn failed(message: impl Into<String>) -> Self {
        Self::new("Failed", message)
    }

    /// Ctrl-C.
    pub fn interrupted() -> Self {
        Self { exit: exit::INTERRUPTED, ..Self::new("Interrupted", "interrupted") }
    }

    /// Adds a line that says what to do.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// Prints it and gives the exit code.
    pub fn report(&self, machine: Option<Machine>) -> u8 {
        if let Some(format) = machine {
            self.print_as(format);
        }
        let head = if self.server { format!("Error from server ({}): ", self.reason) } else { "error: ".to_owned() };
        let mut text = format!("{head}{}\n", self.message);
        for hint in &self.hints {
            text.push_str("hint: ");
            text.push_str(hint);
            text.push('\n');
        }
        print::err(&text);
        self.exit
    }

    fn print_as(&self, format: Machine) {
        let code = (self.reason == "Forbidden").then(|| Code::ApiUnreadable.id());
        let hint = (!self.hints.is_empty()).then(|| self.hints.join("\n"));
        let retryable = matches!(self.reason, "Unreachable" | "Interrupted");
        let error = Body {
            code,
            reason: self.reason,
            message: &self.message,
            hint,
            retryable,
            permission: self.permission.as_deref(),
        };
        let report = Report { api_version: "vipctl.dev/v1", kind: "Error", exit: self.exit, error };
        if let Ok(text) = format.text(&report) {
            // The error itself follows on standard error.
            let _ = print::out(&text);
        }
    }
}

/// Reports a line that clap refused, or prints the help that was asked for.
pub(super) fn usage(error: &clap::Error, machine: Option<Machine>) -> u8 {
    let mut text = error.render().to_string();
    if !error.use_stderr() {
        return match print::out(&text) {
            Ok(()) => exit::OK,
            Err(error) => CliError::from(error).report(None),
        };
    }
    if error.kind() == clap::error::ErrorKind::ArgumentConflict {
        // The usage that clap adds shows one of the two as required.
        text.truncate(text.find("\n\n").map_or(text.len(), |end| end + 1));
    }
    if let Some(format) = machine {
        CliError::usage(text.trim_start_matches("error: ").trim_end()).print_as(format);
    }
    print::err(&text);
    exit::ERROR
}

impl From<anyhow::Error> for CliError {
    /// Trouble that nobody can do much about but read it.
    fn from(error: anyhow::Error) -> Self {
        Self::new("Internal", format!("{error:#}"))
    }
}

impl From<ConnectError> for CliError {
    fn from(error: ConnectError) -> Self {
        let message = error.to_string();
        match error {
            ConnectError::NoConfig(_) => Self::new("NoConfig", message)
                .hint("choose a cluster with --kubeconfig, --context or the variable KUBECONFIG")
                .hint("try it without a cluster: kubectl vipctl explain --demo stuck-claim"),
            ConnectError::Unknown { kind, known, .. } if !known.is_empty() => {
                Self::new("Config", message).hint(format!("{kind}s there are: {}", known.join(", ")))
            }
            ConnectError::Unknown { .. } | ConnectError::Invalid(_) => Self::new("Config", message),
            ConnectError::Plugin { hint, .. } => {
                let error = Self::new("Credentials", message);
                match hint {
                    Some(hint) => error.hint(hint.trim()),
                    None => error,
                }
            }
            ConnectError::Unreachable { context: None, .. } => {
                Self::new("Unreachable", message).hint("is this the right address? It comes from --server or --cluster")
            }
            ConnectError::Unreachable { .. } => Self::new("Unreachable", message)
                .hint("is this the right context? `kubectl config get-contexts` lists them, --context chooses one"),
            ConnectError::Unauthorized { .. } => {
                Self::new("Unauthorized", message).hint("log in again, or choose another user with --user or --token")
            }
        }
    }
}

impl From<CaptureError> for CliError {
    fn from(error: CaptureError) -> Self {
        let message = error.to_string();
        match error {
            CaptureError::NoDemo(_) => {
                let list = print::demo_list().replace('\n', "\n  ");
                Self::new("NotFound", message).hint(format!("demos there are:\n  {}", list.trim_end()))
            }
            CaptureError::Format { .. } => {
                Self::new("Capture", message).hint("record it again with `kubectl vipctl capture` of this version")
            }
            CaptureError::Foreign { .. } => {
                Self::new("Capture", message).hint("`kubectl vipctl capture svc/NAME -f FILE` writes one")
            }
            CaptureError::Io { .. } | CaptureError::Json { .. } | CaptureError::Name { .. } => {
                Self::new("Capture", message)
            }
        }
    }
}

impl From<NotExplainable> for CliError {
    fn from(error: NotExplainable) -> Self {
        match error {
            NotExplainable::NoSuchService(_) => Self::new("NotFound", error.to_string()),
            NotExplainable::NoVip { .. } => Self::new("NotAVip", error.to_string())
                .hint("ask for the Service: kubectl vipctl explain svc/NAME -n NAMESPACE"),
            NotExplainable::NoLoadBalancer { .. } => Self::new("NotALoadBalancer", error.to_string()),
        }
    }
}

impl From<ObserveError> for CliError {
    fn from(error: ObserveError) -> Self {
        let message = error.to_string();
        match error {
            ObserveError::Connect(inner) => inner.into(),
            ObserveError::Capture(inner) => inner.into(),
            ObserveError::NotFound { near, .. } => {
                let error = Self { server: true, ..Self::new("NotFound", message) };
                if near.is_empty() { error } else { error.hint(format!("did you mean: {}", near.join(", "))) }
            }
            ObserveError::NoNamespace { near, .. } => {
                let error = Self { server: true, ..Self::new("NotFound", message) };
                if near.is_empty() { error } else { error.hint(format!("did you mean: -n {}", near.join(", -n "))) }
            }
            ObserveError::Forbidden { permission, .. } => {
                let error = Self { server: true, ..Self::new("Forbidden", message) };
                let error = error.hint(format!("missing permission: {permission}"));
                let error = error.hint("the Role to apply: kubectl vipctl code VIP9101 -o yaml");
                Self { permission: Some(Box::new(permission)), ..error }
            }
            ObserveError::NotCaptured { .. } | ObserveError::NothingSelected(_) => Self::new("NotFound", message),
            ObserveError::Ambiguous { .. } => Self::new("Usage", message).hint("choose one of them with -n"),
            ObserveError::NoCilium { .. } => Self::new("NoCilium", message)
                .hint("say where Cilium runs with --cilium-namespace (or the variable CILIUM_NAMESPACE)"),
            ObserveError::Read { .. } => Self::new("Failed", message),
        }
    }
}
