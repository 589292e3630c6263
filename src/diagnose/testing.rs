//! Small constructors for the unit tests of this folder.

use jiff::Timestamp;

use super::{SubjectReport, explain};
use crate::model::{
    Agent, AgentAnswer, AgentBackend, Asked, Block, Condition, Endpoint, EndpointSlice, FORMAT, FrontendRow, HealthRow,
    Ingress, Install, L2Policy, Lease, Missing, MissingKind, Node, Observation, Origin, Pod, Pool, Proto, Read,
    RowStatus, Service, ServicePort, ServiceRef, SlicePort, SourceKind, StatusKind, Subject, TrafficPolicy,
};

/// A moment that all test objects share.
pub fn moment() -> Timestamp {
    "2026-01-02T03:04:05Z".parse().expect("a time")
}

/// A Service that is put together step by step.
#[derive(Clone)]
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
        self.0.ports.push(ServicePort { name, port, proto, node_port: None, target: String::new() });
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

    pub fn external(mut self, ip: &str) -> Self {
        self.0.external_ips.push(ip.parse().expect("an address"));
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

/// A cluster as it was seen, put together step by step.
pub struct World(pub Observation);

fn known<T>(value: T) -> Read<T> {
    Read::Known { value, at: moment() }
}

/// A cluster with agents of 1.20.2 on these nodes, which were asked about `192.0.2.10` and know
/// nothing of it; LB-IPAM and L2 announcements are on, and a pool and a policy take every Service.
pub fn world(nodes: &[&str]) -> World {
    let agent = |node: &&str| Agent {
        pod: Pod {
            name: format!("cilium-{node}"),
            node: (*node).to_owned(),
            ready: true,
            restarts: 0,
            started: None,
            version: Some("1.20.2".to_owned()),
        },
        answer: known(AgentAnswer {
            bytes: 0,
            took_ms: 1,
            version: None,
            frontends: Vec::new(),
            services: None,
            health: Vec::new(),
            l2: None,
            maps: None,
        }),
    };
    let node =
        |name: &&str| Node { name: (*name).to_owned(), labels: Default::default(), addresses: Vec::new(), ready: true };
    let policy = L2Policy {
        name: "all".to_owned(),
        service_selector: None,
        node_selector: None,
        interfaces: Vec::new(),
        load_balancer_ips: true,
        external_ips: true,
    };
    World(Observation {
        format: FORMAT.to_owned(),
        taken_at: moment(),
        origin: Origin {
            kind: SourceKind::Live,
            context: "test".to_owned(),
            kubernetes: None,
            flags: Vec::new(),
            command: None,
        },
        subjects: Vec::new(),
        asked: Asked { services: Vec::new(), vips: vec!["192.0.2.10".parse().expect("an address")] },
        install: Install {
            namespace: "kube-system".to_owned(),
            config: known([("enable-l2-announcements".to_owned(), "true".to_owned())].into()),
            operators: known(vec![agent(&"op").pod]),
            leader: known(None),
        },
        services: known(Vec::new()),
        others_missing: None,
        absent: Vec::new(),
        slices: known(Vec::new()),
        pools: known(vec![pool("edge", "192.0.2.0/24")]),
        l2_policies: known(vec![policy]),
        advertisements: known(Vec::new()),
        bgp_nodes: known(Vec::new()),
        leases: known(Vec::new()),
        nodes: known(nodes.iter().map(node).collect()),
        agents: nodes.iter().map(agent).collect(),
    })
}

/// Adds to a list that was read.
fn push<T>(read: &mut Read<Vec<T>>, item: T) {
    if let Read::Known { value, .. } = read {
        value.push(item);
    }
}

impl World {
    /// Adds a Service with one ready endpoint for each of its ports, and its announcement from nd1.
    pub fn with(mut self, service: Builder) -> Self {
        let service: Service = service.into();
        let endpoint = Endpoint {
            addresses: vec!["10.0.0.1".to_owned()],
            node: None,
            ready: true,
            serving: true,
            terminating: false,
        };
        let port = |p: &ServicePort| SlicePort { name: p.name.clone(), port: Some(8080), proto: p.proto };
        self.0.asked.services.push(service.id.clone());
        push(
            &mut self.0.slices,
            EndpointSlice {
                name: format!("{}-1", service.id.name),
                service: service.id.clone(),
                ports: service.ports.iter().map(port).collect(),
                endpoints: vec![endpoint],
            },
        );
        push(
            &mut self.0.leases,
            Lease {
                name: format!("cilium-l2announce-{}-{}", service.id.namespace, service.id.name),
                holder: "nd1".to_owned(),
                renewed: Some(moment()),
                seconds: 15,
            },
        );
        push(&mut self.0.services, service);
        self
    }

    /// Notes a Service that was looked for in vain.
    pub fn absent(mut self, id: &str) -> Self {
        self.0.absent.push(id.parse().expect("a Service"));
        self
    }

    fn answer(&mut self, node: &str) -> &mut AgentAnswer {
        let agent = self.0.agents.iter_mut().find(|agent| agent.pod.node == node).expect("a node");
        match &mut agent.answer {
            Read::Known { value, .. } => value,
            Read::Unknown(_) => panic!("{node} did not answer"),
        }
    }

    /// Gives a node a row that is Done and has one active backend.
    pub fn row(mut self, node: &str, key: &str, owner: &str) -> Self {
        let backend = AgentBackend { address: "10.0.0.1:8080/TCP".to_owned(), active: true, node: "nd1".to_owned() };
        let row = FrontendRow {
            key: key.parse().expect("a key"),
            internal: false,
            kind: "LoadBalancer".to_owned(),
            owner: owner.parse().expect("a Service"),
            status: RowStatus { kind: StatusKind::Done, error: String::new(), updated: Some(moment()), id: 7 },
            backends: vec![backend],
            redirected: false,
        };
        self.answer(node).frontends.push(row);
        self
    }

    /// Changes a node's last row.
    pub fn but(mut self, node: &str, change: impl FnOnce(&mut FrontendRow)) -> Self {
        change(self.answer(node).frontends.last_mut().expect("a row"));
        self
    }

    /// Makes a node report a refused claim.
    pub fn refused(mut self, node: &str, key: &str, owner: &str) -> Self {
        self.answer(node).health.push(HealthRow {
            id: "loadbalancer-reflectors.k8s-reflector.job-reflect-services-endpoints".to_owned(),
            level: "Degraded".to_owned(),
            message: "Failure processing services".to_owned(),
            error: format!("frontend already owned by another service: {key} is owned by {owner}"),
            updated: Some(moment()),
        });
        self
    }

    /// Makes a node give no answer.
    pub fn silent(mut self, node: &str, kind: MissingKind) -> Self {
        let agent = self.0.agents.iter_mut().find(|agent| agent.pod.node == node).expect("a node");
        agent.answer = Read::Unknown(Missing { kind, text: "no answer".to_owned(), permission: None });
        self
    }

    /// Changes anything else.
    pub fn edit(mut self, change: impl FnOnce(&mut Observation)) -> Self {
        change(&mut self.0);
        self
    }

    /// Explains one Service.
    pub fn service(self, id: &str) -> SubjectReport {
        self.subject(Subject::Service(id.parse().expect("a Service")))
    }

    /// Explains one subject.
    pub fn subject(mut self, subject: Subject) -> SubjectReport {
        self.0.subjects = vec![subject];
        explain(&self.0).expect("explainable").subjects.remove(0)
    }
}
