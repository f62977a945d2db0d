//! Factors of truncated Gaussian variables: above a bound, or within a distance of 0.
//!
//! The variable is N(m, s²) according to all other factors. Truncated, it has a mean and a
//! variance; the factor is the Gaussian that takes N(m, s²) to the Gaussian of these, the message
//! of expectation propagation (Minka 2001; Herbrich, Minka and Graepel 2006, table 1).
//!
//! With t = (m − bound)/s the literature has v = φ(t)/Φ(t) and w = v·(v + t): the mean is m + s·v
//! and the variance s²·(1 − w). Far below the bound v + t and 1 − w are differences of nearly equal
//! numbers: at t = −1,000 four digits are left of the variance, at −10,000 none, and a variance of
//! 0 or less spoils every later message. So beyond t = −5 both come from the continued fraction of
//! Mills' ratio, and means are measured from the bound.
#![expect(
    clippy::unreadable_literal,
    reason = "digits as computed, to be compared"
)]

use crate::numerics::lanes::Lanes;
use crate::solve::performance::mills::inverse_mills;

/// Gaussian factors in lanes; a factor without information has a huge variance.
#[derive(Clone, Copy)]
pub(crate) struct Factor {
    pub(crate) mean: Lanes,
    pub(crate) variance: Lanes,
}

/// Returns the factor of N(`mean`, `variance`) for the variable lying above `bound`.
#[inline(always)]
pub(crate) fn factor_above(mean: Lanes, variance: Lanes, bound: Lanes) -> Factor {
    let scale = variance.sqrt();
    let start = (bound - mean) / scale;
    Truncation::beyond(start).factor(start, bound, mean, scale)
}

/// Returns the factor of N(`mean`, `variance`) for the variable lying within `bound` > 0 of 0.
#[inline(always)]
pub(crate) fn factor_within(mean: Lanes, variance: Lanes, bound: Lanes) -> Factor {
    let scale = variance.sqrt();
    // Mirrored so that the mean is not above 0.
    let distance = mean.abs();
    let half = bound / scale;
    let far = distance / scale;
    let start = far - half;
    let tilt = far * half;
    let curve = half * half;
    let steep = tilt.select_above(curve, tilt, curve);
    // A lane's result depends on its own numbers alone, not on the branches of its neighbours.
    let mut part = Truncation::flat(start, half, tilt, curve, &FEW_NODES);
    if steep.any_above(FEW_NODES_REACH) {
        let many = Truncation::flat(start, half, tilt, curve, &MANY_NODES);
        part = part.select_above(steep, FEW_NODES_REACH, many);
    }
    if steep.any_above(MANY_NODES_REACH) {
        part = part.select_above(steep, MANY_NODES_REACH, Truncation::steep(start, half, far));
    }
    let mirrored = part.factor(start, -bound, -distance, scale);
    Factor {
        mean: mean.select_above(Lanes::ZERO, -mirrored.mean, mirrored.mean),
        variance: mirrored.variance,
    }
}

/// A part of the standard normal distribution, from a `start`.
#[derive(Clone, Copy)]
struct Truncation {
    mean: Lanes,
    /// The mean, measured from the start.
    excess: Lanes,
    variance: Lanes,
    /// 1 − variance.
    lost: Lanes,
}

/// Start of the continued fraction of Mills' ratio.
const FRACTION_START: f64 = 5.0;
/// Number of terms of the fraction: an error below 2e-12 at `FRACTION_START`, and smaller beyond.
const FRACTION_TERMS: usize = 20;

impl Truncation {
    /// The part beyond `start`.
    #[inline(always)]
    fn beyond(start: Lanes) -> Self {
        let v = inverse_mills(-start).at;
        let near_excess = v - start;
        let near_lost = v * near_excess;
        // φ/(1 − Φ) = x + 1/(x + inner), inner = 2/(x + 3/(x + …)) as one quotient.
        let x = start.at_most(1e12).at_least(FRACTION_START);
        let mut over = x;
        let mut under = Lanes::ONE;
        for term in (3..=FRACTION_TERMS).rev() {
            let next = x * over + Lanes::splat(term as f64) * under;
            under = over;
            over = next;
        }
        let inner = Lanes::splat(2.0) * under / over;
        let far_excess = Lanes::ONE / (x + inner);
        let far_variance = (inner - far_excess) * far_excess;
        Self {
            mean: v,
            excess: near_excess,
            variance: Lanes::ONE - near_lost,
            lost: near_lost,
        }
        .select_above(
            start,
            FRACTION_START,
            Self {
                mean: start + far_excess,
                excess: far_excess,
                variance: far_variance,
                lost: Lanes::ONE - far_variance,
            },
        )
    }

