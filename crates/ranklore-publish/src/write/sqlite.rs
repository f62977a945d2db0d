//! Writer of a SQLite file with all tables and indices for common queries, ready for Datasette.

use std::path::Path;

use super::{TableWriter, WrittenFile};
use crate::batch::{RowBatch, Value};
use crate::dictionary::{ColumnKind, TableId, TableSpec};
use crate::error::Error;
use crate::plain::{PlainColumn, PlainKind, PlainReference, PlainTable, PlainValue, PlainWriter};
use crate::scan::items::Partition;
use crate::text::format_time;

/// The file name.
const SQLITE_FILE: &str = "dataset.sqlite";

/// Writes `dataset.sqlite`. Times are texts such as `2024-03-01T12:00:00Z`, which SQLite functions
/// and Datasette understand.
pub(crate) struct SqliteWriter {
    file: PlainWriter,
    /// Rows written so far, by table.
    rows: [u64; TableId::ALL.len()],
}

/// Table of row counts, as counting millions of rows is slow. Name and columns are those that
/// sqlite-utils reads.
const COUNTS_TABLE: &str = "_counts";

impl SqliteWriter {
    /// Creates a writer in the folder `root`.
    pub(crate) fn new(root: &Path) -> Result<Self, Error> {
        let columns = TableId::ALL.map(|id| plain_columns(id.spec()));
        let references = TableId::ALL.map(|id| plain_references(id.spec()));
        let count_kinds = [("table", PlainKind::Text), ("count", PlainKind::Integer)];
        let count_columns = count_kinds.map(|(name, kind)| PlainColumn {
            name,
            kind,
            nullable: false,
        });
        let specs = TableId::ALL.iter().zip(&columns).zip(&references);
        let mut tables: Vec<PlainTable<'_>> = specs
            .map(|((id, columns), references)| PlainTable {
                name: id.name(),
                columns,
                key: id.spec().key,
                references,
                indices: plain_indices(*id),
            })
            .collect();
        tables.push(PlainTable {
            name: COUNTS_TABLE,
            columns: &count_columns,
            key: &["table"],
            references: &[],
            indices: &[],
        });
        Ok(Self {
            file: PlainWriter::create(&root.join(SQLITE_FILE), &tables)?,
            rows: [0; TableId::ALL.len()],
        })
    }
}

impl TableWriter for SqliteWriter {
    fn write(&mut self, _: &Partition, batch: &RowBatch) -> Result<(), Error> {
        // Times are the only values that need formatting.
        let times: Vec<Vec<String>> = batch
            .columns
            .iter()
            .zip(batch.table.spec().columns)
            .map(|(values, column)| match column.kind {
                ColumnKind::Time => (0..batch.rows)
                    .map(|row| match values.get(row) {
                        Value::Time(at) => format_time(at),
                        _ => String::new(),
                    })
                    .collect(),
                _ => Vec::new(),
            })
            .collect();
        self.rows[batch.table.index()] += batch.rows as u64;
        self.file.insert(batch.table.index(), batch.rows, |row, column| {
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

    fn finish(self: Box<Self>) -> Result<Vec<WrittenFile>, Error> {
        let Self { mut file, rows } = *self;
        file.insert(TableId::ALL.len(), rows.len(), |row, column| match column {
            0 => PlainValue::Text(TableId::ALL[row].name()),
            _ => PlainValue::Integer(rows[row] as i64),
        })?;
        file.finish()?;
        Ok(vec![WrittenFile {
            table: None,
            path: SQLITE_FILE.to_owned(),
        }])
    }
}

fn plain_columns(table: &'static TableSpec) -> Vec<PlainColumn<'static>> {
    let columns = table.columns.iter();
    columns
        .map(|column| PlainColumn {
            name: column.name,
            kind: match column.kind {
                ColumnKind::Text | ColumnKind::Time => PlainKind::Text,
                ColumnKind::Integer => PlainKind::Integer,
                ColumnKind::Number => PlainKind::Real,
                ColumnKind::Boolean => PlainKind::Boolean,
            },
            nullable: column.nullable,
        })
        .collect()
}

fn plain_references(table: &'static TableSpec) -> Vec<PlainReference<'static>> {
    let references = table.references.iter();
    references
        .map(|reference| PlainReference {
            columns: reference.columns,
            table: reference.table.name(),
            to: reference.to,
        })
        .collect()
}

/// Returns the indices besides keys: results and ratings of a competitor, contests by time.
const fn plain_indices(table: TableId) -> &'static [&'static [&'static str]] {
    match table {
        TableId::Contest => &[&["ends_at"]],
        TableId::Standing | TableId::Rating => &[&["source", "kind", "competitor"]],
        TableId::Member => &[&["source", "person"]],
        TableId::Competitor => &[&["name"]],
        TableId::RatingRun => &[],
    }
}
