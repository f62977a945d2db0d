//! Rankings in memory, kept between views.

use std::sync::Arc;

use ranklore_rating::Provisional;
use ranklore_store::{RunId, RunRow, Store};

use crate::bounded_cache::BoundedCache;
use crate::ranking::rating_state::RatingState;
use crate::ranking::{Ranking, RankingOptions};
use ranklore_replay::Error;

/// The most competitors of all rankings that are kept, at about 100 bytes each.
const MAX_KEPT: usize = 600_000;

/// The most rankings that are kept. A visitor can ask for many with few rows each.
const MAX_RANKINGS: usize = 32;

/// Rankings by state and choice.
#[derive(Debug)]
pub(crate) struct RankingCache(BoundedCache<(RatingState, RankingChoice), Arc<Ranking>>);

impl Default for RankingCache {
    fn default() -> Self {
        // A ranking takes memory by its largest id, however few rows it has. Two are always kept: an
        // old state may still be read by a view that began before.
        Self(BoundedCache::weighted(MAX_RANKINGS, MAX_KEPT, |ranking| ranking.len()))
    }
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
        self.0.get_or_load((state, choice), |rankings| {
            let mut earlier = None;
            if let Some(((entry_state, _), ranking)) =
                rankings.iter().find(|((_, entry_choice), _)| *entry_choice == choice)
            {
                let contests = entry_state.contests_before(store, run.run_id, state)?;
                earlier = contests.map(|contests| EarlierRanking { ranking, contests });
            }
            load(earlier).map(Arc::new)
        })
    }
}
