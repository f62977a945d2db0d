//! Finds the rows of a JSON or JSON Lines document.
//!
//! The rows are the elements of an array of objects, or the lines. The array is the document, or the
//! one within it that has results; fields beside it are columns with the same cell in all rows. If the
//! elements name no competitor and have an array of objects each, those are the rows. Without an array,
//! the rows are the values of an object that are of one kind.

use std::collections::HashMap;
use std::fmt;

use serde::de::{Deserializer, IgnoredAny, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::keyed_lists::KeyedLists;
use super::records::{Level, RecordWriter};
use super::row_lists::{
    FoundList, ObjectFields, choose_list, find_keyed, first_byte, first_element, rest_of_path,
    take_stated,
};
use crate::document::{FileReadError, Location};
use crate::grid::{CellGrid, ElementPaths, MAX_GROUPS, Records};
use crate::headings::Headings;
use crate::limits::ReadLimits;
use crate::reason::Reason;
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
    let (mut writer, list) = match find_list(text, rows, headings, limits) {
        Ok(list) => list,
        Err(error) => return read_keyed_lists(text, rows, headings, limits, error),
    };
    let first = first_element(list.json);
    if list.path.is_empty() && !list.is_keyed && first.and_then(first_byte) != Some(b'{') {
        return Err(no_table_error(text));
    }
    let search = ListSearch { headings, limits };
    let inner_paths = match (rows, first) {
        (Some(rows), _) => {
            search.find_stated(first, rest_of_path(&list.path, rows).unwrap_or_default())
        }
        (None, Some(first)) if !list.is_keyed => search.find_inner(first, &list.path)?,
        _ => Vec::new(),
    };
    writer.rows_are_games = inner_paths.is_empty() && list.fields(headings).describe_game;
    let games = match (rows, first) {
        (None, Some(first)) if !list.is_keyed => search.find_games(first, &list.path, MAX_GROUPS),
        _ => Vec::new(),
    };
    if let Some(paths) = writer.paths() {
        paths.games = games;
        paths.list = shorten(&list.path).into_owned();
        paths.inner_lists = inner_paths.iter().map(|path| shorten(path).into_owned()).collect();
    }
    if inner_paths.is_empty() && list.is_keyed {
        writer.read_keyed_rows(&list)?;
    } else {
        read_groups(&mut writer, &inner_paths, 0, list.json)?;
    }
    let lists = std::iter::once(&list.path).chain(&inner_paths);
    writer.finish(&lists.map(|path| holder(path)).collect::<Vec<_>>())
}

/// Reads the arrays of rows of an object, each with its key. `error` is the reason why no single array
/// has the rows, which is returned if the keys do not number them.
fn read_keyed_lists(
    text: &str,
    rows: Option<&str>,
    headings: &dyn Headings,
    limits: ReadLimits,
    error: FileReadError,
) -> Result<CellGrid, FileReadError> {
    let Some(keyed) = KeyedLists::find(text, headings) else {
        return Err(error);
    };
    if !keyed.are_stated_by(rows) {
        let (advice, option) = keyed.advise();
        // Each of many arrays has an option: that of all comes first.
        let reason = Reason::from(format!("{}; {advice}", error.why)).naming([option]);
        let reason = reason.naming(error.options);
        return Err(FileReadError::new(error.at, reason));
    }
    let paths = ElementPaths {
        keys: keyed.lists.iter().map(|list| shorten(&list.key).into_owned()).collect(),
        ..ElementPaths::default()
    };
    let mut writer = RecordWriter::new(Records::Elements(paths), headings, limits)?;
    writer.rows_are_games = keyed.are_games;
    writer.note(keyed.describe());
    if let Some(key) = &keyed.holder {
        writer.keyed_rows = Some(key.clone().into_owned());
        writer.read_outer(Level::Document, text)?;
    }
    writer.read_keyed_lists(keyed.heading(), &keyed.lists)?;
    writer.finish(&[""])
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
    let search = ListSearch { headings, limits };
    let inner_paths = match (rows.and_then(|rows| rest_of_path("", rows)), first) {
        (Some(rest), _) => search.find_stated(first, rest),
        (None, Some(first)) => search.find_inner(first, "")?,
        _ => Vec::new(),
    };
    writer.rows_are_games = inner_paths.is_empty()
        && first.is_some_and(|first| ObjectFields::of_object(first, headings).describe_game);
    for (number, line) in lines() {
        writer.index = number;
        if first_byte(line) != Some(b'{') {
            let reason = "expected an object: each line of JSON Lines is one";
            return Err(FileReadError::new(Location::Line(number.into()), reason));
        }
        if inner_paths.is_empty() {
            writer.read_row(line)?;
        } else {
            read_group(&mut writer, &inner_paths, 0, line)?;
        }
    }
    let holders = std::iter::once("").chain(inner_paths.iter().map(|path| holder(path)));
    writer.finish(&holders.collect::<Vec<_>>())
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

/// Searches elements for the arrays in them.
struct ListSearch<'o> {
    headings: &'o dyn Headings,
    limits: ReadLimits,
}

