//! Requests to Topcoder, and their request keys.

use ranklore_source::{MediaKind, Method, Request, RequestKey};

use crate::values::numbers::parse_whole;

const FEED: &str = "tc";
const PAGE: &str = "stat";
const ROUNDS: &str = "dd_round_list";
const RESULTS: &str = "dd_round_results";
const MATCHES: &str = "MatchList";
const STATS: &str = "round_stats";

/// Number of rounds per page of the list.
pub(crate) const MATCHES_PER_PAGE: u32 = 200;

/// Number of rooms requested per division: no division had more.
const MAX_ROOMS: u32 = 100;

/// Upper bound of round numbers and counts.
const MAX_NUMBER: u32 = 100_000_000;

/// A request to Topcoder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TopcoderRequest {
    /// The list of rounds, as a feed.
    RoundList,
    /// The results of both divisions of a round, as a feed.
    RoundResults(u32),
    /// The list of rounds from this one on, counted from 1, as a page.
    MatchList(u32),
    /// The results of one division of a round, as a page.
    RoundStats(u32, Division),
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
pub(crate) fn parse_number(text: &str) -> Option<u32> {
    let number = parse_whole(text.as_bytes(), MAX_NUMBER)?;
    (number > 0 && !text.starts_with('0')).then_some(number)
}

impl TopcoderRequest {
    /// Parses a request key; `None` if it belongs to no request.
    pub(crate) fn parse(request_key: &str) -> Option<Self> {
        let parsed = RequestKey::parse(request_key)?;
        let question = Self::from_parameters(parsed.path, |name| parsed.parameter(name))
            .filter(|_| parsed.method == Method::Get)?;
        // A response under another key would never be found again.
        (question.to_request().key() == request_key).then_some(question)
    }

    /// Returns the request with these parameters; others are ignored.
    pub(crate) fn from_parameters<T: AsRef<str>>(
        path: &str,
        get: impl Fn(&str) -> Option<T>,
    ) -> Option<Self> {
        let is = |name: &str, value: &str| {
            get(name).is_some_and(|parameter| parameter.as_ref() == value)
        };
        let counted = |name: &str| parse_number(get(name)?.as_ref());
        match path {
            FEED if is("module", "BasicData") && is("c", ROUNDS) => Some(Self::RoundList),
            FEED if is("module", "BasicData") && is("c", RESULTS) => {
                counted("rd").map(Self::RoundResults)
            }
            FEED if is("module", MATCHES) => counted("sr").map(Self::MatchList),
            PAGE if is("c", STATS) => {
                let division = Division::parse(get("dn")?.as_ref().as_bytes())?;
                Some(Self::RoundStats(counted("rd")?, division))
            }
            _ => None,
        }
    }

    pub(crate) fn to_request(self) -> Request {
        let feed = |description: String, c: &str| {
            Request::get(FEED, MediaKind::Text, description)
                .with_parameter("module", "BasicData")
                .with_parameter("c", c)
        };
        match self {
            Self::RoundList => feed("the list of rounds".to_owned(), ROUNDS),
            Self::RoundResults(round) => {
                feed(format!("round {round}"), RESULTS).with_parameter("rd", round)
            }
            Self::MatchList(from) => {
                let description = format!("the page of rounds from {from} on");
                Request::get(FEED, MediaKind::Html, description)
                    .with_parameter("module", MATCHES)
                    .with_parameter("nr", MATCHES_PER_PAGE)
                    .with_parameter("sr", from)
            }
            Self::RoundStats(round, division) => {
                let description =
                    format!("the page of round {round}, division {}", division.number());
                Request::get(PAGE, MediaKind::Html, description)
                    .with_parameter("c", STATS)
                    .with_parameter("rd", round)
                    .with_parameter("dn", division.number())
                    .with_parameter("sm", 1)
                    .with_parameter("em", MAX_ROOMS)
                    .with_parameter("nm", 99)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_parsed_from_their_keys() {
        for (question, key) in [
            (TopcoderRequest::RoundList, "GET tc?c=dd_round_list&module=BasicData"),
            (
                TopcoderRequest::RoundResults(9601),
                "GET tc?c=dd_round_results&module=BasicData&rd=9601",
            ),
            (TopcoderRequest::MatchList(201), "GET tc?module=MatchList&nr=200&sr=201"),
            (
                TopcoderRequest::RoundStats(9601, Division::Two),
                "GET stat?c=round_stats&dn=2&em=100&nm=99&rd=9601&sm=1",
            ),
        ] {
            assert_eq!(question.to_request().key(), key);
            assert_eq!(TopcoderRequest::parse(key), Some(question));
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
            assert_eq!(TopcoderRequest::parse(foreign), None, "{foreign}");
        }
    }
}
