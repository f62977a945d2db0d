//! Requests to CTFtime, and their request keys.

use std::ops::RangeInclusive;
use std::time::Duration;

use jiff::civil::{Date, date};
use jiff::tz::TimeZone;
use ranklore_contest::UnixSeconds;
use ranklore_source::{MediaKind, Method, Request, RequestKey};

const RESULTS: &str = "api/v1/results/";
const EVENTS: &str = "api/v1/events/";
const TEAMS: &str = "api/v1/teams/";

/// Years to request, once they begin.
pub(crate) const YEARS: std::ops::RangeInclusive<i16> = 2011..=2099;

/// Renewal period of results older than the previous year: they change when teams are merged or
/// organisers correct them.
const OLD_YEAR_RENEWAL: Duration = Duration::from_hours(30 * 24);

/// Maximum number of events per response; all known clients request it.
pub(crate) const MAX_EVENTS_PER_REQUEST: usize = 100;

/// Overlap of a month's window into the next month, in seconds: the site leaves out events that end
/// after the window.
const OVERLAP: i64 = 7 * DAY;

/// Tolerance for an event's start outside its year, in seconds.
pub(crate) const YEAR_TOLERANCE: i64 = 31 * DAY;

/// Period of voting on weights after an event, in seconds.
const VOTING_PERIOD: i64 = 90 * DAY;

/// Maximum number of teams per response. The site may return fewer and says so.
pub(crate) const MAX_TEAMS_PER_REQUEST: u64 = 1_000;

/// Upper bound of the team offset: about 300,000 teams had a place by 2026.
const MAX_OFFSET: u64 = 2_000_000;

/// Period in which an interrupted list of teams resumes where it stopped.
const TEAMS_RENEWAL: Duration = Duration::from_hours(7 * 24);

const DAY: i64 = 86_400;

/// A request to CTFtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CtftimeRequest {
    /// The results of all events of a year.
    Results(i16),
    /// The events within a window.
    Events(TimeWindow),
    /// The teams from this offset on.
    Teams(u64),
    /// The team with this id.
    Team(u32),
}

/// A period, in Unix seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TimeWindow {
    pub(crate) start: UnixSeconds,
    pub(crate) finish: UnixSeconds,
}

impl TimeWindow {
    /// Returns the window of the month that contains this time.
    pub(crate) fn of_month(at: UnixSeconds) -> Option<Self> {
        let moment = jiff::Timestamp::from_second(at.get()).ok()?;
        let first = moment.to_zoned(TimeZone::UTC).date().first_of_month();
        let next = first.last_of_month().tomorrow().ok()?;
        Some(Self {
            start: midnight(first)?,
            finish: UnixSeconds::new(midnight(next)?.get() + OVERLAP)?,
        })
    }

    /// Splits the window in two halves, the first with the usual overlap; `None` if the window is
    /// too short.
    pub(crate) fn halves(self) -> Option<[Self; 2]> {
        let start = self.start.get();
        let finish = self.finish.get();
        if finish - start < 3 * OVERLAP {
            return None;
        }
        let middle = start + (finish - start) / 2;
        let first = UnixSeconds::new(middle + OVERLAP)?;
        let second = UnixSeconds::new(middle)?;
        Some([
            Self {
                finish: first,
                ..self
            },
            Self {
                start: second,
                ..self
            },
        ])
    }
}

impl CtftimeRequest {
    /// Parses a request key; `None` if it belongs to no request.
    pub(crate) fn parse(request_key: &str) -> Option<Self> {
        let request = RequestKey::parse(request_key)?;
        if request.method != Method::Get {
            return None;
        }
        let number = |name: &str| -> Option<i64> {
            let digits = request.parameter(name)?;
            let number = digits.parse::<i64>().ok()?;
            (number.to_string() == digits).then_some(number)
        };
        match request.path {
            EVENTS => Some(Self::Events(TimeWindow {
                start: UnixSeconds::new(number("start")?)?,
                finish: UnixSeconds::new(number("finish")?)?,
            })),
            TEAMS => Some(Self::Teams(number("offset")?.try_into().ok()?)),
            path => {
                let path = path.strip_suffix('/')?;
                if let Some(team) = path.strip_prefix(TEAMS) {
                    return parse_id(team).map(Self::Team);
                }
                let year = path.strip_prefix(RESULTS)?;
                let number = year.parse::<i16>().ok()?;
                let known = YEARS.contains(&number) && number.to_string() == year;
                known.then_some(Self::Results(number))
            }
        }
    }
}

/// Parses the id of an event or a team.
pub(crate) fn parse_id(text: &str) -> Option<u32> {
    let number = text.parse::<u32>().ok().filter(|number| *number > 0)?;
    (number.to_string() == text).then_some(number)
}

/// Returns the start of a year.
pub(crate) fn year_start(year: i16) -> Option<UnixSeconds> {
    midnight(date(year, 1, 1))
}

fn midnight(day: Date) -> Option<UnixSeconds> {
    let zoned = day.to_zoned(TimeZone::UTC).ok()?;
    UnixSeconds::new(zoned.timestamp().as_second())
}

/// Returns the request for a year's results: at every sync until the end of the following year,
/// then monthly.
pub(crate) fn results(year: i16) -> Request {
    let path = format!("{RESULTS}{year}/");
    let request = Request::get(path, MediaKind::Json, format!("results of {year}"));
    Request {
        opens_at: year_start(year),
        settles_at: year_start(year + 2),
        renewed_after: Some(OLD_YEAR_RENEWAL),
        covers: year_end_range(year),
        ..request
    }
}

