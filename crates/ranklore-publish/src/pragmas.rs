//! Settings of connections to exported SQLite files.

use ranklore_store::sqlite::set_common_pragmas;
use rusqlite::Connection;
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;

/// Maximum bytes of a row, written or read.
const MAX_ROW_BYTES: i32 = 1 << 24;

/// Applies the settings, and disables the lenient defaults of SQLite.
pub(crate) fn configure(connection: &Connection, pragmas: &str) -> rusqlite::Result<()> {
    // Longer rows are refused before memory is allocated.
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, MAX_ROW_BYTES)?;
    // A quoted unknown column name is an error, not a string.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DDL, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, false)?;
    set_common_pragmas(connection)?;
    connection.execute_batch(pragmas)
}

/// Returns the names of tables or columns, quoted and separated by commas.
pub(crate) fn quote_names(names: &[&str]) -> String {
    format!("\"{}\"", names.join("\", \""))
}
