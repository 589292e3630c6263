//! Random ways through worlds that are too big to be walked through. The seed of one that fails is printed.

use super::faults::{ALL, Fault, Next, Setting};
use super::program::Program;
use super::properties;
use super::world::Shape;
use crate::migrate::intent::{OnFailure, SourceAfter, Strategy};

/// Small numbers that look random, the same for the same seed (xorshift64).
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// One of so many.
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or(0) % sides
    }
}

fn setting(dice: &mut Dice) -> Setting {
    let moves = 2 + u8::try_from(dice.roll(3)).unwrap_or(0);
    let after = [SourceAfter::Keeps, SourceAfter::ClusterIp, SourceAfter::Delete][dice.roll(3)];
    let strategy = [Strategy::Ordered, Strategy::Handoff][dice.roll(2)];
    let on_failure = [OnFailure::Stop, OnFailure::Rollback][dice.roll(2)];
    let drain = strategy == Strategy::Handoff && dice.roll(2) == 0;
    Setting {
        name: format!("{moves} {strategy:?} {after:?} drain {drain}"),
        shape: Shape { moves, agents: 3 + dice.roll(3), after, lag: dice.roll(2) == 0 },
        program: Program::new(moves, strategy, after, drain, on_failure),
        faults: ALL.into_iter().filter(|fault| *fault != Fault::Meddle).collect(),
        most: 3 + u8::try_from(dice.roll(4)).unwrap_or(0),
        rollback: dice.roll(3) == 0,
    }
}

/// One way: faults for a while, then none, and it must end well.
fn way(seed: u64) {
    let mut dice = Dice::new(seed);
    let setting = setting(&mut dice);
    let mut model = setting.start();
    let mut trace = Vec::new();
    for at in 0..20_000 {
        let faulty = at < 400 && dice.roll(12) == 0;
        let pick = |next: &Next| next.fair != faulty && next.model != model;
        let mut choices: Vec<Next> = setting.next(&model).into_iter().filter(pick).collect();
        if choices.is_empty() && faulty {
            continue;
        }
        if choices.is_empty() {
            assert!(
                properties::good(&setting.shape, &model),
                "seed {seed}, {}: stuck\n{}",
                setting.name,
                trace.join("\n")
            );
            return;
        }
        let next = choices.swap_remove(dice.roll(choices.len()));
        trace.push(format!("{:?}\n    {}", next.step, next.model));
        assert!(next.broken.is_none(), "seed {seed}, {}: {:?}\n{}", setting.name, next.broken, trace.join("\n"));
        model = next.model;
    }
    panic!("seed {seed}, {}: no end\n{}", setting.name, trace[trace.len() - 50..].join("\n"));
}

#[test]
fn bigger_worlds() {
    (1..=60).for_each(way);
}

#[test]
#[ignore = "minutes"]
fn many_bigger_worlds() {
    (1_000..6_000).for_each(way);
}
