//! `synth` from the command line: its tables, which `import` reads at once, and mistakes.

use std::fs;

use crate::support::Scratch;
use serde_json::json;

/// Writes a league and imports it.
fn import(options: &[&str]) -> Scratch {
    let scratch = Scratch::new();
    let table = scratch.ok(&[&["synth"][..], options].concat()).out;
    fs::write(scratch.path("league.csv"), table).unwrap();
    scratch.ok(&["import", "league.csv", "--source", "synth"]);
    scratch
}

#[test]
fn league_is_imported_at_once() {
    let scratch = import(&["--players", "40", "--rounds", "30", "--size", "12"]);
    assert_eq!(scratch.count("SELECT count(*) FROM contest"), 30);
    assert_eq!(scratch.count("SELECT count(*) FROM standing"), 360);
    assert_eq!(scratch.count("SELECT count(*) FROM standing WHERE place IS NULL"), 0);
    let days = scratch.rows("SELECT date(ends_at, 'unixepoch') FROM contest ORDER BY ends_at");
    assert_eq!((&*days[0], &*days[29]), ("1900-01-01", "1900-01-30"));
    scratch.ok(&["rate", "synth"]);
}

#[test]
fn teams_ties_and_unfinished_entrants_are_imported() {
    let scratch = import(&[
        "--players=20",
        "--rounds=30",
        "--size=12",
        "--team-size=3",
        "--tie-width=300",
        "--dnf=20",
        "--every=7",
        "--start=2020-02-01",
    ]);
    assert_eq!(scratch.count("SELECT count(*) FROM standing"), 30 * 4);
    assert_eq!(scratch.count("SELECT count(*) FROM member"), 30 * 12);
    let unfinished = scratch.count("SELECT count(*) FROM standing WHERE status = 'dnf'");
    assert!((10..40).contains(&unfinished), "{unfinished}");
    let groups = "SELECT count(DISTINCT contest_id || ' ' || place) FROM standing";
    assert!(scratch.count(groups) < 30 * 4 - unfinished);
    let days = scratch.rows("SELECT date(ends_at, 'unixepoch') FROM contest ORDER BY ends_at");
    assert_eq!((&*days[0], &*days[1]), ("2020-02-01", "2020-02-08"));
    let rated = scratch.json(&["rate", "synth", "--teams", "members"]);
    assert_eq!(rated[0]["contests"], json!(30));
}

#[test]
fn divisions_are_imported_as_contests_of_an_event() {
    let scratch = import(&["--players=12", "--rounds=5", "--divisions=3"]);
    let contests = "SELECT event, division, entrants FROM contest ORDER BY event, division";
    let contests = scratch.rows(contests);
    assert_eq!(contests.len(), 15);
    assert_eq!(contests[..3], ["Round 1|1|4", "Round 1|2|4", "Round 1|3|4"]);
}

#[test]
fn mistakes_have_their_own_messages() {
    let scratch = Scratch::new();
    for (options, expected) in [
        (&["--size", "101"][..], "needs a league of as many, not of 100"),
        (&["--team-size", "3"], "does not divide into two or more entrants of 3"),
        (&["--divisions", "51"], "do not fill 51 divisions"),
        (&["--noise=-1"], "the noise is -1"),
        (&["--drift", "NaN"], "the drift is NaN"),
        (&["--dnf", "100"], "expected a percentage from 0 to below 100"),
        (&["--every", "100000"], "after the year 2199"),
        (&["--model", "cauchy"], "logistic, gaussian"),
        (&["--players", "1"], "--players"),
        (&["--json"], "prints CSV only"),
    ] {
        scratch.run(&[&["synth"][..], options].concat()).exits(2).says(expected);
    }
    assert_eq!(scratch.list("."), [""; 0]);
}
