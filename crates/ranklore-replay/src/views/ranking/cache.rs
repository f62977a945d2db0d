//! Rankings in memory, kept between views while the database is in one state.

use std::sync::{Arc, Mutex, PoisonError};

use ranklore_store::{ProvisionalPlacement, RunId, Store, Writer};

use super::{LeaderboardOrder, Ranking};
use crate::error::Error;

/// The most competitors of all rankings that are kept, at about 100 bytes each.
const MAX_KEPT: usize = 600_000;

/// Rankings that are kept between views. All threads and connections of one database can share it.
#[derive(Debug, Default)]
pub struct RankingCache(Mutex<Vec<KeptRanking>>);

#[derive(Debug)]
struct KeptRanking {
    /// The state of the database that the ranking is of.
    state: [u8; 32],
    choice: RankingChoice,
    ranking: Arc<Ranking>,
}

/// The run, the filters and the order of a ranking. Rankings of one state and choice are equal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RankingChoice {
    pub(super) run: RunId,
    pub(super) min_contests: u32,
    pub(super) inactive_after_days: u32,
    pub(super) provisional: ProvisionalPlacement,
    pub(super) order: LeaderboardOrder,
    pub(super) reverse: bool,
    pub(super) k: f64,
    /// True if sigma grows up to the newest contest.
    pub(super) grows: bool,
}

impl RankingCache {
    /// Returns the ranking of the state that `store` reads; loads it if it is not kept. Others that
    /// need a ranking wait meanwhile: they often need the same.
    pub(super) fn get_or_load(
        &self,
        store: &Store,
        choice: RankingChoice,
        load: impl FnOnce() -> Result<Ranking, Error>,
    ) -> Result<Arc<Ranking>, Error> {
        let state = store.state_hash()?;
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(index) = kept
            .iter()
            .position(|of| of.state == state && of.choice == choice)
        {
            // The latest one comes first.
            kept[..=index].rotate_right(1);
            return Ok(Arc::clone(&kept[0].ranking));
        }
        let ranking = Arc::new(load()?);
        let new = KeptRanking {
            state,
            choice,
            ranking: Arc::clone(&ranking),
        };
        kept.insert(0, new);
        let (mut rows, mut index) = (0, 0);
        kept.retain(|of| {
            rows += of.ranking.len();
            index += 1;
            // An old state may still be read by a view that began before.
            index <= 2 || (rows <= MAX_KEPT && of.state == state)
        });
        Ok(ranking)
    }
}

/// A database to load views from, with the rankings that are kept between views.
#[derive(Clone, Copy, Debug)]
pub struct ViewReader<'s> {
    /// The database.
    pub store: &'s Store,
    /// The rankings that are kept; none for a single view.
    pub rankings: Option<&'s RankingCache>,
}

impl<'s> From<&'s Store> for ViewReader<'s> {
    fn from(store: &'s Store) -> Self {
        Self {
            store,
            rankings: None,
        }
    }
}

impl<'s> From<&'s Writer> for ViewReader<'s> {
    fn from(writer: &'s Writer) -> Self {
        let store: &Store = writer;
        store.into()
    }
}
