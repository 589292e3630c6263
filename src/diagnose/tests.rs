//! Each fault beside its look-alikes, on observations put together by hand.

use super::testing::{Builder, World, moment, service, world};
use super::{Code, Confidence, Finding, Severity, SubjectReport, Verdict};
use crate::model::{MapEntry, MissingKind, Read, StatusKind, Subject};

const K80: &str = "192.0.2.10:80/TCP";
const NODES: [&str; 3] = ["nd1", "nd2", "nd3"];

/// A satisfied Service on the VIP.
fn holder(name: &str) -> Builder {
    service("shop", name).vip("192.0.2.10").ipam("True", "satisfied", "")
}

fn problems(report: &SubjectReport) -> Vec<(Code, Confidence)> {
    report.findings.iter().filter(|f| f.severity > Severity::Info).map(|f| (f.code, f.confidence)).collect()
}

fn cause(report: &SubjectReport) -> &Finding {
    report.findings.first().expect("a finding")
}

fn everywhere(mut world: World, key: &str, owner: &str) -> World {
    for node in NODES {
        world = world.row(node, key, owner);
    }
    world
}

fn refused_everywhere(mut world: World, key: &str, owner: &str) -> World {
    for node in NODES {
        world = world.refused(node, key, owner);
    }
    world
}

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
fn a_refused_claim_whose_owner_let_go_is_stuck() {
    let world = world(&NODES).with(holder("a").port(443)).with(holder("b").port(80));
    let report = refused_everywhere(world, K80, "shop/a").service("shop/b");
    assert_eq!(problems(&report), [(Code::StuckClaim, Confidence::Certain)]);
    assert_eq!(report.verdict, Verdict::Missing);
    assert_eq!((report.frontends[0].nodes.absent, report.frontends[0].owner.as_ref()), (3, None));
    let text = cause(&report).notes.join(" ");
    for word in ["No object in the API shows this", "does not queue", "held back", "way out"] {
        assert!(text.contains(word), "{word}: {text}");
    }
    assert!(cause(&report).next[0].starts_with("kubectl annotate svc/b -n shop vipctl.dev/nudge="));
    assert!(cause(&report).ruled_out.contains(&"no endpoints".to_owned()));
}

#[test]
fn a_deleted_owner_leaves_a_stuck_claim_too() {
    let world = world(&NODES).with(holder("b").port(80)).absent("shop/a");
    let report = refused_everywhere(world, K80, "shop/a").service("shop/b");
    assert_eq!(problems(&report), [(Code::StuckClaim, Confidence::Certain)]);
    assert!(cause(&report).message.contains("that Service is gone"));
}

#[test]
fn an_unreadable_owner_makes_it_likely_only() {
    let report = refused_everywhere(world(&NODES).with(holder("b").port(80)), K80, "other/a").service("shop/b");
    assert_eq!(problems(&report), [(Code::StuckClaim, Confidence::Likely)]);
}

#[test]
fn a_claim_written_a_moment_ago_is_likely_only() {
    let mut fresh: crate::model::Service = holder("b").port(80).into();
    fresh.created = Some(moment());
    let world = world(&NODES).with(holder("a").port(443)).edit(|obs| {
        if let Read::Known { value, .. } = &mut obs.services {
            value.push(fresh);
        }
    });
    let report = refused_everywhere(world, K80, "shop/a").service("shop/b");
    assert_eq!(problems(&report), [(Code::StuckClaim, Confidence::Likely)]);
}

#[test]
fn a_living_owner_makes_the_refusal_legitimate() {
    let world = world(&NODES).with(holder("a").port(80)).with(holder("b").port(80));
    let report = refused_everywhere(everywhere(world, K80, "shop/a"), K80, "shop/a").service("shop/b");
    assert_eq!(problems(&report), [(Code::RejectedClaim, Confidence::Certain)]);
    assert_eq!(report.verdict, Verdict::WrongOwner);
    assert_eq!(report.frontends[0].nodes.other_owner, 3);
}

#[test]
fn a_row_of_an_owner_that_let_go_is_a_lagging_agent() {
    let world = world(&NODES).with(holder("a").port(443)).with(holder("b").port(80));
    let report = everywhere(world, K80, "shop/a").service("shop/b");
    assert_eq!(problems(&report), [(Code::AgentLags, Confidence::Likely)]);
}

