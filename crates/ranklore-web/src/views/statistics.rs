//! Statistics of all competitors of a run: the distribution of ratings, records, movers.

use ranklore_contest::{ContestTime, SourceName};
use ranklore_replay::{
    Distribution, Leaderboard, LeaderboardOrder, LeaderboardRequest, Movers, MoversRequest,
    NamesPolicy, Page, RecordsRequest, RunRecords, ViewReader, find_run_covering,
    load_distribution, load_leaderboard, load_movers, load_records,
};
use ranklore_store::{ProvisionalPlacement, Store};

use crate::failure::Failure;
use crate::parameters::Parameters;
use crate::views::{MAX_COUNT, Rows, provisional};

/// The number of highest ratings that are listed.
const HIGHEST_RATINGS: usize = 20;

/// The default period of movers, which ends with the newest contest of the run.
const MOVERS_DAYS: i64 = 30;

pub(crate) const DISTRIBUTION_PARAMETERS: &[&str] = &["run", "system", "rating"];
pub(crate) const RECORDS_PARAMETERS: &[&str] = &["run", "system", "limit"];
pub(crate) const MOVERS_PARAMETERS: &[&str] = &[
    "run",
    "system",
    "limit",
    "since",
    "until",
    "provisional",
    "as-stored",
];

/// Returns the start of the days before the newest contest whose movers are listed by default.
pub(crate) fn recent_since(newest_contest_at: Option<i64>) -> Option<ContestTime> {
    ContestTime::new(newest_contest_at? - MOVERS_DAYS * 86_400)
}

/// Loads the movers of a source since a time, by default those of the last days.
pub(crate) fn movers(
    store: &Store,
    source: SourceName,
    parameters: &Parameters,
    rows: Rows,
) -> Result<Movers, Failure> {
    let run = find_run_covering(store, &source, &parameters.run()?)?;
    let since = match parameters.time("since")? {
        Some(since) => Some(since),
        None => recent_since(store.newest_rated_contest_at(run.run_id)?),
    };
    let since = since.ok_or_else(|| {
        Failure::bad_request("parameter \"since\" is missing; give a day such as 2024-01-31")
    })?;
    let request = MoversRequest {
        until: parameters.time("until")?,
        as_stored: parameters.flag("as-stored")?,
        provisional: provisional(parameters)?,
        limit: parameters.number("limit", rows.max)?.unwrap_or(rows.usual),
        names: NamesPolicy::Publishable,
        ..MoversRequest::new(source, run.run_id.into(), since)
    };
    Ok(load_movers(store, &request)?)
}

/// Loads the distribution of ratings of a source.
pub(crate) fn distribution(
    reader: ViewReader<'_>,
    source: &SourceName,
    parameters: &Parameters,
) -> Result<Distribution, Failure> {
    let expected = format!("a number from -{MAX_COUNT} to {MAX_COUNT}");
    let rating = parameters.parsed("rating", &expected, |word| {
        word.parse().ok().filter(|number: &f64| number.abs() <= MAX_COUNT as f64)
    })?;
    Ok(load_distribution(reader, source, &parameters.run()?, rating)?)
}

/// Loads the first competitors by their highest mu, also inactive ones.
pub(crate) fn highest_ratings(
    reader: ViewReader<'_>,
    source: &SourceName,
    parameters: &Parameters,
) -> Result<Leaderboard, Failure> {
    let request = LeaderboardRequest {
        inactive_after_days: MAX_COUNT as u32,
        order: Some(LeaderboardOrder::Peak),
        provisional: ProvisionalPlacement::Exclude,
        page: Page {
            offset: 0,
            limit: HIGHEST_RATINGS,
        },
        names: NamesPolicy::Publishable,
        ..LeaderboardRequest::new(vec![source.clone()], parameters.run()?)
    };
    Ok(load_leaderboard(reader, &request)?)
}

/// Loads the records of a source.
pub(crate) fn records(
    store: &Store,
    source: SourceName,
    parameters: &Parameters,
    rows: Rows,
) -> Result<RunRecords, Failure> {
    let request = RecordsRequest {
        source,
        run: parameters.run()?,
        limit: parameters.number("limit", rows.max)?.unwrap_or(rows.usual),
        names: NamesPolicy::Publishable,
    };
    Ok(load_records(store, &request)?)
}
