//! Writer of plain tables; equal rows give equal bytes.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use ranklore_store::Error as StoreError;
use ranklore_store::sqlite::{RowInserter, RowInserts, resolve_path};
use rusqlite::types::Null;
use rusqlite::{Connection, ErrorCode, OpenFlags, Statement};

use super::names::quote_names;
use super::pragmas;
use super::table::{MAX_TEXT_BYTES, PlainKind, PlainTable, PlainValue};
use crate::error::Error;

/// Maximum rows bound in one call; a multiple of the rows of one statement.
const INSERT_BLOCK_ROWS: usize = 1024;

/// Writer of a file of plain tables. The file stays only if [finished](PlainWriter::finish);
/// dropping the writer removes it.
#[derive(Debug)]
pub struct PlainWriter {
    // Declared first, so that it closes before the file is removed.
    connection: Connection,
    output: UnfinishedFile,
    tables: Vec<TableState>,
}

impl PlainWriter {
    /// Creates the file with empty tables. Memory use is bounded: the page cache, and as much for
    /// sorting an index.
    ///
    /// # Errors
    /// [`Error::Store`] if the file exists, its folder does not, it cannot be written, or the table
    /// definitions are contradictory.
    pub fn create(path: &Path, tables: &[PlainTable<'_>]) -> Result<Self, Error> {
        let output = UnfinishedFile::create(resolve_path(path)?)?;
        let path = &output.path;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)
            .and_then(|connection| {
                pragmas::configure(&connection, pragmas::WRITER_PRAGMAS)?;
                connection.execute_batch("BEGIN")?;
                for table in tables {
                    connection.execute_batch(&create_table_sql(table))?;
                }
                Ok(connection)
            })
            .map_err(|error| StoreError::from_sqlite(path, error))?;
        Ok(Self {
            connection,
            output,
            tables: tables.iter().map(TableState::from_plain).collect(),
        })
    }

    /// Appends rows to a table, given by its index in [`PlainWriter::create`]. Calls `value` with
    /// every row, from 0, and every column. Rows in key order are fastest.
    ///
    /// After an error the file is empty, and further writes fail.
    ///
    /// # Errors
    /// [`Error::InvalidTable`] if a value does not fit its column or a key is not unique;
    /// [`Error::Store`] if the file cannot be written.
    ///
    /// # Panics
    /// If there is no such table.
    pub fn insert<'v>(
        &mut self,
        table: usize,
        rows: usize,
        value: impl Fn(usize, usize) -> PlainValue<'v>,
    ) -> Result<(), Error> {
        let result = self.tables[table].insert(&self.connection, rows, value);
        result.map_err(|error| {
            // SQLite may have rolled back already.
            let _ = self.connection.execute_batch("ROLLBACK");
            self.classify_insert_error(table, error)
        })
    }

    /// Builds the indices, runs ANALYZE and syncs the file. Leaves no journal file beside it.
    ///
    /// # Errors
    /// [`Error::Store`] if the file cannot be written. The file is removed then.
    pub fn finish(self) -> Result<(), Error> {
        let Self {
            connection,
            mut output,
            tables,
        } = self;
        let failed = |error| StoreError::from_sqlite(&output.path, error);
        for index in tables.iter().flat_map(|table| &table.indices) {
            connection.execute_batch(index).map_err(failed)?;
        }
        connection.execute_batch("ANALYZE; COMMIT").map_err(failed)?;
        connection.close().map_err(|(_, error)| failed(error))?;
        Ok(output.keep()?)
    }

    /// Maps the error of a failed insert.
    fn classify_insert_error(&self, table: usize, error: rusqlite::Error) -> Error {
        let reason = match error {
            rusqlite::Error::ToSqlConversionFailure(reason) => reason.to_string(),
            error if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => {
                error.to_string()
            }
            error => return StoreError::from_sqlite(&self.output.path, error).into(),
        };
        Error::InvalidTable {
            path: self.output.path.clone(),
            table: self.tables[table].name.clone(),
            reason,
        }
    }
}

/// A file that is removed on drop unless it is finished.
#[derive(Debug)]
struct UnfinishedFile {
    path: PathBuf,
    file: File,
    is_finished: bool,
}

impl UnfinishedFile {
    fn create(path: PathBuf) -> Result<Self, StoreError> {
        let file =
            File::create_new(&path).map_err(|error| StoreError::from_io_write(&path, error))?;
        Ok(Self {
            path,
            file,
            is_finished: false,
        })
    }

    fn keep(&mut self) -> Result<(), StoreError> {
        self.file
            .sync_all()
            .map_err(|error| StoreError::from_io_write(&self.path, error))?;
        self.is_finished = true;
        Ok(())
    }
}

