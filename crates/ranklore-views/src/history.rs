//! The contests of a competitor, and their highlights.

use std::cmp::Reverse;
use std::sync::Arc;

use ranklore_contest::EntrantOutcome;
use ranklore_rating::Belief;
use ranklore_store::{CompetitorId, Completeness, ContestId, ContestRow, RunRow, Store};
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use crate::coverage::UnratedReason;
use crate::names::labels::CompetitorLabel;
use crate::rating_periods::RatingPeriods;
use crate::rows::format::format_outcome;
use ranklore_replay::Error;

/// A contest of a competitor.
#[derive(Clone, Debug, Serialize)]
pub struct PlayerContest {
    /// The contest: external id, name, time, number of entrants, completeness.
    #[serde(flatten)]
    pub contest: ContestSummary,
    /// The account in the standings; of several in one contest, the one that counts.
    #[serde(serialize_with = "serialize_account")]
    pub account: Arc<CompetitorLabel>,
    /// The team of the competitor, if the run rates members.
    #[serde(serialize_with = "serialize_team")]
    pub team: Option<Arc<CompetitorLabel>>,
    /// Place or status.
    #[serde(flatten, serialize_with = "serialize_outcome")]
    pub outcome: EntrantOutcome,
    /// The rating after the contest; `None` if the run has none.
    #[serde(flatten, serialize_with = "serialize_step")]
    pub rating: Option<RatingStep>,
    /// The reason why it is not rated now; `None` if it is. A stale run may still have a rating of
    /// it.
    pub unrated: Option<UnratedReason>,
}

impl PlayerContest {
    /// Returns `3 / 120`, or `dnf`.
    #[must_use]
    pub fn place(&self) -> String {
        let outcome = format_outcome(self.outcome);
        match self.outcome.place() {
            Some(_) => format!("{outcome} / {}", self.contest.entrants),
            None => outcome,
        }
    }
}

/// A contest in the history of a competitor, which can have hundreds of thousands.
#[derive(Clone, Debug, Serialize)]
pub struct ContestSummary {
    /// The row in the database.
    #[serde(skip)]
    pub contest_id: ContestId,
    /// The id within the source.
    #[serde(rename = "contest")]
    pub external_id: String,
    /// The name as published.
    pub name: String,
    /// The time of the results, in Unix seconds.
    pub ends_at: Option<i64>,
    /// The number of entrants.
    pub entrants: u32,
    /// The number of items announced by the site and received, if the site announces any.
    pub completeness: Option<Completeness>,
    /// True if much less of the contest arrived than its site announced.
    #[serde(skip)]
    pub is_incomplete: bool,
}

impl From<ContestRow> for ContestSummary {
    fn from(contest: ContestRow) -> Self {
        Self {
            contest_id: contest.contest_id,
            is_incomplete: contest.is_incomplete(),
            external_id: contest.external_id,
            name: contest.name,
            ends_at: contest.ends_at,
            entrants: contest.entrants,
            completeness: contest.completeness,
        }
    }
}

fn serialize_account<S: Serializer>(
    account: &Arc<CompetitorLabel>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    CompetitorLabel::serialize_id(&**account, serializer)
}

#[expect(clippy::ref_option, reason = "serde passes a reference")]
fn serialize_team<S: Serializer>(
    team: &Option<Arc<CompetitorLabel>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    CompetitorLabel::serialize_id(team.as_deref(), serializer)
}

/// Serialises a result into the object that contains it: place and status, at least one of which is
/// null.
pub(crate) fn serialize_outcome<'a, S: Serializer>(
    outcome: impl Into<Option<&'a EntrantOutcome>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let outcome = outcome.into();
    let mut keys = serializer.serialize_map(Some(2))?;
    keys.serialize_entry("place", &outcome.and_then(|outcome| outcome.place()))?;
    keys.serialize_entry("status", &outcome.and_then(|outcome| outcome.status()))?;
    keys.end()
}

/// Serialises a rating into the object that contains it; all values are null if there is none.
fn serialize_step<'a, S: Serializer>(
    step: impl Into<Option<&'a RatingStep>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let step = step.into();
    let mut keys = serializer.serialize_map(Some(4))?;
    keys.serialize_entry("mu", &step.map(|step| step.mu))?;
    keys.serialize_entry("sigma", &step.map(|step| step.sigma))?;
    keys.serialize_entry("performance", &step.and_then(|step| step.performance))?;
    keys.serialize_entry("change", &step.and_then(|step| step.change))?;
    keys.end()
}

