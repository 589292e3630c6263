//! From Kubernetes objects to the model: only what decides about a VIP is kept. Pure.
//!
//! Annotations of Cilium and of other address allocators are kept, all others are dropped: they may
//! be large (`last-applied-configuration`) and are nobody's business in a capture.

use std::collections::BTreeMap;
use std::net::IpAddr;

use jiff::Timestamp;
use k8s_openapi::api::coordination::v1 as coordination;
use k8s_openapi::api::core::v1 as core;
use k8s_openapi::api::discovery::v1 as discovery;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{ObjectMeta, Time};
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;

use crate::model::{
    Condition, Endpoint, EndpointSlice, Ingress, Lease, Manager, Node, Pod, Proto, Service, ServicePort, ServiceRef,
    SlicePort, TrafficPolicy,
};

/// Prefixes of annotations that are kept; a domain also with a subdomain before it.
const ANNOTATIONS: [&str; 7] =
    ["lbipam.cilium.io/", "io.cilium/", "service.cilium.io/", "cilium.io/", "metallb.", "kube-vip.io/", "vipctl.dev/"];

/// The keys of `cilium-config` that decide about VIPs; the rest of it is not kept.
const CONFIG_KEYS: [&str; 28] = [
    "bpf-lb-algorithm-annotation",
    "bpf-lb-enable-wildcard-entries",
    "bpf-lb-external-clusterip",
    "bpf-lb-mode",
    "bpf-lb-mode-annotation",
    "bpf-lb-sock",
    "default-lb-service-ipam",
    "devices",
    "enable-bgp-control-plane",
    "enable-envoy-config",
    "enable-experimental-lb",
    "enable-gateway-api",
    "enable-ingress-controller",
    "enable-ipv4",
    "enable-ipv6",
    "enable-l2-announcements",
    "enable-lb-ipam",
    "enable-local-redirect-policy",
    "enable-node-ipam",
    "k8s-service-proxy-name",
    "kube-proxy-replacement",
    "l2-announcements-lease-duration",
    "lb-reflector-wait-time",
    "lb-retry-backoff-max",
    "lb-retry-backoff-min",
    "node-port-range",
    "routing-mode",
    "tunnel-protocol",
];

fn time(time: Option<&Time>) -> Option<Timestamp> {
    time.map(|t| t.0)
}

fn name(meta: &ObjectMeta) -> String {
    meta.name.clone().unwrap_or_default()
}

/// An address in the one form in which it equals others.
pub(super) fn address(text: &str) -> Option<IpAddr> {
    text.trim().parse::<IpAddr>().ok().map(|ip| ip.to_canonical())
}

fn port(number: i32) -> Option<u16> {
    u16::try_from(number).ok()
}

fn proto(text: Option<&String>) -> Proto {
    text.and_then(|t| t.parse().ok()).unwrap_or_default()
}

/// Converts a Service.
#[must_use]
pub fn service(object: &core::Service) -> Service {
    let meta = &object.metadata;
    let spec = object.spec.clone().unwrap_or_default();
    let status = object.status.clone().unwrap_or_default();
    let policy = |text: Option<&str>| if text == Some("Local") { TrafficPolicy::Local } else { TrafficPolicy::Cluster };
    Service {
        id: ServiceRef::new(meta.namespace.clone().unwrap_or_default(), name(meta)),
        uid: meta.uid.clone().unwrap_or_default(),
        resource_version: meta.resource_version.clone().unwrap_or_default(),
        created: time(meta.creation_timestamp.as_ref()),
        deleting: time(meta.deletion_timestamp.as_ref()),
        labels: meta.labels.clone().unwrap_or_default(),
        annotations: annotations(meta),
        controller: controller(meta),
        kind: spec.type_.clone().unwrap_or_else(|| "ClusterIP".to_owned()),
        class: spec.load_balancer_class.clone(),
        cluster_ip: spec.cluster_ip.clone().filter(|ip| !ip.is_empty()),
        families: spec.ip_families.clone().unwrap_or_default(),
        load_balancer_ip: spec.load_balancer_ip.clone().filter(|ip| !ip.is_empty()),
        external_ips: spec.external_ips.iter().flatten().filter_map(|ip| address(ip)).collect(),
        external_policy: policy(spec.external_traffic_policy.as_deref()),
        internal_policy: policy(spec.internal_traffic_policy.as_deref()),
        source_ranges: spec.load_balancer_source_ranges.clone().unwrap_or_default(),
        selector: spec.selector.clone().unwrap_or_default(),
        ports: spec.ports.iter().flatten().filter_map(service_port).collect(),
        ingress: status.load_balancer.iter().flat_map(|lb| lb.ingress.iter().flatten()).map(ingress).collect(),
        conditions: status.conditions.iter().flatten().map(condition).collect(),
        managers: managers(meta),
    }
}

