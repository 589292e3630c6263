//! What the API shows of a Service's endpoints.

use super::facts::Facts;
use crate::model::{PortKey, Service, SlicePort};

/// How many endpoints the API shows for a port of the Service, and why there are none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoints {
    /// Ready endpoints.
    pub ready: usize,
    /// All endpoints.
    pub all: usize,
    /// What stands in the way, where something does.
    pub hint: Option<&'static str>,
}

/// Counts the Service's endpoints for a port; `None` where slices were not read.
#[must_use]
pub fn ready_endpoints(facts: &Facts<'_>, service: &Service, key: PortKey) -> Option<Endpoints> {
    let slices = facts.slices(&service.id)?;
    let named = port_name(service, key);
    let fits = |port: &&SlicePort| port.proto == key.proto && named.is_none_or(|name| name == port.name);
    let serving: Vec<_> = slices.iter().filter(|slice| slice.ports.iter().any(|port| fits(&port))).collect();
    let all = serving.iter().map(|slice| slice.endpoints.len()).sum();
    let ready = serving.iter().flat_map(|slice| &slice.endpoints).filter(|endpoint| endpoint.ready).count();
    let hint = if slices.is_empty() {
        Some(if service.selector.is_empty() {
            "it has no selector and no EndpointSlice"
        } else {
            "its selector matches no pod"
        })
    } else if serving.is_empty() {
        Some("no EndpointSlice has a port of that name and protocol")
    } else if all > 0 && ready == 0 {
        Some("none of its endpoints is ready")
    } else if all == 0 {
        Some("its EndpointSlices are empty")
    } else {
        None
    };
    Some(Endpoints { ready, all, hint })
}

fn port_name(service: &Service, key: PortKey) -> Option<&str> {
    service.ports.iter().find(|port| port.port == key.port && port.proto == key.proto).map(|port| port.name.as_str())
}
