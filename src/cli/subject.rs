//! Subjects as they are typed: `svc/b`, `shop/b`, `svc b`, `192.0.2.10`, `192.0.2.10:80/TCP`.

use std::net::IpAddr;

use super::error::CliError;
use crate::model::{PortKey, ServiceRef, Subject};

const SERVICE: [&str; 3] = ["svc", "service", "services"];

/// Types that somebody may try, in kubectl's spellings: of Kubernetes, of Gateway API, of Cilium.
const OTHERS: &str = "\
    cj cm configmap configmaps cronjob cronjobs daemonset daemonsets deploy deployment deployments ds \
    endpoint endpoints endpointslice endpointslices ep ev event events hpa ing ingress ingressclass \
    ingressclasses ingresses job jobs lease leases namespace namespaces netpol networkpolicies \
    networkpolicy no node nodes ns po pod pods pv pvc replicaset replicasets rs sa secret secrets \
    serviceaccount serviceaccounts statefulset statefulsets sts \
    gateway gatewayclass gatewayclasses gateways gc grpcroute grpcroutes gtw httproute httproutes \
    tcproute tcproutes tlsroute tlsroutes udproute udproutes \
    address bgp cbgpadvert cbgpcluster cbgppeer ccnp cec cep ciliumbgpadvertisement \
    ciliumbgpadvertisements ciliumclusterwidenetworkpolicies ciliumclusterwidenetworkpolicy \
    ciliumendpoint ciliumendpoints ciliumenvoyconfig ciliumenvoyconfigs ciliuml2announcementpolicies \
    ciliuml2announcementpolicy ciliumloadbalancerippool ciliumloadbalancerippools \
    ciliumnetworkpolicies ciliumnetworkpolicy ciliumnode ciliumnodes cn cnp frontend frontends ip \
    ippool ippools l2announcement lbippool lbippools pool pools vip vips";

/// Whether a word is a type other than Services; `deployments.apps` is as good as `deployments`.
fn is_other(word: &str) -> bool {
    let kind = word.split('.').next().unwrap_or_default().to_ascii_lowercase();
    OTHERS.split_whitespace().any(|other| other == kind)
}

fn is_service(word: &str) -> bool {
    SERVICE.contains(&word.to_ascii_lowercase().as_str())
}

/// A subject whose namespace may still be open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Typed {
    /// A Service.
    Service {
        /// Its namespace, where it was typed.
        namespace: Option<String>,
        /// Its name.
        name: String,
    },
    /// An address.
    Vip(IpAddr),
    /// An address and port.
    Frontend(PortKey),
}

impl Typed {
    /// Fills in the namespace.
    pub fn subject(self, namespace: &str) -> Subject {
        match self {
            Self::Service { namespace: typed, name } => {
                Subject::Service(ServiceRef::new(typed.unwrap_or_else(|| namespace.to_owned()), name))
            }
            Self::Vip(vip) => Subject::Vip(vip),
            Self::Frontend(key) => Subject::Frontend(key),
        }
    }

    /// How a word was read that named this namespace; none where it did not.
    pub fn read_as(&self, wanted: &str) -> Option<String> {
        match self {
            Self::Service { namespace: Some(namespace), name } if namespace == wanted => Some(format!(
                "'{namespace}/{name}' was read as NAMESPACE/NAME: Service {name} in namespace {namespace}"
            )),
            _ => None,
        }
    }
}

/// Reads all subjects of a command line; `namespace` is that of `-n`.
pub(super) fn parse(words: &[String], namespace: Option<&str>) -> Result<Vec<Typed>, CliError> {
    // As in kubectl, TYPE NAME… names several of one type.
    let names = match words {
        [kind, _, ..] if is_other(kind) => {
            return Err(other_type(kind, Some(format!("Service: svc/{kind}"))));
        }
        [kind, names @ ..] if is_service(kind) && !names.is_empty() => names,
        all => all,
    };
    names.iter().map(|word| one(word, namespace)).collect()
}

fn one(word: &str, namespace: Option<&str>) -> Result<Typed, CliError> {
    if let Ok(key) = word.parse::<PortKey>() {
        return Ok(Typed::Frontend(key));
    }
    if let Ok(vip) = word.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>().map(|ip| ip.to_canonical()) {
        return Ok(Typed::Vip(vip));
    }
    let parts: Vec<&str> = word.split('/').collect();
    let (typed, name) = match parts[..] {
        [name] => (None, name),
        [kind, name] if is_service(kind) => (None, name),
        [kind, name] if is_other(kind) => {
            return Err(other_type(kind, Some(format!("namespace: svc/{name} -n {kind}"))));
        }
        [space, name] => (Some(space), name),
        [kind, space, name] if is_service(kind) => (Some(space), name),
        [kind, _, _] if is_other(kind) => return Err(other_type(kind, None)),
        _ => return Err(not_a_subject(word)),
    };
    if !is_name(name) || typed.is_some_and(|space| !is_name(space)) {
        return Err(not_a_subject(word));
    }
    match (typed, namespace) {
        (Some(typed), Some(flag)) if typed != flag => {
            Err(CliError::usage(format!("'{word}' names namespace {typed}, but -n says {flag}")))
        }
        _ => Ok(Typed::Service { namespace: typed.map(str::to_owned), name: name.to_owned() }),
    }
}

