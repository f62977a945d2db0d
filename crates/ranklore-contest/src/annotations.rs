//! Annotations of a contest file: the state of the result, whether it is rated, and facts about
//! competitors.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::contest::{Contest, EntrantKind, StartingRating};
use crate::reading::FileReading;
use crate::word_enum;

word_enum! {
    /// The state of a result. Serde reads and writes it as one lower-case word.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
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

impl FileReading {
    /// Returns the state of a contest's result, and true if it is rated.
    #[must_use]
    pub fn state_of(&self, contest: &Contest) -> (ResultState, bool) {
        let said = self.states.get(&contest.external_id);
        said.copied().unwrap_or((ResultState::Final, true))
    }
}

/// Collects annotations of contests. The last annotation of a competitor wins.
#[derive(Default)]
pub(crate) struct AnnotationCollector {
    names: LatestValues<String>,
    starts: LatestValues<StartingRating>,
    merges: LatestValues<String>,
}

impl AnnotationCollector {
    pub(crate) fn add(&mut self, beside: Annotations) {
        for known in beside.competitors {
            let who = (known.kind, known.competitor);
            self.names.insert(&who, known.name);
            self.starts.insert(&who, known.start);
            self.merges.insert(&who, known.merged_into);
        }
    }

    pub(crate) fn finish(self, reading: &mut FileReading) {
        reading.names = self.names.values;
        reading.starting_ratings.extend(self.starts.values);
        reading.merges = self.merges.values;
    }
}

/// The last value of each competitor, in order of first appearance.
struct LatestValues<T> {
    values: Vec<(EntrantKind, String, T)>,
    index: HashMap<(EntrantKind, String), usize>,
}

impl<T> Default for LatestValues<T> {
    fn default() -> Self {
        Self {
            values: Vec::new(),
            index: HashMap::new(),
        }
    }
}

impl<T> LatestValues<T> {
    fn insert(&mut self, who: &(EntrantKind, String), said: Option<T>) {
        let Some(said) = said else {
            return;
        };
        if let Some(&index) = self.index.get(who) {
            self.values[index].2 = said;
        } else {
            self.index.insert(who.clone(), self.values.len());
            self.values.push((who.0, who.1.clone(), said));
        }
    }
}