impl Drop for UnfinishedFile {
    fn drop(&mut self) {
        if !self.is_finished {
            // A leftover is recognizable as unfinished: it has no tables.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// State of a table until the file is finished.
#[derive(Debug)]
struct TableState {
    name: String,
    columns: Vec<ColumnState>,
    /// The table and its columns as named in INSERT.
    inserts: RowInserts,
    /// The statements that create its further indices.
    indices: Vec<String>,
}

#[derive(Debug)]
struct ColumnState {
    name: String,
    kind: PlainKind,
    nullable: bool,
}

impl TableState {
    fn from_plain(table: &PlainTable<'_>) -> Self {
        let columns = table.columns.iter().map(|column| ColumnState {
            name: column.name.to_owned(),
            kind: column.kind,
            nullable: column.nullable && !table.key.contains(&column.name),
        });
        let name = quote_names([table.name]);
        let names = quote_names(table.columns.iter().map(|column| column.name));
        let indices = table.indices.iter().map(|columns| {
            let index = format!("idx_{}_{}", table.name, columns.join("_"));
            let columns = quote_names(columns.iter().copied());
            format!("CREATE INDEX {} ON {name} ({columns})", quote_names([&*index]))
        });
        Self {
            name: table.name.to_owned(),
            columns: columns.collect(),
            inserts: RowInserts::new(&format!("{name} ({names})"), 0, table.columns.len()),
            indices: indices.collect(),
        }
    }

    fn insert<'v>(
        &self,
        connection: &Connection,
        rows: usize,
        value: impl Fn(usize, usize) -> PlainValue<'v>,
    ) -> rusqlite::Result<()> {
        let mut inserter = RowInserter::new(connection, &self.inserts);
        let block: Vec<_> = (0..INSERT_BLOCK_ROWS).collect();
        for first in (0..rows).step_by(INSERT_BLOCK_ROWS) {
            let block = &block[..INSERT_BLOCK_ROWS.min(rows - first)];
            inserter.insert(&[], block, |statement, at, &row| {
                let row = first + row;
                for (number, column) in self.columns.iter().enumerate() {
                    let value = value(row, number);
                    if let Some(reason) = column.rejection_reason(value) {
                        let reason = format!("row {row} has {reason} in column {}", column.name);
                        return Err(rusqlite::Error::ToSqlConversionFailure(reason.into()));
                    }
                    bind_value(statement, at + number, value)?;
                }
                Ok(())
            })?;
        }
        Ok(())
    }
}

impl ColumnState {
    /// Returns the reason if the column cannot hold the value. SQLite would convert between numbers
    /// and text, store NaN as NULL, and not report the row.
    fn rejection_reason(&self, value: PlainValue<'_>) -> Option<&'static str> {
        match (value, self.kind) {
            (PlainValue::Null, _) if self.nullable => None,
            (PlainValue::Null, _) => Some("nothing"),
            (PlainValue::Text(text), PlainKind::Text) => {
                (text.len() > MAX_TEXT_BYTES).then_some("a text of over 1 MiB")
            }
            (PlainValue::Text(_), _) => Some("a text"),
            (PlainValue::Integer(_), PlainKind::Integer)
            | (PlainValue::Integer(0 | 1), PlainKind::Boolean) => None,
            (PlainValue::Integer(_), PlainKind::Boolean) => Some("a number that is no boolean"),
            (PlainValue::Integer(_), _) => Some("a whole number"),
            (PlainValue::Real(number), PlainKind::Real) => number.is_nan().then_some("NaN"),
            (PlainValue::Real(_), _) => Some("a real number"),
        }
    }
}

fn bind_value(
    statement: &mut Statement<'_>,
    at: usize,
    value: PlainValue<'_>,
) -> rusqlite::Result<()> {
    match value {
        PlainValue::Null => statement.raw_bind_parameter(at, Null),
        PlainValue::Text(text) => statement.raw_bind_parameter(at, text),
        PlainValue::Integer(number) => statement.raw_bind_parameter(at, number),
        PlainValue::Real(number) => statement.raw_bind_parameter(at, number),
    }
}

fn create_table_sql(table: &PlainTable<'_>) -> String {
    let columns = table.columns.iter().map(|column| {
        let name = quote_names([column.name]);
        let kind = match column.kind {
            PlainKind::Text => "TEXT",
            // An INTEGER that is the only key column replaces the row number, and the rows would
            // lose their order. INT does not.
            PlainKind::Integer | PlainKind::Boolean if table.key == [column.name] => "INT",
            PlainKind::Integer | PlainKind::Boolean => "INTEGER",
            PlainKind::Real => "REAL",
        };
        let null = if column.nullable { "" } else { " NOT NULL" };
        let check = match column.kind {
            PlainKind::Boolean => format!(" CHECK ({name} IN (0, 1))"),
            _ => String::new(),
        };
        format!("{name} {kind}{null}{check}")
    });
    // Datasette finds and links rows by the declared primary key, which cannot be added later. For
    // 1.4 million rows in key order it takes 1.2 s, as long as an index built afterwards; for rows
    // in random order four times as long.
    let key = (!table.key.is_empty())
        .then(|| format!("PRIMARY KEY ({})", quote_names(table.key.iter().copied())));
    let references = table.references.iter().map(|reference| {
        format!(
            "FOREIGN KEY ({}) REFERENCES {} ({})",
            quote_names(reference.columns.iter().copied()),
            quote_names([reference.table]),
            quote_names(reference.to.iter().copied())
        )
    });
    let parts: Vec<_> = columns.chain(key).chain(references).collect();
    format!(
        "CREATE TABLE {} (\n  {}\n) STRICT",
        quote_names([table.name]),
        parts.join(",\n  ")
    )
}
