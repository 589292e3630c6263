//! Reads refused claims out of an agent's health table.
//!
//! An agent reports `frontend already owned by another service: VIP:port/proto is owned by ns/name`
//! in the load-balancer reflector's row, one line for each refused Service, and names only the first
//! address that clashed (`pkg/loadbalancer/writer`, `errors.go`). The claimant is not named.

use crate::model::{HealthRow, PortKey, ServiceRef};

/// One refused claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The address that clashed.
    pub key: PortKey,
    /// Who owned it at that moment.
    pub owner: ServiceRef,
}

const MARK: &str = "already owned by another service: ";

/// All refused claims in a health row's error text.
#[must_use]
pub fn refusals(row: &HealthRow) -> Vec<Refusal> {
    row.error.split(MARK).skip(1).filter_map(parse).collect()
}

/// Reads `192.0.2.10:80/TCP is owned by shop/a` at the start of the text.
fn parse(text: &str) -> Option<Refusal> {
    let (key, rest) = text.split_once(" is owned by ")?;
    let owner = rest.split_whitespace().next()?;
    // The internal twin of a Local policy is written `…/i`; it is the same claim.
    let key = key.strip_suffix("/i").unwrap_or(key);
    Some(Refusal { key: key.parse().ok()?, owner: owner.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_a_joined_error_is_read() {
        let row = HealthRow {
            id: "loadbalancer-reflectors.k8s-reflector.job-reflect-services-endpoints".to_owned(),
            level: "Degraded".to_owned(),
            message: "Failure processing services".to_owned(),
            error: "frontend already owned by another service: 192.0.2.10:80/TCP is owned by shop/a\n\
                    frontend already owned by another service: [2001:db8::1]:53/UDP/i is owned by east/shop/c"
                .to_owned(),
            updated: None,
        };
        let found = refusals(&row);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].key.to_string(), "192.0.2.10:80/TCP");
        assert_eq!(found[0].owner, ServiceRef::new("shop", "a"));
        assert_eq!(found[1].key.to_string(), "[2001:db8::1]:53/UDP");
        assert_eq!(found[1].owner, ServiceRef::new("east/shop", "c"));
    }
}