/// Returns the period in which events of a year end, including the last month's window.
fn year_end_range(year: i16) -> Option<RangeInclusive<UnixSeconds>> {
    let first = year_start(year)?.get() - YEAR_TOLERANCE;
    let last = year_start(year + 1)?.get() + YEAR_TOLERANCE + OVERLAP;
    Some(UnixSeconds::new(first)?..=UnixSeconds::new(last)?)
}

pub(crate) fn events(window: TimeWindow) -> Request {
    let description = format!("events from {} to {}", window.start, window.finish);
    let request = Request::get(EVENTS, MediaKind::Json, description)
        .with_parameter("limit", MAX_EVENTS_PER_REQUEST)
        .with_parameter("start", window.start.get())
        .with_parameter("finish", window.finish.get());
    Request {
        settles_at: UnixSeconds::new(window.finish.get() + VOTING_PERIOD),
        covers: Some(window.start..=window.finish),
        ..request
    }
}

/// Returns the request for the teams from this offset on; `None` beyond the upper bound.
pub(crate) fn teams(offset: u64) -> Option<Request> {
    let request = Request::get(TEAMS, MediaKind::Json, format!("teams from {offset} on"))
        .with_parameter("limit", MAX_TEAMS_PER_REQUEST)
        .with_parameter("offset", offset);
    (offset <= MAX_OFFSET).then_some(Request {
        settles_at: Some(UnixSeconds::MIN),
        renewed_after: Some(TEAMS_RENEWAL),
        ..request
    })
}

/// Returns the request for one team. The response holds until a full sync, since later names come
/// with the list of teams. For an unknown team the site may return a page.
pub(crate) fn team(id: u32) -> Request {
    let path = format!("{TEAMS}{id}/");
    Request {
        settles_at: Some(UnixSeconds::MIN),
        ..Request::get(path, MediaKind::Text, format!("team {id}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> UnixSeconds {
        UnixSeconds::new(seconds).unwrap()
    }

    #[test]
    fn requests_are_parsed_from_their_keys() {
        let window = TimeWindow {
            start: at(1_717_200_000),
            finish: at(1_720_396_800),
        };
        for (request, key, question) in [
            (results(2024), "GET api/v1/results/2024/", CtftimeRequest::Results(2024)),
            (
                events(window),
                "GET api/v1/events/?finish=1720396800&limit=100&start=1717200000",
                CtftimeRequest::Events(window),
            ),
            (
                teams(2000).unwrap(),
                "GET api/v1/teams/?limit=1000&offset=2000",
                CtftimeRequest::Teams(2000),
            ),
            (team(701), "GET api/v1/teams/701/", CtftimeRequest::Team(701)),
        ] {
            assert_eq!(request.key(), key);
            assert_eq!(CtftimeRequest::parse(key), Some(question));
        }
        for foreign in [
            "",
            "results.json",
            "GET api/v1/results/",
            "GET api/v1/results/2010/",
            "GET api/v1/results/02024/",
            "GET api/v1/results/2024",
            "POST api/v1/results/2024/",
            "GET api/v1/events/?start=1",
            "GET api/v1/events/?finish=x&start=1",
            "GET api/v1/teams/?offset=-1",
            "GET api/v1/teams/",
            "GET api/v1/teams/0/",
            "GET api/v1/teams/0701/",
            "GET api/v1/teams/701",
            "GET api/v1/votes/2024/",
        ] {
            assert_eq!(CtftimeRequest::parse(foreign), None, "{foreign}");
        }
    }

    #[test]
    fn window_spans_month_and_week() {
        let window = TimeWindow::of_month(at(1_718_000_000)).unwrap();
        assert_eq!(window.start.to_string(), "2024-06-01");
        assert_eq!(window.finish.to_string(), "2024-07-08");
        let december = TimeWindow::of_month(at(1_735_600_000)).unwrap();
        assert_eq!(december.start.to_string(), "2024-12-01");
        assert_eq!(december.finish.to_string(), "2025-01-08");
        let [first, second] = window.halves().unwrap();
        assert_eq!((first.start, second.finish), (window.start, window.finish));
        assert!(second.start < first.finish && first.finish < window.finish);
        // Halving ends.
        let mut window = window;
        for _ in 0..10 {
            match window.halves() {
                Some([first, _]) => window = first,
                None => return,
            }
        }
        panic!("halved for ever: {window:?}");
    }

    #[test]
    fn requests_cover_event_end_times() {
        let covers = |request: Request| {
            let covers = request.covers.unwrap();
            [covers.start(), covers.end()].map(ToString::to_string)
        };
        assert_eq!(covers(results(2013)), ["2012-12-01", "2014-02-08"]);
        let window = TimeWindow::of_month(at(1_718_000_000)).unwrap();
        assert_eq!(covers(events(window)), ["2024-06-01", "2024-07-08"]);
    }

    #[test]
    fn old_years_are_renewed_monthly() {
        let request = results(2024);
        let day = |text: &str| {
            let date: Date = text.parse().unwrap();
            midnight(date).unwrap()
        };
        assert!(!request.is_open(day("2023-12-31")) && request.is_open(day("2024-01-01")));
        let settled = |fetched: &str, now: &str| request.is_settled(day(fetched).get(), day(now));
        assert!(!settled("2024-06-01", "2024-06-02"));
        assert!(!settled("2025-12-31", "2025-12-31"));
        assert!(!settled("2025-12-31", "2026-01-01"));
        assert!(settled("2026-01-01", "2026-01-20"));
        assert!(!settled("2026-01-01", "2026-02-01"));
    }
}
