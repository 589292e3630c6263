//! The words for verdicts, scopes and rungs, and short forms of times and lists.

use jiff::Timestamp;

use super::style::Role;
use crate::diagnose::{Confidence, FrontendReport, NodeCounts, Rung, RungState, Severity, SubjectReport, Verdict};

/// How many items of a list are written out where a longer one is folded.
const SHOWN: usize = 3;

/// The verdict as the first line has it.
pub(super) fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Healthy => "HEALTHY",
        Verdict::Unknown => "UNKNOWN",
        Verdict::Pending => "PENDING",
        Verdict::Degraded => "DEGRADED",
        Verdict::Flapping => "FLAPPING",
        Verdict::Unreachable => "UNREACHABLE",
        Verdict::Split => "SPLIT",
        Verdict::WrongOwner => "WRONG OWNER",
        Verdict::Missing => "MISSING",
    }
}

/// Red is for problems only: not for what is unknown or on its way.
pub(super) fn verdict_role(verdict: Verdict) -> Role {
    match verdict {
        Verdict::Healthy => Role::Good,
        Verdict::Unknown | Verdict::Pending | Verdict::Degraded => Role::Caution,
        Verdict::Flapping | Verdict::Unreachable | Verdict::Split | Verdict::WrongOwner | Verdict::Missing => {
            Role::Problem
        }
    }
}

/// The verdict with the nodes it holds for: `MISSING on 1 of 3 nodes (1 unknown)`.
pub(super) fn verdict_on(verdict_: Verdict, nodes: NodeCounts) -> String {
    let word = verdict(verdict_);
    let wrong = nodes.absent + nodes.other_owner;
    let on = match verdict_ {
        Verdict::Healthy => nodes.programmed,
        Verdict::Unknown => {
            let rest = if nodes.programmed > 0 { format!(" ({} programmed)", nodes.programmed) } else { String::new() };
            return on_nodes(word, nodes.unknown, NodeCounts { unknown: 0, ..nodes }) + &rest;
        }
        Verdict::WrongOwner => nodes.other_owner,
        Verdict::Missing => nodes.absent,
        Verdict::Split => return format!("{word} between {}", count(nodes.total - nodes.unknown, "node")),
        Verdict::Pending | Verdict::Degraded | Verdict::Flapping | Verdict::Unreachable => wrong,
    };
    on_nodes(word, on, nodes)
}

fn on_nodes(word: &str, on: usize, nodes: NodeCounts) -> String {
    match (nodes.total == 0 || on == 0, nodes.unknown) {
        (true, 0) => word.to_owned(),
        (true, unknown) => format!("{word} ({} unknown)", count(unknown, "node")),
        (false, 0) => format!("{word} {}", of(on, nodes)),
        (false, unknown) => format!("{word} {} ({unknown} unknown)", of(on, nodes)),
    }
}

fn of(on: usize, nodes: NodeCounts) -> String {
    let left_out = if nodes.not_asked > 0 { format!(" asked, {} not asked", nodes.not_asked) } else { String::new() };
    format!("on {on} of {}{left_out}", count(nodes.total, "node"))
}

/// On how many nodes the least programmed of these frontends is.
pub(super) fn programmed_on(frontends: &[&FrontendReport]) -> String {
    let Some(least) = frontends.iter().map(|f| f.nodes).min_by_key(|n| n.programmed) else { return String::new() };
    let unknown = if least.unknown > 0 { format!(" ({} unknown)", least.unknown) } else { String::new() };
    if least.total == 0 { String::new() } else { format!(" {}{unknown}", of(least.programmed, least)) }
}

