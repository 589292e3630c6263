//! kubectl's global flags, and the only place that reads the environment about connections.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::ValueHint;

use super::complete::configured;
use super::error::CliError;
use crate::observe::{ConnectSettings, Connection, Impersonation, ProxyEnv, connect};

/// One read of the API takes no longer than this, unless `--request-timeout` says otherwise.
const READ_TIMEOUT: Duration = Duration::from_secs(15);

/// Flags of every command, before it or after it.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Connection (as kubectl)")]
pub(super) struct KubeFlags {
    /// Namespace of the Services that are named without one
    #[arg(global = true, short, long, value_name = "NAMESPACE")]
    pub namespace: Option<String>,
    /// Kubeconfig file to use
    #[arg(global = true, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub kubeconfig: Option<PathBuf>,
    /// Context of the kubeconfig to use
    #[arg(global = true, long, value_name = "NAME", add = configured(|names| names.contexts))]
    pub context: Option<String>,
    /// Cluster of the kubeconfig to use
    #[arg(global = true, long, value_name = "NAME", hide_short_help = true, add = configured(|names| names.clusters))]
    pub cluster: Option<String>,
    /// User of the kubeconfig to use
    #[arg(global = true, long, value_name = "NAME", hide_short_help = true, add = configured(|names| names.users))]
    pub user: Option<String>,
    /// Address of the API server
    #[arg(global = true, short, long, value_name = "URL", hide_short_help = true)]
    pub server: Option<String>,
    /// Bearer token
    #[arg(global = true, long, value_name = "TOKEN", hide_short_help = true)]
    pub token: Option<String>,
    /// User to act as
    #[arg(global = true, id = "as", long = "as", value_name = "USER", hide_short_help = true)]
    pub as_user: Option<String>,
    /// Group to act as; may be repeated
    #[arg(global = true, long, value_name = "GROUP", hide_short_help = true)]
    pub as_group: Vec<String>,
    /// UID to act as
    #[arg(global = true, long, value_name = "UID", hide_short_help = true)]
    pub as_uid: Option<String>,
    /// Extra information on the user to act as; may be repeated
    #[arg(global = true, long, value_name = "KEY=VALUE", value_parser = key_value, hide_short_help = true)]
    pub as_user_extra: Vec<(String, String)>,
    /// How long one read of the API may take (10, 10s, 1m; 0: without end)
    #[arg(global = true, long, value_name = "DURATION", value_parser = duration, hide_short_help = true)]
    pub request_timeout: Option<Duration>,
    /// Name that the server's certificate must have
    #[arg(global = true, long, value_name = "NAME", hide_short_help = true)]
    pub tls_server_name: Option<String>,
    /// File with the server's certificate authority
    #[arg(global = true, long, value_name = "FILE", value_hint = ValueHint::FilePath, hide_short_help = true)]
    pub certificate_authority: Option<String>,
    /// File with the client's certificate
    #[arg(global = true, long, value_name = "FILE", value_hint = ValueHint::FilePath, hide_short_help = true)]
    pub client_certificate: Option<String>,
    /// File with the client's key
    #[arg(global = true, long, value_name = "FILE", value_hint = ValueHint::FilePath, hide_short_help = true)]
    pub client_key: Option<String>,
    /// Do not check the server's certificate: insecure
    #[arg(global = true, long, hide_short_help = true)]
    pub insecure_skip_tls_verify: bool,
    /// Tell on standard error what is read and how long it takes
    #[arg(global = true, short = 'v', alias = "v", value_name = "LEVEL", num_args = 0..=1, require_equals = true, default_missing_value = "1",
          default_value = "0", hide_default_value = true)]
    pub verbosity: u8,
}

impl KubeFlags {
    /// The flags that choose cluster and user, as they have to stand in a command that is to be pasted.
    /// A token is left out: it would end in histories and tickets.
    pub(super) fn to_repeat(&self) -> Vec<String> {
        let file = self.kubeconfig.as_ref().map(|file| file.display().to_string());
        let single = [
            ("--kubeconfig", file),
            ("--context", self.context.clone()),
            ("--cluster", self.cluster.clone()),
            ("--user", self.user.clone()),
            ("--server", self.server.clone()),
            ("--as", self.as_user.clone()),
            ("--as-uid", self.as_uid.clone()),
        ];
        let groups = self.as_group.iter().map(|group| ("--as-group", Some(group.clone())));
        let given = single.into_iter().chain(groups).filter_map(|(name, value)| Some((name, value?)));
        given.flat_map(|(name, value)| [name.to_owned(), quoted(&value)]).collect()
    }
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:@%+=,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

fn key_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.is_empty() => Ok((key.to_owned(), value.to_owned())),
        _ => Err("it must be KEY=VALUE".to_owned()),
    }
}

