//! Who may share an address with whom: LB-IPAM's rules, recomputed pairwise.
//!
//! The operator publishes its reason only for Services that ask for a fixed address, so the rules
//! are applied here to every pair (`operator/pkg/lbipam`, `(*ServiceView).isCompatible`; order kept).

use std::net::IpAddr;

use crate::model::{Proto, Service, ServicePort, TrafficPolicy};

/// Annotation that asks for addresses, and its older name.
const IPS: [&str; 2] = ["lbipam.cilium.io/ips", "io.cilium/lb-ipam-ips"];
/// Annotation with the sharing key, and its older name.
const KEY: [&str; 2] = ["lbipam.cilium.io/sharing-key", "io.cilium/lb-ipam-sharing-key"];
/// Annotation that lists other namespaces to share with, and its older name.
const CROSS: [&str; 2] = ["lbipam.cilium.io/sharing-cross-namespace", "io.cilium/lb-ipam-sharing-cross-namespace"];
/// Annotation (Cilium 1.21) that lets Local Services with different pods share.
const PERMIT: &str = "lbipam.cilium.io/sharing-permit-different-pods";

/// The value of an annotation that has two names: the newer wins.
fn annotation<'a>(service: &'a Service, names: [&str; 2]) -> Option<&'a str> {
    names.iter().find_map(|name| service.annotations.get(*name)).map(String::as_str)
}

/// The name under which a Service writes the annotation that asks for addresses.
#[must_use]
pub fn ips_annotation(service: &Service) -> &'static str {
    if service.annotations.contains_key(IPS[1]) && !service.annotations.contains_key(IPS[0]) { IPS[1] } else { IPS[0] }
}

/// Addresses that a Service asks for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Requested {
    /// Those that can be read, each once.
    pub ips: Vec<IpAddr>,
    /// Entries that are no address; Cilium drops them without a word in the API.
    pub unreadable: Vec<String>,
}

/// What the Service asks for by `spec.loadBalancerIP` and by annotation.
#[must_use]
pub fn requested(service: &Service) -> Requested {
    let mut wish = Requested::default();
    let spec = service.load_balancer_ip.as_deref().into_iter();
    let annotated = annotation(service, IPS).into_iter().flat_map(|list| list.split(','));
    for text in spec.chain(annotated).map(str::trim).filter(|text| !text.is_empty()) {
        match text.parse() {
            Ok(ip) if wish.ips.contains(&ip) => {}
            Ok(ip) => wish.ips.push(ip),
            Err(_) => wish.unreadable.push(text.to_owned()),
        }
    }
    wish
}

/// Addresses that the Service asks for and has not got.
#[must_use]
pub fn missing_requests(service: &Service) -> Vec<IpAddr> {
    if service.kind != "LoadBalancer" {
        return Vec::new();
    }
    let has = service.vips();
    requested(service).ips.into_iter().filter(|ip| !has.contains(ip)).collect()
}

/// The sharing key, where there is one.
#[must_use]
pub fn key(service: &Service) -> Option<&str> {
    annotation(service, KEY).filter(|key| !key.is_empty())
}

/// Why two Services may not share an address: one rule that fails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Incompatible {
    /// The keys differ, or one has none.
    Key,
    /// The first Service named does not list the second's namespace.
    Namespace {
        /// Who lacks the entry.
        lacking: String,
        /// The namespace it should list.
        wants: String,
        /// What its annotation says.
        has: Option<String>,
        /// An entry of it that means the namespace but for blanks, case or stray marks.
        nearly: Option<String>,
    },
    /// Both have these ports and protocols.
    Ports(Vec<(u16, Proto)>),
    /// Their external traffic policies differ.
    TrafficPolicy,
    /// Both are Local, and one has no selector.
    LocalWithoutSelector,
    /// Both are Local and select different pods.
    LocalSelector,
}

/// What the rules depend on in the version of the operator: its minor number, 1.x.
fn compares_protocol(minor: Option<u32>) -> bool {
    minor.is_none_or(|minor| minor >= 17)
}

/// Tells the first rule by which `a` and `b` may not share an address, or `None` where they may.
#[must_use]
pub fn incompatible(a: &Service, b: &Service, minor: Option<u32>) -> Option<Incompatible> {
    incompatibilities(a, b, minor).into_iter().next()
}

