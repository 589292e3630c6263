//! Whose clock: the cluster dates Leases and writes, so the look is dated by the API server too.

use std::time::{Duration, Instant};

use jiff::{SignedDuration, Timestamp};
use kube::api::{ListParams, Request};
use kube::client::Body;

use super::Live;
use crate::model::{Observation, Read};
use crate::observe::Event;
use crate::observe::api::may;

/// The server's answer has its time in whole seconds.
const GRAIN: SignedDuration = SignedDuration::from_secs(2);

impl Live {
    /// How far the API server's clock is ahead of ours; nothing where that cannot be told from noise.
    pub(super) async fn clock_offset(&self) -> SignedDuration {
        let (begin, sent) = (Instant::now(), Timestamp::now());
        // Any answer has the time, a refusal too.
        let ask = async || {
            let request = Request::new("/version").list(&ListParams::default()).map_err(kube::Error::BuildRequest)?;
            self.connection.client.send(request.map(Body::from)).await
        };
        let Ok(answer) = self.reader.read(may("get", "/version", None), ask).await else { return SignedDuration::ZERO };
        let date = answer.headers().get("date").and_then(|value| value.to_str().ok());
        let offset = date.map_or(SignedDuration::ZERO, |date| offset(date, sent, begin.elapsed()));
        if !offset.is_zero() {
            let (seconds, side) = (offset.as_secs().abs(), if offset.is_negative() { "ahead of" } else { "behind" });
            let text = format!("the clock here is {seconds} s {side} the API server's, whose time is used");
            (self.reader.events)(Event::Note(text));
        }
        offset
    }
}

/// The offset that a `Date` header proves, when the request was sent then and took so long.
pub(crate) fn offset(date: &str, sent: Timestamp, took: Duration) -> SignedDuration {
    let Ok(server) = jiff::fmt::rfc2822::parse(date) else { return SignedDuration::ZERO };
    let Ok(half) = SignedDuration::try_from(took / 2) else { return SignedDuration::ZERO };
    let offset = server.timestamp().duration_since(sent) - half;
    if offset.abs() <= GRAIN + half { SignedDuration::ZERO } else { offset }
}

fn shift_read<T>(read: &mut Read<T>, by: SignedDuration) {
    if let Read::Known { at, .. } = read {
        shift_time(at, by);
    }
}

fn shift_time(time: &mut Timestamp, by: SignedDuration) {
    // Out of range is year 9999: the time stays as it is.
    *time = time.checked_add(by).unwrap_or(*time);
}

/// Moves every time that our clock gave.
pub(super) fn shift(observation: &mut Observation, by: SignedDuration) {
    shift_time(&mut observation.taken_at, by);
    shift_read(&mut observation.services, by);
    shift_read(&mut observation.slices, by);
    shift_read(&mut observation.pools, by);
    shift_read(&mut observation.l2_policies, by);
    shift_read(&mut observation.advertisements, by);
    shift_read(&mut observation.bgp_nodes, by);
    shift_read(&mut observation.leases, by);
    shift_read(&mut observation.nodes, by);
    shift_read(&mut observation.install.config, by);
    shift_read(&mut observation.install.operators, by);
    shift_read(&mut observation.install.leader, by);
    for agent in &mut observation.agents {
        shift_read(&mut agent.answer, by);
        if let Read::Known { value, .. } = &mut agent.answer
            && let Some(maps) = &mut value.maps
        {
            shift_read(maps, by);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::model::SourceKind;
    use crate::observe::read_capture;

    #[test]
    fn an_offset_is_what_the_answer_proves() {
        let sent: Timestamp = "2026-01-02T03:04:50Z".parse().expect("a time");
        let seconds = |date: &str, took| offset(date, sent, Duration::from_secs(took)).as_secs();
        assert_eq!(seconds("Fri, 02 Jan 2026 03:04:05 GMT", 0), -45, "we are ahead");
        assert_eq!(seconds("Fri, 02 Jan 2026 03:05:35 GMT", 0), 45);
        assert_eq!(seconds("Fri, 02 Jan 2026 03:04:48 GMT", 0), 0, "that may be rounding");
        assert_eq!(seconds("Fri, 02 Jan 2026 03:04:56 GMT", 8), 0, "a slow answer");
        assert_eq!(seconds("yesterday", 0), 0);
    }

    /// Every `at` and `takenAt` of a capture, wherever it is.
    fn times(value: &Value, into: &mut Vec<Timestamp>) {
        match value {
            Value::Array(all) => all.iter().for_each(|value| times(value, into)),
            Value::Object(fields) => {
                for (name, value) in fields {
                    match value.as_str() {
                        Some(text) if name == "at" || name == "takenAt" => into.push(text.parse().expect("a time")),
                        _ => times(value, into),
                    }
                }
            }
            _ => {}
        }
    }

    #[test]
    fn no_time_of_reading_is_forgotten() {
        let text = include_str!("../../../tests/fixtures/captures/map-differs.json");
        let mut observation = read_capture(text, "map-differs", SourceKind::Capture).expect("a capture");
        let all = |observation: &Observation| {
            let mut found = Vec::new();
            times(&serde_json::to_value(observation).expect("JSON"), &mut found);
            found
        };
        let before = all(&observation);
        assert!(before.len() > 12, "{}", before.len());
        shift(&mut observation, SignedDuration::from_secs(-45));
        let moved: Vec<i64> =
            all(&observation).iter().zip(&before).map(|(a, b)| a.duration_since(*b).as_secs()).collect();
        assert!(moved.iter().all(|by| *by == -45), "{moved:?}");
    }
}
