//! The results of a year: every event with a scoreboard.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};
use std::fmt;
use std::marker::PhantomData;

use ranklore_contest::UnixSeconds;
use ranklore_source::json::{self, Entry};
use ranklore_source::{Request, Results, SiteListing, SiteReadError, SiteReading, Stage};
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};

use crate::requests::{self, TimeWindow, YEAR_TOLERANCE, parse_id};
use crate::standings::{self, ScoreRow};

/// Last of the years that are known to have events.
pub(crate) const LAST_KNOWN_YEAR: i16 = 2025;

/// The members of a JSON object in their order.
pub(crate) struct OrderedMembers<'a, T>(pub(crate) Vec<(Cow<'a, str>, T)>);

impl<'de: 'a, 'a, T: Deserialize<'de>> Deserialize<'de> for OrderedMembers<'a, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MembersVisitor<'a, T>(PhantomData<(&'a (), T)>);
        impl<'de: 'a, 'a, T: Deserialize<'de>> Visitor<'de> for MembersVisitor<'a, T> {
            type Value = OrderedMembers<'a, T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object with a member for each event")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(name) = map.next_key::<Cow<'de, str>>()? {
                    members.push((name, map.next_value()?));
                }
                Ok(OrderedMembers(members))
            }
        }
        deserializer.deserialize_map(MembersVisitor(PhantomData))
    }
}

#[derive(Deserialize)]
struct Event<'a> {
    #[serde(borrow)]
    title: Cow<'a, str>,
    time: f64,
    #[serde(borrow)]
    scores: Vec<ScoreRow<'a>>,
}

pub(crate) fn read(key: &str, body: &[u8], year: i16) -> Result<SiteReading, SiteReadError> {
    let OrderedMembers(members) = json::parse::<OrderedMembers<'_, Entry<Event<'_>>>>(key, body)?;
    // Members whose name is not a number are unknown fields.
    let events: Vec<_> = members
        .into_iter()
        .filter_map(|(name, event)| Some((parse_id(&name)?, event)))
        .collect();
    if events.is_empty() && year <= LAST_KNOWN_YEAR {
        let expected = format!("events by id, as {year} has some");
        return Err(SiteReadError::whole_document(key, expected));
    }
    let mut reading = SiteReading::default();
    let mut ids = HashSet::with_capacity(events.len());
    let mut months = BTreeSet::new();
    for (id, event) in events {
        let event = event.into_value(key, || id.to_string());
        let starts_at = event.and_then(|event| {
            if !ids.insert(id) {
                let expected = format!("a unique event, not {id} again");
                return Err(SiteReadError::new(key, id.to_string(), expected));
            }
            add_event(id, &event, year, &mut reading)
                .map_err(|(at, expected)| SiteReadError::new(key, format!("{id}.{at}"), expected))
        });
        match starts_at {
            Ok(starts_at) => months.extend(TimeWindow::of_month(starts_at)),
            Err(error) => reading.refused.push(error),
        }
    }
    // If no event can be read, the format has changed.
    if reading.listed.is_empty() && !reading.refused.is_empty() {
        return Err(reading.refused.swap_remove(0));
    }
    // A year without events yet withdraws none.
    reading.lists_all = reading.refused.is_empty() && !reading.listed.is_empty();
    reading.follow = months.into_iter().map(requests::events).collect();
    Ok(reading)
}

/// Adds an event to the reading. Returns its start.
fn add_event(
    id: u32,
    event: &Event<'_>,
    year: i16,
    reading: &mut SiteReading,
) -> Result<UnixSeconds, (String, String)> {
    if event.title.trim().is_empty() {
        return Err(("title".to_owned(), "the name of the event".to_owned()));
    }
    let starts_at =
        parse_start(event.time, year).map_err(|expected| ("time".to_owned(), expected))?;
    let mut warnings = Vec::new();
    let outcome = standings::read(id, &event.scores, &mut warnings)?;
    reading.warnings.append(&mut warnings);
    let external_id = id.to_string();
    reading.listed.push(SiteListing {
        url: Some(format!("https://ctftime.org/event/{id}")),
        starts_at: Some(starts_at),
        // Provisional until the list of events gives the end.
        ends_at: Some(starts_at),
        // The list settles by itself, each event by its end.
        results: vec![Request {
            settles_at: None,
            renewed_after: None,
            ..requests::results(year)
        }],
        ..SiteListing::new(external_id.clone(), event.title.clone(), Stage::Finished)
    });
    reading.results.push(Results {
        name: Some(event.title.clone().into_owned()),
        ..Results::new(external_id, outcome)
    });
    Ok(starts_at)
}

/// Parses a start: whole seconds written as a fraction, `1666443600.0`.
fn parse_start(time: f64, year: i16) -> Result<UnixSeconds, String> {
    let expected = || format!("a time of {year} in whole seconds, not {time:?}");
    // Numbers beyond 2⁵³ are in no year.
    let is_integer = time.fract() == 0.0 && (0.0..1e15).contains(&time);
    let at = UnixSeconds::new(time as i64).filter(|_| is_integer).ok_or_else(expected)?;
    let within =
        |first: i64, end: i64| (first - YEAR_TOLERANCE..end + YEAR_TOLERANCE).contains(&at.get());
    match (requests::year_start(year), requests::year_start(year + 1)) {
        (Some(first), Some(end)) if within(first.get(), end.get()) => Ok(at),
        _ => Err(expected()),
    }
}
