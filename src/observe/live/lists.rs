//! The reads that come in while the agents answer.

use std::collections::{BTreeMap, BTreeSet};

use futures::future::join_all;
use k8s_openapi::api::coordination::v1 as coordination;
use k8s_openapi::api::core::v1 as core;
use k8s_openapi::api::discovery::v1 as discovery;
use kube::Api;
use kube::api::{ApiResource, DynamicObject, GroupVersionKind, ListParams};

use super::{Live, Once, Resolved};
use crate::model::{
    Advertisement, Agent, BgpNode, EndpointSlice, Install, L2Policy, Lease, Node, Pool, Read, Service, ServiceRef,
    Subject,
};
use crate::observe::api::{Cause, Failure, Got, may, noted};
use crate::observe::{ObserveError, convert, crds};

/// The label of the agents' pods.
pub(crate) const AGENT_LABEL: &str = "k8s-app=cilium";
/// Their container.
pub(crate) const AGENT_CONTAINER: &str = "cilium-agent";
const OPERATOR_LABEL: &str = "io.cilium/app=operator";
const LEADER_LEASE: &str = "cilium-operator-resource-lock";
pub(crate) const DEFAULT_NAMESPACE: &str = "kube-system";

/// Up to so many Leases are got by name; a list is cheaper for more.
const FEW: usize = 12;

/// So many owners are looked up at most; more are named than anybody reads.
const MOST_OWNERS: usize = 32;

/// What a cluster runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerVersions {
    /// Kubernetes' version.
    pub kubernetes: String,
    /// Cilium's, each once.
    pub cilium: Vec<String>,
    /// Why Cilium's is not known, where it is not.
    pub unknown: Option<String>,
}

/// Services that agents named and no list held.
pub(super) struct Owners {
    pub found: Vec<Service>,
    pub absent: Vec<ServiceRef>,
}

impl Live {
    /// The agents' pods: in the namespace that was named, or wherever their label is.
    pub(super) async fn agent_pods(&self) -> Got<Vec<core::Pod>> {
        let params = ListParams::default().labels(AGENT_LABEL);
        let client = || self.connection.client.clone();
        let namespace = self.settings.cilium_namespace.as_deref();
        let api = namespace.map_or_else(|| Api::all(client()), |ns| Api::namespaced(client(), ns));
        match self.reader.list(may("list", "pods", namespace), &api, &params).await {
            Err(Failure { cause: Cause::Forbidden, .. }) if namespace.is_none() => {
                let usual = Some(DEFAULT_NAMESPACE);
                let api = Api::namespaced(client(), DEFAULT_NAMESPACE);
                self.reader.list(may("list", "pods", usual), &api, &params).await
            }
            other => other,
        }
    }

    /// The agents' namespace.
    pub(super) fn cilium_namespace(&self, pods: &Got<Vec<core::Pod>>) -> String {
        let seen = || pods.as_ref().ok()?.first()?.metadata.namespace.clone();
        let named = self.settings.cilium_namespace.clone();
        named.or_else(seen).unwrap_or_else(|| DEFAULT_NAMESPACE.to_owned())
    }

    /// Names of the nodes that `--nodes` selects; none where it was not given.
    pub(super) async fn chosen_nodes(&self) -> Result<Option<BTreeSet<String>>, ObserveError> {
        let Some(selector) = &self.settings.nodes else { return Ok(None) };
        let api: Api<core::Node> = Api::all(self.connection.client.clone());
        let params = ListParams::default().labels(selector);
        let nodes = self.reader.list(may("list", "nodes", None), &api, &params).await;
        let nodes = nodes.map_err(|failure| self.fatal("list nodes", &failure))?;
        if nodes.is_empty() {
            return Err(ObserveError::Read {
                what: "choose nodes".into(),
                text: format!("none has labels '{selector}'"),
            });
        }
        Ok(Some(nodes.into_iter().filter_map(|n| n.metadata.name).collect()))
    }

    pub(super) async fn version(&self) -> Got<String> {
        let client = &self.connection.client;
        let info = self.reader.read(may("get", "/version", None), || client.apiserver_version()).await?;
        Ok(info.git_version.trim_start_matches('v').to_owned())
    }

    /// The versions of Kubernetes and, from the agents' images, of Cilium, each once.
    ///
    /// # Errors
    /// When the server does not tell its version; Cilium's may stay unknown.
    pub async fn versions(&self) -> Result<ServerVersions, ObserveError> {
        let (kubernetes, pods) = futures::join!(self.version(), self.agent_pods());
        let kubernetes = kubernetes.map_err(|failure| self.fatal("get the server's version", &failure))?;
        let seen = |pods: &[core::Pod]| -> BTreeSet<String> {
            pods.iter().filter_map(|pod| convert::pod(pod, AGENT_CONTAINER).version).collect()
        };
        let (cilium, unknown) = match pods {
            Err(Failure { cause: Cause::Forbidden, permission, .. }) => {
                (BTreeSet::new(), Some(format!("forbidden, missing permission: {permission}")))
            }
            Err(failure) => (BTreeSet::new(), Some(failure.text)),
            Ok(pods) if pods.is_empty() => (BTreeSet::new(), Some(self.no_cilium().to_string())),
            Ok(pods) => (seen(&pods), None),
        };
        let unknown = unknown.or_else(|| cilium.is_empty().then(|| "the agents' images name no version".to_owned()));
        Ok(ServerVersions { kubernetes, cilium: cilium.into_iter().collect(), unknown })
    }

