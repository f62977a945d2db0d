//! The ranking of a run: its competitors in the order of a leaderboard.
//!
//! In the order of a rating it reads the current ratings of the run, a page at a time. In any other
//! order, and if sigma grows with time, it reads all of them. At an earlier time, and for a run
//! without current ratings, it folds all rating rows. If rankings are kept between views, it reads
//! all current ratings once, and after further contests those of their entrants.

pub(crate) mod cache;
pub(crate) mod order;
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

use crate::error::Error;
use crate::runs::systems::System;
use crate::views::page::Page;
use crate::views::ranking::cache::{EarlierRanking, RankingChoice, ViewReader};
use crate::views::ranking::order::{LeaderboardOrder, PlaceKey};
use crate::views::ranking::ratings::{fold_ratings, load_current_ratings, load_mu_before};
use crate::views::ranking::rules::RatingRules;
use crate::views::ranking::sorted::SortedRows;

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
    /// Its uncertainty at the time of the view.
    pub sigma: f64,
    /// Its uncertainty after the last contest.
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
#[derive(Clone, Copy, Debug)]
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
    /// Returns those of a leaderboard without options, now or at a time.
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
    pub(crate) before: HashMap<CompetitorId, f64>,
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
        reader: ViewReader<'_>,
        run: &RunRow,
        rules: RatingRules,
        options: RankingOptions,
    ) -> Result<Self, Error> {
        let order = options.order.unwrap_or_else(|| rules.default_order());
        let is_current = options.as_of.is_none() && order != LeaderboardOrder::Since;
        let ViewReader { store, cache } = reader;
        let Some(cache) = cache.filter(|_| is_current && run.competitors.is_some()) else {
            let sorts = options.reverse || !order.is_rating();
            let ratings = if options.as_of.is_some() || run.competitors.is_none() {
                Some(fold_ratings(store, run, options.as_of)?)
            } else if sorts || rules.growth.grows() {
                Some(load_current_ratings(store, run)?)
            } else {
                None
            };
            return Self::from_ratings(store, run, rules, options, ratings, sorts);
        };
        let choice = RankingChoice {
            run: run.run_id,
            min_contests: options.min_contests,
            inactive_after_days: options.inactive_after_days,
            provisional: options.provisional,
            rule: rules.provisional,
            order,
            reverse: options.reverse,
            k: rules.k,
            grows: rules.growth.grows(),
        };
        let load = |earlier: Option<EarlierRanking<'_>>| {
            let updated = match earlier {
                Some(earlier) => earlier.ranking.update(store, run, earlier.contests)?,
                None => None,
            };
            let ratings = match updated {
                Some(ratings) => ratings,
                None => load_current_ratings(store, run)?,
            };
            Self::from_ratings(store, run, rules, options, Some(ratings), true)
        };
        let ranking = cache.find_or_load_ranking(store, run, choice, load)?;
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
        if System::from_run(run).map_or(true, |system| system.period.is_some()) {
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

    /// Creates the ranking of a run from all its ratings, or to read pages of the current ratings;
    /// with `sorts` all rows in order.
    fn from_ratings(
        store: &Store,
        run: &RunRow,
        rules: RatingRules,
        options: RankingOptions,
        ratings: Option<Vec<CurrentRatingRow>>,
        sorts: bool,
    ) -> Result<Self, Error> {
        let order = options.order.unwrap_or_else(|| rules.default_order());
        let ranked_by = match order {
            rating if rating.is_rating() => rating,
            _ => rules.default_order(),
        };
        let mut ranking = Self {
            order,
            ranked_by,
            newest_contest_at: None,
            counts: RankingCounts::default(),
            before: HashMap::new(),
            query: RankingQuery {
                run_id: run.run_id,
                min_contests: options.min_contests,
                oldest_active: 0,
                provisional_contests: rules.provisional.min_contests,
                provisional_sigma: rules.provisional.max_sigma,
                provisional: options.provisional,
                key: rules.key(ranked_by),
            },
            rules,
            rows: RankingRows::Stored,
        };
        ranking.newest_contest_at = match &ratings {
            Some(ratings) => ratings.iter().map(|of| of.last_contest_at).max(),
            None => store.newest_rated_contest_at(run.run_id)?,
        };
        let time = options.as_of.map(ContestTime::get);
        ranking
            .rules
            .growth
            .set_time(time.or(ranking.newest_contest_at));
        ranking.query.oldest_active = ranking.newest_contest_at.unwrap_or(0)
            - i64::from(options.inactive_after_days) * 86_400;
        let Some(mut ratings) = ratings else {
            ranking.counts = store.count_ranked(&ranking.query)?;
            return Ok(ranking);
        };
        if let Some(since) = options.since.filter(|_| order == LeaderboardOrder::Since) {
            ranking.before = load_mu_before(store, run, since)?;
        }
        ranking.count_and_filter(&mut ratings);
        if sorts {
            ranking.sort(&ratings, options.reverse);
        } else {
            ranking.rows = RankingRows::Listed(ratings);
        }
        Ok(ranking)
    }

    /// Loads the ranking of all competitors of a run in the order of leaderboards, without a
    /// difference between active and inactive ones, and without counting them.
    pub(crate) fn load_all(store: &Store, run: &RunRow, rules: RatingRules) -> Result<Self, Error> {
        let order = rules.default_order();
        let mut ranking = Self {
            order,
            ranked_by: order,
            newest_contest_at: None,
            counts: RankingCounts::default(),
            before: HashMap::new(),
            query: RankingQuery {
                run_id: run.run_id,
                min_contests: 1,
                oldest_active: i64::MIN,
                provisional_contests: rules.provisional.min_contests,
                provisional_sigma: rules.provisional.max_sigma,
                provisional: ProvisionalPlacement::Last,
                key: rules.key(order),
            },
            rules,
            rows: RankingRows::Stored,
        };
        (ranking.rules.growth).set_time_or_newest(store, run, None)?;
        if run.competitors.is_none() {
            ranking.rows = RankingRows::Listed(fold_ratings(store, run, None)?);
        }
        Ok(ranking)
    }

    /// Calls `each` with the ratings of all listed competitors, in no order.
    pub(crate) fn for_each_rating(
        &self,
        store: &Store,
        mut each: impl FnMut(CurrentRatingRow),
    ) -> Result<(), Error> {
        match &self.rows {
            RankingRows::Stored => store.for_each_current_rating(self.query.run_id, each)?,
            RankingRows::Listed(rows) => rows.iter().for_each(|of| each(*of)),
            RankingRows::Sorted(rows) => rows.iter().for_each(|of| each(*of)),
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
        ratings.retain(|of| of.contests >= query.min_contests);
        let is_provisional = |of: &CurrentRatingRow| self.rules.is_provisional(of);
        let counts = &mut self.counts;
        for of in ratings.iter() {
            let provisional = u64::from(is_provisional(of));
            if of.last_contest_at >= query.oldest_active {
                counts.active += 1;
                counts.active_provisional += provisional;
            } else {
                counts.inactive += 1;
                counts.inactive_provisional += provisional;
            }
        }
        ratings.retain(|of| match query.provisional {
            ProvisionalPlacement::Last | ProvisionalPlacement::Mix => true,
            ProvisionalPlacement::Exclude => !is_provisional(of),
            ProvisionalPlacement::Only => is_provisional(of),
        });
    }

    /// True if the last contest is recent.
    pub(crate) fn is_active(&self, of: &CurrentRatingRow) -> bool {
        of.last_contest_at >= self.query.oldest_active
    }

    /// Sorts the listed ratings.
    fn sort(&mut self, ratings: &[CurrentRatingRow], reverse: bool) {
        // Each key is computed once.
        let key = |(of, index): (&CurrentRatingRow, u32)| {
            (!self.is_active(of), self.place_key(of), index)
        };
        let mut keys: Vec<(bool, PlaceKey, u32)> = ratings.iter().zip(0..).map(key).collect();
        let row = |index: u32| &ratings[index as usize];
        // The ratings of a kept ranking are almost sorted, of which this method makes use.
        keys.sort_by(|(a_inactive, a_key, a), (b_inactive, b_key, b)| {
            (a_inactive.cmp(b_inactive))
                .then_with(|| a_key.compare(b_key))
                .then_with(|| row(*a).competitor_id.cmp(&row(*b).competitor_id))
        });
        let active = keys.partition_point(|(is_inactive, ..)| !is_inactive);
        let (active_ones, inactive) = keys.split_at(active);
        let mut rows: Vec<(u32, CurrentRatingRow)> = Vec::with_capacity(keys.len());
        for half in [active_ones, inactive] {
            let before_half = rows.len();
            for equal in half.chunk_by(|(_, a, _), (_, b, _)| a.compare(b).is_eq()) {
                let place = (rows.len() - before_half) as u32 + 1;
                rows.extend(equal.iter().map(|(.., index)| (place, *row(*index))));
            }
        }
        if reverse || self.order != self.ranked_by {
            let number = |of: &CurrentRatingRow| match self.order {
                LeaderboardOrder::Sigma => Some(self.rules.sigma(of)),
                LeaderboardOrder::Contests => Some(f64::from(of.contests)),
                LeaderboardOrder::Change => of.change,
                LeaderboardOrder::Since => {
                    let before = self.before.get(&of.competitor_id);
                    before.map(|before| of.mu - before)
                }
                // Exact up to the year 285,000,000.
                LeaderboardOrder::Last => Some(of.last_contest_at as f64),
                rating => Some(self.rules.key_value(rating, of)),
            };
            let compare = |a: &CurrentRatingRow, b: &CurrentRatingRow| match (number(a), number(b))
            {
                (Some(a), Some(b)) if reverse => a.total_cmp(&b),
                (Some(a), Some(b)) => b.total_cmp(&a),
                (a, b) => a.is_none().cmp(&b.is_none()),
            };
            // Stable: equal ones stay in the order of their places.
            let (active_ones, inactive) = rows.split_at_mut(active);
            for half in [active_ones, inactive] {
                half.sort_by(|(_, a), (_, b)| {
                    let last = self.is_last(a).cmp(&self.is_last(b));
                    last.then_with(|| compare(a, b))
                });
            }
        }
        self.rows = RankingRows::Sorted(Arc::new(SortedRows::new(rows, active)));
    }

    /// Returns the order of two competitors by place; equal ones share it.
    pub(crate) fn compare(&self, a: &CurrentRatingRow, b: &CurrentRatingRow) -> Ordering {
        self.place_key(a).compare(&self.place_key(b))
    }

    fn place_key(&self, of: &CurrentRatingRow) -> PlaceKey {
        PlaceKey {
            is_last: self.is_last(of),
            rating: self.rules.key_value(self.ranked_by, of),
        }
    }

    /// True if the rating is provisional and listed after the established ones.
    fn is_last(&self, of: &CurrentRatingRow) -> bool {
        self.query.provisional == ProvisionalPlacement::Last && self.rules.is_provisional(of)
    }

    /// Returns a page of the active, or of the inactive, ones of these ratings, with their places.
    fn select_page(
        &self,
        ratings: &[CurrentRatingRow],
        active: bool,
        page: Page,
    ) -> Vec<(u32, CurrentRatingRow)> {
        let half = ratings.iter().filter(|of| self.is_active(of) == active);
        // Sorted with the keys, each of which is computed once.
        let mut half: Vec<(PlaceKey, &CurrentRatingRow)> =
            half.map(|of| (self.place_key(of), of)).collect();
        let order = |(a, first): &(PlaceKey, &CurrentRatingRow),
                     (b, second): &(PlaceKey, &CurrentRatingRow)| {
            (a.compare(b)).then_with(|| first.competitor_id.cmp(&second.competitor_id))
        };
        let end = page.offset.saturating_add(page.limit);
        if end < half.len() {
            half.select_nth_unstable_by(end, order);
            half.truncate(end);
        }
        half.sort_unstable_by(order);
        let mut placed = Vec::new();
        let mut place = 0;
        for (index, (key, of)) in half.iter().enumerate() {
            if index == 0 || key.compare(&half[index - 1].0).is_ne() {
                place = index as u32 + 1;
            }
            if index >= page.offset {
                placed.push((place, **of));
            }
        }
        placed
    }

    /// Returns the number of listed competitors, active or inactive ones.
    pub(crate) fn listed(&self, active: bool) -> usize {
        let RankingCounts {
            active: all_active,
            inactive,
            active_provisional,
            inactive_provisional,
        } = self.counts;
        let (all, provisional) = if active {
            (all_active, active_provisional)
        } else {
            (inactive, inactive_provisional)
        };
        let listed = match self.query.provisional {
            ProvisionalPlacement::Last | ProvisionalPlacement::Mix => all,
            ProvisionalPlacement::Exclude => all - provisional,
            ProvisionalPlacement::Only => provisional,
        };
        listed as usize
    }

    /// Returns a page of the active, or of the inactive, competitors.
    pub(crate) fn page(
        &self,
        store: &Store,
        active: bool,
        page: Page,
    ) -> Result<Vec<RankedCompetitor>, Error> {
        match &self.rows {
            RankingRows::Stored => {}
            RankingRows::Listed(rows) => {
                let page = self.select_page(rows, active, page).into_iter();
                return Ok(page.map(|(place, of)| self.rules.row(place, &of)).collect());
            }
            RankingRows::Sorted(rows) => {
                let page = rows.half(active).iter().skip(page.offset).take(page.limit);
                return Ok(page.map(|(place, of)| self.rules.row(*place, of)).collect());
            }
        }
        let rows = store.ranked_page(&self.query, active, page.offset, page.limit)?;
        let mut ranked: Vec<RankedCompetitor> = Vec::with_capacity(rows.len());
        let mut above: Option<&CurrentRatingRow> = None;
        for (of, index) in rows.iter().zip(page.offset..) {
            let place = match (above.replace(of), ranked.last()) {
                (Some(above), Some(last)) if self.compare(above, of).is_eq() => last.place,
                // The first of a page can share the place of one on the page before.
                (None, _) if index > 0 => self.stored_place(store, of, active)?,
                _ => index as u32 + 1,
            };
            ranked.push(self.rules.row(place, of));
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
        let page = self.select_page(&ratings, true, page).into_iter();
        Ok(page.map(|(_, of)| of).collect())
    }

    /// Returns a competitor, and true if it is active; `None` if it is not listed.
    pub(crate) fn find(
        &self,
        store: &Store,
        competitor: CompetitorId,
    ) -> Result<Option<(RankedCompetitor, bool)>, Error> {
        let found = match &self.rows {
            RankingRows::Stored => match store.current_rating(self.query.run_id, competitor)? {
                Some(of) => Some((self.stored_place(store, &of, self.is_active(&of))?, of)),
                None => None,
            },
            RankingRows::Listed(rows) => {
                let found = rows.iter().find(|of| of.competitor_id == competitor);
                found.map(|of| {
                    let (active, key) = (self.is_active(of), self.place_key(of));
                    let above = rows.iter().filter(|other| {
                        self.is_active(other) == active
                            && self.place_key(other).compare(&key).is_lt()
                    });
                    (above.count() as u32 + 1, *of)
                })
            }
            RankingRows::Sorted(rows) => rows.find(competitor),
        };
        Ok(found.map(|(place, of)| (self.rules.row(place, &of), self.is_active(&of))))
    }

    fn stored_place(
        &self,
        store: &Store,
        of: &CurrentRatingRow,
        active: bool,
    ) -> Result<u32, Error> {
        let key = self.rules.key_value(self.ranked_by, of);
        let above = store.count_ranked_above(&self.query, active, self.is_last(of), key)?;
        Ok(above as u32 + 1)
    }
}
