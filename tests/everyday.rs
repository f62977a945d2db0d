//! Everyday tasks: a command or two each, and what they print.

use std::io::Read as _;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::support::{CommandOutput, Scratch, contest};

/// Returns a folder with a rated league of six monthly rounds, in the last of which nobody finished.
fn league() -> Scratch {
    let scratch = Scratch::new();
    let rounds: [&[&[&str]]; 6] = [
        &[
            &["quillon"],
            &["Maren Holt"],
            &["Élise Ambry"],
            &["dovetail"],
            &["brisk_owl"],
        ],
        &[
            &["quillon"],
            &["Élise Ambry"],
            &["Maren Holt"],
            &["brisk_owl"],
            &["dovetail"],
        ],
        &[
            &["Maren Holt"],
            &["quillon"],
            &["dovetail", "Élise Ambry"],
            &["orrin"],
            &["quliln"],
        ],
        &[
            &["quillon"],
            &["Maren Holt"],
            &["dovetail"],
            &["Élise Ambry"],
            &["brisk_owl"],
        ],
        &[
            &["dovetail"],
            &["quillon"],
            &["Maren Holt"],
            &["Élise Ambry"],
            &["orrin"],
        ],
        &[&["quillon", "dovetail", "orrin"]],
    ];
    for (round, groups) in (0_u32..).zip(rounds) {
        let mut file: Value =
            serde_json::from_str(&contest(round + 1, round * 30, groups)).unwrap();
        if round == 5 {
            file["entrants"] = json!([{"status": "dnf"}, {"status": "dnf"}, {"status": "dnf"}]);
        }
        scratch.write(&format!("rounds/{}.json", round + 1), file.to_string());
    }
    scratch.ok(&["import", "rounds", "--source", "league"]);
    scratch.ok(&["rate"]);
    scratch
}

/// Runs a command, which must succeed and print these texts in this order.
#[track_caller]
fn prints(scratch: &Scratch, command: &[&str], texts: &[&str]) -> CommandOutput {
    let done = scratch.run(command).exits(0);
    let mut rest = done.out.as_str();
    for text in texts {
        let Some((_, after)) = rest.split_once(text) else {
            panic!("{command:?} does not print {text:?} there:\n{}", done.out);
        };
        rest = after;
    }
    done
}

/// Returns the lines of an output that contain a text.
fn lines_with<'a>(out: &'a str, text: &str) -> Vec<&'a str> {
    out.lines().filter(|line| line.contains(text)).collect()
}

#[test]
fn start_in_a_folder_without_a_database() {
    let scratch = Scratch::new();
    scratch
        .run(&["leaderboard"])
        .exits(1)
        .says(&format!("there is no database {}", scratch.db().display()))
        .says("RANKLORE_DB")
        .says("ranklore demo");
    assert_eq!(scratch.list("."), [""; 0]);
}

#[test]
fn work_from_another_folder() {
    let league = league();
    let elsewhere = Scratch::new();
    let mut command = elsewhere.command(&["leaderboard"]);
    command.env("RANKLORE_DB", league.db());
    let out = CommandOutput::run(command).exits(0).out;
    assert!(out.contains("quillon"), "{out}");
    assert_eq!(out, league.ok(&["leaderboard"]).out);
    league.write("below/notes.txt", "");
    let mut command = league.command(&["leaderboard"]);
    command.current_dir(league.path("below"));
    let above = format!("a folder above has a database: --db {}", league.db().display());
    CommandOutput::run(command).exits(1).says(&above);
}

#[test]
fn see_what_the_file_has() {
    let league = league();
    prints(&league, &["source", "list"], &["league", "6", "2024-04-13"]);
    prints(
        &league,
        &["source", "show", "league"],
        &["contests", "6", "default system", "elo-mmr", "1 by elo-mmr"],
    );
}

#[test]
fn list_contests_with_why_one_is_not_rated() {
    let done = prints(
        &league(),
        &["contests"],
        &[
            "2024-04-13",
            "Round 6",
            "no order",
            "2024-03-14",
            "Round 5",
            "Round 1",
        ],
    );
    assert_eq!(lines_with(&done.out, "no order").len(), 1, "{}", done.out);
}

#[test]
fn filter_contests_by_date_and_name() {
    let league = league();
    let dates = ["contests", "--since", "2024-01-01", "--until", "2024-03-01"];
    let out = prints(&league, &dates, &["Round 4", "Round 3"]).out;
    assert_eq!(lines_with(&out, "Round").len(), 2, "{out}");
    let out = prints(&league, &["contests", "--name", "ROUND 2"], &["Round 2"]).out;
    assert_eq!(lines_with(&out, "Round").len(), 1, "{out}");
}

#[test]
fn find_competitors_by_a_part_of_the_name() {
    let out = prints(&league(), &["players", "elise"], &["Élise Ambry"]).out;
    assert!(!out.contains("quillon"), "{out}");
}

