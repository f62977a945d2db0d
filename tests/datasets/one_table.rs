//! `export --table`: one table as one file, and names of files given as folders.

use std::fs;

use serde_json::json;

use super::ball;
use super::rated_club;
use crate::support::{Scratch, contest};

const TABLES: [&str; 6] = [
    "contest",
    "standing",
    "member",
    "competitor",
    "rating_run",
    "rating",
];

fn export<'a>(table: &'a str, to: &'a str) -> [&'a str; 6] {
    ["export", "club", "--table", table, "--to", to]
}

#[test]
fn table_is_the_file_of_a_dataset() {
    let scratch = rated_club();
    let formats = "csv,jsonl,parquet";
    let export_dataset = [
        "export", "club", "--to", "whole", "--with", "ratings", "--format", formats,
    ];
    scratch.ok(&export_dataset);
    for table in TABLES {
        for form in formats.split(',') {
            let file = format!("{table}.{form}");
            let report = scratch.json(&export(table, &file));
            let bytes = fs::read(scratch.path(&file)).unwrap();
            assert_eq!(report["file"], json!(file));
            assert_eq!(report["bytes"], json!(bytes.len()));
            let expected = fs::read(scratch.path(&format!("whole/{form}/{file}"))).unwrap();
            assert!(bytes == expected, "{file}");
            fs::remove_file(scratch.path(&file)).unwrap();
        }
    }
    assert_eq!(scratch.beside(), ["whole"]);
}

#[test]
fn table_of_ratings_has_the_chosen_runs() {
    let scratch = rated_club();
    scratch.ok(&["rate", "club", "--system", "elo-mmx"]);
    let systems = |options: &[&str]| {
        let file = ["--force"];
        scratch.ok(&[&export("rating_run", "runs.csv"), &file[..], options].concat());
        let text = fs::read_to_string(scratch.path("runs.csv")).unwrap();
        ["elo-mmr", "elo-mmx"].map(|system| text.contains(system))
    };
    assert_eq!(systems(&[]), [true, false]);
    assert_eq!(systems(&["--system", "elo-mmx"]), [false, true]);
    assert_eq!(systems(&["--run", "1", "--run", "2"]), [true, true]);
}

#[test]
fn view_is_what_its_command_prints() {
    let scratch = rated_club();
    scratch.ok(&["rate", "club", "--system", "elo-mmx"]);
    let since = ["--since", "2023-10-01"];
    for (view, options) in [
        ("leaderboard", &[][..]),
        ("leaderboard", &since),
        ("contests", &[]),
        ("contests", &since),
        ("players", &[]),
        ("movers", &since),
        ("runs", &[]),
    ] {
        for form in ["csv", "jsonl"] {
            let file = format!("{view}.{form}");
            let view_options = [&[view, "club", "--format", form], options].concat();
            let printed = scratch.ok(&view_options).out;
            let options = [&["--force"], options].concat();
            let report = scratch.json(&[&export(view, &file), &options[..]].concat());
            let headings = usize::from(form == "csv");
            assert_eq!(report["rows"], json!(printed.lines().count() - headings));
            let written = fs::read_to_string(scratch.path(&file)).unwrap();
            assert_eq!(written, printed);
            let other = [&export(view, &file), &options[..], &["--system", "elo-mmx"]].concat();
            if view == "runs" {
                scratch.run(&other).exits(2).says("has all runs");
                continue;
            }
            scratch.ok(&other);
            let by_another = fs::read_to_string(scratch.path(&file)).unwrap();
            // A list of contests has no ratings.
            assert_eq!(by_another == printed, view == "contests");
        }
        for refused in [&["--run", "1", "--run", "2"][..], &["--names", "none"]] {
            let refused = [&export(view, "x.csv"), options, refused].concat();
            scratch.run(&refused).exits(2);
        }
        scratch
            .run(&[&export(view, "x.parquet"), options].concat())
            .exits(2)
            .says("use .csv or .jsonl");
    }
    for view in ["players", "runs"] {
        let refused = [&export(view, "x.csv"), &since[..]].concat();
        scratch.run(&refused).exits(2).says("has no --since");
    }
    let movers = scratch.run(&export("movers", "x.csv")).exits(2);
    movers.says("add --since DATE");
    assert_eq!(scratch.beside().len(), 10, "{:?}", scratch.beside());
}

#[test]
fn altered_rows_are_refused_in_their_table() {
    let scratch = rated_club();
    let good = |table: &str| scratch.ok(&[&export(table, "x.csv"), &["--force"][..]].concat());
    let bad = |table: &str| {
        let refused = [&export(table, "x.csv"), &["--force"][..]].concat();
        scratch.run(&refused).exits(1).says("nothing was exported");
    };
    scratch.raw().execute_batch("UPDATE rating SET mu = mu + 1").unwrap();
    bad("rating");
    for table in ["contest", "standing", "member", "competitor", "rating_run"] {
        good(table);
    }
    scratch
        .raw()
        .execute_batch("UPDATE standing SET score = coalesce(score, 0) + 1")
        .unwrap();
    for table in ["standing", "member"] {
        bad(table);
    }
    for table in ["contest", "competitor", "rating_run"] {
        good(table);
    }
    scratch.raw().execute_batch("UPDATE contest SET weight = 7").unwrap();
    bad("contest");
    assert_eq!(scratch.beside(), ["x.csv"]);
}

