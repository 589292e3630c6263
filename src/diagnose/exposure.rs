//! What a Service's own labels and annotations say about where Cilium shall serve it.

use crate::model::{Node, Selector, Service};

/// Why Cilium leaves the Service out on every node, if it does (`reflectors/conversions.go`).
///
/// `kpr_off` tells that kube-proxy replacement is off, with which 1.18 makes no VIP frontends.
#[must_use]
pub fn by_design(service: &Service, kpr_off: bool) -> Option<String> {
    if let Some(proxy) = service.labels.get("service.kubernetes.io/service-proxy-name") {
        return Some(format!("label service.kubernetes.io/service-proxy-name={proxy} hands it to another proxy"));
    }
    if service.cluster_ip.as_deref() == Some("None") {
        return Some("it is headless (clusterIP: None)".to_owned());
    }
    let only_type = service.annotations.get("service.cilium.io/type");
    if let Some(kind) = only_type.filter(|kind| *kind != "LoadBalancer" && service.external_ips.is_empty()) {
        return Some(format!("annotation service.cilium.io/type={kind} leaves its LoadBalancer frontends out"));
    }
    kpr_off.then(|| "kube-proxy replacement is off, and this Cilium then makes no VIP frontends".to_owned())
}

/// Why Cilium leaves the Service out on this node, if an annotation says so
/// (`service.cilium.io/node-selector` wins over `service.cilium.io/node`, a value of label
/// `service.cilium.io/node`).
#[must_use]
pub fn excluded_on(service: &Service, node: &Node) -> Option<String> {
    if let Some(selector) = service.annotations.get("service.cilium.io/node-selector") {
        return selector_excludes(selector, node)
            .then(|| format!("annotation service.cilium.io/node-selector={selector} leaves {} out", node.name));
    }
    let value = service.annotations.get("service.cilium.io/node")?;
    (node.labels.get("service.cilium.io/node") != Some(value))
        .then(|| format!("annotation service.cilium.io/node={value} leaves {} out", node.name))
}

/// A selector that cannot be read excludes nothing: Cilium ignores it and says so in its log.
fn selector_excludes(selector: &str, node: &Node) -> bool {
    selector.parse::<Selector>().is_ok_and(|selector| !selector.matches(&node.labels))
}
