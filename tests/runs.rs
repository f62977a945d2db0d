//! The run that views show, and the commands that list, remove and name runs.

use crate::support::{CommandOutput, Scratch, contest};
use serde_json::{Value, json};

/// Returns the run that each view of the club shows with these options.
fn shown_runs(scratch: &Scratch, options: &[&str]) -> Vec<Value> {
    let views: [&[&str]; 4] = [
        &["leaderboard", "club"],
        &["player", "club", "Oona Pereskaya"],
        &["contest", "club", "3"],
        &["evaluate", "club"],
    ];
    let show = |view: &&[&str]| scratch.json(&[*view, options].concat())["run_id"].clone();
    views.iter().map(show).collect()
}

fn run_ids(runs: &Value) -> Vec<i64> {
    let runs = runs.as_array().unwrap().iter();
    runs.map(|run| run["run_id"].as_i64().unwrap()).collect()
}

#[test]
fn experiment_does_not_change_views() {
    let scratch = Scratch::club();
    scratch.ok(&["rate", "club"]);
    scratch.ok(&["rate", "club", "--since", "2023-10-01"]);
    scratch.ok(&["rate", "club", "--system", "elo-mmr:rho=2"]);
    scratch.ok(&["rate", "club", "--system", "glicko"]);
    assert_eq!(shown_runs(&scratch, &[]), [1, 1, 1, 1]);
    assert_eq!(shown_runs(&scratch, &["--run", "2"]), [2, 2, 2, 2]);
    let slow = ["--system", "elo-mmr:rho=2"];
    assert_eq!(shown_runs(&scratch, &slow), [3, 3, 3, 3]);
    assert_eq!(shown_runs(&scratch, &["--system", "glicko"]), [4, 4, 4, 4]);
    let dataset = |options: &[&str]| {
        let export = ["export", "club", "--to", "out", "--format", "csv"];
        scratch.ok(&[&export[..], options].concat());
        let runs = std::fs::read_to_string(scratch.path("out/csv/rating_run.csv")).unwrap();
        std::fs::remove_dir_all(scratch.path("out")).unwrap();
        let cells = runs.lines().skip(1).map(|line| line.split(',').nth(1).unwrap().to_owned());
        cells.collect::<Vec<_>>()
    };
    assert_eq!(dataset(&["--with", "ratings"]), ["elo-mmr"]);
    assert_eq!(dataset(&["--system", "glicko"]), ["glicko"]);
    let both = ["--system", "glicko", "--run", "4", "--run", "1"];
    assert_eq!(dataset(&both), ["elo-mmr", "glicko"]);
}

#[test]
fn default_system_of_the_source_is_rated_and_shown() {
    let scratch = Scratch::club();
    scratch.ok(&["rate", "club"]);
    scratch
        .ok(&["source", "set", "club", "system=glicko"])
        .says("next: ranklore rate club\n");
    // No run of the default system exists yet.
    assert_eq!(shown_runs(&scratch, &[]), [1, 1, 1, 1]);
    let missing = "glicko, the default system of club, has no run yet: ranklore rate club\n";
    for view in [
        &["leaderboard"][..],
        &["player", "Oona Pereskaya"],
        &["contest", "2"],
        &["contests"],
        &["players"],
        &["movers", "--since", "2020-01-01"],
        &["evaluate"],
    ] {
        assert_eq!(scratch.ok(view).err, missing, "{view:?}");
        // Nothing to say of a run that the user chose.
        let chosen = [view, &["--system", "elo-mmr"]].concat();
        assert_eq!(scratch.ok(&chosen).err, "", "{view:?}");
    }
    let rated = scratch.json(&["rate", "club"]);
    assert_eq!(rated[0]["system"], "glicko");
    assert_eq!(shown_runs(&scratch, &[]), [2, 2, 2, 2]);
    let set = scratch.json(&["source", "set", "club", "system=default"]);
    assert_eq!(
        set,
        json!({
            "source": "club", "default_system": null, "provisional_contests": null,
            "provisional_sigma": null,
        })
    );
    assert_eq!(shown_runs(&scratch, &[]), [1, 1, 1, 1]);
    for (setting, message) in [
        ("system=elo-9", "choose one of elo-mmr, elo-mmx"),
        ("system=", "or default to reset the setting"),
        (
            "system=elo-mmr:rho=2",
            "default parameters: use system=elo-mmr; views show the run with other settings by \
             --system elo-mmr:rho=2",
        ),
        ("provisional=0", "expected a number of contests from 1"),
        ("provisional=sigma:nan", "expected a number of contests from 1"),
        ("k=3", "use system or provisional"),
        ("system", "expected KEY=VALUE"),
    ] {
        let refused = scratch.run(&["source", "set", "club", setting]);
        refused.exits(2).says(message);
    }
    let twice = [
        "source",
        "set",
        "club",
        "provisional=5",
        "provisional=sigma:9",
    ];
    scratch.run(&twice).exits(2).says("given twice");
    scratch
        .run(&["source", "set", "clbu", "system=glicko"])
        .exits(1)
        .says("there is no source \"clbu\"");
}

