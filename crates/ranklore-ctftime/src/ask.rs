//! What is asked of CTFtime, as requests and as read back from their keys.

use std::ops::RangeInclusive;
use std::time::Duration;

use jiff::civil::{Date, date};
use jiff::tz::TimeZone;
use ranklore_contest::UnixSeconds;
use ranklore_source::{Asked, Form, Method, Request};

const RESULTS: &str = "api/v1/results/";
const EVENTS: &str = "api/v1/events/";
const TEAMS: &str = "api/v1/teams/";

/// The years that are asked for, once they begin.
pub(crate) const YEARS: std::ops::RangeInclusive<i16> = 2011..=2099;

/// Results of older years than the current and the last are asked for so often: they move when
/// teams are merged and organisers correct.
const OLDER_YEARS: Duration = Duration::from_hours(30 * 24);

/// So many events at most in one answer: what every client asks for.
pub(crate) const EVENTS_A_REQUEST: usize = 100;

/// The window of a month reaches so far into the next, in seconds: the site leaves out what
/// goes on beyond the end of a window.
const OVERLAP: i64 = 7 * DAY;

/// An event that began so far outside of its year, in seconds, is not of that year.
pub(crate) const ASTRAY: i64 = 31 * DAY;

/// Weights are voted on for weeks after the event, in seconds.
const VOTED: i64 = 90 * DAY;

/// So many teams at most in one answer. The site may give fewer, and says so.
pub(crate) const TEAMS_A_REQUEST: u64 = 1_000;

/// There are not so many teams: about 300,000 had been placed by 2026.
const MAX_OFFSET: u64 = 2_000_000;

/// A list of teams that was broken off goes on where it was for so long.
const TEAMS_REST: Duration = Duration::from_hours(7 * 24);

const DAY: i64 = 86_400;

/// What a document answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    /// How all events of this year came out.
    Results(i16),
    /// The events within this window.
    Events(Window),
    /// The teams of the site from this one on, counted from 0.
    Teams(u64),
    /// The team of this number.
    Team(u32),
}

/// From when to when, in seconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Window {
    pub(crate) start: UnixSeconds,
    pub(crate) finish: UnixSeconds,
}

impl Window {
    /// That of the month in which something began.
    pub(crate) fn of_month(at: UnixSeconds) -> Option<Self> {
        let moment = jiff::Timestamp::from_second(at.get()).ok()?;
        let first = moment.to_zoned(TimeZone::UTC).date().first_of_month();
        let next = first.last_of_month().tomorrow().ok()?;
        Some(Self {
            start: midnight(first)?,
            finish: UnixSeconds::new(midnight(next)?.get() + OVERLAP)?,
        })
    }

