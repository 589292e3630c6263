//! Ctrl-C and SIGTERM, heard one by one: the first asks to stop, the second to leave at once.

use std::io;

use crate::cli::error::CliError;

/// Hears the signals that ask to end.
pub(super) struct Signals {
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
}

impl Signals {
    /// From now on these signals do not end the process by themselves.
    #[cfg(unix)]
    pub fn listen() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    /// From now on Ctrl-C does not end the process by itself.
    #[cfg(not(unix))]
    #[expect(clippy::unnecessary_wraps, reason = "as on Unix")]
    pub fn listen() -> io::Result<Self> {
        Ok(Self {})
    }

    /// Waits for the next one.
    #[cfg(unix)]
    pub async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }

    /// Waits for the next one.
    #[cfg(not(unix))]
    pub async fn next(&mut self) {
        let _ = tokio::signal::ctrl_c().await;
    }

    /// Waits for work that may be broken off: nothing was written yet.
    pub async fn during<T>(&mut self, work: impl Future<Output = Result<T, CliError>>) -> Result<T, CliError> {
        tokio::select! {
            result = work => result,
            () = self.next() => Err(CliError::interrupted()),
        }
    }
}
