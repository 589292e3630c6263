//! Rows, backends, announcement, and the nodes that have them.

use super::*;
use crate::diagnose::Verdict;
use crate::diagnose::testing::{moment, world};
use crate::model::{Endpoint, MapEntry, MissingKind, Observation, Read, StatusKind};

#[test]
fn all_in_place_is_healthy() {
    let report = everywhere(world(&NODES).with(holder("b").port(80)), K80, "shop/b").service("shop/b");
    assert_eq!(report.verdict, Verdict::Healthy);
    assert_eq!(report.findings, []);
    assert_eq!(report.frontends[0].nodes.programmed, 3);
    assert_eq!(report.frontends[0].owner.as_ref().map(ToString::to_string).as_deref(), Some("shop/b"));
    assert!(report.checks >= 6);
}

#[test]
fn the_service_itself_may_say_that_it_is_not_served() {
    let quiet = |service: Builder| world(&NODES).with(service).service("shop/b");
    let typed = quiet(holder("b").port(80).annotate("service.cilium.io/type", "NodePort"));
    assert_eq!(problems(&typed), [(Code::NotMadeByDesign, Confidence::Certain)]);
    let proxied = quiet(holder("b").port(80).label("service.kubernetes.io/service-proxy-name", "other"));
    assert_eq!(problems(&proxied), [(Code::NotMadeByDesign, Confidence::Certain)]);
    let nowhere = quiet(holder("b").port(80).annotate("service.cilium.io/node", "edge"));
    assert_eq!(problems(&nowhere), [(Code::NotMadeByDesign, Confidence::Certain)]);
    let served = everywhere(
        world(&NODES).with(holder("b").port(80).annotate("service.cilium.io/node-selector", "!canary")),
        K80,
        "shop/b",
    );
    assert_eq!(served.service("shop/b").verdict, Verdict::Healthy);
}

#[test]
fn a_node_that_an_annotation_leaves_out_is_not_counted() {
    let world = world(&NODES).with(holder("b").port(80).annotate("service.cilium.io/node", "edge"));
    let world = world.row("nd2", K80, "shop/b").edit(|obs| {
        if let Read::Known { value, .. } = &mut obs.nodes {
            value[1].labels.insert("service.cilium.io/node".to_owned(), "edge".to_owned());
        }
    });
    let report = world.service("shop/b");
    assert_eq!((report.verdict, report.frontends[0].nodes.total), (Verdict::Healthy, 1));
}

#[test]
fn a_dead_agent_degrades_and_hides_nothing() {
    let world = everywhere(world(&NODES).with(holder("b").port(80)), K80, "shop/b");
    let report = world.silent("nd2", MissingKind::NoAgent).service("shop/b");
    assert_eq!(problems(&report), [(Code::AgentLags, Confidence::Certain)]);
    assert_eq!(report.verdict, Verdict::Degraded);
}

#[test]
fn a_row_that_is_not_done_is_told_by_its_status() {
    let base = || everywhere(world(&NODES).with(holder("b").port(80)), K80, "shop/b");
    let failed = base().but("nd2", |row| {
        row.status.kind = StatusKind::Error;
        row.status.error = "map full".to_owned();
    });
    let report = failed.service("shop/b");
    assert_eq!(problems(&report), [(Code::NotProgrammed, Confidence::Certain)]);
    assert!(cause(&report).message.contains("map full"));
    assert_eq!(report.verdict, Verdict::Degraded);
    let out = base().but("nd2", |row| row.status.id = 0).service("shop/b");
    assert!(cause(&out).message.contains("id 0"), "on 1.20 Done with id 0 is not in the datapath");
    let pending = base().but("nd2", |row| row.status.kind = StatusKind::Pending).service("shop/b");
    assert_eq!(pending.verdict, Verdict::Pending, "a row may take its turn");
}

