//! Whether the target can answer before it is given the port.

use std::collections::BTreeSet;

use super::{Case, Check, args, named, ports};
use crate::migrate::intent::Move;
use crate::model::{EndpointSlice, Proto, Service};

/// What stands behind a port that a Service has not got yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Backing {
    /// So many endpoints are ready for it.
    Ready(usize),
    /// Kubernetes adds the port to so many ready endpoints once the Service has it.
    Follows(usize),
    /// Nothing.
    None,
}

/// The label's value of slices that a drain made: they back nobody.
const OURS: &str = "vipctl-drain-";

fn slices<'a>(case: &Case<'a>, service: &Service) -> Option<Vec<&'a EndpointSlice>> {
    let all = case.facts.slices(&service.id)?;
    Some(all.into_iter().filter(|slice| !slice.name.starts_with(OURS)).collect())
}

fn knows(slice: &EndpointSlice, name: &str, proto: Proto) -> bool {
    slice.ports.iter().any(|port| port.name == name && port.proto == proto)
}

fn ready<'a>(slices: impl Iterator<Item = &'a &'a EndpointSlice>) -> usize {
    let ready = slices.flat_map(|slice| &slice.endpoints).filter(|endpoint| endpoint.ready);
    ready.flat_map(|endpoint| &endpoint.addresses).collect::<BTreeSet<_>>().len()
}

fn backing(case: &Case<'_>, slices: &[&EndpointSlice], mv: &Move) -> Backing {
    let name = mv.to["name"].as_str().unwrap_or_default();
    let proto = ports::key(&mv.to).map_or(Proto::Tcp, |(_, proto)| proto);
    let known = || slices.iter().filter(|slice| knows(slice, name, proto));
    if known().next().is_some() {
        return match ready(known()) {
            0 => Backing::None,
            n => Backing::Ready(n),
        };
    }
    match ready(slices.iter()) {
        n if n > 0 && !case.target.selector.is_empty() => Backing::Follows(n),
        _ => Backing::None,
    }
}

/// Whether every moving port of the source has a ready endpoint; then its rows must have active backends
/// when it is given back.
pub(super) fn source_backed(case: &Case<'_>, moves: &[Move]) -> bool {
    let Some(slices) = slices(case, case.source) else { return false };
    moves.iter().all(|mv| {
        let name = mv.from["name"].as_str().unwrap_or_default();
        let proto = ports::key(&mv.from).map_or(Proto::Tcp, |(_, proto)| proto);
        ready(slices.iter().filter(|slice| knows(slice, name, proto))) > 0
    })
}

/// The target must have active backends: a port without any is as good as lost.
pub(super) fn check(case: &Case<'_>, moves: &[Move], checks: &mut Vec<Check>) {
    const ID: &str = "backends";
    let b = named(&case.target.id);
    let Some(slices) = slices(case, case.target) else {
        let saw = format!("the EndpointSlices of {b} could not be read");
        checks.push(Check::refused(ID, saw, "ask for `list endpointslices.discovery.k8s.io` in its namespace"));
        return;
    };
    for mv in moves {
        let (port, target) = (ports::text(&mv.to), &mv.to["targetPort"]);
        checks.push(match backing(case, &slices, mv) {
            Backing::None => Check::refused(
                ID,
                format!("{b} has no ready endpoint for {port}"),
                format!("make one ready, or add the port to its EndpointSlices: kubectl get endpointslices -n {} -l kubernetes.io/service-name={}", case.target.id.namespace, case.target.id.name),
            ),
            Backing::Ready(n) => Check::ok(ID, format!("{b} has {n} ready for {port}")),
            Backing::Follows(n) if target.is_string() => Check::warning(
                ID,
                format!("{b} has {n} ready endpoints; whether their pods name a port {target} for {port} was not seen"),
                format!("look: kubectl get pods -n {} -o yaml; or give a number with --target-port", case.target.id.namespace),
            ),
            Backing::Follows(n) if mv.to["targetPort"] == mv.from["targetPort"] => Check::warning(
                ID,
                format!(
                    "{b} has {n} ready endpoints; whether they listen on {}, the number of the source's, was not seen",
                    text(target)
                ),
                "give the number that they listen on with --target-port, also if it is this one",
            ),
            Backing::Follows(n) => Check::ok(
                ID,
                format!("{b} has {n} ready; Kubernetes adds port {} to them when it has {port}", text(target)),
            ),
        });
    }
    if moves.is_empty() {
        checks.push(Check::unknown(
            ID,
            format!("which ports {b} would get is not known"),
            format!("look: kubectl vipctl explain {}", args(&case.target.id)),
        ));
    }
}

fn text(target: &serde_json::Value) -> String {
    target.as_str().map_or_else(|| target.to_string(), str::to_owned)
}
