//! What could not be had from a site or not be read, and why.

use ranklore_contest::UnixSeconds;
use ranklore_fetch::Failed;
use ranklore_source::Request;
use ranklore_store::{ContestSync, SyncOutcome};

use crate::mine::archive::Withheld;

/// Why there is no answer to a question, or none that can be read.
pub(crate) struct Lack<'r> {
    pub(crate) of: &'r Request,
    outcome: SyncOutcome,
    /// For whoever watches.
    pub(crate) said: String,
    /// For the file: without words of the site, in which anybody may be named.
    pub(crate) kept: String,
}

impl<'r> Lack<'r> {
    pub(crate) fn failed(of: &'r Request, failed: &Failed) -> Self {
        Self {
            of,
            outcome: if failed.is_blocked() {
                SyncOutcome::Blocked
            } else {
                SyncOutcome::GaveUp
            },
            said: failed.to_string(),
            kept: failed.without_words().to_string(),
        }
    }

    pub(crate) fn withheld(of: &'r Request, withheld: Withheld) -> Self {
        Self::unread(of, withheld.to_string())
    }

    pub(crate) fn unread(of: &'r Request, why: String) -> Self {
        Self {
            of,
            outcome: SyncOutcome::Refused,
            said: why.clone(),
            kept: why,
        }
    }

    /// What is known of something of which nothing came now.
    pub(crate) fn sync(
        &self,
        external_id: &str,
        now: UnixSeconds,
        read_before: Option<i64>,
    ) -> ContestSync {
        ContestSync {
            external_id: external_id.to_owned(),
            outcome: self.outcome,
            tried_at: now.get(),
            read_at: read_before,
            due_at: Some(now.get()),
            reason: Some(self.kept.clone()),
        }
    }
}
