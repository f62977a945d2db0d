//! The PRAGMAs and their reasons. Measured by importing and rating the 1.37 million results of the
//! Codeforces data set of Elo-MMR.

use rusqlite::Connection;

/// "Rank" in ASCII: marks a SQLite file as a database of Ranklore (`PRAGMA application_id`).
pub(crate) const APPLICATION_ID: i32 = i32::from_be_bytes(*b"Rank");

/// Settings of every connection.
const COMMON: &str = "
    -- Milliseconds to wait for a checkpoint or recovery of another process. Writers do not
    -- compete here: they have their own lock.
    PRAGMA busy_timeout = 10000;
    -- The schema of an untrusted file must not run functions.
    PRAGMA trusted_schema = OFF;
    -- Large results are sorted in memory, bounded by cache_size.
    PRAGMA temp_store = MEMORY;
    -- No memory mapping: it is measurably faster only in `Store::open_parallel_reader`, and if
    -- the file is truncated or the disk fails, a mapping kills the process where a read
    -- returns an error.
    PRAGMA mmap_size = 0;
";

const READER: &str = "
    -- A reader writes nothing. The file is still opened for writing if possible, so that the
    -- last process to close it deletes the write-ahead log.
    PRAGMA query_only = ON;
    -- At most 4 MiB: only inner pages are read repeatedly; tables are scanned once. A server has
    -- several readers.
    PRAGMA cache_size = -4096;
";

/// Settings before the first write to a new file; without effect later.
const NEW_FILE: &str = "
    -- From 4 to 32 KiB the file size differs by less than 2 %, the speed little. 8 KiB keeps
    -- trees three levels high and small changes small.
    PRAGMA page_size = 8192;
";

const WRITER: &str = "
    -- Readers are not blocked by a writer.
    PRAGMA journal_mode = WAL;
    -- With WAL no crash damages the file. A power cut may undo the last commits as a whole;
    -- running the command again restores them.
    PRAGMA synchronous = NORMAL;
    -- This crate keeps references valid, not SQLite: every id written was just read from or
    -- written to the table it refers to. Checks per row would cost 0.5 s in an import of 1.4
    -- million results (of 2.4 s for writing; reading and compressing run on another thread),
    -- 0.7 s in a run over them (of 1.7 s), and 0.6 s when that run is replaced (of 0.8 s).
    -- `Store::check` and the tests run `foreign_key_check` instead.
    PRAGMA foreign_keys = OFF;
    -- Rows that INSERT OR REPLACE deletes leave the sums of `table_hash` too.
    PRAGMA recursive_triggers = ON;
    -- At most 128 MiB: a whole import or run is one transaction. Pages that do not fit spill
    -- to the log early, and again when they are modified again.
    PRAGMA cache_size = -131072;
    -- The log shrinks to this size (bytes) after a checkpoint while the file stays open.
    PRAGMA journal_size_limit = 4194304;
";

/// Settings while the whole file is rewritten. Each page is read once, so neither SQLite's copy nor
/// the cache may grow with the file.
const REWRITER: &str = "
    PRAGMA temp_store = FILE;
    -- 16 MiB for the file, and again for the copy.
    PRAGMA cache_size = -16384;
";

/// Applies the settings of every connection of this program.
///
/// # Errors
/// Errors if SQLite rejects a setting.
pub fn set_common_pragmas(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(COMMON)
}

pub(crate) fn set_reader(connection: &Connection) -> rusqlite::Result<()> {
    set_common_pragmas(connection)?;
    connection.execute_batch(READER)
}

/// Applies the settings of a rewrite until the next [`set_writer`].
pub(crate) fn set_rewriter(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(REWRITER)
}

/// Applies the settings of a writer; `new` is true if the file is still empty.
pub(crate) fn set_writer(connection: &Connection, new: bool) -> rusqlite::Result<()> {
    set_common_pragmas(connection)?;
    if new {
        connection.execute_batch(NEW_FILE)?;
    }
    connection.execute_batch(WRITER)?;
    if new {
        connection.pragma_update(None, "application_id", APPLICATION_ID)?;
    }
    Ok(())
}
