//! What is seen of cilium-operator, which runs LB-IPAM.

use super::case::{Case, ago, saw_api};
use super::finding::{Confidence, Evidence};

/// What is seen of the operator, and how well that explains its silence.
#[must_use]
pub fn operator_state(case: &Case<'_>) -> (Confidence, String, Vec<Evidence>) {
    let install = &case.facts.obs.install;
    let namespace = &install.namespace;
    let mut evidence = Vec::new();
    let mut found: Option<(Confidence, String)> = None;
    if let Some(pods) = install.operators.known() {
        let ready = pods.iter().filter(|pod| pod.ready).count();
        let fact = format!("{ready} of {} cilium-operator pods ready", pods.len());
        let recheck = format!("kubectl get pods -n {namespace} -l io.cilium/app=operator");
        evidence.push(saw_api(&install.operators, format!("pods in {namespace}"), fact, recheck));
        if ready == 0 {
            found = Some((Confidence::Certain, "no cilium-operator is ready".to_owned()));
        }
    }
    if let Some(Some(lease)) = install.leader.known() {
        let now = install.leader.at().unwrap_or_else(|| case.facts.now());
        let age = lease.renewed.map_or_else(|| "never".to_owned(), |renewed| ago(now, renewed));
        let fact = format!("leader Lease held by '{}', renewed {age}", lease.holder);
        let recheck = format!("kubectl get lease {} -n {namespace} -o yaml", lease.name);
        evidence.push(saw_api(&install.leader, format!("lease {}", lease.name), fact, recheck));
        if found.is_none() && !lease.is_live(now) {
            found = Some((Confidence::Likely, format!("no operator leads (Lease renewed {age})")));
        }
    }
    let (confidence, cause) = found.unwrap_or_else(|| match case.service.last_write() {
        Some(at) => (Confidence::Possible, format!("the Service was last written {}", ago(case.facts.now(), at))),
        None => (Confidence::Possible, "the reason was not seen".to_owned()),
    });
    (confidence, cause, evidence)
}
