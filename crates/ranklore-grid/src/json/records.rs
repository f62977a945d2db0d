//! Writes JSON objects into the rows of a grid.
//!
//! The document is parsed straight into cells. Numbers are kept as they are written: a value of
//! Rust's types could not tell 1.10 from 1.1, nor two long ids.

mod headings;
mod joined;
mod visitors;

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use serde::de::{self, DeserializeSeed, Deserializer};
use serde_json::value::RawValue;

use self::visitors::{KeyedRowsVisitor, ObjectVisitor, RowsVisitor};
use super::joins::Joins;
use super::keyed_lists::KeyedList;
use super::row_lists::{FoundList, first_byte};
use super::scalars::scalar_text;
use crate::document::{FileReadError, Location};
use crate::grid::{
    CellGrid, ElementPaths, GroupIndices, MAX_COLUMNS, MAX_GROUPS, Records, trim_cell,
};
use crate::headings::{FieldRole, Headings};
use crate::limits::ReadLimits;
use crate::lists::push_element;
use crate::reason::{CommandOptions, Reason};
use crate::text::too_many_columns;
use ranklore_contest::{Quoted, shorten};

/// The most objects within each other in a row. Each is parsed once per level.
const MAX_DEPTH: usize = 16;

/// The part of a document that an object belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    /// The object around the array of rows, or of groups.
    Document,
    /// An element that has an array of rows, or of subgroups.
    Group,
    /// An element of an array in a group, that has an array of rows.
    Subgroup,
    Row,
}

impl Level {
    /// The levels of the elements around rows.
    pub(super) const GROUPS: [Self; MAX_GROUPS] = [Self::Group, Self::Subgroup];
}

/// A key of an object.
#[derive(Default)]
struct Field {
    /// The object that the key is in.
    parent: usize,
    key: String,
    column: Option<usize>,
    /// The last object with this key, by its number.
    seen_in: u64,
    /// The keys of the object that is the value, in the order of their first occurrence.
    children: Vec<usize>,
    by_key: HashMap<String, usize>,
}

/// A column with the cell of the current row.
struct Column<'d> {
    level: Level,
    field: usize,
    cell: Cow<'d, str>,
}

/// Collects the rows of a table from JSON objects.
pub(super) struct RecordWriter<'d, 'o> {
    grid: CellGrid,
    known_headings: &'o dyn Headings,
    /// The first are the roots of the levels.
    fields: Vec<Field>,
    columns: Vec<Column<'d>>,
    objects: u64,
    /// The number of the object that is the current row.
    row_object: u64,
    level: Level,
    /// The arrays of objects around the rows, of the last object of that level.
    pub(super) lists: Vec<FoundList<'d>>,
    /// The arrays beside that of the rows.
    joins: Joins<'d>,
    /// The field of the joined object that is read. The row has its id already.
    joined: Option<usize>,
    /// The path of the object whose values are the rows.
    pub(super) keyed_rows: Option<String>,
    /// The column of names in rows that have keys.
    people_column: Option<usize>,
    /// True if a row is a game, so that arrays in it are parts of the game.
    pub(super) rows_are_games: bool,
    /// The paths of the arrays in rows that are no cells.
    unread: BTreeSet<String>,
    /// The elements of the outer arrays, and the element or line that is read.
    pub(super) group_indices: GroupIndices,
    pub(super) index: u32,
    /// The error that made a visitor stop the parser, whose own errors cannot hold it.
    failure: Option<FileReadError>,
}

impl<'d, 'o> RecordWriter<'d, 'o> {
    pub(super) fn new(
        records: Records,
        known_headings: &'o dyn Headings,
        limits: ReadLimits,
    ) -> Result<Self, FileReadError> {
        let mut grid = CellGrid::new(limits);
        grid.records = Some(records);
        // The row of headings, which are known at the end.
        grid.begin_row(0).map_err(FileReadError::whole_document)?;
        Ok(Self {
            grid,
            known_headings,
            fields: (0..=Level::Row as usize).map(|_| Field::default()).collect(),
            columns: Vec::new(),
            objects: 0,
            row_object: 0,
            level: Level::Document,
            lists: Vec::new(),
            joins: Joins::default(),
            joined: None,
            keyed_rows: None,
            people_column: None,
            rows_are_games: false,
            unread: BTreeSet::new(),
            group_indices: [0; MAX_GROUPS],
            index: 0,
            failure: None,
        })
    }

