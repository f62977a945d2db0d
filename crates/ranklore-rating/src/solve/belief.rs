//! Belief of Elo-MMR(ρ) about one competitor: a Gaussian term and one logistic term for each past
//! performance (paper, sections 3.2 and 4) that still has weight.
//!
//! # Folding
//!
//! Old performances are folded into the Gaussian, which takes their weight and their pull at the
//! current rating. The slope of a logistic term of weight w lies between 0 and π²/6·w: folding it at
//! the rating μ changes the sum of all terms at s by at most w·|s − μ|. From then on w decays as
//! fast as the Gaussian's weight, which also gains what the logistic terms transfer, so their ratio
//! never grows. Two bounds on the weight of all folded terms together are added:
//!
//! - 2⁻⁵³ of the Gaussian's weight. The slope of the sum is never below that weight, so this moves
//!   the rating of a contest by at most 2⁻⁵³·|s − μ|, which is less than its rounding.
//! - 2⁻⁷³ of the weight of all terms: less than the rounding of the sum as long as |s − μ| is below
//!   a million β. This bound matters for ρ near 0, where the Gaussian of a newcomer vanishes.
//!
//! About 40/((1 + ρ)·ln(1/κ)) terms remain, κ being the decay in a contest: 111 for the default
//! parameters, 285 of them at ρ = 0. Contests of small weight w hardly decay, and ln(1/κ) is about
//! w: at ρ = 1 and w = 0.001 all of the first 20,000 terms remain. Several of them cannot be
//! replaced by one: eight merged into a logistic term with their pull and slope at the current
//! rating move later ratings by up to 4e-4 points.

use std::cell::RefCell;
use std::f64::consts::PI;

use crate::numerics::lanes::{LANES, Lanes};
use crate::numerics::root::{Probe, Search};

/// Eight logistic terms. A term of weight w = 1/β² around performance p pulls with
/// `pull·tanh((s − p)·steepness)`, where pull = w·β²/β̄, steepness = 1/(2β̄), β̄ = √3/π·β.
///
/// Not [`Lanes`], which are aligned to 64 bytes: allocating aligned memory takes several times as
/// long, and most histories are short.
#[derive(Clone, Copy, Debug)]
struct Terms {
    performance: [f64; LANES],
    /// Relative to the decay at the time the term was added; 0 in unused lanes.
    pull: [f64; LANES],
    steepness: [f64; LANES],
}

impl Terms {
    /// Returns the sum of the weights, relative to the decay as the pulls are.
    #[inline(always)]
    fn weight(&self) -> f64 {
        // pull = w·β²/β̄ and β²/β̄ = (π²/3)·β̄ = π²/(6·steepness).
        (Lanes(self.pull) * Lanes(self.steepness)).sum() * (6.0 / (PI * PI))
    }

    /// Returns the term in `lane` alone.
    fn only(mut self, lane: usize) -> Self {
        let pull = self.pull[lane];
        self.pull = [0.0; LANES];
        self.pull[lane] = pull;
        self
    }
}

/// Decay is common to all logistic terms and stored as one factor; below this it is folded into
/// them, long before it could underflow.
const SMALLEST_DECAY: f64 = 1e-100;

/// Bound on the weight of all folded terms, relative to the Gaussian's: half a unit in the last
/// place.
const NEGLIGIBLE_SHARE: f64 = f64::EPSILON / 2.0;

/// The weight of all terms adds to that bound, multiplied by this.
const TOTAL_SHARE: f64 = 1e-6;

/// A step of this many of the smallest β̄ is the last; convergence is quartic, the error left below
/// its fourth power.
const LAST_STEP: f64 = 1e-3;

/// Beyond this tanh is ±1 to the last bit; the bound keeps the exponential finite.
const TANH_SATURATION: f64 = 700.0;

/// Powers in a [`TransferCache`]: several times the decays of competitors without a settled
/// uncertainty, so that few share an entry.
const CACHED_POWERS: usize = 512;

