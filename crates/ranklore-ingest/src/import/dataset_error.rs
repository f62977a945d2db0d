//! Errors of dataset imports.

use std::path::PathBuf;

use ranklore_contest::SourceName;

/// An error of a dataset import. Messages state facts and name no command.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DatasetError {
    /// The dataset cannot be read.
    #[error(transparent)]
    Publish(#[from] ranklore_publish::Error),
    /// A single source name was given for a dataset with several sources.
    #[error("the dataset has several sources, which keep their names")]
    SeveralSources,
    /// The results fall under the terms of a site unknown to this version, so the terms are kept
    /// only by the name of the source.
    #[error(
        "results of {name} may not be published by everybody, by the terms of a site that is not \
         known here"
    )]
    UnknownTerms {
        /// The source.
        name: SourceName,
    },
    /// The verification of the dataset found a problem.
    #[error("{} is not a valid dataset: {problem}", folder.display())]
    InvalidDataset {
        /// The folder of the dataset.
        folder: PathBuf,
        /// The first problem.
        problem: String,
    },
    /// The dataset and the database number competitors differently.
    #[error(
        "{name} has results already, and a dataset without names numbers people differently; import \
         it as another source"
    )]
    ConflictingNumbers {
        /// The source.
        name: SourceName,
    },
}
