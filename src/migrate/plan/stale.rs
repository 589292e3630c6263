//! Whether a saved plan still says what would be done now.

use super::{Plan, named};
use crate::migrate::intent::{Intent, Party};

/// What differs between a saved plan and one made now of the same request, each as a sentence; empty where
/// the saved one can be run.
#[must_use]
pub fn stale(saved: &Plan, now: &Plan) -> Vec<String> {
    let mut differences = Vec::new();
    if saved.context != now.context {
        differences.push(format!("it was made for context {}, this is {}", saved.context, now.context));
    }
    match (&saved.intent, &now.intent) {
        (Some(saved), Some(now)) => intents(saved, now, &mut differences),
        (None, _) => differences.push("it was refused when it was made".to_owned()),
        (_, None) => differences.push("what would move cannot be told any more".to_owned()),
    }
    differences
}

fn intents(saved: &Intent, now: &Intent, differences: &mut Vec<String>) {
    for (saved, now) in [(&saved.source, &now.source), (&saved.target, &now.target)] {
        differences.extend(party(saved, now));
    }
    if saved.moves != now.moves && differences.is_empty() {
        differences.push("the ports or addresses that would move are others now".to_owned());
    }
    if saved.period_ms != now.period_ms {
        let text = format!("the agents' reflector period was {} ms and is {} ms", saved.period_ms, now.period_ms);
        differences.push(text);
    }
    if saved.drain != now.drain {
        differences.push("whether connections can be drained has changed".to_owned());
    }
}

fn party(saved: &Party, now: &Party) -> Option<String> {
    let name = named(&saved.service);
    if saved.uid != now.uid {
        return Some(format!("{name} was deleted and made again"));
    }
    if saved.before != now.before {
        let parts = ["/spec/ports", "/spec", "/metadata/annotations", "/metadata/labels"];
        let differs = |part: &&&str| saved.before.pointer(part) != now.before.pointer(part);
        let part = parts.iter().find(differs).map_or("metadata".to_owned(), |part| part[1..].replace('/', "."));
        return Some(format!("{part} of {name} was changed since"));
    }
    (saved.backed != now.backed).then(|| format!("the backends of {name} have come or gone"))
}
