//! Constructors of fetch failures from the errors of requests and readers.

use ranklore_fetch::Failed;
use ranklore_source::Request;
use ranklore_store::SyncOutcome;

use crate::derive::sync_state::Lack;

impl Lack {
    /// Returns the failure of a request without an answer.
    pub(crate) fn failed(request: &Request, failed: &Failed) -> Self {
        Self {
            request: request.clone(),
            outcome: if failed.is_blocked() {
                SyncOutcome::Blocked
            } else {
                SyncOutcome::GaveUp
            },
            said: failed.to_string(),
            kept: failed.without_words().to_string(),
        }
    }

    /// Returns the failure of a request whose answer cannot be read or must not be archived.
    pub(crate) fn unread(request: &Request, why: String) -> Self {
        Self {
            request: request.clone(),
            outcome: SyncOutcome::Refused,
            said: why.clone(),
            kept: why,
        }
    }
}
