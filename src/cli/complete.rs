//! Answers kubectl's question how the words after `kubectl vipctl` may go on.
//!
//! kubectl runs `kubectl_complete-vipctl WORDS…`, which runs this; the last word is the one to complete
//! and may be empty. The answer is one candidate a line, a tab and what it means where that is known,
//! and at last a number that tells kubectl's script what to do with them.

use std::ffi::{OsStr, OsString};

use clap_complete::CompletionCandidate;
use clap_complete::engine::{ArgValueCandidates, complete};

use super::kube_flags::default_files;
use super::print;
use crate::diagnose::Code;
use crate::exit;
use crate::observe::{ConfigNames, DEMOS, config_names};

/// The word that asks; no command of that name is listed or parsed, for its words may look like flags.
pub(super) const WORD: &str = "__complete";

/// For kubectl's script: offer no files beside the candidates.
const NO_FILES: u8 = 4;
/// For kubectl's script: put no blank after the candidate.
const NO_SPACE: u8 = 2;

/// Prints the candidates; there is nothing to tell where there are none.
pub(super) fn run(words: &[OsString]) -> u8 {
    let candidates = candidates(words);
    let mut directive = NO_FILES;
    let mut text = String::new();
    for candidate in &candidates {
        let value = candidate.get_value().to_string_lossy();
        if value.ends_with('/') {
            directive |= NO_SPACE;
        }
        text.push_str(&value);
        if let Some(help) = candidate.get_help().map(ToString::to_string)
            && let Some(line) = help.lines().next()
        {
            text.push('\t');
            text.push_str(line);
        }
        text.push('\n');
    }
    match print::out(&format!("{text}:{directive}\n")) {
        Ok(()) => exit::OK,
        Err(_) => exit::ERROR,
    }
}

fn candidates(words: &[OsString]) -> Vec<CompletionCandidate> {
    let (last, before) = words.split_last().map_or((OsString::new(), &[][..]), |(last, rest)| (last.clone(), rest));
    // The engine takes the word after -v for its level, which only -v=LEVEL is.
    let before = before.iter().filter(|word| *word != "-v").cloned();
    let mut line: Vec<OsString> = std::iter::once(OsString::from("kubectl-vipctl")).chain(before).collect();
    line.push(last.clone());
    let index = line.len() - 1;
    let here = std::env::current_dir().ok();
    let mut command = super::command("kubectl-vipctl");
    let mut found = complete(&mut command, line, index, here.as_deref()).unwrap_or_default();
    if last.is_empty() {
        // Flags are offered to those who type a dash.
        found.retain(|candidate| !is_flag(candidate.get_value()));
    }
    found
}

fn is_flag(word: &OsStr) -> bool {
    word.as_encoded_bytes().starts_with(b"-")
}

fn named<S: Into<OsString>>(names: impl IntoIterator<Item = S>) -> Vec<CompletionCandidate> {
    names.into_iter().map(CompletionCandidate::new).collect()
}

/// The demos.
pub(super) fn demos() -> ArgValueCandidates {
    ArgValueCandidates::new(|| {
        DEMOS.iter().map(|(name, what, _)| CompletionCandidate::new(*name).help(Some((*what).into()))).collect()
    })
}

/// The codes.
pub(super) fn codes() -> ArgValueCandidates {
    ArgValueCandidates::new(|| {
        Code::ALL.iter().map(|code| CompletionCandidate::new(code.id()).help(Some(code.title().into()))).collect()
    })
}

/// Names in the kubeconfig files that are used where none is named.
pub(super) fn configured(pick: fn(ConfigNames) -> Vec<String>) -> ArgValueCandidates {
    ArgValueCandidates::new(move || named(pick(config_names(&default_files()))))
}
