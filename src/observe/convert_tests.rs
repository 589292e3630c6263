use serde_json::json;

use super::*;

fn read<T: serde::de::DeserializeOwned>(value: serde_json::Value) -> T {
    serde_json::from_value(value).expect("an object")
}

#[test]
fn a_service_keeps_what_decides_and_nothing_else() {
    let object: core::Service = read(json!({
        "metadata": {
            "name": "b", "namespace": "shop", "uid": "u1", "resourceVersion": "7",
            "labels": {"service.kubernetes.io/service-proxy-name": "other"},
            "annotations": {
                "lbipam.cilium.io/sharing-key": "edge", "io.cilium/lb-ipam-ips": "192.0.2.10",
                "service.cilium.io/type": "LoadBalancer", "metallb.universe.tf/allow-shared-ip": "k",
                "kubectl.kubernetes.io/last-applied-configuration": "{\"secret\":1}", "team": "shop"
            },
            "ownerReferences": [{"apiVersion": "v1", "kind": "Gateway", "name": "g", "uid": "x", "controller": true}],
            "managedFields": [{"manager": "cilium-operator-lb-ipam", "operation": "Update", "subresource": "status",
                               "time": "2026-01-01T00:00:00Z"}]
        },
        "spec": {
            "type": "LoadBalancer", "externalTrafficPolicy": "Local", "externalIPs": ["::ffff:192.0.2.20", "no address"],
            "ports": [{"port": 80, "targetPort": "web", "nodePort": 30080}, {"name": "dns", "port": 53, "protocol": "UDP", "targetPort": 5353}]
        },
        "status": {
            "loadBalancer": {"ingress": [{"ip": "192.0.2.10", "ipMode": "VIP"}, {"hostname": "lb.example"}]},
            "conditions": [{"type": "cilium.io/IPAMRequestSatisfied", "status": "True", "reason": "satisfied",
                            "message": "", "lastTransitionTime": "2026-01-01T00:00:00Z"}]
        }
    }));
    let service = service(&object);
    assert_eq!(service.annotations.len(), 4, "{:?}", service.annotations);
    assert!(!service.annotations.values().any(|v| v.contains("secret")));
    assert_eq!(service.labels.len(), 1);
    assert_eq!(service.controller.as_deref(), Some("Gateway/g"));
    assert_eq!(service.external_policy, TrafficPolicy::Local);
    let vips: Vec<String> = service.vips().iter().map(ToString::to_string).collect();
    assert_eq!(vips, ["192.0.2.10", "192.0.2.20"]);
    let ports: Vec<String> = service.ports.iter().map(|p| format!("{}/{}>{}", p.port, p.proto, p.target)).collect();
    assert_eq!(ports, ["80/TCP>web", "53/UDP>5353"]);
    assert_eq!(service.ports.iter().map(|p| p.node_port).collect::<Vec<_>>(), [Some(30080), None]);
    assert!(service.managers[0].time.is_some() && service.managers[0].subresource == "status");
}

#[test]
fn absent_conditions_mean_ready() {
    let object: discovery::EndpointSlice = read(json!({
        "metadata": {"name": "b-1", "namespace": "shop", "labels": {"kubernetes.io/service-name": "b"}},
        "addressType": "IPv4",
        "ports": [{"port": 8080}],
        "endpoints": [{"addresses": ["10.0.0.1"]}, {"addresses": ["10.0.0.2"], "conditions": {"ready": false, "terminating": true}}]
    }));
    let slice = slice(&object).expect("belongs to a Service");
    let states: Vec<_> = slice.endpoints.iter().map(|e| (e.ready, e.terminating)).collect();
    assert_eq!(states, [(true, false), (false, true)]);
    let orphan: discovery::EndpointSlice =
        read(json!({"metadata": {"name": "x"}, "addressType": "IPv4", "endpoints": []}));
    assert_eq!(super::slice(&orphan), None);
}

#[test]
fn versions_come_from_tags_only() {
    for (image, version) in [
        ("quay.io/cilium/cilium:v1.20.2@sha256:aa", Some("1.20.2")),
        ("localhost:5000/cilium/cilium:1.19.5-eks.1", Some("1.19.5-eks.1")),
        ("quay.io/cilium/cilium@sha256:aa", None),
        ("localhost:5000/cilium", None),
        ("cilium:latest", None),
        ("cilium:main.x", None),
    ] {
        assert_eq!(image_version(image).as_deref(), version, "{image}");
    }
}

#[test]
fn a_pod_tells_why_it_cannot_be_asked() {
    let with = |state: serde_json::Value| -> core::Pod {
        read(json!({
            "metadata": {"name": "cilium-x"},
            "spec": {"nodeName": "nd1", "containers": [{"name": "cilium-agent", "image": "c:v1.20.2"}]},
            "status": {"containerStatuses": [{"name": "cilium-agent", "image": "", "imageID": "", "ready": false,
                                              "restartCount": 3, "state": state}]}
        }))
    };
    let waiting = with(json!({"waiting": {"reason": "CrashLoopBackOff"}}));
    assert!(not_running(&waiting, "cilium-agent").expect("waits").contains("CrashLoopBackOff"));
    assert!(
        not_running(&with(json!({"terminated": {"exitCode": 137}})), "cilium-agent").expect("ended").contains("137")
    );
    let running = with(json!({"running": {"startedAt": "2026-01-01T00:00:00Z"}}));
    assert_eq!(not_running(&running, "cilium-agent"), None);
    let pod = pod(&running, "cilium-agent");
    assert_eq!((pod.restarts, pod.node.as_str(), pod.version.as_deref()), (3, "nd1", Some("1.20.2")));
    assert!(pod.started.is_some());
}