#[test]
fn different_owners_are_a_split() {
    let world = world(&NODES).with(holder("a").port(80)).with(holder("b").port(80));
    let world = world.row("nd1", K80, "shop/a").row("nd2", K80, "shop/b").row("nd3", K80, "shop/b");
    let report = world.refused("nd1", K80, "shop/a").service("shop/b");
    assert_eq!(problems(&report), [(Code::SplitOwner, Confidence::Certain)]);
    assert_eq!(report.verdict, Verdict::Split);
    assert_eq!(report.frontends[0].owner, None);
    assert!(cause(&report).message.contains("shop/a on node nd1; shop/b on nodes nd2,nd3"));
}

#[test]
fn ports_beside_the_refused_one_are_held_back_with_it() {
    let world = world(&NODES).with(holder("a").port(443)).with(holder("b").port(80).port(8080).udp(53));
    let world = everywhere(world, "192.0.2.10:53/UDP", "shop/b");
    let report = refused_everywhere(world, K80, "shop/a").service("shop/b");
    let verdicts: Vec<Verdict> = report.frontends.iter().map(|frontend| frontend.verdict).collect();
    assert_eq!(verdicts, [Verdict::Missing, Verdict::Missing, Verdict::Healthy]);
    assert!(report.findings.iter().all(|finding| finding.code == Code::StuckClaim));
    assert!(report.findings[1].message.contains("held back"), "{}", report.findings[1].message);
}

#[test]
fn a_refusal_of_somebody_elses_address_proves_nothing() {
    let world = world(&NODES).with(holder("b").port(80));
    let report = refused_everywhere(world, "192.0.2.99:80/TCP", "shop/a").service("shop/b");
    assert_eq!(problems(&report), [(Code::AgentLags, Confidence::Possible)]);
}

#[test]
fn unknown_is_neither_absent_nor_healthy() {
    let world = everywhere(world(&NODES).with(holder("b").port(80)), K80, "shop/b");
    let report = world.silent("nd3", MissingKind::Timeout).service("shop/b");
    assert_eq!(report.verdict, Verdict::Unknown);
    assert_eq!((report.frontends[0].nodes.programmed, report.frontends[0].nodes.unknown), (2, 1));
    assert_eq!(cause(&report).code, Code::NodeSilent);
    assert_eq!(problems(&report), []);
}

#[test]
fn nodes_left_out_by_the_user_are_not_counted() {
    let world = everywhere(world(&NODES).with(holder("b").port(80)), K80, "shop/b");
    let report = world.silent("nd3", MissingKind::NotAsked).service("shop/b");
    assert_eq!(report.verdict, Verdict::Healthy);
    assert_eq!(report.frontends[0].nodes.total, 2);
}