/// The belief about one competitor.
#[derive(Clone, Debug)]
pub(crate) struct MmrBelief {
    /// The rating: the zero of the sum of all terms.
    pub(crate) mu: f64,
    /// Square of the uncertainty: 1 over the sum of all weights.
    pub(crate) variance: f64,
    /// Weight and centre of the Gaussian term.
    gaussian_weight: f64,
    gaussian_centre: f64,
    /// The current sum of the logistic terms' weights.
    logistic_weight: f64,
    /// The part of the Gaussian's weight that came from folded terms and was not transferred since.
    folded_weight: f64,
    decay: f64,
    /// The smallest β̄ of all performances so far: the resolution of the function to be solved.
    smallest_scale: f64,
    /// Oldest first.
    terms: Vec<Terms>,
    /// Number of logistic terms.
    count: usize,
    /// Number of lanes before the oldest term: those of merged ones, with pull 0.
    merged_lanes: usize,
}

/// The noise of a new performance, whose weight is 1/β².
#[derive(Clone, Copy, Debug)]
pub(crate) struct Noise {
    /// β²: the variance of a performance around the skill.
    pub(crate) variance: f64,
}

impl Noise {
    /// Returns β̄ = √3/π·β, the scale of a logistic distribution of this variance.
    #[inline(always)]
    pub(crate) fn scale(self) -> f64 {
        SCALE_OF_DEVIATION * self.variance.sqrt()
    }
}

/// Cache of the share κ^ρ of a logistic weight that a decay by κ leaves to the logistic terms.
///
/// Competitors with equally many contests often decay alike, in one contest and in the next, so
/// each thread keeps the computed powers.
#[derive(Clone, Debug)]
pub(crate) struct TransferCache {
    rho: f64,
    /// Pairs of κ and κ^ρ, indexed by some bits of κ.
    entries: [(f64, f64); CACHED_POWERS],
}

impl TransferCache {
    pub(crate) fn new(rho: f64) -> Self {
        Self {
            rho,
            entries: [(f64::NAN, f64::NAN); CACHED_POWERS],
        }
    }

    /// Calls `work` with the cache of this thread; it is empty if the last one was for another
    /// `rho`.
    pub(crate) fn with<R>(rho: f64, work: impl FnOnce(&mut Self) -> R) -> R {
        thread_local! {
            static CACHE: RefCell<TransferCache> = RefCell::new(TransferCache::new(f64::NAN));
        }
        CACHE.with_borrow_mut(|cache| {
            if cache.rho != rho {
                *cache = Self::new(rho);
            }
            work(cache)
        })
    }

    #[inline(always)]
    fn retained_share(&mut self, kappa: f64) -> f64 {
        if self.rho == f64::INFINITY {
            return 0.0;
        }
        // The middle bits of the fraction differ even if the leading ones do not.
        let entry = &mut self.entries[(kappa.to_bits() >> 20) as usize % CACHED_POWERS];
        if entry.0 != kappa {
            *entry = (kappa, libm::pow(kappa, self.rho));
        }
        entry.1
    }
}

/// √3/π: the scale of a logistic distribution of standard deviation 1.
pub(crate) const SCALE_OF_DEVIATION: f64 = 0.551_328_895_421_792_1;

