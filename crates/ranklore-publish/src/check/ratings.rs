//! Verification of the rating table: competitors, runs and sort order.

use std::cmp::Ordering;
use std::path::Path;

use super::before::Before;
use super::who::{Whos, who};
use super::{Checked, held_against, pass_rest};
use crate::describe::{Format, Manifest};
use crate::dictionary::TableId;
use crate::error::Error;
use crate::read::{Cursor, column};
use crate::watch::Watch;

/// Verifies ratings against the contests (same sort order), the known `competitors` and the number
/// of `runs`.
pub(super) fn check(
    folder: &Path,
    manifest: &Manifest,
    format: Format,
    (competitors, runs): (&Whos, i64),
    watch: &dyn Watch,
) -> Result<Checked, Error> {
    let [source, key] = const { column(TableId::Contest, ["source", "contest"]) };
    let mut checked = Checked::default();
    let open = |table| Cursor::open(folder, manifest, format, table);
    let (mut contests, mut ratings) = (open(TableId::Contest)?, open(TableId::Rating)?);
    while contests.is_there() {
        if watch.interrupted() {
            return Err(Error::Interrupted);
        }
        let contest = (contests.text(source), contests.text(key));
        of_contest(contest, &mut ratings, (competitors, runs), &mut checked)?;
        contests.advance()?;
    }
    pass_rest(&mut ratings, &mut checked)?;
    held_against(manifest, format, &ratings, &mut checked);
    Ok(checked)
}

fn of_contest(
    (of_source, contest): (&str, &str),
    ratings: &mut Cursor,
    (competitors, runs): (&Whos, i64),
    checked: &mut Checked,
) -> Result<(), Error> {
    const COLUMNS: [usize; 6] = column(
        TableId::Rating,
        ["source", "contest", "run", "kind", "competitor", "sigma"],
    );
    let [source, key, run, kind, competitor, sigma] = COLUMNS;
    let mut before = Before::default();
    while ratings.is_there() && ratings.text(source) == of_source && ratings.text(key) == contest {
        let at = ratings.number();
        let mut problem =
            |what: &str| checked.problem(format!("rating, row {at} ({contest:?}): {what}"));
        let (kind, competitor) = (ratings.text(kind), ratings.text(competitor));
        let run = ratings.integer(run).unwrap_or_default();
        if !(1..=runs).contains(&run) {
            problem("its run does not exist");
        }
        if !competitors.contains(&who(of_source, kind, competitor)) {
            problem("its competitor is missing from the table competitor");
        }
        if ratings.number_in(sigma).is_none_or(|sigma| sigma < 0.0) {
            problem("its sigma is below 0");
        }
        if before.then(run, competitor, kind) != Ordering::Less {
            problem("it is a duplicate or out of order");
        }
        ratings.advance()?;
    }
    Ok(())
}
