//! The ranking of a run: its competitors in the order of a leaderboard.
//!
//! In the order of a rating it reads the current ratings of the run, a page at a time. In any other
//! order, and if sigma grows with time, it reads all of them. At an earlier time, and for a run
//! without current ratings, it folds all rating rows. If rankings are kept between views, it reads
//! all current ratings once, and after further contests those of their entrants.

pub(crate) mod cache;
pub(crate) mod earlier_ratings;
pub(crate) mod order;
pub(crate) mod rating_state;
pub(crate) mod ratings;
pub(crate) mod rules;
mod sorted;

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc;

use ranklore_contest::ContestTime;
use ranklore_store::{
    CompetitorId, CurrentRatingRow, ProvisionalPlacement, RankingCounts, RankingQuery, RunRow,
    Store,
};
use serde::Serialize;

use crate::page::Page;
use crate::ranking::cache::{RankingCache, RankingChoice};
use crate::ranking::order::{LeaderboardOrder, PlaceKey};
use crate::ranking::ratings::{fold_ratings, load_current_ratings, load_mu_before};
use crate::ranking::rules::{RatingRules, newest_contest_before_rating};
use crate::ranking::sorted::SortedRows;
use ranklore_replay::{Error, System};

/// Place and rating of one competitor.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RankedCompetitor {
    /// 1 is first; equal ones share the lowest place. Provisional ratings follow all established
    /// ones, if they are listed last.
    pub place: u32,
    /// The row in the database.
    #[serde(skip)]
    pub competitor_id: CompetitorId,
    /// The displayed rating.
    pub rating: f64,
    /// True if the rating is provisional.
    pub provisional: bool,
    /// The title of the site for the displayed rating, in systems of sites with titles.
    pub title: Option<&'static str>,
    /// mu − k·sigma.
    pub conservative: f64,
    /// The rating.
    pub mu: f64,
    /// The uncertainty at the time of the view.
    pub sigma: f64,
    /// The uncertainty after the last contest.
    pub stored_sigma: f64,
    /// Rated contests.
    pub contests: u32,
    /// The change of mu by the last contest; `None` after the first contest.
    pub last_change: Option<f64>,
    /// The highest mu.
    pub peak_mu: f64,
    /// The end of the last contest, in Unix seconds.
    pub last_contest_at: i64,
}

/// The default number of days without a contest, before the newest contest, that make a competitor
/// inactive.
pub const INACTIVE_AFTER_DAYS: u32 = 365;

/// The filters and the order of a ranking.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RankingOptions {
    pub(crate) as_of: Option<ContestTime>,
    pub(crate) min_contests: u32,
    pub(crate) inactive_after_days: u32,
    pub(crate) provisional: ProvisionalPlacement,
    /// By default that of the rules.
    pub(crate) order: Option<LeaderboardOrder>,
    /// True to list the lowest first. Provisional ratings that come last, and competitors without
    /// the number, still do.
    pub(crate) reverse: bool,
    /// The time that [`LeaderboardOrder::Since`] compares with.
    pub(crate) since: Option<ContestTime>,
}

impl RankingOptions {
    /// Returns the options of a leaderboard without a choice, now or at a time.
    pub(crate) const fn usual(as_of: Option<ContestTime>) -> Self {
        Self {
            as_of,
            min_contests: 1,
            inactive_after_days: INACTIVE_AFTER_DAYS,
            provisional: ProvisionalPlacement::Last,
            order: None,
            reverse: false,
            since: None,
        }
    }
}

/// The competitors of a run in the order of a leaderboard.
#[derive(Clone, Debug)]
pub(crate) struct Ranking {
    pub(crate) rules: RatingRules,
    pub(crate) order: LeaderboardOrder,
    /// The rating that gives the places.
    pub(crate) ranked_by: LeaderboardOrder,
    pub(crate) newest_contest_at: Option<i64>,
    pub(crate) counts: RankingCounts,
    /// mu of each competitor at the time that [`LeaderboardOrder::Since`] compares with; empty in
    /// any other order.
    pub(crate) mu_before: HashMap<CompetitorId, f64>,
    pub(crate) query: RankingQuery,
    rows: RankingRows,
}

#[derive(Clone, Debug)]
enum RankingRows {
    /// The current ratings that the run stores.
    Stored,
    /// All listed competitors, in no order.
    Listed(Vec<CurrentRatingRow>),
    Sorted(Arc<SortedRows>),
}