/// A name that Kubernetes would take for a Service.
fn is_name(text: &str) -> bool {
    let letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    text.len() <= 63
        && text.starts_with(letter)
        && text.ends_with(letter)
        && text.chars().all(|c| letter(c) || c == '-')
}

/// `otherwise` tells of what the word may be the name after all, and what to type then.
fn other_type(kind: &str, otherwise: Option<String>) -> CliError {
    let lower = kind.to_ascii_lowercase();
    let hint = if lower.starts_with("gateway") || lower == "gtw" {
        "the Service of Gateway NAME is svc/cilium-gateway-NAME, in the Gateway's namespace"
    } else if lower.starts_with("ing") {
        "the Service of Ingress NAME is svc/cilium-ingress-NAME, or svc/cilium-ingress beside Cilium where they share one"
    } else {
        "a subject is a Service (svc/NAME, NAMESPACE/NAME) or an address (192.0.2.10, 192.0.2.10:443)"
    };
    let error = CliError::usage(format!("{kind} is not a subject of this command")).hint(hint);
    match otherwise.filter(|_| is_name(kind)) {
        Some(otherwise) => error.hint(format!("if {kind} is the name of a {otherwise}")),
        None => error,
    }
}

fn not_a_subject(word: &str) -> CliError {
    let digits = word.starts_with(|c: char| c.is_ascii_digit()) && word.contains(['.', ':']);
    let wanted = if digits || word.starts_with('[') {
        "an address (192.0.2.10), nor one with a port (192.0.2.10:80, 192.0.2.10:53/UDP, [2001:db8::1]:443)"
    } else {
        "a Service (svc/NAME, NAMESPACE/NAME), nor an address (192.0.2.10, 192.0.2.10:80/TCP)"
    };
    let error = CliError::usage(format!("'{word}' is not {wanted}"));
    let several: Vec<&str> = word.split(',').filter(|part| !part.is_empty()).collect();
    if several.len() > 1 {
        return error.hint(format!("put blanks between several: {}", several.join(" ")));
    }
    error
}

#[cfg(test)]
mod tests {
    use super::*;

    fn service(namespace: Option<&str>, name: &str) -> Typed {
        Typed::Service { namespace: namespace.map(str::to_owned), name: name.to_owned() }
    }

    fn read(line: &str, namespace: Option<&str>) -> Result<Vec<Typed>, String> {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        parse(&words, namespace).map_err(|e| format!("{e:?}"))
    }

    #[test]
    fn every_spelling_of_a_service() {
        for line in ["b", "svc/b", "service/b", "services/b", "svc b", "service b", "services b", "Service/b"] {
            assert_eq!(read(line, None).expect(line), [service(None, "b")], "{line}");
        }
        for line in ["shop/b", "svc/shop/b", "svc shop/b"] {
            assert_eq!(read(line, Some("shop")).expect(line), [service(Some("shop"), "b")], "{line}");
        }
        assert_eq!(read("svc a b", None).expect("two"), [service(None, "a"), service(None, "b")]);
        assert_eq!(read("svc", None).expect("a name"), [service(None, "svc")], "alone it is a name");
    }

    #[test]
    fn addresses_and_ports() {
        let words = read("192.0.2.10 192.0.2.10:53/udp [2001:db8::1]:443 2001:db8::1 svc/a", None).expect("five");
        assert!(matches!(words[0], Typed::Vip(_)));
        assert!(matches!(words[1], Typed::Frontend(key) if key.to_string() == "192.0.2.10:53/UDP"));
        assert!(matches!(words[2], Typed::Frontend(_)) && matches!(words[3], Typed::Vip(_)));
    }

    #[test]
    fn what_is_no_subject() {
        for line in ["192.0.2.300", "192.0.2.10:0", "192.0.2.10:80/ICMP", "Web", "a/b/c", "svc/", "svc/b/c/d", "-"] {
            assert!(read(line, None).expect_err(line).contains("is not"), "{line}");
        }
        for (line, said) in [
            ("gateway/g", "svc/cilium-gateway-NAME"),
            ("ing/shop/i", "svc/cilium-ingress-NAME"),
            ("pod x", "svc/pod"),
            ("pool/edge", "svc/edge -n pool"),
            ("Node/nd1", "a subject is a Service"),
            ("deployments.apps/web", "a subject is a Service"),
        ] {
            let error = read(line, None).expect_err(line);
            assert!(error.contains("is not a subject of this command") && error.contains(said), "{line}: {error}");
        }
        assert!(read("svc/b,svc/a", None).expect_err("a comma").contains("blanks between several: svc/b svc/a"));
        assert!(read("shop/b", Some("other")).is_err(), "two namespaces");
    }
}
