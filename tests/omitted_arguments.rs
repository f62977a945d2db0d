//! Commands without SOURCE, and without a database.

use crate::support::{CommandOutput, Scratch, contest};

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
    for command in [
        &["player", "ann"][..],
        &["contest", "1"],
        &["contests"],
        &["players"],
        &["players", "an"],
        &["movers", "--since", "2020-01-01"],
    ] {
        let named = [&command[..1], &["lantern"], &command[1..]].concat();
        let with_run = |command: &[&str]| scratch.ok(&[command, &["--run", "2"]].concat()).out;
        assert_eq!(with_run(command), with_run(&named), "{command:?}");
    }
    scratch.ok(&["rate", "club", "lantern", "--together"]);
    scratch.ok(&["runs", "name", "3", "both"]);
    scratch
        .run(&["player", "ann", "--run", "both"])
        .exits(2)
        .says("run \"both\" has several sources; put one before \"ann\": club, lantern\n");
    scratch.ok(&["leaderboard", "--run", "both"]);
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
        scratch
            .run(&one)
            .exits(2)
            .says(&format!("\"{0}\" is a source, and the name to find is missing", one[1]));
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
        .says("has no results yet: import results first")
        .says("`ranklore demo` creates an example");
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
        .run(&["forget", "--yes", "oona"])
        .exits(1)
        .says("there is no source \"oona\"");
}

#[test]
fn missing_database_is_named_with_another_one() {
    let scratch = Scratch::new();
    scratch.write("below/empty/notes.txt", "");
    let run = |folder: &str, arguments: &[&str], environment: Option<&str>| {
        let mut command = scratch.command(arguments);
        command.current_dir(scratch.path(folder));
        command.envs(environment.map(|path| ("RANKLORE_DB", path)));
        CommandOutput::run(command)
    };
    let looked_for = scratch.path("below/empty/ranklore.sqlite");
    let looked_for = format!("there is no database {}: ", looked_for.display());
    let example = "or name another file with --db or RANKLORE_DB";
    let above = "a folder above has a database: --db ";
    let all = COMMANDS.iter().copied().chain([
        &["status"][..],
        &["check"],
        &["sources"],
        &["rebuild"],
        &["prune", "--documents", "superseded"],
        &["backup", "copy.sqlite"],
        &["withdraw", "club", "2"],
        &["forget", "--yes", "club", "Ann"],
        &["competitor", "split", "club", "Ann"],
        &["source", "remove", "club", "--yes"],
    ]);
    for command in all.clone() {
        let done = run("below/empty", command, None)
            .exits(1)
            .says(&looked_for)
            .says(example)
            .says("`ranklore demo` creates an example");
        assert!(!done.err.contains(&scratch.db().display().to_string()));
    }
    let club = Scratch::club();
    std::fs::copy(club.db(), scratch.db()).unwrap();
    // An empty file and a folder are no databases.
    scratch.write("below/ranklore.sqlite", "");
    let other = format!("{above}{}", scratch.db().display());
    for command in all {
        run("below/empty", command, None).exits(1).says(&looked_for).says(&other);
    }
    assert_eq!(scratch.list("below/empty"), ["notes.txt"]);
    // Also beside a file that the user names.
    run("below/empty", &["leaderboard", "--db", "x.sqlite"], None)
        .exits(1)
        .says("/below/empty/x.sqlite")
        .says(&other);
    run("below/empty", &["leaderboard"], Some("y.sqlite"))
        .exits(1)
        .says("/below/empty/y.sqlite")
        .says("RANKLORE_DB names this file")
        .says(&other);
    run("below/empty", &["leaderboard"], Some("no/y.sqlite"))
        .exits(1)
        .says("there is no database")
        .says("RANKLORE_DB names this file");
    let import = ["import", "notes.txt", "--source", "club"];
    run("below/empty", &import, Some("no/y.sqlite"))
        .exits(1)
        .says("there is no folder no for no/y.sqlite: create it");
    run("below/empty", &["sources"], Some("../../ranklore.sqlite")).exits(0);
    assert_eq!(scratch.list("below/empty"), ["notes.txt"]);
}

#[test]
fn folders_far_above_are_not_searched() {
    let scratch = Scratch::club();
    let run = |levels: usize| {
        let folder = "a/".repeat(levels);
        scratch.write(&format!("{folder}x"), "");
        let mut command = scratch.command(&["leaderboard"]);
        command.current_dir(scratch.path(&folder));
        CommandOutput::run(command).exits(1).err
    };
    assert!(run(20).contains("a folder above has a database"));
    assert!(!run(21).contains(&scratch.db().display().to_string()));
}
