//! Eight fixed lanes of `f64` with a portable exponential.
//!
//! All sums of this crate run over eight lanes and end in one fixed tree of additions, without
//! fused multiply-add and without the platform's mathematics library. The bits of a rating are thus
//! the same on every machine, whatever vector instructions it has: a wider instruction set only
//! processes more lanes at a time.

#![expect(
    clippy::needless_range_loop,
    reason = "one index runs through several lanes at once"
)]

use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

use crate::numerics::polynomial::evaluate;

/// Number of lanes.
pub(crate) const LANES: usize = 8;

/// Eight numbers with elementwise arithmetic.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct Lanes(pub(crate) [f64; LANES]);

macro_rules! lanewise {
    ($trait:ident, $method:ident, $op:tt) => {
        impl $trait for Lanes {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                let mut out = [0.0; LANES];
                for lane in 0..LANES {
                    out[lane] = self.0[lane] $op other.0[lane];
                }
                Self(out)
            }
        }
    };
}
lanewise!(Add, add, +);
lanewise!(Sub, sub, -);
lanewise!(Mul, mul, *);
lanewise!(Div, div, /);

impl Neg for Lanes {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        self.map(|x| -x)
    }
}

impl AddAssign for Lanes {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Lanes {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Lanes {
    pub(crate) const ZERO: Self = Self([0.0; LANES]);
    pub(crate) const ONE: Self = Self([1.0; LANES]);

    #[inline(always)]
    pub(crate) const fn splat(x: f64) -> Self {
        Self([x; LANES])
    }

    #[inline(always)]
    fn map(self, f: impl Fn(f64) -> f64) -> Self {
        let mut out = [0.0; LANES];
        for lane in 0..LANES {
            out[lane] = f(self.0[lane]);
        }
        Self(out)
    }

    #[inline(always)]
    pub(crate) fn abs(self) -> Self {
        self.map(f64::abs)
    }

    /// Returns 1/√x of each lane, a positive normal number, within 4 units in the last place.
    /// Several times as fast as the processor's square root and division.
    #[inline(always)]
    pub(crate) fn inverse_sqrt(self) -> Self {
        self.map(inverse_sqrt)
    }

    #[inline(always)]
    pub(crate) fn sqrt(self) -> Self {
        self.map(f64::sqrt)
    }

    /// Returns the lanes in reverse order.
    #[inline(always)]
    pub(crate) fn reversed(self) -> Self {
        let mut out = [0.0; LANES];
        for lane in 0..LANES {
            out[lane] = self.0[LANES - 1 - lane];
        }
        Self(out)
    }

    /// True if any lane is above `bound`.
    #[inline(always)]
    pub(crate) fn any_above(self, bound: f64) -> bool {
        self.0.iter().any(|&x| x > bound)
    }

    /// Returns the smaller of each lane and `bound`; `bound` if the lane is NaN.
    #[inline(always)]
    pub(crate) fn at_most(self, bound: f64) -> Self {
        self.map(|x| if x < bound { x } else { bound })
    }

    /// Returns the larger of each lane and `bound`; `bound` if the lane is NaN.
    #[inline(always)]
    pub(crate) fn at_least(self, bound: f64) -> Self {
        self.map(|x| if x > bound { x } else { bound })
    }

    /// Selects lane by lane `yes` if `self > other`, else `no`.
    #[inline(always)]
    pub(crate) fn select_above(self, other: Self, yes: Self, no: Self) -> Self {
        let mut out = [0.0; LANES];
        for lane in 0..LANES {
            out[lane] = if self.0[lane] > other.0[lane] {
                yes.0[lane]
            } else {
                no.0[lane]
            };
        }
        Self(out)
    }

    /// Returns each lane, which is not negative, with the sign of the same lane of `signs`.
    #[inline(always)]
    pub(crate) fn with_sign_of(self, signs: Self) -> Self {
        let mut out = [0.0; LANES];
        for lane in 0..LANES {
            let sign = signs.0[lane].to_bits() & (1 << 63);
            out[lane] = f64::from_bits(self.0[lane].to_bits() | sign);
        }
        Self(out)
    }

    /// Returns the sum of all lanes, always by the same tree.
    #[inline(always)]
    pub(crate) fn sum(self) -> f64 {
        let [a, b, c, d, e, f, g, h] = std::hint::black_box(self).0;
        ((a + e) + (c + g)) + ((b + f) + (d + h))
    }

    /// Evaluates a polynomial with these coefficients of the powers of each lane: see [`evaluate`].
    #[inline(always)]
    pub(crate) fn polynomial<const N: usize>(self, coefficients: &[f64; N]) -> Self {
        self.map(
            #[inline(always)]
            |x| evaluate(coefficients, x),
        )
    }

