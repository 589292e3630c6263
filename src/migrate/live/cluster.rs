//! The live cluster: looks through the API and the agents, and writes through the writer.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::agents::{Agents, Clock, Reach};
use super::connections;
use super::ledger::{Subject, Wanted};
use super::reading::{Reading, clock_ahead, written_for};
use super::store::Store;
use super::writer::Writer;
use crate::migrate::cluster::{Applied, Cluster, LookError, Outcome};
use crate::migrate::drain::Drains;
use crate::migrate::intent::{Intent, Side, Strategy};
use crate::migrate::journal::Journal;
use crate::migrate::machine::Effect;
use crate::migrate::specs;
use crate::migrate::world::{Millis, SpecState, World};
use crate::model::PortKey;

/// The API is read no more often than this while nothing is written.
const READ_EVERY_MS: Millis = 100;

/// So many periods after a write the agents are still asked often.
const NEAR_PERIODS: u64 = 4;

/// Old connections are counted this often, and only where the count takes less than half of that time.
const COUNT_EVERY_MS: Millis = 3000;
const COUNT_WITHIN_MS: Millis = 4000;
const COUNT_WITHIN: Duration = Duration::from_millis(COUNT_WITHIN_MS);

/// How to be with the cluster.
#[derive(Debug, Clone)]
pub struct LiveSettings {
    /// Cilium's namespace; none looks for the agents' label everywhere.
    pub cilium_namespace: Option<String>,
    /// How long one request to the API may take.
    pub deadline: Duration,
    /// Whether writes wait for a moment without a tick near; only measurements switch it off.
    pub choose_moment: bool,
}

/// A cluster that is migrated in, and the only writer to it. Dropping it ends every stream.
pub struct LiveCluster {
    client: kube::Client,
    pub(super) settings: LiveSettings,
    pub(super) writer: Writer,
    pub(super) agents: Agents,
    pub(super) clock: Clock,
    pub(super) reading: Reading,
    /// How long a write took lately, for aiming the next one.
    pub(super) write_ms: Millis,
    store: Store,
    journal: Journal,
    /// How far the API server's clock is ahead of ours.
    ahead: SignedDuration,
    last_write: Millis,
    stale: bool,
    quiet: (Vec<String>, Millis),
    /// When old connections were counted last, and how many they were.
    connections: Option<(Millis, u64)>,
    /// Whether counting them works, and is cheap.
    countable: bool,
}

impl LiveCluster {
    /// Reads both Services and opens a stream to every agent; nothing is written. The journal is ours.
    ///
    /// # Errors
    /// When the API server does not answer, or no agent is to be found.
    pub async fn start(
        client: kube::Client,
        settings: LiveSettings,
        store: Store,
        journal: Journal,
    ) -> Result<Self, LookError> {
        let clock = Clock::start();
        let writer = Writer::new(client.clone(), settings.deadline);
        let intent = &journal.intent;
        let read = Reading::take(&writer, intent, clock.now());
        let (reading, ahead) = futures::join!(read, clock_ahead(&client));
        let reading = reading.map_err(LookError::Unreachable)?;
        let subject = Subject {
            id: intent.id.clone(),
            source: intent.source.service.clone(),
            target: intent.target.service.clone(),
            moves: intent.moves.iter().map(|mv| mv.keys.clone()).collect(),
        };
        let wanted = Wanted {
            source: reading.source.is_some(),
            target: reading.target.is_some(),
            taker: intent.taker(),
            backends: Vec::new(),
        };
        let reach = Reach {
            client: client.clone(),
            namespace: settings.cilium_namespace.clone(),
            list_deadline: settings.deadline,
            clock,
        };
        let agents = Agents::start(reach, subject, wanted).await.map_err(LookError::Unreachable)?;
        let quiet = (reading.revisions(), reading.at);
        Ok(Self {
            client,
            settings,
            writer,
            agents,
            clock,
            reading,
            write_ms: 5,
            store,
            journal,
            ahead,
            last_write: 0,
            stale: true,
            quiet,
            connections: None,
            countable: true,
        })
    }

    /// The journal, to be finished or left.
    #[must_use]
    pub fn into_journal(self) -> (Store, Journal) {
        (self.store, self.journal)
    }

    /// Takes in a new reading of the API, and since when nothing of it changed.
    pub(super) fn read(&mut self, reading: Reading) {
        let revisions = reading.revisions();
        if revisions != self.quiet.0 {
            self.quiet = (revisions, reading.at);
        }
        self.reading = reading;
        self.stale = false;
    }

