//! Real connections while ports move: what a client would have met.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio::time::{MissedTickBehavior, interval, timeout};

use crate::migrate::report::ProbeReport;
use crate::model::{PortKey, Proto};

const EVERY: Duration = Duration::from_millis(20);
const PATIENCE: Duration = Duration::from_secs(1);

/// Connects every 20 ms, and counts.
pub(super) struct Probe {
    address: PortKey,
    task: JoinHandle<()>,
    tries: Tries,
}

/// When each connection was begun, and whether there was an answer.
type Tries = Arc<Mutex<Vec<(Instant, bool)>>>;

fn locked(tries: &Tries) -> MutexGuard<'_, Vec<(Instant, bool)>> {
    tries.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads `--probe`.
pub(super) fn address(text: &str) -> Result<PortKey, String> {
    let key: PortKey = text.parse().map_err(|error: crate::model::ParseIdError| error.to_string())?;
    if key.proto == Proto::Tcp { Ok(key) } else { Err("only TCP connections can be tried".to_owned()) }
}

impl Probe {
    /// Begins; must be called inside the runtime.
    pub fn begin(address: PortKey) -> Self {
        let tries = Tries::default();
        let task = tokio::spawn(try_on(SocketAddr::new(address.vip, address.port), Arc::clone(&tries)));
        Self { address, task, tries }
    }

    /// Ends, waits for the answers that are still to come, and tells what connections met.
    pub async fn end(self) -> ProbeReport {
        self.task.abort();
        let _ = self.task.await;
        // A try holds the list as long as it is open, and ends within its patience.
        while Arc::strong_count(&self.tries) > 1 {
            tokio::time::sleep(EVERY).await;
        }
        summary(self.address, &mut locked(&self.tries))
    }
}

async fn try_on(to: SocketAddr, tries: Tries) {
    let mut ticks = interval(EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
    loop {
        ticks.tick().await;
        let tries = Arc::clone(&tries);
        tokio::spawn(async move {
            let begun = Instant::now();
            let met = matches!(timeout(PATIENCE, TcpStream::connect(to)).await, Ok(Ok(_)));
            locked(&tries).push((begun, met));
        });
    }
}

/// Dark is the time from the first connection that failed to the next one that did not.
fn summary(address: PortKey, tries: &mut [(Instant, bool)]) -> ProbeReport {
    tries.sort_by_key(|(begun, _)| *begun);
    let mut longest = Duration::ZERO;
    let mut dark_since: Option<Instant> = None;
    for (begun, met) in tries.iter() {
        let since = *dark_since.get_or_insert(*begun);
        longest = longest.max(begun.duration_since(since));
        if *met {
            dark_since = None;
        }
    }
    ProbeReport {
        address,
        attempts: tries.len(),
        failed: tries.iter().filter(|(_, met)| !met).count(),
        longest_dark_ms: u64::try_from(longest.as_millis()).unwrap_or(u64::MAX),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn darkness_goes_from_the_first_failure_to_the_next_success() {
        let zero = Instant::now();
        let at = |ms: u64, met| (zero + Duration::from_millis(ms), met);
        let address: PortKey = "192.0.2.10:80".parse().expect("an address");
        // Answers come in another order than questions went out.
        let mut tries = [at(0, true), at(60, true), at(20, false), at(40, false), at(80, false), at(90, true)];
        let report = summary(address, &mut tries);
        assert_eq!((report.attempts, report.failed, report.longest_dark_ms), (6, 3, 40));
        assert_eq!(summary(address, &mut [at(0, true), at(20, true)]).longest_dark_ms, 0);
    }

    #[test]
    fn only_tcp_is_tried() {
        assert!(address("192.0.2.10:80").is_ok() && address("192.0.2.10:53/UDP").is_err() && address("x").is_err());
    }
}
