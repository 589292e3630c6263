//! What the API shows of a Service's endpoints.

use std::collections::BTreeSet;

use super::facts::Facts;
use crate::model::{PortKey, Service, SlicePort, TrafficPolicy};

/// How many endpoints the API shows for a port of the Service, and why there are none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoints {
    /// Ready endpoints.
    pub ready: usize,
    /// Endpoints that still serve, though they are not ready: they are terminating.
    pub serving: usize,
    /// All endpoints.
    pub all: usize,
    /// Nodes of the ready endpoints; none where one of them names no node.
    pub nodes: Option<BTreeSet<String>>,
    /// What stands in the way, where something does.
    pub hint: Option<&'static str>,
}

impl Endpoints {
    /// Tells whether a node's row should hold an active backend; none where that is not known.
    #[must_use]
    pub fn expected_on(&self, node: &str, policy: TrafficPolicy) -> Option<bool> {
        match (&self.nodes, policy) {
            _ if self.ready == 0 => Some(false),
            (_, TrafficPolicy::Cluster) => Some(true),
            (nodes, TrafficPolicy::Local) => nodes.as_ref().map(|nodes| nodes.contains(node)),
        }
    }
}

/// Counts the Service's endpoints for a port; `None` where slices were not read, or where other
/// clusters of a mesh add backends that no slice here shows.
#[must_use]
pub fn ready_endpoints(facts: &Facts<'_>, service: &Service, key: PortKey) -> Option<Endpoints> {
    if is_global(service) {
        return None;
    }
    let slices = facts.slices(&service.id)?;
    let named = port_name(service, key);
    let fits = |port: &&SlicePort| port.proto == key.proto && named.is_none_or(|name| name == port.name);
    let fitting: Vec<_> = slices.iter().filter(|slice| slice.ports.iter().any(|port| fits(&port))).collect();
    let endpoints = || fitting.iter().flat_map(|slice| &slice.endpoints);
    let all = endpoints().count();
    let ready = endpoints().filter(|endpoint| endpoint.ready).count();
    let serving = endpoints().filter(|endpoint| !endpoint.ready && endpoint.serving && endpoint.terminating).count();
    let hint = if slices.is_empty() {
        Some(if service.selector.is_empty() {
            "it has no selector and no EndpointSlice"
        } else {
            "its selector matches no pod"
        })
    } else if fitting.is_empty() {
        Some("no EndpointSlice has a port of that name and protocol")
    } else if all > 0 && ready == 0 {
        Some("none of its endpoints is ready")
    } else if all == 0 {
        Some("its EndpointSlices are empty")
    } else {
        None
    };
    let nodes = endpoints().filter(|endpoint| endpoint.ready).map(|endpoint| endpoint.node.clone()).collect();
    Some(Endpoints { ready, serving, all, nodes, hint })
}

/// A Service of a cluster mesh.
fn is_global(service: &Service) -> bool {
    ["service.cilium.io/global", "io.cilium/global-service"]
        .iter()
        .any(|name| service.annotations.get(*name).is_some_and(|value| value == "true"))
}

fn port_name(service: &Service, key: PortKey) -> Option<&str> {
    service.ports.iter().find(|port| port.port == key.port && port.proto == key.proto).map(|port| port.name.as_str())
}
