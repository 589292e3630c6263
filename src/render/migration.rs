//! A migration as text: the live table, the report at its end, and the list of those that are not over.

use serde::Serialize;

use super::layout::{Page, clean, columns};
use super::style::Role;
use super::table::Rows;
use super::words::count;
use super::{Style, machine};
use crate::migrate::intent::{Direction, Intent};
use crate::migrate::machine::Waiting;
use crate::migrate::report::{NodeReport, Report, Result as Outcome, dark};
use crate::migrate::words;
use crate::migrate::world::{KeyState, Millis, NodeView, World};

/// The output formats of everything about a migration but its plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum ReportFormat {
    /// What a person needs to know, in about 80 columns.
    #[default]
    Text,
    /// The report alone, on standard output.
    Json,
    /// The same as YAML.
    Yaml,
}

/// A value for programs; none in [`ReportFormat::Text`].
#[must_use]
pub fn for_programs(value: &impl Serialize, format: ReportFormat) -> Option<String> {
    match format {
        ReportFormat::Text => None,
        ReportFormat::Json => Some(machine::json(value)),
        ReportFormat::Yaml => Some(machine::yaml(value)),
    }
}

/// Renders the report on a run; always ends with a newline.
#[must_use]
pub fn report(report: &Report, format: ReportFormat, style: &Style) -> String {
    for_programs(report, format).unwrap_or_else(|| text(report, style))
}

fn text(report: &Report, style: &Style) -> String {
    let mut page = Page::new(style);
    let (role, word) = outcome(report);
    let services = format!("from {} to {}", words::service(&report.source), words::service(&report.target));
    let took = if report.took_ms > 0 { format!("in {}", words::duration(report.took_ms)) } else { String::new() };
    let parts = [
        (Role::Object, words::list(&report.keys)),
        (role, word.to_owned()),
        (Role::Plain, services),
        (Role::Plain, took),
    ];
    page.heading(&parts, "");
    page.section("why", report.reason.iter().flat_map(|reason| page.prose(reason)).collect());
    let steps = report.steps.iter().flat_map(|step| {
        let trouble = step.detail.as_ref().map(|detail| format!(": {}: {detail}", step.outcome)).unwrap_or_default();
        let at = format!("{:>8}", offset(step.at_ms));
        page.columns_then(&[(Role::Faint, &at, 10)], &format!("{}{trouble}", step.what))
    });
    page.section("did", steps.collect());
    page.section("dark", dark_lines(&page, &report.nodes));
    let probe = report.probe.iter().flat_map(|probe| {
        let text = format!(
            "{} of {} to {} failed; longest time without one: {}",
            probe.failed,
            count(probe.attempts, "connection"),
            probe.address,
            words::duration(probe.longest_dark_ms)
        );
        page.prose(&text)
    });
    page.section("probe", probe.collect());
    if !matches!(report.outcome, Outcome::Done) {
        page.section("now", report.state.iter().flat_map(|line| page.prose(line)).collect());
    }
    page.section("next", report.next.iter().map(|command| page.command(command)).collect());
    let undo = report.undo.iter().filter(|undo| !report.next.contains(undo));
    page.section("undo", undo.map(|command| page.command(command)).collect());
    page.into_text()
}

fn outcome(report: &Report) -> (Role, &'static str) {
    match (report.outcome, report.direction) {
        (Outcome::Done, _) => (Role::Good, "MOVED"),
        (Outcome::DoneWithUnknown, _) => (Role::Caution, "MOVED, BUT NOT KNOWN OF EVERY NODE"),
        (Outcome::Stopped, Direction::Forward) => (Role::Problem, "STOPPED"),
        (Outcome::Stopped, Direction::Back) => (Role::Problem, "STOPPED ON THE WAY BACK"),
        (Outcome::RolledBack, _) if report.exit == crate::exit::OK => (Role::Good, "BACK WHERE IT WAS"),
        (Outcome::RolledBack, _) => (Role::Problem, "ROLLED BACK"),
        (Outcome::Refused, _) => (Role::Problem, "REFUSED"),
    }
}

/// Each port's dark time, nodes with the same one together.
fn dark_lines(page: &Page, nodes: &[NodeReport]) -> Vec<String> {
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    let known = nodes.iter().flat_map(|node| {
        let ports = node.ports.iter();
        ports.map(|port| (format!("{} {}", port.address, words::duration(port.dark_ms)), &*node.name))
    });
    for (text, node) in known {
        match groups.iter_mut().find(|(seen, _)| *seen == text) {
            Some((_, members)) => members.push(node),
            None => groups.push((text, vec![node])),
        }
    }
    let known = groups.iter().map(|(text, nodes)| format!("{text} on {}", super::words::fold(nodes)));
    let silent = nodes.iter().filter_map(|node| Some(format!("unknown on {}: {}", node.name, node.unknown.as_ref()?)));
    known.chain(silent).flat_map(|text| page.prose(&text)).collect()
}

/// What is to be seen of a run under way.
pub struct Frame<'a> {
    /// What is wanted.
    pub intent: &'a Intent,
    /// The last look.
    pub world: &'a World,
    /// What is waited for.
    pub waiting: Option<&'a Waiting>,
    /// What was done last.
    pub last: &'a str,
    /// Milliseconds since the run began.
    pub elapsed: Millis,
    /// Milliseconds since the last look, for timers that run on.
    pub since_look: Millis,
}

