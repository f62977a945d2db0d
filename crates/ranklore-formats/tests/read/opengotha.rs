//! Tournaments of `OpenGotha`.

use ranklore_contest::Side;
use ranklore_formats::{FileFormat, FileReading, ReadOptions, read};

use super::{contest_lines, from_2024, refused};

fn tournament_with(text: &str, options: &ReadOptions) -> Result<FileReading, String> {
    assert_eq!(FileFormat::of_xml(text.as_bytes()), FileFormat::OpenGotha);
    read(FileFormat::OpenGotha, text.as_bytes(), "in/quay.xml", options).map_err(|e| e.to_string())
}

fn tournament(text: &str) -> FileReading {
    tournament_with(text, &ReadOptions::default()).unwrap()
}

const DAYS: &str = "beginDate=\"2023-11-04\" endDate=\"2023-11-04\"";

/// Returns the tag of a game. A side begins with White.
fn game(round: u32, players: [&str; 2], handicap: u32, result: &str) -> String {
    let [white, black] = players;
    format!(
        "<Game blackPlayer=\"{black}\" handicap=\"{handicap}\" knownColor=\"true\" \
         result=\"RESULT_{result}\" roundNumber=\"{round}\" tableNumber=\"1\" \
         whitePlayer=\"{white}\"/>\n"
    )
}

const IVY: &str = "IVYODA";
const PIKE: &str = "DEPIKEROS";
const TARN: &str = "TÄRNGUS";

fn quay(games: &str, days: &str) -> String {
    let players = [
        ("Ivy", "Oda", "17000001"),
        ("de Pike", "Ros", "17000002"),
        ("Tärn", "Gus", "17000003"),
    ];
    let players: Vec<String> = players
        .iter()
        .map(|(family, given, pin)| {
            format!(
                "<Player club=\"Quay\" country=\"XX\" egfPin=\"{pin}\" firstName=\"{given}\" \
                 name=\"{family}\" participating=\"11110000\" rank=\"2D\"/>\n"
            )
        })
        .collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n\
         <Tournament dataVersion=\"201\">\n<Players>\n{}</Players>\n<Games>\n{games}</Games>\n\
         <ByePlayers><ByePlayer player=\"{TARN}\" roundNumber=\"1\"/></ByePlayers>\n\
         <TournamentParameterSet><GeneralParameterSet {days} name=\"Quay Go\" \
         numberOfRounds=\"4\"/><HandicapParameterSet hdCeiling=\"9\"/></TournamentParameterSet>\n\
         </Tournament>\n",
        players.concat()
    )
}

fn games() -> String {
    [
        game(1, [IVY, PIKE], 0, "WHITEWINS"),
        game(2, [IVY, TARN], 3, "BLACKWINS"),
        game(3, [TARN, PIKE], 0, "EQUAL"),
    ]
    .concat()
}

#[test]
fn games_have_sides_pins_and_rounds() {
    let reading = tournament(&quay(&games(), DAYS));
    assert_eq!(
        contest_lines(&reading),
        [
            "de Pike Ros – Ivy Oda 2023-11-04: 1 17000001, 2 17000002",
            "Ivy Oda – Tärn Gus 2023-11-04: 1 17000003, 2 17000001",
            "de Pike Ros – Tärn Gus 2023-11-04: 1 17000002, 1 17000003",
        ]
    );
    let contests = reading.contests.to_vec();
    let sides: Vec<Option<Side>> = contests[0].entrants.iter().map(|e| e.side).collect();
    assert_eq!(sides, [Some(Side::Second), Some(Side::First)]);
    assert!(contests[1].entrants.iter().all(|entrant| entrant.side.is_none()));
    assert_eq!(contests[0].event.as_deref(), Some("Quay Go"));
    assert_eq!(
        reading.warnings,
        [
            "rounds of players without a game (byes, forfeits, absences) are left out: 1",
            "games with a handicap, or that may have one, have no sides and count like even games: 1",
        ]
    );
}

