//! The only place that prints.

use std::io::{self, ErrorKind, IsTerminal as _, Write as _};

/// Writes the result. A reader that has gone wants no more of it, which changes nothing about the answer.
pub(super) fn out(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Writes errors and notes; that this fails cannot be told to anybody.
pub(super) fn err(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
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
