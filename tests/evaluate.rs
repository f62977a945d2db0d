//! `evaluate` and `predict` from the command line: comparison of systems, charts, mistakes.

use std::fmt::Write as _;
use std::fs;

use crate::support::{CommandOutput, Scratch, contest};
use serde_json::Value;

/// A league of 24 contests in the scratch database, not rated.
fn league() -> Scratch {
    let scratch = Scratch::new();
    let table = crate::support::fixtures().join("demo/lantern-league.csv");
    scratch.ok(&["import", table.to_str().unwrap(), "--source", "lantern"]);
    scratch
}

/// Returns contests of 20 out of 60 players, whose results follow their strength and some luck; some
/// entrants, drawn without regard to it, do not finish.
fn contests_with_accidents() -> String {
    let mut state = 7_u64;
    let mut draw = |bound: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    let mut table = "contest,date,name,place\n".to_owned();
    let mut players: Vec<usize> = (0..60).collect();
    for contest in 0..60 {
        for drawn in 0..20 {
            players.swap(drawn, drawn + draw(60 - drawn));
        }
        let results = players[..20]
            .iter()
            .map(|&player| (draw(10) == 0, 16 * player + draw(300), player));
        let mut results: Vec<(bool, usize, usize)> = results.collect();
        results.sort_unstable();
        for (index, (has_accident, _, player)) in results.into_iter().enumerate() {
            let place = if has_accident {
                "DNF".to_owned()
            } else {
                (index + 1).to_string()
            };
            let (month, day) = (1 + contest / 28, 1 + contest % 28);
            writeln!(table, "{contest},2024-{month:02}-{day:02},player {player},{place}").unwrap();
        }
    }
    table
}

/// Returns a comparison without durations.
fn without_seconds(mut comparison: Value) -> String {
    for system in comparison["systems"].as_array_mut().unwrap() {
        system["seconds"] = Value::Null;
    }
    comparison.to_string()
}

#[test]
fn comparison_has_the_same_bytes_on_any_number_of_threads() {
    let league = league();
    let compare = |threads: &str| {
        let all = [
            "evaluate",
            "lantern",
            "--systems",
            "all",
            "--by",
            "experience,year",
            "--json",
        ];
        let mut command = league.command(&all);
        command.env("RAYON_NUM_THREADS", threads);
        without_seconds(CommandOutput::run(command).exits(0).json())
    };
    let one = compare("1");
    assert_eq!(one, compare("2"));
    assert_eq!(one, compare("5"));
    assert_eq!(league.count("SELECT count(*) FROM rating_run"), 0);
    // 17 systems and two baselines; elo rates contests of two only.
    assert_eq!(league.count("SELECT count(*) FROM evaluation WHERE run_id IS NULL"), 19);
    let seeded = [
        "evaluate",
        "lantern",
        "--systems",
        "elo-mmr",
        "--json",
        "--seed",
    ];
    let seeded = |seed: &str| {
        let out = league.ok(&[&seeded[..], &[seed]].concat()).out;
        without_seconds(serde_json::from_str(&out).unwrap())
    };
    assert_ne!(seeded("1"), seeded("2"), "intervals depend on the seed");
    league.ok(&["check"]);
}