    pub(super) async fn nodes(&self) -> Read<Vec<Node>> {
        let api: Api<core::Node> = Api::all(self.connection.client.clone());
        let list = self.reader.list(may("list", "nodes", None), &api, &ListParams::default()).await;
        noted(list.map(|nodes| nodes.iter().map(convert::node).collect()))
    }

    /// Objects of a kind of Cilium's, in the newest version that is served.
    async fn cilium_objects(&self, kind: &str, plural: &str, versions: &[&str]) -> Got<Vec<DynamicObject>> {
        let permission = may("list", &format!("{plural}.cilium.io"), None);
        let mut last = Failure::unreadable(permission.clone(), "no version is known".to_owned());
        for version in versions {
            let gvk = GroupVersionKind::gvk("cilium.io", version, kind);
            let resource = ApiResource::from_gvk_with_plural(&gvk, plural);
            let api: Api<DynamicObject> = Api::all_with(self.connection.client.clone(), &resource);
            match self.reader.list(permission.clone(), &api, &ListParams::default()).await {
                Err(failure) if failure.cause == Cause::NotFound => last = failure,
                other => return other,
            }
        }
        last.text = format!("the API server does not serve {plural}.cilium.io");
        Err(last)
    }

    async fn converted<T>(
        &self,
        (kind, plural): (&str, &str),
        versions: &[&str],
        convert: impl Fn(&DynamicObject) -> Result<T, crds::ShapeError>,
    ) -> Read<Vec<T>> {
        let list = self.cilium_objects(kind, plural, versions).await.and_then(|objects| {
            let all: Result<Vec<T>, _> = objects.iter().map(convert).collect();
            all.map_err(|error| Failure::unreadable(may("list", plural, None), error.to_string()))
        });
        noted(list)
    }

    pub(super) async fn pools(&self) -> Read<Vec<Pool>> {
        let names = ("CiliumLoadBalancerIPPool", "ciliumloadbalancerippools");
        self.converted(names, &["v2", "v2alpha1"], crds::pool).await
    }

    pub(super) async fn l2_policies(&self) -> Read<Vec<L2Policy>> {
        let names = ("CiliumL2AnnouncementPolicy", "ciliuml2announcementpolicies");
        self.converted(names, &["v2alpha1"], crds::l2_policy).await
    }

    pub(super) async fn advertisements(&self) -> Read<Vec<Advertisement>> {
        let names = ("CiliumBGPAdvertisement", "ciliumbgpadvertisements");
        match self.converted(names, &["v2", "v2alpha1"], crds::advertisements).await {
            Read::Known { value, at } => Read::Known { value: value.into_iter().flatten().collect(), at },
            Read::Unknown(missing) => Read::Unknown(missing),
        }
    }

    pub(super) async fn bgp_nodes(&self) -> Read<Vec<BgpNode>> {
        let names = ("CiliumBGPNodeConfig", "ciliumbgpnodeconfigs");
        self.converted(names, &["v2", "v2alpha1"], crds::bgp_node).await
    }

    /// What the API shows of the installation; waits for the agents' pods, which tell the namespace.
    pub(super) async fn install(&self, pods: &Once<'_, Vec<core::Pod>>) -> Install {
        let namespace = self.cilium_namespace(pods.clone().await.as_ref());
        let client = || self.connection.client.clone();
        let (maps, operators, leases) = (
            Api::<core::ConfigMap>::namespaced(client(), &namespace),
            Api::<core::Pod>::namespaced(client(), &namespace),
            Api::<coordination::Lease>::namespaced(client(), &namespace),
        );
        let labels = ListParams::default().labels(OPERATOR_LABEL);
        let here = Some(namespace.as_str());
        let (config, operators, leader) = futures::join!(
            self.reader.read(may("get", "configmaps", here), || maps.get("cilium-config")),
            self.reader.list(may("list", "pods", here), &operators, &labels),
            self.reader.read(may("get", "leases", here), || leases.get_opt(LEADER_LEASE)),
        );
        Install {
            config: noted(config.map(|map| convert::config(&map))),
            operators: noted(operators.map(|pods| pods.iter().map(|p| convert::pod(p, "cilium-operator")).collect())),
            leader: noted(leader.map(|lease| lease.map(|l| convert::lease(&l)))),
            namespace,
        }
    }

