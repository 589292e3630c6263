//! The one question before something is written.

use std::io::{BufRead as _, IsTerminal as _};

use anyhow::Context as _;

use crate::cli::error::CliError;
use crate::cli::print;

/// Refuses to go on where nobody can be asked and no flag says yes.
pub(super) fn can_ask(yes: bool) -> Result<(), CliError> {
    if yes || std::io::stdin().is_terminal() {
        return Ok(());
    }
    Err(CliError::usage("this writes to the cluster, and nobody can be asked here: standard input is no terminal")
        .hint("say --yes to go on without a question"))
}

/// Asks until `answer` is typed; anything else means no. `yes` asks nothing.
pub(super) async fn ask(what: &str, answer: &str, yes: bool) -> Result<(), CliError> {
    if yes {
        return Ok(());
    }
    print::err(&format!("{what} Type {answer} to go on: "));
    // In a thread of its own: a signal must be heard while somebody thinks about it.
    let line = tokio::task::spawn_blocking(|| {
        let mut line = String::new();
        std::io::stdin().lock().read_line(&mut line).map(|_| line)
    });
    let line = line.await.context("failed to ask")?.context("failed to read the answer")?;
    if line.trim() == answer { Ok(()) } else { Err(CliError::declined(answer)) }
}
