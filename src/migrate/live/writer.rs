//! Writes to Services and slices: each once, with its own deadline, and read back.

use std::time::Duration;

use jiff::Timestamp;
use k8s_openapi::api::discovery::v1::EndpointSlice;
use kube::api::Preconditions;
use serde_json::{Value, json};

use super::call::{Caller, Failure, Mode};
use crate::migrate::cluster::Outcome;
use crate::migrate::specs::{Change, MANAGER};
use crate::migrate::world::SliceId;
use crate::model::ServiceRef;

/// Writes to a cluster. The client must not retry by itself; `observe::connect` makes one that does not.
#[derive(Clone)]
pub struct Writer {
    caller: Caller,
}

/// What an Event says about a Service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The Service.
    pub about: ServiceRef,
    /// Its UID.
    pub uid: String,
    /// One word, e.g. `VIPClaimed`.
    pub reason: &'static str,
    /// A sentence.
    pub text: String,
    /// Whether somebody should look.
    pub warning: bool,
}

impl Writer {
    /// `deadline` is that of each request.
    #[must_use]
    pub fn new(client: kube::Client, deadline: Duration) -> Self {
        Self { caller: Caller { client, deadline } }
    }

    /// Reads a Service as the API holds it; none where it is not there.
    ///
    /// # Errors
    /// Why it could not be read.
    pub async fn get(&self, service: &ServiceRef) -> Result<Option<Value>, String> {
        self.caller.get(&services(service), &service.name).await.map_err(Failure::text)
    }

    /// The EndpointSlices of a Service, ours among them.
    ///
    /// # Errors
    /// Why they could not be read.
    pub async fn slices(&self, service: &ServiceRef) -> Result<Vec<EndpointSlice>, String> {
        let labels = format!("kubernetes.io/service-name={}", service.name);
        self.caller.list(&endpoint_slices(&service.namespace), &labels).await.map_err(Failure::text)
    }

    /// Writes to a Service and reads it back.
    pub async fn change(&self, service: &ServiceRef, change: &Change) -> Outcome {
        match self.send(service, change).await {
            Outcome::Done => self.read_back(service, change).await,
            other => other,
        }
    }

    /// Writes to a Service and takes the server's answer for it: for two writes that must follow each
    /// other closely. [`Writer::read_back`] is for afterwards.
    pub async fn send(&self, service: &ServiceRef, change: &Change) -> Outcome {
        match self.write(service, change, Mode::Real).await {
            Ok(answer) => {
                strayed(change, &answer).map_or(Outcome::Done, |path| Outcome::Refused(stored_otherwise(&path)))
            }
            Err(failure) => failure.outcome(),
        }
    }

    /// Looks whether a change that was answered is there.
    pub async fn read_back(&self, service: &ServiceRef, change: &Change) -> Outcome {
        // The server's answer has told that it is done, and nothing is decided before the next look.
        let Ok(object) = self.caller.get(&services(service), &service.name).await else { return Outcome::Done };
        match (change, &object) {
            (Change::Delete { uid, .. }, Some(object)) => {
                let same = object["metadata"]["uid"] == **uid;
                let held = same && object["metadata"].get("deletionTimestamp").is_none();
                if held { Outcome::Unknown("deleted, but still there".to_owned()) } else { Outcome::Done }
            }
            (Change::Delete { .. }, None) => Outcome::Done,
            (_, None) => Outcome::Conflict("written, and then deleted by somebody else".to_owned()),
            (_, Some(object)) => strayed(change, object).map_or(Outcome::Done, |path| {
                Outcome::Conflict(format!("{path} was written, and then changed by somebody else"))
            }),
        }
    }

    /// Asks the API server whether it would take a change; nothing is written.
    ///
    /// # Errors
    /// The server's words.
    pub async fn dry_run(&self, service: &ServiceRef, change: &Change) -> Result<(), String> {
        let answer = self.write(service, change, Mode::Dry).await.map_err(Failure::text)?;
        strayed(change, &answer).map_or(Ok(()), |path| Err(stored_otherwise(&path)))
    }

