//! Files on a read-only disk or in a folder that cannot be written to. Reading in WAL mode needs
//! an index beside the file; where none can be made, SQLite reads only what it is told will
//! not change.

use std::fmt::Write as _;
use std::path::Path;

use rusqlite::{Connection, OpenFlags};

use crate::file::lock::{ReadLock, with_suffix};

/// Makes sure that nobody changes the file while it is read. `None` if somebody writes to it,
/// or if a log lies beside it, without which the file alone may be old or half-way.
pub(crate) fn hold(path: &Path) -> Option<ReadLock> {
    let held = ReadLock::take(path)?;
    (!has_log(path)).then_some(held)
}

/// Whether a log lies beside the file with something in it, or might.
pub(crate) fn has_log(path: &Path) -> bool {
    match with_suffix(path, "-wal").metadata() {
        Ok(log) => log.len() > 0,
        Err(error) => error.kind() != std::io::ErrorKind::NotFound,
    }
}

/// Opens a file that nobody changes meanwhile, for reading alone. SQLite takes no lock, writes
/// nothing beside the file and reads nothing beside it. Returns `None` where it cannot be opened;
/// SQLite does not say why. The path is one that
/// [`resolve_path`](crate::sqlite::resolve_path) returned.
#[must_use]
pub fn open_immutable(path: &Path) -> Option<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_URI
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Connection::open_with_flags(uri(path), flags).ok()
}

/// `file:///path?immutable=1`, whatever characters the path has.
fn uri(path: &Path) -> String {
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
    fn a_frozen_file_is_read_whatever_its_name_and_not_while_somebody_writes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("50% of? #1 ä.sqlite");
        let writer = Store::open_writer(&path, "a test").unwrap();
        assert!(hold(&path).is_none(), "somebody writes");
        drop(writer);
        let held = hold(&path).unwrap();
        let rows: i64 = open_immutable(&path)
            .unwrap()
            .query_row("SELECT count(*) FROM source", [], |row| row.get(0))
            .unwrap();
        assert_eq!(rows, 0);
        assert!(Store::open_writer(&path, "a test").is_err(), "it is held");
        drop(held);
        std::fs::write(folder.path().join("50% of? #1 ä.sqlite-wal"), "x").unwrap();
        assert!(hold(&path).is_none(), "there is a log");
    }
}
