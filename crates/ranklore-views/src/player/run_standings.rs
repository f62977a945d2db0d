//! The rating of a competitor in each run.

use std::collections::HashSet;

use ranklore_contest::{ContestTime, SourceName};
use ranklore_rating::Display;
use ranklore_store::{
    CompetitorId, ContestId, ContestRow, CurrentRatingRow, RatingSummary, RunId, RunRow, Store,
};
use serde::Serialize;

use crate::history::load_rating_steps;
use crate::player::appearances::{Appearance, load_contests};
use crate::ranking::rules::RatingRules;
use crate::rating_periods::RatingPeriods;
use crate::rows::cell::CellValue;
use crate::rows::columns::{Columns, List};
use ranklore_replay::{Error, RunSelection, format_setting, non_default_parameters};

/// The rating of a competitor in one run.
#[derive(Clone, Debug, Serialize)]
pub struct RunStanding {
    /// The run.
    #[serde(flatten, with = "RunName")]
    pub run: RunRow,
    /// The settings of the run that are not the defaults, in words: parameters, selection, other
    /// sources.
    pub settings: Vec<String>,
    /// The displayed rating.
    pub rating: f64,
    /// True if the rating is provisional.
    pub provisional: bool,
    /// The rating.
    pub mu: f64,
    /// The uncertainty at the time of the view.
    pub sigma: f64,
    /// The uncertainty after the last contest.
    pub stored_sigma: f64,
    /// mu − k·sigma, with the default k of the system.
    pub conservative: f64,
    /// Rated contests.
    pub contests: u32,
    /// The change of mu by the last contest; `None` after the first contest.
    pub last_change: Option<f64>,
    /// How ratings are displayed.
    #[serde(skip)]
    pub display: Display,
}

impl List for [RunStanding] {
    type Row = RunStanding;

    fn columns(&self) -> Columns<'_, RunStanding> {
        let points = |row: &RunStanding, number| CellValue::Points(number, row.display.decimals);
        Columns::new()
            .right(("run_id", "run"), |row: &RunStanding| row.run.run_id.to_string())
            .left("system", |row| CellValue::text(&row.run.system))
            .not_on_page()
            .left("settings", |row| match &*row.settings {
                [] => CellValue::from("defaults"),
                settings => CellValue::text(settings.join(", ")),
            })
            .important()
            .right("rating", |row| CellValue::rating(&row.display, row.rating, row.provisional))
            .important()
            .right("conservative", move |row| points(row, row.conservative))
            .wide()
            .right("mu", move |row| points(row, row.mu))
            .not_on_page()
            .right("sigma", move |row| points(row, row.sigma))
            .wide()
            .right("contests", |row| row.contests.to_string())
            .right("last_change", |row| CellValue::Change(row.last_change, row.display.decimals))
            .titled_on_page("Change")
    }
}

/// Loads the rating of a competitor in each run over the source, alone or with others, at a time or
/// now, with sigma of then or as stored.
pub(super) fn load_run_standings<'a>(
    store: &Store,
    source: &SourceName,
    (as_of, as_stored): (Option<ContestTime>, bool),
    appearances: impl Iterator<Item = &'a Appearance>,
    competitor: CompetitorId,
) -> Result<Vec<RunStanding>, Error> {
    let contests: Vec<ContestId> = appearances.map(|entry| entry.contest).collect();
    let mut standings = Vec::new();
    for run in store.runs()? {
        let selection = RunSelection::from_canonical_json(&run.selection);
        if !selection.sources.contains(source) {
            continue;
        }
        let rating = if as_of.is_none() && run.competitors.is_some() {
            store.current_rating(run.run_id, competitor)?
        } else {
            let rows = load_contests(store, contests.iter().copied(), as_of)?;
            sum_up_ratings(store, &run, &rows, competitor)?
        };
        let Some(rating) = rating else {
            continue;
        };
        let mut rules = match RatingRules::load(store, &run, as_stored) {
            // The run that the view shows is checked before; `check` names all others.
            Err(Error::DamagedParameters { .. }) => continue,
            rules => rules?,
        };
        rules.growth.set_time_or_newest(store, &run, as_of)?;
        // The place is not shown.
        let row = rules.row(0, &rating);
        standings.push(RunStanding {
            settings: describe_settings(&run, &selection, source),
            run,
            rating: row.rating,
            provisional: row.provisional,
            mu: row.mu,
            sigma: row.sigma,
            stored_sigma: row.stored_sigma,
            conservative: row.conservative,
            contests: row.contests,
            last_change: row.last_change,
            display: rules.display,
        });
    }
    Ok(standings)
}

/// Sums up the ratings of a competitor after these contests; `None` without any.
fn sum_up_ratings(
    store: &Store,
    run: &RunRow,
    contests: &[ContestRow],
    competitor: CompetitorId,
) -> Result<Option<CurrentRatingRow>, Error> {
    let order = contests_in_run_order(store, run, contests)?;
    let steps =
        load_rating_steps(store, run, order.into_iter(), competitor, &RatingPeriods::default())?;
    let mut summary = RatingSummary::default();
    for ((_, step), position) in steps.iter().zip(0..) {
        summary.add(position, step.mu, step.sigma, step.volatility);
    }
    Ok(steps.last().map(|(last, _)| {
        let contest = contests.iter().find(|contest| contest.contest_id == *last);
        let ends_at = contest.and_then(|contest| contest.ends_at);
        summary.current_rating(competitor, ends_at.unwrap_or(0))
    }))
}

/// Returns those of the contests that a run was computed from, in its order; all, in the given order,
/// for a run of an older version, which did not store them.
fn contests_in_run_order(
    store: &Store,
    run: &RunRow,
    contests: &[ContestRow],
) -> Result<Vec<ContestId>, Error> {
    let ids: HashSet<ContestId> = contests.iter().map(|contest| contest.contest_id).collect();
    let mut is_stored = false;
    let mut in_order = Vec::new();
    store.for_each_run_contest(run.run_id, |contest| {
        is_stored = true;
        in_order.extend(Some(contest.contest_id).filter(|id| ids.contains(id)));
    })?;
    if !is_stored {
        in_order.extend(contests.iter().map(|contest| contest.contest_id));
    }
    Ok(in_order)
}

fn describe_settings(run: &RunRow, selection: &RunSelection, source: &SourceName) -> Vec<String> {
    let mut words: Vec<String> = non_default_parameters(&run.system, &run.parameters)
        .iter()
        .map(|(key, value)| format_setting(key, value))
        .collect();
    words.extend(selection.describe_filters());
    let other_sources = selection.sources.iter().filter(|name| *name != source);
    words.extend(other_sources.map(|name| format!("with {name}")));
    words
}

/// The keys of a run in the list of all runs.
#[derive(Serialize)]
#[serde(remote = "RunRow")]
struct RunName {
    run_id: RunId,
    system: String,
}
