//! The result of reading a document: contests, refused entries and the recognised layout.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::hash::{BuildHasher as _, RandomState};

use serde::{Deserialize, Serialize};

use crate::annotations::AnnotationCollector;
use crate::options::StatedCells;
use crate::packed_contests::PackedContests;
use ranklore_contest::{
    Annotations, Contest, ContestTime, EntrantKind, OfficialRating, Quoted, ResultState,
    StartingRating, shorten, word_enum,
};
use ranklore_grid::{CommandOptions, Location, Reason};

/// The number of refused entries of a document that are listed; further ones are only counted.
const MAX_REFUSALS: usize = 1_000;

/// An entry of a document that was refused, while the rest of the document was read.
///
/// Displayed as `line 12: contest "Round 3": …`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedEntry {
    /// The location of the entry.
    pub at: Location,
    /// The name of the refused contest. `None` if only this entry was left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contest: Option<String>,
    /// The reason and the fix: a lower-case fragment.
    pub why: String,
    /// The options that may settle it, one of them at a time.
    #[serde(skip)]
    pub options: Vec<CommandOptions>,
}

impl RefusedEntry {
    /// Returns the refusal of an entry, or of the contest of this name.
    pub(crate) fn new(at: Location, contest: Option<String>, reason: impl Into<Reason>) -> Self {
        let Reason { text, options } = reason.into();
        Self {
            at,
            contest,
            why: text,
            options,
        }
    }
}

impl fmt::Display for RefusedEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.at != Location::Whole {
            write!(f, "{}: ", self.at)?;
        }
        if let Some(contest) = &self.contest {
            write!(f, "contest {}: ", Quoted(contest))?;
        }
        f.write_str(&self.why)
    }
}

word_enum! {
    /// The arrangement of results in a table.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum TableShape {
        /// A row for each result.
        Long = "long",
        /// A row for each player, one column for each contest.
        Wide = "wide",
        /// A row for each game of two.
        Games = "games",
    }
}

/// A column of a table, with its recognised meaning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RecognisedColumn {
    /// The column letters, as in spreadsheets: `A`, `B`, … `AA`.
    pub letters: String,
    /// The heading, verbatim.
    pub heading: String,
    /// The meaning that the heading proposes, and how exactly it matches: `score (vague)`; `None` if
    /// the heading is not known.
    pub proposal: Option<String>,
    /// The finding in the cells or in other columns that changed the meaning, in words.
    pub evidence: Option<String>,
    /// The meaning, such as `contest`, `place`, `round`; `None` if the column is ignored.
    pub meaning: Option<&'static str>,
}

/// The layout of a table, as it was recognised.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TableLayout {
    /// The arrangement: one row per result, per player or per game.
    pub shape: TableShape,
    /// The line of the headings; the first line is 1. `None` if the headings are names of fields, or
    /// letters.
    pub header_line: Option<u64>,
    /// The columns with a heading, from left to right.
    pub columns: Vec<RecognisedColumn>,
    /// Decisions, renumbered places and omissions: lower-case fragments for the user.
    pub notes: Vec<String>,
    /// The meaning of the cells of a table with one row per player.
    #[serde(skip)]
    pub cells: Option<StatedCells>,
    /// True if these cells are scores of which the lowest is the best.
    #[serde(skip)]
    pub lower_is_better: bool,
    /// True if the rows of each contest stand in the order of its result, the best first; unknown, and
    /// false, in tables with one row per player or per game.
    #[serde(skip)]
    pub best_first: bool,
}

/// A name of a competitor whom an id identifies, in contests of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DatedName {
    /// The kind of the competitor.
    pub kind: EntrantKind,
    /// The identifier.
    pub competitor: String,
    /// The name, as published.
    pub name: String,
    /// The time of the first contest with this name.
    pub first_seen_at: ContestTime,
    /// The time of the last one.
    pub last_seen_at: ContestTime,
}