    /// EndpointSlices of Services, by one list for each namespace.
    pub(super) async fn slices(&self, services: &[ServiceRef]) -> Read<Vec<EndpointSlice>> {
        let mut names: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for id in services {
            names.entry(&id.namespace).or_default().push(&id.name);
        }
        let lists = join_all(names.iter().map(|(namespace, names)| self.slices_in(namespace, names))).await;
        let all: Got<Vec<Vec<EndpointSlice>>> = lists.into_iter().collect();
        noted(all.map(|lists| {
            let mut slices: Vec<EndpointSlice> = lists.into_iter().flatten().collect();
            slices.sort_by(|a, b| (&a.service, &a.name).cmp(&(&b.service, &b.name)));
            slices
        }))
    }

    async fn slices_in(&self, namespace: &str, names: &[&str]) -> Got<Vec<EndpointSlice>> {
        const LABEL: &str = "kubernetes.io/service-name";
        let api: Api<discovery::EndpointSlice> = Api::namespaced(self.connection.client.clone(), namespace);
        // Very many names do not fit into a URL.
        let chosen = if names.len() > 50 { LABEL.to_owned() } else { format!("{LABEL} in ({})", names.join(",")) };
        let permission = may("list", "endpointslices.discovery.k8s.io", Some(namespace));
        let list = self.reader.list(permission, &api, &ListParams::default().labels(&chosen)).await?;
        let slices = list.iter().filter_map(convert::slice);
        Ok(slices.filter(|s| names.contains(&s.service.name.as_str())).collect())
    }

    /// The announcements' Leases of every Service on the addresses in question.
    pub(super) async fn leases(
        &self,
        namespace: &str,
        resolved: &Resolved,
        balancers: &Once<'_, Vec<Service>>,
    ) -> Read<Vec<Lease>> {
        let balancers = balancers.clone().await;
        let all = balancers.as_ref().as_ref().map_or(&[][..], Vec::as_slice).iter().chain(&resolved.services);
        let on_vip = all.filter(|s| s.vips().iter().any(|vip| resolved.asked.vips.contains(vip))).map(|s| &s.id);
        let named = resolved.subjects.iter().filter_map(|s| match s {
            Subject::Service(id) => Some(id),
            _ => None,
        });
        let ids: BTreeSet<&ServiceRef> = on_vip.chain(named).collect();
        let names: BTreeSet<String> =
            ids.iter().map(|id| format!("cilium-l2announce-{}-{}", id.namespace, id.name)).collect();
        let api: Api<coordination::Lease> = Api::namespaced(self.connection.client.clone(), namespace);
        let found: Got<Vec<coordination::Lease>> = if names.len() <= FEW {
            let permission = may("get", "leases.coordination.k8s.io", Some(namespace));
            let gets = names.iter().map(|name| self.reader.read(permission.clone(), || api.get_opt(name)));
            join_all(gets).await.into_iter().filter_map(Result::transpose).collect()
        } else {
            let permission = may("list", "leases.coordination.k8s.io", Some(namespace));
            let list = self.reader.list(permission, &api, &ListParams::default()).await;
            list.map(|all| {
                all.into_iter().filter(|l| l.metadata.name.as_ref().is_some_and(|n| names.contains(n))).collect()
            })
        };
        noted(found.map(|leases| leases.iter().map(convert::lease).collect()))
    }

    /// Looks up the Services that agents name as owners and that no list holds: they may be of
    /// another type, or gone.
    pub(super) async fn owners(&self, agents: &[Agent], listed: &Got<Vec<Service>>, resolved: &Resolved) -> Owners {
        let mut owners = named_owners(agents, resolved);
        for known in listed.as_ref().into_iter().flatten().chain(&resolved.services) {
            owners.remove(&known.id);
        }
        let asked: Vec<ServiceRef> = owners.into_iter().take(MOST_OWNERS).collect();
        let answers = join_all(asked.iter().map(|id| self.get_service(id))).await;
        let mut result = Owners { found: Vec::new(), absent: Vec::new() };
        for (id, answer) in asked.into_iter().zip(answers) {
            match answer {
                Ok(service) => result.found.push(service),
                Err(failure) if failure.cause == Cause::NotFound => result.absent.push(id),
                // Not known to be there, not known to be gone.
                Err(_) => {}
            }
        }
        result
    }
}

/// Owners of rows on the addresses in question, and owners that refusals about them name.
fn named_owners(agents: &[Agent], resolved: &Resolved) -> BTreeSet<ServiceRef> {
    let mut owners = BTreeSet::new();
    for answer in agents.iter().filter_map(|a| a.answer.known()) {
        let rows = answer.frontends.iter().filter(|row| resolved.asked.vips.contains(&row.key.vip));
        owners.extend(rows.map(|row| row.owner.clone()));
        for line in answer.health.iter().flat_map(|row| row.error.lines()) {
            let about = resolved.asked.vips.iter().any(|vip| line.contains(&vip.to_string()));
            let owner = line.rsplit_once("is owned by ").map(|(_, rest)| rest.split_whitespace().next());
            if let (true, Some(Some(owner))) = (about, owner) {
                owners.extend(owner.parse::<ServiceRef>());
            }
        }
    }
    // Neither Services of other clusters nor host ports are Services of this API.
    owners.retain(|id| !id.namespace.contains('/') && !id.name.contains(':'));
    owners
}
