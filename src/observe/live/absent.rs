//! Nodes where an agent should run and has no pod: they must not vanish from the answer.

use std::collections::BTreeSet;

use kube::Api;
use kube::api::{ApiResource, DynamicObject, GroupVersionKind};

use super::Live;
use super::agents::{missing, no_pod};
use crate::model::{Agent, MissingKind, Node, Read};
use crate::observe::Event;
use crate::observe::api::{Got, may};

impl Live {
    /// Adds the nodes without an agent's pod, where a CiliumNode says that Cilium belongs there.
    pub(super) async fn add_absent(
        &self,
        agents: &mut Vec<Agent>,
        nodes: &Read<Vec<Node>>,
        chosen: Option<&BTreeSet<String>>,
    ) {
        let nodes = nodes.known().map_or(&[][..], Vec::as_slice);
        let without = without_agent(nodes, agents);
        if without.is_empty() {
            return;
        }
        match self.cilium_nodes().await {
            Ok(cilium) => {
                let here = without.into_iter().filter(|node| cilium.contains(&node.name));
                agents.extend(here.map(|node| absent(node, chosen)));
                agents.sort_by(|a, b| a.pod.node.cmp(&b.pod.node));
            }
            Err(failure) => {
                let names: Vec<&str> = without.iter().map(|node| node.name.as_str()).collect();
                let names = names.join(", ");
                let text = format!("no agent pod on {names}; whether one belongs there is unknown: {}", failure.text);
                (self.reader.events)(Event::Note(text));
            }
        }
    }

    async fn cilium_nodes(&self) -> Got<BTreeSet<String>> {
        let resource = ApiResource::from_gvk(&GroupVersionKind::gvk("cilium.io", "v2", "CiliumNode"));
        let api: Api<DynamicObject> = Api::all_with(self.connection.client.clone(), &resource);
        let names = self.reader.names(may("list", "ciliumnodes.cilium.io", None), &api).await?;
        Ok(names.into_iter().collect())
    }
}

fn without_agent<'a>(nodes: &'a [Node], agents: &[Agent]) -> Vec<&'a Node> {
    let with: BTreeSet<&str> = agents.iter().map(|agent| agent.pod.node.as_str()).collect();
    nodes.iter().filter(|node| !with.contains(node.name.as_str())).collect()
}

fn absent(node: &Node, chosen: Option<&BTreeSet<String>>) -> Agent {
    let reason = if chosen.is_some_and(|nodes| !nodes.contains(&node.name)) {
        missing(MissingKind::NotAsked, "not asked (--nodes)")
    } else if node.ready {
        missing(MissingKind::NoAgent, "no cilium agent pod on this node")
    } else {
        missing(MissingKind::NoAgent, "no cilium agent pod on this node, and the node is not ready")
    };
    Agent { pod: no_pod(node), answer: Read::Unknown(reason) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(name: &str, ready: bool) -> Node {
        Node { name: name.to_owned(), labels: Default::default(), addresses: Vec::new(), ready }
    }

    #[test]
    fn a_node_without_a_pod_is_an_agent_that_does_not_run() {
        let nodes = [node("nd1", true), node("nd2", false)];
        let agents = [absent(&nodes[0], None)];
        let names: Vec<&str> = without_agent(&nodes, &agents).iter().map(|n| n.name.as_str()).collect();
        assert_eq!(names, ["nd2"]);
        let told = |node, chosen| {
            let agent = absent(node, chosen);
            let missing = agent.answer.missing().expect("unknown").clone();
            (missing.kind, missing.text)
        };
        let none = "no cilium agent pod on this node".to_owned();
        assert_eq!(told(&nodes[0], None), (MissingKind::NoAgent, none.clone()));
        assert_eq!(told(&nodes[1], None), (MissingKind::NoAgent, none + ", and the node is not ready"));
        assert_eq!(told(&nodes[0], Some(&BTreeSet::new())).0, MissingKind::NotAsked, "somebody left it out");
    }
}
