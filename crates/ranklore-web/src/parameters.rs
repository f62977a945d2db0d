//! The parameters of a request, parsed into types.

use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use ranklore_contest::{ContestTime, EntrantKind, SourceName};
use ranklore_replay::{Page, RunChoice, RunKey, SystemSpec};

use crate::failure::Failure;
use crate::paths::id_of_segment;

/// The longest query of a URL, in bytes. A name has at most 1,000 characters.
const MAX_QUERY_BYTES: usize = 16_384;

/// The most parameters of a request: the names of a predicted field, and four others.
const MAX_PARAMETERS: usize = 36;

/// The largest number of rows to skip.
const MAX_OFFSET: usize = 100_000_000;

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
    pub(crate) fn check_names(&self, names: &[&str]) -> Result<(), Failure> {
        match self.0.iter().find(|(name, _)| !names.contains(&&**name)) {
            None => Ok(()),
            Some((name, _)) => Err(Failure::bad_request(format!(
                "there is no parameter \"{name}\"; use {}",
                names.join(", ")
            ))),
        }
    }

    /// Returns the parameters with these names.
    pub(crate) fn only(&self, names: &[&str]) -> Self {
        let pairs = self.0.iter().filter(|(name, _)| names.contains(&&**name));
        Self(pairs.cloned().collect())
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

    /// Parses the value of a parameter.
    pub(crate) fn parsed<T>(
        &self,
        name: &str,
        expected: &str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, Failure> {
        let Some(value) = self.text(name)? else {
            return Ok(None);
        };
        match parse(value) {
            Some(parsed) => Ok(Some(parsed)),
            None => Err(Failure::bad_request(format!(
                "parameter \"{name}\" is \"{value}\": expected {expected}"
            ))),
        }
    }

    /// Parses one of the words of an enum.
    pub(crate) fn word<T: Copy>(
        &self,
        name: &str,
        variants: &[T],
        as_str: fn(T) -> &'static str,
    ) -> Result<Option<T>, Failure> {
        let words: Vec<&str> = variants.iter().map(|&variant| as_str(variant)).collect();
        let (last, first) = words.split_last().unwrap_or((&"", &[]));
        let expected = format!("{} or {last}", first.join(", "));
        self.parsed(name, &expected, |value| variants.iter().copied().find(|&v| as_str(v) == value))
    }

    /// Parses a number up to `max`.
    pub(crate) fn number(&self, name: &str, max: usize) -> Result<Option<usize>, Failure> {
        self.parsed(name, &format!("a number from 0 to {max}"), |value| {
            parse_digits(value).filter(|&number| number <= max)
        })
    }

    /// True if a parameter is `true`.
    pub(crate) fn flag(&self, name: &str) -> Result<bool, Failure> {
        let flag = self.parsed(name, "true or false", |value| value.parse().ok())?;
        Ok(flag.unwrap_or(false))
    }

    /// Parses a day, which stands for its first second, or a time.
    pub(crate) fn time(&self, name: &str) -> Result<Option<ContestTime>, Failure> {
        self.parsed(name, EXPECTED_TIME, |value| ContestTime::new(parse_time(value)?.0))
    }

    /// Parses a day, which stands for its last second, or a time.
    pub(crate) fn end_time(&self, name: &str) -> Result<Option<ContestTime>, Failure> {
        self.parsed(name, EXPECTED_TIME, |value| {
            let (from, is_day) = parse_time(value)?;
            ContestTime::new(from)?;
            let end = from + if is_day { 86_399 } else { 0 };
            Some(ContestTime::new(end).unwrap_or(ContestTime::MAX))
        })
    }

    /// Parses the kind of a competitor.
    pub(crate) fn kind(&self) -> Result<Option<EntrantKind>, Failure> {
        self.word("kind", &EntrantKind::VARIANTS, EntrantKind::as_str)
    }

    /// Parses the names of sources.
    pub(crate) fn sources(&self) -> Result<Vec<SourceName>, Failure> {
        self.all("source").map(parse_source).collect()
    }

    /// Parses the choice of a run: `run`, or `system`.
    pub(crate) fn run(&self) -> Result<RunChoice, Failure> {
        let run = self.text("run")?.map(RunKey::parse);
        let system = self.text("system")?.map(SystemSpec::parse).transpose();
        let system = system.map_err(|error| Failure::bad_request(error.to_string()))?;
        if run.is_some() && system.is_some() {
            return Err(Failure::bad_request(
                "parameters \"run\" and \"system\" exclude each other; leave out one of them",
            ));
        }
        Ok(RunChoice { run, system })
    }

    /// Parses the page of a list with at most `max` rows, `usual` by default.
    pub(crate) fn page(&self, usual: usize, max: usize) -> Result<Page, Failure> {
        Ok(Page {
            offset: self.number("offset", MAX_OFFSET)?.unwrap_or(0),
            limit: self.number("limit", max)?.unwrap_or(usual),
        })
    }

    /// Returns the parameters with another value in place of this one.
    pub(crate) fn with_value(&self, name: &str, old: &str, new: &str) -> Self {
        let pairs = self.0.iter().map(|(key, value)| match value {
            value if key == name && value == old => (key.clone(), new.to_owned()),
            value => (key.clone(), value.clone()),
        });
        Self(pairs.collect())
    }

    /// Returns a link with these parameters, of which some are changed. An empty value removes one.
    pub(crate) fn link(&self, path: &str, changes: &[(&str, &str)]) -> String {
        let unchanged = self.0.iter().map(|(name, value)| (&**name, &**value));
        let unchanged = unchanged.filter(|(name, _)| changes.iter().all(|(key, _)| key != name));
        link(path, unchanged.chain(changes.iter().copied()))
    }
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

const EXPECTED_TIME: &str = "a day such as 2024-01-31, or a moment such as 2024-01-31T18:00:00Z, \
     from 1583 to 2199";

/// Parses a day (midnight UTC) or an ISO 8601 timestamp; true for a day.
fn parse_time(word: &str) -> Option<(i64, bool)> {
    if let Ok(moment) = word.parse::<Timestamp>() {
        return Some((moment.as_second(), false));
    }
    let day: Date = word.parse().ok()?;
    // The parser of dates ignores a time of day behind it.
    let day = Some(day).filter(|day| day.to_string() == word)?;
    let midnight = day.to_zoned(TimeZone::UTC).ok()?;
    Some((midnight.timestamp().as_second(), true))
}

/// Parses a number of digits only: Rust parses `+9`, too.
fn parse_digits(word: &str) -> Option<usize> {
    let is_plain = word.bytes().all(|byte| byte.is_ascii_digit());
    word.parse().ok().filter(|_| is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(query: &str) -> Parameters {
        Parameters::parse(Some(query)).unwrap()
    }

    #[test]
    fn values_are_decoded_and_empty_ones_absent() {
        let parameters = parse("text=a%26b+%C5%A0&run=&limit=20&source=a&source=b");
        assert_eq!(parameters.text("text").unwrap(), Some("a&b Š"));
        assert_eq!(parameters.text("run").unwrap(), None);
        assert_eq!(parameters.number("limit", 20).unwrap(), Some(20));
        assert_eq!(parameters.sources().unwrap().len(), 2);
        assert!(parameters.text("source").is_err(), "twice");
        assert!(parameters.check_names(&["text", "limit"]).is_err());
        assert!(parameters.check_names(&["text", "limit", "source"]).is_ok());
    }

    #[test]
    fn invalid_values_are_refused() {
        for query in [
            "limit=21",
            "limit=-1",
            "limit=%2B1",
            "limit=1e1",
            "limit=99999999999999999999",
        ] {
            assert!(parse(query).number("limit", 20).is_err(), "{query}");
        }
        assert!(parse("inactive=1").flag("inactive").is_err());
        assert!(parse("kind=robot").kind().is_err());
        assert!(parse("source=a/b").sources().is_err());
        assert!(parse("run=1&system=elo-mmr").run().is_err());
        assert!(parse("system=elo-nothing").run().is_err());
        for word in [
            "yesterday",
            "2024-13-01",
            "2024-01-31T18:00:00",
            "1582-12-31",
            "2200-01-01",
        ] {
            assert!(parse(&format!("since={word}")).time("since").is_err(), "{word}");
        }
        assert!(Parameters::parse(Some(&"a=b&".repeat(40))).is_err());
        assert!(Parameters::parse(Some(&"a".repeat(20_000))).is_err());
    }

    #[test]
    fn days_end_at_their_last_second() {
        let parameters = parse("day=1970-01-02&time=1970-01-02T00:00:00Z");
        let at = |time: Option<ContestTime>| time.unwrap().get();
        assert_eq!(at(parameters.time("day").unwrap()), 86_400);
        assert_eq!(at(parameters.end_time("day").unwrap()), 2 * 86_400 - 1);
        assert_eq!(at(parameters.end_time("time").unwrap()), 86_400);
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
