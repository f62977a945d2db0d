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
    /// Whoever makes the documents that are to be imported.
    #[error(transparent)]
    Documents(Box<dyn std::error::Error + Send + Sync>),
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
    /// No such source.
    #[error("there is no source \"{name}\" in {}; {known}", path.display())]
    NoSource {
        /// The name asked for.
        name: String,
        /// The file.
        path: PathBuf,
        /// What there is instead, in words.
        known: String,
    },
    /// Nobody is called so, or several are.
    #[error("{}", no_such("competitor", wanted, source_name, candidates, *more,
        &format!("`{command}` lists those rated")))]
    NoCompetitor {
        /// The name asked for.
        wanted: String,
        /// In which source.
        source_name: String,
        /// Who could be meant, in words, best first.
        candidates: Vec<String>,
        /// How many more could be.
        more: usize,
        /// What lists the competitors.
        command: String,
    },
    /// A decision that contradicts what is there.
    #[error("{reason}")]
    Undecided {
        /// What is in its way, and what to do.
        reason: String,
    },
    /// A document has a name where it cannot be replaced.
    #[error(
        "document {document} has the name where it cannot be replaced ({why}); nothing was changed"
    )]
    CannotForget {
        /// Which.
        document: String,
        /// What is in the way.
        why: String,
    },
    /// Somebody is forgotten, and the file could not be written anew.
    #[error(
        "the blank is in place, and the file still has pages with the name, as it could not be written anew: once that is mended, run `{command}`"
    )]
    NotSwept {
        /// What ends it.
        command: String,
        /// What went wrong.
        source: ranklore_store::Error,
    },
    /// No contest is called so, or several are.
    #[error("{}", no_such("contest", wanted, source_name, candidates, *more,
        "give its id, or its name or a part of it"))]
    NoContest {
        /// The name asked for.
        wanted: String,
        /// In which source.
        source_name: String,
        /// Which could be meant, in words, best first.
        candidates: Vec<String>,
        /// How many more could be.
        more: usize,
    },
    /// A contest that had not ended at the time asked about.
    #[error("contest \"{contest}\" {ended}: ask about a later time, or leave --as-of out")]
    NotHeld {
        /// Its name.
        contest: String,
        /// When it ended, in words.
        ended: String,
    },
    /// A selection without contests.
    #[error("no rated contest of {selection}: {}", match undo {
        Some(undo) => format!("they are withdrawn; `{undo}` puts one back"),
        None => "widen the selection, or import results first".to_owned(),
    })]
    NoContests {
        /// The selection in words.
        selection: String,
        /// What puts a contest back, where all that there would be are withdrawn.
        undo: Option<String>,
    },
    /// No such system.
    #[error("there is no rating system \"{name}\": choose one of {known}")]
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
    /// No run of this id.
    #[error("there is no run {run}; {known}")]
    NoRun {
        /// Which.
        run: i64,
        /// What there is instead, in words.
        known: String,
    },
    /// A run asked for by its id together with sources that are not its own.
    #[error("run {run} is over {of} and not over {asked}: name the one or the other")]
    OtherSources {
        /// Which run.
        run: i64,
        /// Its sources in words.
        of: String,
        /// The sources asked for in words.
        asked: String,
    },
    /// No run over these sources.
    #[error("there is no run of {sources} yet: run `{command}` first")]
    NotRated {
        /// The sources in words.
        sources: String,
        /// What rates them.
        command: String,
    },
    /// The results have changed since the run.
    #[error("run {run} no longer fits the results, which changed since: run `{command}` first")]
    StaleRun {
        /// Which run.
        run: i64,
        /// What rates anew.
        command: String,
    },
    /// No request can be made.
    #[error(transparent)]
    Fetch(#[from] ranklore_fetch::FetchError),
    /// A site says that something never asked for has not changed.
    #[error(
        "{url} says that it is as it was, though it was never asked for: is a cache in between?"
    )]
    Unasked {
        /// What was asked for.
        url: String,
    },
    /// The user asked to end.
    #[error("interrupted: nothing was written, everything is as it was")]
    Interrupted,
}

/// Something in a document that was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedDocument {
    /// The document: its path below what was named.
    pub document: String,
    /// Where in it, which contest, and why.
    pub what: String,
}

impl Error {
    /// Of whoever makes documents for [`import_documents`](crate::import_documents).
    pub fn documents(error: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self::Documents(Box::new(error))
    }
}

fn no_such(
    what: &str,
    wanted: &str,
    source: &str,
    candidates: &[String],
    more: usize,
    next: &str,
) -> String {
    let begin = format!("which {what} of {source} is \"{wanted}\"?");
    match candidates {
        [] => format!("there is no {what} like \"{wanted}\" in {source}: {next}"),
        [one] => format!("{begin} Not exactly, but nearly, {one}: name it so"),
        several => {
            let more = match more {
                0 => String::new(),
                more => format!(", and {more} more"),
            };
            format!(
                "{begin} There are {}{more}: name one of them",
                several.join("; ")
            )
        }
    }
}
