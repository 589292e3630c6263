//! Sharers that stand in the way of an address: who, by which rules, and what lifts them all.

use std::net::IpAddr;

use crate::diagnose::case::{Case, ago, list, saw_service};
use crate::diagnose::responsible::{Allocator, ipam_condition};
use crate::diagnose::sharing::{Incompatible, incompatibilities, key, meant_to_share};
use crate::diagnose::{Code, Confidence, Finding, Rung, Severity};
use crate::model::{Service, TrafficPolicy};

/// A Service that has the address, with every rule that keeps it apart from the one that wants it.
pub struct Clash<'a> {
    /// Who has the address.
    pub holder: &'a Service,
    /// The rules, in Cilium's order; never empty.
    pub whys: Vec<Incompatible>,
}

impl<'a> Clash<'a> {
    /// Compares the Service with a holder; `None` where they go together.
    pub fn between(case: &Case<'_>, holder: &'a Service) -> Option<Self> {
        let whys = incompatibilities(case.service, holder, case.facts.minor);
        (!whys.is_empty()).then_some(Self { holder, whys })
    }

    /// Everything that keeps the two apart, with its remedy: "a: do b; besides, c: do d".
    pub fn remedies(&self, service: &Service) -> String {
        let each =
            |why: &Incompatible| format!("{}: {}", sentence(service, self.holder, why), remedy(self.holder, why));
        self.whys.iter().map(each).collect::<Vec<_>>().join("; besides, ")
    }

    /// The first rule that fails, as Cilium finds it, in a sentence.
    pub fn reason(&self, service: &Service) -> String {
        self.whys.first().map_or_else(String::new, |why| sentence(service, self.holder, why))
    }
}

/// Those that LB-IPAM knows to have the address and that do not go together with this Service.
/// What other allocators gave does not count: LB-IPAM knows only its own.
pub fn clashes<'a>(case: &Case<'a>, ip: IpAddr) -> Vec<Clash<'a>> {
    let foreign =
        |service: &Service| matches!(case.facts.allocator(service), Allocator::NotCilium(_) | Allocator::NodeIpam);
    case.facts
        .services
        .iter()
        .filter(|holder| holder.id != case.service.id && holder.kind == "LoadBalancer" && !foreign(holder))
        .filter(|holder| holder.ingress.iter().any(|ingress| ingress.ip == Some(ip)))
        .filter_map(|holder| Clash::between(case, holder))
        .collect()
}

/// The address of the Service's key and who bars it there; `None` where some address of the key is open to it.
pub fn barred_from_key<'a>(case: &Case<'a>) -> Option<(IpAddr, Vec<Clash<'a>>)> {
    let group = case.facts.services.iter().filter(|other| other.id != case.service.id);
    let mut barred = None;
    for ip in group.filter(|other| meant_to_share(case.service, other)).flat_map(Service::vips) {
        let found = clashes(case, ip);
        if found.is_empty() {
            return None;
        }
        barred.get_or_insert((ip, found));
    }
    barred
}

/// VIP1101, 1102, 1109: somebody has the address and does not share it with this Service.
pub fn clash(case: &Case<'_>, ip: IpAddr, found: &[Clash<'_>], severity: Severity) -> Option<Finding> {
    let first = found.first()?;
    let holder = first.holder;
    let reason = first.reason(case.service);
    let (code, message) = match first.whys.first()? {
        Incompatible::Key if key(case.service).is_none() || key(holder).is_none() => {
            (Code::AddressTaken, format!("address {ip} is held by {}, which does not share it: {reason}", name(holder)))
        }
        Incompatible::Ports(_) => {
            (Code::WithheldSamePort, format!("LB-IPAM withholds the whole address {ip}: {reason}"))
        }
        _ => (Code::WithheldIncompatible, format!("LB-IPAM withholds the whole address {ip}: {reason}")),
    };
    let mut finding = Finding::new(code, severity, Confidence::Certain, Rung::Shared, message)
        .saw(found.iter().map(|clash| saw_service(case.facts, clash.holder, "spec and status", holder_text(clash.holder))))
        .note("LB-IPAM gives or withholds an address as a whole: every port of this Service is off the address, not only the one that clashes.")
        .note(way_out(case.service, found));
    for clash in found {
        if let Some(note) = leaving(case, clash.holder) {
            finding = finding.note(note);
        }
    }
    if let ([Clash { holder, whys }], Incompatible::Ports(ports)) = (found, first.whys.first()?)
        && whys.len() == 1
        && holder.deleting.is_none()
    {
        finding = finding.note(case.take_over(holder, ports));
    }
    if let Some(note) = misleading(case.service, code) {
        finding = finding.note(note);
    }
    Some(
        finding
            .then(format!("kubectl get svc/{} -n {} -o yaml", holder.id.name, holder.id.namespace))
            .then(format!("kubectl vipctl explain {}", case.args())),
    )
}