#[test]
fn settings_of_a_source_end_with_it() {
    let scratch = Scratch::club();
    let set = |settings: &[&str]| scratch.json(&[&["source", "set", "club"], settings].concat());
    let rules = |source: &Value| {
        (source["provisional_contests"].clone(), source["provisional_sigma"].clone())
    };
    assert_eq!(rules(&set(&["provisional=5"])), (json!(5), json!(null)));
    let sigma = ["system=bar", "provisional=sigma:150"];
    assert_eq!(rules(&set(&sigma)), (json!(null), json!(150.0)));
    assert_eq!(set(&["provisional=default"])["default_system"], "bar");
    set(&sigma);
    scratch.ok(&["rebuild"]);
    let settings = "SELECT default_system, provisional_sigma FROM source";
    assert_eq!(scratch.rows(settings), ["bar|150"]);
    scratch.ok(&["source", "remove", "club", "--yes"]);
    assert_eq!(scratch.rows(settings), ["-|-"]);
}

#[test]
fn only_partial_runs_are_named_by_the_error() {
    let scratch = Scratch::club();
    scratch.ok(&["rate", "club", "--since", "2023-10-01"]);
    for view in [
        &["leaderboard", "club"][..],
        &["player", "club", "Oona Pereskaya"],
    ] {
        scratch
            .run(view)
            .exits(1)
            .says("no run covers all contests of club: run `ranklore rate club`")
            .says("or choose a run with --run:\n  1 by elo-mmr (since 2023-10-01)\n");
    }
    // The standings need no run.
    let view = scratch.json(&["contest", "club", "3"]);
    assert_eq!(view["run_id"], Value::Null);
    scratch
        .run(&["leaderboard", "club", "--system", "glicko:dnf=drop"])
        .exits(1)
        .says("run `ranklore rate club --system glicko:dnf=drop`");
}

#[test]
fn title_names_the_run() {
    let scratch = Scratch::club();
    let rate = [
        "rate",
        "club",
        "--system",
        "elo-mmr:rho=2",
        "--until",
        "2023-11-01",
    ];
    scratch.ok(&rate);
    scratch.ok(&["runs", "name", "1", "autumn trial"]);
    let run = "1 \"autumn trial\" by elo-mmr:rho=2 (before 2023-11-01)";
    let named = ["--run", "autumn trial"];
    for (view, title) in [
        (&["leaderboard"][..], format!("run {run}: 3 contests")),
        (&["evaluate"], format!("run {run}\n")),
        (&["player", "club", "Oona Pereskaya"], format!(" run           {run}\n")),
        (&["contest", "club", "1"], format!(" run       {run}\n")),
    ] {
        let command = [view, &named].concat();
        let out = scratch.ok(&command).out;
        assert!(out.contains(&title), "{title}: {out}");
        assert_eq!(scratch.json(&command)["run_name"], "autumn trial");
    }
}

