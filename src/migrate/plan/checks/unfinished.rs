//! Other migrations of these Services that nobody finished.

use super::Chosen;
use crate::migrate::plan::{Case, Check, args, named};
use crate::migrate::{journal, specs};

const ID: &str = "unfinished";

pub(super) fn check(case: &Case<'_>, chosen: &Chosen<'_>, checks: &mut Vec<Check>) {
    let journals = match case.seen.unfinished {
        Ok(journals) => journals,
        Err(text) => {
            let saw = format!("journals of other migrations could not be listed: {text}");
            checks.push(Check::unknown(ID, saw, "`kubectl vipctl migrate list -A` must show none of these Services"));
            return;
        }
    };
    let about = |id| id == &case.source.id || id == &case.target.id;
    let mine = journals.iter().filter(|journal| journal.services.iter().any(about));
    let before = checks.len();
    // A journal in a third namespace is not listed, but its migration marks what it works on.
    let id = chosen.moves.first().and_then(|mv| mv.keys.first()).map(|key| journal::id_of(*key));
    for (service, object) in [(case.source, case.seen.source), (case.target, case.seen.target)] {
        let Some(mark) = object["metadata"]["annotations"][specs::MARK].as_str() else { continue };
        if id.as_ref().is_none_or(|id| specs::mark_turn(id, mark).is_none()) {
            let way = format!(
                "`kubectl vipctl migrate list -A` shows it; if there is none: kubectl annotate {} {}-",
                args(&service.id),
                specs::MARK
            );
            let saw = format!("{} carries the mark of another migration, {mark}", named(&service.id));
            checks.push(Check::refused(ID, saw, way));
        }
    }
    checks.extend(mine.map(|journal| {
        let [from, to] = &journal.services;
        Check::refused(
            ID,
            format!("migration {} from {} to {} is not finished", journal.id, named(from), named(to)),
            format!("kubectl vipctl migrate resume {} -n {} (or rollback, or abandon)", journal.id, journal.namespace),
        )
    }));
    if checks.len() == before {
        let what = if chosen.moves.is_empty() { "these Services" } else { "these Services and ports" };
        checks.push(Check::ok(ID, format!("no other migration of {what} is under way")));
    }
}
