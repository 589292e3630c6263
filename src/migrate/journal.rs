//! The journal as a ConfigMap: how an intent is kept, and who works on it. Pure.

use std::fmt;

use jiff::Timestamp;
use serde_json::{Value, json};

use super::intent::{FORMAT, Intent};
use super::specs::{MANAGER, OURS};
use crate::model::PortKey;

/// The key of the ConfigMap's data that holds the intent.
pub const KEY: &str = "intent.json";

/// The labels of every journal, as a selector.
pub const SELECTOR: &str = "vipctl.dev/journal=migration";

/// Who works on a migration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Runner {
    /// The user.
    pub name: String,
    /// The host.
    pub host: String,
    /// The process.
    pub pid: u32,
}

impl fmt::Display for Runner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{} (process {})", self.name, self.host, self.pid)
    }
}

impl Runner {
    fn written(&self) -> String {
        format!("{}@{}/{}", self.name, self.host, self.pid)
    }

    fn read(text: &str) -> Option<Self> {
        let (rest, pid) = text.rsplit_once('/')?;
        let (name, host) = rest.rsplit_once('@')?;
        Some(Self { name: name.to_owned(), host: host.to_owned(), pid: pid.parse().ok()? })
    }
}

/// A journal as it is in the cluster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Journal {
    /// What is wanted.
    pub intent: Intent,
    /// Who works on it; none where nobody does.
    pub runner: Option<Runner>,
    /// When the runner last said that it lives, by its clock.
    pub heartbeat: Option<Timestamp>,
    /// How it was finished: `done` or `rolledBack`; none where it is not.
    pub finished: Option<String>,
    /// Why it stands still, in words.
    pub note: Option<String>,
    /// When it was made.
    pub created: Option<Timestamp>,
    /// The ConfigMap's namespace: that of the target.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// Its UID; empty before it is made.
    pub uid: String,
    /// Its resourceVersion; empty before it is made.
    pub resource_version: String,
}

/// A ConfigMap that should be a journal and cannot be read as one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "configmap {namespace}/{name} is no journal that this version reads ({why}); use the version that wrote it, or delete it and explain both Services"
)]
pub struct Unreadable {
    /// Its namespace.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// Why.
    pub why: String,
}

/// The name of the migration whose first port is this.
#[must_use]
pub fn id_of(key: PortKey) -> String {
    let address = key.vip.to_string().replace("::", "-z-").replace([':', '.'], "-");
    format!("{}-{}-{}", address.trim_matches('-'), key.port, key.proto.to_string().to_lowercase())
}

/// The name of a migration's ConfigMap.
#[must_use]
pub fn name_of(id: &str) -> String {
    format!("vipctl-{id}")
}

impl Journal {
    /// A new journal, not in the cluster yet.
    #[must_use]
    pub fn new(intent: Intent, runner: Runner, now: Timestamp) -> Self {
        Self {
            namespace: intent.target.service.namespace.clone(),
            name: name_of(&intent.id),
            intent,
            runner: Some(runner),
            heartbeat: Some(now),
            finished: None,
            note: None,
            created: None,
            uid: String::new(),
            resource_version: String::new(),
        }
    }

    /// The ConfigMap; with the resourceVersion from which it is written.
    #[must_use]
    pub fn config_map(&self) -> Value {
        let mut notes = serde_json::Map::new();
        let mut note = |name: &str, value: Option<String>| {
            if let Some(value) = value {
                notes.insert(format!("{OURS}{name}"), value.into());
            }
        };
        note("runner", self.runner.as_ref().map(Runner::written));
        note("heartbeat", self.heartbeat.map(|at| at.to_string()));
        note("finished", self.finished.clone());
        note("note", self.note.clone());
        let mut metadata = json!({
            "namespace": self.namespace,
            "name": self.name,
            "labels": { "app.kubernetes.io/managed-by": MANAGER, format!("{OURS}journal"): "migration" },
            "annotations": notes,
        });
        if !self.resource_version.is_empty() {
            metadata["uid"] = self.uid.clone().into();
            metadata["resourceVersion"] = self.resource_version.clone().into();
        }
        let text = serde_json::to_string_pretty(&self.intent).unwrap_or_default();
        json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": { KEY: text } })
    }

