//! Drain slices: what they should be, what is there, what is due. Pure.
//!
//! A drain slice gives the taker the giver's backends as terminating ones: it gets no new connections to
//! them while it has active backends of its own, but the agents keep them, and connections that began under
//! the giver live on. Where Kubernetes adds the taker's own endpoints only after the switch, agents fall
//! back to the terminating ones meanwhile: then the slice is a bridge as well.

use std::collections::{BTreeMap, BTreeSet};

use k8s_openapi::api::discovery::v1::{Endpoint, EndpointSlice};
use serde_json::{Map, Value, json};

use super::intent::{Direction, Intent, Side};
use super::specs::MANAGER;
use super::world::{DrainView, SliceId, SliceOp};

/// The label of every slice of ours; its value is the migration's id.
pub const LABEL: &str = "vipctl.dev/migration";

const MANAGED_BY: &str = "endpointslice.kubernetes.io/managed-by";

/// What to make of both Services' slices.
#[derive(Debug, Clone, PartialEq)]
pub struct Drains {
    view: DrainView,
    objects: BTreeMap<SliceId, Value>,
    backends: Vec<String>,
}

impl Drains {
    /// Holds the slices of both Services, ours among them, against the intent. `switched` says whether the
    /// taker claims everything by now; `journal` is the UID of the journal, whose end takes the slices with
    /// it where it is in the same namespace.
    #[must_use]
    pub fn new(
        intent: &Intent,
        source: &[EndpointSlice],
        target: &[EndpointSlice],
        switched: bool,
        journal: &str,
    ) -> Self {
        let all = source.iter().chain(target);
        let present = all.filter(|slice| ours(intent, slice)).map(id_of).collect::<BTreeSet<_>>();
        let (giver, taker) = if intent.giver() == Side::Source { (source, target) } else { (target, source) };
        let left: Vec<SliceId> = giver.iter().filter(|slice| ours(intent, slice)).map(id_of).collect();
        let giver: Vec<&EndpointSlice> = giver.iter().filter(|slice| !drain(slice)).collect();
        let (drains, taker): (Vec<&EndpointSlice>, Vec<&EndpointSlice>) = taker.iter().partition(|slice| drain(slice));
        let there: BTreeMap<SliceId, &EndpointSlice> =
            drains.into_iter().filter(|slice| ours(intent, slice)).map(|slice| (id_of(slice), slice)).collect();
        let setting = Setting { intent, giver, taker, journal };
        let wanted = if switched { setting.followed(&there) } else { setting.wanted() };
        let mut objects = BTreeMap::new();
        let mut due = Vec::new();
        for (id, slice) in &wanted {
            let op = match there.get(id) {
                None => SliceOp::Create(id.clone()),
                Some(old) if endpoints(old) != endpoints(slice) || old.ports != slice.ports => {
                    SliceOp::Update(id.clone())
                }
                Some(_) => continue,
            };
            objects.insert(id.clone(), setting.object(id, slice, there.get(id).copied()));
            due.push(op);
        }
        if switched {
            // Those of the way there: the giver has no port any more that they could drain.
            due.extend(left.into_iter().map(SliceOp::Delete));
        }
        due.extend(there.keys().filter(|id| !wanted.contains_key(*id)).cloned().map(SliceOp::Delete));
        let view = DrainView {
            useful: !wanted.is_empty(),
            due,
            present: present.into_iter().collect(),
            taker_backed: setting.taker_backed(),
            connections: None,
        };
        Self { view, objects, backends: wanted.values().flat_map(backends).collect() }
    }

    /// What was seen; connections are counted elsewhere.
    #[must_use]
    pub fn view(&self) -> DrainView {
        self.view.clone()
    }

    /// The backends that every agent has to show as the taker's, as agents write them.
    #[must_use]
    pub fn backends(&self) -> Vec<String> {
        self.backends.clone()
    }

    /// A slice that is due, to be created or to be merged into the one that is there.
    #[must_use]
    pub fn object(&self, id: &SliceId) -> Option<Value> {
        self.objects.get(id).cloned()
    }
}

/// Made by this program, for whichever migration.
#[must_use]
pub fn drain(slice: &EndpointSlice) -> bool {
    label(slice, MANAGED_BY) == Some(MANAGER)
}

fn ours(intent: &Intent, slice: &EndpointSlice) -> bool {
    drain(slice) && label(slice, LABEL) == Some(intent.id.as_str())
}

