//! The growth of sigma between contests in the views: columns, titles, `--as-stored`, hashes.

use crate::support::Scratch;
use ranklore_test_support::contest_file;
use serde_json::Value;

/// Returns a contest file. All days have passed, so that none is left out as one of the future.
fn contest(id: u32, day: u32, groups: &[&[&str]]) -> String {
    let ends_at = 1_384_646_400 + i64::from(day) * 86_400;
    contest_file(id, ends_at, groups).to_string()
}

/// Returns a rated club: `old_oak` wins three contests, and the last contest of the others is nine
/// years later.
fn returning_champion(rate: &[&str]) -> Scratch {
    let scratch = Scratch::new();
    let groups: &[&[&str]] = &[&["old_oak"], &["ann"], &["bea"], &["cy"]];
    for id in 1..=3 {
        scratch.write(&format!("{id}.json"), contest(id, id * 7, groups));
    }
    for id in 4..=60 {
        let first: &[&[&str]] = match id % 2 {
            0 => &[&["ann"], &["bea"], &["cy"]],
            _ => &[&["bea"], &["ann"], &["cy"]],
        };
        let day = 21 + (id - 3) * 3_285 / 57;
        scratch.write(&format!("{id}.json"), contest(id, day, first));
    }
    scratch.ok(&["import", ".", "--source", "club"]);
    scratch.ok(&[&["rate", "club"], rate].concat());
    scratch
}

const GROWING: [&str; 2] = ["--set", "drift_per_day=20"];

const EVERYBODY: [&str; 4] = ["leaderboard", "club", "--inactive-after", "4000"];

fn standing<'a>(board: &'a Value, name: &str) -> &'a Value {
    let mut rows = board["rows"].as_array().unwrap().iter();
    rows.find(|row| row["name"] == name).unwrap()
}

#[test]
fn champion_away_for_nine_years_loses_first_place() {
    let scratch = returning_champion(&GROWING);
    let hash = scratch.ok(&["check", "--hash"]).out;
    let board = scratch.json(&EVERYBODY);
    let stored = scratch.json(&[&EVERYBODY[..], &["--as-stored"]].concat());
    let (now, then) = (standing(&board, "old_oak"), standing(&stored, "old_oak"));
    assert_eq!(now["place"], 4);
    assert_eq!(board["sigma_as_of"], board["newest_contest_at"]);
    assert!(stored["sigma_as_of"].is_null());
    let number = |row: &Value, key: &str| row[key].as_f64().unwrap();
    assert_eq!(now["stored_sigma"], then["sigma"]);
    assert_eq!(then["stored_sigma"], then["sigma"]);
    let days = number(&board, "newest_contest_at") - number(now, "last_contest_at");
    let variance = number(then, "sigma").powi(2) + 20.0 * days / 86_400.0;
    assert!((number(now, "sigma") - variance.sqrt()).abs() < 1e-9);
    assert!(number(now, "conservative") < number(then, "conservative") - 300.0);

    let title = |arguments: &[&str]| {
        let out = scratch.ok(arguments).out;
        out.lines().next().unwrap().to_owned()
    };
    let day = "; sigma as of 2022-12-06";
    for view in [
        &EVERYBODY[..],
        &["players", "club"],
        &["movers", "club", "--since", "2013-11-03"],
    ] {
        let line = title(view);
        assert!(line.ends_with(day), "{line}");
        let line = title(&[view, &["--as-stored"]].concat());
        assert!(!line.contains("as of"), "{line}");
    }
    let line = title(&["predict", "club", "old_oak", "ann"]);
    assert!(line.ends_with(day), "{line}");
    let text = scratch.ok(&EVERYBODY).out;
    assert!(text.contains(" sigma  stored sigma  "), "{text}");
    let player = scratch.ok(&["player", "club", "old_oak"]).out;
    assert!(player.contains(" as of 2022-12-06; "), "{player}");
    assert_eq!(scratch.ok(&["check", "--hash"]).out, hash);
}

#[test]
fn as_stored_changes_nothing_without_growth() {
    let scratch = returning_champion(&[]);
    for view in [
        &EVERYBODY[..],
        &["players", "club"],
        &["player", "club", "old_oak"],
        &["movers", "club", "--since", "2013-11-03"],
    ] {
        for format in ["table", "csv", "json", "markdown"] {
            let out = |options: &[&str]| {
                let format = ["--format", format];
                scratch.ok(&[view, &format[..], options].concat()).out
            };
            let plain = out(&[]);
            assert_eq!(plain, out(&["--as-stored"]));
            assert!(!plain.contains("as of"), "{plain}");
        }
    }
}

#[test]
fn returning_champion_is_provisional_by_grown_sigma() {
    let scratch = returning_champion(&GROWING);
    scratch.ok(&["source", "set", "club", "provisional=sigma:200"]);
    let is_provisional = |options: &[&str]| {
        let board = scratch.json(&[&EVERYBODY[..], options].concat());
        standing(&board, "old_oak")["provisional"].clone()
    };
    assert_eq!(is_provisional(&[]), true);
    assert_eq!(is_provisional(&["--as-stored"]), false);
    assert_eq!(is_provisional(&["--as-of", "2014-01-03"]), false);
}
