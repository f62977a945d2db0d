//! Belief of Elo-R about a competitor: one normal factor, and a logistic one for each performance
//! not yet merged into it.

use crate::numerics::lanes::{LANES, Lanes};
use crate::numerics::root::{Probe, Search};

/// A Newton step of this many δ is the last; the error left is about its square.
const LAST_STEP: f64 = 1e-7;

/// Ratio of the width of a logistic factor to that of the belief from which it counts as normal: a
/// performance 3,000 points off then moves the rating by less than 1e-10.
const WIDE_RATIO: f64 = 1e4;

/// Beyond this tanh is 1 to the last bit.
const TANH_SATURATION: f64 = 40.0;

/// Eight performances, oldest first: each pulls with tanh((performance − s)/τ)/τ.
#[derive(Clone, Copy, Debug)]
struct Terms {
    performance: Lanes,
    /// 1/τ; 0 in unused and merged lanes.
    inverse: Lanes,
}

/// A product of densities (Elo-R draft, equation 21) and its maximum.
#[derive(Clone, Debug)]
pub struct EloRBelief {
    /// The rating.
    pub(super) mu: f64,
    /// σ²: one over the sum of all 1/τ² (equation 25).
    pub(super) variance: f64,
    /// The normal factor: μ₀ and 1/τ₀².
    centre: f64,
    precision: f64,
    /// Performances, oldest first.
    terms: Vec<Terms>,
    /// Lanes in use, those merged at the start included.
    count: usize,
    /// Lanes of the first terms that are merged; fewer than all.
    merged_lanes: usize,
}

impl EloRBelief {
    /// Creates the belief of a newcomer: a normal factor alone.
    pub(super) fn new(mu: f64, sigma: f64) -> Self {
        Self {
            mu,
            variance: sigma * sigma,
            centre: mu,
            precision: 1.0 / (sigma * sigma),
            terms: Vec::new(),
            count: 0,
            merged_lanes: 0,
        }
    }

    /// Returns the memory of the performances, in bytes.
    pub(super) fn heap_bytes(&self) -> usize {
        self.terms.capacity() * size_of::<Terms>()
    }

    /// Widens all factors alike, so that σ² grows by `growth` (equations 26 and 27). The rating
    /// stays.
    #[inline(always)]
    pub(super) fn widen(&mut self, growth: f64) {
        let factor = 1.0 + growth / self.variance;
        let narrower = Lanes::splat(1.0 / factor.sqrt());
        for terms in &mut self.terms {
            terms.inverse = terms.inverse * narrower;
        }
        self.precision /= factor;
        self.variance += growth;
    }

    /// Adds a performance and moves the rating to the maximum of the product.
    #[inline(always)]
    pub(super) fn observe(&mut self, performance: f64, delta: f64) {
        self.add(performance, delta);
        self.mu = self.find_balance(delta) + 0.0;
        self.merge_wide();
    }

    /// Adds a performance that is known to have led to the rating `mu`.
    #[inline(always)]
    pub(super) fn restore(&mut self, performance: f64, delta: f64, mu: f64) {
        self.add(performance, delta);
        self.mu = mu;
        self.merge_wide();
    }

    #[inline(always)]
    fn add(&mut self, performance: f64, delta: f64) {
        let lane = self.count % LANES;
        if lane == 0 {
            self.terms.push(Terms {
                performance: Lanes::splat(performance),
                inverse: Lanes::ZERO,
            });
        }
        if let Some(terms) = self.terms.last_mut() {
            terms.performance.0[lane] = performance;
            terms.inverse.0[lane] = 1.0 / delta;
        }
        self.count += 1;
        self.variance = 1.0 / (1.0 / self.variance + 1.0 / (delta * delta));
    }

