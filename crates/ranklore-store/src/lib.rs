#![doc = include_str!("../README.md")]

mod archive;
mod batch;
mod check;
mod contests;
mod error;
mod fingerprint;
mod ids;
mod lock;
mod open;
mod order;
mod pragmas;
mod ratings;
mod replay;
mod rows;
mod schema;
mod views;

pub use archive::{Archived, Body, CompressedBody, Document, DocumentRow, NewDocument, compress};
pub use batch::{Batch, SyncKind, SyncRun};
pub use check::Problem;
pub use contests::{ContestState, Put};
pub use error::{Error, Result};
pub use ids::{CompetitorId, ContestId, DocumentId, RunId, SourceId};
pub use lock::Holder;
pub use open::{Snapshot, Store, Writer};
pub use order::compare_external_ids;
pub use ratings::{EvaluationRow, NewRun, RatingRow, RatingWriter, RunRow};
pub use replay::{ContestRow, Selection, Standing};
pub use schema::SCHEMA_VERSION;
pub use views::{CompetitorRow, SourceRow};
