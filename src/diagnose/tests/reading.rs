//! What could not be read, and what was asked by address.

use super::*;
use crate::diagnose::Verdict;
use crate::diagnose::testing::world;
use crate::model::{Missing, MissingKind, Permission, Read, Subject};

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
fn what_the_api_refused_is_told_and_proves_nothing() {
    let refused = || Missing {
        kind: MissingKind::Forbidden,
        text: "no".to_owned(),
        permission: Some(Permission { verb: "list".to_owned(), resource: "leases".to_owned(), namespace: None }),
    };
    let world = everywhere(world(&NODES).with(holder("b").port(80)), K80, "shop/b");
    let report = world.edit(|obs| obs.leases = Read::Unknown(refused())).service("shop/b");
    assert_eq!(report.verdict, Verdict::Unknown, "the nodes serve it, and who announces it is open");
    assert_eq!(report.unknown[0], "announcement: Leases could not be read");
    assert_eq!(cause(&report).code, Code::ApiUnreadable);
    assert_eq!(report.unknown[1..], ["Leases: forbidden (needs list leases in all namespaces)"]);
    let announced = report.ladder.iter().find(|r| r.rung == crate::diagnose::Rung::Announced).expect("the rung");
    assert_eq!(announced.state, crate::diagnose::RungState::Unknown);
}

#[test]
fn untested_versions_are_named() {
    for (version, told) in [("1.17.4", true), ("1.18.0", false), ("1.21.0", true)] {
        let world = everywhere(world(&NODES).with(holder("b").port(80)), K80, "shop/b");
        let report = world.edit(|obs| obs.agents[0].pod.version = Some(version.to_owned())).service("shop/b");
        assert_eq!(report.findings.iter().any(|f| f.code == Code::UnsupportedVersion), told, "{version}");
    }
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
    let names = |list: &[crate::diagnose::Sharer]| list.iter().map(|s| s.service.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(report.claimants.as_deref().expect("claimants")), ["a", "b"]);
    assert_eq!(names(&report.sharers), ["a", "b", "c"]);
    assert_eq!(report.frontends.len(), 1);
    assert_eq!(report.frontends[0].owner.as_ref().map(|owner| owner.name.as_str()), Some("a"));
    assert_eq!(problems(&report), [(Code::RejectedClaim, Confidence::Certain)]);
}

#[test]
fn addresses_that_are_no_vips_are_refused() {
    use crate::diagnose::{NotExplainable, explain};
    let ask = |address: &str| {
        let mut subject = None;
        world(&NODES).with(holder("b").port(80)).edit(|obs| {
            if let Read::Known { value, .. } = &mut obs.nodes {
                value[0].addresses.push("198.51.100.11".parse().expect("an address"));
            }
            obs.subjects = vec![Subject::Vip(address.parse().expect("an address"))];
            subject = Some(explain(obs));
        });
        subject.expect("explained")
    };
    for (address, what) in [
        ("10.96.0.7", "the cluster IP of svc/b"),
        ("198.51.100.11", "the address of node nd1"),
        ("0.0.0.0", "where agents"),
    ] {
        assert!(
            matches!(ask(address), Err(NotExplainable::NoVip { what: said, .. }) if said.starts_with(what)),
            "{address}"
        );
    }
    assert!(ask("192.0.2.10").is_ok());
}

#[test]
fn an_address_that_the_agents_were_not_asked_about_proves_nothing() {
    let report =
        world(&NODES).with(holder("b").port(80)).subject(Subject::Vip("192.0.2.99".parse().expect("an address")));
    assert_eq!(report.verdict, Verdict::Unknown);
    assert_eq!(problems(&report), []);
}

#[test]
fn commands_carry_the_connection_flags_where_kubectl_takes_them() {
    let world = world(&NODES).with(holder("a").port(443)).with(holder("b").port(80));
    let flags = vec!["--context".to_owned(), "lab".to_owned()];
    let report = refused_everywhere(world, K80, "shop/a").edit(|obs| obs.origin.flags = flags).service("shop/b");
    assert!(cause(&report).next[0].starts_with("kubectl vipctl recover --context lab svc/b -n shop"));
    assert_eq!(cause(&report).next[1], "kubectl vipctl explain --context lab svc/b -n shop");
    let exec = cause(&report).evidence[0].recheck.as_deref().expect("a command");
    assert!(exec.starts_with("kubectl exec --context lab -n kube-system"), "{exec}");
}
