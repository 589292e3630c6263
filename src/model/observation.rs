//! One look at a cluster: everything `explain` decides from, in one value that can be saved.

use std::collections::BTreeMap;
use std::net::IpAddr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Advertisement, Agent, BgpNode, EndpointSlice, L2Policy, Lease, Node, Pool, PortKey, Service, ServiceRef};

/// The capture format that this program writes and reads.
pub const FORMAT: &str = "vipctl.dev/capture/v1";

/// Everything that was read, and why the rest was not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Observation {
    /// [`FORMAT`].
    pub format: String,
    /// When the look began. This and every other time of reading is by the API server's clock where the
    /// two differ by more than the server's answer can hide: Leases and writes are dated by the cluster.
    pub taken_at: Timestamp,
    /// Where it came from.
    pub origin: Origin,
    /// What was asked, so that a capture answers the same question again.
    pub subjects: Vec<Subject>,
    /// Which VIPs and Services the agents were asked about.
    pub asked: Asked,
    /// The Cilium installation.
    pub install: Install,
    /// Services: every LoadBalancer Service, those asked for, those that agents named as owners, and where
    /// an address was asked for, all others that have it in any way (also as a node port).
    pub services: Read<Vec<Service>>,
    /// Why the LoadBalancer Services could not be listed, where `services` holds only those that
    /// were got by name: then a Service that is not in it may be there all the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub others_missing: Option<Missing>,
    /// Services that were looked for by name and are not there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub absent: Vec<ServiceRef>,
    /// EndpointSlices of the Services asked for.
    pub slices: Read<Vec<EndpointSlice>>,
    /// LB-IPAM pools.
    pub pools: Read<Vec<Pool>>,
    /// L2 announcement policies.
    pub l2_policies: Read<Vec<L2Policy>>,
    /// BGP advertisements of Services.
    pub advertisements: Read<Vec<Advertisement>>,
    /// BGP sessions of the nodes; captures of earlier releases do not hold them.
    #[serde(default = "not_captured")]
    pub bgp_nodes: Read<Vec<BgpNode>>,
    /// Leases of L2 announcements in Cilium's namespace.
    pub leases: Read<Vec<Lease>>,
    /// Nodes.
    pub nodes: Read<Vec<Node>>,
    /// The agents, by node name.
    pub agents: Vec<Agent>,
}

/// For what an older capture has no field for.
fn not_captured<T>() -> Read<T> {
    let text = "not in this capture".to_owned();
    Read::Unknown(Missing { kind: MissingKind::NotAsked, text, permission: None })
}

/// Something read, or why it was not. Unknown is never the same as empty.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Read<T> {
    /// It was read.
    Known {
        /// What it was.
        value: T,
        /// When, by the same clock as [`Observation::taken_at`].
        at: Timestamp,
    },
    /// It could not be read.
    Unknown(Missing),
}

impl<T> Read<T> {
    /// The value, where there is one.
    #[must_use]
    pub fn known(&self) -> Option<&T> {
        match self {
            Self::Known { value, .. } => Some(value),
            Self::Unknown(_) => None,
        }
    }

    /// When it was read, where it was.
    #[must_use]
    pub fn at(&self) -> Option<Timestamp> {
        match self {
            Self::Known { at, .. } => Some(*at),
            Self::Unknown(_) => None,
        }
    }

    /// Why it is not known, where it is not.
    #[must_use]
    pub fn missing(&self) -> Option<&Missing> {
        match self {
            Self::Known { .. } => None,
            Self::Unknown(missing) => Some(missing),
        }
    }
}

/// Why something could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Missing {
    /// The kind of trouble.
    pub kind: MissingKind,
    /// In words, a fragment that reads after a colon.
    pub text: String,
    /// The permission that would cure it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permission: Option<Permission>,
}

impl std::fmt::Display for Missing {
    /// The API server's words on a refusal name each object; the permission is shorter, and the same for all.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.permission {
            Some(permission) => write!(f, "forbidden (needs {permission})"),
            None => f.write_str(&self.text),
        }
    }
}

/// The kinds of trouble.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum MissingKind {
    /// The API server refused it to this user.
    Forbidden,
    /// The API server does not serve this kind of object.
    NotServed,
    /// No answer before the deadline.
    Timeout,
    /// The answer ended in the middle.
    Truncated,
    /// The answer came but could not be understood.
    Unreadable,
    /// The agent (or the API server) answered with an error.
    Failed,
    /// There is no running agent to ask.
    NoAgent,
    /// It was not asked for (`--no-exec`, `--nodes`, another capture).
    NotAsked,
}

/// A permission in RBAC's terms.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Permission {
    /// e.g. `list`.
    pub verb: String,
    /// e.g. `services` or `pods/exec`.
    pub resource: String,
    /// The namespace; none for cluster-wide reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
}

impl std::fmt::Display for Permission {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.verb, self.resource)?;
        match &self.namespace {
            Some(namespace) => write!(f, " in namespace {namespace}"),
            None => f.write_str(" in all namespaces"),
        }
    }
}

/// Where an observation came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// Live, or a saved one.
    pub kind: SourceKind,
    /// The kubeconfig context, or the file's or demo's name.
    pub context: String,
    /// The API server's version, e.g. `1.34.4`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kubernetes: Option<String>,
    /// Connection flags as the user gave them (`--context lab`), for commands to be pasted. Never in a
    /// capture, and never read from one: somebody else's would end up in a shell.
    #[serde(skip)]
    pub flags: Vec<String>,
    /// The command that recorded it, in a capture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
}

/// The kinds of source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum SourceKind {
    /// A cluster, just now.
    Live,
    /// A capture file.
    Capture,
    /// A capture inside the program.
    Demo,
}

/// What somebody asks about.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Subject {
    /// A Service.
    Service(ServiceRef),
    /// An address.
    Vip(IpAddr),
    /// An address, port and protocol.
    Frontend(PortKey),
}

impl std::fmt::Display for Subject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Service(id) => write!(f, "svc/{} (ns {})", id.name, id.namespace),
            Self::Vip(ip) => write!(f, "{ip}"),
            Self::Frontend(key) => write!(f, "{key}"),
        }
    }
}

/// The index queries that were sent to the agents.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Asked {
    /// `db/list -i service frontends ns/name` for each.
    pub services: Vec<ServiceRef>,
    /// `db/prefix frontends VIP` for each.
    pub vips: Vec<IpAddr>,
}

/// The Cilium installation as the API shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Install {
    /// The namespace of the agents.
    pub namespace: String,
    /// The keys of ConfigMap `cilium-config` that decide about VIPs.
    pub config: Read<BTreeMap<String, String>>,
    /// Operator pods.
    pub operators: Read<Vec<Pod>>,
    /// The operator's leader-election Lease (`cilium-operator-resource-lock`).
    pub leader: Read<Option<Lease>>,
}

/// A pod, as far as it says whether its process runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Pod {
    /// Its name.
    pub name: String,
    /// Its node.
    pub node: String,
    /// The Ready condition.
    pub ready: bool,
    /// Container restarts, all together.
    #[serde(default)]
    pub restarts: i32,
    /// When its main container started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<Timestamp>,
    /// The version in its image's tag, where the tag is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}
