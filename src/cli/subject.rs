//! Subjects as they are typed: `svc/b`, `shop/b`, `svc b`, `192.0.2.10`, `192.0.2.10:80/TCP`.

use std::net::IpAddr;

use super::error::CliError;
use crate::model::{PortKey, ServiceRef, Subject};

const SERVICE: [&str; 3] = ["svc", "service", "services"];

/// Types that somebody may try; each has Services of its own that can be named instead.
const OTHERS: [&str; 18] = [
    "deploy",
    "deployment",
    "endpoints",
    "ep",
    "gateway",
    "gateways",
    "gtw",
    "httproute",
    "ing",
    "ingress",
    "ingresses",
    "ippool",
    "no",
    "node",
    "nodes",
    "po",
    "pod",
    "pods",
];

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
}

/// Reads all subjects of a command line; `namespace` is that of `-n`.
pub(super) fn parse(words: &[String], namespace: Option<&str>) -> Result<Vec<Typed>, CliError> {
    let first = words.first().map(String::as_str).unwrap_or_default();
    if OTHERS.contains(&first) && words.len() > 1 {
        return Err(other_type(first));
    }
    // As in kubectl, TYPE NAME… names several of one type.
    let names = if SERVICE.contains(&first) && words.len() > 1 { &words[1..] } else { words };
    names.iter().map(|word| one(word, namespace)).collect()
}

fn one(word: &str, namespace: Option<&str>) -> Result<Typed, CliError> {
    if let Ok(key) = word.parse::<PortKey>() {
        return Ok(Typed::Frontend(key));
    }
    if let Ok(vip) = word.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>() {
        return Ok(Typed::Vip(vip));
    }
    let parts: Vec<&str> = word.split('/').collect();
    let (typed, name) = match parts[..] {
        [name] => (None, name),
        [kind, name] if SERVICE.contains(&kind) => (None, name),
        [kind, _] if OTHERS.contains(&kind) => return Err(other_type(kind)),
        [space, name] => (Some(space), name),
        [kind, space, name] if SERVICE.contains(&kind) => (Some(space), name),
        [kind, ..] if OTHERS.contains(&kind) => return Err(other_type(kind)),
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

fn other_type(kind: &str) -> CliError {
    CliError::usage(format!("{kind} is not a subject of this command, only Services and addresses are"))
        .hint("name the Service that belongs to it; a Gateway's is svc/cilium-gateway-NAME, an Ingress's svc/cilium-ingress-NAME")
}

fn not_a_subject(word: &str) -> CliError {
    let digits = word.starts_with(|c: char| c.is_ascii_digit()) && word.contains(['.', ':']);
    let wanted = if digits || word.starts_with('[') {
        "an address (192.0.2.10), nor one with a port (192.0.2.10:80, 192.0.2.10:53/UDP, [2001:db8::1]:443)"
    } else {
        "a Service (svc/NAME, NAMESPACE/NAME), nor an address (192.0.2.10, 192.0.2.10:80/TCP)"
    };
    CliError::usage(format!("'{word}' is not {wanted}"))
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
        for line in ["b", "svc/b", "service/b", "services/b", "svc b", "service b", "services b"] {
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
        for line in ["gateway/g", "pod x", "ing/shop/i"] {
            assert!(read(line, None).expect_err(line).contains("name the Service"), "{line}");
        }
        assert!(read("shop/b", Some("other")).is_err(), "two namespaces");
    }
}
