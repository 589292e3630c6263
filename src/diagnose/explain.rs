//! Puts it together: subjects → cases → rules → findings → reports.

use std::collections::BTreeSet;
use std::net::IpAddr;

use super::case::{Case, Frontend, list, saw_api};
use super::facts::{Facts, has_port, versions, vips};
use super::finding::{
    Evidence, Explanation, Finding, FrontendReport, PortText, Rung, RungReport, RungState, Severity, Sharer,
    SourceReport, SubjectReport, Verdict,
};
use super::rules::{ABOUT_NODES, RULES};
use super::{Code, Confidence, ladder, verdict};
use crate::model::{Observation, PortKey, Service, ServiceRef, Subject};

/// A subject that cannot be explained: the wrong question rather than a fault.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotExplainable {
    /// The Service is not in the observation.
    #[error("svc/{} (ns {}) is not in what was read", .0.name, .0.namespace)]
    NoSuchService(ServiceRef),
    /// The address is no VIP but something else of the cluster.
    #[error("{address} is {what}, not a VIP")]
    NoVip {
        /// The address.
        address: IpAddr,
        /// What it is.
        what: String,
    },
    /// It has no VIP and will get none.
    #[error("svc/{} (ns {}) is of type {kind} without externalIPs: it has no VIP to explain", .id.name, .id.namespace)]
    NoLoadBalancer {
        /// Which.
        id: ServiceRef,
        /// Its type.
        kind: String,
    },
}

/// Explains every subject of an observation.
///
/// # Errors
/// Fails where a subject is not there or is no LoadBalancer; see [`NotExplainable`].
pub fn explain(obs: &Observation) -> Result<Explanation, NotExplainable> {
    let facts = Facts::new(obs);
    let subjects = obs.subjects.iter().map(|subject| report(&facts, subject)).collect::<Result<Vec<_>, _>>()?;
    Ok(Explanation {
        api_version: "vipctl.dev/v1",
        kind: "Explanation",
        exit: verdict::exit(&subjects),
        source: SourceReport {
            kind: obs.origin.kind,
            context: obs.origin.context.clone(),
            cilium: versions(obs),
            kubernetes: obs.origin.kubernetes.clone(),
            taken_at: obs.taken_at,
        },
        subjects,
    })
}

fn report(facts: &Facts<'_>, subject: &Subject) -> Result<SubjectReport, NotExplainable> {
    match subject {
        Subject::Service(id) => service_report(facts, id),
        Subject::Vip(vip) => is_vip(facts, *vip).map(|()| address_report(facts, *vip, None)),
        Subject::Frontend(key) => is_vip(facts, key.vip).map(|()| address_report(facts, key.vip, Some(*key))),
    }
}

/// Everything found out about one Service.
struct Examined {
    frontends: Vec<FrontendReport>,
    ladder: Vec<RungReport>,
    findings: Vec<Finding>,
    /// Why it is not known to be announced, where that decides the verdict.
    unknown: Option<String>,
}

/// Runs every rule on a Service, keeps causes and drops their consequences; then leaves out what is
/// not about the keys that are asked about.
fn examine(facts: &Facts<'_>, service: &Service, only: impl Fn(PortKey) -> bool) -> Examined {
    let case = Case::new(facts, service);
    let mut findings = Vec::new();
    for rule in RULES {
        rule(&case, &mut findings);
    }
    let looks = ladder::look(&case);
    let mut findings = causes(&findings, &case);
    findings.retain(|finding| finding.frontend.is_none_or(&only));
    let unknown = unread_nodes(facts.obs);
    for finding in &mut findings {
        finding.ruled_out = ladder::ruled_out(&looks, finding);
        if finding.severity > Severity::Info && matches!(finding.rung, Rung::Claimed | Rung::Programmed | Rung::Backed)
        {
            finding.unknown.clone_from(&unknown);
        }
        finding.next.truncate(3);
        let flags = facts.obs.origin.flags.join(" ");
        let rechecks = finding.evidence.iter_mut().filter_map(|evidence| evidence.recheck.as_mut());
        for command in finding.next.iter_mut().chain(rechecks) {
            *command = with_flags(command, &flags);
        }
    }
    let mut frontends: Vec<FrontendReport> = if case.frontends.is_empty() && vips(service).is_empty() {
        let addresses = service.ports.iter().map(|port| format!("<pending>:{}", PortText(port.port, port.proto)));
        addresses.map(|address| verdict::without_address(address, &findings)).collect()
    } else {
        let wanted = case.frontends.iter().filter(|frontend| only(frontend.key));
        wanted.map(|frontend| verdict::frontend(facts, frontend, &findings)).collect()
    };
    // What is served on every node may still be unknown to the network: that is not healthy yet.
    let unseen = looks.iter().find(|(rung, seen)| *rung == Rung::Announced && seen.state == RungState::Unknown);
    let unknown = unseen.map(|(_, seen)| format!("announcement: {}", seen.detail));
    if unknown.is_some() {
        for frontend in frontends.iter_mut().filter(|frontend| frontend.verdict == Verdict::Healthy) {
            (frontend.verdict, frontend.rung) = (Verdict::Unknown, Some(Rung::Announced));
        }
    }
    let served = frontends.iter().any(|frontend| frontend.rung == Some(Rung::Announced));
    Examined { frontends, ladder: ladder::climb(looks, &findings), findings, unknown: unknown.filter(|_| served) }
}

