//! What a contest file says beside its contest: how far the result has come, whether it is rated,
//! and what is known of competitors.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::contest::{Contest, EntrantKind, StartingRating};
use crate::reading::Reading;

/// How far a result has come. Read by serde as the word for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ResultState {
    /// The contest is over; the result may still change.
    Provisional,
    /// The result stands.
    #[default]
    Final,
    /// The contest is over, and is never to be rated.
    Unrated,
}

impl ResultState {
    /// The word for it in contest files.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Provisional => "provisional",
            Self::Final => "final",
            Self::Unrated => "unrated",
        }
    }
}

/// What a contest file says beside the contest.
#[derive(Clone, Debug, PartialEq)]
pub struct Beside {
    /// How far the result has come.
    pub state: ResultState,
    /// Whether systems may rate it.
    pub rated: bool,
    /// Competitors of whom something is known beside their results, nobody twice. They need not
    /// stand in the contest.
    pub competitors: Vec<Known>,
}

impl Default for Beside {
    /// The result is final and rated, and nothing is known of anybody.
    fn default() -> Self {
        Self {
            state: ResultState::default(),
            rated: true,
            competitors: Vec::new(),
        }
    }
}

/// What is known of a competitor beside results.
#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    /// Person, team or couple.
    pub kind: EntrantKind,
    /// What identifies it within its source, for its kind; not empty.
    pub competitor: String,
    /// What it is called; not empty.
    pub name: Option<String>,
    /// What it brings along: mu from -10,000 to 10,000, sigma from 1 to 10,000.
    pub start: Option<StartingRating>,
    /// As whose its results count: somebody else of the same kind.
    pub merged_into: Option<String>,
}

impl Reading {
    /// How far the result of a contest of this reading has come, and whether it is rated.
    #[must_use]
    pub fn state_of(&self, contest: &Contest) -> (ResultState, bool) {
        let said = self.states.get(&contest.external_id);
        said.copied().unwrap_or((ResultState::Final, true))
    }
}

/// Takes over what is said beside contests. Of several that tell of one competitor the last is
/// believed.
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

/// The last that was said of each competitor, in the order in which they were first told of.
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
