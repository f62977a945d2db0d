//! Performances: the rating at which an entrant's place would have been the expected one.
//!
//! Elo-MMR models the performance of entrant `j` as a random variable around its prior rating
//! `mu_j`. The performance estimate of entrant `i` is the zero of a decreasing function `Q_i`, a
//! sum of one win, loss or tie term for every entrant (paper, theorem 3.2). Computed directly that
//! costs N² terms for each step of a root finder. Here it costs N times a few hundred, exactly (to
//! about 1e-9 of a rating point), with every entrant an opponent of every other.

mod clones;
mod direct;
mod expected;
mod field;
mod gaussian;
mod logistic;
mod losses;
pub(crate) mod mills;
mod opponents;
mod pair_scores;
mod pair_surpluses;
mod slope;
mod unfinished;

pub(crate) use clones::performances_with_clones;
pub(crate) use expected::expected_wins;
pub use gaussian::gaussian_performances;
pub use logistic::logistic_performances;
pub(crate) use losses::ExpectedLosses;
pub(crate) use mills::distribution;
pub(crate) use pair_scores::scores;
pub(crate) use pair_surpluses::surpluses;
pub(crate) use slope::Slope;
pub use unfinished::{gaussian_unfinished, logistic_unfinished};

/// Contribution of a tie, for each entrant of the tie, the entrant itself included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ties {
    /// The density of the opponent's performance: for logistic performances one win and one
    /// loss, for Gaussian ones a draw term of its own (paper, section 3.1).
    #[default]
    Whole,
    /// Half a win and half a loss (paper, footnote 3).
    Split,
}

/// The entrants of one contest, best place first: prior ratings, scales of the performances, and
/// ends of the tie groups.
///
/// `mu` and `scale` have one entry per entrant, in rating points; scales are above 0. `groups`
/// holds the end (exclusive) of each group of tied entrants, increasing, the last being the number
/// of entrants. An untied entrant is a group of one.
#[derive(Clone, Copy, Debug)]
pub struct Opponents<'a> {
    /// Prior ratings.
    pub mu: &'a [f64],
    /// For logistic performances δ̄ = √3/π·√(σ² + β²); for Gaussian ones δ = √(σ² + β²).
    pub scale: &'a [f64],
    /// Ends of the tie groups.
    pub groups: &'a [u32],
}

impl Opponents<'_> {
    /// Panics if the slices are inconsistent.
    fn assert_valid(&self) {
        assert_eq!(self.mu.len(), self.scale.len(), "one scale per entrant");
        assert_eq!(
            self.groups.last().map_or(0, |&end| end as usize),
            self.mu.len(),
            "the last group ends with the last entrant"
        );
        assert!(
            self.mu.iter().all(|mu| mu.is_finite())
                && self.scale.iter().all(|scale| *scale > 0.0 && scale.is_finite()),
            "ratings are finite, scales finite and above 0"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::Opponents;
    use pulp::Arch;

    /// A contest with owned slices.
    pub(super) struct OwnedOpponents {
        mu: Vec<f64>,
        scale: Vec<f64>,
        groups: Vec<u32>,
    }

    impl OwnedOpponents {
        pub(super) fn opponents(&self) -> Opponents<'_> {
            Opponents {
                mu: &self.mu,
                scale: &self.scale,
                groups: &self.groups,
            }
        }
    }

    /// Contests that cover every code path: few groups, many, and large ties.
    pub(super) fn contests() -> Vec<OwnedOpponents> {
        let mut state = 7_u64;
        let mut random = move || {
            // A linear congruential generator (Knuth's constants).
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        [(3, 1.0), (60, 1.0), (700, 1.0), (700, 0.1)]
            .map(|(count, distinct)| {
                let mut groups: Vec<u32> = (1..count).filter(|_| random() < distinct).collect();
                groups.push(count);
                OwnedOpponents {
                    mu: (0..count).map(|_| 1500.0 + 900.0 * (random() - random())).collect(),
                    scale: (0..count).map(|_| 80.0 + 200.0 * random()).collect(),
                    groups,
                }
            })
            .into()
    }

    /// Solves with the baseline and with the widest vector instructions.
    pub(super) fn assert_same_bits(solve: impl Fn(Arch) -> Vec<f64>) {
        let bits = |performances: Vec<f64>| -> Vec<u64> {
            performances.iter().map(|p| p.to_bits()).collect()
        };
        assert_eq!(bits(solve(Arch::Scalar)), bits(solve(Arch::new())));
    }
}
