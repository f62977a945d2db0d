//! The error about a value that breaks a rule, the bounds of numbers and the limit on the length of
//! names.

use std::ops::RangeInclusive;

/// The maximum length of names of contests and competitors: 1,000 characters.
pub const MAX_NAME_CHARS: usize = 1_000;

/// A value that breaks a rule. The message names the value, its place and the valid range.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ValidationError(String);

impl ValidationError {
    /// Returns an error with this message: a lower-case fragment that follows "error:".
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

/// Checks that a number lies in a range; `subject` names it.
///
/// # Errors
/// [`ValidationError`] if it does not.
pub fn check_bounds(
    subject: &str,
    value: f64,
    range: RangeInclusive<f64>,
) -> Result<(), ValidationError> {
    if range.contains(&value) {
        return Ok(());
    }
    let (low, high) = range.into_inner();
    Err(ValidationError::new(format!(
        "{subject} {value:?} lies outside {low} to {high}"
    )))
}

/// Returns true if a name has more than [`MAX_NAME_CHARS`] characters.
#[must_use]
pub fn is_name_too_long(name: &str) -> bool {
    name.len() > MAX_NAME_CHARS && name.chars().count() > MAX_NAME_CHARS
}

/// Returns the error about a name that is too long; `subject` says whose name it is.
#[must_use]
pub fn name_too_long_error(subject: &str, name: &str) -> ValidationError {
    let start: String = name.chars().take(20).collect();
    ValidationError::new(format!(
        "{subject} has {} characters, more than {MAX_NAME_CHARS}: {start:?}…",
        name.chars().count()
    ))
}
