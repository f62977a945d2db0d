//! Requests to Codeforces, and their request keys.

use ranklore_source::{Asked, Form, Method, Request};

const LIST: &str = "api/contest.list";
const CHANGES: &str = "api/contest.ratingChanges";
const STANDINGS: &str = "api/contest.standings";
const RATED: &str = "api/user.ratedList";
const INFO: &str = "api/user.info";

/// A request to Codeforces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    /// The list of contests.
    List,
    /// The rating changes of a contest.
    Changes(u32),
    /// The standings of a contest.
    Standings(u32),
    /// All rated users.
    Rated,
    /// The users with these handles.
    Info(Vec<String>),
}

impl Question {
    /// Parses a request key; `None` if it belongs to no request.
    pub(crate) fn parse(request_key: &str) -> Option<Self> {
        let asked = Asked::parse(request_key)?;
        let contest = || {
            let digits = asked.get("contestId")?;
            let id = digits.parse::<u32>().ok()?;
            (id.to_string() == digits).then_some(id)
        };
        match (asked.method, asked.path) {
            (Method::Get, LIST) => Some(Self::List),
            (Method::Get, CHANGES) => contest().map(Self::Changes),
            (Method::Get, STANDINGS) => contest().map(Self::Standings),
            (Method::Get, RATED) => Some(Self::Rated),
            (Method::Post, INFO) => {
                let handles = asked.get("handles")?;
                Some(Self::Info(handles.split(';').map(str::to_owned).collect()))
            }
            _ => None,
        }
    }
}

pub(crate) fn list() -> Request {
    Request::get(LIST, Form::Json, "the list of contests")
        .with("gym", false)
        .with("lang", "en")
}

pub(crate) fn changes(contest: u32) -> Request {
    let what = format!("rating changes of contest {contest}");
    Request::get(CHANGES, Form::Json, what)
        .with("contestId", contest)
        .with("lang", "en")
}

/// The site refuses any further parameter, even `lang`.
pub(crate) fn standings(contest: u32) -> Request {
    let what = format!("standings of contest {contest}");
    Request::get(STANDINGS, Form::Json, what).with("contestId", contest)
}

pub(crate) fn is_standings(request: &Request) -> bool {
    request.path == STANDINGS
}

pub(crate) fn rated() -> Request {
    Request::get(RATED, Form::Json, "all rated users")
        .with("activeOnly", false)
        .with("includeRetired", true)
}

/// Requests English, since the response names an unknown handle in a sentence.
pub(crate) fn info(handles: &[&str]) -> Request {
    let what = match handles {
        [one] => format!("the account {one}"),
        [first, ..] => format!("{} accounts starting with {first}", handles.len()),
        [] => "no account".to_owned(),
    };
    Request::post(INFO, Form::Json, what)
        .with_field("handles", handles.join(";"))
        .with_field("checkHistoricHandles", true)
        .with_field("lang", "en")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_read_back_from_keys() {
        for (request, key, question) in [
            (
                list(),
                "GET api/contest.list?gym=false&lang=en",
                Question::List,
            ),
            (
                changes(7),
                "GET api/contest.ratingChanges?contestId=7&lang=en",
                Question::Changes(7),
            ),
            (
                standings(7),
                "GET api/contest.standings?contestId=7",
                Question::Standings(7),
            ),
            (
                rated(),
                "GET api/user.ratedList?activeOnly=false&includeRetired=true",
                Question::Rated,
            ),
            (
                info(&["ada", "bea.b"]),
                "POST api/user.info checkHistoricHandles=true&handles=ada%3Bbea.b&lang=en",
                Question::Info(vec!["ada".to_owned(), "bea.b".to_owned()]),
            ),
        ] {
            assert_eq!(request.key(), key);
            assert_eq!(Question::parse(key), Some(question));
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
            assert_eq!(Question::parse(foreign), None, "{foreign}");
        }
    }
}
