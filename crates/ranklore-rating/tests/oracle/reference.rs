//! The oracle: an independent implementation of the defining sums, term by term, without any
//! optimisation.
//!
//! `Q` is strictly decreasing, so a performance has an error below r exactly if `Q` is positive at
//! r below it and negative at r above it. Only the sign of `Q` matters, and the oracle is correct
//! where plain double sums are not: on the plateaus between distant players, where whole wins and
//! losses cancel and tiny remainders decide.

use std::f64::consts::{PI, SQRT_2};
use std::ops::Range;

use ranklore_rating::performance::{Opponents, Ties, gaussian_performances, logistic_performances};

/// Largest error of a performance, in rating points.
pub(crate) const TOLERANCE: f64 = 1e-8;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Model {
    Logistic,
    Gaussian,
}

pub(crate) const CASES: [(Model, Ties); 4] = [
    (Model::Logistic, Ties::Whole),
    (Model::Logistic, Ties::Split),
    (Model::Gaussian, Ties::Whole),
    (Model::Gaussian, Ties::Split),
];

#[derive(Clone, Debug)]
pub(crate) struct Contest {
    pub(crate) mu: Vec<f64>,
    pub(crate) scale: Vec<f64>,
    pub(crate) groups: Vec<u32>,
}

impl Contest {
    pub(crate) fn new(players: &[(f64, f64)], groups: Vec<u32>) -> Self {
        let (mu, scale) = players.iter().copied().unzip();
        Self { mu, scale, groups }
    }

    /// Creates a contest without ties, in the order given.
    pub(crate) fn untied(players: &[(f64, f64)]) -> Self {
        Self::new(players, (1..=players.len() as u32).collect())
    }

    /// Returns the entrants of a group.
    pub(crate) fn members(&self, group: usize) -> Range<usize> {
        let start = group.checked_sub(1).map_or(0, |above| self.groups[above]);
        start as usize..self.groups[group] as usize
    }

    pub(crate) fn performances(&self, model: Model, ties: Ties) -> Vec<f64> {
        let opponents = Opponents {
            mu: &self.mu,
            scale: &self.scale,
            groups: &self.groups,
        };
        match model {
            Model::Logistic => logistic_performances(&opponents, ties),
            Model::Gaussian => gaussian_performances(&opponents, ties),
        }
    }
}

/// A compensated sum.
#[derive(Clone, Copy, Default)]
struct Sum {
    high: f64,
    low: f64,
}

impl Sum {
    fn add(&mut self, x: f64) {
        let sum = self.high + x;
        let part = sum - self.high;
        self.low += (self.high - (sum - part)) + (x - part);
        self.high = sum;
    }

    fn value(self) -> f64 {
        self.high + self.low
    }
}

/// The sign of `Q`, for one group of a contest.
pub(crate) struct Oracle<'a> {
    contest: &'a Contest,
    model: Model,
    ties: Ties,
    group: Range<usize>,
}

impl<'a> Oracle<'a> {
    pub(crate) fn new(contest: &'a Contest, model: Model, ties: Ties, group: usize) -> Self {
        Self {
            contest,
            model,
            ties,
            group: contest.members(group),
        }
    }

    /// Returns the numbers of half wins and half losses of the group against an entrant.
    fn halves(&self, entrant: usize) -> (i32, i32) {
        if entrant < self.group.start {
            (0, 2)
        } else if entrant >= self.group.end {
            (2, 0)
        } else if self.ties == Ties::Whole {
            (2, 2)
        } else {
            (1, 1)
        }
    }

    fn q(&self, p: f64) -> f64 {
        match self.model {
            Model::Logistic => self.logistic_q(p),
            Model::Gaussian => self.gaussian_q(p),
        }
    }

    /// Wins 1 − F and losses F, each a tail or one minus a tail. The ones are summed in integers,
    /// so that they cancel exactly; the tails in units of the largest, which may be below 1e-308.
    fn logistic_q(&self, p: f64) -> f64 {
        // Makes an integer of every 1/δ̄ up to δ̄ = 2000.
        const UNITS: f64 = (1_u128 << 64) as f64;
        let Contest { mu, scale, .. } = self.contest;
        let distance = |entrant: usize| (p - mu[entrant]).abs() / scale[entrant];
        let nearest = (0..mu.len()).map(distance).fold(f64::INFINITY, f64::min);
        let mut ones = 0_i128;
        let mut tails = Sum::default();
        for entrant in 0..mu.len() {
            let (won, lost) = self.halves(entrant);
            let z = distance(entrant);
            let weight = 1.0 / scale[entrant];
            let tail = weight * (nearest - z).exp() / (1.0 + (-z).exp());
            let (sign, ones_weight) = if mu[entrant] > p {
                (-1.0, won)
            } else {
                (1.0, -lost)
            };
            tails.add(sign * f64::from(won + lost) * tail);
            ones += i128::from(ones_weight) * (weight * UNITS) as i128;
        }
        if ones == 0 {
            tails.value()
        } else {
            ones as f64 / UNITS + (-nearest).exp() * tails.value()
        }
    }

    fn gaussian_q(&self, p: f64) -> f64 {
        let mut sum = Sum::default();
        for (entrant, (mu, scale)) in self.contest.mu.iter().zip(&self.contest.scale).enumerate() {
            let z = (p - mu) / scale;
            sum.add(match self.halves(entrant) {
                (2, 2) => -2.0 * z / scale,
                (won, 0) => f64::from(won) * inverse_mills(z) / scale,
                (0, lost) => -f64::from(lost) * inverse_mills(-z) / scale,
                _ => (inverse_mills(z) - inverse_mills(-z)) / scale,
            });
        }
        sum.value()
    }

    /// Returns the smallest of the radii 2^-37, 2^-36, … around `p` that contains the performance.
    pub(crate) fn error(&self, p: f64) -> f64 {
        let mut radius = 2.0_f64.powi(-37);
        while radius < 1e6 && !(self.q(p - radius) >= 0.0 && self.q(p + radius) <= 0.0) {
            radius *= 2.0;
        }
        radius
    }
}

/// The normal density over its distribution function, by erfc or by Laplace's continued fraction.
fn inverse_mills(z: f64) -> f64 {
    if z > -2.0 {
        let density = (-0.5 * z * z).exp() / (2.0 * PI).sqrt();
        return density / (0.5 * libm::erfc(-z / SQRT_2));
    }
    let terms = if z > -4.0 { 60 } else { 30 };
    (1..=terms).rev().fold(-z, |fraction, k| -z + f64::from(k) / fraction)
}

#[test]
fn oracle_detects_wrong_performance() {
    // Errors just above the tolerance must be detected, also on a plateau e^-30 high.
    let contest = Contest::untied(&[(0.0, 100.0), (6000.0, 100.0)]);
    for (model, ties) in CASES {
        for (group, p) in contest.performances(model, ties).into_iter().enumerate() {
            let oracle = Oracle::new(&contest, model, ties, group);
            for off in [-3e-8, 3e-8] {
                assert!(oracle.error(p + off) > TOLERANCE);
            }
        }
    }
    // Known to sixty digits.
    for (z, expected) in [
        (-60.0, 60.016_657_420_241_124),
        (-2.5, 2.822_744_797_663_907),
        (-1.0, 1.525_135_276_160_981),
        (2.0, 0.055_247_862_678_989_956),
    ] {
        assert!((inverse_mills(z) / expected - 1.0).abs() < 1e-14, "{z}");
    }
}
