//! Which proxy leads to the API server, decided as kubectl decides it.
//!
//! `proxy-url` of the kubeconfig always counts. Otherwise `HTTPS_PROXY` (or `HTTP_PROXY` for plain
//! http) counts unless `NO_PROXY` names the **server**; kube compares it with the proxy's own host.

use std::net::IpAddr;

/// The proxy variables of the environment; lower case wins where both are set.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProxyEnv {
    /// `HTTPS_PROXY`.
    pub https: Option<String>,
    /// `HTTP_PROXY`.
    pub http: Option<String>,
    /// `NO_PROXY`.
    pub no_proxy: Option<String>,
}

/// The proxy for a server, from the environment.
#[must_use]
pub fn from_env(env: &ProxyEnv, scheme: &str, host: &str, port: u16) -> Option<String> {
    let proxy = if scheme == "http" { &env.http } else { &env.https };
    let proxy = proxy.as_deref().filter(|p| !p.is_empty())?;
    if bypassed(env.no_proxy.as_deref().unwrap_or_default(), host, port) {
        return None;
    }
    Some(if proxy.contains("://") { proxy.to_owned() } else { format!("http://{proxy}") })
}

fn bypassed(no_proxy: &str, host: &str, port: u16) -> bool {
    let host = host.trim_start_matches('[').trim_end_matches(']').to_ascii_lowercase();
    let ip: Option<IpAddr> = host.parse().ok();
    if host == "localhost" || ip.is_some_and(|ip| ip.is_loopback()) {
        return true;
    }
    no_proxy.split(',').map(str::trim).filter(|e| !e.is_empty()).any(|entry| names(entry, &host, ip, port))
}

fn names(entry: &str, host: &str, ip: Option<IpAddr>, port: u16) -> bool {
    let entry = entry.to_ascii_lowercase();
    if entry == "*" {
        return true;
    }
    if let Some((net, bits)) = entry.split_once('/') {
        let net = net.parse().ok().zip(bits.parse().ok());
        return net.zip(ip).is_some_and(|((net, bits), ip)| within(ip, net, bits));
    }
    if let Ok(address) = entry.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>() {
        return ip == Some(address);
    }
    let (name, wanted) = match entry.rsplit_once(':') {
        Some((name, digits)) => (name, digits.parse::<u16>().ok()),
        None => (entry.as_str(), None),
    };
    if wanted.is_some_and(|wanted| wanted != port) {
        return false;
    }
    if let Some(address) = name.parse::<IpAddr>().ok().filter(|_| wanted.is_some()) {
        return ip == Some(address);
    }
    let (domain, itself) = match name.strip_prefix("*.").or_else(|| name.strip_prefix('.')) {
        Some(domain) => (domain, false),
        None => (name, true),
    };
    (itself && host == domain) || host.strip_suffix(domain).is_some_and(|rest| rest.ends_with('.'))
}

fn within(ip: IpAddr, net: IpAddr, bits: u32) -> bool {
    let same = |a: u128, b: u128, width: u32| bits <= width && (bits == 0 || (a ^ b) >> (width - bits) == 0);
    match (ip, net) {
        (IpAddr::V4(a), IpAddr::V4(b)) => same(u32::from(a).into(), u32::from(b).into(), 32),
        (IpAddr::V6(a), IpAddr::V6(b)) => same(a.into(), b.into(), 128),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_proxy_names_the_server() {
        for (entry, host, bypass) in [
            ("k8s.example.com", "k8s.example.com", true),
            ("example.com", "k8s.example.com", true),
            (".example.com", "example.com", false),
            ("*.example.com", "k8s.example.com", true),
            ("ample.com", "example.com", false),
            ("k8s.example.com:6443", "k8s.example.com", true),
            ("k8s.example.com:443", "k8s.example.com", false),
            ("10.0.0.0/8", "10.1.2.3", true),
            ("10.0.0.0/8", "11.1.2.3", false),
            ("10.1.2.3:6443", "10.1.2.3", true),
            ("fd00::/8", "fd12::1", true),
            ("a, 10.1.2.3 ,b", "10.1.2.3", true),
            ("*", "anything", true),
            ("", "127.0.0.1", true),
            ("", "localhost", true),
        ] {
            assert_eq!(bypassed(entry, host, 6443), bypass, "NO_PROXY={entry} for {host}");
        }
    }

    #[test]
    fn the_scheme_chooses_the_variable() {
        let env = ProxyEnv { https: Some("proxy:3128".into()), http: None, no_proxy: None };
        assert_eq!(from_env(&env, "https", "k8s", 443).as_deref(), Some("http://proxy:3128"));
        assert_eq!(from_env(&env, "http", "k8s", 80), None);
    }
}
