//! The problems that a check finds.

use crate::ids::DocumentId;

/// A problem of the database.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// SQLite reports damaged structures.
    #[error("integrity: {0}")]
    Integrity(String),
    /// Rows refer to a row that does not exist.
    #[error("{rows} rows of {table} refer to a row of {parent} that does not exist")]
    Reference {
        /// The table of the rows.
        table: String,
        /// The table of the missing row.
        parent: String,
        /// Number of such rows.
        rows: u64,
    },
    /// The rows of a contest differ from those that were written.
    #[error("contest {external_id:?} of {source_name}: {reason}")]
    Contest {
        /// The name of its source.
        source_name: String,
        /// The external id of the contest.
        external_id: String,
        /// The mismatch.
        reason: String,
    },
    /// The content of a document differs from what was archived.
    #[error("document {document_id}: {reason}")]
    Document {
        /// The document.
        document_id: DocumentId,
        /// The mismatch.
        reason: String,
    },
    /// Merges form a cycle.
    #[error("competitor {external_id:?} of {source_name} is part of a cycle of merges")]
    MergeCycle {
        /// The name of the source.
        source_name: String,
        /// A competitor of the cycle.
        external_id: String,
    },
    /// A competitor is merged into one of another source or kind.
    #[error(
        "competitor {external_id:?} of {source_name} is merged into one of another source or kind"
    )]
    InvalidMerge {
        /// The name of the source.
        source_name: String,
        /// The competitor.
        external_id: String,
    },
    /// A run does not match the contests that it rated.
    #[error("run {run_id}: {reason}")]
    RunMismatch {
        /// The run.
        run_id: crate::RunId,
        /// The mismatch.
        reason: String,
    },
    /// The stored parameters of a run are damaged. Only a caller that knows rating systems finds
    /// this problem.
    #[error("run {run_id}: {reason}")]
    RunParameters {
        /// The run.
        run_id: crate::RunId,
        /// The damage.
        reason: String,
    },
    /// Names of forgotten persons may remain in free pages of the file.
    #[error(
        "{persons} forgotten {} still in free pages",
        if *persons == 1 { "person is" } else { "persons are" }
    )]
    PendingVacuum {
        /// Number of persons.
        persons: u64,
        /// The source of one of them.
        source_name: String,
    },
    /// Ratings of a run differ from those that were written.
    #[error(
        "run {run_id}: the ratings after {} differ from those that were written",
        describe_contests(*contests, first)
    )]
    Ratings {
        /// The run.
        run_id: crate::RunId,
        /// The system of the run.
        system: String,
        /// Number of contests with such ratings.
        contests: u64,
        /// The first of them in replay order.
        first: String,
    },
    /// Current ratings of a run do not follow from its ratings.
    #[error(
        "run {run_id}: the current ratings of {competitors} competitor{} do not follow from its \
         ratings",
        if *competitors == 1 { "" } else { "s" }
    )]
    CurrentRatings {
        /// The run.
        run_id: crate::RunId,
        /// The system of the run.
        system: String,
        /// Number of competitors.
        competitors: u64,
    },
    /// Rows of a table differ from those that were written.
    #[error("rows of the table {table} differ from those that were written")]
    Rows {
        /// The table.
        table: &'static str,
    },
    /// A table or an index is not as this version creates it.
    #[error("the {object} is not as this version creates it")]
    Schema {
        /// Kind and name of the object.
        object: String,
    },
    /// A run has another number of rows than recorded.
    #[error("run {run_id} recorded {expected} rows and has {actual}")]
    RunRowCount {
        /// The run.
        run_id: crate::RunId,
        /// Number of rows recorded.
        expected: u64,
        /// Number of rows in the file.
        actual: u64,
    },
}

fn describe_contests(contests: u64, first: &str) -> String {
    match contests {
        1 => format!("contest {first:?}"),
        _ => format!("{contests} contests, the first of them {first:?},"),
    }
}
