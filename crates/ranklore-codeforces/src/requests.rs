//! Requests to Codeforces, and their request keys.

use ranklore_source::{MediaKind, Method, Request, RequestKey};

const CONTEST_LIST: &str = "api/contest.list";
const RATING_CHANGES: &str = "api/contest.ratingChanges";
const STANDINGS: &str = "api/contest.standings";
const RATED_USERS: &str = "api/user.ratedList";
const USER_INFO: &str = "api/user.info";

/// A request to Codeforces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CodeforcesRequest {
    /// The list of contests.
    ContestList,
    /// The rating changes of a contest.
    RatingChanges(u32),
    /// The standings of a contest.
    Standings(u32),
    /// All rated users.
    RatedUsers,
    /// The users with these handles.
    UserInfo(Vec<String>),
}

impl CodeforcesRequest {
    /// Parses a request key; `None` if it belongs to no request.
    pub(crate) fn parse(request_key: &str) -> Option<Self> {
        let request = RequestKey::parse(request_key)?;
        let contest = || {
            let digits = request.parameter("contestId")?;
            let id = digits.parse::<u32>().ok()?;
            (id.to_string() == digits).then_some(id)
        };
        match (request.method, request.path) {
            (Method::Get, CONTEST_LIST) => Some(Self::ContestList),
            (Method::Get, RATING_CHANGES) => contest().map(Self::RatingChanges),
            (Method::Get, STANDINGS) => contest().map(Self::Standings),
            (Method::Get, RATED_USERS) => Some(Self::RatedUsers),
            (Method::Post, USER_INFO) => {
                let handles = request.parameter("handles")?;
                Some(Self::UserInfo(handles.split(';').map(str::to_owned).collect()))
            }
            _ => None,
        }
    }
}

pub(crate) fn contest_list() -> Request {
    Request::get(CONTEST_LIST, MediaKind::Json, "the list of contests")
        .with_parameter("gym", false)
        .with_parameter("lang", "en")
}

pub(crate) fn rating_changes(contest: u32) -> Request {
    let description = format!("rating changes of contest {contest}");
    Request::get(RATING_CHANGES, MediaKind::Json, description)
        .with_parameter("contestId", contest)
        .with_parameter("lang", "en")
}

/// The site refuses any further parameter, even `lang`.
pub(crate) fn standings(contest: u32) -> Request {
    let description = format!("standings of contest {contest}");
    Request::get(STANDINGS, MediaKind::Json, description).with_parameter("contestId", contest)
}

pub(crate) fn is_standings(request: &Request) -> bool {
    request.path == STANDINGS
}

/// Returns the request for all rated users, under their current handles.
///
/// Read as [`SiteReading::accounts`](ranklore_source::SiteReading::accounts).
#[must_use]
pub fn rated_users_request() -> Request {
    Request::get(RATED_USERS, MediaKind::Json, "all rated users")
        .with_parameter("activeOnly", false)
        .with_parameter("includeRetired", true)
}

/// Requests English, since the response names an unknown handle in a sentence.
pub(crate) fn user_info(handles: &[&str]) -> Request {
    let description = match handles {
        [one] => format!("the account {one}"),
        [first, ..] => format!("{} accounts starting with {first}", handles.len()),
        [] => "no account".to_owned(),
    };
    Request::post(USER_INFO, MediaKind::Json, description)
        .with_form_field("handles", handles.join(";"))
        .with_form_field("checkHistoricHandles", true)
        .with_form_field("lang", "en")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_parsed_from_their_keys() {
        for (request, key, question) in [
            (
                contest_list(),
                "GET api/contest.list?gym=false&lang=en",
                CodeforcesRequest::ContestList,
            ),
            (
                rating_changes(7),
                "GET api/contest.ratingChanges?contestId=7&lang=en",
                CodeforcesRequest::RatingChanges(7),
            ),
            (
                standings(7),
                "GET api/contest.standings?contestId=7",
                CodeforcesRequest::Standings(7),
            ),
            (
                rated_users_request(),
                "GET api/user.ratedList?activeOnly=false&includeRetired=true",
                CodeforcesRequest::RatedUsers,
            ),
            (
                user_info(&["ada", "bea.b"]),
                "POST api/user.info checkHistoricHandles=true&handles=ada%3Bbea.b&lang=en",
                CodeforcesRequest::UserInfo(vec!["ada".to_owned(), "bea.b".to_owned()]),
            ),
        ] {
            assert_eq!(request.key(), key);
            assert_eq!(CodeforcesRequest::parse(key), Some(question));
        }
        for foreign in [
            "",
            "standings.json",
            "GET api/contest.ratingChanges",
            "GET api/contest.ratingChanges?contestId=x",
            "GET api/contest.ratingChanges?contestId=%2B7",
            "GET api/contest.ratingChanges?contestId=4294967303",
            "POST api/contest.list gym=false",
            "GET api/blogEntry.view?blogEntryId=1",
        ] {
            assert_eq!(CodeforcesRequest::parse(foreign), None, "{foreign}");
        }
    }
}
