//! What is asked for.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::migrate::intent::{Drain, Limits, SourceAfter, Strategy};
use crate::model::{ParseIdError, Proto, ServiceRef};

/// A migration as somebody asks for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    /// Who has the ports now.
    pub source: ServiceRef,
    /// Who shall have them.
    pub target: ServiceRef,
    /// Which ports.
    pub ports: Ports,
    /// The VIP that is meant where the source has several.
    pub vip: Option<IpAddr>,
    /// In which order things happen.
    pub strategy: Strategy,
    /// How open connections are kept; heeded in a handoff only.
    pub drain: Option<Drain>,
    /// What becomes of the source when its last port goes; never [`SourceAfter::Keeps`].
    pub source_after: Option<SourceAfter>,
    /// What shall be different on the target.
    pub changes: Vec<Change>,
    /// When to give up, and what then.
    pub limits: Limits,
    /// Move ports of Services that Helm, Argo CD or Flux own all the same.
    pub override_owner: bool,
}

/// Which ports of the source move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Ports {
    /// All of them.
    All,
    /// These, in this order.
    These(Vec<Wish>),
}

/// A port that was named: `80`, or `80/UDP`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wish {
    /// The port on the VIP.
    pub port: u16,
    /// Its protocol; without one the port must have a single one.
    pub proto: Option<Proto>,
}

impl fmt::Display for Wish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.proto {
            Some(proto) => write!(f, "{}/{proto}", self.port),
            None => write!(f, "{}", self.port),
        }
    }
}

impl FromStr for Wish {
    type Err = ParseIdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let refuse = || ParseIdError { input: text.to_owned(), wanted: "a port like 80 or 53/UDP" };
        let (port, proto) = text.split_once('/').map_or((text, None), |(port, proto)| (port, Some(proto)));
        let port = port.parse().ok().filter(|port| *port > 0).ok_or_else(refuse)?;
        let proto = proto.map(str::parse).transpose().map_err(|_| refuse())?;
        Ok(Self { port, proto })
    }
}

/// Something that a port changes on its way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Change {
    /// Which port; none where a single one moves.
    pub port: Option<u16>,
    /// What it has on the target.
    pub to: Becomes,
}

/// What a port has on the target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Becomes {
    /// This `targetPort`: a number or a name.
    TargetPort(String),
    /// This name.
    Name(String),
    /// This `appProtocol`.
    AppProtocol(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_are_read_with_and_without_protocol() {
        assert_eq!("80".parse(), Ok(Wish { port: 80, proto: None }));
        assert_eq!("53/udp".parse(), Ok(Wish { port: 53, proto: Some(Proto::Udp) }));
        for text in ["0", "80/", "http", "80/ICMP", "65536", "-1"] {
            assert!(text.parse::<Wish>().is_err(), "{text}");
        }
    }
}
