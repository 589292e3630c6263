//! One Service under examination: its frontends, and how its evidence is written down.

use std::net::IpAddr;

use jiff::Timestamp;

use super::exposure::excluded_on;
use super::facts::{Facts, NodeView, State, vips};
use super::finding::{Evidence, Finding};
use super::responsible::{Allocator, ipam_condition};
use super::sharing::missing_requests;
use crate::model::{PortKey, Proto, Read, Service, StatusKind};

/// A Service with its frontends on every node.
pub struct Case<'a> {
    /// Everything that was seen.
    pub facts: &'a Facts<'a>,
    /// The Service.
    pub service: &'a Service,
    /// Its frontends: every VIP that it has or asks for, with every port.
    pub frontends: Vec<Frontend<'a>>,
}

/// A frontend of the Service under examination.
pub struct Frontend<'a> {
    /// Which.
    pub key: PortKey,
    /// The Service has the address; otherwise it only asks for it, and no agent will make the row.
    pub held: bool,
    /// What each node has.
    pub views: Vec<NodeView<'a>>,
}

/// Where the rules put what they find.
pub type Sink = Vec<Finding>;

impl<'a> Case<'a> {
    /// Puts the case together. It always has all frontends: what is wrong with one may show on another.
    #[must_use]
    pub fn new(facts: &'a Facts<'a>, service: &'a Service) -> Self {
        let held = vips(service).into_iter().map(|vip| (vip, true));
        let sought = missing_requests(service).into_iter().map(|vip| (vip, false));
        let keys = held.chain(sought).flat_map(|(vip, held)| {
            service.ports.iter().map(move |port| (PortKey { vip, port: port.port, proto: port.proto }, held))
        });
        let wanted = |view: &NodeView<'_>| {
            let nodes = facts.obs.nodes.known().map_or(&[][..], Vec::as_slice);
            nodes.iter().find(|node| node.name == view.node()).is_none_or(|node| excluded_on(service, node).is_none())
        };
        let frontends = keys
            .map(|(key, held)| {
                let views = facts.views(key, Some(&service.id)).into_iter().filter(wanted).collect();
                Frontend { key, held, views }
            })
            .collect();
        Self { facts, service, frontends }
    }

    /// True where LB-IPAM has to give an address and the status has none.
    #[must_use]
    pub fn waits_for_lb_ipam(&self) -> bool {
        self.facts.allocator(self.service) == Allocator::LbIpam && self.service.vips().is_empty()
    }

    /// The frontends on addresses that the Service has.
    pub fn held(&self) -> impl Iterator<Item = &Frontend<'a>> {
        self.frontends.iter().filter(|frontend| frontend.held)
    }

    /// `svc/b`, with the namespace as its own argument: the way commands take it.
    #[must_use]
    pub fn args(&self) -> String {
        svc_args(self.service)
    }

    /// The command that makes every agent look at the Service again, and waits until it is served.
    #[must_use]
    pub fn recover(&self) -> String {
        format!("kubectl vipctl recover {}", self.args())
    }

    /// How ports come here from their owner without being lost. For a note: the claim has to go first.
    #[must_use]
    pub fn take_over(&self, owner: &Service, ports: &[(u16, Proto)]) -> String {
        let (from, to) = (&owner.id, &self.service.id);
        let services = if from.namespace == to.namespace {
            format!("svc/{} svc/{} -n {}", from.name, to.name, to.namespace)
        } else {
            format!("{from} {to}")
        };
        let names: Vec<String> = ports.iter().map(|(port, proto)| format!("{port}/{proto}")).collect();
        let flags: Vec<String> =
            names.iter().map(|name| format!(" --port {}", name.trim_end_matches("/TCP"))).collect();
        format!(
            "To move {} here from svc/{} without losing it: take it off this Service again, then `kubectl vipctl migrate plan {services}{}`.",
            names.join(", "),
            from.name,
            flags.concat()
        )
    }

    /// Evidence from the Service object.
    #[must_use]
    pub fn saw_service(&self, part: &str, fact: impl Into<String>) -> Evidence {
        saw_service(self.facts, self.service, part, fact)
    }

    /// LB-IPAM's own words on the Service, as evidence.
    #[must_use]
    pub fn saw_condition(&self) -> Evidence {
        let fact = match ipam_condition(self.service) {
            Some(condition) if condition.message.is_empty() => {
                format!("condition {}={} {}", condition.kind, condition.status, condition.reason)
            }
            Some(condition) => {
                format!(
                    "condition {}={} {}: \"{}\"",
                    condition.kind, condition.status, condition.reason, condition.message
                )
            }
            None => "no condition cilium.io/IPAMRequestSatisfied".to_owned(),
        };
        self.saw_service("status", format!("{fact}; address {}", vip_text(&self.service.vips())))
    }

    /// Evidence from the agents of these nodes about a VIP's frontends, folded by equal facts.
    #[must_use]
    pub fn saw_rows(&self, key: PortKey, views: &[&NodeView<'a>]) -> Vec<Evidence> {
        self.fold(views, "frontends", &format!("db/prefix frontends {}", key.vip), |view| describe(view, key))
    }

    /// Evidence from the health tables of these nodes.
    #[must_use]
    pub fn saw_refusals(&self, views: &[&NodeView<'a>]) -> Vec<Evidence> {
        let refused: Vec<&NodeView<'a>> = views.iter().copied().filter(|view| view.refusal.is_some()).collect();
        self.fold(&refused, "health", "db/prefix -f json health agent.controlplane.loadbalancer-reflectors", |view| {
            match &view.refusal {
                Some((refusal, row)) => format!(
                    "{}: \"already owned by another service: {} is owned by {}\"",
                    row.level, refusal.key, refusal.owner
                ),
                None => String::new(),
            }
        })
    }

    /// One entry for each distinct fact, naming all nodes that share it.
    pub fn fold(
        &self,
        views: &[&NodeView<'a>],
        table: &str,
        query: &str,
        fact: impl Fn(&NodeView<'a>) -> String,
    ) -> Vec<Evidence> {
        let mut groups: Vec<(String, Vec<&NodeView<'a>>)> = Vec::new();
        for view in views {
            let text = fact(view);
            match groups.iter_mut().find(|(known, _)| *known == text) {
                Some((_, members)) => members.push(view),
                None => groups.push((text, vec![view])),
            }
        }
        let entry = |(fact, members): (String, Vec<&NodeView<'a>>)| Evidence {
            source: format!("{} {table}", node_names(&members)),
            at: members.iter().filter_map(|view| view.agent.answer.at()).min(),
            fact,
            recheck: Some(self.facts.exec(members[0].agent, &format!("shell -- {query}"))),
        };
        groups.into_iter().map(entry).collect()
    }
}

/// `svc/NAME -n NAMESPACE`.
#[must_use]
pub fn svc_args(service: &Service) -> String {
    format!("svc/{} -n {}", service.id.name, service.id.namespace)
}

/// Evidence from any Service object.
#[must_use]
pub fn saw_service(facts: &Facts<'_>, service: &Service, part: &str, fact: impl Into<String>) -> Evidence {
    Evidence {
        source: format!("svc {} {part}", service.id),
        at: facts.obs.services.at(),
        fact: fact.into(),
        recheck: Some(format!("kubectl get {} -o yaml", svc_args(service))),
    }
}

/// Evidence from another API object or list.
#[must_use]
pub fn saw_api<T>(
    read: &Read<T>,
    source: impl Into<String>,
    fact: impl Into<String>,
    recheck: impl Into<String>,
) -> Evidence {
    Evidence { source: source.into(), at: read.at(), fact: fact.into(), recheck: Some(recheck.into()) }
}

/// `node nd1` or `nodes nd1,nd2`.
#[must_use]
pub fn node_names(views: &[&NodeView<'_>]) -> String {
    let names: Vec<&str> = views.iter().map(|view| view.node()).collect();
    format!("{} {}", if names.len() == 1 { "node" } else { "nodes" }, names.join(","))
}

/// What a node has for a key, in words.
fn describe(view: &NodeView<'_>, key: PortKey) -> String {
    let row = match view.state {
        State::Absent => return format!("no frontend {key}"),
        State::Unknown(missing) => return format!("not known: {}", missing.text),
        State::Programmed(row) | State::NotDone(row) | State::Other(row) | State::Listed(row) => row,
    };
    let status = match row.status.kind {
        StatusKind::Done if matches!(view.state, State::NotDone(_)) => "Done with id 0: left out of the datapath",
        StatusKind::Done => "Done",
        StatusKind::Pending => "Pending",
        StatusKind::Refreshing => "Refreshing",
        StatusKind::Error => "Error",
        StatusKind::Other => "listed",
    };
    let error = if row.status.error.is_empty() { String::new() } else { format!(" ({})", row.status.error) };
    let active = row.backends.iter().filter(|backend| backend.active).count();
    format!("frontend {key} owned by {}, {status}{error}, {} active", row.owner, count(active, "backend"))
}

/// `1 backend`, `2 backends`.
#[must_use]
pub fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// Addresses or names with commas.
#[must_use]
pub fn list<T: ToString>(items: &[T]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// The addresses of a Service as text; `<pending>` where it has none.
#[must_use]
pub fn vip_text(vips: &[IpAddr]) -> String {
    if vips.is_empty() { "<pending>".to_owned() } else { list(vips) }
}

/// How long before `now` something was, in rough words.
#[must_use]
pub fn ago(now: Timestamp, then: Timestamp) -> String {
    let seconds = now.duration_since(then).as_secs();
    match seconds {
        ..2 => "just now".to_owned(),
        2..120 => format!("{seconds} s before"),
        120..7200 => format!("{} min before", seconds / 60),
        7200..172_800 => format!("{} h before", seconds / 3600),
        _ => format!("{} d before", seconds / 86400),
    }
}
