//! The contests whose ratings before them are kept between views.

use std::collections::HashMap;
use std::sync::Arc;

use ranklore_rating::Belief;
use ranklore_store::{CompetitorId, ContestId, ContestRow, RunId, RunRow, Store};

use crate::bounded_cache::BoundedCache;
use ranklore_replay::Error;

/// The most ratings of all contests that are kept, at about 40 bytes each.
const MAX_KEPT: usize = 200_000;

/// The most contests whose ratings are kept.
const MAX_CONTESTS: usize = 1_024;

/// The ratings before a contest, by competitor.
pub(crate) type Ratings = HashMap<CompetitorId, Belief>;

/// The ratings before contests, kept between views.
pub(crate) type RatingsCache = BoundedCache<RatedContest, Arc<Ratings>>;

/// Creates an empty cache of ratings before contests.
pub(crate) fn ratings_cache() -> RatingsCache {
    // An empty one takes memory, too.
    BoundedCache::weighted(MAX_CONTESTS, MAX_KEPT, |ratings| ratings.len() + 1)
}

/// A contest of a run whose results are those that were rated. Ratings before equal ones are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RatedContest {
    run: RunId,
    contest: ContestId,
    /// The entrants change with it.
    revision: u32,
    /// The hash of everything that the ratings depend on.
    chain: [u8; 32],
    /// The corrections of the sources when the run was rated: a rebuild gives competitors other ids.
    corrections: Option<i64>,
}

impl RatedContest {
    /// Returns the contest at a position of a run; `None` if what its ratings depend on is not
    /// stored.
    pub(crate) fn load(
        store: &Store,
        run: &RunRow,
        contest: &ContestRow,
        position: u32,
    ) -> Result<Option<Self>, Error> {
        let chain = store.chain_at(run.run_id, position)?;
        Ok(chain.map(|chain| Self {
            run: run.run_id,
            contest: contest.contest_id,
            revision: contest.revision,
            chain,
            corrections: run.source_corrections,
        }))
    }
}
