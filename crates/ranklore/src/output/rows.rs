//! The rows of a result, taken from its JSON as it is written: CSV and JSON Lines. Names and values
//! are therefore those of the JSON, and no copy of the result is made.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io::{self, Write};

use ranklore_publish::escape_formula;
use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

use super::{escape_json, escape_line};

/// The key of the rows in a result that is an object.
const ROWS: &str = "rows";

/// The column of rows that are no objects.
const VALUE: &str = "value";

/// Writes the rows as CSV (RFC 4180): a line of headings, then a line per row. Nested objects become
/// columns such as `last_sync.kind`, arrays are JSON, and null is empty.
pub(super) fn write_csv(
    result: &impl Serialize,
    out: impl Write,
    escape: CellEscape,
) -> io::Result<()> {
    let list = find_rows(result)?;
    let columns = find_columns(result, list)?;
    if columns.is_empty() {
        return Ok(());
    }
    let mut writer = csv::WriterBuilder::new()
        .terminator(csv::Terminator::CRLF)
        .from_writer(out);
    let headings = columns.iter().map(|of| escape.apply(of.clone(), true));
    writer.write_record(headings).map_err(csv_error)?;
    let places = columns.iter().enumerate().map(|(at, of)| (&**of, at));
    let places: HashMap<&str, usize> = places.collect();
    let mut cells = vec![String::new(); columns.len()];
    visit_rows(result, list, Shape::Cells, &mut |event| {
        match event {
            Event::Cell { path, json } => {
                if let Some(&at) = places.get(path) {
                    cells[at] = escape.apply(cell_text(json)?, json.starts_with(b"\""));
                }
            }
            Event::EndOfRow => {
                writer.write_record(&cells).map_err(csv_error)?;
                cells.iter_mut().for_each(String::clear);
            }
        }
        Ok(())
    })?;
    writer.flush()
}

/// Returns the error of the output: a closed pipe is recognised by its kind.
fn csv_error(error: csv::Error) -> io::Error {
    let text = error.to_string();
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        _ => io::Error::other(text),
    }
}

/// Writes the rows as JSON Lines: a line per row.
pub(super) fn write_json_lines(
    result: &impl Serialize,
    mut out: impl Write,
    escape: CellEscape,
) -> io::Result<()> {
    let list = find_rows(result)?;
    visit_rows(result, list, Shape::Whole, &mut |event| match event {
        Event::Cell { json, .. } if escape == CellEscape::Terminal => {
            out.write_all(escape_json(&String::from_utf8_lossy(json)).as_bytes())
        }
        Event::Cell { json, .. } => out.write_all(json),
        Event::EndOfRow => out.write_all(b"\n"),
    })?;
    out.flush()
}

/// The characters of texts that are escaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CellEscape {
    None,
    /// Characters that control a terminal.
    Terminal,
    /// In CSV the beginning of texts that spreadsheets run as formulas.
    Formulas,
}

impl CellEscape {
    fn apply(self, cell: String, is_text: bool) -> String {
        match self {
            Self::Terminal => escape_line(&cell),
            Self::Formulas if is_text => escape_formula(&cell).into_owned(),
            Self::None | Self::Formulas => cell,
        }
    }
}

/// Returns the text of a JSON value in a cell.
fn cell_text(json: &[u8]) -> io::Result<String> {
    match json {
        b"null" => Ok(String::new()),
        [b'"', ..] => Ok(serde_json::from_slice(json)?),
        _ => Ok(String::from_utf8_lossy(json).into_owned()),
    }
}

/// Where the rows of a result are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum List {
    /// The result is an array of rows.
    Array,
    /// The result is an object with the rows under [`ROWS`].
    Key,
    /// The result is the only row.
    Single,
}

fn find_rows(result: &impl Serialize) -> io::Result<List> {
    let walk = RefCell::new(Walk::new(List::Single, Shape::Whole, None));
    serialize(result, &walk)?;
    Ok(walk.into_inner().found)
}

