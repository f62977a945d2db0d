//! The zero of a decreasing function: Newton's method inside a shrinking bracket.

/// A decreasing function's value and the size of its slope (not negative) at one point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slope {
    pub(crate) value: f64,
    pub(crate) fall: f64,
}

/// Where a zero is sought, and how exactly.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Search {
    pub(crate) low: f64,
    pub(crate) high: f64,
    pub(crate) start: f64,
    /// A Newton step below this is the last. Convergence is quadratic: with a ten-millionth
    /// of the function's own scale, the error left is about its square.
    pub(crate) last_step: f64,
}

impl Search {
    /// The zero of the decreasing function `q` between `low` and `high`; one of the two ends
    /// where it has no zero between them, and the middle of the last bracket where the
    /// function is flat to the last bit of a double.
    #[inline(always)]
    pub(crate) fn zero_of_decreasing(self, mut q: impl FnMut(f64) -> Slope) -> f64 {
        let Self {
            mut low,
            mut high,
            start,
            last_step,
        } = self;
        let mut p = start.clamp(low, high);
        // Newton needs 2 to 8 steps, bisection of the widest bracket about 70.
        for _ in 0..200 {
            let Slope { value, fall } = q(p);
            if value == 0.0 {
                return p;
            }
            if value > 0.0 {
                low = p;
            } else {
                high = p;
            }
            let step = value / fall;
            let next = p + step;
            if next >= low && next <= high {
                if step.abs() < last_step {
                    return next;
                }
                p = next;
            } else {
                // A bisection step says nothing about convergence, only the bracket does.
                p = low + 0.5 * (high - low);
                if high - low <= 1e-3 * last_step || p <= low || p >= high {
                    return p;
                }
            }
        }
        p
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zero(low: f64, high: f64, start: f64, q: impl FnMut(f64) -> Slope) -> f64 {
        let search = Search {
            low,
            high,
            start,
            last_step: 1e-6,
        };
        search.zero_of_decreasing(q)
    }

    #[test]
    fn newton_converges_far_beyond_its_last_step() {
        let root = zero(-50.0, 50.0, 40.0, |p| Slope {
            value: 2.0_f64.tanh() - p.tanh(),
            fall: 1.0 - p.tanh().powi(2),
        });
        assert!((root - 2.0).abs() < 1e-12, "{root}");
    }

    #[test]
    fn a_zero_outside_is_the_nearer_end() {
        let line = |at: f64| {
            move |p: f64| Slope {
                value: at - p,
                fall: 1.0,
            }
        };
        assert!((zero(0.0, 1.0, 0.5, line(7.0)) - 1.0).abs() < 1e-8);
        assert!((zero(0.0, 1.0, 0.5, line(-7.0)) - 0.0).abs() < 1e-8);
    }

    #[test]
    fn a_flat_function_ends_in_its_bracket() {
        let step = |p: f64| Slope {
            value: if p < 0.3 { 1.0 } else { -1.0 },
            fall: 0.0,
        };
        assert!((zero(0.0, 1.0, 0.9, step) - 0.3).abs() < 1e-8);
        let not_a_number = |_| Slope {
            value: f64::NAN,
            fall: f64::NAN,
        };
        assert!(zero(0.0, 1.0, 0.5, not_a_number).is_finite());
    }
}
