//! The ranking of a run: its competitors in the order of a leaderboard.
//!
//! It reads the current ratings of the run, a page at a time. At an earlier time, and for a run
//! without current ratings, it folds all rating rows.

use std::cmp::Ordering;
use std::collections::HashMap;

use ranklore_contest::UnixSeconds;
use ranklore_rating::{Display, Provisional, Title};
use ranklore_store::{
    CompetitorId, CurrentRatingRow, ProvisionalPlacement, RankingCounts, RankingKey, RankingQuery,
    RatingSummary, RunRow, Store,
};
use serde::{Serialize, Serializer};

use crate::error::Error;
use crate::runs::selection::{RunSelection, find_source};
use crate::runs::systems::{System, SystemName};
use crate::views::coverage::{for_each_contest_of_run, had_ended};
use crate::views::page::Page;

/// The number that orders a leaderboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeaderboardOrder {
    /// The displayed rating.
    Rating,
    /// mu − k·sigma.
    Conservative,
    /// The rating.
    Mu,
    /// The uncertainty.
    Sigma,
    /// The number of rated contests.
    Contests,
    /// The change by the last contest.
    Change,
    /// The highest mu.
    Peak,
    /// The end of the last contest.
    LastContest,
}

impl LeaderboardOrder {
    /// All orders, in the order of listings.
    pub const ALL: [Self; 8] = [
        Self::Rating,
        Self::Conservative,
        Self::Mu,
        Self::Sigma,
        Self::Contests,
        Self::Change,
        Self::Peak,
        Self::LastContest,
    ];

