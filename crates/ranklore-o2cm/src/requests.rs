//! Requests to O2CM, and their request keys.

use std::fmt;
use std::ops::RangeInclusive;

use jiff::civil::Date;
use ranklore_contest::UnixSeconds;
use ranklore_source::{MediaKind, Method, Request, RequestKey};

const LIST: &str = "default.asp";
const COMPETITION: &str = "event3.asp";
const SCORESHEET: &str = "scoresheet3.asp";

/// A request to O2CM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum O2cmRequest {
    /// The list of months.
    Months,
    /// The competitions of a month.
    Month(Month),
    /// All heats of a competition, by its id.
    Competition(String),
    /// Marks of judges, archived by earlier versions. Nothing reads them.
    Scoresheet,
}

/// A calendar month.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Month {
    year: i16,
    /// From 1 to 12.
    month: i8,
}

impl Month {
    /// Creates a month from 1990 to 2199.
    pub(crate) fn new(year: i16, month: i8) -> Option<Self> {
        ((1990..=2199).contains(&year) && (1..=12).contains(&month)).then_some(Self { year, month })
    }

    pub(crate) fn year(self) -> i16 {
        self.year
    }

    pub(crate) fn month(self) -> i8 {
        self.month
    }

    pub(crate) fn next(self) -> Option<Self> {
        match self.month {
            12 => Self::new(self.year.checked_add(1)?, 1),
            _ => Self::new(self.year, self.month + 1),
        }
    }

    /// Returns the starts of the first and the last day.
    fn day_range(self) -> Option<RangeInclusive<UnixSeconds>> {
        let first = Date::new(self.year, self.month, 1).ok()?;
        Some(midnight(first)?..=midnight(first.last_of_month())?)
    }

    /// Returns the end of the following month, until which the competitions are renewed.
    fn settles_at(self) -> Option<UnixSeconds> {
        let month = self.next()?.next()?;
        midnight(Date::new(month.year, month.month, 1).ok()?)
    }
}

impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{:02}", self.year, self.month)
    }
}

/// Returns the start of a day; `None` outside 1970 to 2199.
pub(crate) fn midnight(date: Date) -> Option<UnixSeconds> {
    let zoned = date.to_zoned(jiff::tz::TimeZone::UTC).ok()?;
    UnixSeconds::new(zoned.timestamp().as_second())
}

/// True if the text is an id: letters, digits, `-`, `_`, `.`; up to 40 characters.
pub(crate) fn is_competition_id(id: &str) -> bool {
    let mut bytes = id.bytes();
    (1..=40).contains(&id.len())
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
}

