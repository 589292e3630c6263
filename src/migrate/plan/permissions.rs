//! What the API server must allow, and what is lost where it does not.

use serde::{Deserialize, Serialize};

use super::{Case, Check, Request};
use crate::migrate::intent::{SourceAfter, Strategy};
use crate::model::Permission;

/// EndpointSlices, as RBAC names them.
const SLICES: &str = "endpointslices.discovery.k8s.io";

/// A permission, and what the API server said when it was asked for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Access {
    /// Which.
    pub permission: Permission,
    /// Whether this user has it; none where that was not answered.
    pub allowed: Option<bool>,
}

/// What a permission is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    /// Nothing goes without.
    Move,
    /// The drain slices of the way there.
    Drain,
    /// The drain slices of the way back.
    DrainBack,
    /// Kubernetes Events.
    Events,
}

/// Every permission that a request needs. The agents are asked before, so `pods/exec` is proved by their
/// answers.
#[must_use]
pub fn needed(request: &Request) -> Vec<Permission> {
    uses(request).into_iter().map(|(_, permission)| permission).collect()
}

fn uses(request: &Request) -> Vec<(Use, Permission)> {
    let (there, back) = (request.target.namespace.as_str(), request.source.namespace.as_str());
    let mut uses = Vec::new();
    let mut add = |purpose: Use, namespace: &str, resource: &str, verbs: &[&str]| {
        let permission = |verb: &&str| Permission {
            verb: (*verb).to_owned(),
            resource: resource.to_owned(),
            namespace: Some(namespace.to_owned()),
        };
        uses.extend(verbs.iter().map(|verb| (purpose, permission(verb))));
    };
    let mut namespaces = vec![there, back];
    namespaces.dedup();
    for namespace in &namespaces {
        add(Use::Move, namespace, "services", &["get", "patch"]);
        add(Use::Move, namespace, "configmaps", &["list"]);
        add(Use::Move, namespace, SLICES, &["list"]);
        add(Use::Events, namespace, "events", &["create"]);
    }
    add(Use::Move, there, "configmaps", &["get", "create", "update", "delete"]);
    if request.source_after == Some(SourceAfter::Delete) {
        add(Use::Move, back, "services", &["create", "delete"]);
    }
    if request.strategy == Strategy::Handoff && request.drain.is_some() {
        add(Use::Drain, there, SLICES, &["create", "update", "delete"]);
        if namespaces.len() > 1 {
            add(Use::DrainBack, back, SLICES, &["create", "update", "delete"]);
        }
    }
    uses
}

/// Whether drain slices can be made, or nothing speaks against it.
pub(super) fn may_drain(case: &Case<'_>) -> bool {
    refused(case, Use::Drain).is_empty()
}

/// The permissions of a purpose with that answer, those on one resource together.
fn of(case: &Case<'_>, purpose: Use, wanted: Option<bool>) -> Vec<String> {
    let answer = |permission: &Permission| {
        let found = case.seen.access.iter().find(|access| access.permission == *permission);
        found.and_then(|access| access.allowed)
    };
    let mut together: Vec<Permission> = Vec::new();
    for (of, permission) in uses(case.request) {
        if of != purpose || answer(&permission) != wanted {
            continue;
        }
        let same = |p: &&mut Permission| p.resource == permission.resource && p.namespace == permission.namespace;
        match together.iter_mut().find(same) {
            Some(known) => known.verb = format!("{},{}", known.verb, permission.verb),
            None => together.push(permission),
        }
    }
    together.iter().map(ToString::to_string).collect()
}

fn refused(case: &Case<'_>, purpose: Use) -> Vec<String> {
    of(case, purpose, Some(false))
}

/// What is missing, by what is lost without it.
pub(super) fn check(case: &Case<'_>, checks: &mut Vec<Check>) {
    const ID: &str = "permissions";
    const WAY_OUT: &str =
        "ask for a Role with it; `kubectl auth can-i VERB RESOURCE -n NAMESPACE` tells when it is there";
    let before = checks.len();
    let missing = refused(case, Use::Move);
    if !missing.is_empty() {
        checks.push(Check::refused(ID, format!("this user may not: {}", missing.join(", ")), WAY_OUT));
    }
    let missing = refused(case, Use::Drain);
    if !missing.is_empty() {
        let saw = format!(
            "no drain, for this user may not: {}. Connections in flight at the switch fail, established ones are reset",
            missing.join(", ")
        );
        checks.push(Check::warning(ID, saw, WAY_OUT));
    }
    let missing = refused(case, Use::DrainBack);
    if !missing.is_empty() {
        let saw = format!("going back would not drain, for this user may not: {}", missing.join(", "));
        checks.push(Check::warning(ID, saw, WAY_OUT));
    }
    let missing = refused(case, Use::Events);
    if !missing.is_empty() {
        let saw = format!("no Event will tell of it, for this user may not: {}", missing.join(", "));
        checks.push(Check::warning(ID, saw, WAY_OUT));
    }
    let unknown = of(case, Use::Move, None);
    if !unknown.is_empty() {
        let saw = format!("the API server did not tell whether this user may: {}", unknown.join(", "));
        checks.push(Check::unknown(ID, saw, "a write that is refused stops the move and changes nothing"));
    }
    if checks.len() == before {
        checks.push(Check::ok(ID, "this user may do all that is needed"));
    }
}
