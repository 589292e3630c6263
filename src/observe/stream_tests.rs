use std::time::Duration;

use futures::FutureExt as _;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream};

use super::{Shell, StreamError};

type Here = Shell<DuplexStream, DuplexStream>;

const SOON: Duration = Duration::from_secs(5);

/// A shell whose far end is played by the test: what it reads, and what it prints.
fn shell() -> (Here, DuplexStream, DuplexStream) {
    let (to, asked) = tokio::io::duplex(4096);
    let (printed, from) = tokio::io::duplex(4096);
    (Shell::new(from, to, None), asked, printed)
}

/// Answers every command with what `answer` makes of it, as the real one prints.
async fn play(mut asked: DuplexStream, mut printed: DuplexStream, answer: impl Fn(&str) -> Option<String>) {
    let mut line = Vec::new();
    while let Ok(byte) = asked.read_u8().await {
        if byte != b'\r' {
            line.push(byte);
            continue;
        }
        let text = String::from_utf8(std::mem::take(&mut line)).expect("text");
        let said = if text.starts_with('#') { Some(String::new()) } else { answer(&text) };
        let Some(said) = said else { return };
        // In pieces, as a network does it.
        for piece in format!("{text}\r\n{said}\r\n\u{1b}[34mvm> \u{1b}[0m").as_bytes().chunks(7) {
            if printed.write_all(piece).await.is_err() {
                return;
            }
        }
    }
}

fn text(all: &[&str]) -> Vec<String> {
    all.iter().map(|s| (*s).to_owned()).collect()
}

#[tokio::test]
async fn each_command_gets_its_answer() {
    let (mut shell, asked, mut printed) = shell();
    printed.write_all(b"  Cilium 1.20.2 lab\r\n\r\nvm> ").await.expect("greeting");
    let playing = play(asked, printed, |command| Some(format!("{{\r\n  \"it\": \"{command}\"\r\n}}\r\n")));
    let asking = async {
        for round in 0..3 {
            let commands = text(&["one", "two"]);
            let answers = shell.ask(&commands, SOON).await.expect("whole answers");
            assert_eq!(answers.len(), 2, "round {round}");
            assert!(answers[0].contains("\"one\"") && answers[1].contains("\"two\""), "{answers:?}");
            assert!(!answers[0].contains('#') && !answers[1].contains("vm>"), "{answers:?}");
        }
        drop(shell);
    };
    futures::join!(playing, asking);
}

#[tokio::test]
async fn half_an_answer_is_none() {
    let (mut shell, asked, printed) = shell();
    let playing = play(asked, printed, |command| (command == "one").then(|| "{}".to_owned()));
    let commands = text(&["one", "two"]);
    let (_, answers) = futures::join!(playing, shell.ask(&commands, SOON));
    let ended = answers.expect_err("cut off");
    assert!(matches!(ended, StreamError::Ended(_)), "{ended}");
}

#[tokio::test]
async fn silence_ends_with_the_deadline_and_says_what_was_complained_of() {
    let (mut shell, _asked, mut printed) = shell();
    printed
        .write_all(b"Dialing failed: dial unix shell.sock: connection refused. Retrying...\r\n")
        .await
        .expect("text");
    let error = shell.ask(&text(&["one"]), Duration::from_millis(20)).await.expect_err("nobody answers");
    assert!(error.to_string().contains("connection refused"), "{error}");
}

#[tokio::test]
async fn an_end_of_the_session_is_seen_though_the_reader_hangs() {
    let (to, _asked) = tokio::io::duplex(4096);
    let (_printed, from) = tokio::io::duplex(4096);
    let mut shell = Shell::new(from, to, Some(async { None }.boxed()));
    let error = shell.ask(&text(&["one"]), SOON).await.expect_err("gone");
    assert_eq!(error.to_string(), "the connection to the agent ended");
}
