//! Making a file of plain tables, of the same bytes whenever its rows are the same.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use ranklore_store::Error as StoreError;
use ranklore_store::sqlite::{RowInserter, resolve_path};
use rusqlite::types::Null;
use rusqlite::{Connection, ErrorCode, OpenFlags, Statement};

use super::names::quote_names;
use super::pragmas;
use super::table::{LONGEST_TEXT, PlainKind, PlainTable, PlainValue};
use crate::error::Error;

/// Rows that are bound in one go; a multiple of those in one statement.
const BLOCK: usize = 1024;

/// Makes a file of plain tables, which is there once it is [finished](PlainWriter::finish). One
/// that is dropped before takes its file away.
#[derive(Debug)]
pub struct PlainWriter {
    // Closed before its file is taken away.
    connection: Connection,
    made: Made,
    tables: Vec<Table>,
}

impl PlainWriter {
    /// Makes the file with empty tables. What it takes of memory does not grow with what comes
    /// into them: the page cache, and as much for sorting an index.
    ///
    /// # Errors
    /// [`Error::Store`] when there is such a file already, or no such folder, when it cannot be
    /// written, and when the tables contradict themselves.
    pub fn create(path: &Path, tables: &[PlainTable<'_>]) -> Result<Self, Error> {
        let made = Made::new(resolve_path(path)?)?;
        let path = &made.path;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)
            .and_then(|connection| {
                pragmas::set_writer(&connection)?;
                connection.execute_batch("BEGIN")?;
                for table in tables {
                    connection.execute_batch(&create_table(table))?;
                }
                Ok(connection)
            })
            .map_err(|error| StoreError::from_sqlite(path, error))?;
        Ok(Self {
            connection,
            made,
            tables: tables.iter().map(Table::new).collect(),
        })
    }

    /// Adds rows to a table, given by its number in the order of [`PlainWriter::create`]; after
    /// those that it has. `value` is asked for every row, from 0, and every column. It is fastest
    /// when the rows are in the order of the key.
    ///
    /// After an error there is nothing in the file, and nothing more can be written to it.
    ///
    /// # Errors
    /// [`Error::InvalidTable`] when a value is not of the kind of its column, or a key is there
    /// twice; [`Error::Store`] when the file cannot be written.
    ///
    /// # Panics
    /// When there is no such table.
    pub fn insert<'v>(
        &mut self,
        table: usize,
        rows: usize,
        value: impl Fn(usize, usize) -> PlainValue<'v>,
    ) -> Result<(), Error> {
        let inserted = self.tables[table].insert(&self.connection, rows, value);
        inserted.map_err(|error| {
            // It was taken back by SQLite already where this fails.
            let _ = self.connection.execute_batch("ROLLBACK");
            self.invalid(table, error)
        })
    }

    /// Builds the indices, gathers what SQLite plans its queries by, and brings the file to the
    /// disk. Nothing else lies beside it.
    ///
    /// # Errors
    /// [`Error::Store`] when the file cannot be written. Then there is no file.
    pub fn finish(self) -> Result<(), Error> {
        let Self {
            connection,
            mut made,
            tables,
        } = self;
        let failed = |error| StoreError::from_sqlite(&made.path, error);
        for index in tables.iter().flat_map(|table| &table.indices) {
            connection.execute_batch(index).map_err(failed)?;
        }
        connection
            .execute_batch("ANALYZE; COMMIT")
            .map_err(failed)?;
        connection.close().map_err(|(_, error)| failed(error))?;
        Ok(made.keep()?)
    }

    /// What a failed insertion means.
    fn invalid(&self, table: usize, error: rusqlite::Error) -> Error {
        let reason = match error {
            rusqlite::Error::ToSqlConversionFailure(reason) => reason.to_string(),
            error if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => {
                error.to_string()
            }
            error => return StoreError::from_sqlite(&self.made.path, error).into(),
        };
        Error::InvalidTable {
            path: self.made.path.clone(),
            table: self.tables[table].name.clone(),
            reason,
        }
    }
}

/// A file that goes away again unless it is kept.
#[derive(Debug)]
struct Made {
    path: PathBuf,
    file: File,
    kept: bool,
}

