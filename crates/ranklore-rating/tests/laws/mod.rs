//! What every rating system must hold to, whatever it computes.

use std::collections::BTreeMap;

use ranklore_rating::{Past, Rated, RatingSystem, Round, Start};
use rayon::ThreadPoolBuilder;

use crate::random::Random;

/// A system with nobody rated yet.
pub(crate) type Make<'a> = &'a (dyn Fn() -> Box<dyn RatingSystem> + Sync);

/// A contest that owns its entrants.
#[derive(Clone, Debug)]
pub(crate) struct Contest {
    pub(crate) ends_at: i64,
    pub(crate) weight: f64,
    pub(crate) ceiling: f64,
    pub(crate) event: u32,
    pub(crate) entrants: Vec<u32>,
    pub(crate) groups: Vec<u32>,
}

impl Contest {
    /// Everybody of `entrants` in groups of ties that end at `groups`.
    pub(crate) fn of(entrants: &[u32], groups: &[u32]) -> Self {
        Self {
            ends_at: 0,
            weight: 1.0,
            ceiling: f64::INFINITY,
            event: 0,
            entrants: entrants.to_vec(),
            groups: groups.to_vec(),
        }
    }

    /// Some of `pool` competitors, lower numbers more often ahead, every fourth tied.
    pub(crate) fn drawn(random: &mut Random, index: u32, entrants: usize, pool: usize) -> Self {
        let mut order: Vec<(usize, u32)> = (0..pool as u32)
            .map(|competitor| (random.below(1 << 20), competitor))
            .collect();
        order.sort_unstable();
        order.truncate(entrants);
        for (key, competitor) in &mut order {
            *key = random.below(pool) + *competitor as usize;
        }
        order.sort_unstable();
        let mut groups: Vec<u32> = (1..entrants as u32)
            .filter(|&end| end == 1 || random.below(4) != 0)
            .collect();
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
            entrants: order.into_iter().map(|(_, who)| who).collect(),
            groups,
        }
    }

    pub(crate) fn round(&self) -> Round<'_> {
        Round {
            ends_at: self.ends_at,
            weight: self.weight,
            performance_ceiling: self.ceiling,
            event: self.event,
            ..Round::of(&self.entrants, &self.groups)
        }
    }

    pub(crate) fn rate(&self, system: &mut dyn RatingSystem) -> Vec<Rated> {
        let mut rated = Vec::new();
        system.rate(&self.round(), &mut rated);
        rated
    }
}

fn bits(rows: &[Rated]) -> Vec<[u64; 4]> {
    let of = |row: &Rated| {
        let volatility = row.volatility.unwrap_or(-1.0);
        [row.mu, row.sigma, row.performance, volatility].map(f64::to_bits)
    };
    rows.iter().map(of).collect()
}

fn history(seed: u64, sizes: &[usize]) -> Vec<Contest> {
    let mut random = Random::new(seed);
    sizes
        .iter()
        .zip(0..)
        .map(|(&size, index)| Contest::drawn(&mut random, index, size, size + size / 2 + 1))
        .collect()
}

/// Rows, recalled at any cut and in any order of competitors, go on to the same rows.
pub(crate) fn resumes(make: Make) {
    let sizes = [2, 9, 4, 30, 9, 2, 90, 12, 3, 30, 7, 90, 700, 5, 9, 9, 40];
    let contests = history(7, &sizes);
    let start = |system: &mut dyn RatingSystem| {
        system.start(
            1,
            Start {
                mu: 1723.25,
                sigma: Some(131.0),
            },
        );
        system.start(
            4,
            Start {
                mu: 903.5,
                sigma: None,
            },
        );
    };
    let mut system = make();
    start(system.as_mut());
    let rows: Vec<Vec<Rated>> = contests.iter().map(|of| of.rate(system.as_mut())).collect();
    for cut in 0..=contests.len() {
        let mut careers: BTreeMap<u32, Vec<Past>> = BTreeMap::new();
        for (contest, rows) in contests[..cut].iter().zip(&rows) {
            for (&competitor, &rated) in contest.entrants.iter().zip(rows) {
                careers.entry(competitor).or_default().push(Past {
                    ends_at: contest.ends_at,
                    weight: contest.weight,
                    rated,
                });
            }
        }
        let mut system = make();
        start(system.as_mut());
        for (&competitor, career) in careers.iter().rev() {
            for past in career {
                system.recall(competitor, past);
            }
            let last = career[career.len() - 1].rated.mu;
            assert_eq!(system.mu(competitor).to_bits(), last.to_bits());
        }
        for (contest, rows) in contests.iter().zip(&rows).skip(cut) {
            assert!(
                bits(&contest.rate(system.as_mut())) == bits(rows),
                "cut at {cut}"
            );
        }
    }
}

