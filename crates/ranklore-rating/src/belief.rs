//! What Elo-MMR(ρ) believes of one competitor: a Gaussian term and one logistic term for each
//! past performance (paper, sections 3.2 and 4).

use crate::lanes::{LANES, Lanes};

/// Eight logistic terms. A term of weight w = 1/β² around performance p pulls with
/// `pull·tanh((s − p)·steepness)`, where pull = w·β²/β̄, steepness = 1/(2β̄), β̄ = √3/π·β.
#[derive(Clone, Copy, Debug)]
struct Terms {
    performance: Lanes,
    /// At the scale of the belief when the term was added; 0 in unused lanes.
    pull: Lanes,
    steepness: Lanes,
}

/// Decay is common to all logistic terms and kept as one factor; below this it is folded
/// into them, long before it could underflow.
const SMALLEST_DECAY: f64 = 1e-100;

/// A Newton step of this many β̄ is the last; the error left is its square.
const LAST_STEP: f64 = 1e-7;

/// Far out tanh is ±1 to the last bit; the bound keeps the exponential finite.
const FAR: f64 = 350.0;

/// The belief about one competitor.
#[derive(Clone, Debug)]
pub(crate) struct Belief {
    /// The rating: where the terms balance.
    pub(crate) mu: f64,
    /// Square of the uncertainty: 1 over the sum of all weights.
    pub(crate) variance: f64,
    /// The Gaussian term: its weight and centre.
    gaussian_weight: f64,
    gaussian_centre: f64,
    /// The sum of the logistic terms' weights now.
    logistic_weight: f64,
    decay: f64,
    terms: Vec<Terms>,
    /// How many logistic terms there are.
    count: usize,
}

/// How a new performance enters: its weight is 1/β².
#[derive(Clone, Copy, Debug)]
pub(crate) struct Noise {
    /// β²: the variance of a performance around the skill.
    pub(crate) variance: f64,
}

impl Noise {
    /// β̄ = √3/π·β, the scale of a logistic distribution of this variance.
    #[inline(always)]
    pub(crate) fn scale(self) -> f64 {
        SCALE_OF_DEVIATION * self.variance.sqrt()
    }
}

/// √3/π: the scale of a logistic distribution of standard deviation 1.
pub(crate) const SCALE_OF_DEVIATION: f64 = 0.551_328_895_421_792_1;

impl Belief {
    /// A newcomer: a Gaussian and nothing else.
    pub(crate) fn new(mu: f64, sigma: f64) -> Self {
        let variance = sigma * sigma;
        Self {
            mu,
            variance,
            gaussian_weight: 1.0 / variance,
            gaussian_centre: mu,
            logistic_weight: 0.0,
            decay: 1.0,
            terms: Vec::new(),
            count: 0,
        }
    }

    /// Pseudodiffusion (paper, algorithm 2): the variance grows by `growth`, all weights decay,
    /// and the logistic terms hand a share of theirs to the Gaussian, `rho` times as fast.
    /// The rating stays what it is. With infinite `rho` nothing but a Gaussian is left.
    #[inline(always)]
    pub(crate) fn diffuse(&mut self, growth: f64, rho: f64) {
        let kappa = 1.0 / (1.0 + growth / self.variance);
        // κ^ρ: the share of each logistic weight that is not handed over.
        let kept = if rho == f64::INFINITY {
            0.0
        } else if rho == 1.0 {
            kappa
        } else if rho == 0.0 {
            1.0
        } else {
            libm::pow(kappa, rho)
        };
        let own = kept * self.gaussian_weight;
        let handed = (1.0 - kept) * (self.gaussian_weight + self.logistic_weight);
        self.gaussian_centre = (own * self.gaussian_centre + handed * self.mu) / (own + handed);
        self.gaussian_weight = kappa * (own + handed);
        self.variance += growth;
        if kept == 0.0 {
            self.terms.clear();
            self.count = 0;
            self.logistic_weight = 0.0;
            self.decay = 1.0;
            return;
        }
        self.logistic_weight *= kappa * kept;
        self.decay *= kappa * kept;
        if self.decay < SMALLEST_DECAY {
            for terms in &mut self.terms {
                terms.pull = terms.pull * Lanes::splat(self.decay);
            }
            self.decay = 1.0;
        }
    }

    /// Adds a performance and moves the rating to the new balance (paper, algorithm 3).
    #[inline(always)]
    pub(crate) fn observe(&mut self, performance: f64, noise: Noise) {
        let before = self.mu;
        let scale = noise.scale();
        self.push(performance, scale);
        self.logistic_weight += 1.0 / noise.variance;
        self.variance = 1.0 / (1.0 / self.variance + 1.0 / noise.variance);
        self.mu = self.balance(before, performance, LAST_STEP * scale);
    }

