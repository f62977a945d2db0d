#![doc = include_str!("../README.md")]

mod arrange;
mod batch;
mod changelog;
mod changes;
mod check;
mod dataset;
mod describe;
mod dictionary;
mod digest;
mod error;
mod export;
mod gather;
mod naming;
mod piece;
mod read;
mod selection;
mod staging;
mod tables;
mod text;
mod watch;
mod write;

pub use changes::{ChangedContest, Changes};
pub use check::{Checked, check};
pub use dataset::{ContestDocument, Dataset, DatasetRun};
pub use describe::{
    Described, DescribedRun, DescribedSource, DescribedTable, Format, Manifest, ManifestSource,
};
pub use dictionary::{Column, Kind, Reference, Table, TableId};
pub use digest::{Digest, FORMAT_VERSION};
pub use error::Error;
pub use export::{ExportRequest, Exported, export};
pub use naming::Naming;
pub use selection::Selection;
pub use tables::{Identity, identify};
pub use watch::{Silent, Watch};
