#![doc = include_str!("../README.md")]

mod archive;
mod backup;
mod batch;
mod check;
mod checkpoint;
mod contests;
mod decisions;
mod deletions;
mod error;
mod failpoint;
mod fingerprint;
mod forgotten;
mod frozen;
mod histories;
mod ids;
mod lock;
mod members;
mod mining;
mod open;
mod order;
mod plain;
mod pragmas;
mod pseudonyms;
mod published;
mod ratings;
mod rebuild;
mod redacted;
mod replay;
mod rows;
mod schema;
mod sync;
mod teams;
mod upkeep;
mod views;

pub use archive::{
    Archived, Body, CompressedBody, Document, DocumentRow, Kept, NewDocument, compress,
};
pub use batch::Batch;
pub use check::Problem;
pub use checkpoint::{RunContest, Wanted};
pub use contests::{ContestState, Put};
pub use decisions::{Decision, DecisionRow};
pub use error::{Error, Result};
#[doc(hidden)]
pub use failpoint::failpoint;
pub use forgotten::{Forgotten, Tombstones, Unswept, name_hash};
pub use histories::{NameRow, ResultRow};
pub use ids::{CompetitorId, ContestId, DecisionId, DocumentId, RunId, SourceId};
pub use lock::Holder;
pub use members::Member;
pub use mining::{ContestSync, HostRow, ListedContest, OFFICIAL, OfficialRow, SyncOutcome};
pub use open::{Snapshot, Store, Writer};
pub use order::compare_external_ids;
pub use plain::{
    PlainColumn, PlainKind, PlainReader, PlainReference, PlainTable, PlainValue, PlainWriter,
};
pub use published::{PublishedCompetitor, PublishedRating, PublishedStanding};
pub use ratings::{EvaluationRow, NewRun, RatingRow, RatingWriter, RunRow};
pub use redacted::RedactedAnswer;
pub use replay::{ContestRow, Selection, Standing};
pub use schema::SCHEMA_VERSION;
pub use sync::{SyncKind, SyncRun};
pub use upkeep::{FileSize, Superseded};
pub use views::{CompetitorRow, SourceRow};
