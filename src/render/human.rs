//! The text for people: the answer first, then why, from what, and what to do.

use super::Style;
use super::block::{Block, blocks};
use super::layout::Page;
use super::style::Role;
use super::{table, words};
use crate::diagnose::{Evidence, Explanation, Finding, FrontendReport, Severity, SourceReport, SubjectReport, Verdict};
use crate::model::SourceKind;

/// With more subjects than these, those without a problem become rows of a table.
const FEW: usize = 3;

/// Notes that are said without `--details`: rules put the essential ones first.
const ESSENTIAL: usize = 4;

/// Commands that are offered for one cause.
const OFFERED: usize = 3;

/// Messages of one cause that are written out where they differ by frontend.
const MESSAGES: usize = 3;

/// What is asked for, beside the page it is written on.
#[derive(Clone, Copy)]
struct Ask {
    wide: bool,
    full: bool,
}

/// The whole answer.
pub(super) fn explanation(explanation: &Explanation, wide: bool, style: &Style) -> String {
    let ask = Ask { wide, full: wide || style.details };
    let mut page = Page::new(style);
    if explanation.subjects.is_empty() {
        page.line(Role::Plain, "nothing to explain: no Service was selected");
    } else if explanation.subjects.len() > FEW {
        many(&mut page, &explanation.subjects, ask);
    } else {
        if explanation.subjects.len() > 1 {
            page.line(Role::Plain, &sum(&explanation.subjects));
        }
        for subject in &explanation.subjects {
            page.blank();
            one(&mut page, subject, ask);
        }
    }
    if ask.full || explanation.source.kind != SourceKind::Live {
        page.blank();
        source(&mut page, &explanation.source);
    }
    page.into_text()
}

/// The sum, a block for each problem, and a table of what is well or unknown.
fn many(page: &mut Page, subjects: &[SubjectReport], ask: Ask) {
    let (quiet, loud): (Vec<_>, Vec<_>) =
        subjects.iter().partition(|s| matches!(s.verdict, Verdict::Healthy | Verdict::Unknown));
    page.line(Role::Plain, &sum(subjects));
    for subject in loud {
        page.blank();
        one(page, subject, ask);
    }
    if !quiet.is_empty() {
        page.blank();
        table::overview(page, &quiet);
    }
    for (count, subject) in unknown_once(&quiet) {
        page.blank();
        let what = format!("{} in the table above", words::count(count, "Service"));
        let code = subject.findings.first().map_or("", |f| f.code.id());
        page.heading(&[(Role::Object, what), (Role::Caution, "UNKNOWN".to_owned())], code);
        let causes: Vec<_> = subject.findings.first().into_iter().collect();
        cause(page, &causes, &subject.unknown, ask);
    }
}

/// Unknown subjects, those with the same reason once, with their number.
fn unknown_once<'a>(subjects: &[&'a SubjectReport]) -> Vec<(usize, &'a SubjectReport)> {
    let reason = |s: &SubjectReport| s.findings.first().map(|f| (f.code, f.message.clone()));
    let mut groups: Vec<(usize, &SubjectReport)> = Vec::new();
    for subject in subjects.iter().filter(|s| s.verdict == Verdict::Unknown) {
        match groups.iter_mut().find(|(_, first)| reason(first) == reason(subject)) {
            Some((count, _)) => *count += 1,
            None => groups.push((1, subject)),
        }
    }
    groups
}

/// `12 subjects: 2 missing, 10 healthy`
fn sum(subjects: &[SubjectReport]) -> String {
    let mut verdicts: Vec<_> = subjects.iter().map(|s| s.verdict).collect();
    verdicts.sort_unstable_by(|a, b| b.cmp(a));
    let parts = verdicts
        .chunk_by(|a, b| a == b)
        .map(|same| format!("{} {}", same.len(), words::verdict(same[0]).to_lowercase()));
    format!("{} subjects: {}", subjects.len(), parts.collect::<Vec<_>>().join(", "))
}

/// One subject.
fn one(page: &mut Page, subject: &SubjectReport, ask: Ask) {
    let parts = blocks(subject);
    if parts.broken.is_empty() {
        healthy_heading(page, subject);
    }
    for (number, block) in parts.broken.iter().enumerate() {
        if number > 0 {
            page.blank();
        }
        heading(page, subject, block);
        let unknown: &[String] = if number == 0 { &subject.unknown } else { &[] };
        cause(page, &block.causes, unknown, ask);
    }
    if parts.broken.is_empty() {
        other_findings(page, &parts.others, ask);
        page.section("unknown", subject.unknown.iter().flat_map(|text| page.prose(text)).collect());
    } else {
        healthy_frontends(page, &parts.healthy);
        other_findings(page, &parts.others, ask);
    }
    around(page, subject, ask);
}

