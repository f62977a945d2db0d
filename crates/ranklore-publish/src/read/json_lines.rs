//! Reader of untrusted JSON Lines files.

use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;

use ranklore_contest::describe_json_error;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value as Json;

use super::{RowBatches, collect_batches, invalid_value};
use crate::batch::{RowBatch, Value};
use crate::dictionary::{ColumnKind, ColumnSpec, TableId};
use crate::error::Error;
use crate::text::parse_value;

/// Maximum bytes of a row.
const MAX_LINE_BYTES: u64 = 16 << 20;

/// The rows of a file.
struct JsonLinesRows {
    path: PathBuf,
    columns: &'static [ColumnSpec],
    reader: BufReader<File>,
    line: Vec<u8>,
    row: u64,
}

pub(super) fn open(
    path: PathBuf,
    table: TableId,
    columns: &'static [ColumnSpec],
) -> Result<RowBatches, Error> {
    let file = File::open(&path).map_err(Error::from_io(&path))?;
    let mut rows = JsonLinesRows {
        path,
        columns,
        reader: BufReader::with_capacity(1 << 18, file),
        line: Vec::new(),
        row: 0,
    };
    Ok(collect_batches(table, move |batch| rows.read_row(batch)))
}

impl JsonLinesRows {
    fn read_row(&mut self, batch: &mut RowBatch) -> Result<bool, Error> {
        self.row += 1;
        self.line.clear();
        let mut bounded = self.reader.by_ref().take(MAX_LINE_BYTES);
        bounded.read_until(b'\n', &mut self.line).map_err(Error::from_io(&self.path))?;
        if self.line.is_empty() {
            return Ok(false);
        }
        let place = || format!("{}, row {}", self.path.display(), self.row);
        if self.line.last() != Some(&b'\n') {
            let reason = "the line is unterminated or longer than 16 MiB";
            return Err(Error::invalid(place(), reason));
        }
        let Members(row) = serde_json::from_slice(&self.line)
            .map_err(|error| Error::invalid(place(), describe_json_error(&error)))?;
        let columns = self.columns;
        if row.len() != columns.len() {
            let reason = format!("it has {} members instead of {}", row.len(), columns.len());
            return Err(Error::invalid(place(), reason));
        }
        for (column, values) in columns.iter().zip(&mut batch.columns) {
            let member = row.iter().find(|(name, _)| name == column.name);
            let value = parse_json_value(member.map(|(_, json)| json), column)
                .map_err(|reason| invalid_value(&self.path, self.row, column.name, reason))?;
            values.push(value);
        }
        batch.rows += 1;
        Ok(true)
    }
}

/// The members of a JSON object, duplicates included: a duplicate implies a missing column.
struct Members(Vec<(String, Json)>);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct RowVisitor;
        impl<'de> Visitor<'de> for RowVisitor {
            type Value = Members;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(RowVisitor)
    }
}

fn parse_json_value<'j>(json: Option<&'j Json>, column: &ColumnSpec) -> Result<Value<'j>, String> {
    let value = match (json, column.kind) {
        (None, _) => return Err("it is missing".to_owned()),
        (Some(Json::Null), _) if column.nullable => return Ok(Value::Missing),
        (Some(Json::Null), _) => return Err("a value is missing".to_owned()),
        (Some(Json::String(text)), ColumnKind::Text | ColumnKind::Time) => {
            parse_value(text, column.kind)
        }
        (Some(Json::Number(number)), ColumnKind::Integer) => number.as_i64().map(Value::Integer),
        (Some(Json::Number(number)), ColumnKind::Number) => number.as_f64().map(Value::Number),
        (Some(Json::Bool(value)), ColumnKind::Boolean) => Some(Value::Boolean(*value)),
        _ => None,
    };
    value.ok_or_else(|| match json {
        Some(json) => format!("{json} is no {}", column.kind.as_str()),
        None => String::new(),
    })
}
