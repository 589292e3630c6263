//! Connections that still use a backend which takes no new ones, counted in the nodes' own tables.
//!
//! A node keeps an entry for each connection through a VIP, with the backend that it goes to. One whose
//! backend is in none of the frontend's slots for new connections is an old one. What travels is one line for each
//! backend, not one for each connection.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use k8s_openapi::api::core::v1::Pod;
use kube::Api;

use super::pods::AgentPod;
use crate::model::PortKey;
use crate::observe::AGENT_CONTAINER;
use crate::observe::exec::{self, Bounds};

/// Its arguments are the patterns of the keys. A connection of which both ends said goodbye is none; `known`
/// proves that the lines look as expected, and `complete` that there are no more. After `--` come the slots.
const SCRIPT: &str = r#"b=$(command -v cilium-dbg || command -v cilium) || exit 127
t=$(command -v timeout) && t="$t 3"
{ $t "$b" bpf ct list global && echo complete; } | sed \
  -e /^complete/b -e '/ BackendID=/!d' -e '/ TxClosing /d' \
  -e 's/^\([A-Z]*\) SVC .* -> \([^ ]*\) .* BackendID=\([0-9]*\) .*/\2|\1 \3/' -e t -e 's/.*/known/' |
  grep -F -e known -e complete "$@" | sort | uniq -c
echo --
$t "$b" bpf lb list --frontends | grep -F "$@""#;

const MOST_BYTES: usize = 1024 * 1024;

/// Counts the old connections on all these nodes; none where one of them does not tell.
pub(super) async fn old(client: &kube::Client, pods: Vec<AgentPod>, keys: &[PortKey], within: Duration) -> Option<u64> {
    let call = call(keys);
    let bounds = Bounds { deadline: within, bytes: MOST_BYTES };
    let asked = pods.into_iter().map(|pod| {
        let (api, call): (Api<Pod>, _) = (Api::namespaced(client.clone(), &pod.namespace), &call);
        async move { count(&exec::capture(&api, &pod.name, AGENT_CONTAINER, call, bounds).await.ok()?.stdout, keys) }
    });
    futures::future::join_all(asked).await.into_iter().sum()
}

/// As the table of connections writes it: without brackets, whatever the family. That of frontends writes
/// keys as we do, and the twin of scope internal begins alike.
fn in_connections(key: &PortKey) -> String {
    format!("{}:{}|{}", key.vip, key.port, key.proto)
}

fn call(keys: &[PortKey]) -> Vec<String> {
    let patterns = keys.iter().flat_map(|key| [in_connections(key), key.to_string()]);
    let words = ["sh", "-c", SCRIPT, "vipctl"].map(str::to_owned);
    words.into_iter().chain(patterns.flat_map(|pattern| ["-e".to_owned(), pattern])).collect()
}

/// The sum of connections to backends without a slot; none where anything is missing or odd.
fn count(output: &str, keys: &[PortKey]) -> Option<u64> {
    let (connections, frontends) = output.split_once("--\n")?;
    let current = current(frontends, keys);
    let (mut known, mut complete, mut old) = (false, false, 0);
    for line in connections.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            [_, "known"] => known = true,
            [_, "complete"] => complete = true,
            [number, place, backend] => {
                let Some(key) = keys.iter().find(|key| in_connections(key) == place) else { continue };
                let (number, backend): (u64, u32) = (number.parse().ok()?, backend.parse().ok()?);
                // Without any every connection would pass for an old one.
                if !current.get(key)?.contains(&backend) {
                    old += number;
                }
            }
            _ => return None,
        }
    }
    (known && complete && keys.iter().all(|key| current.contains_key(key))).then_some(old)
}