    async fn write(&self, service: &ServiceRef, change: &Change, mode: Mode) -> Result<Value, Failure> {
        let path = services(service);
        match change {
            Change::Patch(patch) => self.caller.patch(&path, &service.name, patch, mode).await,
            Change::Create(object) => self.caller.create(&path, object, mode).await,
            Change::Delete { uid, resource_version } => {
                let only = Preconditions { uid: Some(uid.clone()), resource_version: Some(resource_version.clone()) };
                self.caller.delete(&path, &service.name, only, mode).await
            }
        }
    }

    /// Makes a slice.
    pub async fn create_slice(&self, id: &SliceId, object: &Value) -> Outcome {
        done(self.caller.create(&endpoint_slices(&id.namespace), object, Mode::Real).await)
    }

    /// Gives a slice the endpoints of `object`.
    pub async fn update_slice(&self, id: &SliceId, object: &Value) -> Outcome {
        done(self.caller.patch(&endpoint_slices(&id.namespace), &id.name, object, Mode::Real).await)
    }

    /// Removes a slice; one that is not there is removed.
    pub async fn delete_slice(&self, id: &SliceId) -> Outcome {
        let any = Preconditions::default();
        match self.caller.delete(&endpoint_slices(&id.namespace), &id.name, any, Mode::Real).await {
            Err(Failure::Missing(_)) => Outcome::Done,
            other => done(other),
        }
    }

    /// Tells of a Service in a Kubernetes Event.
    ///
    /// # Errors
    /// Why it could not be written; nothing depends on it.
    pub async fn event(&self, note: &Note) -> Result<(), String> {
        const MOST: usize = 1000;
        let path = format!("/apis/events.k8s.io/v1/namespaces/{}/events", note.about.namespace);
        let event = json!({
            "apiVersion": "events.k8s.io/v1",
            "kind": "Event",
            "metadata": { "generateName": format!("{}.vipctl-", note.about.name), "namespace": note.about.namespace },
            "eventTime": format!("{:.6}", Timestamp::now()),
            "type": if note.warning { "Warning" } else { "Normal" },
            "reason": note.reason,
            "action": "Migrate",
            "note": note.text.chars().take(MOST).collect::<String>(),
            "reportingController": MANAGER,
            "reportingInstance": MANAGER,
            "regarding": { "apiVersion": "v1", "kind": "Service", "namespace": note.about.namespace,
                           "name": note.about.name, "uid": note.uid },
        });
        self.caller.create(&path, &event, Mode::Real).await.map(drop).map_err(Failure::text)
    }
}

fn services(service: &ServiceRef) -> String {
    format!("/api/v1/namespaces/{}/services", service.namespace)
}

fn endpoint_slices(namespace: &str) -> String {
    format!("/apis/discovery.k8s.io/v1/namespaces/{namespace}/endpointslices")
}

fn done(answer: Result<Value, Failure>) -> Outcome {
    answer.map_or_else(Failure::outcome, |_| Outcome::Done)
}

fn stored_otherwise(path: &str) -> String {
    format!("the API server accepts it but stores another {path}; an admission webhook may be changing it")
}

/// Where an object is not what a change asked for.
fn strayed(change: &Change, object: &Value) -> Option<String> {
    match change {
        Change::Patch(wanted) | Change::Create(wanted) => stray(wanted, object, String::new()),
        Change::Delete { .. } => None,
    }
}

/// The first path at which `object` lacks what is wanted; what it has beyond that is the server's.
fn stray(wanted: &Value, object: &Value, path: String) -> Option<String> {
    let found = match (wanted, object) {
        (Value::Object(wanted), _) => wanted.iter().find_map(|(name, value)| {
            let skip = path == ".metadata" && name == "resourceVersion";
            (!skip).then(|| stray(value, object.get(name).unwrap_or(&Value::Null), format!("{path}.{name}"))).flatten()
        }),
        (Value::Array(wanted), Value::Array(items)) if wanted.len() == items.len() => {
            wanted.iter().zip(items).find_map(|(wanted, item)| stray(wanted, item, path.clone()))
        }
        _ => (wanted != object).then_some(path),
    };
    found.map(|path| path.trim_start_matches('.').to_owned())
}

#[cfg(test)]
#[path = "writer_tests.rs"]
mod tests;
