//! Kubeconfig files: which are read, and which of their entries are meant.

use std::path::{Path, PathBuf};

use kube::config::{AuthInfo, Cluster, Context, Kubeconfig, KubeconfigError};

use super::client::{ConnectError, ConnectSettings};
use super::near::nearest;

/// The merged files, or none where there is not one.
pub(super) fn read_files(
    settings: &ConnectSettings,
    notes: &mut Vec<String>,
) -> Result<Option<Kubeconfig>, ConnectError> {
    if let Some(file) = &settings.kubeconfig {
        return read_file(file).map(Some).map_err(ConnectError::Invalid);
    }
    let mut merged: Option<Kubeconfig> = None;
    for file in &settings.default_files {
        if !file.exists() {
            notes.push(format!("kubeconfig {} does not exist, skipped", file.display()));
            continue;
        }
        let next = read_file(file).map_err(ConnectError::Invalid)?;
        merged = Some(match merged {
            Some(before) => before.merge(next).map_err(|e| ConnectError::Invalid(e.to_string()))?,
            None => next,
        });
    }
    Ok(merged)
}

fn read_file(file: &Path) -> Result<Kubeconfig, String> {
    Kubeconfig::read_from(file).map_err(|error| match error {
        KubeconfigError::ReadConfig(source, path) => format!("failed to read kubeconfig {}: {source}", path.display()),
        KubeconfigError::Parse(error) => {
            // Without its drawing of the place: line and column say it as well.
            let text = error.without_snippet().to_string();
            format!("kubeconfig {} cannot be read: {}", file.display(), text.trim_start_matches("error: "))
        }
        other => format!("kubeconfig {}: {other}", file.display()),
    })
}

/// A context and its name, where it has one.
pub(super) type Picked = (Option<String>, Context);

pub(super) fn pick_context(settings: &ConnectSettings, files: &Kubeconfig) -> Result<Picked, ConnectError> {
    let current = files.current_context.clone().filter(|name| !name.is_empty());
    let Some(name) = settings.context.clone().or(current) else {
        if settings.server.is_some() || settings.cluster.is_some() {
            return Ok((None, Context::default()));
        }
        return Err(ConnectError::NoConfig(no_context(settings, files)));
    };
    let found = files.contexts.iter().find(|c| c.name == name).and_then(|c| c.context.clone());
    match found {
        Some(context) => Ok((Some(name), context)),
        None => Err(unknown("context", name, files.contexts.iter().map(|c| c.name.as_str()))),
    }
}

/// Why nothing says which context to use.
fn no_context(settings: &ConnectSettings, files: &Kubeconfig) -> String {
    let read: Vec<String> = match &settings.kubeconfig {
        Some(file) => vec![file.display().to_string()],
        None => settings.default_files.iter().filter(|f| f.exists()).map(|f| f.display().to_string()).collect(),
    };
    if read.is_empty() {
        "no cluster is configured: no kubeconfig was found".to_owned()
    } else if files.contexts.is_empty() && files.clusters.is_empty() {
        format!("kubeconfig {} holds no cluster", read.join(", "))
    } else {
        format!("kubeconfig {} has no current-context", read.join(", "))
    }
}

/// What kubeconfig files define, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConfigNames {
    /// Contexts.
    pub contexts: Vec<String>,
    /// Clusters.
    pub clusters: Vec<String>,
    /// Users.
    pub users: Vec<String>,
}

/// The names in kubeconfig files, for completion: a file that cannot be read has none.
#[must_use]
pub fn config_names(files: &[PathBuf]) -> ConfigNames {
    let mut names = ConfigNames::default();
    for file in files.iter().filter_map(|file| read_file(file).ok()) {
        names.contexts.extend(file.contexts.into_iter().map(|c| c.name));
        names.clusters.extend(file.clusters.into_iter().map(|c| c.name));
        names.users.extend(file.auth_infos.into_iter().map(|u| u.name));
    }
    names
}

pub(super) fn pick_cluster(
    settings: &ConnectSettings,
    files: &Kubeconfig,
    context: &Context,
) -> Result<Cluster, ConnectError> {
    let name = settings.cluster.as_ref().unwrap_or(&context.cluster);
    let found = files.clusters.iter().find(|c| &c.name == name).and_then(|c| c.cluster.clone());
    match found {
        Some(cluster) => Ok(cluster),
        None if settings.cluster.is_none() && settings.server.is_some() => Ok(Cluster::default()),
        None => Err(unknown("cluster", name.clone(), files.clusters.iter().map(|c| c.name.as_str()))),
    }
}

pub(super) fn pick_user(
    settings: &ConnectSettings,
    files: &Kubeconfig,
    context: &Context,
) -> Result<AuthInfo, ConnectError> {
    let Some(name) = settings.user.as_ref().or(context.user.as_ref()) else { return Ok(AuthInfo::default()) };
    let found = files.auth_infos.iter().find(|u| &u.name == name).and_then(|u| u.auth_info.clone());
    match found {
        Some(user) => Ok(user),
        // A context may name a user that is not there: then it is nobody, as in kubectl.
        None if settings.user.is_none() => Ok(AuthInfo::default()),
        None => Err(unknown("user", name.clone(), files.auth_infos.iter().map(|u| u.name.as_str()))),
    }
}

fn unknown<'a>(kind: &'static str, name: String, all: impl Iterator<Item = &'a str>) -> ConnectError {
    let all: Vec<&str> = all.collect();
    let mut known: Vec<String> = nearest(&name, all.iter().copied()).into_iter().map(str::to_owned).collect();
    for other in all {
        if !known.iter().any(|k| k == other) {
            known.push(other.to_owned());
        }
    }
    ConnectError::Unknown { kind, name, known }
}
