//! The ranking of a run: its competitors in the order of a leaderboard.
//!
//! In the order of a rating it reads the current ratings of the run, a page at a time; in any other
//! order it reads and sorts all of them. At an earlier time, and for a run without current ratings,
//! it folds all rating rows.

use std::cmp::Ordering;
use std::collections::HashMap;

use ranklore_contest::{ContestTime, word_enum};
use ranklore_rating::{Display, Provisional, Title};
use ranklore_store::{
    CompetitorId, CurrentRatingRow, ProvisionalPlacement, RankingCounts, RankingKey, RankingQuery,
    RatingSummary, RunRow, Store,
};
use serde::{Serialize, Serializer};

use crate::error::Error;
use crate::runs::lineup::CompetitorIndices;
use crate::runs::selection::{RunSelection, find_source};
use crate::runs::systems::{System, SystemName};
use crate::views::coverage::{for_each_contest_of_run, had_ended};
use crate::views::page::Page;

word_enum! {
    /// The number that orders a leaderboard, highest first.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum LeaderboardOrder {
        /// The displayed rating.
        Rating = "rating",
        /// mu − k·sigma.
        Conservative = "conservative",
        /// The rating.
        Mu = "mu",
        /// The highest mu.
        Peak = "peak",
        /// The uncertainty.
        Sigma = "sigma",
        /// The number of rated contests.
        Contests = "contests",
        /// The change by the last contest; newcomers come last.
        Change = "change",
        /// The change since a time; those without a rating then come last.
        Since = "since",
        /// The end of the last contest.
        Last = "last",
    }
}

impl LeaderboardOrder {
    /// True if the number is a rating, which gives the places.
    #[must_use]
    pub const fn is_rating(self) -> bool {
        matches!(
            self,
            Self::Rating | Self::Conservative | Self::Mu | Self::Peak
        )
    }
}

impl Serialize for LeaderboardOrder {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

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
    /// Its uncertainty.
    pub sigma: f64,
    /// Rated contests.
    pub contests: u32,
    /// The change of mu by the last contest; `None` after the first contest.
    pub last_change: Option<f64>,
    /// The highest mu.
    pub peak_mu: f64,
    /// The end of the last contest, in Unix seconds.
    pub last_contest_at: i64,
}

/// The rules by which a view shows and orders the ratings of a run.
#[derive(Clone, Debug)]
pub(crate) struct RatingRules {
    pub(crate) display: Display,
    pub(crate) provisional: Provisional,
    pub(crate) titles: &'static [Title],
    /// k of the conservative rating.
    pub(crate) k: f64,
}

impl RatingRules {
    /// Loads the rules of the system of a run with its parameters. A rule for provisional ratings
    /// that all sources of the run share takes precedence. A run of `official`, or of a system that
    /// this version does not know, shows mu.
    pub(crate) fn load(store: &Store, run: &RunRow) -> Result<Self, Error> {
        let about = SystemName::find(&run.system).map(SystemName::about).ok();
        let system = System::from_run(run).ok();
        let provisional = system.map_or_else(Default::default, |of| of.rating.provisional());
        Ok(Self {
            display: find_display(run),
            provisional: find_provisional_setting(store, run)?.unwrap_or(provisional),
            titles: about.map_or(&[], |about| about.titles),
            k: about.map_or(0.0, |about| about.conservative_k),
        })
    }

    pub(crate) fn conservative(&self, mu: f64, sigma: f64) -> f64 {
        mu - self.k * sigma
    }

    /// Returns the order of leaderboards: by the conservative rating in systems with uncertainty,
    /// else by the displayed rating.
    pub(crate) fn default_order(&self) -> LeaderboardOrder {
        if self.k > 0.0 {
            LeaderboardOrder::Conservative
        } else {
            LeaderboardOrder::Rating
        }
    }

