//! Reader of untrusted SQLite files.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{SyncSender, sync_channel};

use super::{RowBatches, invalid_value, wrong_columns};
use crate::batch::{RowBatch, Value};
use crate::dictionary::{ColumnKind, ColumnSpec, TableId};
use crate::error::Error;
use crate::plain::{PlainReader, PlainValue};
use crate::text::parse_value;

/// Opens a table of a file. A thread runs the row callback of SQLite and ends when the receiver is
/// dropped.
pub(super) fn open(path: PathBuf, table: TableId, columns: &'static [ColumnSpec]) -> RowBatches {
    let (send, receive) = sync_channel(2);
    std::thread::spawn(move || {
        if let Err(error) = send_batches(&path, table, columns, &send) {
            // The receiver may be dropped already.
            let _ = send.send(Err(error));
        }
    });
    Box::new(receive.into_iter())
}

fn send_batches(
    path: &Path,
    table: TableId,
    columns: &[ColumnSpec],
    send: &SyncSender<Result<RowBatch, Error>>,
) -> Result<(), Error> {
    let reader = PlainReader::open(path)?;
    let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
    let tables = reader.tables()?;
    if !tables.iter().any(|(name, columns)| name == table.name() && *columns == names) {
        return Err(wrong_columns(path, table));
    }
    let mut batch = RowBatch::new(table);
    let mut number = 0;
    reader.for_each_row(table.name(), &names, |row| {
        number += 1;
        for ((value, column), values) in row.iter().zip(columns).zip(&mut batch.columns) {
            let value = convert_value(value, column)
                .map_err(|reason| invalid_value(path, number, column.name, reason))?;
            values.push(value);
        }
        batch.rows += 1;
        if batch.is_full() {
            // The receiver is dropped; this error is not reported.
            send.send(Ok(batch.take())).map_err(|_| Error::Interrupted)?;
        }
        Ok(())
    })?;
    if batch.rows > 0 {
        let _ = send.send(Ok(batch));
    }
    Ok(())
}

fn convert_value<'v>(value: &'v PlainValue<'v>, column: &ColumnSpec) -> Result<Value<'v>, String> {
    let converted = match (*value, column.kind) {
        (PlainValue::Null, _) if column.nullable => return Ok(Value::Missing),
        (PlainValue::Null, _) => return Err("a value is missing".to_owned()),
        (PlainValue::Text(text), ColumnKind::Text | ColumnKind::Time) => {
            parse_value(text, column.kind)
        }
        (PlainValue::Integer(value), ColumnKind::Integer) => Some(Value::Integer(value)),
        (PlainValue::Integer(value @ (0 | 1)), ColumnKind::Boolean) => {
            Some(Value::Boolean(value == 1))
        }
        (PlainValue::Real(value), ColumnKind::Number) if value.is_finite() => {
            Some(Value::Number(value))
        }
        _ => None,
    };
    converted.ok_or_else(|| format!("it is no {}", column.kind.as_str()))
}