#[test]
fn without_any_agent_the_api_is_told_and_its_limit() {
    let mut world = world(&NODES).with(holder("b").port(80));
    for node in NODES {
        world = world.silent(node, MissingKind::Forbidden);
    }
    let report = world.service("shop/b");
    assert_eq!((report.verdict, cause(&report).code), (Verdict::Unknown, Code::NoExec));
    assert!(cause(&report).notes[0].contains("leaves no trace"));
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
    let world = everywhere(super::testing::world(&NODES).with(holder("b").port(80).local()), K80, "shop/b");
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

#[test]
fn the_whole_address_is_withheld_for_one_common_port() {
    let a = holder("a").key("edge").pinned("192.0.2.10").port(80);
    let words = "The IP '192.0.2.10' is already allocated to an incompatible service. Reason: same port and protocol";
    let b = service("shop", "b").key("edge").pinned("192.0.2.10").port(80).udp(53);
    let b = b.ipam("False", "already_allocated_incompatible_service", words);
    let report = world(&NODES).with(a).with(b).service("shop/b");
    assert_eq!(problems(&report), [(Code::WithheldSamePort, Confidence::Certain)]);
    assert_eq!(report.verdict, Verdict::Missing);
    assert_eq!(report.frontends.len(), 2);
    assert!(cause(&report).evidence.iter().any(|seen| seen.fact.contains(words)), "Cilium's words stay verbatim");
}

#[test]
fn out_of_ips_is_put_right_where_sharing_is_the_cause() {
    let a = holder("a").key("edge").port(80);
    let b =
        service("shop", "b").key("edge").port(81).local().selects("app", "b").ipam("False", "out_of_ips", "ran out");
    let report = world(&NODES).with(a).with(b).service("shop/b");
    assert_eq!(problems(&report), [(Code::WithheldIncompatible, Confidence::Certain)]);
    assert!(cause(&report).notes.iter().any(|note| note.contains("out_of_ips names its last step")));
}

#[test]
fn pools_explain_what_they_refuse() {
    let waiting = |reason: &str| service("shop", "b").port(80).ipam("False", reason, "words");
    let report = world(&NODES).edit(|obs| obs.pools = Read::Known { value: Vec::new(), at: moment() });
    let report = report.with(service("shop", "b").port(80)).service("shop/b");
    assert_eq!(problems(&report), [(Code::NoPool, Confidence::Certain)]);

    let pinned = service("shop", "b").port(80).pinned("203.0.113.9").ipam("False", "no_pool", "words");
    let report = world(&NODES).with(pinned).service("shop/b");
    assert_eq!(problems(&report), [(Code::OutsidePools, Confidence::Certain)]);

    let small = world(&NODES).edit(|obs| {
        obs.pools = Read::Known { value: vec![super::testing::pool("tiny", "192.0.2.10/32")], at: moment() };
    });
    let report = small.with(holder("a").port(80)).with(waiting("out_of_ips")).service("shop/b");
    assert_eq!(problems(&report), [(Code::PoolFull, Confidence::Certain)]);
}

#[test]
fn an_address_that_vanishes_while_satisfied_has_another_writer() {
    let report = world(&NODES).with(service("shop", "b").port(80).ipam("True", "satisfied", "")).service("shop/b");
    assert_eq!(problems(&report), [(Code::StatusCleared, Confidence::Likely)]);
    assert_eq!(report.verdict, Verdict::Missing, "one look can suspect that the address flaps, not see it");
}

#[test]
fn a_silent_lb_ipam_is_pending() {
    let report = world(&NODES).with(service("shop", "b").port(80));
    let report = report.edit(|obs| obs.install.operators = Read::Known { value: Vec::new(), at: moment() });
    let report = report.service("shop/b");
    assert_eq!(problems(&report), [(Code::NotHandledYet, Confidence::Certain)]);
    assert_eq!(report.verdict, Verdict::Pending);
}

#[test]
fn only_the_younger_of_two_moved_silently() {
    let mut old: crate::model::Service = holder("a").key("edge").port(80).into();
    old.created = Some("2026-01-01T00:00:00Z".parse().expect("a time"));
    let younger = service("shop", "b").key("edge").port(80).vip("192.0.2.11").ipam("True", "satisfied", "");
    let build = || {
        let world = world(&NODES).with(younger.clone()).edit(|obs| {
            obs.asked.vips.push("192.0.2.11".parse().expect("an address"));
            if let Read::Known { value, .. } = &mut obs.services {
                value.push(old.clone());
            }
        });
        everywhere(everywhere(world, K80, "shop/a"), "192.0.2.11:80/TCP", "shop/b")
    };
    assert_eq!(problems(&build().service("shop/b")), [(Code::SharedElsewhere, Confidence::Certain)]);
    assert!(!problems(&build().service("shop/a")).iter().any(|(code, _)| *code == Code::SharedElsewhere));
}

#[test]
fn a_port_that_nobody_claims_is_told_with_the_others_on_the_address() {
    let world = everywhere(world(&NODES).with(holder("a").port(443)), "192.0.2.10:443/TCP", "shop/a");
    let report = world.subject(Subject::Frontend("192.0.2.10:81/TCP".parse().expect("a key")));
    assert_eq!(problems(&report), [(Code::Unclaimed, Confidence::Certain)]);
    assert!(cause(&report).message.contains("shop/a (443/TCP)"), "{}", cause(&report).message);
    assert_eq!(report.verdict, Verdict::Missing);
}

#[test]
fn asked_by_port_it_tells_owner_claimants_and_sharers() {
    let world = world(&NODES).with(holder("a").port(80)).with(holder("b").port(80)).with(holder("c").port(22));
    let world = refused_everywhere(everywhere(world, K80, "shop/a"), K80, "shop/a");
    let report = world.subject(Subject::Frontend(K80.parse().expect("a key")));
    let names = |list: &[super::Sharer]| list.iter().map(|s| s.service.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(report.claimants.as_deref().expect("claimants")), ["a", "b"]);
    assert_eq!(names(&report.sharers), ["a", "b", "c"]);
    assert_eq!(report.frontends.len(), 1);
    assert_eq!(report.frontends[0].owner.as_ref().map(|owner| owner.name.as_str()), Some("a"));
    assert_eq!(problems(&report), [(Code::RejectedClaim, Confidence::Certain)]);
}
