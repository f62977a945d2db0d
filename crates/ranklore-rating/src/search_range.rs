//! The parameters of systems: the values among which a search looks for the best, and the properties
//! that hold with defaults only.

use crate::words::words;

/// A parameter of a system.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParameterInfo {
    /// The name, as settings and JSON have it.
    pub name: &'static str,
    /// The values that a search tries.
    pub range: SearchRange,
    /// The property that the system guarantees only with the default value.
    pub breaks: Option<Promise>,
}

impl ParameterInfo {
    pub(crate) const fn new(name: &'static str, range: SearchRange) -> Self {
        Self {
            name,
            range,
            breaks: None,
        }
    }

    /// Returns the parameter of a system that guarantees the property only with its default value.
    pub(crate) const fn breaking(self, promise: Promise) -> Self {
        Self {
            breaks: Some(promise),
            ..self
        }
    }
}

/// A property that a system can guarantee.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Promise {
    /// A better place never leads to a lower rating, now or later.
    IncentiveCompatible,
    /// A contest, however extreme, moves a rating by a bounded amount.
    Robust,
    /// Rating gains and losses of a contest sum to zero.
    ZeroSum,
}

words!(Promise {
    IncentiveCompatible: "incentive compatible",
    Robust: "robust",
    ZeroSum: "zero sum",
});

/// The values of a parameter that a search tries, its default among them. Narrower than the values
/// that the system accepts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SearchRange {
    /// Real numbers, each as likely as another.
    Linear {
        /// The lowest.
        low: f64,
        /// The highest.
        high: f64,
    },
    /// Positive numbers, each order of magnitude as likely as another.
    Log {
        /// The lowest.
        low: f64,
        /// The highest.
        high: f64,
    },
    /// Words, or `true` and `false`.
    Choice(&'static [&'static str]),
    /// No values, for this reason: a search keeps the default.
    Fixed(&'static str),
}

/// Both values of a flag.
pub(crate) const FLAG: &[&str] = &["false", "true"];

/// The reason for ratings of newcomers: a system that knows only differences of ratings.
pub(crate) const SHIFT: &str = "shifts all ratings alike";

/// The reason for one parameter in rating points among several of which only ratios matter.
pub(crate) const UNIT: &str = "the unit of the ratings";

/// The reason for parameters that predictions do not use.
pub(crate) const DISPLAY: &str = "shown only";

/// The reason for parameters that are a list or absent by default.
pub(crate) const NO_NUMBER: &str = "no number by default";

/// The reason for the accuracy of a computation.
pub(crate) const ACCURACY: &str = "accuracy of the computation, not part of the model";

/// The points of the first move or of playing at home.
pub(crate) const ADVANTAGE: ParameterInfo = linear("advantage", -50.0, 250.0);

pub(crate) const fn linear(name: &'static str, low: f64, high: f64) -> ParameterInfo {
    let range = SearchRange::Linear { low, high };
    ParameterInfo::new(name, range)
}

pub(crate) const fn log(name: &'static str, low: f64, high: f64) -> ParameterInfo {
    let range = SearchRange::Log { low, high };
    ParameterInfo::new(name, range)
}

pub(crate) const fn choice(name: &'static str, words: &'static [&'static str]) -> ParameterInfo {
    let range = SearchRange::Choice(words);
    ParameterInfo::new(name, range)
}

pub(crate) const fn fixed(name: &'static str, reason: &'static str) -> ParameterInfo {
    let range = SearchRange::Fixed(reason);
    ParameterInfo::new(name, range)
}
