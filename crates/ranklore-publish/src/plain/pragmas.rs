//! Settings of connections to files of plain tables, each with its reason.

use ranklore_store::sqlite::set_common_pragmas;
use rusqlite::Connection;
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;

/// Maximum bytes of a row, written or read.
const MAX_ROW_BYTES: i32 = 1 << 24;

/// Settings for writing. No other process uses the file until it is finished.
pub(super) const WRITER_PRAGMAS: &str = "
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

/// Settings for reading untrusted files.
pub(super) const READER_PRAGMAS: &str = "
    -- Pages that contradict themselves are found before their cells are read.
    PRAGMA cell_size_check = ON;
    -- A check of the file's own would be code of somebody else's.
    PRAGMA ignore_check_constraints = ON;
    PRAGMA query_only = ON;
    -- Each page is passed once or twice.
    PRAGMA cache_size = -4096;
    PRAGMA temp_store = FILE;
";

/// Applies the settings, and disables the lenient defaults of SQLite.
pub(super) fn configure(connection: &Connection, pragmas: &str) -> rusqlite::Result<()> {
    // Longer rows are refused before memory is allocated.
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, MAX_ROW_BYTES)?;
    // A quoted unknown column name is an error, not a string.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DDL, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, false)?;
    set_common_pragmas(connection)?;
    connection.execute_batch(pragmas)
}
