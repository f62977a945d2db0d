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

/// Chebyshev coefficients in s = (t − 5)/(t + 5) of M(t)·(t + √(2/π)), with Mills' ratio M(t) = (1
/// − Φ(t))/φ(t): a function that is 1 at 0 and at infinity. Truncated below 2^-55; computed with
/// 120 bits.
const MILLS: [f64; 24] = [
    1.0790873274991748,
    -0.051892287458010514,
    -0.05738002819712785,
    0.04514657877467845,
    -0.020122692712459332,
    0.006480340651088864,
    -0.0015603315186579144,
    0.0002667121180751579,
    -2.505527684296003e-05,
    -1.2723270026548969e-06,
    7.928497536012655e-07,
    -7.505737189505081e-08,
    -1.2749417102391354e-08,
    3.4097729584147603e-09,
    1.0295104654570418e-10,
    -1.1493731199565891e-10,
    2.8310142131415513e-12,
    3.839963724657352e-12,
    -2.142883120556555e-13,
    -1.3827844601730413e-13,
    9.225983257047102e-15,
    5.481484463540035e-15,
    -3.0691680454599847e-16,
    -2.3554625002380603e-16,
];

/// √(2/π).
const ROOT_2_OVER_PI: f64 = 0.7978845608028654;
/// 1/√(2π).
const DENSITY_AT_0: f64 = 0.3989422804014327;

/// λ at `z` and at `−z`, with relative error below 1e-14 for every `z`.
///
/// With t = |z|: λ(−t) = 1/M(t) and λ(t) = φ(t)/(1 − φ(t)·M(t)). The literal quotient φ/Φ would be
/// 0/0 below −38.
#[inline(always)]
pub(crate) fn inverse_mills(z: Lanes) -> InverseMills {
    let (far, density) = hazard(z);
    let near = density * far / (far - density);
    InverseMills {
        at: z.select_above(Lanes::ZERO, near, far),
        at_negative: z.select_above(Lanes::ZERO, far, near),
    }
}

/// Φ at `z`, with relative error below 1e-14 for every `z` (above −37, below which it is 1e-300).
#[inline(always)]
pub(crate) fn distribution(z: Lanes) -> Lanes {
    let (far, density) = hazard(z);
    let tail = density / far;
    z.select_above(Lanes::ZERO, Lanes::ONE - tail, tail)
}

/// λ(−t) and φ(t) of t = |z|.
#[inline(always)]
fn hazard(z: Lanes) -> (Lanes, Lanes) {
    // For large t λ(−t) is t and λ(t) is 0, to the last bit; the bound keeps squares finite.
    let t = z.abs().at_most(1e150);
    let root = Lanes::splat(ROOT_2_OVER_PI);
    let s = (t - Lanes::splat(5.0)) / (t + Lanes::splat(5.0));
    let twice = s + s;
    let (mut b1, mut b2) = (Lanes::ZERO, Lanes::ZERO);
    for &coefficient in MILLS[1..].iter().rev() {
        let b = (twice * b1 - b2) + Lanes::splat(coefficient);
        b2 = b1;
        b1 = b;
    }
    let scaled = (s * b1 - b2) + Lanes::splat(MILLS[0]);
    let far = (t + root) / scaled;
    let density = Lanes::splat(DENSITY_AT_0) * (Lanes::splat(-0.5) * t * t).at_least(-700.0).exp();
    (far, density)
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
            let found: f64 = both.at.0[3];
            let error = ((found - expected) / expected).abs();
            assert!(error < 1e-14, "λ({z}) = {found:e}, not {expected:e}");
            assert_eq!(mirrored.at_negative.0[5].to_bits(), found.to_bits());
        }
    }

    #[test]
    fn tail_is_distance_or_zero() {
        for z in [40.0, 1e5, 1e200, f64::INFINITY] {
            let both = inverse_mills(Lanes::splat(z));
            assert!(both.at.0[0] < 1e-300, "{z}");
            assert!(
                (both.at_negative.0[0] / z.min(1e150) - 1.0).abs() < 1e-3,
                "{z}"
            );
        }
    }
}
