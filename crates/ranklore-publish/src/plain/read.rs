//! Reader of plain tables in untrusted SQLite files.

use std::fs::File;
use std::path::{Path, PathBuf};

use ranklore_store::Error as StoreError;
use ranklore_store::sqlite::{open_immutable, resolve_path};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode, Row};

use super::names::quote_names;
use super::pragmas;
use super::table::PlainValue;
use crate::error::Error;

/// Reader of a file of plain tables. The file must not change while it is open.
#[derive(Debug)]
pub struct PlainReader {
    connection: Connection,
    path: PathBuf,
}

impl PlainReader {
    /// Opens the file and checks it for damage, except for the agreement of indices and tables:
    /// rows are read without indices. Writes nothing, and ignores journal files beside it.
    ///
    /// # Errors
    /// [`Error::InvalidPlainFile`] if it is no SQLite file, is damaged, or holds anything but
    /// tables and their indices; [`Error::Store`] if it cannot be read.
    pub fn open(path: &Path) -> Result<Self, Error> {
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
        let reader = Self { connection, path };
        reader.with_connection(|c| pragmas::configure(c, pragmas::READER_PRAGMAS))?;
        reader.check_integrity()?;
        Ok(reader)
    }

    /// Returns the tables in creation order, each with its columns in order.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn tables(&self) -> Result<Vec<(String, Vec<String>)>, Error> {
        self.with_connection(|connection| {
            // ANALYZE creates these two tables.
            let mut tables = connection.prepare(
                "SELECT name FROM sqlite_schema
                 WHERE type = 'table' AND name NOT IN ('sqlite_stat1', 'sqlite_stat4')
                 ORDER BY rowid",
            )?;
            let mut columns =
                connection.prepare("SELECT name FROM pragma_table_info(?1) ORDER BY cid")?;
            let names = tables.query_and_then([], |row| {
                let name: String = row.get(0)?;
                let columns = columns.query_map([&name], |row| row.get(0))?;
                Ok((name, columns.collect::<rusqlite::Result<_>>()?))
            })?;
            names.collect()
        })
    }

    /// Calls `each` with the given columns of every row of a table in insertion order, until it
    /// fails.
    ///
    /// Values are as stored and may differ from the declared type of the column.
    ///
    /// # Errors
    /// The error of `each`; [`Error::InvalidPlainFile`] if the table or a column is missing, or a
    /// value is not a [`PlainValue`].
    pub fn for_each_row(
        &self,
        table: &str,
        columns: &[&str],
        mut each: impl FnMut(&[PlainValue<'_>]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let failed = |error| self.classify_error(error);
        let sql = format!(
            "SELECT {} FROM {} NOT INDEXED ORDER BY rowid",
            quote_names(columns.iter().copied()),
            quote_names([table])
        );
        let mut statement = self.connection.prepare(&sql).map_err(failed)?;
        let mut rows = statement.raw_query();
        let mut number = 0_u64;
        while let Some(row) = rows.next().map_err(failed)? {
            let values: Vec<_> = (0..columns.len())
                .map(|column| {
                    read_value(row, column).map_err(|kind| {
                        let name = columns[column];
                        self.invalid_file(format!(
                            "row {number} of table {table} has {kind} in column {name}"
                        ))
                    })
                })
                .collect::<Result<_, Error>>()?;
            each(&values)?;
            number += 1;
        }
        Ok(())
    }

    fn check_integrity(&self) -> Result<(), Error> {
        let length = self.path.metadata().map_or(0, |file| file.len());
        let page_size: u32 = self.with_connection(|connection| {
            connection.pragma_query_value(None, "page_size", |row| row.get(0))
        })?;
        // SQLite would read a missing end of a page as zeros.
        if length == 0 || !length.is_multiple_of(page_size.into()) {
            return Err(self.invalid_file("it ends within a page".to_owned()));
        }
        // First check, as merely inspecting a virtual table runs its code. SQLite goes by the text
        // of the statement, whatever type the row claims.
        let foreign: Vec<String> = self.query_strings(
            "SELECT name FROM sqlite_schema WHERE NOT coalesce(
                 type = 'table' AND rootpage > 0 AND sql GLOB 'CREATE TABLE *'
                 OR type = 'index' AND rootpage > 0 AND (sql IS NULL
                     OR sql GLOB 'CREATE INDEX *' OR sql GLOB 'CREATE UNIQUE INDEX *'), 0)
             LIMIT 1",
        )?;
        if let [name] = &*foreign {
            return Err(self.invalid_file(format!("\"{name}\" in it is neither table nor index")));
        }
        let computed: Vec<String> = self.query_strings(
            "SELECT s.name FROM sqlite_schema s, pragma_table_xinfo(s.name) c
             WHERE s.type = 'table' AND c.hidden <> 0 LIMIT 1",
        )?;
        if let [name] = &*computed {
            return Err(self.invalid_file(format!("table \"{name}\" in it has computed columns")));
        }
        // `quick_check` skips comparing indices with tables: rows are read without indices, and
        // comparing takes many times as long as reading.
        let damages: Vec<String> = self.query_strings("PRAGMA quick_check(1)")?;
        match &*damages {
            [ok] if ok == "ok" => Ok(()),
            damages => Err(self.invalid_file(damages.join("; "))),
        }
    }

    fn query_strings(&self, sql: &str) -> Result<Vec<String>, Error> {
        self.with_connection(|connection| {
            connection.prepare(sql)?.query_map([], |row| row.get(0))?.collect()
        })
    }

    fn with_connection<T>(
        &self,
        run: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, Error> {
        run(&self.connection).map_err(|error| self.classify_error(error))
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

/// Returns the value, or the name of its unsupported type.
fn read_value<'r>(row: &'r Row<'_>, column: usize) -> Result<PlainValue<'r>, String> {
    match row.get_ref(column) {
        Ok(ValueRef::Null) => Ok(PlainValue::Null),
        Ok(ValueRef::Integer(number)) => Ok(PlainValue::Integer(number)),
        Ok(ValueRef::Real(number)) => Ok(PlainValue::Real(number)),
        Ok(ValueRef::Text(text)) => match std::str::from_utf8(text) {
            Ok(text) => Ok(PlainValue::Text(text)),
            Err(_) => Err("a text that is no UTF-8".to_owned()),
        },
        Ok(ValueRef::Blob(_)) => Err("bytes".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}