#[test]
fn a_map_without_the_entry_is_told_where_maps_were_read() {
    let entry = |backends| MapEntry { key: K80.parse().expect("a key"), internal: false, frontend: true, backends };
    let look = |maps: [Option<Vec<MapEntry>>; 3]| {
        let mut world = everywhere(world(&NODES).with(holder("b").port(80)), K80, "shop/b");
        for node in NODES {
            world = world.but(node, |row| row.status.updated = Some("2026-01-02T03:00:00Z".parse().expect("a time")));
        }
        world.edit(|obs| {
            for (agent, entries) in obs.agents.iter_mut().zip(maps) {
                if let Read::Known { value, .. } = &mut agent.answer {
                    value.maps = entries.map(|value| Read::Known { value, at: moment() });
                }
            }
        })
    };
    let fine = look([Some(vec![entry(1)]), Some(vec![entry(1)]), None]).service("shop/b");
    assert_eq!(fine.verdict, Verdict::Healthy, "{:?}", fine.findings);
    let one = look([Some(vec![entry(1)]), Some(Vec::new()), Some(vec![entry(1)])]).service("shop/b");
    assert_eq!(problems(&one), [(Code::MapDiffers, Confidence::Certain)]);
    assert_eq!(one.verdict, Verdict::Degraded);
    let all = look([Some(Vec::new()), Some(vec![entry(0)]), Some(Vec::new())]).service("shop/b");
    assert_eq!(all.verdict, Verdict::Unreachable);
    let fresh = look([Some(Vec::new()), None, None]).but("nd1", |row| row.status.updated = Some(moment()));
    assert_eq!(fresh.service("shop/b").verdict, Verdict::Healthy, "a row that just changed was read on another side");
}

#[test]
fn backends_and_announcement_speak_only_when_the_rows_are_there() {
    let bare = NODES.iter().fold(everywhere(world(&NODES).with(holder("b").port(80)), K80, "shop/b"), |world, node| {
        world.but(node, |row| row.backends.clear())
    });
    let report = bare.edit(|obs| obs.slices = Read::Known { value: Vec::new(), at: moment() }).service("shop/b");
    assert_eq!(problems(&report), [(Code::NoBackends, Confidence::Certain)]);
    assert_eq!(report.verdict, Verdict::Unreachable);

    let world = everywhere(world(&NODES).with(holder("b").port(80)), K80, "shop/b");
    let report = world.edit(|obs| obs.l2_policies = Read::Known { value: Vec::new(), at: moment() });
    let report = report.edit(|obs| obs.leases = Read::Known { value: Vec::new(), at: moment() }).service("shop/b");
    assert_eq!(problems(&report), [(Code::NotAnnounced, Confidence::Likely)]);
}

#[test]
fn a_lease_that_nobody_renews_announces_nothing() {
    let world = everywhere(world(&NODES).with(holder("b").port(80)), K80, "shop/b");
    let stale = world.edit(|obs| {
        if let Read::Known { value, .. } = &mut obs.leases {
            value[0].renewed = Some("2026-01-02T03:00:00Z".parse().expect("a time"));
        }
    });
    assert_eq!(problems(&stale.service("shop/b")), [(Code::LeaseNotHeld, Confidence::Certain)]);
}

#[test]
fn local_policy_needs_a_backend_where_the_address_is_announced() {
    let world = everywhere(world(&NODES).with(holder("b").port(80).local()), K80, "shop/b");
    let report = world.but("nd1", |row| row.backends.clear()).service("shop/b");
    assert_eq!(problems(&report), [(Code::LocalWithoutBackend, Confidence::Certain)]);
    let world = everywhere(crate::diagnose::testing::world(&NODES).with(holder("b").port(80).local()), K80, "shop/b");
    let report = world.but("nd2", |row| row.backends.clear()).service("shop/b");
    assert_eq!(report.verdict, Verdict::Healthy, "a node that does not announce may be without");
}

