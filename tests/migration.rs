//! What a migration decides in situations of note, its reports, and what people see of it under way.

use serde_json::json;
use vipctl::migrate::cluster::{LookError, Outcome};
use vipctl::migrate::executor::{Ended, Step};
use vipctl::migrate::intent::{
    Direction, FORMAT, Intent, Limits, Move, Moves, OnFailure, Party, Side, SourceAfter, Strategy,
};
use vipctl::migrate::machine::{Decision, Effect, End, Stop, Tally, Waiting, decide};
use vipctl::migrate::report::{ProbeReport, Report, Result, StepReport, Story, report};
use vipctl::migrate::world::{DrainView, KeyState, NodeView, Seen, Spec, SpecState, World};
use vipctl::model::ServiceRef;
use vipctl::render::Style;
use vipctl::render::migration::{self, Frame, ReportFormat};

fn party(name: &str) -> Party {
    let service = ServiceRef::new("shop", name);
    Party { service, uid: format!("uid-{name}"), before: json!({}), backed: true, local: false }
}

fn intent() -> Intent {
    let entry = json!({"name": "http", "port": 80});
    Intent {
        format: FORMAT.to_owned(),
        id: "192-0-2-10-80-tcp".to_owned(),
        source: party("a"),
        target: party("b"),
        moves: vec![Move { keys: vec!["192.0.2.10:80".parse().expect("a key")], from: entry.clone(), to: entry }],
        source_after: SourceAfter::Keeps,
        strategy: Strategy::Ordered,
        drain: None,
        direction: Direction::Forward,
        turn: 1,
        limits: Limits { timeout_ms: 120_000, max_dark_ms: 20_000, allow_unknown: 0, on_failure: OnFailure::Rollback },
        period_ms: 500,
    }
}

fn spec(moves: &[usize]) -> Spec {
    let state = SpecState::Claims(moves.iter().copied().collect());
    Spec {
        state,
        present: true,
        mark: Some(1),
        has_vip: true,
        touched: None,
        stranger: None,
        writer: "kubectl-vipctl".to_owned(),
    }
}

fn node(name: &str, key: KeyState, dark_since: Option<u64>, dark_ms: u64) -> NodeView {
    let seen = Seen {
        at: 2000,
        synced: true,
        source_mark: Some(1),
        target_mark: Some(1),
        keys: vec![key],
        drain: false,
        since: 1500,
        dark_since: vec![dark_since],
        dark_ms: vec![dark_ms],
    };
    NodeView { name: name.to_owned(), seen: Ok(seen) }
}

fn owned(side: Side) -> KeyState {
    KeyState::Owned { side, done: true, active: true }
}

fn world(source: &[usize], target: &[usize], nodes: Vec<NodeView>) -> World {
    World {
        now: 2000,
        last_write: 1500,
        source: spec(source),
        target: spec(target),
        quiet_since: 0,
        nodes,
        drain: DrainView::default(),
        switched_for: None,
    }
}

fn moved() -> World {
    let there = |name, ms| node(name, owned(Side::Target), None, ms);
    world(&[], &[0], vec![there("nd1", 502), there("nd2", 498), there("nd3", 502)])
}

fn silent() -> NodeView {
    NodeView { name: "nd3".to_owned(), seen: Err("no answer within 5 s".to_owned()) }
}

/// A run that began at 1000 and ended at 2800.
fn told(intent: Intent, world: World, end: std::result::Result<End, LookError>, asked_back: bool) -> Report {
    let turned = (intent.direction == Direction::Back && !asked_back).then(|| Stop::Dark("nd2".to_owned()));
    let ended = Ended { intent, end, turned, steps: Vec::new(), world: Some(world) };
    let hold = |side, moves: &[usize]| Effect::Hold { side, moves: moves.iter().copied().collect() };
    let all: Moves = [0].into();
    let steps = [
        (Effect::Mark(Side::Source), 1010, Moves::new()),
        (hold(Side::Source, &[]), 1500, all),
        (hold(Side::Target, &[0]), 2010, Moves::new()),
    ];
    let steps = steps.into_iter().map(|(effect, at, held)| {
        StepReport::of(&ended.intent, &Step { effect, at, outcome: Outcome::Done }, &held, 1000)
    });
    let flags = ["--context".to_owned(), "lab".to_owned()];
    report(Story {
        ended: &ended,
        begin: 1000,
        end: 2800,
        asked_back,
        steps: steps.collect(),
        probe: None,
        flags: &flags,
    })
}

