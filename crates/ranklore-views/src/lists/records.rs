//! The records of a run: the longest times in first place, the most wins, and the ratings of each
//! year.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::mem;

use clap::Args;
use ranklore_contest::{ContestTime, SourceName};
use ranklore_store::{CompetitorId, CurrentRatingRow, RatingRow, RatingSummary, RunRow, Store};
use serde::Serialize;

use crate::coverage::contest_times;
use crate::lists::first_places::{FirstPlaces, Reign};
use crate::names::labels::{CompetitorLabel, Labeller, NamesPolicy};
use crate::ranking::rules::RatingRules;
use crate::rows::cell::CellValue;
use crate::rows::columns::{Columns, List};
use crate::rows::format::format_count;
use ranklore_replay::{
    CompetitorIndices, Error, Identities, RunChoice, find_run, is_current, is_stale, serialize_run,
};

/// The number of highest ratings of a year whose mean is shown.
const TOP: usize = 10;

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

/// The displayed ratings at the end of a year of those with a contest in it, without provisional
/// ones.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RatingYear {
    /// The year in UTC.
    pub year: i64,
    /// The number of competitors.
    pub competitors: usize,
    /// The rating in the middle; of an even number the lower one.
    pub median: f64,
    /// The mean rating.
    pub mean: f64,
    /// The mean of the ten highest ratings, or of all if there are fewer.
    pub top_mean: f64,
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

/// The entrants that share a first place and are looked at: they may be accounts of one competitor.
const MAX_WINNERS: usize = 8;

/// Loads the records of the run of a source. Reads all ratings of the run.
///
/// # Errors
/// The errors of [`find_run`], and [`Error::Store`].
pub fn load_records(
    store: &Store,
    source: &SourceName,
    request: &RecordsRequest,
) -> Result<RunRecords, Error> {
    let run = find_run(store, std::slice::from_ref(source), &request.run)?;
    let rules = RatingRules::load(store, &run, false)?;
    let identities = Identities::load_for_view(store, &run)?;
    let mut history = read_history(store, &run, rules, &identities)?;
    let newest = history.newest;
    let mut reigns = history.finish();
    // Stable: of equal ones the oldest comes first.
    reigns.sort_by_key(|reign| Reverse(reign.days(newest)));
    reigns.truncate(request.limit);
    let mut wins: Vec<(CompetitorId, u32)> = mem::take(&mut history.wins).into_iter().collect();
    wins.sort_unstable_by_key(|&(competitor, wins)| (Reverse(wins), competitor));
    wins.truncate(request.limit);
    let mut labeller = Labeller::load(store, request.names)?;
    let leaders = reigns.iter().map(|reign| reign.competitor_id);
    let winners = wins.iter().map(|(competitor, _)| *competitor);
    let labels = labeller.load_labels(store, leaders.chain(winners))?;
    let first_places = reigns.iter().map(|reign| TimeInFirstPlace {
        competitor: labels[&reign.competitor_id].clone(),
        since: reign.since,
        until: reign.until,
        days: reign.days(newest),
    });
    let wins = wins.iter().map(|&(competitor, wins)| ContestWins {
        competitor: labels[&competitor].clone(),
        wins,
        contests: history.count_contests(identities.accounts(competitor)),
    });
    Ok(RunRecords {
        stale: is_stale(&run, is_current(store, &run)?),
        newest_contest_at: newest,
        first_places: first_places.collect(),
        wins: wins.collect(),
        years: history.years,
        pseudonymised: labeller.pseudonymised,
        run,
    })
}

/// Reads the contests of a run in their order.
fn read_history(
    store: &Store,
    run: &RunRow,
    rules: RatingRules,
    identities: &Identities,
) -> Result<RatedHistory, Error> {
    let mut history = RatedHistory::new(rules);
    for (position, (contest_id, ends_at)) in (0..).zip(contest_times(store, run)?) {
        let Some(ends_at) = ends_at else { continue };
        history.begin_contest(ends_at);
        let mut is_rated = false;
        store.for_each_rating_row(run.run_id, contest_id, |row| {
            is_rated = true;
            history.add(position, &row);
        })?;
        if !is_rated {
            continue;
        }
        let mut winners = store.first_of_contest(contest_id, MAX_WINNERS)?;
        for winner in &mut winners {
            *winner = identities.resolve(*winner);
        }
        winners.sort_unstable();
        winners.dedup();
        if let [winner] = winners[..] {
            *history.wins.entry(winner).or_default() += 1;
        }
    }
    Ok(history)
}

