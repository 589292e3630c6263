//! What a node's Cilium agent answered: rows of its StateDB tables.

use std::net::IpAddr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Pod, PortKey, Read, ServiceRef};

/// One agent: its pod as the API shows it, and its answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Agent {
    /// The pod.
    pub pod: Pod,
    /// Its tables, or why they could not be read.
    pub answer: Read<AgentAnswer>,
}

impl Agent {
    /// The node it serves.
    #[must_use]
    pub fn node(&self) -> &str {
        &self.pod.node
    }

    /// Its Cilium version: what it said itself, else its image's tag.
    #[must_use]
    pub fn version(&self) -> Option<&str> {
        self.answer.known().and_then(|answer| answer.version.as_deref()).or(self.pod.version.as_deref())
    }
}

/// Rows of one agent about the VIPs and Services that were asked for ([`super::Asked`]).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AgentAnswer {
    /// Bytes that the agent sent.
    pub bytes: usize,
    /// Milliseconds the call took.
    pub took_ms: u64,
    /// `cilium-dbg version` or the image's tag, e.g. `1.20.2`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Table `frontends`: rows of the VIPs, and rows owned by the Services.
    pub frontends: Vec<FrontendRow>,
    /// Names of the asked Services that have a row in table `services`. A Service without one was
    /// never accepted by this agent; none where the table was not read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub services: Option<Vec<ServiceRef>>,
    /// Table `health`: rows that are not OK.
    pub health: Vec<HealthRow>,
    /// Table `l2-announce`: rows of the VIPs; none where the agent has no such table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub l2: Option<Vec<L2Row>>,
    /// Entries of the VIPs in the BPF maps; none where they were not asked for (`--deep`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maps: Option<Read<Vec<MapEntry>>>,
}

/// A frontend in the node's BPF service map.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MapEntry {
    /// Its VIP, port and protocol.
    pub key: PortKey,
    /// Scope `internal`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub internal: bool,
    /// The entry of the frontend itself (slot 0) is there; without it packets are not translated.
    pub frontend: bool,
    /// Backend slots.
    pub backends: usize,
}

/// A row of table `frontends`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FrontendRow {
    /// Its VIP, port and protocol.
    pub key: PortKey,
    /// Scope `internal` (`…/i`): the twin made where exactly one traffic policy is Local.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub internal: bool,
    /// ClusterIP, NodePort, ExternalIPs, LoadBalancer, HostPort or LocalRedirect.
    #[serde(rename = "type")]
    pub kind: String,
    /// The Service that owns it on this node.
    pub owner: ServiceRef,
    /// Whether it is in the datapath.
    pub status: RowStatus,
    /// The backends that it sends to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub backends: Vec<AgentBackend>,
    /// It hands connections to the node's proxy (Gateway, Ingress) and needs no backends for that.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub redirected: bool,
}

/// A row's reconciliation status.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RowStatus {
    /// How far it is.
    pub kind: StatusKind,
    /// Text of a failed write to the BPF maps.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub error: String,
    /// When the status last changed, by the node's clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated: Option<Timestamp>,
    /// The service id in the BPF maps; 0 with Done means "not programmed on purpose" on 1.20.
    #[serde(default)]
    pub id: u32,
}

/// The reconciler's word for a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum StatusKind {
    /// In the BPF maps.
    Done,
    /// Waits to be written.
    Pending,
    /// Is written again.
    Refreshing,
    /// The write failed; Cilium tries again by itself.
    Error,
    /// A word that this program does not know.
    Other,
}

/// A backend of a frontend row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentBackend {
    /// `10.0.0.1:8080/TCP`, as printed.
    pub address: String,
    /// Takes new connections (state 0, not marked unhealthy).
    pub active: bool,
    /// Its node.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub node: String,
}

/// A row of table `health` whose level is not OK.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HealthRow {
    /// `module.component`, dots between the parts.
    pub id: String,
    /// Degraded or Stopped.
    pub level: String,
    /// The short text.
    pub message: String,
    /// The error, several lines where several things failed.
    #[serde(default)]
    pub error: String,
    /// When it was last reported, by the node's clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated: Option<Timestamp>,
}

/// A row of table `l2-announce`: this node answers ARP/NDP for the address on that interface.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct L2Row {
    /// The address.
    pub ip: IpAddr,
    /// The interface.
    pub interface: String,
    /// The Services it does so for.
    pub origins: Vec<ServiceRef>,
}
