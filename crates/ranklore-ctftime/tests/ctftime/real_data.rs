//! Tests with responses of the site. They run if `RANKLORE_REAL_DATA` names the folder with the
//! data.

use std::path::PathBuf;

use ranklore_conformance::{self as conformance, Fixture};
use ranklore_source::{Classification, ContestOutcome, Source};
use serde_json::{Map, Value};

use crate::fixtures::{places, read, results_of, source};

fn real_file(name: &str) -> Option<Vec<u8>> {
    let folder = std::env::var_os("RANKLORE_REAL_DATA").filter(|folder| !folder.is_empty());
    let Some(folder) = folder else {
        println!("left out: RANKLORE_REAL_DATA is not set");
        return None;
    };
    let path = PathBuf::from(folder).join("ctftime").join(name);
    Some(std::fs::read(path).unwrap())
}

/// Returns a response with the captured events of one year.
fn year(all: &Map<String, Value>, first: f64, end: f64) -> Vec<u8> {
    let of_year = |event: &Value| {
        let time = event["time"].as_f64().unwrap();
        (first..end).contains(&time)
    };
    let events: Map<String, Value> = all
        .iter()
        .filter(|(_, event)| of_year(event))
        .map(|(id, event)| (id.clone(), event.clone()))
        .collect();
    serde_json::to_vec(&events).unwrap()
}

#[test]
fn top_tens_of_two_years_are_read() {
    let Some(body) = real_file("results-2022-2023-top10.json") else {
        return;
    };
    let all: Map<String, Value> = serde_json::from_slice(&body).unwrap();
    let mut events = 0;
    let mut rows = 0;
    let mut warnings = Vec::new();
    for (number, first, end, expected) in [
        (2022, 1_640_995_200.0, 1_672_531_200.0, 213),
        (2023, 1_672_531_200.0, 1_704_067_200.0, 259),
    ] {
        let body = year(&all, first, end);
        let request = results_of(number);
        assert_eq!(source().classify(&request, 200, &body), Classification::Answer);
        let reading = read(&request, &body).unwrap();
        assert!(reading.lists_all, "{:?}", reading.refused);
        assert_eq!(reading.listed.len(), expected);
        assert!(reading.follow.len() <= 13);
        events += reading.results.len();
        for results in &reading.results {
            let ContestOutcome::Standings { entrants, .. } = &results.outcome else {
                panic!("{results:?}");
            };
            rows += entrants.len();
        }
        warnings.extend(reading.warnings.clone());
        if number == 2023 {
            // The site's places were 1, 3, 5, 6, 7, 10, …
            let numbers: Vec<u32> =
                places(&reading, "2042").into_iter().map(|(_, place)| place).collect();
            assert_eq!(numbers, (1..=10).collect::<Vec<u32>>());
            let tied: Vec<u32> =
                places(&reading, "2104").into_iter().map(|(_, place)| place).collect();
            assert_eq!(tied, [1, 2, 3, 3, 3, 3, 3, 3, 3, 3]);
        }
    }
    assert_eq!((events, rows), (472, 4_682));
    let saying = |words: &str| warnings.iter().filter(|warning| warning.contains(words)).count();
    assert_eq!(saying("have gaps"), 4);
    assert_eq!(saying("share a place"), 3);
    assert_eq!(saying("more points"), 3);
    assert_eq!(saying("listed twice"), 0);
}

#[test]
fn events_of_june_2017_are_read() {
    let Some(body) = real_file("api_v1_events_list_2017-06_two_events.json") else {
        return;
    };
    // The window of June 2017.
    let event = br#"{"1":{"title":"x","time":1498273200.0,"scores":[]}}"#;
    let request = read(&results_of(2017), event).unwrap().follow.remove(0);
    let reading = read(&request, &body).unwrap();
    assert_eq!(reading.described.len(), 3);
    assert_eq!(reading.named.len(), 3);
    assert_eq!(reading.described[1].division.as_deref(), Some("Attack-Defense"));
    conformance::check_fixture(
        &source(),
        &Fixture {
            name: "events of June 2017",
            request: &request,
            status: 200,
            body: &body,
            optional: &[],
        },
    );
}
