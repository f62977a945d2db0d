//! The parameters of a request, parsed into types.

use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use clap::Args;
use ranklore_contest::{EntrantKind, SourceName};
use ranklore_replay::RunChoice;
use ranklore_views::values::parse_kind;
use ranklore_views::{parameter_names, parse_request};

use crate::database::Lane;
use crate::failure::Failure;
use crate::paths::id_of_segment;

/// The longest query of a URL, in bytes. A name has at most 1,000 characters.
const MAX_QUERY_BYTES: usize = 16_384;

/// The most parameters of a request: the names of a predicted field, and four others.
const MAX_PARAMETERS: usize = 36;

/// The largest number of contests and days in a filter.
pub(crate) const MAX_COUNT: usize = 1_000_000;

/// The largest number of opponents in games.
const MAX_OPPONENTS: usize = 1_000;

/// The largest number of rows to skip.
const MAX_OFFSET: usize = 100_000_000;

/// The first segments of the paths of pages, and of the API, that read a few rows.
const QUICK_PAGES: [&str; 7] = [
    "",
    "sources",
    "leaderboard",
    "player",
    "contest",
    "players",
    "contests",
];

/// The parameters that choose a run, a part of a list, or a format.
const PLAIN_PARAMETERS: [&str; 9] = [
    "source", "run", "system", "set", "kind", "limit", "offset", "tag", "format",
];

/// The rows of a list: by default, and at most.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows {
    pub(crate) usual: usize,
    pub(crate) max: usize,
}

impl Rows {
    /// All rows.
    pub(crate) const ALL: Self = Self {
        usual: usize::MAX,
        max: usize::MAX,
    };
}

/// The parameters of a request, in the order of the URL. An empty value counts as absent, as forms
/// send fields that the user left empty.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parameters(Vec<(String, String)>);

impl Parameters {
    /// Parses the query of a URL.
    pub(crate) fn parse(query: Option<&str>) -> Result<Self, Failure> {
        let query = query.unwrap_or_default();
        if query.len() > MAX_QUERY_BYTES {
            return Err(Failure::bad_request(format!(
                "the parameters have {} bytes; at most {MAX_QUERY_BYTES} are allowed",
                query.len()
            )));
        }
        let pairs = form_urlencoded::parse(query.as_bytes()).into_owned();
        let pairs: Vec<_> = pairs.filter(|(_, value)| !value.is_empty()).collect();
        if pairs.len() > MAX_PARAMETERS {
            return Err(Failure::bad_request(format!(
                "the request has {} parameters; at most {MAX_PARAMETERS} are allowed",
                pairs.len()
            )));
        }
        Ok(Self(pairs))
    }

    /// Creates the parameters of a page of a static site.
    pub(crate) fn from_pairs(pairs: &[(&str, &str)]) -> Self {
        let pairs = pairs.iter().map(|&(name, value)| (name.into(), value.into()));
        Self(pairs.collect())
    }

    /// Errors if a parameter has another name than these.
    pub(crate) fn check_names(&self, names: &[String]) -> Result<(), Failure> {
        match self.0.iter().find(|(name, _)| !names.contains(name)) {
            None => Ok(()),
            Some((name, _)) => Err(Failure::bad_request(format!(
                "there is no parameter \"{name}\"; use {}",
                names.join(", ")
            ))),
        }
    }

    /// Returns the lane of a request for a path with these parameters. Pages that read a few rows
    /// are quick unless a parameter orders or filters them in another way.
    pub(crate) fn lane(&self, path: &str) -> Lane {
        let page = path.split('/').nth(1).unwrap_or_default();
        let are_plain = self.0.iter().all(|(name, _)| PLAIN_PARAMETERS.contains(&&**name));
        if QUICK_PAGES.contains(&page) && are_plain {
            Lane::Quick
        } else {
            Lane::Slow
        }
    }

    /// Returns the parameters with these names.
    pub(crate) fn only(&self, names: &[String]) -> Self {
        let pairs = self.0.iter().filter(|(name, _)| names.contains(name));
        Self(pairs.cloned().collect())
    }

    /// Parses the parameters of a request, and ignores others.
    pub(crate) fn request<R: Args>(&self) -> Result<R, Failure> {
        self.list_request(Rows::ALL)
    }

