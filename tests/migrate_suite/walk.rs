//! Breaks a migration at its first write, its second and so on until it has no more, and brings it to an
//! end each time.

use super::ground::{Cut, Ground, cut, exit, moving, ports, said, settled, unfinished, vip};
use super::watch::Watch;

/// What is done after a write was broken.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Then {
    /// The run was killed; `resume` takes it to its end.
    Resume,
    /// The run was killed; `rollback` takes it back.
    Rollback,
    /// The run lives, and comes to its end by itself.
    Nothing,
}

const ORDERED: &[&str] = &["--strategy", "ordered"];
const HANDOFF: &[&str] = &["--strategy", "handoff", "--drain-timeout", "1s"];

#[test]
#[ignore = "needs a lab"]
fn a_killed_run_is_resumed() {
    walk("ordered, killed after, resumed", ORDERED, "after", Then::Resume);
}

#[test]
#[ignore = "needs a lab"]
fn a_killed_run_is_taken_back() {
    walk("handoff, killed after, taken back", HANDOFF, "after", Then::Rollback);
}

#[test]
#[ignore = "needs a lab"]
fn a_run_outlives_a_lost_answer() {
    walk("ordered, answer lost", ORDERED, "lost", Then::Nothing);
}

#[test]
#[ignore = "needs a lab"]
fn a_run_outlives_a_write_that_comes_late() {
    walk("handoff, write late", HANDOFF, "late=700", Then::Nothing);
}

/// All the other ways take a quarter of an hour: `VIPCTL_WALK=all`.
#[test]
#[ignore = "needs a lab"]
fn every_other_way_to_break_and_to_go_on() {
    if std::env::var_os("VIPCTL_WALK").is_none() {
        return;
    }
    walk("ordered, killed before, resumed", ORDERED, "before", Then::Resume);
    walk("handoff, killed before, resumed", HANDOFF, "before", Then::Resume);
    walk("handoff, killed after, resumed", HANDOFF, "after", Then::Resume);
    walk("ordered, killed before, taken back", ORDERED, "before", Then::Rollback);
    walk("ordered, killed after, taken back", ORDERED, "after", Then::Rollback);
    walk("handoff, killed before, taken back", HANDOFF, "before", Then::Rollback);
    walk("handoff, answer lost", HANDOFF, "lost", Then::Nothing);
    walk("ordered, write late", ORDERED, "late=700", Then::Nothing);
    walk("ordered, write very late", ORDERED, "late=5000", Then::Nothing);
    walk("handoff, write very late", HANDOFF, "late=5000", Then::Nothing);
}

/// No migration has more writes than this; without it a walk that never ends would not be noticed.
const MOST: usize = 40;

#[expect(clippy::print_stdout, reason = "`--nocapture` shows how many writes were broken")]
fn walk(name: &str, strategy: &[&str], how: &str, then: Then) {
    let ground = Ground::new();
    let watch = Watch::start();
    let (mut from, mut to) = ("a", "b");
    for n in 1..MOST {
        let what = format!("{name}, write {n}");
        let broken = cut(n, how, &moving(from, to, strategy));
        let moved = go_on(&what, &broken, then, &format!("shop/{from}"), &format!("shop/{to}"));
        match then {
            Then::Rollback => ground.restored(&what),
            _ if moved => (from, to) = (to, from),
            _ => {}
        }
        if !broken.reached {
            println!("{name}: {} writes", broken.writes.len());
            watch.finish(name);
            return;
        }
    }
    panic!("{name}: more than {MOST} writes");
}

/// Brings a broken run to its end and checks that it is one. Says whether the port is on the other side now.
fn go_on(what: &str, broken: &Cut, then: Then, from: &str, to: &str) -> bool {
    let code = match then {
        _ if !broken.reached => 0,
        // Without an answer about the journal it must not go on.
        Then::Nothing if at_journal(broken) && broken.exit != 0 => 2,
        Then::Nothing => 0,
        Then::Resume | Then::Rollback => 137,
    };
    assert_eq!(broken.exit, code, "{what}: {}", broken.said);
    let back = then == Then::Rollback;
    if unfinished() || (back && ports(to.trim_start_matches("shop/")).contains(&80)) {
        let verb = if back { "rollback" } else { "resume" };
        let args: &[&str] = if back { &["migrate", verb, "--yes"] } else { &["migrate", verb] };
        let ended = vip(args);
        assert_eq!(exit(&ended), 0, "{what}: {}", said(&ended));
    } else if code != 0 {
        // Broken before its journal was there, or after that was closed: nothing is left to do.
        let moved = ports(to.trim_start_matches("shop/")).contains(&80);
        assert!(!moved || !at_journal(broken), "{what}: moved without a journal");
        settled(if moved { to } else { from }, what);
        return moved;
    }
    settled(if back { from } else { to }, what);
    !back
}

/// Whether nothing but the journal was written when it broke.
fn at_journal(broken: &Cut) -> bool {
    broken.writes.iter().all(|write| write["path"].as_str().is_some_and(|path| path.contains("/configmaps")))
}
