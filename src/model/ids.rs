//! Names for things: Services, and the VIP:port/protocol triples they claim.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Text that could not be read as one of the identifiers of this module.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{input}' is not {wanted}")]
pub struct ParseIdError {
    /// What was given.
    pub input: String,
    /// What was expected, with an example.
    pub wanted: &'static str,
}

fn refuse(input: &str, wanted: &'static str) -> ParseIdError {
    ParseIdError { input: input.to_owned(), wanted }
}

/// The characters of names, labels and Cilium's own references to them.
#[must_use]
pub fn in_names(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '.' | ':' | '_' | '/' | '-')
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && !text.starts_with('-') && text.chars().all(in_names)
}

/// A Service by namespace and name; written `namespace/name`, as Cilium's tables do.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ServiceRef {
    /// The namespace.
    pub namespace: String,
    /// The name.
    pub name: String,
}

impl ServiceRef {
    /// Builds the reference from its two parts.
    #[must_use]
    pub fn new(namespace: impl Into<String>, name: impl Into<String>) -> Self {
        Self { namespace: namespace.into(), name: name.into() }
    }
}

impl fmt::Display for ServiceRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.namespace, self.name)
    }
}

impl FromStr for ServiceRef {
    type Err = ParseIdError;

    /// Reads `namespace/name`. A cluster prefix (`cluster/namespace/name`, written by agents for
    /// Services of other clusters) is kept as part of the namespace, so that it equals no local one.
    /// Text that no name can be is refused wherever it comes from: names end up in commands to paste.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.rsplit_once('/') {
            Some((namespace, name)) if is_name(namespace) && is_name(name) => Ok(Self::new(namespace, name)),
            _ => Err(refuse(text, "a Service as NAMESPACE/NAME")),
        }
    }
}

/// The transport protocol of a port.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Proto {
    /// TCP, the default of a Service port.
    #[default]
    Tcp,
    /// UDP.
    Udp,
    /// SCTP.
    Sctp,
}

impl fmt::Display for Proto {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Tcp => "TCP",
            Self::Udp => "UDP",
            Self::Sctp => "SCTP",
        })
    }
}

impl FromStr for Proto {
    type Err = ParseIdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.to_ascii_uppercase().as_str() {
            "TCP" => Ok(Self::Tcp),
            "UDP" => Ok(Self::Udp),
            "SCTP" => Ok(Self::Sctp),
            _ => Err(refuse(text, "a protocol (TCP, UDP or SCTP)")),
        }
    }
}

/// A VIP, port and protocol: the unit that exactly one Service can own on a node.
///
/// Written `192.0.2.10:80/TCP` or `[2001:db8::1]:80/TCP`, as Cilium's `frontends` table does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PortKey {
    /// The address.
    pub vip: IpAddr,
    /// The port, 1 to 65535.
    pub port: u16,
    /// The protocol.
    pub proto: Proto,
}

impl fmt::Display for PortKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.vip {
            IpAddr::V4(ip) => write!(f, "{ip}:{}/{}", self.port, self.proto),
            IpAddr::V6(ip) => write!(f, "[{ip}]:{}/{}", self.port, self.proto),
        }
    }
}

impl FromStr for PortKey {
    type Err = ParseIdError;

    /// Reads `IP:PORT[/PROTO]`; without a protocol it is TCP. An IPv4 address inside an IPv6 one is the
    /// IPv4 address: agents know no other form of it.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const WANTED: &str = "an address and port like 192.0.2.10:80, 192.0.2.10:53/UDP or [2001:db8::1]:443";
        let (socket, proto) = text.split_once('/').unwrap_or((text, "TCP"));
        let socket: std::net::SocketAddr = socket.parse().map_err(|_| refuse(text, WANTED))?;
        let proto = proto.parse().map_err(|_| refuse(text, WANTED))?;
        if socket.port() == 0 {
            return Err(refuse(text, WANTED));
        }
        Ok(Self { vip: socket.ip().to_canonical(), port: socket.port(), proto })
    }
}

/// Serialises a type by its text form.
macro_rules! serde_as_text {
    ($($name:ty),*) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
            }
        }
    )*};
}
serde_as_text!(ServiceRef, Proto, PortKey);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn port_keys_read_and_write_like_cilium() {
        for text in ["192.0.2.10:80/TCP", "[2001:db8::1]:53/UDP", "192.0.2.1:9/SCTP"] {
            assert_eq!(text.parse::<PortKey>().expect(text).to_string(), text);
        }
        assert_eq!("192.0.2.10:80".parse::<PortKey>().expect("no protocol").proto, Proto::Tcp);
        assert_eq!("[::ffff:192.0.2.10]:80".parse::<PortKey>().expect("mapped").to_string(), "192.0.2.10:80/TCP");
        for text in ["192.0.2.10", "192.0.2.10:0", "192.0.2.10:80/ICMP", "2001:db8::1:80x", ":80"] {
            assert!(text.parse::<PortKey>().is_err(), "{text}");
        }
    }

    #[test]
    fn service_of_another_cluster_is_not_the_local_one() {
        let remote: ServiceRef = "east/shop/a".parse().expect("three parts");
        assert_ne!(remote, ServiceRef::new("shop", "a"));
        assert!("a".parse::<ServiceRef>().is_err());
    }

    #[test]
    fn what_no_name_can_be_is_no_service() {
        for text in ["shop/a;reboot", "shop/$(id)", "shop/a b", "shop/-A", "--all/a", "shop/a\n", "shop/ü"] {
            assert!(text.parse::<ServiceRef>().is_err(), "{text}");
        }
        assert!("shop/web:host-port:8080:0f2e".parse::<ServiceRef>().is_ok(), "an agent's own");
    }
}
