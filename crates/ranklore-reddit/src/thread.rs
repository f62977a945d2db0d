//! A thread as a contest: what it is called, where it stands, when it was.

use ranklore_contest::UnixSeconds;
use ranklore_source::{Listed, Stage};

use crate::ask;
use crate::id::Id;

/// When the first thread was written, nearly: June 2005.
const FIRST: i64 = 1_117_584_000;

/// All that is known of a thread but its comments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Thread {
    pub(crate) id: Id,
    /// As the site writes it.
    pub(crate) subreddit: String,
    pub(crate) created: UnixSeconds,
}

/// When a thread can have been written; else what was expected.
pub(crate) fn created(at: Option<UnixSeconds>) -> Result<UnixSeconds, &'static str> {
    at.filter(|at| at.get() >= FIRST)
        .ok_or("when it was written, in whole seconds from June 2005 to 2199")
}

impl Thread {
    /// As a contest. Its title is somebody's text, so it is called by its number.
    pub(crate) fn listed(self) -> Listed {
        let subreddit = self.subreddit;
        let id = self.id.to_string();
        Listed {
            name: ["r/", &subreddit, " ", &id].concat(),
            event: None,
            ordinal: None,
            url: Some(
                [
                    "https://www.reddit.com/r/",
                    &subreddit,
                    "/comments/",
                    &id,
                    "/",
                ]
                .concat(),
            ),
            // Nobody says when a thread begins or ends: it is of the time it was written at.
            starts_at: None,
            ends_at: Some(self.created),
            site_weight: None,
            stage: Stage::Finished,
            rateable: true,
            results: vec![ask::thread(self.id)],
            division: Some(subreddit),
            external_id: id,
        }
    }
}