/// Who else is on the address, the ladder, and node by node.
fn around(page: &mut Page, subject: &SubjectReport, ask: Ask) {
    let by_address = subject.kind != "Service";
    if ask.full {
        ladder(page, subject);
    }
    if ask.full || by_address {
        let claimants = subject.claimants.as_deref().unwrap_or_default();
        page.section("claimants", table::services(page, claimants));
        page.section("sharers", table::services(page, &subject.sharers));
    }
    if (ask.wide || by_address) && subject.frontends.iter().any(|f| !f.by_node.is_empty()) {
        page.blank();
        table::owners(page, subject, ask.wide);
    }
}

/// `svc/a (ns shop)  192.0.2.10  HEALTHY  2 frontends on 3 of 3 nodes  (9 checks)`
fn healthy_heading(page: &mut Page, subject: &SubjectReport) {
    let frontends: Vec<_> = subject.frontends.iter().collect();
    let vips: Vec<_> = subject.vips.iter().map(ToString::to_string).collect();
    let vips: Vec<_> = vips.iter().map(String::as_str).collect();
    let owner = match (subject.kind, frontends.as_slice()) {
        ("Service", _) | (_, []) => String::new(),
        (_, [first, rest @ ..]) if rest.iter().all(|f| f.owner == first.owner) => {
            first.owner.as_ref().map(|o| format!("served by svc/{} (ns {})", o.name, o.namespace)).unwrap_or_default()
        }
        _ => String::new(),
    };
    let vips = if subject.kind == "Service" { words::fold(&vips) } else { String::new() };
    let scope = words::programmed_on(&frontends);
    page.heading(
        &[
            (Role::Object, words::subject(subject)),
            (Role::Plain, vips),
            (words::verdict_role(subject.verdict), words::verdict(subject.verdict).to_owned()),
            (Role::Plain, owner),
            (Role::Plain, format!("{}{scope}", words::count(frontends.len(), "frontend"))),
            (Role::Faint, format!("({})", words::count(subject.checks, "check"))),
        ],
        "",
    );
}

/// `svc/b (ns shop)  192.0.2.10:80/TCP  MISSING on 3 of 3 nodes          VIP2102`
fn heading(page: &mut Page, subject: &SubjectReport, block: &Block<'_>) {
    let mut parts = Vec::new();
    // An address that was asked about is the frontend, or the beginning of it.
    if subject.kind == "Service" || block.frontends.is_empty() {
        parts.push((Role::Object, words::subject(subject)));
    }
    let role = if parts.is_empty() { Role::Object } else { Role::Plain };
    parts.extend(words::addresses(&block.frontends).into_iter().map(|address| (role, address)));
    parts.push((words::verdict_role(block.verdict), words::verdict_on(block.verdict, block.nodes)));
    page.heading(&parts, block.causes.first().map_or("", |finding| finding.code.id()));
}

fn healthy_frontends(page: &mut Page, frontends: &[&FrontendReport]) {
    if !frontends.is_empty() {
        let text = format!("{}{}", words::addresses(frontends).join("  "), words::programmed_on(frontends));
        page.section("healthy", page.prose(&text));
    }
}

/// Everything said about one cause. Findings of the same code are said together, each thing once.
fn cause(page: &mut Page, findings: &[&Finding], unknown: &[String], ask: Ask) {
    page.section("cause", messages(page, findings));
    let limit = if ask.full { usize::MAX } else { ESSENTIAL };
    let notes = distinct(findings.iter().flat_map(|f| f.notes.iter().take(limit).map(String::as_str)));
    let withheld = distinct(findings.iter().flat_map(|f| f.notes.iter().map(String::as_str))).len() - notes.len();
    page.section("why", notes.iter().flat_map(|note| page.prose(note)).collect());
    evidence(page, findings, ask);
    let ruled_out = distinct(findings.iter().flat_map(|f| f.ruled_out.iter().map(String::as_str)));
    if !ruled_out.is_empty() {
        page.section("not this", page.prose(&format!("{} (checked)", ruled_out.join(", "))));
    }
    let unknown = distinct(findings.iter().flat_map(|f| &f.unknown).chain(unknown).map(String::as_str));
    page.section("unknown", unknown.iter().flat_map(|text| page.prose(text)).collect());
    commands(page, findings);
    more(page, findings, withheld);
}

