//! The rows of a result as CSV and JSON Lines. They are taken from its JSON, so that names and values
//! are the same in all formats.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::io::{self, Write};

use serde::de::{Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// Writes the rows of a list as CSV (RFC 4180): a line of headings, also without rows, then a line
/// per row. A column is a path of keys, such as `last_sync.kind`; values under other paths are left
/// out. Times are written as in CSV of datasets, texts of an array with semicolons between them,
/// other arrays as JSON, and null as an empty cell.
///
/// # Errors
/// Errors if the JSON of the list is neither an array nor an object with an array `rows`, or if `out`
/// does.
pub fn write_csv(
    list: &impl Serialize,
    columns: &[&str],
    out: impl Write,
    escape: &impl Escape,
) -> io::Result<()> {
    let json = serde_json::to_string(list)?;
    write_table(&find_rows(&json)?, columns, out, escape)
}

/// Writes a report as CSV with one row, and an array of reports with a row each. The columns are the
/// paths of all keys.
///
/// # Errors
/// The errors of `out`.
pub fn write_report_csv(
    report: &impl Serialize,
    out: impl Write,
    escape: &impl Escape,
) -> io::Result<()> {
    let json = serde_json::to_string(report)?;
    let rows = find_reports(&json)?;
    let columns = find_columns(&rows)?;
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    write_table(&rows, &columns, out, escape)
}

fn write_table(
    rows: &[&RawValue],
    columns: &[&str],
    out: impl Write,
    escape: &impl Escape,
) -> io::Result<()> {
    let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(out);
    let headings = columns.iter().map(|column| escape.escape_cell((*column).to_owned(), true));
    writer.write_record(headings).map_err(csv_error)?;
    let columns_by_path: HashMap<&str, usize> = columns.iter().copied().zip(0..).collect();
    let mut cells = vec![String::new(); columns.len()];
    for row in rows {
        for_each_cell(row, &mut |path, json| {
            if let Some(&at) = columns_by_path.get(path) {
                let is_text = json.starts_with(['"', '[']);
                cells[at] = escape.escape_cell(cell_text(path, json)?, is_text);
            }
            Ok(())
        })?;
        writer.write_record(&cells).map_err(csv_error)?;
        // The next row may lack some of these cells.
        cells.iter_mut().for_each(String::clear);
    }
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

/// Writes the rows of a list as JSON Lines: a line per row.
///
/// # Errors
/// The errors of [`write_csv`].
pub fn write_json_lines(
    list: &impl Serialize,
    out: impl Write,
    escape: &impl Escape,
) -> io::Result<()> {
    let json = serde_json::to_string(list)?;
    write_lines(&find_rows(&json)?, out, escape)
}

/// Writes a report as one line of JSON, and an array of reports as a line each.
///
/// # Errors
/// The errors of `out`.
pub fn write_report_lines(
    report: &impl Serialize,
    out: impl Write,
    escape: &impl Escape,
) -> io::Result<()> {
    let json = serde_json::to_string(report)?;
    write_lines(&find_reports(&json)?, out, escape)
}

fn write_lines(rows: &[&RawValue], mut out: impl Write, escape: &impl Escape) -> io::Result<()> {
    for row in rows {
        writeln!(out, "{}", escape.escape_json(row.get()))?;
    }
    out.flush()
}

/// Escapes texts for the place where rows are written.
pub trait Escape {
    /// Escapes a cell of CSV; `is_text` is false for numbers.
    fn escape_cell(&self, cell: String, is_text: bool) -> String;

    /// Escapes a line of JSON without a change of its value.
    fn escape_json<'l>(&self, line: &'l str) -> Cow<'l, str>;
}

/// Escapes nothing.
impl Escape for () {
    fn escape_cell(&self, cell: String, _: bool) -> String {
        cell
    }

    fn escape_json<'l>(&self, line: &'l str) -> Cow<'l, str> {
        line.into()
    }
}