#[test]
fn find_a_competitor_with_a_typo() {
    let league = league();
    prints(&league, &["player", "maren hlot"], &["Maren Holt of league"])
        .says("no exact match for \"maren hlot\"");
    // Both names are one typo away: the better-known one comes first.
    league
        .run(&["player", "quilln"])
        .exits(1)
        .says("use one of these names:\n  \"quillon\"\n  \"quliln\"\n");
}

#[test]
fn look_for_a_round_that_does_not_exist() {
    let nearest = "there is no contest \"Round 500\" in league; the nearest are:\n  \"6\"";
    let done = league().run(&["contest", "Round 500"]).exits(1).says(nearest);
    assert_eq!(done.out, "");
}

#[test]
fn see_the_top_three() {
    let out = prints(&league(), &["leaderboard", "--limit", "3"], &["quillon", "Maren Holt"]).out;
    assert!(out.contains("--offset 3"), "{out}");
    assert!(!out.contains("brisk_owl"), "{out}");
}

#[test]
fn see_the_leaderboard_of_a_past_day() {
    let out =
        prints(&league(), &["leaderboard", "--as-of", "2023-12-31"], &["2 contests", "quillon"]);
    assert!(!out.out.contains("orrin"), "{}", out.out);
}

#[test]
fn see_a_competitor_and_a_contest() {
    let league = league();
    let player = ["quillon of league", "2024-03-14", "Round 5", "2 / 5"];
    prints(&league, &["player", "quillon"], &player);
    prints(&league, &["contest", "3"], &["league: Round 3", "Maren Holt", "quillon"]);
}

#[test]
fn compare_systems() {
    let league = league();
    let systems = "glicko,elo-mmr:rho=inf";
    prints(&league, &["rate", "--system", systems], &["glicko", "elo-mmr"]);
    let table = ["concordance", "glicko"];
    let out = prints(&league, &["evaluate", "--all"], &table).out;
    assert!(out.contains("rho=inf"), "{out}");
    prints(&league, &["player", "quillon"], &["all runs:", "elo-mmr", "glicko"]);
}

#[test]
fn try_an_experiment_and_keep_the_view() {
    let league = league();
    let before = league.ok(&["leaderboard"]).out;
    let experiment = ["rate", "--since", "2024-02-01"];
    league.ok(&experiment).says("ranklore leaderboard --run 2");
    assert_eq!(league.ok(&["leaderboard"]).out, before);
    prints(&league, &["leaderboard", "--run", "2"], &["run 2", "since 2024-02-01"]);
}

#[test]
fn list_and_delete_runs() {
    let league = league();
    league.ok(&["rate", "--since", "2024-02-01"]);
    let runs = ["1*", "elo-mmr", "2", "since 2024-02-01", "by default"];
    prints(&league, &["runs"], &runs);
    prints(&league, &["runs", "remove", "2"], &["removed run 2"]);
    let out = league.ok(&["runs"]).out;
    assert!(!out.contains("2024-02-01"), "{out}");
    league
        .run(&["leaderboard", "--run", "2"])
        .exits(1)
        .says("the runs of this file are:\n  1 by elo-mmr\n");
}

#[test]
fn change_the_system_that_is_shown() {
    let league = league();
    league.ok(&["source", "set", "league", "system=glicko"]);
    prints(&league, &["leaderboard"], &["by elo-mmr"])
        .says("glicko, the default system of league, has no run yet: ranklore rate league");
    league.ok(&["rate"]);
    prints(&league, &["leaderboard"], &["by glicko"]);
    prints(&league, &["leaderboard", "--system", "elo-mmr"], &["by elo-mmr"]);
}

#[test]
fn add_results_and_update_the_ratings() {
    let league = league();
    league.write("7.json", contest(7, 180, &[&["orrin"], &["quillon"]]));
    league.ok(&["import", "7.json", "--source", "league"]);
    prints(&league, &["leaderboard"], &["quillon"])
        .says("1 contest newer than this run: ranklore rate league");
    prints(&league, &["rate"], &["replayed 1 contest, from 2024-05-13 on"]);
    assert_eq!(prints(&league, &["leaderboard"], &["6 contests"]).err, "");
}

#[test]
fn undo_an_import() {
    let league = league();
    let before = league.ok(&["leaderboard"]).out;
    league.write("7.json", contest(7, 180, &[&["orrin"], &["quillon"]]));
    league.ok(&["import", "7.json", "--source", "league"]);
    league.ok(&["rate"]);
    prints(&league, &["import", "--undo"], &["undid the import of 7.json"]);
    assert_eq!(league.ok(&["leaderboard"]).out, before);
}

#[test]
fn exclude_a_contest_and_include_it_again() {
    let league = league();
    let before = league.ok(&["leaderboard"]).out;
    league.ok(&["withdraw", "league", "5"]);
    league.ok(&["rate"]);
    prints(&league, &["leaderboard"], &["4 contests"]);
    league.ok(&["withdraw", "league", "5", "--undo"]);
    league.ok(&["rate"]);
    assert_eq!(league.ok(&["leaderboard"]).out, before);
}