    /// Solves equation 24.
    #[inline(always)]
    fn find_balance(&self, delta: f64) -> f64 {
        // Beyond the centre and all performances, every factor pulls back.
        let mut low = self.centre;
        let mut high = self.centre;
        for terms in &self.terms {
            for performance in terms.performance.0 {
                low = low.min(performance);
                high = high.max(performance);
            }
        }
        let search = Search {
            low,
            high,
            start: self.mu,
            last_step: LAST_STEP * delta,
        };
        search.zero_of_decreasing(
            #[inline(always)]
            |s| {
                let at = Lanes::splat(s);
                let mut pull = Lanes::ZERO;
                let mut fall = Lanes::ZERO;
                for terms in &self.terms {
                    let x = (terms.performance - at) * terms.inverse;
                    let (tanh, slope) = tanh(x);
                    pull += terms.inverse * tanh;
                    fall += terms.inverse * terms.inverse * slope;
                }
                let value = self.precision * (self.centre - s) + pull.sum();
                Probe {
                    value,
                    step: value / (self.precision + fall.sum()),
                }
            },
        )
    }

    /// Merges the oldest performances, eight at a time, into the normal factor once all of them are
    /// wide. It takes their 1/τ² and is centred so that their pull at the current rating is
    /// preserved.
    #[inline(always)]
    fn merge_wide(&mut self) {
        let wide = 1.0 / (WIDE_RATIO * self.variance.sqrt());
        while let Some(&Terms {
            performance,
            inverse,
        }) = self.terms.first()
        {
            // Factors widen with each contest: the newest of the eight is the narrowest.
            let newest = inverse.0[LANES - 1];
            if self.count < LANES || newest >= wide {
                return;
            }
            let (tanh, _) = tanh((performance - Lanes::splat(self.mu)) * inverse);
            let pull = (inverse * tanh).sum();
            let precision = (inverse * inverse).sum();
            self.merge(precision, pull);
            self.remove_first_terms();
        }
    }

    /// Merges the oldest performances into the normal factor until at most `limit` are left.
    #[inline(always)]
    pub(super) fn merge_beyond(&mut self, limit: usize) {
        while self.count - self.merged_lanes > limit {
            let lane = self.merged_lanes;
            let Terms {
                performance,
                inverse,
            } = &mut self.terms[0];
            let narrowness = std::mem::take(&mut inverse.0[lane]);
            let distance = (performance.0[lane] - self.mu) * narrowness;
            let (tanh, _) = tanh(Lanes::splat(distance));
            self.merge(narrowness * narrowness, narrowness * tanh.0[0]);
            self.merged_lanes += 1;
            if self.merged_lanes == LANES {
                self.remove_first_terms();
            }
        }
    }

    /// Adds a factor with this 1/τ² and this pull at the current rating to the normal one.
    #[inline(always)]
    fn merge(&mut self, precision: f64, pull: f64) {
        let offset = self.precision * (self.centre - self.mu) + pull;
        self.precision += precision;
        self.centre = self.mu + offset / self.precision;
    }

    fn remove_first_terms(&mut self) {
        self.terms.remove(0);
        self.count -= LANES;
        self.merged_lanes = 0;
    }
}

