//! Imports games of chess in PGN and football matches: containers, corrections, bad games, rebuild
//! and forgetting.

use std::io::{Cursor, Write};

use crate::support::Scratch;

const NAME: &str = "Ottoline, Wilhelmina";

/// Returns a game of a club evening in May 2024.
fn game(day: u32, white: &str, black: &str, result: &str) -> String {
    format!(
        "[Event \"Club Evening\"]\n[Site \"Harbour Town\"]\n[Date \"2024.05.{day:02}\"]\n\
         [Round \"1\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n\
         1. e4 {{ good [White \"x\"] }} e5 {result}\n\n"
    )
}

fn evening() -> String {
    game(3, "Lark, Ada", NAME, "1-0")
        + &game(10, NAME, "Fox, Bea", "1/2-1/2")
        + &game(17, "Fox, Bea", "Lark, Ada", "0-1")
}

fn hash(scratch: &Scratch) -> String {
    scratch.ok(&["check", "--hash"]).out
}

fn zip(name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
    zip.write_all(bytes).unwrap();
    zip.finish().unwrap().into_inner()
}

const GAMES: &str = "SELECT date(ends_at, 'unixepoch'), name, entrants FROM contest ORDER BY 1";

#[test]
fn games_in_every_container_are_imported_and_rebuilt_alike() {
    let games = evening();
    let mut hashes = Vec::new();
    for (name, bytes, options) in [
        ("club.pgn", games.clone().into_bytes(), &[][..]),
        ("club.pgn.zst", zstd::bulk::compress(games.as_bytes(), 1).unwrap(), &[]),
        ("club.zip", zip("club.pgn", games.as_bytes()), &[]),
        ("club.txt", games.clone().into_bytes(), &[]),
        ("club.dat", games.clone().into_bytes(), &["--format", "pgn"]),
    ] {
        let scratch = Scratch::new();
        scratch.write(name, bytes);
        let import = [&["import", name, "--source", "club"], options].concat();
        let dry = scratch.ok(&[&import[..], &["--dry-run"]].concat());
        assert!(dry.out.contains("Lark, Ada – Ottoline, Wilhelmina"), "{}", dry.out);
        scratch.ok(&import);
        assert_eq!(
            scratch.rows(GAMES),
            [
                "2024-05-03|Lark, Ada – Ottoline, Wilhelmina|2",
                "2024-05-10|Ottoline, Wilhelmina – Fox, Bea|2",
                "2024-05-17|Fox, Bea – Lark, Ada|2",
            ]
        );
        let before = hash(&scratch);
        scratch.ok(&["rebuild", "club"]);
        assert_eq!(hash(&scratch), before, "{name}");
        let again = scratch.ok(&import);
        assert!(again.out.contains("3 unchanged"), "{}", again.out);
        hashes.push(before);
    }
    hashes.dedup();
    assert_eq!(hashes.len(), 1, "{hashes:?}");
}

#[test]
fn corrected_result_is_a_revision() {
    let scratch = Scratch::new();
    scratch.write("club.pgn", evening());
    let import = ["import", "club.pgn", "--source", "club"];
    scratch.ok(&import);
    scratch.ok(&["rate", "club"]);
    let fourth = game(24, "Gull, Cleo", "Lark, Ada", "1-0");
    let corrected = evening().replace("1-0", "0-1") + &fourth;
    scratch.write("club.pgn", corrected);
    let report = scratch.ok(&import);
    assert!(report.out.contains("1 new, 1 revised, 2 unchanged"), "{}", report.out);
    scratch.ok(&["rate", "club"]);
    assert_eq!(
        scratch.rows("SELECT DISTINCT side FROM standing WHERE side IS NOT NULL ORDER BY 1"),
        ["black", "white"]
    );
}