#[test]
fn players_without_pins_have_the_names_of_h9() {
    let reading = tournament(&quay(&games(), DAYS).replace("17000003", ""));
    assert_eq!(
        contest_lines(&reading)[0],
        "de Pike Ros – Ivy Oda 2023-11-04: 1 Ivy Oda, 2 de Pike Ros"
    );
    let table = "; EV[Quay Go]\n; DT[2023-11-04]\n\
                 1 Ivy Oda 2D XX Quay 1 2+/w0\n2 de Pike Ros 2D XX Quay 0 1-/b0\n";
    let options = ReadOptions::default();
    let h9 = read(FileFormat::H9, table.as_bytes(), "quay.h9", &options).unwrap();
    assert_eq!(reading.contests.get(0), h9.contests.get(0));
}

#[test]
fn games_that_were_not_played_are_left_out() {
    let others = [
        game(4, [IVY, PIKE], 0, "WHITEWINS_BYDEF"),
        game(5, [IVY, PIKE], 0, "UNKNOWN"),
        game(6, [IVY, PIKE], 0, "BOTHLOSE"),
        game(7, [IVY, PIKE], 0, "BOTHWIN"),
        game(8, [IVY, PIKE], 0, "BOTHLOSE_BYDEF"),
    ];
    let reading = tournament(&quay(&(games() + &others.concat()), DAYS));
    assert_eq!(reading.contests.len(), 3);
    assert!(reading.warnings[0].ends_with("are left out: 7"), "{:?}", reading.warnings);
    assert_eq!(reading.warnings[2], "games that both players win or both lose are left out: 2");
}

#[test]
fn rounds_have_the_days_that_the_file_has() {
    let days = "beginDate=\"2023-11-04\" endDate=\"2023-11-05\"";
    let reading = tournament(&quay(&games(), days));
    assert!(contest_lines(&reading)[0].contains("2023-11-05"));
    assert!(reading.warnings.iter().any(|w| w.contains("--every DAYS")));
    let reading = tournament_with(&quay(&games(), days), &from_2024(7)).unwrap();
    assert!(contest_lines(&reading)[2].contains("2024-01-15"));
    let reading = tournament(&quay(&games(), "beginDate=\"2023-11-04\""));
    assert!(contest_lines(&reading)[0].contains("2023-11-04"));
    assert!(reading.warnings.iter().any(|w| w.contains("has no endDate")));
    let error = tournament_with(&quay(&games(), ""), &ReadOptions::default()).unwrap_err();
    assert!(error.contains("pass --start 2024-01-31"), "{error}");
}

#[test]
fn malformed_tournaments_are_refused() {
    for (from, to, expected) in [
        (
            "whitePlayer=\"IVYODA\"",
            "whitePlayer=\"IVY\"",
            "line 9: the whitePlayer \"IVY\" is no Player",
        ),
        (
            "RESULT_EQUAL",
            "RESULT_1-0",
            "line 11: \"RESULT_1-0\" is not a result of OpenGotha",
        ),
        (
            "roundNumber=\"3\"",
            "roundNumber=\"2\"",
            "\"Tärn Gus\" has two games in round 2",
        ),
        ("roundNumber=\"3\"", "roundNumber=\"0\"", "is not a number from 1 to 100"),
        ("handicap=\"3\"", "handicap=\"x\"", "line 10: the handicap \"x\" is not"),
        ("name=\"de Pike\"", "name=\"\"", "line 5: the Player has no name; add it"),
        ("17000002", "17000001", "line 5: the id \"17000001\" is also that"),
        (
            "firstName=\"Ros\" name=\"de Pike\"",
            "firstName=\"Oda\" name=\"Ivy\"",
            "also that of",
        ),
        ("2023-11-04\" end", "04-11\" end", "write it like 2024-03-01"),
        ("</Tournament>", "", "the document ends within an element"),
    ] {
        let text = quay(&games(), DAYS).replace(from, to);
        let error = tournament_with(&text, &ReadOptions::default()).unwrap_err();
        assert!(error.contains(expected), "{to}: {error}");
    }
    let options = ReadOptions::default();
    for (text, expected) in [
        ("<Tournament/>", "the tournament has no players"),
        ("<ResultList iofVersion=\"3.0\"/>", "whose first element is \"ResultList\""),
    ] {
        let error = read(FileFormat::OpenGotha, text.as_bytes(), "x", &options).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
    let alone = game(1, [IVY, IVY], 0, "WHITEWINS");
    let error = tournament_with(&quay(&alone, DAYS), &options).unwrap_err();
    assert!(error.contains("has two games in round 1"), "{error}");
    assert!(refused(&tournament(&quay(&games(), DAYS))).is_empty());
}
