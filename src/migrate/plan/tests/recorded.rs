//! Plans over what the lab recorded of real clusters.

use super::refused;
use crate::migrate::plan::testing::{Setting, of_observation};
use crate::model::{Read, ServiceRef, SourceKind};
use crate::observe::read_capture;

/// The move of a port between the two Services of a capture. Captures asked for one Service; the other one
/// gets the same endpoints, and every agent knows it.
fn recorded(name: &str, from: &str, to: &str, port: &str) -> Setting {
    let file = format!("{}/tests/fixtures/captures/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&file).expect(&file);
    let mut seen = read_capture(&text, name, SourceKind::Capture).expect(name);
    let [from, to] = [from, to].map(|name| ServiceRef::new("shop", name));
    let other = if seen.asked.services == [from.clone()] { &to } else { &from };
    for agent in &mut seen.agents {
        if let Read::Known { value, .. } = &mut agent.answer {
            value.services.iter_mut().for_each(|known| known.push(other.clone()));
        }
    }
    seen.asked.services = vec![from.clone(), to.clone()];
    if let Read::Known { value, .. } = &mut seen.slices {
        let mut more = value.clone();
        for slice in &mut more {
            slice.service = if slice.service == from { to.clone() } else { from.clone() };
        }
        value.extend(more);
    }
    of_observation(seen, from, to, port)
}

#[test]
fn a_healthy_pair_can_move_either_way() {
    for (from, to, port) in [("a", "b", "80"), ("a", "b", "443")] {
        let plan = recorded("healthy", from, to, port).plan();
        assert_eq!(plan.exit, 0, "{port}: {:#?}", plan.checks);
        assert_eq!(plan.nodes, 3);
    }
}

#[test]
fn what_is_broken_already_is_not_moved() {
    for (name, from, to, port, id, words) in [
        ("frozen-agent", "a", "b", "80", "agents", "--allow-unknown"),
        ("agent-down", "a", "b", "80", "agents", "--allow-unknown"),
        ("exec-forbidden", "b", "a", "80", "agents", "one must answer at least"),
        ("rejected-claim", "a", "b", "80", "ports", "svc/b (ns shop) claims 80/TCP itself"),
        ("stuck-claim", "b", "a", "80", "served", "no row on nd1"),
        ("stuck-claim", "b", "a", "53", "health", "a change of svc/b (ns shop) is refused"),
        ("stripped-vip", "a", "b", "443", "vip", "svc/b (ns shop) has no VIP"),
        ("not-shared", "a", "b", "80", "vip", "they share none"),
        ("split-owner", "a", "b", "80", "services", "is of type ClusterIP"),
    ] {
        refused(&recorded(name, from, to, port), id, words);
    }
}
