//! Captures inside the program: the first command that somebody can try without a cluster.

use super::capture::{asked_of, read_capture};
use super::{CaptureError, ObserveError, Scope, Source};
use crate::model::{Observation, SourceKind};

/// Names the captures that are built in; each is `tests/fixtures/captures/NAME.json`.
macro_rules! demos {
    ($($name:literal: $what:literal,)*) => {
        /// The demos: name, what it shows, and the capture's text.
        pub const DEMOS: &[(&str, &str, &str)] = &[
            $(($name, $what, include_str!(concat!("../../tests/fixtures/captures/", $name, ".json"))),)*
        ];
    };
}

demos! {
    "stuck-claim": "two Services satisfied, and a port that no node serves",
    "split-owner": "nodes that differ about who owns a port",
    "stripped-vip": "a Service that lost its whole address for one port too many",
    "rejected-claim": "a port that another Service owns",
    "local-policy-no-backend": "traffic policy Local, and no backend where the address is announced",
    "exec-forbidden": "what can be said without asking the agents",
    "healthy": "nothing to report",
}

/// A built-in capture as a source.
pub struct Demo {
    /// Its name.
    pub name: String,
}

/// Reads a built-in capture.
///
/// # Errors
/// When there is none of that name.
pub fn demo(name: &str) -> Result<Observation, CaptureError> {
    let found = DEMOS.iter().find(|(known, ..)| *known == name);
    let (name, _, text) = found.ok_or_else(|| CaptureError::NoDemo(name.to_owned()))?;
    read_capture(text, name, SourceKind::Demo)
}

impl Source for Demo {
    async fn observe(&self, scope: &Scope) -> Result<Observation, ObserveError> {
        asked_of(demo(&self.name)?, scope)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_demo_can_be_read() {
        for (name, what, _) in DEMOS {
            let observation = demo(name).unwrap_or_else(|error| panic!("{error}"));
            assert!(!observation.subjects.is_empty() && !what.is_empty(), "{name}");
            assert_eq!((observation.origin.kind, observation.origin.context.as_str()), (SourceKind::Demo, *name));
        }
    }
}
