//! The only place that prints.

use std::ffi::OsString;
use std::io::{self, ErrorKind, IsTerminal as _, Write as _};

use crate::observe::DEMOS;

use anyhow::Context as _;
use serde::Serialize;

/// Writes the result. A reader that has gone wants no more of it, which changes nothing about the answer.
pub(super) fn out(text: &str) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written.context("failed to write the result"),
    }
}

/// Writes errors and notes; that this fails cannot be told to anybody.
pub(super) fn err(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// The formats for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Machine {
    /// `-o json`.
    Json,
    /// `-o yaml`.
    Yaml,
}

impl Machine {
    /// The one that the caller reads; asked of the bare words, for a line that does not parse must be
    /// answered in it as well.
    pub fn of(argv: &[OsString]) -> Option<Self> {
        let words: Vec<_> = argv.iter().map(|word| word.to_string_lossy()).collect();
        let joined = words.iter().find_map(|word| {
            Self::named(["--output=", "-o=", "-o"].iter().find_map(|flag| word.strip_prefix(flag)).unwrap_or_default())
        });
        let apart = || words.windows(2).find_map(|pair| ["-o", "--output"].contains(&&*pair[0]).then(|| &*pair[1]));
        joined.or_else(|| Self::named(apart()?))
    }

    fn named(format: &str) -> Option<Self> {
        match format {
            "json" => Some(Self::Json),
            "yaml" => Some(Self::Yaml),
            _ => None,
        }
    }

    /// A value in this format, with a line end.
    pub fn text(self, value: &impl Serialize) -> anyhow::Result<String> {
        let text = match self {
            Self::Json => serde_json::to_string_pretty(value).context("failed to write JSON")?,
            Self::Yaml => serde_saphyr::to_string(value).context("failed to write YAML")?,
        };
        Ok(text.trim_end().to_owned() + "\n")
    }
}

/// `--color`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(super) enum Color {
    /// Where the output is a terminal that has colours.
    #[default]
    Auto,
    /// Also into pipes and files.
    Always,
    /// Nowhere.
    Never,
}

impl Color {
    /// Decides for standard output. The flag beats `NO_COLOR`, which beats the variables that force
    /// colours, which beat what the terminal says.
    pub fn decide(self) -> bool {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let forced = |name: &str| variable(name).is_some_and(|value| value != "0");
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto if variable("NO_COLOR").is_some() => false,
            Self::Auto if forced("CLICOLOR_FORCE") || forced("FORCE_COLOR") => true,
            Self::Auto if variable("CLICOLOR").as_deref() == Some("0") => false,
            Self::Auto => io::stdout().is_terminal() && variable("TERM").as_deref() != Some("dumb"),
        }
    }
}

/// Columns to write in: the terminal's, within reason; 80 where there is none.
pub(super) fn width() -> usize {
    if !io::stdout().is_terminal() {
        return 80;
    }
    let columns = terminal_size::terminal_size().map_or(80, |(width, _)| width.0);
    usize::from(columns).clamp(60, 120)
}

/// The list of demos, one a line.
pub(super) fn demo_list() -> String {
    let width = DEMOS.iter().map(|(name, ..)| name.len()).max().unwrap_or(0);
    DEMOS.iter().map(|(name, what, _)| format!("{name:width$}  {what}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_format_is_seen_on_lines_that_do_not_parse() {
        let of = |line: &str| Machine::of(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        for line in ["x explain -o json --bad", "x -ojson", "x --output=json nonsense", "x --output json", "x -o=json"]
        {
            assert_eq!(of(line), Some(Machine::Json), "{line}");
        }
        assert_eq!(of("x explain -o yaml --bad"), Some(Machine::Yaml));
        assert_eq!(of("x explain json -o text"), None);
    }
}