/// Puts the user's connection flags behind the verb: `kubectl get --context lab svc/b`. In front of a
/// plugin's name kubectl refuses them.
fn with_flags(command: &str, flags: &str) -> String {
    let verb = if command.starts_with("kubectl vipctl ") { 3 } else { 2 };
    let is_kubectl = command.starts_with("kubectl ") && !flags.is_empty();
    match command.match_indices(' ').nth(verb - 1) {
        Some((at, _)) if is_kubectl => format!("{} {flags}{}", &command[..at], &command[at..]),
        _ if is_kubectl => format!("{command} {flags}"),
        _ => command.to_owned(),
    }
}

/// Keeps the findings at the first broken rung of each frontend; what breaks later is a consequence.
fn causes(findings: &[Finding], case: &Case<'_>) -> Vec<Finding> {
    let first_break = |key: PortKey| {
        let breaking =
            findings.iter().filter(|f| f.severity == Severity::Error && f.frontend.is_none_or(|about| about == key));
        breaking.map(|finding| finding.rung).min()
    };
    let folded = |finding: &Finding| match finding.frontend {
        Some(key) => first_break(key).is_some_and(|rung| finding.rung > rung),
        None if case.frontends.is_empty() => false,
        None => case.frontends.iter().all(|frontend| first_break(frontend.key).is_some_and(|rung| finding.rung > rung)),
    };
    let about_nodes = |finding: &Finding| {
        ABOUT_NODES.contains(&finding.code) || (finding.code == Code::AgentLags && finding.frontend.is_none())
    };
    let mut kept: Vec<Finding> = findings.iter().filter(|f| about_nodes(f) || !folded(f)).cloned().collect();
    kept.sort_by_key(|finding| (std::cmp::Reverse(finding.severity), finding.rung, finding.frontend));
    kept
}

/// The nodes that could not be read, one line for each reason.
fn unread_nodes(obs: &Observation) -> Vec<String> {
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    let tables = obs.agents.iter().filter_map(|agent| Some((agent, agent.answer.missing()?.to_string())));
    let maps = obs.agents.iter().filter_map(|agent| {
        let missing = agent.answer.known()?.maps.as_ref()?.missing()?;
        Some((agent, format!("BPF map: {missing}")))
    });
    for (agent, text) in tables.chain(maps) {
        match groups.iter_mut().find(|(known, _)| *known == text) {
            Some((_, nodes)) => nodes.push(agent.node()),
            None => groups.push((text, vec![agent.node()])),
        }
    }
    groups.iter().map(|(text, nodes)| format!("{}: {text}", nodes.join(","))).collect()
}

/// What could not be read, nodes and API alike.
fn unknowns(facts: &Facts<'_>) -> Vec<String> {
    let api = facts.unread_api().into_iter().map(|(what, missing)| format!("{what}: {missing}"));
    unread_nodes(facts.obs).into_iter().chain(api).collect()
}

fn worst(frontends: &[FrontendReport], findings: &[Finding]) -> Verdict {
    let word = frontends.iter().map(|frontend| frontend.verdict).max().unwrap_or(Verdict::Unknown);
    let warned = findings.iter().any(|finding| finding.severity >= Severity::Warning);
    if word == Verdict::Healthy && warned { Verdict::Degraded } else { word }
}

fn checks(ladder: &[RungReport], frontends: &[FrontendReport]) -> usize {
    use super::RungState::{Broken, Ok};
    ladder.iter().filter(|rung| matches!(rung.state, Ok | Broken)).count() * frontends.len().max(1)
}