/// Every rule by which `a` and `b` may not share an address, in LB-IPAM's order. It stops at the
/// first; who wants the two to share has to know them all.
#[must_use]
pub fn incompatibilities(a: &Service, b: &Service, minor: Option<u32>) -> Vec<Incompatible> {
    let mut all = Vec::new();
    if key(a).is_none() || key(a) != key(b) {
        all.push(Incompatible::Key);
    }
    if a.id.namespace != b.id.namespace {
        all.extend([(a, b), (b, a)].into_iter().filter_map(|(from, to)| unpermitted(from, to)));
    }
    let ports = common_ports(a, b, compares_protocol(minor));
    if !ports.is_empty() {
        all.push(Incompatible::Ports(ports));
    }
    if a.external_policy != b.external_policy {
        all.push(Incompatible::TrafficPolicy);
    } else if a.external_policy == TrafficPolicy::Local && !(permits_different_pods(a) && permits_different_pods(b)) {
        if a.selector.is_empty() || b.selector.is_empty() {
            all.push(Incompatible::LocalWithoutSelector);
        } else if a.selector != b.selector {
            all.push(Incompatible::LocalSelector);
        }
    }
    all
}

/// Tells whether somebody wants the two on one address: the same key in two namespaces is a mere
/// coincidence of names until one of them asks to share across namespaces.
#[must_use]
pub fn meant_to_share(a: &Service, b: &Service) -> bool {
    key(a).is_some()
        && key(a) == key(b)
        && (a.id.namespace == b.id.namespace || [a, b].iter().any(|service| annotation(service, CROSS).is_some()))
}

fn unpermitted(from: &Service, to: &Service) -> Option<Incompatible> {
    let wants = &to.id.namespace;
    let has = annotation(from, CROSS);
    if has.is_some_and(|list| list.split(',').any(|entry| entry == "*" || entry == wants)) {
        return None;
    }
    Some(Incompatible::Namespace {
        lacking: from.id.to_string(),
        wants: wants.clone(),
        has: has.map(str::to_owned),
        nearly: has.and_then(|list| list.split(',').find(|entry| is_nearly(entry, wants))).map(str::to_owned),
    })
}

/// Entries count to the letter: `"a, b"` does not list `b` on 1.18 to 1.20.2, which do not trim.
fn is_nearly(entry: &str, namespace: &str) -> bool {
    let meant = entry.trim().trim_matches(['\\', '"', '\'']).trim();
    meant == "*" || meant.eq_ignore_ascii_case(namespace)
}

fn permits_different_pods(service: &Service) -> bool {
    service
        .annotations
        .get(PERMIT)
        .is_some_and(|value| matches!(value.as_str(), "true" | "1" | "t" | "T" | "TRUE" | "True"))
}