#[test]
fn local_policy_needs_a_backend_where_the_address_may_be_announced() {
    let only_nd1 = |world: World| {
        world.edit(|obs| {
            obs.leases = Read::Known { value: Vec::new(), at: moment() };
            let nd1 = [("kubernetes.io/hostname".to_owned(), "nd1".to_owned())];
            if let Read::Known { value, .. } = &mut obs.nodes {
                value[0].labels = nd1.clone().into();
            }
            if let Read::Known { value, .. } = &mut obs.l2_policies {
                value[0].node_selector =
                    Some(crate::model::Selector { match_labels: nd1.into(), ..Default::default() });
            }
        })
    };
    let rows = || everywhere(world(&NODES).with(holder("b").port(80).local()), K80, "shop/b");
    let report = only_nd1(rows().but("nd1", |row| row.backends.clear())).service("shop/b");
    assert_eq!(problems(&report), [(Code::LocalWithoutBackend, Confidence::Certain)]);
    let report = only_nd1(rows().but("nd2", |row| row.backends.clear())).service("shop/b");
    assert_eq!(problems(&report), [(Code::LeaseNotHeld, Confidence::Certain)], "nd1 could stand for the Lease");
}

/// Puts the Service's endpoints on these nodes, ready or not.
fn endpoints(obs: &mut Observation, all: &[(&str, bool)]) {
    let endpoint = |(node, ready): &(&str, bool)| Endpoint {
        addresses: vec!["10.0.0.1".to_owned()],
        node: Some((*node).to_owned()),
        ready: *ready,
        serving: *ready,
        terminating: false,
    };
    if let Read::Known { value, .. } = &mut obs.slices {
        value[0].endpoints = all.iter().map(endpoint).collect();
    }
}

/// A row without backends that is an hour old.
fn bare(world: World, nodes: &[&str]) -> World {
    nodes.iter().fold(world, |world, node| {
        world.but(node, |row| {
            row.backends.clear();
            row.status.updated = Some("2026-01-02T02:04:05Z".parse().expect("a time"));
        })
    })
}

fn local() -> World {
    let world = everywhere(world(&NODES).with(holder("b").port(80).local()), K80, "shop/b");
    bare(world, &["nd2", "nd3"])
}

#[test]
fn with_local_only_nodes_with_endpoints_need_backends() {
    let fine = local().edit(|obs| endpoints(obs, &[("nd1", true)])).service("shop/b");
    assert_eq!(problems(&fine), []);
    let behind = local().edit(|obs| endpoints(obs, &[("nd1", true), ("nd2", true)])).service("shop/b");
    assert_eq!(problems(&behind), [(Code::AgentLags, Confidence::Likely)]);
    assert!(cause(&behind).message.starts_with("node nd2 has no active backend"), "{}", cause(&behind).message);
    assert_eq!(behind.verdict, Verdict::Degraded);
    let unread = local().edit(|obs| obs.slices = unread()).silent("nd1", MissingKind::Timeout).service("shop/b");
    assert!(!problems(&unread).iter().any(|(code, _)| *code == Code::NoBackends), "nd1 may have one");
}

#[test]
fn agents_that_are_behind_the_api_are_the_ones_to_blame() {
    let old = |world: World| {
        world.but("nd1", |row| row.status.updated = Some("2026-01-02T02:04:05Z".parse().expect("a time")))
    };
    let report = old(bare(served(), &["nd2", "nd3"])).edit(|obs| endpoints(obs, &[("nd1", false)])).service("shop/b");
    assert_eq!(
        problems(&report),
        [(Code::NoBackends, Confidence::Certain), (Code::AgentLags, Confidence::Likely)],
        "no endpoint is ready, and nd1 does not know"
    );
    assert!(report.findings[1].message.starts_with("node nd1 has an active backend"));
    let report = bare(served(), &["nd2", "nd3"]).edit(|obs| endpoints(obs, &[("nd1", true)])).service("shop/b");
    assert_eq!(problems(&report), [(Code::AgentLags, Confidence::Likely)]);
    assert!(cause(&report).message.starts_with("nodes nd2,nd3 have no active backend"));
    let fresh = served().but("nd2", |row| row.backends.clear()).service("shop/b");
    assert_eq!((problems(&fresh), fresh.verdict), (vec![(Code::AgentLags, Confidence::Possible)], Verdict::Degraded));
    let mesh = world(&NODES).with(holder("b").port(80).annotate("service.cilium.io/global", "true"));
    let mesh = everywhere(mesh, K80, "shop/b").edit(|obs| endpoints(obs, &[])).service("shop/b");
    assert_eq!(problems(&mesh), [], "the backends are another cluster's");
}