fn label<'a>(slice: &'a EndpointSlice, key: &str) -> Option<&'a str> {
    slice.metadata.labels.as_ref()?.get(key).map(String::as_str)
}

fn id_of(slice: &EndpointSlice) -> SliceId {
    let meta = &slice.metadata;
    SliceId { namespace: meta.namespace.clone().unwrap_or_default(), name: meta.name.clone().unwrap_or_default() }
}

fn ready(endpoint: &Endpoint) -> bool {
    endpoint.conditions.as_ref().and_then(|conditions| conditions.ready).unwrap_or(true)
}

fn serving(endpoint: &Endpoint) -> bool {
    let conditions = endpoint.conditions.as_ref();
    conditions.and_then(|conditions| conditions.serving).unwrap_or_else(|| ready(endpoint))
}

/// What of a slice's endpoints is ours to say, for comparison.
fn endpoints(slice: &EndpointSlice) -> BTreeSet<String> {
    slice.endpoints.iter().flat_map(|endpoint| endpoint.addresses.iter().cloned()).collect()
}

fn addresses(slices: &[&EndpointSlice]) -> BTreeSet<String> {
    slices.iter().flat_map(|slice| endpoints(slice)).collect()
}

/// A slice's backends, as agents write addresses.
fn backends(slice: &EndpointSlice) -> Vec<String> {
    let ports = slice.ports.iter().flatten();
    ports
        .flat_map(|port| {
            let (number, proto) = (port.port.unwrap_or_default(), port.protocol.as_deref().unwrap_or("TCP"));
            endpoints(slice).into_iter().map(move |address| {
                let address = if address.contains(':') { format!("[{address}]") } else { address };
                format!("{address}:{number}/{proto}")
            })
        })
        .collect()
}

struct Setting<'a> {
    intent: &'a Intent,
    /// The giver's own slices.
    giver: Vec<&'a EndpointSlice>,
    /// The taker's own slices.
    taker: Vec<&'a EndpointSlice>,
    journal: &'a str,
}

