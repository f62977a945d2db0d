//! Documentation files of a dataset: card, manifest, Croissant and checksums.

mod card;
mod checksums;
mod croissant;
mod datapackage;
mod edition;
mod escape;
#[cfg(test)]
mod fixtures;
mod licence;
mod manifest;
mod resource;

use ranklore_contest::{ContestTime, word_enum};

use crate::dictionary::TableId;
use crate::digest::Digest;

pub(crate) use card::render_card;
pub(crate) use checksums::{CHECKSUMS_FILE, render_checksums};
pub(crate) use croissant::render_croissant;
pub(crate) use datapackage::render_datapackage;
pub use escape::escape_markdown;
pub(crate) use manifest::is_safe_relative_path;
pub use manifest::{Manifest, ManifestSource};
/// Metadata of a dataset that its tables do not hold.
#[derive(Clone, Debug)]
pub struct DatasetMetadata {
    /// A short title.
    pub title: String,
    /// The version of the exporting program.
    pub version: String,
    /// The commit that the program was built from, if known.
    pub commit: Option<String>,
    /// The sources. Export fills in their counts and naming.
    pub sources: Vec<SourceMetadata>,
    /// The runs of rating systems, ordered by number.
    pub runs: Vec<RunMetadata>,
}

/// Complete description of a dataset: metadata, tables and files.
#[derive(Clone, Debug)]
pub(crate) struct DatasetDescription {
    /// A short title.
    pub(crate) title: String,
    /// The version of the exporting program.
    pub(crate) version: String,
    /// The commit that the program was built from, if known.
    pub(crate) commit: Option<String>,
    /// The digest that identifies the results.
    pub(crate) snapshot: Digest,
    /// The sources, sorted by name.
    pub(crate) sources: Vec<SourceMetadata>,
    /// The runs of rating systems, ordered by number.
    pub(crate) runs: Vec<RunMetadata>,
    /// The tables in the order of [`TableId::ALL`].
    pub(crate) tables: Vec<TableSummary>,
    /// The table files, sorted by path.
    pub(crate) files: Vec<DatasetFile>,
    /// True if CSV texts that spreadsheets take for formulas are prefixed with an apostrophe.
    pub(crate) formulas_escaped: bool,
    /// Contests before this time are left out.
    pub(crate) since: Option<ContestTime>,
    /// The number of forgotten names in the exported database, over all its sources.
    pub(crate) forgotten_names: u64,
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
    /// The naming of competitors: `real`, `pseudonym` or `none`.
    pub name_policy: String,
    /// The number of contests.
    pub contests: u64,
    /// The number of rows in their standings.
    pub standings: u64,
    /// The number of competitors.
    pub competitors: u64,
    /// The times of the first and the last result, in Unix seconds.
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

/// Size and digest of a table.
#[derive(Clone, Copy, Debug)]
pub struct TableSummary {
    /// The table.
    pub table: TableId,
    /// The number of rows.
    pub rows: u64,
    /// The digest of the rows.
    pub digest: Digest,
}

/// A table file of a dataset.
#[derive(Clone, Debug)]
pub struct DatasetFile {
    /// The format of the file.
    pub format: DatasetFormat,
    /// The table that the file holds; `None` if it holds rows of several.
    pub table: Option<TableId>,
    /// The path relative to the dataset folder, with slashes.
    pub path: String,
    /// The length in bytes.
    pub bytes: u64,
    /// The SHA-256 in hexadecimal.
    pub sha256: String,
}

word_enum! {
    /// A file format of tables.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum DatasetFormat {
        /// Parquet.
        Parquet = "parquet",
        /// CSV.
        Csv = "csv",
        /// JSON Lines.
        JsonLines = "jsonl",
        /// Contest files in the format of Elo-MMR, one per contest.
        EloMmr = "elo-mmr",
        /// A SQLite database file.
        Sqlite = "sqlite",
    }
}

impl DatasetFormat {
    /// All formats, in the order of preference for reading.
    pub const ALL: [Self; 5] = [
        Self::Parquet,
        Self::Sqlite,
        Self::Csv,
        Self::JsonLines,
        Self::EloMmr,
    ];
}
