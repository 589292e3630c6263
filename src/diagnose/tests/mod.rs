//! Each fault beside its look-alikes, on observations put together by hand.

mod allocation;
mod announcing;
mod claims;
mod reading;
mod serving;

use super::testing::{Builder, World, moment, service, world};
use super::{Code, Confidence, Finding, Severity, SubjectReport};
use crate::model::{Missing, MissingKind, Read};

pub(super) const K80: &str = "192.0.2.10:80/TCP";
pub(super) const NODES: [&str; 3] = ["nd1", "nd2", "nd3"];

/// A satisfied Service on the VIP.
pub(super) fn holder(name: &str) -> Builder {
    service("shop", name).vip("192.0.2.10").ipam("True", "satisfied", "")
}

pub(super) fn problems(report: &SubjectReport) -> Vec<(Code, Confidence)> {
    report.findings.iter().filter(|f| f.severity > Severity::Info).map(|f| (f.code, f.confidence)).collect()
}

pub(super) fn cause(report: &SubjectReport) -> &Finding {
    report.findings.first().expect("a finding")
}

pub(super) fn everywhere(mut world: World, key: &str, owner: &str) -> World {
    for node in NODES {
        world = world.row(node, key, owner);
    }
    world
}

pub(super) fn refused_everywhere(mut world: World, key: &str, owner: &str) -> World {
    for node in NODES {
        world = world.refused(node, key, owner);
    }
    world
}

pub(super) fn known<T>(value: T) -> Read<T> {
    Read::Known { value, at: moment() }
}

pub(super) fn unread<T>() -> Read<T> {
    Read::Unknown(Missing { kind: MissingKind::Forbidden, text: "forbidden".to_owned(), permission: None })
}

pub(super) fn served() -> World {
    everywhere(world(&NODES).with(holder("b").port(80)), K80, "shop/b")
}
