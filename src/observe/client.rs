//! The connection, by kubectl's rules: kubeconfig files, contexts, overrides by flags.
//!
//! What kube 5.0.0 does otherwise is settled here: a missing file of the `KUBECONFIG` list is
//! skipped; a credential plugin runs without a terminal; the proxy is decided for the server's
//! address; nothing is retried behind our back.

use std::path::PathBuf;
use std::time::Duration;

use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use kube::client::ConfigExt as _;
use kube::config::{
    AuthInfo, Cluster, Config, Context, ExecInteractiveMode, KubeConfigOptions, Kubeconfig, NamedAuthInfo,
    NamedCluster, NamedContext,
};

use super::api::plain_error;
use super::kubeconfig::{pick_cluster, pick_context, pick_user, read_files};
pub use super::proxy::ProxyEnv;

/// Whom to act as.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Impersonation {
    /// `--as`.
    pub user: Option<String>,
    /// `--as-group`.
    pub groups: Vec<String>,
    /// `--as-uid`.
    pub uid: Option<String>,
    /// `--as-user-extra`, key and value.
    pub extra: Vec<(String, String)>,
}

/// Everything that decides about the connection: kubectl's flags and the environment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConnectSettings {
    /// `--kubeconfig`: this file and no other.
    pub kubeconfig: Option<PathBuf>,
    /// The files of `KUBECONFIG`, or `~/.kube/config`.
    pub default_files: Vec<PathBuf>,
    /// Whether this is a pod with a service account.
    pub in_cluster: bool,
    /// `--context`.
    pub context: Option<String>,
    /// `--cluster`.
    pub cluster: Option<String>,
    /// `--user`.
    pub user: Option<String>,
    /// `--namespace`.
    pub namespace: Option<String>,
    /// `--server`.
    pub server: Option<String>,
    /// `--token`.
    pub token: Option<String>,
    /// `--as…`.
    pub act_as: Impersonation,
    /// `--tls-server-name`.
    pub tls_server_name: Option<String>,
    /// `--certificate-authority`.
    pub certificate_authority: Option<String>,
    /// `--client-certificate`.
    pub client_certificate: Option<String>,
    /// `--client-key`.
    pub client_key: Option<String>,
    /// `--insecure-skip-tls-verify`.
    pub insecure: bool,
    /// The proxy variables.
    pub proxy: ProxyEnv,
}

/// A client and what it is connected to.
#[derive(Clone)]
pub struct Connection {
    /// The client; one for the whole run, for a credential plugin runs for each.
    pub client: kube::Client,
    /// The context's name; none where flags alone say where the cluster is.
    pub context: Option<String>,
    /// The server's URL.
    pub url: String,
    /// The namespace that is meant where none is named.
    pub namespace: String,
    /// What a long run should know, e.g. files that were skipped.
    pub notes: Vec<String>,
}

/// Why there is no connection.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// Nothing says where the cluster is.
    #[error("{0}")]
    NoConfig(String),
    /// A context, cluster or user that no file defines.
    #[error("{kind} \"{name}\" does not exist in the kubeconfig")]
    Unknown {
        /// context, cluster or user.
        kind: &'static str,
        /// What was asked for.
        name: String,
        /// Those that exist, the nearest first.
        known: Vec<String>,
    },
    /// A file or value that cannot be used.
    #[error("{0}")]
    Invalid(String),
    /// The credential plugin failed.
    #[error("failed to get credentials: {text}")]
    Plugin {
        /// Why.
        text: String,
        /// The kubeconfig's `installHint`.
        hint: Option<String>,
    },
    /// The server does not answer.
    #[error("unable to connect to the server {url}{}: {text}", in_context(.context))]
    Unreachable {
        /// Its URL.
        url: String,
        /// The context, where one was used.
        context: Option<String>,
        /// Why.
        text: String,
    },
    /// The server does not know us.
    #[error("you must be logged in to the server {url}{}: {text}", in_context(.context))]
    Unauthorized {
        /// Its URL.
        url: String,
        /// The context, where one was used.
        context: Option<String>,
        /// Its words.
        text: String,
    },
}

