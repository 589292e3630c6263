//! The two objects themselves: there, of the right type, nobody else's product, and at rest.

use serde_json::Value;

use crate::diagnose::exposure;
use crate::migrate::plan::{Case, Check, args, named};
use crate::model::{Service, ServiceRef};

const ID: &str = "services";

pub(super) fn check(case: &Case<'_>, checks: &mut Vec<Check>) {
    let before = checks.len();
    if case.source.id == case.target.id {
        let saw = format!("{} is both source and target", named(&case.source.id));
        checks.push(Check::refused(ID, saw, "name two Services"));
    }
    for (service, object) in [(case.source, case.seen.source), (case.target, case.seen.target)] {
        checks.extend(one(service, object));
        checks.extend(generated(&service.id, object));
        checks.extend(left_out(service));
    }
    if checks.len() == before {
        let saw = format!("{} and {} are of type LoadBalancer", named(&case.source.id), named(&case.target.id));
        checks.push(Check::ok(ID, saw));
    }
}

fn one(service: &Service, object: &Value) -> Option<Check> {
    let name = named(&service.id);
    if service.deleting.is_some() {
        let saw = format!("{name} is being deleted");
        return Some(Check::refused(ID, saw, "wait until it is gone, or name another"));
    }
    if service.kind != "LoadBalancer" {
        let saw = format!("{name} is of type {}, which has no VIP", service.kind);
        return Some(Check::refused(ID, saw, "make it a LoadBalancer that shares the VIP first"));
    }
    let read = object["metadata"]["resourceVersion"].as_str();
    (read != Some(service.resource_version.as_str())).then(|| {
        let saw = format!("{name} was written while it was looked at");
        Check::refused(ID, saw, "plan again; where it goes on, find the writer: kubectl get --show-managed-fields")
    })
}

/// What Cilium leaves out on some nodes can never be seen on all.
fn left_out(service: &Service) -> Option<Check> {
    let name = named(&service.id);
    if exposure::bound_to_nodes(service) {
        let saw = format!("an annotation (service.cilium.io/node or -selector) leaves {name} out on some nodes");
        return Some(Check::refused(ID, saw, "a port moves between Services that every node serves: remove it first"));
    }
    let kind = service.annotations.get("service.cilium.io/type").filter(|kind| *kind != "LoadBalancer")?;
    let saw = format!("annotation service.cilium.io/type={kind} leaves the LoadBalancer frontends of {name} out");
    Some(Check::refused(ID, saw, format!("kubectl annotate {} service.cilium.io/type-", args(&service.id))))
}

/// A Service that a controller makes: it is set back at once, so it is never patched.
fn generated(id: &ServiceRef, object: &Value) -> Option<Check> {
    let owners = object["metadata"]["ownerReferences"].as_array()?;
    let owner = owners.iter().find(|owner| owner["controller"].as_bool() == Some(true))?;
    let text = |field: &str| owner[field].as_str().unwrap_or_default();
    let (kind, name) = (text("kind"), text("name"));
    let instead = match kind {
        "Gateway" => "change its spec.listeners",
        "Ingress" => "change its spec.rules and spec.tls, or its annotations",
        "CiliumEnvoyConfig" | "CiliumClusterwideEnvoyConfig" => "change its spec.services",
        _ => "change what it says about the Service's ports",
    };
    Some(Check::refused(
        "generated",
        format!("{} is made by {kind}/{name}, whose controller sets it back", named(id)),
        format!("{instead}: kubectl edit {}/{name} -n {}", kind.to_ascii_lowercase(), id.namespace),
    ))
}
