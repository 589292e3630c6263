//! An open `cilium-dbg shell` on one node: questions and answers within milliseconds.
//!
//! # Guarantees
//! An answer is whole, or it is an error: the echo of a comment with a number of its own, sent after each
//! command, proves that the answer before it is complete. After an error the stream is of no more use: what
//! still comes could be taken for the answer to a later question. Everything ends with its deadline.

use std::time::Duration;

use futures::future::{BoxFuture, Either, FutureExt as _, select};
use k8s_openapi::api::core::v1::Pod;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Status;
use kube::Api;
use kube::api::{AttachParams, AttachedProcess};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};

use super::cilium_dbg::{self, ReadError};
use super::exec::{ExecError, connect_error, span};

const PIPE: usize = 64 * 1024;

/// More than this is not an answer but an accident.
const MOST_BYTES: usize = 8 * 1024 * 1024;

/// Why a stream gave no answer. It is of no more use then.
#[derive(Debug, thiserror::Error)]
pub enum StreamError {
    /// It could not be opened.
    #[error(transparent)]
    Open(#[from] ExecError),
    /// The other end is gone.
    #[error("the connection to the agent ended{0}")]
    Ended(String),
    /// Nothing, or only a part, came in time.
    #[error("{}", late(.after, .said.as_deref()))]
    Timeout {
        /// The deadline.
        after: Duration,
        /// What the agent's shell complained about meanwhile.
        said: Option<String>,
    },
    /// What came is no answer.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// It does not end.
    #[error("the answer is larger than {MOST_BYTES} bytes")]
    TooLarge,
}

fn late(after: &Duration, said: Option<&str>) -> String {
    match said {
        Some(said) => format!("the agent does not answer: {said}"),
        None => format!("no answer within {}", span(after)),
    }
}

/// An open shell on one node. Dropping it closes the connection, and with it the shell.
pub struct AgentStream {
    // It owns the message loop, which must live as long as anything is asked.
    _process: AttachedProcess,
    shell: Shell<Box<dyn AsyncRead + Send + Unpin>, Box<dyn AsyncWrite + Send + Unpin>>,
    version: Option<String>,
}

impl AgentStream {
    /// Opens the shell and waits until it answers.
    ///
    /// # Errors
    /// As [`StreamError`].
    pub async fn open(pods: &Api<Pod>, pod: &str, container: &str, deadline: Duration) -> Result<Self, StreamError> {
        let mut raw = Vec::new();
        let opened = tokio::time::timeout(deadline, Self::connect(pods, pod, container, &mut raw)).await;
        opened.unwrap_or_else(|_| Err(timeout(deadline, &raw)))
    }

    async fn connect(pods: &Api<Pod>, pod: &str, container: &str, raw: &mut Vec<u8>) -> Result<Self, StreamError> {
        let params = AttachParams::default()
            .container(container)
            .stdin(true)
            .stdout(true)
            .stderr(false)
            .max_stdin_buf_size(PIPE)
            .max_stdout_buf_size(PIPE);
        let call = cilium_dbg::shell_call();
        let mut process = pods.exec(pod, call.iter().map(String::as_str), &params).await.map_err(connect_error)?;
        let lost = || ExecError::Failed("the exec session has no streams".to_owned());
        let status = process.take_status().ok_or_else(lost)?.boxed();
        let (stdin, stdout) = (process.stdin().ok_or_else(lost)?, process.stdout().ok_or_else(lost)?);
        let mut shell = Shell::new(Box::new(stdout) as Box<_>, Box::new(stdin) as Box<_>, Some(status));
        let greeting = shell.exchange(&[], raw).await?;
        let version = cilium_dbg::version_of(&greeting);
        Ok(Self { _process: process, shell, version })
    }

    /// The version in the shell's greeting.
    #[must_use]
    pub fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }

