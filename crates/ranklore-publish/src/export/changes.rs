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
use crate::text::format_time;

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
        let (before, now) = (Manifest::read(old)?, Manifest::read(new)?);
        let differ = |table: TableId| before.table(table).digest != now.table(table).digest;
        let mut changes = Self {
            from: before.snapshot.to_string(),
            to: now.snapshot.to_string(),
            ratings_changed: differ(TableId::Rating) || differ(TableId::RatingRun),
            competitors_changed: differ(TableId::Competitor),
            ..Self::default()
        };
        for table in TableId::ALL {
            let (was, is) = (before.table(table).rows, now.table(table).rows);
            if was != is {
                changes.rows.push((table, was, is));
            }
        }
        if before.snapshot != now.snapshot {
            let mut was = hash_contests(old, &before, watch)?;
            for (key, (digest, contest)) in hash_contests(new, &now, watch)? {
                match was.remove(&key) {
                    None => changes.added.push(contest),
                    Some((other, _)) if other != digest => changes.revised.push(contest),
                    Some(_) => {}
                }
            }
            (changes.removed).extend(was.into_values().map(|(_, contest)| contest));
        }
        for list in [
            &mut changes.added,
            &mut changes.revised,
            &mut changes.removed,
        ] {
            list.sort_by(|a, b| {
                let by = |of: &ChangedContest| (of.ends_at, of.source.clone(), of.contest.clone());
                by(a).cmp(&by(b))
            });
        }
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
        for (what, list) in [
            ("new", &self.added),
            ("revised", &self.revised),
            ("removed", &self.removed),
        ] {
            if list.is_empty() {
                continue;
            }
            let _ = writeln!(
                text,
                "- {} {what}:",
                format_count(list.len() as u64, "contest")
            );
            for contest in list.iter().rev().take(MAX_LISTED_CONTESTS) {
                let _ = writeln!(
                    text,
                    "  - {} {} {}, {}",
                    &format_time(contest.ends_at)[..10.min(format_time(contest.ends_at).len())],
                    contest.source,
                    escape_markdown(&contest.name),
                    format_count(contest.entrants, "entrant"),
                );
            }
            if list.len() > MAX_LISTED_CONTESTS {
                let _ = writeln!(text, "  - and {} more", list.len() - MAX_LISTED_CONTESTS);
            }
        }
        for (table, was, is) in &self.rows {
            let _ = writeln!(
                text,
                "- table {}: {} before, {is} now",
                table.name(),
                format_count(*was, "row"),
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

fn format_count(count: u64, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
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
    let mut results = [
        tables.open(TableId::Standing)?,
        tables.open(TableId::Member)?,
    ];
    let mut found = ContestDigests::new();
    while rows.has_row() {
        if watch.is_interrupted() {
            return Err(Error::Interrupted);
        }
        let of = (rows.text(source).to_owned(), rows.text(contest).to_owned());
        let mut hasher = blake3::Hasher::new();
        hash_row(&mut hasher, &rows);
        for results in &mut results {
            while results.starts_with(&[&of.0, &of.1]) {
                hash_row(&mut hasher, results);
                results.advance()?;
            }
        }
        let contest = ChangedContest {
            source: of.0.clone(),
            contest: of.1.clone(),
            name: rows.text(name).to_owned(),
            ends_at: rows.integer(ends_at).unwrap_or_default(),
            entrants: rows.integer(entrants).unwrap_or_default().unsigned_abs(),
        };
        found.insert(of, (Digest(*hasher.finalize().as_bytes()), contest));
        rows.advance()?;
    }
    for rows in results.iter().chain([&rows]) {
        ensure_complete(folder, manifest, rows)?;
    }
    Ok(found)
}

/// Fails unless all rows were read and match the manifest, as rows of a damaged file would appear
/// as changes.
fn ensure_complete(folder: &Path, manifest: &Manifest, rows: &RowCursor) -> Result<(), Error> {
    let said = manifest.table(rows.table);
    if rows.totals() == Some((said.rows, said.digest)) {
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