/// Refuses addresses of the cluster that are no VIPs, unless a Service has or wants them as one.
fn is_vip(facts: &Facts<'_>, address: IpAddr) -> Result<(), NotExplainable> {
    if facts.holders(address).next().is_some() || facts.seekers(address).next().is_some() {
        return Ok(());
    }
    let text = address.to_string();
    let service = facts.services.iter().find(|service| service.cluster_ip.as_ref() == Some(&text));
    let nodes = facts.obs.nodes.known().map_or(&[][..], Vec::as_slice);
    let what = if address.is_unspecified() {
        Some("where agents keep node ports".to_owned())
    } else if let Some(service) = service {
        Some(format!("the cluster IP of svc/{} (ns {})", service.id.name, service.id.namespace))
    } else {
        let node = nodes.iter().find(|node| node.addresses.contains(&address));
        node.map(|node| format!("the address of node {}, whose ports are node ports", node.name))
    };
    what.map_or(Ok(()), |what| Err(NotExplainable::NoVip { address, what }))
}

fn service_report(facts: &Facts<'_>, id: &ServiceRef) -> Result<SubjectReport, NotExplainable> {
    let Some(service) = facts.services.iter().find(|service| service.id == *id) else {
        return Err(NotExplainable::NoSuchService(id.clone()));
    };
    if service.kind != "LoadBalancer" && vips(service).is_empty() {
        return Err(NotExplainable::NoLoadBalancer { id: id.clone(), kind: service.kind.clone() });
    }
    let Examined { frontends, ladder, findings, unknown } = examine(facts, service, |_| true);
    let vips = vips(service);
    Ok(SubjectReport {
        kind: "Service",
        namespace: Some(id.namespace.clone()),
        name: id.name.clone(),
        verdict: worst(&frontends, &findings),
        checks: checks(&ladder, &frontends),
        sharers: vips.iter().flat_map(|vip| sharers(facts, *vip)).filter(|sharer| sharer.service != *id).collect(),
        vips,
        frontends,
        ladder,
        claimants: None,
        findings,
        unknown: unknown.into_iter().chain(unknowns(facts)).collect(),
    })
}

fn sharers(facts: &Facts<'_>, vip: IpAddr) -> Vec<Sharer> {
    let holders = facts.holders(vip).map(|service| sharer(service, how_held(service, vip)));
    let seekers = facts.seekers(vip).map(|service| sharer(service, "requests it"));
    holders.chain(seekers).collect()
}

fn how_held(service: &Service, vip: IpAddr) -> &'static str {
    if service.external_ips.contains(&vip) { "externalIPs" } else { "status" }
}

fn sharer(service: &Service, via: &'static str) -> Sharer {
    let ports = service.ports.iter().map(|port| PortText(port.port, port.proto)).collect();
    Sharer { service: service.id.clone(), ports, via }
}

/// The report on an address, or on one port of it.
fn address_report(facts: &Facts<'_>, vip: IpAddr, key: Option<PortKey>) -> SubjectReport {
    let fits = |service: &&Service| key.is_none_or(|key| has_port(service, key));
    let holders: Vec<&Service> = facts.holders(vip).filter(fits).collect();
    let seekers: Vec<&Service> = facts.seekers(vip).filter(fits).collect();
    let mut frontends: Vec<FrontendReport> = Vec::new();
    let mut findings: Vec<Finding> = Vec::new();
    let mut ladder: Vec<RungReport> = Vec::new();
    let mut unknown: Vec<String> = Vec::new();
    for service in holders.iter().chain(&seekers) {
        let examined = examine(facts, service, |k| k.vip == vip && key.is_none_or(|key| key == k));
        frontends.extend(examined.frontends);
        if ladder.is_empty() {
            ladder = examined.ladder;
        }
        findings.extend(examined.findings);
        unknown.extend(examined.unknown);
    }
    unknown.dedup();
    unknown.extend(unknowns(facts));
    // Two Services see one trouble from two sides; the side that is examined first tells it.
    let mut told: BTreeSet<(Code, Option<PortKey>, String)> = BTreeSet::new();
    findings.retain(|f| {
        let whose = if f.frontend.is_some() { String::new() } else { f.message.clone() };
        told.insert((f.code, f.frontend, whose))
    });
    // Who asks about the port need not be told to ask about it.
    let flags = facts.obs.origin.flags.join(" ");
    let question = key.map(|key| with_flags(&format!("kubectl vipctl explain {key}"), &flags));
    for finding in &mut findings {
        finding.next.retain(|command| Some(command) != question.as_ref());
    }
    let mut frontends = one_each(frontends);
    for orphan in unclaimed_rows(facts, vip, key, &frontends) {
        frontends.push(orphan.0);
        findings.extend(orphan.1);
    }
    if frontends.is_empty() && findings.iter().all(|finding| finding.severity < Severity::Warning) {
        let (report, finding) = nobody(facts, vip, key);
        frontends.push(report);
        findings.push(finding);
    }
    SubjectReport {
        kind: if key.is_some() { "Frontend" } else { "VIP" },
        namespace: None,
        name: key.map_or_else(|| vip.to_string(), |key| key.to_string()),
        verdict: worst(&frontends, &findings),
        vips: vec![vip],
        checks: checks(&ladder, &frontends),
        claimants: key.map(|_| {
            let have = holders.iter().map(|service| sharer(service, how_held(service, vip)));
            have.chain(seekers.iter().map(|service| sharer(service, "requests it"))).collect()
        }),
        sharers: sharers(facts, vip),
        frontends,
        ladder,
        findings,
        unknown,
    }
}

