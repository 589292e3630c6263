//! From an observation and a request to a plan, or to the reasons why there is none. Pure.
//!
//! Every precondition is one [`Check`] with what was seen; those that speak against the move say what
//! to do about it. A plan without a refusal holds an intent, ready to become the journal.

mod backends;
mod checks;
pub mod commits;
mod notes;
mod permissions;
mod ports;
mod request;
mod stale;
mod steps;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::intent::{Direction, FORMAT, Intent, Party, Strategy};
use super::{journal, specs};
use crate::diagnose::facts::Facts;
use crate::exit;
use crate::model::{Observation, PortKey, Service, ServiceRef, TrafficPolicy};

pub use permissions::{Access, needed};
pub use request::{Becomes, Change, Ports, Request, Wish};
pub use stale::stale;
pub use steps::command;

/// The agents' reflector period where the settings name none, in milliseconds.
const USUAL_PERIOD_MS: u64 = 500;

/// What would be done, and what speaks against it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    /// `vipctl.dev/v1`.
    pub api_version: String,
    /// `MigrationPlan`.
    pub kind: String,
    /// 0 where it can be run, 5 where it is refused.
    pub exit: u8,
    /// The context of the cluster that it is for.
    pub context: String,
    /// When the cluster was looked at.
    pub taken_at: Timestamp,
    /// What was asked for.
    pub request: Request,
    /// What changes hands; empty where that could not be told.
    pub keys: Vec<PortKey>,
    /// Nodes with an agent.
    pub nodes: usize,
    /// The preconditions, those that refuse first.
    pub checks: Vec<Check>,
    /// What would be done, in order; empty where there is no intent.
    pub steps: Vec<Step>,
    /// How long a port is expected to be dark.
    pub expected_dark: ExpectedDark,
    /// What does not survive, and what else to know.
    pub notes: Vec<String>,
    /// The command that runs it.
    pub run: String,
    /// The command that undoes it, and what that does not bring back.
    pub undo: String,
    /// What becomes the journal; none where the request does not tell enough.
    pub intent: Option<Intent>,
}

/// A precondition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Check {
    /// What is checked, in one word.
    pub id: String,
    /// How it stands.
    pub state: CheckState,
    /// What was seen.
    pub saw: String,
    /// What to do about it; none where it holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub way_out: Option<String>,
}

/// How a precondition stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum CheckState {
    /// It does not hold: nothing is written.
    Refused,
    /// It holds not quite; worth knowing before going on.
    Warning,
    /// It could not be read, and the move is safe without it.
    Unknown,
    /// It holds.
    Ok,
}

impl Check {
    fn new(id: &str, state: CheckState, saw: impl Into<String>, way_out: Option<String>) -> Self {
        Self { id: id.to_owned(), state, saw: saw.into(), way_out }
    }

    fn ok(id: &str, saw: impl Into<String>) -> Self {
        Self::new(id, CheckState::Ok, saw, None)
    }

    fn refused(id: &str, saw: impl Into<String>, way_out: impl Into<String>) -> Self {
        Self::new(id, CheckState::Refused, saw, Some(way_out.into()))
    }

    fn warning(id: &str, saw: impl Into<String>, way_out: impl Into<String>) -> Self {
        Self::new(id, CheckState::Warning, saw, Some(way_out.into()))
    }

    fn unknown(id: &str, saw: impl Into<String>, way_out: impl Into<String>) -> Self {
        Self::new(id, CheckState::Unknown, saw, Some(way_out.into()))
    }
}

/// Something that would be done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Step {
    /// What.
    pub does: String,
    /// What is waited for afterwards, where something is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
}

/// How long a port is expected to be dark on a node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExpectedDark {
    /// Milliseconds on each node, for each port.
    pub per_node_ms: u64,
    /// How that is known.
    pub basis: String,
}

/// What a plan is made from.
pub struct Seen<'a> {
    /// A look at both Services and everything on their VIPs.
    pub observation: &'a Observation,
    /// The source as the API holds it.
    pub source: &'a Value,
    /// The target as the API holds it.
    pub target: &'a Value,
    /// Which of the [`needed`] permissions there are.
    pub access: &'a [Access],
    /// Migrations that are not finished, or why they could not be listed.
    pub unfinished: Result<&'a [Unfinished], &'a str>,
}

/// A migration that somebody began and nobody finished.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfinished {
    /// The namespace of its journal.
    pub namespace: String,
    /// Its id.
    pub id: String,
    /// Its two Services.
    pub services: [ServiceRef; 2],
}

/// A request held against what was seen.
struct Case<'a> {
    request: &'a Request,
    seen: &'a Seen<'a>,
    facts: Facts<'a>,
    source: &'a Service,
    target: &'a Service,
}