#[test]
fn formulas_are_escaped_on_request() {
    let scratch = Scratch::new();
    scratch.write("1.json", contest(1, 0, &[&["=1+1"], &["b"]]));
    scratch.ok(&["import", "1.json", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    fs::remove_file(scratch.path("1.json")).unwrap();
    for table in ["leaderboard", "competitor"] {
        let file = format!("{table}.csv");
        let read = || fs::read_to_string(scratch.path(&file)).unwrap();
        scratch.ok(&export(table, &file));
        assert!(read().contains("=1+1") && !read().contains("'=1+1"), "{}", read());
        scratch.ok(&[&export(table, &file), &["--force", "--escape-formulas"][..]].concat());
        assert!(read().contains("'=1+1"), "{}", read());
    }
}

#[test]
fn name_of_a_file_is_no_folder() {
    let scratch = rated_club();
    for (file, advice) in [
        (
            "results.csv",
            "`ranklore export club --table leaderboard --to results.csv` writes one table",
        ),
        ("a b.JSONL", "--table leaderboard --to 'a b.JSONL'` writes one table"),
        ("x.parquet", "--table standing --to x.parquet`"),
        ("x.json", "--table leaderboard --to x.jsonl`"),
        ("x.xlsx", "--table leaderboard --to x.csv`"),
        ("x.zip", "`ranklore export club --to x` a dataset"),
        ("x.sqlite", "`ranklore export club --format sqlite --to x` writes"),
    ] {
        scratch.run(&["export", "club", "--to", file]).exits(2).says(advice);
    }
    assert_eq!(scratch.beside(), [""; 0]);
    scratch.ok(&["export", "club", "--to", "2024.1"]);
    // An older dataset is still replaced.
    fs::rename(scratch.path("2024.1"), scratch.path("old.csv")).unwrap();
    scratch.ok(&["export", "club", "--to", "old.csv"]);
}

#[test]
fn existing_file_is_kept_without_force() {
    let scratch = rated_club();
    scratch.write("x.csv", "mine");
    scratch.write("folder.csv/x", "");
    for table in ["leaderboard", "standing"] {
        scratch
            .run(&export(table, "x.csv"))
            .exits(1)
            .says("x.csv exists; --force replaces it");
        assert_eq!(fs::read(scratch.path("x.csv")).unwrap(), b"mine");
        let into_folder = [&export(table, "folder.csv"), &["--force"][..]].concat();
        scratch.run(&into_folder).exits(1).says("is a folder");
    }
    for table in ["leaderboard", "standing"] {
        scratch.ok(&[&export(table, "x.csv"), &["--force"][..]].concat());
        assert_ne!(fs::read(scratch.path("x.csv")).unwrap(), b"mine");
        scratch.write("x.csv", "mine");
    }
    assert_eq!(scratch.beside(), ["folder.csv", "x.csv"]);
    for wrong in ["x", "x.xlsx", "x.sqlite"] {
        scratch
            .run(&export("standing", wrong))
            .exits(2)
            .says("has to end with .csv, .jsonl or");
    }
    scratch.run(&["export", "club", "--to", "out", "--force"]).exits(2);
    scratch.run(&export("standings", "x.csv")).exits(2).says("leaderboard");
    let format = [&export("standing", "x.csv"), &["--format", "csv"][..]].concat();
    scratch.run(&format).exits(2).says("cannot be used with");
}

#[test]
fn terms_and_pseudonyms_hold_for_single_tables() {
    let site = ball::site();
    let scratch = Scratch::new();
    scratch.ok(&ball::mine(&site, &[]));
    scratch.ok(&["rate", "o2cm"]);
    let before = scratch.everything();
    for table in [
        "leaderboard",
        "players",
        "contests",
        "runs",
        "standing",
        "competitor",
    ] {
        let file = format!("{table}.csv");
        let export = ["export", "o2cm", "--table", table, "--to", &file];
        scratch
            .run(&export)
            .exits(1)
            .says("the terms of o2cm do not allow everyone to publish the results");
    }
    assert!(scratch.everything() == before, "a key was made");
    assert_eq!(scratch.beside(), [""; 0]);
    for (table, since) in [
        ("leaderboard", &[][..]),
        ("players", &[]),
        ("contests", &[]),
        ("movers", &["--since", "2000-01-01"]),
        ("standing", &[]),
        ("competitor", &[]),
    ] {
        for form in ["csv", "jsonl"] {
            let file = format!("{table}.{form}");
            let export = [
                "export",
                "o2cm",
                "--table",
                table,
                "--to",
                &file,
                "--i-have-permission",
            ];
            let export = [&export, since].concat();
            let done = scratch.ok(&export);
            let text = fs::read_to_string(scratch.path(&file)).unwrap() + &done.out + &done.err;
            for name in [
                "Vale", "Moor", "Cyd Oar", "Dot Fen", "Weir", "Ada V", "Bea M",
            ] {
                assert!(!text.contains(name), "{file}: {name}");
            }
            let real = [&export[..], &["--names", "real", "--force"]].concat();
            scratch.ok(&real);
            let text = fs::read_to_string(scratch.path(&file)).unwrap();
            assert!(table == "contests" || text.contains("Vale"), "{file}: {text}");
        }
    }
}

#[test]
fn forgotten_name_is_in_no_table() {
    let scratch = rated_club();
    scratch.ok(&["forget", "--yes", "club", "brindle_otter"]);
    for table in TABLES.into_iter().chain(["leaderboard", "contests", "players"]) {
        let file = format!("{table}.csv");
        scratch.ok(&export(table, &file));
        let text = fs::read_to_string(scratch.path(&file)).unwrap();
        assert!(!text.contains("brindle_otter"), "{text}");
    }
}
