//! Who gives a Service its address (`operator/pkg/lbipam`, `isResponsibleForSVC`).

use std::collections::BTreeMap;

use crate::model::{Install, Service};

/// The party that allocates a Service's address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Allocator {
    /// Cilium's LB-IPAM.
    LbIpam,
    /// Cilium's Node IPAM.
    NodeIpam,
    /// Not Cilium: the class names somebody else, or Cilium's part is switched off. The text says why.
    NotCilium(String),
    /// Nobody has to: the Service is no LoadBalancer, or its addresses are `spec.externalIPs`.
    Unneeded,
    /// Cilium's settings could not be read.
    Unknown,
}

/// Decides by the Service's type and class, and by `cilium-config`.
#[must_use]
pub fn allocator(service: &Service, install: &Install) -> Allocator {
    if service.kind != "LoadBalancer" {
        return Allocator::Unneeded;
    }
    let Some(config) = install.config.known() else { return without_config(service) };
    if let Some(why) = hidden_by_proxy_name(service, config) {
        return Allocator::NotCilium(why);
    }
    let on = |key: &str| config.get(key).is_some_and(|value| value == "true");
    let lb_ipam = config.get("enable-lb-ipam").is_none_or(|value| value == "true");
    let wanted = match service.class.as_deref() {
        None => return by_default(config, lb_ipam),
        Some("io.cilium/l2-announcer") => ("enable-l2-announcements", Allocator::LbIpam),
        Some("io.cilium/bgp-control-plane") => ("enable-bgp-control-plane", Allocator::LbIpam),
        Some("io.cilium/node") => ("enable-node-ipam", Allocator::NodeIpam),
        Some(class) => {
            return Allocator::NotCilium(format!("loadBalancerClass {class} is not one that Cilium serves"));
        }
    };
    let (switch, answer) = wanted;
    let class = service.class.as_deref().unwrap_or_default();
    if !on(switch) {
        Allocator::NotCilium(format!("loadBalancerClass {class} needs {switch}, which is off in cilium-config"))
    } else if answer == Allocator::LbIpam && !lb_ipam {
        Allocator::NotCilium("LB-IPAM is switched off (enable-lb-ipam is false in cilium-config)".to_owned())
    } else {
        answer
    }
}

/// Why the watch of agents and operator leaves the Service out: its proxy's name is not Cilium's
/// (`pkg/k8s/utils`, `GetServiceAndEndpointListOptionsModifier`; seen on 1.20.2).
fn hidden_by_proxy_name(service: &Service, config: &BTreeMap<String, String>) -> Option<String> {
    const LABEL: &str = "service.kubernetes.io/service-proxy-name";
    let own = config.get("k8s-service-proxy-name").filter(|name| !name.is_empty());
    match (service.labels.get(LABEL), own) {
        (None, None) => None,
        (Some(label), Some(own)) if label == own => None,
        (Some(label), Some(own)) => {
            Some(format!("label {LABEL}={label} hides it from Cilium, whose k8s-service-proxy-name is {own}"))
        }
        (Some(label), None) => Some(format!("label {LABEL}={label} hides it from Cilium")),
        (None, Some(own)) => Some(format!(
            "it has no label {LABEL}={own}, and Cilium serves only Services with it (k8s-service-proxy-name in cilium-config)"
        )),
    }
}

fn by_default(config: &BTreeMap<String, String>, lb_ipam: bool) -> Allocator {
    match config.get("default-lb-service-ipam").map_or("lbipam", String::as_str) {
        "lbipam" if lb_ipam => Allocator::LbIpam,
        "lbipam" => {
            Allocator::NotCilium("LB-IPAM is switched off (enable-lb-ipam is false in cilium-config)".to_owned())
        }
        "nodeipam" => Allocator::NodeIpam,
        other => Allocator::NotCilium(format!(
            "default-lb-service-ipam is {other} in cilium-config, and the Service has no loadBalancerClass"
        )),
    }
}

/// Without the settings only LB-IPAM's own mark on the Service tells.
fn without_config(service: &Service) -> Allocator {
    if ipam_condition(service).is_some() { Allocator::LbIpam } else { Allocator::Unknown }
}

/// LB-IPAM's condition, under its present name or that of 1.14 and older.
#[must_use]
pub fn ipam_condition(service: &Service) -> Option<&crate::model::Condition> {
    service
        .condition("cilium.io/IPAMRequestSatisfied")
        .or_else(|| service.condition("io.cilium/lb-ipam-request-satisfied"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnose::testing::{moment, service};
    use crate::model::{Missing, MissingKind, Read};

    fn install(config: &[(&str, &str)]) -> Install {
        let unread = || Missing { kind: MissingKind::Forbidden, text: String::new(), permission: None };
        let value = config.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        Install {
            namespace: "kube-system".to_owned(),
            config: Read::Known { value, at: moment() },
            operators: Read::Unknown(unread()),
            leader: Read::Unknown(unread()),
        }
    }

    #[test]
    fn class_and_settings_decide() {
        let mut svc: Service = service("shop", "a").into();
        assert_eq!(allocator(&svc, &install(&[])), Allocator::LbIpam, "both defaults are on");
        assert!(matches!(allocator(&svc, &install(&[("enable-lb-ipam", "false")])), Allocator::NotCilium(_)));
        assert!(matches!(allocator(&svc, &install(&[("default-lb-service-ipam", "none")])), Allocator::NotCilium(_)));
        svc.class = Some("io.cilium/l2-announcer".to_owned());
        assert!(matches!(allocator(&svc, &install(&[])), Allocator::NotCilium(_)), "needs L2 announcements");
        assert_eq!(allocator(&svc, &install(&[("enable-l2-announcements", "true")])), Allocator::LbIpam);
        svc.class = Some("metallb.io/metallb".to_owned());
        assert!(matches!(allocator(&svc, &install(&[])), Allocator::NotCilium(why) if why.contains("metallb.io")));
        svc.kind = "ClusterIP".to_owned();
        assert_eq!(allocator(&svc, &install(&[])), Allocator::Unneeded);
    }

    #[test]
    fn the_name_of_the_proxy_decides_who_sees_the_service() {
        let plain: Service = service("shop", "a").into();
        let named: Service = service("shop", "a").label("service.kubernetes.io/service-proxy-name", "edge").into();
        let own = install(&[("k8s-service-proxy-name", "edge")]);
        assert_eq!(allocator(&named, &own), Allocator::LbIpam);
        assert!(matches!(allocator(&plain, &own), Allocator::NotCilium(why) if why.contains("has no label")));
        for other in
            [install(&[]), install(&[("k8s-service-proxy-name", "")]), install(&[("k8s-service-proxy-name", "x")])]
        {
            assert!(matches!(allocator(&named, &other), Allocator::NotCilium(why) if why.contains("hides it")));
        }
        let mut unread = install(&[]);
        unread.config = Read::Unknown(Missing { kind: MissingKind::Forbidden, text: String::new(), permission: None });
        assert_eq!(allocator(&named, &unread), Allocator::Unknown, "the name may be Cilium's own");
    }
}
