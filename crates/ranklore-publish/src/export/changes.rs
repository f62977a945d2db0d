//! What is new in a dataset against an older one, for people to read.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::batch::Value;
use crate::describe::{Manifest, markdown};
use crate::dictionary::TableId;
use crate::digest::Digest;
use crate::error::Error;
use crate::read::{Cursor, column};
use crate::text::time;
use crate::watch::Watch;

/// So many contests are named of each kind of change.
const NAMED: usize = 40;

/// A contest as far as changes are told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedContest {
    /// Of which source.
    pub source: String,
    /// What identifies it there.
    pub contest: String,
    /// What it is called.
    pub name: String,
    /// When its result stood, in Unix seconds.
    pub ends_at: i64,
    /// How many stand in it.
    pub entrants: u64,
}

/// What is new in a dataset.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// What identified the older results.
    pub from: String,
    /// What identifies these.
    pub to: String,
    /// Contests that were not there.
    pub added: Vec<ChangedContest>,
    /// Contests that say something else than before.
    pub revised: Vec<ChangedContest>,
    /// Contests that are there no more.
    pub removed: Vec<ChangedContest>,
    /// Rows of tables before and now, where there are more or fewer.
    pub rows: Vec<(TableId, u64, u64)>,
    /// Ratings are others than before.
    pub ratings: bool,
    /// Competitors are called otherwise than before, or came and went.
    pub competitors: bool,
}

/// The older snapshot and the numbers of contests.
impl Serialize for Changes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Changes", 5)?;
        object.serialize_field("from", &self.from)?;
        object.serialize_field("added", &self.added.len())?;
        object.serialize_field("revised", &self.revised.len())?;
        object.serialize_field("removed", &self.removed.len())?;
        object.serialize_field("ratings", &self.ratings)?;
        object.end()
    }
}

impl Changes {
    /// What is new in the dataset in `new` against that in `old`.
    ///
    /// # Errors
    /// When one of the two is no dataset, or cannot be read.
    pub fn between(old: &Path, new: &Path, watch: &dyn Watch) -> Result<Self, Error> {
        let (before, now) = (Manifest::read(old)?, Manifest::read(new)?);
        let differ = |table: TableId| before.table(table).digest != now.table(table).digest;
        let mut changes = Self {
            from: before.snapshot.to_string(),
            to: now.snapshot.to_string(),
            ratings: differ(TableId::Rating) || differ(TableId::RatingRun),
            competitors: differ(TableId::Competitor),
            ..Self::default()
        };
        for table in TableId::ALL {
            let (was, is) = (before.table(table).rows, now.table(table).rows);
            if was != is {
                changes.rows.push((table, was, is));
            }
        }
        if before.snapshot != now.snapshot {
            let mut was = contests(old, &before, watch)?;
            for (key, (digest, contest)) in contests(new, &now, watch)? {
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

    /// Whether there are none.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.from == self.to && !self.ratings && self.rows.is_empty()
    }

    /// As a section of a CHANGELOG in Markdown.
    #[must_use]
    pub fn section(&self) -> String {
        let mut text = format!("## {}\n\n", short(&self.to));
        // Writing to a string cannot fail.
        let _ = writeln!(text, "Against {}:\n", short(&self.from));
        for (what, list) in [
            ("new", &self.added),
            ("revised", &self.revised),
            ("removed", &self.removed),
        ] {
            if list.is_empty() {
                continue;
            }
            let _ = writeln!(text, "- {} {what}:", counted(list.len() as u64, "contest"));
            for contest in list.iter().rev().take(NAMED) {
                let _ = writeln!(
                    text,
                    "  - {} {} {}, {}",
                    &time(contest.ends_at)[..10.min(time(contest.ends_at).len())],
                    contest.source,
                    markdown(&contest.name),
                    counted(contest.entrants, "entrant"),
                );
            }
            if list.len() > NAMED {
                let _ = writeln!(text, "  - and {} more", list.len() - NAMED);
            }
        }
        for (table, was, is) in &self.rows {
            let _ = writeln!(
                text,
                "- table {}: {} before, {is} now",
                table.name(),
                counted(*was, "row"),
            );
        }
        if self.competitors {
            text.push_str("- competitors: some are new, gone or called otherwise\n");
        }
        if self.ratings {
            text.push_str("- ratings: others than before\n");
        }
        if self.is_none() {
            text.push_str("- nothing in the tables\n");
        }
        text
    }
}

/// As much of a snapshot as people need to tell it from others.
pub(crate) fn short(snapshot: &str) -> &str {
    snapshot.get(..12).unwrap_or(snapshot)
}

fn counted(count: u64, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}

type Contests = BTreeMap<(String, String), (Digest, ChangedContest)>;

/// Every contest with a hash of all that is said of it and its standings.
fn contests(folder: &Path, manifest: &Manifest, watch: &dyn Watch) -> Result<Contests, Error> {
    const COLUMNS: [usize; 5] = column(
        TableId::Contest,
        ["source", "contest", "name", "ends_at", "entrants"],
    );
    let [source, key, name, ends_at, entrants] = COLUMNS;
    let format = manifest.formats()[0];
    let open = |table| Cursor::open(folder, manifest, format, table);
    let mut rows = open(TableId::Contest)?;
    let mut results = [open(TableId::Standing)?, open(TableId::Member)?];
    let mut found = Contests::new();
    while rows.is_there() {
        if watch.interrupted() {
            return Err(Error::Interrupted);
        }
        let of = (rows.text(source).to_owned(), rows.text(key).to_owned());
        let mut hasher = blake3::Hasher::new();
        add(&mut hasher, &rows);
        for results in &mut results {
            // Both begin with these two.
            while results.is_there() && results.text(0) == of.0 && results.text(1) == of.1 {
                add(&mut hasher, results);
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
        be_whole(folder, manifest, rows)?;
    }
    Ok(found)
}

/// Rows of a damaged file may still be rows: what they would tell is no change.
fn be_whole(folder: &Path, manifest: &Manifest, rows: &Cursor) -> Result<(), Error> {
    let said = manifest.table(rows.table);
    if rows.whole() == Some((said.rows, said.digest)) {
        return Ok(());
    }
    Err(Error::Invalid {
        place: format!("{}, table {}", folder.display(), rows.table.name()),
        reason: "its rows are not those that it is said to have".to_owned(),
    })
}

fn add(hasher: &mut blake3::Hasher, rows: &Cursor) {
    for column in 0..rows.table.table().columns.len() {
        let (tag, bytes) = match rows.get(column) {
            Value::Missing => (0, Vec::new()),
            Value::Text(text) => (1, text.as_bytes().to_vec()),
            Value::Integer(value) | Value::Time(value) => (2, value.to_le_bytes().to_vec()),
            Value::Number(value) => (3, value.to_bits().to_le_bytes().to_vec()),
            Value::Boolean(value) => (4, vec![value.into()]),
        };
        hasher.update(&[tag]);
        hasher.update(&(bytes.len() as u32).to_le_bytes());
        hasher.update(&bytes);
    }
}