    /// Parses the parameters of a request for a list, and ignores others.
    pub(crate) fn list_request<R: Args>(&self, rows: Rows) -> Result<R, Failure> {
        let names = parameter_names::<R>();
        let pairs = self.0.iter().map(|(name, value)| (&**name, &**value));
        let pairs = pairs.filter(|(name, _)| names.iter().any(|known| known == name));
        for (name, value) in pairs.clone() {
            check_bounds(name, value, rows.max)?;
        }
        let limit = rows.usual.to_string();
        let has_limit = self.all("limit").next().is_some();
        let is_limited = !has_limit && names.iter().any(|name| name == "limit");
        let pairs = pairs.chain(is_limited.then_some(("limit", &*limit)));
        parse_request(pairs).map_err(|error| Failure::bad_request(error.to_string()))
    }

    /// Returns the values of a parameter that can be repeated.
    pub(crate) fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        let pairs = self.0.iter().filter(move |(key, _)| key == name);
        pairs.map(|(_, value)| &**value)
    }

    /// Returns the value of a parameter; errors if it is given twice.
    pub(crate) fn text(&self, name: &str) -> Result<Option<&str>, Failure> {
        let mut values = self.all(name);
        match (values.next(), values.next()) {
            (Some(_), Some(_)) => Err(Failure::bad_request(format!(
                "parameter \"{name}\" is given twice; give it once"
            ))),
            (value, _) => Ok(value),
        }
    }

    /// Parses the kind of a competitor.
    pub(crate) fn kind(&self) -> Result<Option<EntrantKind>, Failure> {
        Ok(self.request::<KindParameter>()?.kind)
    }

    /// Parses the names of sources.
    pub(crate) fn sources(&self) -> Result<Vec<SourceName>, Failure> {
        self.all("source").map(parse_source).collect()
    }

    /// Parses the choice of a run: `run`, or `system`.
    pub(crate) fn run(&self) -> Result<RunChoice, Failure> {
        self.request()
    }

    /// Returns the parameters with another value in place of this one.
    pub(crate) fn with_value(&self, name: &str, old: &str, new: &str) -> Self {
        let pairs = self.0.iter().map(|(key, value)| match value {
            value if key == name && value == old => (key.clone(), new.to_owned()),
            value => (key.clone(), value.clone()),
        });
        Self(pairs.collect())
    }

    /// Returns the parameters with the value of one that is not given.
    pub(crate) fn or_default(&self, name: &str, value: Option<String>) -> Self {
        let mut parameters = self.clone();
        if self.all(name).next().is_none() {
            parameters.0.extend(value.map(|value| (name.to_owned(), value)));
        }
        parameters
    }

    /// Returns a link with these parameters, of which some are changed. An empty value removes one.
    pub(crate) fn link(&self, path: &str, changes: &[(&str, &str)]) -> String {
        let unchanged = self.0.iter().map(|(name, value)| (&**name, &**value));
        let unchanged = unchanged.filter(|(name, _)| changes.iter().all(|(key, _)| key != name));
        link(path, unchanged.chain(changes.iter().copied()))
    }
}

/// The kind of a competitor.
#[derive(Args)]
struct KindParameter {
    #[arg(long, value_parser = parse_kind)]
    kind: Option<EntrantKind>,
}

/// Errors if a number is not within the bounds of requests from the web.
fn check_bounds(name: &str, value: &str, max_rows: usize) -> Result<(), Failure> {
    let (is_valid, expected) = match name {
        "limit" => at_most(value, max_rows),
        "offset" => at_most(value, MAX_OFFSET),
        "opponents" => at_most(value, MAX_OPPONENTS),
        "min-contests" | "inactive-after" => at_most(value, MAX_COUNT),
        "k" => is_within(value, 0.0, 100.0),
        "rating" => is_within(value, -(MAX_COUNT as f64), MAX_COUNT as f64),
        _ => return Ok(()),
    };
    if is_valid {
        return Ok(());
    }
    Err(Failure::bad_request(format!(
        "parameter \"{name}\" is \"{value}\": expected a number {expected}"
    )))
}

/// True if the value is a number of digits up to `max`; with the description of such numbers.
fn at_most(value: &str, max: usize) -> (bool, String) {
    let is_valid = parse_digits(value).is_some_and(|number| number <= max);
    (is_valid, format!("from 0 to {max}"))
}

/// True if the value is a number in a range; with the description of such numbers.
fn is_within(value: &str, min: f64, max: f64) -> (bool, String) {
    let is_valid = value.parse().is_ok_and(|number: f64| (min..=max).contains(&number));
    (is_valid, format!("from {min} to {max}"))
}

/// Returns a link to a path with parameters; those with an empty value are left out.
pub(crate) fn link<'a>(
    path: &str,
    parameters: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    for (name, value) in parameters {
        if !value.is_empty() {
            query.append_pair(name, value);
        }
    }
    match query.finish() {
        query if query.is_empty() => path.to_owned(),
        query => format!("{path}?{query}"),
    }
}