    /// Sends commands and gives the answer to each.
    ///
    /// # Errors
    /// As [`StreamError`].
    pub async fn ask(&mut self, commands: &[String], deadline: Duration) -> Result<Vec<String>, StreamError> {
        self.shell.ask(commands, deadline).await
    }
}

fn timeout(after: Duration, raw: &[u8]) -> StreamError {
    StreamError::Timeout { after, said: cilium_dbg::dial_trouble(&plain(raw)) }
}

/// The two ends of a shell, and how much was asked of it.
struct Shell<R, W> {
    from: R,
    to: W,
    /// Resolves when the other end is gone; the reader alone would wait for ever then.
    gone: Option<BoxFuture<'static, Option<Status>>>,
    asked: usize,
}

impl<R: AsyncRead + Unpin, W: AsyncWrite + Unpin> Shell<R, W> {
    fn new(from: R, to: W, gone: Option<BoxFuture<'static, Option<Status>>>) -> Self {
        Self { from, to, gone, asked: 0 }
    }

    async fn ask(&mut self, commands: &[String], deadline: Duration) -> Result<Vec<String>, StreamError> {
        let first = self.asked;
        let mut raw = Vec::new();
        let done = tokio::time::timeout(deadline, self.exchange(commands, &mut raw)).await;
        let text = done.unwrap_or_else(|_| Err(timeout(deadline, &raw)))?;
        Ok(cilium_dbg::cut(&text, first, commands)?.into_iter().map(str::to_owned).collect())
    }

    /// Sends the commands and collects what comes, up to the last mark. Without commands, just a mark.
    async fn exchange(&mut self, commands: &[String], raw: &mut Vec<u8>) -> Result<String, StreamError> {
        let first = self.asked;
        self.asked += commands.len().max(1);
        let mut sent = String::new();
        for n in first..self.asked {
            let command = commands.get(n - first).map_or_else(String::new, |command| format!("{command}\r"));
            sent.push_str(&format!("{command}#{n}\r"));
        }
        let mark = format!("> #{}\n", self.asked - 1);
        let write = async {
            self.to.write_all(sent.as_bytes()).await?;
            self.to.flush().await
        };
        let read = collect(&mut self.from, &mark, raw);
        // Both at once: a shell that is not read from stops reading.
        let work = async {
            let (wrote, read) = futures::join!(write, read);
            wrote.map_err(|error| StreamError::Ended(format!(": {error}"))).and(read)
        };
        let Some(gone) = &mut self.gone else { return work.await };
        match select(std::pin::pin!(work), gone).await {
            Either::Left((done, _)) => done,
            Either::Right((status, _)) => {
                let said = status.and_then(|status| status.message).filter(|text| !text.is_empty());
                Err(StreamError::Ended(said.map_or_else(String::new, |text| format!(": {text}"))))
            }
        }
    }
}

/// Reads up to the mark; what came is in `raw` even where this is given up.
async fn collect(from: &mut (impl AsyncRead + Unpin), mark: &str, raw: &mut Vec<u8>) -> Result<String, StreamError> {
    let mut buffer = vec![0; PIPE];
    let needle = mark.trim_start_matches("> ").trim_end().as_bytes();
    loop {
        let n = from.read(&mut buffer).await.unwrap_or(0);
        if n == 0 {
            return Err(StreamError::Ended(String::new()));
        }
        // The mark and the end of its line may come in pieces.
        let news = raw.len().saturating_sub(needle.len() + 2);
        raw.extend_from_slice(&buffer[..n]);
        if raw.len() > MOST_BYTES {
            return Err(StreamError::TooLarge);
        }
        if raw[news..].windows(needle.len()).any(|part| part == needle) {
            let text = plain(raw);
            if text.contains(mark) {
                return Ok(text);
            }
        }
    }
}

fn plain(raw: &[u8]) -> String {
    cilium_dbg::plain_text(&String::from_utf8_lossy(raw))
}

#[cfg(test)]
#[path = "stream_tests.rs"]
mod tests;