#[test]
fn contests_newer_than_the_run_are_counted() {
    let scratch = Scratch::club();
    scratch.ok(&["rate", "club"]);
    scratch.ok(&["rate", "club", "--system", "elo-mmr:rho=2"]);
    assert_eq!(scratch.ok(&["leaderboard", "club"]).err, "");
    for id in [71, 72] {
        let name = format!("{id}.json");
        scratch.write(&name, contest(id, id, &[&["a"], &["b"]]));
        scratch.ok(&["import", &name, "--source", "club"]);
    }
    let newer = "2 contests newer than this run: ranklore rate club";
    for view in [
        &["leaderboard", "club"][..],
        &["player", "club", "Oona Pereskaya"],
        &["contest", "club", "3"],
    ] {
        let err = scratch.ok(view).err;
        assert_eq!(err.lines().collect::<Vec<_>>(), [newer]);
    }
    let err = scratch.ok(&["leaderboard", "--run", "2"]).err;
    assert_eq!(err, format!("{newer} --system elo-mmr:rho=2\n"));
    scratch.ok(&["source", "set", "club", "system=glicko"]);
    let err = scratch.ok(&["leaderboard", "--system", "elo-mmr"]).err;
    assert_eq!(err, format!("{newer} --system elo-mmr\n"), "not the default");
    scratch.ok(&["rate", "club", "--system", "elo-mmr"]);
    let current = scratch.ok(&["leaderboard", "--system", "elo-mmr"]);
    assert_eq!(current.err, "");
    scratch.ok(&["withdraw", "club", "71"]);
    let err = scratch.ok(&["leaderboard", "club"]).err;
    assert!(err.contains("stale: results have changed since the run"), "{err}");
}

#[test]
fn runs_are_listed_with_their_settings() {
    let scratch = Scratch::club();
    scratch.write("a.json", contest(1, 0, &[&["a"], &["b"]]));
    scratch.ok(&["import", "a.json", "--source", "other"]);
    assert_eq!(scratch.json(&["runs"]), json!([]));
    scratch.ok(&["runs", "club"]).says("next: ranklore rate club\n");
    scratch.ok(&["rate", "club", "other"]);
    scratch.ok(&["rate", "club", "other", "--together"]);
    scratch.ok(&[
        "rate",
        "club",
        "--system",
        "elo-mmr:rho=2",
        "--since",
        "2023-10-01",
    ]);
    scratch.ok(&["runs", "name", "4", "trial"]);
    scratch.ok(&["withdraw", "other", "1"]);
    let listed = scratch.ok(&["runs"]).out;
    let lines: Vec<Vec<&str>> = listed
        .lines()
        .map(|line| line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect())
        .collect();
    let day = lines[1][6];
    let headings = [
        "run", "system", "state", "only", "source", "name", "contests", "results", "rated",
    ];
    let run = |id, source, state, contests, results| {
        vec![id, "elo-mmr", state, source, contests, results, day]
    };
    assert_eq!(
        lines,
        [
            headings.to_vec(),
            run("1*", "club", "up to date", "4", "27"),
            run("2*", "other", "without contests", "1", "2"),
            run("3*", "club other", "stale", "5", "29"),
            vec![
                "4",
                "elo-mmr:rho=2",
                "up to date",
                "since 2023-10-01",
                "club",
                "trial",
                "2",
                "13",
                day
            ],
            vec!["* views show this run by default"],
        ]
    );
    let mut narrow = scratch.command(&["runs"]);
    narrow.env("COLUMNS", "40");
    let narrow = CommandOutput::run(narrow).out;
    for mark in ["1*", "elo-mmr:", "since ", "stale"] {
        assert!(narrow.contains(mark), "{mark}:\n{narrow}");
    }
    assert_eq!(run_ids(&scratch.json(&["runs", "other"])), [2, 3]);
    assert_eq!(run_ids(&scratch.json(&["runs", "other", "club"])), [1, 2, 3, 4]);
    scratch.run(&["runs", "clbu"]).exits(1).says("there is no source");
}

