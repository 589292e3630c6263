//! Pool maths: which addresses a pool holds, whom it serves, and what is left.

use std::net::IpAddr;

use crate::model::{Block, Pool, Selector, Service};

/// An inclusive range of addresses of one family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    first: u128,
    last: u128,
    v6: bool,
}

fn number(ip: IpAddr) -> (u128, bool) {
    match ip {
        IpAddr::V4(ip) => (u128::from(u32::from(ip)), false),
        IpAddr::V6(ip) => (u128::from(ip), true),
    }
}

impl Range {
    /// Tells whether the address is in it.
    #[must_use]
    pub fn contains(self, ip: IpAddr) -> bool {
        let (n, v6) = number(ip);
        v6 == self.v6 && (self.first..=self.last).contains(&n)
    }

    /// How many addresses it has; saturates for huge IPv6 blocks.
    #[must_use]
    pub fn len(self) -> u128 {
        (self.last - self.first).saturating_add(1)
    }
}

/// The addresses that a block can give; `None` where its text is not a range.
///
/// A CIDR may be written with host bits set (`192.0.2.200/28` is `.192`–`.207`). Its first and last
/// address count unless `allowFirstLastIPs` is `No`, which Cilium ignores for /31, /32, /127, /128
/// and for start–stop ranges; undefined means Yes since 1.16.
#[must_use]
pub fn range(block: &Block, allow_first_last: bool) -> Option<Range> {
    match block {
        Block::Range { start, stop } => {
            let ((first, v6), (last, last_v6)) = (number(*start), number(*stop));
            (v6 == last_v6 && first <= last).then_some(Range { first, last, v6 })
        }
        Block::Cidr { cidr } => {
            let (ip, prefix) = cidr.split_once('/')?;
            let (n, v6) = number(ip.parse().ok()?);
            let prefix: u32 = prefix.parse().ok()?;
            let bits: u32 = if v6 { 128 } else { 32 };
            let host_bits = bits.checked_sub(prefix)?;
            let mask = 1_u128.checked_shl(host_bits).map_or(u128::MAX, |size| size - 1);
            let (mut first, mut last) = (n & !mask, n | mask);
            if host_bits > 1 && !allow_first_last {
                (first, last) = (first + 1, last - 1);
            }
            Some(Range { first, last, v6 })
        }
    }
}

/// All ranges of a pool.
#[must_use]
pub fn ranges(pool: &Pool) -> Vec<Range> {
    pool.blocks.iter().filter_map(|block| range(block, pool.allow_first_last.unwrap_or(true))).collect()
}

/// The pool that has the address as the first or last of a block and keeps those back, where no
/// other pool gives it.
#[must_use]
pub fn reserving(pools: &[Pool], ip: IpAddr) -> Option<&Pool> {
    if pools.iter().any(|pool| holds(pool, ip)) {
        return None;
    }
    pools.iter().find(|pool| pool.blocks.iter().filter_map(|block| range(block, true)).any(|range| range.contains(ip)))
}

/// Tells whether the pool can give the address.
#[must_use]
pub fn holds(pool: &Pool, ip: IpAddr) -> bool {
    ranges(pool).iter().any(|range| range.contains(ip))
}

/// Why a pool does not serve a Service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refuses {
    /// `spec.disabled`.
    Disabled,
    /// It overlaps an older pool; Cilium's own sentence.
    Conflict(String),
    /// Its selector does not take the Service.
    Selector(String),
    /// It has no block of the Service's address families.
    Family,
}

/// Tells why the pool does not serve the Service, or `None` where it does.
#[must_use]
pub fn refuses(pool: &Pool, service: &Service) -> Option<Refuses> {
    if pool.disabled {
        return Some(Refuses::Disabled);
    }
    if let Some(text) = pool.conflict() {
        return Some(Refuses::Conflict(text.to_owned()));
    }
    if let Some(selector) = &pool.selector
        && !selects(selector, service)
    {
        return Some(Refuses::Selector(selector.to_string()));
    }
    let wanted = |v6: bool| {
        let name = if v6 { "IPv6" } else { "IPv4" };
        service.families.is_empty() || service.families.iter().any(|family| family == name)
    };
    (!ranges(pool).iter().any(|range| wanted(range.v6))).then_some(Refuses::Family)
}

