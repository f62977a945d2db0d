//! Tests with responses of the site. They run if `RANKLORE_REAL_DATA` names the folder with the
//! data.

use std::collections::HashSet;
use std::path::PathBuf;

use ranklore_conformance::{self as conformance, Fixture};
use ranklore_source::{Classification, ContestOutcome, Request, Source};

use crate::fixtures::{find_results, read, results, rounds, source, standings, to_latin1};

fn real_file(name: &str) -> Option<Vec<u8>> {
    let folder = std::env::var_os("RANKLORE_REAL_DATA").filter(|folder| !folder.is_empty());
    let Some(folder) = folder else {
        println!("left out: RANKLORE_REAL_DATA is not set");
        return None;
    };
    let path = PathBuf::from(folder).join("topcoder").join(name);
    Some(std::fs::read(path).unwrap())
}

fn assert_conforms(name: &str, request: &Request, body: &[u8]) {
    assert_eq!(source().classify(request, 200, body), Classification::Answer);
    let fixture = Fixture {
        name,
        request,
        status: 200,
        body,
        optional: &[],
    };
    conformance::check_fixture(&source(), &fixture);
}

#[test]
fn round_list_is_read() {
    let Some(body) = real_file("dd_round_list-excerpt.xml") else {
        return;
    };
    assert_conforms("the list", &rounds(), &body);
    let reading = read(&rounds(), &body).unwrap();
    assert_eq!(reading.listed.len(), 2 * 181);
    let start_of = |id: &str| {
        let listed = reading.listed.iter().find(|contest| contest.external_id == id);
        let seconds = listed.unwrap().starts_at.unwrap().get();
        jiff::Timestamp::from_second(seconds).unwrap().to_string()
    };
    assert_eq!(start_of("2001/1"), "2001-04-21T18:00:00Z");
    assert_eq!(start_of("57/1"), "2001-11-03T18:00:00Z");
    assert_eq!(start_of("19681/2"), "2023-10-27T05:05:00Z");
    let times: HashSet<_> = reading.listed.iter().map(|contest| contest.starts_at).collect();
    assert_eq!(times.len(), 168);
    let events: HashSet<_> = reading.listed.iter().map(|contest| &contest.event).collect();
    assert_eq!(events.len(), 181);
}

#[test]
fn final_of_four_is_read() {
    let Some(body) = real_file("dd_round_results-2009.xml") else {
        return;
    };
    assert_conforms("2009", &results(2009), &body);
    let reading = read(&results(2009), &body).unwrap();
    let (entrants, official) = standings(&reading, "2009/1");
    let places: Vec<(&str, u32)> = entrants
        .iter()
        .map(|entrant| (&*entrant.competitor, entrant.outcome.place().unwrap().get()))
        .collect();
    assert_eq!(places, [("105922", 1), ("114443", 2), ("109965", 3), ("112441", 4)]);
    assert_eq!((official[0].before, official[0].after), (Some(2148.0), 2270.0));
    assert_eq!(official[0].volatility, Some(385.0));
    assert_eq!(find_results(&reading, "2009/2").outcome, ContestOutcome::NothingYet);
    assert!(reading.warnings.is_empty());
}

#[test]
fn match_of_34_is_read() {
    let Some(body) = real_file("dd_round_results-19681.xml") else {
        return;
    };
    assert_conforms("19681", &results(19681), &body);
    let reading = read(&results(19681), &body).unwrap();
    let (one, two) = (standings(&reading, "19681/1"), standings(&reading, "19681/2"));
    assert_eq!((one.0.len(), two.0.len()), (29, 5));
    assert_eq!((one.1.len(), two.1.len()), (29, 5));
    let places: Vec<u32> =
        one.0.iter().map(|entrant| entrant.outcome.place().unwrap().get()).collect();
    assert_eq!(places.iter().filter(|place| **place == 19).count(), 10);
    assert_eq!(places.last(), Some(&29));
    assert_eq!(one.0.last().unwrap().score, Some(-25.0));
    assert_eq!(reading.named.len(), 34);
    assert!(reading.warnings.is_empty());
}

#[test]
fn duplicate_coder_rows_are_merged() {
    let name = "dd_round_results-17590-two-rows-of-one-coder.xml";
    let Some(body) = real_file(name) else {
        return;
    };
    // The excerpt lacks the coders above, so places are missing.
    let error = read(&results(17590), &body).unwrap_err();
    assert_eq!(error.at, "row[0].division_placed");
    let text: String = body.iter().map(|byte| char::from(*byte)).collect();
    let alone = text.replace("<division_placed>4<", "<division_placed>1<");
    let body = to_latin1(&alone);
    assert_conforms(name, &results(17590), &body);
    let reading = read(&results(17590), &body).unwrap();
    assert_eq!(standings(&reading, "17590/1").0.len(), 1);
    assert_eq!(reading.named.len(), 1);
    assert!(reading.warnings.is_empty());
}
