//! Verification of the rating table: competitors, runs and sort order.

use std::cmp::Ordering;

use super::competitor_set::{CompetitorSet, hash_competitor};
use super::row_order::PreviousRow;
use super::{VerifyReport, report_unmatched_rows, verify_totals};
use crate::dictionary::TableId;
use crate::error::Error;
use crate::progress::ExportProgress;
use crate::read::{DatasetTables, RowCursor, columns};

/// Verifies ratings against the contests (same sort order), the known `competitors` and the number
/// of `runs`.
pub(super) fn verify(
    tables: DatasetTables<'_>,
    (competitors, runs): (&CompetitorSet, i64),
    watch: &dyn ExportProgress,
) -> Result<VerifyReport, Error> {
    columns!(TableId::Contest => source, contest);
    let mut report = VerifyReport::default();
    let mut contests = tables.open(TableId::Contest)?;
    let mut ratings = tables.open(TableId::Rating)?;
    while contests.has_row() {
        if watch.is_interrupted() {
            return Err(Error::Interrupted);
        }
        let key = (contests.text(source), contests.text(contest));
        verify_contest_ratings(key, &mut ratings, (competitors, runs), &mut report)?;
        contests.advance()?;
    }
    report_unmatched_rows(&mut ratings, &mut report)?;
    verify_totals(tables, &ratings, &mut report);
    Ok(report)
}

fn verify_contest_ratings(
    (source, contest): (&str, &str),
    ratings: &mut RowCursor,
    (competitors, runs): (&CompetitorSet, i64),
    report: &mut VerifyReport,
) -> Result<(), Error> {
    columns!(TableId::Rating => run, kind, competitor, sigma);
    let mut previous = PreviousRow::default();
    while ratings.starts_with(&[source, contest]) {
        let row = ratings.row_number();
        let mut problem =
            |text: &str| report.add_problem(format!("rating, row {row} ({contest:?}): {text}"));
        let kind_word = ratings.text(kind);
        let key = ratings.text(competitor);
        let run_number = ratings.integer(run).unwrap_or_default();
        if !(1..=runs).contains(&run_number) {
            problem("its run does not exist");
        }
        if !competitors.contains(&hash_competitor(source, kind_word, key)) {
            problem("its competitor is missing from the table competitor");
        }
        if ratings.number(sigma).is_none_or(|sigma| sigma < 0.0) {
            problem("its sigma is below 0");
        }
        if previous.compare_and_advance(run_number, key, kind_word) != Ordering::Less {
            problem("it is a duplicate or out of order");
        }
        ratings.advance()?;
    }
    Ok(())
}
