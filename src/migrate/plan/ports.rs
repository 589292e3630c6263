//! Which ports move, what they are on the target, and what becomes of the source.

use std::net::IpAddr;

use serde_json::{Value, json};

use super::request::{Becomes, Change, Ports, Wish};
use super::{Case, Check, named};
use crate::diagnose::facts::{has_port, vips};
use crate::migrate::intent::{Move, SourceAfter, Strategy};
use crate::model::{PortKey, Proto, Service};

/// The longest name of a port.
const LONGEST_NAME: usize = 63;

/// What was chosen.
pub(super) struct Chosen {
    /// The moves; empty where they could not be told.
    pub moves: Vec<Move>,
    /// What becomes of the source; none where that has to be said first.
    pub source_after: Option<SourceAfter>,
    /// What was seen on the way.
    pub checks: Vec<Check>,
}

/// Chooses ports and addresses.
pub(super) fn choose(case: &Case<'_>) -> Chosen {
    let mut checks = Vec::new();
    let shared = shared_vips(case, &mut checks);
    let entries = match selected(case) {
        Ok(entries) => entries,
        Err(check) => {
            checks.push(check);
            return Chosen { moves: Vec::new(), source_after: None, checks };
        }
    };
    let moves = match targets(case, &entries) {
        Ok(to) => moves(&entries, to, &shared),
        Err(check) => {
            checks.push(check);
            Vec::new()
        }
    };
    if !moves.is_empty() {
        let texts: Vec<String> = entries.iter().map(text).collect();
        checks.push(Check::ok("ports", format!("{} has {}", named(&case.source.id), texts.join(", "))));
    }
    let source_after = source_after(case, &entries, &shared, &mut checks);
    Chosen { moves, source_after, checks }
}

fn moves(entries: &[Value], to: Vec<Value>, shared: &[IpAddr]) -> Vec<Move> {
    let with_keys = entries.iter().zip(to).filter_map(|(from, to)| {
        let (port, proto) = key(from)?;
        let keys: Vec<PortKey> = shared.iter().map(|vip| PortKey { vip: *vip, port, proto }).collect();
        (!keys.is_empty()).then(|| Move { keys, from: from.clone(), to })
    });
    with_keys.collect()
}

/// Port and protocol of an entry of `spec.ports`.
pub(super) fn key(entry: &Value) -> Option<(u16, Proto)> {
    let port = entry["port"].as_u64().and_then(|port| u16::try_from(port).ok())?;
    Some((port, entry["protocol"].as_str().map_or(Ok(Proto::Tcp), str::parse).ok()?))
}

/// `80/TCP`.
pub(super) fn text(entry: &Value) -> String {
    key(entry).map_or_else(|| entry.to_string(), |(port, proto)| format!("{port}/{proto}"))
}

fn entries(object: &Value) -> Vec<Value> {
    object["spec"]["ports"].as_array().cloned().unwrap_or_default()
}

/// The addresses in the status of both. Others of the source's lose the port.
fn shared_vips(case: &Case<'_>, checks: &mut Vec<Check>) -> Vec<IpAddr> {
    let in_status = |service: &Service| -> Vec<IpAddr> {
        service.ingress.iter().filter(|ingress| ingress.is_vip()).filter_map(|ingress| ingress.ip).collect()
    };
    let (mine, theirs) = (in_status(case.source), in_status(case.target));
    let shared: Vec<IpAddr> = mine.iter().copied().filter(|vip| theirs.contains(vip)).collect();
    let lost: Vec<String> =
        vips(case.source).iter().filter(|vip| !shared.contains(vip)).map(ToString::to_string).collect();
    let (a, b) = (named(&case.source.id), named(&case.target.id));
    let list = |vips: &[IpAddr]| vips.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let say = |vips: &[IpAddr]| if vips.is_empty() { "no VIP".to_owned() } else { list(vips) };
    checks.push(match case.request.vip {
        _ if shared.is_empty() => Check::refused(
            "vip",
            format!("{a} has {}, {b} has {}: they share none", say(&mine), say(&theirs)),
            "give both the same sharing key and address (annotations lbipam.cilium.io/sharing-key and \
             lbipam.cilium.io/ips) and wait until both have it in their status",
        ),
        Some(vip) if !shared.contains(&vip) => Check::refused(
            "vip",
            format!("{vip} is not shared by {a} and {b}; they share {}", list(&shared)),
            format!("--vip {}", shared[0]),
        ),
        None if !lost.is_empty() => Check::refused(
            "vip",
            format!("{a} has {} too, {b} has not: the port would be lost there", lost.join(", ")),
            format!("give {b} that address as well, or accept the loss with --vip {}", shared[0]),
        ),
        _ if !lost.is_empty() => Check::warning(
            "vip",
            format!("the port is lost at {}, which only {a} has", lost.join(", ")),
            format!("give {b} that address as well"),
        ),
        Some(vip) if shared.len() > 1 => Check::warning(
            "vip",
            format!("a Service has its ports at all its addresses: they move at {}, not at {vip} alone", list(&shared)),
            "leave --vip out",
        ),
        _ => Check::ok("vip", format!("both have {}", list(&shared))),
    });
    shared
}

