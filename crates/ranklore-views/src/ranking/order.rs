//! The orders of a leaderboard, and that of its places.

use std::cmp::Ordering;

use clap::ValueEnum;
use ranklore_contest::word_enum;

word_enum! {
    /// The number that orders a leaderboard, highest first.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
    pub enum LeaderboardOrder {
        /// Displayed rating
        Rating = "rating",
        /// mu − k·sigma
        Conservative = "conservative",
        /// Estimated skill
        Mu = "mu",
        /// Highest mu
        Peak = "peak",
        /// Uncertainty
        Sigma = "sigma",
        /// Rated contests
        Contests = "contests",
        /// Change by the last contest
        Change = "change",
        /// Change since the day of --since
        Since = "since",
        /// End of the last contest
        Last = "last",
    }
}

impl LeaderboardOrder {
    /// True if the number is a rating, which gives the places.
    #[must_use]
    pub const fn is_rating(self) -> bool {
        matches!(self, Self::Rating | Self::Conservative | Self::Mu | Self::Peak)
    }

    /// Returns the key of the column that has the number.
    pub(crate) const fn column(self) -> &'static str {
        match self {
            Self::Peak => "peak_mu",
            Self::Change => "last_change",
            Self::Since => "change_since",
            Self::Last => "last_contest_at",
            other => other.as_str(),
        }
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
