//! A migration's plan: whether it can be run first, then what speaks against it, the steps, and what to type.

use super::Style;
use super::layout::{Page, wrap};
use super::machine;
use super::style::Role;
use super::words::count;
use crate::migrate::intent::Strategy;
use crate::migrate::plan::{Check, CheckState, Plan, commits};

/// The output formats of `migrate plan -o`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum PlanFormat {
    /// What a person needs to know, in about 80 columns.
    #[default]
    Text,
    /// The plan itself; `run --plan` takes it.
    Json,
    /// The same as YAML.
    Yaml,
    /// The two changes to make in Git, for Services that Helm, Argo CD or Flux write.
    Commits,
}

/// Columns of a check's name.
const CHECK: usize = 13;

/// Renders a plan; always ends with a newline.
#[must_use]
pub fn plan(plan: &Plan, format: PlanFormat, style: &Style) -> String {
    match format {
        PlanFormat::Json => machine::json(plan),
        PlanFormat::Yaml => machine::yaml(plan),
        PlanFormat::Commits => commits::commits(plan).unwrap_or_else(|| text(plan, style)),
        PlanFormat::Text => text(plan, style),
    }
}

fn text(plan: &Plan, style: &Style) -> String {
    let mut page = Page::new(style);
    let refused = plan.exit != 0;
    let role = if refused { Role::Problem } else { Role::Object };
    for line in wrap(&headline(plan), style.width) {
        page.line(role, &line);
    }
    page.blank();
    for same in plan.checks.chunk_by(|a, b| a.state == b.state) {
        let label = match same[0].state {
            CheckState::Refused => "refused",
            CheckState::Warning => "warning",
            CheckState::Unknown => "unknown",
            CheckState::Ok => "checked",
        };
        if same[0].state == CheckState::Ok && !style.details {
            let ids: Vec<&str> = same.iter().map(|check| check.id.as_str()).collect();
            page.section(label, page.prose(&ids.join(", ")));
            continue;
        }
        page.section(label, same.iter().flat_map(|check| check_lines(&page, check)).collect());
    }
    if !plan.steps.is_empty() {
        page.blank();
        page.section("steps", step_lines(&page, plan));
        page.section("dark", page.prose(&dark(plan)));
        page.section("notes", plan.notes.iter().flat_map(|note| page.prose(note)).collect());
        page.section("undo", vec![page.command(&plan.undo)]);
    }
    if !refused {
        page.section("run", vec![page.command(&plan.run)]);
    }
    page.into_text()
}

fn service(id: &crate::model::ServiceRef) -> String {
    format!("svc/{} (ns {})", id.name, id.namespace)
}

/// `plan: move 192.0.2.10:80/TCP from … to …, ordered: 5 steps, about 500 ms dark on each of 3 nodes`
fn headline(plan: &Plan) -> String {
    let what = if plan.keys.is_empty() {
        "ports".to_owned()
    } else {
        plan.keys.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    };
    let from = service(&plan.request.source);
    let to = service(&plan.request.target);
    if plan.exit != 0 {
        let reasons = plan.checks.iter().filter(|check| check.state == CheckState::Refused).count();
        return format!("refused: move {what} from {from} to {to}: {}", count(reasons, "reason"));
    }
    let strategy = match plan.request.strategy {
        Strategy::Ordered => "ordered",
        Strategy::Handoff => "handoff",
    };
    let nodes = if plan.nodes == 1 { "the node".to_owned() } else { format!("each of {} nodes", plan.nodes) };
    let dark = match plan.expected_dark.per_node_ms {
        0 => "not dark on any node".to_owned(),
        ms if plan.keys.len() > 1 => format!("each port about {ms} ms dark on {nodes}"),
        ms => format!("about {ms} ms dark on {nodes}"),
    };
    format!("plan: move {what} from {from} to {to}, {strategy}: {}, {dark}", count(plan.steps.len(), "step"))
}

fn check_lines(page: &Page, check: &Check) -> Vec<String> {
    let role = match check.state {
        CheckState::Ok => Role::Good,
        CheckState::Refused => Role::Problem,
        CheckState::Warning | CheckState::Unknown => Role::Caution,
    };
    let mut lines = page.columns_then(&[(role, &check.id, CHECK)], &check.saw);
    if let Some(way_out) = &check.way_out {
        lines.extend(page.columns_then(&[(Role::Plain, "", CHECK)], &format!("-> {way_out}")));
    }
    lines
}

fn step_lines(page: &Page, plan: &Plan) -> Vec<String> {
    let lines = plan.steps.iter().enumerate().flat_map(|(number, step)| {
        let number = format!("{}.", number + 1);
        let mut lines = page.columns_then(&[(Role::Plain, &number, 4)], &step.does);
        if let Some(until) = &step.until {
            lines.extend(page.columns_then(&[(Role::Faint, "", 4), (Role::Faint, "until", 6)], until));
        }
        lines
    });
    lines.collect()
}

fn dark(plan: &Plan) -> String {
    match plan.expected_dark.per_node_ms {
        0 => format!("none expected: {}", plan.expected_dark.basis),
        ms => format!("about {ms} ms on each node: {}", plan.expected_dark.basis),
    }
}
