//! Every PRAGMA that is set, each with its reason. The numbers were found by importing
//! and rating the 1.37 million results of the Codeforces data set of Elo-MMR.

use rusqlite::Connection;

/// "Rank" in ASCII: marks a SQLite file as Ranklore's (`PRAGMA application_id`).
pub(crate) const APPLICATION_ID: i32 = i32::from_be_bytes(*b"Rank");

/// For every connection.
const COMMON: &str = "
    -- Wait for another process's checkpoint or recovery (milliseconds); writers do not
    -- compete, they have a lock of their own.
    PRAGMA busy_timeout = 10000;
    -- A file from somewhere else must not run functions through its schema.
    PRAGMA trusted_schema = OFF;
    -- Sorting of large results happens in memory, bounded by cache_size.
    PRAGMA temp_store = MEMORY;
    -- No mapping into memory: it saves nothing measurable but in `Store::beside`, and where
    -- the file is cut short or the disk fails, a mapping ends the process where reading gives
    -- an error.
    PRAGMA mmap_size = 0;
";

const READER: &str = "
    -- A reader writes nothing. The file is nevertheless opened for writing, where that is
    -- possible: the last one to close then clears the write-ahead log away.
    PRAGMA query_only = ON;
    -- 16 MiB at most: what is read again and again are inner pages, tables are passed once.
    PRAGMA cache_size = -16384;
";

/// Before the first write to a new file; afterwards they have no effect.
const NEW_FILE: &str = "
    -- From 4 to 32 KiB size differs by under 2 % and speed little; this much keeps trees three
    -- levels high and a small change small.
    PRAGMA page_size = 8192;
";

const WRITER: &str = "
    -- Readers read while a writer writes.
    PRAGMA journal_mode = WAL;
    -- With WAL no crash damages the file; after a power cut the last commits may be gone,
    -- whole ones, and the same command brings them back.
    PRAGMA synchronous = NORMAL;
    -- References are looked after here, not by SQLite: every id written was just read from or
    -- written to the table it refers to. Asking again for every row costs 0.5 s in an import of
    -- 1.4 million results (of 2.4 for writing alone; reading and compressing are on another
    -- thread), 0.7 s in a run over them (of 1.7), and 0.6 s when that run is replaced (of 0.8).
    -- `Store::check` and the tests ask `foreign_key_check` instead.
    PRAGMA foreign_keys = OFF;
    -- 128 MiB at most: a whole import or run is one transaction; what does not fit goes to
    -- the log early, and pages touched again go there twice.
    PRAGMA cache_size = -131072;
    -- After a checkpoint the log shrinks to this (bytes), if somebody keeps the file open.
    PRAGMA journal_size_limit = 4194304;
";

/// While the whole file is written anew. Each page is passed once: neither the copy that SQLite
/// makes of all of them nor what is kept of the file may grow with it.
const REWRITER: &str = "
    PRAGMA temp_store = FILE;
    -- 16 MiB, of the file and again of the copy.
    PRAGMA cache_size = -16384;
";

/// Sets what every connection of this program needs.
///
/// # Errors
/// When SQLite refuses.
pub fn set_common(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(COMMON)
}

pub(crate) fn set_reader(connection: &Connection) -> rusqlite::Result<()> {
    set_common(connection)?;
    connection.execute_batch(READER)
}

/// Until [`set_writer`] is called again.
pub(crate) fn set_rewriter(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(REWRITER)
}

/// `new`: nothing has been written to the file yet.
pub(crate) fn set_writer(connection: &Connection, new: bool) -> rusqlite::Result<()> {
    set_common(connection)?;
    if new {
        connection.execute_batch(NEW_FILE)?;
    }
    connection.execute_batch(WRITER)?;
    if new {
        connection.pragma_update(None, "application_id", APPLICATION_ID)?;
    }
    Ok(())
}
