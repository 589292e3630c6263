//! How the Service comes by its address.

use super::*;
use crate::diagnose::Verdict;
use crate::diagnose::testing::{moment, world};
use crate::model::Read;

#[test]
fn a_request_that_is_no_address_is_told() {
    let service = holder("b").port(80).pinned("192.0.2.10/32");
    let report = everywhere(world(&NODES).with(service), K80, "shop/b").service("shop/b");
    assert_eq!(problems(&report), [(Code::PartlyAllocated, Confidence::Certain)]);
    assert_eq!(report.verdict, Verdict::Degraded);
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
        obs.pools = Read::Known { value: vec![crate::diagnose::testing::pool("tiny", "192.0.2.10/32")], at: moment() };
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
