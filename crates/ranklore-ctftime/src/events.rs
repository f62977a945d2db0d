//! The list of events: names, dates, weights, formats, organisers.

use std::borrow::Cow;
use std::collections::HashSet;

use ranklore_contest::{EntrantKind, UnixSeconds};
use ranklore_source::json::{self, Entry, valid_entries};
use ranklore_source::{DisplayName, ListingDetails, SiteReadError, SiteReading};
use serde::Deserialize;

use crate::requests::{self, MAX_EVENTS_PER_REQUEST, TimeWindow};

/// Upper bound of a weight: the highest ever was about 150.
const MAX_WEIGHT: f64 = 10_000.0;

/// Maximum duration of an event, in seconds: two years.
const MAX_DURATION: i64 = 2 * 366 * 86_400;

#[derive(Deserialize)]
struct Event<'a> {
    id: u32,
    #[serde(borrow)]
    title: Cow<'a, str>,
    #[serde(borrow)]
    start: Cow<'a, str>,
    #[serde(borrow)]
    finish: Cow<'a, str>,
    weight: f64,
    #[serde(borrow)]
    format: Cow<'a, str>,
    #[serde(borrow)]
    ctftime_url: Cow<'a, str>,
    #[serde(borrow)]
    organizers: Vec<Entry<CtftimeTeam<'a>>>,
}

/// Known formats; the site may leave the format blank.
const FORMATS: [&str; 4] = ["Jeopardy", "Attack-Defense", "Hack quest", ""];

/// A team with id and name.
#[derive(Deserialize)]
pub(crate) struct CtftimeTeam<'a> {
    pub(crate) id: u32,
    #[serde(borrow)]
    pub(crate) name: Cow<'a, str>,
}

impl CtftimeTeam<'_> {
    /// Returns the team's name; `None` if it is blank.
    pub(crate) fn display_name(&self) -> Option<DisplayName> {
        let name = (self.id > 0 && !self.name.trim().is_empty()).then(|| self.name.to_string());
        name.map(|name| DisplayName {
            kind: EntrantKind::Team,
            competitor: self.id.to_string(),
            name,
        })
    }
}

pub(crate) fn read(
    key: &str,
    body: &[u8],
    window: TimeWindow,
) -> Result<SiteReading, SiteReadError> {
    let entries: Vec<Entry<Event<'_>>> = json::parse(key, body)?;
    let count = entries.len();
    let mut reading = SiteReading::default();
    let events = valid_entries(key, "", entries, &mut reading.refused);
    let mut ids = HashSet::with_capacity(events.len());
    let mut named = HashSet::new();
    for (index, event) in events {
        let details = parse_event(&event, window).and_then(|details| {
            if ids.insert(event.id) {
                Ok(details)
            } else {
                Err(("id", format!("a unique event, not {} again", event.id)))
            }
        });
        match details {
            Ok(details) => reading.described.push(details),
            Err((field, expected)) => {
                let at = format!("[{index}].{field}");
                reading.refused.push(SiteReadError::new(key, at, expected));
                continue;
            }
        }
        let list = format!("[{index}].organizers");
        for (_, organizer) in valid_entries(key, &list, event.organizers, &mut reading.refused) {
            if let Some(name) = organizer.display_name()
                && named.insert(name.competitor.clone())
            {
                reading.named.push(name);
            }
        }
    }
    if reading.described.is_empty() && !reading.refused.is_empty() {
        return Err(reading.refused.swap_remove(0));
    }
    if count >= MAX_EVENTS_PER_REQUEST {
        match window.halves() {
            Some(halves) => reading.follow.extend(halves.map(requests::events)),
            None => reading.warnings.push(format!(
                "the site returned {count} events from {} to {} and may have more; some may lack \
                 dates and weights",
                window.start, window.finish
            )),
        }
    }
    // The list refers to contests and lists none, so it cannot be incomplete.
    reading.lists_all = reading.refused.is_empty();
    Ok(reading)
}

fn event_url(id: u32) -> String {
    format!("https://ctftime.org/event/{id}/")
}

/// A value, or the name of the invalid field and its expected form.
type FieldResult<T> = Result<T, (&'static str, String)>;

/// Parses the details of an event.
fn parse_event(event: &Event<'_>, window: TimeWindow) -> FieldResult<ListingDetails> {
    if event.id == 0 {
        return Err(("id", "the number of an event, from 1 on".to_owned()));
    }
    // The URL repeats the id, which detects an id of another kind.
    if event.ctftime_url != event_url(event.id) {
        let expected = format!("the page of event {}, {}", event.id, event_url(event.id));
        return Err(("ctftime_url", expected));
    }
    let format = event.format.trim();
    if !FORMATS.contains(&format) {
        let excerpt: String = format.chars().take(40).collect();
        let formats = FORMATS[..3].join(", ");
        let expected = format!("one of {formats}, or nothing, not {excerpt:?}");
        return Err(("format", expected));
    }
    if event.title.trim().is_empty() {
        return Err(("title", "the name of the event".to_owned()));
    }
    let (starts_at, ends_at) = parse_times(event, window)?;
    if !(0.0..=MAX_WEIGHT).contains(&event.weight) {
        let expected = format!("a weight from 0 to {MAX_WEIGHT}, not {:?}", event.weight);
        return Err(("weight", expected));
    }
    Ok(ListingDetails {
        external_id: event.id.to_string(),
        name: Some(event.title.to_string()),
        division: (!format.is_empty()).then(|| format.to_owned()),
        starts_at: Some(starts_at),
        ends_at: Some(ends_at),
        site_weight: Some(event.weight),
    })
}

/// Returns the start and the end of an event, which must touch the requested window.
fn parse_times(event: &Event<'_>, window: TimeWindow) -> FieldResult<(UnixSeconds, UnixSeconds)> {
    let starts_at = parse_time("start", &event.start)?;
    let ends_at = parse_time("finish", &event.finish)?;
    if starts_at > window.finish {
        let end = window.finish;
        let expected = format!("a time before {end}, the end of the requested window");
        return Err(("start", expected));
    }
    if ends_at < window.start || ends_at < starts_at {
        let expected = format!("a time after the start and after {}", window.start);
        return Err(("finish", expected));
    }
    if ends_at.get() - starts_at.get() > MAX_DURATION {
        return Err(("finish", "a time within two years of the start".to_owned()));
    }
    Ok((starts_at, ends_at))
}

fn parse_time(field: &'static str, text: &str) -> FieldResult<UnixSeconds> {
    let timestamp = text.parse::<jiff::Timestamp>().ok();
    timestamp
        .filter(|at| at.subsec_nanosecond() == 0)
        .and_then(|at| UnixSeconds::new(at.as_second()))
        .ok_or_else(|| {
            let excerpt: String = text.chars().take(40).collect();
            let expected = format!("a time such as 2024-06-01T12:00:00+00:00, not {excerpt:?}");
            (field, expected)
        })
}