#[test]
fn spread_that_does_not_fit_comes_with_a_command_to_try() {
    let scratch = Scratch::new();
    scratch.write("accidents.csv", contests_with_accidents());
    scratch.ok(&["import", "accidents.csv", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    let advised = scratch.ok(&["evaluate", "club"]).out;
    let line = advised.lines().find(|line| line.starts_with("surprise: 0.")).unwrap();
    assert!(line.contains("% of the results are no finish"), "{line}");
    let command = line.split('`').nth(1).unwrap();
    assert_eq!(command, "ranklore rate club --dnf drop");
    scratch.ok(&command.split(' ').skip(1).collect::<Vec<_>>());
    let dropped = scratch.ok(&["evaluate", "club", "--run", "2"]).out;
    assert!(
        dropped.contains("try another drift or noise: `ranklore systems elo-mmr`"),
        "{dropped}"
    );
    assert!(!dropped.contains("--dnf"), "{dropped}");
}

#[test]
fn comparison_is_a_table_with_baselines_and_reasons() {
    let league = league();
    let compared = league.ok(&["evaluate", "--systems", "all", "--by", "half"]);
    let out = &compared.out;
    assert!(
        out.starts_with("lantern: 22 contests predicted, the 2 before them train (10 %)"),
        "{out}"
    );
    for words in [
        "previous place",
        "coin toss",
        "left out: elo: elo rates contests of at most 2 entrants",
        "concordance by slice",
        "half 2",
    ] {
        assert!(out.contains(words), "{words}: {out}");
    }
    let csv = league.ok(&["evaluate", "--systems", "elo-mmr,glicko", "--format", "csv"]).out;
    // Two systems and two baselines in four slices.
    assert_eq!(csv.lines().count(), 1 + 4 * 4);
    let by_loss = [
        "evaluate",
        "--systems",
        "elo-mmr,glicko",
        "--metric",
        "log_loss",
    ];
    let by_loss = league.json(&by_loss);
    let first = &by_loss["systems"][0];
    assert_eq!(by_loss["metric"], "log_loss");
    let value = |system: &Value, metric: &str| {
        let compared = system["compared"].as_array().unwrap();
        let compared_metric = compared.iter().find(|entry| entry["metric"] == metric);
        compared_metric.and_then(|entry| entry["value"].as_f64())
    };
    let losses = by_loss["systems"].as_array().unwrap();
    for other in losses {
        let other = value(other, "log_loss").unwrap_or(f64::INFINITY);
        assert!(value(first, "log_loss").unwrap() <= other);
    }
}

#[test]
fn charts_are_written() {
    let league = league();
    league.ok(&["evaluate", "--systems", "elo-mmr,glicko", "--svg", "charts"]);
    for (name, words) in [
        ("intervals.svg", &["elo-mmr", "coin toss", "95 % intervals"][..]),
        ("calibration.svg", &["Calibration, experienced", "glicko"]),
        ("years.svg", &["concordance of everybody by year", "2024"]),
    ] {
        let svg = fs::read_to_string(league.path("charts").join(name)).unwrap();
        assert!(svg.trim_end().ends_with("</svg>"), "{name}");
        for word in words {
            assert!(svg.contains(word), "{name}: {word}");
        }
    }
    league.write("file", "");
    let failed = league.run(&["evaluate", "--systems", "elo-mmr", "--svg", "file"]);
    failed.exits(1).says("cannot create the folder file");
}

#[test]
fn unknown_names_list_the_known_ones() {
    let league = league();
    for (arguments, known) in [
        (&["--systems", "elo-9"][..], "choose one of elo-mmr"),
        (&["--systems", "elo-mmr:rhoo=1"], "rhoo"),
        (&["--systems", "glicko", "--metric", "luck"], "concordance, pair_inversion"),
        (&["--systems", "glicko", "--slice", "luck"], "everybody, experienced, top100"),
        (&["--by", "luck"], "expected experience, size"),
        (&["--train", "100%"], "from 0 to below 100"),
        (&["--train", "5%", "--train-until", "2024-01-01"], "cannot be used with"),
        (&["--metric", "brier"], "--systems"),
        (&["--all", "--svg", "x"], "cannot be used with"),
        (&["--run", "1", "--slice", "luck"], "cannot be used with"),
        (&["--system", "elo-mmr", "--metric", "brier"], "cannot be used with"),
    ] {
        let failed = league.run(&[&["evaluate"][..], arguments].concat());
        failed.exits(2).says(known);
    }
    for (arguments, reason) in [
        (&["--train", "1%"][..], "no contest trains"),
        (&["--train-until", "2100-01-01"], "nothing is left to predict"),
        (&["--until", "1990-01-01"], "rated contests ended before --until"),
        (&["--against", "official"], "has no official ratings"),
    ] {
        let arguments = [&["evaluate", "--systems", "glicko"][..], arguments].concat();
        league.run(&arguments).exits(1).says(reason);
    }
}

#[test]
fn fields_are_predicted_by_name_and_by_contest() {
    let league = league();
    league.ok(&["rate"]);
    let names = [
        "predict",
        "Maren Holloway-Diaz",
        "pebble_sum",
        "oddsock_tern",
    ];
    let named = league.ok(&names).out;
    let second = named.lines().nth(2).unwrap();
    assert!(second.contains("Maren Holloway-Diaz"), "{named}");
    assert!(named.contains("first ahead"), "{named}");
    let rows = league.ok(&[&names[..], &["--pairs", "--format", "csv"]].concat()).out;
    assert_eq!(rows.lines().count(), 1 + 3);
    let contest = league.json(&["predict", "lantern", "--contest", "24@1749427200"]);
    let entrants = contest["rows"].as_array().unwrap();
    assert_eq!(entrants.len() as u64, contest["contest"]["entrants"].as_u64().unwrap());
    let places: Vec<f64> =
        entrants.iter().map(|row| row["expected_place"].as_f64().unwrap()).collect();
    assert!(places.is_sorted());
    let sum: f64 = places.iter().sum();
    let count = places.len() as f64;
    assert!((sum - count * (count + 1.0) / 2.0).abs() < 1e-9);
    // A typo is named; one competitor alone is no field.
    let near = league.ok(&["predict", "peble_sum", "oddsock_tern"]);
    assert!(near.err.contains("pebble_sum"), "{}", near.err);
    league.run(&["predict", "pebble_sum"]).exits(1).says("it needs 2 to");
    league
        .run(&["predict", "pebble_sum", "--contest", "24"])
        .exits(2)
        .says("name competitors or --contest, not both");
    league.run(&["predict"]).exits(2);
}

#[test]
fn predictions_keep_names_that_must_not_be_published() {
    let scratch = Scratch::new();
    for id in 1..=3 {
        scratch.write(&format!("{id}.json"), contest(id, id, &[&["Abe Norr"], &["Bo Lind"]]));
    }
    scratch.ok(&["import", ".", "--source", "o2cm"]);
    scratch.ok(&["rate", "o2cm"]);
    let field = ["predict", "o2cm", "--contest", "3"];
    let prediction = scratch.ok(&[&field[..], &["--json"]].concat());
    let stored = scratch.ok(&[&field[..], &["--real-names"]].concat());
    let view: Value = serde_json::from_str(&prediction.out).unwrap();
    let pseudonyms = view["rows"].as_array().unwrap().iter();
    let pseudonyms: Vec<&str> = pseudonyms.map(|row| row["name"].as_str().unwrap()).collect();
    let by_pseudonym = scratch.ok(&[&["predict", "o2cm"][..], &pseudonyms].concat());
    let near = scratch.ok(&["predict", "o2cm", "abenor", "bolind"]);
    for name in ["Abe Norr", "Bo Lind"] {
        for printed in [&by_pseudonym, &near] {
            assert!(!printed.out.contains(name), "{}", printed.out);
            assert!(!printed.err.contains(name), "{}", printed.err);
        }
        assert!(!prediction.out.contains(name), "{}", prediction.out);
        assert!(stored.out.contains(name), "{}", stored.out);
    }
    let by_name = [&["predict", "o2cm"][..], &pseudonyms].concat();
    assert_eq!(scratch.json(&by_name)["rows"].as_array().unwrap().len(), 2);
}

#[test]
fn displayed_ratings_are_compared_with_those_of_the_site() {
    let scratch = Scratch::new();
    scratch.ok(&["demo", "--db", "demo.sqlite"]);
    let on_demo =
        |arguments: &[&str]| scratch.json(&[arguments, &["--db", "demo.sqlite"]].concat());
    let runs = on_demo(&["runs"]);
    let runs = runs["rows"].as_array().or_else(|| runs.as_array()).unwrap();
    let official = runs.iter().find(|run| run["system"] == "official").unwrap();
    let official = official["run_id"].to_string();
    let against = ["evaluate", "lantern", "--against", "official"];
    let evaluated = on_demo(&against);
    let common = evaluated["official"]["ratings"].as_u64().unwrap();
    assert!(common > 100, "{common}");
    assert!(evaluated["official"]["equal"].as_u64().unwrap() < common);
    let itself = on_demo(&[&against[..], &["--run", &official]].concat());
    assert_eq!(itself["official"]["equal"], itself["official"]["ratings"]);
    assert_eq!(itself["official"]["ratings"], evaluated["official"]["ratings"]);
    let systems = [&against[..], &["--systems", "elo-mmr"]].concat();
    let compared = on_demo(&systems);
    assert_eq!(compared["systems"][0]["official"], evaluated["official"]);
}

/// Three seasons of ten equally strong teams: of ten games six are won at home, three away.
fn seasons() -> Scratch {
    let scratch = Scratch::new();
    let results = [
        "2,0", "0,1", "1,0", "3,1", "1,1", "0,2", "2,1", "1,0", "1,2", "4,0",
    ];
    let mut rows = vec!["date,home,away,home_goals,away_goals".to_owned()];
    let mut game = 0;
    for year in 2021..=2023 {
        for round in 1..10 {
            for home in 0..10 {
                let day = home + 1;
                let away = (home + round) % 10;
                let result = results[game % 10];
                let date = format!("{year}-{round:02}-{day:02}");
                rows.push(format!("{date},Team {home},Team {away},{result}"));
                game += 1 + usize::from(home == 9);
            }
        }
    }
    scratch.write("season.csv", rows.join("\n"));
    scratch.ok(&["import", "season.csv", "--source", "league"]);
    scratch
}

#[test]
fn comparison_shows_that_home_advantage_helps() {
    let league = seasons();
    let systems = "elo,elo:advantage=80,glicko,glicko:advantage=80,glicko2,glicko2:advantage=80,\
                   trueskill,trueskill:advantage=80";
    let compared = league.json(&[
        "evaluate",
        "league",
        "--systems",
        systems,
        "--metric",
        "log_loss",
    ]);
    let log_loss = |system: &str| {
        let rows = compared["systems"].as_array().unwrap();
        let row = rows.iter().find(|row| row["system"] == system).unwrap();
        let metrics = row["compared"].as_array().unwrap();
        let metric = metrics.iter().find(|entry| entry["metric"] == "log_loss");
        metric.unwrap()["value"].as_f64().unwrap()
    };
    for system in ["elo", "glicko", "glicko2", "trueskill"] {
        let with = log_loss(&format!("{system}:advantage=80"));
        assert!(with < log_loss(system) - 0.01, "{system}");
    }
}

#[test]
fn predictions_of_games_include_the_advantage() {
    let league = seasons();
    league.ok(&["rate", "--system", "elo:advantage=100"]);
    let game = "2023-09-01 Team 0 \u{2013} Team 9";
    let predicted = league.json(&["predict", "league", "--contest", game]);
    let mu = |name: &str| {
        let rows = predicted["rows"].as_array().unwrap();
        let row = rows.iter().find(|row| row["name"] == name);
        row.unwrap()["mu"].as_f64().unwrap()
    };
    let expected = 1.0 / (1.0 + 10_f64.powf((mu("Team 9") - mu("Team 0") - 100.0) / 400.0));
    let pair = &predicted["pairs"][0];
    let is_first = pair["first"] == "Team 0";
    let chance = pair[if is_first { "above" } else { "below" }].as_f64();
    let chance = chance.unwrap();
    assert!((chance - expected).abs() < 1e-9, "{predicted}");
}

#[test]
fn stored_ratings_are_evaluated_with_the_advantage() {
    let league = seasons();
    let log_loss = |system: &str| {
        league.ok(&["rate", "league", "--system", system]);
        let evaluated = league.json(&["evaluate", "league", "--system", system]);
        let slices = evaluated["slices"].as_array().unwrap();
        let slice = slices.iter().find(|entry| entry["slice"] == "experienced");
        slice.unwrap()["log_loss"].as_f64().unwrap()
    };
    for system in ["elo", "glicko", "glicko2", "trueskill"] {
        let with = log_loss(&format!("{system}:advantage=80"));
        assert!(with < log_loss(system) - 0.01, "{system}");
    }
}

#[test]
fn every_metric_of_every_slice_has_an_interval_in_one_call() {
    let league = league();
    let systems = ["evaluate", "--systems", "elo-mmr,glicko", "--by", "half"];
    let csv = league.ok(&[&systems[..], &["--metric", "all", "--format", "csv"]].concat()).out;
    let mut rows = csv::Reader::from_reader(csv.as_bytes());
    let headings = rows.headers().unwrap().clone();
    let column = |name: &str| headings.iter().position(|heading| heading == name).unwrap();
    let [slice, metric, low, won] = ["slice", "metric", "low", "contests_won"].map(column);
    let records: Vec<csv::StringRecord> = rows.records().map(Result::unwrap).collect();
    for name in ["everybody", "experienced", "all", "half 1", "half 2"] {
        let of_slice = || records.iter().filter(|row| &row[slice] == name);
        assert!(
            of_slice().any(|row| &row[metric] == "log_loss" && !row[low].is_empty()),
            "{csv}"
        );
        // All but the best system have a share of contests.
        assert!(
            of_slice().any(|row| &row[metric] == "kendall_tau" && !row[won].is_empty()),
            "{csv}"
        );
    }
    let json = league.json(&systems);
    let wide = league.ok(&[&systems[..], &["--format", "csv"]].concat()).out;
    let mut rows = csv::Reader::from_reader(wide.as_bytes());
    let low = rows.headers().unwrap().iter().position(|heading| heading == "low").unwrap();
    assert!(rows.records().all(|row| !row.unwrap()[low].is_empty()), "{wide}");
    let compared = json["systems"][1]["slices"][0]["compared"].as_array().unwrap();
    assert!(compared.iter().any(|row| row["contests_won"].is_number()), "{compared:?}");
}

#[test]
fn replay_since_a_date_equals_run_since_that_date() {
    let league = league();
    let since = "2025-01-01";
    let compare = [
        "evaluate",
        "--systems=glicko",
        "--train=0",
        "--slice=all",
        "--since",
        since,
    ];
    let compared = league.json(&compare);
    league.ok(&["rate", "--system=glicko", "--since", since]);
    let evaluated = league.json(&["evaluate", "--run=1", "--train=0"]);
    assert_eq!(compared["predicted"], evaluated["slices"][3]["contests"]);
    let systems = compared["systems"].as_array().unwrap();
    let glicko = systems.iter().find(|system| system["system"] == "glicko").unwrap();
    for metric in ["discordant_pairs", "concordance", "log_loss"] {
        assert_eq!(glicko["slices"][3][metric], evaluated["slices"][3][metric], "{metric}");
    }
    let heading = league.ok(&compare).out;
    assert!(heading.contains(", since 2025-01-01"), "{heading}");
    league.run(&["evaluate", "--since", since]).exits(2).says("--systems");
}

/// The first recorded race of racetime.gg's Map Rando: one finished, and three others gained.
#[test]
fn last_places_that_gain_are_counted() {
    let scratch = Scratch::new();
    let table = "Date,Place,Name\n2024-01-01,1,Ada\n2024-01-01,DNF,Bea\n2024-01-01,DNF,Cy\n\
                 2024-01-01,DNF,Dov\n";
    scratch.write("races.csv", table);
    scratch.ok(&["import", "races.csv", "--source=races"]);
    scratch.ok(&["rate", "--system=trueskill"]);
    for (k, gains) in [("0", 0), ("2", 3)] {
        let evaluated = scratch.json(&["evaluate", "--run=1", "--train=0", "--k", k]);
        assert_eq!(evaluated["last_places"], 3, "k {k}");
        assert_eq!(evaluated["last_place_gains"], gains, "k {k}");
    }
}
