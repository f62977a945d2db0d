//! Current ratings as they follow from the rating rows of a run: comparison and repair.

use std::collections::HashMap;

use crate::error::Result;
use crate::file::batch::WriteBatch;
use crate::file::open::Store;
use crate::file::row_hash::StoredRating;
use crate::ids::{CompetitorId, RunId};
use crate::runs::current_ratings::{CurrentRatingRow, RatingSummary};
use crate::runs::ratings::RunRow;
use crate::sync::official::OFFICIAL;

/// Summaries of the rating rows of the competitors of a run.
#[derive(Default)]
pub(crate) struct RatingSummaries(HashMap<CompetitorId, RatingSummary>);

impl RatingSummaries {
    /// Adds the rows of the contest at a position of the run.
    pub(crate) fn add(&mut self, position: usize, rows: &[StoredRating]) {
        for rated in rows {
            let summary = self.0.entry(rated.competitor_id).or_default();
            summary.add(position as u32, rated.mu, rated.sigma, rated.volatility);
        }
    }
}

impl Store {
    /// Returns the number of competitors whose current ratings in a run do not follow from its
    /// rating rows. A run without any is not wrong: views then read the rows. Nor is one without
    /// volatilities, which a version before schema 14 rated.
    pub(super) fn count_wrong_current_ratings(
        &self,
        run: &RunRow,
        summaries: RatingSummaries,
    ) -> Result<u64> {
        let mut expected: HashMap<CompetitorId, CurrentRatingRow> = HashMap::new();
        if run.competitors.is_some() {
            let rows = self.compute_current_ratings(run.run_id, summaries)?;
            expected.extend(rows.into_iter().map(|row| (row.competitor_id, row)));
        }
        let has_volatilities: bool = self.query(
            "SELECT EXISTS (SELECT 1 FROM current_rating
             WHERE run_id = ?1 AND volatility IS NOT NULL)",
            [run.run_id],
        )?;
        if !has_volatilities {
            for row in expected.values_mut() {
                row.volatility = None;
            }
        }
        let rated = expected.len() as u64;
        // The end of a contest may have been corrected since the run.
        let same_ends = self.has_unchanged_sources(run)?;
        let mut wrong = 0;
        self.for_each_current_rating(run.run_id, |mut stored_row| {
            let expected_row = expected.remove(&stored_row.competitor_id);
            if let Some(expected_row) = expected_row.filter(|_| !same_ends) {
                stored_row.last_contest_at = expected_row.last_contest_at;
            }
            wrong += u64::from(expected_row != Some(stored_row));
        })?;
        wrong += expected.len() as u64;
        Ok(match run.competitors {
            Some(competitors) if wrong == 0 => competitors.abs_diff(rated),
            _ => wrong,
        })
    }

    fn compute_current_ratings(
        &self,
        run_id: RunId,
        summaries: RatingSummaries,
    ) -> Result<Vec<CurrentRatingRow>> {
        let ends: HashMap<i64, Option<i64>> = self.query(
            "SELECT position, ends_at FROM run_contest JOIN contest USING (contest_id)
             WHERE run_id = ?1",
            [run_id],
        )?;
        let rows = summaries.0.into_iter().map(|(competitor_id, summary)| {
            // A dangling reference is a problem of its own.
            let end = summary.last_position().and_then(|last| ends.get(&i64::from(last)).copied());
            summary.current_rating(competitor_id, end.flatten().unwrap_or_default())
        });
        Ok(rows.collect())
    }
}

impl WriteBatch<'_> {
    /// Writes the current ratings of a run anew, from its rating rows. A run of schema version 1,
    /// which has no contests recorded, has none; a run of official ratings neither: they arrive
    /// contest by contest.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn rebuild_current_ratings(&mut self, run: &RunRow) -> Result<()> {
        let mut summaries = RatingSummaries::default();
        self.find_altered_ratings(run.run_id, |position, rows| summaries.add(position, rows))?;
        self.delete_current_ratings(run.run_id)?;
        let is_unrecorded = summaries.0.is_empty() && run.results > 0;
        if run.system == OFFICIAL || is_unrecorded {
            return Ok(());
        }
        let rows = self.compute_current_ratings(run.run_id, summaries)?;
        self.replace_current_ratings(run.run_id, [], rows)
    }
}