/// The entries of the source that shall move.
fn selected(case: &Case<'_>) -> Result<Vec<Value>, Check> {
    let all = entries(case.seen.source);
    let wishes = match &case.request.ports {
        Ports::All => return Ok(all),
        Ports::These(wishes) => wishes,
    };
    let mut chosen: Vec<Value> = Vec::new();
    for wish in wishes {
        let entry = one(case, &all, *wish)?;
        if !chosen.contains(entry) {
            chosen.push(entry.clone());
        }
    }
    Ok(chosen)
}

fn one<'e>(case: &Case<'_>, all: &'e [Value], wish: Wish) -> Result<&'e Value, Check> {
    let fits = |entry: &&Value| {
        key(entry).is_some_and(|(port, proto)| port == wish.port && wish.proto.is_none_or(|wanted| wanted == proto))
    };
    let found: Vec<&Value> = all.iter().filter(fits).collect();
    let a = named(&case.source.id);
    match found[..] {
        [entry] => Ok(entry),
        [] => {
            let has: Vec<String> = all.iter().map(text).collect();
            let saw = format!("{a} has no port {wish}; it has {}", has.join(", "));
            Err(Check::refused("ports", saw, "name one of these with --port"))
        }
        _ => {
            let flags: Vec<String> = found.iter().map(|entry| format!("--port {}", text(entry))).collect();
            let saw = format!("port {wish} of {a} is there with several protocols");
            Err(Check::refused("ports", saw, format!("say which: {}", flags.join(" or "))))
        }
    }
}

/// The entries as the target gets them.
fn targets(case: &Case<'_>, from: &[Value]) -> Result<Vec<Value>, Check> {
    let theirs = entries(case.seen.target);
    let b = named(&case.target.id);
    let both: Vec<String> = from.iter().filter(|f| theirs.iter().any(|t| key(t) == key(f))).map(text).collect();
    if !both.is_empty() {
        let saw = format!("{b} claims {} itself", both.join(", "));
        let way_out = format!("look who serves it: kubectl vipctl explain {}", super::args(&case.target.id));
        return Err(Check::refused("ports", saw, way_out));
    }
    if theirs.iter().any(|entry| name(entry).is_empty()) {
        let saw = format!("the port of {b} has no name, and of several ports each must have one");
        return Err(Check::refused("ports", saw, "give it a name first; its backends stay"));
    }
    let mut taken: Vec<String> = theirs.iter().map(|entry| name(entry).to_owned()).collect();
    let mut result = Vec::new();
    for entry in from {
        let to = target(case, entry, from, &mut taken)?;
        result.push(to);
    }
    unused_changes(case, from)?;
    Ok(result)
}

fn name(entry: &Value) -> &str {
    entry["name"].as_str().unwrap_or_default()
}

/// The changes that are meant for an entry.
fn changes<'c>(case: &'c Case<'_>, entry: &'c Value, several: bool) -> impl Iterator<Item = &'c Becomes> {
    let port = key(entry).map(|(port, _)| port);
    let meant = move |change: &&Change| change.port.map_or(!several, |of| Some(of) == port);
    case.request.changes.iter().filter(meant).map(|change| &change.to)
}

fn unused_changes(case: &Case<'_>, from: &[Value]) -> Result<(), Check> {
    let moves = |port: u16| from.iter().filter_map(key).any(|(moved, _)| moved == port);
    let lost = case.request.changes.iter().find(|change| match change.port {
        None => from.len() > 1,
        Some(port) => !moves(port),
    });
    match lost {
        None => Ok(()),
        Some(Change { port: None, .. }) => Err(Check::refused(
            "ports",
            "several ports move, and a change does not say which it is for",
            "write it as PORT=VALUE, e.g. --target-port 80=8080",
        )),
        Some(Change { port: Some(port), .. }) => Err(Check::refused(
            "ports",
            format!("a change is for port {port}, which does not move"),
            "name that port with --port, or leave the change out",
        )),
    }
}

fn target(case: &Case<'_>, from: &Value, all: &[Value], taken: &mut Vec<String>) -> Result<Value, Check> {
    let mut to = from.clone();
    let mut wanted = None;
    for change in changes(case, from, all.len() > 1) {
        match change {
            Becomes::TargetPort(port) => {
                to["targetPort"] = port.parse::<u16>().map_or_else(|_| json!(port), |number| json!(number));
            }
            Becomes::AppProtocol(protocol) => to["appProtocol"] = json!(protocol),
            Becomes::Name(name) => wanted = Some(name.clone()),
        }
    }
    if wanted.as_ref().is_some_and(|name| taken.contains(name)) {
        let saw = format!("{} has a port of the name '{}'", named(&case.target.id), wanted.unwrap_or_default());
        return Err(Check::refused("ports", saw, "choose another with --port-name"));
    }
    let name = wanted.unwrap_or_else(|| free_name(from, taken));
    to["name"] = json!(name);
    taken.push(name);
    if !keeps_node_port(case, from, all)
        && let Some(to) = to.as_object_mut()
    {
        to.remove("nodePort");
    }
    Ok(to)
}

