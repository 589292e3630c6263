//! Durations as Go writes them.

use std::time::Duration;

/// Reads `1m30s`, `500ms`, `1.5s`; none where the text is no such duration.
#[must_use]
pub fn duration(text: &str) -> Option<Duration> {
    let mut total = Duration::ZERO;
    let mut rest = text;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (number, after) = rest.split_at(digits);
        let unit = after.find(|c: char| c.is_ascii_digit()).unwrap_or(after.len());
        let (unit, after) = after.split_at(unit);
        let seconds = match unit {
            "ms" => 0.001,
            "s" => 1.0,
            "m" => 60.0,
            "h" => 3600.0,
            _ => return None,
        };
        let number: f64 = number.parse().ok()?;
        total += Duration::try_from_secs_f64(number * seconds).ok()?;
        rest = after;
    }
    (!text.is_empty()).then_some(total)
}
