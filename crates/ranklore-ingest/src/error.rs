//! Errors of imports, syncs and maintenance.

use std::path::{Path, PathBuf};

use ranklore_contest::SourceName;

use crate::import::dataset_error::DatasetError;

/// An error of an import, a sync or maintenance. Messages are lower-case fragments.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The database cannot be read or written.
    #[error(transparent)]
    Store(#[from] ranklore_store::Error),
    /// A source, a competitor, a contest or a run cannot be found or rated.
    #[error(transparent)]
    Replay(ranklore_replay::Error),
    /// A path given to an import cannot be read.
    #[error("{} cannot be read", path.display())]
    Unreadable {
        /// The path.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The caller's documents for [`import_documents`](crate::import_documents) failed.
    #[error(transparent)]
    Documents(Box<dyn std::error::Error + Send + Sync>),
    /// A dataset cannot be imported.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// An archive given to an import is truncated or does not decode.
    #[error("{} is truncated or damaged; download it again", path.display())]
    DamagedArchive {
        /// The path.
        path: PathBuf,
        /// The error of the decoder.
        source: std::io::Error,
    },
    /// An archive given to an import holds more than an archive may.
    #[error("{} is too large; split it", path.display())]
    ArchiveTooLarge {
        /// The path.
        path: PathBuf,
        /// The limit that it exceeds.
        source: std::io::Error,
    },
    /// The format of standard input is unknown.
    #[error("standard input has no file name: pass --format csv or another, or --as results.csv")]
    StdinFormat,
    /// Standard input is named like an archive.
    #[error(
        "an archive cannot be read from standard input: save it as a file, and import the file"
    )]
    StdinArchive,
    /// A path has nothing to import.
    #[error(
        "there are no contest files in {}: expected .json, .jsonl, .csv, .tsv, .txt, .xlsx, .xls, .ods or .parquet files, a folder or an archive of them",
        path.display()
    )]
    NothingToImport {
        /// The path.
        path: PathBuf,
    },
    /// A file given to an import has an unknown extension.
    #[error("{}", describe_unknown_type(path))]
    UnknownFileType {
        /// The path.
        path: PathBuf,
    },
    /// A folder was given in place of a Reddit archive.
    #[error("{} is a folder: name the files in it", path.display())]
    DumpIsFolder {
        /// The path.
        path: PathBuf,
    },
    /// A Reddit archive cannot be read.
    #[error("{0}")]
    Dump(ranklore_reddit::DumpError),
    /// A request is invalid or contradicts an earlier decision.
    #[error("{reason}")]
    InvalidRequest {
        /// The reason, with what to do.
        reason: String,
    },
    /// A person was forgotten, but the database file could not be rewritten.
    #[error(
        "the name was replaced, but the database file could not be rewritten, so unused pages still have the name"
    )]
    VacuumFailed {
        /// The source of the person.
        source_name: SourceName,
        /// The cause.
        source: ranklore_store::Error,
    },
    /// No request can be made.
    #[error(transparent)]
    Fetch(#[from] ranklore_fetch::ClientError),
    /// A site answers "not modified" to a request without an earlier answer.
    #[error("{url} answers \"not modified\" to a first request: check for a cache in between")]
    UnexpectedNotModified {
        /// The requested address.
        url: String,
    },
    /// The user interrupted the job.
    #[error("interrupted: nothing was written, everything is as it was")]
    Interrupted,
}

/// Describes a file that cannot be read: its format if it is a known one.
fn describe_unknown_type(path: &Path) -> String {
    let path = path.display().to_string();
    match ranklore_formats::describe_unread_name(&path) {
        Some(kind) => format!("{path} is {kind}"),
        None => format!(
            "{path} is of a kind that cannot be read: save or export it as .csv, .tsv, .txt, .xlsx, .ods, .parquet, .pgn, .json or .jsonl, or name its format with --format"
        ),
    }
}

impl From<ranklore_replay::Error> for Error {
    /// Maps the variants that both crates have to one.
    fn from(error: ranklore_replay::Error) -> Self {
        match error {
            ranklore_replay::Error::Store(error) => Self::Store(error),
            ranklore_replay::Error::Interrupted => Self::Interrupted,
            error => Self::Replay(error),
        }
    }
}

impl Error {
    /// Returns a function that wraps an I/O error at `path`.
    pub(crate) fn unreadable(path: &Path) -> impl Fn(std::io::Error) -> Self {
        move |source| Self::Unreadable {
            path: path.to_owned(),
            source,
        }
    }

    /// Returns the error of an invalid request; the reason is a text or another error.
    pub(crate) fn invalid_request(reason: impl Into<Box<dyn std::error::Error>>) -> Self {
        let reason = reason.into().to_string();
        Self::InvalidRequest { reason }
    }

    /// Wraps an error of the caller's documents for [`import_documents`](crate::import_documents).
    pub fn documents(error: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self::Documents(Box::new(error))
    }
}