    pub(super) fn paths(&mut self) -> Option<&mut ElementPaths> {
        match &mut self.grid.records {
            Some(Records::Elements(paths)) => Some(paths),
            _ => None,
        }
    }

    /// Reads an object around rows: its fields are cells of all rows to come, and `lists` are its
    /// arrays of objects.
    pub(super) fn read_outer(&mut self, level: Level, json: &'d str) -> Result<(), FileReadError> {
        for column in &mut self.columns {
            if column.level >= level {
                column.cell = Cow::Borrowed("");
            }
        }
        self.lists.clear();
        self.level = level;
        self.read_object(json, level as usize, 0)
    }

    /// Reads an object as a row.
    pub(super) fn read_row(&mut self, json: &'d str) -> Result<(), FileReadError> {
        self.level = Level::Row;
        self.read_object(json, Level::Row as usize, 0)?;
        self.end_row()
    }

    /// Reads the elements of an array as rows.
    pub(super) fn read_rows(&mut self, list: &'d str) -> Result<(), FileReadError> {
        self.level = Level::Row;
        let groups = self.group_indices;
        if let Ok(first) = u32::try_from(self.grid.row_count())
            && let Some(paths) = self.paths().filter(|paths| paths.has_groups())
        {
            paths.starts.push((first, groups));
        }
        let mut deserializer = serde_json::Deserializer::from_str(list);
        deserializer
            .deserialize_seq(RowsVisitor(self))
            .and_then(|()| deserializer.end())
            .map_err(|error| self.take_error(&error))
    }

    /// Reads the elements of arrays as rows, with the key of each array in a column.
    pub(super) fn read_keyed_lists(
        &mut self,
        heading: &str,
        lists: &[KeyedList<'d>],
    ) -> Result<(), FileReadError> {
        for (index, list) in (0..).zip(lists) {
            self.group_indices[0] = index;
            self.level = Level::Group;
            let field = self.field(Level::Group as usize, heading, usize::MAX)?;
            let checked = self.grid.check_length(&list.key, "a key");
            checked.map_err(|reason| self.field_error(field, reason))?;
            self.set_cell(field, list.key.clone())?;
            self.read_rows(list.json)?;
        }
        Ok(())
    }

    /// Notes how the rows are read.
    pub(super) fn note(&mut self, note: String) {
        self.grid.notes.push(note);
    }

    /// Reads the values of an object as rows. Their keys are a column: names, if rows have none.
    pub(super) fn read_keyed_rows(&mut self, list: &FoundList<'d>) -> Result<(), FileReadError> {
        let fields = list.fields(self.known_headings);
        let have_names = fields.name_people || fields.describe_game;
        let heading = if have_names { "id" } else { "name" };
        if let Some(paths) = self.paths() {
            paths.has_keys = !have_names;
        }
        let path = shorten(&list.path);
        let object = if path.is_empty() {
            "the document".into()
        } else {
            Quoted(&path).to_string()
        };
        self.grid
            .notes
            .push(format!("each key of {object} is a row, with the key as its {heading}"));
        self.level = Level::Row;
        let mut deserializer = serde_json::Deserializer::from_str(list.json);
        deserializer
            .deserialize_map(KeyedRowsVisitor {
                writer: self,
                heading,
            })
            .and_then(|()| deserializer.end())
            .map_err(|error| self.take_error(&error))
    }

    /// Reads the value of a key as a row.
    fn read_keyed_row(
        &mut self,
        heading: &str,
        key: Cow<'d, str>,
        json: &'d str,
    ) -> Result<(), FileReadError> {
        let field = self.field(Level::Row as usize, heading, usize::MAX)?;
        let checked = self.grid.check_length(&key, "a key");
        checked.map_err(|reason| self.field_error(field, reason))?;
        self.set_cell(field, key.clone())?;
        self.level = Level::Row;
        self.read_object(json, Level::Row as usize, 0)?;
        if self.people_column.is_none() {
            self.people_column = self
                .columns
                .iter()
                .position(|column| column.level == Level::Row && self.names_people(column.field));
        }
        // A member without a name is known by the key.
        if let Some(column) = self.people_column.map(|at| &mut self.columns[at])
            && column.cell.is_empty()
        {
            column.cell = key;
        }
        self.end_row()
    }

    /// True if the elements of an array name competitors or have results.
    pub(super) fn may_have_results(&self, list: &FoundList<'_>) -> bool {
        list.rank(self.known_headings) > 0
    }

    fn read_object(
        &mut self,
        json: &'d str,
        parent: usize,
        depth: usize,
    ) -> Result<(), FileReadError> {
        let mut deserializer = serde_json::Deserializer::from_str(json);
        self.object(parent, depth)
            .deserialize(&mut deserializer)
            .and_then(|()| deserializer.end())
            .map_err(|error| self.take_error(&error))
    }

    /// Returns the reader of an object that is the value of this field.
    fn object(&mut self, parent: usize, depth: usize) -> ObjectVisitor<'_, 'd, 'o> {
        ObjectVisitor {
            writer: self,
            parent,
            depth,
        }
    }

