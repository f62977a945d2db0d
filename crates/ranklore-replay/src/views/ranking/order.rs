//! The orders of a leaderboard, and that of its places.

use std::cmp::Ordering;

use ranklore_contest::word_enum;
use serde::{Serialize, Serializer};

word_enum! {
    /// The number that orders a leaderboard, highest first.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum LeaderboardOrder {
        /// The displayed rating.
        Rating = "rating",
        /// mu − k·sigma.
        Conservative = "conservative",
        /// The rating.
        Mu = "mu",
        /// The highest mu.
        Peak = "peak",
        /// The uncertainty.
        Sigma = "sigma",
        /// The number of rated contests.
        Contests = "contests",
        /// The change by the last contest; newcomers come last.
        Change = "change",
        /// The change since a time; those without a rating then come last.
        Since = "since",
        /// The end of the last contest.
        Last = "last",
    }
}

impl LeaderboardOrder {
    /// True if the number is a rating, which gives the places.
    #[must_use]
    pub const fn is_rating(self) -> bool {
        matches!(self, Self::Rating | Self::Conservative | Self::Mu | Self::Peak)
    }
}

impl Serialize for LeaderboardOrder {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// The key of a competitor in the order of places.
#[derive(Clone, Copy)]
pub(super) struct PlaceKey {
    /// True if the rating is provisional and listed after the established ones.
    pub(super) is_last: bool,
    /// The rating that gives the place, highest first.
    pub(super) rating: f64,
}

impl PlaceKey {
    /// Returns the order of two places; equal ones are shared.
    pub(super) fn compare(&self, other: &Self) -> Ordering {
        let by_rating = other.rating.partial_cmp(&self.rating);
        // Not a total order: −0 and 0 share a place, as in the database.
        let by_last = self.is_last.cmp(&other.is_last);
        by_last.then(by_rating.unwrap_or(Ordering::Equal))
    }
}
