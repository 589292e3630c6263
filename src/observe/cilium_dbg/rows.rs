//! Rows of the agents' tables, in every shape that a release prints them.

use std::net::IpAddr;

use jiff::Timestamp;
use serde_json::Value;

use super::ReadError;
use crate::model::{AgentBackend, FrontendRow, HealthRow, L2Row, PortKey, Proto, RowStatus, ServiceRef, StatusKind};

fn unreadable(what: &str, value: &Value) -> ReadError {
    let mut text = value.to_string();
    if let Some((end, _)) = text.char_indices().nth(120) {
        text.truncate(end);
    }
    ReadError::Unreadable(format!("{what} is not understood: {text}"))
}

/// An address of the load balancer: none for wildcards (port 0, no protocol) and other clusters.
pub(super) struct Place {
    pub key: PortKey,
    pub internal: bool,
}

/// Reads `192.0.2.10:80/TCP[/i]`, or the object of older releases.
fn place(value: &Value) -> Result<Option<Place>, ReadError> {
    match value {
        Value::String(text) => place_text(text).ok_or_else(|| unreadable("an address", value)),
        Value::Object(fields) => {
            let ip = fields.get("AddrCluster").and_then(Value::as_str);
            let port = fields.get("Port").and_then(Value::as_u64);
            let (Some(ip), Some(port)) = (ip, port) else { return Err(unreadable("an address", value)) };
            let proto = fields.get("Protocol").and_then(Value::as_str).unwrap_or("TCP");
            let internal = fields.get("Scope").and_then(Value::as_u64) == Some(1);
            let host = if ip.contains(':') { format!("[{ip}]") } else { ip.to_owned() };
            let scope = if internal { "/i" } else { "" };
            place_text(&format!("{host}:{port}/{proto}{scope}")).ok_or_else(|| unreadable("an address", value))
        }
        _ => Err(unreadable("an address", value)),
    }
}

/// The outer option: whether it is an address at all; the inner one: whether it can be a PortKey.
fn place_text(text: &str) -> Option<Option<Place>> {
    let (text, internal) = text.strip_suffix("/i").map_or((text, false), |t| (t, true));
    let (address, proto) = match text.rsplit_once('/') {
        Some((address, proto)) => (address, Some(proto)),
        None => (text, None),
    };
    let (host, port) = address.rsplit_once(':')?;
    let host = host.trim_start_matches('[').trim_end_matches(']');
    if let Some((_, cluster)) = host.split_once('@') {
        return cluster.parse::<u32>().ok().map(|_| None);
    }
    let (vip, port): (IpAddr, u16) = (host.parse().ok()?, port.parse().ok()?);
    let proto = match proto {
        None => Proto::Tcp,
        Some("ANY" | "NONE") => return Some(None),
        Some(word) => match word.parse() {
            Ok(proto) => proto,
            // ICMP and the like: a protocol that no Service port has.
            Err(_) => return Some(None),
        },
    };
    Some((port != 0).then_some(Place { key: PortKey { vip, port, proto }, internal }))
}

/// Reads `[cluster/]namespace/name`, or the object of older releases.
pub(super) fn service_name(value: &Value) -> Result<ServiceRef, ReadError> {
    let field = |name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default();
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Object(_) if field("Cluster").is_empty() => format!("{}/{}", field("Namespace"), field("Name")),
        Value::Object(_) => format!("{}/{}/{}", field("Cluster"), field("Namespace"), field("Name")),
        _ => return Err(unreadable("a Service's name", value)),
    };
    text.parse().map_err(|_| unreadable("a Service's name", value))
}

/// Times of Go: the year 1 stands for "never".
fn time(value: Option<&Value>) -> Option<Timestamp> {
    value?.as_str()?.parse::<Timestamp>().ok().filter(|t| t.as_second() > 0)
}

