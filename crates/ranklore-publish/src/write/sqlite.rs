//! Writer of a SQLite file with all tables and indices for common queries, ready for Datasette.
//! Equal rows give equal bytes.

use std::fs::File;
use std::path::{Path, PathBuf};

use ranklore_store::Error as StoreError;
use ranklore_store::sqlite::{RowInserter, RowInserts};
use rusqlite::types::Null;
use rusqlite::{Connection, ErrorCode, OpenFlags, Statement};

use super::{TableWriter, WrittenFile};
use crate::batch::{RowBatch, Value};
use crate::dictionary::{ColumnKind, TableId, TableSpec};
use crate::error::Error;
use crate::pragmas::{configure, quote_names};
use crate::scan::items::Partition;
use crate::text::format_time;

/// The file name.
const SQLITE_FILE: &str = "dataset.sqlite";

/// Maximum bytes of a text.
const MAX_TEXT_BYTES: usize = 1 << 20;

/// Settings for writing. No other process uses the file until it is finished.
///
/// - Page size and encoding are what others expect and read best.
/// - The whole file is one transaction, so the journal holds only what a failing statement undoes.
/// - The file is synced once, when it is finished.
/// - Tables are filled in any order, so foreign keys are off.
/// - The cache has 16 MiB, and sorting an index uses as much.
const PRAGMAS: &str = "
    PRAGMA page_size = 4096; PRAGMA encoding = 'UTF-8';
    PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF;
    PRAGMA cache_size = -16384; PRAGMA temp_store = FILE;
";

/// The table of row counts, as counting millions of rows is slow. Name and columns are those that
/// sqlite-utils reads.
const CREATE_COUNTS: &str = r#"CREATE TABLE "_counts" (
  "table" TEXT NOT NULL,
  "count" INTEGER NOT NULL,
  PRIMARY KEY ("table")
) STRICT"#;

/// Writes `dataset.sqlite`. Times are texts such as `2024-03-01T12:00:00Z`, which SQLite functions
/// and Datasette understand.
pub(crate) struct SqliteWriter {
    connection: Connection,
    path: PathBuf,
    inserts: [RowInserts; TableId::ALL.len()],
    /// Rows written so far, by table.
    rows: [i64; TableId::ALL.len()],
}

impl SqliteWriter {
    /// Creates the file in the folder `root`, with empty tables. Memory use is bounded by the page
    /// cache and the sorting of an index.
    pub(crate) fn new(root: &Path) -> Result<Self, Error> {
        let path = root.join(SQLITE_FILE);
        // SQLite would create it with narrower permissions than the other files have.
        File::create_new(&path).map_err(Error::from_io(&path))?;
        let connection =
            create_tables(&path).map_err(|error| StoreError::from_sqlite(&path, error))?;
        Ok(Self {
            connection,
            path,
            inserts: TableId::ALL.map(|table| {
                let names: Vec<_> = table.spec().columns.iter().map(|c| c.name).collect();
                let into = format!("\"{}\" ({})", table.name(), quote_names(&names));
                RowInserts::new(&into, 0, names.len())
            }),
            rows: [0; TableId::ALL.len()],
        })
    }
}

fn create_tables(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    configure(&connection, PRAGMAS)?;
    connection.execute_batch("BEGIN")?;
    for table in TableId::ALL {
        connection.execute_batch(&create_table_sql(table.spec()))?;
    }
    connection.execute_batch(CREATE_COUNTS)?;
    Ok(connection)
}

impl TableWriter for SqliteWriter {
    fn write(&mut self, _: &Partition, batch: &RowBatch) -> Result<(), Error> {
        let table = batch.table;
        self.rows[table.index()] += batch.rows as i64;
        let rows: Vec<usize> = (0..batch.rows).collect();
        RowInserter::new(&self.connection, &self.inserts[table.index()])
            .insert(&[], &rows, |statement, at, &row| {
                for (index, values) in batch.columns.iter().enumerate() {
                    let value = values.get(row);
                    if matches!(value, Value::Text(text) if text.len() > MAX_TEXT_BYTES) {
                        let column = table.spec().columns[index].name;
                        let reason =
                            format!("row {row} has a text of over 1 MiB in column {column}");
                        return Err(rusqlite::Error::ToSqlConversionFailure(reason.into()));
                    }
                    bind_value(statement, at + index, value)?;
                }
                Ok(())
            })
            .map_err(|error| {
                let reason = match error {
                    rusqlite::Error::ToSqlConversionFailure(reason) => reason.to_string(),
                    error if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => {
                        error.to_string()
                    }
                    error => return StoreError::from_sqlite(&self.path, error).into(),
                };
                Error::InvalidTable {
                    path: self.path.clone(),
                    table: table.name().to_owned(),
                    reason,
                }
            })
    }

