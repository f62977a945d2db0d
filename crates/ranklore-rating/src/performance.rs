//! Performances: the rating at which an entrant's place would have been the expected one.
//!
//! Elo-MMR models the performance of entrant `j` as a random variable around its prior rating
//! `mu_j`. The performance estimate of entrant `i` is the zero of a decreasing function `Q_i`
//! made of one win, loss or tie term for every entrant (paper, theorem 3.2). Computed as
//! written that costs N² terms for each step of a root finder; here it costs N times a few
//! hundred, exactly (to about 1e-9 of a rating point), with every entrant an opponent of
//! every other.

mod direct;
mod field;
mod gaussian;
mod logistic;
mod mills;
mod opponents;
mod slope;

pub use gaussian::gaussian_performances;
pub use logistic::logistic_performances;

/// What a tie is worth, for each entrant of the tie, the entrant itself included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ties {
    /// The density of the opponent's performance: for logistic performances one win and one
    /// loss, for Gaussian ones a draw term of its own (paper, section 3.1).
    #[default]
    Whole,
    /// Half a win and half a loss (paper, footnote 3).
    Split,
}

/// The entrants of one contest, best place first: for each its prior rating and the scale of
/// its performance, and where the tie groups end.
///
/// `mu` and `scale` have one entry an entrant, in rating points; scales are above 0. `groups`
/// holds the end (exclusive) of each group of tied entrants, increasing, the last being the
/// number of entrants. An untied entrant is a group of one.
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
    /// Holds the slices against each other; what fails here is a caller's mistake.
    fn assert_sound(&self) {
        assert_eq!(self.mu.len(), self.scale.len(), "one scale an entrant");
        assert_eq!(
            self.groups.last().map_or(0, |&end| end as usize),
            self.mu.len(),
            "the last group ends with the last entrant"
        );
    }
}
