//! The ratings of all competitors of a run: the current ones, or those at an earlier time.

use std::collections::HashMap;

use ranklore_contest::ContestTime;
use ranklore_store::{CompetitorId, CurrentRatingRow, RatingSummary, RunRow, Store};

use crate::coverage::{for_each_contest_of_run, had_ended};
use ranklore_replay::{CompetitorIndices, Error};

/// Loads mu of each competitor of a run after its last contest that ended before a time.
pub(crate) fn load_mu_before(
    store: &Store,
    run: &RunRow,
    before: ContestTime,
) -> Result<HashMap<CompetitorId, f64>, Error> {
    let Some(last_second) = ContestTime::new(before.get() - 1) else {
        return Ok(HashMap::new());
    };
    let ratings = fold_ratings(store, run, Some(last_second))?;
    Ok(ratings.iter().map(|rating| (rating.competitor_id, rating.mu)).collect())
}

/// Loads the current ratings of a run that has them.
pub(super) fn load_current_ratings(
    store: &Store,
    run: &RunRow,
) -> Result<Vec<CurrentRatingRow>, Error> {
    let mut ratings = Vec::new();
    store.for_each_current_rating(run.run_id, |rating| ratings.push(rating))?;
    Ok(ratings)
}

/// Folds the rating rows of a run up to a time into the rating of each competitor.
pub(crate) fn fold_ratings(
    store: &Store,
    run: &RunRow,
    as_of: Option<ContestTime>,
) -> Result<Vec<CurrentRatingRow>, Error> {
    let mut contests = Vec::new();
    for_each_contest_of_run(store, run, |contest| {
        contests.extend(
            had_ended(contest.ends_at, as_of)
                .then_some((contest.contest_id, contest.ends_at.unwrap_or(0))),
        );
    })?;
    let mut indices = CompetitorIndices::default();
    let mut competitors = Vec::new();
    let mut summaries: Vec<RatingSummary> = Vec::new();
    for (&(contest_id, _), position) in contests.iter().zip(0..) {
        store.for_each_rating_row(run.run_id, contest_id, |row| {
            let index = indices.find_or_add(row.competitor_id, &mut competitors) as usize;
            if index == summaries.len() {
                summaries.push(RatingSummary::default());
            }
            summaries[index].add(position, row.mu, row.sigma, row.volatility);
        })?;
    }
    let ratings = competitors.into_iter().zip(summaries);
    Ok(ratings
        .filter_map(|(competitor_id, summary)| {
            let (_, ends_at) = contests[summary.last_position()? as usize];
            Some(summary.current_rating(competitor_id, ends_at))
        })
        .collect())
}
