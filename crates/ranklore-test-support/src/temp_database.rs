//! A temporary folder with a database.

use std::path::{Path, PathBuf};

use ranklore_store::{Store, Writer};
use rusqlite::Connection;
use tempfile::TempDir;

/// A temporary folder for the database `ranklore.sqlite`, deleted when dropped.
#[derive(Debug)]
pub struct TempDatabase {
    folder: TempDir,
}

impl TempDatabase {
    /// Creates the folder. The first writer creates the database.
    #[expect(clippy::new_without_default, reason = "it has an effect on the disk")]
    pub fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    /// Returns the folder.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Returns the path of a file in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder().join(name)
    }

    /// Returns the path of the database.
    pub fn database(&self) -> PathBuf {
        self.path("ranklore.sqlite")
    }

    /// Returns the path of the database with `suffix` appended, such as `-wal` or `.backup`.
    pub fn database_with_suffix(&self, suffix: &str) -> PathBuf {
        self.path(&format!("ranklore.sqlite{suffix}"))
    }

    /// Writes a file, creating the folders above it.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    /// Opens the database for writing.
    pub fn open_writer(&self) -> Writer {
        Store::open_writer(self.database(), "a test").unwrap()
    }

    /// Opens the database for reading.
    pub fn open_reader(&self) -> Store {
        Store::open_reader(self.database()).unwrap()
    }

    /// Opens the database with SQLite alone, without foreign keys, so that a test can damage it.
    pub fn open_raw(&self) -> Connection {
        let raw = Connection::open(self.database()).unwrap();
        raw.pragma_update(None, "foreign_keys", false).unwrap();
        raw
    }

    /// Checks the database, and returns its content hash.
    pub fn content_hash(&self) -> [u8; 32] {
        let store = self.open_reader();
        assert_eq!(store.check().unwrap(), []);
        store.content_hash().unwrap()
    }
}
