//! The agents, each by one open shell stream: who has the ports on each node, within milliseconds.
//!
//! # Guarantees
//! What is shown of a node was said by its agent in one whole answer, dated by when the question was sent.
//! An agent that stops answering keeps its last answer, which grows old, until it cannot be reached anew;
//! then it is unknown. Nothing is asked but rows by index.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use kube::Api;
use tokio::sync::Notify;
use tokio::task::{AbortHandle, JoinHandle, JoinSet};

use super::ledger::{Ledger, Subject, Wanted};
use super::moment::Tick;
use super::pods::{self, AgentPod, Nodes};
use crate::migrate::world::{Millis, NodeView, Seen};
use crate::observe::AGENT_CONTAINER;
use crate::observe::stream::{AgentStream, StreamError};

const OPEN_DEADLINE: Duration = Duration::from_secs(5);
const ASK_DEADLINE: Duration = Duration::from_secs(2);

/// Between two questions to one agent: while ports are open or soon will be, and otherwise.
const NEAR: Duration = Duration::from_millis(10);
const FAR: Duration = Duration::from_millis(50);

/// Between two tries to reach an agent that could not be reached.
const FIRST_BACKOFF: Duration = Duration::from_millis(200);
const MOST_BACKOFF: Duration = Duration::from_secs(2);

/// Pods are listed this often without a reason, and not more often with one.
const LIST_EVERY: Duration = Duration::from_secs(10);
const LIST_MOST: Duration = Duration::from_secs(1);

/// A steady clock in milliseconds. It does not begin at zero: that is "never".
#[derive(Debug, Clone, Copy)]
pub(super) struct Clock(Instant);

impl Clock {
    pub fn start() -> Self {
        Self(Instant::now())
    }

    pub fn now(&self) -> Millis {
        Millis::try_from(self.0.elapsed().as_millis()).unwrap_or(Millis::MAX).saturating_add(1)
    }
}

/// How the agents are reached.
pub(super) struct Reach {
    pub client: kube::Client,
    /// Cilium's namespace; none looks for the agents' label everywhere.
    pub namespace: Option<String>,
    pub list_deadline: Duration,
    pub clock: Clock,
}

/// All agents. Dropping it ends every stream.
pub(super) struct Agents {
    hub: Arc<Hub>,
    keeper: JoinHandle<()>,
}

struct Hub {
    reach: Reach,
    subject: Subject,
    board: Mutex<Board>,
    /// Somebody's view changed.
    changed: Notify,
    /// A pod may be another one by now.
    relist: Notify,
}

struct Board {
    wanted: Arc<Wanted>,
    /// Grows with every other question: answers to an earlier one say little.
    generation: u64,
    near: bool,
    /// Answers from then on are news, whatever they say.
    fresh_after: Millis,
    nodes: BTreeMap<String, Node>,
}

struct Node {
    pod: Result<AgentPod, String>,
    /// None until the agent answered, or could not be reached.
    seen: Option<Result<Seen, String>>,
    generation: u64,
    tick: Option<Tick>,
}

impl Drop for Agents {
    fn drop(&mut self) {
        self.keeper.abort();
    }
}

impl Agents {
    /// Opens a stream to every agent and waits until each has answered, or could not be reached.
    ///
    /// # Errors
    /// When the agents' pods cannot be listed, or there are none.
    pub async fn start(reach: Reach, subject: Subject, wanted: Wanted) -> Result<Self, String> {
        let nodes = pods::list(&reach.client, reach.namespace.as_deref(), reach.list_deadline).await?;
        let board =
            Board { wanted: Arc::new(wanted), generation: 1, near: true, fresh_after: 0, nodes: BTreeMap::new() };
        let hub = Hub { reach, subject, board: Mutex::new(board), changed: Notify::new(), relist: Notify::new() };
        let hub = Arc::new(hub);
        let keeper = tokio::spawn(keep(hub.clone(), nodes));
        let agents = Self { hub, keeper };
        let settled = async {
            while !agents.hub.board().settled() {
                agents.hub.changed.notified().await;
            }
        };
        // Who has not answered by then is unknown.
        let _ = tokio::time::timeout(OPEN_DEADLINE + ASK_DEADLINE, settled).await;
        Ok(agents)
    }

