//! Changes between two datasets.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::describe::{Manifest, escape_markdown};
use crate::dictionary::TableId;
use crate::digest::{Digest, push_value};
use crate::error::Error;
use crate::progress::ExportProgress;
use crate::read::{DatasetTables, RowCursor, columns};
use crate::text::format_day;

/// Maximum contests listed per kind of change.
const MAX_LISTED_CONTESTS: usize = 40;

/// A changed contest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedContest {
    /// The source.
    pub source: String,
    /// The id within the source.
    pub contest: String,
    /// The contest name.
    pub name: String,
    /// The time of the result, in Unix seconds.
    pub ends_at: i64,
    /// The number of entrants.
    pub entrants: u64,
}

/// The changes of a dataset against an older one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DatasetChanges {
    /// The snapshot of the older dataset.
    pub from: String,
    /// The snapshot of the newer dataset.
    pub to: String,
    /// Contests only in the newer dataset.
    pub added: Vec<ChangedContest>,
    /// Contests with other content than before.
    pub revised: Vec<ChangedContest>,
    /// Contests only in the older dataset.
    pub removed: Vec<ChangedContest>,
    /// Row counts before and after, of tables where they differ.
    pub rows: Vec<(TableId, u64, u64)>,
    /// True if ratings differ.
    pub ratings_changed: bool,
    /// True if competitors were added, removed or renamed.
    pub competitors_changed: bool,
}

/// The older snapshot and the numbers of contests.
impl Serialize for DatasetChanges {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Changes", 5)?;
        object.serialize_field("from", &self.from)?;
        object.serialize_field("added", &self.added.len())?;
        object.serialize_field("revised", &self.revised.len())?;
        object.serialize_field("removed", &self.removed.len())?;
        object.serialize_field("ratings", &self.ratings_changed)?;
        object.end()
    }
}

impl DatasetChanges {
    /// Compares the dataset in `new` with the one in `old`.
    ///
    /// # Errors
    /// If either folder is no dataset or cannot be read.
    pub fn between(old: &Path, new: &Path, watch: &dyn ExportProgress) -> Result<Self, Error> {
        let before = Manifest::read(old)?;
        let after = Manifest::read(new)?;
        let mut changes = Self {
            from: before.snapshot.to_string(),
            to: after.snapshot.to_string(),
            ..Self::default()
        };
        for table in TableId::ALL {
            let old_table = before.table(table);
            let new_table = after.table(table);
            if old_table.rows != new_table.rows {
                changes.rows.push((table, old_table.rows, new_table.rows));
            }
            let has_changed = old_table.digest != new_table.digest;
            match table {
                TableId::Rating | TableId::RatingRun => changes.ratings_changed |= has_changed,
                TableId::Competitor => changes.competitors_changed = has_changed,
                TableId::Contest | TableId::Standing | TableId::Member => {}
            }
        }
        if before.snapshot != after.snapshot {
            let mut old_contests = hash_contests(old, &before, watch)?;
            for (key, (digest, contest)) in hash_contests(new, &after, watch)? {
                match old_contests.remove(&key) {
                    None => changes.added.push(contest),
                    Some((old_digest, _)) if old_digest != digest => changes.revised.push(contest),
                    Some(_) => {}
                }
            }
            let removed = old_contests.into_values().map(|(_, contest)| contest);
            changes.removed.extend(removed);
        }
        // Stable: the contests come in the order of source and id.
        changes.added.sort_by_key(|contest| contest.ends_at);
        changes.revised.sort_by_key(|contest| contest.ends_at);
        changes.removed.sort_by_key(|contest| contest.ends_at);
        Ok(changes)
    }

