//! The leaderboard: competitors by conservative rating.

use std::collections::HashMap;

use ranklore_contest::{SourceName, UnixSeconds};
use ranklore_store::{CompetitorId, RunId, RunRow, Store};
use serde::Serialize;

use crate::error::Error;
use crate::runs::fingerprint::{is_current, is_stale};
use crate::runs::keys::serialize_run;
use crate::runs::lookup::find_run;
use crate::runs::selection::RunSelection;
use crate::runs::systems::conservative_k;
use crate::views::coverage::{contests_of_run, had_ended};
use crate::views::names::{CompetitorLabel, Labeller, NamesPolicy};
use crate::views::page::Page;

/// The default number of days without a contest, before the newest contest, that make a competitor
/// inactive.
pub const INACTIVE_AFTER_DAYS: u32 = 365;

/// The leaderboard to load, and its filters.
#[derive(Clone, Debug)]
pub struct LeaderboardRequest {
    /// The sources: without `run`, the newest run over exactly these, except `official`.
    pub sources: Vec<SourceName>,
    /// The run, in place of the newest.
    pub run: Option<RunId>,
    /// The time up to which contests count; by default all count.
    pub as_of: Option<UnixSeconds>,
    /// The smallest number of rated contests of a listed competitor.
    pub min_contests: u32,
    /// The number of days without a contest, before the newest contest, that make a competitor
    /// inactive.
    pub inactive_after_days: u32,
    /// k of the conservative rating mu − k·sigma; by default that of the system.
    pub k: Option<f64>,
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
    pub const fn from_run(run: RunId) -> Self {
        Self {
            sources: Vec::new(),
            run: Some(run),
            as_of: None,
            min_contests: 1,
            inactive_after_days: INACTIVE_AFTER_DAYS,
            k: None,
            inactive: false,
            page: Page::ALL,
            names: NamesPolicy::Publishable,
        }
    }
}

/// A page of the competitors of a run by conservative rating.
#[derive(Clone, Debug, Serialize)]
pub struct Leaderboard {
    /// The run.
    #[serde(flatten, serialize_with = "serialize_run")]
    pub run: RunRow,
    /// Contests that the run rated.
    pub contests: u64,
    /// True if results have changed since the run, or an earlier version computed it.
    pub stale: bool,
    /// k of the conservative rating.
    pub k: f64,
    /// The end of the newest rated contest, in Unix seconds; `None` if no contest was rated by
    /// `as_of`.
    pub newest_contest_at: Option<i64>,
    /// The number of active competitors.
    pub active: usize,
    /// The number of inactive competitors.
    pub inactive: usize,
    /// The number of rows on all pages.
    pub total: usize,
    /// The number of rows before this page.
    pub offset: usize,
    /// The rows of this page by falling conservative rating.
    pub rows: Vec<LeaderboardRow>,
    /// True if names were replaced by pseudonyms.
    #[serde(skip)]
    pub pseudonymised: bool,
}

/// One competitor on a leaderboard.
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
}

/// Place and rating of one competitor.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RankedCompetitor {
    /// 1 is first; equal ratings share the lowest place.
    pub place: u32,
    /// The row in the database.
    #[serde(skip)]
    pub competitor_id: CompetitorId,
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
    /// The end of the last contest, in Unix seconds.
    pub last_contest_at: i64,
}

/// Every competitor of a run, ranked.
pub(crate) struct Ranking {
    run: RunRow,
    pub(crate) k: f64,
    newest_contest_at: Option<i64>,
    /// True if the results are unchanged since the run.
    pub(crate) current: bool,
    /// The active competitors by falling conservative rating, placed among themselves.
    pub(crate) active: Vec<RankedCompetitor>,
    /// The inactive ones, likewise.
    pub(crate) inactive: Vec<RankedCompetitor>,
}

