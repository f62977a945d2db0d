//! Pages: their size, their order and what follows.

use ranklore_conformance as conformance;
use ranklore_source::{Classification, Source};
use serde_json::{Value, json};

use crate::fixtures::{first_page, json, page, read_json, source};

/// Returns a page of `count` copies of a race, newest first, of a list of `total`.
fn list(count: usize, total: u64, per_page: u64) -> Value {
    let race = &json("races.json")["races"][5];
    let races: Vec<Value> = (0..count)
        .map(|index| {
            let mut race = race.clone();
            race["name"] = json!(format!("smr/copy-{index}"));
            race["ended_at"] = json!(format!("2024-06-02T{:02}:00:00.000Z", 23 - index / 10));
            race
        })
        .collect();
    json!({"count": total, "num_pages": total.div_ceil(per_page).max(1), "races": races})
}

#[test]
fn full_page_leads_to_the_next() {
    let reading = read_json(&first_page(), &list(100, 250, 100)).unwrap();
    assert_eq!(reading.listed.len(), 100);
    let next = &reading.follow[0];
    assert_eq!(next.key(), page("smr", 2, 95).key());
    // 14 days after the last race.
    assert_eq!(next.settles_at.unwrap().to_string(), "2024-06-16T14:00:00Z");
    let last = read_json(&page("smr", 3, 92), &list(66, 250, 92)).unwrap();
    assert_eq!(last.follow, []);
}

#[test]
fn page_of_another_size_is_refused() {
    let error = |request, body: &Value| read_json(&request, body).unwrap_err().to_string();
    for (request, body, message) in [
        // The site ignores the size.
        (
            first_page(),
            list(10, 250, 10),
            "num_pages: 3, as 250 races are requested by 100, not 25",
        ),
        (
            first_page(),
            list(99, 250, 100),
            "races: 100 races, as more pages follow on page 1 of 3, not 99",
        ),
        // An empty page is the end only after the last one.
        (
            first_page(),
            list(0, 250, 100),
            "races: 100 races, as more pages follow on page 1 of 3, not 0",
        ),
        (
            page("smr", 3, 92),
            list(0, 250, 92),
            "races: 1 to 92 races on page 3 of 3, not 0",
        ),
        (
            page("smr", 2, 95),
            list(5, 80, 95),
            "races: no race after the last page on page 2 of 1, not 5",
        ),
    ] {
        let error = error(request, &body);
        assert!(error.ends_with(message), "{error}");
    }
    for (request, body) in [
        (first_page(), list(0, 0, 100)),
        (page("smr", 2, 95), list(0, 80, 95)),
    ] {
        let reading = read_json(&request, &body).unwrap();
        assert_eq!((reading.listed.len(), reading.follow.len()), (0, 0));
    }
}

#[test]
fn page_out_of_order_is_refused() {
    let mut body = json("races.json");
    body["races"].as_array_mut().unwrap().swap(4, 5);
    let error = read_json(&first_page(), &body).unwrap_err();
    assert_eq!(error.at, "races[5].ended_at");
}

#[test]
fn race_listed_twice_is_refused_once() {
    let mut body = json("races.json");
    body["races"][5] = body["races"][4].clone();
    let reading = read_json(&first_page(), &body).unwrap();
    assert_eq!(reading.listed.len(), 5);
    assert_eq!(reading.refused[0].at, "races[5].name");
}

#[test]
fn answers_are_classified() {
    let challenge = "<html><title>Just a moment...</title></html>";
    for (status, body, verdict) in [
        (200, r#"{"count":0,"num_pages":1,"races":[]}"#, "Answer"),
        (200, "<html>Log in with Twitch</html>", "Invalid"),
        (200, r#"{"error":"no such category"}"#, "Invalid"),
        (200, challenge, "Blocked"),
        (404, challenge, "Blocked"),
        (403, "", "Blocked"),
        (429, "", "RetryLater"),
        (502, "", "Failed"),
    ] {
        let classification = source().classify(&first_page(), status, body.as_bytes());
        assert!(
            format!("{classification:?}").starts_with(verdict),
            "{status} {body}: {classification:?}"
        );
    }
}

#[test]
fn unknown_category_is_named() {
    let request = page("smz", 1, 100);
    let body = b"<html>Not found</html>";
    assert_eq!(source().classify(&request, 404, body), Classification::Answer);
    let error = conformance::read_answer(&source(), &request, 404, body).unwrap_err();
    assert!(error.expected.ends_with("the site has no \"smz\""), "{error}");
}