/// Returns the columns of all rows, in the order of their keys.
fn find_columns(result: &impl Serialize, list: List) -> io::Result<Vec<String>> {
    struct Column {
        path: String,
        has_value: bool,
    }
    let mut columns: Vec<Column> = Vec::new();
    // The place after the column of the last cell: rows have the same columns, mostly.
    let mut next = 0;
    visit_rows(result, list, Shape::Cells, &mut |event| {
        match event {
            Event::Cell { path, json } => {
                let is_next = columns.get(next).is_some_and(|of| of.path == path);
                let known = is_next
                    .then_some(next)
                    .or_else(|| columns.iter().position(|of| of.path == path));
                let at = known.unwrap_or_else(|| {
                    let path = path.to_owned();
                    let has_value = false;
                    columns.insert(next, Column { path, has_value });
                    next
                });
                columns[at].has_value |= json != b"null";
                next = at + 1;
            }
            Event::EndOfRow => next = 0,
        }
        Ok(())
    })?;
    // An object that is null in some rows has the columns of its keys only.
    let is_null_object = |of: &Column| {
        let prefix = format!("{}.", of.path);
        !of.has_value && columns.iter().any(|other| other.path.starts_with(&prefix))
    };
    let kept: Vec<bool> = columns.iter().map(|of| !is_null_object(of)).collect();
    let columns = columns.into_iter().zip(kept).filter(|(_, kept)| *kept);
    Ok(columns.map(|(of, _)| of.path).collect())
}

/// The parts that a row is passed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// One value.
    Whole,
    /// One value for each key, and for each key of nested objects.
    Cells,
}

enum Event<'e> {
    /// A value of the current row as compact JSON.
    Cell {
        path: &'e str,
        json: &'e [u8],
    },
    EndOfRow,
}

type Visitor<'v> = &'v mut dyn FnMut(Event<'_>) -> io::Result<()>;

/// Passes each row of a result to `visit`.
fn visit_rows(
    result: &impl Serialize,
    list: List,
    shape: Shape,
    visit: Visitor<'_>,
) -> io::Result<()> {
    let walk = RefCell::new(Walk::new(list, shape, Some(visit)));
    if list == List::Single {
        walk.borrow_mut().begin_row();
    }
    serialize(result, &walk)?;
    if list == List::Single {
        walk.borrow_mut().end_row()?;
    }
    Ok(())
}

fn serialize(result: &impl Serialize, walk: &RefCell<Walk<'_>>) -> io::Result<()> {
    let mut serializer = Serializer::with_formatter(WalkWriter(walk), WalkFormatter(walk));
    Ok(result.serialize(&mut serializer)?)
}

/// The position in a result that is being serialised.
struct Walk<'v> {
    list: List,
    /// The rows that are there.
    found: List,
    shape: Shape,
    visit: Option<Visitor<'v>>,
    /// The number of open arrays and objects.
    depth: usize,
    /// True between the brackets of the list under [`ROWS`].
    in_list: bool,
    in_row: bool,
    /// The number of open arrays and objects in a value that is passed as JSON.
    in_value: usize,
    /// The keys of the open objects of the row, and its lengths before each.
    path: String,
    parents: Vec<usize>,
    /// True if the value that ended last was an object, whose cells were passed.
    was_object: bool,
    /// The value or key so far; outside of rows only keys matter.
    text: Vec<u8>,
}

impl<'v> Walk<'v> {
    const fn new(list: List, shape: Shape, visit: Option<Visitor<'v>>) -> Self {
        Self {
            list,
            found: List::Single,
            shape,
            visit,
            depth: 0,
            in_list: false,
            in_row: false,
            in_value: 0,
            path: String::new(),
            parents: Vec::new(),
            was_object: false,
            text: Vec::new(),
        }
    }

    /// True if the elements of the array at this depth are rows.
    const fn holds_rows(&self) -> bool {
        match self.list {
            List::Array => self.depth == 1,
            List::Key => self.in_list && self.depth == 2,
            List::Single => false,
        }
    }

    fn begin_row(&mut self) {
        self.in_row = true;
        self.in_value = 0;
        self.path.clear();
        self.parents.clear();
        self.was_object = false;
        self.text.clear();
    }

    fn end_row(&mut self) -> io::Result<()> {
        if !self.was_object {
            VALUE.clone_into(&mut self.path);
            self.pass_cell()?;
        }
        self.in_row = false;
        self.visit
            .as_mut()
            .map_or(Ok(()), |visit| visit(Event::EndOfRow))
    }

    fn pass_cell(&mut self) -> io::Result<()> {
        let (path, json) = (&*self.path, &*self.text);
        let cell = Event::Cell { path, json };
        self.visit.as_mut().map_or(Ok(()), |visit| visit(cell))
    }

