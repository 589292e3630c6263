//! Asking the agents: one bounded call on each node, none waiting for another beyond its deadline.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use futures::StreamExt as _;
use jiff::Timestamp;
use k8s_openapi::api::core::v1 as core;
use kube::Api;

use super::Live;
use super::lists::AGENT_CONTAINER as CONTAINER;
use crate::model::{Agent, AgentAnswer, Asked, MapEntry, Missing, MissingKind, Node, Pod, Read};
use crate::observe::cilium_dbg::{self, Call, Parsed, ReadError};
use crate::observe::exec::{self, Bounds, ExecError};
use crate::observe::{Event, convert};

/// Agents whose pods may not be listed: one for each node, all unknown.
pub(super) fn unseen(nodes: &Read<Vec<Node>>, missing: &Missing) -> Vec<Agent> {
    let nodes = nodes.known().into_iter().flatten();
    nodes.map(|node| Agent { pod: no_pod(node), answer: Read::Unknown(missing.clone()) }).collect()
}

/// In the place of a pod that is not known; it has no name.
pub(super) fn no_pod(node: &Node) -> Pod {
    Pod { name: String::new(), node: node.name.clone(), ready: false, restarts: 0, started: None, version: None }
}

/// The pods that count: one for each node, the ready one where an update runs.
pub(crate) fn one_each(pods: &[core::Pod]) -> Vec<&core::Pod> {
    let mut best: BTreeMap<String, (bool, &core::Pod)> = BTreeMap::new();
    for pod in pods {
        let Some(node) = pod.spec.as_ref().and_then(|s| s.node_name.clone()) else { continue };
        let rank = convert::pod(pod, CONTAINER).ready && pod.metadata.deletion_timestamp.is_none();
        match best.get(&node) {
            Some((taken, _)) if *taken >= rank => {}
            _ => {
                best.insert(node, (rank, pod));
            }
        }
    }
    best.into_values().map(|(_, pod)| pod).collect()
}

pub(super) fn missing(kind: MissingKind, text: impl Into<String>) -> Missing {
    Missing { kind, text: text.into(), permission: None }
}

/// What came from one agent, and how much it was.
struct Heard {
    parsed: Parsed,
    /// False for agents without the tables.
    tables: bool,
    version: Option<String>,
    bytes: usize,
}

impl Live {
    /// Asks every agent that is to be asked.
    pub(super) async fn ask_all(
        &self,
        pods: &[core::Pod],
        asked: &Asked,
        chosen: Option<&BTreeSet<String>>,
    ) -> Vec<Agent> {
        let calls = cilium_dbg::calls(&cilium_dbg::queries(asked));
        let pods = one_each(pods);
        if self.settings.exec {
            (self.reader.events)(Event::Asking { nodes: pods.len() });
        }
        let agents = pods.into_iter().map(|object| {
            let pod = convert::pod(object, CONTAINER);
            let calls = &calls;
            async move {
                let reason = self.not_asked(&pod, object, chosen);
                let answer = match (reason, calls) {
                    (Some(missing), _) => Read::Unknown(missing),
                    (None, Err(text)) => Read::Unknown(missing(MissingKind::NotAsked, text.clone())),
                    (None, Ok(calls)) => self.ask(&pod, object, calls, asked).await,
                };
                Agent { pod, answer }
            }
        });
        let limit = self.settings.concurrency.max(1);
        let mut agents: Vec<Agent> = futures::stream::iter(agents).buffer_unordered(limit).collect().await;
        agents.sort_by(|a, b| a.pod.node.cmp(&b.pod.node));
        agents
    }

    fn not_asked(&self, pod: &Pod, object: &core::Pod, chosen: Option<&BTreeSet<String>>) -> Option<Missing> {
        if !self.settings.exec {
            return Some(missing(MissingKind::NotAsked, "not asked (--no-exec)"));
        }
        if chosen.is_some_and(|nodes| !nodes.contains(&pod.node)) {
            return Some(missing(MissingKind::NotAsked, "not asked (--nodes)"));
        }
        convert::not_running(object, CONTAINER).map(|text| missing(MissingKind::NoAgent, text))
    }

    async fn ask(&self, pod: &Pod, object: &core::Pod, calls: &[Call], asked: &Asked) -> Read<AgentAnswer> {
        let begin = Instant::now();
        let namespace = object.metadata.namespace.clone().unwrap_or_default();
        let api: Api<core::Pod> = Api::namespaced(self.connection.client.clone(), &namespace);
        let end = begin + self.settings.node_timeout;
        let (result, maps) = futures::join!(self.hear(&api, pod, calls, asked, end), self.maps(&api, pod, asked, end));
        let took = begin.elapsed();
        let result = result.map_err(|trouble| trouble.missing(&namespace));
        (self.reader.events)(Event::Node {
            node: pod.node.clone(),
            took,
            bytes: result.as_ref().map_or(0, |heard| heard.bytes),
            trouble: result.as_ref().err().map(|m| m.text.clone()),
        });
        match result {
            Ok(heard) => Read::Known { value: heard.answer(took, pod, maps), at: Timestamp::now() },
            Err(missing) => Read::Unknown(missing),
        }
    }

