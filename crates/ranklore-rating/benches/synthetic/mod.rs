//! Synthetic contests for benchmarks: the same on every machine, shaped like real ones.

use ranklore_rating::performance::Opponents;
use ranklore_rating::{EloMmrParameters, RatedEntrant, RatingRound, RatingSystem};

/// Distribution of ties in a contest.
#[derive(Clone, Copy)]
pub(crate) enum Places {
    /// No ties.
    Distinct,
    /// About this many groups, some of them thirty times as large as others.
    Tied(usize),
}

/// The entrants of one contest, best place first, as input of a performance solver.
pub(crate) struct SyntheticField {
    mu: Vec<f64>,
    /// Standard deviation of a performance around the rating.
    deviation: Vec<f64>,
    logistic_scale: Vec<f64>,
    groups: Vec<u32>,
}

impl SyntheticField {
    /// Creates entrants: a fifth are newcomers at 1500; the others are spread around 1500 by 350,
    /// with sigmas between 80 and 250. Places follow a performance drawn around each rating.
    pub(crate) fn new(count: usize, places: Places) -> Self {
        let mut random = Random::new(count as u64);
        let parameters = EloMmrParameters::default();
        let limit = parameters.sigma_limit * parameters.sigma_limit;
        let noise = (1.0 + 1.0 / parameters.weight_limit + parameters.weight_limit) * limit;
        let mut entrants: Vec<(f64, f64, f64)> = (0..count)
            .map(|_| {
                let (mu, sigma) = if random.below(5) == 0 {
                    (1500.0, 350.0)
                } else {
                    let mu = 1500.0 + 350.0 * normal_deviate(&mut random);
                    (mu, random.between(80.0, 250.0))
                };
                let deviation = (noise + sigma * sigma).sqrt();
                (mu + deviation * normal_deviate(&mut random), mu, deviation)
            })
            .collect();
        entrants.sort_by(|a, b| b.0.total_cmp(&a.0));
        let deviation: Vec<f64> = entrants.iter().map(|entrant| entrant.2).collect();
        let to_scale = 3.0_f64.sqrt() / std::f64::consts::PI;
        Self {
            mu: entrants.iter().map(|entrant| entrant.1).collect(),
            logistic_scale: deviation.iter().map(|deviation| to_scale * deviation).collect(),
            deviation,
            groups: groups(&mut random, count, places),
        }
    }

    pub(crate) fn logistic(&self) -> Opponents<'_> {
        Opponents {
            mu: &self.mu,
            scale: &self.logistic_scale,
            groups: &self.groups,
        }
    }

    pub(crate) fn gaussian(&self) -> Opponents<'_> {
        Opponents {
            mu: &self.mu,
            scale: &self.deviation,
            groups: &self.groups,
        }
    }
}

/// Contests of `size` out of `competitors`, a week apart.
pub(crate) struct Season {
    entrants: Vec<Vec<u32>>,
    groups: Vec<u32>,
}

impl Season {
    pub(crate) fn new(contests: usize, size: usize, competitors: usize, places: Places) -> Self {
        let mut random = Random::new(contests as u64);
        let skill: Vec<f64> =
            (0..competitors).map(|_| 350.0 * normal_deviate(&mut random)).collect();
        let mut all: Vec<u32> = (0..competitors as u32).collect();
        let entrants = (0..contests)
            .map(|_| {
                // A partial shuffle; a full one would take longer than the replay.
                for drawn in 0..size {
                    let other = drawn + random.below(competitors - drawn);
                    all.swap(drawn, other);
                }
                let mut placed: Vec<(f64, u32)> = all[..size]
                    .iter()
                    .map(|&competitor| {
                        (
                            skill[competitor as usize] + 200.0 * normal_deviate(&mut random),
                            competitor,
                        )
                    })
                    .collect();
                placed.sort_by(|a, b| b.0.total_cmp(&a.0));
                placed.into_iter().map(|(_, competitor)| competitor).collect()
            })
            .collect();
        Self {
            entrants,
            groups: groups(&mut random, size, places),
        }
    }

    /// Rates `count` contests from `first` on.
    pub(crate) fn replay(&self, system: &mut dyn RatingSystem, first: usize, count: usize) {
        let mut rated: Vec<RatedEntrant> = Vec::new();
        for (index, entrants) in self.entrants.iter().enumerate().skip(first).take(count) {
            let round = RatingRound {
                ends_at: 1_700_000_000 + 604_800 * index as i64,
                ..RatingRound::new(entrants, &self.groups)
            };
            system.rate(&round, &mut rated);
            std::hint::black_box(&rated);
        }
    }
}

/// A nearly normal number, of deviation 1.
fn normal_deviate(random: &mut Random) -> f64 {
    (0..12).map(|_| random.between(0.0, 1.0)).sum::<f64>() - 6.0
}

/// Ends of the tie groups.
fn groups(random: &mut Random, count: usize, places: Places) -> Vec<u32> {
    let Places::Tied(group_count) = places else {
        return (1..=count as u32).collect();
    };
    let mut sizes: Vec<usize> = (1..=group_count.min(count)).map(|size| 1 + size % 30).collect();
    for last in (1..sizes.len()).rev() {
        sizes.swap(last, random.below(last + 1));
    }
    let total: usize = sizes.iter().sum();
    let mut ends: Vec<u32> = sizes
        .iter()
        .scan(0, |sum, size| {
            *sum += size;
            Some((*sum * count / total) as u32)
        })
        .filter(|&end| end > 0)
        .collect();
    ends.dedup();
    ends
}

/// Knuth's MMIX generator: integers and exact scaling, the same numbers on every machine.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    fn next(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    /// Returns an integer from 0 to `bound` − 1.
    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// Returns a number from `low` up to `high`.
    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.next() as f64 / f64::from(1_u32 << 31))
    }
}
