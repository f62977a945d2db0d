//! Tests with responses of the site. They run if `RANKLORE_REAL_DATA` names the folder with the
//! data.

use std::path::PathBuf;

use ranklore_conformance::{self as conformance, Fixture};
use ranklore_source::{Classification, Source};
use serde_json::{Value, json};

use crate::fixtures::{first_page, official, page, read, read_json, source};

fn real_file(name: &str) -> Option<Vec<u8>> {
    let folder = std::env::var_os("RANKLORE_REAL_DATA").filter(|folder| !folder.is_empty());
    let Some(folder) = folder else {
        println!("left out: RANKLORE_REAL_DATA is not set");
        return None;
    };
    let path = PathBuf::from(folder).join("racetime").join(name);
    Some(std::fs::read(path).unwrap())
}

#[test]
fn page_of_ten_races_is_read() {
    let Some(body) = real_file("races-page.json") else {
        return;
    };
    let request = page("alttp", 1, 10);
    assert_eq!(source().classify(&request, 200, &body), Classification::Answer);
    let reading = read(&request, &body).unwrap();
    assert_eq!((reading.listed.len(), reading.refused.len()), (10, 0));
    assert_eq!(reading.warnings, [""; 0]);
    let ratings = official(&reading, "alttp/chaotic-kirby-0918");
    assert_eq!((ratings[0].before, ratings[0].after), (Some(3664.0), 3664.0));
    let minimised = source().minimise(&request.key(), &body);
    assert!(minimised.len() * 3 < body.len(), "{} bytes", minimised.len());
    conformance::check_fixture(
        &source(),
        &Fixture {
            name: "page",
            request: &request,
            status: 200,
            body: &body,
            optional: &[
                "races[].entrants[].user",
                "races[].entrants[].score",
                "races[].entrants[].score_change",
            ],
        },
    );
}

#[test]
fn running_race_is_refused() {
    let Some(body) = real_file("race-detail.json") else {
        return;
    };
    let mut race: Value = serde_json::from_slice(&body).unwrap();
    for entrant in race["entrants"].as_array_mut().unwrap() {
        entrant["team"] = json!(null);
    }
    let page = json!({"count": 1, "num_pages": 1, "races": [race]});
    let error = read_json(&self::page("alttpr", 1, 100), &page).unwrap_err();
    assert!(error.to_string().contains("\"in_progress\" is unknown"), "{error}");
}

/// Returns a race of the reduced capture in the form of the site.
fn site_race(race: &Value) -> Value {
    let entrants = race["entrants"].as_array().unwrap().iter().map(|entrant| {
        let user = match &entrant["user_id"] {
            Value::Null => Value::Null,
            id => json!({"id": id, "name": id}),
        };
        let place = entrant["place"].as_u64().unwrap();
        let is_done = place < 9999;
        json!({
            "user": user,
            "team": null,
            "status": {"value": if is_done { "done" } else { "dnf" }},
            "finish_time": is_done.then(|| format!("P0DT01H{place:02}M00S")),
            "place": is_done.then_some(place),
            "score": entrant["score"],
            "score_change": entrant["score_change"],
        })
    });
    json!({
        "name": format!("smr/{}", race["slug"].as_str().unwrap()),
        "status": {"value": "finished"},
        "goal": {"name": "Map Rando", "custom": false},
        "entrants_count": race["entrants"].as_array().unwrap().len(),
        "started_at": "2023-01-01T00:00:00Z",
        "ended_at": race["ended_at"],
        "recorded": race["recorded"],
        "entrants": entrants.collect::<Vec<_>>(),
    })
}

#[test]
fn all_map_rando_races_are_read() {
    let Some(body) = real_file("map-rando-s1-s3.json") else {
        return;
    };
    let mut all: Vec<Value> = serde_json::from_slice(&body).unwrap();
    all.sort_by(|a, b| b["ended_at"].as_str().cmp(&a["ended_at"].as_str()));
    let mut races = 0;
    let mut recorded = 0;
    let mut entrants = 0;
    let mut deleted = 0;
    let mut warnings = 0;
    for chunk in all.chunks(100) {
        let races_of_page: Vec<Value> = chunk.iter().map(site_race).collect();
        let page = json!({"count": chunk.len(), "num_pages": 1, "races": races_of_page});
        let reading = read_json(&first_page(), &page).unwrap();
        assert_eq!(reading.refused, []);
        races += reading.listed.len();
        recorded += reading.listed.iter().filter(|race| race.site_weight.is_none()).count();
        warnings += reading.warnings.len();
        for race in &reading.listed {
            let rows = crate::fixtures::entrants(&reading, &race.external_id);
            entrants += rows.len();
            deleted += rows.iter().filter(|row| row.competitor.starts_with("deleted")).count();
        }
    }
    assert_eq!((races, recorded), (2_576, 1_505));
    assert_eq!((entrants, deleted, warnings), (15_101, 168, 3));
}