impl Ranking {
    /// Loads the ranking of a run, or returns the one that is kept.
    pub(crate) fn load(
        store: &Store,
        cache: Option<&RankingCache>,
        run: &RunRow,
        rules: RatingRules,
        options: RankingOptions,
    ) -> Result<Self, Error> {
        let is_current = options.as_of.is_none() && options.order != Some(LeaderboardOrder::Since);
        match cache.filter(|_| is_current && run.competitors.is_some()) {
            Some(cache) => Self::load_cached(store, cache, run, rules, options),
            None => Self::load_once(store, run, rules, options),
        }
    }

    /// Loads the ranking for one view; only the counts, if the database has the rows in order.
    fn load_once(
        store: &Store,
        run: &RunRow,
        rules: RatingRules,
        options: RankingOptions,
    ) -> Result<Self, Error> {
        let mut ranking = Self::new(run, rules, options);
        let sorts = options.reverse || !ranking.order.is_rating();
        let ratings = if options.as_of.is_some() || run.competitors.is_none() {
            fold_ratings(store, run, options.as_of)?
        } else if sorts || ranking.rules.growth.grows() {
            load_current_ratings(store, run)?
        } else {
            // The database has the order: pages are read from it.
            let newest_contest_at = store.newest_rated_contest_at(run.run_id)?;
            ranking.set_newest_contest(newest_contest_at, options);
            ranking.counts = store.count_ranked(&ranking.query)?;
            return Ok(ranking);
        };
        let listed_ratings = ranking.list_ratings(store, run, options, ratings)?;
        if sorts {
            ranking.sort(&listed_ratings, options.reverse);
        } else {
            ranking.rows = RankingRows::Listed(listed_ratings);
        }
        Ok(ranking)
    }

    /// Returns the ranking that is kept, or loads and keeps it with all rows in order.
    fn load_cached(
        store: &Store,
        cache: &RankingCache,
        run: &RunRow,
        rules: RatingRules,
        options: RankingOptions,
    ) -> Result<Self, Error> {
        // Equal rankings have equal options: the default order is named, and no time is compared with.
        let options = RankingOptions {
            order: options.order.or_else(|| Some(rules.default_order())),
            since: None,
            ..options
        };
        let choice = RankingChoice {
            run: run.run_id,
            options,
            rule: rules.provisional,
            k: rules.k,
            grows: rules.growth.grows(),
        };
        let ranking = cache.find_or_load(store, run, choice, |earlier| {
            let updated_ratings = match earlier {
                Some(earlier) => earlier.ranking.update(store, run, earlier.contests)?,
                None => None,
            };
            let ratings = match updated_ratings {
                Some(ratings) => ratings,
                None => load_current_ratings(store, run)?,
            };
            let mut ranking = Self::new(run, rules, options);
            let listed_ratings = ranking.list_ratings(store, run, options, ratings)?;
            ranking.sort(&listed_ratings, options.reverse);
            Ok(ranking)
        })?;
        // The rows are shared.
        Ok((*ranking).clone())
    }

    /// Returns the current ratings of the run, given its number of contests at the time of this
    /// ranking; `None` if this ranking does not list all competitors of then. In a run with rating
    /// periods later contests change the ratings after earlier ones.
    fn update(
        &self,
        store: &Store,
        run: &RunRow,
        contests: u32,
    ) -> Result<Option<Vec<CurrentRatingRow>>, Error> {
        let RankingRows::Sorted(rows) = &self.rows else {
            return Ok(None);
        };
        if System::from_run_if_known(run)?.is_none_or(|system| system.period.is_some()) {
            return Ok(None);
        }
        let changed = store.competitors_rated_from(run.run_id, contests as usize)?;
        let mut ratings = rows.without(&changed);
        for competitor in changed {
            ratings.extend(store.current_rating(run.run_id, competitor)?);
        }
        let is_complete = Some(ratings.len() as u64) == run.competitors;
        Ok(is_complete.then_some(ratings))
    }

    /// Creates a ranking that reads the current ratings of a run, without counts.
    fn new(run: &RunRow, rules: RatingRules, options: RankingOptions) -> Self {
        let order = options.order.unwrap_or_else(|| rules.default_order());
        let ranked_by = match order {
            rating if rating.is_rating() => rating,
            _ => rules.default_order(),
        };
        Self {
            order,
            ranked_by,
            newest_contest_at: None,
            counts: RankingCounts::default(),
            mu_before: HashMap::new(),
            query: RankingQuery {
                run_id: run.run_id,
                min_contests: options.min_contests,
                oldest_active: i64::MIN,
                provisional_contests: rules.provisional.min_contests,
                provisional_sigma: rules.provisional.max_sigma,
                provisional: options.provisional,
                key: rules.key(ranked_by),
            },
            rules,
            rows: RankingRows::Stored,
        }
    }

