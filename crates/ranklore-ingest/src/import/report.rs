//! The report of an import.

use ranklore_contest::{Contest, shorten};
use ranklore_formats::TableLayout;
use ranklore_source::assemble::RefusedInput;
use ranklore_store::UpsertOutcome;
use serde::Serialize;

/// The outcome of an import or a rebuild.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ImportReport {
    /// Documents read.
    pub documents: u64,
    /// The contests in them.
    pub contests: ContestCounts,
    /// Results in all these contests.
    pub results: u64,
    /// Competitors with a new or changed starting rating.
    pub starting_ratings: u64,
    /// Documents and contests that were refused: the first 100.
    pub refused: Vec<RefusedInput>,
    /// The number of all documents and contests that were refused.
    pub total_refused: u64,
    /// The recognised layouts of the first 100 tables, by document.
    pub layouts: Vec<DocumentLayout>,
    /// Warnings about documents, by document: the first 100.
    pub warnings: Vec<DocumentWarning>,
    /// The number of all warnings.
    pub total_warnings: u64,
    /// Contests that earlier versions of the documents have and the new ones have not. They stay as
    /// they are.
    pub removed: Vec<DocumentContest>,
    /// Removed contests, withdrawn by this import.
    pub withdrawn: Vec<DocumentContest>,
    /// Contests that an earlier import withdrew for that reason and that are in the documents again.
    /// They stay withdrawn.
    pub returned: Vec<DocumentContest>,
    /// Returned contests, rated again by this import.
    pub restored: Vec<DocumentContest>,
    /// Another source, if this import created its source and the names differ by at most two
    /// characters: one of them may be misspelt.
    pub similar_source: Option<String>,
    /// Files of unknown types in folders and archives.
    pub passed_over: u64,
    /// True if the user interrupted the import; what was done before is kept.
    pub interrupted: bool,
}

impl ImportReport {
    /// Adds a warning about a document.
    pub(crate) fn warn(&mut self, document: &str, warning: String) {
        self.total_warnings += 1;
        push_reported(&mut self.warnings, DocumentWarning::new(document, warning));
    }
}

/// Contests of an import, by what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ContestCounts {
    /// Contests that were not there before.
    pub added: u64,
    /// Contests whose result changed.
    pub revised: u64,
    /// Contests that were there before, as they are.
    pub unchanged: u64,
}

impl ContestCounts {
    /// Returns the number of all contests.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.added + self.revised + self.unchanged
    }

    /// Returns the number of contests that are new or changed.
    #[must_use]
    pub const fn changed(&self) -> u64 {
        self.added + self.revised
    }

    pub(crate) const fn count(&mut self, change: UpsertOutcome) {
        match change {
            UpsertOutcome::Added => self.added += 1,
            UpsertOutcome::Revised { .. } => self.revised += 1,
            // An import names the contests that it withdraws and restores.
            UpsertOutcome::MetadataUpdated
            | UpsertOutcome::Withdrawn
            | UpsertOutcome::Restored
            | UpsertOutcome::Unchanged
            | UpsertOutcome::Superseded => self.unchanged += 1,
        }
    }
}

/// The layout of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DocumentLayout {
    /// The document.
    pub document: String,
    /// The columns and their meanings.
    #[serde(flatten)]
    pub layout: TableLayout,
}

/// A warning about a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DocumentWarning {
    /// The document.
    pub document: String,
    /// The warning.
    pub what: String,
}

impl DocumentWarning {
    /// Returns a warning about a document, whose name is shortened.
    pub(crate) fn new(document: &str, warning: String) -> Self {
        Self {
            document: shorten(document).into_owned(),
            what: warning,
        }
    }
}

/// A contest of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DocumentContest {
    /// The document.
    pub document: String,
    /// The external id of the contest.
    pub contest: String,
    /// The name of the contest.
    pub name: String,
}

/// The most refusals, warnings and layouts that a report has: an archive can lead to millions.
pub(crate) const MAX_REPORTED: usize = 100;

/// Adds an item to those that a report has, up to [`MAX_REPORTED`]. Returns true if it was added.
pub(crate) fn push_reported<T>(items: &mut Vec<T>, item: T) -> bool {
    let has_room = items.len() < MAX_REPORTED;
    if has_room {
        items.push(item);
    }
    has_room
}

/// Returns the refusal of a document, whose name is shortened.
pub(crate) fn refuse_document(document: &str, reason: String) -> RefusedInput {
    RefusedInput {
        document: shorten(document).into_owned(),
        what: reason,
    }
}

/// Returns the refusal of a contest whose id a contest of `document` has too.
pub(crate) fn duplicate_contest_message(contest: &Contest, document: &str) -> String {
    format!(
        "contest \"{}\": \"{}\" is also the id of a contest in {}; give one of them another id",
        shorten(&contest.name),
        shorten(&contest.external_id),
        shorten(document)
    )
}
