//! Who announces an address, by L2 or by BGP, and what is not Cilium's to announce.

use super::*;
use crate::diagnose::testing::world;
use crate::diagnose::{Rung, RungState, Verdict};
use crate::model::{Advertisement, BgpNode, BgpPeer, L2Row, Observation, Read, Selector};

fn rung(report: &SubjectReport) -> (RungState, String) {
    let rung = report.ladder.iter().find(|r| r.rung == Rung::Announced).expect("the rung");
    (rung.state, rung.detail.clone())
}

/// Gives nd1's agent a table `l2-announce` with these addresses.
fn answers(obs: &mut Observation, ips: &[&str]) {
    let row = |ip: &&str| L2Row { ip: ip.parse().expect("an address"), interface: "eth0".to_owned(), origins: vec![] };
    if let Read::Known { value, .. } = &mut obs.agents[0].answer {
        value.l2 = Some(ips.iter().map(row).collect());
    }
}

#[test]
fn a_holder_that_does_not_answer_announces_nothing() {
    let mute = served().edit(|obs| {
        answers(obs, &[]);
        if let Read::Known { value, .. } = &mut obs.l2_policies {
            value[0].interfaces = vec!["^eth9$".to_owned()];
        }
    });
    let report = mute.service("shop/b");
    assert_eq!(problems(&report), [(Code::LeaseNotHeld, Confidence::Likely)]);
    assert!(cause(&report).message.starts_with("nd1 holds"), "{}", cause(&report).message);
    assert!(cause(&report).evidence.iter().any(|seen| seen.fact.contains("^eth9$")));
    assert_eq!(served().edit(|obs| answers(obs, &["192.0.2.10"])).service("shop/b").verdict, Verdict::Healthy);
}

#[test]
fn a_lease_counts_for_the_kinds_of_address_that_a_policy_selects() {
    let two = || {
        let service = holder("b").port(80).external("203.0.113.5");
        let rows = everywhere(world(&NODES).with(service), K80, "shop/b");
        everywhere(rows, "203.0.113.5:80/TCP", "shop/b").edit(|obs| {
            obs.asked.vips.push("203.0.113.5".parse().expect("an address"));
            if let Read::Known { value, .. } = &mut obs.l2_policies {
                value[0].external_ips = false;
            }
        })
    };
    let report = two().service("shop/b");
    assert_eq!(problems(&report), [(Code::NotAnnounced, Confidence::Likely)], "the Lease is the other address's");
    assert!(cause(&report).message.contains("203.0.113.5"));
    let blind = two().edit(|obs| obs.l2_policies = unread()).service("shop/b");
    assert_eq!(rung(&blind).0, RungState::Unknown, "the Lease may be for either");
    let one = served().edit(|obs| obs.l2_policies = unread()).service("shop/b");
    assert_eq!(rung(&one).0, RungState::Ok, "a Lease of a Service with one kind of address can only be for that");
}

fn by_bgp(established: bool, advertised: u64, addresses: &[&str]) -> World {
    let advertisement = Advertisement {
        name: "edge".to_owned(),
        selector: Some(Selector::default()),
        addresses: addresses.iter().map(|&kind| kind.to_owned()).collect(),
    };
    let peers = vec![BgpPeer { peer: "198.51.100.1".to_owned(), established, advertised }];
    served().edit(|obs| {
        obs.install.config = known([("enable-bgp-control-plane".to_owned(), "true".to_owned())].into());
        obs.leases = known(Vec::new());
        obs.advertisements = known(vec![advertisement]);
        obs.bgp_nodes = known(vec![BgpNode { node: "nd1".to_owned(), peers }]);
    })
}

#[test]
fn bgp_announces_through_sessions_only() {
    let status = &["LoadBalancerIP"];
    let up = by_bgp(true, 2, status).service("shop/b");
    assert_eq!(rung(&up), (RungState::Ok, "by BGP from nd1 (2 routes advertised)".to_owned()));
    assert_eq!(up.findings, []);
    let down = by_bgp(false, 0, status).service("shop/b");
    assert_eq!(problems(&down), [(Code::NotAnnounced, Confidence::Likely)]);
    assert!(cause(&down).message.contains("no BGP session is established"));
    let other = by_bgp(true, 2, &["ExternalIP", "ClusterIP"]).service("shop/b");
    assert_eq!(problems(&other), [(Code::NotAnnounced, Confidence::Likely)], "another kind of address");
    let blind = by_bgp(true, 2, status).edit(|obs| obs.bgp_nodes = unread()).service("shop/b");
    assert_eq!((rung(&blind).0, problems(&blind)), (RungState::Unknown, vec![]));
    let silent = by_bgp(true, 0, status).service("shop/b");
    assert_eq!((rung(&silent).0, problems(&silent)), (RungState::Unknown, vec![]));
    let l2 = by_bgp(true, 2, status).edit(|obs| {
        if let Read::Known { value, .. } = &mut obs.services {
            value[0].class = Some("io.cilium/l2-announcer".to_owned());
        }
    });
    assert_eq!(rung(&l2.service("shop/b")).0, RungState::Broken, "a class of another way");
}

#[test]
fn what_could_not_be_read_leaves_the_announcement_unknown() {
    let bare = || served().edit(|obs| obs.leases = known(Vec::new()));
    let unknown: [fn(&mut Observation); 4] = [
        |obs| obs.l2_policies = unread(),
        |obs| obs.install.config = unread(),
        |obs| obs.leases = unread(),
        |obs| obs.others_missing = unread::<()>().missing().cloned(),
    ];
    for (n, change) in unknown.into_iter().enumerate() {
        let report = bare().edit(change).service("shop/b");
        assert_eq!(rung(&report).0, RungState::Unknown, "case {n}: {:?}", rung(&report));
        assert!(!problems(&report).iter().any(|(code, _)| matches!(code, Code::NotAnnounced | Code::LeaseNotHeld)));
    }
}

#[test]
fn what_is_not_ciliums_to_announce_is_not_missed() {
    let bare = || {
        served().edit(|obs| {
            obs.leases = known(Vec::new());
            obs.l2_policies = known(Vec::new());
        })
    };
    let not_ours: [fn(&mut Observation); 3] = [
        |obs| obs.install.config = known(Default::default()),
        |obs| {
            if let Read::Known { value, .. } = &mut obs.nodes {
                value[2].addresses.push("192.0.2.10".parse().expect("an address"));
            }
        },
        |obs| {
            if let Read::Known { value, .. } = &mut obs.services {
                value[0].class = Some("example.com/other".to_owned());
            }
        },
    ];
    for (n, change) in not_ours.into_iter().enumerate() {
        let report = bare().edit(change).service("shop/b");
        assert_eq!((rung(&report).0, problems(&report)), (RungState::NotApplicable, vec![]), "case {n}");
    }
}