/// Rows that the live table shows; of more nodes those that matter most.
const MOST_ROWS: usize = 12;

/// The live table: a line of what goes on, and a row for each node and port. Without a line end.
#[must_use]
pub fn frame(frame: &Frame<'_>, style: &Style) -> String {
    let mut page = Page::new(style);
    let head = match frame.waiting {
        Some(waiting) => format!("waiting for {}", words::waiting(frame.intent, waiting)),
        None => frame.last.to_owned(),
    };
    page.line(Role::Object, &clip(&format!("{:>8}  {head}", offset(frame.elapsed)), style.width - 1));
    let many = frame.intent.moves.len() > 1;
    let mut rows = Rows::new(if many { &["NODE", "PORT", "OWNER", "DARK"] } else { &["NODE", "OWNER", "DARK"] });
    let mut all: Vec<Row> = frame.world.nodes.iter().flat_map(|node| node_rows(frame, node)).collect();
    let hidden = all.len().saturating_sub(MOST_ROWS);
    if hidden > 0 {
        all.sort_by_key(|row| std::cmp::Reverse(row.weight));
        all.truncate(MOST_ROWS);
    }
    let wide = if many { [18, 22, 20, 8] } else { [30, 0, 30, 8] };
    for row in all {
        let cells = [(row.node, wide[0]), (row.port, wide[1]), (row.owner, wide[2]), (row.dark, wide[3])];
        rows.row(row.role, cells.iter().filter(|(_, w)| *w > 0).map(|(text, w)| clip(text, *w)).collect());
    }
    rows.write(&mut page);
    if hidden > 0 {
        page.line(Role::Faint, &format!("and {}", count(hidden, "more row")));
    }
    page.into_text().trim_end().to_owned()
}

struct Row {
    weight: u8,
    role: Role,
    node: String,
    port: String,
    owner: String,
    dark: String,
}

fn node_rows(frame: &Frame<'_>, node: &NodeView) -> Vec<Row> {
    let waited = frame.waiting.is_some_and(|waiting| words::waited_for(waiting).contains(&*node.name));
    let seen = match &node.seen {
        Ok(seen) => seen,
        Err(why) => {
            let owner = format!("unknown: {why}");
            let (node, port, dark) = (node.name.clone(), "-".to_owned(), "-".to_owned());
            return vec![Row { weight: 3, role: Role::Caution, node, port, owner, dark }];
        }
    };
    let row = |(mv, key): (usize, &KeyState)| {
        let is_dark = seen.dark_since.get(mv).copied().flatten().is_some();
        let running = if is_dark { frame.since_look } else { 0 };
        let ms = dark(node, mv, frame.world.now).unwrap_or(0) + running;
        Row {
            weight: if is_dark { 2 } else { u8::from(waited) },
            role: if is_dark { Role::Problem } else { Role::Plain },
            node: node.name.clone(),
            port: words::port(frame.intent, mv),
            owner: words::owner(frame.intent, key),
            dark: if ms == 0 { "-".to_owned() } else { words::duration(ms) },
        }
    };
    seen.keys.iter().enumerate().map(row).collect()
}

/// `12.345`, seconds.
#[must_use]
pub fn offset(ms: Millis) -> String {
    format!("{}.{:03}", ms / 1000, ms % 1000)
}

fn clip(text: &str, width: usize) -> String {
    let text = clean(text).replace('\n', " ");
    if columns(&text) <= width {
        return text;
    }
    let head: String = text.chars().take(width.saturating_sub(1)).collect();
    head + "…"
}

/// A migration in the list of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// Its name.
    pub id: String,
    /// The namespace of its journal.
    pub namespace: String,
    /// `NAMESPACE/NAME` of who had the ports.
    pub source: String,
    /// `NAMESPACE/NAME` of who gets them.
    pub target: String,
    /// The ports.
    pub keys: Vec<String>,
    /// `running`, `stopped`, or how it was finished.
    pub state: String,
    /// Who works on it, or why it stands still.
    pub note: String,
}

/// The list of migrations as text.
#[must_use]
pub fn list(entries: &[Entry], style: &Style) -> String {
    let mut page = Page::new(style);
    let mut rows = Rows::new(&["NAMESPACE", "ID", "FROM", "TO", "PORTS", "STATE", "NOTE"]);
    for entry in entries {
        let role = if entry.state == "stopped" { Role::Caution } else { Role::Plain };
        let ports = super::words::fold(&entry.keys.iter().map(String::as_str).collect::<Vec<_>>());
        let cells = [&entry.namespace, &entry.id, &entry.source, &entry.target, &ports, &entry.state, &entry.note];
        rows.row(role, cells.into_iter().cloned().collect());
    }
    rows.write(&mut page);
    page.into_text()
}

/// One migration as it stands: labelled lines under a heading.
#[must_use]
pub fn status(
    heading: &str,
    state: (&str, bool),
    sections: &[(&str, Vec<String>)],
    next: &[String],
    style: &Style,
) -> String {
    let mut page = Page::new(style);
    let role = if state.1 { Role::Good } else { Role::Caution };
    page.heading(&[(Role::Object, heading.to_owned()), (role, state.0.to_owned())], "");
    for (label, texts) in sections {
        page.section(label, texts.iter().flat_map(|text| page.prose(text)).collect());
    }
    page.section("next", next.iter().map(|command| page.command(command)).collect());
    page.into_text()
}