    /// Opens an array or object. Returns true if its brackets are part of a value.
    fn open(&mut self, array: bool) -> bool {
        if self.depth == 0 && array {
            self.found = List::Array;
        }
        self.depth += 1;
        if !self.in_row {
            return false;
        }
        if array || self.in_value > 0 || self.shape == Shape::Whole {
            self.in_value += 1;
            return true;
        }
        self.parents.push(self.path.len());
        false
    }

    /// Closes an array or object. Returns true if its brackets are part of a value.
    fn close(&mut self) -> bool {
        self.depth -= 1;
        if !self.in_row {
            return false;
        }
        if self.in_value > 0 {
            self.in_value -= 1;
            return true;
        }
        self.parents.pop();
        self.was_object = true;
        false
    }

    /// True if keys, commas and colons are part of a value.
    const fn is_in_value(&self) -> bool {
        self.in_row && self.in_value > 0
    }

    fn end_key(&mut self) -> io::Result<()> {
        let key: String = serde_json::from_slice(&self.text)?;
        self.text.clear();
        if self.in_row {
            let parent = self.parents.last().copied().unwrap_or(0);
            self.path.truncate(parent);
            if parent > 0 {
                self.path.push('.');
            }
            self.path.push_str(&key);
            self.was_object = false;
        } else if self.depth == 1 {
            self.in_list = key == ROWS;
        }
        Ok(())
    }
}

/// Collects the text of keys and values.
struct WalkWriter<'w, 'v>(&'w RefCell<Walk<'v>>);

impl Write for WalkWriter<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().text.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Follows the structure of the JSON.
struct WalkFormatter<'w, 'v>(&'w RefCell<Walk<'v>>);

impl Formatter for WalkFormatter<'_, '_> {
    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        let mut walk = self.0.borrow_mut();
        if walk.depth == 1 && walk.in_list {
            walk.found = List::Key;
        }
        let in_value = walk.open(true);
        drop(walk);
        write_if(in_value, writer, b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        let in_value = self.0.borrow_mut().close();
        write_if(in_value, writer, b"]")
    }

    fn begin_array_value<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        let mut walk = self.0.borrow_mut();
        if !walk.in_row {
            walk.text.clear();
            if walk.holds_rows() {
                walk.begin_row();
            }
        }
        let in_value = walk.is_in_value();
        drop(walk);
        write_if(in_value && !first, writer, b",")
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        let walk = &mut *self.0.borrow_mut();
        if walk.in_row && walk.in_value == 0 && walk.holds_rows() {
            walk.end_row()?;
        }
        Ok(())
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        let in_value = self.0.borrow_mut().open(false);
        write_if(in_value, writer, b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        let in_value = self.0.borrow_mut().close();
        write_if(in_value, writer, b"}")
    }

    fn begin_object_key<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        let mut walk = self.0.borrow_mut();
        let in_value = walk.is_in_value();
        if !in_value {
            walk.text.clear();
        }
        drop(walk);
        write_if(in_value && !first, writer, b",")
    }

    fn end_object_key<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        let walk = &mut *self.0.borrow_mut();
        if !walk.is_in_value() {
            walk.end_key()?;
        }
        Ok(())
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        let in_value = self.0.borrow().is_in_value();
        write_if(in_value, writer, b":")
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        let walk = &mut *self.0.borrow_mut();
        if walk.in_row && walk.in_value == 0 {
            if !walk.was_object {
                walk.pass_cell()?;
            }
            walk.was_object = false;
        }
        Ok(())
    }
}

