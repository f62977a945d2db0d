//! The ratings before contests, kept between views.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use ranklore_rating::Belief;
use ranklore_store::{CompetitorId, ContestId, ContestRow, RunId, RunRow, Store};

use crate::error::Error;

/// The most ratings of all contests that are kept, at about 40 bytes each.
const MAX_KEPT: usize = 200_000;

/// The most contests whose ratings are kept.
const MAX_CONTESTS: usize = 1_024;

/// The ratings before a contest, by competitor.
pub(crate) type Ratings = HashMap<CompetitorId, Belief>;

/// The ratings before contests.
#[derive(Debug, Default)]
pub(crate) struct KeptRatings(Mutex<Vec<(RatedContest, Arc<Ratings>)>>);

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

impl KeptRatings {
    pub(crate) fn get(&self, contest: RatedContest) -> Option<Arc<Ratings>> {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let index = entries.iter().position(|(key, _)| *key == contest)?;
        // The latest one comes first.
        entries[..=index].rotate_right(1);
        Some(Arc::clone(&entries[0].1))
    }

    pub(crate) fn insert(&self, contest: RatedContest, ratings: Arc<Ratings>) {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        entries.truncate(MAX_CONTESTS - 1);
        entries.insert(0, (contest, ratings));
        let mut sum = 0;
        entries.retain(|(_, ratings)| {
            // An empty one takes memory, too.
            sum += ratings.len() + 1;
            sum <= MAX_KEPT
        });
    }
}
