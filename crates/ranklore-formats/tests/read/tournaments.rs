//! Tournament reports of FIDE and result tables of the European Go Federation.

use ranklore_contest::{Contest, Side};
use ranklore_formats::{ColumnMeaning, FileFormat, FileReading, ReadOptions, read};

use super::{contest_lines, from_2024, refused};

fn report(text: &str, options: &ReadOptions) -> Result<FileReading, String> {
    assert_eq!(FileFormat::of_text(text.as_bytes()), FileFormat::Trf);
    read(FileFormat::Trf, text.as_bytes(), "in/club.trf", options).map_err(|e| e.to_string())
}

fn go_table(text: &str) -> Result<FileReading, String> {
    assert_eq!(FileFormat::of_text(text.as_bytes()), FileFormat::H9);
    let options = ReadOptions::default();
    read(FileFormat::H9, text.as_bytes(), "in/club.h9", &options).map_err(|e| e.to_string())
}

/// Returns the line of a player with these cells of rounds.
fn player(number: u32, name: &str, id: &str, rounds: &[&str]) -> String {
    let mut line =
        format!("001 {number:>4} w    {name:<33} 1800 XXX {id:>11} 1990/01/01  0.0    1");
    for round in rounds {
        line.push_str(&format!("  {round:<8}"));
    }
    line
}

/// Returns a report of three players and two rounds.
fn harbour(days: &[&str]) -> String {
    let mut lines = vec!["012 Quay Open".to_owned()];
    lines.extend(days.iter().map(|day| (*day).to_owned()));
    lines.push(player(1, "Ivy, Oda", "7001", &["   2 w 1", "   3 b ="]));
    lines.push(player(2, "Pike, Ros", "7002", &["   1 b 0", "0000 - U"]));
    lines.push(player(3, "Tarn, Gus", "7003", &["0000 - H", "   1 w ="]));
    lines.join("\r\n")
}

fn round_days(days: &[&str]) -> String {
    format!("{:<91}{}", "132", days.join("  "))
}

const DAYS: [&str; 2] = ["042 2023/11/04", "052 2023/11/05"];

fn sides(contest: &Contest) -> Vec<Option<Side>> {
    contest.entrants.iter().map(|entrant| entrant.side).collect()
}

#[test]
fn report_gives_games_with_days_sides_and_ids() {
    let days = round_days(&["23/11/04", "23/11/05"]);
    let text = harbour(&[DAYS[0], DAYS[1], &days]);
    let reading = report(&text, &ReadOptions::default()).unwrap();
    assert_eq!(
        contest_lines(&reading),
        [
            "Ivy, Oda – Pike, Ros 2023-11-04: 1 7001, 2 7002",
            "Tarn, Gus – Ivy, Oda 2023-11-05: 1 7003, 1 7001",
        ]
    );
    let contests = reading.contests.to_vec();
    assert_eq!(sides(&contests[1]), [Some(Side::White), Some(Side::Black)]);
    assert_eq!(contests[0].event.as_deref(), Some("Quay Open"));
    assert_eq!(contests[0].external_id, "2023-11-04 round 1 Ivy, Oda – Pike, Ros");
    let names: Vec<&str> = reading.dated_names.iter().map(|name| &*name.name).collect();
    assert_eq!(names, ["Ivy, Oda", "Pike, Ros", "Tarn, Gus"]);
    assert_eq!(
        reading.warnings,
        ["rounds of players without a game (byes, forfeits, absences) are left out: 2"]
    );
    // Lines may end in a carriage return alone.
    let again = report(&text.replace("\r\n", "\r"), &ReadOptions::default()).unwrap();
    assert_eq!(again.contests, reading.contests);
}

#[test]
fn rounds_without_days_follow_last_day_or_start() {
    let text = harbour(&DAYS);
    let reading = report(&text, &ReadOptions::default()).unwrap();
    let days = |reading: &FileReading| -> Vec<String> {
        reading.contests.iter().map(|contest| contest.ends_at.to_string()).collect()
    };
    assert_eq!(days(&reading), ["2023-11-05", "2023-11-05"]);
    assert!(reading.warnings[0].contains("the last day of the tournament, 2023-11-05: 2"));
    let ordinals: Vec<_> = reading.contests.iter().map(|contest| contest.ordinal).collect();
    assert_eq!(ordinals, [Some(1_000_000_000), Some(2_000_000_000)]);
    let reading = report(&text, &from_2024(7)).unwrap();
    assert_eq!(days(&reading), ["2024-01-01", "2024-01-08"]);
    let error = report(&harbour(&[]), &ReadOptions::default()).unwrap_err();
    assert!(error.contains("pass --start 2024-01-31"), "{error}");
}

#[test]
fn days_outside_of_tournament_are_refused() {
    for (day, expected) in [
        ("04/11/23", "a round on 2004-11-23 lies outside"),
        ("2023/13/40", "date"),
    ] {
        let text = harbour(&[DAYS[0], DAYS[1], &round_days(&[day])]);
        let error = report(&text, &ReadOptions::default()).unwrap_err();
        assert!(error.starts_with("line 4: ") && error.contains(expected), "{error}");
    }
    let text = harbour(&[&round_days(&["23/11/04"])]);
    let error = report(&text, &ReadOptions::default()).unwrap_err();
    assert!(error.contains("write it like 2024-03-01"), "{error}");
}