    /// Stops the parser that calls a visitor. [`take_error`](Self::take_error) returns the error.
    pub(super) fn stop<E: de::Error>(&mut self, error: FileReadError) -> E {
        self.failure = Some(error);
        E::custom("a visitor stopped the parser")
    }

    /// Returns the error of the visitor that stopped the parser, else that of the parser.
    pub(super) fn take_error(&mut self, error: &serde_json::Error) -> FileReadError {
        self.failure.take().unwrap_or_else(|| {
            let mut syntax_error = FileReadError::json_syntax(error);
            if let Some(Records::Lines) = self.grid.records {
                syntax_error.at = Location::Line(self.index.into());
            }
            syntax_error
        })
    }

    /// Returns the error for a field.
    fn field_error(&self, field: usize, reason: impl Into<Reason>) -> FileReadError {
        let path = shorten(&self.path(field)).into_owned();
        let at = match self.location() {
            Location::JsonPath(object) if !path.is_empty() => {
                Location::JsonPath(format!("{object}.{path}"))
            }
            Location::Whole if !path.is_empty() => Location::JsonPath(path),
            other => other,
        };
        FileReadError::new(at, reason)
    }

    /// Returns the location of the object that is read.
    fn location(&self) -> Location {
        match (&self.grid.records, self.level) {
            (Some(Records::Lines), _) => Location::Line(self.index.into()),
            (Some(Records::Elements(paths)), Level::Row) => {
                Location::JsonPath(paths.row_element(self.group_indices, self.index))
            }
            (Some(Records::Elements(paths)), group) if group != Level::Document => {
                Location::JsonPath(paths.element(&self.group_indices[..group as usize]))
            }
            _ => Location::Whole,
        }
    }

    fn path(&self, field: usize) -> String {
        let mut keys = Vec::new();
        let mut at = field;
        while at > Level::Row as usize {
            keys.push(self.fields[at].key.as_str());
            at = self.fields[at].parent;
        }
        keys.reverse();
        keys.join(".")
    }

    /// Returns the field of a key. `expected` is the position of the key if the object has the
    /// keys of earlier ones.
    fn field(&mut self, parent: usize, key: &str, expected: usize) -> Result<usize, FileReadError> {
        let key = trim_cell(key);
        let parent_field = &self.fields[parent];
        if let Some(&field) = parent_field.children.get(expected)
            && self.fields[field].key == key
        {
            return Ok(field);
        }
        if let Some(&field) = parent_field.by_key.get(key) {
            return Ok(field);
        }
        if self.fields.len() > 2 * MAX_COLUMNS {
            return Err(self.columns_error());
        }
        let field = self.fields.len();
        self.fields.push(Field {
            parent,
            key: key.to_owned(),
            ..Field::default()
        });
        let parent_field = &mut self.fields[parent];
        parent_field.children.push(field);
        parent_field.by_key.insert(key.to_owned(), field);
        Ok(field)
    }

    fn columns_error(&self) -> FileReadError {
        self.field_error(self.level as usize, too_many_columns(0).why)
    }

