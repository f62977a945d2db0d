//! `reproduce` and `experiment` from the command line.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use serde_json::Value;

use crate::support::{Scratch, fixtures};

fn verdicts(figures: &Value) -> Vec<&str> {
    figures
        .as_array()
        .unwrap()
        .iter()
        .map(|figure| figure["verdict"].as_str().unwrap())
        .collect()
}

#[test]
fn worked_examples_are_reproduced() {
    let scratch = Scratch::new();
    let figures = scratch.json(&["reproduce", "glicko-examples"]);
    let expected = [
        "agrees",
        "agrees",
        "agrees",
        "agrees",
        "information",
        "information",
    ];
    assert_eq!(verdicts(&figures), expected, "{figures:#}");
    // The values without the rounding of the papers, from an independent implementation.
    for (index, exact) in [(0, 1_464.106_462_756_911_2), (1, 151.398_902_447_969_33)] {
        let ours = figures[index]["ours"].as_f64().unwrap();
        assert!((ours - exact).abs() < 1e-9, "{ours}");
    }
    let printed = scratch.ok(&["reproduce", "glicko-examples"]).out;
    assert!(printed.contains("4 figures agree, 0 differ, 2 for information"), "{printed}");
    assert_eq!(scratch.list("."), [""; 0], "the database of the user is not touched");
}

#[test]
fn printed_commands_reproduce_the_figures_in_a_shell() {
    let scratch = Scratch::new();
    let commands = scratch.ok(&["reproduce", "glicko-examples", "--commands"]).out;
    let program = env!("CARGO_BIN_EXE_ranklore");
    let script = commands.replace("ranklore ", &format!("'{program}' "));
    let output = std::process::Command::new("sh")
        .args(["-e", "-c", &script])
        .current_dir(scratch.path("."))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.contains("conservative  1010 = mu 1464 − 3·sigma 151"), "{printed}");
}

#[test]
fn missing_data_and_unknown_names_are_explained() {
    let scratch = Scratch::new();
    for (options, code, expected) in [
        (&["volatility"][..], 2, "choose one of codeforces-768, elo-mmr-figure3"),
        (&["codeforces-768"], 2, "`ranklore reproduce codeforces-768 --data PATH`"),
        (&["codeforces-768", "--data", "nothing.tar"], 1, "nothing.tar"),
        (&["glicko-examples", "--data", "x"], 2, "needs no --data"),
        (&["--data", "x"], 2, "NAME"),
    ] {
        scratch.run(&[&["reproduce"][..], options].concat()).exits(code).says(expected);
    }
}

#[test]
fn other_data_differ_and_fail() {
    let scratch = Scratch::new();
    let table = fixtures().join("demo/lantern-league.csv");
    // No contest of the demo has the figures of the rounds, or their players.
    let codeforces = [
        "reproduce",
        "codeforces-768",
        "--data",
        table.to_str().unwrap(),
    ];
    let printed = scratch.run(&codeforces).exits(1).out;
    assert!(printed.contains("30 differ"), "{printed}");
    scratch
        .run(&[
            "reproduce",
            "volatility-farming",
            "--data",
            table.to_str().unwrap(),
        ])
        .exits(1)
        .says("failed");
}

/// A table in the layout of `EsportsBench`. In each month of 2022, the second of `names` beats the first,
/// but in the fifth they draw. A game in April 2023 judges.
fn esports_games(names: [&str; 2], months: u32) -> Vec<u8> {
    let texts = |text: &dyn Fn(u32) -> String| -> ArrayRef {
        Arc::new(StringArray::from_iter_values((1..=months + 1).map(text)))
    };
    let date = |month: u32| match month {
        month if month > months => "2023-04-05".to_owned(),
        month => format!("2022-{month:02}-15"),
    };
    let outcome = |month: u32| if month.is_multiple_of(5) { 0.5 } else { 0.0 };
    let outcomes: ArrayRef =
        Arc::new(Float64Array::from_iter_values((1..=months + 1).map(outcome)));
    let batch = RecordBatch::try_from_iter([
        ("date", texts(&date)),
        ("competitor_1", texts(&|_| names[0].to_owned())),
        ("competitor_2", texts(&|_| names[1].to_owned())),
        ("outcome", outcomes),
        ("match_id", texts(&|month| format!("m{month}"))),
        ("page", texts(&|_| "Lantern_Cup".to_owned())),
    ])
    .unwrap();
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    bytes
}

