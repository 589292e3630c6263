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

const CROSS: &str = "lbipam.cilium.io/sharing-cross-namespace";

/// A look at an older Service and at shop/b, which has an address of its own; the codes of shop/b's problems.
fn beside(older: &Builder, younger: &Builder) -> Vec<Code> {
    let mut older: crate::model::Service = older.clone().into();
    older.created = Some("2026-01-01T00:00:00Z".parse().expect("a time"));
    let world = world(&NODES).with(younger.clone()).edit(|obs| {
        obs.asked.vips.push("192.0.2.11".parse().expect("an address"));
        if let Read::Known { value, .. } = &mut obs.services {
            value.push(older);
        }
    });
    let report = everywhere(world, "192.0.2.11:80/TCP", "shop/b").service("shop/b");
    problems(&report).into_iter().map(|(code, _)| code).collect()
}

#[test]
fn equal_keys_in_two_namespaces_are_no_plan_to_share() {
    let other = service("web", "a").key("edge").port(80).vip("192.0.2.10").ipam("True", "satisfied", "");
    let own = service("shop", "b").key("edge").port(80).vip("192.0.2.11").ipam("True", "satisfied", "");
    assert_eq!(beside(&other, &own), []);
    assert_eq!(beside(&other.annotate(CROSS, "shop"), &own), [Code::SharedElsewhere]);
}

#[test]
fn a_full_pool_is_not_blamed_on_an_equal_key_elsewhere() {
    let other = service("web", "a").key("edge").port(80).vip("192.0.2.10").ipam("True", "satisfied", "");
    let own = service("shop", "b").key("edge").port(80).ipam("False", "out_of_ips", "ran out");
    let small = world(&NODES).edit(|obs| {
        obs.pools = Read::Known { value: vec![crate::diagnose::testing::pool("tiny", "192.0.2.10/32")], at: moment() };
    });
    let report = small.with(other).with(own).service("shop/b");
    assert_eq!(problems(&report), [(Code::PoolFull, Confidence::Certain)]);
}

/// The notes on the first cause of shop/b beside this holder, as one text.
fn notes(holder: Builder, own: Builder) -> (Code, String) {
    let report = world(&NODES).with(holder).with(own).service("shop/b");
    (cause(&report).code, cause(&report).notes.join("\n"))
}

#[test]
fn the_way_out_names_every_hindrance() {
    let own = |own: Builder| own.pinned("192.0.2.10").port(80).ipam("False", "already_allocated", "words");
    let (code, text) = notes(holder("a").port(80), own(service("shop", "b")));
    assert_eq!(code, Code::AddressTaken);
    assert!(text.contains("Ask for another address") && text.contains("one change is not enough"), "{text}");
    assert!(text.contains("give both the same sharing key") && text.contains("take 80/TCP off svc/a"), "{text}");

    let elsewhere = service("web", "a").vip("192.0.2.10").key("edge").port(80).port(443);
    let (code, text) = notes(elsewhere, own(service("shop", "b").key("edge")).port(443));
    assert_eq!(code, Code::WithheldIncompatible);
    assert!(text.contains("list namespace web") && text.contains("list namespace shop"), "{text}");
    assert!(text.contains("besides, svc/a (ns web) has ports 80/TCP, 443/TCP on it"), "{text}");

    let (_, text) = notes(holder("a").port(81), own(service("shop", "b")));
    assert!(text.contains("Give both the same sharing key, or ask for another address: LB-IPAM"), "{text}");
}

#[test]
fn every_holder_of_the_address_has_to_be_won_over() {
    let own = service("shop", "b").key("edge").port(80).port(81).pinned("192.0.2.10");
    let own = own.ipam("False", "already_allocated_incompatible_service", "words");
    let world = world(&NODES).with(holder("a").key("edge").port(80)).with(holder("c").key("edge").port(81));
    let report = world.with(own).service("shop/b");
    let text = cause(&report).notes.join("\n");
    assert!(text.contains("80/TCP off svc/a") && text.contains("81/TCP off svc/c"), "{text}");
}

#[test]
fn who_has_the_address_from_elsewhere_bars_nobody() {
    let mut foreign: crate::model::Service = holder("a").port(80).into();
    foreign.class = Some("metallb.io/metallb".to_owned());
    let own = service("shop", "b").pinned("192.0.2.10").port(80).ipam("False", "already_allocated", "words");
    let report = world(&NODES).with(own).edit(|obs| {
        if let Read::Known { value, .. } = &mut obs.services {
            value.push(foreign);
        }
    });
    let report = report.service("shop/b");
    assert_eq!(problems(&report), [(Code::AddressTaken, Confidence::Likely)], "Cilium's words, not our certainty");
}

#[test]
fn a_blank_that_spoils_the_list_is_shown() {
    for (list, what) in
        [("foo, web", "the blank in ' web'"), ("Web", "the spelling of 'Web'"), ("\\*", "the mark in '\\*'")]
    {
        let own = service("shop", "b").key("edge").annotate(CROSS, list).pinned("192.0.2.10").port(81);
        let own = own.ipam("False", "already_allocated_incompatible_service", "words");
        let elsewhere = service("web", "a").vip("192.0.2.10").key("edge").annotate(CROSS, "*").port(80);
        let report = world(&NODES).with(elsewhere).with(own).service("shop/b");
        assert_eq!(cause(&report).code, Code::WithheldIncompatible);
        assert!(cause(&report).message.contains(what), "{}", cause(&report).message);
        assert!(cause(&report).message.contains(&format!("'{list}'")), "{}", cause(&report).message);
    }
}