fn annotations(meta: &ObjectMeta) -> BTreeMap<String, String> {
    let ours = |key: &str| {
        ANNOTATIONS.iter().any(|prefix| key.starts_with(prefix))
            || key.split_once('/').is_some_and(|(domain, _)| domain.ends_with(".cilium.io"))
    };
    meta.annotations.iter().flatten().filter(|(key, _)| ours(key)).map(|(k, v)| (k.clone(), v.clone())).collect()
}

fn controller(meta: &ObjectMeta) -> Option<String> {
    let owner = meta.owner_references.iter().flatten().find(|o| o.controller == Some(true))?;
    Some(format!("{}/{}", owner.kind, owner.name))
}

fn service_port(entry: &core::ServicePort) -> Option<ServicePort> {
    let target = match &entry.target_port {
        Some(IntOrString::Int(number)) => number.to_string(),
        Some(IntOrString::String(text)) => text.clone(),
        None => String::new(),
    };
    Some(ServicePort {
        name: entry.name.clone().unwrap_or_default(),
        port: port(entry.port)?,
        proto: proto(entry.protocol.as_ref()),
        node_port: entry.node_port.and_then(port).filter(|port| *port != 0),
        target,
    })
}

fn ingress(entry: &core::LoadBalancerIngress) -> Ingress {
    Ingress {
        ip: entry.ip.as_deref().and_then(address),
        hostname: entry.hostname.clone(),
        ip_mode: entry.ip_mode.clone(),
    }
}

fn condition(entry: &k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition) -> Condition {
    Condition {
        kind: entry.type_.clone(),
        status: entry.status.clone(),
        reason: entry.reason.clone(),
        message: entry.message.clone(),
        since: Some(entry.last_transition_time.0),
    }
}

fn managers(meta: &ObjectMeta) -> Vec<Manager> {
    let entries = meta.managed_fields.iter().flatten();
    entries
        .map(|entry| Manager {
            name: entry.manager.clone().unwrap_or_default(),
            operation: entry.operation.clone().unwrap_or_default(),
            subresource: entry.subresource.clone().unwrap_or_default(),
            time: time(entry.time.as_ref()),
        })
        .collect()
}

/// Converts an EndpointSlice; none where it belongs to no Service.
#[must_use]
pub fn slice(object: &discovery::EndpointSlice) -> Option<EndpointSlice> {
    let meta = &object.metadata;
    let service = meta.labels.as_ref()?.get("kubernetes.io/service-name")?;
    let ports = object.ports.iter().flatten().map(|p| SlicePort {
        name: p.name.clone().unwrap_or_default(),
        port: p.port.and_then(port),
        proto: proto(p.protocol.as_ref()),
    });
    let endpoints = object.endpoints.iter().map(|e| Endpoint {
        addresses: e.addresses.clone(),
        node: e.node_name.clone(),
        ready: e.conditions.as_ref().and_then(|c| c.ready).unwrap_or(true),
        serving: e.conditions.as_ref().and_then(|c| c.serving.or(c.ready)).unwrap_or(true),
        terminating: e.conditions.as_ref().and_then(|c| c.terminating).unwrap_or(false),
    });
    Some(EndpointSlice {
        name: name(meta),
        service: ServiceRef::new(meta.namespace.clone().unwrap_or_default(), service.clone()),
        ports: ports.collect(),
        endpoints: endpoints.collect(),
    })
}

