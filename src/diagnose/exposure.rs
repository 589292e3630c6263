//! What a Service's own labels and annotations, and Cilium's settings, say about where Cilium shall
//! serve it.

use std::collections::BTreeMap;
use std::net::IpAddr;

use crate::model::{Node, Selector, Service};

const PROXY_NAME: &str = "service.kubernetes.io/service-proxy-name";
const NODE: &str = "service.cilium.io/node";
const NODE_SELECTOR: &str = "service.cilium.io/node-selector";

/// Why Cilium leaves the address out on every node, if it does (`reflectors/conversions.go`).
/// `config` is `cilium-config`, where it was read; `minor` the version of Cilium 1.x.
#[must_use]
pub fn by_design(
    service: &Service,
    vip: IpAddr,
    config: Option<&BTreeMap<String, String>>,
    minor: Option<u32>,
) -> Option<String> {
    let set = |key: &str| config.and_then(|config| config.get(key)).map_or("", String::as_str);
    if let Some(why) = other_proxys(service, set("k8s-service-proxy-name")) {
        return Some(why);
    }
    if service.cluster_ip.as_deref() == Some("None") {
        return Some("it is headless (clusterIP: None)".to_owned());
    }
    if let Some(kind) = service.annotations.get("service.cilium.io/type")
        && matches!(kind.as_str(), "NodePort" | "ClusterIP")
        && !service.external_ips.contains(&vip)
    {
        return Some(format!("annotation service.cilium.io/type={kind} leaves its LoadBalancer frontends out"));
    }
    let family = if vip.is_ipv6() { "enable-ipv6" } else { "enable-ipv4" };
    if set(family) == "false" {
        return Some(format!("{family} is false in cilium-config, and {vip} is of that family"));
    }
    // Only 1.18 makes no VIP frontends without it.
    (set("kube-proxy-replacement") == "false" && minor == Some(18))
        .then(|| "kube-proxy replacement is off, and this Cilium then makes no VIP frontends".to_owned())
}

/// Cilium serves the Services whose label names its own proxy name; without such a name those without a label.
fn other_proxys(service: &Service, own: &str) -> Option<String> {
    match service.labels.get(PROXY_NAME) {
        Some(proxy) if proxy != own => Some(format!("label {PROXY_NAME}={proxy} hands it to another proxy")),
        None if !own.is_empty() => {
            Some(format!("k8s-service-proxy-name is {own} in cilium-config, and the Service has no label {PROXY_NAME}"))
        }
        _ => None,
    }
}

/// Tells whether the Service is for some nodes only, which their labels decide.
#[must_use]
pub fn bound_to_nodes(service: &Service) -> bool {
    [NODE, NODE_SELECTOR].iter().any(|name| service.annotations.contains_key(*name))
}

/// Why Cilium leaves the Service out on this node, if an annotation says so
/// (`service.cilium.io/node-selector` wins over `service.cilium.io/node`, a value of label
/// `service.cilium.io/node`).
#[must_use]
pub fn excluded_on(service: &Service, node: &Node) -> Option<String> {
    if let Some(selector) = service.annotations.get(NODE_SELECTOR) {
        return selector_excludes(selector, node)
            .then(|| format!("annotation {NODE_SELECTOR}={selector} leaves {} out", node.name));
    }
    let value = service.annotations.get(NODE)?;
    (node.labels.get(NODE) != Some(value)).then(|| format!("annotation {NODE}={value} leaves {} out", node.name))
}

/// A selector that cannot be read excludes nothing: Cilium ignores it and says so in its log.
fn selector_excludes(selector: &str, node: &Node) -> bool {
    selector.parse::<Selector>().is_ok_and(|selector| !selector.matches(&node.labels))
}
