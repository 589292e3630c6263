//! Reading: the one trait through which an [`Observation`] comes in, and its three sources.
//!
//! Nothing here decides anything about a VIP, and nothing here writes to a cluster.

mod api;
mod capture;
pub mod cilium_dbg;
mod client;
pub mod convert;
mod crds;
mod demo;
pub mod exec;
mod kubeconfig;
mod live;
mod names;
mod near;
mod proxy;
pub mod stream;

use std::fmt;
use std::time::Duration;

use crate::model::{Observation, Permission, Service, ServiceRef, Subject};

pub(crate) use api::plain_error;
pub use capture::{CaptureError, CaptureFile, read_capture, write_capture};
pub use client::{ConnectError, ConnectSettings, Connection, Impersonation, ProxyEnv, connect};
pub use demo::{DEMOS, Demo, demo};
pub use kubeconfig::{ConfigNames, config_names};
pub(crate) use live::{AGENT_CONTAINER, AGENT_LABEL, DEFAULT_NAMESPACE, clock_offset, one_each};
pub use live::{Live, LiveSettings, ServerVersions};
pub use near::nearest;

/// Where observations come from.
#[expect(async_fn_in_trait, reason = "the runtime has one thread, so nobody needs the future to be Send")]
pub trait Source {
    /// Looks, and keeps what could not be seen as unknown.
    async fn observe(&self, scope: &Scope) -> Result<Observation, ObserveError>;
}

/// What to look at.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Scope {
    /// What was named.
    pub subjects: Vec<Subject>,
    /// What was selected beside it.
    pub selection: Option<Selection>,
}

/// All Services of a kind, instead of names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    /// The namespace; none takes all of them.
    pub namespace: Option<String>,
    /// A label selector.
    pub labels: Option<String>,
}

impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(labels) = &self.labels {
            write!(f, "with labels '{labels}' ")?;
        }
        match &self.namespace {
            Some(namespace) => write!(f, "in namespace {namespace}"),
            None => f.write_str("in any namespace"),
        }
    }
}

/// Whether a Service has a VIP, or could have one: others are no use to be named.
fn explainable(service: &Service) -> bool {
    service.kind == "LoadBalancer" || !service.external_ips.is_empty()
}

/// A Service as it would be typed.
fn typed(id: &ServiceRef) -> String {
    format!("svc/{} -n {}", id.name, id.namespace)
}

/// Some names, and how many more there are.
fn list(names: &[String]) -> String {
    const SHOWN: usize = 5;
    match names.len() {
        0 => "no LoadBalancer Service at all".to_owned(),
        n if n <= SHOWN => names.join(", "),
        n => format!("{} and {} more", names[..SHOWN].join(", "), n - SHOWN),
    }
}

/// Something that happened while looking, for progress and timing notes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A read of the API ended.
    Read {
        /// What was read.
        what: String,
        /// How long it took.
        took: Duration,
        /// Why it failed, where it did.
        trouble: Option<String>,
    },
    /// Agents are being asked.
    Asking {
        /// How many.
        nodes: usize,
    },
    /// One agent answered, or did not.
    Node {
        /// Its node.
        node: String,
        /// How long it took.
        took: Duration,
        /// Bytes received.
        bytes: usize,
        /// Why it is unknown, where it is.
        trouble: Option<String>,
    },
    /// Something that may surprise.
    Note(String),
}

/// Why there is no observation at all.
#[derive(Debug, thiserror::Error)]
pub enum ObserveError {
    /// The cluster could not be reached, or does not know us.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// The file is none.
    #[error(transparent)]
    Capture(#[from] CaptureError),
    /// A Service was named that is not there.
    #[error("services \"{}\" not found in namespace {}", .id.name, .id.namespace)]
    NotFound {
        /// Which.
        id: ServiceRef,
        /// Names that may have been meant, as they would be typed.
        near: Vec<String>,
    },
    /// Its namespace is not there either.
    #[error("namespaces \"{name}\" not found")]
    NoNamespace {
        /// Which.
        name: String,
        /// Names that may have been meant.
        near: Vec<String>,
    },
    /// The named Service may not be read.
    #[error("{text}")]
    Forbidden {
        /// The API server's words.
        text: String,
        /// What is missing.
        permission: Permission,
    },
    /// Nothing matches the selection.
    #[error("no LoadBalancer Service {0}")]
    NothingSelected(Selection),
    /// A saved look does not hold what was named or selected.
    #[error("{holder} holds no {what}; it holds {}", list(.holds))]
    NotCaptured {
        /// The capture or demo.
        holder: String,
        /// What was looked for, as it would be typed.
        what: String,
        /// Services that can be explained from it, as they would be typed.
        holds: Vec<String>,
    },
    /// A saved look holds several Services of the name.
    #[error("{holder} holds svc/{name} in several namespaces: {}", .namespaces.join(", "))]
    Ambiguous {
        /// The capture or demo.
        holder: String,
        /// The name.
        name: String,
        /// Where.
        namespaces: Vec<String>,
    },
    /// No agent pod anywhere.
    #[error("no Cilium agent found: no pod with label {label} {place}")]
    NoCilium {
        /// The label that was looked for.
        label: &'static str,
        /// Where.
        place: String,
    },
    /// A read that everything rests on failed.
    #[error("failed to {what}: {text}")]
    Read {
        /// What was read.
        what: String,
        /// Why it failed.
        text: String,
    },
}
