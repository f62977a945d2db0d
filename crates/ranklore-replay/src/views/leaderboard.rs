//! The leaderboard: a page of the competitors of a run.

use std::collections::HashMap;
use std::mem;

use ranklore_contest::{ContestTime, SourceName};
use ranklore_rating::{Display, Provisional, Title};
use ranklore_store::{CompetitorId, ProvisionalPlacement, RunId, RunRow, Store};
use serde::Serialize;

use crate::error::Error;
use crate::runs::fingerprint::{is_current, is_stale};
use crate::runs::keys::serialize_run;
use crate::runs::lookup::{RunChoice, find_run};
use crate::views::cache::ViewReader;
use crate::views::earlier_ratings::EarlierRatings;
use crate::views::names::{CompetitorLabel, Labeller, NamesPolicy};
use crate::views::page::Page;
use crate::views::ranking::order::LeaderboardOrder;
use crate::views::ranking::ratings::load_mu_before;
use crate::views::ranking::rules::RatingRules;
use crate::views::ranking::{INACTIVE_AFTER_DAYS, RankedCompetitor, Ranking, RankingOptions};

/// The leaderboard to load, and its filters.
#[derive(Clone, Debug)]
pub struct LeaderboardRequest {
    /// The sources of the run, exactly.
    pub sources: Vec<SourceName>,
    /// The choice of the run.
    pub run: RunChoice,
    /// The time up to which contests count; by default all count.
    pub as_of: Option<ContestTime>,
    /// True for sigma as stored after the last contest, instead of its growth up to `as_of`, or up
    /// to the newest contest.
    pub as_stored: bool,
    /// The smallest number of rated contests of a listed competitor.
    pub min_contests: u32,
    /// The number of days without a contest, before the newest contest, that make a competitor
    /// inactive.
    pub inactive_after_days: u32,
    /// k of the conservative rating mu − k·sigma; by default that of the system.
    pub k: Option<f64>,
    /// The number that orders the rows; by default the conservative rating in systems with
    /// uncertainty or if `k` is given, else the displayed rating.
    pub order: Option<LeaderboardOrder>,
    /// True to list the lowest first. Provisional ratings that come last still do.
    pub reverse: bool,
    /// The place of provisional ratings.
    pub provisional: ProvisionalPlacement,
    /// The time since which changes are shown; not after `as_of`.
    pub since: Option<ContestTime>,
    /// True to return the inactive competitors instead of the active ones.
    pub inactive: bool,
    /// The rows to return.
    pub page: Page,
    /// The rule for names.
    pub names: NamesPolicy,
}

impl LeaderboardRequest {
    /// Creates a request for the current leaderboard of a run, with the default filters.
    #[must_use]
    pub fn from_run(run: RunId) -> Self {
        Self::new(Vec::new(), run.into())
    }

    /// Creates a request for the whole current leaderboard, with the default filters.
    #[must_use]
    pub const fn new(sources: Vec<SourceName>, run: RunChoice) -> Self {
        Self {
            sources,
            run,
            as_of: None,
            as_stored: false,
            min_contests: 1,
            inactive_after_days: INACTIVE_AFTER_DAYS,
            k: None,
            order: None,
            reverse: false,
            provisional: ProvisionalPlacement::Last,
            since: None,
            inactive: false,
            page: Page::ALL,
            names: NamesPolicy::Publishable,
        }
    }
}

/// A page of the competitors of a run.
#[derive(Clone, Debug, Serialize)]
pub struct Leaderboard {
    /// The run.
    #[serde(flatten, serialize_with = "serialize_run")]
    pub run: RunRow,
    /// Contests that the run rated, and that had ended by the requested time.
    pub contests: u64,
    /// True if results have changed since the run, or an earlier version computed it.
    pub stale: bool,
    /// k of the conservative rating.
    pub k: f64,
    /// The number that orders the rows.
    pub sort: LeaderboardOrder,
    /// The rating that gives the places: [`Leaderboard::sort`] if that is a rating, else the default
    /// of the system.
    pub ranked_by: LeaderboardOrder,
    /// True if the lowest comes first.
    #[serde(skip)]
    pub reverse: bool,
    /// The time since which changes are shown, in Unix seconds.
    pub since: Option<i64>,
    /// The end of the newest rated contest, in Unix seconds; `None` if no contest was rated by
    /// `as_of`.
    pub newest_contest_at: Option<i64>,
    /// The time up to which sigma has grown, in Unix seconds; `None` if it does not grow.
    pub sigma_as_of: Option<i64>,
    /// The number of active competitors.
    pub active: usize,
    /// The number of inactive competitors.
    pub inactive: usize,
    /// The number of provisional ratings among the active, or the inactive, competitors.
    pub provisional: usize,
    /// The number of rows on all pages.
    pub total: usize,
    /// The number of rows before this page.
    pub offset: usize,
    /// The rows of this page.
    pub rows: Vec<LeaderboardRow>,
    /// The place of provisional ratings.
    #[serde(skip)]
    pub provisional_placement: ProvisionalPlacement,
    /// The rule that marks ratings as provisional.
    #[serde(skip)]
    pub rule: Provisional,
    /// The formula of the displayed rating.
    #[serde(skip)]
    pub display: Display,
    /// The titles of the system; empty without.
    #[serde(skip)]
    pub titles: &'static [Title],
    /// True if names were replaced by pseudonyms.
    #[serde(skip)]
    pub pseudonymised: bool,
}