    /// Reads the BPF maps where that is wanted; a failure leaves the tables' answer as it is.
    async fn maps(&self, api: &Api<core::Pod>, pod: &Pod, asked: &Asked, end: Instant) -> Option<Read<Vec<MapEntry>>> {
        if !self.settings.deep || asked.vips.is_empty() {
            return None;
        }
        let read = async {
            let call = cilium_dbg::map_call(&asked.vips);
            let output = exec::capture(api, &pod.name, CONTAINER, &call, Bounds::within(left(end))).await?;
            Ok::<_, Trouble>(cilium_dbg::map_entries(&output.stdout, &asked.vips)?)
        };
        Some(match read.await {
            Ok(value) => Read::Known { value, at: Timestamp::now() },
            Err(trouble) => Read::Unknown(trouble.missing(api.namespace().unwrap_or_default())),
        })
    }

    async fn hear(
        &self,
        api: &Api<core::Pod>,
        pod: &Pod,
        calls: &[Call],
        asked: &Asked,
        end: Instant,
    ) -> Result<Heard, Trouble> {
        let mut heard = Heard { parsed: Parsed::default(), tables: true, version: None, bytes: 0 };
        for call in calls {
            match self.hear_one(api, pod, call, end, &mut heard).await {
                Ok(parsed) => heard.parsed.join(parsed),
                Err(trouble) if trouble.no_tables() => return self.hear_old(api, pod, asked, end).await,
                Err(trouble) => return Err(trouble),
            }
        }
        heard.parsed.finish();
        Ok(heard)
    }

    async fn hear_one(
        &self,
        api: &Api<core::Pod>,
        pod: &Pod,
        call: &Call,
        end: Instant,
        heard: &mut Heard,
    ) -> Result<Parsed, Trouble> {
        let output = exec::capture(api, &pod.name, CONTAINER, &call.argv, Bounds::within(left(end))).await?;
        heard.bytes += output.bytes;
        if heard.version.is_none() {
            heard.version = cilium_dbg::version_of(&output.stdout);
        }
        Ok(cilium_dbg::answer(&output.stdout, &call.queries)?)
    }

    /// Asks an agent of Cilium 1.17 or older, which has no tables.
    async fn hear_old(&self, api: &Api<core::Pod>, pod: &Pod, asked: &Asked, end: Instant) -> Result<Heard, Trouble> {
        let call = cilium_dbg::legacy_call();
        let output = exec::capture(api, &pod.name, CONTAINER, &call, Bounds::within(left(end))).await?;
        let mut parsed = cilium_dbg::service_list(&output.stdout, asked)?;
        parsed.finish();
        Ok(Heard { parsed, tables: false, version: None, bytes: output.bytes })
    }
}

fn left(end: Instant) -> Duration {
    end.saturating_duration_since(Instant::now())
}

impl Heard {
    fn answer(self, took: Duration, pod: &Pod, maps: Option<Read<Vec<MapEntry>>>) -> AgentAnswer {
        AgentAnswer {
            bytes: self.bytes,
            took_ms: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
            version: pod.version.clone().or(self.version),
            frontends: self.parsed.frontends,
            services: self.tables.then_some(self.parsed.services),
            health: self.parsed.health,
            l2: self.parsed.l2,
            maps,
        }
    }
}

/// Why an agent is unknown.
#[derive(Debug)]
enum Trouble {
    Exec(ExecError),
    Read(ReadError),
}

impl From<ExecError> for Trouble {
    fn from(error: ExecError) -> Self {
        Self::Exec(error)
    }
}

impl From<ReadError> for Trouble {
    fn from(error: ReadError) -> Self {
        Self::Read(error)
    }
}

impl Trouble {
    /// Whether the agent is too old for the question.
    fn no_tables(&self) -> bool {
        match self {
            Self::Read(ReadError::NoTable(_)) => true,
            Self::Exec(ExecError::Exit { said, .. }) => said.contains("unknown command"),
            _ => false,
        }
    }

    fn missing(&self, namespace: &str) -> Missing {
        match self {
            Self::Exec(ExecError::Timeout { partial, .. }) if cilium_dbg::dial_trouble(partial).is_some() => {
                let said = cilium_dbg::dial_trouble(partial).unwrap_or_default();
                missing(MissingKind::NoAgent, format!("the agent does not answer: {said}"))
            }
            Self::Exec(error) => error.missing(namespace),
            Self::Read(error) => {
                let kind = match error {
                    ReadError::Truncated { .. } => MissingKind::Truncated,
                    ReadError::Refused(_) => MissingKind::Failed,
                    ReadError::NoTable(_) | ReadError::Unreadable(_) => MissingKind::Unreadable,
                };
                missing(kind, error.to_string())
            }
        }
    }
}
