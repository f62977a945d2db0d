//! The rating of a competitor in each run.

use std::collections::{HashMap, HashSet};

use ranklore_contest::{ContestTime, SourceName};
use ranklore_rating::Display;
use ranklore_store::{CompetitorId, ContestId, RatingSummary, RunId, RunRow, Store};
use serde::Serialize;

use crate::error::Error;
use crate::runs::selection::RunSelection;
use crate::runs::systems::non_default_parameters;
use crate::system_spec::format_setting;
use crate::views::history::load_rating_steps;
use crate::views::player::appearances::{Appearance, load_contests};
use crate::views::ranking::rules::RatingRules;

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
    /// Its uncertainty at the time of the view.
    pub sigma: f64,
    /// Its uncertainty after the last contest.
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

/// Loads the rating of a competitor in each run over the source, alone or with others, at a time or
/// now, with sigma of then or as stored.
pub(super) fn load_run_standings<'a>(
    store: &Store,
    source: &SourceName,
    (as_of, as_stored): (Option<ContestTime>, bool),
    appearances: impl Iterator<Item = &'a Appearance>,
    competitor: CompetitorId,
) -> Result<Vec<RunStanding>, Error> {
    let appearances: Vec<ContestId> = appearances.map(|of| of.contest).collect();
    let mut standings = Vec::new();
    for run in store.runs()? {
        let selection = RunSelection::from_canonical_json(&run.selection);
        if !selection.sources.contains(source) {
            continue;
        }
        let of = if as_of.is_none() && run.competitors.is_some() {
            store.current_rating(run.run_id, competitor)?
        } else {
            let rows = load_contests(store, appearances.iter().copied(), as_of)?;
            let contests: Vec<ContestId> = rows.iter().map(|of| of.contest_id).collect();
            let wanted: HashSet<ContestId> = contests.iter().copied().collect();
            let order = contests_in_run_order(store, &run, &contests, &wanted)?;
            let rated = load_rating_steps(store, &run, order.into_iter(), competitor)?;
            let ends_at: HashMap<ContestId, Option<i64>> = (rows.iter())
                .map(|of| (of.contest_id, of.ends_at))
                .collect();
            let mut summary = RatingSummary::default();
            for ((_, step), position) in rated.iter().zip(0..) {
                summary.add(position, step.mu, step.sigma, step.volatility);
            }
            rated.last().map(|(last, _)| {
                let ends_at = ends_at.get(last).copied().flatten();
                summary.current_rating(competitor, ends_at.unwrap_or(0))
            })
        };
        let Some(of) = of else {
            continue;
        };
        let mut rules = RatingRules::load(store, &run, as_stored)?;
        (rules.growth).set_time_or_newest(store, &run, as_of)?;
        // The place is not shown.
        let row = rules.row(0, &of);
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

/// Returns those of `wanted` that a run was computed from, in its order; all, as in `contests`, for a
/// run of an older version, which did not store them.
fn contests_in_run_order(
    store: &Store,
    run: &RunRow,
    contests: &[ContestId],
    wanted: &HashSet<ContestId>,
) -> Result<Vec<ContestId>, Error> {
    let mut is_stored = false;
    let mut in_order = Vec::new();
    store.for_each_run_contest(run.run_id, |rated| {
        is_stored = true;
        in_order.extend(Some(rated.contest_id).filter(|id| wanted.contains(id)));
    })?;
    Ok(if is_stored {
        in_order
    } else {
        contests.to_vec()
    })
}

fn describe_settings(run: &RunRow, selection: &RunSelection, source: &SourceName) -> Vec<String> {
    let mut words: Vec<String> = (non_default_parameters(&run.system, &run.parameters).iter())
        .map(|(key, value)| format_setting(key, value))
        .collect();
    words.extend(selection.describe_filters());
    let others = selection.sources.iter().filter(|name| *name != source);
    words.extend(others.map(|name| format!("with {name}")));
    words
}

/// The keys of a run in the list of all runs.
#[derive(Serialize)]
#[serde(remote = "RunRow")]
struct RunName {
    run_id: RunId,
    system: String,
}
