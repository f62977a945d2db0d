//! Statistics of all competitors of a run: movers, and the highest ratings.

use ranklore_contest::{ContestTime, SourceName};
use ranklore_replay::find_run_covering;
use ranklore_store::{ProvisionalPlacement, Store};
use ranklore_views::{
    Leaderboard, LeaderboardOrder, LeaderboardRequest, Movers, MoversRequest, NamesPolicy, Page,
    ViewReader, load_leaderboard, load_movers,
};

use crate::failure::Failure;
use crate::parameters::{MAX_COUNT, Parameters, Rows};

/// The number of highest ratings that are listed.
const HIGHEST_RATINGS: usize = 20;

/// The default period of movers, which ends with the newest contest of the run.
const MOVERS_DAYS: i64 = 30;

/// Returns the start of the days before the newest contest whose movers are listed by default.
pub(crate) fn recent_since(newest_contest_at: Option<i64>) -> Option<ContestTime> {
    ContestTime::new(newest_contest_at? - MOVERS_DAYS * 86_400)
}

/// Loads the movers of a source since a time, by default those of the last days.
pub(crate) fn movers(
    store: &Store,
    source: &SourceName,
    parameters: &Parameters,
    rows: Rows,
) -> Result<Movers, Failure> {
    let run = find_run_covering(store, source, &parameters.run()?)?;
    let recent = recent_since(store.newest_rated_contest_at(run.run_id)?);
    let parameters = parameters.or_default("since", recent.map(|since| since.to_string()));
    if parameters.text("since")?.is_none() {
        let message = "parameter \"since\" is missing; give a day such as 2024-01-31";
        return Err(Failure::bad_request(message));
    }
    let mut request: MoversRequest = parameters.list_request(rows)?;
    request.run = run.run_id.into();
    Ok(load_movers(store, source, &request)?)
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
