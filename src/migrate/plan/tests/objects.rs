//! Preconditions about the two objects: ports, addresses, owners, permissions.

use serde_json::{Value, json};

use super::{refused, warned};
use crate::diagnose::testing::{Builder, service};
use crate::migrate::intent::SourceAfter;
use crate::migrate::plan::testing::{Setting, a, b, of, request, setting, shared};
use crate::migrate::plan::{Becomes, Change, Ports, Unfinished};
use crate::model::{Proto, Service, ServiceRef};

fn pair(source: Builder, target: Builder) -> Setting {
    of(source, target, |world| world)
}

/// The same Services with another model of one of them, as the API would show it.
fn edited(id: &str, change: impl Fn(&mut Service)) -> Setting {
    let id: ServiceRef = id.parse().expect("a Service");
    setting().with(|it| {
        if let crate::model::Read::Known { value, .. } = &mut it.observation.services {
            value.iter_mut().filter(|service| service.id == id).for_each(change);
        }
    })
}

fn target(change: impl FnOnce(&mut Value)) -> Setting {
    setting().with(|it| change(&mut it.target))
}

#[test]
fn both_must_be_load_balancers_at_rest() {
    let same = setting().with(|it| it.request.target = it.request.source.clone());
    refused(&same, "services", "both source and target");
    let gone = setting().with(|it| it.request.target = ServiceRef::new("shop", "x"));
    refused(&gone, "services", "svc/x (ns shop) is not there");
    refused(&edited("shop/b", |b| b.kind = "ClusterIP".to_owned()), "services", "is of type ClusterIP");
    refused(&edited("shop/a", |a| a.deleting = a.created), "services", "is being deleted");
    refused(&edited("shop/a", |a| a.resource_version = "2".to_owned()), "services", "was written while");
    let bound = pair(a(), b().annotate("service.cilium.io/node", "edge"));
    refused(&bound, "services", "leaves svc/b (ns shop) out on some nodes");
    refused(&pair(a(), b().annotate("service.cilium.io/type", "NodePort")), "services", "service.cilium.io/type-");
}

#[test]
fn generated_services_are_never_patched() {
    for (kind, way_out) in [
        ("Gateway", "spec.listeners: kubectl edit gateway/edge -n shop"),
        ("Ingress", "spec.rules"),
        ("Database", "what it says about the Service's ports"),
    ] {
        let owner = json!([{"kind": kind, "name": "edge", "controller": true}]);
        let made = target(|it| it["metadata"]["ownerReferences"] = owner).with(|it| it.request.override_owner = true);
        refused(&made, "generated", way_out);
    }
}

#[test]
fn who_sets_it_back_is_asked_first() {
    let cases = [
        (
            json!({"annotations": {"argocd.argoproj.io/tracking-id": "web:/Service:shop/b"}}),
            "applications.argoproj.io web",
        ),
        (
            json!({"labels": {"kustomize.toolkit.fluxcd.io/name": "edge"}}),
            "flux suspend kustomization edge -n flux-system",
        ),
        (
            json!({"labels": {"helm.toolkit.fluxcd.io/name": "b", "helm.toolkit.fluxcd.io/namespace": "x"}}),
            "helmrelease b -n x",
        ),
        (json!({"annotations": {"meta.helm.sh/release-name": "edge"}}), "Helm (release edge)"),
        (json!({"managedFields": [{"manager": "kustomize-controller"}]}), "Flux"),
    ];
    for (metadata, words) in cases {
        let owned = target(|it| {
            let all = it["metadata"].as_object_mut().expect("metadata");
            all.extend(metadata.as_object().expect("an object").clone());
        });
        refused(&owned, "owners", words);
        warned(&owned.with(|it| it.request.override_owner = true), "owners", "sets it back");
    }
    let paused = target(|it| {
        it["metadata"]["labels"] =
            json!({"kustomize.toolkit.fluxcd.io/name": "edge", "kustomize.toolkit.fluxcd.io/reconcile": "Disabled"});
    });
    assert_eq!(paused.plan().exit, 0, "Flux was told to leave it alone");
    let status = target(|it| it["metadata"]["managedFields"] = json!([{"manager": "helm", "subresource": "status"}]));
    assert_eq!(status.plan().exit, 0, "who writes the status owns no ports");
    let applied = target(|it| it["metadata"]["managedFields"] = json!([{"manager": "kubectl-client-side-apply"}]));
    warned(&applied, "owners", "`kubectl apply` of the present file of svc/b (ns shop)");
}

#[test]
fn ports_must_be_there_and_free() {
    let ports = |ports: &[&str]| setting().with(|it| it.request.ports = request(ports).ports);
    refused(&ports(&["81"]), "ports", "it has 80/TCP, 443/TCP");
    refused(&ports(&["80/UDP"]), "ports", "no port 80/UDP");
    refused(&pair(a().udp(80), b()), "ports", "--port 80/TCP or --port 80/UDP");
    refused(&pair(a(), b().port(80)), "ports", "svc/b (ns shop) claims 80/TCP itself");
    let nameless = target(|it| it["spec"]["ports"][0]["name"] = Value::Null);
    refused(&nameless, "ports", "has no name");
    let change = |port, to| setting().with(|it| it.request.changes = vec![Change { port, to }]);
    refused(&change(None, Becomes::Name("p53".to_owned())), "ports", "a port of the name 'p53'");
    refused(&change(Some(443), Becomes::Name("x".to_owned())), "ports", "which does not move");
    let several = change(None, Becomes::TargetPort("8080".to_owned())).with(|it| it.request.ports = Ports::All);
    refused(&several.after(SourceAfter::ClusterIp), "ports", "--target-port 80=8080");
}

