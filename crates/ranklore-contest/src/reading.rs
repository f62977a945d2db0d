//! What comes of reading a document: contests, what was refused, how it was understood.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::beside::{Beside, Learned, ResultState};
use crate::contest::{Contest, EntrantKind, StartingRating};

/// Longer documents are refused unread: 256 MiB. What a workbook unpacks to has the same bound.
pub const MAX_DOCUMENT_BYTES: usize = 256 << 20;

/// Longer names of contests and competitors are refused: 1,000 characters.
pub const MAX_NAME_CHARS: usize = 1_000;

/// So many refusals of one document are told; of more only the number is.
const MAX_REFUSALS: usize = 1_000;

/// Where in a document something stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum At {
    /// A line of a text file or a row of a sheet; the first is 1.
    Line(u64),
    /// A path into a JSON document, such as `standings[3]`.
    JsonPath(String),
    /// A cell of a sheet, such as `Sheet1!C7`.
    Cell(String),
    /// The document as a whole.
    Whole,
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::JsonPath(path) | Self::Cell(path) => f.write_str(path),
            Self::Whole => f.write_str("the document"),
        }
    }
}

/// Something in a document that was not taken; the rest of the document was.
///
/// Shown as `line 12: contest "Round 3": …`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// Where it stands.
    pub at: At,
    /// The name of the contest refused; without one, only this place was left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contest: Option<String>,
    /// What is wrong and what would be right: a lower-case fragment.
    pub why: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.at != At::Whole {
            write!(f, "{}: ", self.at)?;
        }
        if let Some(contest) = &self.contest {
            write!(f, "contest {contest:?}: ")?;
        }
        f.write_str(&self.why)
    }
}

/// Why nothing at all could be read from a document.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{}{why}", if *.at == At::Whole { String::new() } else { format!("{}: ", .at) })]
pub struct ReadError {
    /// Where reading ended.
    pub at: At,
    /// What is wrong and what to do: a lower-case fragment that reads on after "error:".
    pub why: String,
}

impl ReadError {
    pub(crate) fn new(at: At, why: impl Into<String>) -> Self {
        let why = why.into();
        Self { at, why }
    }

    pub(crate) fn whole(why: impl Into<String>) -> Self {
        Self::new(At::Whole, why)
    }
}

/// How the results are laid out in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// One row for each result.
    Long,
    /// One row for each player, one column for each contest.
    Wide,
}

impl Shape {
    /// The word for it: `long`, `wide`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Long => "long",
            Self::Wide => "wide",
        }
    }
}

/// One column of a table and what it was understood as.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Column {
    /// Its letters, as spreadsheets count: `A`, `B`, … `AA`.
    pub letters: String,
    /// The heading, verbatim.
    pub heading: String,
    /// What it means, such as `contest`, `place`, `round`; nothing for a column left unread.
    pub meaning: Option<&'static str>,
}

/// How a table was understood.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Layout {
    /// One row a result, or one row a player.
    pub shape: Shape,
    /// The line of the headings; the first line is 1.
    pub header_line: u64,
    /// The columns with a heading, from left to right.
    pub columns: Vec<Column>,
    /// What was decided, renumbered or left out: lower-case fragments worth showing.
    pub notes: Vec<String>,
}

/// What a document says.
///
/// Its JSON is a form of the archive, and stable: a document that names a forgotten person is kept
/// as its reading. The layout is no part of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Reading {
    /// The contests, in the order of the document. Each passes [`Contest::validate`], and no
    /// two have the same `external_id`.
    pub contests: Vec<Contest>,
    /// How far results have come and whether they are rated, by the external id of the contest,
    /// where they are not final and rated ([`Reading::state_of`]).
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub states: BTreeMap<String, (ResultState, bool)>,
    /// What was not taken, in the order of the document: the first 1,000, then one refusal
    /// that says how many more there are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<Refusal>,
    /// The ratings that competitors bring along, in the order of the document, with the kind
    /// and the name of who does.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub starting_ratings: Vec<(EntrantKind, String, StartingRating)>,
    /// What competitors are called, with the kind and what identifies them; nobody twice.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<(EntrantKind, String, String)>,
    /// As whose the results of competitors count, with the kind of both and what identifies whose
    /// results they are; nobody twice.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub merges: Vec<(EntrantKind, String, String)>,
    /// How a table was understood; nothing for JSON.
    #[serde(skip)]
    pub layout: Option<Layout>,
    /// Warnings about a document that is not a table: lower-case fragments.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// What a format found, before the contests are held against the rules of all contests.
