//! `cilium-dbg bpf lb list`: what is in the node's BPF maps, beside what the tables say of them.
//!
//! The list has every Service of the node and no index, so it is read on request only (`--deep`), and
//! cut down to the asked addresses on the node. It names no owners.

use std::net::IpAddr;

use super::ReadError;
use crate::model::{MapEntry, PortKey};

/// Prints the list's lines about the addresses, and a last line that proves the end.
const SCRIPT: &str = r#"b=$(command -v cilium-dbg || command -v cilium) || exit 127
list=$("$b" bpf lb list) || exit 1
printf '%s\n' "$list" | grep -F "$@"
echo '#end'"#;

/// The line at the end of a whole answer.
const END: &str = "#end";

/// The call that lists the map entries of these addresses.
#[must_use]
pub fn map_call(vips: &[IpAddr]) -> Vec<String> {
    let mut argv = ["sh", "-c", SCRIPT, "vipctl"].map(str::to_owned).to_vec();
    for vip in vips {
        argv.push("-e".to_owned());
        argv.push(match vip {
            IpAddr::V4(ip) => format!("{ip}:"),
            IpAddr::V6(ip) => format!("[{ip}]:"),
        });
    }
    argv
}

/// Reads the lines: one for each slot, `192.0.2.10:80/TCP (1)   10.0.0.1:8080/TCP (14) (1)`; slot 0 is
/// the frontend itself. That is how 1.17 to 1.20 print it.
///
/// # Errors
/// When the last line is missing, or a line about an asked address is not understood.
pub fn map_entries(stdout: &str, vips: &[IpAddr]) -> Result<Vec<MapEntry>, ReadError> {
    let Some(text) = stdout.trim_end().strip_suffix(END) else {
        return Err(ReadError::Truncated { have: 0, want: 1 });
    };
    let mut entries: Vec<MapEntry> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let Some((key, internal)) = line.split_whitespace().next().and_then(address) else { continue };
        if !vips.contains(&key.vip) {
            continue;
        }
        let entry = match entries.iter_mut().position(|entry| entry.key == key && entry.internal == internal) {
            Some(known) => &mut entries[known],
            None => {
                entries.push(MapEntry { key, internal, frontend: false, backends: 0 });
                let last = entries.len() - 1;
                &mut entries[last]
            }
        };
        match slot(line) {
            Some(0) => entry.frontend = true,
            Some(_) => entry.backends += 1,
            None => return Err(ReadError::Unreadable(format!("no slot in the map entry '{}'", line.trim()))),
        }
    }
    entries.sort_by_key(|entry| (entry.key, entry.internal));
    Ok(entries)
}

/// `192.0.2.10:80/TCP`, with `/i` for the internal scope; none for wildcards and node ports.
fn address(word: &str) -> Option<(PortKey, bool)> {
    let (word, internal) = word.strip_suffix("/i").map_or((word, false), |word| (word, true));
    Some((word.parse().ok()?, internal))
}

/// The number in the last parentheses before any flags.
fn slot(line: &str) -> Option<u32> {
    let head = line.split('[').next()?.trim_end();
    head.rsplit_once('(')?.1.strip_suffix(')')?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "\
192.0.2.10:443/TCP (0)          0.0.0.0:0 (541) (0) [LoadBalancer]
192.0.2.10:443/TCP (2)          198.51.100.12:11443/TCP (541) (2)
192.0.2.10:443/TCP (1)          198.51.100.11:11443/TCP (541) (1)
192.0.2.10:53/UDP (0)           0.0.0.0:0 (545) (0) [LoadBalancer, non-routable]
192.0.2.10:80/TCP/i (0)         0.0.0.0:0 (546) (0) [LoadBalancer, Local, two-scopes]
192.0.2.10:80/TCP (1)           198.51.100.11:11080/TCP (547) (1)
192.0.2.10:0/ANY (0)            0.0.0.0:0 (0) (0) [LoadBalancer, non-routable]
203.0.113.9:80/TCP (1)          192.0.2.10:8080/TCP (548) (1)
#end
";

    #[test]
    fn slots_become_entries_and_others_are_left_out() {
        let vips = ["192.0.2.10".parse().expect("ip")];
        let entries = map_entries(LIST, &vips).expect("a list");
        let told: Vec<String> = entries
            .iter()
            .map(|e| format!("{}{} {} {}", e.key, if e.internal { "/i" } else { "" }, e.frontend, e.backends))
            .collect();
        assert_eq!(
            told,
            [
                "192.0.2.10:53/UDP true 0",
                "192.0.2.10:80/TCP false 1",
                "192.0.2.10:80/TCP/i true 0",
                "192.0.2.10:443/TCP true 2"
            ]
        );
    }

    #[test]
    fn a_list_without_its_end_is_no_answer() {
        let vips = ["192.0.2.10".parse().expect("ip")];
        for cut in (0..LIST.len() - 2).step_by(5) {
            assert!(map_entries(&LIST[..cut], &vips).is_err(), "{cut}");
        }
        assert_eq!(map_entries("#end\n", &vips), Ok(Vec::new()), "nothing is in the map, and that is an answer");
        assert!(map_entries("192.0.2.10:80/TCP   garbage\n#end", &vips).is_err());
    }
}