impl Made {
    fn new(path: PathBuf) -> Result<Self, StoreError> {
        let file = File::create_new(&path).map_err(|error| StoreError::from_io(&path, error))?;
        Ok(Self {
            path,
            file,
            kept: false,
        })
    }

    fn keep(&mut self) -> Result<(), StoreError> {
        self.file
            .sync_all()
            .map_err(|error| StoreError::from_io(&self.path, error))?;
        self.kept = true;
        Ok(())
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        if !self.kept {
            // What does not go is no finished file: it has no tables.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// What is kept of a table until the file is finished.
#[derive(Debug)]
struct Table {
    name: String,
    columns: Vec<Column>,
    /// The table with its columns, as an INSERT names it.
    into: String,
    /// The statements that make its further indices.
    indices: Vec<String>,
}

#[derive(Debug)]
struct Column {
    name: String,
    kind: PlainKind,
    nullable: bool,
}

impl Table {
    fn new(table: &PlainTable<'_>) -> Self {
        let columns = table.columns.iter().map(|column| Column {
            name: column.name.to_owned(),
            kind: column.kind,
            nullable: column.nullable && !table.key.contains(&column.name),
        });
        let name = quote_names([table.name]);
        let names = quote_names(table.columns.iter().map(|column| column.name));
        let indices = table.indices.iter().map(|columns| {
            let index = format!("idx_{}_{}", table.name, columns.join("_"));
            let columns = quote_names(columns.iter().copied());
            format!(
                "CREATE INDEX {} ON {name} ({columns})",
                quote_names([&*index])
            )
        });
        Self {
            name: table.name.to_owned(),
            columns: columns.collect(),
            into: format!("{name} ({names})"),
            indices: indices.collect(),
        }
    }

    fn insert<'v>(
        &self,
        connection: &Connection,
        rows: usize,
        value: impl Fn(usize, usize) -> PlainValue<'v>,
    ) -> rusqlite::Result<()> {
        let mut inserter = RowInserter::new(connection, &self.into, 0, self.columns.len());
        let block: Vec<_> = (0..BLOCK).collect();
        for first in (0..rows).step_by(BLOCK) {
            let block = &block[..BLOCK.min(rows - first)];
            inserter.insert(&[], block, |statement, at, &row| {
                let row = first + row;
                for (number, column) in self.columns.iter().enumerate() {
                    let value = value(row, number);
                    if let Some(reason) = column.refuses(value) {
                        let reason = format!("row {row} has {reason} in column {}", column.name);
                        return Err(rusqlite::Error::ToSqlConversionFailure(reason.into()));
                    }
                    bind(statement, at + number, value)?;
                }
                Ok(())
            })?;
        }
        Ok(())
    }
}

impl Column {
    /// Why a value cannot stand there. SQLite would write a number as text, a text as a number
    /// and NaN as nothing, and does not say which row it refuses.
    fn refuses(&self, value: PlainValue<'_>) -> Option<&'static str> {
        match (value, self.kind) {
            (PlainValue::Null, _) if self.nullable => None,
            (PlainValue::Null, _) => Some("nothing"),
            (PlainValue::Text(text), PlainKind::Text) => {
                (text.len() > LONGEST_TEXT).then_some("a text of over 1 MiB")
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

fn bind(statement: &mut Statement<'_>, at: usize, value: PlainValue<'_>) -> rusqlite::Result<()> {
    match value {
        PlainValue::Null => statement.raw_bind_parameter(at, Null),
        PlainValue::Text(text) => statement.raw_bind_parameter(at, text),
        PlainValue::Integer(number) => statement.raw_bind_parameter(at, number),
        PlainValue::Real(number) => statement.raw_bind_parameter(at, number),
    }
}

fn create_table(table: &PlainTable<'_>) -> String {
    let columns = table.columns.iter().map(|column| {
        let name = quote_names([column.name]);
        let kind = match column.kind {
            PlainKind::Text => "TEXT",
            // An INTEGER that alone is the key would take the place of the row number, and the
            // rows would lose their order. An INT does not.
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
    // Datasette finds rows, and leads from one to another, by what is declared the primary key;
    // that cannot be declared later. For 1.4 million rows in its order it takes no longer than an
    // index made afterwards (1.2 s), but in no order at all four times as long.
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
