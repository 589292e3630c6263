//! What a move does not bring along, and what else happens meanwhile.

use serde_json::Value;

use super::{Case, named, ports};
use crate::diagnose::responsible::Allocator;
use crate::migrate::intent::{Intent, Move, SourceAfter, Strategy};

/// Sentences that stand alone.
pub(super) fn notes(case: &Case<'_>, intent: &Intent) -> Vec<String> {
    let mut notes = Vec::new();
    node_ports(intent, &mut notes);
    names(intent, &mut notes);
    source(intent, &mut notes);
    let (a, b) = (named(&intent.source.service), named(&intent.target.service));
    if case.facts.allocator(case.target) == Allocator::LbIpam {
        notes.push(match intent.strategy {
            Strategy::Ordered => format!(
                "LB-IPAM looks at {a} and {b} after each write and changes nothing: the two never claim one port"
            ),
            Strategy::Handoff => format!(
                "LB-IPAM may look at {b} before it knows that {a} let go; then it takes the VIP from {b} and gives it \
                 back as soon as it has seen {a}"
            ),
        });
    }
    notes.push(format!("should an agent not take the claim up, {b} is written again (an annotation), up to 6 times"));
    notes
}

fn node_port(entry: &Value) -> Option<u64> {
    entry["nodePort"].as_u64()
}

fn node_ports(intent: &Intent, notes: &mut Vec<String>) {
    for mv in &intent.moves {
        let Some(number) = node_port(&mv.from) else { continue };
        let port = ports::text(&mv.from);
        notes.push(match node_port(&mv.to) {
            Some(_) => format!("node port {number} of {port} moves along"),
            None => format!("node port {number} of {port} does not move along: {}", stays(intent)),
        });
    }
    if let (SourceAfter::Park(port), true) =
        (intent.source_after, intent.moves.last().and_then(|mv| node_port(&mv.from)).is_some())
    {
        notes.push(format!("the parked port {port} of {} gets another node port", named(&intent.source.service)));
    }
}

/// Why a node port stays behind.
fn stays(intent: &Intent) -> String {
    let (a, b) = (named(&intent.source.service), named(&intent.target.service));
    if intent.target.before["spec"]["allocateLoadBalancerNodePorts"] == Value::Bool(false) {
        format!("{b} has none (allocateLoadBalancerNodePorts: false)")
    } else {
        format!("another port of {a} has the same number, so {b} gets another")
    }
}

fn names(intent: &Intent, notes: &mut Vec<String>) {
    let renamed = |mv: &&Move| mv.from["name"] != mv.to["name"];
    notes.extend(intent.moves.iter().filter(renamed).map(|mv| {
        let name = mv.to["name"].as_str().unwrap_or_default();
        format!("{} is called '{name}' on {}", ports::text(&mv.to), named(&intent.target.service))
    }));
}

fn source(intent: &Intent, notes: &mut Vec<String>) {
    let a = named(&intent.source.service);
    match intent.source_after {
        SourceAfter::Keeps | SourceAfter::Park(_) => {}
        SourceAfter::ClusterIp => notes.push(format!(
            "{a} loses its VIP, node ports, health check node port and loadBalancerClass as a ClusterIP Service; going \
             back sets them again, and LB-IPAM gives the VIP"
        )),
        SourceAfter::Delete => notes.push(format!(
            "{a} is made again by going back, with another UID, and with its cluster address if that is still free"
        )),
    }
    if intent.source.local && matches!(intent.source_after, SourceAfter::Keeps | SourceAfter::Park(_)) {
        notes.push(format!("the health check node port of {a} stays with it"));
    }
}