/// Parses the name of a source.
pub(crate) fn parse_source(word: &str) -> Result<SourceName, Failure> {
    SourceName::new(word).map_err(|error| Failure::bad_request(error.to_string()))
}

/// The source in a path.
pub(crate) type SourcePath = Result<Path<String>, PathRejection>;

/// The source and the id in a path.
pub(crate) type ItemPath = Result<Path<(String, String)>, PathRejection>;

/// Parses the source in a path.
pub(crate) fn source_of_path(path: SourcePath) -> Result<SourceName, Failure> {
    let Path(source) = path.map_err(|error| Failure::bad_request(error.body_text()))?;
    parse_source(&source)
}

/// Parses the source and the id in a path.
pub(crate) fn item_of_path(path: ItemPath) -> Result<(SourceName, String), Failure> {
    let Path((source, id)) = path.map_err(|error| Failure::bad_request(error.body_text()))?;
    Ok((parse_source(&source)?, id_of_segment(&id).to_owned()))
}

/// Parses a number of digits only: Rust parses `+9`, too.
fn parse_digits(word: &str) -> Option<usize> {
    let is_plain = word.bytes().all(|byte| byte.is_ascii_digit());
    word.parse().ok().filter(|_| is_plain)
}

#[cfg(test)]
mod tests {
    use ranklore_views::{LeaderboardRequest, Page};

    use super::*;

    const ROWS: Rows = Rows { usual: 10, max: 20 };

    fn parse(query: &str) -> Parameters {
        Parameters::parse(Some(query)).unwrap()
    }

    #[test]
    fn values_are_decoded_and_empty_ones_absent() {
        let parameters = parse("text=a%26b+%C5%A0&run=&limit=20&source=a&source=b");
        assert_eq!(parameters.text("text").unwrap(), Some("a&b Š"));
        assert_eq!(parameters.text("run").unwrap(), None);
        assert_eq!(parameters.list_request::<Page>(ROWS).unwrap().limit, 20);
        assert_eq!(parameters.sources().unwrap().len(), 2);
        assert!(parameters.text("source").is_err(), "twice");
        let names = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert!(parameters.check_names(&names(&["text", "limit"])).is_err());
        assert!(parameters.check_names(&names(&["text", "limit", "source"])).is_ok());
    }

    #[test]
    fn invalid_values_are_refused() {
        for query in [
            "limit=21",
            "limit=-1",
            "limit=%2B1",
            "limit=1e1",
            "limit=99999999999999999999",
            "limit=1&limit=2",
            "inactive=1",
            "k=101",
            "k=NaN",
            "min-contests=1000001",
            "sort=luck",
            "provisional=first",
            "source=a/b",
            "run=1&system=elo-mmr",
            "system=elo-nothing",
            "since=yesterday",
            "since=2024-13-01",
            "since=2024-01-31T18:00:00",
            "since=1582-12-31",
            "since=2200-01-01",
        ] {
            assert!(parse(query).list_request::<LeaderboardRequest>(ROWS).is_err(), "{query}");
        }
        assert!(parse("kind=robot").kind().is_err());
        assert!(Parameters::parse(Some(&"a=b&".repeat(40))).is_err());
        assert!(Parameters::parse(Some(&"a".repeat(20_000))).is_err());
    }

    #[test]
    fn messages_say_what_is_expected() {
        for (query, message) in [
            ("k=101", "parameter \"k\" is \"101\": expected a number from 0 to 100"),
            (
                "sort=no",
                "\"sort\" is \"no\": expected rating, conservative, mu, peak, sigma, contests, ",
            ),
            ("inactive=1", "parameter \"inactive\" is \"1\": expected true or false"),
            ("since=x", "parameter \"since\" is \"x\": expected a day such as 2024-01-31"),
            ("run=1&system=elo-mmr", "parameters \"run\" and \"system\" exclude each other"),
            ("limit=1&limit=2", "parameter \"limit\" is given twice; give it once"),
        ] {
            let failure = parse(query).list_request::<LeaderboardRequest>(ROWS).unwrap_err();
            assert!(failure.message.contains(message), "{}", failure.message);
        }
    }

    #[test]
    fn links_keep_other_parameters() {
        let parameters = parse("source=club&offset=50&text=a%26b");
        assert_eq!(
            parameters.link("/players", &[("offset", "100")]),
            "/players?source=club&text=a%26b&offset=100"
        );
        assert_eq!(
            parameters.link("/players", &[("offset", ""), ("text", ""), ("source", "")]),
            "/players"
        );
    }
}