/// Returns the text of a JSON value in a cell.
fn cell_text(path: &str, json: &str) -> io::Result<String> {
    if json == "null" {
        return Ok(String::new());
    }
    if json.starts_with('"') {
        return Ok(serde_json::from_str(json)?);
    }
    if json.starts_with("[\"") || json == "[]" {
        let texts = serde_json::from_str::<Vec<String>>(json);
        return Ok(texts.map_or_else(|_| json.to_owned(), |texts| texts.join("; ")));
    }
    let seconds = json.parse::<i64>().ok().filter(|_| is_time(path));
    let time = seconds.and_then(|seconds| jiff::Timestamp::from_second(seconds).ok());
    Ok(time.map_or_else(|| json.to_owned(), |time| time.to_string()))
}

/// True if a column has times: the names of the others end differently.
fn is_time(path: &str) -> bool {
    let key = path.rsplit('.').next().unwrap_or(path);
    key.ends_with("_at") || matches!(key, "since" | "until")
}

/// A list with other values beside its rows.
#[derive(Deserialize)]
struct Page<'j> {
    #[serde(borrow)]
    rows: Vec<&'j RawValue>,
}

/// Returns the rows of a list: the elements of an array, or those under the key `rows`.
fn find_rows(json: &str) -> io::Result<Vec<&RawValue>> {
    if json.starts_with('[') {
        return Ok(serde_json::from_str(json)?);
    }
    Ok(serde_json::from_str::<Page<'_>>(json)?.rows)
}

/// Returns the elements of an array, or the only report.
fn find_reports(json: &str) -> io::Result<Vec<&RawValue>> {
    if json.starts_with('[') {
        return Ok(serde_json::from_str(json)?);
    }
    Ok(vec![serde_json::from_str(json)?])
}

/// Returns the columns of all rows, in the order of their keys.
fn find_columns(rows: &[&RawValue]) -> io::Result<Vec<String>> {
    struct Column {
        path: String,
        has_value: bool,
    }
    let mut columns: Vec<Column> = Vec::new();
    for row in rows {
        // The place after the column of the last cell: rows have the same columns, mostly.
        let mut next = 0;
        for_each_cell(row, &mut |path, json| {
            let is_next = columns.get(next).is_some_and(|column| column.path == path);
            let position = is_next
                .then_some(next)
                .or_else(|| columns.iter().position(|column| column.path == path));
            let at = position.unwrap_or_else(|| {
                let path = path.to_owned();
                let has_value = false;
                columns.insert(next, Column { path, has_value });
                next
            });
            columns[at].has_value |= json != "null";
            next = at + 1;
            Ok(())
        })?;
    }
    // An object that is null in some rows has the columns of its keys only.
    let values = columns.iter().filter(|column| {
        let prefix = format!("{}.", column.path);
        column.has_value || !columns.iter().any(|other| other.path.starts_with(&prefix))
    });
    Ok(values.map(|column| column.path.clone()).collect())
}

/// Calls `each` with the values of a row, those of nested objects one by one: its keys joined by
/// dots, and its JSON.
fn for_each_cell(
    row: &RawValue,
    each: &mut dyn FnMut(&str, &str) -> io::Result<()>,
) -> io::Result<()> {
    visit_members(row, &mut String::new(), each)
}

fn visit_members(
    object: &RawValue,
    path: &mut String,
    each: &mut dyn FnMut(&str, &str) -> io::Result<()>,
) -> io::Result<()> {
    let Members(members) = serde_json::from_str(object.get())?;
    let parent = path.len();
    for (key, value) in members {
        if parent > 0 {
            path.push('.');
        }
        path.push_str(&key);
        if value.get().starts_with('{') {
            visit_members(value, path, each)?;
        } else {
            each(path, value.get())?;
        }
        path.truncate(parent);
    }
    Ok(())
}

/// The members of an object in their order.
struct Members<'j>(Vec<(String, &'j RawValue)>);