/// The rating of a competitor after a contest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatingStep {
    /// The rating after the contest.
    pub mu: f64,
    /// The uncertainty of the rating.
    pub sigma: f64,
    /// The performance in this contest alone, in systems that have it.
    pub performance: Option<f64>,
    /// The rating before the contest, or before its rating period; `None` for newcomers.
    pub(crate) before: Option<Belief>,
    /// The change of mu since then.
    pub change: Option<f64>,
    /// The volatility, in systems that have one.
    pub volatility: Option<f64>,
}

/// Rated contests that stand out; the earliest among equals.
#[derive(Clone, Debug, Serialize)]
pub struct Highlights {
    /// The highest mu.
    pub highest: PlayerContest,
    /// The lowest mu.
    pub lowest: PlayerContest,
    /// The best place, in the largest field.
    pub best_place: Option<PlayerContest>,
    /// The place furthest down its field.
    pub worst_place: Option<PlayerContest>,
    /// The largest gain.
    pub gain: Option<PlayerContest>,
    /// The largest loss.
    pub loss: Option<PlayerContest>,
}

/// Finds the highlights of a history; `None` if no contest of it is rated.
pub(crate) fn find_highlights(history: &[PlayerContest]) -> Option<Highlights> {
    Some(Highlights {
        highest: greatest(history, |step, _| Some(step.mu))?,
        lowest: greatest(history, |step, _| Some(-step.mu))?,
        best_place: greatest(history, |_, entry| {
            let place = entry.outcome.place()?;
            Some((Reverse(place.get()), entry.contest.entrants))
        }),
        worst_place: greatest(history, |_, entry| {
            let place = entry.outcome.place()?;
            Some(f64::from(place.get()) / f64::from(entry.contest.entrants))
        }),
        gain: greatest(history, |step, _| step.change.filter(|&change| change > 0.0)),
        loss: greatest(history, |step, _| {
            let change = step.change.filter(|&change| change < 0.0);
            change.map(|change| -change)
        }),
    })
}

/// Returns the first rated contest with the greatest key.
fn greatest<K: PartialOrd>(
    history: &[PlayerContest],
    key: impl Fn(&RatingStep, &PlayerContest) -> Option<K>,
) -> Option<PlayerContest> {
    let mut greatest: Option<(K, &PlayerContest)> = None;
    for entry in history {
        if let Some(step) = &entry.rating
            && let Some(key) = key(step, entry)
            && greatest.as_ref().is_none_or(|(most, _)| key > *most)
        {
            greatest = Some((key, entry));
        }
    }
    greatest.map(|(_, entry)| entry.clone())
}

/// Contests whose ratings are loaded together: a run can have a million.
const CHUNK_CONTESTS: usize = 4096;

/// Loads the ratings of a competitor after these contests, which are in the order of the run, and
/// before their rating periods. Contests without a rating are left out.
pub(crate) fn load_rating_steps(
    store: &Store,
    run: &RunRow,
    contests: impl Iterator<Item = ContestId>,
    competitor: CompetitorId,
    periods: &RatingPeriods,
) -> Result<Vec<(ContestId, RatingStep)>, Error> {
    let mut first_of_period = None;
    let mut before: Option<Belief> = None;
    let mut last: Option<Belief> = None;
    let mut steps = Vec::new();
    let mut contests = contests.peekable();
    while contests.peek().is_some() {
        let chunk: Vec<ContestId> = contests.by_ref().take(CHUNK_CONTESTS).collect();
        let keys = chunk.iter().map(|&contest| (contest, competitor));
        let rows = store.ratings_at(run.run_id, keys)?;
        steps.extend(chunk.into_iter().zip(rows).filter_map(|(contest, row)| {
            let row = row?;
            let first = periods.first_contest(contest);
            if first_of_period.replace(first) != Some(first) {
                before = last;
            }
            last = Some(Belief::new(row.mu, row.sigma));
            let step = RatingStep {
                mu: row.mu,
                sigma: row.sigma,
                performance: row.performance,
                before,
                change: before.map(|before| row.mu - before.mu),
                volatility: row.volatility,
            };
            Some((contest, step))
        }));
    }
    Ok(steps)
}
