//! Which nodes count, and by which pod each is asked.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use k8s_openapi::api::core::v1::{Node, Pod};
use kube::api::{Api, ApiResource, DynamicObject, GroupVersionKind, ListParams};

use crate::observe::{AGENT_CONTAINER, AGENT_LABEL, DEFAULT_NAMESPACE, convert, one_each, plain_error};

/// The first release whose tables say who has a port.
const FIRST: (u64, u64) = (1, 18);

/// An agent's pod.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AgentPod {
    pub namespace: String,
    pub name: String,
}

/// Every node that Cilium serves, with its agent's pod, or why there is none that could be asked.
pub(super) type Nodes = BTreeMap<String, Result<AgentPod, String>>;

/// Reads the agents' pods, and the nodes that should have one.
pub(super) async fn list(client: &kube::Client, namespace: Option<&str>, deadline: Duration) -> Result<Nodes, String> {
    let work = async { futures::join!(pods(client, namespace), expected(client)) };
    let answer = tokio::time::timeout(deadline, work).await;
    let (pods, expected) = answer.map_err(|_| format!("no list of the agents' pods within {deadline:?}"))?;
    let pods = pods.map_err(|error| format!("failed to list the agents' pods: {}", plain_error(&error)))?;
    if pods.is_empty() {
        return Err(format!("no Cilium agent found: no pod with label {AGENT_LABEL}"));
    }
    Ok(nodes(&pods, expected))
}

async fn pods(client: &kube::Client, namespace: Option<&str>) -> kube::Result<Vec<Pod>> {
    let params = ListParams::default().labels(AGENT_LABEL);
    let named = |ns: &str| Api::<Pod>::namespaced(client.clone(), ns);
    let api = namespace.map_or_else(|| Api::all(client.clone()), named);
    match api.list(&params).await {
        Err(kube::Error::Api(status)) if status.code == 403 && namespace.is_none() => {
            Ok(named(DEFAULT_NAMESPACE).list(&params).await?.items)
        }
        other => Ok(other?.items),
    }
}

/// Nodes where a CiliumNode says that an agent belongs there. Who may not list them sees those with a pod.
async fn expected(client: &kube::Client) -> BTreeSet<String> {
    let all = ListParams::default();
    let resource = ApiResource::from_gvk(&GroupVersionKind::gvk("cilium.io", "v2", "CiliumNode"));
    let (cilium, nodes): (Api<DynamicObject>, Api<Node>) =
        (Api::all_with(client.clone(), &resource), Api::all(client.clone()));
    let (Ok(cilium), Ok(nodes)) = futures::join!(cilium.list_metadata(&all), nodes.list_metadata(&all)) else {
        return BTreeSet::new();
    };
    let cilium: BTreeSet<String> = cilium.items.into_iter().filter_map(|object| object.metadata.name).collect();
    nodes.items.into_iter().filter_map(|object| object.metadata.name).filter(|name| cilium.contains(name)).collect()
}

fn nodes(pods: &[Pod], expected: BTreeSet<String>) -> Nodes {
    let absent = |name| (name, Err("no cilium agent pod on this node".to_owned()));
    let mut all: Nodes = expected.into_iter().map(absent).collect();
    for object in one_each(pods) {
        let pod = convert::pod(object, AGENT_CONTAINER);
        let namespace = object.metadata.namespace.clone().unwrap_or_default();
        let trouble = convert::not_running(object, AGENT_CONTAINER).or_else(|| too_old(pod.version.as_deref()?));
        let agent = trouble.map_or_else(|| Ok(AgentPod { namespace, name: pod.name }), Err);
        all.insert(pod.node, agent);
    }
    all
}

/// Why an agent of this version cannot be followed.
pub(super) fn too_old(version: &str) -> Option<String> {
    let mut numbers = version.split(['.', '-']).map(|part| part.parse::<u64>().ok());
    let version_is = (numbers.next()??, numbers.next()??);
    let text = format!("Cilium {version} does not say who has a port; the first release that does is 1.18");
    (version_is < FIRST).then_some(text)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn pod(name: &str, node: &str, tag: &str, state: &serde_json::Value) -> Pod {
        serde_json::from_value(json!({
            "metadata": {"name": name, "namespace": "cilium"},
            "spec": {"nodeName": node, "containers": [{"name": "cilium-agent", "image": format!("quay.io/cilium/cilium:{tag}")}]},
            "status": {"containerStatuses": [
                {"name": "cilium-agent", "state": state, "ready": true, "image": "", "imageID": "", "restartCount": 0}]},
        }))
        .expect("a pod")
    }

    #[test]
    fn every_node_counts_and_says_why_it_cannot_be_asked() {
        let running = json!({"running": {}});
        let pods = [
            pod("one", "nd1", "v1.20.2", &running),
            pod("two", "nd2", "v1.17.9", &running),
            pod("three", "nd3", "v1.20.2", &json!({"waiting": {"reason": "CrashLoopBackOff"}})),
        ];
        let all = nodes(&pods, ["nd1".to_owned(), "nd4".to_owned()].into());
        assert_eq!(all["nd1"], Ok(AgentPod { namespace: "cilium".into(), name: "one".into() }));
        assert!(all["nd2"].as_ref().is_err_and(|text| text.contains("Cilium 1.17.9")));
        assert!(all["nd3"].as_ref().is_err_and(|text| text.contains("CrashLoopBackOff")));
        assert!(all["nd4"].as_ref().is_err_and(|text| text.contains("no cilium agent pod")));
    }

    #[test]
    fn versions_are_compared_as_numbers() {
        assert!(too_old("1.9.1").is_some() && too_old("1.17.0-rc.1").is_some());
        assert!(too_old("1.18.0-pre.3").is_none() && too_old("1.20.2").is_none() && too_old("2.0.0").is_none());
        assert!(too_old("latest").is_none(), "what it is, its answers tell");
    }
}
