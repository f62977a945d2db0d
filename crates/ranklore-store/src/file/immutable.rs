//! Databases on a read-only disk or in a read-only folder. In WAL mode a reader needs a
//! shared-memory index next to the file. If it cannot be created, SQLite reads only files declared
//! immutable.

use std::fmt::Write as _;
use std::path::Path;

use rusqlite::{Connection, OpenFlags};

use crate::file::lock::{ReadLock, with_suffix};

/// Locks out writers while the file is read. Returns `None` if another process writes to it, or if
/// a write-ahead log exists, without which the file alone may be stale or inconsistent.
pub(crate) fn lock_out_writers(path: &Path) -> Option<ReadLock> {
    let lock = ReadLock::try_acquire(path)?;
    (!has_wal(path)).then_some(lock)
}

/// True if a non-empty write-ahead log exists, or if that cannot be determined.
pub(crate) fn has_wal(path: &Path) -> bool {
    match with_suffix(path, "-wal").metadata() {
        Ok(log) => log.len() > 0,
        Err(error) => error.kind() != std::io::ErrorKind::NotFound,
    }
}

/// Opens a file that does not change meanwhile, for reading only. SQLite takes no lock, and reads
/// and writes no sidecar file. Returns `None` if it cannot be opened; SQLite does not state the
/// cause. The path must come from [`resolve_path`](crate::sqlite::resolve_path).
#[must_use]
pub fn open_immutable(path: &Path) -> Option<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_URI
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Connection::open_with_flags(immutable_uri(path), flags).ok()
}

/// Formats `file:///path?immutable=1`, with all special characters of the path escaped.
fn immutable_uri(path: &Path) -> String {
    let mut uri = "file://".to_owned();
    for &byte in path.as_os_str().as_encoded_bytes() {
        if byte.is_ascii_alphanumeric() || b"/-_.".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri.push_str("?immutable=1");
    uri
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::file::open::Store;

    #[test]
    fn immutable_file_opens_only_without_writer() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("50% of? #1 ä.sqlite");
        let writer = Store::open_writer(&path, "a test").unwrap();
        assert!(lock_out_writers(&path).is_none(), "a writer is open");
        drop(writer);
        let lock = lock_out_writers(&path).unwrap();
        let rows: i64 = open_immutable(&path)
            .unwrap()
            .query_row("SELECT count(*) FROM source", [], |row| row.get(0))
            .unwrap();
        assert_eq!(rows, 0);
        assert!(Store::open_writer(&path, "a test").is_err(), "locked");
        drop(lock);
        std::fs::write(folder.path().join("50% of? #1 ä.sqlite-wal"), "x").unwrap();
        assert!(lock_out_writers(&path).is_none(), "a log exists");
    }
}
