//! A SQLite file of all tables, with the indices that questions need: ready for Datasette.

use std::path::Path;

use ranklore_store::{PlainColumn, PlainKind, PlainReference, PlainTable, PlainValue, PlainWriter};

use super::{TableWriter, Written};
use crate::Error;
use crate::batch::{Batch, Value};
use crate::dictionary::{Kind, Table, TableId};
use crate::gather::Part;
use crate::text::time;

/// The name of the file.
const FILE: &str = "dataset.sqlite";

/// Writes `dataset.sqlite`. Times are texts such as `2024-03-01T12:00:00Z`, which SQLite's own
/// functions and Datasette understand.
pub(crate) struct SqliteWriter(PlainWriter);

impl SqliteWriter {
    /// In the folder `root`.
    pub(crate) fn new(root: &Path) -> Result<Self, Error> {
        let columns = TableId::ALL.map(|id| columns(id.table()));
        let references = TableId::ALL.map(|id| references(id.table()));
        let tables: Vec<PlainTable<'_>> = (TableId::ALL.iter().zip(&columns).zip(&references))
            .map(|((id, columns), references)| PlainTable {
                name: id.name(),
                columns,
                key: id.table().key,
                references,
                indices: indices(*id),
            })
            .collect();
        Ok(Self(PlainWriter::create(&root.join(FILE), &tables)?))
    }
}

impl TableWriter for SqliteWriter {
    fn write(&mut self, _: &Part, batch: &Batch) -> Result<(), Error> {
        // Times are the only values that are not at hand as they are written.
        let times: Vec<Vec<String>> = (batch.columns.iter())
            .zip(batch.table.table().columns)
            .map(|(values, column)| match column.kind {
                Kind::Time => (0..batch.rows)
                    .map(|row| match values.get(row) {
                        Value::Time(at) => time(at),
                        _ => String::new(),
                    })
                    .collect(),
                _ => Vec::new(),
            })
            .collect();
        self.0
            .insert(batch.table.index(), batch.rows, |row, column| {
                match batch.get(row, column) {
                    Value::Missing => PlainValue::Null,
                    Value::Text(text) => PlainValue::Text(text),
                    Value::Integer(value) => PlainValue::Integer(value),
                    Value::Number(value) => PlainValue::Real(value),
                    Value::Time(_) => PlainValue::Text(&times[column][row]),
                    Value::Boolean(value) => PlainValue::Integer(value.into()),
                }
            })?;
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Vec<Written>, Error> {
        self.0.finish()?;
        Ok(vec![Written {
            table: None,
            path: FILE.to_owned(),
        }])
    }
}

fn columns(table: &'static Table) -> Vec<PlainColumn<'static>> {
    (table.columns.iter())
        .map(|column| PlainColumn {
            name: column.name,
            kind: match column.kind {
                Kind::Text | Kind::Time => PlainKind::Text,
                Kind::Integer => PlainKind::Integer,
                Kind::Number => PlainKind::Real,
                Kind::Boolean => PlainKind::Boolean,
            },
            nullable: column.nullable,
        })
        .collect()
}

fn references(table: &'static Table) -> Vec<PlainReference<'static>> {
    (table.references.iter())
        .map(|reference| PlainReference {
            columns: reference.columns,
            table: reference.table.name(),
            to: reference.to,
        })
        .collect()
}

/// What people look for beside keys: the results and the ratings of somebody, contests by time.
const fn indices(table: TableId) -> &'static [&'static [&'static str]] {
    match table {
        TableId::Contest => &[&["ends_at"]],
        TableId::Standing | TableId::Rating => &[&["source", "kind", "competitor"]],
        TableId::Member => &[&["source", "person"]],
        TableId::Competitor => &[&["name"]],
        TableId::RatingRun => &[],
    }
}
