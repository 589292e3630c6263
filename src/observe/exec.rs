//! One command in one container, captured so that half an answer never passes for a whole one.
//!
//! # Guarantees
//! Output is given out only with the status frame that the kubelet sends last. A stream that ends
//! without it, an end of the process in trouble, silence and too much output are errors. Everything,
//! connecting included, ends with the deadline.
//!
//! # Why not simply read to the end
//! The readers of kube 5.0.0 never see an end when the WebSocket dies without a close frame, and a
//! stream that was cut off looks like a short success. The status decides; both streams are read
//! side by side, for the message loop stops while either pipe is full.

use std::cell::RefCell;
use std::time::Duration;

use futures::future::{Either, select, try_join};
use k8s_openapi::api::core::v1::Pod;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Status;
use kube::Api;
use kube::api::{AttachParams, AttachedProcess};
use tokio::io::{AsyncRead, AsyncReadExt as _};

use crate::model::{Missing, MissingKind, Permission};

/// How long a call may take and how much it may print.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// The deadline, connecting included.
    pub deadline: Duration,
    /// More than this is not an answer but an accident.
    pub bytes: usize,
}

impl Bounds {
    /// The usual amount within a time.
    #[must_use]
    pub fn within(deadline: Duration) -> Self {
        Self { deadline, bytes: 32 * 1024 * 1024 }
    }
}

const PIPE: usize = 64 * 1024;

/// What a command printed before it ended well.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// Standard output.
    pub stdout: String,
    /// Bytes received, standard error included.
    pub bytes: usize,
}

/// Why there is no output.
#[derive(Debug, thiserror::Error)]
pub enum ExecError {
    /// The API server refused it.
    #[error("{message}")]
    Forbidden {
        /// Its words.
        message: String,
    },
    /// There is no such pod, or its container does not run.
    #[error("{0}")]
    NoContainer(String),
    /// Nothing came in time.
    #[error("no answer within {}", span(.after))]
    Timeout {
        /// The deadline.
        after: Duration,
        /// What had come until then.
        partial: String,
    },
    /// The stream ended without a status.
    #[error("the connection ended in the middle of the answer, after {bytes} bytes")]
    Truncated {
        /// Bytes until then.
        bytes: usize,
    },
    /// It does not end.
    #[error("the answer is larger than {most} bytes")]
    TooLarge {
        /// The bound.
        most: usize,
    },
    /// The command ended with another code than 0.
    #[error("the command ended with code {code}: {said}")]
    Exit {
        /// The code.
        code: i32,
        /// The last of what it said.
        said: String,
    },
    /// The kubelet or the API server could not run it.
    #[error("{0}")]
    Failed(String),
}

/// Short times in milliseconds: `0.0 s` would say nothing.
pub(super) fn span(time: &Duration) -> String {
    // What is left of a deadline is always a little less than was asked for.
    if *time < Duration::from_millis(950) {
        format!("{} ms", time.as_millis())
    } else {
        format!("{:.1} s", time.as_secs_f64())
    }
}

impl ExecError {
    /// In the terms of an observation.
    #[must_use]
    pub fn missing(&self, namespace: &str) -> Missing {
        let kind = match self {
            Self::Forbidden { .. } => MissingKind::Forbidden,
            Self::NoContainer(_) => MissingKind::NoAgent,
            Self::Timeout { .. } => MissingKind::Timeout,
            Self::Truncated { .. } => MissingKind::Truncated,
            Self::TooLarge { .. } => MissingKind::Unreadable,
            Self::Exit { .. } | Self::Failed(_) => MissingKind::Failed,
        };
        // A WebSocket is opened by GET, and from Kubernetes 1.35 "create" is checked as well.
        let permission = matches!(self, Self::Forbidden { .. }).then(|| Permission {
            verb: "get,create".to_owned(),
            resource: "pods/exec".to_owned(),
            namespace: Some(namespace.to_owned()),
        });
        Missing { kind, text: self.to_string(), permission }
    }
}

/// Both streams as far as they came.
#[derive(Default)]
struct Streams {
    out: Vec<u8>,
    err: Vec<u8>,
}

impl Streams {
    fn bytes(&self) -> usize {
        self.out.len() + self.err.len()
    }

    /// The last line that says something.
    fn last_words(&self) -> String {
        let text = String::from_utf8_lossy(if self.err.is_empty() { &self.out } else { &self.err });
        let line = text.lines().rev().map(str::trim).find(|l| !l.is_empty()).unwrap_or_default();
        line.chars().take(200).collect()
    }
}

/// Runs a command in a pod's container and gives its output.
///
/// # Errors
/// As [`ExecError`].
pub async fn capture(
    pods: &Api<Pod>,
    pod: &str,
    container: &str,
    argv: &[String],
    bounds: Bounds,
) -> Result<Output, ExecError> {
    let deadline = bounds.deadline;
    let streams = RefCell::new(Streams::default());
    let work = run(pods, pod, container, argv, &streams, bounds.bytes);
    let ended = tokio::time::timeout(deadline, work).await;
    let streams = streams.into_inner();
    match ended {
        Err(_) => {
            let all = [streams.out, streams.err].concat();
            Err(ExecError::Timeout { after: deadline, partial: String::from_utf8_lossy(&all).into_owned() })
        }
        Ok(Err(error)) => Err(error),
        Ok(Ok(status)) => judge(status.as_ref(), &streams),
    }
}

