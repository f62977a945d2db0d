//! Numbers beyond the range of a double, each with its own power of two.

/// The number `value`·2^`power`.
#[derive(Clone, Copy)]
pub(super) struct Scaled {
    pub(super) value: f64,
    pub(super) power: i64,
}

impl Scaled {
    pub(super) const ZERO: Self = Self {
        value: 0.0,
        power: i64::MIN / 4,
    };

    pub(super) const ONE: Self = Self {
        value: 1.0,
        power: 0,
    };

    /// Returns the value relative to another power of two.
    #[inline(always)]
    pub(super) fn value_at_power(self, power: i64) -> f64 {
        self.value * power_of_two(self.power - power)
    }

    #[inline(always)]
    pub(super) fn plus(self, other: Self) -> Self {
        let power = self.power.max(other.power);
        Self {
            value: self.value_at_power(power) + other.value_at_power(power),
            power,
        }
    }

    /// Normalises to a value of moderate size; non-positive numbers become 0.
    #[inline(always)]
    pub(super) fn normalised(self) -> Self {
        if self.value <= 0.0 {
            return Self::ZERO;
        }
        let change = exponent_of(self.value);
        Self {
            value: self.value * power_of_two(-change),
            power: self.power + change,
        }
    }

    pub(super) fn log(self) -> f64 {
        libm::log(self.value) + self.power as f64 * std::f64::consts::LN_2
    }
}

/// 2^n; 0 below the normal range.
#[inline(always)]
pub(super) fn power_of_two(n: i64) -> f64 {
    if n < -1022 {
        0.0
    } else {
        f64::from_bits(((n.min(1023) + 1023) as u64) << 52)
    }
}

/// The approximate binary exponent of a positive number.
#[inline(always)]
pub(super) fn exponent_of(x: f64) -> i64 {
    ((x.to_bits() >> 52) as i64 & 0x7FF) - 1023
}
