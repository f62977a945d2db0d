#![doc = include_str!("../README.md")]

mod archive;
mod error;
mod file;
mod ids;
mod people;
mod read;
mod results;
mod runs;
pub mod sqlite;
mod sync;

pub use archive::documents::{
    Archived, Body, CompressedBody, Document, DocumentRow, Kept, NewDocument, compress,
};
pub use archive::redactions::RedactedDocument;
pub use error::{Error, Result};
pub use file::batch::Batch;
#[doc(hidden)]
pub use file::failpoint::failpoint;
pub use file::lock::Holder;
pub use file::open::{Snapshot, Store, Writer};
pub use file::schema::SCHEMA_VERSION;
pub use file::upkeep::{FileSize, Superseded};
pub use ids::{CompetitorId, ContestId, DecisionId, DocumentId, RunId, SourceId};
pub use people::decisions::{Decision, DecisionRow, NameRow};
pub use people::tombstones::{Forgotten, Tombstones, Unswept, name_hash};
pub use read::check::Problem;
pub use read::histories::ResultRow;
pub use read::members::Member;
pub use read::published::{PublishedCompetitor, PublishedRating, PublishedStanding};
pub use read::replay::{ContestRow, Selection, Standing};
pub use read::views::{CompetitorRow, SourceRow};
pub use results::contests::{ContestState, Put};
pub use results::order::compare_external_ids;
pub use runs::ratings::{EvaluationRow, NewRun, RatingRow, RatingWriter, RunRow};
pub use runs::resume::{RunContest, Wanted};
pub use sync::completeness::Completeness;
pub use sync::history::{SyncKind, SyncRun};
pub use sync::mining::{ContestSync, HostRow, ListedContest, SyncOutcome};
pub use sync::official::{OFFICIAL, OfficialRow};
