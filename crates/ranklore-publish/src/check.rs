//! Holds a dataset against everything that it has to be.

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

/// So many problems are told; of a file that is something else there could be millions.
const TOLD: usize = 100;

/// What came of checking a dataset.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Checked {
    /// What is wrong, each in a sentence; the first hundred.
    pub problems: Vec<String>,
    /// How many problems there are in all.
    pub problems_in_all: u64,
    /// What is odd and may be right.
    pub remarks: Vec<String>,
    /// Rows read, of all forms.
    pub rows: u64,
    /// Bytes held against their sums.
    pub bytes: u64,
}

impl Checked {
    /// With what came of checking something else.
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

/// Checks the dataset in a folder: every file against its sum, every table for keys, missing
/// values, references, counts, places, ties and times, and all forms against one another and
/// against what the dataset says of itself.
///
/// # Errors
/// [`Error::NoDataset`] and [`Error::Newer`] when there is none that can be checked,
/// [`Error::Interrupted`]. All that is wrong with one is in [`Checked::problems`].
pub fn check(folder: &Path, watch: &dyn Watch) -> Result<Checked, Error> {
    let manifest = Manifest::read(folder)?;
    let mut checked = Checked::default();
    watch.begin("checking files", None);
    if !sums::check(folder, &manifest, &mut checked, watch)? {
        return Ok(checked);
    }
    let formats = manifest.formats();
    // Anything may be said there.
    let rows = manifest.tables.iter().map(|table| table.rows);
    let rows = rows.fold(0, u64::saturating_add);
    watch.begin(
        "checking rows",
        Some(rows.saturating_mul(formats.len() as u64)),
    );
    // What the rows of one form are held against, those of the others have to be as well, since
    // they are the same.
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
            // The rest of this form cannot be read.
            Err(error) => checked.problem(error.to_string()),
        }
    }
    let said = snapshot(|table| manifest.table(table).digest);
    if said != manifest.snapshot {
        checked.problem(format!(
            "its snapshot is {}, and its tables give {said}",
            manifest.snapshot
        ));
    }
    Ok(checked)
}

/// The tables that a form has: contest files have no ratings.
const fn tables_of(format: Format) -> &'static [TableId] {
    match format {
        Format::EloMmr => &TableId::RESULTS,
        Format::Parquet | Format::Csv | Format::JsonLines | Format::Sqlite => &TableId::ALL,
    }
}

/// Reads all tables of a form and holds them against what the dataset says of them.
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

/// Holds a table that was read through against what the dataset says of it.
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
            "{what} has {rows} rows, {} are said to be there",
            said.rows
        ));
    } else if digest != said.digest {
        checked.problem(format!(
            "{what} has rows other than those it is said to have"
        ));
    }
}

/// Says so where rows are left, and passes them.
fn pass_rest(rows: &mut Cursor, checked: &mut Checked) -> Result<(), Error> {
    if rows.is_there() {
        checked.problem(format!(
            "{}, row {}: it belongs to nothing that is there, or is out of order",
            rows.table.name(),
            rows.number()
        ));
    }
    while rows.is_there() {
        rows.skip_batch()?;
    }
    Ok(())
}
