//! One Service, looked at again and again: what `wait` and `recover` have in common.

use std::time::Duration;

use serde::Serialize;

use super::error::CliError;
use super::kube_flags::duration;
use super::print::Machine;
use super::source::{Look, settings};
use super::subject;
use super::{Call, print};
use crate::diagnose::{Explanation, NotExplainable, SubjectReport, explain};
use crate::migrate::recover::{Remedy, operator_leads, remedy};
use crate::model::{ServiceRef, Subject};
use crate::observe::{Connection, Event, Live, ObserveError, Scope, Source as _};

/// Looks follow each other after this pause.
pub(super) const PAUSE: Duration = Duration::from_millis(500);

/// How the agents are asked.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Reading")]
pub(super) struct Reading {
    /// Compare the tables with the BPF maps; reads the whole map on each node
    #[arg(long)]
    pub deep: bool,
    /// How long one agent may take
    #[arg(long, value_name = "DURATION", default_value = "5s", value_parser = duration)]
    pub node_timeout: Duration,
    /// Namespace of Cilium; found by the agents' label where it is not given
    #[arg(long, value_name = "NAMESPACE", env = "CILIUM_NAMESPACE", hide_env_values = true)]
    pub cilium_namespace: Option<String>,
}

/// Prints a report as it was asked for.
pub(super) fn show<R: Serialize>(output: &str, report: &R, text: fn(&R) -> String) -> Result<(), CliError> {
    Ok(print::out(&match output {
        "json" => Machine::Json.text(report)?,
        "yaml" => Machine::Yaml.text(report)?,
        _ => text(report),
    })?)
}

/// What one look showed.
pub(super) struct Looked {
    /// All that explain says.
    pub subject: SubjectReport,
    /// What mends it.
    pub remedy: Remedy,
}

/// A Service and the way to look at it.
pub(super) struct Watched {
    /// Which.
    pub id: ServiceRef,
    /// To its cluster.
    pub connection: Connection,
    live: Live,
}

impl Watched {
    /// Connects; `word` is the Service as it was typed.
    pub async fn begin(
        word: &str,
        reading: &Reading,
        call: &Call<'_>,
        events: Box<dyn Fn(Event)>,
    ) -> Result<Self, CliError> {
        let typed = subject::parse(&[word.to_owned()], call.kube.namespace.as_deref())?;
        let connection = call.kube.connect().await?;
        let subject = typed.into_iter().next().map(|typed| typed.subject(&connection.namespace));
        let Some(Subject::Service(id)) = subject else {
            return Err(CliError::usage(format!("'{word}' is not a Service"))
                .hint(format!("kubectl vipctl {} svc/NAME -n NAMESPACE", call.name)));
        };
        let look = Look {
            no_exec: false,
            deep: reading.deep,
            nodes: None,
            node_timeout: reading.node_timeout,
            concurrency: 16,
            cilium_namespace: reading.cilium_namespace.clone(),
        };
        let live = Live::new(connection.clone(), settings(&look, call.kube, None), events);
        Ok(Self { id, connection, live })
    }

    /// Looks once and explains.
    pub async fn look(&self) -> Result<Looked, CliError> {
        self.try_look().await?
    }

    /// The same, with an error of the look itself apart: it may pass.
    pub async fn try_look(&self) -> Result<Result<Looked, CliError>, ObserveError> {
        let scope = Scope { subjects: vec![Subject::Service(self.id.clone())], selection: None };
        let observation = self.live.observe(&scope).await?;
        let missing = || NotExplainable::NoSuchService(self.id.clone());
        let first = |explanation: Explanation| explanation.subjects.into_iter().next().ok_or_else(missing);
        let subject = explain(&observation).and_then(first);
        let operator = operator_leads(&observation);
        Ok(subject.map(|subject| Looked { remedy: remedy(&subject, operator), subject }).map_err(CliError::from))
    }

    /// The commands about it, with the user's connection flags.
    pub fn command(&self, verb: &str, call: &Call<'_>) -> String {
        let mut words = vec![format!("kubectl vipctl {verb} svc/{} -n {}", self.id.name, self.id.namespace)];
        words.extend(call.kube.to_repeat());
        words.join(" ")
    }
}