#[test]
fn figures_of_several_files_are_means() {
    let scratch = Scratch::new();
    let reproduce = ["reproduce", "esportsbench", "--data", "games"];
    scratch.run(&reproduce).exits(1).says("cannot read games");
    scratch.write("notes.txt", "");
    scratch
        .run(&["reproduce", "esportsbench", "--data", "notes.txt"])
        .exits(1)
        .says("the folder");
    std::fs::create_dir(scratch.path("games")).unwrap();
    scratch.run(&reproduce).exits(1).says("no file *.parquet");
    let lengths = [2, 6, 8];
    for (name, months) in ["chess_boxing", "lanterns", "tag"].into_iter().zip(lengths) {
        scratch.write(&format!("games/{name}.parquet"), esports_games(["Ash", "Birch"], months));
    }
    let figures = scratch.json(&reproduce);
    assert_eq!(verdicts(&figures), ["information"; 12], "{figures:#}");
    // The first game is a coin toss; in all others Birch is ahead, and a draw is no pair.
    let share = |months: u32| {
        let decided = f64::from(months - months / 5);
        100.0 * (decided - 0.5) / decided
    };
    let expected = lengths.map(share).iter().sum::<f64>() / 3.0;
    for index in [2, 5, 8, 11] {
        let figure = &figures[index];
        assert_eq!(figure["measure"], "accuracy");
        assert!((figure["ours"].as_f64().unwrap() - expected).abs() < 1e-9, "{figure:#}");
    }
    let printed = scratch.ok(&[&reproduce[..], &["--commands"]].concat()).out;
    assert!(
        printed.contains("ranklore import games/tag.parquet --source tag --db tag.sqlite\n"),
        "{printed}"
    );
    assert_eq!(printed.lines().count(), 3 * 9, "{printed}");
}

#[test]
fn laws_of_elo_srm_hold_in_an_artificial_league() {
    let scratch = Scratch::new();
    let figures = scratch.json(&["reproduce", "elo-srm"]);
    let verdicts = verdicts(&figures);
    let count = |verdict| verdicts.iter().filter(|&&own| own == verdict).count();
    // Four neighbours of table 5, and seven sums of performances.
    assert_eq!((count("agrees"), count("differs")), (11, 0), "{figures:#}");
    assert!(count("information") > 100);
}

#[test]
fn measures_are_printed_and_drawn() {
    let scratch = Scratch::new();
    let table = fixtures().join("demo/lantern-league.csv");
    scratch.ok(&["import", table.to_str().unwrap(), "--source", "lantern"]);
    let run = |experiment: &str, options: &[&str]| {
        let svg = format!("--svg={experiment}");
        scratch.ok(&[&["experiment", experiment, &svg][..], options].concat()).out
    };
    let sizes = run("group-size", &["--sizes=3,all", "--systems=elo-mmr,glicko"]);
    assert!(sizes.starts_with("lantern, slice experienced: by the largest group"), "{sizes}");
    let rows: Vec<&str> = sizes.lines().skip(2).map(str::trim_start).collect();
    assert!(
        rows[0].starts_with("3  elo-mmr") && rows[3].starts_with("all  glicko"),
        "{sizes}"
    );
    assert_eq!(scratch.list("group-size"), ["pair-inversion.svg", "rank-deviation.svg"]);
    let years = run("inflation", &["--systems=elo-mmr"]);
    assert!(years.lines().count() > 1 && years.contains("top 10"), "{years}");
    assert_eq!(scratch.list("inflation"), ["active.svg", "mean.svg", "top-10.svg"]);
    let performance = run("performance", &["--systems=elo-srm,elo-srm2"]);
    assert!(performance.starts_with("lantern: 24 contests"), "{performance}");
    for part in [
        "first contest",
        "existing, upper half",
        "better than by elo-srm\n",
    ] {
        assert!(performance.contains(part), "{performance}");
    }
    assert_eq!(scratch.list("performance"), ["error.svg"]);
    let csv = scratch.ok(&["experiment", "performance", "--format", "csv"]).out;
    assert_eq!(csv.lines().next(), Some("system,group,results,change,performance,error"));
    scratch
        .run(&["experiment", "group-size", "--sizes", "1"])
        .exits(2)
        .says("a number of entrants from 2, or all");
    scratch
        .run(&["experiment", "group-size", "--sizes", "5,all,5"])
        .exits(2)
        .says("--sizes lists 5 twice");
    assert_eq!(scratch.count("SELECT count(*) FROM rating_run"), 0);
}

