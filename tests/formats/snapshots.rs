//! Compares what views and lists print at 40, 80 and 200 columns, and in each format, with the files
//! beside this one. `RANKLORE_REWRITE=1 cargo test -p ranklore formats::` writes the files anew.

use std::fmt::Write as _;
use std::path::PathBuf;

use unicode_width::UnicodeWidthStr;

use crate::support::{CommandOutput, Scratch, fixtures};

/// The database of games.
const GAMES: &str = "--db=games.sqlite";

/// The views and lists, with the name of their file.
const VIEWS: [(&str, &[&str]); 19] = [
    ("leaderboard", &["leaderboard", "club", "--limit", "6"]),
    (
        "leaderboard_provisional",
        &[
            "leaderboard",
            "club",
            "--provisional",
            "mix",
            "--since",
            "2023-10-01",
        ],
    ),
    ("player", &["player", "club", "brindle_otter"]),
    ("player_games", &["player", "Ilse Thornquay", "--opponents", "2", GAMES]),
    ("versus", &["versus", "Ilse Thornquay", "Bram Okafor-Lund", GAMES]),
    ("contest", &["contest", "club", "6", "--limit", "5"]),
    ("contest_unrated", &["contest", "club", "5"]),
    ("contests", &["contests", "club"]),
    ("players", &["players", "club"]),
    ("movers", &["movers", "club", "--since", "2023-10-01"]),
    ("runs", &["runs", "club"]),
    ("sources", &["sources"]),
    ("source_list", &["source", "list"]),
    ("source_show", &["source", "show", "club"]),
    ("status", &["status"]),
    ("evaluate", &["evaluate", "club"]),
    ("evaluate_all", &["evaluate", "club", "--all"]),
    ("decisions", &["competitor", "decisions", "club"]),
    ("systems", &["systems"]),
];

/// The views that are written in each format.
const FORMATTED: [&str; 4] = ["leaderboard", "contest", "player", "versus"];

const WIDTHS: [&str; 3] = ["40", "80", "200"];

/// Returns a club with two runs, a decision, and a name that fills a line; beside it rated games.
fn club() -> Scratch {
    let scratch = Scratch::club();
    let long = "Aurelia Featherstonehaugh-Cholmondeley of the Western Harbour";
    scratch.ok(&["competitor", "rename", "club", "Oona Pereskaya", long]);
    scratch.ok(&["rate", "club"]);
    scratch.ok(&["rate", "club", "--system", "glicko"]);
    let games = fixtures().join("games/chess.csv");
    let import = [
        "import",
        games.to_str().unwrap(),
        "--source",
        "chess",
        GAMES,
    ];
    scratch.ok(&import);
    scratch.ok(&["rate", "chess", "--system", "trueskill", GAMES]);
    scratch
}

fn print(scratch: &Scratch, arguments: &[&str], width: &str) -> String {
    let mut command = scratch.command(arguments);
    command.env("COLUMNS", width);
    without_today(&CommandOutput::run(command).exits(0).out)
}

/// Replaces the days and times of the test and the folder, which differ between runs, by texts of
/// the same width.
fn without_today(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let mut rest = line;
        // The club played in 2023.
        while let Some(at) = rest.find("20") {
            let (before, day) = rest.split_at(at);
            out.push_str(before);
            let is_day = day.len() >= 10
                && day.is_char_boundary(10)
                && day[..10].bytes().enumerate().all(|(at, byte)| match at {
                    4 | 7 => byte == b'-',
                    _ => byte.is_ascii_digit(),
                });
            if is_day && !day.starts_with("2023") {
                out.push_str("YYYY-MM-DD");
                rest = &day[10..];
                let is_time = rest.len() >= 6
                    && rest.is_char_boundary(6)
                    && rest.as_bytes()[0] == b' '
                    && rest.as_bytes()[3] == b':';
                if is_time {
                    out.push_str(" hh:mm");
                    rest = &rest[6..];
                }
            } else {
                out.push_str(&day[..2]);
                rest = &day[2..];
            }
        }
        out.push_str(rest);
        out.push('\n');
    }
    out
}

/// Compares a text with a file, or writes the file.
fn check(name: &str, text: &str) {
    let path: PathBuf = fixtures().join("../tests/formats").join(name);
    if std::env::var_os("RANKLORE_REWRITE").is_some() {
        std::fs::write(path, text).unwrap();
        return;
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        text == expected,
        "{name} differs; RANKLORE_REWRITE=1 writes it anew. Printed:\n{text}\nexpected:\n{expected}"
    );
}

#[test]
fn views_fit_their_width() {
    let scratch = club();
    for (name, arguments) in VIEWS {
        let mut text = String::new();
        for width in WIDTHS {
            let printed = print(&scratch, arguments, width);
            for line in printed.lines().filter(|line| !line.contains("ranklore ")) {
                let columns: usize = width.parse().unwrap();
                assert!(line.width() <= columns, "{name} at {width}: {line}");
            }
            let _ = write!(text, "==== {width} columns\n{printed}");
        }
        if name == "status" {
            // The path of the file and its size differ between systems.
            continue;
        }
        check(&format!("{name}.txt"), &text);
    }
}

#[test]
fn pipes_get_every_column_and_whole_names() {
    let scratch = club();
    for (name, arguments) in VIEWS {
        let piped = without_today(&scratch.ok(arguments).out);
        assert_eq!(piped, print(&scratch, arguments, "1000"), "{name}");
    }
}

#[test]
fn formats_of_views_are_unchanged() {
    let scratch = club();
    let views = VIEWS.iter().filter(|(name, _)| FORMATTED.contains(name));
    for (name, arguments) in views {
        for (format, ending) in [
            ("csv", "csv"),
            ("json", "json"),
            ("jsonl", "jsonl"),
            ("markdown", "md"),
        ] {
            let options = ["--limit", "3", "--format", format];
            let arguments: Vec<&str> = arguments
                .iter()
                .copied()
                .take_while(|argument| *argument != "--limit")
                .collect();
            let printed = scratch.ok(&[&arguments[..], &options].concat()).out;
            check(&format!("{name}.{ending}"), &printed);
        }
    }
}
