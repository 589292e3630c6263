//! Explanations made by hand. The shapes are those of the rules; the texts are long enough to wrap.

use jiff::Timestamp;
use vipctl::diagnose::{
    Code, Confidence, Evidence, Explanation, Finding, FrontendReport, NodeCounts, NodeState, PortText, Rung,
    RungReport, RungState, Severity, Sharer, SourceReport, SubjectReport, Verdict,
};
use vipctl::model::{PortKey, Proto, ServiceRef, SourceKind};

pub fn at(time: &str) -> Timestamp {
    format!("2026-11-30T{time}Z").parse().expect("time")
}

pub fn explanation(subjects: Vec<SubjectReport>) -> Explanation {
    let exit = match subjects.iter().map(|s| s.verdict).max() {
        None | Some(Verdict::Healthy) => 0,
        Some(Verdict::Unknown) => 3,
        Some(_) => 1,
    };
    let source = SourceReport {
        kind: SourceKind::Live,
        context: "lab".into(),
        cilium: vec!["1.20.2".into()],
        kubernetes: Some("1.34.4".into()),
        taken_at: at("09:41:00"),
    };
    Explanation { api_version: "vipctl.dev/v1", kind: "Explanation", exit, source, subjects }
}

pub fn service(namespace: &str, name: &str, frontends: Vec<FrontendReport>) -> SubjectReport {
    let vips = frontends.iter().filter_map(|f| f.address.parse::<PortKey>().ok()).map(|key| key.vip);
    let mut vips: Vec<_> = vips.collect();
    vips.dedup();
    SubjectReport {
        kind: "Service",
        namespace: Some(namespace.into()),
        name: name.into(),
        verdict: frontends.iter().map(|f| f.verdict).max().unwrap_or(Verdict::Pending),
        vips,
        frontends,
        ladder: vec![],
        claimants: None,
        sharers: vec![],
        findings: vec![],
        unknown: vec![],
        checks: 9,
    }
}

/// A frontend with a node for each letter: `p` programmed, `a` absent, `o` other owner, `n` not
/// done, `?` unknown.
pub fn frontend(address: &str, verdict: Verdict, rung: Option<Rung>, nodes: &str) -> FrontendReport {
    let count = |letters: &str| nodes.chars().filter(|c| letters.contains(*c)).count();
    let by_node: Vec<_> = nodes.chars().zip(1..).map(|(letter, number)| node(letter, number)).collect();
    FrontendReport {
        address: address.into(),
        verdict,
        rung,
        owner: by_node.first().and_then(|first| first.owner.clone()),
        nodes: NodeCounts {
            total: nodes.len(),
            programmed: count("p"),
            other_owner: count("o"),
            absent: count("an"),
            unknown: count("?"),
            not_asked: 0,
        },
        by_node,
    }
}

fn node(letter: char, number: usize) -> NodeState {
    let (state, owner, detail) = match letter {
        'p' => ("programmed", Some("shop/b"), ""),
        'n' => ("notDone", Some("shop/b"), "Error: the map is full, please consider resizing it"),
        'o' => ("otherOwner", Some("shop/a"), ""),
        'a' => ("absent", None, ""),
        _ => ("unknown", None, "no answer within 5 s"),
    };
    NodeState {
        node: format!("nd{number}"),
        state,
        owner: owner.map(|text| text.parse().expect("owner")),
        detail: detail.into(),
        backends: owner.map(|_| 2),
        since: owner.map(|_| at("09:12:30")),
    }
}

pub fn finding(code: Code, rung: Rung, frontend: Option<&str>, message: &str) -> Finding {
    Finding {
        code,
        severity: Severity::Error,
        confidence: Confidence::Certain,
        rung,
        frontend: frontend.map(|text| text.parse().expect("port key")),
        message: message.into(),
        notes: vec![],
        evidence: vec![],
        ruled_out: vec![],
        unknown: vec![],
        next: vec![],
    }
}

pub fn seen(source: &str, fact: &str, recheck: &str) -> Evidence {
    Evidence {
        source: source.into(),
        at: Some(at("09:41:02")),
        fact: fact.into(),
        recheck: (!recheck.is_empty()).then(|| recheck.into()),
    }
}