    /// Sets the end of the newest rated contest, and the times that follow from it.
    fn set_newest_contest(&mut self, newest: Option<i64>, options: RankingOptions) {
        self.newest_contest_at = newest;
        let as_of = options.as_of.map(ContestTime::get);
        self.rules.growth.set_time(as_of.or(newest));
        self.query.oldest_active =
            newest.unwrap_or(0) - i64::from(options.inactive_after_days) * 86_400;
    }

    /// Counts all ratings of the run, and returns the listed ones.
    fn list_ratings(
        &mut self,
        store: &Store,
        run: &RunRow,
        options: RankingOptions,
        mut ratings: Vec<CurrentRatingRow>,
    ) -> Result<Vec<CurrentRatingRow>, Error> {
        self.set_newest_contest(newest_contest_before_rating(run, &ratings), options);
        if self.order == LeaderboardOrder::Since
            && let Some(since) = options.since
        {
            self.mu_before = load_mu_before(store, run, since)?;
        }
        self.count_and_filter(&mut ratings);
        Ok(ratings)
    }

    /// Loads the ranking of all competitors of a run in the order of leaderboards, without a
    /// difference between active and inactive ones, and without counting them.
    pub(crate) fn load_all(store: &Store, run: &RunRow, rules: RatingRules) -> Result<Self, Error> {
        let mut ranking = Self::new(run, rules, RankingOptions::usual(None));
        ranking.rules.growth.set_time_or_newest(store, run, None)?;
        if run.competitors.is_none() {
            ranking.rows = RankingRows::Listed(fold_ratings(store, run, None)?);
        }
        Ok(ranking)
    }

    /// Calls `each` with the ratings of all listed competitors, in no order.
    pub(crate) fn for_each_rating(
        &self,
        store: &Store,
        each: impl FnMut(CurrentRatingRow),
    ) -> Result<(), Error> {
        match &self.rows {
            RankingRows::Stored => store.for_each_current_rating(self.query.run_id, each)?,
            RankingRows::Listed(rows) => rows.iter().copied().for_each(each),
            RankingRows::Sorted(rows) => rows.iter().copied().for_each(each),
        }
        Ok(())
    }

    /// Returns the number of competitors in memory.
    fn len(&self) -> usize {
        match &self.rows {
            RankingRows::Stored => 0,
            RankingRows::Listed(rows) => rows.len(),
            RankingRows::Sorted(rows) => rows.len(),
        }
    }

    /// Counts all ratings, and keeps the listed ones.
    fn count_and_filter(&mut self, ratings: &mut Vec<CurrentRatingRow>) {
        let query = &self.query;
        let rules = &self.rules;
        let counts = &mut self.counts;
        ratings.retain(|rating| rating.contests >= query.min_contests);
        for rating in ratings.iter() {
            let provisional = u64::from(rules.is_provisional(rating));
            if rating.last_contest_at >= query.oldest_active {
                counts.active += 1;
                counts.active_provisional += provisional;
            } else {
                counts.inactive += 1;
                counts.inactive_provisional += provisional;
            }
        }
        ratings.retain(|rating| match query.provisional {
            ProvisionalPlacement::Last | ProvisionalPlacement::Mix => true,
            ProvisionalPlacement::Exclude => !rules.is_provisional(rating),
            ProvisionalPlacement::Only => rules.is_provisional(rating),
        });
    }

    /// True if the last contest is recent.
    pub(crate) fn is_active(&self, rating: &CurrentRatingRow) -> bool {
        rating.last_contest_at >= self.query.oldest_active
    }

