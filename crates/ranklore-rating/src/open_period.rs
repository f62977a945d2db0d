//! Rating periods: all contests of a period are rated against the ratings from before it, and an
//! entrant's updates are summed.

use std::ops::AddAssign;

/// The rating period of a competitor's last contest: the state before it, and the sums of the
/// updates by its contests so far.
///
/// A row in the middle of a period is what the system would publish if the period ended there; the
/// last row of the period is the update of the whole period.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenPeriod<S, U> {
    number: Option<i64>,
    /// The state before the period.
    pub(crate) before: S,
    /// The sums of the updates.
    pub(crate) sums: U,
}

impl<S: Copy, U: AddAssign + Default> OpenPeriod<S, U> {
    /// Creates the period of a competitor without contests.
    pub(crate) fn new(before: S) -> Self {
        Self {
            number: None,
            before,
            sums: U::default(),
        }
    }

    /// True before the first contest that has a period.
    pub(crate) const fn is_first(&self) -> bool {
        self.number.is_none()
    }

    /// Enters the period of a contest with the state `now`; without a number the contest is a
    /// period of its own. Returns the periods since that of the last contest: 1 for the next one
    /// and for the first, 0 if the period is the same.
    pub(crate) fn enter(&mut self, number: Option<i64>, now: S) -> i64 {
        let elapsed = match (number, self.number) {
            (Some(number), Some(last)) => number.saturating_sub(last).max(0),
            _ => 1,
        };
        if elapsed > 0 {
            *self = Self {
                number,
                before: now,
                sums: U::default(),
            };
        }
        elapsed
    }

    /// Restores the period of an earlier contest, which is complete.
    pub(crate) fn restore(&mut self, number: Option<i64>) {
        self.number = number;
    }
}

/// Updates of Glicko and its relatives.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PairSums {
    /// Scores beyond expectation, over the scales of their games.
    pub(crate) surplus: f64,
    /// Information about the rating.
    pub(crate) information: f64,
}

impl AddAssign for PairSums {
    fn add_assign(&mut self, other: Self) {
        self.surplus += other.surplus;
        self.information += other.information;
    }
}
