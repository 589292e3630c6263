//! From Cilium's own objects to the model. Pure; reads every version that is served (v2, v2alpha1).

use kube::core::DynamicObject;
use serde::Deserialize;

use crate::model::{Advertisement, BgpNode, BgpPeer, Block, L2Policy, Pool, PoolCondition, Selector};

/// An object that is not what its kind should be.
#[derive(Debug, thiserror::Error)]
#[error("{kind} '{name}' is not understood: {source}")]
pub struct ShapeError {
    kind: &'static str,
    name: String,
    source: serde_json::Error,
}

fn part<T: for<'a> Deserialize<'a> + Default>(
    object: &DynamicObject,
    kind: &'static str,
    field: &str,
) -> Result<T, ShapeError> {
    match object.data.get(field) {
        None | Some(serde_json::Value::Null) => Ok(T::default()),
        Some(value) => T::deserialize(value).map_err(|source| ShapeError { kind, name: name(object), source }),
    }
}

fn name(object: &DynamicObject) -> String {
    object.metadata.name.clone().unwrap_or_default()
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct PoolSpec {
    disabled: bool,
    service_selector: Option<Selector>,
    #[serde(rename = "allowFirstLastIPs")]
    allow_first_last: Option<String>,
    blocks: Option<Vec<RawBlock>>,
    cidrs: Option<Vec<RawBlock>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RawBlock {
    cidr: Option<String>,
    start: Option<String>,
    stop: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct PoolStatus {
    conditions: Option<Vec<PoolCondition>>,
}

/// Converts a CiliumLoadBalancerIPPool.
///
/// # Errors
/// When a field has another type than it should.
pub fn pool(object: &DynamicObject) -> Result<Pool, ShapeError> {
    const KIND: &str = "CiliumLoadBalancerIPPool";
    let spec: PoolSpec = part(object, KIND, "spec")?;
    let status: PoolStatus = part(object, KIND, "status")?;
    let blocks = spec.blocks.into_iter().chain(spec.cidrs).flatten();
    Ok(Pool {
        name: name(object),
        created: object.metadata.creation_timestamp.as_ref().map(|t| t.0),
        disabled: spec.disabled,
        selector: spec.service_selector,
        allow_first_last: spec.allow_first_last.map(|word| word == "Yes"),
        blocks: blocks.filter_map(block).collect(),
        conditions: status.conditions.unwrap_or_default(),
    })
}

/// A block that is neither a range nor a CIDR gives no address: it is left out.
fn block(raw: RawBlock) -> Option<Block> {
    if let Some(cidr) = raw.cidr.filter(|c| !c.is_empty()) {
        return Some(Block::Cidr { cidr });
    }
    let start = raw.start?.parse().ok()?;
    let stop = match raw.stop.filter(|s| !s.is_empty()) {
        Some(stop) => stop.parse().ok()?,
        None => start,
    };
    Some(Block::Range { start, stop })
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct L2Spec {
    service_selector: Option<Selector>,
    node_selector: Option<Selector>,
    interfaces: Option<Vec<String>>,
    #[serde(rename = "loadBalancerIPs")]
    load_balancer_ips: bool,
    #[serde(rename = "externalIPs")]
    external_ips: bool,
}

/// Converts a CiliumL2AnnouncementPolicy.
///
/// # Errors
/// When a field has another type than it should.
pub fn l2_policy(object: &DynamicObject) -> Result<L2Policy, ShapeError> {
    let spec: L2Spec = part(object, "CiliumL2AnnouncementPolicy", "spec")?;
    Ok(L2Policy {
        name: name(object),
        service_selector: spec.service_selector,
        node_selector: spec.node_selector,
        interfaces: spec.interfaces.unwrap_or_default(),
        load_balancer_ips: spec.load_balancer_ips,
        external_ips: spec.external_ips,
    })
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct BgpSpec {
    advertisements: Option<Vec<BgpEntry>>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct BgpEntry {
    advertisement_type: String,
    selector: Option<Selector>,
    service: Option<BgpService>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct BgpService {
    addresses: Option<Vec<String>>,
}

/// Converts the Service entries of a CiliumBGPAdvertisement.
///
/// # Errors
/// When a field has another type than it should.
pub fn advertisements(object: &DynamicObject) -> Result<Vec<Advertisement>, ShapeError> {
    let spec: BgpSpec = part(object, "CiliumBGPAdvertisement", "spec")?;
    let entries = spec.advertisements.into_iter().flatten().filter(|e| e.advertisement_type == "Service");
    Ok(entries
        .map(|entry| Advertisement {
            name: name(object),
            selector: entry.selector,
            addresses: entry.service.and_then(|s| s.addresses).unwrap_or_default(),
        })
        .collect())
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct BgpStatus {
    bgp_instances: Option<Vec<BgpInstance>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct BgpInstance {
    peers: Option<Vec<PeerStatus>>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct PeerStatus {
    name: String,
    peer_address: String,
    peering_state: String,
    route_count: Option<Vec<RouteCount>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RouteCount {
    advertised: u64,
}

/// Converts the status of a CiliumBGPNodeConfig.
///
/// # Errors
/// When a field has another type than it should.
pub fn bgp_node(object: &DynamicObject) -> Result<BgpNode, ShapeError> {
    let status: BgpStatus = part(object, "CiliumBGPNodeConfig", "status")?;
    let peers = status.bgp_instances.into_iter().flatten().flat_map(|instance| instance.peers.into_iter().flatten());
    let peer = |peer: PeerStatus| BgpPeer {
        peer: if peer.peer_address.is_empty() { peer.name } else { peer.peer_address },
        established: peer.peering_state == "established",
        advertised: peer.route_count.into_iter().flatten().map(|count| count.advertised).sum(),
    };
    Ok(BgpNode { node: name(object), peers: peers.map(peer).collect() })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn object(value: serde_json::Value) -> DynamicObject {
        serde_json::from_value(value).expect("an object")
    }

    #[test]
    fn sessions_are_read_from_the_status() {
        let config =
            object(json!({"metadata": {"name": "nd1"}, "status": {"bgpInstances": [{"name": "65001", "peers": [
            {"name": "a", "peerAddress": "192.0.2.1", "peeringState": "established",
             "routeCount": [{"afi": "ipv4", "safi": "unicast", "advertised": 2}, {"afi": "ipv6", "advertised": 1}]},
            {"name": "b", "peeringState": "idle"}]}]}}));
        let node = bgp_node(&config).expect("sessions");
        let peers: Vec<_> = node.peers.iter().map(|p| (p.peer.as_str(), p.established, p.advertised)).collect();
        assert_eq!(peers, [("192.0.2.1", true, 3), ("b", false, 0)]);
        assert_eq!(bgp_node(&object(json!({"metadata": {"name": "nd2"}}))).expect("no status yet").peers, []);
    }

    #[test]
    fn pools_of_every_version() {
        let new = pool(&object(json!({
            "metadata": {"name": "p", "creationTimestamp": "2026-01-01T00:00:00Z"},
            "spec": {"blocks": [{"cidr": "192.0.2.0/24"}, {"start": "192.0.2.9"}, {"start": "2001:db8::1", "stop": "2001:db8::9"}, {}],
                     "allowFirstLastIPs": "No", "serviceSelector": {"matchLabels": {"a": "b"}}},
            "status": {"conditions": [{"type": "cilium.io/PoolConflict", "status": "True", "message": "overlaps"}]}
        })))
        .expect("a pool");
        let blocks: Vec<String> = new.blocks.iter().map(|b| serde_json::to_string(b).expect("JSON")).collect();
        assert_eq!(
            blocks,
            [
                r#"{"cidr":"192.0.2.0/24"}"#,
                r#"{"start":"192.0.2.9","stop":"192.0.2.9"}"#,
                r#"{"start":"2001:db8::1","stop":"2001:db8::9"}"#
            ]
        );
        assert_eq!((new.allow_first_last, new.conflict()), (Some(false), Some("overlaps")));
        assert!(new.selector.is_some() && !new.disabled && new.created.is_some());
        let old = pool(&object(
            json!({"metadata": {"name": "p"}, "spec": {"cidrs": [{"cidr": "192.0.2.0/28"}], "disabled": true}}),
        ));
        let old = old.expect("a pool of 1.14");
        assert!(old.disabled && old.blocks.len() == 1 && old.allow_first_last.is_none());
        let odd = pool(&object(json!({"metadata": {"name": "p"}, "spec": {"blocks": "none"}})));
        assert!(odd.expect_err("no list").to_string().starts_with("CiliumLoadBalancerIPPool 'p' is not understood"));
    }

    #[test]
    fn policies_and_advertisements() {
        let policy = l2_policy(&object(
            json!({"metadata": {"name": "l2"}, "spec": {"loadBalancerIPs": true, "interfaces": ["^eth"]}}),
        ));
        let policy = policy.expect("a policy");
        assert!(policy.load_balancer_ips && !policy.external_ips && policy.service_selector.is_none());
        let found = advertisements(&object(json!({"metadata": {"name": "bgp"}, "spec": {"advertisements": [
            {"advertisementType": "PodCIDR"},
            {"advertisementType": "Service", "service": {"addresses": ["LoadBalancerIP"]}, "selector": {}}
        ]}})));
        let found = found.expect("advertisements");
        assert_eq!(found.len(), 1, "only Services");
        assert_eq!(
            (found[0].addresses.as_slice(), found[0].selector.is_some()),
            (&["LoadBalancerIP".to_owned()][..], true)
        );
    }
}
