//! The records of a run: the longest times in first place, the most wins, and the ratings of each
//! year.

use std::sync::Arc;

use clap::Args;
use ranklore_contest::SourceName;
use ranklore_store::RunRow;
use serde::Serialize;

use crate::cache::ViewReader;
use crate::names::labels::{CompetitorLabel, Labeller, NamesPolicy};
use crate::rows::cell::CellValue;
use crate::rows::columns::{Columns, List};
use crate::rows::format::format_count;
use crate::run_history::{RatingYear, RunHistory};
use ranklore_replay::{Error, RunChoice, find_run, is_current, is_stale, serialize_run};

/// The records to load.
#[derive(Args, Clone, Debug)]
pub struct RecordsRequest {
    /// The choice of the run.
    #[command(flatten)]
    pub run: RunChoice,
    /// Rows of each list of competitors
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    pub limit: usize,
    /// The rule for names.
    #[arg(skip)]
    pub names: NamesPolicy,
}

/// The records of a run.
#[derive(Clone, Debug, Serialize)]
pub struct RunRecords {
    /// The run.
    #[serde(flatten, serialize_with = "serialize_run")]
    pub run: RunRow,
    /// True if results have changed since the run, or an earlier version computed it.
    pub stale: bool,
    /// The end of the newest rated contest, in Unix seconds; `None` without one.
    pub newest_contest_at: Option<i64>,
    /// The longest times in first place, longest first.
    pub first_places: Vec<TimeInFirstPlace>,
    /// The competitors who have won the most rated contests alone, most wins first.
    pub wins: Vec<ContestWins>,
    /// The ratings of each year with rated contests, oldest first.
    pub years: Vec<RatingYear>,
    /// True if names were replaced by pseudonyms.
    #[serde(skip)]
    pub pseudonymised: bool,
}

/// A time in the first place of leaderboards: the highest rating of all active competitors whose
/// ratings are not provisional, after each contest from `since` until `until`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TimeInFirstPlace {
    /// The competitor.
    #[serde(flatten)]
    pub competitor: CompetitorLabel,
    /// The end of the contest that led to it, in Unix seconds.
    pub since: i64,
    /// The end of the contest after which it was over, in Unix seconds; `None` if it is not.
    pub until: Option<i64>,
    /// The days from `since` to `until`, or to the newest contest; rounded down.
    pub days: u32,
}

/// A competitor, and the contests that it won.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ContestWins {
    /// The competitor.
    #[serde(flatten)]
    pub competitor: CompetitorLabel,
    /// The rated contests that nobody else won too.
    pub wins: u32,
    /// The rated contests of the competitor; `None` if the run rates the members of teams, and this is a team.
    pub contests: Option<u32>,
}

/// A row of one of the lists of records.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(tag = "list", rename_all = "snake_case")]
pub enum RecordRow<'r> {
    /// A time in first place.
    FirstPlaces(&'r TimeInFirstPlace),
    /// The contests that a competitor won.
    Wins(&'r ContestWins),
    /// The ratings of a year.
    Years(&'r RatingYear),
}

impl RunRecords {
    /// Returns the rows of all lists, one list after the other.
    #[must_use]
    pub fn rows(&self) -> Vec<RecordRow<'_>> {
        let first_places = self.first_places.iter().map(RecordRow::FirstPlaces);
        let wins = self.wins.iter().map(RecordRow::Wins);
        let years = self.years.iter().map(RecordRow::Years);
        first_places.chain(wins).chain(years).collect()
    }
}

impl<'r> List for Vec<RecordRow<'r>> {
    type Row = RecordRow<'r>;

    fn columns(&self) -> Columns<'_, RecordRow<'r>> {
        Columns::new()
            .data(&["list"])
            .data_of(&TimeInFirstPlace::columns())
            .data_of(&ContestWins::columns())
            .data_of(&RatingYear::columns(0))
    }
}

impl TimeInFirstPlace {
    /// Returns the columns of times in first place.
    pub fn columns() -> Columns<'static, Self> {
        Columns::new()
            .left("name", |row: &Self| CellValue::text(&row.competitor.name))
            .data(&["external_id"])
            .left(("since", "from"), |row| CellValue::Day(row.since))
            .left("until", |row| row.until.map_or("still first".into(), CellValue::Day))
            .right("days", |row| format_count(row.days))
            .before("since")
    }
}

impl ContestWins {
    /// Returns the columns of contests won.
    pub fn columns() -> Columns<'static, Self> {
        let percent = |wins, contests| 100.0 * f64::from(wins) / f64::from(contests);
        Columns::new()
            .left("name", |row: &Self| CellValue::text(&row.competitor.name))
            .data(&["external_id"])
            .right("wins", |row| format_count(row.wins))
            .right("contests", |row| row.contests.map(format_count))
            .right("share", move |row| {
                let contests = row.contests?;
                Some(format!("{:.1}\u{a0}%", percent(row.wins, contests)))
            })
            .only_on_page()
    }
}

/// Loads the records of the run of a source. Reads all ratings of the run unless they are kept.
///
/// # Errors
/// The errors of [`find_run`], and [`Error::Store`].
pub fn load_records<'s>(
    reader: impl Into<ViewReader<'s>>,
    source: &SourceName,
    request: &RecordsRequest,
) -> Result<RunRecords, Error> {
    let ViewReader { store, cache } = reader.into();
    let run = find_run(store, std::slice::from_ref(source), &request.run)?;
    let all = match cache {
        Some(cache) => {
            let key = (run.run_id, store.state_hash()?);
            cache
                .histories
                .get_or_load(key, |_| RunHistory::load(store, &run).map(Arc::new))?
        }
        None => Arc::new(RunHistory::load(store, &run)?),
    };
    let reigns = all.reigns.iter().take(request.limit);
    let wins = all.wins.iter().take(request.limit);
    let mut labeller = Labeller::load(store, request.names)?;
    let leaders = reigns.clone().map(|reign| reign.competitor_id);
    let winners = wins.clone().map(|(competitor, ..)| *competitor);
    let labels = labeller.load_labels(store, leaders.chain(winners))?;
    let first_places = reigns.map(|reign| TimeInFirstPlace {
        competitor: labels[&reign.competitor_id].clone(),
        since: reign.since,
        until: reign.until,
        days: reign.days(all.newest),
    });
    let wins = wins.map(|&(competitor, wins, contests)| ContestWins {
        competitor: labels[&competitor].clone(),
        wins,
        contests,
    });
    Ok(RunRecords {
        stale: is_stale(&run, is_current(store, &run)?),
        newest_contest_at: all.newest,
        first_places: first_places.collect(),
        wins: wins.collect(),
        years: all.years.clone(),
        pseudonymised: labeller.pseudonymised,
        run,
    })
}

impl RatingYear {
    /// Returns the columns of years; ratings have these decimals.
    pub fn columns(decimals: u8) -> Columns<'static, Self> {
        let points = move |rating| CellValue::Points(rating, decimals);
        Columns::new()
            .left("year", |row: &Self| row.year.to_string())
            .right("competitors", |row| format_count(row.competitors))
            .right("median", move |row| points(row.median))
            .right("mean", move |row| points(row.mean))
            .right(("top_mean", "mean of the first ten"), move |row| points(row.top_mean))
    }
}
