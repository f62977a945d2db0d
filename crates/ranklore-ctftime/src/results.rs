//! The results of a year: every event with a scoreboard.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};
use std::fmt;
use std::marker::PhantomData;

use ranklore_contest::UnixSeconds;
use ranklore_source::{Listed, ReadError, Reading, Request, Results, Stage, json};
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::ask::{self, ASTRAY, Window, id_number};
use crate::scoreboard::{self, Score};

/// Last of the years that are known to have events.
pub(crate) const HELD_UNTIL: i16 = 2025;

/// The members of a JSON object in their order.
pub(crate) struct Members<'a, T>(pub(crate) Vec<(Cow<'a, str>, T)>);

impl<'de: 'a, 'a, T: Deserialize<'de>> Deserialize<'de> for Members<'a, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder<'a, T>(PhantomData<(&'a (), T)>);
        impl<'de: 'a, 'a, T: Deserialize<'de>> Visitor<'de> for InOrder<'a, T> {
            type Value = Members<'a, T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object with a member for each event")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(name) = map.next_key::<Cow<'de, str>>()? {
                    members.push((name, map.next_value()?));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(InOrder(PhantomData))
    }
}

#[derive(Deserialize)]
struct Event<'a> {
    #[serde(borrow)]
    title: Cow<'a, str>,
    time: f64,
    #[serde(borrow)]
    scores: Vec<Score<'a>>,
}

type Found<'a> = Members<'a, Result<Event<'a>, ReadError>>;

pub(crate) fn read(key: &str, body: &[u8], year: i16) -> Result<Reading, ReadError> {
    let Members(members) = events(key, body)?;
    // Members whose name is not a number are unknown fields.
    let events: Vec<_> = (members.into_iter())
        .filter_map(|(name, event)| Some((id_number(&name)?, event)))
        .collect();
    if events.is_empty() && year <= HELD_UNTIL {
        let expected = format!("events by id, as {year} has some");
        return Err(ReadError::whole(key, expected));
    }
    let mut reading = Reading::default();
    let mut ids = HashSet::with_capacity(events.len());
    let mut months = BTreeSet::new();
    for (id, event) in events {
        let taken = event.and_then(|event| {
            if !ids.insert(id) {
                let expected = format!("a unique event, not {id} again");
                return Err(ReadError::new(key, id.to_string(), expected));
            }
            take(id, &event, year, &mut reading)
                .map_err(|(at, expected)| ReadError::new(key, format!("{id}.{at}"), expected))
        });
        match taken {
            Ok(starts_at) => months.extend(Window::of_month(starts_at)),
            Err(error) => reading.refused.push(error),
        }
    }
    // If no event can be read, the format has changed.
    if reading.listed.is_empty() && !reading.refused.is_empty() {
        return Err(reading.refused.swap_remove(0));
    }
    // A year without events yet withdraws none.
    reading.lists_all = reading.refused.is_empty() && !reading.listed.is_empty();
    reading.follow = months.into_iter().map(ask::events).collect();
    Ok(reading)
}

/// Parses every event by itself: an invalid one leaves the others.
fn events<'a>(key: &str, body: &'a [u8]) -> Result<Found<'a>, ReadError> {
    if let Err(error) = std::str::from_utf8(body) {
        let expected = format!("text in UTF-8: {error}");
        return Err(ReadError::whole(key, expected));
    }
    if let Ok(Members(events)) = serde_json::from_slice::<Members<'a, Event<'a>>>(body) {
        let events = events.into_iter();
        return Ok(Members(events.map(|(id, event)| (id, Ok(event))).collect()));
    }
    let Members(raw) = json::parse::<Members<'a, &'a RawValue>>(key, body)?;
    let events = raw.into_iter().map(|(id, raw)| {
        let event = json::parse::<Event<'a>>(key, raw.get().as_bytes()).map_err(|error| {
            let at = match error.at.as_str() {
                ReadError::WHOLE => id.to_string(),
                within => format!("{id}.{within}"),
            };
            ReadError { at, ..error }
        });
        (id, event)
    });
    Ok(Members(events.collect()))
}

/// Adds an event to the reading. Returns its start.
fn take(
    id: u32,
    event: &Event<'_>,
    year: i16,
    reading: &mut Reading,
) -> Result<UnixSeconds, (String, String)> {
    if event.title.trim().is_empty() {
        return Err(("title".to_owned(), "the name of the event".to_owned()));
    }
    let starts_at =
        starts_at(event.time, year).map_err(|expected| ("time".to_owned(), expected))?;
    let mut warnings = Vec::new();
    let outcome = scoreboard::read(id, &event.scores, &mut warnings)?;
    reading.warnings.append(&mut warnings);
    let external_id = id.to_string();
    reading.listed.push(Listed {
        url: Some(format!("https://ctftime.org/event/{id}")),
        starts_at: Some(starts_at),
        // Provisional until the list of events gives the end.
        ends_at: Some(starts_at),
        // The list settles by itself, each event by its end.
        results: vec![Request {
            settles_at: None,
            renewed_after: None,
            ..ask::results(year)
        }],
        ..Listed::new(external_id.clone(), event.title.clone(), Stage::Finished)
    });
    reading.results.push(Results {
        external_id,
        name: Some(event.title.clone().into_owned()),
        stood_at: None,
        outcome,
        counts: None,
    });
    Ok(starts_at)
}

/// Parses a start: whole seconds written as a fraction, `1666443600.0`.
fn starts_at(time: f64, year: i16) -> Result<UnixSeconds, String> {
    let expected = || format!("a time of {year} in whole seconds, not {time:?}");
    // Numbers beyond 2⁵³ are in no year.
    let whole = time.fract() == 0.0 && (0.0..1e15).contains(&time);
    let at = UnixSeconds::new(time as i64).filter(|_| whole);
    let at = at.ok_or_else(expected)?;
    let within = |first: i64, end: i64| (first - ASTRAY..end + ASTRAY).contains(&at.get());
    match (ask::new_year(year), ask::new_year(year + 1)) {
        (Some(first), Some(end)) if within(first.get(), end.get()) => Ok(at),
        _ => Err(expected()),
    }
}
