//! Tests with responses of the site. They run if `RANKLORE_REAL_DATA` names the folder with the
//! data.

use std::collections::HashSet;
use std::path::PathBuf;

use ranklore_source::conformance::{self, Fixture};
use ranklore_source::{ContestOutcome, Request, Source, Verdict};

use crate::fixtures::{latin, of, read, results, rounds, source, stood};

fn file(name: &str) -> Option<Vec<u8>> {
    let folder = std::env::var_os("RANKLORE_REAL_DATA").filter(|folder| !folder.is_empty());
    let Some(folder) = folder else {
        println!("left out: RANKLORE_REAL_DATA is not set");
        return None;
    };
    let path = PathBuf::from(folder).join("topcoder").join(name);
    Some(std::fs::read(path).unwrap())
}

fn holds(name: &str, request: &Request, body: &[u8]) {
    assert_eq!(source().classify(request, 200, body), Verdict::Answer);
    let fixture = Fixture {
        name,
        request,
        status: 200,
        body,
        optional: &[],
    };
    conformance::fixture(&source(), &fixture);
}

#[test]
fn rows_of_the_list_of_rounds() {
    let Some(body) = file("dd_round_list-excerpt.xml") else {
        return;
    };
    holds("the list", &rounds(), &body);
    let reading = read(&rounds(), &body).unwrap();
    assert_eq!(reading.listed.len(), 2 * 181);
    let began = |id: &str| {
        let listed = reading.listed.iter().find(|of| of.external_id == id);
        let seconds = listed.unwrap().starts_at.unwrap().get();
        jiff::Timestamp::from_second(seconds).unwrap().to_string()
    };
    assert_eq!(began("2001/1"), "2001-04-21T18:00:00Z");
    assert_eq!(began("57/1"), "2001-11-03T18:00:00Z");
    assert_eq!(began("19681/2"), "2023-10-27T05:05:00Z");
    let times: HashSet<_> = reading.listed.iter().map(|of| of.starts_at).collect();
    assert_eq!(times.len(), 168);
    let events: HashSet<_> = reading.listed.iter().map(|of| &of.event).collect();
    assert_eq!(events.len(), 181);
}

#[test]
fn a_final_of_four() {
    let Some(body) = file("dd_round_results-2009.xml") else {
        return;
    };
    holds("2009", &results(2009), &body);
    let reading = read(&results(2009), &body).unwrap();
    let (entrants, official) = stood(&reading, "2009/1");
    let places: Vec<(&str, u32)> = (entrants.iter())
        .map(|of| (&*of.competitor, of.outcome.place().unwrap().get()))
        .collect();
    assert_eq!(
        places,
        [("105922", 1), ("114443", 2), ("109965", 3), ("112441", 4)]
    );
    assert_eq!(
        (official[0].before, official[0].after),
        (Some(2148.0), 2270.0)
    );
    assert_eq!(official[0].volatility, Some(385.0));
    assert_eq!(of(&reading, "2009/2").outcome, ContestOutcome::NothingYet);
    assert!(reading.warnings.is_empty());
}

#[test]
fn a_match_of_34() {
    let Some(body) = file("dd_round_results-19681.xml") else {
        return;
    };
    holds("19681", &results(19681), &body);
    let reading = read(&results(19681), &body).unwrap();
    let (one, two) = (stood(&reading, "19681/1"), stood(&reading, "19681/2"));
    assert_eq!((one.0.len(), two.0.len()), (29, 5));
    assert_eq!((one.1.len(), two.1.len()), (29, 5));
    let places: Vec<u32> = (one.0.iter())
        .map(|of| of.outcome.place().unwrap().get())
        .collect();
    assert_eq!(places.iter().filter(|place| **place == 19).count(), 10);
    assert_eq!(places.last(), Some(&29));
    assert_eq!(one.0.last().unwrap().score, Some(-25.0));
    assert_eq!(reading.named.len(), 34);
    assert!(reading.warnings.is_empty());
}

#[test]
fn two_rows_of_one_coder() {
    let name = "dd_round_results-17590-two-rows-of-one-coder.xml";
    let Some(body) = file(name) else {
        return;
    };
    // The excerpt lacks the coders above, so places are missing.
    let error = read(&results(17590), &body).unwrap_err();
    assert_eq!(error.at, "row[0].division_placed");
    let text: String = body.iter().map(|byte| char::from(*byte)).collect();
    let alone = text.replace("<division_placed>4<", "<division_placed>1<");
    let body = latin(&alone);
    holds(name, &results(17590), &body);
    let reading = read(&results(17590), &body).unwrap();
    assert_eq!(stood(&reading, "17590/1").0.len(), 1);
    assert_eq!(reading.named.len(), 1);
    assert!(reading.warnings.is_empty());
}
