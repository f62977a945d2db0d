//! Every setting of a connection to a file of plain tables, each with its reason.

use ranklore_store::sqlite::set_common;
use rusqlite::Connection;
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;

/// Bytes of the longest row that is written or read.
const LONGEST_ROW: i32 = 1 << 24;

/// While a file of plain tables is made. It is nobody else's until it is finished.
const WRITER: &str = "
    -- What others read best, as they expect it.
    PRAGMA page_size = 4096;
    PRAGMA encoding = 'UTF-8';
    -- The whole file is one transaction, so nothing is ever in the journal but what a statement
    -- that fails has to take back.
    PRAGMA journal_mode = MEMORY;
    -- It is brought to the disk once, when it is finished.
    PRAGMA synchronous = OFF;
    -- Tables are filled in any order.
    PRAGMA foreign_keys = OFF;
    -- 16 MiB, and as much for sorting an index.
    PRAGMA cache_size = -16384;
    PRAGMA temp_store = FILE;
";

/// For a file of plain tables, which may come from anybody.
const READER: &str = "
    -- Pages that contradict themselves are found before their cells are read.
    PRAGMA cell_size_check = ON;
    -- A check of the file's own would be code of somebody else's.
    PRAGMA ignore_check_constraints = ON;
    PRAGMA query_only = ON;
    -- Each page is passed once or twice.
    PRAGMA cache_size = -4096;
    PRAGMA temp_store = FILE;
";

pub(super) fn set_writer(connection: &Connection) -> rusqlite::Result<()> {
    be_strict(connection)?;
    set_common(connection)?;
    connection.execute_batch(WRITER)
}

pub(super) fn set_reader(connection: &Connection) -> rusqlite::Result<()> {
    be_strict(connection)?;
    set_common(connection)?;
    connection.execute_batch(READER)
}

/// Refuses what SQLite lets pass by default.
fn be_strict(connection: &Connection) -> rusqlite::Result<()> {
    // What is longer is refused before it takes memory.
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, LONGEST_ROW)?;
    // A quoted name that no column has is an error, not a text.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DDL, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, false)?;
    Ok(())
}