    /// Reads the value of a field.
    fn read_value(
        &mut self,
        field: usize,
        json: &'d str,
        depth: usize,
    ) -> Result<(), FileReadError> {
        if self.joined == Some(self.fields[field].parent) && self.fields[field].key == "id" {
            return Ok(());
        }
        let cell = match json.as_bytes().first() {
            Some(b'{') => {
                if self.level == Level::Document
                    && self.keyed_rows.as_deref() == Some(&self.path(field))
                {
                    return Ok(());
                }
                if depth + 1 >= MAX_DEPTH {
                    let reason =
                        format!("there are more than {MAX_DEPTH} objects within each other");
                    return Err(self.field_error(field, reason));
                }
                return self.read_object(json, field, depth + 1);
            }
            Some(b'[') => match first_byte(&json[1..]) {
                Some(b'{') if self.level < Level::Row => {
                    let path = self.path(field);
                    self.lists.push(FoundList {
                        path,
                        json,
                        is_keyed: false,
                    });
                    return Ok(());
                }
                Some(b'{' | b'[') => {
                    let path = self.path(field);
                    if self.unread.len() < MAX_COLUMNS
                        && self.unread.insert(path.clone())
                        && let Some(reason) = self.refuse_unread(&path, json)
                    {
                        return Err(self.field_error(field, reason));
                    }
                    return Ok(());
                }
                _ => self.read_list(field, json)?,
            },
            _ => self.read_scalar(field, json)?,
        };
        if self.fields[field].parent == Level::Row as usize {
            self.read_joined(field, &cell, depth + 1)?;
        } else if self.fields[field].key == "id" {
            self.read_name(field, &cell)?;
        }
        self.set_cell(field, cell)
    }

    /// Sets the cell of a field in the current row.
    fn set_cell(&mut self, field: usize, cell: Cow<'d, str>) -> Result<(), FileReadError> {
        let column = match self.fields[field].column {
            Some(column) => column,
            None if self.columns.len() >= MAX_COLUMNS => return Err(self.columns_error()),
            None => {
                let column = self.columns.len();
                self.fields[field].column = Some(column);
                self.columns.push(Column {
                    level: self.level,
                    field,
                    cell: Cow::Borrowed(""),
                });
                column
            }
        };
        self.columns[column].cell = cell;
        Ok(())
    }

