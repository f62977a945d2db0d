//! Whole tables of the database: results and ratings, with names as stored.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::{BooleanArray, Float64Array, Int64Array, StringArray, UInt32Array};
use ranklore_contest::{EntrantKind, SourceName};
use ranklore_replay::{Identities, TeamMode, find_source, format_system};
use ranklore_store::{CompetitorId, CompetitorRow, ContestId, ContestRow, RunId, Store};

use crate::error::Failure;
use crate::output::{self, Columns};

/// Returns the runs, oldest first.
pub(super) fn runs(store: &Store) -> Result<Columns, Failure> {
    let runs = store.runs()?;
    let texts = |text: fn(&ranklore_store::RunRow) -> Option<String>| {
        Arc::new(runs.iter().map(text).collect::<StringArray>())
    };
    let count = |count: fn(&ranklore_store::RunRow) -> i64| {
        Arc::new(runs.iter().map(|run| Some(count(run))).collect::<Int64Array>())
    };
    Ok(vec![
        ("run", count(|run| run.run_id.get())),
        ("name", texts(|run| run.name.clone())),
        ("system", texts(|run| Some(run.system.clone()))),
        ("settings", texts(|run| Some(format_system(&run.system, &run.parameters)))),
        ("selection", texts(|run| Some(run.selection.clone()))),
        ("contests", count(|run| run.contests as i64)),
        ("results", count(|run| run.results as i64)),
        ("rated_at", output::times(runs.iter().map(|run| run.rated_at).collect())),
    ])
}

/// Returns the ratings of a run, in the order of replay.
pub(super) fn ratings(store: &Store, run_id: RunId) -> Result<Columns, Failure> {
    let ids: Vec<ContestId> = store
        .run_contests(run_id)?
        .into_iter()
        .map(|contest| contest.contest_id)
        .collect();
    let mut rows = Vec::new();
    store.for_each_rating(run_id, ids, |contest, ratings| {
        rows.extend(ratings.iter().map(|rating| (contest, *rating)));
    })?;
    let contest_ids = rows.iter().map(|&(contest, _)| contest);
    let contests = Contests::load(store, contest_ids.clone())?;
    let competitors =
        Competitors::load(store, rows.iter().map(|(_, rating)| rating.competitor_id))?;
    let competitor_ids = rows.iter().map(|(_, rating)| rating.competitor_id);
    let mut columns = contests.columns(contest_ids);
    columns.extend(competitors.columns(competitor_ids));
    let numbers = |value: fn(&ranklore_store::RatingRow) -> Option<f64>| {
        Arc::new(rows.iter().map(|(_, rating)| value(rating)).collect::<Float64Array>())
    };
    columns.push(("mu", numbers(|rating| Some(rating.mu))));
    columns.push(("sigma", numbers(|rating| Some(rating.sigma))));
    columns.push(("performance", numbers(|rating| rating.performance)));
    columns.push(("volatility", numbers(|rating| rating.volatility)));
    Ok(columns)
}

/// Returns the results of a source with the facts about their contests, as datasets have them.
/// Merged accounts are the competitor that they are merged into.
pub(super) fn standings(store: &Store, source: &SourceName) -> Result<Columns, Failure> {
    let source_id = find_source(store, source)?;
    let mut contests: Vec<ContestRow> = Vec::new();
    store.for_each_contest_of_source(source_id, |contest| contests.push(contest))?;
    contests.retain(|contest| contest.ends_at.is_some() && contest.withdrawn_at.is_none());
    contests.sort_by(ContestRow::replay_order);
    let identities = Identities::load(store, [source_id], TeamMode::Whole)?;
    let mut rows = Vec::new();
    for contest in &contests {
        for mut standing in store.standing_details(contest.contest_id)? {
            standing.competitor_id = identities.resolve(standing.competitor_id);
            rows.push((contest.contest_id, standing));
        }
    }
    let ids = rows.iter().map(|(contest, _)| *contest);
    let competitors = rows.iter().map(|(_, standing)| standing.competitor_id);
    let contests = Contests::from_rows(contests);
    let mut columns = contests.columns(ids.clone());
    columns.extend(contests.facts(ids));
    columns.extend(Competitors::load(store, competitors.clone())?.columns(competitors));
    let places = rows
        .iter()
        .map(|(_, row)| row.outcome.place().map(ranklore_contest::Place::get));
    let statuses = rows.iter().map(|(_, row)| row.outcome.status());
    let sides = rows.iter().map(|(_, row)| row.side.map(ranklore_contest::Side::as_str));
    columns.push(("place", Arc::new(places.collect::<UInt32Array>())));
    columns.push(("status", Arc::new(statuses.collect::<StringArray>())));
    columns.push(("side", Arc::new(sides.collect::<StringArray>())));
    Ok(columns)
}

