//! `cilium-dbg service list -o json`: the only view of the load balancer in Cilium 1.17 and older.
//!
//! It lists what the agent wants, not what it wrote to the datapath: its rows never prove more
//! than the owner, so their status is [`StatusKind::Other`].

use serde_json::Value;

use super::{Parsed, ReadError};
use crate::model::{AgentBackend, Asked, FrontendRow, PortKey, Proto, RowStatus, StatusKind};

/// Reads the list and keeps the rows that were asked for.
///
/// # Errors
/// When it is not such a list.
pub fn service_list(stdout: &str, asked: &Asked) -> Result<Parsed, ReadError> {
    // Warnings may stand before the list.
    let start = stdout.lines().scan(0, |at, line| {
        let begin = *at;
        *at += line.len() + 1;
        Some((begin, line))
    });
    let begin = start.into_iter().find(|(_, line)| line.starts_with('[')).map(|(begin, _)| begin);
    let text = begin.and_then(|begin| stdout.get(begin..)).unwrap_or(stdout);
    let rows: Vec<Value> = serde_json::from_str(text)
        .map_err(|error| ReadError::Unreadable(format!("not the JSON of a service list: {error}")))?;
    let mut parsed = Parsed::default();
    for row in rows.iter().filter_map(row) {
        if asked.vips.contains(&row.key.vip) || asked.services.contains(&row.owner) {
            parsed.frontends.push(row);
        }
    }
    Ok(parsed)
}

/// One entry; none where it is no port of a Service.
fn row(entry: &Value) -> Option<FrontendRow> {
    let spec = entry.get("spec")?;
    let address = spec.get("frontend-address")?;
    let flag = |name: &str| spec.get("flags").and_then(|f| f.get(name)).and_then(Value::as_str).unwrap_or_default();
    let key = PortKey {
        vip: address.get("ip")?.as_str()?.parse().ok()?,
        port: port(address).filter(|port| *port != 0)?,
        proto: proto(address)?,
    };
    let backends = spec.get("backend-addresses").and_then(Value::as_array);
    Some(FrontendRow {
        key,
        internal: address.get("scope").and_then(Value::as_str) == Some("internal"),
        kind: flag("type").to_owned(),
        // A row without an owner says nothing about a claim.
        owner: format!("{}/{}", flag("namespace"), flag("name")).parse().ok()?,
        status: RowStatus { kind: StatusKind::Other, error: String::new(), updated: None, id: 0 },
        backends: backends.into_iter().flatten().filter_map(backend).collect(),
        redirected: false,
    })
}

fn port(address: &Value) -> Option<u16> {
    address.get("port").and_then(Value::as_u64).and_then(|port| u16::try_from(port).ok())
}

/// Agents up to 1.16 name no protocol; most ports are TCP.
fn proto(address: &Value) -> Option<Proto> {
    match address.get("protocol").and_then(Value::as_str) {
        None | Some("") => Some(Proto::Tcp),
        Some(word) => word.parse().ok(),
    }
}

fn backend(entry: &Value) -> Option<AgentBackend> {
    let ip = entry.get("ip")?.as_str()?.parse().ok()?;
    let key = PortKey { vip: ip, port: port(entry)?, proto: proto(entry)? };
    let state = entry.get("state").and_then(Value::as_str).unwrap_or("active");
    let node = entry.get("nodeName").and_then(Value::as_str).unwrap_or_default().to_owned();
    Some(AgentBackend { address: key.to_string(), active: state == "active", node })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ServiceRef;

    #[test]
    fn rows_of_the_old_list_prove_the_owner_only() {
        let list = r#"level=warning msg="something first"
[ { "spec": { "id": 7,
      "backend-addresses": [ { "ip": "10.0.1.184", "nodeName": "w1", "port": 8080, "state": "active" },
                             { "ip": "10.0.1.185", "port": 8080, "state": "terminating" } ],
      "flags": { "name": "a", "namespace": "shop", "type": "LoadBalancer" },
      "frontend-address": { "ip": "192.0.2.10", "port": 80, "scope": "external" } } },
  { "spec": { "backend-addresses": null, "flags": { "name": "x", "namespace": "shop", "type": "ClusterIP" },
      "frontend-address": { "ip": "10.96.0.10", "port": 53, "protocol": "UDP", "scope": "internal" } } },
  { "spec": { "flags": { "name": "w", "namespace": "shop" }, "frontend-address": { "ip": "192.0.2.10" } } } ]"#;
        let asked = Asked { services: vec![], vips: vec!["192.0.2.10".parse().expect("v4")] };
        let parsed = service_list(list, &asked).expect("a list");
        assert_eq!(parsed.frontends.len(), 1, "neither the other address nor the wildcard");
        let row = &parsed.frontends[0];
        assert_eq!(row.key.to_string(), "192.0.2.10:80/TCP");
        assert_eq!(row.owner, ServiceRef::new("shop", "a"));
        assert_eq!(row.status.kind, StatusKind::Other);
        assert_eq!(row.backends.iter().map(|b| b.active).collect::<Vec<_>>(), [true, false]);
    }

    #[test]
    fn half_a_list_is_no_list() {
        let error = service_list("[ { \"spec\": {", &Asked::default()).expect_err("cut off");
        assert!(error.to_string().starts_with("not the JSON"), "{error}");
    }
}
