//! Import, rating and evaluation of 1,371,813 results of 768 real rounds, of football matches and of
//! large generated leagues. Runs only in release builds, and most only with `RANKLORE_REAL_DATA` set
//! to the folder of the data.
#![expect(
    clippy::unwrap_used,
    reason = "clippy takes the helpers of tests for no tests"
)]

mod support;

use std::path::PathBuf;

use serde_json::{Value, json};
use support::pages::{parse_blocks, read};
use support::{Scratch, fixtures};

/// Returns the folder of the data if these tests should run.
fn data() -> Option<PathBuf> {
    if cfg!(debug_assertions) {
        println!("left out: not optimised; run with --release");
        return None;
    }
    let folder = std::env::var_os("RANKLORE_REAL_DATA").filter(|folder| !folder.is_empty());
    if folder.is_none() {
        println!("left out: RANKLORE_REAL_DATA is not set");
    }
    folder.map(PathBuf::from)
}

#[test]
fn real_rounds_are_imported_rated_and_evaluated() {
    let Some(data) = data() else { return };
    let scratch = Scratch::new();
    let rounds = data.join("codeforces-2010-2018.tar.zst");
    let import = ["import", rounds.to_str().unwrap(), "--source", "codeforces"];
    let imported = scratch.json(&import);
    assert_eq!(imported["contests"], json!({"added": 768, "revised": 0, "unchanged": 0}));
    assert_eq!(imported["results"], 1_371_813);
    assert_eq!(imported["refused"], json!([]));
    assert_eq!(scratch.count("SELECT count(*) FROM standing"), 1_371_813);
    let hash = scratch.store().content_hash().unwrap();

    let again = scratch.json(&import);
    assert_eq!(again["contests"], json!({"added": 0, "revised": 0, "unchanged": 768}));
    assert_eq!(scratch.store().content_hash().unwrap(), hash);
    assert_eq!(scratch.count("SELECT count(*) FROM document"), 768);
    assert_eq!(scratch.count("SELECT count(*) FROM sync_run"), 1);

    let system = "elo-mmr:weight_limit=0.23:sigma_limit=54:rho=0.04";
    let rate = ["rate", "codeforces", "--system", system];
    let rated = scratch.json(&rate);
    assert_eq!(rated[0]["results"], 1_371_813);
    assert_eq!(scratch.json(&rate)[0]["unchanged"], true);

    let evaluated = scratch.json(&["evaluate", "codeforces"]);
    for (index, (slice, pairs, deviation)) in [
        ("everybody", 76.582, 16.035),
        ("experienced", 76.321, 16.302),
        ("top100", 61.819, 26.194),
    ]
    .into_iter()
    .enumerate()
    {
        let stored_slice = &evaluated["slices"][index];
        assert_eq!(stored_slice["slice"], slice);
        for (field, expected) in [("pair_inversion", pairs), ("rank_deviation", deviation)] {
            let value = stored_slice[field].as_f64().unwrap();
            assert!((value - expected).abs() <= 0.01, "{slice} {field}: {value}, not {expected}");
        }
    }

    // The same in memory.
    let compared = scratch.json(&["evaluate", "codeforces", "--systems", system]);
    let mut systems = compared["systems"].as_array().unwrap().iter();
    let live_system = systems.find(|system| system["bytes"].is_u64()).unwrap();
    for metric in ["pair_inversion", "rank_deviation", "log_loss", "top_1"] {
        for (live, stored) in live_system["slices"]
            .as_array()
            .unwrap()
            .iter()
            .zip(evaluated["slices"].as_array().unwrap())
        {
            assert_eq!(live[metric], stored[metric], "{metric}");
        }
    }

    let board = scratch.json(&["leaderboard", "codeforces", "--min-contests", "5"]);
    let total = |value: &Value| value["total"].as_u64().unwrap();
    assert_eq!(board["rows"].as_array().unwrap().len() as u64, total(&board));
    let inactive = scratch.json(&["leaderboard", "codeforces", "--inactive"]);
    let everybody = scratch.json(&["leaderboard", "codeforces"]);
    let competitors = scratch.count("SELECT count(DISTINCT competitor_id) FROM rating");
    assert_eq!(total(&inactive) + total(&everybody), competitors as u64);
    assert!(total(&board) < total(&everybody));

    let bytes = std::fs::metadata(scratch.db()).unwrap().len();
    assert!(bytes < 120 * 1_371_813, "{} bytes a result", bytes / 1_371_813);
    assert!(!scratch.path("ranklore.sqlite-wal").exists());
    assert_eq!(scratch.store().check().unwrap(), []);
}

/// The table of docs/systems.md, and bounds that every system holds with its defaults.
#[test]
fn default_parameters_are_sound() {
    let Some(data) = data() else { return };
    let scratch = Scratch::new();
    let rounds = data.join("codeforces-2010-2018.tar.zst");
    scratch.ok(&["import", rounds.to_str().unwrap(), "--source", "cf"]);
    scratch
        .ok(&["rate", "cf", "--all"])
        .says("no run of cf: elo rates contests of at most 2");
    for evaluated in scratch.json(&["evaluate", "cf", "--all"]).as_array().unwrap() {
        let system = &evaluated["system"];
        let number = |key: &str| evaluated[key].as_f64().unwrap();
        let experienced = evaluated["slices"][1]["concordance"].as_f64().unwrap();
        assert!(experienced >= 74.0, "{system}: {experienced}");
        let range = (number("lowest_mu"), number("highest_mu"));
        assert!(range.0 >= -3_000.0 && range.1 <= 6_000.0, "{system}: {range:?}");
        let single = number("one_contest_in_top_100");
        assert!(single <= 5.0, "{system}: {single}");
    }
    let printed = scratch.ok(&["evaluate", "cf", "--all"]).out;
    let page = std::fs::read_to_string(fixtures().join("../docs/systems.md")).unwrap();
    assert!(page.contains(&printed), "docs/systems.md differs from\n{printed}");
}

