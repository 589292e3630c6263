//! Preconditions about everything around: sharers, nodes, backends, pools, announcements.

use serde_json::json;

use super::{refused, says, warned};
use crate::diagnose::testing::{Builder, World, service};
use crate::migrate::intent::SourceAfter;
use crate::migrate::plan::testing::{Setting, a, b, of, setting, shared};
use crate::migrate::plan::{CheckState, Ports};
use crate::model::{L2Policy, MissingKind, Observation, Read, Selector, StatusKind};

fn around(more: impl FnOnce(World) -> World) -> Setting {
    of(a(), b(), more)
}

fn edit(change: impl FnOnce(&mut Observation)) -> Setting {
    around(|world| world.edit(change))
}

fn list<T>(read: &mut Read<Vec<T>>) -> &mut Vec<T> {
    match read {
        Read::Known { value, .. } => value,
        Read::Unknown(_) => panic!("not read"),
    }
}

#[test]
fn sharers_must_stay_compatible() {
    let third = around(|world| world.with(shared("c").port(80)));
    refused(&third, "sharing", "svc/c (ns shop) claims 192.0.2.10:80/TCP as well");
    let seeker = around(|world| world.with(service("shop", "c").key("edge").pinned("192.0.2.10").port(80)));
    refused(&seeker, "sharing", "svc/c (ns shop) claims");
    let keys = of(a(), b(), |world| world.with(shared("c").key("other").port(99)));
    refused(&keys, "sharing", "their sharing keys differ");
    refused(&of(a().local(), b(), |world| world), "sharing", "externalTrafficPolicy differs");
    let alone = of(a().local(), b(), |world| world).with(|it| it.request.ports = Ports::All);
    warned(&alone.after(SourceAfter::ClusterIp), "local", "health checks of an outer balancer");
    let unread = edit(|seen| {
        seen.others_missing = seen.services.missing().cloned().or(Some(crate::model::Missing {
            kind: MissingKind::Forbidden,
            text: "forbidden".to_owned(),
            permission: None,
        }));
    });
    refused(&unread, "sharing", "another one may claim");
}

#[test]
fn the_source_must_serve_everywhere() {
    let wrong = |change: fn(&mut crate::model::FrontendRow)| {
        edit(|seen| {
            for agent in &mut seen.agents {
                if let Read::Known { value, .. } = &mut agent.answer {
                    value.frontends.iter_mut().filter(|row| row.key.port == 80).for_each(change);
                }
            }
        })
    };
    refused(&wrong(|row| row.key.port = 81), "served", "no row on nd1, no row on nd2");
    refused(&wrong(|row| row.status.kind = StatusKind::Pending), "served", "not Done on nd1");
    refused(&wrong(|row| row.status.id = 0), "served", "not Done on nd1");
    refused(&wrong(|row| row.owner.name = "c".to_owned()), "served", "owned by svc/c (ns shop) on nd1");
}

#[test]
fn no_agent_may_hold_a_change_back() {
    let refuses = around(|world| world.refused("nd2", "192.0.2.10:53/UDP", "shop/c"));
    refused(&refuses, "health", "a change of svc/b (ns shop) is refused on nd2");
    let sick = edit(|seen| {
        for agent in &mut seen.agents {
            if let Read::Known { value, .. } = &mut agent.answer {
                value.frontends.retain(|row| row.key.port != 53);
            }
        }
    });
    refused(&sick, "health", "svc/b (ns shop) does not serve its own 192.0.2.10:53/UDP");
}

#[test]
fn every_agent_must_answer_unless_it_is_let_off() {
    let silent = || around(|world| world.silent("nd2", MissingKind::Timeout));
    refused(&silent(), "agents", "--allow-unknown 1");
    warned(&silent().with(|it| it.request.limits.allow_unknown = 1), "agents", "no answer from nd2: no answer");
    let all = around(|world| world.silent("nd1", MissingKind::Timeout).silent("nd2", MissingKind::Forbidden));
    refused(&all.with(|it| it.request.limits.allow_unknown = 2), "agents", "one must answer at least");
}

#[test]
fn versions_are_those_that_were_tested() {
    let version = |versions: [&'static str; 2]| {
        edit(move |seen| {
            for (agent, version) in seen.agents.iter_mut().zip(versions) {
                agent.pod.version = Some(version.to_owned());
            }
        })
    };
    refused(&version(["1.20.2", "1.17.9"]), "version", "update Cilium first");
    warned(&version(["1.21.0", "1.21.0"]), "version", "newer than 1.20");
    warned(&version(["1.20.2", "1.19.5"]), "version", "several versions: 1.19.5, 1.20.2");
}

