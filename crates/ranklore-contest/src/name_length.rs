//! The limit on the length of names.

use crate::contest::{Contest, ValidationError};

/// The maximum length of names of contests and competitors: 1,000 characters.
pub const MAX_NAME_CHARS: usize = 1_000;

impl Contest {
    /// Checks that names have at most [`MAX_NAME_CHARS`] characters.
    ///
    /// # Errors
    /// [`ValidationError`](ValidationError), naming the row and the beginning of the name.
    pub fn check_name_lengths(&self) -> Result<(), ValidationError> {
        if is_name_too_long(&self.name) {
            return Err(name_too_long_error("the name of the contest", &self.name));
        }
        for (index, entrant) in self.entrants.iter().enumerate() {
            for name in std::iter::once(&entrant.competitor).chain(&entrant.members) {
                if is_name_too_long(name) {
                    return Err(name_too_long_error(
                        &format!("the name in row {}", index + 1),
                        name,
                    ));
                }
            }
        }
        Ok(())
    }
}

/// Returns true if a name has more than [`MAX_NAME_CHARS`] characters.
#[must_use]
pub fn is_name_too_long(name: &str) -> bool {
    name.len() > MAX_NAME_CHARS && name.chars().count() > MAX_NAME_CHARS
}

/// Returns the error about a name that is too long; `what` says whose name it is.
#[must_use]
pub fn name_too_long_error(what: &str, name: &str) -> ValidationError {
    let start: String = name.chars().take(20).collect();
    ValidationError::new(format!(
        "{what} has {} characters, more than {MAX_NAME_CHARS}: {start:?}…",
        name.chars().count()
    ))
}
