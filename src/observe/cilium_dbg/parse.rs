//! Cuts the output of one call into its sections and reads them.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Query, rows};
use crate::model::{FrontendRow, HealthRow, L2Row, ServiceRef};

/// Why an agent's output was not taken as an answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The output ended before every question was answered.
    #[error("the answer ended after {have} of {want} sections")]
    Truncated {
        /// Sections that were complete.
        have: usize,
        /// Questions asked.
        want: usize,
    },
    /// The agent has no table of that name.
    #[error("the agent has no table '{0}'")]
    NoTable(String),
    /// The agent answered with an error.
    #[error("the agent answered: {0}")]
    Refused(String),
    /// The answer is none that this program understands.
    #[error("{0}")]
    Unreadable(String),
}

/// What one or several calls answered.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Parsed {
    /// Frontend rows, each once.
    pub frontends: Vec<FrontendRow>,
    /// Asked Services that have a row in `services`.
    pub services: Vec<ServiceRef>,
    /// Those of them that hand connections to the node's proxy.
    pub redirected: BTreeSet<ServiceRef>,
    /// Health rows.
    pub health: Vec<HealthRow>,
    /// Rows of `l2-announce`; none where there is no such table.
    pub l2: Option<Vec<L2Row>>,
}

impl Parsed {
    /// Takes in the answer of a further call.
    pub fn join(&mut self, other: Self) {
        for row in other.frontends {
            self.add(row);
        }
        self.services.extend(other.services);
        self.redirected.extend(other.redirected);
        self.health.extend(other.health);
        match (&mut self.l2, other.l2) {
            (Some(mine), Some(more)) => mine.extend(more),
            (mine, more) => *mine = mine.take().or(more),
        }
    }

    /// Orders the rows and marks those whose Service is redirected.
    pub fn finish(&mut self) {
        for row in &mut self.frontends {
            row.redirected = self.redirected.contains(&row.owner);
        }
        self.frontends.sort_by_key(|row| (row.key, row.internal));
        self.services.sort();
        self.health.sort_by(|a, b| a.id.cmp(&b.id));
    }

    /// A row is found by address and by owner: it is kept once, as seen last.
    fn add(&mut self, row: FrontendRow) {
        let same = |r: &FrontendRow| r.key == row.key && r.internal == row.internal;
        match self.frontends.iter_mut().find(|r| same(r)) {
            Some(old) => *old = row,
            None => self.frontends.push(row),
        }
    }
}

/// Reads the output of one call.
///
/// # Errors
/// When a section is missing, incomplete or not understood; one such section spoils the answer,
/// for rows that are missing must never look like rows that are not there.
pub fn answer(stdout: &str, queries: &[Query]) -> Result<Parsed, ReadError> {
    let text = plain_text(stdout);
    let mut parsed = Parsed::default();
    for (query, body) in queries.iter().zip(sections(&text, queries)?) {
        section(query, body.trim(), &mut parsed)?;
    }
    Ok(parsed)
}

/// The shell's complaint when nobody listens on the agent's socket.
#[must_use]
pub fn dial_trouble(output: &str) -> Option<String> {
    let text = plain_text(output);
    let line = text.lines().find(|l| l.contains("Dialing failed") || l.contains("Error dialing"))?;
    Some(line.trim().trim_end_matches(" Retrying...").trim_end_matches('.').to_owned())
}

/// The version in the shell's greeting.
#[must_use]
pub fn version_of(stdout: &str) -> Option<String> {
    let text = plain_text(stdout);
    let (_, rest) = text.split_once("  Cilium ")?;
    let word = rest.split_whitespace().next()?;
    word.starts_with(|c: char| c.is_ascii_digit()).then(|| word.to_owned())
}

/// Without carriage returns and terminal sequences.
pub(in crate::observe) fn plain_text(raw: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut chars = raw.chars();
    while let Some(c) = chars.next() {
        match c {
            '\r' => {}
            '\u{1b}' => {
                if chars.next() == Some('[') {
                    // Parameters, then one letter that ends the sequence.
                    let _ = chars.by_ref().find(|c| c.is_ascii_alphabetic());
                }
            }
            c => text.push(c),
        }
    }
    text
}

/// The bodies of all sections: what lies between a command's echo and the echo of its mark.
fn sections<'a>(text: &'a str, queries: &[Query]) -> Result<Vec<&'a str>, ReadError> {
    let commands: Result<Vec<String>, String> = queries.iter().map(Query::command).collect();
    cut(text, 0, &commands.map_err(ReadError::Unreadable)?)
}