fn in_context(context: &Option<String>) -> String {
    context.as_ref().map(|name| format!(" (context \"{name}\")")).unwrap_or_default()
}

/// Connects; must be called inside the runtime. Nothing is sent yet, except by a credential plugin.
///
/// # Errors
/// As [`ConnectError`], without the last two.
pub async fn connect(settings: &ConnectSettings) -> Result<Connection, ConnectError> {
    let mut notes = Vec::new();
    let files = read_files(settings, &mut notes)?;
    let (mut config, context, install_hint) = match files {
        Some(files) => from_files(settings, files).await?,
        None if settings.in_cluster && settings.server.is_none() => {
            let config = Config::incluster().map_err(|e| ConnectError::NoConfig(e.to_string()))?;
            (config, Some("in-cluster".to_owned()), None)
        }
        None => from_files(settings, Kubeconfig::default()).await?,
    };
    impersonate(&mut config.auth_info, &settings.act_as);
    if let Some(namespace) = &settings.namespace {
        config.default_namespace.clone_from(namespace);
    }
    config.default_retry = false;
    config.connect_timeout = Some(Duration::from_secs(10));
    let url = config.cluster_url.to_string().trim_end_matches('/').to_owned();
    let namespace = config.default_namespace.clone();
    let client = client(config).map_err(|error| match &error {
        kube::Error::Auth(_) => ConnectError::Plugin { text: auth_text(&error), hint: install_hint.clone() },
        _ => ConnectError::Invalid(plain_error(&error)),
    })?;
    Ok(Connection { client, context, url, namespace, notes })
}

/// Builds the client. kube's own connector leaves small writes to Nagle's algorithm, and a request that
/// follows the TLS handshake then waits 40 ms for the server's delayed acknowledgement; every read opens
/// a connection of its own, so that is felt. Behind a proxy kube's way stays.
fn client(config: Config) -> kube::Result<kube::Client> {
    if config.proxy_url.is_some() {
        return kube::Client::try_from(config);
    }
    let mut http = HttpConnector::new();
    http.enforce_http(false);
    http.set_nodelay(true);
    http.set_connect_timeout(config.connect_timeout);
    let https = config.rustls_https_connector_with_connector(http)?;
    let service = tower::ServiceBuilder::new()
        .layer(config.base_uri_layer())
        .option_layer(config.auth_layer()?)
        .layer(config.extra_headers_layer()?)
        .map_err(tower::BoxError::from)
        .service(hyper_util::client::legacy::Client::builder(TokioExecutor::new()).build(https));
    Ok(kube::Client::new(service, config.default_namespace))
}

fn auth_text(error: &kube::Error) -> String {
    let kube::Error::Auth(kube::client::AuthError::AuthExecRun { cmd, out }) = error else {
        return plain_error(error);
    };
    let said = String::from_utf8_lossy(&out.stderr).trim().to_owned();
    format!("the credential plugin '{cmd}' ended with {}: {said}", out.status)
}

/// Picks context, cluster and user, lays the flags over them, and leaves the rest to kube.
async fn from_files(
    settings: &ConnectSettings,
    files: Kubeconfig,
) -> Result<(Config, Option<String>, Option<String>), ConnectError> {
    let (name, context) = pick_context(settings, &files)?;
    let mut cluster = pick_cluster(settings, &files, &context)?;
    let mut user = pick_user(settings, &files, &context)?;
    override_cluster(settings, &mut cluster)?;
    override_user(settings, &mut user)?;
    let install_hint = user.exec.as_ref().and_then(|exec| exec.install_hint.clone());
    let disable_tls_check = cluster.insecure_skip_tls_verify == Some(true);
    let one = Kubeconfig {
        clusters: vec![NamedCluster { name: "it".into(), cluster: Some(cluster), ..NamedCluster::default() }],
        auth_infos: vec![NamedAuthInfo { name: "it".into(), auth_info: Some(user), ..NamedAuthInfo::default() }],
        contexts: vec![NamedContext {
            name: "it".into(),
            context: Some(Context { cluster: "it".into(), user: Some("it".into()), ..context }),
            ..NamedContext::default()
        }],
        current_context: Some("it".into()),
        ..Kubeconfig::default()
    };
    let mut config = Config::from_custom_kubeconfig(one, &KubeConfigOptions::default())
        .await
        .map_err(|error| ConnectError::Invalid(error.to_string()))?;
    if disable_tls_check {
        config.root_cert = None;
    }
    Ok((config, name, install_hint))
}

