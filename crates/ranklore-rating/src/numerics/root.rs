//! Zero of a decreasing function: steps chosen by the caller (Newton's, Householder's) inside a
//! shrinking bracket.

/// A decreasing function at one point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Probe {
    /// The value: above 0 if the zero lies higher.
    pub(crate) value: f64,
    /// Estimated distance to the zero, from the derivatives.
    pub(crate) step: f64,
}

/// Bracket, start and precision of a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Search {
    pub(crate) low: f64,
    pub(crate) high: f64,
    pub(crate) start: f64,
    /// A step below this is the last. Convergence is quadratic or better: with a ten-millionth of
    /// the function's scale, the remaining error is about its square.
    pub(crate) last_step: f64,
}

impl Search {
    /// Returns the zeros of several decreasing functions, each of which lies below the one before,
    /// such as `Q` from place to place. Each search starts from the previous zero.
    #[inline(always)]
    pub(crate) fn zeros_of_decreasing(
        mut self,
        functions: std::ops::Range<usize>,
        mut probe: impl FnMut(usize, f64) -> Probe,
    ) -> Vec<f64> {
        let mut zeros = Vec::with_capacity(functions.len());
        for function in functions {
            let zero = self.zero_of_decreasing(
                #[inline(always)]
                |p| probe(function, p),
            );
            zeros.push(zero);
            self = self.below(zero);
        }
        zeros
    }

    /// Returns the search for a zero that lies below `zero`, starting there.
    #[inline(always)]
    pub(crate) fn below(self, zero: f64) -> Self {
        Self {
            start: zero,
            // A margin for rounding.
            high: (zero + self.last_step).min(self.high),
            ..self
        }
    }

    /// Returns the zero between `low` and `high` of the decreasing function `probe`; one of the two
    /// ends if there is no zero between them, and a point of the last bracket if the function is
    /// flat to the last bit of a double.
    #[inline(always)]
    pub(crate) fn zero_of_decreasing(self, mut probe: impl FnMut(f64) -> Probe) -> f64 {
        let Self {
            mut low,
            mut high,
            start,
            last_step,
        } = self;
        let mut p = start.clamp(low, high);
        let mut last = f64::INFINITY;
        let mut before = f64::INFINITY;
        // Newton-like searches take 2 to 8 steps, bisection of the widest bracket about 70.
        for _ in 0..200 {
            let Probe { value, step } = probe(p);
            if value == 0.0 {
                return p;
            }
            if value > 0.0 {
                low = p;
            } else {
                high = p;
            }
            let next = p + step;
            if step.abs() < last_step {
                return next.clamp(low, high);
            }
            // Steps that do not halve within two iterations may be cycling.
            if next >= low && next <= high && step.abs() <= 0.5 * before {
                (before, last) = (last, step.abs());
                p = next;
            } else {
                // A bisection step says nothing about convergence; the bracket does.
                p = low + 0.5 * (high - low);
                (before, last) = (last, 0.5 * (high - low));
                if high - low <= 1e-6 * last_step || p <= low || p >= high {
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

    fn zero(low: f64, high: f64, start: f64, q: impl FnMut(f64) -> Probe) -> f64 {
        let search = Search {
            low,
            high,
            start,
            last_step: 1e-6,
        };
        search.zero_of_decreasing(q)
    }

    #[test]
    fn newton_error_is_far_below_last_step() {
        let root = zero(-50.0, 50.0, 40.0, |p| Probe {
            value: 2.0_f64.tanh() - p.tanh(),
            step: (2.0_f64.tanh() - p.tanh()) / (1.0 - p.tanh().powi(2)),
        });
        assert!((root - 2.0).abs() < 1e-12, "{root}");
    }

    #[test]
    fn zero_outside_bracket_gives_nearer_end() {
        let line = |at: f64| {
            move |p: f64| Probe {
                value: at - p,
                step: at - p,
            }
        };
        assert!((zero(0.0, 1.0, 0.5, line(7.0)) - 1.0).abs() < 1e-8);
        assert!((zero(0.0, 1.0, 0.5, line(-7.0)) - 0.0).abs() < 1e-8);
    }

    #[test]
    fn flat_function_ends_in_bracket() {
        let step = |p: f64| Probe {
            value: if p < 0.3 { 1.0 } else { -1.0 },
            step: if p < 0.3 {
                f64::INFINITY
            } else {
                f64::NEG_INFINITY
            },
        };
        assert!((zero(0.0, 1.0, 0.9, step) - 0.3).abs() < 1e-8);
        let not_a_number = |_| Probe {
            value: f64::NAN,
            step: f64::NAN,
        };
        assert!(zero(0.0, 1.0, 0.5, not_a_number).is_finite());
    }

    #[test]
    fn cyclic_steps_fall_back_to_bisection() {
        // The same step each time, back and forth across the zero.
        let root = zero(-1.5, 1.5, 1.0, |p| Probe {
            value: 0.0625 - p,
            step: (0.0625 - p).signum(),
        });
        assert!((root - 0.0625).abs() < 1e-9, "{root}");
    }
}
