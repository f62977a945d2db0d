//! Finds the rows of a JSON or JSON Lines document.
//!
//! The rows are the elements of an array of objects, or the lines. The array is the document, or the
//! only one within it; fields beside it are columns with the same cell in all rows. If the elements
//! name no competitor and have an array of objects each, those are the rows.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Deserializer, IgnoredAny, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::records::{FoundList, Level, RecordWriter, first_byte};
use crate::json::read::json_syntax_error;
use crate::limits::ReadLimits;
use crate::reading::{FileReadError, Location};
use crate::table::columns::ColumnMeaning;
use crate::table::grid::{CellGrid, ElementPaths, Records};
use ranklore_contest::{Quoted, shorten};

const NEITHER: &str = "this is neither a contest file (an object with name, time_seconds and \
                       standings, or an array of them) nor a table (an array of objects, or an \
                       object with one array of objects)";

const JSON_LINES: &str = "this is JSON Lines, an object on each line: pass --format jsonl, or end \
                          the file name with .jsonl";

/// Reads a JSON document. `stated` has meanings by heading.
pub(crate) fn read_json(
    bytes: &[u8],
    stated_meanings: &BTreeMap<String, ColumnMeaning>,
    limits: ReadLimits,
) -> Result<CellGrid, FileReadError> {
    let text = decode(bytes)?;
    let records = Records::Elements(ElementPaths::default());
    let mut writer = RecordWriter::new(records, stated_meanings, limits)?;
    let list = find_list(&mut writer, text)?;
    let first = first_element(list.json);
    if list.path.is_empty() && first.and_then(first_byte) != Some(b'{') {
        return Err(no_table_error(text));
    }
    let inner_path = match first {
        Some(first) => find_inner_list(first, stated_meanings, limits)?,
        None => None,
    };
    if let Some(paths) = writer.paths() {
        paths.list = shorten(&list.path).into_owned();
        paths.inner_list = inner_path.as_deref().map(|path| shorten(path).into_owned());
    }
    let inner_path = inner_path.as_deref();
    match inner_path {
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

/// Returns the array of the document, which is the document itself or in its object. Reads the
/// other fields of the object.
fn find_list<'d>(
    writer: &mut RecordWriter<'d, '_>,
    text: &'d str,
) -> Result<FoundList<'d>, FileReadError> {
    match first_byte(text) {
        Some(b'[') => Ok(FoundList {
            path: String::new(),
            json: text,
        }),
        Some(b'{') => {
            if let Err(error) = writer.read_outer(Level::Document, text) {
                return Err(if is_json_lines(text) {
                    FileReadError::whole_document(JSON_LINES)
                } else {
                    error
                });
            }
            single_list(&mut writer.lists)?.ok_or_else(|| FileReadError::whole_document(NEITHER))
        }
        _ => Err(no_table_error(text)),
    }
}

/// Returns the error for a text that is no table: that of its syntax, if it is not JSON.
fn no_table_error(text: &str) -> FileReadError {
    match serde_json::from_str::<IgnoredAny>(text) {
        Ok(_) => FileReadError::whole_document(NEITHER),
        Err(error) => json_syntax_error(&error),
    }
}

/// Reads a JSON Lines document. `stated` has meanings by heading.
pub(crate) fn read_json_lines(
    bytes: &[u8],
    stated_meanings: &BTreeMap<String, ColumnMeaning>,
    limits: ReadLimits,
) -> Result<CellGrid, FileReadError> {
    let text = decode(bytes)?;
    let mut writer = RecordWriter::new(Records::Lines, stated_meanings, limits)?;
    let lines = || (1..).zip(text.split('\n')).filter(|(_, line)| !line.trim().is_empty());
    let inner_path = match lines().next() {
        Some((_, first)) if first_byte(first) == Some(b'{') => {
            find_inner_list(first, stated_meanings, limits)?
        }
        _ => None,
    };
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

/// Returns the only array of objects. Errors if there are several.
fn single_list<'d>(lists: &mut Vec<FoundList<'d>>) -> Result<Option<FoundList<'d>>, FileReadError> {
    if let [first, second, ..] = &lists[..] {
        return Err(FileReadError::whole_document(format!(
            "{} and {} are arrays of objects: keep the one that has the results",
            Quoted(&shorten(&first.path)),
            Quoted(&shorten(&second.path)),
        )));
    }
    Ok(lists.pop())
}

/// Returns the path of the array whose elements are the rows, if those of the outer array are not.
fn find_inner_list(
    first: &str,
    stated_meanings: &BTreeMap<String, ColumnMeaning>,
    limits: ReadLimits,
) -> Result<Option<String>, FileReadError> {
    if first_byte(first) != Some(b'{') {
        return Ok(None);
    }
    let mut probe = RecordWriter::new(Records::Lines, stated_meanings, limits)?;
    // An error is that of the row, too.
    if probe.read_outer(Level::Group, first).is_err() || probe.has_people(Level::Group) {
        return Ok(None);
    }
    Ok(single_list(&mut probe.lists)?.map(|list| list.path))
}

/// Reads the rows of an element of the outer array, or of a line.
fn read_group<'d>(
    writer: &mut RecordWriter<'d, '_>,
    path: &str,
    element: &'d str,
) -> Result<(), FileReadError> {
    writer.read_outer(Level::Group, element)?;
    match single_list(&mut writer.lists)? {
        None => Ok(()),
        Some(list) if list.path == path => writer.read_rows(list.json),
        Some(list) => Err(FileReadError::whole_document(format!(
            "the rows are in {} and in {}: give the arrays one name",
            Quoted(path),
            Quoted(&shorten(&list.path))
        ))),
    }
}

/// Returns the first element of an array.
fn first_element(list: &str) -> Option<&str> {
    let (_, elements) = list.split_once('[')?;
    let mut elements = serde_json::Deserializer::from_str(elements).into_iter::<&RawValue>();
    elements.next()?.ok().map(RawValue::get)
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