/// Contests by id.
struct Contests(HashMap<ContestId, ContestRow>);

impl Contests {
    fn load(store: &Store, ids: impl Iterator<Item = ContestId>) -> Result<Self, Failure> {
        let mut ids: Vec<ContestId> = ids.collect();
        ids.dedup();
        Ok(Self::from_rows(store.contests_by_id(ids)?))
    }

    fn from_rows(rows: Vec<ContestRow>) -> Self {
        Self(rows.into_iter().map(|row| (row.contest_id, row)).collect())
    }

    fn texts<'a>(
        &'a self,
        ids: impl Iterator<Item = ContestId>,
        text: impl Fn(&'a ContestRow) -> Option<&'a str>,
    ) -> Arc<StringArray> {
        Arc::new(ids.map(|id| self.0.get(&id).and_then(&text)).collect())
    }

    /// Returns the columns that identify contests.
    fn columns(&self, ids: impl Iterator<Item = ContestId> + Clone) -> Columns {
        let ends = ids.clone().map(|id| self.0.get(&id).and_then(|contest| contest.ends_at));
        vec![
            ("source", self.texts(ids.clone(), |contest| Some(&contest.source))),
            ("contest", self.texts(ids, |contest| Some(&contest.external_id))),
            ("ends_at", output::optional_times(ends.collect())),
        ]
    }

    /// Returns the columns on which ratings depend.
    fn facts(&self, ids: impl Iterator<Item = ContestId> + Clone) -> Columns {
        let rows = || ids.clone().map(|id| self.0.get(&id));
        let numbers = |number: fn(&ContestRow) -> Option<f64>| {
            Arc::new(rows().map(|row| row.and_then(number)).collect::<Float64Array>())
        };
        let ordinals = rows().map(|row| row.and_then(|row| row.ordinal));
        let rated = rows().map(|row| row.map(|row| row.rated));
        let weights = numbers(|row| Some(row.weight));
        let site_weights = numbers(|row| row.site_weight);
        let ceilings = numbers(|row| row.performance_ceiling);
        vec![
            ("event", self.texts(ids.clone(), |contest| contest.event.as_deref())),
            ("ordinal", Arc::new(ordinals.collect::<Int64Array>())),
            ("state", self.texts(ids.clone(), |contest| Some(contest.state.as_str()))),
            ("rated", Arc::new(rated.collect::<BooleanArray>())),
            ("weight", weights),
            ("site_weight", site_weights),
            ("performance_ceiling", ceilings),
        ]
    }
}

/// Competitors by id.
struct Competitors(HashMap<CompetitorId, CompetitorRow>);

impl Competitors {
    fn load(store: &Store, ids: impl Iterator<Item = CompetitorId>) -> Result<Self, Failure> {
        let mut ids: Vec<CompetitorId> = ids.collect();
        ids.sort_unstable();
        ids.dedup();
        let rows = store.competitors_by_id(ids)?;
        Ok(Self(rows.into_iter().map(|row| (row.competitor_id, row)).collect()))
    }

    /// Returns the columns that identify competitors, and their names.
    fn columns(&self, ids: impl Iterator<Item = CompetitorId> + Clone) -> Columns {
        let rows = || ids.clone().map(|id| self.0.get(&id));
        let kinds = rows().map(|row| row.map(|row| EntrantKind::as_str(row.kind)));
        let competitors = rows().map(|row| row.map(|row| row.external_id.as_str()));
        let names = rows().map(|row| row.map(|row| row.name.as_str()));
        vec![
            ("kind", Arc::new(kinds.collect::<StringArray>())),
            ("competitor", Arc::new(competitors.collect::<StringArray>())),
            ("name", Arc::new(names.collect::<StringArray>())),
        ]
    }
}
