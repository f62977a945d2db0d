//! Rankings in memory, kept between views.

use std::sync::{Arc, Mutex, PoisonError};

use ranklore_rating::Provisional;
use ranklore_store::{RunId, RunRow, Store};

use crate::error::Error;
use crate::views::ranking::{Ranking, RankingOptions};
use crate::views::rating_state::RatingState;

/// The most competitors of all rankings that are kept, at about 100 bytes each.
const MAX_KEPT: usize = 600_000;

/// The most rankings that are kept. A visitor can ask for many with few rows each.
const MAX_RANKINGS: usize = 32;

/// Rankings, the one used last first.
#[derive(Debug, Default)]
pub(crate) struct RankingCache(Mutex<Vec<CachedRanking>>);

#[derive(Debug)]
struct CachedRanking {
    state: RatingState,
    choice: RankingChoice,
    ranking: Arc<Ranking>,
}

/// The run, the filters and the order of a ranking. Rankings of one state and choice are equal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RankingChoice {
    pub(super) run: RunId,
    pub(super) options: RankingOptions,
    /// The rule that marks ratings as provisional, which sources can set.
    pub(super) rule: Provisional,
    pub(super) k: f64,
    /// True if sigma grows up to the newest contest.
    pub(super) grows: bool,
}

/// An earlier ranking of a run, whose contests are the first ones of the run.
pub(super) struct EarlierRanking<'k> {
    pub(super) ranking: &'k Ranking,
    /// The number of these contests.
    pub(super) contests: u32,
}

impl RankingCache {
    /// Returns the ranking of the state that `store` reads; loads it if it is not kept, given an
    /// earlier one if there is one. Other threads that need a ranking wait meanwhile: they often need
    /// the same.
    pub(super) fn find_or_load(
        &self,
        store: &Store,
        run: &RunRow,
        choice: RankingChoice,
        load: impl FnOnce(Option<EarlierRanking<'_>>) -> Result<Ranking, Error>,
    ) -> Result<Arc<Ranking>, Error> {
        let state = RatingState::load(store, run)?;
        let mut rankings = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(index) =
            rankings.iter().position(|entry| entry.state == state && entry.choice == choice)
        {
            // The latest one comes first.
            rankings[..=index].rotate_right(1);
            return Ok(Arc::clone(&rankings[0].ranking));
        }
        let mut earlier = None;
        if let Some(entry) = rankings.iter().find(|entry| entry.choice == choice) {
            let contests = entry.state.contests_before(store, run.run_id, state)?;
            let ranking = &entry.ranking;
            earlier = contests.map(|contests| EarlierRanking { ranking, contests });
        }
        let ranking = Arc::new(load(earlier)?);
        let entry = CachedRanking {
            state,
            choice,
            ranking: Arc::clone(&ranking),
        };
        rankings.insert(0, entry);
        // A ranking takes memory by its largest id, however few rows it has.
        rankings.truncate(MAX_RANKINGS);
        let mut rows = 0;
        let mut count = 0;
        rankings.retain(|entry| {
            rows += entry.ranking.len();
            count += 1;
            // An old state may still be read by a view that began before.
            count <= 2 || rows <= MAX_KEPT
        });
        Ok(ranking)
    }
}
