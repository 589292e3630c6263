//! Tables as kubectl prints them: no borders, headings in capitals, three spaces between columns.

use comfy_table::{ContentArrangement, Table, presets};

use super::layout::{Page, clean};
use super::style::Role;
use super::words;
use crate::diagnose::{FrontendReport, NodeState, Sharer, SubjectReport};

/// A table under construction: headings, then rows with the colour of the whole row.
pub(super) struct Rows {
    heading: Vec<&'static str>,
    rows: Vec<(Role, Vec<String>)>,
}

impl Rows {
    /// An empty table.
    pub(super) fn new(heading: &[&'static str]) -> Self {
        Self { heading: heading.to_vec(), rows: Vec::new() }
    }

    /// Adds a row; an empty cell becomes `<none>`, so that columns can be counted.
    pub(super) fn row(&mut self, role: Role, cells: Vec<String>) {
        let filled =
            |cell: String| if cell.is_empty() { "<none>".to_owned() } else { clean(&cell).replace('\n', "; ") };
        self.rows.push((role, cells.into_iter().map(filled).collect()));
    }

    /// Writes it; a table without rows is not written.
    pub(super) fn write(self, page: &mut Page) {
        if self.rows.is_empty() {
            return;
        }
        let mut table = Table::new();
        table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
        table.set_header(self.heading);
        let mut roles = vec![Role::Label];
        for (role, cells) in self.rows {
            roles.push(role);
            table.add_row(cells);
        }
        for column in table.column_iter_mut() {
            column.set_padding((0, 3));
        }
        for (role, line) in roles.into_iter().zip(table.lines()) {
            page.line(role, line.trim_end());
        }
    }
}

/// Who owns each frontend: in `wide` a row for each node, else nodes that agree in one row.
pub(super) fn owners(page: &mut Page, subject: &SubjectReport, wide: bool) {
    let many = subject.frontends.len() > 1;
    let mut heading: Vec<&'static str> = if many { vec!["FRONTEND"] } else { Vec::new() };
    heading.extend(if wide {
        ["NODE", "OWNER", "STATE", "BACKENDS", "SINCE", "DETAIL"].as_slice()
    } else {
        ["OWNER", "STATE", "BACKENDS", "NODES"].as_slice()
    });
    let mut rows = Rows::new(&heading);
    for frontend in &subject.frontends {
        let address = if many { vec![frontend.address.clone()] } else { Vec::new() };
        if wide {
            for node in &frontend.by_node {
                rows.row(state_role(node), [address.clone(), full_row(node)].concat());
            }
        } else {
            for (nodes, first) in alike(frontend) {
                let cells = vec![owner(first), first.state.to_owned(), backends(first), words::fold(&nodes)];
                rows.row(state_role(first), [address.clone(), cells].concat());
            }
        }
    }
    rows.write(page);
}

/// Nodes with the same owner, state and backends, in the order of their first.
fn alike(frontend: &FrontendReport) -> Vec<(Vec<&str>, &NodeState)> {
    let mut groups: Vec<(Vec<&str>, &NodeState)> = Vec::new();
    for node in &frontend.by_node {
        let same =
            |first: &NodeState| (first.state, &first.owner, first.backends) == (node.state, &node.owner, node.backends);
        match groups.iter_mut().find(|(_, first)| same(first)) {
            Some((nodes, _)) => nodes.push(&node.node),
            None => groups.push((vec![&node.node], node)),
        }
    }
    groups
}

fn full_row(node: &NodeState) -> Vec<String> {
    let since = node.since.map(words::date).unwrap_or_default();
    vec![node.node.clone(), owner(node), node.state.to_owned(), backends(node), since, node.detail.clone()]
}

/// Nothing is known of a node that did not answer, which is not the same as none.
fn or_unknown(node: &NodeState, known: Option<String>) -> String {
    known.unwrap_or_else(|| if node.state == "unknown" { "<unknown>".to_owned() } else { String::new() })
}

fn owner(node: &NodeState) -> String {
    or_unknown(node, node.owner.as_ref().map(ToString::to_string))
}

fn backends(node: &NodeState) -> String {
    or_unknown(node, node.backends.map(|n| n.to_string()))
}

fn state_role(node: &NodeState) -> Role {
    match node.state {
        "programmed" | "listed" => Role::Plain,
        "unknown" | "notDone" => Role::Caution,
        _ => Role::Problem,
    }
}

/// One row for each subject.
pub(super) fn overview(page: &mut Page, subjects: &[&SubjectReport]) {
    let mut rows = Rows::new(&["NAMESPACE", "NAME", "VIP", "VERDICT", "CODE"]);
    for subject in subjects {
        let vips: Vec<_> = subject.vips.iter().map(ToString::to_string).collect();
        let vips = if vips.is_empty() { "<pending>".to_owned() } else { vips.join(",") };
        let mut codes: Vec<_> = subject.findings.iter().map(|finding| finding.code.id()).collect();
        codes.dedup();
        let cells = vec![
            subject.namespace.clone().unwrap_or_default(),
            subject.name.clone(),
            vips,
            words::verdict(subject.verdict).replace(' ', ""),
            codes.join(","),
        ];
        let role = if codes.is_empty() { Role::Plain } else { words::verdict_role(subject.verdict) };
        rows.row(role, cells);
    }
    rows.write(page);
}

/// `svc/a (ns shop)  80/TCP,443/TCP  has it in status` for each Service on the same address.
pub(super) fn services(page: &Page, services: &[Sharer]) -> Vec<String> {
    let mut lines = Vec::new();
    for sharer in services {
        let ports: Vec<_> = sharer.ports.iter().map(ToString::to_string).collect();
        let ports: Vec<_> = ports.iter().map(String::as_str).collect();
        let how = if sharer.via == "requests it" { sharer.via.to_owned() } else { format!("has it in {}", sharer.via) };
        let name = format!("svc/{} (ns {})", sharer.service.name, sharer.service.namespace);
        lines.extend(page.beside_last(&format!("{name}  {}", words::fold(&ports)), &how));
    }
    lines
}
