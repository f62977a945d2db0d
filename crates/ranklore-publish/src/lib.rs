#![doc = include_str!("../README.md")]

mod batch;
mod dataset;
mod describe;
mod dictionary;
mod digest;
mod error;
mod export;
mod pragmas;
mod progress;
mod read;
mod scan;
mod text;
mod verify;
mod write;

pub use dataset::{ContestDocument, Dataset, DatasetRun};
pub use describe::{
    DatasetFormat, DatasetMetadata, Manifest, ManifestSource, RunMetadata, SourceMetadata,
    TableSummary, escape_markdown,
};
pub use dictionary::{ColumnKind, ColumnSpec, TableId, TableReference, TableSpec};
pub use digest::{Digest, FORMAT_VERSION};
pub use error::Error;
pub use export::changes::{ChangedContest, DatasetChanges};
pub use export::one_table::{ExportedTable, export_table};
pub use export::tables::{DatasetDigests, compute_digests};
pub use export::{ExportReport, ExportRequest, export};
pub use progress::{ExportProgress, NoExportProgress};
pub use scan::naming::ExportNaming;
pub use scan::selection::ExportSelection;
pub use text::escape_formula;
pub use verify::{VerifyReport, verify};
