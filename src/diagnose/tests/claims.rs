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