    /// Returns the word for options and output.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Rating => "rating",
            Self::Conservative => "conservative",
            Self::Mu => "mu",
            Self::Sigma => "sigma",
            Self::Contests => "contests",
            Self::Change => "change",
            Self::Peak => "peak",
            Self::LastContest => "last",
        }
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

    fn key(&self, order: LeaderboardOrder) -> RankingKey {
        match order {
            LeaderboardOrder::Rating => {
                let Display {
                    scale,
                    k,
                    offset,
                    newcomer,
                    newcomer_since,
                    whole,
                    decimals: _,
                } = self.display;
                RankingKey::Formula {
                    scale,
                    k,
                    offset,
                    newcomer,
                    newcomer_since,
                    whole,
                }
            }
            LeaderboardOrder::Conservative => RankingKey::Formula {
                scale: 1.0,
                k: self.k,
                offset: 0.0,
                newcomer: &[],
                newcomer_since: 0,
                whole: false,
            },
            LeaderboardOrder::Mu => RankingKey::Mu,
            LeaderboardOrder::Sigma => RankingKey::Sigma,
            LeaderboardOrder::Contests => RankingKey::Contests,
            LeaderboardOrder::Change => RankingKey::Change,
            LeaderboardOrder::Peak => RankingKey::Peak,
            LeaderboardOrder::LastContest => RankingKey::LastContest,
        }
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

    /// Returns the number that orders a competitor.
    fn key_value(&self, order: LeaderboardOrder, of: &CurrentRatingRow) -> f64 {
        match order {
            LeaderboardOrder::Rating => {
                (self.display).rating(of.mu, of.sigma, of.contests, of.last_contest_at)
            }
            LeaderboardOrder::Conservative => self.conservative(of.mu, of.sigma),
            LeaderboardOrder::Mu => of.mu,
            LeaderboardOrder::Sigma => of.sigma,
            LeaderboardOrder::Contests => f64::from(of.contests),
            LeaderboardOrder::Change => of.change.unwrap_or(f64::NEG_INFINITY),
            LeaderboardOrder::Peak => of.peak_mu,
            // Exact up to the year 285,000,000.
            LeaderboardOrder::LastContest => of.last_contest_at as f64,
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
    pub(crate) as_of: Option<UnixSeconds>,
    pub(crate) min_contests: u32,
    pub(crate) inactive_after_days: u32,
    pub(crate) provisional: ProvisionalPlacement,
    /// By default that of the rules.
    pub(crate) order: Option<LeaderboardOrder>,
}

/// The competitors of a run in the order of a leaderboard.
pub(crate) struct Ranking<'s> {
    pub(crate) rules: RatingRules,
    pub(crate) order: LeaderboardOrder,
    pub(crate) newest_contest_at: Option<i64>,
    pub(crate) counts: RankingCounts,
    query: RankingQuery,
    rows: RankingRows<'s>,
}

enum RankingRows<'s> {
    /// The current ratings of the run.
    Stored(&'s Store),
    /// All listed competitors: the active ones, then the inactive ones, each in order.
    Folded {
        ratings: Vec<CurrentRatingRow>,
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
        let mut ranking = Self {
            order,
            newest_contest_at: None,
            counts: RankingCounts::default(),
            query: RankingQuery {
                run_id: run.run_id,
                min_contests: options.min_contests,
                oldest_active: 0,
                provisional_contests: rules.provisional.min_contests,
                provisional_sigma: rules.provisional.max_sigma,
                provisional: options.provisional,
                key: rules.key(order),
            },
            rules,
            rows: RankingRows::Stored(store),
        };
        let folded = if options.as_of.is_some() || run.competitors.is_none() {
            let ratings = fold_ratings(store, run, options.as_of)?;
            ranking.newest_contest_at = ratings.iter().map(|of| of.last_contest_at).max();
            Some(ratings)
        } else {
            ranking.newest_contest_at = store.newest_rated_contest_at(run.run_id)?;
            None
        };
        ranking.query.oldest_active = ranking.newest_contest_at.unwrap_or(0)
            - i64::from(options.inactive_after_days) * 86_400;
        match folded {
            Some(ratings) => ranking.sort(ratings),
            None => ranking.counts = store.count_ranked(&ranking.query)?,
        }
        Ok(ranking)
    }

    /// Sorts and counts folded ratings.
    fn sort(&mut self, mut ratings: Vec<CurrentRatingRow>) {
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
        self.rows = RankingRows::Folded { ratings, active };
    }

    /// Returns the order of two competitors in the list; equal ones share a place.
    fn compare(&self, a: &CurrentRatingRow, b: &CurrentRatingRow) -> Ordering {
        let key = |of: &CurrentRatingRow| self.rules.key_value(self.order, of);
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
        let stored;
        let rows: &[CurrentRatingRow] = match &self.rows {
            RankingRows::Stored(store) => {
                stored = store.ranked_page(&self.query, active, page.offset, page.limit)?;
                &stored
            }
            RankingRows::Folded {
                ratings,
                active: count,
            } => {
                let half = half(ratings, *count, active);
                let from = page.offset.min(half.len());
                &half[from..page.offset.saturating_add(page.limit).min(half.len())]
            }
        };
        let mut ranked: Vec<RankedCompetitor> = Vec::with_capacity(rows.len());
        let mut above: Option<&CurrentRatingRow> = None;
        for (of, index) in rows.iter().zip(page.offset..) {
            let place = match (above.replace(of), ranked.last()) {
                (Some(above), Some(last)) if self.compare(above, of).is_eq() => last.place,
                // The first of a page can share the place of one on the page before.
                (None, _) if index > 0 => self.place(of, active)?,
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
        let found = match &self.rows {
            RankingRows::Stored(store) => store.current_rating(self.query.run_id, competitor)?,
            RankingRows::Folded { ratings, .. } => ratings
                .iter()
                .find(|of| of.competitor_id == competitor)
                .copied(),
        };
        let Some(of) = found else {
            return Ok(None);
        };
        let active = of.last_contest_at >= self.query.oldest_active;
        Ok(Some((
            self.rules.row(self.place(&of, active)?, &of),
            active,
        )))
    }

    fn place(&self, of: &CurrentRatingRow, active: bool) -> Result<u32, Error> {
        let above = match &self.rows {
            RankingRows::Stored(store) => {
                let key = self.rules.key_value(self.order, of);
                store.count_ranked_above(&self.query, active, self.is_last(of), key)?
            }
            RankingRows::Folded {
                ratings,
                active: count,
            } => {
                let half = half(ratings, *count, active);
                half.partition_point(|above| self.compare(above, of).is_lt()) as u64
            }
        };
        Ok(above as u32 + 1)
    }
}

/// Returns the active, or the inactive, competitors of those whose first `count` are active.
fn half(ratings: &[CurrentRatingRow], count: usize, active: bool) -> &[CurrentRatingRow] {
    let (active_ones, inactive) = ratings.split_at(count);
    if active { active_ones } else { inactive }
}

/// Folds the rating rows of a run up to a time into the rating of each competitor.
pub(crate) fn fold_ratings(
    store: &Store,
    run: &RunRow,
    as_of: Option<UnixSeconds>,
) -> Result<Vec<CurrentRatingRow>, Error> {
    let mut contests = Vec::new();
    for_each_contest_of_run(store, run, |contest| {
        contests.extend(
            had_ended(contest.ends_at, as_of)
                .then_some((contest.contest_id, contest.ends_at.unwrap_or(0))),
        );
    })?;
    let mut indices: HashMap<CompetitorId, u32> = HashMap::new();
    let mut summaries: Vec<(CompetitorId, RatingSummary)> = Vec::new();
    for (&(contest_id, _), position) in contests.iter().zip(0..) {
        store.for_each_rating_row(run.run_id, contest_id, |row| {
            let index = *indices.entry(row.competitor_id).or_insert_with(|| {
                summaries.push((row.competitor_id, RatingSummary::default()));
                summaries.len() as u32 - 1
            });
            summaries[index as usize].1.add(position, row.mu, row.sigma);
        })?;
    }
    let rating = |(competitor_id, summary): (CompetitorId, RatingSummary)| {
        let (_, ends_at) = contests[summary.last_position()? as usize];
        Some(summary.current_rating(competitor_id, ends_at))
    };
    Ok(summaries.into_iter().filter_map(rating).collect())
}
