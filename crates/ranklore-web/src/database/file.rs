//! The file that has the path of the database, and the index that SQLite maps beside it.

use std::ffi::OsString;
use std::fs::Metadata;
use std::path::Path;

/// The device and the number of a file, which change if another file takes its name. None where an
/// open file cannot be replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileIdentity(Option<(u64, u64)>);

impl FileIdentity {
    /// Returns the identity of the file that has a path now.
    pub(crate) fn read(path: &Path) -> Self {
        path.metadata().map_or(Self(None), |file| Self::new(&file))
    }

    #[cfg(unix)]
    fn new(file: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        Self(Some((file.dev(), file.ino())))
    }

    #[cfg(not(unix))]
    fn new(_: &Metadata) -> Self {
        Self(None)
    }
}

/// The index of the write-ahead log, which SQLite maps into memory: its identity and its length. If
/// it is cut while it is mapped, the next query would end the process.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct WalIndex(Option<(FileIdentity, u64)>);

impl WalIndex {
    /// Returns the index beside a database that is open.
    pub(crate) fn read(database: &Path) -> Self {
        let mut path = OsString::from(database);
        path.push("-shm");
        let file = Path::new(&path).metadata();
        Self(file.ok().map(|file| (FileIdentity::new(&file), file.len())))
    }

    /// True if the index is the same file and not shorter. Then its new length counts.
    pub(crate) fn is_whole(&mut self, database: &Path) -> bool {
        let now = Self::read(database);
        let is_whole = match (self.0, now.0) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some((file, length)), Some((file_now, length_now))) => {
                file == file_now && length <= length_now
            }
        };
        if is_whole {
            *self = now;
        }
        is_whole
    }
}