/// The contests and other data that were read from a document.
///
/// Its JSON is stored in the archive and is stable: a document that names a forgotten person is
/// archived as its reading. The JSON does not include the layout.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct FileReading {
    /// The contests, in document order. Each passes [`Contest::validate`], and no two have the same
    /// `external_id`.
    pub contests: PackedContests,
    /// The states of results that are not both final and rated, by the external id of the contest
    /// ([`FileReading::state_of`]).
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub states: BTreeMap<String, (ResultState, bool)>,
    /// The first 1,000 refused entries, in document order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<RefusedEntry>,
    /// The number of further refused entries.
    #[serde(skip_serializing_if = "is_zero")]
    pub omitted_refusals: u64,
    /// Starting ratings with the kind and identifier of the competitor, in document order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub starting_ratings: Vec<(EntrantKind, String, StartingRating)>,
    /// Published ratings of people, by the external id of the contest.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub official: BTreeMap<String, Vec<OfficialRating>>,
    /// Display names, with the kind and identifier of the competitor; each competitor once.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<(EntrantKind, String, String)>,
    /// Names of competitors whom the ids of a table identify, in order of their identifiers and
    /// last contests.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dated_names: Vec<DatedName>,
    /// Merges: the kind of both competitors, the identifier of the merged one, and the identifier
    /// of the one it counts as. Each merged competitor occurs once.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub merges: Vec<(EntrantKind, String, String)>,
    /// The recognised layout of a table; `None` for JSON.
    #[serde(skip)]
    pub layout: Option<TableLayout>,
    /// The layouts of the other sheets of a workbook of which all are read.
    #[serde(skip)]
    pub other_layouts: Vec<TableLayout>,
    /// Warnings about a document that is not a table: lower-case fragments.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// Contests as one format read them, before they are validated.
#[derive(Default)]
pub(crate) struct Candidates {
    /// The contests in document order.
    pub(crate) contests: PackedContests,
    /// The reasons why contests are invalid, by their index.
    pub(crate) invalid: BTreeMap<usize, String>,
    /// Their locations.
    pub(crate) locations: Vec<Location>,
    /// Annotations by the index of the contest, if there are any.
    pub(crate) annotations: BTreeMap<usize, Annotations>,
    pub(crate) refused: RefusedEntries,
    pub(crate) starting_ratings: Vec<(EntrantKind, String, StartingRating)>,
    pub(crate) official: BTreeMap<String, Vec<OfficialRating>>,
    pub(crate) dated_names: Vec<DatedName>,
    pub(crate) layout: Option<TableLayout>,
    /// The layouts of the other sheets of a workbook.
    pub(crate) other_layouts: Vec<TableLayout>,
    /// The number of contests in a row that are dated from the start that the user states.
    pub(crate) numbered: usize,
    pub(crate) warnings: Vec<String>,
    /// True if the rows of each contest stand in the order of its result, the best first.
    pub(crate) best_first: bool,
}

/// A value, or the place and the reason why it is refused.
pub(crate) type LocatedResult<T> = Result<T, (Location, String)>;

/// Refused entries up to a limit: a document can hold millions of invalid entries.
#[derive(Default)]
pub(crate) struct RefusedEntries {
    entries: Vec<RefusedEntry>,
    omitted: u64,
}

impl RefusedEntries {
    pub(crate) fn push(&mut self, mut refusal: RefusedEntry) {
        if self.is_full() {
            self.omitted += 1;
        } else {
            let contest = refusal.contest.as_deref();
            refusal.contest = contest.map(|name| shorten(name).into_owned());
            self.entries.push(refusal);
        }
    }

    /// True if further entries are only counted.
    pub(crate) fn is_full(&self) -> bool {
        self.entries.len() >= MAX_REFUSALS
    }

    pub(crate) fn append(&mut self, later: Self) {
        for refusal in later.entries {
            self.push(refusal);
        }
        self.omitted += later.omitted;
    }

    /// Replaces the locations of the entries.
    pub(crate) fn relocate(&mut self, relocate: impl Fn(Location) -> Location) {
        for refusal in &mut self.entries {
            let at = std::mem::replace(&mut refusal.at, Location::Whole);
            refusal.at = relocate(at);
        }
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes fields by reference"
)]
const fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl FileReading {
    /// Returns the state of a contest's result, and true if it is rated.
    #[must_use]
    pub fn state_of(&self, external_id: &str) -> (ResultState, bool) {
        let state = self.states.get(external_id);
        state.copied().unwrap_or((ResultState::Final, true))
    }
}

