#![doc = include_str!("../README.md")]

mod batch;
mod check;
mod dataset;
mod describe;
mod dictionary;
mod digest;
mod error;
mod export;
mod plain;
mod read;
mod scan;
mod text;
mod watch;
mod write;

pub use check::{Checked, check};
pub use dataset::{ContestDocument, Dataset, DatasetRun};
pub use describe::{
    Described, DescribedRun, DescribedSource, DescribedTable, Format, Manifest, ManifestSource,
};
pub use dictionary::{Column, Kind, Reference, Table, TableId};
pub use digest::{Digest, FORMAT_VERSION};
pub use error::Error;
pub use export::changes::{ChangedContest, Changes};
pub use export::tables::{Identity, identify};
pub use export::{ExportRequest, Exported, export};
pub use plain::{
    PlainColumn, PlainKind, PlainReader, PlainReference, PlainTable, PlainValue, PlainWriter,
};
pub use scan::naming::Naming;
pub use scan::selection::Selection;
pub use watch::{Silent, Watch};
