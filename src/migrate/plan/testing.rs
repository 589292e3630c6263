//! A world in which a move of `shop/a`'s port 80 to `shop/b` is fine, and ways to spoil it.

use serde_json::{Value, json};

use super::{Access, Plan, Request, Seen, Unfinished, Wish, needed, plan};
use crate::diagnose::testing::{Builder, World, service, world};
use crate::migrate::intent::{Drain, Limits, OnFailure, SourceAfter, Strategy};
use crate::migrate::plan::Ports;
use crate::model::{Observation, Service, ServiceRef};

/// Everything that a plan is made from, to be changed by tests.
pub struct Setting {
    pub request: Request,
    pub observation: Observation,
    /// Changes of the objects as JSON, which the model does not hold.
    pub source: Value,
    pub target: Value,
    pub denied: Vec<&'static str>,
    pub unfinished: Result<Vec<Unfinished>, String>,
}

pub fn a() -> Builder {
    shared("a").port(80).port(443)
}

pub fn b() -> Builder {
    shared("b").udp(53)
}

/// A Service on the VIP, which LB-IPAM has given it.
pub fn shared(name: &str) -> Builder {
    let it = service("shop", name).key("edge").pinned("192.0.2.10").vip("192.0.2.10").selects("app", name);
    it.ipam("True", "satisfied", "")
}

/// `a` and `b`, served by two nodes.
pub fn setting() -> Setting {
    of(a(), b(), |world| world)
}

/// Two Services that nodes serve, with what else is in the world.
pub fn of(source: Builder, target: Builder, more: impl FnOnce(World) -> World) -> Setting {
    let objects = [raw(&source), raw(&target)];
    let mut world = world(&["nd1", "nd2"]);
    for service in [source, target] {
        let owner = service.id.to_string();
        let keys: Vec<String> = service.ports.iter().map(|p| format!("192.0.2.10:{}/{}", p.port, p.proto)).collect();
        world = world.with(service);
        for (node, key) in ["nd1", "nd2"].iter().flat_map(|node| keys.iter().map(move |key| (node, key))) {
            world = world.row(node, key, &owner);
        }
    }
    let [source, target] = objects;
    Setting {
        request: request(&["80"]),
        observation: more(world).0,
        source,
        target,
        denied: Vec::new(),
        unfinished: Ok(Vec::new()),
    }
}

/// A move between two Services of a recorded look.
pub fn of_observation(observation: Observation, from: ServiceRef, to: ServiceRef, port: &str) -> Setting {
    let services = observation.services.known().expect("Services");
    let object = |id: &ServiceRef| raw(services.iter().find(|service| service.id == *id).expect("the Service"));
    let (source, target) = (object(&from), object(&to));
    let request = Request { source: from, target: to, ..request(&[port]) };
    Setting { request, observation, source, target, denied: Vec::new(), unfinished: Ok(Vec::new()) }
}

pub fn request(ports: &[&str]) -> Request {
    let wish = |text: &&str| text.parse::<Wish>().expect("a port");
    Request {
        source: ServiceRef::new("shop", "a"),
        target: ServiceRef::new("shop", "b"),
        ports: Ports::These(ports.iter().map(wish).collect()),
        vip: None,
        strategy: Strategy::Ordered,
        drain: None,
        source_after: None,
        changes: Vec::new(),
        limits: Limits { timeout_ms: 120_000, max_dark_ms: 20_000, allow_unknown: 0, on_failure: OnFailure::Rollback },
        override_owner: false,
    }
}

/// The object as the API would hold it.
fn raw(service: &Service) -> Value {
    let port = |(place, port): (usize, &crate::model::ServicePort)| {
        json!({
            "name": port.name, "port": port.port, "protocol": port.proto.to_string(),
            "targetPort": 8080, "nodePort": 30_000 + u32::from(port.port) + u32::try_from(place).expect("small"),
        })
    };
    let policy = if service.external_policy == crate::model::TrafficPolicy::Local { "Local" } else { "Cluster" };
    let ports: Vec<Value> = service.ports.iter().enumerate().map(port).collect();
    json!({
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {
            "name": service.id.name, "namespace": service.id.namespace, "uid": service.uid,
            "resourceVersion": service.resource_version, "annotations": service.annotations,
        },
        "spec": {
            "type": service.kind, "ports": ports, "selector": service.selector,
            "externalTrafficPolicy": policy, "sessionAffinity": "None",
        },
    })
}

impl Setting {
    pub fn handoff(mut self) -> Self {
        self.request.strategy = Strategy::Handoff;
        self.request.drain = Some(Drain { timeout_ms: 60_000 });
        self
    }

    pub fn after(mut self, after: SourceAfter) -> Self {
        self.request.source_after = Some(after);
        self
    }

    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    pub fn plan(&self) -> Plan {
        let allowed = |text: &str| !self.denied.contains(&text);
        let access: Vec<Access> = needed(&self.request)
            .into_iter()
            .map(|permission| Access { allowed: Some(allowed(&permission.to_string())), permission })
            .collect();
        let unfinished = self.unfinished.as_deref().map_err(String::as_str);
        let seen = Seen {
            observation: &self.observation,
            source: &self.source,
            target: &self.target,
            access: &access,
            unfinished,
        };
        plan(&self.request, &seen)
    }
}
