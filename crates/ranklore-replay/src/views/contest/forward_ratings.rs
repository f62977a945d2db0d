//! The ratings of a run before its contests, for one contest after the other in the order of the
//! run: each rating is read once then, instead of the history of each entrant.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use ranklore_rating::Belief;
use ranklore_store::{CompetitorId, RunId, RunRow, Store};

use crate::error::Error;
use crate::views::contest::kept_ratings::Ratings;
use crate::views::ranking::cache::RatingState;

/// The ratings that are read at most for each entrant: searching for that of one entrant takes about
/// as long.
const MAX_READ_PER_ENTRANT: u64 = 4;

/// The most ratings before recent contests that are kept.
const MAX_RECENT: usize = 100_000;

/// Reads on from the contest of the last view. A contest that is far from it is left to others.
#[derive(Debug, Default)]
pub(crate) struct ForwardRatings(Mutex<Option<Forward>>);

#[derive(Debug)]
struct Forward {
    run: RunId,
    state: RatingState,
    /// The number of contests whose ratings are read: the first ones of the run.
    read: u32,
    /// The ratings after these.
    latest: Ratings,
    /// The ratings before the contests read last, newest first, of those that the run rates in them.
    /// A view on another thread may need them.
    recent: VecDeque<(u32, Arc<Ratings>)>,
}

impl ForwardRatings {
    /// Returns the ratings of these competitors before the contest at a position of a run; `after`
    /// are those whom the run rates in it. `None` if that needs too many ratings to be read.
    pub(super) fn load(
        &self,
        store: &Store,
        run: &RunRow,
        position: u32,
        competitors: &[CompetitorId],
        after: &HashSet<CompetitorId>,
    ) -> Result<Option<Arc<Ratings>>, Error> {
        let state = RatingState::load(store, run)?;
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // After an error half of a contest may be read: reading begins anew then.
        let mut forward = kept
            .take()
            .filter(|of| of.run == run.run_id && of.state == state)
            .unwrap_or_else(|| Forward::new(run.run_id, state));
        let mut ratings = forward.passed(position, competitors, after);
        if ratings.is_none() {
            let is_ahead = forward.read <= position;
            let unread = if is_ahead { forward.read } else { 0 }..position;
            let count = store.count_ratings_of_positions(run.run_id, unread)?;
            if count <= MAX_READ_PER_ENTRANT * competitors.len() as u64 {
                if !is_ahead {
                    forward = Forward::new(run.run_id, state);
                }
                forward.read_until(store, position)?;
                let known = |of: &CompetitorId| Some((*of, *forward.latest.get(of)?));
                ratings = Some(Arc::new(competitors.iter().filter_map(known).collect()));
            }
        }
        *kept = Some(forward);
        Ok(ratings)
    }
}

impl Forward {
    fn new(run: RunId, state: RatingState) -> Self {
        Self {
            run,
            state,
            read: 0,
            latest: HashMap::new(),
            recent: VecDeque::new(),
        }
    }

    /// Returns the ratings before a contest that was read lately.
    fn passed(
        &self,
        position: u32,
        competitors: &[CompetitorId],
        after: &HashSet<CompetitorId>,
    ) -> Option<Arc<Ratings>> {
        let (_, ratings) = self.recent.iter().find(|of| of.0 == position)?;
        let are_rated = competitors.iter().all(|of| after.contains(of));
        are_rated.then(|| Arc::clone(ratings))
    }

    /// Reads the ratings after the contests before a position.
    fn read_until(&mut self, store: &Store, position: u32) -> Result<(), Error> {
        let positions = self.read..position;
        if positions.is_empty() {
            return Ok(());
        }
        let mut before = (positions.start, Ratings::new());
        let Self { latest, recent, .. } = self;
        let mut keep =
            |position, ratings: Ratings| recent.push_front((position, Arc::new(ratings)));
        store.for_each_rating_of_positions(self.run, positions, |position, row| {
            if position != before.0 {
                let done = std::mem::replace(&mut before, (position, Ratings::new()));
                keep(done.0, done.1);
            }
            let earlier = latest.insert(row.competitor_id, Belief::new(row.mu, row.sigma));
            before.1.extend(earlier.map(|of| (row.competitor_id, of)));
        })?;
        keep(before.0, before.1);
        self.read = position;
        let mut sum = 0;
        self.recent.retain(|(_, ratings)| {
            // An empty one takes memory, too.
            sum += ratings.len() + 1;
            sum <= MAX_RECENT
        });
        Ok(())
    }
}