impl ListSearch<'_> {
    /// Returns the paths of the arrays within each other, the last of which has the rows, if the elements
    /// of the outer array are none. `first` is one of these.
    fn find_inner(&self, first: &str, outer: &str) -> Result<Vec<String>, FileReadError> {
        let mut paths = Vec::new();
        let mut element = Some(first);
        let mut outer = outer.to_owned();
        while paths.len() < MAX_GROUPS
            && let Some(first) = element
            && (paths.is_empty() || has_values(first))
            && let Some(list) = self.find_rows(first, &outer, !paths.is_empty())?
        {
            outer = [&*outer, &list.path].join(if outer.is_empty() { "" } else { "." });
            element = first_element(list.json);
            paths.push(list.path);
        }
        Ok(paths)
    }

    /// Returns the paths of the arrays along the path that the user states.
    fn find_stated(&self, first: Option<&str>, rows: &str) -> Vec<String> {
        let mut paths = Vec::new();
        let mut element = first;
        let mut rest = rows;
        while !rest.is_empty() {
            let mut lists = element.map(|element| self.lists(element)).unwrap_or_default();
            let list = take_stated(&mut lists, rest).filter(|_| paths.len() + 1 < MAX_GROUPS);
            let Some(list) = list else {
                paths.push(rest.to_owned());
                break;
            };
            rest = rest_of_path(&list.path, rest).unwrap_or_default();
            element = first_element(list.json);
            paths.push(list.path);
        }
        paths
    }

    /// Returns the array of an element that has the rows, if the element itself is none.
    fn find_rows<'d>(
        &self,
        element: &'d str,
        outer: &str,
        is_in_contest: bool,
    ) -> Result<Option<FoundList<'d>>, FileReadError> {
        if first_byte(element) != Some(b'{') {
            return Ok(None);
        }
        let mut probe = RecordWriter::new(Records::Lines, self.headings, self.limits)?;
        // An error is that of the row, too. A game is one, whatever arrays it has.
        if probe.read_outer(Level::Group, element).is_err()
            || ObjectFields::of_object(element, self.headings).describe_game
        {
            return Ok(None);
        }
        let is_contest = probe.is_contest(is_in_contest)
            && probe.lists.iter().any(|list| self.has_standings(list, MAX_GROUPS));
        if probe.has_people(Level::Group) && !is_contest {
            return Ok(None);
        }
        choose_list(&mut probe.lists, outer, self.headings)
    }

    /// Returns the paths of the arrays in an element, up to this depth, whose elements are games.
    fn find_games(&self, element: &str, outer: &str, depth: usize) -> Vec<String> {
        let lists = self.lists(element).into_iter();
        let games = lists.flat_map(|list| {
            let path = [outer, &list.path].join(if outer.is_empty() { "" } else { "." });
            match first_element(list.json) {
                _ if list.fields(self.headings).describe_game => vec![path],
                Some(inner) if depth > 1 => self.find_games(inner, &path, depth - 1),
                _ => Vec::new(),
            }
        });
        games.collect()
    }

    /// True if the elements of an array, or of one in them, are results of competitors.
    fn has_standings(&self, list: &FoundList<'_>, depth: usize) -> bool {
        !list.holds_members()
            && !self.headings.is_stated(&list.path)
            && (list.rank(self.headings) == FoundList::BEST_RANK
                || (depth > 1
                    && first_element(list.json).is_some_and(|element| {
                        let lists = self.lists(element);
                        lists.iter().any(|list| self.has_standings(list, depth - 1))
                    })))
    }

    /// Returns the arrays of objects in an element.
    fn lists<'d>(&self, element: &'d str) -> Vec<FoundList<'d>> {
        let probe = RecordWriter::new(Records::Lines, self.headings, self.limits);
        let read = probe.and_then(|mut probe| {
            probe.read_outer(Level::Group, element)?;
            Ok(probe.lists)
        });
        read.unwrap_or_default()
    }
}

/// True if an object has a value besides objects and arrays, which can tell it from its neighbours.
fn has_values(object: &str) -> bool {
    let values = serde_json::from_str::<HashMap<String, &RawValue>>(object);
    values.is_ok_and(|values| {
        values
            .values()
            .any(|value| !matches!(first_byte(value.get()), Some(b'{' | b'[' | b'n')))
    })
}

/// Reads the elements of an array: as rows, or as groups with arrays along these paths. `depth` is the
/// number of arrays around it.
fn read_groups<'d>(
    writer: &mut RecordWriter<'d, '_>,
    paths: &[String],
    depth: usize,
    list: &'d str,
) -> Result<(), FileReadError> {
    if paths.is_empty() {
        return writer.read_rows(list);
    }
    writer.group_indices[depth] = 0;
    let visitor = GroupsVisitor {
        writer,
        paths,
        depth,
    };
    let groups = serde_json::Deserializer::from_str(list).deserialize_seq(visitor);
    groups.map_err(|error| writer.take_error(&error))
}

/// Reads the rows of an element of an outer array, or of a line.
fn read_group<'d>(
    writer: &mut RecordWriter<'d, '_>,
    paths: &[String],
    depth: usize,
    element: &'d str,
) -> Result<(), FileReadError> {
    writer.read_outer(Level::GROUPS[depth], element)?;
    let lists = std::mem::take(&mut writer.lists);
    let path = &paths[0];
    match lists.iter().find(|list| list.path == *path) {
        Some(list) => read_groups(writer, &paths[1..], depth + 1, list.json),
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

/// Reads the elements of an outer array, whose rows are in arrays along these paths.
struct GroupsVisitor<'w, 'd, 'o, 'p> {
    writer: &'w mut RecordWriter<'d, 'o>,
    paths: &'p [String],
    depth: usize,
}

impl<'d> Visitor<'d> for GroupsVisitor<'_, 'd, '_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'d>>(self, mut seq: A) -> Result<(), A::Error> {
        while let Some(element) = seq.next_element::<&'d RawValue>()? {
            let group = read_group(self.writer, self.paths, self.depth, element.get());
            self.writer.group_indices[self.depth] += 1;
            group.map_err(|error| self.writer.stop(error))?;
        }
        Ok(())
    }
}