/// The ports of `a` that `b` has too.
fn common_ports(a: &Service, b: &Service, with_protocol: bool) -> Vec<(u16, Proto)> {
    let clashes = |p: &&ServicePort| b.ports.iter().any(|q| p.port == q.port && (!with_protocol || p.proto == q.proto));
    a.ports.iter().filter(clashes).map(|port| (port.port, port.proto)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnose::testing::service;

    #[test]
    fn every_rule_is_found_in_cilium_order() {
        let base = || service("shop", "a").key("edge").port(80);
        let check = |b: Service| incompatible(&base(), &b, Some(20));
        assert_eq!(check(service("shop", "b").port(80).into()), Some(Incompatible::Key));
        assert_eq!(check(service("shop", "b").key("edge").port(81).into()), None);
        assert_eq!(
            check(service("shop", "b").key("edge").port(80).into()),
            Some(Incompatible::Ports(vec![(80, Proto::Tcp)]))
        );
        assert!(matches!(
            check(service("web", "b").key("edge").port(81).into()),
            Some(Incompatible::Namespace { lacking, wants, has: None, .. }) if lacking == "shop/a" && wants == "web"
        ));
        assert_eq!(check(service("shop", "b").key("edge").port(81).local().into()), Some(Incompatible::TrafficPolicy));
    }

    #[test]
    fn all_hindrances_are_told_not_only_the_first() {
        let a: Service = service("shop", "a").key("edge").port(80).port(443).into();
        let b: Service = service("web", "b").port(443).port(80).local().into();
        let all = incompatibilities(&a, &b, Some(20));
        assert_eq!(all[0], Incompatible::Key);
        assert!(matches!(&all[1], Incompatible::Namespace { lacking, .. } if lacking == "shop/a"));
        assert!(matches!(&all[2], Incompatible::Namespace { lacking, .. } if lacking == "web/b"));
        assert_eq!(all[3], Incompatible::Ports(vec![(80, Proto::Tcp), (443, Proto::Tcp)]));
        assert_eq!(all[4..], [Incompatible::TrafficPolicy]);
    }

    #[test]
    fn the_same_key_elsewhere_is_a_coincidence_until_somebody_asks_to_share() {
        let a: Service = service("shop", "a").key("edge").into();
        let b = service("web", "b").key("edge");
        assert!(!meant_to_share(&a, &b));
        assert!(meant_to_share(&a, &service("shop", "c").key("edge")));
        assert!(meant_to_share(&a, &b.annotate("lbipam.cilium.io/sharing-cross-namespace", "shop")));
    }

    #[test]
    fn udp_and_tcp_clash_only_before_1_17() {
        let tcp: Service = service("shop", "a").key("edge").port(53).into();
        let udp: Service = service("shop", "b").key("edge").udp(53).into();
        assert_eq!(incompatible(&tcp, &udp, Some(20)), None);
        assert_eq!(incompatible(&tcp, &udp, Some(16)), Some(Incompatible::Ports(vec![(53, Proto::Tcp)])));
    }

    #[test]
    fn local_needs_the_same_pods() {
        let a: Service = service("shop", "a").key("edge").port(80).local().selects("app", "a").into();
        let b: Service = service("shop", "b").key("edge").port(81).local().selects("app", "b").into();
        let none: Service = service("shop", "c").key("edge").port(82).local().into();
        assert_eq!(incompatible(&a, &b, None), Some(Incompatible::LocalSelector));
        assert_eq!(incompatible(&a, &none, None), Some(Incompatible::LocalWithoutSelector));
        let permit = |s: &Service| {
            let mut s = s.clone();
            s.annotations.insert(PERMIT.to_owned(), "true".to_owned());
            s
        };
        assert_eq!(incompatible(&permit(&a), &permit(&b), None), None);
        assert_eq!(incompatible(&permit(&a), &b, None), Some(Incompatible::LocalSelector), "both must permit");
    }

    #[test]
    fn cross_namespace_lists_count_to_the_letter() {
        let a = |list: &str| -> Service {
            service("shop", "a").key("k").port(1).annotate("lbipam.cilium.io/sharing-cross-namespace", list).into()
        };
        let b: Service =
            service("web", "b").key("k").port(2).annotate("io.cilium/lb-ipam-sharing-cross-namespace", "*").into();
        assert_eq!(incompatible(&a("web"), &b, None), None, "the older name works too");
        for (wrong, entry) in [("\\*", Some("\\*")), ("x, web", Some(" web")), ("Web", Some("Web")), ("webs", None)] {
            let found = incompatible(&a(wrong), &b, None);
            assert!(
                matches!(&found, Some(Incompatible::Namespace { nearly, .. }) if nearly.as_deref() == entry),
                "{wrong}: {found:?}"
            );
        }
    }

    #[test]
    fn requests_are_read_from_both_places_and_bad_ones_are_kept_apart() {
        let mut s: Service = service("shop", "a").annotate("io.cilium/lb-ipam-ips", " 192.0.2.7 ,192.0.2.8/32").into();
        s.load_balancer_ip = Some("192.0.2.7".to_owned());
        let wish = requested(&s);
        assert_eq!(wish.ips, ["192.0.2.7".parse::<IpAddr>().expect("ip")]);
        assert_eq!(wish.unreadable, ["192.0.2.8/32"]);
        s.annotations.insert("lbipam.cilium.io/ips".to_owned(), "192.0.2.9".to_owned());
        assert!(requested(&s).unreadable.is_empty(), "the newer name wins over the older");
    }
}
