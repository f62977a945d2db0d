//! Errors of exporting and reading datasets.

use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};

/// The cause of a failed export or read. Messages name no command of the program.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// SQLite or the file system failed, on the database or on a SQLite file of a dataset.
    #[error(transparent)]
    Store(#[from] ranklore_store::Error),
    /// An operation on a file or folder failed.
    #[error("{}: {error}{}", path.display(), advice(error))]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// A table of a SQLite file cannot hold the rows.
    #[error("table {table} of {} cannot be written: {reason}", path.display())]
    InvalidTable {
        /// The file.
        path: PathBuf,
        /// The table name.
        table: String,
        /// The cause, with row and column if known.
        reason: String,
    },
    /// A SQLite file of a dataset is damaged or holds anything but tables and their indices.
    #[error(
        "{} is damaged or not a file of plain tables ({reason}): download or export it again",
        path.display()
    )]
    InvalidPlainFile {
        /// The file.
        path: PathBuf,
        /// The damage, or the first unsupported object.
        reason: String,
    },
    /// A row refers to a missing competitor.
    #[error("a result is of competitor {competitor}, who is not in the file")]
    UnknownCompetitor {
        /// The id of the competitor.
        competitor: i64,
    },
    /// No contest matches the selection.
    #[error("there is nothing to export: {selection}")]
    NothingToExport {
        /// The names of the selected sources.
        selection: String,
    },
    /// The target folder exists and is no dataset.
    #[error(
        "{} exists and is no dataset of Ranklore: name another folder or empty it",
        path.display()
    )]
    Occupied {
        /// The folder.
        path: PathBuf,
    },
    /// The target folder holds files that do not belong to its dataset.
    #[error(
        "{} contains {file:?}, which does not belong to the dataset and would be deleted: move it or \
         name another folder",
        path.display()
    )]
    ForeignFile {
        /// The folder.
        path: PathBuf,
        /// The first such file, or its folder.
        file: String,
    },
    /// Another process is writing the same dataset.
    #[error("another program is writing {}: wait for it to end", path.display())]
    Busy {
        /// The dataset folder.
        path: PathBuf,
    },
    /// The folder is no dataset.
    #[error("{} is no dataset: {reason}", path.display())]
    NoDataset {
        /// The folder.
        path: PathBuf,
        /// The cause.
        reason: String,
    },
    /// The dataset has a newer format version.
    #[error(
        "{} has format version {version}, this program reads up to {known}: update Ranklore",
        path.display()
    )]
    Newer {
        /// The dataset folder.
        path: PathBuf,
        /// The format version of the dataset.
        version: u64,
        /// The newest supported format version.
        known: u32,
    },
    /// A value of a dataset is invalid.
    #[error("{place}: {reason}")]
    Invalid {
        /// The file and the place in it.
        place: String,
        /// The problem.
        reason: String,
    },
    /// The exported dataset failed its verification.
    #[error("the export failed its verification and was deleted: {}", problems.join("; "))]
    VerificationFailed {
        /// The problems found.
        problems: Vec<String>,
    },
    /// The user interrupted the operation.
    #[error("interrupted")]
    Interrupted,
}

impl Error {
    /// Creates the error for an invalid value of a dataset.
    pub(crate) fn invalid(place: impl Display, reason: impl Into<String>) -> Self {
        Self::Invalid {
            place: place.to_string(),
            reason: reason.into(),
        }
    }

    /// Returns a function that adds the path to an I/O error.
    pub(crate) fn from_io(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        move |error| Self::Io {
            path: path.to_owned(),
            error,
        }
    }
}

/// Returns advice for an error that needs action by the user.
fn advice(error: &io::Error) -> &'static str {
    use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    match error.kind() {
        StorageFull | QuotaExceeded | FileTooLarge => "; make room and run the same command again",
        _ => "",
    }
}
