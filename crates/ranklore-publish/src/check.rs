//! Verification of a dataset: schema, checksums, references and totals.

mod before;
mod ratings;
mod rows;
mod sources;
mod sums;
mod who;

use std::path::Path;

use serde::Serialize;

use crate::describe::{Format, Manifest};
use crate::dictionary::TableId;
use crate::digest::snapshot;
use crate::error::Error;
use crate::read::Cursor;
use crate::watch::Watch;

pub(crate) use sums::{foreign, list, sum_of};

/// Maximum problems that a report lists; a file of another kind may have millions.
const TOLD: usize = 100;

/// Result of verifying a dataset.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Checked {
    /// The first 100 problems, one sentence each.
    pub problems: Vec<String>,
    /// The number of all problems.
    pub problems_in_all: u64,
    /// Unusual findings that may be correct.
    pub remarks: Vec<String>,
    /// Rows read in all formats.
    pub rows: u64,
    /// Bytes compared with their checksums.
    pub bytes: u64,
}

impl Checked {
    /// Adds the results of another report.
    fn append(&mut self, other: Self) {
        self.problems_in_all += other.problems_in_all;
        let room = TOLD.saturating_sub(self.problems.len());
        self.problems.extend(other.problems.into_iter().take(room));
        self.remarks.extend(other.remarks);
        self.rows += other.rows;
        self.bytes += other.bytes;
    }

    fn problem(&mut self, problem: impl Into<String>) {
        self.problems_in_all += 1;
        if self.problems.len() < TOLD {
            self.problems.push(problem.into());
        }
    }
}

/// Verifies the dataset in a folder: checksums of all files; keys, missing values, references,
/// counts, places, ties and times of all tables; all formats against each other and against the
/// manifest.
///
/// # Errors
/// [`Error::NoDataset`] and [`Error::Newer`] if the folder holds no readable dataset,
/// [`Error::Interrupted`]. All other findings are in [`VerifyReport::problems`].
pub fn check(folder: &Path, watch: &dyn Watch) -> Result<Checked, Error> {
    let manifest = Manifest::read(folder)?;
    let mut checked = Checked::default();
    watch.begin("checking files", None);
    if !sums::check(folder, &manifest, &mut checked, watch)? {
        return Ok(checked);
    }
    let formats = manifest.formats();
    // The manifest is untrusted: the sum may overflow.
    let rows = manifest.tables.iter().map(|table| table.rows);
    let rows = rows.fold(0, u64::saturating_add);
    watch.begin(
        "checking rows",
        Some(rows.saturating_mul(formats.len() as u64)),
    );
    // Only the first format gets the full check. The others need equal digests only.
    let mut through = false;
    for format in formats {
        let outcome = if through {
            same(folder, &manifest, format, &mut checked, watch)
        } else {
            rows::check(folder, &manifest, format, &mut checked, watch)
        };
        through = true;
        match outcome {
            Ok(()) => {}
            Err(Error::Interrupted) => return Err(Error::Interrupted),
            // The rest of this format cannot be read.
            Err(error) => checked.problem(error.to_string()),
        }
    }
    let said = snapshot(|table| manifest.table(table).digest);
    if said != manifest.snapshot {
        checked.problem(format!(
            "snapshot is {}, but the tables give {said}",
            manifest.snapshot
        ));
    }
    Ok(checked)
}

/// Returns the tables of a format: contest files have no ratings.
const fn tables_of(format: Format) -> &'static [TableId] {
    match format {
        Format::EloMmr => &TableId::RESULTS,
        Format::Parquet | Format::Csv | Format::JsonLines | Format::Sqlite => &TableId::ALL,
    }
}

/// Reads all tables of a format and compares their totals with the manifest.
fn same(
    folder: &Path,
    manifest: &Manifest,
    format: Format,
    checked: &mut Checked,
    watch: &dyn Watch,
) -> Result<(), Error> {
    for &table in tables_of(format) {
        let mut cursor = Cursor::open(folder, manifest, format, table)?;
        while cursor.is_there() {
            if watch.interrupted() {
                return Err(Error::Interrupted);
            }
            cursor.skip_batch()?;
            watch.advanced(checked.rows + cursor.number());
        }
        held_against(manifest, format, &cursor, checked);
    }
    Ok(())
}

/// Compares row count and digest of a fully read table with the manifest.
fn held_against(manifest: &Manifest, format: Format, cursor: &Cursor, checked: &mut Checked) {
    let table = cursor.table;
    if !tables_of(format).contains(&table) {
        return;
    }
    let Some((rows, digest)) = cursor.whole() else {
        return;
    };
    checked.rows += rows;
    let said = manifest.table(table);
    let what = format!("table {} as {}", table.name(), format.as_str());
    if rows != said.rows {
        checked.problem(format!(
            "{what} has {rows} rows, but the manifest lists {}",
            said.rows
        ));
    } else if digest != said.digest {
        checked.problem(format!("{what} has rows that do not match its digest"));
    }
}

/// Reports rows that are left over and skips them.
fn pass_rest(rows: &mut Cursor, checked: &mut Checked) -> Result<(), Error> {
    if rows.is_there() {
        checked.problem(format!(
            "{}, row {}: it belongs to no contest, or is out of order",
            rows.table.name(),
            rows.number()
        ));
    }
    while rows.is_there() {
        rows.skip_batch()?;
    }
    Ok(())
}