#[test]
fn what_cilium_says_of_a_passed_over_pool_is_told_only_where_it_says_it() {
    let says = |reason: &str| {
        let own = service("shop", "b").port(80).pinned("192.0.2.9").ipam("False", reason, "words");
        let world = world(&NODES).with(own).edit(|obs| {
            let mut closed = crate::diagnose::testing::pool("edge", "192.0.2.0/24");
            closed.disabled = true;
            obs.pools = Read::Known { value: vec![closed], at: moment() };
        });
        let report = world.service("shop/b");
        assert_eq!(cause(&report).code, Code::OutsidePools);
        cause(&report).notes.iter().any(|note| note.contains("Cilium then says that no pool"))
    };
    assert!(says("no_pool"));
    assert!(!says("pool_selector_mismatch"));
}

#[test]
fn a_status_that_differs_from_a_satisfied_request_is_not_put_in_ciliums_mouth() {
    let world = |manager: &str| {
        let own = service("shop", "b").port(80).pinned("192.0.2.11").vip("192.0.2.99").ipam("True", "satisfied", "");
        let manager = crate::model::Manager {
            name: manager.to_owned(),
            operation: "Update".to_owned(),
            subresource: "status".to_owned(),
            time: None,
        };
        let world = world(&NODES).with(own).edit(|obs| {
            obs.asked.vips.push("192.0.2.99".parse().expect("an address"));
            obs.install.operators = Read::Known { value: Vec::new(), at: moment() };
            if let Read::Known { value, .. } = &mut obs.services {
                value[0].managers.push(manager);
            }
        });
        everywhere(world, "192.0.2.99:80/TCP", "shop/b").service("shop/b")
    };
    let report = world("kubectl-edit");
    assert_eq!(problems(&report), [(Code::StatusCleared, Confidence::Likely)]);
    assert!(cause(&report).message.contains("kubectl-edit"), "{}", cause(&report).message);
    let report = world("cilium-operator-lb-ipam");
    assert_eq!(problems(&report), [(Code::NotHandledYet, Confidence::Possible)], "the request may be the newer");
    assert!(cause(&report).message.contains("no cilium-operator is ready"), "{}", cause(&report).message);
}

#[test]
fn a_status_without_a_vip_is_not_called_empty() {
    let look = |class: Option<&str>, ip: Option<&str>| {
        let mut own: crate::model::Service = service("shop", "b").port(80).ipam("True", "satisfied", "").into();
        own.class = class.map(str::to_owned);
        own.ingress.push(crate::model::Ingress {
            ip: ip.map(|ip| ip.parse().expect("an address")),
            hostname: ip.is_none().then(|| "lb.example".to_owned()),
            ip_mode: ip.map(|_| "Proxy".to_owned()),
        });
        let report = world(&NODES).edit(|obs| obs.services = Read::Known { value: vec![own], at: moment() });
        report.service("shop/b")
    };
    let report = look(Some("example.com/cloud"), None);
    assert_eq!(cause(&report).code, Code::NobodyResponsible);
    assert!(cause(&report).message.contains("only the host name lb.example"), "{}", cause(&report).message);
    assert!(!cause(&report).evidence.iter().any(|seen| seen.fact.contains("is empty")));
    let report = look(Some("example.com/cloud"), Some("192.0.2.10"));
    assert!(cause(&report).message.contains("192.0.2.10 with ipMode Proxy"), "{}", cause(&report).message);
    let report = look(None, Some("192.0.2.10"));
    assert_eq!(cause(&report).code, Code::StatusCleared);
    assert!(cause(&report).message.contains("192.0.2.10 with ipMode Proxy"), "{}", cause(&report).message);
}

#[test]
fn a_holder_that_is_being_deleted_is_told() {
    let mut leaving: crate::model::Service = holder("a").port(80).into();
    leaving.deleting = Some("2026-01-02T03:00:00Z".parse().expect("a time"));
    let own = service("shop", "b").port(80).pinned("192.0.2.10").ipam("False", "already_allocated", "words");
    let report = world(&NODES).with(own).edit(|obs| {
        if let Read::Known { value, .. } = &mut obs.services {
            value.push(leaving);
        }
    });
    let report = report.service("shop/b");
    let text = cause(&report).notes.join("\n");
    assert!(text.contains("is being deleted since 2026-01-02T03:00:00Z") && text.contains("finalizer"), "{text}");
}

#[test]
fn a_reserved_address_with_a_key_may_be_what_keeps_the_operator_down() {
    let told = |ready: bool, own: Builder| {
        let world = world(&NODES).with(own).edit(|obs| {
            if let Read::Known { value, .. } = &mut obs.pools {
                value[0].allow_first_last = Some(false);
            }
            if let Read::Known { value, .. } = &mut obs.install.operators {
                value[0].ready = ready;
            }
        });
        let report = world.service("shop/b");
        let finding = cause(&report).clone();
        (finding.code, finding.notes.iter().any(|note| note.contains("panic") && note.contains("192.0.2.255")))
    };
    let own = || service("shop", "b").port(80).pinned("192.0.2.255");
    assert_eq!(told(false, own().key("edge")), (Code::NotHandledYet, true));
    assert_eq!(told(true, own().key("edge")), (Code::NotHandledYet, false));
    assert_eq!(told(false, own()), (Code::NotHandledYet, false), "without a key it is refused in order");
    let refused = own().key("edge").ipam("False", "no_pool", "words");
    assert_eq!(told(false, refused), (Code::OutsidePools, true));
}
