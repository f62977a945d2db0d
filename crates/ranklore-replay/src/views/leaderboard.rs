//! The leaderboard: competitors by conservative rating.

use std::collections::HashMap;

use ranklore_contest::{SourceName, UnixSeconds};
use ranklore_store::{CompetitorId, ContestId, RatableContest, RunId, RunRow, Store};
use serde::Serialize;

use crate::error::Error;
use crate::runs::fingerprint::{is_current, is_stale};
use crate::runs::keys::serialize_run;
use crate::runs::lookup::{RunChoice, find_run};
use crate::runs::selection::RunSelection;
use crate::runs::systems::conservative_k;
use crate::views::coverage::{for_each_contest_of_run, had_ended};
use crate::views::names::{CompetitorLabel, Labeller, NamesPolicy};
use crate::views::page::Page;

/// The default number of days without a contest, before the newest contest, that make a competitor
/// inactive.
pub const INACTIVE_AFTER_DAYS: u32 = 365;

/// The leaderboard to load, and its filters.
#[derive(Clone, Debug)]
pub struct LeaderboardRequest {
    /// The sources of the run, exactly.
    pub sources: Vec<SourceName>,
    /// The choice of the run.
    pub run: RunChoice,
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
    pub fn from_run(run: RunId) -> Self {
        Self {
            sources: Vec::new(),
            run: run.into(),
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

/// The state of a competitor after its last contest. A run can have a million, so this has 48
/// bytes.
#[derive(Clone, Copy)]
struct CompetitorState {
    competitor_id: CompetitorId,
    mu: f64,
    sigma: f64,
    /// The change of mu by the last contest; 0 after the first.
    last_change: f64,
    last_contest_at: i64,
    contests: u32,
}

/// Every competitor of a run, ranked.
pub(crate) struct Ranking {
    pub(crate) k: f64,
    newest_contest_at: Option<i64>,
    /// The active competitors, then the inactive ones, each by falling conservative rating.
    states: Vec<CompetitorState>,
    active: usize,
}

/// The competitors of one half of a ranking: the active or the inactive ones, placed among
/// themselves.
#[derive(Clone, Copy)]
pub(crate) struct RankedHalf<'r> {
    states: &'r [CompetitorState],
    k: f64,
}

impl RankedHalf<'_> {
    pub(crate) const fn len(&self) -> usize {
        self.states.len()
    }

    /// Returns the competitor at an index of the ranking.
    fn row(&self, index: usize) -> RankedCompetitor {
        let of = &self.states[index];
        let conservative = of.conservative(self.k);
        // Equal ratings are adjacent and share the place of the first.
        let above = self
            .states
            .partition_point(|state| state.conservative(self.k).total_cmp(&conservative).is_gt());
        RankedCompetitor {
            place: above as u32 + 1,
            competitor_id: of.competitor_id,
            conservative,
            mu: of.mu,
            sigma: of.sigma,
            contests: of.contests,
            last_change: (of.contests > 1).then_some(of.last_change),
            last_contest_at: of.last_contest_at,
        }
    }

    /// Returns the row of a competitor.
    pub(crate) fn find(&self, competitor: CompetitorId) -> Option<RankedCompetitor> {
        let is_wanted = |of: &CompetitorState| of.competitor_id == competitor;
        Some(self.row(self.states.iter().position(is_wanted)?))
    }
}

impl CompetitorState {
    fn conservative(&self, k: f64) -> f64 {
        self.mu - k * self.sigma
    }
}

impl Ranking {
    pub(crate) fn active(&self) -> RankedHalf<'_> {
        self.half(&self.states[..self.active])
    }

    pub(crate) fn inactive(&self) -> RankedHalf<'_> {
        self.half(&self.states[self.active..])
    }

    const fn half<'r>(&self, states: &'r [CompetitorState]) -> RankedHalf<'r> {
        RankedHalf { states, k: self.k }
    }
}

