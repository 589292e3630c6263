//! What `kubectl vipctl code` says: the list of codes, and a page for each.

use serde::Serialize;

use super::layout::Page;
use super::style::Role;
use super::table::Rows;
use super::{Format, Style, machine};
use crate::diagnose::Code;

/// The Role that lets this program read what it explains from.
pub const RBAC: &str = include_str!("rbac.yaml");

/// What programs read: a code, or the list of them.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer<T> {
    api_version: &'static str,
    kind: &'static str,
    exit: u8,
    #[serde(flatten)]
    value: T,
}

fn answer<T>(kind: &'static str, value: T) -> Answer<T> {
    Answer { api_version: "vipctl.dev/v1", kind, exit: crate::exit::OK, value }
}

/// The codes in the list.
#[derive(Serialize)]
struct Items {
    items: Vec<Entry>,
}

/// A code.
#[derive(Serialize)]
struct Entry {
    code: Code,
    title: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<&'static str>,
}

/// Every code with its title.
#[must_use]
pub fn list(format: Format, style: &Style) -> String {
    let entry = |&code: &Code| Entry { code, title: code.title(), page: None };
    let entries = || answer("CodeList", Items { items: Code::ALL.iter().map(entry).collect() });
    match format {
        Format::Json => machine::json(&entries()),
        Format::Yaml => machine::yaml(&entries()),
        Format::Name => Code::ALL.iter().map(|code| format!("{code}\n")).collect(),
        Format::Text | Format::Wide => {
            let mut page = Page::new(style);
            let mut rows = Rows::new(&["CODE", "TITLE"]);
            for code in Code::ALL {
                rows.row(Role::Plain, vec![code.id().to_owned(), code.title().to_owned()]);
            }
            rows.write(&mut page);
            page.into_text()
        }
    }
}

/// The page of one code. That of VIP9101 ends with the Role to apply; as YAML it is that Role
/// alone, so that it can be piped into `kubectl apply -f -`.
#[must_use]
pub fn page(code: Code, format: Format) -> String {
    let entry = answer("Code", Entry { code, title: code.title(), page: Some(code.page()) });
    match format {
        Format::Json => machine::json(&entry),
        Format::Yaml if code == Code::NoExec => RBAC.to_owned(),
        Format::Yaml => machine::yaml(&entry),
        Format::Name => format!("{code}\n"),
        Format::Text | Format::Wide if code == Code::NoExec => format!("{}\n{RBAC}", code.page()),
        Format::Text | Format::Wide => code.page().to_owned(),
    }
}