    async fn refresh(&mut self, intent: &Intent) -> Result<(), LookError> {
        let now = self.clock.now();
        if self.stale || now.saturating_sub(self.reading.at) >= READ_EVERY_MS {
            let reading = Reading::take(&self.writer, intent, now).await.map_err(LookError::Unreachable)?;
            self.read(reading);
        }
        Ok(())
    }

    /// What to make of both Services' slices; nothing where connections are not handed over.
    pub(super) fn drains(&self, intent: &Intent, switched: bool) -> Option<Drains> {
        let Reading { source_slices, target_slices, .. } = &self.reading;
        let handoff = intent.strategy == Strategy::Handoff;
        handoff.then(|| Drains::new(intent, source_slices, target_slices, switched, &self.journal.uid))
    }

    /// Counts old connections now and then, for as long as that is cheap.
    async fn count_connections(&mut self, intent: &Intent, draining: bool) -> Option<u64> {
        let now = self.clock.now();
        if !draining {
            self.connections = None;
        } else if self.countable && self.connections.is_none_or(|(at, _)| now.saturating_sub(at) >= COUNT_EVERY_MS) {
            let keys: Vec<PortKey> = intent.moves.iter().flat_map(|mv| mv.keys.clone()).collect();
            let count = connections::old(&self.client, self.agents.pods(), &keys, COUNT_WITHIN).await;
            // Where it fails or takes long, the tables are too large, or of another form: then time decides.
            self.countable = count.is_some() && self.clock.now().saturating_sub(now) < COUNT_WITHIN_MS / 2;
            self.connections = count.map(|count| (self.clock.now(), count));
        }
        self.connections.map(|(_, count)| count).filter(|_| self.countable)
    }

    /// Whether the taker claims everything.
    pub(super) fn switched(&self, intent: &Intent) -> bool {
        let taker = intent.taker();
        matches!(specs::read(intent, taker, self.reading.object(taker)).state,
            SpecState::Claims(moves) if moves == intent.all())
    }

    /// Since when it does, by the API's own date: in whole seconds, so it may have been at the end of that one.
    /// Old connections get what they were promised, or up to a second more.
    fn switched_for(&self, intent: &Intent) -> Option<Millis> {
        let object = self.reading.object(intent.taker()).filter(|_| self.switched(intent))?;
        let now = Timestamp::now().checked_add(self.ahead).ok()?;
        Some(written_for(object, now).unwrap_or(0).saturating_sub(999))
    }
}

impl Cluster for LiveCluster {
    fn now(&self) -> Millis {
        self.clock.now()
    }

    async fn look(&mut self, intent: &Intent) -> Result<World, LookError> {
        self.store.beat(&mut self.journal).await?;
        self.refresh(intent).await?;
        let spec = |side| specs::read(intent, side, self.reading.object(side));
        let (source, target) = (spec(Side::Source), spec(Side::Target));
        // While both carry this turn's mark nobody has taken it over; without, a run that took over may have
        // come to its end while this process slept.
        if [&source, &target].iter().any(|spec| spec.present && spec.mark != Some(intent.turn)) {
            self.store.check(&self.journal).await?;
        }
        let switched_for = self.switched_for(intent);
        let drains = self.drains(intent, switched_for.is_some());
        let mut drain = drains.as_ref().map(Drains::view).unwrap_or_default();
        let backends = drains.as_ref().map(Drains::backends).unwrap_or_default();
        let recent = self.clock.now().saturating_sub(self.last_write) < NEAR_PERIODS * intent.period_ms;
        // Not while nodes are still being waited for: it may take long.
        let draining = switched_for.is_some() && !drain.present.is_empty() && !recent;
        drain.connections = self.count_connections(intent, draining).await;
        let wanted = Wanted { source: source.present, target: target.present, taker: intent.taker(), backends };
        self.agents.want(wanted, switched_for.is_none() || recent, self.last_write);
        Ok(World {
            now: self.clock.now(),
            last_write: self.last_write,
            source,
            target,
            quiet_since: self.quiet.1,
            nodes: self.agents.views(),
            drain,
            switched_for,
        })
    }

    async fn apply(&mut self, intent: &Intent, effect: &Effect) -> Applied {
        let applied = self.act(intent, effect).await;
        let nothing = matches!(applied.outcome, Outcome::Conflict(_) | Outcome::Refused(_)) && applied.wrote.is_empty();
        if !nothing {
            self.last_write = self.clock.now();
        }
        self.stale = true;
        applied
    }

    async fn save(&mut self, intent: &Intent) -> Outcome {
        self.store.save(&mut self.journal, intent).await
    }

    async fn pause(&mut self, most_ms: u64) {
        self.agents.changed(Duration::from_millis(most_ms)).await;
    }
}