#[test]
fn bad_games_are_named_by_line_and_others_are_imported() {
    let scratch = Scratch::new();
    let date = game(17, "Gull, Cleo", "Lark, Ada", "1-0").replace("05.17", "05.32");
    let truncated = "[Event \"Club Evening\"]\n[Date \"2024.05.24\"]\n[White \"Fox, B";
    let games = evening()
        + &game(18, "Fox, Bea", "Fox, Bea", "1-0")
        + &game(19, "Fox, Bea", "?", "1-0")
        + &date
        + &game(20, "Fox, Bea", "Gull, Cleo", "*")
        + truncated;
    scratch.write("club.pgn", games);
    let report = scratch.run(&["import", "club.pgn", "--source", "club"]).exits(3);
    assert_eq!(scratch.rows(GAMES).len(), 3);
    let all = format!("{}{}", report.out, report.err);
    for message in [
        "line 36: contest \"Fox, Bea – Fox, Bea\": \"Fox, Bea\" plays against itself",
        "byes and games of unknown players (NN, ?) are left out: 1",
        "line 53: contest \"Gull, Cleo – Lark, Ada\": date \"2024.05.32\" is not a day",
        "line 73: this is not a tag",
        "games without a result (*) are left out: 1",
    ] {
        assert!(all.contains(message), "{message}: {all}");
    }
}

#[test]
fn forgotten_player_is_in_no_byte_and_results_stay() {
    let scratch = Scratch::new();
    // A name that only a comment has, and one with escapes.
    let games = evening().replace("good", "Dov \\\"Ace\\\" Lind was right");
    scratch.write("club.pgn", games);
    scratch.ok(&["import", "club.pgn", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    scratch.ok(&["forget", "--yes", "club", NAME]);
    let bytes = std::fs::read(scratch.db()).unwrap();
    for part in ["Ottoline", "Dov"] {
        let is_present =
            bytes.windows(part.len()).any(|bytes_of_part| bytes_of_part == part.as_bytes());
        assert!(!is_present, "{part}");
    }
    let names = scratch.rows(GAMES);
    assert_eq!(names.len(), 3);
    assert!(names[0].contains("Lark, Ada – forgotten-"), "{names:?}");
    let before = hash(&scratch);
    scratch.ok(&["rebuild", "club"]);
    assert_eq!(hash(&scratch), before);
    // The file still has the name: it must not come back.
    scratch.ok(&["import", "club.pgn", "--source", "club"]);
    assert_eq!(scratch.rows(GAMES), names);
}

#[test]
fn football_matches_are_recognised_and_rebuilt() {
    let scratch = Scratch::new();
    let league = r#"{"name":"Harbour League 2023/24","matches":[
        {"round":"Matchday 1","date":"2023-08-11","team1":"Gulls FC","team2":"Ropewalk","score":{"ft":[0,3]}},
        {"round":"Matchday 1","date":"2023-08-12","team1":"Brass United","team2":"Brass United","score":{"ft":[1,1]}},
        {"round":"Matchday 2","date":"2023-08-19","team1":"Ropewalk","team2":"Gulls FC"}]}"#;
    scratch.write("2023-24/en.1.json", league);
    let import = ["import", "2023-24", "--source", "football"];
    let report = scratch.run(&import).exits(3);
    assert!(report.err.contains("matches[1].team2"), "{}", report.err);
    assert_eq!(
        scratch.rows(
            "SELECT contest.external_id, event, competitor.external_id, kind, side FROM contest
             JOIN standing USING (contest_id) JOIN competitor USING (competitor_id) ORDER BY side"
        ),
        [
            "2023-08-11 Gulls FC – Ropewalk|Harbour League 2023/24|Ropewalk|team|away",
            "2023-08-11 Gulls FC – Ropewalk|Harbour League 2023/24|Gulls FC|team|home",
        ]
    );
    let before = hash(&scratch);
    scratch.ok(&["rebuild", "football"]);
    assert_eq!(hash(&scratch), before);
    scratch.write(
        "2023-24/en.1.json",
        league.replace(r#""team2":"Brass United""#, r#""team2":"Lantern""#),
    );
    let report = scratch.ok(&[&import[..], &["--format", "openfootball"]].concat());
    assert!(report.out.contains("1 new, 0 revised, 1 unchanged"), "{}", report.out);
}
