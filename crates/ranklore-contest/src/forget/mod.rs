//! Forgetting persons: in a reading, and in the document it was read from.
//!
//! A document is changed where the names stand, and then read again: what it reads as must be
//! what it read as before, with the names replaced. For each name blanking goes as far as this
//! holds: wherever it stands, else where nothing else is called so ([`Reach`]).
//!
//! Imports the vocabulary and all formats beside this folder, since it reads what it changed.

mod edit;
mod json;
mod markup;
mod places;
mod strings;
pub(crate) mod table;

use std::cell::RefCell;
use std::collections::BTreeMap;

pub(crate) use edit::Edit;
pub(crate) use json::blank_between_quotes;
pub use json::redact_members;

use crate::contest::EntrantKind;
use crate::options::{Format, ReadOptions};
use crate::read;
use crate::reading::is_too_long;
use crate::reading::{ReadError, Reading};

/// What a name is replaced by, if it is to be forgotten.
pub(crate) type Blank<'b> = &'b dyn Fn(&str) -> Option<String>;

/// What a workbook begins with.
const ZIP: &[u8] = b"PK\x03\x04";

/// How far blanking goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Wherever a name stands.
    Everything,
    /// But not where the reader takes it for something else, as for the name of a contest.
    Unclaimed,
}

/// A document in which persons are blanked, and how it is to be read from now on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redacted {
    /// The document.
    pub bytes: Vec<u8>,
    /// Its format: what was a workbook is a text table now.
    pub format: Format,
    /// The options to read it with.
    pub options: ReadOptions,
}

/// Why persons cannot be blanked in a document.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct CannotRedact {
    /// Whether it is known to mention somebody who is to be forgotten; else nobody can tell.
    pub mentions: bool,
    /// What is in the way, without any name: a lower-case fragment that reads on after "error:".
    pub why: String,
}

impl Reading {
    /// What identifies persons in contests, starting ratings, names and merges: entrants that are
    /// persons, all members, and persons of whom something is said beside the results.
    pub fn persons(&self) -> impl Iterator<Item = &str> {
        let entrants = self.contests.iter().flat_map(|c| &c.entrants);
        let in_contests = entrants.flat_map(|entrant| {
            let person = entrant.kind == EntrantKind::Person;
            let competitor = person.then_some(&entrant.competitor);
            competitor.into_iter().chain(&entrant.members)
        });
        let rated = self.starting_ratings.iter();
        let rated = rated.map(|(kind, competitor, _)| (kind, competitor));
        let named = self.names.iter();
        let named = named.map(|(kind, competitor, _)| (kind, competitor));
        let merged = self.merges.iter();
        let merged = merged.flat_map(|(kind, from, into)| [(kind, from), (kind, into)]);
        let beside = rated.chain(named).chain(merged);
        let beside = beside.filter(|(kind, _)| **kind == EntrantKind::Person);
        let beside = beside.map(|(_, competitor)| competitor);
        in_contests.chain(beside).map(String::as_str)
    }

    /// Replaces persons ([`Reading::persons`]). `blank` says for each what to replace it by, or
    /// nothing. What such a person is called becomes the same; what others are called is replaced
    /// by what `blank` says of it. Returns whether any was replaced.
    ///
    /// Refusals and the layout stay as they are: they tell of the document.
    pub fn forget(&mut self, blank: &dyn Fn(&str) -> Option<String>) -> bool {
        let mut any = false;
        let mut put = |name: &mut String| {
            let Some(by) = blank(name) else {
                return false;
            };
            *name = by;
            any = true;
            true
        };
        for entrant in self.contests.iter_mut().flat_map(|c| &mut c.entrants) {
            if entrant.kind == EntrantKind::Person {
                put(&mut entrant.competitor);
            }
            for member in &mut entrant.members {
                put(member);
            }
        }
        for (kind, competitor, _) in &mut self.starting_ratings {
            if *kind == EntrantKind::Person {
                put(competitor);
            }
        }
        for (kind, competitor, name) in &mut self.names {
            // A team is called what it is called, even if a person is called the same.
            let own = name == competitor;
            if *kind == EntrantKind::Person && put(competitor) {
                name.clone_from(competitor);
            } else if !own {
                put(name);
            }
        }
        for (kind, from, into) in &mut self.merges {
            if *kind == EntrantKind::Person {
                put(from);
                put(into);
            }
        }
        any
    }
}

/// Blanks persons in a document. `blank` is asked for every name that may stand in it, in
/// parts that were refused as well, and says what to replace it by, or nothing; it must give
/// different names different blanks of letters, digits and `-` that stand nowhere yet.
/// Nothing is returned if there is nobody to blank.
///
/// Reading what comes of it gives what reading the document gave, after [`Reading::forget`].
/// JSON and text tables are changed where the names stand, and all else stays byte for byte. A
/// workbook becomes a text table of the sheet that is read; the rest of it is dropped. What a
/// contest or a team is called stays, even if a person is called the same. What a contest file
/// calls a person beside what identifies it goes with the person.
///
/// Only whole strings and cells count as names: those within a longer text stay.
///
/// # Errors
/// [`CannotRedact`] where no way of blanking would leave all else to be read as before, and
/// where a document cannot be seen through, such as a broken archive.
pub fn redact(
    format: Format,
    bytes: &[u8],
    file_name: &str,
    options: &ReadOptions,
    blank: &dyn Fn(&str) -> Option<String>,
) -> Result<Option<Redacted>, CannotRedact> {
    let mut reading = read(format, bytes, file_name, options);
    redact_read(format, bytes, file_name, options, &mut reading, blank)
}

