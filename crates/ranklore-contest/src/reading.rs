//! What comes of reading a document: contests, what was refused, how it was understood.

use std::collections::HashMap;
use std::fmt;

use crate::{Contest, Format, ReadOptions, StartingRating, json, table};

/// Longer documents are refused unread: 256 MiB. What a workbook unpacks to has the same bound.
pub const MAX_DOCUMENT_BYTES: usize = 256 << 20;

/// Longer names of contests and competitors are refused: 1,000 characters.
pub const MAX_NAME_CHARS: usize = 1_000;

/// Where in a document something stands.
#[derive(Clone, Debug, PartialEq, Eq)]
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Where it stands.
    pub at: At,
    /// The name of the contest refused; without one, only this place was left out.
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
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its letters, as spreadsheets count: `A`, `B`, … `AA`.
    pub letters: String,
    /// The heading, verbatim.
    pub heading: String,
    /// What it means, such as `contest`, `place`, `round`; nothing for a column left unread.
    pub meaning: Option<&'static str>,
}

/// How a table was understood.
#[derive(Clone, Debug, PartialEq, Eq)]
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
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// The contests, in the order of the document. Each passes [`Contest::validate`], and no
    /// two have the same `external_id`.
    pub contests: Vec<Contest>,
    /// What was not taken, in the order of the document.
    pub refused: Vec<Refusal>,
    /// The ratings that competitors bring along, in the order of the document.
    pub starting_ratings: Vec<(String, StartingRating)>,
    /// How a table was understood; nothing for JSON.
    pub layout: Option<Layout>,
}

/// Reads a document. `file_name` (a path will do) names the contest of a table that names none.
///
/// Pure: the same bytes, name and options always read the same.
///
/// # Errors
/// [`ReadError`] when nothing at all can be read: the document is too long, is not JSON, text
/// or a workbook, has no columns known here, or leaves open what only the options can say.
/// Contests and rows that cannot be taken are no error: they are in [`Reading::refused`].
pub fn read(
    format: Format,
    bytes: &[u8],
    file_name: &str,
    options: &ReadOptions,
) -> Result<Reading, ReadError> {
    if bytes.len() > MAX_DOCUMENT_BYTES {
        return Err(ReadError::whole(format!(
            "the document has {} bytes, more than the {MAX_DOCUMENT_BYTES} that are read; split it",
            bytes.len()
        )));
    }
    let candidates = match format {
        Format::Json => json::read(bytes)?,
        Format::Table => table::read_text(bytes, file_name, options)?,
        Format::Xlsx => table::read_workbook(bytes, file_name, options)?,
    };
    Ok(candidates.admit())
}

/// What a format found, before the contests are held against the rules of all contests.
#[derive(Default)]
pub(crate) struct Candidates {
    /// The contests in the order of the document, with where they begin.
    pub(crate) contests: Vec<(At, Contest)>,
    pub(crate) refused: Vec<Refusal>,
    pub(crate) starting_ratings: Vec<(String, StartingRating)>,
    pub(crate) layout: Option<Layout>,
}

impl Candidates {
    fn admit(self) -> Reading {
        let mut reading = Reading {
            contests: Vec::with_capacity(self.contests.len()),
            refused: self.refused,
            starting_ratings: self.starting_ratings,
            layout: self.layout,
        };
        let mut known: HashMap<String, At> = HashMap::new();
        for (at, contest) in self.contests {
            let refusal = |why| Refusal {
                at: at.clone(),
                contest: Some(contest.name.clone()),
                why,
            };
            if let Err(invalid) = check_lengths(&contest).and_then(|()| contest.validate()) {
                reading.refused.push(refusal(invalid.to_string()));
            } else if let Some(first) = known.get(&contest.external_id) {
                reading.refused.push(refusal(format!(
                    "{:?} identifies an earlier contest already ({first}); give them ids of their own",
                    contest.external_id
                )));
            } else {
                known.insert(contest.external_id.clone(), at);
                reading.contests.push(contest);
            }
        }
        reading
    }
}

/// Holds names against [`MAX_NAME_CHARS`].
fn check_lengths(contest: &Contest) -> Result<(), crate::Invalid> {
    if is_too_long(&contest.name) {
        return Err(too_long("the name of the contest", &contest.name));
    }
    for (index, entrant) in contest.entrants.iter().enumerate() {
        for name in std::iter::once(&entrant.competitor).chain(&entrant.members) {
            if is_too_long(name) {
                return Err(too_long(&format!("the name in row {}", index + 1), name));
            }
        }
    }
    Ok(())
}

pub(crate) fn is_too_long(name: &str) -> bool {
    name.len() > MAX_NAME_CHARS && name.chars().count() > MAX_NAME_CHARS
}

fn too_long(what: &str, name: &str) -> crate::Invalid {
    let start: String = name.chars().take(20).collect();
    crate::Invalid::new(format!(
        "{what} has {} characters, more than {MAX_NAME_CHARS}: {start:?}…",
        name.chars().count()
    ))
}
