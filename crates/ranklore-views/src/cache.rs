//! The parts of views that are kept in memory between views.

pub(crate) mod forward_ratings;
pub(crate) mod rated_contest;
pub(crate) mod series;

use ranklore_store::{Store, Writer};

use crate::cache::forward_ratings::ForwardRatings;
use crate::cache::rated_contest::{RatingsCache, ratings_cache};
use crate::cache::series::{SeriesCache, series_cache};
use crate::ranking::cache::RankingCache;
use crate::run_history::{HistoryCache, history_cache};

/// Parts of views, kept for further ones: rankings, ratings before contests, series of contests. All threads
/// and connections of one file can share it.
#[derive(Debug)]
pub struct ViewCache {
    rankings: RankingCache,
    pub(crate) before_contests: RatingsCache,
    pub(crate) forward_ratings: ForwardRatings,
    pub(crate) contest_series: SeriesCache,
    pub(crate) histories: HistoryCache,
}

impl Default for ViewCache {
    fn default() -> Self {
        Self {
            rankings: RankingCache::default(),
            before_contests: ratings_cache(),
            forward_ratings: ForwardRatings::default(),
            contest_series: series_cache(),
            histories: history_cache(),
        }
    }
}

impl ViewCache {
    /// Creates an empty cache for views of all contests of a run, one after the other in its order.
    #[must_use]
    pub fn for_contests_in_order() -> Self {
        Self {
            forward_ratings: ForwardRatings::reading_all(),
            ..Self::default()
        }
    }
}

/// A database to load views from, and a cache. A cache needs a database that does
/// not change meanwhile: a snapshot.
#[derive(Clone, Copy, Debug)]
pub struct ViewReader<'s> {
    /// The database.
    pub store: &'s Store,
    /// The parts that are kept; none for a single view.
    pub cache: Option<&'s ViewCache>,
}

impl<'s> ViewReader<'s> {
    /// Returns the rankings that are kept.
    pub(crate) fn rankings(self) -> Option<&'s RankingCache> {
        self.cache.map(|cache| &cache.rankings)
    }
}

impl<'s> From<&'s Store> for ViewReader<'s> {
    fn from(store: &'s Store) -> Self {
        Self { store, cache: None }
    }
}

impl<'s> From<&'s Writer> for ViewReader<'s> {
    fn from(writer: &'s Writer) -> Self {
        Self::from(&**writer)
    }
}
