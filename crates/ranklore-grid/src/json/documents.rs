//! Finds the rows of a JSON or JSON Lines document.
//!
//! The rows are the elements of an array of objects, or the lines. The array is the document, or the
//! one within it that has results; fields beside it are columns with the same cell in all rows. If the
//! elements name no competitor and have an array of objects each, those are the rows. Without an array,
//! the rows are the values of an object that are of one kind.

use std::fmt;

use serde::de::{Deserializer, IgnoredAny, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::records::{Level, RecordWriter};
use super::row_lists::{
    FoundList, ObjectFields, choose_list, find_keyed, first_byte, first_element, rest_of_path,
    take_stated,
};
use crate::document::{FileReadError, Location};
use crate::grid::{CellGrid, ElementPaths, Records};
use crate::headings::Headings;
use crate::limits::ReadLimits;
use ranklore_contest::{Quoted, shorten};

const NEITHER: &str = "this is neither a contest file (an object with name, time_seconds and \
                       standings, or an array of them) nor a table (an array of objects, or an \
                       object with one array of objects)";

const JSON_LINES: &str = "this is JSON Lines, an object on each line: pass --format jsonl, or end \
                          the file name with .jsonl";

/// Reads a JSON document as a table. `rows` is the path of the array whose elements are the rows, as
/// the user states it.
///
/// # Errors
/// [`FileReadError`] if the document is not JSON or no table, or exceeds the limits.
pub fn read_json(
    bytes: &[u8],
    rows: Option<&str>,
    headings: &dyn Headings,
    limits: ReadLimits,
) -> Result<CellGrid, FileReadError> {
    let text = decode(bytes)?;
    let (mut writer, list) = find_list(text, rows, headings, limits)?;
    let first = first_element(list.json);
    if list.path.is_empty() && !list.is_keyed && first.and_then(first_byte) != Some(b'{') {
        return Err(no_table_error(text));
    }
    let inner_path = match (rows, first) {
        (Some(rows), _) => rest_of_path(&list.path, rows).map(str::to_owned),
        (None, Some(first)) if !list.is_keyed => {
            find_inner_list(first, &list.path, headings, limits)?
        }
        _ => None,
    };
    let inner_path = inner_path.filter(|path| !path.is_empty());
    writer.rows_are_games = inner_path.is_none() && list.fields(headings).describe_game;
    if let Some(paths) = writer.paths() {
        paths.list = shorten(&list.path).into_owned();
        paths.inner_list = inner_path.as_deref().map(|path| shorten(path).into_owned());
    }
    let inner_path = inner_path.as_deref();
    match inner_path {
        None if list.is_keyed => writer.read_keyed_rows(&list)?,
        None => writer.read_rows(list.json)?,
        Some(path) => {
            let visitor = GroupsVisitor {
                writer: &mut writer,
                path,
            };
            serde_json::Deserializer::from_str(list.json)
                .deserialize_seq(visitor)
                .map_err(|error| writer.take_error(&error))?;
        }
    }
    writer.finish([holder(&list.path), holder(inner_path.unwrap_or(""))])
}

/// Returns the array of the document, which is the document itself or in its object, or an object
/// whose values are rows; and the writer that has read the other fields of the object.
fn find_list<'d, 'o>(
    text: &'d str,
    rows: Option<&str>,
    headings: &'o dyn Headings,
    limits: ReadLimits,
) -> Result<(RecordWriter<'d, 'o>, FoundList<'d>), FileReadError> {
    let records = || Records::Elements(ElementPaths::default());
    let mut writer = RecordWriter::new(records(), headings, limits)?;
    match first_byte(text) {
        Some(b'[') => {
            let list = FoundList {
                path: String::new(),
                json: text,
                is_keyed: false,
            };
            return Ok((writer, list));
        }
        Some(b'{') => {}
        _ => return Err(no_table_error(text)),
    }
    let outer = writer.read_outer(Level::Document, text);
    if outer.is_ok() {
        let list = match rows {
            Some(rows) => take_stated(&mut writer.lists, rows),
            None => choose_list(&mut writer.lists, "", headings)?,
        };
        if let Some(list) = list {
            writer.join_other_lists();
            return Ok((writer, list));
        }
    }
    if let Some(list) = choose_list(&mut find_keyed(text, rows), "", headings)? {
        let mut writer = RecordWriter::new(records(), headings, limits)?;
        if !list.path.is_empty() {
            writer.keyed_rows = Some(list.path.clone());
            writer.read_outer(Level::Document, text)?;
        }
        return Ok((writer, list));
    }
    Err(match (outer, rows) {
        (Err(_), _) if is_json_lines(text) => FileReadError::whole_document(JSON_LINES),
        (Err(error), _) => error,
        (Ok(()), Some(rows)) => FileReadError::whole_document(format!(
            "no array of objects is at {}, as --rows says; use a path such as --rows data.results",
            Quoted(&shorten(rows))
        )),
        (Ok(()), None) => FileReadError::whole_document(NEITHER),
    })
}

/// Returns the error for a text that is no table: that of its syntax, if it is not JSON.
fn no_table_error(text: &str) -> FileReadError {
    match serde_json::from_str::<IgnoredAny>(text) {
        Ok(_) => FileReadError::whole_document(NEITHER),
        Err(error) => FileReadError::json_syntax(&error),
    }
}

/// Reads a JSON Lines document as a table.
///
/// # Errors
/// [`FileReadError`] if a line is not an object, or the document exceeds the limits.
pub fn read_json_lines(
    bytes: &[u8],
    rows: Option<&str>,
    headings: &dyn Headings,
    limits: ReadLimits,
) -> Result<CellGrid, FileReadError> {
    let text = decode(bytes)?;
    let mut writer = RecordWriter::new(Records::Lines, headings, limits)?;
    let lines = || (1..).zip(text.split('\n')).filter(|(_, line)| !line.trim().is_empty());
    let first = lines().map(|(_, line)| line).next();
    let first = first.filter(|line| first_byte(line) == Some(b'{'));
    let inner_path = match (rows.and_then(|rows| rest_of_path("", rows)), first) {
        (Some(rest), _) => Some(rest.to_owned()).filter(|rest| !rest.is_empty()),
        (None, Some(first)) => find_inner_list(first, "", headings, limits)?,
        _ => None,
    };
    writer.rows_are_games = inner_path.is_none()
        && first.is_some_and(|first| ObjectFields::of_object(first, headings).describe_game);
    for (number, line) in lines() {
        writer.index = number;
        if first_byte(line) != Some(b'{') {
            let reason = "expected an object: each line of JSON Lines is one";
            return Err(FileReadError::new(Location::Line(number.into()), reason));
        }
        match &inner_path {
            None => writer.read_row(line)?,
            Some(path) => read_group(&mut writer, path, line)?,
        }
    }
    writer.finish(["", holder(inner_path.as_deref().unwrap_or(""))])
}

/// True if two objects follow each other.
fn is_json_lines(text: &str) -> bool {
    let values = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
    let objects = values
        .take(2)
        .take_while(|v| matches!(v, Ok(value) if first_byte(value.get()) == Some(b'{')));
    objects.count() == 2
}

fn decode(bytes: &[u8]) -> Result<&str, FileReadError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()].split(|byte| *byte == b'\n').count() as u64;
        let reason = "this is not JSON: it is not UTF-8; save it again as UTF-8";
        FileReadError::new(Location::Line(line), reason)
    })
}

