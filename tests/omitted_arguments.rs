//! Commands without SOURCE.
#![expect(
    clippy::unwrap_used,
    reason = "clippy takes the helpers of tests for no tests"
)]

mod support;

use support::{Scratch, contest};

/// Commands that need no source if the database has one.
const COMMANDS: [&[&str]; 7] = [
    &["rate"],
    &["evaluate"],
    &["leaderboard"],
    &["player", "Oona Pereskaya"],
    &["contest", "2"],
    &["documents"],
    &["export", "--to", "dataset"],
];

/// Returns a club and another source.
fn two_sources() -> Scratch {
    let scratch = Scratch::club();
    scratch.write("1.json", contest(1, 0, &[&["club"], &["ann"]]));
    scratch.ok(&["import", "1.json", "--source", "lantern"]);
    scratch
}

#[test]
fn only_source_needs_no_name() {
    let scratch = Scratch::club();
    scratch.ok(&["rate"]);
    let named = Scratch::club();
    named.ok(&["rate", "club"]);
    assert_eq!(scratch.ratings(1), named.ratings(1));
    for command in COMMANDS {
        let with_source = [&command[..1], &["club"], &command[1..]].concat();
        let (without, with) = (scratch.copy(), scratch.copy());
        let out = without.ok(command).out;
        // Its table has the duration.
        if command != ["rate"] {
            assert_eq!(out, with.ok(&with_source).out, "{command:?}");
        }
    }
}

#[test]
fn several_sources_are_named_and_nothing_changes() {
    let scratch = two_sources();
    let before = scratch.everything();
    for command in COMMANDS {
        let done = scratch.run(command).exits(2);
        let last = command[command.len() - 1];
        let expected = match command[0] {
            "player" | "contest" => format!("put one before \"{last}\": club, lantern\n"),
            _ => "name one: club, lantern\n".to_owned(),
        };
        let expected = format!("error: the database has several sources; {expected}");
        assert_eq!((done.out.as_str(), done.err), ("", expected));
    }
    assert_eq!(scratch.everything(), before);
    assert_eq!(scratch.beside(), ["1.json"]);
}

#[test]
fn run_needs_no_source() {
    let scratch = two_sources();
    scratch.ok(&["rate", "club", "lantern"]);
    assert_eq!(
        scratch.ok(&["leaderboard", "--run", "2"]).out,
        scratch.ok(&["leaderboard", "lantern"]).out
    );
    scratch.ok(&["evaluate", "--run", "1"]);
}

#[test]
fn competitor_called_like_a_source_needs_both() {
    let scratch = two_sources();
    scratch.ok(&["rate", "lantern"]);
    for one in [
        ["player", "lantern"],
        ["player", "club"],
        ["contest", "club"],
    ] {
        scratch.run(&one).exits(2).says(&format!(
            "\"{0}\" is a source, and the name to find is missing",
            one[1]
        ));
    }
    let done = scratch.ok(&["player", "lantern", "club"]);
    assert!(done.out.starts_with("club of lantern\n"), "{}", done.out);
}

#[test]
fn removed_source_does_not_count() {
    let scratch = two_sources();
    scratch.ok(&["source", "remove", "lantern", "--yes"]);
    scratch.ok(&["rate"]);
    scratch.ok(&["source", "remove", "club", "--yes"]);
    scratch
        .run(&["leaderboard"])
        .exits(1)
        .says("there are no results in")
        .says("ranklore.sqlite");
}

#[test]
fn commands_that_change_a_source_need_its_name() {
    let scratch = Scratch::club();
    for command in [
        &["source", "remove", "--yes"][..],
        &["competitor", "split", "oona"],
        &["withdraw", "2"],
    ] {
        scratch.run(command).exits(2).says("required arguments");
    }
    // The name is optional in place of the source.
    scratch
        .run(&["forget", "oona"])
        .exits(1)
        .says("there is no source \"oona\"");
}