#[test]
fn curves_have_the_ratings_of_a_run() {
    let scratch = Scratch::new();
    let table = fixtures().join("demo/lantern-league.csv");
    scratch.ok(&["import", table.to_str().unwrap(), "--source", "lantern"]);
    let curves = ["experiment", "curves"];
    let printed = scratch
        .ok(&[
            &curves[..],
            &[
                "--most-active=3",
                "--systems=elo-mmr,plackett-luce",
                "--k=2",
                "--svg=charts",
            ],
        ]
        .concat())
        .out;
    assert!(printed.starts_with("lantern: 24 contests, mu − 2·sigma\n"), "{printed}");
    assert_eq!(printed.lines().count(), 2 + 2 * 3, "{printed}");
    // Plackett-Luce has no sigma.
    assert_eq!(
        scratch.list("charts"),
        ["elo-mmr-sigma.svg", "elo-mmr.svg", "plackett-luce.svg"]
    );
    let chart = std::fs::read_to_string(scratch.path("charts/elo-mmr.svg")).unwrap();
    assert_eq!(chart.matches("<polyline class=\"line curve").count(), 2 * 3, "{chart}");

    let until = ["--until", "2025-06-01", "--name", "oddsock_tern"];
    let csv = scratch.ok(&[&curves[..], &until, &["--format", "csv"]].concat()).out;
    let rows: Vec<&str> = csv.lines().skip(1).collect();
    scratch.ok(&["rate", "--until", "2025-06-01"]);
    let player = scratch.json(&["player", "oddsock_tern", "--run", "1"]);
    let history = player["rows"].as_array().unwrap().iter().rev();
    let rated: Vec<&Value> = history.filter(|contest| contest["mu"].is_number()).collect();
    assert_eq!(rows.len(), rated.len());
    for (row, contest) in rows.iter().zip(rated) {
        let cells: Vec<&str> = row.split(',').collect();
        assert_eq!(cells[..2], ["elo-mmr", "oddsock_tern"]);
        for (cell, field) in [(cells[4], "mu"), (cells[5], "sigma")] {
            let number: f64 = cell.parse().unwrap();
            let rated = contest[field].as_f64().unwrap();
            assert_eq!(number.to_bits(), rated.to_bits(), "{field}");
        }
    }

    for (options, code, expected) in [
        (&["--name", "nobody at all"][..], 1, "nobody at all"),
        (&["--official"], 1, "has no official ratings"),
        (&["--most-active", "17"], 2, "17"),
        (&["--most-active", "2", "--name", "oddsock_tern"], 2, "--name"),
    ] {
        scratch.run(&[&curves[..], options].concat()).exits(code).says(expected);
    }
}

#[test]
fn curves_of_the_site_are_its_ratings() {
    let scratch = Scratch::new();
    scratch.ok(&["demo", "--db", "ranklore.sqlite"]);
    let words = "experiment curves lantern --official --most-active 1";
    let report = scratch.json(&words.split(' ').collect::<Vec<_>>());
    let official = &report["systems"][1];
    assert_eq!(official["system"], "official");
    let curve = &official["curves"][0];
    let published = scratch.rows(&format!(
        "SELECT CAST(mu AS INTEGER) FROM rating JOIN rating_run USING (run_id)
         JOIN contest USING (contest_id) JOIN competitor USING (competitor_id)
         WHERE system = 'official' AND competitor.external_id = {} ORDER BY ends_at",
        curve["external_id"].to_string().replace('"', "'")
    ));
    let points = curve["points"].as_array().unwrap().iter();
    let drawn: Vec<String> =
        points.map(|point| point["mu"].as_f64().unwrap().to_string()).collect();
    assert!(drawn.len() > 10, "{drawn:?}");
    assert_eq!(drawn, published);
}