/// Returns the path of the object that an array is in.
fn holder(list: &str) -> &str {
    list.rsplit_once('.').map_or("", |(holder, _)| holder)
}

/// Returns the path of the array whose elements are the rows, if those of the outer array are not.
fn find_inner_list(
    first: &str,
    outer: &str,
    headings: &dyn Headings,
    limits: ReadLimits,
) -> Result<Option<String>, FileReadError> {
    if first_byte(first) != Some(b'{') {
        return Ok(None);
    }
    let mut probe = RecordWriter::new(Records::Lines, headings, limits)?;
    // An error is that of the row, too. A game is one, whatever arrays it has.
    if probe.read_outer(Level::Group, first).is_err()
        || ObjectFields::of_object(first, headings).describe_game
    {
        return Ok(None);
    }
    let has_standings = |list: &FoundList<'_>| {
        !list.holds_members()
            && list.rank(headings) == FoundList::BEST_RANK
            && !headings.is_stated(&list.path)
    };
    let is_contest = probe.is_contest() && probe.lists.iter().any(has_standings);
    if probe.has_people(Level::Group) && !is_contest {
        return Ok(None);
    }
    Ok(choose_list(&mut probe.lists, outer, headings)?.map(|list| list.path))
}

/// Reads the rows of an element of the outer array, or of a line.
fn read_group<'d>(
    writer: &mut RecordWriter<'d, '_>,
    path: &str,
    element: &'d str,
) -> Result<(), FileReadError> {
    writer.read_outer(Level::Group, element)?;
    let lists = std::mem::take(&mut writer.lists);
    match lists.iter().find(|list| list.path == path) {
        Some(list) => writer.read_rows(list.json),
        // Beside arrays of another kind, that of the rows can be empty.
        None => match lists.iter().find(|list| writer.may_have_results(list)) {
            Some(other) => Err(FileReadError::whole_document(format!(
                "the rows are in {} and in {}: give the arrays one name",
                Quoted(path),
                Quoted(&shorten(&other.path))
            ))),
            None => Ok(()),
        },
    }
}

/// Reads the elements of the outer array, whose rows are in the array at this path.
struct GroupsVisitor<'w, 'd, 'o> {
    writer: &'w mut RecordWriter<'d, 'o>,
    path: &'w str,
}

impl<'d> Visitor<'d> for GroupsVisitor<'_, 'd, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'d>>(self, mut seq: A) -> Result<(), A::Error> {
        while let Some(element) = seq.next_element::<&'d RawValue>()? {
            let group = read_group(self.writer, self.path, element.get());
            self.writer.outer_index += 1;
            group.map_err(|error| self.writer.stop(error))?;
        }
        Ok(())
    }
}
