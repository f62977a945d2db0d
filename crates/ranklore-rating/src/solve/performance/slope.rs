//! Value and slope of a decreasing function at one point.

use crate::numerics::root::Probe;

/// The value, and its rate of decrease (not negative).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slope {
    pub(crate) value: f64,
    pub(crate) fall: f64,
}

impl Slope {
    /// Returns the probe with Newton's step from here.
    #[inline(always)]
    pub(crate) fn newton_probe(self) -> Probe {
        Probe {
            value: self.value,
            step: self.value / self.fall,
        }
    }
}
