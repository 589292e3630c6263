//! Whether the Service wants to be served by Cilium at all.

use crate::diagnose::case::{Case, Frontend, Sink};
use crate::diagnose::exposure::{by_design, excluded_on};
use crate::diagnose::facts::State;
use crate::diagnose::{Code, Confidence, Finding, Rung, Severity};

/// The Service's own labels or annotations, or Cilium's settings, keep Cilium from making a frontend,
/// everywhere or on nodes. Where there is one all the same, the reading of them is wrong, or old.
pub fn not_made_by_design(case: &Case<'_>, sink: &mut Sink) {
    let found: Vec<(&Frontend<'_>, Option<String>)> =
        case.held().map(|frontend| (frontend, reason(case, frontend))).collect();
    let Some((_, first)) = found.first() else { return };
    if let Some(why) = first
        && found.iter().all(|(_, other)| other.as_ref() == Some(why))
    {
        sink.push(finding(case, "this Service", why));
        return;
    }
    for (frontend, why) in &found {
        if let Some(why) = why {
            sink.push(finding(case, &frontend.key.to_string(), why).on(frontend.key));
        }
    }
}

/// VIP2109: it is on its way out, and its ports with it.
pub fn being_deleted(case: &Case<'_>, sink: &mut Sink) {
    let Some(since) = case.service.deleting else { return };
    sink.push(
        Finding::new(
            Code::BeingDeleted,
            Severity::Warning,
            Confidence::Certain,
            Rung::Declared,
            format!("the Service is being deleted since {since} and waits for its finalizers"),
        )
        .note("It keeps its address and ports until then, and loses them at that moment.")
        .saw([case.saw_service("metadata", format!("deletionTimestamp {since}"))])
        .then(format!("kubectl get {} -o jsonpath='{{.metadata.finalizers}}'", case.args())),
    );
}

fn finding(case: &Case<'_>, what: &str, why: &str) -> Finding {
    // A label for another proxy may be for Cilium where its own name is not known.
    let sure = case.facts.obs.install.config.known().is_some() || !why.starts_with("label ");
    Finding::new(
        Code::NotMadeByDesign,
        Severity::Error,
        if sure { Confidence::Certain } else { Confidence::Likely },
        Rung::Declared,
        format!("Cilium makes no frontend for {what}: {why}"),
    )
    .saw([case.saw_service("spec", why)])
    .then(format!("kubectl get {} -o yaml", case.args()))
}

fn reason(case: &Case<'_>, frontend: &Frontend<'_>) -> Option<String> {
    let facts = case.facts;
    let config = facts.obs.install.config.known();
    let why = by_design(case.service, frontend.key.vip, config, facts.minor).or_else(|| nowhere(case))?;
    // Nodes that an annotation leaves out are no part of the case; a row there counts all the same.
    let made = |state: State<'_>| matches!(state, State::Programmed(_) | State::NotDone(_) | State::Listed(_));
    let same_address = case.held().filter(|other| other.key.vip == frontend.key.vip);
    let mut views = same_address.flat_map(|other| facts.views(other.key, Some(&case.service.id)));
    (!views.any(|view| made(view.state))).then_some(why)
}

/// The node annotation fits none of the nodes.
fn nowhere(case: &Case<'_>) -> Option<String> {
    let nodes = case.facts.obs.nodes.known()?;
    let fits_none = !nodes.is_empty() && nodes.iter().all(|node| excluded_on(case.service, node).is_some());
    fits_none.then(|| "its node annotation (service.cilium.io/node…) fits no node".to_owned())
}