/// Loads a page of the leaderboard from the rows of a run.
///
/// # Errors
/// [`Error::NoRun`], [`Error::SourceMismatch`], [`Error::NotRated`], [`Error::NoSource`],
/// [`Error::Store`].
pub fn load_leaderboard(store: &Store, request: &LeaderboardRequest) -> Result<Leaderboard, Error> {
    let ranking = rank_competitors(store, request)?;
    let ranked = if request.inactive {
        &ranking.inactive
    } else {
        &ranking.active
    };
    let page = request.page.select(ranked);
    let mut labeller = Labeller::load(store, request.names)?;
    let ids = page.iter().map(|row| row.competitor_id);
    let mut labels = labeller.load_labels(store, ids)?;
    let row = |standing: &RankedCompetitor| {
        Some(LeaderboardRow {
            competitor: labels.remove(&standing.competitor_id)?,
            active: !request.inactive,
            standing: standing.clone(),
        })
    };
    let rows = page.into_iter().filter_map(row).collect();
    Ok(Leaderboard {
        contests: ranking.run.contests,
        stale: is_stale(&ranking.run, ranking.current),
        k: ranking.k,
        newest_contest_at: ranking.newest_contest_at,
        active: ranking.active.len(),
        inactive: ranking.inactive.len(),
        total: ranked.len(),
        offset: request.page.offset,
        rows,
        pseudonymised: labeller.pseudonymised,
        run: ranking.run,
    })
}

/// Ranks all competitors of a run.
pub(crate) fn rank_competitors(
    store: &Store,
    request: &LeaderboardRequest,
) -> Result<Ranking, Error> {
    let run = find_run(store, &request.sources, request.run)?;
    let selection = RunSelection::from_canonical_json(&run.selection);
    let contests = selection.contests_if_any(store)?;
    // The rows of the run include those of contests that no longer count.
    let made_of = contests_of_run(store, &run, &contests)?;
    let shown = (made_of.iter()).filter(|contest| had_ended(contest, request.as_of));
    let ended: HashMap<_, _> = shown
        .clone()
        .map(|contest| (contest.contest_id, contest.ends_at.unwrap_or(0)))
        .collect();
    let mut rows: HashMap<CompetitorId, RankedCompetitor> = HashMap::new();
    let mut newest_contest_at = None;
    let ids = shown.map(|contest| contest.contest_id);
    store.for_each_rating(run.run_id, ids, |contest_id, ratings| {
        if ratings.is_empty() {
            return;
        }
        let at = ended.get(&contest_id).copied().unwrap_or(0);
        newest_contest_at = newest_contest_at.max(Some(at));
        for of in ratings {
            let row = rows.entry(of.competitor_id).or_insert(RankedCompetitor {
                place: 0,
                competitor_id: of.competitor_id,
                conservative: 0.0,
                mu: 0.0,
                sigma: 0.0,
                contests: 0,
                last_change: None,
                last_contest_at: at,
            });
            row.last_change = (row.contests > 0).then_some(of.mu - row.mu);
            (row.mu, row.sigma) = (of.mu, of.sigma);
            row.contests += 1;
            row.last_contest_at = at;
        }
    })?;
    let k = request.k.unwrap_or_else(|| conservative_k(&run.system));
    let oldest_active =
        newest_contest_at.unwrap_or(0) - i64::from(request.inactive_after_days) * 86_400;
    let rows = rows
        .into_values()
        .filter(|row| row.contests >= request.min_contests);
    let (mut active, mut inactive): (Vec<RankedCompetitor>, Vec<RankedCompetitor>) = rows
        .map(|row| RankedCompetitor {
            conservative: row.mu - k * row.sigma,
            ..row
        })
        .partition(|row| row.last_contest_at >= oldest_active);
    assign_places(&mut active);
    assign_places(&mut inactive);
    let current = is_current(store, &run, &contests)?;
    Ok(Ranking {
        run,
        k,
        newest_contest_at,
        current,
        active,
        inactive,
    })
}

fn assign_places(rows: &mut [RankedCompetitor]) {
    rows.sort_unstable_by(|a, b| {
        b.conservative
            .total_cmp(&a.conservative)
            .then(a.competitor_id.cmp(&b.competitor_id))
    });
    for index in 0..rows.len() {
        rows[index].place = if index > 0
            && rows[index].conservative.to_bits() == rows[index - 1].conservative.to_bits()
        {
            rows[index - 1].place
        } else {
            index as u32 + 1
        };
    }
}
