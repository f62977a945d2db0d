//! Errors of imports, syncs and work on a whole database.

use std::path::{Path, PathBuf};

use ranklore_contest::SourceName;

use crate::import::dataset::DatasetError;

/// The failure of an import, a sync or work on a whole database. Texts are lower-case fragments.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The database cannot be read or written.
    #[error(transparent)]
    Store(#[from] ranklore_store::Error),
    /// A source, a competitor, a contest or a run cannot be found or rated.
    #[error(transparent)]
    Replay(ranklore_replay::Error),
    /// A path given to import.
    #[error("{} cannot be read", path.display())]
    Unreadable {
        /// Which.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// Whoever makes the documents that are to be imported.
    #[error(transparent)]
    Documents(Box<dyn std::error::Error + Send + Sync>),
    /// A dataset that cannot be imported.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// An archive given to import that ends too early or does not decode.
    #[error("{} is cut off or damaged, get it again", path.display())]
    DamagedArchive {
        /// Which.
        path: PathBuf,
        /// Where it went wrong.
        source: std::io::Error,
    },
    /// Nothing to import at a path.
    #[error(
        "there are no contest files in {}: expected .json, .csv, .tsv, .txt or .xlsx files, a folder or a .tar.zst of them",
        path.display()
    )]
    NothingToImport {
        /// Which.
        path: PathBuf,
    },
    /// A file named for import is of no known kind.
    #[error(
        "{} has an ending that is not known here: rename it to .json, .csv, .tsv, .txt, .xlsx or .tar.zst",
        path.display()
    )]
    UnknownKind {
        /// Which.
        path: PathBuf,
    },
    /// A folder where archives of Reddit are due.
    #[error("{} is a folder: name the files in it that are to be read", path.display())]
    FolderOfDumps {
        /// Which.
        path: PathBuf,
    },
    /// An archive of Reddit that cannot be read.
    #[error("{0}")]
    Dump(ranklore_reddit::DumpError),
    /// A decision that contradicts what is there.
    #[error("{reason}")]
    Undecided {
        /// The reason, with what to do.
        reason: String,
    },
    /// Somebody is forgotten, and the file could not be written anew.
    #[error(
        "the blank is in place, and the file still has pages with the name, as it could not be written anew"
    )]
    NotSwept {
        /// The source of the person.
        of: SourceName,
        /// The cause.
        source: ranklore_store::Error,
    },
    /// No request can be made.
    #[error(transparent)]
    Fetch(#[from] ranklore_fetch::FetchError),
    /// A site says that something never asked for has not changed.
    #[error(
        "{url} says that it is as it was, though it was never asked for: is a cache in between?"
    )]
    Unasked {
        /// The address asked for.
        url: String,
    },
    /// The user asked to end.
    #[error("interrupted: nothing was written, everything is as it was")]
    Interrupted,
}

impl From<ranklore_replay::Error> for Error {
    /// Merges the variants that both crates have.
    fn from(error: ranklore_replay::Error) -> Self {
        match error {
            ranklore_replay::Error::Store(error) => Self::Store(error),
            ranklore_replay::Error::Interrupted => Self::Interrupted,
            error => Self::Replay(error),
        }
    }
}

impl Error {
    /// Wraps the error of reading at a path.
    pub(crate) fn unreadable(path: &Path) -> impl Fn(std::io::Error) -> Self {
        move |source| Self::Unreadable {
            path: path.to_owned(),
            source,
        }
    }

    /// Wraps the error of a caller that makes documents for
    /// [`import_documents`](crate::import_documents).
    pub fn documents(error: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self::Documents(Box::new(error))
    }
}