    /// Returns the formula of a rating.
    fn formula(&self, rating: LeaderboardOrder) -> Display {
        match rating {
            LeaderboardOrder::Rating => self.display,
            LeaderboardOrder::Conservative => Display {
                k: self.k,
                ..Display::MU
            },
            _ => Display::MU,
        }
    }

    /// Returns the key that orders the current ratings in the database by a rating.
    fn key(&self, rating: LeaderboardOrder) -> RankingKey {
        if rating == LeaderboardOrder::Peak {
            return RankingKey::Peak;
        }
        let Display {
            scale,
            k,
            offset,
            newcomer,
            newcomer_since,
            whole,
            decimals: _,
        } = self.formula(rating);
        RankingKey::Formula {
            scale,
            k,
            offset,
            newcomer,
            newcomer_since: newcomer_since.unwrap_or(i64::MIN),
            whole,
        }
    }

    /// Returns the rating of a competitor that gives its place.
    fn key_value(&self, rating: LeaderboardOrder, of: &CurrentRatingRow) -> f64 {
        if rating == LeaderboardOrder::Peak {
            return of.peak_mu;
        }
        let formula = self.formula(rating);
        formula.rating(of.mu, of.sigma, of.contests, of.last_contest_at)
    }

    /// Returns the row of a competitor at a place.
    pub(crate) fn row(&self, place: u32, of: &CurrentRatingRow) -> RankedCompetitor {
        let rating = (self.display).rating(of.mu, of.sigma, of.contests, of.last_contest_at);
        RankedCompetitor {
            place,
            competitor_id: of.competitor_id,
            rating,
            provisional: self.provisional.is_provisional(of.sigma, of.contests),
            title: Title::of(self.titles, rating).map(|title| title.name),
            conservative: self.conservative(of.mu, of.sigma),
            mu: of.mu,
            sigma: of.sigma,
            contests: of.contests,
            last_change: of.change,
            peak_mu: of.peak_mu,
            last_contest_at: of.last_contest_at,
        }
    }
}

/// Returns how the ratings of a run are displayed. A run of `official`, or of a system that this
/// version does not know, shows mu.
#[must_use]
pub fn find_display(run: &RunRow) -> Display {
    System::from_run(run).map_or(Display::MU, |system| system.rating.display())
}

/// Returns the rule for provisional ratings that the sources of a run are set to, if all are set to
/// the same.
fn find_provisional_setting(store: &Store, run: &RunRow) -> Result<Option<Provisional>, Error> {
    let mut common = None;
    for source in &RunSelection::from_canonical_json(&run.selection).sources {
        let settings = store.source_settings(find_source(store, source)?)?;
        let rule = match (settings.provisional_contests, settings.provisional_sigma) {
            (None, None) => None,
            (contests, max_sigma) => {
                let contests = contests.and_then(|contests| u32::try_from(contests).ok());
                Some(Provisional {
                    max_sigma,
                    ..Provisional::by_contests(contests.unwrap_or(0))
                })
            }
        };
        if *common.get_or_insert(rule) != rule {
            return Ok(None);
        }
    }
    Ok(common.flatten())
}

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

/// The competitors of a run in the order of a leaderboard.
pub(crate) struct Ranking<'s> {
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
    rows: RankingRows<'s>,
}

enum RankingRows<'s> {
    /// The current ratings of the run, in the order of their places.
    Stored(&'s Store),
    /// All listed competitors with their places: the active ones, then the inactive ones, each in
    /// order.
    Sorted {
        rows: Vec<(u32, CurrentRatingRow)>,
        active: usize,
    },
}

