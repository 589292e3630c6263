//! When to write: where no agent's tick is near. Pure.
//!
//! An agent takes in what changed once in a period, at ticks of its own. Two writes that a tick separates
//! are two batches to that agent, and the port is dark there for a period in between. So a pair goes out in
//! the middle of the largest gap between the ticks of all nodes. A release that is to be followed by a claim
//! goes there too: then every node drops the port before the first one ticks again, with the most time left
//! to claim it.

use crate::migrate::world::Millis;

/// A moment that was chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// When to write.
    pub at: Millis,
    /// The time without a tick around it; the whole period where no tick is known.
    pub gap: Millis,
    /// How many nodes' ticks are known well enough.
    pub nodes: usize,
}

/// A node's tick, somewhere between two moments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tick {
    /// Not before.
    pub from: Millis,
    /// Not after.
    pub to: Millis,
}

impl Tick {
    /// How exactly it is known.
    #[must_use]
    pub fn width(&self) -> Millis {
        self.to.saturating_sub(self.from)
    }
}

/// The next middle of the largest gap, not before `earliest`. Ticks are of any time, by the same clock; one
/// that is known to no more than half a period counts as unknown. Without any, at once.
#[must_use]
pub fn moment(ticks: &[Tick], period: Millis, earliest: Millis) -> Moment {
    let period = period.max(1);
    let known = ticks.iter().filter(|tick| 2 * tick.width() <= period);
    let mut taken: Vec<(Millis, Millis)> =
        known.map(|tick| (tick.from % period, tick.from % period + tick.width())).collect();
    let nodes = taken.len();
    taken.sort_unstable();
    // Twice round, so that what goes over the end of the period is seen from both sides.
    let again: Vec<(Millis, Millis)> = taken.iter().map(|(from, to)| (from + period, to + period)).collect();
    let Some((_, mut reach)) = taken.first().copied() else {
        return Moment { at: earliest, gap: period, nodes };
    };
    let mut best = (0, reach);
    for (from, to) in taken.into_iter().chain(again) {
        let gap = from.saturating_sub(reach);
        if gap > best.0 {
            best = (gap, reach + gap / 2);
        }
        reach = reach.max(to);
    }
    let (gap, middle) = best;
    let wait = if gap == 0 { 0 } else { (middle % period + period - earliest % period) % period };
    Moment { at: earliest + wait, gap, nodes }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(times: &[Millis]) -> Vec<Tick> {
        times.iter().map(|time| Tick { from: *time, to: *time }).collect()
    }

    #[test]
    fn the_middle_of_the_largest_gap_is_chosen() {
        // Phases 100, 150 and 400: the largest gap is 250 wide, from 150 to 400.
        assert_eq!(moment(&at(&[5100, 2150, 900]), 500, 10_000), Moment { at: 10_275, gap: 250, nodes: 3 });
        assert_eq!(moment(&at(&[5100, 2150, 900]), 500, 10_276), Moment { at: 10_775, gap: 250, nodes: 3 });
        assert_eq!(moment(&at(&[5100, 2150, 900]), 500, 10_275).at, 10_275, "now is a moment too");
    }

    #[test]
    fn a_gap_may_go_over_the_end_of_the_period() {
        // Phases 300 and 350: from 350 round to 300.
        assert_eq!(moment(&at(&[300, 350]), 500, 1000), Moment { at: 1075, gap: 450, nodes: 2 });
        assert_eq!(moment(&at(&[0, 100]), 500, 1000), Moment { at: 1300, gap: 400, nodes: 2 });
    }

    #[test]
    fn one_node_leaves_a_whole_period() {
        assert_eq!(moment(&at(&[730]), 500, 1000), Moment { at: 1480, gap: 500, nodes: 1 });
        assert_eq!(moment(&at(&[730, 1230]), 500, 1000), Moment { at: 1480, gap: 500, nodes: 2 });
    }

    #[test]
    fn without_ticks_it_is_now() {
        assert_eq!(moment(&at(&[]), 500, 777), Moment { at: 777, gap: 500, nodes: 0 });
        assert_eq!(moment(&at(&[3]), 0, 5).at, 5);
    }

    #[test]
    fn a_tick_may_be_anywhere_where_it_is_not_known_exactly() {
        let ticks = [Tick { from: 1050, to: 1150 }, Tick { from: 2400, to: 2560 }];
        assert_eq!(moment(&ticks, 500, 3000), Moment { at: 3275, gap: 250, nodes: 2 });
        let vague = Tick { from: 0, to: 300 };
        assert_eq!(moment(&[vague, ticks[0]], 500, 3000), Moment { at: 3350, gap: 400, nodes: 1 });
        let all = [0, 100, 200, 300, 400].map(|from| Tick { from, to: from + 120 });
        assert_eq!(moment(&all, 500, 3000), Moment { at: 3000, gap: 0, nodes: 5 });
    }

    #[test]
    fn no_tick_is_nearer_than_half_the_gap() {
        // A hundred sets of phases by a small generator.
        let mut seed: u64 = 7;
        for nodes in (1..=10).cycle().take(100) {
            let ticks: Vec<Millis> = (0..nodes)
                .map(|_| {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    seed >> 40
                })
                .collect();
            let chosen = moment(&at(&ticks), 500, 123_456);
            assert!((123_456..123_956).contains(&chosen.at));
            for tick in &ticks {
                let away = (chosen.at % 500).abs_diff(tick % 500);
                assert!(away.min(500 - away) >= chosen.gap / 2, "{chosen:?} {tick}");
            }
        }
    }
}
