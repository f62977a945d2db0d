//! A decreasing function's value and slope at one point.

use crate::root::Probe;

/// The value, and how fast it falls (not negative).
#[derive(Clone, Copy, Debug)]
pub(super) struct Slope {
    pub(super) value: f64,
    pub(super) fall: f64,
}

impl Slope {
    /// Newton's step from here.
    #[inline(always)]
    pub(super) fn newton(self) -> Probe {
        Probe {
            value: self.value,
            step: self.value / self.fall,
        }
    }
}