/// The source's name for it, or one made from it that the target does not use.
fn free_name(from: &Value, taken: &[String]) -> String {
    let own = name(from);
    if !own.is_empty() && !taken.iter().any(|name| name == own) {
        return own.to_owned();
    }
    let (port, proto) = key(from).unwrap_or_default();
    let stem = if own.is_empty() { "port" } else { own };
    let proto = proto.to_string().to_ascii_lowercase();
    let made = [format!("{stem}-{port}"), format!("{stem}-{port}-{proto}"), format!("vipctl-{port}-{proto}")];
    let fits = |name: &&String| name.len() <= LONGEST_NAME && !taken.contains(name);
    made.iter().find(fits).cloned().unwrap_or_else(|| made[2].clone())
}

/// Whether the target can have the same node port. A number belongs to one Service at a time, so it moves
/// only where the source has let go of it altogether when the target asks for it; a parked port gets another.
fn keeps_node_port(case: &Case<'_>, from: &Value, moved: &[Value]) -> bool {
    let same = |entry: &&Value| *entry != from && entry["nodePort"] == from["nodePort"];
    let all = entries(case.seen.source);
    let later = |entry: &Value| case.request.strategy == Strategy::Ordered || !moved.contains(entry);
    case.seen.target["spec"]["allocateLoadBalancerNodePorts"] != json!(false)
        && from["nodePort"].is_u64()
        && !all.iter().filter(same).any(later)
}

/// What becomes of the source when its last port goes.
fn source_after(case: &Case<'_>, moved: &[Value], shared: &[IpAddr], checks: &mut Vec<Check>) -> Option<SourceAfter> {
    let a = named(&case.source.id);
    let left: Vec<String> = entries(case.seen.source).iter().filter(|e| !moved.contains(e)).map(text).collect();
    let (check, after) = match case.request.source_after {
        None if !left.is_empty() => {
            (Check::ok("last-port", format!("{a} keeps {}", left.join(", "))), Some(SourceAfter::Keeps))
        }
        Some(_) if !left.is_empty() => (
            Check::refused(
                "last-port",
                format!("{a} keeps {}: it loses no last port", left.join(", ")),
                "leave --source-after out",
            ),
            None,
        ),
        None => (
            Check::refused(
                "last-port",
                format!("it is the last port of {a}, and a Service cannot have none"),
                "choose --source-after clusterip (it stays as a ClusterIP Service with its ports), \
                 --source-after park=PORT (its port moves to a free number of the VIP), or \
                 --source-after delete (it is deleted; rollback makes it again)",
            ),
            None,
        ),
        Some(after) => (parked(case, moved, shared, after), Some(after)),
    };
    checks.push(check);
    after
}

/// Whether the source can be deleted, or become a ClusterIP Service.
fn gone(case: &Case<'_>, shared: &[IpAddr], after: SourceAfter) -> Check {
    let a = named(&case.source.id);
    let deletes = after == SourceAfter::Delete;
    let harmless = |name: &Value| name == "service.kubernetes.io/load-balancer-cleanup";
    let finalizers = case.seen.source["metadata"]["finalizers"].as_array();
    let finalizers = finalizers.is_some_and(|all| !all.iter().all(harmless));
    if deletes && finalizers {
        let saw = format!("{a} has finalizers: it would stay, half deleted, for as long as they do");
        return Check::refused("last-port", saw, "choose --source-after clusterip or park=PORT");
    }
    if !deletes && shared.iter().any(|vip| case.source.external_ips.contains(vip)) {
        let saw = format!("{a} has the VIP in spec.externalIPs, which a ClusterIP Service claims as well");
        return Check::refused("last-port", saw, "choose --source-after park=PORT or delete");
    }
    let word = if deletes { "is deleted" } else { "becomes a ClusterIP Service" };
    Check::ok("last-port", format!("{a} {word} when its last port goes"))
}

fn parked(case: &Case<'_>, moved: &[Value], shared: &[IpAddr], after: SourceAfter) -> Check {
    let a = named(&case.source.id);
    let SourceAfter::Park(port) = after else {
        return gone(case, shared, after);
    };
    let proto = moved.last().and_then(key).map_or(Proto::Tcp, |(_, proto)| proto);
    if moved.iter().filter_map(key).any(|moved| moved == (port, proto)) {
        let saw = format!("{port}/{proto} is one of the ports that move");
        return Check::refused("last-port", saw, "choose another number for park=PORT");
    }
    let everybody = || shared.iter().flat_map(|vip| case.facts.holders(*vip).chain(case.facts.seekers(*vip)));
    let taken = everybody().find(|other| {
        other.id != case.source.id && shared.iter().any(|vip| has_port(other, PortKey { vip: *vip, port, proto }))
    });
    match taken {
        Some(other) => Check::refused(
            "last-port",
            format!("{} claims {port}/{proto} on the VIP", named(&other.id)),
            "choose another number for park=PORT",
        ),
        None => Check::ok("last-port", format!("the last port of {a} moves to {port}/{proto}, which is free")),
    }
}