#[test]
fn sweep_prints_the_lowest_error_for_each_value() {
    let scratch = Scratch::new();
    let table = fixtures().join("demo/lantern-league.csv");
    scratch.ok(&["import", table.to_str().unwrap(), "--source", "lantern"]);
    let performance = |options: &[&str]| {
        let words = [&["experiment", "performance"][..], options].concat();
        scratch.json(&words)
    };
    let swept = performance(&[
        "--systems=elo-srm",
        "--sweep=maximum=3,10",
        "--sweep=k=100,600,2000",
        "--svg=charts",
    ]);
    assert_eq!(swept["systems"].as_array().unwrap().len(), 6);
    assert_eq!(swept["sweep"]["parameter"], "maximum");
    let points = swept["sweep"]["points"].as_array().unwrap();
    assert_eq!(points.len(), 2);
    for (point, maximum) in points.iter().zip([3.0, 10.0]) {
        assert_eq!(point["value"], maximum);
        let systems = [100, 600, 2000].map(|k| format!("elo-srm:k={k}:maximum={maximum}"));
        let alone = performance(&["--systems", &systems.join(",")]);
        assert_eq!(alone["sweep"], Value::Null);
        let rows = alone["systems"].as_array().unwrap().iter();
        let errors = rows.map(|row| (row["error"].as_f64().unwrap(), &row["system"]));
        let lowest = errors.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
        assert_eq!((point["error"].as_f64().unwrap(), &point["system"]), lowest);
    }
    let best = points.iter().min_by_key(|point| point["error"].to_string()).unwrap();
    assert_eq!(swept["sweep"]["best"], best["value"]);
    assert_eq!(scratch.list("charts"), ["error.svg"]);
    let chart = std::fs::read_to_string(scratch.path("charts/error.svg")).unwrap();
    assert!(chart.contains("maximum") && chart.contains("curve0"), "{chart}");

    let sweep = ["experiment", "performance", "--sweep"];
    let csv = scratch
        .ok(&[
            &sweep[..],
            &["k=300,600", "--systems=elo-srm", "--format=csv"],
        ]
        .concat())
        .out;
    assert!(csv.starts_with("value,error,system\r\n300.0,"), "{csv}");
    for (options, expected) in [
        (&["k=300,600"][..], "one system"),
        (&["k=300", "--systems=elo-srm"], "two or more numbers"),
        (&["k=300,300", "--systems=elo-srm"], "300 is listed twice"),
        (&["k=300,high", "--systems=elo-srm"], "two or more numbers"),
        (&["rho=1,2", "--systems=elo-srm"], "rho"),
        (&["k=300,600", "--systems=elo-srm:k=5"], "k=5"),
    ] {
        scratch.run(&[&sweep[..], options].concat()).exits(2).says(expected);
    }
}

#[test]
fn experiments_on_contests_of_one_say_why_nothing_is_rated() {
    let scratch = Scratch::new();
    scratch.write("solo.csv", "Date,Place,Name\n2024-01-01,1,Ada\n2024-02-01,1,Bea\n");
    scratch.ok(&["import", "solo.csv", "--source", "solo"]);
    for experiment in ["curves", "inflation", "performance"] {
        scratch
            .run(&["experiment", experiment])
            .exits(1)
            .says("no contest can be rated: of 2, each has fewer than two entrants");
    }
}

#[test]
fn changes_are_measured_since_the_last_contest() {
    let scratch = Scratch::new();
    let table = "Date,Place,Name\n2024-01-01,1,Ada\n2024-01-01,2,Bea\n2024-01-08,1,Ada\n\
                 2024-01-08,2,Bea\n2024-01-15,1,Ada\n2024-01-15,2,Bea\n";
    scratch.write("duels.csv", table);
    scratch.ok(&["import", "duels.csv", "--source", "duels"]);
    let system = "glicko:period=month";
    let report = scratch.json(&["experiment", "performance", "--systems", system]);
    let system = &report["systems"][0];
    let curves = scratch.json(&[
        "experiment",
        "curves",
        "--name=Ada",
        "--systems",
        "glicko:period=month",
    ]);
    let points = curves["systems"][0]["curves"][0]["points"].as_array().unwrap();
    let mu = |index: usize| points[index]["mu"].as_f64().unwrap();
    // Both move alike, so the largest gain is that of Ada in one of the contests, not their sum.
    let gains = [mu(0) - 1500.0, mu(1) - mu(0), mu(2) - mu(1)];
    let largest = gains.into_iter().fold(f64::MIN, f64::max);
    assert!((system["largest_gain"].as_f64().unwrap() - largest).abs() < 1e-9, "{system:#}");
    assert!(mu(2) - 1500.0 > largest + 1.0, "{points:?}");
}

#[test]
fn farming_is_described_and_drawn() {
    let scratch = Scratch::new();
    let table = fixtures().join("demo/lantern-league.csv");
    scratch.ok(&["import", table.to_str().unwrap(), "--source", "lantern"]);
    let options = [
        "--honest=5",
        "--farmed=5",
        "--after=3",
        "--systems=elo-mmr,glicko2",
        "--svg=charts",
    ];
    let farm = [&["experiment", "farm", "oddsock_tern"][..], &options].concat();
    let printed = scratch.ok(&farm).out;
    assert!(printed.starts_with("oddsock_tern: 5 honest contests, then last in 1 of 5"));
    assert_eq!(scratch.list("charts"), ["elo-mmr.svg", "glicko2.svg", "topcoder.svg"]);
    let chart = std::fs::read_to_string(scratch.path("charts/topcoder.svg")).unwrap();
    assert!(chart.contains("with farming") && chart.contains("honest"), "{chart}");
    assert_eq!(scratch.count("SELECT count(*) FROM rating_run"), 0);
    scratch
        .run(&["experiment", "farm", "oddsock_tern"])
        .exits(1)
        .says("rated contests, and the experiment needs 105");
    scratch
        .run(&["experiment", "farm", "oddsock_tern", "--after=0"])
        .exits(2)
        .says("--after");
}
