//! Requests about AtCoder, and their request keys.

use ranklore_source::{MediaKind, Method, OtherHost, Request, RequestKey};

/// The host of AtCoder Problems, which publishes the list of contests.
pub(crate) const LIST_HOST: OtherHost = OtherHost {
    base_url: "https://kenkoooo.com",
    path: "atcoder/resources/",
};

const CONTEST_LIST: &str = "atcoder/resources/contests.json";
const CONTESTS: &str = "contests/";
const RESULTS: &str = "/results/json";
const STANDINGS: &str = "/standings/json";

/// Maximum length of the id of a contest; those of 2024 have up to 40 characters.
const MAX_ID_LENGTH: usize = 100;

/// A request about AtCoder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AtcoderRequest<'a> {
    /// The list of contests.
    ContestList,
    /// The results of a contest: places and ratings.
    Results(&'a str),
    /// The standings of a contest: places, scores and times.
    Standings(&'a str),
}

impl<'a> AtcoderRequest<'a> {
    /// Parses a request key; `None` if it belongs to no request.
    pub(crate) fn parse(request_key: &'a str) -> Option<Self> {
        let request = RequestKey::parse(request_key)?;
        if request.method != Method::Get {
            return None;
        }
        if request.path == CONTEST_LIST {
            return Some(Self::ContestList);
        }
        let rest = request.path.strip_prefix(CONTESTS)?;
        let parsed = rest
            .strip_suffix(RESULTS)
            .map(Self::Results)
            .or_else(|| rest.strip_suffix(STANDINGS).map(Self::Standings));
        parsed.filter(|parsed| parsed.contest().is_some_and(is_contest_id))
    }

    const fn contest(self) -> Option<&'a str> {
        match self {
            Self::ContestList => None,
            Self::Results(contest) | Self::Standings(contest) => Some(contest),
        }
    }
}

/// True if a text is the id of a contest: letters, digits, `-` and `_`.
pub(crate) fn is_contest_id(text: &str) -> bool {
    let mut bytes = text.bytes();
    (1..=MAX_ID_LENGTH).contains(&text.len())
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

pub(crate) fn contest_list() -> Request {
    Request::get(CONTEST_LIST, MediaKind::Json, "the list of contests")
}

/// Returns the requests for the results of a contest, in both forms.
pub(crate) fn contest_requests(contest: &str) -> Vec<Request> {
    let request = |path: &str, what: &str| {
        let path = format!("{CONTESTS}{contest}{path}");
        Request::get(path, MediaKind::Json, format!("{what} of contest {contest}"))
    };
    let standings = Request {
        needs_cookie: true,
        ..request(STANDINGS, "standings")
    };
    vec![request(RESULTS, "results"), standings]
}