#[derive(Default)]
pub(crate) struct Candidates {
    /// The contests in the order of the document, with where they begin.
    pub(crate) contests: Vec<(At, Contest)>,
    /// What is said beside them, by index, where anything is.
    pub(crate) beside: BTreeMap<usize, Beside>,
    pub(crate) refused: Refusals,
    pub(crate) starting_ratings: Vec<(EntrantKind, String, StartingRating)>,
    pub(crate) layout: Option<Layout>,
    pub(crate) warnings: Vec<String>,
}

/// What was refused, as far as it is told: a document can hold millions of things that are
/// no contests.
#[derive(Default)]
pub(crate) struct Refusals {
    told: Vec<Refusal>,
    more: usize,
}

impl Refusals {
    pub(crate) fn push(&mut self, refusal: Refusal) {
        if self.is_full() {
            self.more += 1;
        } else {
            self.told.push(refusal);
        }
    }

    /// Whether further refusals are only counted.
    pub(crate) fn is_full(&self) -> bool {
        self.told.len() >= MAX_REFUSALS
    }

    pub(crate) fn append(&mut self, later: Self) {
        later
            .told
            .into_iter()
            .for_each(|refusal| self.push(refusal));
        self.more += later.more;
    }

    fn finish(mut self) -> Vec<Refusal> {
        if self.more > 0 {
            self.told.push(Refusal {
                at: At::Whole,
                contest: None,
                why: format!("and {} more were refused", self.more),
            });
        }
        self.told
    }
}

impl Candidates {
    pub(crate) fn admit(mut self) -> Reading {
        let mut refused = self.refused;
        let mut reading = Reading {
            contests: Vec::with_capacity(self.contests.len()),
            starting_ratings: self.starting_ratings,
            layout: self.layout,
            warnings: self.warnings,
            ..Reading::default()
        };
        let mut learned = Learned::default();
        let mut known: HashMap<String, At> = HashMap::new();
        for (index, (at, contest)) in self.contests.into_iter().enumerate() {
            let refusal = |why| Refusal {
                at: at.clone(),
                contest: Some(contest.name.clone()),
                why,
            };
            if let Err(invalid) = contest.check_lengths().and_then(|()| contest.validate()) {
                refused.push(refusal(invalid.to_string()));
            } else if let Some(first) = known.get(&contest.external_id) {
                refused.push(refusal(format!(
                    "{:?} identifies an earlier contest already ({first}); give them ids of their own",
                    contest.external_id
                )));
            } else {
                known.insert(contest.external_id.clone(), at);
                if let Some(beside) = self.beside.remove(&index) {
                    let state = (beside.state, beside.rated);
                    if state != (ResultState::Final, true) {
                        reading.states.insert(contest.external_id.clone(), state);
                    }
                    learned.add(beside);
                }
                reading.contests.push(contest);
            }
        }
        learned.finish(&mut reading);
        reading.refused = refused.finish();
        reading
    }
}

impl Contest {
    /// Holds names against [`MAX_NAME_CHARS`].
    ///
    /// # Errors
    /// [`Invalid`](crate::Invalid), naming the row and the beginning of the name.
    pub fn check_lengths(&self) -> Result<(), crate::Invalid> {
        if is_too_long(&self.name) {
            return Err(too_long("the name of the contest", &self.name));
        }
        for (index, entrant) in self.entrants.iter().enumerate() {
            for name in std::iter::once(&entrant.competitor).chain(&entrant.members) {
                if is_too_long(name) {
                    return Err(too_long(&format!("the name in row {}", index + 1), name));
                }
            }
        }
        Ok(())
    }
}

pub(crate) fn is_too_long(name: &str) -> bool {
    name.len() > MAX_NAME_CHARS && name.chars().count() > MAX_NAME_CHARS
}

pub(crate) fn too_long(what: &str, name: &str) -> crate::Invalid {
    let start: String = name.chars().take(20).collect();
    crate::Invalid::new(format!(
        "{what} has {} characters, more than {MAX_NAME_CHARS}: {start:?}…",
        name.chars().count()
    ))
}
