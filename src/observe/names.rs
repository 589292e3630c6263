//! Names in captures: somebody else's end up in commands that people paste.

use crate::model::{Agent, Observation, Pod, Read, Service};

/// The first name that no Kubernetes object can have: the field and the name.
///
/// References to Services are not looked at: none with such a name can be read at all.
pub(super) fn first_bad(observation: &Observation) -> Option<(String, String)> {
    let all = [
        one("install.namespace", &observation.install.namespace),
        each("install.operators", &observation.install.operators, pod_names),
        single("install.leader", &observation.install.leader),
        each("services", &observation.services, service_names),
        each("slices", &observation.slices, |slice| {
            let nodes = slice.endpoints.iter().filter_map(|endpoint| endpoint.node.as_deref());
            nodes.chain([slice.name.as_str()]).collect()
        }),
        each("pools", &observation.pools, |pool| vec![&pool.name]),
        each("l2Policies", &observation.l2_policies, |policy| vec![&policy.name]),
        each("advertisements", &observation.advertisements, |advertisement| vec![&advertisement.name]),
        each("bgpNodes", &observation.bgp_nodes, |node| vec![&node.node]),
        each("leases", &observation.leases, |lease| vec![&lease.name, &lease.holder]),
        each("nodes", &observation.nodes, |node| vec![&node.name]),
        observation.agents.iter().flat_map(agent_names).map(|name| ("agents", name)).collect(),
    ];
    let bad = all.into_iter().flatten().find(|(_, name)| !plain(name))?;
    Some((bad.0.to_owned(), bad.1.to_owned()))
}

type Named<'a> = Vec<(&'static str, &'a str)>;

fn one<'a>(field: &'static str, name: &'a str) -> Named<'a> {
    vec![(field, name)]
}

fn single<'a>(field: &'static str, read: &'a Read<Option<crate::model::Lease>>) -> Named<'a> {
    let lease = read.known().and_then(Option::as_ref);
    lease.into_iter().flat_map(|lease| [(field, lease.name.as_str()), (field, lease.holder.as_str())]).collect()
}

fn each<'a, T>(field: &'static str, read: &'a Read<Vec<T>>, names: impl Fn(&'a T) -> Vec<&'a str>) -> Named<'a> {
    read.known().into_iter().flatten().flat_map(names).map(|name| (field, name)).collect()
}

fn pod_names(pod: &Pod) -> Vec<&str> {
    vec![&pod.name, &pod.node]
}

/// The selector becomes `-l` of a command.
fn service_names(service: &Service) -> Vec<&str> {
    let selector = service.selector.iter().flat_map(|(key, value)| [key.as_str(), value.as_str()]);
    selector.chain(service.controller.as_deref()).collect()
}

fn agent_names(agent: &Agent) -> Vec<&str> {
    let rows = agent.answer.known().into_iter().flat_map(|answer| &answer.frontends);
    let nodes = rows.flat_map(|row| &row.backends).map(|backend| backend.node.as_str());
    nodes.chain(pod_names(&agent.pod)).collect()
}

/// Empty is fine: it stands for what is not known.
fn plain(name: &str) -> bool {
    !name.starts_with('-') && name.chars().all(crate::model::in_names)
}

#[cfg(test)]
mod tests {
    use crate::model::SourceKind;
    use crate::observe::{CaptureError, read_capture};

    #[test]
    fn no_name_of_a_stranger_reaches_a_shell() {
        let text = include_str!("../../tests/fixtures/captures/healthy.json");
        for (from, to) in [
            (r#""namespace": "kube-system""#, r#""namespace": "kube-system;reboot""#),
            (r#""name": "cilium-operator-6f7b9d5c48-x7k2m""#, r#""name": "$(reboot)""#),
            (r#""node": "nd3""#, r#""node": "nd3 && reboot""#),
            (r#""name": "nd2""#, r#""name": "--all""#),
            (r#""id": "shop/a","#, r#""id": "shop/a", "selector": {"a": "b`reboot`"},"#),
            (r#""id": "shop/a""#, r#""id": "shop/a|reboot""#),
            (r#""owner": "shop/b""#, r#""owner": "-A/b""#),
        ] {
            let bad = text.replacen(from, to, 1);
            assert_ne!(bad, text, "{from}");
            let error = read_capture(&bad, "x", SourceKind::Capture).expect_err(to);
            // References to Services are refused where they stand, with line and column.
            assert!(matches!(error, CaptureError::Name { .. } | CaptureError::Json { .. }), "{to}: {error}");
        }
        assert!(read_capture(text, "x", SourceKind::Capture).is_ok());
    }

    #[test]
    fn the_error_names_field_and_name() {
        let text = include_str!("../../tests/fixtures/captures/healthy.json");
        let bad = text.replacen(r#""namespace": "kube-system""#, r#""namespace": "a;b""#, 1);
        let error = read_capture(&bad, "x.json", SourceKind::Capture).expect_err("a bad name");
        assert!(matches!(error, CaptureError::Name { .. }));
        assert_eq!(
            error.to_string(),
            "capture x.json holds a name that no Kubernetes object has: 'a;b' in install.namespace"
        );
    }
}
