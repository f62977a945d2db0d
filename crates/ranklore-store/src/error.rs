//! Errors of the database file, and the remedy for each.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

use crate::ids::{ContestId, DocumentId, RunId};
use crate::lock_holder::LockHolder;

/// The result of the functions of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// The advice for a database without results.
const START: &str = "import results first, or name another file with --db or RANKLORE_DB";

/// An error of the database: the cause, the file, and the remedy.
///
/// Messages are lower-case fragments that follow "error:".
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file does not exist.
    #[error("there is no database {}: {START}", absolute(path).display())]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// The folder of a file to create does not exist.
    #[error("there is no folder {} for {}: create it, or name another file",
        folder.display(), path.display())]
    NoFolder {
        /// The file.
        path: PathBuf,
        /// The folder.
        folder: PathBuf,
    },
    /// The file has no source yet.
    #[error("{} has no results yet: {START}", absolute(path).display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// Another process writes to the file.
    #[error("{} is in use by {holder}: wait until it is done, or end it", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
        /// The process that holds the lock.
        holder: LockHolder,
    },
    /// The path leads to something else than a regular file.
    #[error("{} is {kind}, not a file: name another file with --db", path.display())]
    NotAFile {
        /// The path.
        path: PathBuf,
        /// The type of the file: a folder, a pipe, a socket, a device.
        kind: &'static str,
    },
    /// The path is a symbolic link to a missing file.
    #[error("{} is a link to a missing file: create that file's folder and name the file itself, or delete the link", path.display())]
    DanglingLink {
        /// The path.
        path: PathBuf,
    },
    /// The file has several names, and a writer under each name would not see the others.
    #[error("{} has {names} names (hard links), and two writers would damage it: delete the other names, or write to a copy made by ranklore backup", path.display())]
    SeveralNames {
        /// The file.
        path: PathBuf,
        /// The number of its names.
        names: u64,
    },
    /// The path of the lock file is taken by something else.
    #[error("{} is {kind}, not a lock file of Ranklore: move it away", path.display())]
    NotALockFile {
        /// The path.
        path: PathBuf,
        /// The type of the file at the path.
        kind: &'static str,
    },
    /// The file is not a SQLite file.
    #[error("{} is not a SQLite file: name another file with --db", path.display())]
    NotADatabase {
        /// The file.
        path: PathBuf,
    },
    /// The file is a SQLite file of another program.
    #[error("{} is a SQLite file of another program (application id {application_id:#x}): name another file with --db", path.display())]
    OtherProgram {
        /// The file.
        path: PathBuf,
        /// The `PRAGMA application_id` of the file; 0 if it is not set.
        application_id: i32,
    },
    /// The file was written by a newer version of this program.
    #[error("{} has schema version {version} and this program knows versions up to {supported}: use a newer ranklore", path.display())]
    NewerSchema {
        /// The file.
        path: PathBuf,
        /// The schema version of the file.
        version: i64,
        /// The newest schema version known here.
        supported: i64,
    },
    /// The file has an older schema version, and the upgrade failed.
    #[error("{} could not be upgraded from schema version {version} to {supported}; the file is unchanged", path.display())]
    UpgradeFailed {
        /// The file.
        path: PathBuf,
        /// The schema version of the file.
        version: i64,
        /// The schema version of this program.
        supported: i64,
        /// The cause.
        source: Box<rusqlite_migration::Error>,
    },
    /// The file or its folder is not writable.
    #[error("{} cannot be written to: make the file and its folder writable, or copy it elsewhere", path.display())]
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// The file or its folder is not readable.
    #[error("{} cannot be read (permission denied): make the file readable and its folder accessible, or name another file", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
    },
    /// The disk is full.
    #[error("no space left to write {}: make room and run the same command again; the database is unchanged", path.display())]
    DiskFull {
        /// The file.
        path: PathBuf,
    },
    /// A write failed although the disk is not full, for example because of a quota.
    #[error("{} could not be written: a quota may be used up, or the disk fails; make room and run the same command again; the database is unchanged", path.display())]
    WriteFailed {
        /// The file.
        path: PathBuf,
        /// The error of SQLite or of the operating system.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The file is damaged.
    #[error("{} is damaged ({reason}): restore a backup, or move it away and import again", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// The damage that SQLite reports.
        reason: String,
    },
    /// A backup cannot be written to this path.
    #[error("cannot write a backup to {}: {reason}", path.display())]
    BackupTarget {
        /// The path of the backup.
        path: PathBuf,
        /// The cause, and the remedy.
        reason: String,
    },
    /// The stored bytes of a document do not match its hash.
    #[error("document {document_id} in {} is damaged ({reason}): restore a backup, or import it again", path.display())]
    DamagedDocument {
        /// The file.
        path: PathBuf,
        /// The document.
        document_id: DocumentId,
        /// The mismatch.
        reason: String,
    },
    /// A document to archive cannot be compressed.
    #[error("the document for \"{request_key}\" could not be compressed")]
    Compress {
        /// The request key of the document.
        request_key: String,
        /// The cause.
        source: std::io::Error,
    },
    /// The contest cannot be stored.
    #[error("contest \"{external_id}\" cannot be stored: {reason}")]
    InvalidContest {
        /// The external id of the contest.
        external_id: String,
        /// The cause.
        reason: String,
    },
    /// The decision contradicts earlier decisions or the data.
    #[error("{reason}")]
    InvalidDecision {
        /// The contradiction, and the remedy.
        reason: String,
    },
    /// Rating rows cannot be stored.
    #[error("ratings of contest {contest_id} cannot be stored: {reason}")]
    InvalidRatings {
        /// The contest of the rows.
        contest_id: ContestId,
        /// The cause.
        reason: String,
    },
    /// A contest differs from what was written.
    #[error(
        "contest {external_id:?} in {} is damaged or was altered ({reason}): restore a backup, or \
         rebuild the file from its documents",
        path.display()
    )]
    AlteredContest {
        /// The file.
        path: PathBuf,
        /// The external id of the contest.
        external_id: String,
        /// The difference.
        reason: String,
    },
    /// Ratings differ from those that were written.
    #[error(
        "ratings of run {run_id} in {} are damaged or were altered ({contests} contests, the first \
         of them {first:?}): restore a backup, or repair the file and rate again",
        path.display()
    )]
    AlteredRatings {
        /// The file.
        path: PathBuf,
        /// The run.
        run_id: RunId,
        /// Number of contests with such ratings.
        contests: u64,
        /// The external id of the first of them.
        first: String,
    },
    /// Rows of a table differ from those that were written.
    #[error(
        "rows of the table {table} in {} are damaged or were altered: restore a backup, or repair \
         the file",
        path.display()
    )]
    AlteredRows {
        /// The file.
        path: PathBuf,
        /// The table.
        table: &'static str,
    },
    /// The database has no row with this id.
    #[error("there is no {table} {id} in {}", path.display())]
    NotFound {
        /// The file.
        path: PathBuf,
        /// The table in words: contest, document, run.
        table: &'static str,
        /// The id.
        id: i64,
    },
    /// An operation on the file failed in the operating system.
    #[error("{} cannot be opened", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// An [`Interrupter`](crate::Interrupter) ended a query.
    #[error("a query of {} was interrupted", path.display())]
    Interrupted {
        /// The file.
        path: PathBuf,
    },
    /// Any other error of SQLite: a bug of this program rather than a fault of the file.
    #[error("SQLite failed on {}", path.display())]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// The error of SQLite.
        source: rusqlite::Error,
    },
}

