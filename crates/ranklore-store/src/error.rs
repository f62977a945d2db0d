//! What can go wrong with the file, and what to do about it.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

use crate::file::lock::Holder;
use crate::ids::{ContestId, DocumentId};

/// The result of everything this crate does.
pub type Result<T> = std::result::Result<T, Error>;

/// What went wrong, with which file, and what to do.
///
/// Texts are lower-case fragments that read on after "error:".
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no such file, or nothing in it yet.
    #[error("there are no results in {}: import some first, or name another file with --db", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// Another process writes to the file.
    #[error("{} is in use by {holder}: wait until it is done, or end it", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
        /// Who holds it.
        holder: Holder,
    },
    /// The file is of some other kind.
    #[error("{} is no SQLite file: name another file with --db", path.display())]
    NotADatabase {
        /// The file.
        path: PathBuf,
    },
    /// The file is a SQLite file of another program.
    #[error("{} is a SQLite file of another program (application id {application_id:#x}): name another file with --db", path.display())]
    OtherProgram {
        /// The file.
        path: PathBuf,
        /// What the file says it belongs to; 0 when it says nothing.
        application_id: i32,
    },
    /// The file was written by a newer version.
    #[error("{} has schema version {found} and this program knows versions up to {known}: use a newer ranklore", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its schema version.
        found: i64,
        /// The newest schema version known here.
        known: i64,
    },
    /// The file was written by an older version and could not be brought up to date.
    #[error("{} could not be upgraded from schema version {found} to {known}; it is as it was", path.display())]
    Upgrade {
        /// The file.
        path: PathBuf,
        /// Its schema version.
        found: i64,
        /// The version wanted.
        known: i64,
        /// Why not.
        source: Box<rusqlite_migration::Error>,
    },
    /// The file, or the folder it is in, cannot be written to.
    #[error("{} cannot be written to: make the file and its folder writable, or copy it elsewhere", path.display())]
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// The file, or the folder it is in, may not be looked into.
    #[error("{} cannot be read, for want of permission: make the file readable and its folder accessible, or name another file", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
    },
    /// No space left.
    #[error("no space left to write {}: make room and run the same command again; nothing is half-written", path.display())]
    DiskFull {
        /// The file.
        path: PathBuf,
    },
    /// A write failed for another reason than a full disk, as beyond a quota.
    #[error("{} could not be written: a quota may be used up, or the disk fails; make room and run the same command again; nothing is half-written", path.display())]
    NotWritten {
        /// The file.
        path: PathBuf,
        /// What SQLite said.
        source: rusqlite::Error,
    },
    /// The file is damaged.
    #[error("{} is damaged ({reason}): restore a backup, or move it away and import again", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// Where the damage shows.
        reason: String,
    },
    /// A backup cannot be written there.
    #[error("no backup in {}: {reason}", path.display())]
    Target {
        /// Where it was to be.
        path: PathBuf,
        /// Why not, and what to do.
        reason: String,
    },
    /// An archived document does not decode to what its hash says.
    #[error("document {document_id} in {} is damaged ({reason}): restore a backup, or import it again", path.display())]
    DamagedDocument {
        /// The file.
        path: PathBuf,
        /// Which document.
        document_id: DocumentId,
        /// What does not fit.
        reason: String,
    },
    /// A document to archive cannot be compressed.
    #[error("the answer to \"{request_key}\" could not be compressed")]
    Compress {
        /// What was asked for.
        request_key: String,
        /// Why not.
        source: std::io::Error,
    },
    /// A contest to write that cannot be stored.
    #[error("contest \"{external_id}\" cannot be stored: {reason}")]
    InvalidContest {
        /// Which contest.
        external_id: String,
        /// What is wrong.
        reason: String,
    },
    /// A decision that contradicts what is there.
    #[error("{reason}")]
    InvalidDecision {
        /// What is in its way, and what to do.
        reason: String,
    },
    /// Rating rows to write that cannot be stored.
    #[error("ratings of contest {contest_id} cannot be stored: {reason}")]
    InvalidRatings {
        /// The contest they are of.
        contest_id: ContestId,
        /// What is wrong.
        reason: String,
    },
    /// Something asked for by its id is not in the file.
    #[error("there is no {what} {id} in {}", path.display())]
    NotFound {
        /// The file.
        path: PathBuf,
        /// A table's word: contest, document, run.
        what: &'static str,
        /// Which one.
        id: i64,
    },
    /// The operating system refused.
    #[error("{} cannot be opened", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What it said.
        source: std::io::Error,
    },
    /// Anything else that SQLite reports: a bug here rather than a fault of the file.
    #[error("SQLite failed on {}", path.display())]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// What it said.
        source: rusqlite::Error,
    },
}

impl Error {
    /// Returns the variant that says what to do about what SQLite reports.
    #[must_use]
    pub fn from_sqlite(path: &Path, error: rusqlite::Error) -> Self {
        let path = path.to_owned();
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => Self::NotADatabase { path },
            Some(ErrorCode::DatabaseCorrupt) => Self::Corrupt {
                path,
                reason: error.to_string(),
            },
            Some(ErrorCode::DiskFull) => Self::DiskFull { path },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::InUse {
                path,
                holder: Holder::unknown(),
            },
            // What cannot be opened is the write-ahead log beside the file: the file itself is
            // there (that was asked before), so it is the folder that refuses.
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => {
                Self::ReadOnly { path }
            }
            Some(ErrorCode::SystemIoFailure) if is_of_writing(&error) => Self::NotWritten {
                path,
                source: error,
            },
            _ => Self::Sqlite {
                path,
                source: error,
            },
        }
    }

    /// Returns the variant for what the operating system says to a reader.
    #[must_use]
    pub fn from_reading(path: &Path, error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::PermissionDenied => Self::Unreadable {
                path: path.to_owned(),
            },
            _ => Self::from_io(path, error),
        }
    }

    /// Returns the variant for what the operating system says to a writer.
    #[must_use]
    pub fn from_io(path: &Path, error: std::io::Error) -> Self {
        use std::io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem, StorageFull};
        let path = path.to_owned();
        match error.kind() {
            PermissionDenied | ReadOnlyFilesystem => Self::ReadOnly { path },
            StorageFull => Self::DiskFull { path },
            _ => Self::Io {
                path,
                source: error,
            },
        }
    }
}

/// Whether the operating system refused a write, to the file or to what lies beside it.
fn is_of_writing(error: &rusqlite::Error) -> bool {
    use rusqlite::ffi;
    let code = error.sqlite_error().map(|error| error.extended_code);
    matches!(
        code,
        Some(
            ffi::SQLITE_IOERR_WRITE
                | ffi::SQLITE_IOERR_FSYNC
                | ffi::SQLITE_IOERR_DIR_FSYNC
                | ffi::SQLITE_IOERR_TRUNCATE
                | ffi::SQLITE_IOERR_SHMOPEN
                | ffi::SQLITE_IOERR_SHMSIZE
        )
    )
}
