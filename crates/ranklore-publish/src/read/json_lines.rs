//! Reader of untrusted JSON Lines files.

use std::fmt;
use std::io::{BufRead, BufReader, Read};

use ranklore_contest::describe_json_error;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value as Json;

use super::FileRows;
use crate::batch::Value;
use crate::dictionary::{ColumnKind, ColumnSpec};
use crate::error::Error;
use crate::text::parse_value;

/// Maximum bytes of a row.
const MAX_LINE_BYTES: u64 = 16 << 20;

pub(super) fn read(mut rows: FileRows<'_>) -> Result<(), Error> {
    let mut reader = BufReader::with_capacity(1 << 18, rows.file.open()?);
    let columns = rows.columns.len();
    let mut line = Vec::new();
    loop {
        line.clear();
        let mut bounded = reader.by_ref().take(MAX_LINE_BYTES);
        bounded.read_until(b'\n', &mut line).map_err(Error::from_io(&rows.file.path))?;
        if line.is_empty() {
            return rows.emit_batch();
        }
        if line.last() != Some(&b'\n') {
            let reason = "the line is unterminated or longer than 16 MiB";
            return Err(rows.invalid_next_row(reason));
        }
        let Members(members) = serde_json::from_slice(&line)
            .map_err(|error| rows.invalid_next_row(describe_json_error(&error)))?;
        if members.len() != columns {
            let reason = format!("it has {} members instead of {columns}", members.len());
            return Err(rows.invalid_next_row(reason));
        }
        rows.push(|_, column| {
            let member = members.iter().find(|(name, _)| name == column.name);
            let (_, json) = member.ok_or("it is missing")?;
            parse_json_value(json, column)
        })?;
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

fn parse_json_value<'j>(json: &'j Json, column: &ColumnSpec) -> Result<Value<'j>, String> {
    let value = match (json, column.kind) {
        (Json::Null, _) => Some(Value::Missing),
        (Json::String(text), ColumnKind::Text | ColumnKind::Time) => parse_value(text, column.kind),
        (Json::Number(number), ColumnKind::Integer) => number.as_i64().map(Value::Integer),
        (Json::Number(number), ColumnKind::Number) => number.as_f64().map(Value::Number),
        (Json::Bool(value), ColumnKind::Boolean) => Some(Value::Boolean(*value)),
        _ => None,
    };
    value.ok_or_else(|| format!("{json} is no {}", column.kind.as_str()))
}
