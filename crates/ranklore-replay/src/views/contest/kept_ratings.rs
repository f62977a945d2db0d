//! The ratings before a contest in a run whose contests are in the order of their ids, kept between
//! views.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use ranklore_rating::Belief;
use ranklore_store::{CompetitorId, ContestId, ContestRow, RatingBelow, RunId, RunRow, Store};

use crate::error::Error;

/// The most ratings of all contests that are kept, at about 40 bytes each.
const MAX_KEPT: usize = 200_000;

/// The ratings before a contest, by competitor.
type Ratings = HashMap<CompetitorId, Belief>;

/// The ratings before contests.
#[derive(Debug, Default)]
pub(crate) struct KeptRatings(Mutex<Vec<(RatedContest, Arc<Ratings>)>>);

/// A contest of a run. Ratings before equal ones are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct RatedContest {
    run: RunId,
    contest: ContestId,
    /// The entrants change with it.
    revision: u32,
    /// The hash of everything that the ratings depend on.
    chain: [u8; 32],
}

/// Loads the ratings of these competitors before the contest at a position of a run, or returns the
/// kept ones. They are those after the latest contest with a lower id.
pub(super) fn load_ratings_below(
    store: &Store,
    kept: Option<&KeptRatings>,
    run: &RunRow,
    (contest, position): (&ContestRow, u32),
    competitors: &[CompetitorId],
) -> Result<Arc<Ratings>, Error> {
    let chain = store.chain_at(run.run_id, position)?;
    let place = kept.zip(chain).map(|(kept, chain)| {
        let of = RatedContest {
            run: run.run_id,
            contest: contest.contest_id,
            revision: contest.revision,
            chain,
        };
        (kept, of)
    });
    if let Some(ratings) = place.and_then(|(kept, of)| kept.get(of)) {
        return Ok(ratings);
    }
    let queries = competitors.iter().map(|&competitor_id| RatingBelow {
        competitor_id,
        account: competitor_id,
        contest_id: contest.contest_id,
        with_teams: false,
    });
    let mut ratings = Ratings::new();
    store.for_each_rating_below(run.run_id, queries, |index, _, row| {
        ratings.insert(competitors[index], Belief::new(row.mu, row.sigma));
    })?;
    let ratings = Arc::new(ratings);
    if let Some((kept, of)) = place {
        kept.put(of, Arc::clone(&ratings));
    }
    Ok(ratings)
}

impl KeptRatings {
    fn get(&self, of: RatedContest) -> Option<Arc<Ratings>> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let index = kept.iter().position(|(key, _)| *key == of)?;
        // The latest one comes first.
        kept[..=index].rotate_right(1);
        Some(Arc::clone(&kept[0].1))
    }

    fn put(&self, of: RatedContest, ratings: Arc<Ratings>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.insert(0, (of, ratings));
        let mut sum = 0;
        kept.retain(|(_, ratings)| {
            // An empty one takes memory, too.
            sum += ratings.len() + 1;
            sum <= MAX_KEPT
        });
    }
}
