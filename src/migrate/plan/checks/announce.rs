//! Whether the network still learns of the VIP afterwards.

use std::collections::BTreeSet;
use std::net::IpAddr;

use super::Chosen;
use crate::diagnose::announce::through;
use crate::migrate::plan::{Case, Check, named};

const ID: &str = "announced";

pub(super) fn check(case: &Case<'_>, chosen: &Chosen<'_>, checks: &mut Vec<Check>) {
    let vips: BTreeSet<IpAddr> = chosen.keys().map(|key| key.vip).collect();
    checks.extend(vips.into_iter().map(|vip| one(case, chosen, vip)));
}

fn one(case: &Case<'_>, chosen: &Chosen<'_>, vip: IpAddr) -> Check {
    let (a, b) = (named(&case.source.id), named(&case.target.id));
    let of = |service| through(&case.facts, service, vip);
    let (Some(mine), Some(theirs)) = (of(case.source), of(case.target)) else {
        let saw = format!("whether {vip} is announced through {b} could not be read");
        return Check::unknown(ID, saw, format!("look: kubectl vipctl explain {vip}"));
    };
    let only: Vec<&str> = mine.iter().filter(|name| !theirs.contains(name)).map(String::as_str).collect();
    if mine.is_empty() && theirs.is_empty() {
        return Check::ok(ID, format!("Cilium announces {vip} through neither"));
    }
    if only.is_empty() {
        return Check::ok(ID, format!("what announces {vip} through {a} does so through {b}"));
    }
    let third = || case.facts.holders(vip).filter(|other| other.id != case.source.id && other.id != case.target.id);
    let others = third().any(|other| of(other).is_none_or(|names| !names.is_empty()));
    let saw = format!("{} selects {a} and not {b}", only.join(", "));
    let way_out = format!("make it select {b} as well (labels, loadBalancerClass)");
    if chosen.source_leaves() && theirs.is_empty() && !others {
        return Check::refused(ID, format!("{saw}: with {a} the announcement of {vip} would go"), way_out);
    }
    Check::warning(ID, format!("{saw}: {vip} stays announced only as long as {a} has it"), way_out)
}
