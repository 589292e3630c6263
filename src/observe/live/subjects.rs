//! From what was named to what has to be read.

use std::net::IpAddr;

use futures::future::join_all;
use k8s_openapi::api::core::v1 as core;
use kube::Api;
use kube::api::ListParams;

use super::{Live, Once, asked};
use crate::model::{Asked, Service, ServiceRef, Subject};
use crate::observe::api::{Cause, Failure, Got, may};
use crate::observe::{ObserveError, Scope, Selection, convert, explainable, nearest, typed};

/// The subjects with what is known of their Services.
pub(super) struct Resolved {
    pub subjects: Vec<Subject>,
    /// Services that were read beside the list of all LoadBalancer Services.
    pub services: Vec<Service>,
    pub asked: Asked,
}

/// Addresses that a Service asks for, whether it has them or not.
pub(super) fn requested(service: &Service) -> Vec<IpAddr> {
    let notes = ["lbipam.cilium.io/ips", "io.cilium/lb-ipam-ips"].iter().filter_map(|k| service.annotations.get(*k));
    let words = notes.map(String::as_str).chain(service.load_balancer_ip.as_deref());
    words.flat_map(|text| text.split(',')).filter_map(convert::address).collect()
}

/// Whether a Service has the address or asks for it.
fn wants(service: &Service, vip: IpAddr) -> bool {
    service.vips().contains(&vip) || requested(service).contains(&vip)
}

/// Whether a Service may explain what answers, or should answer, on an address or port.
fn concerns(service: &Service, subject: &Subject) -> bool {
    let on =
        |vip: &IpAddr| wants(service, *vip) || service.cluster_ip.as_deref().and_then(convert::address) == Some(*vip);
    match subject {
        Subject::Service(_) => false,
        Subject::Vip(vip) => on(vip),
        // The address may be a node's: then the port decides.
        Subject::Frontend(key) => {
            on(&key.vip) || service.ports.iter().any(|p| p.node_port == Some(key.port) && p.proto == key.proto)
        }
    }
}

impl Live {
    /// Reads the subjects' Services and finds out what to ask the agents.
    pub(super) async fn resolve(
        &self,
        scope: &Scope,
        balancers: &Once<'_, Vec<Service>>,
    ) -> Result<Resolved, ObserveError> {
        let mut subjects = scope.subjects.clone();
        let named = subjects.iter().filter_map(|s| match s {
            Subject::Service(id) => Some(id.clone()),
            _ => None,
        });
        let mut services = Vec::new();
        for result in join_all(named.map(|id| self.named_service(id))).await {
            services.push(result?);
        }
        if let Some(selection) = &scope.selection {
            let selected = self.selected(selection, balancers).await?;
            subjects.extend(selected.iter().map(|s| Subject::Service(s.id.clone())));
            services.extend(selected);
        }
        let mut claimants = Vec::new();
        for subject in &subjects {
            let vip = match subject {
                Subject::Service(_) => continue,
                Subject::Vip(vip) => *vip,
                Subject::Frontend(key) => key.vip,
            };
            claimants.extend(self.claimants(vip, balancers).await?);
        }
        let mut seen = std::collections::BTreeSet::new();
        subjects.retain(|s| seen.insert(s.clone()));
        let asked = asked(&subjects, &services, &claimants);
        Ok(Resolved { subjects, services, asked })
    }

    /// Gets a Service that was named.
    async fn named_service(&self, id: ServiceRef) -> Result<Service, ObserveError> {
        match self.get_service(&id).await {
            Ok(service) => Ok(service),
            Err(failure) if failure.cause == Cause::NotFound => Err(self.not_found(id).await),
            Err(failure) => Err(self.fatal(&format!("get service {id}"), &failure)),
        }
    }

    pub(super) async fn get_service(&self, id: &ServiceRef) -> Got<Service> {
        let api: Api<core::Service> = Api::namespaced(self.connection.client.clone(), &id.namespace);
        let permission = may("get", "services", Some(&id.namespace));
        self.reader.read(permission, || api.get(&id.name)).await.map(|s| convert::service(&s))
    }

    /// A Service that is not there: says which names are near. The very name in another namespace is
    /// what was meant; then no other is.
    async fn not_found(&self, id: ServiceRef) -> ObserveError {
        let all = ListParams::default();
        let here = self.list_services(Some(&id.namespace), &all);
        let everywhere = self.list_services(None, &all);
        let (here, everywhere) = futures::join!(here, everywhere);
        let here = here.unwrap_or_default();
        let everywhere = everywhere.unwrap_or_default();
        if here.is_empty()
            && let Some(error) = self.no_namespace(&id, &everywhere).await
        {
            return error;
        }
        let offered = everywhere.iter().filter(|s| explainable(s));
        let mut near: Vec<String> = offered.filter(|s| s.id.name == id.name).map(|s| typed(&s.id)).take(5).collect();
        if near.is_empty() {
            let names = here.iter().filter(|s| explainable(s)).map(|s| s.id.name.as_str());
            near = nearest(&id.name, names).into_iter().map(|n| typed(&ServiceRef::new(&id.namespace, n))).collect();
        }
        ObserveError::NotFound { near, id }
    }