    /// Sorts the listed ratings.
    fn sort(&mut self, ratings: &[CurrentRatingRow], reverse: bool) {
        let (mut rows, active) = self.place_rows(ratings);
        if reverse || self.order != self.ranked_by {
            let (active_rows, inactive_rows) = rows.split_at_mut(active);
            for half in [active_rows, inactive_rows] {
                // Stable: equal ones stay in the order of their places.
                half.sort_by(|(_, a), (_, b)| {
                    self.is_last(a).cmp(&self.is_last(b)).then_with(|| {
                        match (self.order_value(a), self.order_value(b)) {
                            (Some(a), Some(b)) if reverse => a.total_cmp(&b),
                            (Some(a), Some(b)) => b.total_cmp(&a),
                            (a, b) => a.is_none().cmp(&b.is_none()),
                        }
                    })
                });
            }
        }
        self.rows = RankingRows::Sorted(Arc::new(SortedRows::new(rows, active)));
    }

    /// Returns the listed ratings with their places, in the order of these: the active ones, then the
    /// inactive ones; and the number of active ones.
    fn place_rows(&self, ratings: &[CurrentRatingRow]) -> (Vec<(u32, CurrentRatingRow)>, usize) {
        // Each key is computed once.
        let mut keys: Vec<(bool, PlaceKey, u32)> = ratings
            .iter()
            .zip(0..)
            .map(|(rating, index)| (!self.is_active(rating), self.place_key(rating), index))
            .collect();
        let row = |index: &u32| &ratings[*index as usize];
        // The ratings of a kept ranking are almost sorted, of which this method makes use.
        keys.sort_by(|(a_inactive, a_key, a), (b_inactive, b_key, b)| {
            a_inactive
                .cmp(b_inactive)
                .then_with(|| a_key.compare(b_key))
                .then_with(|| row(a).competitor_id.cmp(&row(b).competitor_id))
        });
        let active = keys.partition_point(|(is_inactive, ..)| !is_inactive);
        let (active_keys, inactive_keys) = keys.split_at(active);
        let mut rows = Vec::with_capacity(keys.len());
        for half in [active_keys, inactive_keys] {
            let start = rows.len();
            for equal in half.chunk_by(|(_, a, _), (_, b, _)| a.compare(b).is_eq()) {
                let place = (rows.len() - start) as u32 + 1;
                rows.extend(equal.iter().map(|(.., index)| (place, *row(index))));
            }
        }
        (rows, active)
    }

    /// Returns the number that orders the rows; `None` if the competitor does not have it.
    fn order_value(&self, rating: &CurrentRatingRow) -> Option<f64> {
        match self.order {
            LeaderboardOrder::Sigma => Some(self.rules.sigma(rating)),
            LeaderboardOrder::Contests => Some(f64::from(rating.contests)),
            LeaderboardOrder::Change => rating.change,
            LeaderboardOrder::Since => {
                let mu_before = self.mu_before.get(&rating.competitor_id);
                mu_before.map(|mu_before| rating.mu - mu_before)
            }
            // Exact up to the year 285,000,000.
            LeaderboardOrder::Last => Some(rating.last_contest_at as f64),
            order => Some(self.rules.key_value(order, rating)),
        }
    }

    /// Returns the order of two competitors by place; equal ones share it.
    pub(crate) fn compare(&self, a: &CurrentRatingRow, b: &CurrentRatingRow) -> Ordering {
        self.place_key(a).compare(&self.place_key(b))
    }

    fn place_key(&self, rating: &CurrentRatingRow) -> PlaceKey {
        PlaceKey {
            is_last: self.is_last(rating),
            rating: self.rules.key_value(self.ranked_by, rating),
        }
    }

    /// True if the rating is provisional and listed after the established ones.
    fn is_last(&self, rating: &CurrentRatingRow) -> bool {
        self.query.provisional == ProvisionalPlacement::Last && self.rules.is_provisional(rating)
    }

    /// Returns a page of the active, or of the inactive, ones of these ratings, with their places.
    fn select_page(
        &self,
        ratings: &[CurrentRatingRow],
        active: bool,
        page: Page,
    ) -> Vec<(u32, CurrentRatingRow)> {
        // Sorted with the keys, each of which is computed once.
        let mut half: Vec<(PlaceKey, &CurrentRatingRow)> = ratings
            .iter()
            .filter(|rating| self.is_active(rating) == active)
            .map(|rating| (self.place_key(rating), rating))
            .collect();
        let compare = |(a_key, a): &(PlaceKey, &CurrentRatingRow),
                       (b_key, b): &(PlaceKey, &CurrentRatingRow)| {
            a_key.compare(b_key).then_with(|| a.competitor_id.cmp(&b.competitor_id))
        };
        let end = page.offset.saturating_add(page.limit);
        if end < half.len() {
            half.select_nth_unstable_by(end, compare);
            half.truncate(end);
        }
        half.sort_unstable_by(compare);
        let mut rows = Vec::new();
        let mut place = 0;
        for (index, (key, rating)) in half.iter().enumerate() {
            if index == 0 || key.compare(&half[index - 1].0).is_ne() {
                place = index as u32 + 1;
            }
            if index >= page.offset {
                rows.push((place, **rating));
            }
        }
        rows
    }