/// As [`redact`], for a document that was read already: `reading` is what came of it. It
/// forgets the persons as well ([`Reading::forget`]), whatever becomes of the document.
///
/// # Errors
/// As [`redact`].
pub fn redact_read(
    format: Format,
    bytes: &[u8],
    file_name: &str,
    options: &ReadOptions,
    reading: &mut Result<Reading, ReadError>,
    blank: &dyn Fn(&str) -> Option<String>,
) -> Result<Option<Redacted>, CannotRedact> {
    let known = RefCell::new(BTreeMap::new());
    let blank = |name: &str| {
        let by = blank(name)?;
        let mut known = known.borrow_mut();
        if !known.contains_key(name) {
            known.insert(name.to_owned(), by.clone());
        }
        Some(by)
    };
    let in_place = |bytes| Redacted {
        bytes,
        format,
        options: options.clone(),
    };
    let as_text = |bytes| Redacted {
        bytes,
        format: Format::Table,
        options: ReadOptions {
            sheet: None,
            ..options.clone()
        },
    };
    let read_again = |it: &Redacted| read(it.format, &it.bytes, file_name, &it.options);

    let Ok(expected) = reading else {
        let redacted = if bytes.starts_with(ZIP) {
            unread_workbook(bytes, options, &blank)?.map(as_text)
        } else {
            table::redact_scraps(bytes, &blank)?.map(in_place)
        };
        return match redacted {
            Some(redacted) if read_again(&redacted).is_ok() => Err(reads_otherwise()),
            redacted => Ok(redacted),
        };
    };
    let anybody_read = expected.forget(&blank);
    if format == Format::Xlsx && !markup::mentions(bytes, &blank)? {
        // A cell may be made of more than one text.
        let cells = table::redact_workbook(bytes, options, None, Reach::Everything, &blank);
        if cells.is_none_or(|cells| !cells.blanked) {
            return Ok(None);
        }
    }
    for reach in [Reach::Everything, Reach::Unclaimed] {
        let redacted = match (format, &expected.layout) {
            (Format::Xlsx, layout) => {
                table::redact_workbook(bytes, options, layout.as_ref(), reach, &blank)
                    .map(|table| as_text(table.csv))
            }
            (Format::Table, Some(layout)) => {
                table::redact_text(bytes, layout, reach, &blank).map(in_place)
            }
            _ => json::blank_strings(bytes, reach, &blank).map(in_place),
        };
        if let Some(redacted) = redacted {
            let same_lines = redacted.format == format;
            let again = read_again(&redacted);
            if again.is_ok_and(|again| reads_alike(expected, &again, same_lines, &blank)) {
                return Ok(Some(redacted));
            }
        }
        if known.borrow().len() > 1 {
            // What stands in the way for one name does not for the others.
            return one_by_one(format, bytes, file_name, options, known.take());
        }
    }
    // What stands there may be no person, as the label of a row of sums. But a workbook has
    // other places, and is known to mention somebody.
    if anybody_read || format == Format::Xlsx {
        Err(reads_otherwise())
    } else {
        Ok(None)
    }
}

/// Blanks one name after the other.
fn one_by_one(
    format: Format,
    bytes: &[u8],
    file_name: &str,
    options: &ReadOptions,
    blanks: BTreeMap<String, String>,
) -> Result<Option<Redacted>, CannotRedact> {
    let mut redacted: Option<Redacted> = None;
    for (name, by) in blanks {
        let (format, bytes, options) = match &redacted {
            Some(it) => (it.format, &it.bytes[..], &it.options),
            None => (format, bytes, options),
        };
        let blank = |asked: &str| (asked == name).then(|| by.clone());
        redacted = redact(format, bytes, file_name, options, &blank)?.or(redacted);
    }
    Ok(redacted)
}

/// A workbook that nothing is read from; it may have a sheet without a table.
fn unread_workbook(
    bytes: &[u8],
    options: &ReadOptions,
    blank: Blank<'_>,
) -> Result<Option<Vec<u8>>, CannotRedact> {
    let mentions = markup::mentions(bytes, blank)?;
    match table::redact_workbook(bytes, options, None, Reach::Everything, blank) {
        Some(table) if mentions || table.blanked => Ok(Some(table.csv)),
        None if mentions => Err(CannotRedact {
            mentions,
            why: "nothing can be read from this workbook, and it mentions somebody".to_owned(),
        }),
        _ => Ok(None),
    }
}

fn reads_otherwise() -> CannotRedact {
    CannotRedact {
        mentions: true,
        why: "with the names replaced, the document would read otherwise".to_owned(),
    }
}

/// Whether two readings say the same; refusals may differ in their words.
fn reads_alike(expected: &Reading, again: &Reading, same_lines: bool, blank: Blank<'_>) -> bool {
    let refusals = expected.refused.iter().zip(&again.refused);
    expected.contests == again.contests
        && expected.states == again.states
        && expected.starting_ratings == again.starting_ratings
        && expected.names == again.names
        && expected.merges == again.merges
        && expected.refused.len() == again.refused.len()
        && refusals.into_iter().all(|(before, after)| {
            let called = before.contest.as_deref();
            (before.at == after.at || !same_lines)
                && (called == after.contest.as_deref()
                    || called.and_then(blank).as_deref() == after.contest.as_deref())
        })
}

/// Asks for a text that may be a name. Longer names are refused, so nobody bears them.
pub(crate) fn ask(blank: Blank<'_>, name: &str) -> Option<String> {
    if name.is_empty() || is_too_long(name) {
        return None;
    }
    blank(name)
}