#[test]
fn removed_runs_leave_nothing_but_can_be_rated_again() {
    let scratch = Scratch::club();
    scratch.ok(&["rate", "club"]);
    scratch.ok(&["rate", "club", "--system", "glicko,bar"]);
    let first = scratch.ratings(1);
    scratch.ok(&["evaluate", "club"]);
    scratch.ok(&["runs", "name", "2", "spare"]);
    // All or nothing.
    scratch.run(&["runs", "remove", "1", "9"]).exits(1).says(
        "there is no run 9; the runs of this file are:\n  3 by bar\n  2 \"spare\" by glicko\n  \
             1 by elo-mmr\n",
    );
    assert_eq!(run_ids(&scratch.json(&["runs"])), [1, 2, 3]);
    let removed = scratch.json(&["runs", "remove", "1", "spare", "1"]);
    assert_eq!(
        removed,
        json!([
            {"run_id": 1, "system": "elo-mmr", "contests": 4, "results": 27},
            {"run_id": 2, "system": "glicko", "contests": 4, "results": 27},
        ])
    );
    for table in ["rating", "run_contest", "evaluation", "current_rating"] {
        let rows = format!("SELECT count(*) FROM {table} WHERE run_id < 3");
        assert_eq!(scratch.count(&rows), 0, "{table}");
    }
    scratch.ok(&["check"]);
    assert_eq!(shown_runs(&scratch, &[]), [3, 3, 3, 3]);
    let again = scratch.json(&["rate", "club"])[0]["run_id"].as_i64().unwrap();
    assert_eq!(scratch.ratings(again), first);
    let text = scratch.ok(&["runs", "remove", "3"]).out;
    assert_eq!(text, "removed run 3 by bar: 4 contests with 27 results\n");
}

#[test]
fn names_of_runs_are_unique_and_removable() {
    let scratch = Scratch::club();
    scratch.ok(&["rate", "club", "--system", "elo-mmr,glicko"]);
    let name = |run: &str, text: &str| scratch.run(&["runs", "name", run, text]);
    assert_eq!(name("1", " spring ").exits(0).out, "run 1 is named \"spring\"\n");
    name("2", "spring").exits(2).says("run 1 has this name");
    name("1", "spring").exits(0);
    name("spring", "summer").exits(0);
    name("2", "spring").exits(0);
    for wrong in ["7", "a\nb", &"x".repeat(65)] {
        name("2", wrong).exits(2);
    }
    name("autumn", "x").exits(1).says("there is no run \"autumn\"");
    assert_eq!(name("2", "").exits(0).out, "run 2 has no name\n");
    let named = "SELECT run_id, name FROM rating_run";
    assert_eq!(scratch.rows(named), ["1|summer", "2|-"]);
    // Rating again keeps the name.
    scratch.ok(&["withdraw", "club", "1"]);
    scratch.ok(&["rate", "club"]);
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.rows(named), ["1|summer", "2|-"]);
}

#[test]
fn forget_removes_names_of_runs_that_mention_the_person() {
    let scratch = Scratch::club();
    scratch.ok(&["rate", "club", "--system", "elo-mmr,glicko"]);
    scratch.ok(&["runs", "name", "1", "without Oona Pereskaya"]);
    scratch.ok(&["runs", "name", "2", "summer"]);
    scratch.ok(&["forget", "--yes", "club", "Oona Pereskaya"]);
    let named = "SELECT run_id, name FROM rating_run";
    assert_eq!(scratch.rows(named), ["1|-", "2|summer"]);
    scratch.ok(&["check"]);
}