impl<'j> Deserialize<'j> for Members<'j> {
    fn deserialize<D: Deserializer<'j>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'j> Visitor<'j> for InOrder {
            type Value = Members<'j>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'j>>(self, mut map: A) -> Result<Members<'j>, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const COLUMNS: [&str; 8] = [
        "place",
        "name",
        "mu",
        "last.kind",
        "last.next.kind",
        "last.at",
        "tags",
        "active",
    ];

    fn to_csv(list: &impl Serialize) -> io::Result<String> {
        let mut out = Vec::new();
        write_csv(list, &COLUMNS, &mut out, &())?;
        Ok(String::from_utf8(out).unwrap())
    }

    fn to_lines(list: &impl Serialize) -> io::Result<String> {
        let mut out = Vec::new();
        write_json_lines(list, &mut out, &())?;
        Ok(String::from_utf8(out).unwrap())
    }

    fn report_to_csv(report: &impl Serialize) -> String {
        let mut out = Vec::new();
        write_report_csv(report, &mut out, &()).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn report_to_lines(report: &impl Serialize) -> String {
        let mut out = Vec::new();
        write_report_lines(report, &mut out, &()).unwrap();
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
        next: Option<Box<Last>>,
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
        let last = |kind, next| Last {
            kind,
            next: Option::map(next, Box::new),
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
    fn csv_has_the_declared_columns() {
        let expected = "place,name,mu,last.kind,last.next.kind,last.at,tags,active\r\n\
             1,plain,0.30000000000000004,,,,\"a; b\"\"c\",true\r\n\
             2,\"a,\"\"b\"\"\r\n=1\",0.30000000000000004,mine,,,\"a; b\"\"c\",false\r\n\
             3,,0.30000000000000004,x,y,,\"a; b\"\"c\",false\r\n";
        assert_eq!(to_csv(&page()).unwrap(), expected);
        assert_eq!(to_csv(&page().rows).unwrap(), expected);
        let headings = COLUMNS.join(",") + "\r\n";
        for empty in [json!([]), json!({"rows": [], "total": 0})] {
            assert_eq!(to_csv(&empty).unwrap(), headings);
            assert_eq!(to_lines(&empty).unwrap(), "");
        }
    }

    #[test]
    fn list_without_rows_is_an_error() {
        for no_list in [json!({"a": 1}), json!({"rows": 3}), json!("text")] {
            assert!(to_csv(&no_list).is_err(), "{no_list}");
            assert!(to_lines(&no_list).is_err(), "{no_list}");
        }
        assert!(to_csv(&json!(["a"])).is_err(), "a row is an object");
    }

    #[test]
    fn csv_has_times_as_text() {
        let row = |at: i64| json!([{"last": {"at": 1}, "ends_at": at, "since": 0, "float": 1}]);
        let mut out = Vec::new();
        let columns = ["ends_at", "since", "float"];
        for at in [1_700_164_800, i64::MAX] {
            write_csv(&row(at), &columns, &mut out, &()).unwrap();
        }
        let headings = "ends_at,since,float\r\n";
        let expected = format!(
            "{headings}2023-11-16T20:00:00Z,1970-01-01T00:00:00Z,1\r\n\
             {headings}9223372036854775807,1970-01-01T00:00:00Z,1\r\n"
        );
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn json_lines_have_a_row_each() {
        for lines in [to_lines(&page()), to_lines(&page().rows)] {
            let lines = lines.unwrap();
            let rows: Vec<serde_json::Value> =
                lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            assert_eq!(json!(rows), json!(page().rows));
            assert!(lines.starts_with(r#"{"place":1,"name":"plain","mu":"#), "{lines}");
        }
    }

    #[test]
    fn report_is_one_row() {
        let single = json!({"a": {"b": [1, {"c": null}], "rows": [2]}, "d": null, "e": {}});
        assert_eq!(report_to_csv(&single), "a.b,a.rows,d\r\n\"[1,{\"\"c\"\":null}]\",[2],\r\n");
        assert_eq!(report_to_lines(&single), format!("{single}\n"));
        assert_eq!(report_to_csv(&json!({"rows": 3})), "rows\r\n3\r\n");
    }

    #[test]
    fn reports_with_other_keys_share_the_columns() {
        let rows = json!([{"a": 1, "c": 2}, {"a": 3, "b": 4, "c": 5}, {"d": 6}]);
        assert_eq!(report_to_csv(&rows), "d,a,b,c\r\n,1,,2\r\n,3,4,5\r\n6,,,\r\n");
    }
}