/// Two claimants see one frontend from two sides: the side that is served speaks for it.
fn one_each(mut frontends: Vec<FrontendReport>) -> Vec<FrontendReport> {
    frontends.sort_by(|a, b| (&a.address, a.verdict).cmp(&(&b.address, b.verdict)));
    frontends.dedup_by(|later, first| later.address == first.address);
    frontends
}

/// Rows that agents have for the address although no Service claims them.
fn unclaimed_rows(
    facts: &Facts<'_>,
    vip: IpAddr,
    key: Option<PortKey>,
    known: &[FrontendReport],
) -> Vec<(FrontendReport, Vec<Finding>)> {
    let rows = facts.obs.agents.iter().filter_map(|agent| agent.answer.known()).flat_map(|answer| &answer.frontends);
    let is_vip = |kind: &str| matches!(kind, "LoadBalancer" | "ExternalIPs");
    let keys: BTreeSet<PortKey> = rows
        .filter(|row| is_vip(&row.kind) && row.key.vip == vip && key.is_none_or(|key| key == row.key))
        .map(|row| row.key)
        .filter(|key| !known.iter().any(|frontend| frontend.address == key.to_string()))
        .collect();
    keys.into_iter().map(|key| left_over(facts, key)).collect()
}

fn left_over(facts: &Facts<'_>, key: PortKey) -> (FrontendReport, Vec<Finding>) {
    let frontend = Frontend { key, held: true, views: facts.views(key, None) };
    let owner = verdict::owner(&frontend.views);
    let who = owner.as_ref().map_or_else(|| "several Services".to_owned(), ToString::to_string);
    let claims = owner.as_ref().and_then(|owner| facts.still_claims(owner, key));
    let (severity, message) = match claims {
        Some(true) => (Severity::Info, format!("{key} belongs to {who}, which is no LoadBalancer Service")),
        Some(false) => {
            (Severity::Warning, format!("agents still have {key} as owned by {who}, and no Service claims it"))
        }
        None => (Severity::Info, format!("agents have {key} as owned by {who}, which could not be read")),
    };
    let finding = Finding::new(Code::AgentLags, severity, Confidence::Likely, Rung::Programmed, message)
        .on(key)
        .saw([saw_api(&facts.obs.services, "Services", format!("none claims {key}"), "kubectl get svc -A")]);
    let report = verdict::frontend(facts, &frontend, std::slice::from_ref(&finding));
    (report, vec![finding])
}

/// VIP2108: nobody claims the port, or nobody has the address.
fn nobody(facts: &Facts<'_>, vip: IpAddr, key: Option<PortKey>) -> (FrontendReport, Finding) {
    let others: Vec<Sharer> = sharers(facts, vip);
    let complete = facts.all_services() && facts.obs.asked.vips.contains(&vip);
    let what = key.map_or_else(|| vip.to_string(), |key| key.to_string());
    let message = if others.is_empty() {
        format!("no Service claims {what}: nobody has the address {vip}")
    } else {
        let names: Vec<String> =
            others.iter().map(|other| format!("{} ({})", other.service, list(&other.ports))).collect();
        format!("no Service claims {what}; {vip} is used by {}", names.join(", "))
    };
    let severity = if complete { Severity::Error } else { Severity::Info };
    let finding = Finding::new(Code::Unclaimed, severity, if complete { Confidence::Certain } else { Confidence::Possible }, Rung::Declared, message)
        .note("A port is served only if a Service lists it in spec.ports and has the address in its status or its externalIPs.")
        .saw([Evidence { source: "Services".to_owned(), at: facts.obs.services.at(), fact: format!("none claims {what}"), recheck: Some("kubectl get svc -A".to_owned()) }])
        .then("kubectl get svc -A --field-selector spec.type=LoadBalancer");
    let (views, address) = match key {
        Some(key) => (facts.views(key, None), key.to_string()),
        None => (Vec::new(), vip.to_string()),
    };
    let verdict = if complete { Verdict::Missing } else { Verdict::Unknown };
    let report = FrontendReport {
        address,
        verdict,
        rung: complete.then_some(Rung::Declared),
        owner: None,
        nodes: verdict::counts(&views),
        by_node: verdict::by_node(&views),
    };
    (report, finding)
}
