//! Reader of untrusted SQLite files.

use std::fs::File;
use std::path::{Path, PathBuf};

use ranklore_store::Error as StoreError;
use ranklore_store::sqlite::{open_immutable, resolve_path};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode, Row};

use super::FileRows;
use crate::batch::Value;
use crate::dictionary::{ColumnKind, ColumnSpec};
use crate::error::Error;
use crate::pragmas::{configure, quote_names};
use crate::text::parse_value;

/// Settings for reading untrusted files.
///
/// - Pages that contradict themselves are found before their cells are read.
/// - Check constraints are code of the file's author and do not run.
/// - Each page is passed once or twice, so the cache is small.
const PRAGMAS: &str = "
    PRAGMA cell_size_check = ON; PRAGMA ignore_check_constraints = ON; PRAGMA query_only = ON;
    PRAGMA cache_size = -4096; PRAGMA temp_store = FILE;
";

/// Reads the rows of a table in insertion order.
pub(super) fn read(mut rows: FileRows<'_>) -> Result<(), Error> {
    let table = rows.file.table;
    let columns = rows.columns;
    let file = SqliteFile::open(&rows.file.path)?;
    let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
    rows.file.require_columns(file.columns_of(table.name())? == names)?;
    let sql = format!(
        "SELECT {} FROM \"{}\" NOT INDEXED ORDER BY rowid",
        quote_names(&names),
        table.name()
    );
    let failed = |error| file.classify_error(error);
    let mut statement = file.connection.prepare(&sql).map_err(failed)?;
    let mut stored_rows = statement.raw_query();
    while let Some(row) = stored_rows.next().map_err(failed)? {
        let read_column = |(index, name): (usize, &&str)| {
            read_value(row, index).map_err(|kind| {
                let place = format!("row {} of table {}", rows.row, table.name());
                file.invalid_file(format!("{place} has {kind} in column {name}"))
            })
        };
        let values = names.iter().enumerate().map(read_column);
        let values: Vec<Value<'_>> = values.collect::<Result<_, Error>>()?;
        rows.push(|index, column| convert_value(values[index], column))?;
    }
    rows.emit_batch()
}

/// An open file. It must not change while it is open.
struct SqliteFile {
    connection: Connection,
    path: PathBuf,
}

impl SqliteFile {
    /// Opens the file and checks it for damage, except for the agreement of indices and tables:
    /// rows are read without indices. Writes nothing, and ignores journal files beside it.
    ///
    /// # Errors
    /// [`Error::InvalidPlainFile`] if it is no SQLite file, is damaged, or holds anything but
    /// tables and their indices; [`Error::Store`] if it cannot be read.
    fn open(path: &Path) -> Result<Self, Error> {
        let path = resolve_path(path)?;
        let not_plain = |reason: &str| Error::InvalidPlainFile {
            path: path.clone(),
            reason: reason.to_owned(),
        };
        let unreadable = |error| StoreError::from_io_read(&path, error);
        if !path.metadata().map_err(unreadable)?.is_file() {
            return Err(not_plain("it is no file"));
        }
        // SQLite does not report why it cannot open a file.
        File::open(&path).map_err(unreadable)?;
        let connection = open_immutable(&path).ok_or_else(|| not_plain("SQLite cannot open it"))?;
        let file = Self { connection, path };
        configure(&file.connection, PRAGMAS).map_err(|error| file.classify_error(error))?;
        file.check_integrity()?;
        Ok(file)
    }

