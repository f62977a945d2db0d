//! `tune` from the command line: its report, its trials, shards, interruptions and mistakes.

use std::fmt::Write as _;
use std::fs;
use std::time::{Duration, Instant};

use crate::support::{CommandOutput, Scratch, fixtures};
use serde_json::{Value, json};

/// A league of 24 contests in the scratch database, of which the first nine tune.
fn league() -> Scratch {
    let scratch = Scratch::new();
    let table = fixtures().join("demo/lantern-league.csv");
    scratch.ok(&["import", table.to_str().unwrap(), "--source", "lantern"]);
    scratch
}

/// Options that tune with nine contests of the league.
const PART: [&str; 4] = ["tune", "lantern", "--train", "40"];

fn tune(options: &[&'static str]) -> Vec<&'static str> {
    [&PART[..], options].concat()
}

/// Returns the trials, without times and durations.
fn trials(scratch: &Scratch) -> Vec<Value> {
    let file = scratch.path("trials-to-compare.jsonl");
    let _ = fs::remove_file(&file);
    scratch.ok(&["tune", "lantern", "--export", file.to_str().unwrap()]);
    let text = fs::read_to_string(&file).unwrap();
    let lines = text.lines().map(|line| {
        let mut trial: Value = serde_json::from_str(line).unwrap();
        for key in ["tried_at", "seconds"] {
            assert!(trial.as_object_mut().unwrap().remove(key).is_some());
        }
        trial
    });
    lines.collect()
}

/// Returns a report without durations.
fn without_seconds(mut report: Value) -> String {
    for system in report["systems"].as_array_mut().unwrap() {
        system["judged"]["seconds"] = Value::Null;
    }
    report.to_string()
}

#[test]
fn report_compares_best_with_default_in_other_contests() {
    let league = long_league();
    let options = [
        "--system",
        "elo-mmr,glicko",
        "--trials",
        "20",
        "--slice",
        "everybody",
    ];
    let report = league.json(&tune(&options));
    assert_eq!(
        (&report["tuning_contests"], &report["judged_contests"]),
        (&json!(60), &json!(90))
    );
    let text = league.ok(&tune(&options)).out;
    let tenth = "SELECT date(ends_at, 'unixepoch') FROM contest ORDER BY ends_at LIMIT 1 OFFSET 60";
    let tenth = league.rows(tenth).concat();
    let concordance = |options: &[&str]| {
        let evaluated =
            league.json(&[&["evaluate", "lantern", "--slice", "everybody"], options].concat());
        let compared = evaluated["systems"][0]["compared"].as_array().unwrap();
        compared.iter().find(|row| row["metric"] == "concordance").unwrap().clone()
    };
    for system in report["systems"].as_array().unwrap() {
        let judged = &system["judged"];
        let best = system["best"].as_str().unwrap();
        // Both parts are those of `evaluate`.
        let metric = concordance(&["--train", "40", "--systems", best]);
        assert_eq!(metric["value"], judged["value"]);
        assert_eq!([&metric["low"], &metric["high"]], [&judged["low"], &judged["high"]]);
        let metric = concordance(&["--train", "0", "--until", &tenth, "--systems", best]);
        assert_eq!(metric["value"], system["tuning"]);
        let [value, default, difference] =
            ["value", "default", "difference"].map(|key| judged[key].as_f64().unwrap());
        assert!((value - default - difference).abs() < 1e-12);
        assert!(system["tuning"].as_f64() >= system["tuning_default"].as_f64());
        let command = text
            .lines()
            .find(|line| line.starts_with("ranklore rate") && { line.ends_with(best) });
        let words: Vec<&str> = command.unwrap().split(' ').skip(1).collect();
        let parameters = &league.json(&words)[0]["parameters"];
        assert_eq!(parameters, &system["parameters"]);
    }
    assert_eq!(league.count("SELECT count(*) FROM trial"), 40);
    assert!(league.count("SELECT count(*) FROM trial WHERE state = 'pruned'") > 0);
    assert_eq!(league.count("SELECT count(*) FROM trial WHERE state = 'running'"), 0);
    assert!(text.contains("pruned after a quarter or a half of the results"), "{text}");
    league.ok(&["check"]);
}

#[test]
fn report_and_trials_have_the_same_bytes_on_any_number_of_threads() {
    for sampler in ["grid", "random", "tpe", "cma-es"] {
        let run = |threads: &str| {
            let league = league();
            let options = [
                "--system",
                "elo-mmr,glicko",
                "--trials",
                "40",
                "--json",
                "--sampler",
            ];
            let mut command = league.command(&[&tune(&options)[..], &[sampler]].concat());
            command.env("RAYON_NUM_THREADS", threads);
            let report = without_seconds(CommandOutput::run(command).exits(0).json());
            (report, trials(&league))
        };
        let one = run("1");
        assert_eq!(one, run("2"), "{sampler}");
        assert_eq!(one, run("5"), "{sampler}");
    }
}

#[test]
fn merged_shards_equal_one_process() {
    for sampler in ["grid", "random"] {
        let options = ["--system", "elo-mmr,glicko", "--trials", "100", "--sampler"];
        let command = [&tune(&options)[..], &[sampler]].concat();
        let whole = league();
        let report = whole.json(&command);
        let merged = league();
        let mut files = Vec::new();
        for shard in ["1/4", "2/4", "3/4", "4/4"] {
            let scratch = league();
            scratch.ok(&[&command[..], &["--shard", shard]].concat());
            let file = merged.path(&format!("{}.jsonl", shard.replace('/', "-of-")));
            let file = file.to_str().unwrap().to_owned();
            scratch.ok(&["tune", "lantern", "--export", &file]);
            files.push(file);
        }
        let merge = |files: &[&str]| merged.json(&[&tune(&["--merge"])[..], files].concat());
        let backwards: Vec<&str> = files.iter().rev().map(String::as_str).collect();
        let first = merge(&backwards);
        let added: u64 = first
            .as_array()
            .unwrap()
            .iter()
            .map(|file| file["added"].as_u64().unwrap())
            .sum();
        assert_eq!(merged.count("SELECT count(*) FROM trial") as u64, added);
        // Again, in another order: nothing changes.
        let forwards: Vec<&str> = files.iter().map(String::as_str).collect();
        for file in merge(&forwards).as_array().unwrap() {
            assert_eq!(file["added"], 0);
        }
        assert_eq!(trials(&merged), trials(&whole), "{sampler}");
        // No trial is run again.
        let before = merged.rows("SELECT max(tried_at) || total(seconds) FROM trial");
        assert_eq!(without_seconds(merged.json(&command)), without_seconds(report));
        assert_eq!(merged.rows("SELECT max(tried_at) || total(seconds) FROM trial"), before);
        merged.ok(&["check"]);
    }
}

/// Returns contests of 40 out of 100 players, whose results follow their strength and some luck.
fn long_league() -> Scratch {
    let mut state = 7_u64;
    let mut draw = |bound: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    let mut table = "contest,date,name,place\n".to_owned();
    for contest in 0..150 {
        let mut results: Vec<(usize, usize)> = (0..100).map(|p| (16 * p + draw(600), p)).collect();
        results.sort_unstable();
        let (year, day) = (2000 + contest / 28, 1 + contest % 28);
        for (place, (_, player)) in (1..=40).zip(results) {
            writeln!(table, "{contest},{year}-01-{day:02},player {player},{place}").unwrap();
        }
    }
    let scratch = Scratch::new();
    scratch.write("league.csv", table);
    scratch.ok(&["import", "league.csv", "--source", "lantern"]);
    scratch
}

/// Waits until a search has this number of completed trials.
fn wait_for_trials(scratch: &Scratch, count: i64) {
    let begin = Instant::now();
    let sql = "SELECT count(*) FROM trial WHERE state = 'completed'";
    while scratch.count(sql) < count {
        assert!(begin.elapsed() < Duration::from_mins(2), "no trial ends");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn killed_search_reaches_the_same_trials() {
    for sampler in ["random", "tpe", "cma-es"] {
        let options = ["--system", "elo-mmr", "--trials", "64", "--sampler"];
        let command = [&tune(&options)[..], &[sampler]].concat();
        let whole = long_league();
        let report = without_seconds(whole.json(&command));
        let killed = long_league();
        for count in [1, 8] {
            let mut child = killed.command(&command).spawn().unwrap();
            wait_for_trials(&killed, count);
            child.kill().unwrap();
            child.wait().unwrap();
        }
        let ended = "SELECT group_concat(number || state || tried_at || seconds)
            FROM trial WHERE state = 'completed'";
        let before = killed.rows(ended).concat();
        assert!(killed.count("SELECT count(*) FROM trial") < 64 || !before.is_empty());
        assert_eq!(without_seconds(killed.json(&command)), report, "{sampler}");
        let after = killed.rows(ended).concat();
        for trial in before.split(',') {
            assert!(after.contains(trial), "{trial} was run again");
        }
        assert_eq!(trials(&killed), trials(&whole), "{sampler}");
        killed.ok(&["check"]);
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_prints_the_trials_that_ended() {
    let scratch = long_league();
    let options = ["--system", "elo-mmr,glicko", "--trials", "4000", "--json"];
    let mut command = scratch.command(&tune(&options));
    command
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped());
    let child = command.spawn().unwrap();
    wait_for_trials(&scratch, 1);
    crate::support::send_signal(&child, "-INT");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["interrupted"], true);
    let system = &report["systems"][0];
    assert_eq!((&system["system"], &system["judged"]), (&json!("elo-mmr"), &Value::Null));
    assert!(system["trials"].as_u64() > Some(0), "{system}");
    let note = String::from_utf8(output.stderr).unwrap();
    assert!(note.contains("the same command goes on"), "{note}");
}

#[test]
fn more_trials_continue_a_search() {
    for sampler in ["random", "tpe", "cma-es"] {
        let run = |scratch: &Scratch, trials: &str| {
            let options = [
                "--system",
                "glicko",
                "--sampler",
                sampler,
                "--trials",
                trials,
            ];
            scratch.json(&[&PART[..], &options].concat())
        };
        let league = league();
        run(&league, "20");
        let parameters = "SELECT parameters FROM trial ORDER BY number";
        let first = league.rows(parameters);
        let report = run(&league, "50");
        assert_eq!(league.rows(parameters)[..20], first);
        assert_eq!(league.count("SELECT count(*) FROM trial"), 50);
        let all_at_once = run(&self::league(), "50");
        assert_eq!(without_seconds(report), without_seconds(all_at_once), "{sampler}");
    }
}

#[test]
fn parameters_that_the_system_refuses_fail_alone() {
    let league = league();
    // Each end is valid beside the defaults; some combinations are not.
    let options = [
        "--system",
        "elo-r",
        "--space",
        "delta=110..1600",
        "--sampler",
        "random",
    ];
    let report = league.json(&tune(&options));
    let failed = report["systems"][0]["failed"].as_i64().unwrap();
    assert!(failed > 0, "{report}");
    let sql = "SELECT count(*) FROM trial WHERE state = 'failed' AND rungs = '[]'";
    assert_eq!(league.count(sql), failed);
    assert_eq!(without_seconds(league.json(&tune(&options))), without_seconds(report));
}

#[test]
fn best_parameters_are_saved_as_run() {
    let league = league();
    let options = ["--system", "glicko", "--trials", "20", "--save-as", "tuned"];
    let saved = league.ok(&tune(&options));
    assert!(saved.err.contains("run 1 has the best parameters"), "{}", saved.err);
    let report = league.json(&tune(&options[..4]));
    let run = &league.json(&["runs"])[0];
    assert_eq!(run["run_name"], "tuned");
    assert_eq!(run["settings"], report["systems"][0]["best"]);
    // The same command again, its run by its name, and another system with this name.
    league.ok(&tune(&options));
    for words in [&["tuned"][..], &["lantern", "tuned"]] {
        let rated = league.json(&[&["rate"], words].concat());
        let [rated] = &rated.as_array().unwrap()[..] else {
            panic!("{rated}")
        };
        assert_eq!((&rated["run_id"], &rated["unchanged"]), (&json!(1), &json!(true)));
    }
    league
        .run(&["rate", "torch", "tuned"])
        .exits(2)
        .says("run \"tuned\" is one of lantern");
    for option in [
        "--system=elo-mmr",
        "--until=2025-01-01",
        "--all",
        "--set=tau=1",
    ] {
        let rate = ["rate", "tuned", option];
        league.run(&rate).exits(2).says("has a system and contests of its own");
    }
    let other = [
        "--system",
        "elo-mmr",
        "--trials",
        "20",
        "--save-as",
        "tuned",
    ];
    league.run(&tune(&other)).exits(2).says("run 1 has this name");
    let several = ["--system", "all", "--save-as", "best"];
    league
        .run(&tune(&several))
        .exits(2)
        .says("--save-as names the run of one system");
}

#[test]
fn value_at_the_end_of_a_range_is_named() {
    let league = league();
    // Both values are at an end.
    let options = [
        "--system=elo-mmr",
        "--fix=rho=1",
        "--fix=drift_per_day=0",
        "--fix=split_ties=false",
        "--fix=weight_limit=0.2",
        "--space=sigma_limit=80..90",
        "--sampler=grid",
        "--trials=3",
    ];
    let report = league.json(&tune(&options));
    let edge = &report["systems"][0]["edges"][0];
    assert_eq!(edge["parameter"], "sigma_limit");
    let text = league.ok(&tune(&options)).out;
    let option = format!("--space {} widens it", edge["wider"].as_str().unwrap());
    assert!(text.contains(&option), "{text}");
    let wider = edge["wider"].as_str().unwrap();
    let widened = league.json(&[&tune(&options[..5])[..], &["--space", wider]].concat());
    assert_ne!(widened["systems"][0]["edges"][0]["wider"], wider);
}

/// Imports a league of known noise and drift.
fn known_league(options: &[&str]) -> Scratch {
    let scratch = Scratch::new();
    let table = scratch.ok(&[&["synth", "--model=gaussian"], options].concat()).out;
    scratch.write("league.csv", table);
    scratch.ok(&["import", "league.csv", "--source", "lantern"]);
    scratch
}

#[test]
fn search_recovers_noise_and_drift_of_a_known_league() {
    // Without draws and sides. Drift shows late, so that no trial may end early.
    const TUNE: [&str; 9] = [
        "tune",
        "lantern",
        "--system=trueskill",
        "--objective=log_loss",
        "--fix=draw_probability=0.001",
        "--fix=margin=adjacent",
        "--fix=advantage=0",
        "--train=50",
        "--no-prune",
    ];
    for (noise, drift) in [(60, 8), (400, 80)] {
        let options = [
            format!("--noise={noise}"),
            format!("--drift={drift}"),
            "--players=60".to_owned(),
            "--rounds=1500".to_owned(),
            "--size=8".to_owned(),
        ];
        let league = known_league(&options.each_ref().map(String::as_str));
        let report = league.json(&TUNE);
        let tuned = &report["systems"][0];
        let ratio =
            |name: &str, known: i32| tuned["parameters"][name].as_f64().unwrap() / f64::from(known);
        assert!((ratio("beta", noise) - 1.0).abs() < 0.1, "{tuned}");
        assert!((ratio("tau", drift) - 1.0).abs() < 0.2, "{tuned}");
        assert!(tuned["judged"]["difference_high"].as_f64().unwrap() < 0.0, "{tuned}");
        // The known parameters are within the interval, in the contests that tune and the others.
        let known = format!("trueskill:draw_probability=0.001:beta={noise}:tau={drift}");
        let systems = format!("--systems={known},{}", tuned["best"].as_str().unwrap());
        for part in [&["--train=0", "--until=1902-01-21"][..], &["--train=50"]] {
            let command = ["evaluate", "lantern", "--metric=log_loss", &systems];
            let evaluated = league.json(&[&command, part].concat());
            let worse = &evaluated["systems"][1];
            assert!(worse["system"].as_str().unwrap().starts_with("trueskill:"), "{worse}");
            let compared = worse["compared"].as_array().unwrap();
            let loss = compared.iter().find(|row| row["metric"] == "log_loss").unwrap();
            assert!(loss["difference_low"].as_f64().unwrap() <= 0.0, "{noise} {drift}: {loss}");
        }
    }
}

#[test]
fn differences_within_the_interval_keep_defaults() {
    // The defaults are those of this league.
    let league = known_league(&["--noise=175", "--drift=3.5", "--rounds=300", "--size=10"]);
    let command = ["tune", "lantern", "--system=trueskill", "--train=50"];
    let report = league.json(&command);
    let tuned = &report["systems"][0];
    assert!(tuned["trial"].as_u64() > Some(0), "{tuned}");
    assert!(tuned["tuning_best"].as_f64() > tuned["tuning_default"].as_f64(), "{tuned}");
    assert_eq!(tuned["best"], "trueskill");
    assert_eq!(tuned["tuning"], tuned["tuning_default"]);
    let text = league.ok(&command).out;
    assert!(text.contains("none is better than the default parameters"), "{text}");
}

#[test]
fn few_contests_are_warned_of() {
    let league = league();
    let few = league.ok(&[
        "tune",
        "lantern",
        "--system=glicko",
        "--slice=all",
        "--trials=4",
    ]);
    assert!(
        few.err.contains("warning: 2 contests cannot tell parameters apart"),
        "{}",
        few.err
    );
    let enough = long_league().ok(&["tune", "lantern", "--train=20", "--system=glicko"]);
    assert!(!enough.err.contains("warning"), "{}", enough.err);
}

#[test]
fn searches_are_listed() {
    let league = league();
    league.ok(&tune(&["--system", "glicko,elo-mmr", "--trials", "20"]));
    let list = league.json(&["tune", "lantern", "--list"]);
    let systems: Vec<&Value> =
        list.as_array().unwrap().iter().map(|study| &study["system"]).collect();
    assert_eq!(systems, ["elo-mmr", "glicko"]);
    assert_eq!(list[0]["trials"], 20);
    let table = league.ok(&["tune", "lantern", "--list"]).out;
    assert!(table.contains("elo-mmr:") && table.contains("first 40 %"), "{table}");
}

#[test]
fn mistakes_have_their_own_messages() {
    let league = league();
    for (options, code, expected) in [
        (&["--system", "elo-9"][..], 2, "choose one of elo-mmr, "),
        (&["--system", "glicko", "--objective", "accuracy"], 2, "concordance"),
        (
            &["--system", "glicko", "--sampler", "annealing"],
            2,
            "grid, random, tpe, cma-es",
        ),
        (&["--system", "glicko", "--fix", "rho=1"], 2, "there is no parameter `rho`"),
        (&["--system", "glicko", "--space", "rho=1..2"], 2, "there is no parameter `rho`"),
        (&["--system", "elo-mmr", "--space", "rho=2..1"], 2, "rho=2..1"),
        (&["--system", "glicko", "--slice", "best"], 2, "best"),
        (
            &[
                "--system",
                "glicko",
                "--sampler",
                "random",
                "--shard",
                "5/4",
            ],
            2,
            "1/N to N/N",
        ),
        (
            &["--system", "glicko", "--sampler", "tpe", "--shard", "1/4"],
            2,
            "--sampler grid",
        ),
        (&["--system", "codeforces-official"], 1, "it has no parameter to search"),
        (&[], 2, "--system"),
    ] {
        league.run(&tune(options)).exits(code).says(expected);
    }
    for (train, expected) in [
        (["--train", "3"], "no contest tunes: of 24 rated contests none"),
        (["--train-until", "1999-01-01"], "no contest tunes"),
        (["--train-until", "2199-01-01"], "nothing is left to predict"),
    ] {
        let command = [&["tune", "lantern", "--system", "glicko"][..], &train].concat();
        league.run(&command).exits(1).says(expected);
    }
    assert_eq!(league.count("SELECT count(*) FROM trial"), 0);
}

#[test]
fn file_that_does_not_fit_merges_nothing() {
    let league = league();
    league.ok(&tune(&["--system", "glicko", "--trials", "20"]));
    league.ok(&["tune", "lantern", "--export", "all.jsonl"]);
    league
        .run(&["tune", "lantern", "--export", "all.jsonl"])
        .exits(2)
        .says("all.jsonl exists");
    let text = fs::read_to_string(league.path("all.jsonl")).unwrap();
    let other = self::league();
    let refuse = |scratch: &Scratch, text: &str, train: &str, expected: &str| {
        scratch.write("part.jsonl", text);
        let merge = ["tune", "lantern", "--train", train, "--merge", "part.jsonl"];
        scratch.run(&merge).exits(1).says(expected).says("part.jsonl");
        assert_eq!(scratch.count("SELECT count(*) FROM trial"), 0);
    };
    let cut = &text[..text.len() - 50];
    refuse(&other, cut, "40", "line 20: it is cut off in the middle");
    refuse(
        &other,
        &text.replace("\"number\":3,", "\"number\":x,"),
        "40",
        "line 4: it is no trial",
    );
    refuse(&other, &text, "50", "line 1: its split is {\"train\":40.0}");
    let engine = text.replace("\"engine\":\"", "\"engine\":\"7");
    refuse(&other, &engine, "40", "line 1: its engine is 7");
    let elsewhere = text.replace("[\"lantern\"]", "[\"torch\"]");
    refuse(&other, &elsewhere, "40", "line 1: its selection is {\"sources\":[\"torch\"]}");
    let changed = self::league();
    let contest = changed.rows("SELECT external_id FROM contest ORDER BY ends_at LIMIT 1");
    changed.ok(&["withdraw", "lantern", &contest[0]]);
    refuse(&changed, &text, "40", "line 1: its results are not those of this database");
    // A trial that contradicts a stored one.
    let contradiction = text.replacen("\"rungs\":[", "\"rungs\":[1.5,", 1);
    league.write("part.jsonl", contradiction);
    let merge = tune(&["--merge", "part.jsonl"]);
    league
        .run(&merge)
        .exits(1)
        .says("line 1: trial 0 contradicts the one in the database");
}
