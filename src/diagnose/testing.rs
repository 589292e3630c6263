//! Small constructors for the unit tests of this folder.

use jiff::Timestamp;

use crate::model::{Block, Condition, Ingress, Pool, Proto, Service, ServicePort, ServiceRef, TrafficPolicy};

/// A moment that all test objects share.
pub fn moment() -> Timestamp {
    "2026-01-02T03:04:05Z".parse().expect("a time")
}

/// A Service that is put together step by step.
pub struct Builder(Service);

/// A LoadBalancer Service without ports or address, last written an hour before [`moment`].
pub fn service(namespace: &str, name: &str) -> Builder {
    Builder(Service {
        id: ServiceRef::new(namespace, name),
        uid: format!("uid-{name}"),
        resource_version: "1".to_owned(),
        created: Some("2026-01-02T02:04:05Z".parse().expect("a time")),
        deleting: None,
        labels: Default::default(),
        annotations: Default::default(),
        controller: None,
        kind: "LoadBalancer".to_owned(),
        class: None,
        cluster_ip: Some("10.96.0.7".to_owned()),
        families: vec!["IPv4".to_owned()],
        load_balancer_ip: None,
        external_ips: Vec::new(),
        external_policy: TrafficPolicy::Cluster,
        internal_policy: TrafficPolicy::Cluster,
        source_ranges: Vec::new(),
        selector: Default::default(),
        ports: Vec::new(),
        ingress: Vec::new(),
        conditions: Vec::new(),
        managers: Vec::new(),
    })
}

impl Builder {
    pub fn port(self, port: u16) -> Self {
        self.with_port(port, Proto::Tcp)
    }

    pub fn udp(self, port: u16) -> Self {
        self.with_port(port, Proto::Udp)
    }

    fn with_port(mut self, port: u16, proto: Proto) -> Self {
        let name = format!("p{port}");
        self.0.ports.push(ServicePort { name, port, proto, target: String::new() });
        self
    }

    pub fn annotate(mut self, name: &str, value: &str) -> Self {
        self.0.annotations.insert(name.to_owned(), value.to_owned());
        self
    }

    pub fn key(self, key: &str) -> Self {
        self.annotate("lbipam.cilium.io/sharing-key", key)
    }

    pub fn pinned(self, ip: &str) -> Self {
        self.annotate("lbipam.cilium.io/ips", ip)
    }

    pub fn label(mut self, name: &str, value: &str) -> Self {
        self.0.labels.insert(name.to_owned(), value.to_owned());
        self
    }

    pub fn selects(mut self, name: &str, value: &str) -> Self {
        self.0.selector.insert(name.to_owned(), value.to_owned());
        self
    }

    pub fn local(mut self) -> Self {
        self.0.external_policy = TrafficPolicy::Local;
        self
    }

    pub fn vip(mut self, ip: &str) -> Self {
        let ip = Some(ip.parse().expect("an address"));
        self.0.ingress.push(Ingress { ip, hostname: None, ip_mode: Some("VIP".to_owned()) });
        self
    }

    pub fn ipam(mut self, status: &str, reason: &str, message: &str) -> Self {
        self.0.conditions.push(Condition {
            kind: "cilium.io/IPAMRequestSatisfied".to_owned(),
            status: status.to_owned(),
            reason: reason.to_owned(),
            message: message.to_owned(),
            since: None,
        });
        self
    }
}

impl From<Builder> for Service {
    fn from(builder: Builder) -> Self {
        builder.0
    }
}

impl std::ops::Deref for Builder {
    type Target = Service;

    fn deref(&self) -> &Service {
        &self.0
    }
}

/// A pool of one block that takes every Service.
pub fn pool(name: &str, cidr: &str) -> Pool {
    Pool {
        name: name.to_owned(),
        created: Some(moment()),
        disabled: false,
        selector: None,
        allow_first_last: None,
        blocks: vec![Block::Cidr { cidr: cidr.to_owned() }],
        conditions: Vec::new(),
    }
}