    async fn no_namespace(&self, id: &ServiceRef, everywhere: &[Service]) -> Option<ObserveError> {
        let api: Api<core::Namespace> = Api::all(self.connection.client.clone());
        let permission = may("get", "namespaces", None);
        let failure = self.reader.read(permission, || api.get(&id.namespace)).await.err()?;
        if failure.cause != Cause::NotFound {
            return None;
        }
        let mut names: Vec<&str> = everywhere.iter().map(|s| s.id.namespace.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        let near = nearest(&id.namespace, names.into_iter()).into_iter().map(str::to_owned).collect();
        Some(ObserveError::NoNamespace { name: id.namespace.clone(), near })
    }

    /// Lists Services of one namespace or of all.
    pub(super) async fn list_services(&self, namespace: Option<&str>, params: &ListParams) -> Got<Vec<Service>> {
        let client = self.connection.client.clone();
        let api: Api<core::Service> = match namespace {
            Some(namespace) => Api::namespaced(client, namespace),
            None => Api::all(client),
        };
        let list = self.reader.list(may("list", "services", namespace), &api, params).await?;
        Ok(list.iter().map(convert::service).collect())
    }

    /// Every LoadBalancer Service and, where addresses are in question, every other one that may have
    /// to do with them: any Service can claim an address by `spec.externalIPs`.
    pub(super) async fn candidates(&self, subjects: &[Subject]) -> Got<Vec<Service>> {
        if subjects.iter().all(|subject| matches!(subject, Subject::Service(_))) {
            return self.load_balancers().await;
        }
        let all = self.list_services(None, &ListParams::default()).await?;
        Ok(all.into_iter().filter(|s| s.kind == "LoadBalancer" || subjects.iter().any(|of| concerns(s, of))).collect())
    }

    /// Every LoadBalancer Service, in one or few pages whatever else the cluster holds.
    async fn load_balancers(&self) -> Got<Vec<Service>> {
        let params = ListParams::default().fields("spec.type=LoadBalancer");
        match self.list_services(None, &params).await {
            // API servers before 1.24 do not know the field.
            Err(Failure { cause: Cause::BadRequest, .. }) => {
                let all = self.list_services(None, &ListParams::default()).await?;
                Ok(all.into_iter().filter(|s| s.kind == "LoadBalancer").collect())
            }
            other => other,
        }
    }

    async fn selected(
        &self,
        selection: &Selection,
        balancers: &Once<'_, Vec<Service>>,
    ) -> Result<Vec<Service>, ObserveError> {
        let all = match (&selection.namespace, &selection.labels) {
            (None, None) => balancers.clone().await.as_ref().clone(),
            (namespace, labels) => {
                let mut params = ListParams::default();
                if let Some(labels) = labels {
                    params = params.labels(labels);
                }
                if namespace.is_none() {
                    params = params.fields("spec.type=LoadBalancer");
                }
                self.list_services(namespace.as_deref(), &params).await
            }
        };
        let all = all.map_err(|failure| self.fatal("list services", &failure))?;
        let chosen: Vec<Service> = all.into_iter().filter(explainable).collect();
        if chosen.is_empty() {
            return Err(ObserveError::NothingSelected(selection.clone()));
        }
        Ok(chosen)
    }

    /// Services that have the address or ask for it.
    async fn claimants(
        &self,
        vip: IpAddr,
        balancers: &Once<'_, Vec<Service>>,
    ) -> Result<Vec<ServiceRef>, ObserveError> {
        match balancers.clone().await.as_ref() {
            Ok(known) => Ok(known.iter().filter(|s| wants(s, vip)).map(|s| s.id.clone()).collect()),
            Err(failure) if failure.cause == Cause::Forbidden => Ok(Vec::new()),
            Err(failure) => Err(self.fatal("list services", failure)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Proto, ServicePort};

    fn service(kind: &str, change: impl Fn(&mut Service)) -> Service {
        let mut service = convert::service(&core::Service::default());
        service.id = ServiceRef::new("shop", "x");
        service.kind = kind.to_owned();
        change(&mut service);
        service
    }

    #[test]
    fn any_service_may_claim_an_address() {
        let vip: IpAddr = "192.0.2.11".parse().expect("an address");
        let (address, port) = (Subject::Vip(vip), Subject::Frontend("192.0.2.11:30080".parse().expect("a port")));
        let claims = service("ClusterIP", |s| s.external_ips.push(vip));
        let cluster = service("ClusterIP", |s| s.cluster_ip = Some("192.0.2.11".to_owned()));
        let node = service("NodePort", |s| {
            let (name, target) = (String::new(), String::new());
            s.ports.push(ServicePort { name, port: 80, proto: Proto::Tcp, node_port: Some(30080), target });
        });
        let told = |s: &Service| (concerns(s, &address), concerns(s, &port), wants(s, vip));
        assert_eq!(told(&claims), (true, true, true));
        assert_eq!(told(&cluster), (true, true, false), "kept, but no claimant");
        assert_eq!(told(&node), (false, true, false));
        assert_eq!(told(&service("ClusterIP", |_| ())), (false, false, false));
        assert!(!concerns(&claims, &Subject::Service(claims.id.clone())));
        let asked = asked(&[address], &[], std::slice::from_ref(&claims.id));
        assert_eq!(asked.services, [claims.id], "its endpoints are read too");
    }
}