async fn run(
    pods: &Api<Pod>,
    pod: &str,
    container: &str,
    argv: &[String],
    streams: &RefCell<Streams>,
    most: usize,
) -> Result<Option<Status>, ExecError> {
    let params = AttachParams::default()
        .container(container)
        .stdin(false)
        .stdout(true)
        .stderr(true)
        .max_stdout_buf_size(PIPE)
        .max_stderr_buf_size(PIPE);
    let mut process = pods.exec(pod, argv.iter().map(String::as_str), &params).await.map_err(connect_error)?;
    let lost = || ExecError::Failed("the exec session has no streams".to_owned());
    let status = process.take_status().ok_or_else(lost)?;
    let (stdout, stderr) = (process.stdout().ok_or_else(lost)?, process.stderr().ok_or_else(lost)?);
    // One of them giving up ends both: the other would wait for ever.
    let readers = try_join(
        read(stdout, |bytes| keep(streams, |s| &mut s.out, bytes, most)),
        read(stderr, |bytes| keep(streams, |s| &mut s.err, bytes, most)),
    );
    let result = wait(Box::pin(status), Box::pin(readers)).await;
    // The process owns the writer of stdin and the message loop: it lives until the status came.
    drop::<AttachedProcess>(process);
    result
}

/// Status first: with one, the rest of the streams is read; without one, there is no rest.
async fn wait(
    status: impl Future<Output = Option<Status>> + Unpin,
    readers: impl Future<Output = Result<((), ()), ExecError>> + Unpin,
) -> Result<Option<Status>, ExecError> {
    match select(status, readers).await {
        Either::Left((None, _)) => Ok(None),
        Either::Left((Some(status), readers)) => {
            readers.await?;
            Ok(Some(status))
        }
        Either::Right((ends, status)) => {
            ends?;
            Ok(status.await)
        }
    }
}

fn keep(
    streams: &RefCell<Streams>,
    part: impl Fn(&mut Streams) -> &mut Vec<u8>,
    bytes: &[u8],
    most: usize,
) -> Result<(), ExecError> {
    let mut streams = streams.borrow_mut();
    part(&mut streams).extend_from_slice(bytes);
    if streams.bytes() > most { Err(ExecError::TooLarge { most }) } else { Ok(()) }
}

async fn read(
    mut from: impl AsyncRead + Unpin,
    mut take: impl FnMut(&[u8]) -> Result<(), ExecError>,
) -> Result<(), ExecError> {
    let mut buffer = vec![0; PIPE];
    loop {
        match from.read(&mut buffer).await {
            Ok(0) | Err(_) => return Ok(()),
            Ok(n) => take(&buffer[..n])?,
        }
    }
}

fn judge(status: Option<&Status>, streams: &Streams) -> Result<Output, ExecError> {
    let Some(status) = status else { return Err(ExecError::Truncated { bytes: streams.bytes() }) };
    if status.status.as_deref() == Some("Success") {
        let bytes = streams.bytes();
        return Ok(Output { stdout: String::from_utf8_lossy(&streams.out).into_owned(), bytes });
    }
    let message = status.message.clone().unwrap_or_default();
    let causes = status.details.as_ref().and_then(|d| d.causes.as_ref()).into_iter().flatten();
    let code = causes
        .filter(|c| c.reason.as_deref() == Some("ExitCode"))
        .find_map(|c| c.message.as_deref()?.parse::<i32>().ok());
    match code {
        Some(code) => Err(ExecError::Exit { code, said: streams.last_words() }),
        None if no_container(&message) => Err(ExecError::NoContainer(message)),
        None => Err(ExecError::Failed(message)),
    }
}

/// The refusal without the pod's name, so that those of all nodes read the same.
fn without_pod(message: &str) -> String {
    let reason = message.split_once(" is forbidden: ").map_or(message, |(_, reason)| reason);
    format!("exec is forbidden: {reason}")
}

fn no_container(message: &str) -> bool {
    ["container not found", "is not running", "not found in pod", "current phase is"]
        .iter()
        .any(|t| message.contains(t))
}

pub(super) fn connect_error(error: kube::Error) -> ExecError {
    match error {
        kube::Error::Api(status) if status.code == 403 => {
            ExecError::Forbidden { message: without_pod(&status.message) }
        }
        kube::Error::Api(status) if status.code == 404 || no_container(&status.message) => {
            ExecError::NoContainer(status.message)
        }
        kube::Error::Api(status) => ExecError::Failed(status.message),
        other => ExecError::Failed(super::api::plain_error(&other)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_deadlines_are_told_in_milliseconds() {
        let told = |ms| ExecError::Timeout { after: Duration::from_millis(ms), partial: String::new() }.to_string();
        assert_eq!(told(30), "no answer within 30 ms");
        assert_eq!(told(5000), "no answer within 5.0 s");
    }
}
