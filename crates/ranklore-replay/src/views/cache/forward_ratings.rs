//! The ratings of a run before its contests, for one contest after the other in the order of the
//! run: each rating is read once then, instead of the history of each entrant.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use ranklore_rating::Belief;
use ranklore_store::{CompetitorId, RunId, RunRow, Store};

use crate::error::Error;
use crate::views::cache::kept_ratings::Ratings;
use crate::views::rating_state::RatingState;

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
    /// The ratings before the contests read last, newest first. A view on another thread may need
    /// them. Each has only the competitors that the run rates in that contest.
    recent: VecDeque<(u32, Arc<Ratings>)>,
}

impl ForwardRatings {
    pub(crate) fn reading_all() -> Self {
        Self {
            reads_all: true,
            ..Self::default()
        }
    }

    /// Returns the ratings of these competitors before the contest at a position of a run; `after`
    /// are those whom the run rates in it. `None` if that needs too many ratings to be read.
    pub(crate) fn load(
        &self,
        store: &Store,
        run: &RunRow,
        position: u32,
        competitors: &[CompetitorId],
        after: &HashSet<CompetitorId>,
    ) -> Result<Option<Arc<Ratings>>, Error> {
        let state = RatingState::load(store, run)?;
        let mut kept = self.forward.lock().unwrap_or_else(PoisonError::into_inner);
        let same = kept.as_ref();
        let same = same.filter(|of| of.run == run.run_id && of.state == state);
        if let Some(ratings) = same.and_then(|of| of.passed(position, competitors, after)) {
            return Ok(Some(ratings));
        }
        let read = same.map_or(0, |of| of.read);
        let reads_on = read <= position;
        let unread = if reads_on { read } else { 0 }..position;
        let most = MAX_READ_PER_ENTRANT * competitors.len() as u64;
        let is_near = (self.reads_all && reads_on)
            || (unread.len() as u64 <= MAX_CONTESTS_PER_READ * most
                && store.count_ratings_of_positions(run.run_id, unread)? <= most);
        if !is_near {
            return Ok(None);
        }
        // After an error half of a contest may be read: reading begins anew then.
        let mut forward = kept
            .take()
            .filter(|of| reads_on && of.run == run.run_id && of.state == state)
            .unwrap_or_else(|| Forward::new(run.run_id, state));
        forward.read_until(store, position)?;
        let known = |of: &CompetitorId| Some((*of, *forward.latest.get(of)?));
        let ratings = competitors.iter().filter_map(known).collect();
        *kept = Some(forward);
        Ok(Some(Arc::new(ratings)))
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
        let Self { latest, recent, .. } = self;
        let mut sum: usize = recent.iter().map(|of| of.1.len()).sum();
        let mut keep = |position, ratings: Ratings| {
            sum += ratings.len();
            recent.push_front((position, Arc::new(ratings)));
            while recent.len() > RECENT_CONTESTS || sum > MAX_RECENT {
                sum -= recent.pop_back().map_or(sum, |of| of.1.len());
            }
        };
        // The contest that is being read, and the ratings before it.
        let mut contest: Option<(u32, Ratings)> = None;
        store.for_each_rating_of_positions(self.run, self.read..position, |position, row| {
            let of_same = contest.take_if(|of| of.0 == position);
            let (_, mut before) = of_same.unwrap_or_else(|| {
                if let Some((position, before)) = contest.take() {
                    keep(position, before);
                }
                (position, Ratings::new())
            });
            let earlier = latest.insert(row.competitor_id, Belief::new(row.mu, row.sigma));
            before.extend(earlier.map(|of| (row.competitor_id, of)));
            contest = Some((position, before));
        })?;
        if let Some((position, before)) = contest {
            keep(position, before);
        }
        self.read = position;
        Ok(())
    }
}
