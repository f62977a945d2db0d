//! Minimisation of responses before archiving.

use std::borrow::Cow;

use ranklore_source::json::{MemberAction, keep, trim};

use crate::requests::AtcoderRequest;

/// Fields kept of contests.
const CONTESTS: [&str; 5] = [
    "id",
    "start_epoch_second",
    "duration_second",
    "title",
    "rate_change",
];

/// Fields kept of results. Removes countries and affiliations, and the ratings, ranks and numbers of
/// contests of today, which change although the contest does not.
const RESULTS: [&str; 6] = [
    "IsRated",
    "Place",
    "OldRating",
    "NewRating",
    "UserScreenName",
    "ContestScreenName",
];

/// Keeps the fields that are read. Of a task in standings only its name stays.
pub(crate) fn minimise<'b>(request: Option<AtcoderRequest<'_>>, body: &'b [u8]) -> Cow<'b, [u8]> {
    match request {
        Some(AtcoderRequest::ContestList) => keep(body, &CONTESTS),
        Some(AtcoderRequest::Results(_)) => keep(body, &RESULTS),
        Some(AtcoderRequest::Standings(_)) => trim(body, |path| match path {
            "StandingsData" | "StandingsData.TotalResult" | "StandingsData.TaskResults" => {
                MemberAction::Descend
            }
            "Fixed"
            | "StandingsData.Rank"
            | "StandingsData.UserScreenName"
            | "StandingsData.IsTeam"
            | "StandingsData.TotalResult.Count"
            | "StandingsData.TotalResult.Score"
            | "StandingsData.TotalResult.Elapsed" => MemberAction::Keep,
            _ => match path.strip_prefix("StandingsData.TaskResults.") {
                Some(task) if !task.contains('.') => MemberAction::Descend,
                _ => MemberAction::Drop,
            },
        }),
        None => Cow::Borrowed(body),
    }
}
