//! From an explanation to text: what people read, and what programs read.
//!
//! Pure functions over the report types. Whether there is a terminal, how wide it is and whether
//! it wants colour is the caller's knowledge; it comes in as [`Style`]. Nothing is printed here.

mod block;
pub mod codes;
mod human;
mod layout;
mod machine;
pub mod migration;
mod plan;
mod style;
mod table;
mod words;

use crate::diagnose::Explanation;

pub use plan::{PlanFormat, plan};

/// The output formats of `-o`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Format {
    /// What a person needs to know, in about 80 columns.
    #[default]
    Text,
    /// The same with every node, the ladder, full sources and the commands that look again.
    Wide,
    /// The JSON contract, `vipctl.dev/v1`.
    Json,
    /// The same as YAML.
    Yaml,
    /// One `service/NAME` or address a line.
    Name,
}

/// How text is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Colour the text; without it the text holds no escape byte.
    pub color: bool,
    /// Columns to wrap words at. Commands and addresses are never broken and may be longer.
    pub width: usize,
    /// Every note, every finding in full, and the ladder.
    pub details: bool,
}

impl Default for Style {
    fn default() -> Self {
        Self { color: false, width: 80, details: false }
    }
}

/// Renders the answer of `explain`; always ends with a newline.
#[must_use]
pub fn explanation(explanation: &Explanation, format: Format, style: &Style) -> String {
    match format {
        Format::Text => human::explanation(explanation, false, style),
        Format::Wide => human::explanation(explanation, true, style),
        Format::Json => machine::json(explanation),
        Format::Yaml => machine::yaml(explanation),
        Format::Name => machine::names(explanation),
    }
}