    /// True if there are no changes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.from == self.to && !self.ratings_changed && self.rows.is_empty()
    }

    /// Renders a section of a changelog in Markdown.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let mut text = format!("## {}\n\n", short_digest(&self.to));
        // Writing to a string cannot fail.
        let _ = writeln!(text, "Against {}:\n", short_digest(&self.from));
        for (kind, list) in [
            ("new", &self.added),
            ("revised", &self.revised),
            ("removed", &self.removed),
        ] {
            if list.is_empty() {
                continue;
            }
            let _ = writeln!(text, "- {} {kind}:", format_count(list.len() as u64, "contest"));
            for contest in list.iter().rev().take(MAX_LISTED_CONTESTS) {
                let _ = writeln!(
                    text,
                    "  - {} {} {}, {}",
                    format_day(contest.ends_at),
                    contest.source,
                    escape_markdown(&contest.name),
                    format_count(contest.entrants, "entrant"),
                );
            }
            if list.len() > MAX_LISTED_CONTESTS {
                let _ = writeln!(text, "  - and {} more", list.len() - MAX_LISTED_CONTESTS);
            }
        }
        for (table, before, after) in &self.rows {
            let _ = writeln!(
                text,
                "- table {}: {} before, {after} now",
                table.name(),
                format_count(*before, "row"),
            );
        }
        if self.competitors_changed {
            text.push_str("- competitors: some added, removed or renamed\n");
        }
        if self.ratings_changed {
            text.push_str("- ratings: changed\n");
        }
        if self.is_empty() {
            text.push_str("- no changes in the tables\n");
        }
        text
    }
}

/// Shortens a snapshot for display.
pub(crate) fn short_digest(snapshot: &str) -> &str {
    snapshot.get(..12).unwrap_or(snapshot)
}

fn format_count(count: u64, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        _ => format!("{count} {noun}s"),
    }
}

type ContestDigests = BTreeMap<(String, String), (Digest, ChangedContest)>;

/// Returns every contest with a hash of its content and standings.
fn hash_contests(
    folder: &Path,
    manifest: &Manifest,
    watch: &dyn ExportProgress,
) -> Result<ContestDigests, Error> {
    columns!(TableId::Contest => source, contest, name, ends_at, entrants);
    let tables = DatasetTables::preferred(folder, manifest);
    let mut rows = tables.open(TableId::Contest)?;
    let mut result_tables = [
        tables.open(TableId::Standing)?,
        tables.open(TableId::Member)?,
    ];
    let mut digests = ContestDigests::new();
    while rows.has_row() {
        if watch.is_interrupted() {
            return Err(Error::Interrupted);
        }
        let key = (rows.text(source).to_owned(), rows.text(contest).to_owned());
        let mut hasher = blake3::Hasher::new();
        hash_row(&mut hasher, &rows);
        for results in &mut result_tables {
            while results.starts_with(&[&key.0, &key.1]) {
                hash_row(&mut hasher, results);
                results.advance()?;
            }
        }
        let changed = ChangedContest {
            source: key.0.clone(),
            contest: key.1.clone(),
            name: rows.text(name).to_owned(),
            ends_at: rows.integer(ends_at).unwrap_or_default(),
            entrants: rows.integer(entrants).unwrap_or_default().unsigned_abs(),
        };
        digests.insert(key, (Digest(*hasher.finalize().as_bytes()), changed));
        rows.advance()?;
    }
    for rows in result_tables.iter().chain([&rows]) {
        ensure_complete(folder, manifest, rows)?;
    }
    Ok(digests)
}

/// Fails unless all rows were read and match the manifest, as rows of a damaged file would appear
/// as changes.
fn ensure_complete(folder: &Path, manifest: &Manifest, rows: &RowCursor) -> Result<(), Error> {
    let summary = manifest.table(rows.table);
    if rows.totals == Some((summary.rows, summary.digest)) {
        return Ok(());
    }
    let place = format!("{}, table {}", folder.display(), rows.table.name());
    Err(Error::invalid(place, "its rows do not match its digest"))
}

fn hash_row(hasher: &mut blake3::Hasher, rows: &RowCursor) {
    let mut bytes = Vec::new();
    for column in 0..rows.table.spec().columns.len() {
        push_value(&mut bytes, rows.get(column));
    }
    hasher.update(&bytes);
}