impl<'s> Ranking<'s> {
    /// Loads the ranking of a run.
    pub(crate) fn load(
        store: &'s Store,
        run: &RunRow,
        rules: RatingRules,
        options: RankingOptions,
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
            rows: RankingRows::Stored(store),
        };
        let ratings = if options.as_of.is_some() || run.competitors.is_none() {
            Some(fold_ratings(store, run, options.as_of)?)
        } else if options.reverse || order != ranked_by {
            let mut ratings = Vec::new();
            store.for_each_current_rating(run.run_id, |of| ratings.push(of))?;
            Some(ratings)
        } else {
            None
        };
        ranking.newest_contest_at = match &ratings {
            Some(ratings) => ratings.iter().map(|of| of.last_contest_at).max(),
            None => store.newest_rated_contest_at(run.run_id)?,
        };
        ranking.query.oldest_active = ranking.newest_contest_at.unwrap_or(0)
            - i64::from(options.inactive_after_days) * 86_400;
        let Some(ratings) = ratings else {
            ranking.counts = store.count_ranked(&ranking.query)?;
            return Ok(ranking);
        };
        if let Some(since) = options.since.filter(|_| order == LeaderboardOrder::Since) {
            ranking.before = load_mu_before(store, run, since)?;
        }
        ranking.sort(ratings, options.reverse);
        Ok(ranking)
    }

    /// Loads the ranking of all competitors of a run in the order of leaderboards, without a
    /// difference between active and inactive ones, and without counting stored ratings.
    pub(crate) fn load_all(
        store: &'s Store,
        run: &RunRow,
        rules: RatingRules,
    ) -> Result<Self, Error> {
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
            rows: RankingRows::Stored(store),
        };
        if run.competitors.is_none() {
            ranking.sort(fold_ratings(store, run, None)?, false);
        }
        Ok(ranking)
    }

    /// Calls `each` with the ratings of all listed competitors, in no order.
    pub(crate) fn for_each_rating(
        &self,
        mut each: impl FnMut(CurrentRatingRow),
    ) -> Result<(), Error> {
        match &self.rows {
            RankingRows::Stored(store) => store.for_each_current_rating(self.query.run_id, each)?,
            RankingRows::Sorted { rows, .. } => rows.iter().for_each(|(_, of)| each(*of)),
        }
        Ok(())
    }

    /// Counts all ratings, and sorts the listed ones.
    fn sort(&mut self, mut ratings: Vec<CurrentRatingRow>, reverse: bool) {
        let query = &self.query;
        ratings.retain(|of| of.contests >= query.min_contests);
        let is_active = |of: &CurrentRatingRow| of.last_contest_at >= query.oldest_active;
        let rule = self.rules.provisional;
        let is_provisional = |of: &CurrentRatingRow| rule.is_provisional(of.sigma, of.contests);
        for of in &ratings {
            let provisional = u64::from(is_provisional(of));
            let counts = &mut self.counts;
            if is_active(of) {
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
        ratings.sort_unstable_by(|a, b| {
            (is_active(b).cmp(&is_active(a)))
                .then_with(|| self.compare(a, b))
                .then_with(|| a.competitor_id.cmp(&b.competitor_id))
        });
        let active = ratings.partition_point(is_active);
        let (active_ones, inactive) = ratings.split_at(active);
        let mut rows: Vec<(u32, CurrentRatingRow)> = Vec::with_capacity(ratings.len());
        for half in [active_ones, inactive] {
            let before_half = rows.len();
            for equal in half.chunk_by(|a, b| self.compare(a, b).is_eq()) {
                let place = (rows.len() - before_half) as u32 + 1;
                rows.extend(equal.iter().map(|of| (place, *of)));
            }
        }
        if reverse || self.order != self.ranked_by {
            let number = |of: &CurrentRatingRow| match self.order {
                LeaderboardOrder::Sigma => Some(of.sigma),
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
        self.rows = RankingRows::Sorted { rows, active };
    }

    /// Returns the order of two competitors by place; equal ones share it.
    pub(crate) fn compare(&self, a: &CurrentRatingRow, b: &CurrentRatingRow) -> Ordering {
        let key = |of: &CurrentRatingRow| self.rules.key_value(self.ranked_by, of);
        (self.is_last(a).cmp(&self.is_last(b)))
            // Not a total order: −0 and 0 share a place, as in the database.
            .then_with(|| key(b).partial_cmp(&key(a)).unwrap_or(Ordering::Equal))
    }

    /// True if the rating is provisional and listed after the established ones.
    fn is_last(&self, of: &CurrentRatingRow) -> bool {
        self.query.provisional == ProvisionalPlacement::Last
            && self.rules.provisional.is_provisional(of.sigma, of.contests)
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
    pub(crate) fn page(&self, active: bool, page: Page) -> Result<Vec<RankedCompetitor>, Error> {
        let store = match &self.rows {
            RankingRows::Stored(store) => store,
            RankingRows::Sorted {
                rows,
                active: count,
            } => {
                let (active_ones, inactive) = rows.split_at(*count);
                let half = if active { active_ones } else { inactive };
                let page = half.iter().skip(page.offset).take(page.limit);
                return Ok(page.map(|(place, of)| self.rules.row(*place, of)).collect());
            }
        };
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

    /// Returns a competitor, and true if it is active; `None` if it is not listed.
    pub(crate) fn find(
        &self,
        competitor: CompetitorId,
    ) -> Result<Option<(RankedCompetitor, bool)>, Error> {
        let is_active = |of: &CurrentRatingRow| of.last_contest_at >= self.query.oldest_active;
        let found = match &self.rows {
            RankingRows::Stored(store) => {
                match store.current_rating(self.query.run_id, competitor)? {
                    Some(of) => Some((self.stored_place(store, &of, is_active(&of))?, of)),
                    None => None,
                }
            }
            RankingRows::Sorted { rows, .. } => {
                let mut rows = rows.iter();
                rows.find(|(_, of)| of.competitor_id == competitor).copied()
            }
        };
        Ok(found.map(|(place, of)| (self.rules.row(place, &of), is_active(&of))))
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

/// Loads mu of each competitor of a run after its last contest that ended before a time.
pub(crate) fn load_mu_before(
    store: &Store,
    run: &RunRow,
    before: ContestTime,
) -> Result<HashMap<CompetitorId, f64>, Error> {
    let Some(last_second) = ContestTime::new(before.get() - 1) else {
        return Ok(HashMap::new());
    };
    let ratings = fold_ratings(store, run, Some(last_second))?;
    Ok(ratings.iter().map(|of| (of.competitor_id, of.mu)).collect())
}

/// Folds the rating rows of a run up to a time into the rating of each competitor.
pub(crate) fn fold_ratings(
    store: &Store,
    run: &RunRow,
    as_of: Option<ContestTime>,
) -> Result<Vec<CurrentRatingRow>, Error> {
    let mut contests = Vec::new();
    for_each_contest_of_run(store, run, |contest| {
        contests.extend(
            had_ended(contest.ends_at, as_of)
                .then_some((contest.contest_id, contest.ends_at.unwrap_or(0))),
        );
    })?;
    let (mut indices, mut competitors) = (CompetitorIndices::default(), Vec::new());
    let mut summaries: Vec<RatingSummary> = Vec::new();
    for (&(contest_id, _), position) in contests.iter().zip(0..) {
        store.for_each_rating_row(run.run_id, contest_id, |row| {
            let index = indices.find_or_add(row.competitor_id, &mut competitors) as usize;
            if index == summaries.len() {
                summaries.push(RatingSummary::default());
            }
            summaries[index].add(position, row.mu, row.sigma, row.volatility);
        })?;
    }
    let rating = |(competitor_id, summary): (CompetitorId, RatingSummary)| {
        let (_, ends_at) = contests[summary.last_position()? as usize];
        Some(summary.current_rating(competitor_id, ends_at))
    };
    let summaries = competitors.into_iter().zip(summaries);
    Ok(summaries.filter_map(rating).collect())
}