impl Error {
    /// Another process, which is unknown, uses the file.
    pub(crate) fn in_use(path: &Path) -> Self {
        let path = path.to_owned();
        let holder = LockHolder::unknown();
        Self::InUse { path, holder }
    }

    pub(crate) fn corrupt(path: &Path, reason: String) -> Self {
        let path = path.to_owned();
        Self::Corrupt { path, reason }
    }

    /// Converts an error of SQLite into the variant that names the remedy.
    #[must_use]
    pub fn from_sqlite(path: &Path, error: rusqlite::Error) -> Self {
        let file = path;
        let path = path.to_owned();
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => Self::NotADatabase { path },
            Some(ErrorCode::DatabaseCorrupt) => Self::corrupt(file, error.to_string()),
            Some(ErrorCode::DiskFull) => Self::DiskFull { path },
            Some(ErrorCode::OperationInterrupted) => Self::Interrupted { path },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::in_use(file),
            // SQLite could not open the write-ahead log. The file itself exists, as was checked
            // before, so the folder denies access.
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => {
                Self::ReadOnly { path }
            }
            Some(ErrorCode::SystemIoFailure) if is_write_failure(&error) => Self::WriteFailed {
                path,
                source: error.into(),
            },
            _ => Self::Sqlite {
                path,
                source: error,
            },
        }
    }

    /// Converts an I/O error of a read.
    #[must_use]
    pub fn from_io_read(path: &Path, error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::PermissionDenied => Self::Unreadable {
                path: path.to_owned(),
            },
            _ => Self::from_io_write(path, error),
        }
    }

    /// Converts an I/O error of a write.
    #[must_use]
    pub fn from_io_write(path: &Path, error: std::io::Error) -> Self {
        use std::io::ErrorKind::{
            FileTooLarge, PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull,
        };
        let path = path.to_owned();
        match error.kind() {
            PermissionDenied | ReadOnlyFilesystem => Self::ReadOnly { path },
            StorageFull => Self::DiskFull { path },
            QuotaExceeded | FileTooLarge => Self::WriteFailed {
                path,
                source: error.into(),
            },
            _ => Self::Io {
                path,
                source: error,
            },
        }
    }
}

/// Returns the absolute path, or the path if the current folder is unknown.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// True if a write to the file or to one of its sidecar files failed.
fn is_write_failure(error: &rusqlite::Error) -> bool {
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