    /// What to ask from now on. `near` asks often; answers to questions sent from `fresh_after` on wake
    /// [`Agents::changed`].
    pub fn want(&self, wanted: Wanted, near: bool, fresh_after: Millis) {
        let mut board = self.hub.board();
        board.near = near;
        board.fresh_after = fresh_after;
        if *board.wanted != wanted {
            board.wanted = Arc::new(wanted);
            board.generation += 1;
        }
    }

    /// The nodes as last seen.
    pub fn views(&self) -> Vec<NodeView> {
        let board = self.hub.board();
        let view = |(name, node): (&String, &Node)| NodeView { name: name.clone(), seen: node.view(board.generation) };
        board.nodes.iter().map(view).collect()
    }

    /// When each node ticked last, where that is known.
    pub fn ticks(&self) -> Vec<Tick> {
        self.hub.board().nodes.values().filter_map(|node| node.tick).collect()
    }

    /// The pods by node, for single questions.
    pub fn pods(&self) -> Vec<AgentPod> {
        self.hub.board().nodes.values().filter_map(|node| node.pod.clone().ok()).collect()
    }

    /// Waits until a node's view changes, or so long.
    pub async fn changed(&self, most: Duration) {
        let _ = tokio::time::timeout(most, self.hub.changed.notified()).await;
    }
}

impl Board {
    fn settled(&self) -> bool {
        !self.nodes.is_empty() && self.nodes.values().all(|node| node.seen.is_some())
    }

    /// Between two questions; all nodes together get no more than about a thousand in a second.
    fn pace(&self) -> Duration {
        let shared = Duration::from_millis(self.nodes.len() as u64);
        shared.max(if self.near { NEAR } else { FAR })
    }
}

impl Node {
    fn view(&self, generation: u64) -> Result<Seen, String> {
        let seen = self.seen.clone().unwrap_or_else(|| Err("has not answered yet".to_owned()))?;
        // The answer to another question: its rows are true, but they do not tell whether all is there.
        let current = self.generation == generation;
        Ok(Seen { synced: seen.synced && current, drain: seen.drain && current, ..seen })
    }
}

