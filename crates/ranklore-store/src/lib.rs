#![doc = include_str!("../README.md")]

mod archive;
mod check;
mod error;
mod file;
mod ids;
mod lock_holder;
mod people;
mod read;
mod results;
mod runs;
pub mod sqlite;
mod sync;

pub use archive::documents::{
    ArchiveOutcome, Body, CompressedBody, DocumentRow, NewDocument, RedactedContent,
    StoredDocument, compress,
};
pub use archive::redactions::RedactedDocument;
pub use check::problem::Problem;
pub use check::repair::Repair;
pub use check::{CheckExtent, CheckProgress, CheckStage};
pub use error::{Error, Result};
pub use file::batch::WriteBatch;
#[doc(hidden)]
pub use file::failpoint::failpoint;
pub use file::interrupter::Interrupter;
pub use file::maintenance::{FileSize, SupersededDocument};
pub use file::open::{Snapshot, Store, Writer};
pub use file::regular::{check_regular_file, open_regular_file};
pub use file::schema::SCHEMA_VERSION;
#[doc(hidden)]
pub use file::table_hash::COUNTED as COUNTED_COLUMNS;
pub use ids::{CompetitorId, ContestId, DecisionId, DocumentId, RunId, SourceId};
pub use lock_holder::LockHolder;
pub use people::decisions::{Decision, DecisionAction, DecisionRow, NameRow};
pub use people::tombstones::{PendingVacuum, Tombstones, name_hash};
pub use read::details::{CompetitorDetails, RatingDetails, StandingDetails};
pub use read::event_numbers::EventNumbers;
pub use read::games::RatingBelow;
pub use read::histories::{ContestOfRun, ResultRow};
pub use read::lists::{ContestListFilter, ListedContestRow};
pub use read::members::TeamMember;
pub use read::periods::TimedRating;
pub use read::ranking::{ProvisionalPlacement, RankingCounts, RankingKey, RankingQuery};
pub use read::ratable_contests::RatableContest;
pub use read::replay::{ContestFilter, ContestIds, ContestRow, Standing};
pub use read::views::{CompetitorRow, SearchedCompetitor, SourceRow};
pub use results::contest_state::{ContestState, UpsertOutcome};
pub use results::contests::ContestUpsert;
pub use results::external_ids::{
    compare_events, compare_external_ids, compare_simultaneous_contests,
};
pub use results::source_settings::SourceSettings;
pub use runs::current_ratings::{CurrentRatingRow, RatingSummary};
pub use runs::evaluations::{MetricRow, StoredEvaluation};
pub use runs::ratings::{NewRun, RatingRow, RatingWriter, RunRow};
pub use runs::resume::{RatingsQuery, RunContest};
pub use runs::trials::{Study, TrialRow, TrialState};
pub use sync::completeness::Completeness;
pub use sync::history::{SyncKind, SyncRun};
pub use sync::mining::{ContestSync, HostRow, ListedContest, SyncOutcome};
pub use sync::official::{OFFICIAL, OfficialRow};
