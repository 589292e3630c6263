//! Whether the Service wants to be served by Cilium at all.

use crate::diagnose::case::{Case, Sink};
use crate::diagnose::exposure::by_design;
use crate::diagnose::facts::vips;
use crate::diagnose::{Code, Confidence, Finding, Rung, Severity};

/// The Service's own labels or annotations keep Cilium from making a frontend, everywhere or on nodes.
pub fn not_made_by_design(case: &Case<'_>, sink: &mut Sink) {
    if vips(case.service).is_empty() {
        return;
    }
    let nowhere = case.held().any(|frontend| frontend.views.is_empty()) && !case.facts.obs.agents.is_empty();
    let by_annotation = nowhere.then(|| "its node annotation (service.cilium.io/node…) fits no node".to_owned());
    if let Some(why) = by_design(case.service, kube_proxy_replacement_off(case)).or(by_annotation) {
        sink.push(
            Finding::new(
                Code::NotMadeByDesign,
                Severity::Error,
                Confidence::Certain,
                Rung::Declared,
                format!("Cilium makes no frontend for this Service: {why}"),
            )
            .saw([case.saw_service("spec", why)])
            .then(format!("kubectl get {} -o yaml", case.args())),
        );
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

fn kube_proxy_replacement_off(case: &Case<'_>) -> bool {
    let config = case.facts.obs.install.config.known();
    let off = config.and_then(|config| config.get("kube-proxy-replacement")).is_some_and(|value| value == "false");
    off && case.facts.minor == Some(18)
}