/// Matches a selector against a Service's labels and the two that Cilium adds: its name and namespace.
#[must_use]
pub fn selects(selector: &Selector, service: &Service) -> bool {
    let mut labels = service.labels.clone();
    labels.insert("io.kubernetes.service.name".to_owned(), service.id.name.clone());
    labels.insert("io.kubernetes.service.namespace".to_owned(), service.id.namespace.clone());
    selector.matches(&labels)
}

/// How full a pool is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fill {
    /// Addresses it can give.
    pub total: u128,
    /// Addresses of it that some Service has in its status.
    pub used: u128,
}

/// Counts a pool's addresses and those in use; Cilium's own counters are stale on 1.18.0 and 1.18.1
/// (cilium#41321), so they are not used.
#[must_use]
pub fn fill<'a>(pool: &Pool, services: impl Iterator<Item = &'a Service>) -> Fill {
    let ranges = ranges(pool);
    let mut used: Vec<IpAddr> = services
        .flat_map(|service| service.ingress.iter().filter_map(|ingress| ingress.ip))
        .filter(|ip| ranges.iter().any(|range| range.contains(*ip)))
        .collect();
    used.sort_unstable();
    used.dedup();
    Fill { total: ranges.iter().map(|range| range.len()).fold(0, u128::saturating_add), used: used.len() as u128 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnose::testing::{pool, service};

    fn cidr(text: &str, all: bool) -> Option<Range> {
        range(&Block::Cidr { cidr: text.to_owned() }, all)
    }

    #[test]
    fn blocks_become_ranges() {
        let misaligned = cidr("192.0.2.200/28", true).expect("cidr");
        assert!(misaligned.contains("192.0.2.192".parse().expect("ip")));
        assert_eq!(misaligned.len(), 16);
        assert_eq!(cidr("192.0.2.0/28", false).expect("cidr").len(), 14);
        assert_eq!(cidr("192.0.2.7/32", false).expect("cidr").len(), 1);
        assert_eq!(cidr("192.0.2.6/31", false).expect("cidr").len(), 2);
        assert_eq!(cidr("::/0", true).expect("cidr").len(), u128::MAX, "saturates");
        assert!(!cidr("192.0.2.0/28", true).expect("cidr").contains("2001:db8::1".parse().expect("ip")));
        for bad in ["192.0.2.0", "192.0.2.0/33", "x/24"] {
            assert_eq!(cidr(bad, true), None, "{bad}");
        }
    }

    #[test]
    fn the_ends_of_a_block_are_reserved_where_no_pool_gives_them() {
        let ip: IpAddr = "192.0.2.0".parse().expect("ip");
        let mut closed = pool("p", "192.0.2.0/28");
        closed.allow_first_last = Some(false);
        assert_eq!(reserving(std::slice::from_ref(&closed), ip).map(|pool| pool.name.as_str()), Some("p"));
        assert_eq!(reserving(&[closed, pool("q", "192.0.2.0/31")], ip), None);
    }

    #[test]
    fn a_pool_refuses_for_one_reason_at_a_time() {
        let svc: Service = service("shop", "a").label("tier", "edge").into();
        assert_eq!(refuses(&pool("p", "192.0.2.0/28"), &svc), None);
        let mut disabled = pool("p", "192.0.2.0/28");
        disabled.disabled = true;
        assert_eq!(refuses(&disabled, &svc), Some(Refuses::Disabled));
        let mut selecting = pool("p", "192.0.2.0/28");
        selecting.selector =
            Some(Selector { match_labels: [("tier".to_owned(), "core".to_owned())].into(), ..Selector::default() });
        assert_eq!(refuses(&selecting, &svc), Some(Refuses::Selector("tier=core".to_owned())));
        selecting.selector = Some(Selector {
            match_labels: [("io.kubernetes.service.namespace".to_owned(), "shop".to_owned())].into(),
            ..Selector::default()
        });
        assert_eq!(refuses(&selecting, &svc), None);
        let mut v6 = svc;
        v6.families = vec!["IPv6".to_owned()];
        assert_eq!(refuses(&pool("p", "192.0.2.0/28"), &v6), Some(Refuses::Family));
    }

    #[test]
    fn a_shared_address_is_used_once() {
        let services: Vec<Service> = vec![
            service("shop", "a").vip("192.0.2.1").into(),
            service("shop", "b").vip("192.0.2.1").into(),
            service("shop", "c").vip("203.0.113.1").into(),
        ];
        assert_eq!(fill(&pool("p", "192.0.2.0/30"), services.iter()), Fill { total: 4, used: 1 });
    }
}