    /// Returns e to the power of each lane, within 2 units in the last place. Every lane must lie
    /// in −700 … 700; callers clamp.
    #[inline(always)]
    pub(crate) fn exp(self) -> Self {
        self.map(exp)
    }
}

/// Returns e^x for −700 ≤ x ≤ 700, within 2 units in the last place, the same bits on every
/// machine.
///
/// x = k·ln 2 + r with |r| ≤ ln 2 / 2; e^r is its Taylor polynomial of degree 13 (error below
/// 5e-18), and 2^k is added into the exponent bits.
#[inline(always)]
pub(crate) fn exp(x: f64) -> f64 {
    // Adding and subtracting 1.5·2^52 rounds to an integer, which the low bits of the sum hold.
    const ROUND: f64 = 6_755_399_441_055_744.0;
    // ln 2 in two parts; the first has 32 significant bits, so k times it is exact.
    const LN_2_HIGH: f64 = f64::from_bits(0x3FE6_2E42_FEE0_0000);
    const LN_2_LOW: f64 = f64::from_bits(0x3DEA_39EF_3579_3C76);
    const C: [f64; 14] = [
        1.0,
        1.0,
        1.0 / 2.0,
        1.0 / 6.0,
        1.0 / 24.0,
        1.0 / 120.0,
        1.0 / 720.0,
        1.0 / 5_040.0,
        1.0 / 40_320.0,
        1.0 / 362_880.0,
        1.0 / 3_628_800.0,
        1.0 / 39_916_800.0,
        1.0 / 479_001_600.0,
        1.0 / 6_227_020_800.0,
    ];
    let shifted = x * std::f64::consts::LOG2_E + ROUND;
    let k = shifted - ROUND;
    let r = (x - k * LN_2_HIGH) - k * LN_2_LOW;
    let r2 = r * r;
    let r4 = r2 * r2;
    let r8 = r4 * r4;
    // Estrin's scheme: short dependency chains keep the lanes busy.
    let low = ((C[2] + C[3] * r) * r2) + ((C[4] + C[5] * r) + (C[6] + C[7] * r) * r2) * r4;
    let high = ((C[8] + C[9] * r) + (C[10] + C[11] * r) * r2) + (C[12] + C[13] * r) * r4;
    // 1 + r is added last: the small terms are then summed before they meet the large one.
    let mantissa = C[0] + (r + (low + high * r8));
    f64::from_bits(mantissa.to_bits().wrapping_add(shifted.to_bits() << 52))
}

/// 1/√x for a positive normal x: halving the exponent's bits gives an error of 4 %, and each Newton
/// step doubles the digits.
#[inline(always)]
fn inverse_sqrt(x: f64) -> f64 {
    const GUESS: u64 = 0x5FE6_EB50_C7B5_37A9;
    let half = 0.5 * x;
    let mut y = f64::from_bits(GUESS.wrapping_sub(x.to_bits() >> 1));
    for _ in 0..4 {
        y *= 1.5 - half * y * y;
    }
    y
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_error_is_below_two_ulps() {
        let mut worst: f64 = 0.0;
        let mut x = -700.0;
        while x <= 700.0 {
            // libm's exponential is correctly rounded for all but one in some hundred arguments.
            let exact = libm::exp(x);
            worst = worst.max(((exp(x) - exact) / exact).abs());
            x += 0.001_234_567;
        }
        assert!(worst <= 2.0 * f64::EPSILON, "relative error {worst:e}");
        assert_eq!(exp(0.0).to_bits(), 1.0_f64.to_bits());
    }

    #[test]
    fn inverse_sqrt_error_is_below_four_ulps() {
        let mut x = 1e-12_f64;
        while x < 1e13 {
            let exact = 1.0 / x.sqrt();
            let error = ((inverse_sqrt(x) - exact) / exact).abs();
            assert!(error <= 4.0 * f64::EPSILON, "{x}: {error:e}");
            x *= 1.000_731;
        }
    }

    #[test]
    fn exp_bits_are_fixed() {
        // Guards the bits: any change here requires a new engine version.
        for (x, bits) in [
            (1.0, 0x4005_BF0A_8B14_576A_u64),
            (-1.0, 0x3FD7_8B56_362C_EF38),
            (0.1, 0x3FF1_AEC7_B35A_00D4),
            (300.5, 0x5B07_19C2_5B8F_5B4A),
            (-37.25, 0x3C93_278B_CD70_E981),
        ] {
            assert_eq!(exp(x).to_bits(), bits, "exp({x}) = {:#X}", exp(x).to_bits());
        }
    }

    #[test]
    fn sum_uses_fixed_tree() {
        let lanes = Lanes([1e16, 1.0, -1e16, 1.0, 3.0, 1.0, 1.0, 1.0]);
        assert_eq!(lanes.sum().to_bits(), {
            let left: f64 = (1e16 + 3.0) + (-1e16 + 1.0);
            (left + ((1.0 + 1.0) + (1.0 + 1.0))).to_bits()
        });
    }

    #[test]
    fn bounds_replace_nan() {
        let lanes = Lanes([f64::NAN; LANES]);
        assert_eq!(lanes.at_most(3.0), Lanes::splat(3.0));
        assert_eq!(lanes.at_least(3.0), Lanes::splat(3.0));
    }
}