    fn read_scalar(&self, field: usize, json: &'d str) -> Result<Cow<'d, str>, FileReadError> {
        let checked = self.grid.check_length(json, "a text");
        checked
            .and_then(|()| scalar_text(json))
            .map_err(|reason| self.field_error(field, reason))
    }

    /// Reads an array of texts and numbers: as the members of a team, names separated by
    /// semicolons.
    fn read_list(&mut self, field: usize, json: &'d str) -> Result<Cow<'d, str>, FileReadError> {
        let checked = self.grid.check_length(json, "an array");
        checked.map_err(|reason| self.field_error(field, reason))?;
        // The array was parsed before, so that this cannot fail.
        let elements: Vec<&'d RawValue> =
            serde_json::from_str(json).map_err(|error| self.take_error(&error))?;
        let are_names = self.names_people(field);
        let mut cell = String::new();
        for element in elements {
            if matches!(element.get().as_bytes().first(), Some(b'{' | b'[')) {
                let reason = "the array has values and objects: write one kind";
                return Err(self.field_error(field, reason));
            }
            scalar_text(element.get())
                .and_then(|text| push_element(&mut cell, &text, are_names))
                .map_err(|reason| self.field_error(field, reason))?;
        }
        Ok(Cow::Owned(cell))
    }

    /// True if the column of a field names competitors.
    fn names_people(&self, field: usize) -> bool {
        self.role(&self.path(field)).is_some_and(FieldRole::names_people)
    }

    fn role(&self, path: &str) -> Option<FieldRole> {
        self.known_headings.field_role(path)
    }

    /// True if an object around the rows is a contest: only its name can be that of a competitor, and
    /// it has a date or an id of a contest, or is in a contest, and has no result.
    pub(super) fn is_contest(&self, is_in_contest: bool) -> bool {
        let groups = self.columns.iter().filter(|column| column.level == Level::Group);
        let paths: Vec<String> = groups.map(|column| self.path(column.field)).collect();
        let roles = || paths.iter().filter_map(|path| Some((path, self.role(path)?)));
        // An event is also what a person did.
        let has_key =
            || roles().any(|(path, role)| role == FieldRole::ContestKey && path != "event");
        (is_in_contest || has_key())
            && roles().all(|(path, role)| {
                role != FieldRole::Result && (!role.names_people() || path == "name")
            })
    }

    /// True if a field of a level names competitors.
    pub(super) fn has_people(&self, level: Level) -> bool {
        let mut columns = self.columns.iter();
        columns.any(|column| column.level == level && self.names_people(column.field))
    }

    /// Adds the cells of the current row to the grid, and clears those of its object.
    fn end_row(&mut self) -> Result<(), FileReadError> {
        self.write_row().map_err(|reason| FileReadError::new(self.location(), reason))?;
        self.grid.drop_blank_row();
        Ok(())
    }

    fn write_row(&mut self) -> Result<(), String> {
        self.grid.begin_row(self.index.into())?;
        let last_filled = self.columns.iter().rposition(|c| !c.cell.is_empty());
        for column in &mut self.columns[..last_filled.map_or(0, |last| last + 1)] {
            self.grid.push_cell(&column.cell)?;
            if column.level == Level::Row {
                column.cell = Cow::Borrowed("");
            }
        }
        Ok(())
    }

    /// Returns the reason to refuse an array within a row that has results of its own, such as a
    /// contest with its results: the rows would compete in place of those in it.
    fn refuse_unread(&self, path: &str, json: &str) -> Option<Reason> {
        if self.rows_are_games || self.known_headings.is_stated(path) {
            return None;
        }
        let mut elements = serde_json::Deserializer::from_str(&json[1..])
            .into_iter::<HashMap<String, &RawValue>>();
        let first = elements.next()?.ok()?;
        let has = |role| first.keys().any(|key| self.known_headings.role(key) == Some(role));
        let has_results = has(FieldRole::Competitor) && has(FieldRole::Result);
        has_results.then(|| {
            let column = |meaning: String| CommandOptions::new("--column", meaning);
            let ignore = column(format!("{path}=ignore"));
            let problem = "the rows name competitors, and so does this array within them";
            // A meaning of `name` would hold for both.
            let rows = self.rows_option(path).filter(|_| {
                first.contains_key("name") && !has(FieldRole::ContestKey)
            });
            if let Some(rows) = rows {
                let cases = [
                    (rows, "if each row is a contest with these results"),
                    (ignore, "to read the rows alone"),
                ];
                return Reason::with_options(problem, cases);
            }
            let contest = column("name=contest".to_owned());
            let reason = format!(
                "{problem}: pass --column HEADING=contest with the field of a row that names the contest, such as {contest}, or {ignore} to read the rows alone"
            );
            Reason::from(reason).naming([contest, ignore])
        })
    }

    /// Returns the option that reads the elements of an array within the rows.
    fn rows_option(&self, path: &str) -> Option<CommandOptions> {
        let Some(Records::Elements(paths)) = &self.grid.records else {
            return None;
        };
        let parts = std::iter::once(&*paths.list)
            .chain(paths.inner_lists.iter().map(String::as_str))
            .chain([path]);
        let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
        let has_keys = paths.has_keys || !paths.keys.is_empty();
        (!has_keys).then(|| CommandOptions::new("--rows", parts.join(".")))
    }

    /// Returns the grid. `holders` are the paths of the objects that the arrays are in, by level.
    pub(super) fn finish(mut self, holders: &[&str]) -> Result<CellGrid, FileReadError> {
        if self.grid.row_count() == 1 {
            return Err(FileReadError::whole_document("the table is empty"));
        }
        let mut headings = self.headings(holders);
        self.name_contest(&mut headings);
        let joined = self.joins.paths(true);
        self.grid.note_unread("joined by the ids in the rows", joined.into_iter());
        let others = self.joins.paths(false);
        self.grid.note_unread("other arrays are not read", others.into_iter());
        let unread = self.unread.iter().map(String::as_str);
        self.grid.note_unread("arrays within a row are not read", unread);
        self.grid.fill_first_row(&headings).map_err(FileReadError::whole_document)?;
        Ok(self.grid)
    }
}
