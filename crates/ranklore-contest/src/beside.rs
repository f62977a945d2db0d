//! Annotations of a contest file: the state of the result, whether it is rated, and facts about
//! competitors.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::contest::{Contest, EntrantKind, StartingRating};
use crate::reading::Reading;

/// The state of a result. Serde reads and writes it as one lower-case word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ResultState {
    /// The contest is over and the result may still change.
    Provisional,
    /// The result is final.
    #[default]
    Final,
    /// The contest is over and is never rated.
    Unrated,
}

impl ResultState {
    /// Returns the word used in contest files.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Provisional => "provisional",
            Self::Final => "final",
            Self::Unrated => "unrated",
        }
    }
}

/// The parts of a contest file that are not part of the contest itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Beside {
    /// The state of the result.
    pub state: ResultState,
    /// True if rating systems may rate it.
    pub rated: bool,
    /// Facts about competitors, each competitor once. They need not be entrants of the contest.
    pub competitors: Vec<Known>,
}

impl Default for Beside {
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
pub struct Known {
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

impl Reading {
    /// Returns the state of a contest's result, and true if it is rated.
    #[must_use]
    pub fn state_of(&self, contest: &Contest) -> (ResultState, bool) {
        let said = self.states.get(&contest.external_id);
        said.copied().unwrap_or((ResultState::Final, true))
    }
}

/// Collects annotations of contests. The last annotation of a competitor wins.
#[derive(Default)]
pub(crate) struct Learned {
    names: Latest<String>,
    starts: Latest<StartingRating>,
    merges: Latest<String>,
}

impl Learned {
    pub(crate) fn add(&mut self, beside: Beside) {
        for known in beside.competitors {
            let who = (known.kind, known.competitor);
            self.names.put(&who, known.name);
            self.starts.put(&who, known.start);
            self.merges.put(&who, known.merged_into);
        }
    }

    pub(crate) fn finish(self, reading: &mut Reading) {
        reading.names = self.names.found;
        reading.starting_ratings.extend(self.starts.found);
        reading.merges = self.merges.found;
    }
}

/// The last value of each competitor, in order of first appearance.
struct Latest<T> {
    found: Vec<(EntrantKind, String, T)>,
    known: HashMap<(EntrantKind, String), usize>,
}

impl<T> Default for Latest<T> {
    fn default() -> Self {
        Self {
            found: Vec::new(),
            known: HashMap::new(),
        }
    }
}

impl<T> Latest<T> {
    fn put(&mut self, who: &(EntrantKind, String), said: Option<T>) {
        let Some(said) = said else {
            return;
        };
        if let Some(&index) = self.known.get(who) {
            self.found[index].2 = said;
        } else {
            self.known.insert(who.clone(), self.found.len());
            self.found.push((who.0, who.1.clone(), said));
        }
    }
}