fn write_if(condition: bool, writer: &mut (impl Write + ?Sized), bytes: &[u8]) -> io::Result<()> {
    if condition {
        writer.write_all(bytes)
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn to_csv(result: &impl Serialize) -> String {
        let mut out = Vec::new();
        write_csv(result, &mut out, CellEscape::None).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn to_lines(result: &impl Serialize) -> String {
        let mut out = Vec::new();
        write_json_lines(result, &mut out, CellEscape::None).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[derive(Serialize)]
    struct Row {
        place: u32,
        name: &'static str,
        mu: f64,
        last: Option<Last>,
        tags: Vec<&'static str>,
        active: bool,
    }

    #[derive(Serialize)]
    struct Last {
        kind: &'static str,
        of: Option<Box<Last>>,
    }

    #[derive(Serialize)]
    struct Page {
        total: usize,
        selection: serde_json::Value,
        rows: Vec<Row>,
        others: Vec<Last>,
    }

    fn page() -> Page {
        let row = |place, name, last| Row {
            place,
            name,
            mu: 0.1 + 0.2,
            last,
            tags: vec!["a", "b\"c"],
            active: place == 1,
        };
        let last = |kind, of| Last {
            kind,
            of: Option::map(of, Box::new),
        };
        Page {
            total: 3,
            selection: json!({"rows": [{"not": "these"}], "sources": ["club"]}),
            rows: vec![
                row(1, "plain", None),
                row(2, "a,\"b\"\r\n=1", Some(last("mine", None))),
                row(3, "", Some(last("x", Some(last("y", None))))),
            ],
            others: vec![last("not this", None)],
        }
    }

    #[test]
    fn csv_has_a_column_for_each_key() {
        let expected = "place,name,mu,last.kind,last.of.kind,last.of.of,tags,active\r\n\
             1,plain,0.30000000000000004,,,,\"[\"\"a\"\",\"\"b\\\"\"c\"\"]\",true\r\n\
             2,\"a,\"\"b\"\"\r\n=1\",0.30000000000000004,mine,,,\"[\"\"a\"\",\"\"b\\\"\"c\"\"]\",false\r\n\
             3,,0.30000000000000004,x,y,,\"[\"\"a\"\",\"\"b\\\"\"c\"\"]\",false\r\n";
        assert_eq!(to_csv(&page()), expected);
        assert_eq!(to_csv(&page().rows), expected);
        assert_eq!(
            to_csv(&serde_json::to_value(page().rows).unwrap())
                .lines()
                .count(),
            5
        );
    }

    #[test]
    fn json_lines_have_a_row_each() {
        for lines in [to_lines(&page()), to_lines(&page().rows)] {
            let rows: Vec<serde_json::Value> = lines
                .lines()
                .map(|line| serde_json::from_str(line).unwrap())
                .collect();
            assert_eq!(json!(rows), json!(page().rows));
            assert!(
                lines.starts_with(r#"{"place":1,"name":"plain","mu":"#),
                "{lines}"
            );
        }
    }

    #[test]
    fn single_object_is_one_row() {
        let single = json!({"a": {"b": [1, {"c": null}], "rows": [2]}, "d": null, "e": {}});
        assert_eq!(
            to_csv(&single),
            "a.b,a.rows,d\r\n\"[1,{\"\"c\"\":null}]\",[2],\r\n"
        );
        assert_eq!(to_lines(&single), format!("{single}\n"));
    }

    #[test]
    fn values_without_keys_have_one_column() {
        let values = json!(["a", null, [1, 2], 3]);
        assert_eq!(to_csv(&values), "value\r\na\r\n\"\"\r\n\"[1,2]\"\r\n3\r\n");
        assert_eq!(to_lines(&values), "\"a\"\nnull\n[1,2]\n3\n");
        assert_eq!(to_csv(&json!({"rows": []})), "");
        assert_eq!(to_lines(&json!({"rows": []})), "");
        assert_eq!(to_lines(&json!([])), "");
        // A key that holds no list is a cell.
        assert_eq!(to_csv(&json!({"rows": 3})), "rows\r\n3\r\n");
    }

    #[test]
    fn rows_with_other_keys_share_the_columns() {
        let rows = json!([{"a": 1, "c": 2}, {"a": 3, "b": 4, "c": 5}, {"d": 6}]);
        assert_eq!(to_csv(&rows), "d,a,b,c\r\n,1,,2\r\n,3,4,5\r\n6,,,\r\n");
    }

    #[test]
    fn control_characters_are_escaped_on_terminals() {
        let rows = json!([{"name": "a\u{1b}[2J\u{9b}\nb"}]);
        let (mut table, mut lines) = (Vec::new(), Vec::new());
        write_csv(&rows, &mut table, CellEscape::Terminal).unwrap();
        write_json_lines(&rows, &mut lines, CellEscape::Terminal).unwrap();
        assert_eq!(table, b"name\r\na\\u{1b}[2J\\u{9b}\\u{a}b\r\n");
        assert_eq!(lines, b"{\"name\":\"a\\u001b[2J\\u009b\\nb\"}\n");
        assert_eq!(to_csv(&rows), "name\r\n\"a\u{1b}[2J\u{9b}\nb\"\r\n");
    }

    #[test]
    fn formulas_are_escaped_in_texts_only() {
        let rows = json!([{"=name": "=1+1", "change": -1.5, "plain": "a=1"}]);
        let mut table = Vec::new();
        write_csv(&rows, &mut table, CellEscape::Formulas).unwrap();
        assert_eq!(table, b"'=name,change,plain\r\n'=1+1,-1.5,a=1\r\n");
    }
}