/// Threads, and the order in which tied entrants are listed, change no bit; no zero is negative.
pub(crate) fn deterministic(make: Make) {
    let contests = history(11, &[5000, 20, 60, 300, 5000]);
    let rated = |contests: &[Contest]| -> Vec<Vec<Rated>> {
        let mut system = make();
        contests.iter().map(|of| of.rate(system.as_mut())).collect()
    };
    let expected = rated(&contests);
    for threads in [1, 3] {
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let found = pool.install(|| rated(&contests));
        let same = found.iter().zip(&expected).all(|(a, b)| bits(a) == bits(b));
        assert!(same, "on {threads} threads");
    }
    let mut turned = contests.clone();
    for contest in &mut turned {
        let mut start = 0;
        for &end in &contest.groups {
            contest.entrants[start..end as usize].reverse();
            start = end as usize;
        }
    }
    for ((contest, turned), (expected, found)) in contests
        .iter()
        .zip(&turned)
        .zip(expected.iter().zip(rated(&turned)))
    {
        let by_name = |contest: &Contest, rows: &[Rated]| -> BTreeMap<u32, [u64; 4]> {
            contest.entrants.iter().copied().zip(bits(rows)).collect()
        };
        assert!(by_name(contest, expected) == by_name(turned, &found));
    }
    for row in expected.iter().flatten() {
        for number in [row.mu, row.sigma, row.performance] {
            assert!(number != 0.0 || number.is_sign_positive());
        }
    }
}

/// What a small history hashes to (FNV-1a, 64 bits), the same on every machine. Where it changes,
/// ratings have changed, and the engine's version must.
pub(crate) fn fingerprint(make: Make) -> u64 {
    let mut system = make();
    let mut hash = 0xCBF2_9CE4_8422_2325_u64;
    for contest in history(13, &[2, 3, 9, 20, 50, 100, 100, 400, 20, 1500, 9]) {
        for bits in bits(&contest.rate(system.as_mut())).as_flattened() {
            for byte in bits.to_le_bytes() {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
            }
        }
    }
    hash
}

/// A contest without order gives no rows and leaves everybody as they were.
pub(crate) fn needs_order(make: Make) {
    let ordered = Contest::of(&[3, 0, 2], &[1, 3]);
    let (mut plain, mut other) = (make(), make());
    for contest in [Contest::of(&[1], &[1]), Contest::of(&[0, 1, 2], &[3])] {
        assert!(contest.rate(other.as_mut()).is_empty());
        let expected = ordered.rate(plain.as_mut());
        assert!(bits(&ordered.rate(other.as_mut())) == bits(&expected));
    }
}

/// Whatever comes in, numbers come out.
pub(crate) fn survives_extremes(make: Make) {
    let finite = |rows: &[Rated], what: &str| {
        assert!(!rows.is_empty(), "{what}");
        for row in rows {
            assert!(
                row.mu.is_finite() && row.performance.is_finite(),
                "{what}: {row:?}"
            );
            assert!(row.sigma.is_finite() && row.sigma >= 0.0, "{what}: {row:?}");
        }
    };
    let many = 100_000;
    let everybody: Vec<u32> = (0..many).collect();
    // A lone winner over a tie of all others; then a lone loser.
    let mut system = make();
    for groups in [[1, many], [many - 1, many]] {
        let contest = Contest::of(&everybody, &groups);
        finite(&contest.rate(system.as_mut()), "a tie of 100,000");
    }
    let ratings = [-1e5, 1e5, 1500.0, 1499.999, 0.0, -3000.0];
    let sigmas = [1e-3, 1e4, 350.0, 1.0];
    for shift in 0..24_u32 {
        let mut system = make();
        let entrants: Vec<u32> = (0..200).map(|who| (who + 53 * shift) % 200).collect();
        for &who in &entrants {
            let start = Start {
                mu: ratings[who as usize % 6],
                sigma: Some(sigmas[who as usize / 6 % 4]),
            };
            system.start(who, start);
        }
        for size in [2, 3, 200] {
            for _ in 0..4 {
                let groups: Vec<u32> = (1..=size).collect();
                let contest = Contest::of(&entrants[..size as usize], &groups);
                finite(&contest.rate(system.as_mut()), "extreme starts");
            }
        }
    }
    // Many of them, in a round that must not take the square of them.
    let mut system = make();
    for &who in &everybody[..30_000] {
        let start = Start {
            mu: -1e5 + 2e5 / 3e4 * f64::from(who * 7_919 % 30_000),
            sigma: Some(sigmas[who as usize % 4]),
        };
        system.start(who, start);
    }
    let groups: Vec<u32> = (1..=30_000).collect();
    let contest = Contest::of(&everybody[..30_000], &groups);
    finite(&contest.rate(system.as_mut()), "30,000 extreme starts");
}

/// Hundreds of contests that go as expected, then one that does not.
pub(crate) fn survives_long_careers(make: Make) {
    let mut system = make();
    let as_ever = Contest::of(&[0, 1, 2, 3], &[1, 3, 4]);
    for _ in 0..3000 {
        as_ever.rate(system.as_mut());
    }
    for row in Contest::of(&[3, 2, 1, 0], &[1, 2, 3, 4]).rate(system.as_mut()) {
        assert!(row.mu.is_finite() && row.sigma >= 0.0 && row.performance.is_finite());
    }
}