fn messages(page: &Page, findings: &[&Finding]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut said: Vec<&str> = Vec::new();
    for finding in findings {
        if said.contains(&finding.message.as_str()) {
            continue;
        }
        said.push(&finding.message);
        if said.len() <= MESSAGES {
            lines.extend(page.beside_first(Role::Plain, &finding.message, words::confidence(finding.confidence)));
        }
    }
    if said.len() > MESSAGES {
        lines.push(format!("and {} more ports in the same way", said.len() - MESSAGES));
    }
    lines
}

fn evidence(page: &mut Page, findings: &[&Finding], ask: Ask) {
    let mut lines = Vec::new();
    let mut said: Vec<&Evidence> = Vec::new();
    for seen in findings.iter().flat_map(|f| &f.evidence) {
        if said.contains(&seen) {
            continue;
        }
        said.push(seen);
        if ask.wide {
            lines.extend(page.prose(&seen.fact));
            let at = seen.at.map(|at| format!(", {}", words::date(at))).unwrap_or_default();
            lines.extend(page.indented(Role::Faint, &format!("{}{at}", seen.source)));
            lines.extend(seen.recheck.as_ref().map(|command| format!("  $ {}", page.command(command))));
        } else {
            let at = seen.at.map(|at| format!(", {}", words::clock(at))).unwrap_or_default();
            lines.extend(page.beside_last(&seen.fact, &format!("{}{at}", words::short_source(&seen.source))));
        }
    }
    page.section("because", lines);
}

/// What to type: what only looks under `next`, what changes the cluster under `fix`.
fn commands(page: &mut Page, findings: &[&Finding]) {
    let mut offered = distinct(findings.iter().flat_map(|f| f.next.iter().map(String::as_str)));
    offered.truncate(OFFERED);
    for same in offered.chunk_by(|a, b| words::changes_cluster(a) == words::changes_cluster(b)) {
        let label = if words::changes_cluster(same[0]) { "fix" } else { "next" };
        page.section(label, same.iter().map(|command| page.command(command)).collect());
    }
}

fn more(page: &mut Page, findings: &[&Finding], withheld: usize) {
    let Some(first) = findings.first() else { return };
    let mut lines = vec![page.command(&format!("kubectl vipctl code {}", first.code))];
    if withheld > 0 {
        lines.push(format!("--details adds {}", words::count(withheld, "note")));
    }
    page.section("more", lines);
}

/// Findings that are not the cause: a line each, or in full where that was asked for.
fn other_findings(page: &mut Page, findings: &[&Finding], ask: Ask) {
    for finding in findings {
        let label = if finding.severity == Severity::Error { "also" } else { "note" };
        let role =
            if finding.severity == Severity::Info { Role::Plain } else { words::severity_role(finding.severity) };
        page.section(label, page.beside_first(role, &finding.message, finding.code.id()));
        if ask.full {
            page.section("", finding.notes.iter().flat_map(|note| page.prose(note)).collect());
            evidence(page, &[finding], ask);
            commands(page, &[finding]);
        }
    }
}

fn ladder(page: &mut Page, subject: &SubjectReport) {
    let mut lines = Vec::new();
    for report in &subject.ladder {
        let (state, role) = words::rung_state(report.state);
        let cells = [(Role::Plain, words::rung(report.rung), 13), (role, state, 15)];
        lines.extend(page.columns_then(&cells, &report.detail));
    }
    page.section("ladder", lines);
}

/// Where and when all this was seen; a capture is not now.
fn source(page: &mut Page, source: &SourceReport) {
    let kind = match source.kind {
        SourceKind::Live => "context",
        SourceKind::Capture => "capture",
        SourceKind::Demo => "demo",
    };
    let cilium = if source.cilium.is_empty() { "unknown".to_owned() } else { source.cilium.join(", ") };
    let kubernetes = source.kubernetes.as_deref().unwrap_or("unknown");
    let text = format!(
        "{kind} {}, {}, Cilium {cilium}, Kubernetes {kubernetes}",
        source.context,
        words::date(source.taken_at)
    );
    page.section("seen", page.prose(&text));
}

/// Each text once, in order.
fn distinct<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut seen = Vec::new();
    for text in texts {
        if !seen.contains(&text) {
            seen.push(text);
        }
    }
    seen
}