/// Reads a row of `frontends`; none for rows that no port of a Service makes.
pub(super) fn frontend(row: &Value) -> Result<Option<FrontendRow>, ReadError> {
    if row.is_string() {
        // What the agent writes where a row does not marshal.
        return Err(unreadable("a row of 'frontends'", row));
    }
    let Some(place) = place(row.get("Address").unwrap_or(&Value::Null))? else { return Ok(None) };
    let status = row.get("Status").ok_or_else(|| unreadable("a row without Status", row))?;
    let backends = match row.get("Backends") {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(all)) => all.iter().map(backend).collect::<Result<_, _>>()?,
        Some(other) => return Err(unreadable("the Backends of a row", other)),
    };
    Ok(Some(FrontendRow {
        key: place.key,
        internal: place.internal,
        kind: row.get("Type").and_then(Value::as_str).unwrap_or_default().to_owned(),
        owner: service_name(row.get("ServiceName").unwrap_or(&Value::Null))?,
        status: row_status(status, row.get("ID")),
        backends,
        redirected: false,
    }))
}

/// The id in the BPF maps stands beside the status; the status has one of its own, which counts changes.
fn row_status(status: &Value, id: Option<&Value>) -> RowStatus {
    let kind = match status.get("kind").and_then(Value::as_str) {
        Some("Done") => StatusKind::Done,
        Some("Pending") => StatusKind::Pending,
        Some("Refreshing") => StatusKind::Refreshing,
        Some("Error") => StatusKind::Error,
        _ => StatusKind::Other,
    };
    RowStatus {
        kind,
        error: status.get("error").and_then(Value::as_str).unwrap_or_default().to_owned(),
        updated: time(status.get("updated-at")),
        id: id.and_then(Value::as_u64).and_then(|id| u32::try_from(id).ok()).unwrap_or(0),
    }
}

fn backend(value: &Value) -> Result<AgentBackend, ReadError> {
    let address = match value.get("Address") {
        Some(Value::String(text)) => text.clone(),
        Some(object @ Value::Object(_)) => {
            place(object)?.map(|p| p.key.to_string()).ok_or_else(|| unreadable("a backend", value))?
        }
        _ => return Err(unreadable("a backend", value)),
    };
    // The numbers of the other states differ between releases; that of "active" does not.
    let state = match value.get("State") {
        None | Some(Value::Null) => true,
        Some(Value::Number(number)) => number.as_u64() == Some(0),
        Some(Value::String(word)) => word == "active",
        Some(_) => false,
    };
    let unhealthy = value.get("Unhealthy").and_then(Value::as_bool).unwrap_or(false);
    Ok(AgentBackend {
        address,
        active: state && !unhealthy,
        node: value.get("NodeName").and_then(Value::as_str).unwrap_or_default().to_owned(),
    })
}

/// Reads a row of `health`.
pub(super) fn health(row: &Value) -> Result<HealthRow, ReadError> {
    let id = row.get("ID").ok_or_else(|| unreadable("a row of 'health'", row))?;
    let parts = |name: &str| id.get(name).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let text = |name: &str| row.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    Ok(HealthRow {
        id: parts("Module").chain(parts("Component")).collect::<Vec<_>>().join("."),
        level: text("Level"),
        message: text("Message"),
        error: text("Error"),
        updated: time(row.get("Updated")),
    })
}

/// Reads a row of `l2-announce`.
pub(super) fn l2(row: &Value) -> Result<Option<L2Row>, ReadError> {
    let ip = row.get("IP").and_then(Value::as_str).and_then(|ip| ip.parse().ok());
    let Some(ip) = ip else { return Err(unreadable("a row of 'l2-announce'", row)) };
    let origins = match row.get("Origins") {
        Some(Value::Array(all)) => all.iter().map(service_name).collect::<Result<_, _>>()?,
        _ => Vec::new(),
    };
    let interface = row.get("NetworkInterface").and_then(Value::as_str).unwrap_or_default().to_owned();
    Ok(Some(L2Row { ip, interface, origins }))
}