#[test]
fn the_vip_must_be_shared() {
    let alone = service("shop", "b").key("edge").vip("192.0.2.11").udp(53);
    refused(&pair(a(), alone), "vip", "they share none");
    refused(&pair(a().vip("192.0.2.12"), b()), "vip", "--vip 192.0.2.10");
    let mut accepted = pair(a().vip("192.0.2.12"), b());
    accepted.request.vip = Some("192.0.2.10".parse().expect("an address"));
    warned(&accepted, "vip", "the port is lost at 192.0.2.12");
    let other = setting().with(|it| it.request.vip = Some("192.0.2.12".parse().expect("an address")));
    refused(&other, "vip", "192.0.2.12 is not shared");
}

#[test]
fn the_last_port_asks_for_a_choice() {
    let all = || setting().with(|it| it.request.ports = Ports::All);
    refused(&all(), "last-port", "--source-after park=PORT");
    for after in [SourceAfter::ClusterIp, SourceAfter::Delete, SourceAfter::Park(10_080)] {
        assert_eq!(all().after(after).plan().exit, 0, "{after:?}");
    }
    let finalizers = |it: &mut Setting| it.source["metadata"]["finalizers"] = json!(["example.com/keep"]);
    refused(&all().after(SourceAfter::Delete).with(finalizers), "last-port", "finalizers");
    let external = of(a().external("192.0.2.10"), b(), |world| world).with(|it| it.request.ports = Ports::All);
    refused(&external.after(SourceAfter::ClusterIp), "last-port", "externalIPs");
    refused(&setting().after(SourceAfter::Delete), "last-port", "keeps 443/TCP");
    refused(&all().after(SourceAfter::Park(443)), "last-port", "one of the ports that move");
    let taken = of(a(), b(), |world| world.with(shared("c").port(10_080)));
    let taken = taken.with(|it| it.request.ports = Ports::All).after(SourceAfter::Park(10_080));
    refused(&taken, "last-port", "svc/c (ns shop) claims 10080/TCP");
}

#[test]
fn nobody_else_may_be_at_it() {
    let other = Unfinished {
        namespace: "shop".to_owned(),
        id: "192-0-2-10-443-tcp".to_owned(),
        services: [ServiceRef::new("shop", "a"), ServiceRef::new("shop", "c")],
    };
    let busy = setting().with(|it| it.unfinished = Ok(vec![other.clone()]));
    refused(&busy, "unfinished", "kubectl vipctl migrate resume 192-0-2-10-443-tcp -n shop");
    let elsewhere = setting().with(|it| {
        let services = [ServiceRef::new("shop", "x"), ServiceRef::new("shop", "y")];
        it.unfinished = Ok(vec![Unfinished { services, ..other }]);
    });
    assert_eq!(elsewhere.plan().exit, 0);
    let unread = setting().with(|it| it.unfinished = Err("forbidden".to_owned())).plan();
    super::says(&unread, "unfinished", crate::migrate::plan::CheckState::Unknown, "forbidden");
}

#[test]
fn permissions_are_asked_for_before() {
    let denied = |it: Setting, what| it.with(|it| it.denied = vec![what]);
    refused(&denied(setting(), "patch services in namespace shop"), "permissions", "patch services");
    refused(&denied(setting(), "create configmaps in namespace shop"), "permissions", "create configmaps");
    warned(&denied(setting(), "create events in namespace shop"), "permissions", "no Event");
    let delete = setting().with(|it| it.request.ports = Ports::All).after(SourceAfter::Delete);
    refused(&denied(delete, "delete services in namespace shop"), "permissions", "delete services");
    let slices = "create endpointslices.discovery.k8s.io in namespace shop";
    let undrained = denied(setting().handoff(), slices);
    warned(&undrained, "permissions", "established ones are reset");
    assert_eq!(undrained.plan().intent.expect("an intent").drain, None);
    assert_eq!(denied(setting(), slices).plan().exit, 0, "ordered makes no slices");
}

#[test]
fn what_clients_would_notice_is_told() {
    let differs = target(|it| it["spec"]["sessionAffinity"] = json!("ClientIP"));
    warned(&differs, "differences", "sessionAffinity is None on the source, ClientIP on the target");
    let ranges = target(|it| it["spec"]["loadBalancerSourceRanges"] = json!(["10.0.0.0/8"]));
    warned(&ranges, "differences", "loadBalancerSourceRanges is [] on the source");
    let annotated = target(|it| it["metadata"]["annotations"]["service.cilium.io/lb-algorithm"] = json!("maglev"));
    warned(&annotated, "differences", "service.cilium.io/lb-algorithm is not set on the source, maglev");
}

#[test]
fn twins_of_one_number_are_told_apart() {
    let twins = pair(a().udp(80), b()).with(|it| it.request.ports = request(&["80/UDP"]).ports);
    let plan = twins.plan();
    assert_eq!(plan.keys[0].proto, Proto::Udp);
    assert_eq!(plan.exit, 0, "{:#?}", plan.checks);
}
