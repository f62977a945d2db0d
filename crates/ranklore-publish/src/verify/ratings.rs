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
    let mut checked = VerifyReport::default();
    let mut contests = tables.open(TableId::Contest)?;
    let mut ratings = tables.open(TableId::Rating)?;
    while contests.has_row() {
        if watch.is_interrupted() {
            return Err(Error::Interrupted);
        }
        let contest = (contests.text(source), contests.text(contest));
        verify_contest_ratings(contest, &mut ratings, (competitors, runs), &mut checked)?;
        contests.advance()?;
    }
    report_unmatched_rows(&mut ratings, &mut checked)?;
    verify_totals(tables, &ratings, &mut checked);
    Ok(checked)
}

fn verify_contest_ratings(
    (of_source, contest): (&str, &str),
    ratings: &mut RowCursor,
    (competitors, runs): (&CompetitorSet, i64),
    checked: &mut VerifyReport,
) -> Result<(), Error> {
    columns!(TableId::Rating => run, kind, competitor, sigma);
    let mut before = PreviousRow::default();
    while ratings.starts_with(&[of_source, contest]) {
        let at = ratings.row_number();
        let mut problem =
            |what: &str| checked.add_problem(format!("rating, row {at} ({contest:?}): {what}"));
        let (kind, competitor) = (ratings.text(kind), ratings.text(competitor));
        let run = ratings.integer(run).unwrap_or_default();
        if !(1..=runs).contains(&run) {
            problem("its run does not exist");
        }
        if !competitors.contains(&hash_competitor(of_source, kind, competitor)) {
            problem("its competitor is missing from the table competitor");
        }
        if ratings.number(sigma).is_none_or(|sigma| sigma < 0.0) {
            problem("its sigma is below 0");
        }
        if before.compare_and_advance(run, competitor, kind) != Ordering::Less {
            problem("it is a duplicate or out of order");
        }
        ratings.advance()?;
    }
    Ok(())
}
