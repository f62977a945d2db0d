//! What is said of a dataset beside its tables.

mod card;
mod croissant;
mod datapackage;
mod edition;
mod escape;
#[cfg(test)]
mod invented;
mod licence;
mod manifest;
mod resource;
mod sums;

use ranklore_contest::UnixSeconds;

use crate::dictionary::TableId;
use crate::digest::Digest;

pub(crate) use card::card;
pub(crate) use croissant::croissant;
pub(crate) use datapackage::datapackage;
pub(crate) use escape::markdown;
pub(crate) use manifest::goes_down;
pub use manifest::{Manifest, ManifestSource};
pub(crate) use sums::{SUMS, sums};
/// What is said of a dataset that its tables do not say.
#[derive(Clone, Debug)]
pub struct Described {
    /// What it is called: a title in a few words.
    pub title: String,
    /// The version of the program that makes it.
    pub version: String,
    /// The commit that the program was made of, where that is known.
    pub commit: Option<String>,
    /// Its sources. What there is of each is counted, and what people are called is as selected.
    pub sources: Vec<DescribedSource>,
    /// Its runs of rating systems, in the order of their numbers.
    pub runs: Vec<DescribedRun>,
}

/// Everything that is said of a dataset.
#[derive(Clone, Debug)]
pub(crate) struct Description {
    /// What it is called: a title in a few words.
    pub(crate) title: String,
    /// The version of the program that made it.
    pub(crate) version: String,
    /// The commit that the program was made of, where that is known.
    pub(crate) commit: Option<String>,
    /// What identifies its results.
    pub(crate) snapshot: Digest,
    /// Its sources, by name.
    pub(crate) sources: Vec<DescribedSource>,
    /// Its runs of rating systems, in the order of their numbers.
    pub(crate) runs: Vec<DescribedRun>,
    /// Its tables, in the order of [`TableId::ALL`].
    pub(crate) tables: Vec<DescribedTable>,
    /// Its files of tables, by path.
    pub(crate) files: Vec<DescribedFile>,
    /// Texts in CSV that spreadsheets take for formulas have an apostrophe in front.
    pub(crate) defused: bool,
    /// Contests of before this time were left out.
    pub(crate) since: Option<UnixSeconds>,
    /// The number of names that were forgotten in the file that it is from, in all its sources.
    pub(crate) forgotten: u64,
}

/// A source of a dataset.
#[derive(Clone, Debug, Default)]
pub struct DescribedSource {
    /// Its name.
    pub name: String,
    /// The sites that its results are from, whatever it is called.
    pub sites: Vec<String>,
    /// The root of the site, where it is one.
    pub homepage: Option<String>,
    /// Whom to name wherever the results are shown; empty where nobody said.
    pub attribution: String,
    /// What the site says about using its data, in a sentence; empty where nobody said.
    pub licence: String,
    /// Its terms do not allow to publish the results, and whoever made the dataset said that they
    /// have permission.
    pub by_permission: bool,
    /// What its competitors are called: `real`, `pseudonym` or `none`.
    pub names: String,
    /// Contests.
    pub contests: u64,
    /// Rows of their standings.
    pub standings: u64,
    /// Everybody in them.
    pub competitors: u64,
    /// When the first and the last result stood, in Unix seconds.
    pub ends_at: Option<(i64, i64)>,
    /// When the first and the last document was collected that results were read from, in Unix
    /// seconds.
    pub collected_at: Option<(i64, i64)>,
    /// Contests that there are and that could not be read, each with the reason, or without where
    /// the reason might name somebody who is not to be named. The first hundred.
    pub refused: Vec<(String, Option<String>)>,
    /// How many there are of those in all.
    pub refused_in_all: u64,
    /// Contests of which much less arrived than the site announced, each with how much arrived,
    /// and that it is left out where it is. The first hundred.
    pub incomplete: Vec<(String, String)>,
    /// How many there are of those in all.
    pub incomplete_in_all: u64,
}

/// A run of a rating system in a dataset.
#[derive(Clone, Debug)]
pub struct DescribedRun {
    /// The system.
    pub system: String,
    /// Its parameters, as JSON.
    pub parameters: String,
    /// The contests that it rated, as JSON.
    pub selection: String,
    /// The version of the numerics.
    pub engine: String,
    /// Results have changed since it was made.
    pub stale: bool,
}

/// A table of a dataset.
#[derive(Clone, Copy, Debug)]
pub struct DescribedTable {
    /// Which.
    pub table: TableId,
    /// How many rows it has.
    pub rows: u64,
    /// What identifies them.
    pub digest: Digest,
}

/// A file of a dataset.
#[derive(Clone, Debug)]
pub struct DescribedFile {
    /// The form it is in.
    pub format: Format,
    /// The table whose rows it holds; none for one that holds rows of several.
    pub table: Option<TableId>,
    /// Its path below the folder of the dataset, with slashes.
    pub path: String,
    /// How long it is.
    pub bytes: u64,
    /// Its SHA-256, in hexadecimal.
    pub sha256: String,
}

/// A form that tables come in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// Parquet.
    Parquet,
    /// CSV.
    Csv,
    /// JSON Lines.
    JsonLines,
    /// Contest files in the form of Elo-MMR, one a contest.
    EloMmr,
    /// A SQLite file.
    Sqlite,
}

impl Format {
    /// All of them, the one to read a dataset back from first.
    pub const ALL: [Self; 5] = [
        Self::Parquet,
        Self::Sqlite,
        Self::Csv,
        Self::JsonLines,
        Self::EloMmr,
    ];

    /// The word for it: `parquet`, `csv`, `jsonl`, `elo-mmr`, `sqlite`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Parquet => "parquet",
            Self::Csv => "csv",
            Self::JsonLines => "jsonl",
            Self::EloMmr => "elo-mmr",
            Self::Sqlite => "sqlite",
        }
    }
}
