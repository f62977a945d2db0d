//! Options: categories, goals and unrecorded races.

use ranklore_conformance as conformance;
use ranklore_racetime::RacetimeSource;
use ranklore_source::Request;

use crate::fixtures::{bytes, first_page, open};

const GOAL_PAGE: &str = "GET smr/races/data?goal=Bridge+Run&page=1&per_page=100&show_entrants=true";

fn keys(options: &[(&str, Option<&str>)]) -> Vec<String> {
    open(options).unwrap().initial_requests().iter().map(Request::key).collect()
}

#[test]
fn each_category_and_goal_has_a_request() {
    assert_eq!(
        keys(&[("category", Some("smr")), ("category", Some("/ootr"))]),
        [
            first_page().key(),
            "GET ootr/races/data?page=1&per_page=100&show_entrants=true".to_owned()
        ]
    );
    let goals = [("goal", Some("Bridge Run")), ("goal", Some("Lantern Walk"))];
    let options = [&[("category", Some("smr"))], &goals[..]].concat();
    assert_eq!(keys(&options).len(), 2);
    assert_eq!(keys(&options)[0], GOAL_PAGE);
    let unrecorded = [("category", Some("smr")), ("unrecorded", None)];
    assert!(keys(&unrecorded)[0].ends_with("&with=unrecorded"));
}

#[test]
fn invalid_options_are_errors() {
    let error = |options: &[(&str, Option<&str>)]| match open(options) {
        Ok(_) => panic!("{options:?}"),
        Err(error) => error.to_string(),
    };
    let invalid = error(&[("category", Some("https://racetime.gg/smr"))]);
    assert!(invalid.contains("is not a category: use the word in its URL"), "{invalid}");
    let missing = "--category CATEGORY is missing";
    assert_eq!(error(&[]), missing);
    assert_eq!(error(&[("goal", Some("Bridge Run"))]), missing);
}

#[test]
fn only_selected_goals_are_stored() {
    let names = |keys: &[&str]| {
        let source = RacetimeSource::from_archive(keys.iter().copied());
        let body = bytes("races.json");
        let reading = conformance::read_answer(&source, &first_page(), 200, &body).unwrap();
        assert_eq!(reading.listed.len(), reading.results.len());
        reading.listed.len()
    };
    assert_eq!(names(&[GOAL_PAGE]), 2);
    assert_eq!(
        names(&[
            GOAL_PAGE,
            &GOAL_PAGE.replace("Bridge+Run", "First+to+the+mill")
        ]),
        3
    );
    assert_eq!(names(&[GOAL_PAGE, &first_page().key()]), 6);
}

#[test]
fn goal_that_no_race_has_offers_others() {
    let source = open(&[("category", Some("smr")), ("goal", Some("Map Rando"))]).unwrap();
    let request = source.initial_requests().remove(0);
    let reading = conformance::read_answer(&*source, &request, 200, &bytes("races.json")).unwrap();
    assert_eq!(
        reading.warnings.last().unwrap(),
        "none of the newest 6 races of smr has the goal \"Map Rando\"; they have \"Bridge Run\", \
         \"First to the mill\", \"Lantern Walk\""
    );
    assert_eq!(reading.listed, []);
}
