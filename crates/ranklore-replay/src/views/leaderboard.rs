//! The leaderboard: who stands where by conservative rating.

use std::collections::HashMap;

use ranklore_contest::{SourceName, UnixSeconds};
use ranklore_store::{CompetitorId, RunId, RunRow, Store};
use serde::Serialize;

use crate::error::Error;
use crate::runs::fingerprint::is_current;
use crate::runs::lookup::find_run;
use crate::runs::selection::RunSelection;
use crate::runs::systems::conservative_k;
use crate::views::coverage::{had_ended, made_of};

/// Who took part in no contest for so many days before the newest one is inactive, unless asked
/// otherwise.
pub const INACTIVE_AFTER_DAYS: u32 = 365;

/// Which leaderboard.
#[derive(Clone, Debug)]
pub struct LeaderboardRequest {
    /// Of the newest run over exactly these sources, official ones aside, …
    pub sources: Vec<SourceName>,
    /// … or of this run.
    pub run: Option<RunId>,
    /// As it was after the last contest up to this time.
    pub as_of: Option<UnixSeconds>,
    /// Leaves out who took part in fewer rated contests.
    pub min_contests: u32,
    /// Who took part in no contest for so many days before the newest one is inactive.
    pub inactive_after_days: u32,
    /// k of the conservative rating mu − k·sigma; the system's own where absent.
    pub k: Option<f64>,
}

impl LeaderboardRequest {
    /// The leaderboard of a run as it is now, by the usual rules.
    #[must_use]
    pub const fn of_run(run: RunId) -> Self {
        Self {
            sources: Vec::new(),
            run: Some(run),
            as_of: None,
            min_contests: 1,
            inactive_after_days: INACTIVE_AFTER_DAYS,
            k: None,
        }
    }
}

/// Where everybody stands.
#[derive(Clone, Debug)]
pub struct Leaderboard {
    /// The run it is of.
    pub run: RunRow,
    /// k of the conservative rating.
    pub k: f64,
    /// When the newest contest ended; none where nothing had been rated up to the time asked for.
    pub newest_contest_at: Option<i64>,
    /// True if the results have changed since the run.
    pub stale: bool,
    /// The active ones by falling conservative rating, placed among themselves.
    pub active: Vec<Row>,
    /// The inactive ones, likewise.
    pub inactive: Vec<Row>,
}

/// One competitor.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// 1 is first; equal ratings share the lowest place.
    pub place: u32,
    /// Who, in the file.
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
    /// How far the last contest moved mu; none after the first contest.
    pub last_change: Option<f64>,
    /// When the last contest ended.
    pub last_contest_at: i64,
}

/// Reads a leaderboard from the rows of a run.
///
/// # Errors
/// [`Error::NoRun`], [`Error::OtherSources`], [`Error::NotRated`], [`Error::NoSource`],
/// [`Error::Store`].
pub fn leaderboard(store: &Store, request: &LeaderboardRequest) -> Result<Leaderboard, Error> {
    let run = find_run(store, &request.sources, request.run)?;
    let selection = RunSelection::from_canonical_json(&run.selection);
    let contests = selection.contests_if_any(store)?;
    // The rows are those of the run, also of contests that do not count any more.
    let made_of = made_of(store, &run, &contests)?;
    let shown = (made_of.iter()).filter(|contest| had_ended(contest, request.as_of));
    let ended: HashMap<_, _> = shown
        .clone()
        .map(|contest| (contest.contest_id, contest.ends_at.unwrap_or(0)))
        .collect();
    let mut rows: HashMap<CompetitorId, Row> = HashMap::new();
    let mut newest_contest_at = None;
    let ids = shown.map(|contest| contest.contest_id);
    store.for_each_rating(run.run_id, ids, |contest_id, ratings| {
        if ratings.is_empty() {
            return;
        }
        let at = ended.get(&contest_id).copied().unwrap_or(0);
        newest_contest_at = newest_contest_at.max(Some(at));
        for of in ratings {
            let row = rows.entry(of.competitor_id).or_insert(Row {
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
    let (mut active, mut inactive): (Vec<Row>, Vec<Row>) = rows
        .map(|row| Row {
            conservative: row.mu - k * row.sigma,
            ..row
        })
        .partition(|row| row.last_contest_at >= oldest_active);
    place(&mut active);
    place(&mut inactive);
    let stale = !is_current(store, &run, &contests)?;
    Ok(Leaderboard {
        run,
        k,
        newest_contest_at,
        stale,
        active,
        inactive,
    })
}

fn place(rows: &mut [Row]) {
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
