//! Ranges and serialization of parameters.

use std::ops::RangeInclusive;

use thiserror::Error;

/// Error: a parameter outside its range.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("parameter {name} is {value:?}, and must be {range}")]
pub struct InvalidParameter {
    /// The name of the parameter.
    pub name: &'static str,
    /// The rejected value.
    pub value: f64,
    /// The allowed range, in words.
    pub range: &'static str,
}

pub(crate) fn check_range(
    name: &'static str,
    value: f64,
    range: &'static str,
    holds: impl Fn(f64) -> bool,
) -> Result<(), InvalidParameter> {
    if holds(value) {
        Ok(())
    } else {
        Err(InvalidParameter { name, value, range })
    }
}

/// Checks a parameter between two bounds, which `words` names.
pub(crate) fn check_between(
    name: &'static str,
    value: f64,
    words: &'static str,
    bounds: RangeInclusive<f64>,
) -> Result<(), InvalidParameter> {
    check_range(name, value, words, |value| bounds.contains(&value))
}

/// Checks a factor: a weight or part of one.
pub(crate) fn check_factor(name: &'static str, value: f64) -> Result<(), InvalidParameter> {
    check_between(name, value, "between 1e-6 and 1e6", 1e-6..=1e6)
}

/// Checks an uncertainty, in rating points.
pub(crate) fn check_uncertainty(name: &'static str, value: f64) -> Result<(), InvalidParameter> {
    check_between(name, value, "between 0.001 and 1e6", 1e-3..=1e6)
}

/// Checks a rating.
pub(crate) fn check_rating(name: &'static str, value: f64) -> Result<(), InvalidParameter> {
    check_between(name, value, "between -1e6 and 1e6", -1e6..=1e6)
}

/// Checks a drift: the uncertainty that a rating gains, in rating points.
pub(crate) fn check_drift(name: &'static str, value: f64) -> Result<(), InvalidParameter> {
    check_between(name, value, "between 0 and 1e6", 0.0..=1e6)
}

/// Checks the advantage of the first move, in rating points.
pub(crate) fn check_advantage(advantage: f64) -> Result<(), InvalidParameter> {
    check_between("advantage", advantage, "between -1e4 and 1e4", -1e4..=1e4)
}

/// Checks the rating and the uncertainty of a newcomer.
pub(crate) fn check_newcomer(mu: f64, sigma: f64) -> Result<(), InvalidParameter> {
    check_rating("initial_mu", mu)?;
    check_uncertainty("initial_sigma", sigma)
}

/// Serializes numbers that may be infinite as `"inf"`, since JSON has no infinity.
pub(crate) mod extended {
    use serde::de::{Error, Unexpected};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    #[serde(untagged, expecting = "expected a number or \"inf\"")]
    enum NumberOrWord {
        Number(f64),
        Word(String),
    }

    #[expect(
        clippy::trivially_copy_pass_by_ref,
        reason = "the signature serde asks for"
    )]
    pub(crate) fn serialize<S: Serializer>(value: &f64, to: S) -> Result<S::Ok, S::Error> {
        if value.is_infinite() {
            NumberOrWord::Word("inf".to_owned()).serialize(to)
        } else {
            NumberOrWord::Number(*value).serialize(to)
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
        match NumberOrWord::deserialize(from)? {
            NumberOrWord::Number(value) => Ok(value),
            NumberOrWord::Word(word) if matches!(word.as_str(), "inf" | "infinity" | "∞") => {
                Ok(f64::INFINITY)
            }
            NumberOrWord::Word(word) => {
                Err(D::Error::invalid_value(Unexpected::Str(&word), &"a number or \"inf\""))
            }
        }
    }
}