    /// The part from `start` to `start` + 2·`half` if the density varies little, by quadrature:
    /// `tilt` and `curve` are the slope and the curvature of its logarithm over half of it.
    #[inline(always)]
    fn flat<const NODES: usize>(
        start: Lanes,
        half: Lanes,
        tilt: Lanes,
        curve: Lanes,
        nodes: &[(f64, f64); NODES],
    ) -> Self {
        // Keeps lanes finite that do not use this result.
        let slope = tilt.at_most(MANY_NODES_REACH);
        let bend = Lanes::splat(0.5) * curve.at_most(MANY_NODES_REACH);
        let mut densities = [(Lanes::ZERO, Lanes::ZERO); NODES];
        let mut total = Lanes::ZERO;
        let mut first = Lanes::ZERO;
        for (density, &(node, weight)) in densities.iter_mut().zip(nodes) {
            let node = Lanes::splat(node);
            let weight = Lanes::splat(weight);
            let even = bend * (Lanes::ONE - node * node) - slope;
            let odd = slope * node;
            let low = weight * (even + odd).exp();
            let high = weight * (even - odd).exp();
            total += low + high;
            first += node * (high - low);
            *density = (low, high);
        }
        let middle = first / total;
        let mut second = Lanes::ZERO;
        for (&(low, high), &(node, _)) in densities.iter().zip(nodes) {
            let below = Lanes::splat(-node) - middle;
            let above = Lanes::splat(node) - middle;
            second += low * (below * below) + high * (above * above);
        }
        let excess = half * (Lanes::ONE + middle);
        let variance = half * half * (second / total);
        Self {
            mean: start + excess,
            excess,
            variance,
            lost: Lanes::ONE - variance,
        }
    }

    /// The part from `start` to `start` + 2·`half` if the density varies much: all beyond the start
    /// minus the rest beyond the end.
    #[inline(always)]
    fn steep(start: Lanes, half: Lanes, far: Lanes) -> Self {
        let end = far + half;
        let all = Self::beyond(start);
        let beyond = Self::beyond(end);
        // The share of the rest beyond the end: φ falls by `fall`, and Mills' ratio changes as
        // well.
        let fall = (Lanes::splat(-2.0) * far * half).at_least(-700.0).exp();
        let share = fall * (inverse_mills(-start).at / inverse_mills(-end).at);
        let left = Lanes::ONE - share;
        let beyond_excess = (half + half) + beyond.excess;
        let excess = (all.excess - share * beyond_excess) / left;
        // The variance of a mixture is the mean of the variances plus the variance of the means.
        let apart = excess - beyond_excess;
        let between = share * (apart * apart);
        Self {
            mean: (all.mean - share * beyond.mean) / left,
            excess,
            variance: (all.variance - share * beyond.variance) / left - between,
            lost: (all.lost - share * beyond.lost) / left + between,
        }
    }

    /// Selects `other` in the lanes where `number` is above `bound`.
    #[inline(always)]
    fn select_above(self, number: Lanes, bound: f64, other: Self) -> Self {
        let bound = Lanes::splat(bound);
        Self {
            mean: number.select_above(bound, other.mean, self.mean),
            excess: number.select_above(bound, other.excess, self.excess),
            variance: number.select_above(bound, other.variance, self.variance),
            lost: number.select_above(bound, other.lost, self.lost),
        }
    }

    /// Divides the truncated variable by the original one, N(`mean`, `scale`²), truncated at
    /// `bound`.
    #[inline(always)]
    fn factor(self, start: Lanes, bound: Lanes, mean: Lanes, scale: Lanes) -> Factor {
        // If nothing was truncated, the factor has no information: finite, of weight 0.
        let lost = self.lost.at_least(1e-300);
        let from_bound = bound + scale * ((self.excess + start * self.variance) / lost);
        let from_mean = mean + scale * (self.mean / lost);
        Factor {
            mean: start.select_above(Lanes::ZERO, from_bound, from_mean),
            variance: scale * scale * (self.variance / lost),
        }
    }
}

/// Nodes and weights of Gauss-Legendre quadrature, of the upper half; the lower one is its mirror
/// image. Exact to 1e-14 while the logarithm of the density varies by at most `…_REACH` over half
/// of the interval, by slope and by curvature.
const FEW_NODES: [(f64, f64); 4] = [
    (0.9602898564975363, 0.10122853629037626),
    (0.7966664774136267, 0.22238103445337448),
    (0.525532409916329, 0.31370664587788727),
    (0.1834346424956498, 0.362683783378362),
];
const FEW_NODES_REACH: f64 = 1.0;
const MANY_NODES: [(f64, f64); 10] = [
    (0.9931285991850949, 0.017614007139152118),
    (0.9639719272779138, 0.04060142980038694),
    (0.912234428251326, 0.06267204833410907),
    (0.8391169718222188, 0.08327674157670475),
    (0.7463319064601508, 0.10193011981724044),
    (0.636053680726515, 0.11819453196151841),
    (0.5108670019508271, 0.13168863844917664),
    (0.37370608871541955, 0.14209610931838204),
    (0.22778585114164507, 0.14917298647260374),
    (0.07652652113349734, 0.15275338713072584),
];
const MANY_NODES_REACH: f64 = 10.0;

