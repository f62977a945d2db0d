//! Annotations of a contest file: the state of the result, whether it is rated, and facts about
//! competitors.

use crate::contest::{EntrantKind, StartingRating};
use crate::word_enum;

word_enum! {
    /// The state of a result.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum ResultState {
        /// The contest is over and the result may still change.
        Provisional = "provisional",
        /// The result is final.
        #[default]
        Final = "final",
        /// The contest is over and is never rated.
        Unrated = "unrated",
    }
}

/// The parts of a contest file that are not part of the contest itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Annotations {
    /// The state of the result.
    pub state: ResultState,
    /// True if rating systems may rate it.
    pub rated: bool,
    /// Facts about competitors, each competitor once. They need not be entrants of the contest.
    pub competitors: Vec<CompetitorFacts>,
}

impl Default for Annotations {
    /// Returns a final, rated result without facts about competitors.
    fn default() -> Self {
        Self {
            state: ResultState::default(),
            rated: true,
            competitors: Vec::new(),
        }
    }
}

/// Facts about a competitor that are not results.
#[derive(Clone, Debug, PartialEq)]
pub struct CompetitorFacts {
    /// Person, team or couple.
    pub kind: EntrantKind,
    /// The identifier within the source, unique for its kind; not empty.
    pub competitor: String,
    /// The display name; not empty.
    pub name: Option<String>,
    /// The starting rating: mu from -10,000 to 10,000, sigma from 1 to 10,000.
    pub start: Option<StartingRating>,
    /// The competitor of the same kind whose results these count as; never itself.
    pub merged_into: Option<String>,
}