/// `1 node`, `2 nodes`.
pub(super) fn count(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

/// The subject's name: `svc/b (ns shop)`, or the address.
pub(super) fn subject(subject: &SubjectReport) -> String {
    match (&subject.namespace, subject.kind) {
        (Some(namespace), "Service") => format!("svc/{} (ns {namespace})", subject.name),
        (None, "Service") => format!("svc/{}", subject.name),
        _ => subject.name.clone(),
    }
}

/// Frontend addresses with the ports of one address together: `192.0.2.10:80/TCP,443/TCP`.
pub(super) fn addresses(frontends: &[&FrontendReport]) -> Vec<String> {
    let mut by_ip: Vec<(&str, Vec<&str>)> = Vec::new();
    for frontend in frontends {
        // Without a port it is a bare address, where a colon is part of it.
        let port = frontend.address.rsplit_once(':').filter(|(_, port)| port.contains('/'));
        let (ip, port) = port.map_or((frontend.address.as_str(), None), |(ip, port)| (ip, Some(port)));
        match by_ip.iter_mut().find(|(known, _)| *known == ip) {
            Some((_, ports)) => ports.extend(port),
            None => by_ip.push((ip, Vec::from_iter(port))),
        }
    }
    let text = |(ip, ports): (&str, Vec<&str>)| {
        if ports.is_empty() { ip.to_owned() } else { format!("{ip}:{}", fold(&ports)) }
    };
    by_ip.into_iter().map(text).collect()
}

/// `nd1,nd2,nd3`; a longer list as `nd1,nd2,nd3,… and 97 more`.
pub(super) fn fold(items: &[&str]) -> String {
    let (shown, more) = first(items);
    if more == 0 { shown } else { format!("{shown},… and {more} more") }
}

/// A source of evidence with the node lists in it folded: `nodes nd1,nd2,nd3,…(94 more) frontends`.
pub(super) fn short_source(source: &str) -> String {
    let word = |word: &str| {
        let (shown, more) = first(&word.split(',').collect::<Vec<_>>());
        if more == 0 { shown } else { format!("{shown},…({more} more)") }
    };
    source.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// The first items, and how many are left out. One item more than is shown costs no more than to
/// say that there is one.
fn first(items: &[&str]) -> (String, usize) {
    let shown = if items.len() <= SHOWN + 1 { items.len() } else { SHOWN };
    (items[..shown].join(","), items.len() - shown)
}

/// `09:41:02Z`
pub(super) fn clock(at: Timestamp) -> String {
    at.strftime("%H:%M:%SZ").to_string()
}

/// `2026-11-30T09:41:02Z`
pub(super) fn date(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// How sure, as a word.
pub(super) fn confidence(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::Possible => "possible",
        Confidence::Likely => "likely",
        Confidence::Certain => "certain",
    }
}

/// The colour of a severity.
pub(super) fn severity_role(severity: Severity) -> Role {
    match severity {
        Severity::Info => Role::Plain,
        Severity::Warning => Role::Caution,
        Severity::Error => Role::Problem,
    }
}

/// The rung's name.
pub(super) fn rung(rung: Rung) -> &'static str {
    match rung {
        Rung::Declared => "declared",
        Rung::Responsible => "responsible",
        Rung::Allocated => "allocated",
        Rung::Shared => "shared",
        Rung::Claimed => "claimed",
        Rung::Programmed => "programmed",
        Rung::Backed => "backed",
        Rung::Announced => "announced",
        Rung::Reachable => "reachable",
    }
}

/// A rung's state: a sign to scan for, a word, a colour.
pub(super) fn rung_state(state: RungState) -> (&'static str, Role) {
    match state {
        RungState::Ok => ("+ ok", Role::Good),
        RungState::Broken => ("x broken", Role::Problem),
        RungState::Consequence => ("> consequence", Role::Faint),
        RungState::Unknown => ("? unknown", Role::Caution),
        RungState::NotApplicable => ("- n/a", Role::Faint),
    }
}

/// Commands of this program that are offered and change the cluster.
const OWN_VERBS: [&str; 1] = ["recover"];

/// Whether a command changes the cluster.
pub(super) fn changes_cluster(command: &str) -> bool {
    const VERBS: [&str; 13] = [
        "annotate", "apply", "create", "cordon", "delete", "drain", "edit", "label", "patch", "replace", "rollout",
        "scale", "set",
    ];
    let mut words = command.split_whitespace();
    if words.next() != Some("kubectl") {
        return false;
    }
    if words.clone().next() == Some("vipctl") {
        return OWN_VERBS.contains(&words.nth(1).unwrap_or_default());
    }
    // `kubectl -n shop annotate …`: the verb is the first word that is neither flag nor its value.
    while let Some(word) = words.next() {
        if !word.starts_with('-') {
            return VERBS.contains(&word);
        }
        if !word.contains('=') {
            words.next();
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_that_write_are_told_from_those_that_look() {
        for writes in [
            "kubectl annotate svc/b a=b",
            "kubectl -n shop label svc/b a=b",
            "kubectl --context=x patch svc b",
            "kubectl vipctl recover svc/b",
        ] {
            assert!(changes_cluster(writes), "{writes}");
        }
        for looks in ["kubectl get svc/b", "kubectl -n label get svc", "kubectl vipctl explain svc/set", "kubectl", ""]
        {
            assert!(!changes_cluster(looks), "{looks}");
        }
    }

    #[test]
    fn long_lists_are_folded_short_ones_are_not() {
        assert_eq!(fold(&["nd1", "nd2", "nd3", "nd4"]), "nd1,nd2,nd3,nd4");
        assert_eq!(fold(&["nd1", "nd2", "nd3", "nd4", "nd5"]), "nd1,nd2,nd3,… and 2 more");
        assert_eq!(short_source("nodes a,b,c,d,e frontends"), "nodes a,b,c,…(2 more) frontends");
    }
}