/// What has to be done, all of it: one change alone only leads to the next refusal, or to the loss
/// of an address that was held.
fn way_out(service: &Service, found: &[Clash<'_>]) -> String {
    match found {
        [Clash { holder, whys }] if whys.len() == 1 => {
            let or = if whys[0] == Incompatible::Key { ", or ask for another address" } else { "" };
            let remedy = capital(&remedy(holder, &whys[0]));
            format!("Who holds the address keeps it. {remedy}{or}: LB-IPAM then gives it by itself.")
        }
        _ => {
            let all: Vec<String> = found.iter().map(|clash| clash.remedies(service)).collect();
            format!(
                "Who holds the address keeps it, and one change is not enough. Ask for another address, or do all of \
                 this to share this one: {}.",
                all.join("; besides, ")
            )
        }
    }
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// What lifts one hindrance.
fn remedy(holder: &Service, why: &Incompatible) -> String {
    match why {
        Incompatible::Ports(ports) => {
            format!("take {} off svc/{} or off this Service", ports_text(ports), holder.id.name)
        }
        Incompatible::Key => "give both the same sharing key".to_owned(),
        Incompatible::Namespace { wants, nearly: Some(_), .. } => {
            format!("write {wants} (or *) in that annotation without anything around it")
        }
        Incompatible::Namespace { wants, .. } => format!("list namespace {wants} (or *) in that annotation"),
        Incompatible::TrafficPolicy => {
            "set the same externalTrafficPolicy on both (Local only where both select the same pods)".to_owned()
        }
        Incompatible::LocalWithoutSelector | Incompatible::LocalSelector => {
            "set externalTrafficPolicy Cluster on both, or give both the same selector".to_owned()
        }
    }
}

/// A note on a Service that is on its way out and yet stands in the way.
pub fn leaving(case: &Case<'_>, holder: &Service) -> Option<String> {
    let since = holder.deleting?;
    Some(format!(
        "{} is being deleted since {since} ({}) and waits for a finalizer: see metadata.finalizers and who should \
         take it off. Once that is finished, the Service is gone and its address free.",
        capital(&name(holder)),
        ago(case.facts.now(), since)
    ))
}

fn name(service: &Service) -> String {
    format!("svc/{} (ns {})", service.id.name, service.id.namespace)
}

fn ports_text(ports: &[(u16, crate::model::Proto)]) -> String {
    ports.iter().map(|(port, proto)| format!("{port}/{proto}")).collect::<Vec<_>>().join(", ")
}

fn holder_text(holder: &Service) -> String {
    let ports: Vec<String> = holder.ports.iter().map(|port| format!("{}/{}", port.port, port.proto)).collect();
    let key = key(holder).map_or_else(|| "none".to_owned(), |key| format!("'{key}'"));
    let deleting = holder.deleting.map_or_else(String::new, |since| format!(", being deleted since {since}"));
    format!("address {}, ports {}, sharing key {key}{deleting}", list(&holder.vips()), ports.join(" "))
}

/// The rule that keeps two Services apart, in one sentence.
fn sentence(service: &Service, holder: &Service, why: &Incompatible) -> String {
    let other = name(holder);
    match why {
        Incompatible::Key if key(service).is_none() && key(holder).is_none() => "neither has a sharing key".to_owned(),
        Incompatible::Key => {
            format!("its sharing key is {}, that of {other} is {}", quoted(key(service)), quoted(key(holder)))
        }
        Incompatible::Namespace { lacking, wants, has, nearly } => {
            let spoilt = nearly.as_ref().map_or_else(String::new, |entry| spoilt(entry, wants));
            format!(
                "svc {lacking} does not permit sharing with namespace {wants} (annotation lbipam.cilium.io/sharing-cross-namespace is {}{spoilt})",
                quoted(has.as_deref())
            )
        }
        Incompatible::Ports(ports) => {
            let s = if ports.len() == 1 { "" } else { "s" };
            format!("{other} has port{s} {} on it", ports_text(ports))
        }
        Incompatible::TrafficPolicy => format!(
            "its externalTrafficPolicy is {}, that of {other} is {}",
            policy(service.external_policy),
            policy(holder.external_policy)
        ),
        Incompatible::LocalWithoutSelector => {
            format!("with externalTrafficPolicy Local both need a selector, and one of it and {other} has none")
        }
        Incompatible::LocalSelector => {
            format!("with externalTrafficPolicy Local both must select the same pods, and {other} selects others")
        }
    }
}

fn quoted(text: Option<&str>) -> String {
    text.map_or_else(|| "not set".to_owned(), |text| format!("'{text}'"))
}

/// Why an entry that looks right does not count.
fn spoilt(entry: &str, wants: &str) -> String {
    let bare = entry.trim();
    let what = if bare != entry && (bare == wants || bare == "*") {
        "the blank in"
    } else if bare.eq_ignore_ascii_case(wants) {
        "the spelling of"
    } else {
        "the mark in"
    };
    format!("; the entry is there, but {what} '{entry}' spoils it: Cilium compares to the letter and trims nothing")
}

fn policy(policy: TrafficPolicy) -> &'static str {
    match policy {
        TrafficPolicy::Cluster => "Cluster",
        TrafficPolicy::Local => "Local",
    }
}

/// What to say where Cilium's reason points elsewhere than the cause.
fn misleading(service: &Service, code: Code) -> Option<String> {
    let reason = ipam_condition(service)?.reason.as_str();
    match reason {
        "out_of_ips" => Some("Cilium's reason out_of_ips names its last step, not the cause: it could not join the shared address and then found no free one.".to_owned()),
        "already_allocated_different_sharing_key" if code != Code::WithheldIncompatible => Some("Up to Cilium 1.16 the reason already_allocated_different_sharing_key stands for every kind of clash, not only for keys.".to_owned()),
        "no_pool" => Some("Cilium's reason no_pool names its last step, not the cause.".to_owned()),
        _ => None,
    }
}