/// The backends of each frontend that take new connections, by lines like
/// `192.0.2.10:80/TCP (3)   90 0[0] (149) [0x60 0x0]`. Slot 0 is the frontend itself, `0 2[1]`: the first two
/// slots take new connections, and one more is there for old ones.
fn current(frontends: &str, keys: &[PortKey]) -> BTreeMap<PortKey, BTreeSet<u32>> {
    let lines: Vec<(&str, u32, u32, &str)> = frontends.lines().filter_map(slot).collect();
    let mut current = BTreeMap::new();
    for key in keys {
        let addresses = [key.to_string(), format!("{key}/i")];
        let mut known = false;
        let mut backends = BTreeSet::new();
        for (address, _, _, count) in
            lines.iter().filter(|(address, slot, ..)| *slot == 0 && addresses.iter().any(|a| a == address))
        {
            let Some(count) = count.split('[').next().and_then(|n| n.parse::<u32>().ok()) else { continue };
            known = true;
            let slots = lines.iter().filter(|(a, slot, ..)| a == address && (1..=count).contains(slot));
            backends.extend(slots.map(|(_, _, backend, _)| *backend));
        }
        if known {
            current.insert(*key, backends);
        }
    }
    current
}

/// Address, slot, backend and count of a line.
fn slot(line: &str) -> Option<(&str, u32, u32, &str)> {
    let mut words = line.split_whitespace();
    let address = words.next()?;
    let slot = words.next()?.strip_prefix('(')?.strip_suffix(')')?.parse().ok()?;
    Some((address, slot, words.next()?.parse().ok()?, words.next()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRONTENDS: &str = "192.0.2.10:80/TCP (2)         38 0[0] (77) [0x60 0x0]\n\
                             192.0.2.10:80/TCP (0)         0 1[1] (77) [0x60 0x0]\n\
                             192.0.2.10:80/TCP (1)         39 0[0] (77) [0x60 0x0]\n\
                             192.0.2.10:8080/TCP (1)       40 0[0] (78) [0x60 0x0]\n";

    fn keys() -> Vec<PortKey> {
        vec!["192.0.2.10:80/TCP".parse().expect("a key")]
    }

    fn counted(connections: &str) -> Option<u64> {
        count(&format!("{connections}--\n{FRONTENDS}"), &keys())
    }

    #[test]
    fn connections_to_backends_that_take_no_new_ones_are_old() {
        let lines = "      1 complete\n     12 known\n      3 192.0.2.10:80|TCP 38\n      9 192.0.2.10:80|TCP 39\n      1 192.0.2.10:80|TCP 7\n";
        assert_eq!(counted(lines), Some(4));
        assert_eq!(counted("      1 complete\n     12 known\n"), Some(0));
        assert_eq!(counted(&format!("{lines}      4 192.0.2.10:80|UDP 1\n")), Some(4), "another key");
        let twin = format!(
            "{FRONTENDS}192.0.2.10:80/TCP/i (0) 0 1[0] (79) [0x0 0x0]\n192.0.2.10:80/TCP/i (1) 7 0[0] (79) [0x0 0x0]\n"
        );
        assert_eq!(count(&format!("{lines}--\n{twin}"), &keys()), Some(3), "the twin's backends take new ones as well");
    }

    #[test]
    fn what_is_not_proven_is_not_counted() {
        assert_eq!(counted("     12 known\n"), None, "cut off");
        assert_eq!(counted("      1 complete\n"), None, "lines of another form");
        assert_eq!(counted("      1 complete\n     12 known\nwhat else is there to say\n"), None);
        let lines = "      1 complete\n     12 known\n      3 192.0.2.10:80|TCP 38\n";
        assert_eq!(count(&format!("{lines}--\n"), &keys()), None, "no slots");
        assert_eq!(count(lines, &keys()), None);
    }

    #[test]
    fn patterns_are_single_words() {
        let six: PortKey = "[2001:db8::1]:80/TCP".parse().expect("a key");
        let call = call(&[six]);
        assert_eq!(call[4..], ["-e", "2001:db8::1:80|TCP", "-e", "[2001:db8::1]:80/TCP"]);
    }
}
