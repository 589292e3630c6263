//! Who else writes these Services: Argo CD, Flux, Helm, and people with `kubectl apply`.

use serde_json::Value;

use crate::migrate::plan::{Case, Check, named};
use crate::model::ServiceRef;

const ID: &str = "owners";

/// Somebody who will write the Service again.
struct Owner {
    /// Who, as a phrase.
    who: String,
    /// How to make it stop for a while.
    pause: String,
}

pub(super) fn check(case: &Case<'_>, checks: &mut Vec<Check>) {
    let before = checks.len();
    let mut by_hand = Vec::new();
    for (id, object) in [(&case.source.id, case.seen.source), (&case.target.id, case.seen.target)] {
        match owner(object) {
            Some(owner) => checks.push(owned(case, id, &owner)),
            None if applied(object) => by_hand.push(named(id)),
            None => {}
        }
    }
    if !by_hand.is_empty() {
        checks.push(Check::warning(
            ID,
            format!("`kubectl apply` of the present file of {} would bring the port back", by_hand.join(" or of ")),
            "change the files as well: `kubectl vipctl migrate plan … -o commits` writes what to change",
        ));
    }
    if checks.len() == before {
        checks.push(Check::ok(ID, "neither Helm, Argo CD nor Flux has a mark on them"));
    }
}

fn owned(case: &Case<'_>, id: &ServiceRef, owner: &Owner) -> Check {
    let saw = format!("{} belongs to {}, which sets it back", named(id), owner.who);
    if case.request.override_owner {
        return Check::warning(ID, saw, format!("until the change is in its source as well: {}", owner.pause));
    }
    let way_out = format!(
        "make the two changes where it takes them from (`kubectl vipctl migrate plan … -o commits` writes them), or {} \
         and go on with --override-owner",
        owner.pause
    );
    Check::refused(ID, saw, way_out)
}

fn marks<'o>(object: &'o Value, part: &'static str) -> impl Fn(&str) -> Option<&'o str> {
    move |name| object["metadata"][part][name].as_str()
}

fn managers(object: &Value) -> impl Iterator<Item = &str> {
    let fields = object["metadata"]["managedFields"].as_array();
    let entries = fields.into_iter().flatten().filter(|entry| entry["subresource"].as_str().is_none_or(str::is_empty));
    entries.filter_map(|entry| entry["manager"].as_str())
}

fn owner(object: &Value) -> Option<Owner> {
    argo(object).or_else(|| flux(object)).or_else(|| helm(object))
}

fn argo(object: &Value) -> Option<Owner> {
    let tracking = marks(object, "annotations")("argocd.argoproj.io/tracking-id");
    let manager = managers(object).find(|name| name.starts_with("argocd"));
    // Only the annotation names the application: the label of that purpose is set by Helm charts too.
    let app = tracking.and_then(|id| id.split_once(':')).map_or("APPLICATION", |(app, _)| app);
    (tracking.is_some() || manager.is_some()).then(|| Owner {
        who: if tracking.is_some() { format!("Argo CD (application {app})") } else { "Argo CD".to_owned() },
        pause: format!(
            "pause it: kubectl annotate applications.argoproj.io {app} -n argocd argocd.argoproj.io/skip-reconcile=true"
        ),
    })
}

/// Whether Flux was told to leave the object alone.
fn flux_off(object: &Value, group: &str) -> bool {
    let name = format!("{group}/reconcile");
    let set = marks(object, "annotations")(&name).or_else(|| marks(object, "labels")(&name));
    set.is_some_and(|value| value.eq_ignore_ascii_case("disabled"))
}

fn flux(object: &Value) -> Option<Owner> {
    for (group, kind) in [("kustomize.toolkit.fluxcd.io", "kustomization"), ("helm.toolkit.fluxcd.io", "helmrelease")] {
        let label = |part: &str| marks(object, "labels")(&format!("{group}/{part}"));
        if let Some(name) = label("name").filter(|_| !flux_off(object, group)) {
            let namespace = label("namespace").unwrap_or("flux-system");
            return Some(Owner {
                who: format!("Flux ({kind} {namespace}/{name})"),
                pause: format!("pause it: flux suspend {kind} {name} -n {namespace}"),
            });
        }
    }
    let manager = managers(object).any(|name| name == "kustomize-controller" || name == "helm-controller");
    let off = flux_off(object, "kustomize.toolkit.fluxcd.io");
    (manager && !off)
        .then(|| Owner { who: "Flux".to_owned(), pause: "pause it: flux suspend kustomization NAME".to_owned() })
}

fn helm(object: &Value) -> Option<Owner> {
    let release = marks(object, "annotations")("meta.helm.sh/release-name");
    let label = marks(object, "labels")("app.kubernetes.io/managed-by") == Some("Helm");
    let manager = managers(object).any(|name| name == "helm");
    let named = release.map_or_else(|| "Helm".to_owned(), |name| format!("Helm (release {name})"));
    (release.is_some() || label || manager).then(|| Owner { who: named, pause: "let nobody upgrade it".to_owned() })
}

/// Whether there is a file that `kubectl apply` took it from.
fn applied(object: &Value) -> bool {
    let last = marks(object, "annotations")("kubectl.kubernetes.io/last-applied-configuration").is_some();
    last || managers(object).any(|name| matches!(name, "kubectl" | "kubectl-client-side-apply"))
}
