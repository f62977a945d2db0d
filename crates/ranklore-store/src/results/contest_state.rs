//! States of contests, and their changes.

use ranklore_contest::word_enum;

use crate::file::columns::{UNNAMED_COLUMN, word_column};

word_enum! {
    /// State of a contest.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum ContestState {
        /// Not started yet.
        Announced = "announced",
        /// Running.
        Running = "running",
        /// Over, but less of the result arrived than the site announced. Not rated: see
        /// [`Completeness`](crate::Completeness).
        Incomplete = "incomplete",
        /// Over; the result may still change.
        Provisional = "provisional",
        /// Over; the result is final.
        Final = "final",
        /// Never to be rated.
        Unrated = "unrated",
        /// Removed by its source.
        Withdrawn = "withdrawn",
        /// Not accessible on its source.
        Refused = "refused",
    }
}

word_column!(ContestState, UNNAMED_COLUMN);

impl ContestState {
    /// True for a contest whose results are rated, if it is to be rated at all.
    #[must_use]
    pub const fn is_ratable(self) -> bool {
        matches!(self, Self::Provisional | Self::Final)
    }
}

/// Outcome of [`WriteBatch::upsert_contest`](crate::WriteBatch::upsert_contest).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpsertOutcome {
    /// The contest is new, or had no results.
    Added,
    /// The result changed.
    Revised {
        /// 2 for the first change.
        revision: u32,
    },
    /// The result is the same; the URL, the state or `rated` changed.
    MetadataUpdated,
    /// The contest was rated, and its source took it back.
    Withdrawn,
    /// The contest was withdrawn and is rated again, perhaps with another result.
    Restored,
    /// Nothing changed, except possibly the document that it refers to.
    Unchanged,
    /// Nothing was written, because the stored contest was read from a newer document.
    Superseded,
}

impl UpsertOutcome {
    /// True if the results of a contest with results count otherwise than before.
    #[must_use]
    pub const fn alters_results(self) -> bool {
        matches!(self, Self::Revised { .. } | Self::Withdrawn | Self::Restored)
    }
}