#[test]
fn system_with_settings_rates_as_set_does() {
    let scratch = Scratch::club();
    let run = |options: &[&str]| run_ids(&scratch.json(&[&["rate", "club"], options].concat()));
    let weights = "newcomer_weights=[0.6,0.8]";
    let spec = format!("elo-mmr:rho=inf:{weights},glicko:dnf=drop");
    assert_eq!(run(&["--system", &spec]), [1, 2]);
    assert_eq!(run(&["--set", "rho=inf", "--set", weights]), [1]);
    assert_eq!(run(&["--system", "glicko", "--dnf", "drop"]), [2]);
    for (options, message) in [
        (
            &["--system", "elo-mmr:rho=2", "--set", "rho=2"][..],
            "\"rho\" is set twice, by elo-mmr:rho=2 and --set rho=2",
        ),
        (
            &["--set", "rho=2", "--set", "rho=3"],
            "\"rho\" is set twice, by --set rho=2 and --set rho=3",
        ),
        (
            &["--dnf", "drop", "--set", "dnf=tied"],
            "\"dnf\" is set twice, by --set dnf=tied and --dnf drop",
        ),
        (&["--system", "elo-mmr,glicko", "--set", "rho=2"], "--set is for one system"),
        (&["--system", "elo-mmr:rho"], "\"rho\" is no setting"),
        (&["--system", "elo-mmr:rhoo=1"], "rhoo"),
        (&["--system", "elo-mmr,elo-mmr"], "\"elo-mmr\" is listed twice"),
        (&["--set", "rhoo=1"], "rhoo"),
    ] {
        let refused = scratch.run(&[&["rate", "club"], options].concat());
        refused.exits(2).says(message);
    }
    assert_eq!(scratch.count("SELECT count(*) FROM rating_run"), 2);
    for (options, run_id) in [
        (&["--set", "rho=inf", "--set", weights][..], 1),
        (&["--system", "elo-mmr:rho=inf", "--set", weights], 1),
        (&["--system", "glicko", "--set", "dnf=drop"], 2),
    ] {
        let board = scratch.json(&[&["leaderboard", "club"], options].concat());
        assert_eq!(board["run_id"], run_id, "{options:?}");
    }
    for (options, code, message) in [
        (&["--set", "rho=3"][..], 1, "ranklore rate club --system elo-mmr:rho=3"),
        (&["--system", "elo-mmr:rho=2", "--set", "rho=3"], 2, "\"rho\" is set twice"),
        (&["--run", "1", "--set", "rho=inf"], 2, "cannot be used with"),
    ] {
        let refused = scratch.run(&[&["leaderboard", "club"], options].concat());
        refused.exits(code).says(message);
    }
    // The command that updates a run names the same run.
    scratch.write("71.json", contest(71, 71, &[&["a"], &["b"]]));
    scratch.ok(&["import", "71.json", "--source", "club"]);
    let err = scratch.ok(&["leaderboard", "--run", "1"]).err;
    let command = format!("ranklore rate club --system 'elo-mmr:{weights}:rho=inf'\n");
    assert!(err.ends_with(&command), "{err}");
}

#[test]
fn members_of_a_source_without_teams_are_no_run_of_their_own() {
    let scratch = Scratch::club();
    scratch.ok(&["rate", "club"]);
    for options in [
        &["--teams", "members"][..],
        &["--set", "teams=members"],
        &["--system", "elo-mmr:teams=members"],
    ] {
        let rated = scratch.ok(&[&["rate", "club", "--json"], options].concat());
        assert_eq!(rated.json()[0]["run_id"], 1);
        assert_eq!(rated.json()[0]["unchanged"], true);
        rated.says("club has no teams with known members");
    }
    assert_eq!(scratch.count("SELECT count(*) FROM rating_run"), 1);
}

#[test]
fn damaged_parameters_of_a_run_are_named() {
    let scratch = Scratch::club();
    scratch.ok(&["rate", "club"]);
    scratch.alter("UPDATE rating_run SET parameters = '[]'");
    let damage = "run 1: its parameters [] are no JSON object";
    for command in [
        ["rate", "club"],
        ["leaderboard", "club"],
        ["evaluate", "club"],
    ] {
        scratch
            .run(&command)
            .exits(1)
            .says(&format!("cannot read {damage}"))
            .says("; restore a backup, or remove the run and rate again");
    }
    for command in [&["check"][..], &["check", "--quick"]] {
        let checked = scratch.run(command).exits(1);
        assert!(checked.out.contains(damage), "{}", checked.out);
        let remedy = "or run `ranklore runs remove 1` and rate again";
        assert!(checked.out.contains(remedy), "{}", checked.out);
    }
    scratch.ok(&["runs", "remove", "1"]);
    scratch.ok(&["check"]);
    scratch.ok(&["rate", "club"]);
}