    /// Merges the oldest performances into the Gaussian until at most `limit` are left.
    ///
    /// The Gaussian takes the term's weight, centred so that its pull at the present rating is
    /// the term's: the rating stays what it is, as in the transfer of a pseudodiffusion.
    pub(crate) fn forget_beyond(&mut self, limit: usize) {
        while self.count > limit {
            let oldest = self.terms[0];
            let (performance, steepness) = (oldest.performance.0[0], oldest.steepness.0[0]);
            let pull = oldest.pull.0[0] * self.decay;
            // pull = w·β²/β̄ and β²/β̄ = (π²/3)·β̄ = π²/(6·steepness).
            let ratio = std::f64::consts::PI * std::f64::consts::PI / (6.0 * steepness);
            let weight = pull / ratio;
            let centre = self.mu - ratio * tanh((self.mu - performance) * steepness);
            let total = self.gaussian_weight + weight;
            self.gaussian_centre =
                (self.gaussian_weight * self.gaussian_centre + weight * centre) / total;
            self.gaussian_weight = total;
            self.logistic_weight -= weight;
            self.remove_oldest();
        }
    }

    #[inline(always)]
    fn push(&mut self, performance: f64, scale: f64) {
        let lane = self.count % LANES;
        if lane == 0 {
            self.terms.push(Terms {
                performance: Lanes::splat(performance),
                pull: Lanes::ZERO,
                steepness: Lanes::ONE,
            });
        }
        if let Some(terms) = self.terms.last_mut() {
            terms.performance.0[lane] = performance;
            // w·β²/β̄ with w = 1/β².
            terms.pull.0[lane] = 1.0 / (scale * self.decay);
            terms.steepness.0[lane] = 0.5 / scale;
        }
        self.count += 1;
    }

    fn remove_oldest(&mut self) {
        for index in 0..self.terms.len() {
            let next = self.terms.get(index + 1).copied();
            let terms = &mut self.terms[index];
            let shift = |lanes: &mut Lanes, next: Option<Lanes>, empty: f64| {
                lanes.0.rotate_left(1);
                lanes.0[LANES - 1] = next.map_or(empty, |lanes| lanes.0[0]);
            };
            shift(&mut terms.performance, next.map(|n| n.performance), self.mu);
            shift(&mut terms.pull, next.map(|n| n.pull), 0.0);
            shift(&mut terms.steepness, next.map(|n| n.steepness), 1.0);
        }
        self.count -= 1;
        self.terms.truncate(self.count.div_ceil(LANES));
    }

    /// The zero of L' (paper, equation 10): from the old balance `from` towards the new
    /// performance `towards`, between which it lies.
    #[inline(always)]
    fn balance(&self, from: f64, towards: f64, last_step: f64) -> f64 {
        let (mut low, mut high) = (from.min(towards), from.max(towards));
        let mut s = from;
        for _ in 0..200 {
            let (pull, slope) = self.pull(s);
            if pull == 0.0 {
                return s;
            }
            if pull < 0.0 {
                low = s;
            } else {
                high = s;
            }
            let step = pull / slope;
            let next = s - step;
            if next >= low && next <= high {
                if step.abs() < last_step {
                    return next;
                }
                s = next;
            } else {
                s = low + 0.5 * (high - low);
                if high - low <= 1e-3 * last_step || s <= low || s >= high {
                    return s;
                }
            }
        }
        s
    }

    /// L' at `s` and its derivative.
    #[inline(always)]
    fn pull(&self, s: f64) -> (f64, f64) {
        let at = Lanes::splat(s);
        let (mut pull, mut slope) = (Lanes::ZERO, Lanes::ZERO);
        for terms in &self.terms {
            let x = (at - terms.performance) * terms.steepness;
            // tanh |x| = (1 − e)/(1 + e) and 1 − tanh² = 4e/(1 + e)² with e = exp(−2|x|).
            let e = (-(x.abs().at_most(FAR) + x.abs().at_most(FAR))).exp();
            let inverse = Lanes::ONE / (Lanes::ONE + e);
            let size = terms.pull * ((Lanes::ONE - e) * inverse);
            pull += size.with_sign_of(x);
            slope += (terms.pull * terms.steepness) * ((e * inverse) * inverse);
        }
        (
            self.gaussian_weight * (s - self.gaussian_centre) + self.decay * pull.sum(),
            self.gaussian_weight + 4.0 * self.decay * slope.sum(),
        )
    }
}

/// tanh by the crate's own exponential, so that its bits are the same everywhere.
fn tanh(x: f64) -> f64 {
    let e = crate::lanes::exp(-2.0 * x.abs().min(FAR));
    ((1.0 - e) / (1.0 + e)).copysign(x)
}