impl Case<'_> {
    /// The agents' reflector period in milliseconds.
    fn period_ms(&self) -> u64 {
        let config = self.seen.observation.install.config.known();
        let set = config.and_then(|config| config.get("lb-reflector-wait-time"));
        let set = set.and_then(|text| crate::model::duration(text)).and_then(|d| u64::try_from(d.as_millis()).ok());
        set.filter(|ms| *ms > 0).unwrap_or(USUAL_PERIOD_MS)
    }
}

/// Plans a migration, or tells why there can be none.
#[must_use]
pub fn plan(request: &Request, seen: &Seen<'_>) -> Plan {
    let facts = Facts::new(seen.observation);
    let find = |id: &ServiceRef| facts.services.iter().find(|service| service.id == *id);
    let (Some(source), Some(target)) = (find(&request.source), find(&request.target)) else {
        let gone = if find(&request.source).is_none() { &request.source } else { &request.target };
        let check = Check::refused("services", format!("{} is not there", named(gone)), "name a Service that is");
        return Plan { checks: vec![check], exit: exit::REFUSED, ..empty(request, seen.observation) };
    };
    let case = Case { request, seen, facts, source, target };
    let ports::Chosen { moves, source_after, mut checks } = ports::choose(&case);
    let chosen = checks::Chosen { moves: &moves, source_after };
    checks.extend(checks::all(&case, &chosen));
    // A stable sort: within one state they stay in the order in which they are made.
    checks.sort_by_key(|check| check.state);
    let refused = checks.iter().any(|check| check.state == CheckState::Refused);
    let intent = source_after.filter(|_| !moves.is_empty()).map(|after| intent(&case, moves.clone(), after));
    let plan =
        Plan { checks, exit: if refused { exit::REFUSED } else { exit::OK }, ..empty(request, case.seen.observation) };
    match intent {
        None => plan,
        Some(intent) => Plan {
            keys: intent.moves.iter().flat_map(|mv| mv.keys.iter().copied()).collect(),
            steps: steps::steps(&intent, plan.nodes),
            expected_dark: steps::expected_dark(&intent),
            notes: notes::notes(&case, &intent),
            undo: steps::undo(&intent, &seen.observation.origin.flags),
            intent: Some(intent),
            ..plan
        },
    }
}

/// A plan that holds nothing but the question.
fn empty(request: &Request, observation: &Observation) -> Plan {
    Plan {
        api_version: "vipctl.dev/v1".to_owned(),
        kind: "MigrationPlan".to_owned(),
        exit: exit::OK,
        context: observation.origin.context.clone(),
        taken_at: observation.taken_at,
        request: request.clone(),
        keys: Vec::new(),
        nodes: observation.agents.len(),
        checks: Vec::new(),
        steps: Vec::new(),
        expected_dark: ExpectedDark { per_node_ms: 0, basis: "nothing is planned".to_owned() },
        notes: Vec::new(),
        run: command("run", request, &observation.origin.flags),
        undo: String::new(),
        intent: None,
    }
}

fn intent(case: &Case<'_>, moves: Vec<super::intent::Move>, source_after: super::intent::SourceAfter) -> Intent {
    let request = case.request;
    let party = |service: &Service, object: &Value, backed: bool| Party {
        service: service.id.clone(),
        uid: service.uid.clone(),
        before: specs::manifest(object),
        backed,
        local: service.external_policy == TrafficPolicy::Local,
    };
    let drains = request.strategy == Strategy::Handoff && permissions::may_drain(case);
    let id = moves.first().and_then(|mv| mv.keys.first()).map_or_else(String::new, |key| journal::id_of(*key));
    // A mark that somebody left behind must not look as if another run had taken this one over.
    let turn = |object: &Value| specs::mark_turn(&id, object["metadata"]["annotations"][specs::MARK].as_str()?);
    let left = turn(case.seen.source).max(turn(case.seen.target));
    Intent {
        format: FORMAT.to_owned(),
        turn: 1 + left.unwrap_or(0),
        id,
        source: party(case.source, case.seen.source, backends::source_backed(case, &moves)),
        target: party(case.target, case.seen.target, true),
        moves,
        source_after,
        strategy: request.strategy,
        drain: request.drain.filter(|_| drains),
        direction: Direction::Forward,
        limits: request.limits,
        period_ms: case.period_ms(),
    }
}

/// `svc/a (ns shop)`.
fn named(id: &ServiceRef) -> String {
    format!("svc/{} (ns {})", id.name, id.namespace)
}

/// `svc/a -n shop`.
fn args(id: &ServiceRef) -> String {
    format!("svc/{} -n {}", id.name, id.namespace)
}
