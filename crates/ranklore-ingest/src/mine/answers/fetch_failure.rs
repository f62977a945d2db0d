//! Failed requests: constructors of [`FetchFailure`], and the kinds of errors.

use ranklore_fetch::FetchError;
use ranklore_source::{Request, SiteReadError};
use ranklore_store::SyncOutcome;

use crate::derive::sync_state::FetchFailure;

impl FetchFailure {
    /// Returns the failure of a request without an answer.
    pub(crate) fn from_fetch_error(request: &Request, error: &FetchError) -> Self {
        Self {
            request: request.clone(),
            outcome: if error.is_blocked() {
                SyncOutcome::Blocked
            } else {
                SyncOutcome::GaveUp
            },
            message: error.to_string(),
            stored_message: error.redacted().to_string(),
        }
    }

    /// Returns the failure of a request whose answer cannot be read or must not be archived.
    pub(crate) fn from_read_error(request: &Request, reason: String) -> Self {
        Self {
            request: request.clone(),
            outcome: SyncOutcome::Refused,
            message: reason.clone(),
            stored_message: reason,
        }
    }
}

/// Returns the place of a read error in the answer and the expected content.
pub(crate) fn describe_read_error(error: &SiteReadError) -> String {
    format!("{}: {}", error.at, error.expected)
}

/// True if the site denied access with a challenge or a login page; similar requests will fail too.
pub(crate) fn is_access_denied(error: &FetchError) -> bool {
    let is_login =
        matches!(error, FetchError::LoginWall { .. } | FetchError::SessionExpired { .. });
    error.is_challenge() || is_login
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn login_page_denies_access() {
        let url = "https://example.org/login".to_owned();
        let first_line = String::new();
        let login = FetchError::LoginWall { url, first_line };
        assert!(is_access_denied(&login) && !login.is_challenge());
    }
}
