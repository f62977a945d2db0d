//! A thread as a contest: its name, address and time.

use ranklore_contest::UnixSeconds;
use ranklore_source::{SiteListing, Stage};

use crate::id::ThingId;
use crate::requests;

/// The approximate creation time of the first thread: June 2005.
const FIRST_THREAD_AT: i64 = 1_117_584_000;

/// A thread without its comments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ThreadInfo {
    pub(crate) id: ThingId,
    /// The name as the site writes it.
    pub(crate) subreddit: String,
    pub(crate) created: UnixSeconds,
}

/// Returns the creation time of a thread if it is plausible, otherwise what was expected.
pub(crate) fn check_created(at: Option<UnixSeconds>) -> Result<UnixSeconds, &'static str> {
    at.filter(|at| at.get() >= FIRST_THREAD_AT)
        .ok_or("when it was written, in whole seconds from June 2005 to 2199")
}

impl ThreadInfo {
    /// Returns the thread as a listed contest. It is named by its id, because titles are written by
    /// users.
    pub(crate) fn into_listed(self) -> SiteListing {
        let subreddit = self.subreddit;
        let id = self.id.to_string();
        let name = format!("r/{subreddit} {id}");
        SiteListing {
            url: Some(format!("https://www.reddit.com/r/{subreddit}/comments/{id}/")),
            // A thread has no start or end on the site: its time is its creation.
            ends_at: Some(self.created),
            results: vec![requests::thread_request(self.id)],
            division: Some(subreddit),
            ..SiteListing::new(id, name, Stage::Finished)
        }
    }
}
