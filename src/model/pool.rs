//! CiliumLoadBalancerIPPools.

use std::net::IpAddr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::Selector;

/// A CiliumLoadBalancerIPPool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Pool {
    /// Its name.
    pub name: String,
    /// When it was created; of two pools that overlap, Cilium disables the younger.
    pub created: Option<Timestamp>,
    /// `spec.disabled`: gives out nothing new.
    pub disabled: bool,
    /// `spec.serviceSelector`; none takes every Service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selector: Option<Selector>,
    /// `spec.allowFirstLastIPs` where it is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allow_first_last: Option<bool>,
    /// `spec.blocks` (`spec.cidrs` up to Cilium 1.14).
    pub blocks: Vec<Block>,
    /// `status.conditions`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<PoolCondition>,
}

/// One block of a pool: a CIDR, or an address range with both ends in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Block {
    /// A range; `stop` equals `start` for a single address.
    Range {
        /// First address.
        start: IpAddr,
        /// Last address.
        stop: IpAddr,
    },
    /// A CIDR such as `192.0.2.0/24`; may be written with host bits set.
    Cidr {
        /// Its text.
        cidr: String,
    },
}

/// A condition of a pool, e.g. `cilium.io/PoolConflict`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PoolCondition {
    /// Its type.
    #[serde(rename = "type")]
    pub kind: String,
    /// `True`, `False` or `Unknown`.
    pub status: String,
    /// A sentence or, for the counters, a decimal number.
    #[serde(default)]
    pub message: String,
}

impl std::fmt::Display for Block {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Cidr { cidr } => f.write_str(cidr),
            Self::Range { start, stop } if start == stop => write!(f, "{start}"),
            Self::Range { start, stop } => write!(f, "{start}-{stop}"),
        }
    }
}

impl Pool {
    /// Cilium's own words on the pool it overlaps with, if it says that there is one.
    #[must_use]
    pub fn conflict(&self) -> Option<&str> {
        self.conditions
            .iter()
            .find(|c| matches!(c.kind.as_str(), "cilium.io/PoolConflict" | "io.cilium/conflict") && c.status == "True")
            .map(|c| c.message.as_str())
    }
}