    /// Builds the indices, runs ANALYZE and syncs the file. Leaves no journal file beside it.
    fn finish(self: Box<Self>) -> Result<Vec<WrittenFile>, Error> {
        let Self {
            connection,
            path,
            rows,
            ..
        } = *self;
        let failed = |error| StoreError::from_sqlite(&path, error);
        for (table, rows) in TableId::ALL.into_iter().zip(rows) {
            let sql = "INSERT INTO _counts VALUES (?1, ?2)";
            connection.execute(sql, (table.name(), rows)).map_err(failed)?;
        }
        for (table, columns) in INDICES {
            let name = table.name();
            let sql = format!(
                "CREATE INDEX \"idx_{name}_{}\" ON \"{name}\" ({})",
                columns.join("_"),
                quote_names(columns)
            );
            connection.execute_batch(&sql).map_err(failed)?;
        }
        connection.execute_batch("ANALYZE; COMMIT").map_err(failed)?;
        connection.close().map_err(|(_, error)| failed(error))?;
        File::open(&path)
            .and_then(|file| file.sync_all())
            .map_err(|error| StoreError::from_io_write(&path, error))?;
        Ok(vec![WrittenFile {
            table: None,
            path: SQLITE_FILE.to_owned(),
        }])
    }
}

fn bind_value(statement: &mut Statement<'_>, at: usize, value: Value<'_>) -> rusqlite::Result<()> {
    match value {
        Value::Missing => statement.raw_bind_parameter(at, Null),
        Value::Text(text) => statement.raw_bind_parameter(at, text),
        Value::Integer(value) => statement.raw_bind_parameter(at, value),
        Value::Number(value) => statement.raw_bind_parameter(at, value),
        Value::Time(seconds) => statement.raw_bind_parameter(at, format_time(seconds)),
        Value::Boolean(value) => statement.raw_bind_parameter(at, value),
    }
}

/// The indices besides keys: results and ratings of a competitor, contests by time.
const INDICES: [(TableId, &[&str]); 5] = [
    (TableId::Contest, &["ends_at"]),
    (TableId::Standing, &["source", "kind", "competitor"]),
    (TableId::Member, &["source", "person"]),
    (TableId::Competitor, &["name"]),
    (TableId::Rating, &["source", "kind", "competitor"]),
];

fn create_table_sql(table: &TableSpec) -> String {
    let columns = table.columns.iter().map(|column| {
        let name = quote_names(&[column.name]);
        let kind = match column.kind {
            ColumnKind::Text | ColumnKind::Time => "TEXT",
            // An INTEGER that is the only key column replaces the row number, and the rows would
            // lose their order. INT does not.
            ColumnKind::Integer | ColumnKind::Boolean if table.key == [column.name] => "INT",
            ColumnKind::Integer | ColumnKind::Boolean => "INTEGER",
            ColumnKind::Number => "REAL",
        };
        let null = if column.nullable { "" } else { " NOT NULL" };
        let check = match column.kind {
            ColumnKind::Boolean => format!(" CHECK ({name} IN (0, 1))"),
            _ => String::new(),
        };
        format!("{name} {kind}{null}{check}")
    });
    // Datasette finds and links rows by the declared primary key, which cannot be added later. For
    // 1.4 million rows in key order it takes 1.2 s, as long as an index built afterwards; for rows
    // in random order four times as long.
    let key = format!("PRIMARY KEY ({})", quote_names(table.key));
    let references = table.references.iter().map(|reference| {
        format!(
            "FOREIGN KEY ({}) REFERENCES \"{}\" ({})",
            quote_names(reference.columns),
            reference.table.name(),
            quote_names(reference.to)
        )
    });
    let parts: Vec<_> = columns.chain([key]).chain(references).collect();
    format!("CREATE TABLE \"{}\" (\n  {}\n) STRICT", table.name, parts.join(",\n  "))
}
