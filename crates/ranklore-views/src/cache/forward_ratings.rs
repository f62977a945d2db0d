//! The ratings of a run before its contests, for one contest after the other in the order of the
//! run: each rating is read once then, instead of the history of each entrant.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use ranklore_rating::Belief;
use ranklore_store::{CompetitorId, RunId, RunRow, Store};

use crate::bounded_cache::BoundedCache;
use crate::cache::rated_contest::Ratings;
use crate::ranking::rating_state::RatingState;
use ranklore_replay::Error;

/// The ratings that are read at most for each entrant: searching for that of one entrant takes about
/// as long.
const MAX_READ_PER_ENTRANT: u64 = 4;

/// The contests between two views that are looked at most, for each rating that may be read: most
/// have two entrants or more.
const MAX_CONTESTS_PER_READ: u64 = 16;

/// The ratings before this number of contests read last are kept, if they are few enough.
const RECENT_CONTESTS: usize = 64;

/// The most ratings before recent contests that are kept.
const MAX_RECENT: usize = 100_000;

/// Reads on from the contest of the last view. Holds a rating of each competitor of one run.
#[derive(Debug, Default)]
pub(crate) struct ForwardRatings {
    /// True if all contests are viewed in the order of the run, so that every rating will be read.
    /// Otherwise the ratings before a contest that is far from the last one are not read.
    reads_all: bool,
    forward: Mutex<Option<Forward>>,
}

#[derive(Debug)]
struct Forward {
    run: RunId,
    state: RatingState,
    /// The number of contests whose ratings are read: the first ones of the run.
    read: u32,
    /// The ratings after these.
    latest: Ratings,
    /// The ratings before the contests read last, by position. A view on another thread may need
    /// them. Each has only the competitors that the run rates in that contest.
    recent: BoundedCache<u32, Arc<Ratings>>,
}

impl ForwardRatings {
    pub(crate) fn reading_all() -> Self {
        Self {
            reads_all: true,
            ..Self::default()
        }
    }

    /// Returns the ratings of these competitors before the contest at a position of a run; `rated`
    /// are those whom the run rates in it. `None` if that needs too many ratings to be read.
    pub(crate) fn load(
        &self,
        store: &Store,
        run: &RunRow,
        position: u32,
        competitors: &[CompetitorId],
        rated: &HashSet<CompetitorId>,
    ) -> Result<Option<Arc<Ratings>>, Error> {
        let state = RatingState::load(store, run)?;
        let mut last_view = self.forward.lock().unwrap_or_else(PoisonError::into_inner);
        let is_of_run = |forward: &Forward| forward.run == run.run_id && forward.state == state;
        let forward = last_view.as_ref().filter(|forward| is_of_run(forward));
        if let Some(forward) = forward
            && competitors.iter().all(|id| rated.contains(id))
            && let Some(ratings) = forward.recent.get(&position)
        {
            return Ok(Some(ratings));
        }
        let read = forward.map_or(0, |forward| forward.read);
        let reads_on = read <= position;
        let unread = if reads_on { read } else { 0 }..position;
        let max_read = MAX_READ_PER_ENTRANT * competitors.len() as u64;
        let is_near = (self.reads_all && reads_on)
            || (unread.len() as u64 <= MAX_CONTESTS_PER_READ * max_read
                && store.count_ratings_of_positions(run.run_id, unread)? <= max_read);
        if !is_near {
            return Ok(None);
        }
        // After an error half of a contest may be read: reading begins anew then.
        let mut forward = last_view
            .take()
            .filter(|forward| reads_on && is_of_run(forward))
            .unwrap_or_else(|| Forward {
                run: run.run_id,
                state,
                read: 0,
                latest: HashMap::new(),
                recent: BoundedCache::weighted(RECENT_CONTESTS, MAX_RECENT, |r| r.len()),
            });
        forward.read_until(store, position)?;
        let ratings = competitors
            .iter()
            .filter_map(|competitor| Some((*competitor, *forward.latest.get(competitor)?)))
            .collect();
        *last_view = Some(forward);
        Ok(Some(Arc::new(ratings)))
    }
}

impl Forward {
    /// Reads the ratings after the contests before a position.
    fn read_until(&mut self, store: &Store, position: u32) -> Result<(), Error> {
        let Self { latest, recent, .. } = self;
        // The contest that is being read, and the ratings before it.
        let mut contest: Option<(u32, Ratings)> = None;
        store.for_each_rating_of_positions(self.run, self.read..position, |position, row| {
            let same_contest = contest.take_if(|contest| contest.0 == position);
            let (_, mut ratings_before) = same_contest.unwrap_or_else(|| {
                if let Some((position, ratings_before)) = contest.take() {
                    recent.insert(position, Arc::new(ratings_before));
                }
                (position, Ratings::new())
            });
            let earlier_rating = latest.insert(row.competitor_id, Belief::new(row.mu, row.sigma));
            ratings_before.extend(earlier_rating.map(|rating| (row.competitor_id, rating)));
            contest = Some((position, ratings_before));
        })?;
        if let Some((position, ratings_before)) = contest {
            recent.insert(position, Arc::new(ratings_before));
        }
        self.read = position;
        Ok(())
    }
}