impl Candidates {
    /// Begins with refused entries, and the number of contests that a start numbers.
    pub(crate) fn new(refused: RefusedEntries, numbered: usize) -> Self {
        Self {
            refused,
            numbered,
            ..Self::default()
        }
    }

    /// Adds a refused entry, with the name of the contest if one is refused.
    pub(crate) fn refuse(
        &mut self,
        contest: Option<String>,
        (at, reason): (Location, impl Into<Reason>),
    ) {
        self.refused.push(RefusedEntry::new(at, contest, reason));
    }

    pub(crate) fn add_contest(&mut self, at: Location, contest: &Contest) {
        let checked = contest.check_name_lengths();
        if let Err(reason) = checked.and_then(|()| contest.validate()) {
            self.invalid.insert(self.contests.len(), reason.to_string());
        }
        self.contests.push(contest);
        self.locations.push(at);
    }

    /// Appends the contests of another part of the document; `relocate` returns their locations in
    /// the document.
    pub(crate) fn append_contests(
        &mut self,
        part: &mut Self,
        relocate: impl Fn(Location) -> Location,
    ) {
        let before = self.contests.len();
        self.contests.append(&part.contests);
        let invalid = std::mem::take(&mut part.invalid).into_iter();
        self.invalid.extend(invalid.map(|(index, reason)| (before + index, reason)));
        self.locations.extend(part.locations.drain(..).map(relocate));
    }

    /// Adds the contests with the id of an earlier valid contest to the invalid ones.
    fn find_repeated_ids(&mut self) {
        // Sorted hashes take a third of the memory of a map with a million ids.
        let hasher = RandomState::new();
        let ids = self.contests.external_ids().enumerate();
        let mut hashed_ids: Vec<(u64, usize)> = ids
            .filter(|(index, _)| !self.invalid.contains_key(index))
            .map(|(index, id)| (hasher.hash_one(id), index))
            .collect();
        hashed_ids.sort_unstable();
        for same_hash in hashed_ids.chunk_by(|a, b| a.0 == b.0).filter(|c| c.len() > 1) {
            let mut first_by_id: HashMap<&str, usize> = HashMap::new();
            for &(_, index) in same_hash {
                let id = self.contests.external_id(index);
                let first = *first_by_id.entry(id).or_insert(index);
                if first != index {
                    let reason = format!(
                        "{} is already the id of an earlier contest ({}); give each contest its own id",
                        Quoted(id),
                        self.locations[first]
                    );
                    self.invalid.insert(index, reason);
                }
            }
        }
    }

    pub(crate) fn into_reading(mut self) -> FileReading {
        self.find_repeated_ids();
        let mut refused = self.refused;
        let mut reading = FileReading {
            starting_ratings: self.starting_ratings,
            official: self.official,
            dated_names: self.dated_names,
            layout: self.layout,
            other_layouts: self.other_layouts,
            warnings: self.warnings,
            ..FileReading::default()
        };
        for (&index, reason) in &self.invalid {
            let name = self.contests.get(index).map(|contest| contest.name);
            let contest = name.map(|name| shorten(&name).into_owned());
            let at = std::mem::replace(&mut self.locations[index], Location::Whole);
            refused.push(RefusedEntry::new(at, contest, reason.clone()));
        }
        let mut collected = AnnotationCollector::default();
        for (index, annotations) in self.annotations {
            if self.invalid.contains_key(&index) {
                continue;
            }
            let state = (annotations.state, annotations.rated);
            if state != (ResultState::Final, true) {
                let id = self.contests.external_id(index).to_owned();
                reading.states.insert(id, state);
            }
            collected.add(annotations);
        }
        if !self.invalid.is_empty() {
            let invalid = &self.invalid;
            self.contests.retain(|index, _| !invalid.contains_key(&index));
        }
        reading.contests = self.contests;
        reading.names = collected.names.values;
        reading.starting_ratings.extend(collected.starts.values);
        reading.merges = collected.merges.values;
        reading.omitted_refusals = refused.omitted;
        reading.refused = refused.entries;
        reading
    }
}