impl MmrBelief {
    /// Returns the memory of the performances, in bytes.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.terms.capacity() * size_of::<Terms>()
    }

    /// Creates the belief of a newcomer: a Gaussian alone.
    pub(crate) fn new(mu: f64, sigma: f64) -> Self {
        let variance = sigma * sigma;
        Self {
            mu,
            variance,
            gaussian_weight: 1.0 / variance,
            gaussian_centre: mu,
            logistic_weight: 0.0,
            folded_weight: 0.0,
            decay: 1.0,
            smallest_scale: f64::INFINITY,
            terms: Vec::new(),
            count: 0,
            merged_lanes: 0,
        }
    }

    /// Applies a pseudodiffusion (paper, algorithm 2): the variance grows by `growth`, all weights
    /// decay, and the logistic terms transfer a share of theirs to the Gaussian, ρ times as fast.
    /// The rating is unchanged. With infinite ρ only a Gaussian remains.
    #[inline(always)]
    pub(crate) fn diffuse(&mut self, growth: f64, transfer: &mut TransferCache) {
        let kappa = 1.0 / (1.0 + growth / self.variance);
        let retained = transfer.retained_share(kappa);
        let gaussian = retained * self.gaussian_weight;
        let transferred = (1.0 - retained) * (self.gaussian_weight + self.logistic_weight);
        // At ρ = 0 the weight may underflow.
        if gaussian + transferred > 0.0 {
            self.gaussian_centre = (gaussian * self.gaussian_centre + transferred * self.mu)
                / (gaussian + transferred);
        }
        self.gaussian_weight = kappa * (gaussian + transferred);
        self.variance += growth;
        if retained == 0.0 {
            self.terms.clear();
            self.count = 0;
            self.merged_lanes = 0;
            self.smallest_scale = f64::INFINITY;
            self.logistic_weight = 0.0;
            self.folded_weight = 0.0;
            self.decay = 1.0;
            return;
        }
        self.logistic_weight *= kappa * retained;
        self.folded_weight *= kappa * retained;
        self.decay *= kappa * retained;
        if self.decay < SMALLEST_DECAY {
            for terms in &mut self.terms {
                terms.pull = terms.pull.map(|pull| pull * self.decay);
            }
            self.decay = 1.0;
        }
    }

    /// Adds a performance and moves the rating to the new balance (paper, algorithm 3).
    #[inline(always)]
    pub(crate) fn observe(&mut self, performance: f64, noise: Noise) {
        self.add(performance, noise);
        // Adding 0 turns −0 into 0: storage does not keep −0.
        self.mu = self.find_balance(performance, noise.scale()) + 0.0;
    }

    /// Adds a performance whose balance `mu` is known from when it was observed.
    #[inline(always)]
    pub(crate) fn restore(&mut self, performance: f64, noise: Noise, mu: f64) {
        self.add(performance, noise);
        self.mu = mu;
    }

    /// Merges the oldest performances into the Gaussian until at most `limit` are left.
    pub(crate) fn merge_beyond(&mut self, limit: usize) {
        while self.count > limit {
            let lane = self.merged_lanes;
            self.merge(self.terms[0].only(lane));
            self.terms[0].pull[lane] = 0.0;
            self.merged_lanes += 1;
            self.count -= 1;
            if self.merged_lanes == LANES || self.count == 0 {
                self.terms.remove(0);
                self.merged_lanes = 0;
            }
        }
    }

    /// Folds the oldest performances, eight at a time, while their weight is negligible (see the
    /// module). Called when all lanes are used.
    #[inline(never)]
    fn fold_negligible(&mut self) {
        let total = 1.0 / self.variance;
        let max_weight = NEGLIGIBLE_SHARE * (self.gaussian_weight + TOTAL_SHARE * total);
        let mut folded_runs = 0;
        while let Some(&oldest) = self.terms.get(folded_runs) {
            let weight = self.folded_weight + oldest.weight() * self.decay;
            let is_negligible = weight <= max_weight;
            if !is_negligible {
                break;
            }
            self.merge(oldest);
            self.folded_weight = weight;
            folded_runs += 1;
        }
        if folded_runs > 0 {
            self.terms.drain(..folded_runs);
            self.count -= folded_runs * LANES - self.merged_lanes;
            self.merged_lanes = 0;
        }
    }

    /// Adds terms to the Gaussian, which takes their weight and their pull at the current rating:
    /// the rating is unchanged, as in the transfer of a pseudodiffusion.
    #[inline(always)]
    fn merge(&mut self, terms: Terms) {
        let weight = terms.weight() * self.decay;
        let total = self.gaussian_weight + weight;
        if total > 0.0 {
            let x = (Lanes::splat(self.mu) - Lanes(terms.performance)) * Lanes(terms.steepness);
            let pull = (Lanes(terms.pull) * tanh_lanes(x)).sum() * self.decay;
            let offset = weight * (self.mu - self.gaussian_centre) - pull;
            self.gaussian_centre += offset / total;
        }
        self.gaussian_weight = total;
        self.logistic_weight -= weight;
    }

    /// Adds a performance and its weight without moving the rating.
    #[inline(always)]
    fn add(&mut self, performance: f64, noise: Noise) {
        self.push(performance, noise.scale());
        self.logistic_weight += 1.0 / noise.variance;
        self.variance = 1.0 / (1.0 / self.variance + 1.0 / noise.variance);
    }

    #[inline(always)]
    fn push(&mut self, performance: f64, scale: f64) {
        let lane = (self.merged_lanes + self.count) % LANES;
        if lane == 0 {
            if !self.terms.is_empty() {
                self.fold_negligible();
            }
            // Most histories fit into the first eight, so no more is allocated at first.
            if self.terms.len() == self.terms.capacity() {
                self.terms.reserve_exact(1 + self.terms.len() / 2);
            }
            self.terms.push(Terms {
                performance: [performance; LANES],
                pull: [0.0; LANES],
                steepness: [1.0; LANES],
            });
        }
        if let Some(terms) = self.terms.last_mut() {
            terms.performance[lane] = performance;
            // w·β²/β̄ with w = 1/β².
            terms.pull[lane] = 1.0 / (scale * self.decay);
            terms.steepness[lane] = 0.5 / scale;
        }
        self.count += 1;
        self.smallest_scale = self.smallest_scale.min(scale);
    }

    /// Solves for the zero of L' (paper, equation 10), by Householder's method of the third order.
    /// It lies between the old balance, where all terms but the newest sum to zero, and the new
    /// performance.
    #[inline(always)]
    fn find_balance(&self, performance: f64, scale: f64) -> f64 {
        // First step from the old balance, with an estimate of the slope there: exact for Gaussian
        // terms.
        let newest = tanh((performance - self.mu) * (0.5 / scale)) / scale;
        let step = newest / (self.gaussian_weight + self.logistic_weight);
        let search = Search {
            low: self.mu.min(performance),
            high: self.mu.max(performance),
            start: self.mu + step,
            last_step: LAST_STEP * self.smallest_scale,
        };
        search.zero_of_decreasing(
            #[inline(always)]
            |s| {
                let pull = self.pull(s);
                let inverse = 1.0 / pull.slope;
                let newton = pull.value * inverse;
                let bend = 0.5 * newton * pull.curvature * inverse;
                let twist = newton * newton * pull.twist * inverse / 6.0;
                let factor = (1.0 - bend) / (1.0 - 2.0 * bend + twist);
                Probe {
                    value: -pull.value,
                    // Far from the zero the curvature is misleading, and could fake a small step.
                    step: -newton * factor.clamp(0.5, 2.0),
                }
            },
        )
    }

    /// Computes L' at `s` with its first three derivatives.
    #[inline(always)]
    fn pull(&self, s: f64) -> Pull {
        let at = Lanes::splat(s);
        let mut value = Lanes::ZERO;
        let mut slope = Lanes::ZERO;
        let mut curvature = Lanes::ZERO;
        let mut twist = Lanes::ZERO;
        for terms in &self.terms {
            let pull = Lanes(terms.pull);
            let steepness = Lanes(terms.steepness);
            let x = (at - Lanes(terms.performance)) * steepness;
            // tanh |x| = (1 − e)/(1 + e) and 1 − tanh² = 4e/(1 + e)² with e = exp(−2|x|).
            let twice = (x + x).abs().at_most(TANH_SATURATION);
            let e = (-twice).exp();
            let inverse = Lanes::ONE / (Lanes::ONE + e);
            let tanh = ((Lanes::ONE - e) * inverse).with_sign_of(x);
            let bend = (pull * steepness) * ((e * inverse) * inverse);
            let steeper = bend * steepness;
            let square = tanh * tanh;
            value += pull * tanh;
            slope += bend;
            curvature += steeper * tanh;
            twist += (steeper * steepness) * (Lanes::ONE - (square + square + square));
        }
        Pull {
            value: self.gaussian_weight * (s - self.gaussian_centre) + self.decay * value.sum(),
            slope: self.gaussian_weight + 4.0 * self.decay * slope.sum(),
            curvature: -8.0 * self.decay * curvature.sum(),
            twist: -8.0 * self.decay * twist.sum(),
        }
    }

    /// Prefetches the terms from memory, for an update that comes soon.
    #[inline(always)]
    pub(crate) fn prefetch(&self) {
        for terms in &self.terms {
            std::hint::black_box(terms.performance[0]);
            std::hint::black_box(terms.pull[0]);
            std::hint::black_box(terms.steepness[0]);
        }
    }
}

/// L' at a point with its first three derivatives.
struct Pull {
    value: f64,
    slope: f64,
    curvature: f64,
    twist: f64,
}

/// tanh by the crate's own exponential, with the same bits on every machine.
#[inline(always)]
fn tanh(x: f64) -> f64 {
    let e = crate::numerics::lanes::exp(-(2.0 * x.abs()).min(TANH_SATURATION));
    ((1.0 - e) / (1.0 + e)).copysign(x)
}

/// [`tanh`] of each lane.
#[inline(always)]
fn tanh_lanes(x: Lanes) -> Lanes {
    let e = (-(x + x).abs().at_most(TANH_SATURATION)).exp();
    ((Lanes::ONE - e) / (Lanes::ONE + e)).with_sign_of(x)
}

#[cfg(test)]
mod tests;