#[test]
fn terminating_and_fresh_backends_are_no_certain_outage() {
    let terminating = bare(served(), &NODES).edit(|obs| {
        endpoints(obs, &[("nd1", false)]);
        if let Read::Known { value, .. } = &mut obs.slices {
            (value[0].endpoints[0].serving, value[0].endpoints[0].terminating) = (true, true);
        }
    });
    let report = terminating.service("shop/b");
    assert_eq!((report.verdict, report.findings[0].code), (Verdict::Degraded, Code::NoBackends));
    assert!(cause(&report).message.contains("only terminating"));
    let empty = NODES.iter().fold(served(), |world, node| world.but(node, |row| row.backends.clear()));
    let report = empty.edit(|obs| obs.slices = unread()).service("shop/b");
    assert_eq!(problems(&report)[0], (Code::NoBackends, Confidence::Likely), "the rows are seconds old");
    assert_eq!(report.verdict, Verdict::Degraded);
}

#[test]
fn what_is_left_out_by_design_is_decided_for_each_address() {
    let quiet = |service: Builder| world(&NODES).with(service);
    let b = || holder("b").port(80);
    let typo = quiet(b().annotate("service.cilium.io/type", "loadbalancer")).service("shop/b");
    assert!(!problems(&typo).iter().any(|(code, _)| *code == Code::NotMadeByDesign), "Cilium ignores such a value");
    let mixed = quiet(b().external("203.0.113.5").annotate("service.cilium.io/type", "ClusterIP"));
    let mixed = everywhere(mixed, "203.0.113.5:80/TCP", "shop/b").service("shop/b");
    let keys: Vec<_> = mixed.findings.iter().filter(|f| f.code == Code::NotMadeByDesign).map(|f| f.frontend).collect();
    assert_eq!(keys, [Some(K80.parse().expect("a key"))]);
    let served = everywhere(quiet(b().annotate("service.cilium.io/type", "ClusterIP")), K80, "shop/b");
    assert_eq!(problems(&served.service("shop/b")), [], "the row is there");
    let ours = quiet(b().label("service.kubernetes.io/service-proxy-name", "mine")).edit(|obs| {
        obs.install.config = known([("k8s-service-proxy-name".to_owned(), "mine".to_owned())].into());
    });
    assert!(!problems(&ours.service("shop/b")).iter().any(|(code, _)| *code == Code::NotMadeByDesign));
    let no_four =
        quiet(b()).edit(|obs| obs.install.config = known([("enable-ipv4".to_owned(), "false".to_owned())].into()));
    assert_eq!(problems(&no_four.service("shop/b")), [(Code::NotMadeByDesign, Confidence::Certain)]);
}

#[test]
fn a_node_annotation_says_nothing_where_nodes_were_not_read() {
    let world = world(&NODES).with(holder("b").port(80).annotate("service.cilium.io/node", "edge"));
    let report = world.row("nd2", K80, "shop/b").edit(|obs| obs.nodes = unread()).service("shop/b");
    let nodes = &report.frontends[0].nodes;
    assert_eq!((nodes.programmed, nodes.absent, nodes.unknown), (1, 0, 2));
    assert!(!problems(&report).iter().any(|(code, _)| matches!(code, Code::NotMadeByDesign | Code::AgentLags)));
}

#[test]
fn an_agent_that_could_not_be_asked_is_not_dead() {
    let report = |kind, name: &str| {
        let world = served().silent("nd2", kind).edit(|obs| {
            obs.agents[1].pod.ready = false;
            obs.agents[1].pod.name = name.to_owned();
        });
        world.service("shop/b").findings.iter().any(|f| f.code == Code::AgentLags)
    };
    assert!(report(MissingKind::Timeout, "cilium-nd2"));
    assert!(!report(MissingKind::Forbidden, "cilium-nd2"));
    assert!(!report(MissingKind::Failed, ""));
}