#[cfg(test)]
mod tests {
    use pulp::Arch;

    use super::*;
    use crate::numerics::dispatch::dispatch;
    use crate::numerics::lanes::LANES;

    /// The factors of one variable above a bound and within it, in every lane.
    #[inline(always)]
    fn both_factors(mean: f64, variance: f64, bound: f64) -> [(f64, f64); 2] {
        let [mean, variance, bound] = [mean, variance, bound].map(Lanes::splat);
        let factors = [
            factor_above(mean, variance, bound),
            factor_within(mean, variance, bound),
        ];
        factors.map(|factor| (factor.mean.0[LANES - 1], factor.variance.0[0]))
    }

    #[test]
    fn bits_do_not_depend_on_vector_instructions() {
        for mean in [-1e5, -60.0, -5.1, -4.9, 0.0, 3.0, 1e5] {
            for bound in [1e-9, 0.7, 2.3, 4.0, 1e4] {
                let bits = |arch: Arch| {
                    dispatch!(arch, both_factors(mean, 1.3, bound))
                        .map(|(mean, variance)| (mean.to_bits(), variance.to_bits()))
                };
                assert_eq!(bits(Arch::Scalar), bits(Arch::new()));
            }
        }
    }

    #[test]
    fn lanes_are_independent() {
        // Bounds for few nodes, for many, and for tails.
        let bound = Lanes([0.1, 0.9, 1.1, 2.0, 3.0, 3.3, 9.0, 1e6]);
        let mean = Lanes([0.0, 0.5, -4.0, 2.5, -0.1, 7.0, 40.0, -3.0]);
        let together = factor_within(mean, Lanes::splat(1.3), bound);
        for lane in 0..LANES {
            let alone = factor_within(
                Lanes::splat(mean.0[lane]),
                Lanes::splat(1.3),
                Lanes::splat(bound.0[lane]),
            );
            assert_eq!(alone.mean.0[0].to_bits(), together.mean.0[lane].to_bits());
            assert_eq!(alone.variance.0[0].to_bits(), together.variance.0[lane].to_bits());
        }
    }

    #[test]
    fn methods_agree_at_switch_points() {
        let close = |a: Factor, b: Factor| {
            let mean = a.mean.0[0] - b.mean.0[0];
            let variance = a.variance.0[0] / b.variance.0[0] - 1.0;
            assert!(mean.abs() < 1e-8 && variance.abs() < 1e-8, "{mean:e} {variance:e}");
        };
        let below = 1.0 - 1e-11;
        let above = 1.0 + 1e-11;
        for far in [FRACTION_START * below, FRACTION_START * above].windows(2) {
            let at = |far: f64| factor_above(Lanes::splat(-far), Lanes::ONE, Lanes::ZERO);
            close(at(far[0]), at(far[1]));
        }
        for reach in [FEW_NODES_REACH, MANY_NODES_REACH] {
            for half in [1e-3, 0.1, 0.5, 0.9, 2.5, 3.1] {
                let at = |by: f64| {
                    factor_within(Lanes::splat(reach / half * by), Lanes::ONE, Lanes::splat(half))
                };
                close(at(below), at(above));
            }
            let at = |by: f64| {
                factor_within(Lanes::splat(0.01), Lanes::ONE, Lanes::splat(reach.sqrt() * by))
            };
            close(at(below), at(above));
        }
    }

    #[test]
    fn certain_bound_gives_weightless_factor() {
        for distance in [40.0, 1e3, 1e8] {
            for factor in [
                factor_above(Lanes::splat(distance), Lanes::ONE, Lanes::ZERO),
                factor_within(Lanes::ONE, Lanes::ONE, Lanes::splat(distance)),
            ] {
                assert!(factor.mean.0[0].is_finite());
                assert!(factor.variance.0[0] > 1e15, "{:?}", factor.variance);
            }
        }
    }

    #[test]
    fn far_tail_factor_is_exact() {
        // Beyond x the excess is nearly exponential: the factor's mean is 2/x past the bound, its
        // variance 1/x², as series in 1/x.
        for x in [50.0, 1e4, 1e8] {
            let factor = factor_above(Lanes::splat(-x), Lanes::ONE, Lanes::ZERO);
            assert!(
                (factor.mean.0[0] * x / 2.0 - 1.0).abs() < 4.0 / (x * x) + 1e-9,
                "{x}: {:?}",
                factor.mean
            );
            assert!(
                (factor.variance.0[0] * x * x - 1.0).abs() < 6.0 / (x * x) + 1e-9,
                "{x}: {:?}",
                factor.variance
            );
        }
    }
}
