//! Synthetic histories of contests: the same on every machine.

use ranklore_rating::{RatedEntrant, RatingRound, RatingSystem};

use crate::random::Random;

/// Creates a system without competitors.
pub(crate) type MakeSystem<'a> = &'a (dyn Fn() -> Box<dyn RatingSystem> + Sync);

/// A contest with owned entrants.
#[derive(Clone, Debug)]
pub(crate) struct OwnedRound {
    pub(crate) ends_at: i64,
    pub(crate) weight: f64,
    pub(crate) ceiling: f64,
    pub(crate) event: u32,
    pub(crate) entrants: Vec<u32>,
    pub(crate) groups: Vec<u32>,
    /// Number of finishers; all if absent.
    pub(crate) finishers: Option<u32>,
    /// Ends of the teams; individuals if absent.
    pub(crate) teams: Option<Vec<u32>>,
}

impl OwnedRound {
    /// Creates a contest of all of `entrants` in groups of ties that end at `groups`.
    pub(crate) fn new(entrants: &[u32], groups: &[u32]) -> Self {
        Self {
            ends_at: 0,
            weight: 1.0,
            ceiling: f64::INFINITY,
            event: 0,
            entrants: entrants.to_vec(),
            groups: groups.to_vec(),
            finishers: None,
            teams: None,
        }
    }

    /// Draws some of `pool` competitors, lower numbers ahead more often, every fourth tied.
    pub(crate) fn random(random: &mut Random, index: u32, entrants: usize, pool: usize) -> Self {
        let mut order: Vec<(usize, u32)> =
            (0..pool as u32).map(|competitor| (random.below(1 << 20), competitor)).collect();
        order.sort_unstable();
        order.truncate(entrants);
        for (key, competitor) in &mut order {
            *key = random.below(pool) + *competitor as usize;
        }
        order.sort_unstable();
        let mut groups: Vec<u32> =
            (1..entrants as u32).filter(|&end| end == 1 || random.below(4) != 0).collect();
        groups.push(entrants as u32);
        Self {
            ends_at: i64::from(index) * 200_000,
            weight: random.between(0.5, 1.5),
            ceiling: if random.below(5) == 0 {
                1700.0
            } else {
                f64::INFINITY
            },
            event: index / 2,
            entrants: order.into_iter().map(|(_, id)| id).collect(),
            groups,
            finishers: None,
            teams: None,
        }
    }

    pub(crate) fn round(&self) -> RatingRound<'_> {
        let all = self.groups.last().copied().unwrap_or(0);
        RatingRound {
            ends_at: self.ends_at,
            weight: self.weight,
            performance_ceiling: self.ceiling,
            event: self.event,
            teams: self.teams.as_deref(),
            finishers: self.finishers.unwrap_or(all),
            ..RatingRound::new(&self.entrants, &self.groups)
        }
    }

    pub(crate) fn rate(&self, system: &mut dyn RatingSystem) -> Vec<RatedEntrant> {
        let mut rated = Vec::new();
        system.rate(&self.round(), &mut rated);
        rated
    }
}

pub(crate) fn bits(rows: &[RatedEntrant]) -> Vec<[u64; 4]> {
    let row_bits = |row: &RatedEntrant| {
        let volatility = row.volatility.unwrap_or(-1.0);
        [
            row.mu,
            row.sigma,
            row.performance.unwrap_or(row.mu),
            volatility,
        ]
        .map(f64::to_bits)
    };
    rows.iter().map(row_bits).collect()
}

/// Returns the bits of all rows of a replay.
pub(crate) fn replay_bits(make: MakeSystem, contests: &[OwnedRound]) -> Vec<u64> {
    let mut system = make();
    let rows = contests.iter().map(|contest| bits(&contest.rate(system.as_mut())));
    rows.collect::<Vec<_>>().concat().concat()
}

/// Sizes that cover every code path of a system, except for very large contests.
pub(crate) const MIXED: [usize; 11] = [2, 3, 9, 20, 50, 100, 100, 400, 20, 1500, 9];

/// Contests of these sizes, in that order.
pub(crate) fn history(seed: u64, sizes: &[usize]) -> Vec<OwnedRound> {
    let mut random = Random::new(seed);
    sizes
        .iter()
        .zip(0..)
        .map(|(&size, index)| OwnedRound::random(&mut random, index, size, size + size / 2 + 1))
        .collect()
}
