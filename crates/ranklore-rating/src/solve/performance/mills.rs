//! The inverse Mills ratio of the normal distribution, in lanes.
#![expect(
    clippy::unreadable_literal,
    reason = "digits as computed, to be compared"
)]

use crate::numerics::lanes::Lanes;

/// λ(z) = φ(z)/Φ(z) and λ(−z), with φ and Φ the standard normal density and distribution.
#[derive(Clone, Copy)]
pub(crate) struct InverseMills {
    pub(crate) at: Lanes,
    pub(crate) at_negative: Lanes,
}

/// Coefficients of the powers of s = (t − 5)/(t + 5) in M(t)·(t + √(2/π)), with Mills' ratio M(t) =
/// (1 − Φ(t))/φ(t): a function that is 1 at 0 and at infinity. Truncated below 2^-55 as a series of
/// Chebyshev polynomials; computed with 160 bits.
const MILLS: [f64; 24] = [
    1.1178791335265914,
    -0.15680788454592537,
    0.018977856964461217,
    0.06605023848542942,
    -0.0904224753386617,
    0.07336718984664559,
    -0.042581874734884013,
    0.017553421093075228,
    -0.00431252093631676,
    -4.849780679000859e-05,
    0.0004876581698843871,
    -0.00013486130705444283,
    -2.8171997093481506e-05,
    2.3353089281447708e-05,
    1.654558028045199e-07,
    -3.4006396981062195e-06,
    2.818369663317434e-07,
    5.119708952249246e-07,
    -6.06802528628523e-08,
    -8.062638679841088e-08,
    8.377153857550658e-09,
    1.1428480380135242e-08,
    -6.436511904872639e-10,
    -9.879525786598772e-10,
];

/// √(2/π).
const ROOT_2_OVER_PI: f64 = 0.7978845608028654;
/// 1/√(2π).
const DENSITY_AT_0: f64 = 0.3989422804014327;

/// Returns λ at `z` and at `−z`. Relative error below 1e-15 on the negative side; on the positive
/// side below 1e-14 up to 13 and 1e-13 up to 37, beyond which λ is below 1e-300.
#[inline(always)]
pub(crate) fn inverse_mills(z: Lanes) -> InverseMills {
    let ratio = MillsRatio::at_distance(z);
    let (far_over, far_under) = ratio.far();
    let (near_over, near_under) = ratio.near();
    let far = far_over / far_under;
    let near = near_over / near_under;
    InverseMills {
        at: z.select_above(Lanes::ZERO, near, far),
        at_negative: z.select_above(Lanes::ZERO, far, near),
    }
}

/// Returns the hazard rate λ(−z) = φ(z)/(1 − Φ(z)) alone, the same bits as [`inverse_mills`].
#[inline(always)]
pub(crate) fn hazard_rate(z: Lanes) -> Lanes {
    let ratio = MillsRatio::at_distance(z);
    let far = ratio.far();
    let near = ratio.near();
    // Selected before the division: one quotient instead of two.
    z.select_above(Lanes::ZERO, far.0, near.0) / z.select_above(Lanes::ZERO, far.1, near.1)
}

/// Returns Φ at `z`. Relative error below 1e-14 from −13 on and 1e-13 from −37 on, below which it
/// is 1e-300.
#[inline(always)]
pub(crate) fn distribution(z: Lanes) -> Lanes {
    let ratio = MillsRatio::at_distance(z);
    let tail = ratio.density * ratio.scaled / ratio.scale;
    z.select_above(Lanes::ZERO, Lanes::ONE - tail, tail)
}

/// M(t) of t = |z|, as a quotient, and φ(t).
struct MillsRatio {
    scaled: Lanes,
    scale: Lanes,
    density: Lanes,
}

impl MillsRatio {
    #[inline(always)]
    fn at_distance(z: Lanes) -> Self {
        // For large t λ(−t) is t and λ(t) is 0, to the last bit; the bound keeps squares finite.
        let t = z.abs().at_most(1e150);
        let s = (t - Lanes::splat(5.0)) / (t + Lanes::splat(5.0));
        let exponent = (Lanes::splat(-0.5) * t * t).at_least(-700.0);
        Self {
            scaled: s.polynomial(&MILLS),
            scale: t + Lanes::splat(ROOT_2_OVER_PI),
            density: Lanes::splat(DENSITY_AT_0) * exponent.exp(),
        }
    }

    /// λ(−t) = 1/M(t), as a quotient.
    #[inline(always)]
    fn far(&self) -> (Lanes, Lanes) {
        (self.scale, self.scaled)
    }

    /// λ(t) = φ(t)/(1 − φ(t)·M(t)), as a quotient. The literal φ(z)/Φ(z) would be 0/0 below −38.
    #[inline(always)]
    fn near(&self) -> (Lanes, Lanes) {
        (self.density * self.scale, self.scale - self.density * self.scaled)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_values_of_sixty_digits() {
        for (z, expected) in [
            (-1000.0, 1000.000999998),
            (-60.0, 60.016657420241124),
            (-38.7, 38.725805401716876),
            (-10.0, 10.098093233962512),
            (-5.0, 5.186503967125842),
            (-2.5, 2.822744797663907),
            (-1.0, 1.525135276160981),
            (-0.1, 0.8626174715309362),
            (0.0, 0.7978845608028654),
            (1e-09, 0.7978845601662455),
            (0.3, 0.6172208536127345),
            (1.0, 0.2875999709391784),
            (2.0, 0.055247862678989956),
            (4.5, 1.5983795414617587e-05),
            (5.0, 1.4867199409049056e-06),
            (8.0, 5.052271083536895e-15),
            (20.0, 5.520948362159764e-88),
            (36.0, 1.5069047176203946e-282),
        ] {
            let both = inverse_mills(Lanes::splat(z));
            let mirrored = inverse_mills(Lanes::splat(-z));
            let actual: f64 = both.at.0[3];
            let error = ((actual - expected) / expected).abs();
            assert!(error < 1e-14, "λ({z}) = {actual:e}, not {expected:e}");
            assert_eq!(mirrored.at_negative.0[5].to_bits(), actual.to_bits());
        }
    }

    #[test]
    fn tail_is_distance_or_zero() {
        for z in [40.0, 1e5, 1e200, f64::INFINITY] {
            let both = inverse_mills(Lanes::splat(z));
            assert!(both.at.0[0] < 1e-300, "{z}");
            assert!((both.at_negative.0[0] / z.min(1e150) - 1.0).abs() < 1e-3, "{z}");
        }
    }
}