/// Writes `-v 6`, `-v6` and `--v 6` as `-v=6`: alone, `-v` has a level too, so the word after it could be a
/// subject. A bare number is none: names of Services begin with a letter.
pub(super) fn join_levels(argv: &[OsString]) -> Vec<OsString> {
    let level = |word: &str| (1..=2).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_digit());
    let mut words = argv.iter().cloned().peekable();
    let mut joined = Vec::new();
    while let Some(word) = words.next() {
        let number = match word.to_string_lossy().as_ref() {
            "--" => {
                joined.push(word);
                break;
            }
            "-v" | "--v" => words.next_if(|next| level(&next.to_string_lossy())),
            text => text.strip_prefix("-v").filter(|rest| level(rest)).map(OsString::from),
        };
        joined.push(number.map_or(word, |number| format!("-v={}", number.to_string_lossy()).into()));
    }
    joined.extend(words);
    joined
}

/// Reads a duration as Go writes it (`1m30s`, `500ms`), or whole seconds.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    match text.parse::<u32>() {
        Ok(seconds) => Ok(Duration::from_secs(seconds.into())),
        Err(_) => {
            crate::model::duration(text).ok_or_else(|| "it must be a duration like 500ms, 10s or 1m30s".to_owned())
        }
    }
}

fn variable(names: [&str; 2]) -> Option<String> {
    names.iter().find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()))
}

impl KubeFlags {
    /// Whether timing notes are wanted.
    pub fn notes(&self) -> bool {
        self.verbosity > 0
    }

    /// How long one read may take.
    pub fn read_timeout(&self) -> Duration {
        match self.request_timeout {
            None => READ_TIMEOUT,
            // Go's way to say "no limit"; a day is one for a program that answers in seconds.
            Some(Duration::ZERO) => Duration::from_secs(86_400),
            Some(limit) => limit,
        }
    }

    /// Connects with these flags and the environment.
    pub async fn connect(&self) -> Result<Connection, CliError> {
        Ok(connect(&self.settings()).await?)
    }

    fn settings(&self) -> ConnectSettings {
        ConnectSettings {
            kubeconfig: self.kubeconfig.clone(),
            default_files: default_files(),
            in_cluster: std::env::var_os("KUBERNETES_SERVICE_HOST").is_some(),
            context: self.context.clone(),
            cluster: self.cluster.clone(),
            user: self.user.clone(),
            namespace: self.namespace.clone(),
            server: self.server.clone(),
            token: self.token.clone(),
            act_as: Impersonation {
                user: self.as_user.clone(),
                groups: self.as_group.clone(),
                uid: self.as_uid.clone(),
                extra: self.as_user_extra.clone(),
            },
            tls_server_name: self.tls_server_name.clone(),
            certificate_authority: self.certificate_authority.clone(),
            client_certificate: self.client_certificate.clone(),
            client_key: self.client_key.clone(),
            insecure: self.insecure_skip_tls_verify,
            proxy: ProxyEnv {
                https: variable(["https_proxy", "HTTPS_PROXY"]),
                http: variable(["http_proxy", "HTTP_PROXY"]),
                no_proxy: variable(["no_proxy", "NO_PROXY"]),
            },
        }
    }
}

/// The files of `KUBECONFIG`, or the one in the home directory.
pub(super) fn default_files() -> Vec<PathBuf> {
    if let Some(list) = std::env::var_os("KUBECONFIG").filter(|list| !list.is_empty()) {
        return std::env::split_paths(&list).filter(|path| !path.as_os_str().is_empty()).collect();
    }
    std::env::home_dir()
        .map(|home| home.join(".kube").join("config"))
        .into_iter()
        .filter(|file| file.exists())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_as_go_writes_them() {
        for (text, ms) in
            [("10", 10_000), ("0", 0), ("500ms", 500), ("1m30s", 90_000), ("1.5s", 1500), ("1h", 3_600_000)]
        {
            assert_eq!(duration(text).expect(text).as_millis(), ms, "{text}");
        }
        for text in ["", "s", "10x", "1m30", "-1s", "1..2s"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_level_may_stand_apart() {
        for (typed, joined) in [
            ("x -v 6 explain b", "x -v=6 explain b"),
            ("x explain -v b", "x explain -v b"),
            ("x explain -v6 --v 4 --v", "x explain -v=6 -v=4 --v"),
            ("x explain -v=3 --v=9", "x explain -v=3 --v=9"),
            ("x explain -- -v 6", "x explain -- -v 6"),
            ("x --version -vx", "x --version -vx"),
        ] {
            let words: Vec<OsString> = typed.split(' ').map(OsString::from).collect();
            assert_eq!(join_levels(&words).join(std::ffi::OsStr::new(" ")), joined, "{typed}");
        }
    }
}
