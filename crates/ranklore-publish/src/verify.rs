//! Verification of a dataset: schema, checksums, references and totals.

mod checksums;
mod competitor_set;
mod ratings;
mod row_order;
mod rows;
mod source_counts;

use std::path::Path;

use serde::Serialize;

use crate::describe::{DatasetFormat, Manifest};
use crate::dictionary::TableId;
use crate::digest::snapshot_digest;
use crate::error::Error;
use crate::progress::ExportProgress;
use crate::read::{DatasetTables, RowCursor};

pub(crate) use checksums::{file_checksum, find_foreign_file, list_files};

/// Maximum problems that a report lists; a file of another kind may have millions.
const MAX_LISTED_PROBLEMS: usize = 100;

/// Result of verifying a dataset.
#[derive(Clone, Debug, Default, Serialize)]
pub struct VerifyReport {
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

impl VerifyReport {
    /// Adds the results of another report.
    fn append(&mut self, other: Self) {
        self.problems_in_all += other.problems_in_all;
        let room = MAX_LISTED_PROBLEMS.saturating_sub(self.problems.len());
        self.problems.extend(other.problems.into_iter().take(room));
        self.remarks.extend(other.remarks);
        self.rows += other.rows;
        self.bytes += other.bytes;
    }

    fn add_problem(&mut self, problem: impl Into<String>) {
        self.problems_in_all += 1;
        if self.problems.len() < MAX_LISTED_PROBLEMS {
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
pub fn verify(folder: &Path, watch: &dyn ExportProgress) -> Result<VerifyReport, Error> {
    let manifest = Manifest::read(folder)?;
    let mut report = VerifyReport::default();
    watch.begin_task("checking files", None);
    if !checksums::verify(folder, &manifest, &mut report, watch)? {
        return Ok(report);
    }
    let formats = manifest.formats();
    // The manifest is untrusted: the sum may overflow.
    let rows = manifest.tables.iter().map(|table| table.rows);
    let total = rows.fold(0, u64::saturating_add).saturating_mul(formats.len() as u64);
    watch.begin_task("checking rows", Some(total));
    // Only the first format gets the full check. The others need equal digests only.
    for (index, format) in formats.into_iter().enumerate() {
        let tables = DatasetTables {
            folder,
            manifest: &manifest,
            format,
        };
        let result = match index {
            0 => rows::verify(tables, &mut report, watch),
            _ => verify_digests(tables, &mut report, watch),
        };
        match result {
            Ok(()) => {}
            Err(Error::Interrupted) => return Err(Error::Interrupted),
            // The rest of this format cannot be read.
            Err(error) => report.add_problem(error.to_string()),
        }
    }
    let snapshot = snapshot_digest(|table| manifest.table(table).digest);
    if snapshot != manifest.snapshot {
        report.add_problem(format!(
            "snapshot is {}, but the tables give {snapshot}",
            manifest.snapshot
        ));
    }
    Ok(report)
}

/// Returns the tables of a format: contest files have no ratings.
const fn tables_of(format: DatasetFormat) -> &'static [TableId] {
    match format {
        DatasetFormat::EloMmr => &TableId::RESULTS,
        _ => &TableId::ALL,
    }
}

/// Reads all tables of a format and compares their totals with the manifest.
fn verify_digests(
    tables: DatasetTables<'_>,
    report: &mut VerifyReport,
    watch: &dyn ExportProgress,
) -> Result<(), Error> {
    for &table in tables_of(tables.format) {
        let mut cursor = tables.open(table)?;
        while cursor.has_row() {
            if watch.is_interrupted() {
                return Err(Error::Interrupted);
            }
            cursor.skip_batch()?;
            watch.advance(report.rows + cursor.row_number());
        }
        verify_totals(tables, &cursor, report);
    }
    Ok(())
}

/// Compares row count and digest of a fully read table with the manifest.
fn verify_totals(tables: DatasetTables<'_>, cursor: &RowCursor, report: &mut VerifyReport) {
    let table = cursor.table;
    let format = tables.format;
    if !tables_of(format).contains(&table) {
        return;
    }
    let Some((rows, digest)) = cursor.totals else {
        return;
    };
    report.rows += rows;
    let summary = tables.manifest.table(table);
    let place = format!("table {} as {}", table.name(), format.as_str());
    if rows != summary.rows {
        report.add_problem(format!(
            "{place} has {rows} rows, but the manifest lists {}",
            summary.rows
        ));
    } else if digest != summary.digest {
        report.add_problem(format!("{place} has rows that do not match its digest"));
    }
}

/// Reports rows that are left over and skips them.
fn report_unmatched_rows(rows: &mut RowCursor, report: &mut VerifyReport) -> Result<(), Error> {
    if rows.has_row() {
        report.add_problem(format!(
            "{}, row {}: it belongs to no contest, or is out of order",
            rows.table.name(),
            rows.row_number()
        ));
    }
    while rows.has_row() {
        rows.skip_batch()?;
    }
    Ok(())
}