/// A competitor on a leaderboard.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LeaderboardRow {
    /// The competitor.
    #[serde(flatten)]
    pub competitor: CompetitorLabel,
    /// True if active.
    pub active: bool,
    /// Place and rating.
    #[serde(flatten)]
    pub standing: RankedCompetitor,
    /// The change of mu since [`Leaderboard::since`]; `None` without a rating then.
    pub change_since: Option<f64>,
}

/// Loads a page of the leaderboard of a run.
///
/// # Errors
/// The errors of [`find_run`], and [`Error::Store`].
pub fn load_leaderboard<'s>(
    reader: impl Into<ViewReader<'s>>,
    request: &LeaderboardRequest,
) -> Result<Leaderboard, Error> {
    let reader = reader.into();
    let store = reader.store;
    let run = find_run(store, &request.sources, &request.run)?;
    let stale = is_stale(&run, is_current(store, &run)?);
    let mut ranking = load_ranking(reader, &run, request)?;
    let active = !request.inactive;
    let page = ranking.page(store, active, request.page)?;
    let mut labeller = Labeller::load(store, request.names)?;
    let ids = page.iter().map(|row| row.competitor_id);
    let mut labels = labeller.load_labels(store, ids.clone())?;
    let mu_before = load_mu_since(store, &run, request, &mut ranking, ids)?;
    let rows = page.into_iter().filter_map(|standing| {
        let mu_before = mu_before.get(&standing.competitor_id);
        Some(LeaderboardRow {
            competitor: labels.remove(&standing.competitor_id)?,
            active,
            change_since: mu_before.map(|mu_before| standing.mu - mu_before),
            standing,
        })
    });
    let counts = ranking.counts;
    Ok(Leaderboard {
        contests: match request.as_of {
            Some(time) => store.count_run_contests_by(run.run_id, time)?,
            None => run.contests,
        },
        stale,
        k: ranking.rules.k,
        sort: ranking.order,
        ranked_by: ranking.ranked_by,
        reverse: request.reverse,
        since: request.since.map(ContestTime::get),
        newest_contest_at: ranking.newest_contest_at,
        sigma_as_of: ranking.rules.growth.as_of(),
        active: counts.active as usize,
        inactive: counts.inactive as usize,
        provisional: if active {
            counts.active_provisional as usize
        } else {
            counts.inactive_provisional as usize
        },
        total: ranking.count_listed(active),
        offset: request.page.offset,
        rows: rows.collect(),
        provisional_placement: request.provisional,
        rule: ranking.rules.provisional,
        display: ranking.rules.display,
        titles: ranking.rules.titles,
        pseudonymised: labeller.pseudonymised,
        run,
    })
}

/// Loads the ranking by the filters and the order of a request.
fn load_ranking(
    reader: ViewReader<'_>,
    run: &RunRow,
    request: &LeaderboardRequest,
) -> Result<Ranking, Error> {
    let mut rules = RatingRules::load(reader.store, run, request.as_stored)?;
    let mut order = request.order;
    if let Some(k) = request.k {
        rules.k = k;
        order = order.or(Some(LeaderboardOrder::Conservative));
    }
    let options = RankingOptions {
        as_of: request.as_of,
        min_contests: request.min_contests,
        inactive_after_days: request.inactive_after_days,
        provisional: request.provisional,
        order,
        reverse: request.reverse,
        since: request.since,
    };
    Ranking::load(reader.store, reader.rankings(), run, rules, options)
}

/// Loads mu of these competitors at the time since which changes are shown, and possibly that of
/// others.
fn load_mu_since(
    store: &Store,
    run: &RunRow,
    request: &LeaderboardRequest,
    ranking: &mut Ranking,
    competitors: impl Iterator<Item = CompetitorId>,
) -> Result<HashMap<CompetitorId, f64>, Error> {
    match request.since {
        None => Ok(HashMap::new()),
        // The rows are sorted by the change since then: all are loaded already.
        Some(_) if ranking.order == LeaderboardOrder::Since => {
            Ok(mem::take(&mut ranking.mu_before))
        }
        Some(since) if request.page == Page::ALL => load_mu_before(store, run, since),
        Some(since) => EarlierRatings::load(store, run, since)?.last_of_all(competitors),
    }
}
