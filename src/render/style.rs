//! The few roles that text can have, and their colours. Colour repeats what a word already says.

use owo_colors::{OwoColorize as _, Style as Ansi};

/// What a piece of text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Ordinary text.
    Plain,
    /// The thing that is talked about.
    Object,
    /// A label at the beginning of a line, a table's heading.
    Label,
    /// All is well.
    Good,
    /// Something is broken. Nothing else is red.
    Problem,
    /// Not as it should be, or not known.
    Caution,
    /// Sources, times and other small print.
    Faint,
    /// A command to type.
    Command,
}

impl Role {
    /// The text with this role's colour, or as it is.
    pub(super) fn paint(self, color: bool, text: &str) -> String {
        if !color || text.is_empty() || self == Self::Plain {
            return text.to_owned();
        }
        let ansi = match self {
            Self::Plain => Ansi::new(),
            Self::Object | Self::Label => Ansi::new().bold(),
            Self::Good => Ansi::new().green(),
            Self::Problem => Ansi::new().red().bold(),
            Self::Caution => Ansi::new().yellow(),
            Self::Faint => Ansi::new().dimmed(),
            Self::Command => Ansi::new().cyan(),
        };
        text.style(ansi).to_string()
    }
}