/// The same for commands whose marks count from `first`. The text is plain ([`plain_text`]).
///
/// # Errors
/// As [`answer`].
pub(in crate::observe) fn cut<'a>(text: &'a str, first: usize, commands: &[String]) -> Result<Vec<&'a str>, ReadError> {
    let want = commands.len();
    let mut bodies = Vec::with_capacity(want);
    let mut rest = text;
    for (have, command) in commands.iter().enumerate() {
        let mark = format!("> #{}\n", first + have);
        let (section, after) = rest.split_once(&mark).ok_or_else(|| early_end(rest, command, have, want))?;
        // The mark's line begins with the prompt, which is no part of the answer.
        let section = section.rfind('\n').map_or("", |end| &section[..=end]);
        bodies.push(after_echo(section, command).ok_or(ReadError::Truncated { have, want })?);
        rest = after;
    }
    Ok(bodies)
}

/// What stands where the answer broke off says more than "it broke off", where it is a complaint.
fn early_end(rest: &str, command: &str, have: usize, want: usize) -> ReadError {
    let said = after_echo(rest, command).map(str::trim).unwrap_or_default();
    match said.lines().next() {
        Some(line) if !line.starts_with('{') && said.lines().count() < 4 => complaint(said),
        _ => ReadError::Truncated { have, want },
    }
}

/// Skips the echo of a command; the shell's terminal breaks it where its line is full.
fn after_echo<'a>(section: &'a str, command: &str) -> Option<&'a str> {
    let mut echo = String::new();
    let mut end = 0;
    for line in section.split_inclusive('\n') {
        end += line.len();
        echo.push_str(line.trim_end_matches('\n'));
        if echo.ends_with(command) {
            return Some(&section[end..]);
        }
    }
    None
}

fn section(query: &Query, body: &str, parsed: &mut Parsed) -> Result<(), ReadError> {
    match query {
        Query::Vip(vip) => {
            for row in objects(body)?.iter().filter_map(|v| rows::frontend(v).transpose()) {
                let row = row?;
                // A prefix may take in more than was asked for.
                if row.key.vip == *vip {
                    parsed.add(row);
                }
            }
        }
        Query::Owned(id) => {
            for row in objects(body)?.iter().filter_map(|v| rows::frontend(v).transpose()) {
                let row = row?;
                if row.owner == *id {
                    parsed.add(row);
                }
            }
        }
        Query::Accepted(id) => {
            if let Some(flags) = service_flags(body, id)? {
                parsed.services.push(id.clone());
                if flags.contains("ProxyRedirect") {
                    parsed.redirected.insert(id.clone());
                }
            }
        }
        Query::Health(_) => {
            for value in objects(body)? {
                parsed.health.push(rows::health(&value)?);
            }
        }
        Query::L2(ip) => match objects(body) {
            Ok(values) => {
                let known = parsed.l2.get_or_insert_default();
                for value in values {
                    known.extend(rows::l2(&value)?.filter(|row| row.ip == *ip));
                }
            }
            Err(ReadError::NoTable(_)) => {}
            Err(error) => return Err(error),
        },
    }
    Ok(())
}

/// The rest of the Service's line in a text table, or none where it has no line.
fn service_flags<'a>(body: &'a str, id: &ServiceRef) -> Result<Option<&'a str>, ReadError> {
    let name = id.to_string();
    let mut lines = body.lines();
    match lines.next() {
        Some(header) if header.split_whitespace().next() == Some("Name") => {}
        Some(_) => return Err(complaint(body)),
        None => return Ok(None),
    }
    Ok(lines.find_map(|line| {
        let rest = line.strip_prefix(&name)?;
        (rest.is_empty() || rest.starts_with(char::is_whitespace)).then_some(rest)
    }))
}

/// The objects of a section; the shell writes them one after the other, not as an array.
pub(super) fn objects(body: &str) -> Result<Vec<Value>, ReadError> {
    if !body.is_empty() && !body.starts_with(['{', '"', '[']) {
        return Err(complaint(body));
    }
    let mut values = Vec::new();
    for value in serde_json::Deserializer::from_str(body).into_iter::<Value>() {
        values.push(value.map_err(|error| ReadError::Unreadable(format!("not the JSON of a row: {error}")))?);
    }
    Ok(values)
}

/// Reads an error message that stands where rows should be.
fn complaint(body: &str) -> ReadError {
    let line = body.lines().next().unwrap_or_default().trim();
    let table = line.split_once("table \"").and_then(|(_, rest)| rest.split_once('"'));
    match table {
        Some((name, rest)) if rest.contains("not found") => ReadError::NoTable(name.to_owned()),
        _ => ReadError::Refused(line.chars().take(200).collect()),
    }
}

#[cfg(test)]
#[path = "parse_tests.rs"]
mod tests;