#[test]
fn players_without_ids_are_identified_by_name() {
    let text = harbour(&DAYS).replace("7003", "    ");
    let reading = report(&text, &ReadOptions::default()).unwrap();
    assert!(reading.warnings[0].contains("only 2 of 3 have a FIDE id"));
    assert!(contest_lines(&reading)[0].ends_with("1 Ivy, Oda, 2 Pike, Ros"));
    let mut options = ReadOptions::default();
    options.columns.insert("WhiteFideId".to_owned(), ColumnMeaning::Ignore);
    let reading = report(&harbour(&DAYS), &options).unwrap();
    assert!(contest_lines(&reading)[0].ends_with("1 Ivy, Oda, 2 Pike, Ros"));
}

#[test]
fn players_that_cannot_be_told_apart_are_refused() {
    for (from, to, expected) in [
        ("7003", "7001", "line 6: the id \"7001\" is also that of the player on line 4"),
        ("001    3", "001    1", "line 6: the number \"1\" is also"),
        ("001    3", "001    x", "line 6: columns 5 to 8 are not"),
        ("   1 w =", "   1w = ", "is not in its columns"),
        ("   1 w =", "   1 w ?", "has no result such as"),
    ] {
        let text = harbour(&DAYS).replace(from, to);
        let error = report(&text, &ReadOptions::default()).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn games_on_which_players_disagree_are_refused() {
    for (from, to, expected) in [
        (
            "   1 b 0",
            "   1 b 1",
            "line 4: contest \"Ivy, Oda – Pike, Ros\": round 1: the result",
        ),
        ("   1 b 0", "   1 w 0", "the result or the colour does not agree with line 5"),
        ("   1 b 0", "   1 - -", "line 5 has no game against 1"),
        ("   2 w 1", "   9 w 1", "the opponent 9 has no row"),
    ] {
        let text = harbour(&DAYS).replace(from, to);
        let reading = report(&text, &ReadOptions::default()).unwrap();
        assert_eq!(reading.contests.len(), 1, "{to}");
        assert!(refused(&reading)[0].contains(expected), "{:?}", refused(&reading));
    }
}

const GO: &str = "\
; EV[Quay Go]
; DT[2023-11-04,2023-11-04]
;
; Pl Name          Rk Co Club MMS
   1 Ivy Oda       2D XX Quay  31   2+/w0  3+/w3  0-   |17000001
   2 Pike Ros       1D XX Quay  30   1-/b0  0+     3=/w0 |17000002
   3 Tarn Old Gus   4K XX Mole  27   0-     1-/b3  2=/b0 |17000003
";

#[test]
fn go_table_gives_games_with_sides_and_pins() {
    let reading = go_table(GO).unwrap();
    assert_eq!(
        contest_lines(&reading),
        [
            "Pike Ros – Ivy Oda 2023-11-04: 1 17000001, 2 17000002",
            "Ivy Oda – Tarn Old Gus 2023-11-04: 1 17000001, 2 17000003",
            "Tarn Old Gus – Pike Ros 2023-11-04: 1 17000003, 1 17000002",
        ]
    );
    let contests = reading.contests.to_vec();
    assert_eq!(sides(&contests[0]), [Some(Side::Second), Some(Side::First)]);
    assert_eq!(sides(&contests[1]), [None, None]);
    assert_eq!(
        reading.warnings,
        [
            "rounds of players without a game (byes, forfeits, absences) are left out: 3",
            "games with a handicap, or that may have one, have no sides and count like even games: 1",
        ]
    );
    // HA[h2] gives stones by rank to games that do not say.
    let unstated = GO.replace("/w0", "/w").replace("/b0", "/b");
    let reading = go_table(&unstated).unwrap();
    assert_eq!(reading.contests, go_table(GO).unwrap().contests);
    let reading = go_table(&format!("; HA[h2]\n{unstated}")).unwrap();
    assert!(reading.warnings[1].ends_with("like even games: 3"), "{:?}", reading.warnings);
    assert_eq!(sides(&reading.contests.get(0).unwrap()), [None, None]);
    // A row without its last round does not agree with the opponent's.
    let reading = go_table(&GO.replace("3=/w0", "     ")).unwrap();
    assert_eq!(reading.contests.len(), 2);
    assert!(refused(&reading)[0].contains("round 3: line 6 has no game against 3"));
}

#[test]
fn malformed_go_tables_are_refused() {
    for (from, to, expected) in [
        ("2D", "Dan", "line 5: the line has no rank"),
        ("   2 Pike", "   Pike", "line 6: \"Pike\" is not the place"),
        ("1-/b0", "1-/x0", "line 6: \"1-/x0\" is not a game"),
    ] {
        let error = go_table(&GO.replace(from, to)).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
}