#[test]
fn published_figures_are_reproduced() {
    let Some(data) = data() else { return };
    let scratch = Scratch::new();
    let rounds = data.join("codeforces-2010-2018.tar.zst");
    let races = data.join("racetime/map-rando-s1-s3.json");
    let races = &["--data", races.to_str().unwrap()][..];
    let data = &["--data", rounds.to_str().unwrap()][..];
    for (name, data, judged) in [
        ("codeforces-768", data, 30),
        ("multielo", races, 20),
        ("volatility-farming", data, 6),
        ("synthetic", &[], 6),
        ("glicko-examples", &[], 4),
        ("elo-srm", &[], 11),
    ] {
        let printed = scratch.ok(&[&["reproduce", name], data].concat()).out;
        let summary = format!("\n{judged} figures agree, 0 differ, ");
        assert!(printed.contains(&summary), "{name}: {printed}");
        assert_is_documented(name, &printed);
    }
}

/// Asserts that docs/reproduce.md has the lines of this table in order; `…` stands for others.
fn assert_is_documented(name: &str, printed: &str) {
    let blocks = parse_blocks(&read("docs/reproduce.md"));
    let mut examples = blocks.iter().flatten();
    let command = format!("ranklore reproduce {name}");
    let example = examples
        .find(|example| example.command.split(" --").next() == Some(&*command))
        .unwrap_or_else(|| panic!("docs/reproduce.md has no `{command}`"));
    let mut lines = printed.lines();
    let mut may_skip = false;
    for expected in &example.output {
        if expected == "…" {
            may_skip = true;
            continue;
        }
        let line = if may_skip {
            lines.find(|line| line == expected)
        } else {
            lines.next().filter(|line| line == expected)
        };
        assert!(line.is_some(), "{name}: {expected}\nis not in\n{printed}");
        may_skip = false;
    }
    assert!(may_skip || lines.next().is_none(), "{name} has more rows: {printed}");
}

/// Games with home sides and draws, tuned to 2000.
#[test]
fn tuned_parameters_predict_football_better() {
    let Some(data) = data() else { return };
    let scratch = Scratch::new();
    let packed = std::fs::read(data.join("games/international-football.csv.zst")).unwrap();
    scratch.write("football.csv", zstd::decode_all(&*packed).unwrap());
    scratch.ok(&["import", "football.csv", "--source", "football"]);
    let report = scratch.json(&[
        "tune",
        "football",
        "--system=elo,glicko,glicko2,trueskill",
        "--objective=log_loss",
        "--train-until=2000-01-01",
        "--trials=30",
    ]);
    let systems = report["systems"].as_array().unwrap();
    assert_eq!(systems.len(), 4);
    for tuned in systems {
        let judged = &tuned["judged"];
        assert!(judged["difference_high"].as_f64().unwrap() < -0.005, "{tuned}");
        let advantage = tuned["parameters"]["advantage"].as_f64().unwrap();
        assert!((50.0..250.0).contains(&advantage), "{tuned}");
    }
}

#[test]
fn incremental_rating_equals_full_replay_of_real_rounds() {
    let Some(data) = data() else { return };
    let scratch = Scratch::new();
    let rounds = data.join("codeforces-2010-2018.tar.zst");
    scratch.ok(&["import", rounds.to_str().unwrap(), "--source", "codeforces"]);
    let rate = || scratch.json(&["rate", "codeforces"])[0]["replayed"].clone();
    let hash = || scratch.store().content_hash().unwrap();
    assert_eq!(rate(), 768);
    let full_hash = hash();

    let last = "SELECT external_id FROM contest ORDER BY ends_at DESC LIMIT 1";
    let earlier = "SELECT external_id FROM contest ORDER BY ends_at LIMIT 1 OFFSET 699";
    for (contest, with, without) in [(last, 1, 0), (earlier, 69, 68)] {
        let contest = &scratch.rows(contest)[0];
        scratch.ok(&["withdraw", "codeforces", contest]);
        assert_eq!(rate(), without);
        let continued = hash();
        scratch.ok(&["rebuild", "codeforces"]);
        assert_eq!(hash(), continued, "without {contest}");
        scratch.ok(&["withdraw", "codeforces", contest, "--undo"]);
        assert_eq!(rate(), with);
        assert_eq!(hash(), full_hash, "with {contest} again");
    }
}

#[test]
fn files_of_another_format_are_refused() {
    let Some(data) = data() else { return };
    let scratch = Scratch::new();
    for name in ["1305-ozon-2020-div1+2", "1349-641-div1", "1352-640-div4"] {
        let path = data.join(format!("codeforces/official-deltas-{name}.json"));
        let arguments = ["import", path.to_str().unwrap(), "--source", "deltas"];
        let done = scratch.run(&arguments).exits(3).says("official-deltas").says("refused");
        let longest = done.err.lines().map(str::len).max().unwrap();
        assert!(longest < 500 && done.err.lines().count() < 20, "{}", done.err);
    }
    assert!(!scratch.db().exists(), "a refused import leaves nothing");
}
