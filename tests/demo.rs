//! `ranklore demo`: standings in, ratings out, on bundled data.
#![expect(
    clippy::unwrap_used,
    reason = "clippy takes the helpers of tests for no tests"
)]

mod support;

use support::Scratch;

#[test]
fn in_an_empty_folder_it_makes_only_a_folder_of_its_own() {
    let scratch = Scratch::new();
    let done = scratch.ok(&["demo"]);
    assert_eq!(scratch.list("."), ["ranklore-demo"]);
    assert_eq!(
        scratch.list("ranklore-demo"),
        ["ranklore.sqlite", "ranklore.sqlite.lock"]
    );
    assert!(
        done.out.contains("24 contests with 586 results"),
        "{}",
        done.out
    );
    assert_eq!(done.err, "");
    let champion = done
        .out
        .lines()
        .find(|line| line.trim_start().starts_with("1  "))
        .unwrap();
    assert!(champion.contains("Maren Holloway-Diaz"), "{champion}");
    // What to try next is what can be tried.
    let next: Vec<&str> = done
        .out
        .lines()
        .filter(|line| line.starts_with("  ranklore "))
        .collect();
    assert!(next.len() >= 3, "{}", done.out);
    for line in next.iter().filter(|line| !line.contains("results.csv")) {
        for command in line.split("&&") {
            let mut words: Vec<&str> = command.split_whitespace().skip(1).collect();
            words.extend(["--db", "ranklore-demo/ranklore.sqlite"]);
            scratch.ok(&words);
        }
    }
}

#[test]
fn the_second_time_it_says_the_same_and_changes_nothing() {
    let scratch = Scratch::new();
    let first = scratch.ok(&["demo", "--db", "ranklore.sqlite"]);
    // When the run was evaluated is the only thing that may move on.
    let content = |scratch: &Scratch| {
        let mut content = scratch.everything();
        content.retain(|row| !row.starts_with("evaluation"));
        content
    };
    let before = content(&scratch);
    let second = scratch.ok(&["demo", "--db", "ranklore.sqlite"]);
    assert_eq!(first.out, second.out);
    assert_eq!(content(&scratch), before);
    assert_eq!(scratch.count("SELECT count(*) FROM rating"), 586);
}

#[test]
fn a_file_named_for_it_is_used_and_no_folder_made() {
    let scratch = Scratch::new();
    scratch.ok(&["--db", "elsewhere.sqlite", "demo"]);
    assert_eq!(
        scratch.list("."),
        ["elsewhere.sqlite", "elsewhere.sqlite.lock"]
    );
}

#[test]
fn nothing_of_the_user_s_is_touched() {
    let scratch = Scratch::club();
    let before = scratch.everything();
    scratch.ok(&["demo"]);
    assert_eq!(scratch.everything(), before);
}

#[test]
fn it_shows_what_its_league_was_made_to_show() {
    let scratch = Scratch::new();
    scratch.ok(&["demo", "--db", "ranklore.sqlite"]);
    let board = scratch.json(&[
        "leaderboard",
        "lantern",
        "--inactive-after",
        "180",
        "--min-contests",
        "3",
    ]);
    let place = |name: &str| {
        let rows = board["rows"].as_array().unwrap();
        rows.iter()
            .find(|row| row["name"] == name)
            .map(|row| row["place"].as_u64().unwrap())
    };
    assert_eq!(place("Maren Holloway-Diaz"), Some(1));
    assert!(place("Šárka Dvořilová").unwrap() <= 5);
    assert_eq!(place("Aurelio Pantoni"), None, "inactive for long");
}