fn text(report: &Report) -> String {
    let text = migration::report(report, ReportFormat::Text, &Style::default());
    assert!(text.lines().all(|line| line.chars().count() <= 80 || line.contains("kubectl")), "{text}");
    text
}

#[test]
fn done_with_its_dark_times() {
    let mut report = told(intent(), moved(), Ok(End::Done { unknown: 0 }), false);
    assert_eq!((report.outcome, report.exit, report.next.len()), (Result::Done, 0, 0));
    report.probe = Some(ProbeReport {
        address: "192.0.2.10:80".parse().expect("a key"),
        attempts: 140,
        failed: 26,
        longest_dark_ms: 531,
    });
    insta::assert_snapshot!("migration_done_text", text(&report));
    insta::assert_snapshot!("migration_done_json", migration::report(&report, ReportFormat::Json, &Style::default()));
}

#[test]
fn done_is_not_said_of_nodes_that_were_not_asked() {
    let mut world = moved();
    world.nodes[2] = silent();
    let report = told(intent(), world, Ok(End::Done { unknown: 1 }), false);
    assert_eq!((report.outcome, report.exit), (Result::DoneWithUnknown, 4));
    let resume = "kubectl vipctl migrate resume 192-0-2-10-80-tcp -n shop --context lab";
    assert_eq!(report.next, [resume]);
    assert!(report.reason.as_deref().is_some_and(|r| r.contains("nd3: no answer within 5 s")), "{:?}", report.reason);
    assert_eq!(report.nodes[2].unknown.as_deref(), Some("no answer within 5 s"));
    assert!(report.nodes[2].ports.is_empty(), "unknown is neither dark nor served");
}

#[test]
fn a_stop_says_how_things_stand_and_both_ways_on() {
    let nodes = vec![node("nd1", owned(Side::Source), None, 0), node("nd2", KeyState::Absent, Some(1700), 0), silent()];
    let report = told(intent(), world(&[], &[], nodes), Ok(End::Stopped(Stop::Asked)), false);
    assert_eq!((report.outcome, report.exit, report.next.len()), (Result::Stopped, 4, 3));
    assert_eq!(report.nodes[1].ports[0].dark_ms, 300, "what is dark now counts");
    insta::assert_snapshot!("migration_stopped_text", text(&report));
}

#[test]
fn going_back_is_a_failure_unless_it_was_asked_for() {
    let back = || Intent { direction: Direction::Back, turn: 2, ..intent() };
    let before = || world(&[0], &[], vec![node("nd1", owned(Side::Source), None, 700)]);
    let failed = told(back(), before(), Ok(End::RolledBack { unknown: 0 }), false);
    assert_eq!((failed.outcome, failed.exit), (Result::RolledBack, 1));
    assert!(failed.reason.as_deref().is_some_and(|r| r.contains("dark on nd2")), "{:?}", failed.reason);
    let asked = told(back(), before(), Ok(End::RolledBack { unknown: 0 }), true);
    assert_eq!((asked.outcome, asked.exit, asked.reason), (Result::RolledBack, 0, None));
    let stopped = told(back(), before(), Ok(End::Stopped(Stop::Late)), false);
    assert_eq!(
        (stopped.exit, stopped.undo, stopped.next.len()),
        (4, None, 3),
        "there is no way back from the way back"
    );
}

#[test]
fn a_lost_lock_is_a_stop() {
    let lost = LookError::LostLock("journal vipctl-x is run by eve@host".to_owned());
    let report = told(intent(), moved(), Err(lost), false);
    assert_eq!((report.outcome, report.exit), (Result::Stopped, 4));
    assert!(report.reason.as_deref().is_some_and(|r| r.contains("eve@host")), "{:?}", report.reason);
}