/// True if the text is a heat id: up to 16 hexadecimal digits.
pub(crate) fn is_heat_id(id: &str) -> bool {
    (1..=16).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Returns the key of a competition: its id in lower case. The site accepts either case; requests
/// use the case it writes.
pub(crate) fn competition_id(event: &str) -> String {
    event.to_ascii_lowercase()
}

/// Returns the key of a heat: that of its competition, and its id in upper case.
pub(crate) fn heat_id(event: &str, heat: &str) -> String {
    format!("{}/{}", competition_id(event), heat.to_ascii_uppercase())
}

/// True if a link leads to a page with this name, in any version: `event3.asp?event=x` is a page
/// `event`.
pub(crate) fn links_to_page(href: &str, name: &str) -> bool {
    let path = href.split(['?', '#']).next().unwrap_or_default();
    let file = path.rsplit('/').next().unwrap_or_default();
    let file = file.to_ascii_lowercase();
    let version = file.strip_prefix(name);
    let version = version.and_then(|rest| rest.strip_suffix(".asp"));
    version.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
}

impl O2cmRequest {
    /// Parses a request key; `None` if it belongs to no request.
    pub(crate) fn parse(request_key: &str) -> Option<Self> {
        let request = RequestKey::parse(request_key)?;
        let field = |name: &str| request.parameter(name);
        match (request.method, request.path) {
            (Method::Get, LIST) => Some(Self::Months),
            (Method::Post, LIST) => {
                let year = field("inyear")?.parse().ok()?;
                let month = field("inmonth")?.parse().ok()?;
                Month::new(year, month).map(Self::Month)
            }
            (Method::Post, COMPETITION) => {
                let event = field("event").filter(|id| is_competition_id(id))?;
                Some(Self::Competition(event.into_owned()))
            }
            (_, SCORESHEET) => Some(Self::Scoresheet),
            _ => None,
        }
    }
}

pub(crate) fn months() -> Request {
    Request::get(LIST, MediaKind::Html, "the months there are")
}

pub(crate) fn month(month: Month) -> Request {
    let request = Request::post(LIST, MediaKind::Html, format!("competitions of {month}"))
        .with_form_field("inyear", month.year)
        .with_form_field("inmonth", month.month)
        .with_form_field("Go", "Go");
    Request {
        settles_at: month.settles_at(),
        covers: month.day_range(),
        ..request
    }
}

/// Returns the request for all heats of a competition held in this month. The site fails if a field
/// is missing.
pub(crate) fn competition(id: &str, month: Month) -> Request {
    let request = Request::post(COMPETITION, MediaKind::Html, format!("competition {id}"))
        .with_form_field("event", id)
        .with_form_field("selDiv", "")
        .with_form_field("selAge", "")
        .with_form_field("selSkl", "")
        .with_form_field("selSty", "")
        .with_form_field("selEnt", "")
        .with_form_field("submit", "OK");
    Request {
        settles_at: month.settles_at(),
        ..request
    }
}

/// Returns the public URL of a competition.
pub(crate) fn competition_url(id: &str) -> String {
    format!("https://results.o2cm.com/{COMPETITION}?event={id}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_parsed_from_their_keys() {
        let april = Month::new(2023, 4).unwrap();
        for (request, key, question) in [
            (months(), "GET default.asp", O2cmRequest::Months),
            (
                month(april),
                "POST default.asp Go=Go&inmonth=4&inyear=2023",
                O2cmRequest::Month(april),
            ),
            (
                competition("Gls25", april),
                "POST event3.asp event=Gls25&selAge=&selDiv=&selEnt=&selSkl=&selSty=&submit=OK",
                O2cmRequest::Competition("Gls25".to_owned()),
            ),
        ] {
            assert_eq!(request.key(), key);
            assert_eq!(O2cmRequest::parse(key), Some(question));
        }
        for foreign in [
            "",
            "standings.html",
            "POST default.asp Go=Go&inmonth=13&inyear=2023",
            "POST default.asp Go=Go&inmonth=4&inyear=99999",
            "GET event3.asp?event=gls25",
            "POST event3.asp event=",
            "POST event3.asp event=gls%2F25",
        ] {
            assert_eq!(O2cmRequest::parse(foreign), None, "{foreign}");
        }
    }

    #[test]
    fn links_match_page_in_any_version() {
        for href in [
            "event3.asp?event=gls25&bclr=#FFFFFF",
            "event2.asp",
            "EVENT3.ASP#x",
            "https://results.o2cm.com/event.asp?event=gls25",
        ] {
            assert!(links_to_page(href, "event"), "{href}");
        }
        for href in [
            "https://www.o2cm.com",
            "events.asp",
            "individual.asp?event3.asp",
            "event3.php",
            "scoresheet3.asp",
            "",
        ] {
            assert!(!links_to_page(href, "event"), "{href}");
        }
    }

    #[test]
    fn ids_are_case_insensitive() {
        assert_eq!(competition_id("Gls25A"), "gls25a");
        assert_eq!(heat_id("Gls25A", "4032812b"), "gls25a/4032812B");
    }

    #[test]
    fn month_covers_its_days() {
        let covers = month(Month::new(2024, 2).unwrap()).covers.unwrap();
        let days = [covers.start(), covers.end()].map(ToString::to_string);
        assert_eq!(days, ["2024-02-01", "2024-02-29"]);
        assert_eq!(competition("gls24", Month::new(2024, 2).unwrap()).covers, None);
    }

    #[test]
    fn month_settles_after_next_month() {
        let settles_at = |year, month| {
            let settles_at = Month::new(year, month).unwrap().settles_at();
            settles_at.map(|at| at.to_string())
        };
        assert_eq!(settles_at(2023, 4).as_deref(), Some("2023-06-01"));
        assert_eq!(settles_at(2022, 11).as_deref(), Some("2023-01-01"));
        assert_eq!(settles_at(2199, 12), None);
    }
}