impl Setting<'_> {
    /// For each move: the giver's entry of `spec.ports`, and the taker's.
    fn pairs(&self) -> impl Iterator<Item = (&Value, &Value)> {
        let forward = self.intent.giver() == Side::Source;
        self.intent.moves.iter().map(move |mv| if forward { (&mv.from, &mv.to) } else { (&mv.to, &mv.from) })
    }

    /// One slice for each of the giver's that has a port of the moves, without what the taker has itself.
    fn wanted(&self) -> BTreeMap<SliceId, EndpointSlice> {
        let namespace = &self.intent.party(self.intent.taker()).service.namespace;
        let mut numbers = BTreeMap::new();
        let mut wanted = BTreeMap::new();
        for slice in &self.giver {
            let number: &mut usize = numbers.entry(slice.address_type.to_lowercase()).or_default();
            // That of the way there may still be in the same namespace.
            let way = if self.intent.direction == Direction::Back { "-back" } else { "" };
            let name = format!("vipctl-drain-{}{way}-{}-{number}", self.intent.id, slice.address_type.to_lowercase());
            let id = SliceId { namespace: namespace.clone(), name };
            if let Some(made) = self.made_from(slice) {
                wanted.insert(id, made);
                *number += 1;
            }
        }
        wanted
    }

    fn made_from(&self, slice: &EndpointSlice) -> Option<EndpointSlice> {
        let mut ports = Vec::new();
        let mut shared: Option<BTreeSet<String>> = None;
        for (given, taken) in self.pairs() {
            let Some(port) = slice.ports.iter().flatten().find(|port| text(&port.name) == name(given)) else {
                continue;
            };
            let mut port = port.clone();
            let has = self.taker_has(given, taken, port.port);
            shared = Some(shared.map_or(has.clone(), |all| all.intersection(&has).cloned().collect()));
            port.name = Some(name(taken).to_owned());
            ports.push(port);
        }
        let shared = shared?;
        let foreign = |endpoint: &&Endpoint| {
            serving(endpoint) && !endpoint.addresses.iter().all(|address| shared.contains(address))
        };
        let endpoints: Vec<Endpoint> = slice.endpoints.iter().filter(foreign).map(terminating).collect();
        (!endpoints.is_empty()).then(|| EndpointSlice {
            address_type: slice.address_type.clone(),
            endpoints,
            ports: Some(ports),
            ..EndpointSlice::default()
        })
    }

    /// Addresses at which the taker has the same backend itself, now or as soon as it claims the port.
    fn taker_has(&self, given: &Value, taken: &Value, number: Option<i32>) -> BTreeSet<String> {
        let knows: Vec<&EndpointSlice> =
            self.taker.iter().copied().filter(|slice| has_port(slice, name(taken))).collect();
        if knows.is_empty() {
            let same = given["targetPort"] == taken["targetPort"];
            return if same && self.selects() { addresses(&self.taker) } else { BTreeSet::new() };
        }
        let same = |slice: &&&EndpointSlice| {
            slice.ports.iter().flatten().any(|port| text(&port.name) == name(taken) && port.port == number)
        };
        addresses(&knows.iter().filter(same).copied().collect::<Vec<_>>())
    }

    /// What is there, without endpoints that are in none of the giver's slices any more. By now Kubernetes
    /// has taken the port out of those, so only the addresses count.
    fn followed(&self, there: &BTreeMap<SliceId, &EndpointSlice>) -> BTreeMap<SliceId, EndpointSlice> {
        let lives = addresses(&self.giver);
        let kept = there.iter().map(|(id, slice)| {
            let mut slice = (*slice).clone();
            if !self.giver.is_empty() {
                slice.endpoints.retain(|endpoint| endpoint.addresses.iter().any(|address| lives.contains(address)));
            }
            (id.clone(), slice)
        });
        kept.filter(|(_, slice)| !slice.endpoints.is_empty()).collect()
    }

    fn selects(&self) -> bool {
        let before = &self.intent.party(self.intent.taker()).before;
        before["spec"]["selector"].as_object().is_some_and(|selector| !selector.is_empty())
    }

    /// Whether the taker has ready endpoints of its own for every move. Where its slices do not know the
    /// port yet, Kubernetes adds it once the Service has it: then any ready endpoint will do.
    fn taker_backed(&self) -> bool {
        let any_ready = |slices: &[&EndpointSlice]| slices.iter().any(|slice| slice.endpoints.iter().any(ready));
        self.pairs().all(|(_, taken)| {
            let knows: Vec<&EndpointSlice> =
                self.taker.iter().copied().filter(|slice| has_port(slice, name(taken))).collect();
            if knows.is_empty() { self.selects() && any_ready(&self.taker) } else { any_ready(&knows) }
        })
    }

    fn object(&self, id: &SliceId, slice: &EndpointSlice, there: Option<&EndpointSlice>) -> Value {
        let taker = &self.intent.party(self.intent.taker()).service;
        let mut body = serde_json::to_value(slice).unwrap_or_default();
        let mut metadata = Map::new();
        if let Some(old) = there {
            metadata.insert("resourceVersion".into(), json!(old.metadata.resource_version));
            metadata.insert("uid".into(), json!(old.metadata.uid));
        } else {
            metadata.insert("name".into(), json!(id.name));
            metadata.insert("namespace".into(), json!(id.namespace));
            metadata.insert(
                "labels".into(),
                json!({
                    "kubernetes.io/service-name": taker.name,
                    MANAGED_BY: MANAGER,
                    LABEL: self.intent.id,
                }),
            );
            if taker.namespace == self.intent.target.service.namespace && !self.journal.is_empty() {
                // Garbage collection takes the slice when the journal goes, whatever else fails.
                let owner = json!([{ "apiVersion": "v1", "kind": "ConfigMap", "uid": self.journal,
                    "name": super::journal::name_of(&self.intent.id) }]);
                metadata.insert("ownerReferences".into(), owner);
            }
        }
        body["metadata"] = Value::Object(metadata);
        body
    }
}

fn terminating(endpoint: &Endpoint) -> Endpoint {
    let mut endpoint = endpoint.clone();
    let conditions = endpoint.conditions.get_or_insert_with(Default::default);
    (conditions.ready, conditions.serving, conditions.terminating) = (Some(false), Some(true), Some(true));
    endpoint
}

fn has_port(slice: &EndpointSlice, wanted: &str) -> bool {
    slice.ports.iter().flatten().any(|port| text(&port.name) == wanted)
}

fn text(name: &Option<String>) -> &str {
    name.as_deref().unwrap_or_default()
}

fn name(entry: &Value) -> &str {
    entry["name"].as_str().unwrap_or_default()
}

#[cfg(test)]
#[path = "drain_tests.rs"]
mod tests;
