//! What clients would notice: the two Services treat a connection differently.

use serde_json::Value;

use crate::migrate::plan::{Case, Check, named};

const ID: &str = "differences";

/// Fields of the spec that decide how a port's connections are treated, and their defaults.
const FIELDS: [(&str, &str); 7] = [
    ("externalTrafficPolicy", "Cluster"),
    ("internalTrafficPolicy", "Cluster"),
    ("sessionAffinity", "None"),
    ("loadBalancerSourceRanges", "[]"),
    ("publishNotReadyAddresses", "false"),
    ("ipFamilies", "[]"),
    ("trafficDistribution", "none"),
];

/// Annotations of Cilium's that do.
const PREFIX: &str = "service.cilium.io/";

pub(super) fn check(case: &Case<'_>, checks: &mut Vec<Check>) {
    let (a, b) = (case.seen.source, case.seen.target);
    let mut found: Vec<String> = FIELDS.iter().filter_map(|field| field_differs(a, b, field)).collect();
    found.extend(annotations_differ(a, b));
    if found.is_empty() {
        checks.push(Check::ok(ID, "both treat connections alike (traffic policies, source ranges, affinity)"));
    }
    let target = named(&case.target.id);
    checks.extend(found.into_iter().map(|text| {
        Check::warning(ID, format!("not alike: {text}"), format!("change it on {target} first, or accept it"))
    }));
    if a["spec"]["externalTrafficPolicy"] == "Local" {
        let port = a["spec"]["healthCheckNodePort"].as_u64();
        let own = b["spec"]["healthCheckNodePort"].as_u64();
        let text = |port: Option<u64>| port.map_or("none".to_owned(), |port| port.to_string());
        checks.push(Check::warning(
            "local",
            format!(
                "externalTrafficPolicy Local: nodes without an endpoint of {target} drop the port's packets; health \
                 checks of an outer balancer ask {} now and must ask {}",
                text(port),
                text(own)
            ),
            "see that endpoints are on the nodes that announce the VIP",
        ));
    }
}

fn text(value: &Value, default: &str) -> String {
    match value {
        Value::Null => default.to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn field_differs(a: &Value, b: &Value, (field, default): &(&str, &str)) -> Option<String> {
    let (mine, theirs) = (text(&a["spec"][*field], default), text(&b["spec"][*field], default));
    (mine != theirs).then(|| format!("{field} is {mine} on the source, {theirs} on the target"))
}

fn annotations_differ(a: &Value, b: &Value) -> Vec<String> {
    let of = |object: &Value| -> std::collections::BTreeMap<String, String> {
        let all = object["metadata"]["annotations"].as_object().into_iter().flatten();
        let ours = all.filter(|(name, _)| name.starts_with(PREFIX));
        ours.map(|(name, value)| (name.clone(), text(value, ""))).collect()
    };
    let (mine, theirs) = (of(a), of(b));
    let names: std::collections::BTreeSet<&String> = mine.keys().chain(theirs.keys()).collect();
    let say = |value: Option<&String>| value.map_or("not set".to_owned(), Clone::clone);
    let differs = names.into_iter().filter(|name| mine.get(*name) != theirs.get(*name));
    differs
        .map(|name| {
            format!(
                "annotation {name} is {} on the source, {} on the target",
                say(mine.get(name)),
                say(theirs.get(name))
            )
        })
        .collect()
}