#[test]
fn the_live_table_fits_and_shows_what_matters_of_many_nodes() {
    let mut nodes: Vec<NodeView> =
        (1..=40).map(|n| node(&format!("node-{n:02}"), owned(Side::Source), None, 0)).collect();
    nodes[33] = node("node-34", KeyState::Absent, Some(1800), 0);
    nodes[34] = silent();
    let (intent, world) = (intent(), world(&[], &[], nodes));
    let waiting = Waiting::Dropped { mv: 0, nodes: world.nodes.iter().take(20).map(|n| n.name.clone()).collect() };
    let frame =
        Frame { intent: &intent, world: &world, waiting: Some(&waiting), last: "", elapsed: 1234, since_look: 50 };
    let text = migration::frame(&frame, &Style::default());
    assert!(text.lines().all(|line| line.chars().count() < 80), "{text}");
    assert!(text.lines().count() <= 15 && text.contains("and 28 more rows"), "{text}");
    assert!(text.contains("\nnode-34   nobody ") && text.contains(" 250 ms\n"), "{text}");
    assert!(text.contains("unknown: no answer"), "{text}");
    let coloured = migration::frame(&frame, &Style { color: true, ..Style::default() });
    assert!(coloured.contains('\u{1b}') && !text.contains('\u{1b}'));
}

fn next(direction: Direction, world: &World, tally: &Tally) -> Decision {
    decide(&Intent { direction, ..intent() }, world, tally)
}

/// Released, and every node has dropped it.
fn open() -> World {
    world(&[], &[], vec![node("nd1", KeyState::Absent, Some(1600), 0), node("nd2", KeyState::Absent, Some(1650), 0)])
}

fn hold(side: Side) -> Decision {
    Decision::Do(Effect::Hold { side, moves: [0].into() })
}

#[test]
fn what_decides_nothing_stops_a_run_only_where_no_port_is_open() {
    let touched = |mut world: World| {
        world.target.touched = Some("metadata.labels.team was changed by kubectl-label".to_owned());
        world
    };
    assert_eq!(next(Direction::Forward, &touched(open()), &Tally::default()), hold(Side::Target));
    let before = world(&[0], &[], vec![node("nd1", owned(Side::Source), None, 0)]);
    let Decision::End(End::Stopped(Stop::Foreign(Side::Target, text))) =
        next(Direction::Forward, &touched(before), &Tally::default())
    else {
        panic!("it goes on");
    };
    assert!(text.contains("labels.team"), "{text}");
}

#[test]
fn without_its_target_it_goes_back() {
    let mut world = open();
    (world.target.state, world.target.present, world.target.mark) = (SpecState::Gone, false, None);
    let gone = Stop::Replaced(Side::Target);
    assert_eq!(next(Direction::Forward, &world, &Tally::default()), Decision::Turn(gone.clone()));
    assert_eq!(next(Direction::Back, &world, &Tally::default()), hold(Side::Source));
    let stop = Limits { on_failure: OnFailure::Stop, ..intent().limits };
    let decision = decide(&Intent { limits: stop, ..intent() }, &world, &Tally::default());
    assert_eq!(decision, Decision::End(End::Stopped(gone)), "unless it was told not to");
}

#[test]
fn another_migrations_mark_is_a_lock() {
    let mut world = world(&[0], &[], vec![node("nd1", owned(Side::Source), None, 0)]);
    (world.source.mark, world.source.stranger) = (None, Some("192-0-2-10-443-tcp.1".to_owned()));
    let decision = next(Direction::Forward, &world, &Tally::default());
    let Decision::End(End::Stopped(Stop::Foreign(Side::Source, text))) = decision else { panic!("{decision:?}") };
    assert!(text.contains("192-0-2-10-443-tcp.1"), "{text}");
}

#[test]
fn cleaning_up_ends_where_it_is_refused_or_not_wanted() {
    assert_eq!(next(Direction::Forward, &moved(), &Tally::default()), Decision::Do(Effect::Unmark(Side::Source)));
    let refused = Tally { refused: Some("denied".to_owned()), ..Tally::default() };
    let end = |stop| Decision::End(End::Stopped(stop));
    assert_eq!(next(Direction::Forward, &moved(), &refused), end(Stop::Refused("denied".to_owned())));
    let asked = Tally { stop: true, ..Tally::default() };
    assert_eq!(next(Direction::Forward, &moved(), &asked), end(Stop::Asked));
}

#[test]
fn a_row_that_answers_nobody_counts_as_dark() {
    let idle = KeyState::Owned { side: Side::Target, done: true, active: false };
    let mut world = world(&[], &[0], vec![node("nd1", idle, None, 0)]);
    assert!(matches!(next(Direction::Forward, &world, &Tally::default()), Decision::Wait(Waiting::Programmed { .. })));
    world.now = 1500 + 20_001;
    assert_eq!(next(Direction::Forward, &world, &Tally::default()), Decision::Turn(Stop::Dark("nd1".to_owned())));
}
