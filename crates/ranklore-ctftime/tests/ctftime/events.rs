//! The list of events.

use ranklore_contest::{EntrantKind, UnixSeconds};
use ranklore_source::{DisplayName, ListingDetails, SiteReading, Source};
use serde_json::{Value, json};

use crate::fixtures::{bytes, events_of_june, read, read_file, source};

fn june() -> SiteReading {
    read_file(&events_of_june(), "events-2024-06.json")
}

/// Returns the refusal of the fixture's second event with a changed field.
fn refusal(field: &str, value: Value) -> (String, String) {
    let mut events: Vec<Value> = serde_json::from_slice(&bytes("events-2024-06.json")).unwrap();
    events.truncate(2);
    events[1][field] = value;
    let body = serde_json::to_vec(&events).unwrap();
    let reading = read(&events_of_june(), &body).unwrap();
    assert_eq!(reading.described.len(), 1);
    let refused = &reading.refused[0];
    (refused.at.clone(), refused.expected.clone())
}

#[test]
fn events_add_details_and_list_nothing() {
    let reading = june();
    assert!(reading.listed.is_empty() && reading.results.is_empty());
    let lantern = ListingDetails {
        external_id: "1402".to_owned(),
        name: Some("Lantern Quals 2024".to_owned()),
        division: Some("Attack-Defense".to_owned()),
        starts_at: UnixSeconds::new(1_717_848_000),
        // A time in another zone than UTC.
        ends_at: UnixSeconds::new(1_717_956_000),
        site_weight: Some(0.0),
    };
    assert_eq!(reading.described[1], lantern);
    assert_eq!(reading.described[0].site_weight, Some(24.87));
    assert_eq!(reading.described[2].division, None);
}

#[test]
fn event_without_results_is_not_listed() {
    let reading = june();
    let never = reading.described.iter().find(|contest| contest.external_id == "1499");
    assert!(never.is_some() && reading.listed.is_empty());
}

#[test]
fn minimised_events_omit_participants() {
    let key = events_of_june().key();
    let body = bytes("events-2024-06.json");
    let minimised = String::from_utf8(source().minimise(&key, &body).into_owned()).unwrap();
    for member in ["participants", "description", "logo", "is_votable_now"] {
        assert!(!minimised.contains(member), "{minimised}");
    }
    assert!(minimised.contains("\"weight\": 24.87") && minimised.contains("organizers"));
}

#[test]
fn organisers_are_named_teams() {
    let named = |competitor: &str, name: &str| DisplayName {
        kind: EntrantKind::Team,
        competitor: competitor.to_owned(),
        name: name.to_owned(),
    };
    assert_eq!(june().named, [named("701", "Segfault Gulls"), named("711", "Lamp Post")]);
}

#[test]
fn full_window_is_split_in_halves() {
    let event = &serde_json::from_slice::<Vec<Value>>(&bytes("events-2024-06.json")).unwrap()[0];
    let events = |count: u32| -> Vec<Value> {
        (1..=count)
            .map(|id| {
                let mut event = event.clone();
                event["id"] = json!(id);
                event["ctftime_url"] = json!(format!("https://ctftime.org/event/{id}/"));
                event
            })
            .collect()
    };
    let body = |count| serde_json::to_vec(&events(count)).unwrap();
    assert!(read(&events_of_june(), &body(99)).unwrap().follow.is_empty());
    let mut reading = read(&events_of_june(), &body(100)).unwrap();
    assert_eq!(reading.follow.len(), 2);
    let half = reading.follow.remove(0);
    assert_eq!(half.key(), "GET api/v1/events/?finish=1719403200&limit=100&start=1717200000");
    // A window too short to be split gives a warning.
    let reading = read(&half, &body(100)).unwrap();
    let mut half = reading;
    while let Some(next) = half.follow.first() {
        half = read(next, &body(100)).unwrap();
    }
    assert!(half.warnings[0].contains("may have more"));
}

#[test]
fn invalid_event_is_refused_alone() {
    for (field, value, expected) in [
        ("id", json!(0), "number of an event"),
        ("format", json!("Jeopardy-ish"), "Attack-Defense, Hack quest"),
        ("ctftime_url", json!("https://ctftime.org/event/102/"), "event 1402"),
        ("title", json!(""), "name of the event"),
        ("weight", json!(-0.5), "from 0"),
        ("weight", json!(1e300), "from 0"),
        ("start", json!("2024-06-08"), "not \"2024-06-08\""),
        ("start", json!("yesterday"), "yesterday"),
        ("start", json!("2024-08-08T12:00:00+00:00"), "before"),
        ("finish", json!("2024-06-07T12:00:00+00:00"), "after"),
        ("finish", json!("2034-06-07T12:00:00+00:00"), "two years"),
        ("finish", json!("1717956000"), "1717956000"),
    ] {
        let (at, reason) = refusal(field, value);
        assert_eq!(at, format!("[1].{field}"));
        assert!(reason.contains(expected), "{field}: {reason}");
    }
}

#[test]
fn duplicate_event_is_described_once() {
    let mut events: Vec<Value> = serde_json::from_slice(&bytes("events-2024-06.json")).unwrap();
    let again = events[0].clone();
    events.push(again);
    let body = serde_json::to_vec(&events).unwrap();
    let reading = read(&events_of_june(), &body).unwrap();
    assert_eq!(reading.described.len(), 4);
    assert_eq!(reading.refused[0].at, "[4].id");
    assert!(!reading.lists_all);
}