impl Hub {
    fn board(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn answered(&self, name: &str, seen: Seen, generation: u64, tick: Option<Tick>) {
        let mut board = self.board();
        let fresh_after = board.fresh_after;
        let Some(node) = board.nodes.get_mut(name) else { return };
        let news = match &node.seen {
            Some(Ok(before)) => {
                let fresh = before.at < fresh_after && seen.at >= fresh_after;
                fresh || node.generation != generation || Seen { at: seen.at, ..before.clone() } != seen
            }
            _ => true,
        };
        (node.seen, node.generation, node.tick) = (Some(Ok(seen)), generation, tick);
        drop(board);
        if news {
            self.changed.notify_one();
        }
    }

    fn failed(&self, name: &str, text: String) {
        let mut board = self.board();
        let Some(node) = board.nodes.get_mut(name) else { return };
        let failure = Some(Err(text));
        let news = node.seen != failure;
        (node.seen, node.tick) = (failure, None);
        drop(board);
        if news {
            self.changed.notify_one();
        }
    }

    /// Asks one agent until its stream ends; tells whether it answered at all, and why it ended.
    async fn session(&self, name: &str, pod: &AgentPod, ledger: &mut Ledger) -> (bool, String) {
        let api = Api::namespaced(self.reach.client.clone(), &pod.namespace);
        let mut stream = match AgentStream::open(&api, &pod.name, AGENT_CONTAINER, OPEN_DEADLINE).await {
            Ok(stream) => stream,
            Err(error) => return (false, error.to_string()),
        };
        if let Some(text) = stream.version().and_then(pods::too_old) {
            return (false, text);
        }
        let mut answered = 0;
        loop {
            match self.question(name, &mut stream, ledger, answered).await {
                Ok(generation) => answered = generation,
                Err(text) => return (answered > 0, text),
            }
        }
    }

    /// Asks once and waits until the next question is due.
    async fn question(
        &self,
        name: &str,
        stream: &mut AgentStream,
        ledger: &mut Ledger,
        answered: u64,
    ) -> Result<u64, String> {
        let (wanted, generation, pace) = {
            let board = self.board();
            (board.wanted.clone(), board.generation, board.pace())
        };
        if generation != answered {
            ledger.reopen();
        }
        let watch = self.subject.watch(&wanted, !ledger.drained());
        let (begin, sent) = (Instant::now(), self.reach.clock.now());
        let answers = stream.ask(&watch.commands()?, ASK_DEADLINE).await.map_err(|error| error.to_string())?;
        let got = self.reach.clock.now();
        let follow = watch.read(&answers).map_err(|error| StreamError::from(error).to_string())?;
        let seen = ledger.take(&self.subject, &wanted, &follow, sent, got);
        self.answered(name, seen, generation, ledger.tick);
        // An agent that is slow is not asked more than half of the time.
        let took = begin.elapsed();
        tokio::time::sleep(pace.saturating_sub(took).max(took.min(ASK_DEADLINE))).await;
        Ok(generation)
    }
}

/// Follows one node for as long as it is there.
async fn follow(hub: Arc<Hub>, name: String) {
    let mut ledger = Ledger::default();
    let mut backoff = FIRST_BACKOFF;
    loop {
        let Some(pod) = hub.board().nodes.get(&name).map(|node| node.pod.clone()) else { return };
        let (answered, text) = match pod {
            Ok(pod) => hub.session(&name, &pod, &mut ledger).await,
            Err(text) => (false, text),
        };
        hub.relist.notify_one();
        if answered {
            // Tried anew at once; until that fails as well, the last answer stands, and grows old.
            backoff = FIRST_BACKOFF;
            continue;
        }
        // An agent that starts anew has another tick.
        ledger.tick = None;
        hub.failed(&name, text);
        tokio::time::sleep(backoff).await;
        backoff = (backoff * 2).min(MOST_BACKOFF);
    }
}

/// Keeps one follower for each node, and lists the pods again where one may have been replaced.
async fn keep(hub: Arc<Hub>, first: Nodes) {
    // Both end with this task.
    let (mut tasks, mut followers) = (JoinSet::new(), BTreeMap::<String, AbortHandle>::new());
    let mut nodes = Some(first);
    loop {
        if let Some(nodes) = nodes.take() {
            for name in hub.board().update(nodes) {
                followers.insert(name.clone(), tasks.spawn(follow(hub.clone(), name)));
            }
            let board = hub.board();
            followers.retain(|name, task| {
                board.nodes.contains_key(name) || {
                    task.abort();
                    false
                }
            });
        }
        tokio::time::sleep(LIST_MOST).await;
        let _ = tokio::time::timeout(LIST_EVERY.saturating_sub(LIST_MOST), hub.relist.notified()).await;
        let Reach { client, namespace, list_deadline, .. } = &hub.reach;
        // Without a list, the pods are those that were known.
        nodes = pods::list(client, namespace.as_deref(), *list_deadline).await.ok();
    }
}

impl Board {
    /// Takes in a new list and gives the names of nodes that were not known.
    fn update(&mut self, nodes: Nodes) -> Vec<String> {
        self.nodes.retain(|name, _| nodes.contains_key(name));
        let mut new = Vec::new();
        for (name, pod) in nodes {
            match self.nodes.get_mut(&name) {
                Some(node) => node.pod = pod,
                None => {
                    new.push(name.clone());
                    self.nodes.insert(name, Node { pod, seen: None, generation: 0, tick: None });
                }
            }
        }
        new
    }
}