/// Loads a page of the leaderboard from the rows of a run.
///
/// # Errors
/// [`Error::NoRun`], [`Error::SourceMismatch`], [`Error::NotRated`], [`Error::NoSource`],
/// [`Error::Store`].
pub fn load_leaderboard(store: &Store, request: &LeaderboardRequest) -> Result<Leaderboard, Error> {
    let run = find_run(store, &request.sources, &request.run)?;
    let selected = RunSelection::from_canonical_json(&run.selection).contests_if_any(store)?;
    let stale = is_stale(&run, is_current(store, &run)?);
    let made_of = contest_times(store, &run, &selected)?;
    // 100 MB for a million contests.
    drop(selected);
    let ranking = rank_competitors(store, &run, made_of, request)?;
    let ranked = if request.inactive {
        ranking.inactive()
    } else {
        ranking.active()
    };
    let page = request.page.select(0..ranked.len());
    let page: Vec<RankedCompetitor> = page.into_iter().map(|index| ranked.row(index)).collect();
    let mut labeller = Labeller::load(store, request.names)?;
    let ids = page.iter().map(|row| row.competitor_id);
    let mut labels = labeller.load_labels(store, ids)?;
    let row = |standing: RankedCompetitor| {
        Some(LeaderboardRow {
            competitor: labels.remove(&standing.competitor_id)?,
            active: !request.inactive,
            standing,
        })
    };
    let rows = page.into_iter().filter_map(row).collect();
    Ok(Leaderboard {
        contests: run.contests,
        stale,
        k: ranking.k,
        newest_contest_at: ranking.newest_contest_at,
        active: ranking.active().len(),
        inactive: ranking.inactive().len(),
        total: ranked.len(),
        offset: request.page.offset,
        rows,
        pseudonymised: labeller.pseudonymised,
        run,
    })
}

/// Returns the contests that a run was computed from, in its order, each with its end.
pub(crate) fn contest_times(
    store: &Store,
    run: &RunRow,
    selected: &[RatableContest],
) -> Result<Vec<(ContestId, Option<i64>)>, Error> {
    let mut times = Vec::new();
    for_each_contest_of_run(store, run, selected, |contest| {
        times.push((contest.contest_id, contest.ends_at));
    })?;
    Ok(times)
}

/// Ranks all competitors of a run that was computed from the contests `made_of`, in this order.
pub(crate) fn rank_competitors(
    store: &Store,
    run: &RunRow,
    mut made_of: Vec<(ContestId, Option<i64>)>,
    request: &LeaderboardRequest,
) -> Result<Ranking, Error> {
    made_of.retain(|&(_, ends_at)| had_ended(ends_at, request.as_of));
    let mut indices: HashMap<CompetitorId, u32> = HashMap::new();
    let mut states: Vec<CompetitorState> = Vec::new();
    let mut newest_contest_at = None;
    for (contest_id, ends_at) in made_of {
        let at = ends_at.unwrap_or(0);
        store.for_each_rating_row(run.run_id, contest_id, |row| {
            newest_contest_at = newest_contest_at.max(Some(at));
            let index = *indices.entry(row.competitor_id).or_insert_with(|| {
                states.push(CompetitorState {
                    competitor_id: row.competitor_id,
                    mu: row.mu,
                    sigma: 0.0,
                    last_change: 0.0,
                    last_contest_at: 0,
                    contests: 0,
                });
                states.len() as u32 - 1
            });
            let state = &mut states[index as usize];
            state.last_change = row.mu - state.mu;
            (state.mu, state.sigma) = (row.mu, row.sigma);
            state.contests += 1;
            state.last_contest_at = at;
        })?;
    }
    drop(indices);
    let k = request.k.unwrap_or_else(|| conservative_k(&run.system));
    let oldest_active =
        newest_contest_at.unwrap_or(0) - i64::from(request.inactive_after_days) * 86_400;
    let is_active = |state: &CompetitorState| state.last_contest_at >= oldest_active;
    states.retain(|state| state.contests >= request.min_contests);
    states.sort_unstable_by(|a, b| {
        (is_active(b).cmp(&is_active(a)))
            .then_with(|| b.conservative(k).total_cmp(&a.conservative(k)))
            .then_with(|| a.competitor_id.cmp(&b.competitor_id))
    });
    Ok(Ranking {
        k,
        newest_contest_at,
        active: states.partition_point(is_active),
        states,
    })
}
