//! Sums in two doubles, for constants whose difference matters.

/// An unevaluated sum `high + low` with |low| at most half a unit in the last place of `high`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct TwoDouble {
    high: f64,
    low: f64,
}

impl TwoDouble {
    pub(crate) const ZERO: Self = Self {
        high: 0.0,
        low: 0.0,
    };

    /// Returns `self + x`, with a relative error of about 2^-105.
    #[inline(always)]
    pub(crate) fn plus(self, x: f64) -> Self {
        let (sum, error) = two_sum(self.high, x);
        Self::renormalised(sum, error + self.low)
    }

    /// Returns `self - other`.
    #[inline(always)]
    pub(crate) fn minus(self, other: Self) -> Self {
        let (sum, error) = two_sum(self.high, -other.high);
        Self::renormalised(sum, error + (self.low - other.low))
    }

    /// Returns exactly half.
    #[inline(always)]
    pub(crate) fn half(self) -> Self {
        Self {
            high: 0.5 * self.high,
            low: 0.5 * self.low,
        }
    }

    /// Returns the nearest double.
    #[inline(always)]
    pub(crate) fn value(self) -> f64 {
        self.high
    }

    #[inline(always)]
    fn renormalised(high: f64, low: f64) -> Self {
        let sum = high + low;
        Self {
            high: sum,
            low: low - (sum - high),
        }
    }
}

/// Returns the rounded sum of two numbers and its exact rounding error (Knuth).
#[inline(always)]
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_part = sum - a;
    (sum, (a - (sum - b_part)) + (b - b_part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sum_order_changes_no_double() {
        let terms: Vec<f64> = (1..2000).map(|k| 1.0 / f64::from(k)).collect();
        let forwards = terms.iter().fold(TwoDouble::ZERO, |s, &x| s.plus(x));
        let backwards = terms.iter().rev().fold(TwoDouble::ZERO, |s, &x| s.plus(x));
        assert!(forwards.minus(backwards).value().abs() < 1e-28);
        let plain_forwards: f64 = terms.iter().sum();
        let plain_backwards: f64 = terms.iter().rev().sum();
        assert!((plain_forwards - plain_backwards).abs() > 1e-16);
    }
}
