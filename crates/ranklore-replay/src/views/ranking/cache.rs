//! Rankings in memory, kept between views.

use std::sync::{Arc, Mutex, PoisonError};

use ranklore_rating::Provisional;
use ranklore_store::{OFFICIAL, ProvisionalPlacement, RunId, RunRow, Store, Writer};

use super::Ranking;
use super::order::LeaderboardOrder;
use crate::error::Error;
use crate::views::contest::forward_ratings::ForwardRatings;
use crate::views::contest::kept_ratings::KeptRatings;
use crate::views::contest::series::KeptSeries;

/// The most competitors of all rankings that are kept, at about 100 bytes each.
const MAX_KEPT: usize = 600_000;

/// The most rankings that are kept. A visitor can ask for many with few rows each.
const MAX_RANKINGS: usize = 32;

/// What is kept between views: rankings, ratings before contests, series of contests. All threads
/// and connections of one file can share it.
#[derive(Debug, Default)]
pub struct ViewCache {
    rankings: Mutex<Vec<KeptRanking>>,
    pub(crate) before_contests: KeptRatings,
    pub(crate) forward_ratings: ForwardRatings,
    pub(crate) contest_series: KeptSeries,
}

#[derive(Debug)]
struct KeptRanking {
    state: RatingState,
    choice: RankingChoice,
    ranking: Arc<Ranking>,
}

/// The state of the ratings of a run. Current ratings of one state are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RatingState {
    /// The number of contests, the hash of everything that their ratings depend on, and when the run
    /// was rated. A rebuild gives competitors other ids: it counts as a correction of the sources.
    Replayed {
        contests: u32,
        chain: [u8; 32],
        rated_at: i64,
        corrections: Option<i64>,
    },
    /// The hash of the whole database, for ratings that are not replayed.
    Database([u8; 32]),
}

impl RatingState {
    pub(crate) fn load(store: &Store, run: &RunRow) -> Result<Self, Error> {
        let contests = store.count_positions(run.run_id)?;
        let last = contests.checked_sub(1).filter(|_| run.system != OFFICIAL);
        let chain = match last {
            Some(last) => store.chain_at(run.run_id, last)?,
            None => None,
        };
        Ok(match chain {
            Some(chain) => Self::Replayed {
                contests,
                chain,
                rated_at: run.rated_at,
                corrections: run.source_corrections,
            },
            None => Self::Database(store.state_hash()?),
        })
    }

    /// Returns the number of contests of this state, if the run has the same first ones, and further
    /// ones.
    fn contests_before(self, store: &Store, run: RunId, now: Self) -> Result<Option<u32>, Error> {
        match (self, now) {
            (
                Self::Replayed {
                    contests,
                    chain,
                    corrections,
                    ..
                },
                Self::Replayed {
                    contests: all,
                    corrections: corrections_now,
                    ..
                },
            ) if (1..all).contains(&contests) && corrections == corrections_now => {
                let same = store.chain_at(run, contests - 1)? == Some(chain);
                Ok(same.then_some(contests))
            }
            _ => Ok(None),
        }
    }
}

/// The run, the filters and the order of a ranking. Rankings of one state and choice are equal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RankingChoice {
    pub(super) run: RunId,
    pub(super) min_contests: u32,
    pub(super) inactive_after_days: u32,
    pub(super) provisional: ProvisionalPlacement,
    /// The rule that marks ratings as provisional, which sources can set.
    pub(super) rule: Provisional,
    pub(super) order: LeaderboardOrder,
    pub(super) reverse: bool,
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

impl ViewCache {
    /// Creates an empty cache for views of all contests of a run, one after the other in its order.
    #[must_use]
    pub fn for_contests_in_order() -> Self {
        Self {
            forward_ratings: ForwardRatings::reading_all(),
            ..Self::default()
        }
    }

    /// Returns the ranking of the state that `store` reads; loads it if it is not kept, given an
    /// earlier one if there is one. Others that need a ranking wait meanwhile: they often need the
    /// same.
    pub(super) fn find_or_load_ranking(
        &self,
        store: &Store,
        run: &RunRow,
        choice: RankingChoice,
        load: impl FnOnce(Option<EarlierRanking<'_>>) -> Result<Ranking, Error>,
    ) -> Result<Arc<Ranking>, Error> {
        let state = RatingState::load(store, run)?;
        let mut kept = self.rankings.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(index) = kept
            .iter()
            .position(|of| of.state == state && of.choice == choice)
        {
            // The latest one comes first.
            kept[..=index].rotate_right(1);
            return Ok(Arc::clone(&kept[0].ranking));
        }
        let mut earlier = None;
        if let Some(of) = kept.iter().find(|of| of.choice == choice) {
            let contests = of.state.contests_before(store, run.run_id, state)?;
            let ranking = &of.ranking;
            earlier = contests.map(|contests| EarlierRanking { ranking, contests });
        }
        let ranking = Arc::new(load(earlier)?);
        let new = KeptRanking {
            state,
            choice,
            ranking: Arc::clone(&ranking),
        };
        kept.insert(0, new);
        // A ranking takes memory by its largest id, however few rows it has.
        kept.truncate(MAX_RANKINGS);
        let (mut rows, mut index) = (0, 0);
        kept.retain(|of| {
            rows += of.ranking.len();
            index += 1;
            // An old state may still be read by a view that began before.
            index <= 2 || rows <= MAX_KEPT
        });
        Ok(ranking)
    }
}

/// A database to load views from, with what is kept between views. A cache needs a database that does
/// not change meanwhile: a snapshot.
#[derive(Clone, Copy, Debug)]
pub struct ViewReader<'s> {
    /// The database.
    pub store: &'s Store,
    /// What is kept; none for a single view.
    pub cache: Option<&'s ViewCache>,
}

impl<'s> From<&'s Store> for ViewReader<'s> {
    fn from(store: &'s Store) -> Self {
        Self { store, cache: None }
    }
}

impl<'s> From<&'s Writer> for ViewReader<'s> {
    fn from(writer: &'s Writer) -> Self {
        let store: &Store = writer;
        store.into()
    }
}
