//! Current ratings as they follow from the rating rows of a run: comparison and repair.

use std::collections::HashMap;

use crate::error::Result;
use crate::file::batch::WriteBatch;
use crate::file::open::Store;
use crate::file::row_hash::RatedCompetitor;
use crate::ids::{CompetitorId, RunId};
use crate::runs::current_ratings::{CurrentRatingRow, RatingSummary};
use crate::runs::ratings::RunRow;
use crate::sync::official::OFFICIAL;

/// Summaries of the rating rows of the competitors of a run.
#[derive(Default)]
pub(crate) struct RatingSummaries(HashMap<CompetitorId, RatingSummary>);

impl RatingSummaries {
    /// Adds the rows of the contest at a position of the run.
    pub(crate) fn add(&mut self, position: usize, rows: &[RatedCompetitor]) {
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
        let has_volatilities: bool = self.query_value(
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
        self.for_each_current_rating(run.run_id, |mut found| {
            let expected = expected.remove(&found.competitor_id);
            if let Some(expected) = expected.filter(|_| !same_ends) {
                found.last_contest_at = expected.last_contest_at;
            }
            wrong += u64::from(expected != Some(found));
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
        let mut ends: HashMap<u32, i64> = HashMap::new();
        let mut end_of = |position: u32| -> Result<i64> {
            if let Some(&ends_at) = ends.get(&position) {
                return Ok(ends_at);
            }
            let ends_at: Option<i64> = self
                .query_row(
                    "SELECT ends_at FROM run_contest JOIN contest USING (contest_id)
                     WHERE run_id = ?1 AND position = ?2",
                    rusqlite::params![run_id, position],
                    |row| row.get(0),
                )?
                .flatten();
            // A dangling reference is a problem of its own.
            let ends_at = ends_at.unwrap_or_default();
            ends.insert(position, ends_at);
            Ok(ends_at)
        };
        let mut rows = Vec::with_capacity(summaries.0.len());
        for (competitor_id, summary) in summaries.0 {
            let ends_at = summary.last_position().map_or(Ok(0), &mut end_of)?;
            rows.push(summary.current_rating(competitor_id, ends_at));
        }
        Ok(rows)
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
        let unrecorded = summaries.0.is_empty() && run.results > 0;
        if run.system == OFFICIAL || unrecorded {
            return Ok(());
        }
        let rows = self.compute_current_ratings(run.run_id, summaries)?;
        self.replace_current_ratings(run.run_id, [], rows)
    }
}
