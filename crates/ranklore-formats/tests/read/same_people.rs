//! Names that look equal, ids of two people, and scores that contradict places.

use crate::{contest_lines, notes, table};
use ranklore_formats::{FileFormat, ReadOptions, read};

#[test]
fn names_that_look_equal_are_one_person() {
    let reading = table(
        "Contest,Date,Place,Name\nR1,2024-03-01,1,Zo\u{eb} \u{c5}lder\nR1,2024-03-01,2,Max Roe\n\
         R2,2024-03-08,1,Zoe\u{308} A\u{30a}lder\nR2,2024-03-08,2,Max\u{a0}Roe\nR3,2024-03-09,1,Max  Roe\n",
    );
    let lines = [
        "R1 2024-03-01: 1 Zoë Ålder, 2 Max Roe",
        "R2 2024-03-08: 1 Zoë Ålder, 2 Max Roe",
        "R3 2024-03-09: 1 Max Roe",
    ];
    assert_eq!(contest_lines(&reading.unwrap()), lines);
    let games = table(
        "date,white,black,result\n2024-03-01,Zo\u{eb},Max\u{a0}Roe,1-0\n2024-03-02,Zoe\u{308},Max Roe,0-1\n",
    );
    let names: Vec<String> = games.unwrap().contests.iter().map(|game| game.name).collect();
    assert_eq!(names[0], names[1]);
    let game = |name: &str, day: u32| {
        format!(
            "[White \"{name}\"]\n[Black \"Bo\"]\n[Date \"2024.03.0{day}\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n"
        )
    };
    let pgn = [game("Zo\u{eb}", 1), game("Zoe\u{308}", 2)].concat();
    let games = read(FileFormat::Pgn, pgn.as_bytes(), "a.pgn", &ReadOptions::default()).unwrap();
    let players: Vec<String> =
        games.contests.iter().map(|game| game.entrants[0].competitor.clone()).collect();
    assert_eq!(players, ["Zoë", "Zoë"]);
}

/// Returns the names of the competitors of a document.
fn competitors(format: FileFormat, text: &str) -> Vec<String> {
    let reading = read(format, text.as_bytes(), "Quay 2024-03-01.json", &ReadOptions::default());
    let reading = reading.unwrap();
    assert!(reading.refused.is_empty(), "{:?}", reading.refused);
    let entrants = reading.contests.iter().flat_map(|contest| contest.entrants);
    entrants.map(|entrant| entrant.competitor).collect()
}

#[test]
fn names_that_look_equal_are_one_team_on_scoreboards() {
    let written = "Zoe\u{308}\u{a0}Sand";
    let feed = format!(
        r#"{{"standings": [{{"pos": 1, "team": "{written}"}}, {{"pos": 2, "team": "Zoë  Sand"}}]}}"#
    );
    let names = competitors(FileFormat::CtftimeFeed, &feed);
    assert_eq!(names, ["Zoë Sand (1)", "Zoë Sand (2)"]);
    let board = format!(
        r#"{{"contest": {{"name": "Quay", "start_time": "2024-05-04T10:00:00Z", "duration": "5:00:00"}},
        "teams": [{{"id": "1", "name": "{written}"}}],
        "scoreboard": {{"state": {{"ended": "2024-05-04T15:00:00Z", "frozen": null, "thawed": null, "finalized": null}},
        "rows": [{{"rank": 1, "team_id": "1", "score": {{"num_solved": 7, "total_time": 800}}}}]}}}}"#
    );
    assert_eq!(competitors(FileFormat::Icpc, &board), ["Zoë Sand"]);
    let matches = format!(
        r#"{{"matches": [{{"date": "2024-03-01", "team1": "{written}", "team2": {{"name": "Bo  FC"}}, "score": {{"ft": [2, 1]}}}}]}}"#
    );
    assert_eq!(competitors(FileFormat::Openfootball, &matches), ["Zoë Sand", "Bo FC"]);
}

#[test]
fn names_that_look_equal_are_one_person_in_tournaments_and_races() {
    let report = "012 Quay Open\n042 2023/11/04\n052 2023/11/04\n\
                  001    1 w    Sand,\u{a0}Zoe\u{308}                        1800 XXX             1990/01/01  1.0    1     2 w 1\n\
                  001    2 w    Roe,  Max                         1800 XXX             1990/01/01  0.0    2     1 b 0\n";
    assert_eq!(competitors(FileFormat::Trf, report), ["Sand, Zoë", "Roe, Max"]);
    let race = "<ResultList iofVersion=\"3.0\"><Event><Name>Dune</Name><StartTime><Date>2023-11-04</Date></StartTime></Event>\
        <ClassResult><Class><Name>H</Name></Class><PersonResult><Person><Name><Family>Sand</Family><Given>Zoe\u{308}</Given></Name></Person>\
        <Result><Time>60</Time><Position>1</Position><Status>OK</Status></Result></PersonResult></ClassResult></ResultList>";
    assert_eq!(competitors(FileFormat::IofXml, race), ["Zoë Sand"]);
}

#[test]
fn numbers_keep_their_white_space() {
    let reading = table(
        "Contest,Date,Score,Name\nR1,2024-03-01,1\u{a0}250,Zoe\u{308}\nR1,2024-03-01,900,Max\n",
    );
    assert_eq!(contest_lines(&reading.unwrap()), ["R1 2024-03-01: 1 Zoë (1250), 2 Max (900)"]);
}

#[test]
fn id_of_two_names_is_noted_with_its_lines() {
    let text = "Contest,Date,Place,Player,Player ID\nR1,2012-03-01,1,Ole Berg,70\nR1,2012-03-01,2,Ann Lee,1\n\
                R2,2012-12-03,1,Uma Stein,70\nR2,2012-12-03,2,Ann Lee-Fox,1\nR3,2013-12-03,1,Max Roe,2\nR3,2013-12-03,2,Ann Lee,1\n";
    let reading = table(text).unwrap();
    let note = "one competitor has names that share no word: \"70\" is \"Ole Berg\" (line 2) and \
                \"Uma Stein\" (line 4); if they are two, give each an id of its own";
    assert!(notes(&reading).contains(note), "{}", notes(&reading));
    assert_eq!(notes(&reading).matches("share no word").count(), 1);
    let games = "date,white,white_id,black,black_id,result\n2024-03-01,Ole Berg,70,Ann Lee,1,1-0\n2024-03-02,Ann Lee,1,Uma Stein,70,1-0\n";
    assert!(notes(&table(games).unwrap()).contains("\"70\" is \"Ole Berg\" (line 2)"));
}

#[test]
fn score_that_contradicts_the_places_is_noted() {
    let contest = |name: &str, scores: [u32; 4]| -> String {
        let rows = scores
            .iter()
            .zip(1..)
            .map(|(score, place)| format!("{name},2024-03-01,{place},P{place},{score}\n"));
        rows.collect()
    };
    let head = "Contest,Date,Rank,Name,Points\n";
    let noted = table(&format!(
        "{head}{}{}",
        contest("R1", [40, 20, 30, 10]),
        contest("R2", [1, 2, 4, 3])
    ));
    let notes_of = notes(&noted.unwrap());
    let note = "in \"R1\" the values of \"Points\" (E) for the places 2 and 3 contradict the places, \
                which decide, as in another contest";
    assert!(notes_of.contains(note), "{notes_of}");
    for scores in [[40, 30, 30, 10], [1, 2, 3, 4]] {
        let reading = table(&format!("{head}{}", contest("R1", scores))).unwrap();
        assert!(!notes(&reading).contains("contradict the places"), "{scores:?}");
    }
}
