//! Who owns a port: stuck, rejected, split and left over.

use super::*;
use crate::diagnose::Verdict;
use crate::diagnose::testing::{moment, world};
use crate::model::Read;

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
    assert_eq!(cause(&report).next[0], "kubectl vipctl recover svc/b -n shop");
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
    assert!(cause(&report).message.contains("svc/a (ns shop) on node nd1; svc/b (ns shop) on nodes nd2,nd3"));
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
fn a_row_of_an_owner_that_is_gone_is_no_split() {
    let world = world(&NODES).with(holder("b").port(80)).absent("shop/a");
    let report = world.row("nd1", K80, "shop/b").row("nd2", K80, "shop/b").row("nd3", K80, "shop/a").service("shop/b");
    assert_eq!(problems(&report), [(Code::AgentLags, Confidence::Likely)]);
    assert_eq!(report.verdict, Verdict::Degraded);
    assert!(!cause(&report).next.iter().any(|command| command.contains("annotate")), "a write cannot reach that agent");
}

#[test]
fn an_owner_whose_own_update_is_refused_is_the_knot() {
    let world = world(&NODES).with(holder("b").port(81)).with(holder("c").port(80)).with(holder("d").port(81));
    let world = refused_everywhere(everywhere(world, K80, "shop/b"), "192.0.2.10:81/TCP", "shop/d");
    let report = world.service("shop/c");
    assert_eq!(problems(&report), [(Code::AgentLags, Confidence::Likely)]);
    assert!(cause(&report).message.contains("its own last update was refused over 192.0.2.10:81/TCP"));
    assert_eq!(cause(&report).next[0], "kubectl vipctl explain svc/b -n shop");
}

#[test]
fn an_agent_that_did_not_look_again_after_a_write_is_deaf() {
    let mut written: crate::model::Service = holder("b").port(80).into();
    written.managers.push(crate::model::Manager {
        name: "kubectl".to_owned(),
        operation: "Update".to_owned(),
        subresource: String::new(),
        time: Some("2026-01-02T03:03:00Z".parse().expect("a time")),
    });
    let world = world(&NODES).with(holder("a").port(443)).edit(|obs| {
        if let Read::Known { value, .. } = &mut obs.services {
            value.push(written);
        }
    });
    let world = refused_everywhere(world, K80, "shop/a").edit(|obs| {
        for agent in &mut obs.agents {
            if let Read::Known { value, .. } = &mut agent.answer {
                value.health[0].updated = Some("2026-01-02T03:00:00Z".parse().expect("a time"));
            }
        }
    });
    assert_eq!(problems(&world.service("shop/b")), [(Code::AgentLags, Confidence::Likely)]);
}

#[test]
fn asked_by_a_held_back_port_the_refusal_of_its_sibling_is_found() {
    let world = world(&NODES).with(holder("a").port(443)).with(holder("b").port(80).port(8080));
    let held: crate::model::PortKey = "192.0.2.10:8080/TCP".parse().expect("a key");
    let report = refused_everywhere(world, K80, "shop/a").subject(crate::model::Subject::Frontend(held));
    assert_eq!(problems(&report), [(Code::StuckClaim, Confidence::Certain)]);
    assert_eq!(report.frontends.len(), 1);
    assert!(cause(&report).evidence.iter().any(|seen| seen.fact.contains("192.0.2.10:80/TCP is owned by shop/a")));
}

#[test]
fn a_refusal_over_the_cluster_ip_holds_the_vip_back() {
    let world = world(&NODES).with(holder("a").port(443)).with(holder("b").port(80));
    let report = refused_everywhere(world, "10.96.0.7:80/TCP", "shop/a").service("shop/b");
    assert_eq!(problems(&report), [(Code::StuckClaim, Confidence::Certain)]);
    assert!(cause(&report).message.contains("10.96.0.7:80/TCP"));
}

#[test]
fn one_unreadable_owner_leaves_the_claim_likely() {
    let world = world(&NODES).with(holder("a").port(443)).with(holder("b").port(80));
    let world = world.refused("nd1", K80, "shop/a").refused("nd2", K80, "other/x").refused("nd3", K80, "shop/a");
    assert_eq!(problems(&world.service("shop/b")), [(Code::StuckClaim, Confidence::Likely)]);
}

#[test]
fn a_host_port_is_told_as_its_pod() {
    let world = world(&NODES).with(holder("b").port(80));
    let report = everywhere(world, K80, "shop/web:host-port:80:4f1").service("shop/b");
    assert!(cause(&report).message.ends_with("is owned by the hostPort of pod/web (ns shop)"));
    assert_eq!(cause(&report).next[1], "kubectl get pod/web -n shop -o yaml");
}

#[test]
fn a_service_that_is_being_deleted_says_so() {
    let mut dying: crate::model::Service = holder("b").port(80).into();
    dying.deleting = Some("2026-01-02T03:00:00Z".parse().expect("a time"));
    let world = world(&NODES).with(holder("b").port(80)).edit(|obs| {
        if let Read::Known { value, .. } = &mut obs.services {
            value[0].deleting = dying.deleting;
        }
    });
    let report = everywhere(world, K80, "shop/b").service("shop/b");
    assert_eq!(problems(&report), [(Code::BeingDeleted, Confidence::Certain)]);
    assert_eq!(report.verdict, Verdict::Degraded);
}