#[test]
fn open_the_leaderboard_in_a_spreadsheet() {
    let league = league();
    let csv = league.ok(&["leaderboard", "--format", "csv"]).out;
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 8, "a header and seven competitors:\n{csv}");
    assert!(lines[0].contains("name,"), "{csv}");
    assert!(lines[1].starts_with("1,quillon,"), "{csv}");
    for view in [
        &["player", "quillon"][..],
        &["contest", "1"],
        &["runs"],
        &["contests"],
    ] {
        let csv = league.ok(&[view, &["--format", "csv"]].concat()).out;
        assert!(csv.lines().count() > 1 && csv.contains(','), "{csv}");
    }
}

#[test]
fn export_one_table_as_a_file() {
    let league = league();
    league
        .run(&["export", "--to", "results.csv"])
        .exits(2)
        .says("--table leaderboard --to results.csv");
    league.ok(&["export", "--table", "leaderboard", "--to", "results.csv"]);
    let csv = std::fs::read_to_string(league.path("results.csv")).unwrap();
    assert_eq!(csv.lines().count(), 8, "{csv}");
}

#[test]
fn pass_rows_to_another_program() {
    let league = league();
    let out = league.ok(&["leaderboard", "--format", "jsonl"]).out;
    let names = out.lines().map(|line| {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        row["name"].as_str().unwrap().to_owned()
    });
    assert!(
        names.eq([
            "quillon",
            "Maren Holt",
            "dovetail",
            "Élise Ambry",
            "brisk_owl",
            "orrin",
            "quliln"
        ]),
        "{out}"
    );
}

#[test]
fn stop_reading_early() {
    let league = league();
    let mut names: Vec<String> = (0..3_000).map(|at| format!("entrant {at}")).collect();
    names.sort();
    let groups: Vec<Vec<&str>> = names.iter().map(|name| vec![name.as_str()]).collect();
    let groups: Vec<&[&str]> = groups.iter().map(Vec::as_slice).collect();
    league.write("7.json", contest(7, 180, &groups));
    league.ok(&["import", "7.json", "--source", "big"]);
    league.ok(&["rate", "big"]);
    let command = ["leaderboard", "big", "--format", "csv", "--limit", "3000"];
    let mut child = league
        .command(&command)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 4];
    // Reads like `head`, and closes the pipe.
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let done = child.wait_with_output().unwrap();
    assert_eq!(done.status.code(), Some(0));
    assert_eq!(String::from_utf8(done.stderr).unwrap(), "");
}

#[test]
fn read_tables_in_a_narrow_terminal() {
    let league = league();
    let since = ["movers", "--since", "2024-02-01"];
    for view in [
        &["leaderboard"][..],
        &["player", "quillon"],
        &["contest", "5"],
        &["contests"],
        &["players"],
        &since,
        &["runs"],
        &["evaluate"],
        &["systems"],
        &["source", "list"],
        &["source", "show"],
        &["systems", "--help"],
    ] {
        let mut command = league.command(view);
        command.env("COLUMNS", "40");
        let out = CommandOutput::run(command).exits(0).out;
        let widest = out.lines().map(|line| line.chars().count()).max();
        assert!(widest.is_some_and(|width| width <= 40), "{out}");
    }
}

#[test]
fn see_who_gained_and_lost_most() {
    let movers = ["movers", "--since", "2024-02-01"];
    prints(&league(), &movers, &["gains", "dovetail", "losses", "Maren Holt"]);
}

#[test]
fn tell_provisional_ratings_from_established_ones() {
    let league = league();
    let board = prints(&league, &["leaderboard"], &["quillon"]).out;
    let newcomer = lines_with(&board, "quliln");
    assert!(newcomer[0].contains('?'), "{board}");
    let out = league.ok(&["leaderboard", "--provisional", "exclude"]).out;
    assert!(!out.contains("quliln"), "{out}");
}

#[test]
fn read_the_rating_that_a_system_displays() {
    let league = league();
    let system = ["--system", "codeforces-official"];
    league.ok(&[&["rate"], &system[..]].concat());
    let player = [&["player", "quillon"], &system[..]].concat();
    let lowered = "= mu, less 900, 550, 300, 150, 50 after 1 to 5 contests";
    prints(&league, &player, &[" rating ", "? ", lowered]);
    let quillon = league.json(&player);
    let [rating, mu] = ["rating", "mu"].map(|key| quillon[key].as_f64().unwrap());
    assert!((rating - (mu - 50.0)).abs() < 1e-9, "{rating} of {mu}");
    let board = [&["leaderboard"], &system[..]].concat();
    prints(&league, &board, &[lowered, " title ", "quillon"]);
    let described = ["systems", "codeforces-official"];
    let rule = "provisional: fewer than 6 contests";
    let formula = "displayed rating: mu, less 900";
    prints(&league, &described, &[formula, rule, "pupil (from 1200)"]);
    // Settings change what is displayed.
    let racetime = ["systems", "trueskill:mu=25:sigma=8.333"];
    prints(&league, &racetime, &["100·(mu − 2·sigma)", "sigma above 1.83"]);
}
