//! Requests to Topcoder, and their request keys.

use ranklore_source::{Asked, Form, Method, Request};

use crate::values::number::whole;

const FEED: &str = "tc";
const PAGE: &str = "stat";
const ROUNDS: &str = "dd_round_list";
const RESULTS: &str = "dd_round_results";
const MATCHES: &str = "MatchList";
const STATS: &str = "round_stats";

/// Number of rounds per page of the list.
pub(crate) const MATCHES_A_PAGE: u32 = 200;

/// Number of rooms requested per division: no division had more.
const ROOMS: u32 = 100;

/// Upper bound of round numbers and counts.
const MAX_NUMBER: u32 = 100_000_000;

/// A request to Topcoder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    /// The list of rounds, as a feed.
    Rounds,
    /// The results of both divisions of a round, as a feed.
    Results(u32),
    /// The list of rounds from this one on, counted from 1, as a page.
    Matches(u32),
    /// The results of one division of a round, as a page.
    Stats(u32, Division),
}

/// A division of a round; each is a contest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Division {
    One,
    Two,
}

impl Division {
    pub(crate) const ALL: [Self; 2] = [Self::One, Self::Two];

    pub(crate) fn number(self) -> u8 {
        match self {
            Self::One => 1,
            Self::Two => 2,
        }
    }

    /// Returns the Roman numeral, as pages write it.
    pub(crate) fn roman(self) -> &'static str {
        match self {
            Self::One => "I",
            Self::Two => "II",
        }
    }

    pub(crate) fn parse(text: &[u8]) -> Option<Self> {
        match text {
            b"1" => Some(Self::One),
            b"2" => Some(Self::Two),
            _ => None,
        }
    }
}

/// Parses the number of a round or another count.
pub(crate) fn number(text: &str) -> Option<u32> {
    let number = whole(text.as_bytes(), MAX_NUMBER)?;
    (number > 0 && !text.starts_with('0')).then_some(number)
}

impl Question {
    /// Parses a request key; `None` if it belongs to no request.
    pub(crate) fn parse(request_key: &str) -> Option<Self> {
        let asked = Asked::parse(request_key)?;
        let get = |name: &str| asked.get(name);
        let question = Self::of(asked.path, get).filter(|_| asked.method == Method::Get)?;
        // A response under another key would never be found again.
        (question.request().key() == request_key).then_some(question)
    }

    /// Returns the request with these parameters; others are ignored.
    pub(crate) fn of<T: AsRef<str>>(path: &str, get: impl Fn(&str) -> Option<T>) -> Option<Self> {
        let is = |name: &str, value: &str| get(name).is_some_and(|found| found.as_ref() == value);
        let counted = |name: &str| number(get(name)?.as_ref());
        match path {
            FEED if is("module", "BasicData") && is("c", ROUNDS) => Some(Self::Rounds),
            FEED if is("module", "BasicData") && is("c", RESULTS) => {
                counted("rd").map(Self::Results)
            }
            FEED if is("module", MATCHES) => counted("sr").map(Self::Matches),
            PAGE if is("c", STATS) => {
                let division = Division::parse(get("dn")?.as_ref().as_bytes())?;
                Some(Self::Stats(counted("rd")?, division))
            }
            _ => None,
        }
    }

    pub(crate) fn request(self) -> Request {
        let feed = |what: String, c: &str| {
            Request::get(FEED, Form::Text, what)
                .with("module", "BasicData")
                .with("c", c)
        };
        match self {
            Self::Rounds => feed("the list of rounds".to_owned(), ROUNDS),
            Self::Results(round) => feed(format!("round {round}"), RESULTS).with("rd", round),
            Self::Matches(from) => {
                let what = format!("the page of rounds from {from} on");
                Request::get(FEED, Form::Html, what)
                    .with("module", MATCHES)
                    .with("nr", MATCHES_A_PAGE)
                    .with("sr", from)
            }
            Self::Stats(round, division) => {
                let what = format!("the page of round {round}, division {}", division.number());
                Request::get(PAGE, Form::Html, what)
                    .with("c", STATS)
                    .with("rd", round)
                    .with("dn", division.number())
                    .with("sm", 1)
                    .with("em", ROOMS)
                    .with("nm", 99)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_read_back_from_keys() {
        for (question, key) in [
            (Question::Rounds, "GET tc?c=dd_round_list&module=BasicData"),
            (
                Question::Results(9601),
                "GET tc?c=dd_round_results&module=BasicData&rd=9601",
            ),
            (
                Question::Matches(201),
                "GET tc?module=MatchList&nr=200&sr=201",
            ),
            (
                Question::Stats(9601, Division::Two),
                "GET stat?c=round_stats&dn=2&em=100&nm=99&rd=9601&sm=1",
            ),
        ] {
            assert_eq!(question.request().key(), key);
            assert_eq!(Question::parse(key), Some(question));
        }
        for foreign in [
            "",
            "dd_round_list.xml",
            "GET tc?c=dd_coder_list&module=BasicData",
            "GET tc?c=dd_round_list",
            "POST tc?c=dd_round_list&module=BasicData",
            "GET tc?c=dd_round_results&module=BasicData",
            "GET tc?c=dd_round_results&module=BasicData&rd=0",
            "GET tc?c=dd_round_results&module=BasicData&rd=01",
            "GET tc?c=dd_round_results&module=BasicData&rd=99999999999",
            "GET tc?module=MatchList&nr=100&sr=201",
            "GET stat?c=round_stats&dn=3&em=100&nm=99&rd=9601&sm=1",
            "GET stat?c=round_stats&dn=2&rd=9601",
        ] {
            assert_eq!(Question::parse(foreign), None, "{foreign}");
        }
    }
}
