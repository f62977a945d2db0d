//! What ends an import, a run or an evaluation.

use std::path::PathBuf;

/// What went wrong, with what, and what to do. Texts are lower-case fragments.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file of Ranklore.
    #[error(transparent)]
    Store(#[from] ranklore_store::Error),
    /// A path given to import.
    #[error("{} cannot be read", path.display())]
    Unreadable {
        /// Which.
        path: PathBuf,
        /// What the operating system said.
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
    /// No such source.
    #[error("there is no source {name:?} in {}; {known}", path.display())]
    NoSource {
        /// The name asked for.
        name: String,
        /// The file.
        path: PathBuf,
        /// What there is instead, in words.
        known: String,
    },
    /// A selection without contests.
    #[error("no rated contest of {selection}: widen the selection, or import results first")]
    NoContests {
        /// The selection in words.
        selection: String,
    },
    /// No such system.
    #[error("there is no rating system {name:?}: choose one of {known}")]
    NoSystem {
        /// The name asked for.
        name: String,
        /// The names there are.
        known: String,
    },
    /// A parameter that the system does not have or cannot take.
    #[error("{system}: {reason}")]
    Parameters {
        /// Which system.
        system: &'static str,
        /// What is wrong, and what would be right.
        reason: String,
    },
    /// No run to show.
    #[error("{what}: run `ranklore rate {sources}` first")]
    NoRun {
        /// What was asked for, in words.
        what: String,
        /// The sources to rate.
        sources: String,
    },
    /// The results have changed since the run.
    #[error(
        "run {run} no longer fits the results, which changed since: run `ranklore rate {sources}` again"
    )]
    StaleRun {
        /// Which run.
        run: i64,
        /// The sources to rate again.
        sources: String,
    },
    /// The user asked to end.
    #[error("interrupted; nothing of this run was written")]
    Interrupted,
}
