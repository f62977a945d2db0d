//! Reading a file of plain tables that may come from anybody: nothing in it is believed.

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

/// Reads a file of plain tables. Nobody may change it meanwhile.
#[derive(Debug)]
pub struct PlainReader {
    connection: Connection,
    path: PathBuf,
}

impl PlainReader {
    /// Opens the file and looks through the whole of it for damage, but does not ask whether its
    /// indices say what its tables say, which are read without them. Nothing is written, neither
    /// to it nor beside it, and what lies beside it is not read.
    ///
    /// # Errors
    /// [`Error::NotPlain`] when it is no SQLite file, is damaged, or holds anything but tables
    /// and their indices; [`Error::Store`] when it cannot be read.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let path = resolve_path(path)?;
        let not_plain = |reason: &str| Error::NotPlain {
            path: path.clone(),
            reason: reason.to_owned(),
        };
        let unreadable = |error| StoreError::from_reading(&path, error);
        if !path.metadata().map_err(unreadable)?.is_file() {
            return Err(not_plain("it is no file"));
        }
        // SQLite does not say why it cannot open a file.
        File::open(&path).map_err(unreadable)?;
        let connection = open_immutable(&path).ok_or_else(|| not_plain("SQLite cannot open it"))?;
        let reader = Self { connection, path };
        reader.sql(pragmas::set_reader)?;
        reader.check()?;
        Ok(reader)
    }

    /// The tables in the order they were made, each with its columns in their order: what is to
    /// be held against what should be there.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn tables(&self) -> Result<Vec<(String, Vec<String>)>, Error> {
        self.sql(|connection| {
            // What ANALYZE gathered is no table of the file.
            let mut tables = connection.prepare(
                "SELECT name FROM sqlite_schema
                 WHERE type = 'table' AND name NOT IN ('sqlite_stat1', 'sqlite_stat4')
                 ORDER BY rowid",
            )?;
            let mut columns =
                connection.prepare("SELECT name FROM pragma_table_info(?1) ORDER BY cid")?;
            let names = tables.query_map([], |row| row.get(0))?;
            names
                .map(|name: rusqlite::Result<String>| {
                    let name = name?;
                    let columns = columns.query_map([&name], |row| row.get(0))?;
                    let columns = columns.collect::<rusqlite::Result<_>>()?;
                    Ok((name, columns))
                })
                .collect()
        })
    }

    /// Hands over the rows of a table in the order they were written, each with the values of
    /// these columns, until `each` fails.
    ///
    /// A value is what the file holds there, which need not be of the kind that its column
    /// should have.
    ///
    /// # Errors
    /// What `each` says; [`Error::NotPlain`] when there is no such table or column, or it holds
    /// what is no [`PlainValue`].
    pub fn for_each(
        &self,
        table: &str,
        columns: &[&str],
        mut each: impl FnMut(&[PlainValue<'_>]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let failed = |error| self.failed(error);
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
                    value(row, column).map_err(|what| {
                        let column = columns[column];
                        self.not_plain(format!(
                            "row {number} of table {table} has {what} in column {column}"
                        ))
                    })
                })
                .collect::<Result<_, Error>>()?;
            each(&values)?;
            number += 1;
        }
        Ok(())
    }

    fn check(&self) -> Result<(), Error> {
        let length = self.path.metadata().map_or(0, |file| file.len());
        let page_size: u32 = self
            .sql(|connection| connection.pragma_query_value(None, "page_size", |row| row.get(0)))?;
        // SQLite would take the missing end of a page for zeros.
        if length == 0 || !length.is_multiple_of(page_size.into()) {
            return Err(self.not_plain("it ends within a page".to_owned()));
        }
        // First, as looking into a virtual table is already to run it. What the text begins with
        // is what SQLite takes the object for, whatever its type is said to be.
        let strange: Vec<String> = self.rows(
            "SELECT name FROM sqlite_schema WHERE NOT coalesce(
                 type = 'table' AND rootpage > 0 AND sql GLOB 'CREATE TABLE *'
                 OR type = 'index' AND rootpage > 0 AND (sql IS NULL
                     OR sql GLOB 'CREATE INDEX *' OR sql GLOB 'CREATE UNIQUE INDEX *'), 0)
             LIMIT 1",
        )?;
        if let [name] = &*strange {
            return Err(self.not_plain(format!("\"{name}\" in it is neither table nor index")));
        }
        let computed: Vec<String> = self.rows(
            "SELECT s.name FROM sqlite_schema s, pragma_table_xinfo(s.name) c
             WHERE s.type = 'table' AND c.hidden <> 0 LIMIT 1",
        )?;
        if let [name] = &*computed {
            return Err(self.not_plain(format!("table \"{name}\" in it has computed columns")));
        }
        // All but whether the indices say what the tables say: rows are read without them, and to
        // look each of them up would take many times as long as to read them.
        let damages: Vec<String> = self.rows("PRAGMA quick_check(1)")?;
        match &*damages {
            [ok] if ok == "ok" => Ok(()),
            damages => Err(self.not_plain(damages.join("; "))),
        }
    }

    fn rows(&self, sql: &str) -> Result<Vec<String>, Error> {
        self.sql(|connection| {
            let mut statement = connection.prepare(sql)?;
            let rows = statement.query_map([], |row| row.get(0))?;
            rows.collect()
        })
    }

    fn sql<T>(&self, run: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, Error> {
        run(&self.connection).map_err(|error| self.failed(error))
    }

    /// What a failure means: other than of the disk and of memory, it is the file's.
    fn failed(&self, error: rusqlite::Error) -> Error {
        match error.sqlite_error_code() {
            Some(ErrorCode::SystemIoFailure | ErrorCode::OutOfMemory | ErrorCode::DiskFull) => {
                StoreError::from_sqlite(&self.path, error).into()
            }
            _ => self.not_plain(error.to_string()),
        }
    }

    fn not_plain(&self, reason: String) -> Error {
        let path = self.path.clone();
        Error::NotPlain { path, reason }
    }
}

/// The value, or what stands there instead.
fn value<'r>(row: &'r Row<'_>, column: usize) -> Result<PlainValue<'r>, String> {
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