#[test]
fn the_target_must_have_backends() {
    let slice = |change: fn(&mut crate::model::EndpointSlice)| {
        edit(|seen| list(&mut seen.slices).iter_mut().filter(|s| s.service.name == "b").for_each(change))
    };
    refused(&slice(|slice| slice.endpoints[0].ready = false), "backends", "no ready endpoint for 80/TCP");
    let unselected =
        || Builder::clone(&service("shop", "b").key("edge").pinned("192.0.2.10").vip("192.0.2.10").udp(53));
    let manual = of(a(), unselected().ipam("True", "satisfied", ""), |world| world);
    refused(&manual, "backends", "add the port to its EndpointSlices");
    let named = setting().with(|it| it.source["spec"]["ports"][0]["targetPort"] = json!("web"));
    warned(&named, "backends", "pods name a port \"web\"");
    refused(&edit(|seen| seen.slices = unread()), "backends", "could not be read");
}

fn unread<T>() -> Read<T> {
    Read::Unknown(crate::model::Missing { kind: MissingKind::Failed, text: "no".to_owned(), permission: None })
}

#[test]
fn lb_ipam_must_be_able_to_heal() {
    let unpinned = || {
        let b = service("shop", "b").key("edge").vip("192.0.2.10").selects("app", "b").udp(53);
        of(a(), b.ipam("True", "satisfied", ""), |world| world)
    };
    refused(
        &unpinned().handoff(),
        "pinned",
        "kubectl annotate svc/b -n shop --overwrite lbipam.cilium.io/ips=192.0.2.10",
    );
    warned(&unpinned(), "pinned", "does not ask for its address");
    let disabled = || edit(|seen| list(&mut seen.pools)[0].disabled = true);
    refused(&disabled().handoff(), "pool", "is disabled");
    warned(&disabled(), "pool", "would not be given again");
    let stopped = edit(|seen| {
        if let Read::Known { value, .. } = &mut seen.install.operators {
            value[0].ready = false;
        }
    });
    warned(&stopped, "operator", "no cilium-operator is ready");
    let waiting = around(|world| world.with(service("shop", "c").key("edge").pinned("192.0.2.10").port(99)));
    warned(&waiting, "waiting", "svc/c (ns shop) waits for 192.0.2.10");
    let class = of(a().key("edge"), b(), |world| {
        world.edit(|seen| {
            if let Read::Known { value, .. } = &mut seen.install.config {
                value.insert("default-lb-service-ipam".to_owned(), "none".to_owned());
            }
        })
    });
    warned(&class, "ipam", "LB-IPAM does not answer for the address");
}

#[test]
fn an_address_that_flaps_ends_no_wait() {
    let flaps = edit(|seen| {
        list(&mut seen.services).iter_mut().filter(|s| s.id.name == "b").for_each(|b| b.ingress.clear());
    });
    refused(&flaps, "flapping", "another writer removes the address");
}

#[test]
fn the_network_must_still_learn_of_the_vip() {
    let only_a = |policy: &mut L2Policy| {
        policy.service_selector =
            Some(Selector { match_labels: [("tier".to_owned(), "edge".to_owned())].into(), ..Selector::default() });
    };
    let labelled = || {
        of(a().label("tier", "edge"), b(), |world| {
            world.edit(|seen| list(&mut seen.l2_policies).iter_mut().for_each(only_a))
        })
    };
    warned(&labelled(), "announced", "L2 policy all selects svc/a (ns shop) and not svc/b (ns shop)");
    let leaves = labelled().with(|it| it.request.ports = Ports::All).after(SourceAfter::ClusterIp);
    refused(&leaves, "announced", "the announcement of 192.0.2.10 would go");
    let unread = edit(|seen| seen.l2_policies = unread()).plan();
    says(&unread, "announced", CheckState::Unknown, "could not be read");
}

#[test]
fn going_back_must_find_the_address_again() {
    let unpinned = service("shop", "a").key("edge").vip("192.0.2.10").selects("app", "a").port(80);
    let leaves = of(unpinned.ipam("True", "satisfied", ""), b(), |world| world).after(SourceAfter::Delete);
    warned(&leaves, "rollback", "is not pinned to it");
}