    /// Returns the number of listed competitors, active or inactive ones.
    pub(crate) fn count_listed(&self, active: bool) -> usize {
        let counts = &self.counts;
        let (all, provisional) = if active {
            (counts.active, counts.active_provisional)
        } else {
            (counts.inactive, counts.inactive_provisional)
        };
        let count_listed = match self.query.provisional {
            ProvisionalPlacement::Last | ProvisionalPlacement::Mix => all,
            ProvisionalPlacement::Exclude => all - provisional,
            ProvisionalPlacement::Only => provisional,
        };
        count_listed as usize
    }

    /// Returns a page of the active, or of the inactive, competitors.
    pub(crate) fn page(
        &self,
        store: &Store,
        active: bool,
        page: Page,
    ) -> Result<Vec<RankedCompetitor>, Error> {
        let rules = &self.rules;
        match &self.rows {
            RankingRows::Stored => {}
            RankingRows::Listed(rows) => {
                let rows = self.select_page(rows, active, page).into_iter();
                return Ok(rows.map(|(place, row)| rules.row(place, &row)).collect());
            }
            RankingRows::Sorted(rows) => {
                let rows = page.select(rows.half(active)).into_iter();
                return Ok(rows.map(|(place, row)| rules.row(*place, row)).collect());
            }
        }
        let rows = store.ranked_page(&self.query, active, page.offset, page.limit)?;
        let mut ranked: Vec<RankedCompetitor> = Vec::with_capacity(rows.len());
        let mut above: Option<&CurrentRatingRow> = None;
        for (rating, index) in rows.iter().zip(page.offset..) {
            let place = match (above.replace(rating), ranked.last()) {
                (Some(above), Some(last)) if self.compare(above, rating).is_eq() => last.place,
                // The first of a page can share the place of one on the page before.
                (None, _) if index > 0 => self.stored_place(store, rating, active)?,
                _ => index as u32 + 1,
            };
            ranked.push(rules.row(place, rating));
        }
        Ok(ranked)
    }

    /// Returns a page of the ratings of a ranking of all competitors of a run that has current
    /// ratings.
    pub(crate) fn current_page(
        &self,
        store: &Store,
        run: &RunRow,
        page: Page,
    ) -> Result<Vec<CurrentRatingRow>, Error> {
        if !self.rules.growth.grows() {
            return Ok(store.ranked_page(&self.query, true, page.offset, page.limit)?);
        }
        let ratings = load_current_ratings(store, run)?;
        let rows = self.select_page(&ratings, true, page).into_iter();
        Ok(rows.map(|(_, rating)| rating).collect())
    }

    /// Returns a competitor, and true if it is active; `None` if it is not listed.
    pub(crate) fn find(
        &self,
        store: &Store,
        competitor: CompetitorId,
    ) -> Result<Option<(RankedCompetitor, bool)>, Error> {
        let placed = match &self.rows {
            RankingRows::Stored => match store.current_rating(self.query.run_id, competitor)? {
                Some(row) => Some((self.stored_place(store, &row, self.is_active(&row))?, row)),
                None => None,
            },
            RankingRows::Listed(rows) => {
                let row = rows.iter().find(|row| row.competitor_id == competitor);
                row.map(|row| {
                    let active = self.is_active(row);
                    let key = self.place_key(row);
                    let above = rows.iter().filter(|other| {
                        self.is_active(other) == active
                            && self.place_key(other).compare(&key).is_lt()
                    });
                    (above.count() as u32 + 1, *row)
                })
            }
            RankingRows::Sorted(rows) => rows.find(competitor),
        };
        Ok(placed.map(|(place, row)| (self.rules.row(place, &row), self.is_active(&row))))
    }

    fn stored_place(
        &self,
        store: &Store,
        rating: &CurrentRatingRow,
        active: bool,
    ) -> Result<u32, Error> {
        let key = self.rules.key_value(self.ranked_by, rating);
        let above = store.count_ranked_above(&self.query, active, self.is_last(rating), key)?;
        Ok(above as u32 + 1)
    }
}