pub fn sharer(service: &str, ports: &[u16], via: &'static str) -> Sharer {
    let service: ServiceRef = service.parse().expect("service");
    Sharer { service, ports: ports.iter().map(|&port| PortText(port, Proto::Tcp)).collect(), via }
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

/// The first of the three stories: 80/TCP moved from a to b in one step, b is stuck.
pub fn stuck() -> SubjectReport {
    let mut subject = service(
        "shop",
        "b",
        vec![
            frontend("192.0.2.10:53/UDP", Verdict::Healthy, None, "ppp"),
            frontend("192.0.2.10:80/TCP", Verdict::Missing, Some(Rung::Claimed), "aaa"),
        ],
    );
    subject.findings.push(stuck_claim("192.0.2.10:80/TCP"));
    subject.sharers.push(sharer("shop/a", &[443], "status"));
    subject.ladder = vec![
        rung(Rung::Declared, RungState::Ok, "type LoadBalancer, ports 53/UDP and 80/TCP"),
        rung(Rung::Allocated, RungState::Ok, "192.0.2.10, satisfied by LB-IPAM from pool blue, which gave it to both"),
        rung(Rung::Claimed, RungState::Broken, "refused on 3 of 3 nodes"),
        rung(Rung::Programmed, RungState::Consequence, ""),
        rung(Rung::Announced, RungState::Unknown, "Leases could not be read"),
        rung(Rung::Reachable, RungState::NotApplicable, ""),
    ];
    subject
}

pub fn stuck_claim(key: &str) -> Finding {
    let port = key.rsplit_once(':').expect("port").1;
    let message = format!("nobody owns {port} on 192.0.2.10, and the claim of svc/b is never tried again");
    let mut stuck = finding(Code::StuckClaim, Rung::Claimed, Some(key), &message);
    stuck.notes = owned(&[
        "No object shows this: both Services have the address and are satisfied; only the agents' health tables do.",
        "An agent refused the whole update of svc/b while svc/a still had the port, and tries again only when svc/b itself changes.",
        "Every other change of that update is held back on these nodes as well.",
        "Any write that changes svc/b wakes all nodes within a second; an annotation is the smallest one.",
        "Writes to svc/a and changes of endpoints do not wake it.",
    ]);
    stuck.evidence = vec![
        seen("svc shop/b status", "address 192.0.2.10, condition satisfied", "kubectl get svc b -n shop -o yaml"),
        seen(
            "nodes nd1,nd2,nd3 health",
            "frontend already owned by another service: 192.0.2.10:80/TCP is owned by shop/a",
            "kubectl exec -n kube-system cilium-x7k2p -c cilium-agent -- cilium-dbg shell -- db/show health -f json",
        ),
        seen("nodes nd1,nd2,nd3 frontends", &format!("no row for {key}"), ""),
    ];
    stuck.ruled_out = owned(&["pool exhausted", "incompatible sharer", "no endpoints", "excluded by annotation"]);
    stuck.next = owned(&[
        "kubectl get svc a b -n shop -o wide",
        "kubectl annotate svc/b -n shop vipctl.dev/nudge=\"$(date +%s)\" --overwrite",
    ]);
    stuck
}

fn rung(rung: Rung, state: RungState, detail: &str) -> RungReport {
    RungReport { rung, state, detail: detail.into() }
}

/// The whole VIP is withheld: no address yet, one finding for all ports.
pub fn withheld() -> SubjectReport {
    let mut subject = service(
        "shop",
        "b",
        vec![
            frontend("<pending>:80/TCP", Verdict::Missing, Some(Rung::Shared), ""),
            frontend("<pending>:443/TCP", Verdict::Missing, Some(Rung::Shared), ""),
        ],
    );
    let mut cause = finding(
        Code::WithheldSamePort,
        Rung::Shared,
        None,
        "LB-IPAM withholds 192.0.2.10 from svc/b, because svc/a on the same address has 80/TCP too",
    );
    cause.confidence = Confidence::Likely;
    cause.unknown = owned(&["Leases: forbidden (list leases in namespace kube-system); would not change the verdict"]);
    subject.findings.push(cause);
    subject
}

/// Nothing but the API could be read.
pub fn unread(name: &str) -> SubjectReport {
    let mut subject =
        service("shop", name, vec![frontend("192.0.2.10:80/TCP", Verdict::Unknown, Some(Rung::Claimed), "???")]);
    let mut cause = finding(
        Code::NoExec,
        Rung::Claimed,
        None,
        "no agent could be asked: pods/exec is forbidden to user jane in namespace kube-system",
    );
    cause.severity = Severity::Info;
    cause.unknown = owned(&["frontends of nd1, nd2, nd3: needs get and create pods/exec in namespace kube-system"]);
    cause.next = owned(&["kubectl vipctl code VIP9101 -o yaml"]);
    subject.findings.push(cause);
    subject
}

/// An address and port that was asked about, with two owners.
pub fn split() -> SubjectReport {
    let mut subject =
        service("shop", "b", vec![frontend("192.0.2.10:80/TCP", Verdict::Split, Some(Rung::Claimed), "poa?")]);
    subject.kind = "Frontend";
    subject.namespace = None;
    subject.name = "192.0.2.10:80/TCP".into();
    subject.claimants = Some(vec![sharer("shop/a", &[80, 443], "status"), sharer("shop/b", &[80], "status")]);
    subject.findings.push(finding(
        Code::SplitOwner,
        Rung::Claimed,
        Some("192.0.2.10:80/TCP"),
        "the nodes disagree: svc/b (ns shop) on nd1, svc/a (ns shop) on nd2",
    ));
    subject
}