/// Converts a Node.
#[must_use]
pub fn node(object: &core::Node) -> Node {
    let status = object.status.clone().unwrap_or_default();
    let addresses = status.addresses.iter().flatten().filter(|a| a.type_.ends_with("IP"));
    Node {
        name: name(&object.metadata),
        labels: object.metadata.labels.clone().unwrap_or_default(),
        addresses: addresses.filter_map(|a| address(&a.address)).collect(),
        ready: status.conditions.iter().flatten().any(|c| c.type_ == "Ready" && c.status == "True"),
    }
}

/// Converts a pod of which one container matters.
#[must_use]
pub fn pod(object: &core::Pod, container: &str) -> Pod {
    let spec = object.spec.clone().unwrap_or_default();
    let status = object.status.clone().unwrap_or_default();
    let containers = status.container_statuses.iter().flatten();
    let image = spec.containers.iter().find(|c| c.name == container).and_then(|c| c.image.as_deref());
    let started = status
        .container_statuses
        .iter()
        .flatten()
        .find(|c| c.name == container)
        .and_then(|c| c.state.as_ref()?.running.as_ref()?.started_at.clone());
    Pod {
        name: name(&object.metadata),
        node: spec.node_name.clone().unwrap_or_default(),
        ready: status.conditions.iter().flatten().any(|c| c.type_ == "Ready" && c.status == "True"),
        restarts: containers.map(|c| c.restart_count).sum(),
        started: time(started.as_ref()),
        version: image.and_then(image_version),
    }
}

/// Why nobody can exec into that container, where the pod's status says so.
#[must_use]
pub fn not_running(object: &core::Pod, container: &str) -> Option<String> {
    let status = object.status.clone().unwrap_or_default();
    let state = status.container_statuses.iter().flatten().find(|c| c.name == container)?.state.as_ref()?;
    if let Some(waiting) = &state.waiting {
        let reason = waiting.reason.as_deref().unwrap_or("waiting");
        return Some(format!("container {container} does not run: {reason}"));
    }
    let ended = state.terminated.as_ref()?;
    Some(format!("container {container} does not run: it ended with code {}", ended.exit_code))
}

/// The version in an image's tag: `1.20.2` of `quay.io/cilium/cilium:v1.20.2@sha256:…`.
fn image_version(image: &str) -> Option<String> {
    let image = image.split('@').next().unwrap_or(image);
    let (_, tag) = image.rsplit('/').next()?.split_once(':')?;
    let version = tag.strip_prefix('v').unwrap_or(tag);
    let mut numbers = version.split('.');
    let two = [numbers.next()?, numbers.next()?];
    two.iter().all(|n| n.starts_with(|c: char| c.is_ascii_digit())).then(|| version.to_owned())
}

/// Converts a Lease.
#[must_use]
pub fn lease(object: &coordination::Lease) -> Lease {
    let spec = object.spec.clone().unwrap_or_default();
    Lease {
        name: name(&object.metadata),
        holder: spec.holder_identity.unwrap_or_default(),
        renewed: spec.renew_time.map(|t| t.0),
        seconds: spec.lease_duration_seconds.unwrap_or(0),
    }
}

/// Keeps the keys of `cilium-config` that decide about VIPs.
#[must_use]
pub fn config(object: &core::ConfigMap) -> BTreeMap<String, String> {
    let data = object.data.iter().flatten();
    data.filter(|(key, _)| CONFIG_KEYS.contains(&key.as_str())).map(|(k, v)| (k.clone(), v.clone())).collect()
}

#[cfg(test)]
#[path = "convert_tests.rs"]
mod tests;