    /// Its two halves, the first as much too long as the window of a month; nothing if it is too
    /// short for that.
    pub(crate) fn halves(self) -> Option<[Self; 2]> {
        let (start, finish) = (self.start.get(), self.finish.get());
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

impl Question {
    /// The question of a key; `None` where it is none of these.
    pub(crate) fn parse(request_key: &str) -> Option<Self> {
        let asked = Asked::parse(request_key)?;
        if asked.method != Method::Get {
            return None;
        }
        let number = |name: &str| -> Option<i64> {
            let digits = asked.get(name)?;
            let number = digits.parse::<i64>().ok()?;
            (number.to_string() == digits).then_some(number)
        };
        match asked.path {
            EVENTS => Some(Self::Events(Window {
                start: UnixSeconds::new(number("start")?)?,
                finish: UnixSeconds::new(number("finish")?)?,
            })),
            TEAMS => Some(Self::Teams(number("offset")?.try_into().ok()?)),
            path => {
                let path = path.strip_suffix('/')?;
                if let Some(team) = path.strip_prefix(TEAMS) {
                    return id_number(team).map(Self::Team);
                }
                let year = path.strip_prefix(RESULTS)?;
                let number = year.parse::<i16>().ok()?;
                let known = YEARS.contains(&number) && number.to_string() == year;
                known.then_some(Self::Results(number))
            }
        }
    }
}

/// Returns the number of an event or a team as the site writes it.
pub(crate) fn id_number(text: &str) -> Option<u32> {
    let number = text.parse::<u32>().ok().filter(|number| *number > 0)?;
    (number.to_string() == text).then_some(number)
}

/// The beginning of a year.
pub(crate) fn new_year(year: i16) -> Option<UnixSeconds> {
    midnight(date(year, 1, 1))
}

fn midnight(day: Date) -> Option<UnixSeconds> {
    let zoned = day.to_zoned(TimeZone::UTC).ok()?;
    UnixSeconds::new(zoned.timestamp().as_second())
}

/// The results of a year: at every sync while it lasts and in the year after it, then monthly.
pub(crate) fn results(year: i16) -> Request {
    let request = Request::get(
        format!("{RESULTS}{year}/"),
        Form::Json,
        format!("results of {year}"),
    );
    Request {
        opens_at: new_year(year),
        settles_at: new_year(year + 2),
        covers: ends_of_year(year),
        ..request.renewed_after(OLDER_YEARS)
    }
}

/// The time in which events of a year end: those of the last month end within its window.
fn ends_of_year(year: i16) -> Option<RangeInclusive<UnixSeconds>> {
    let first = new_year(year)?.get() - ASTRAY;
    let last = new_year(year + 1)?.get() + ASTRAY + OVERLAP;
    Some(UnixSeconds::new(first)?..=UnixSeconds::new(last)?)
}

pub(crate) fn events(window: Window) -> Request {
    let request = Request::get(
        EVENTS,
        Form::Json,
        format!("events from {} to {}", window.start, window.finish),
    );
    let request = request
        .with("limit", EVENTS_A_REQUEST)
        .with("start", window.start.get())
        .with("finish", window.finish.get());
    Request {
        settles_at: UnixSeconds::new(window.finish.get() + VOTED),
        covers: Some(window.start..=window.finish),
        ..request
    }
}

/// The teams from this one on; nothing where there are none any more.
pub(crate) fn teams(offset: u64) -> Option<Request> {
    let request = Request::get(TEAMS, Form::Json, format!("teams from {offset} on"));
    (offset <= MAX_OFFSET).then(|| {
        request
            .with("limit", TEAMS_A_REQUEST)
            .with("offset", offset)
            .settling(UnixSeconds::MIN)
            .renewed_after(TEAMS_REST)
    })
}

/// One team; the answer holds until a full sync: later names come with the list of teams. That
/// there is no such team the site may say with a page.
pub(crate) fn team(id: u32) -> Request {
    let request = Request::get(format!("{TEAMS}{id}/"), Form::Text, format!("team {id}"));
    request.settling(UnixSeconds::MIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> UnixSeconds {
        UnixSeconds::new(seconds).unwrap()
    }

    #[test]
    fn questions_are_read_back_from_keys() {
        let window = Window {
            start: at(1_717_200_000),
            finish: at(1_720_396_800),
        };
        for (request, key, question) in [
            (
                results(2024),
                "GET api/v1/results/2024/",
                Question::Results(2024),
            ),
            (
                events(window),
                "GET api/v1/events/?finish=1720396800&limit=100&start=1717200000",
                Question::Events(window),
            ),
            (
                teams(2000).unwrap(),
                "GET api/v1/teams/?limit=1000&offset=2000",
                Question::Teams(2000),
            ),
            (team(701), "GET api/v1/teams/701/", Question::Team(701)),
        ] {
            assert_eq!(request.key(), key);
            assert_eq!(Question::parse(key), Some(question));
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
            assert_eq!(Question::parse(foreign), None, "{foreign}");
        }
    }

    #[test]
    fn a_window_is_a_month_and_a_week() {
        let window = Window::of_month(at(1_718_000_000)).unwrap();
        assert_eq!(window.start.to_string(), "2024-06-01");
        assert_eq!(window.finish.to_string(), "2024-07-08");
        let december = Window::of_month(at(1_735_600_000)).unwrap();
        assert_eq!(december.start.to_string(), "2024-12-01");
        assert_eq!(december.finish.to_string(), "2025-01-08");
        let [first, second] = window.halves().unwrap();
        assert_eq!((first.start, second.finish), (window.start, window.finish));
        assert!(second.start < first.finish && first.finish < window.finish);
        // It comes to an end.
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
    fn year_and_window_cover_when_their_events_end() {
        let covers = |request: Request| {
            let covers = request.covers.unwrap();
            [covers.start(), covers.end()].map(ToString::to_string)
        };
        assert_eq!(covers(results(2013)), ["2012-12-01", "2014-02-08"]);
        let window = Window::of_month(at(1_718_000_000)).unwrap();
        assert_eq!(covers(events(window)), ["2024-06-01", "2024-07-08"]);
    }

    #[test]
    fn the_current_and_the_last_year_are_asked_for_always_older_ones_monthly() {
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
