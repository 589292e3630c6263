//! What makes a VIP known outside: L2 policies with their Leases, and BGP advertisements.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::Selector;

/// A CiliumL2AnnouncementPolicy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct L2Policy {
    /// Its name.
    pub name: String,
    /// Which Services; none takes all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service_selector: Option<Selector>,
    /// Which nodes may announce; none takes all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node_selector: Option<Selector>,
    /// Interface patterns; empty takes all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub interfaces: Vec<String>,
    /// Announces `status.loadBalancer` addresses.
    pub load_balancer_ips: bool,
    /// Announces `spec.externalIPs`.
    pub external_ips: bool,
}

/// A coordination Lease that matters here: an L2 announcement's, or the operator's leader election.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Lease {
    /// Its name; `cilium-l2announce-<namespace>-<service>` for an announcement.
    pub name: String,
    /// Who holds it (for an announcement the node's name); empty when released.
    #[serde(default)]
    pub holder: String,
    /// When the holder last renewed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub renewed: Option<Timestamp>,
    /// How many seconds it lasts without renewal.
    pub seconds: i32,
}

/// A node's BGP sessions, from the status of its CiliumBGPNodeConfig.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BgpNode {
    /// The node.
    pub node: String,
    /// Its peers.
    pub peers: Vec<BgpPeer>,
}

/// One BGP session of a node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BgpPeer {
    /// The peer's address, or its name where it has none yet.
    pub peer: String,
    /// `peeringState` is `established`.
    pub established: bool,
    /// Routes that the node has advertised to it, all families together.
    pub advertised: u64,
}

impl Lease {
    /// Tells whether it was held at that moment. Clocks of nodes differ, so a Lease gets twice its
    /// term before it counts as lost.
    #[must_use]
    pub fn is_live(&self, now: Timestamp) -> bool {
        let Some(renewed) = self.renewed else { return false };
        let grace = jiff::SignedDuration::from_secs(i64::from(self.seconds.max(1)) * 2);
        !self.holder.is_empty() && now.duration_since(renewed) <= grace
    }
}

/// A CiliumBGPAdvertisement entry of type Service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Advertisement {
    /// The object's name.
    pub name: String,
    /// Which Services; **none selects nothing** here (`pkg/bgp`, unlike pools and L2 policies).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selector: Option<Selector>,
    /// `service.addresses`, e.g. `LoadBalancerIP`, `ExternalIP`.
    pub addresses: Vec<String>,
}
