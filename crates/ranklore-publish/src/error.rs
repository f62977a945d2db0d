//! What can go wrong with datasets.

use std::io;
use std::path::{Path, PathBuf};

/// Why a dataset could not be written or read. Texts name no command of the program.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// SQLite or the file system failed, on the database or on a SQLite file of a dataset.
    #[error(transparent)]
    Store(#[from] ranklore_store::Error),
    /// A file or folder failed.
    #[error("{}: {why}{}", path.display(), advice(why))]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        why: io::Error,
    },
    /// A Parquet file could not be written or read.
    #[error("{}: {reason}", path.display())]
    Parquet {
        /// Which.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// A table of a SQLite file cannot hold the rows.
    #[error("table {table} of {} cannot be written: {reason}", path.display())]
    InvalidTable {
        /// The file.
        path: PathBuf,
        /// The name of the table.
        table: String,
        /// The cause, with the row and the column where they are known.
        reason: String,
    },
    /// A SQLite file is damaged or holds other things than plain tables.
    #[error(
        "{} is no sound file of plain tables ({reason}): fetch it again, or make it anew",
        path.display()
    )]
    NotPlain {
        /// The file.
        path: PathBuf,
        /// The place of the damage, or the first other thing.
        reason: String,
    },
    /// A row refers to a competitor that is not there.
    #[error("a result is of competitor {competitor}, who is not in the file")]
    Dangling {
        /// The id.
        competitor: i64,
    },
    /// There is nothing to publish.
    #[error("there is nothing to export: {what}")]
    Nothing {
        /// Of what.
        what: String,
    },
    /// The folder to write to is something else already.
    #[error(
        "{} is there already and is no dataset of Ranklore: name another folder, or empty it",
        path.display()
    )]
    Occupied {
        /// Which.
        path: PathBuf,
    },
    /// In the folder to write to are files beside those of the dataset that is there.
    #[error(
        "in {} is {file:?}, which is not of the dataset there and would be deleted with it: move it \
         elsewhere, or name another folder",
        path.display()
    )]
    Foreign {
        /// Which folder.
        path: PathBuf,
        /// The first of them, or the folder that it is in.
        file: String,
    },
    /// Another program writes the same dataset.
    #[error("another program is writing {}: wait for it to end", path.display())]
    Busy {
        /// Which.
        path: PathBuf,
    },
    /// A folder is no dataset.
    #[error("{} is no dataset: {reason}", path.display())]
    NoDataset {
        /// Which.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// A dataset of a newer shape.
    #[error(
        "{} has format version {found}, this program knows up to {known}: a newer Ranklore reads \
         it",
        path.display()
    )]
    Newer {
        /// Which.
        path: PathBuf,
        /// Its version.
        found: u64,
        /// The newest that is known.
        known: u32,
    },
    /// Something in a dataset is not what it has to be.
    #[error("{place}: {reason}")]
    Invalid {
        /// Which file, and where in it.
        place: String,
        /// What is wrong.
        reason: String,
    },
    /// What was written is not what is read back.
    #[error("what was written is not what it should be, and was deleted: {}", problems.join("; "))]
    Unsound {
        /// What is wrong.
        problems: Vec<String>,
    },
    /// The user asked to end.
    #[error("interrupted")]
    Interrupted,
}

impl Error {
    /// What to do with the failure of a file or folder.
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        move |why| Self::Io {
            path: path.to_owned(),
            why,
        }
    }
}

/// What to do about a failure that goes away by itself for nobody.
fn advice(why: &io::Error) -> &'static str {
    use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    match why.kind() {
        StorageFull | QuotaExceeded | FileTooLarge => "; make room and run the same command again",
        _ => "",
    }
}
