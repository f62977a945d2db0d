//! Constructors of fetch failures from the errors of requests and readers.

use ranklore_fetch::FetchError;
use ranklore_source::Request;
use ranklore_store::SyncOutcome;

use crate::derive::sync_state::FetchFailure;

impl FetchFailure {
    /// Returns the failure of a request without an answer.
    pub(crate) fn from_fetch_error(request: &Request, failed: &FetchError) -> Self {
        Self {
            request: request.clone(),
            outcome: if failed.is_blocked() {
                SyncOutcome::Blocked
            } else {
                SyncOutcome::GaveUp
            },
            message: failed.to_string(),
            stored_message: failed.redacted().to_string(),
        }
    }

    /// Returns the failure of a request whose answer cannot be read or must not be archived.
    pub(crate) fn from_read_error(request: &Request, why: String) -> Self {
        Self {
            request: request.clone(),
            outcome: SyncOutcome::Refused,
            message: why.clone(),
            stored_message: why,
        }
    }
}
