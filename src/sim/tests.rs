//! The real machine in every small world, and the wrong ones in some.

use super::explore::{Explored, explore};
use super::faults::{ALL, Fault, Setting};
use super::plans;
use super::program::{Decide, Program};
use super::world::Shape;
use crate::migrate::intent::{OnFailure, SourceAfter, Strategy};

/// What a migration can be.
fn kinds(moves: u8, drain: bool, on_failure: OnFailure) -> Vec<Setting> {
    let strategies: &[Strategy] = if drain { &[Strategy::Handoff] } else { &[Strategy::Ordered, Strategy::Handoff] };
    let afters = [SourceAfter::Keeps, SourceAfter::ClusterIp, SourceAfter::Delete];
    let kind = |strategy: Strategy, after| Setting {
        name: format!("{moves} {strategy:?}{} {after:?}", if drain { " drain" } else { "" }),
        shape: Shape { moves, agents: 2, after, lag: false },
        program: Program::new(moves, strategy, after, drain, on_failure),
        faults: ALL.into_iter().collect(),
        most: 1,
        rollback: true,
    };
    strategies.iter().flat_map(|strategy| afters.map(|after| kind(*strategy, after))).collect()
}

/// The same with more faults, but only of these kinds.
fn with(faults: &[Fault], most: u8, setting: Setting) -> Setting {
    let name = format!("{} {most} of {}", setting.name, faults.len());
    Setting { faults: faults.iter().copied().collect(), most, name, ..setting }
}

fn lagging(setting: Setting) -> Setting {
    let name = format!("{} late events", setting.name);
    Setting { shape: Shape { lag: true, ..setting.shape }, name, ..setting }
}

#[expect(clippy::print_stderr, reason = "the figures of a run, for whoever asks for them")]
fn walk(setting: &Setting) -> Explored {
    let began = std::time::Instant::now();
    let explored = explore(setting);
    let Explored { states, steps, ends, .. } = &explored;
    let (name, took) = (&setting.name, began.elapsed());
    eprintln!("sim: {name:<44} {states:>8} states {steps:>9} steps {ends:>6} good ends {took:.1?}");
    explored
}

fn hold(settings: impl IntoIterator<Item = Setting>) {
    for setting in settings {
        let explored = walk(&setting);
        if let Some((property, found)) = explored.found.first_key_value() {
            panic!("{}: {property} does not hold: {}\n{}", setting.name, found.how, found.trace.join("\n"));
        }
        assert!(explored.ends > 0, "{}: no good end at all", setting.name);
    }
}

/// What a second write that nobody knows of can do: these are looked at in pairs.
const LOST: [Fault; 3] = [Fault::Crash, Fault::Lost, Fault::Second];

/// What can make an agent differ.
const AGENTS: [Fault; 3] = [Fault::Crash, Fault::Restart, Fault::Hasty];

#[test]
fn one_move_and_any_fault() {
    hold(kinds(1, false, OnFailure::Rollback));
}

#[test]
fn two_moves_and_any_fault() {
    hold(kinds(2, false, OnFailure::Stop).into_iter().step_by(2));
}

#[test]
fn a_drain_and_a_crash() {
    let few = [Fault::Crash, Fault::Stop];
    hold(kinds(1, true, OnFailure::Rollback).into_iter().take(2).map(|setting| with(&few, 1, setting)));
}

#[test]
fn late_events() {
    hold(kinds(1, false, OnFailure::Stop).into_iter().take(4).map(|setting| with(&[], 0, lagging(setting))));
}

#[test]
#[ignore = "minutes"]
fn pairs_of_faults() {
    for moves in [1, 2] {
        for faults in [LOST, AGENTS] {
            hold(kinds(moves, false, OnFailure::Rollback).into_iter().map(|setting| with(&faults, 2, setting)));
        }
    }
}

#[test]
#[ignore = "minutes"]
fn any_two_faults() {
    hold(kinds(1, false, OnFailure::Rollback).into_iter().map(|setting| Setting { most: 2, ..setting }));
}

#[test]
#[ignore = "minutes"]
fn late_events_and_any_fault() {
    hold(kinds(1, false, OnFailure::Rollback).into_iter().map(lagging));
}

#[test]
#[ignore = "minutes"]
fn drains() {
    hold(kinds(1, true, OnFailure::Stop).into_iter().chain(kinds(2, true, OnFailure::Rollback)));
}

#[test]
#[ignore = "many minutes and 8 GB"]
fn a_drain_and_pairs_of_faults() {
    hold(kinds(1, true, OnFailure::Rollback).into_iter().take(1).map(|setting| with(&LOST, 2, setting)));
}

#[test]
#[ignore = "minutes"]
fn three_agents() {
    let three = |setting: Setting| Setting { shape: Shape { agents: 3, ..setting.shape }, ..setting };
    hold(kinds(1, false, OnFailure::Rollback).into_iter().map(three));
}

/// Which properties a wrong plan breaks.
fn broken(name: &str, decide: Decide, faults: &[Fault], most: u8) -> String {
    let setting = kinds(1, false, OnFailure::Stop).remove(0);
    let mut setting = with(faults, most, Setting { name: name.into(), ..setting });
    setting.program.decide = decide;
    setting.program.steps = name.contains("step");
    let found: Vec<&str> = walk(&setting).found.into_keys().collect();
    format!("{name}: {}", found.join(" "))
}

#[test]
fn wrong_plans_are_caught() {
    let caught = [
        broken("claim first", plans::CLAIM_FIRST, &[], 0),
        broken("step numbers", plans::STEPS, &[Fault::Crash], 1),
        broken("believes the API", plans::API_ONLY, &[], 0),
        broken("looks at one node", plans::ONE_NODE, &[], 0),
        broken("back at once", plans::BACK_AT_ONCE, &[Fault::Crash], 1),
        broken("wakes nobody", plans::NO_NUDGE, &[Fault::Restart], 1),
        broken("takes empty for gone", plans::EMPTY_IS_GONE, &[Fault::Restart], 1),
        broken("no fence", plans::NO_FENCE, &[Fault::Crash], 1),
    ];
    let expected = [
        "claim first: L1 S1 S7",
        "step numbers: L1 R1 S1",
        "believes the API: L1 S5 S6 S7",
        "looks at one node: S6 S7",
        "back at once: L1 S5 S6",
        "wakes nobody: L1",
        "takes empty for gone: S7",
        "no fence: L1 S1 S5",
    ];
    assert_eq!(caught, expected);
}