fn override_cluster(settings: &ConnectSettings, cluster: &mut Cluster) -> Result<(), ConnectError> {
    if let Some(server) = &settings.server {
        let full = if server.contains("://") { server.clone() } else { format!("http://{server}") };
        cluster.server = Some(full);
    }
    if let Some(file) = &settings.certificate_authority {
        cluster.certificate_authority = Some(file.clone());
        cluster.certificate_authority_data = None;
    }
    if let Some(name) = &settings.tls_server_name {
        cluster.tls_server_name = Some(name.clone());
    }
    if settings.insecure {
        cluster.insecure_skip_tls_verify = Some(true);
    }
    let server = cluster.server.clone().unwrap_or_default();
    let (scheme, host, port) = split_url(&server)
        .ok_or_else(|| ConnectError::Invalid(format!("the cluster's server '{server}' is no URL like https://HOST")))?;
    if cluster.proxy_url.as_deref().unwrap_or_default().is_empty() {
        cluster.proxy_url = super::proxy::from_env(&settings.proxy, &scheme, &host, port);
    }
    Ok(())
}

fn split_url(url: &str) -> Option<(String, String, u16)> {
    let (scheme, rest) = url.split_once("://")?;
    let default = match scheme {
        "https" => 443,
        "http" => 80,
        _ => return None,
    };
    let authority = rest.split(['/', '?']).next()?;
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => (host, port.parse().ok()?),
        _ => (authority, default),
    };
    (!host.is_empty()).then(|| (scheme.to_owned(), host.to_owned(), port))
}

fn override_user(settings: &ConnectSettings, user: &mut AuthInfo) -> Result<(), ConnectError> {
    if let Some(file) = &settings.client_certificate {
        user.client_certificate = Some(file.clone());
        user.client_certificate_data = None;
    }
    if let Some(file) = &settings.client_key {
        user.client_key = Some(file.clone());
        user.client_key_data = None;
    }
    if let Some(token) = &settings.token {
        user.token = Some(token.clone().into());
        (user.token_file, user.exec, user.auth_provider) = (None, None, None);
    }
    if user.token_file.is_some() {
        // Where both are written, the file is the one that is kept up to date.
        user.token = None;
    }
    if let Some(exec) = &mut user.exec {
        if matches!(exec.interactive_mode, Some(ExecInteractiveMode::Always)) {
            let command = exec.command.clone().unwrap_or_default();
            let text = format!("the credential plugin '{command}' wants a terminal (interactiveMode: Always)");
            return Err(ConnectError::Plugin { text, hint: Some("log in with kubectl first, then try again".into()) });
        }
        exec.interactive_mode = Some(ExecInteractiveMode::Never);
    }
    Ok(())
}

fn impersonate(user: &mut AuthInfo, act_as: &Impersonation) {
    if let Some(name) = &act_as.user {
        user.impersonate = Some(name.clone());
    }
    if let Some(uid) = &act_as.uid {
        user.impersonate_uid = Some(uid.clone());
    }
    if !act_as.groups.is_empty() {
        user.impersonate_groups = Some(act_as.groups.clone());
    }
    if !act_as.extra.is_empty() {
        let extra = user.impersonate_user_extra.get_or_insert_default();
        extra.clear();
        for (key, value) in &act_as.extra {
            extra.entry(key.clone()).or_default().push(value.clone());
        }
    }
}