    fn check_integrity(&self) -> Result<(), Error> {
        let length = self.path.metadata().map_or(0, |file| file.len());
        let page_size: u32 = self
            .connection
            .pragma_query_value(None, "page_size", |row| row.get(0))
            .map_err(|error| self.classify_error(error))?;
        // SQLite would read a missing end of a page as zeros.
        if length == 0 || !length.is_multiple_of(page_size.into()) {
            return Err(self.invalid_file("it ends within a page".to_owned()));
        }
        // First check, as merely inspecting a virtual table runs its code. SQLite goes by the text
        // of the statement, whatever type the row claims.
        let foreign = self.query_strings(
            "SELECT name FROM sqlite_schema WHERE NOT coalesce(
                 type = 'table' AND rootpage > 0 AND sql GLOB 'CREATE TABLE *'
                 OR type = 'index' AND rootpage > 0 AND (sql IS NULL
                     OR sql GLOB 'CREATE INDEX *' OR sql GLOB 'CREATE UNIQUE INDEX *'), 0)
             LIMIT 1",
        )?;
        if let [name] = &*foreign {
            return Err(self.invalid_file(format!("\"{name}\" in it is neither table nor index")));
        }
        let computed = self.query_strings(
            "SELECT s.name FROM sqlite_schema s, pragma_table_xinfo(s.name) c
             WHERE s.type = 'table' AND c.hidden <> 0 LIMIT 1",
        )?;
        if let [name] = &*computed {
            return Err(self.invalid_file(format!("table \"{name}\" in it has computed columns")));
        }
        // `quick_check` skips comparing indices with tables: rows are read without indices, and
        // comparing takes many times as long as reading.
        match &*self.query_strings("PRAGMA quick_check(1)")? {
            [ok] if ok == "ok" => Ok(()),
            damages => Err(self.invalid_file(damages.join("; "))),
        }
    }

    /// Returns the columns of a table in order; none if the table is missing.
    fn columns_of(&self, table: &str) -> Result<Vec<String>, Error> {
        self.query_strings(&format!(
            "SELECT c.name FROM sqlite_schema s, pragma_table_info(s.name) c
             WHERE s.type = 'table' AND s.name = '{table}' ORDER BY c.cid"
        ))
    }

    fn query_strings(&self, sql: &str) -> Result<Vec<String>, Error> {
        let query = |connection: &Connection| -> rusqlite::Result<Vec<String>> {
            connection.prepare(sql)?.query_map([], |row| row.get(0))?.collect()
        };
        query(&self.connection).map_err(|error| self.classify_error(error))
    }

    /// Maps an error: all but disk and memory failures are blamed on the file.
    fn classify_error(&self, error: rusqlite::Error) -> Error {
        match error.sqlite_error_code() {
            Some(ErrorCode::SystemIoFailure | ErrorCode::OutOfMemory | ErrorCode::DiskFull) => {
                StoreError::from_sqlite(&self.path, error).into()
            }
            _ => self.invalid_file(error.to_string()),
        }
    }

    fn invalid_file(&self, reason: String) -> Error {
        let path = self.path.clone();
        Error::InvalidPlainFile { path, reason }
    }
}

/// Returns the value as stored, or the name of its unsupported type.
fn read_value<'r>(row: &'r Row<'_>, column: usize) -> Result<Value<'r>, String> {
    match row.get_ref(column) {
        Ok(ValueRef::Null) => Ok(Value::Missing),
        Ok(ValueRef::Integer(number)) => Ok(Value::Integer(number)),
        Ok(ValueRef::Real(number)) => Ok(Value::Number(number)),
        Ok(ValueRef::Text(text)) => match std::str::from_utf8(text) {
            Ok(text) => Ok(Value::Text(text)),
            Err(_) => Err("a text that is no UTF-8".to_owned()),
        },
        Ok(ValueRef::Blob(_)) => Err("bytes".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// Converts a stored value, which may differ from the declared type of the column.
fn convert_value<'v>(value: Value<'v>, column: &ColumnSpec) -> Result<Value<'v>, String> {
    let converted = match (value, column.kind) {
        (Value::Text(text), ColumnKind::Text | ColumnKind::Time) => parse_value(text, column.kind),
        (Value::Integer(value @ (0 | 1)), ColumnKind::Boolean) => Some(Value::Boolean(value == 1)),
        (Value::Number(value), ColumnKind::Number) => {
            value.is_finite().then_some(Value::Number(value))
        }
        (Value::Missing, _) | (Value::Integer(_), ColumnKind::Integer) => Some(value),
        _ => None,
    };
    converted.ok_or_else(|| format!("it is no {}", column.kind.as_str()))
}