    /// Reads a ConfigMap.
    ///
    /// # Errors
    /// Where it holds no intent of this version's format.
    pub fn read(object: &Value) -> Result<Self, Unreadable> {
        let meta = &object["metadata"];
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let (namespace, name) = (text(&meta["namespace"]), text(&meta["name"]));
        let unreadable = |why: String| Unreadable { namespace: namespace.clone(), name: name.clone(), why };
        let data = object["data"][KEY].as_str().ok_or_else(|| unreadable(format!("it has no {KEY}")))?;
        let value: Value = serde_json::from_str(data).map_err(|error| unreadable(format!("{KEY}: {error}")))?;
        if value["format"] != FORMAT {
            return Err(unreadable(format!("{KEY} has format {}, not {FORMAT}", value["format"])));
        }
        let intent: Intent = serde_json::from_value(value).map_err(|error| unreadable(format!("{KEY}: {error}")))?;
        for party in [&intent.source, &intent.target] {
            if !is_service(&party.before) {
                return Err(unreadable(format!("{KEY} does not say what {} was", party.service)));
            }
        }
        let note = |key: &str| meta["annotations"][format!("{OURS}{key}")].as_str().map(str::to_owned);
        Ok(Self {
            intent,
            runner: note("runner").as_deref().and_then(Runner::read),
            heartbeat: note("heartbeat").and_then(|at| at.parse().ok()),
            finished: note("finished"),
            note: note("note"),
            created: meta["creationTimestamp"].as_str().and_then(|at| at.parse().ok()),
            uid: text(&meta["uid"]),
            resource_version: text(&meta["resourceVersion"]),
            namespace: namespace.clone(),
            name: name.clone(),
        })
    }
}

/// Whether it has the form that writes are made from.
fn is_service(object: &Value) -> bool {
    let map = |pointer: &str| object.pointer(pointer).is_some_and(Value::is_object);
    let notes = object.pointer("/metadata/annotations").is_none_or(Value::is_object);
    map("/metadata") && map("/spec") && notes && object["spec"]["ports"].is_array()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_names_that_kubernetes_takes() {
        let id = |key: &str| id_of(key.parse().expect(key));
        assert_eq!(id("192.0.2.10:80/TCP"), "192-0-2-10-80-tcp");
        assert_eq!(id("[2001:db8::1]:53/UDP"), "2001-db8-z-1-53-udp");
        assert_eq!(id("[::1]:53/UDP"), "z-1-53-udp");
        assert_ne!(id("[1::2:3]:80/TCP"), id("[1:2::3]:80/TCP"));
        for key in ["192.0.2.10:80/TCP", "[fe80::]:1/SCTP", "[2001:db8:1:2:3:4:5:6]:65535/TCP"] {
            let name = name_of(&id(key));
            assert!(name.len() <= 63 && name.ends_with(|c: char| c.is_ascii_alphanumeric()), "{name}");
            assert!(name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'), "{name}");
        }
    }

    #[test]
    fn a_runner_survives_its_text() {
        let runner = Runner { name: "ann@corp".to_owned(), host: "box-1.example".to_owned(), pid: 42 };
        assert_eq!(runner.written(), "ann@corp@box-1.example/42");
        assert_eq!(Runner::read(&runner.written()), Some(runner));
        assert_eq!(Runner::read("nobody"), None);
    }

    #[test]
    fn what_is_no_journal_is_said_with_its_name() {
        let broken = |data: Value| {
            let object = json!({"metadata": {"namespace": "shop", "name": "vipctl-x"}, "data": data});
            Journal::read(&object).expect_err("no journal").to_string()
        };
        assert!(broken(json!({})).contains("shop/vipctl-x") && broken(json!({})).contains(KEY));
        assert!(broken(json!({ KEY: "{" })).contains(KEY));
        assert!(broken(json!({ KEY: "{\"format\":\"vipctl.dev/journal/v9\"}" })).contains("v9"));
        assert!(broken(json!({ KEY: format!("{{\"format\":\"{FORMAT}\"}}") })).contains("missing field"));
    }
}
