//! Every precondition spoiled once, and what a good plan holds.

mod cluster;
mod good;
mod objects;
mod recorded;

use super::testing::Setting;
use super::{CheckState, Plan};

/// The plan has a check of this name in this state whose text, or way out, holds these words.
#[track_caller]
fn says(plan: &Plan, id: &str, state: CheckState, words: &str) {
    let mut found = plan.checks.iter().filter(|check| check.id == id && check.state == state);
    let holds = |text: &str| text.contains(words);
    let fits = found.any(|check| holds(&check.saw) || check.way_out.as_deref().is_some_and(holds));
    assert!(fits, "no {state:?} {id} with '{words}' in {:#?}", plan.checks);
    let told = |check: &super::Check| check.state == CheckState::Ok || check.way_out.is_some();
    assert!(plan.checks.iter().all(told), "each has a way out: {:#?}", plan.checks);
}

#[track_caller]
fn refused(setting: &Setting, id: &str, words: &str) {
    let plan = setting.plan();
    says(&plan, id, CheckState::Refused, words);
    assert_eq!(plan.exit, crate::exit::REFUSED);
}

#[track_caller]
fn warned(setting: &Setting, id: &str, words: &str) {
    let plan = setting.plan();
    says(&plan, id, CheckState::Warning, words);
    assert_eq!(plan.exit, crate::exit::OK, "{:#?}", plan.checks);
}
