//! Documentation files of a dataset: card, manifest, Croissant and checksums.

mod card;
mod checksums;
mod croissant;
mod datapackage;
mod edition;
mod escape;
#[cfg(test)]
mod fixtures;
mod json;
mod licence;
mod manifest;
mod resource;

use ranklore_contest::word_enum;

pub(crate) use card::render_card;
pub(crate) use checksums::{CHECKSUMS_FILE, render_checksums};
pub(crate) use croissant::render_croissant;
pub(crate) use datapackage::render_datapackage;
pub use escape::escape_markdown;
pub(crate) use manifest::DatasetFile;
pub(crate) use manifest::is_safe_relative_path;
pub use manifest::{Manifest, ManifestSource, TableSummary};

/// Metadata of a dataset that its tables do not hold.
#[derive(Clone, Debug)]
pub struct DatasetMetadata {
    /// A short title.
    pub title: String,
    /// The version of the exporting program.
    pub version: String,
    /// The commit that the program was built from, if known.
    pub commit: Option<String>,
    /// The sources.
    pub sources: Vec<SourceMetadata>,
    /// The runs of rating systems, ordered by number.
    pub runs: Vec<RunMetadata>,
}

/// Complete description of a dataset.
#[derive(Clone, Debug)]
pub(crate) struct DatasetDescription {
    /// A short title.
    pub(crate) title: String,
    /// The tables, files, sources and their counts.
    pub(crate) manifest: Manifest,
    /// The sources of the manifest, in the same order.
    pub(crate) sources: Vec<SourceMetadata>,
    /// The runs of rating systems, ordered by number.
    pub(crate) runs: Vec<RunMetadata>,
}

/// A source of a dataset.
#[derive(Clone, Debug, Default)]
pub struct SourceMetadata {
    /// The name of the source.
    pub name: String,
    /// The sites that the results are from, whatever the name of the source.
    pub sites: Vec<String>,
    /// The home page of the site.
    pub homepage: Option<String>,
    /// The attribution to show with the results; empty if none is requested.
    pub attribution: String,
    /// The terms of the site for its data, in one sentence; empty if unknown.
    pub licence: String,
    /// True if the terms forbid publication and the exporting user stated that they have
    /// permission.
    pub by_permission: bool,
    /// The times of the first and the last result, in Unix seconds. Export fills them in.
    pub ends_at: Option<(i64, i64)>,
    /// The collection times of the first and the last document with results, in Unix seconds.
    pub collected_at: Option<(i64, i64)>,
    /// The first 100 contests that could not be read, with the reason, or without it where it might
    /// reveal a name.
    pub refused: Vec<(String, Option<String>)>,
    /// The number of all contests that could not be read.
    pub total_refused: u64,
    /// The first 100 contests with much less data than the site announced, each with the amount
    /// received and a note if it is left out.
    pub incomplete: Vec<(String, String)>,
    /// The number of all such contests.
    pub total_incomplete: u64,
}

/// A run of a rating system in a dataset.
#[derive(Clone, Debug)]
pub struct RunMetadata {
    /// The rating system.
    pub system: String,
    /// The parameters as JSON.
    pub parameters: String,
    /// The selection of contests as JSON.
    pub selection: String,
    /// The version of the numerics.
    pub engine: String,
    /// The reason why the run is stale, as a clause; none if it is not.
    pub stale: Option<&'static str>,
}

word_enum! {
    /// A file format of tables.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum DatasetFormat {
        /// Compressed columns, for DuckDB, Polars, pandas and Spark.
        Parquet = "parquet",
        /// One SQLite file, ready for Datasette.
        Sqlite = "sqlite",
        /// CSV by RFC 4180, in UTF-8.
        Csv = "csv",
        /// JSON Lines, one object per row.
        JsonLines = "jsonl",
        /// One contest file of Elo-MMR per contest, without ratings.
        EloMmr = "elo-mmr",
    }
}

impl DatasetFormat {
    /// All formats, in the order of preference for reading.
    pub const ALL: [Self; 5] = Self::VARIANTS;
}