/// Returns tanh and its derivative, by the crate's own exponential.
#[inline(always)]
fn tanh(x: Lanes) -> (Lanes, Lanes) {
    // tanh |x| = (1 − e)/(1 + e) and 1 − tanh² = 4e/(1 + e)² with e = exp(−2|x|).
    let e = (-(x + x).abs().at_most(2.0 * TANH_SATURATION)).exp();
    let inverse = Lanes::ONE / (Lanes::ONE + e);
    let slope = Lanes::splat(4.0) * e * inverse * inverse;
    (((Lanes::ONE - e) * inverse).with_sign_of(x), slope)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const DELTA: f64 = 250.0;
    /// η² for δ 250 and σ* 100.
    const GROWTH: f64 = 1_904.761_904_761_905;

    fn rating(performances: &[f64]) -> f64 {
        let mut belief = EloRBelief::new(1500.0, 350.0);
        for &performance in performances {
            belief.widen(GROWTH);
            belief.observe(performance, DELTA);
        }
        belief.mu
    }

    /// The performances of a long career.
    fn career(length: usize) -> Vec<f64> {
        (0..length)
            .map(|k| 1700.0 + 600.0 * libm::sin(k as f64 * k as f64) + k as f64)
            .collect()
    }

    #[test]
    fn rating_grows_with_each_performance() {
        for length in [1, 5, 30, 60] {
            let plain = career(length);
            for better in 0..length {
                let mut raised = plain.clone();
                raised[better] += 300.0;
                assert!(rating(&raised) > rating(&plain), "{better} of {length}");
            }
        }
    }

    /// Returns by how much a rating rises if two performances of a career are swapped so that the
    /// better one moves forward in time.
    fn rise_by_swap(career: &[f64], earlier: usize, later: usize) -> f64 {
        let mut swapped = career.to_vec();
        swapped.swap(earlier, later);
        let rise = rating(&swapped) - rating(career);
        if career[earlier] > career[later] {
            rise
        } else {
            -rise
        }
    }

    /// The zero of 1 − x·tanh x: a pull tanh(d/τ)/τ grows faster with the distance d, the narrower
    /// its density is, up to this many τ.
    const STEEPEST_WIDTHS: f64 = 1.199_678_640_257_734;

    proptest! {
        /// Swapping two performances raises the rating if the better one moves forward (draft,
        /// section 5), where both are near the rating or on both sides of it.
        #[test]
        fn better_performance_counts_more_later(
            career in prop::collection::vec(0.0..3000.0_f64, 2..60),
            places in (0..60_usize, 0..60_usize),
        ) {
            let [first, second] = [places.0, places.1].map(|place| place % career.len());
            let (earlier, later) = (first.min(second), first.max(second));
            let [old, new] = [career[earlier], career[later]].map(|p| p - rating(&career));
            let is_near = old.abs().max(new.abs()) <= STEEPEST_WIDTHS * DELTA;
            prop_assume!(old != new && (is_near || old * new < 0.0));
            let rise = rise_by_swap(&career, earlier, later);
            // The farther back, the smaller the difference: it may vanish in rounding.
            let is_recent = career.len() - earlier <= 12;
            prop_assert!(rise > if is_recent { 0.0 } else { -1e-9 }, "{rise:e}");
        }
    }

    /// Far beyond the rating on one side the section's claim is wrong: the newest pull is saturated
    /// there, an older one not yet.
    #[test]
    fn better_outlier_counts_less_later() {
        let mut career = vec![1500.0; 20];
        career.extend([4000.0, 2000.0]);
        assert!(rise_by_swap(&career, 20, 21) < -0.5, "{}", rise_by_swap(&career, 20, 21));
    }

    #[test]
    fn merging_wide_factors_keeps_pull() {
        let mut belief = EloRBelief::new(1500.0, 350.0);
        for performance in career(400) {
            belief.widen(GROWTH);
            belief.observe(performance, DELTA);
        }
        assert!((90..120).contains(&belief.count), "{}", belief.count);
        // The stored sum equals the sum over all factors.
        let all = belief.terms.iter().map(|terms| (terms.inverse * terms.inverse).sum());
        let sum = belief.precision + all.sum::<f64>();
        assert!((sum * belief.variance - 1.0).abs() < 1e-12);
        assert!((belief.variance.sqrt() - 100.0).abs() < 1e-9);
    }

    #[test]
    fn tanh_derivative_matches_tanh() {
        for step in -500..500 {
            let x = f64::from(step) * 0.013;
            let (value, slope) = tanh(Lanes::splat(x));
            assert!((value.0[2] - libm::tanh(x)).abs() < 1e-15);
            let difference = (libm::tanh(x + 1e-6) - libm::tanh(x - 1e-6)) / 2e-6;
            assert!((slope.0[2] - difference).abs() < 1e-9);
        }
    }
}
