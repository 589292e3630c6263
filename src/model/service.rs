//! Services and their endpoints, reduced to what decides about a VIP.

use std::collections::BTreeMap;
use std::net::IpAddr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Proto, ServiceRef};

/// `externalTrafficPolicy` or `internalTrafficPolicy`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum TrafficPolicy {
    /// Any backend of the cluster; the API's default.
    #[default]
    Cluster,
    /// Only backends on the node that took the packet in.
    Local,
}

/// A Service as the API holds it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Service {
    /// Namespace and name.
    pub id: ServiceRef,
    /// The object's UID: another one under the same name is another Service.
    pub uid: String,
    /// The API's resourceVersion when it was read.
    pub resource_version: String,
    /// When it was created.
    pub created: Option<Timestamp>,
    /// When it is being deleted, since when.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deleting: Option<Timestamp>,
    /// Labels.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, String>,
    /// Annotations whose names belong to Cilium or to another address allocator; others are not kept.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub annotations: BTreeMap<String, String>,
    /// The controller among the owners, as `Kind/name` (a Gateway, an Ingress, an operator's object).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub controller: Option<String>,
    /// `spec.type`: ClusterIP, NodePort, LoadBalancer or ExternalName.
    #[serde(rename = "type")]
    pub kind: String,
    /// `spec.loadBalancerClass`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// `spec.clusterIP`; `None` (the word) for a headless Service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cluster_ip: Option<String>,
    /// `spec.ipFamilies`: IPv4, IPv6.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub families: Vec<String>,
    /// `spec.loadBalancerIP`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load_balancer_ip: Option<String>,
    /// `spec.externalIPs` that are addresses.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub external_ips: Vec<IpAddr>,
    /// `spec.externalTrafficPolicy`.
    pub external_policy: TrafficPolicy,
    /// `spec.internalTrafficPolicy`.
    pub internal_policy: TrafficPolicy,
    /// `spec.loadBalancerSourceRanges`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub source_ranges: Vec<String>,
    /// `spec.selector`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub selector: BTreeMap<String, String>,
    /// `spec.ports`.
    pub ports: Vec<ServicePort>,
    /// `status.loadBalancer.ingress`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ingress: Vec<Ingress>,
    /// `status.conditions`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
    /// Who wrote it, from `metadata.managedFields`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub managers: Vec<Manager>,
}

impl Service {
    /// The latest write that left a manager's time; a write that only removes fields leaves none.
    #[must_use]
    pub fn last_write(&self) -> Option<Timestamp> {
        self.managers.iter().filter_map(|m| m.time).max().or(self.created)
    }

    /// The condition of that type; the last one where old operators left several (Cilium 1.14).
    #[must_use]
    pub fn condition(&self, kind: &str) -> Option<&Condition> {
        self.conditions.iter().rev().find(|c| c.kind == kind)
    }

    /// Its VIPs: addresses in status (with `ipMode` VIP) and `spec.externalIPs`, in that order, each once.
    #[must_use]
    pub fn vips(&self) -> Vec<IpAddr> {
        let mut vips: Vec<IpAddr> = Vec::new();
        let status = self.ingress.iter().filter(|i| i.is_vip()).filter_map(|i| i.ip);
        for ip in status.chain(self.external_ips.iter().copied()) {
            if !vips.contains(&ip) {
                vips.push(ip);
            }
        }
        vips
    }
}

/// One port of a Service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ServicePort {
    /// The port's name; empty where it has none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The port on the VIP.
    pub port: u16,
    /// Its protocol.
    pub proto: Proto,
    /// The port on every node, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node_port: Option<u16>,
    /// `targetPort` as written: a number or a name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub target: String,
}

/// One entry of `status.loadBalancer.ingress`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Ingress {
    /// The address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ip: Option<IpAddr>,
    /// A name instead of an address; Cilium's agents make no frontend for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hostname: Option<String>,
    /// `VIP` or `Proxy`; absent means VIP.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ip_mode: Option<String>,
}

impl Ingress {
    /// False where the status says that packets arrive with another destination (`ipMode: Proxy`).
    #[must_use]
    pub fn is_vip(&self) -> bool {
        self.ip_mode.as_deref().is_none_or(|mode| mode == "VIP")
    }
}

/// A status condition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Condition {
    /// Its type, e.g. `cilium.io/IPAMRequestSatisfied`.
    #[serde(rename = "type")]
    pub kind: String,
    /// `True`, `False` or `Unknown`.
    pub status: String,
    /// One word.
    #[serde(default)]
    pub reason: String,
    /// A sentence, often empty.
    #[serde(default)]
    pub message: String,
    /// When it last changed its status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
}

/// A field manager: who wrote, how, and when last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manager {
    /// Its name.
    pub name: String,
    /// `Apply` or `Update`.
    #[serde(default)]
    pub operation: String,
    /// `status` where it wrote the status.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub subresource: String,
    /// Its last write.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<Timestamp>,
}

/// An EndpointSlice of a Service that was asked about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EndpointSlice {
    /// Its name.
    pub name: String,
    /// The Service it belongs to (label `kubernetes.io/service-name`).
    pub service: ServiceRef,
    /// Ports, by name.
    pub ports: Vec<SlicePort>,
    /// Endpoints.
    pub endpoints: Vec<Endpoint>,
}

/// A port of an EndpointSlice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlicePort {
    /// The Service port's name; empty for an unnamed one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The backends' port.
    pub port: Option<u16>,
    /// Its protocol.
    pub proto: Proto,
}

/// One endpoint of a slice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Endpoint {
    /// Its addresses.
    pub addresses: Vec<String>,
    /// The node it runs on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    /// `conditions.ready`; absent in the API means ready.
    pub ready: bool,
    /// `conditions.serving`: still answers; a terminating one may.
    #[serde(default)]
    pub serving: bool,
    /// `conditions.terminating`.
    pub terminating: bool,
}