/// The ratings of a run while its contests are read in their order.
struct RatedHistory {
    rules: RatingRules,
    indices: CompetitorIndices,
    competitors: Vec<CompetitorId>,
    summaries: Vec<RatingSummary>,
    /// The rating of each competitor after its last contest so far.
    ratings: Vec<CurrentRatingRow>,
    first_places: FirstPlaces,
    /// The end of the contest that is read; no contest before ended later.
    now: Option<i64>,
    /// The end of the newest rated contest.
    newest: Option<i64>,
    /// The current year, and the end of its first contest.
    year: Option<(i64, i64)>,
    years: Vec<RatingYear>,
    /// The rated contests that each competitor won alone.
    wins: HashMap<CompetitorId, u32>,
}

impl RatedHistory {
    /// Returns the number of rated contests of these accounts; `None` without any. Official ratings are
    /// those of accounts.
    fn count_contests(&self, accounts: impl Iterator<Item = CompetitorId>) -> Option<u32> {
        let indices = accounts.filter_map(|account| self.indices.get(account));
        let contests = indices.map(|index| self.ratings[index as usize].contests);
        Some(contests.sum()).filter(|sum| *sum > 0)
    }

    fn new(rules: RatingRules) -> Self {
        Self {
            first_places: FirstPlaces::new(rules.clone()),
            rules,
            indices: CompetitorIndices::default(),
            competitors: Vec::new(),
            summaries: Vec::new(),
            ratings: Vec::new(),
            now: None,
            newest: None,
            year: None,
            years: Vec::new(),
            wins: HashMap::new(),
        }
    }

    /// Begins a contest that ended at a time.
    fn begin_contest(&mut self, ends_at: i64) {
        // The ends of contests may have changed since the run.
        let now = self.now.map_or(ends_at, |now| now.max(ends_at));
        if self.now != Some(now) {
            self.end_moment();
            self.now = Some(now);
        }
        let year = year_of(now);
        if self.year.is_none_or(|(current, _)| current != year) {
            self.end_year();
            self.year = Some((year, now));
        }
    }

    /// Adds a rating row of the contest at a position.
    fn add(&mut self, position: u32, row: &RatingRow) {
        let Some(now) = self.now else { return };
        let competitor = row.competitor_id;
        let index = self.indices.find_or_add(competitor, &mut self.competitors);
        if index as usize == self.summaries.len() {
            self.summaries.push(RatingSummary::default());
            let new = RatingSummary::default();
            self.ratings.push(new.current_rating(competitor, now));
        }
        let summary = &mut self.summaries[index as usize];
        summary.add(position, row.mu, row.sigma, row.volatility);
        self.ratings[index as usize] = summary.current_rating(competitor, now);
        self.first_places.add(&self.ratings, index);
        self.newest = Some(now);
    }

    /// Ends the contests that ended at the same time.
    fn end_moment(&mut self) {
        if let (Some(now), true) = (self.now, self.now == self.newest) {
            self.first_places.note_first(&self.ratings, now);
        }
    }

    fn end_year(&mut self) {
        let (Some((year, start)), Some(newest)) = (self.year, self.newest) else {
            return;
        };
        self.rules.growth.set_time(Some(newest));
        let rules = &self.rules;
        let ratings = self
            .ratings
            .iter()
            .filter(|row| row.last_contest_at >= start && !rules.is_provisional(row))
            .map(|row| rules.row(0, row).rating)
            .collect();
        self.years.extend(RatingYear::new(year, ratings));
    }

    /// Ends the last contests, and returns all times in first place, oldest first.
    fn finish(&mut self) -> Vec<Reign> {
        self.end_moment();
        self.end_year();
        self.first_places.finish(&self.ratings)
    }
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

    /// Returns the summary of these ratings; `None` without any.
    fn new(year: i64, mut ratings: Vec<f64>) -> Option<Self> {
        ratings.sort_unstable_by(f64::total_cmp);
        let mean = |ratings: &[f64]| ratings.iter().sum::<f64>() / ratings.len() as f64;
        Some(Self {
            year,
            competitors: ratings.len(),
            median: *ratings.get(ratings.len().checked_sub(1)? / 2)?,
            mean: mean(&ratings),
            top_mean: mean(&ratings[ratings.len().saturating_sub(TOP)..]),
        })
    }
}

fn year_of(seconds: i64) -> i64 {
    let time = ContestTime::new(seconds).unwrap_or(ContestTime::MIN);
    time.months_since_year_zero().div_euclid(12)
}
