//! JSON whose rows name objects of other arrays by their ids.

use std::collections::BTreeSet;

use ranklore_formats::{ArchivedBy, FileFormat, FileReading, ReadOptions, read, read_archived};

use super::{contest_lines, notes, refused};

const RESULTS: &str = r#"{
    "players": [{"id": 1, "name": "Ada"}, {"id": 2, "name": "Bea"}, {"id": 3, "name": "Cleo"}],
    "tournaments": [{"id": "t7", "name": "Spring", "date": "2024-03-02"},
                    {"id": "t8", "name": "Summer", "date": "2024-06-02"}],
    "sponsors": [{"id": 1, "amount": 5}],
    "results": [{"tournament_id": "t7", "player_id": 1, "place": 2},
                {"tournament_id": "t7", "player_id": 2, "place": 1},
                {"tournament_id": "t8", "player_id": 3, "place": 1},
                {"tournament_id": "t8", "player_id": 1, "place": 2}]
}"#;

fn json(text: &str) -> FileReading {
    read(FileFormat::JsonTable, text.as_bytes(), "a.json", &ReadOptions::default()).unwrap()
}

/// The names that competitors have in place of their ids.
fn names(reading: &FileReading) -> Vec<String> {
    let dated = reading.dated_names.iter();
    let names = dated.map(|dated| format!("{} {}", dated.competitor, dated.name));
    names.collect::<BTreeSet<String>>().into_iter().collect()
}

#[test]
fn results_are_joined_with_people_and_contests() {
    let reading = json(RESULTS);
    let lines = ["Spring 2024-03-02: 1 2, 2 1", "Summer 2024-06-02: 1 3, 2 1"];
    assert_eq!(contest_lines(&reading), lines);
    assert_eq!(names(&reading), ["1 Ada", "2 Bea", "3 Cleo"]);
    let notes = notes(&reading);
    assert!(
        notes.contains("joined by the ids in the rows: \"players\", \"tournaments\""),
        "{notes}"
    );
    assert!(notes.contains("other arrays are not read: \"sponsors\""), "{notes}");
    for (keyed, id) in [("player_id", "playerId"), ("player_id", "playerID")] {
        assert_eq!(names(&json(&RESULTS.replace(keyed, id))).len(), 3, "{id}");
    }
}

#[test]
fn both_sides_of_a_game_are_joined() {
    for (one, two) in [
        ("home_team_id", "away_team_id"),
        ("team1_id", "team2_id"),
        ("team1Id", "team2Id"),
    ] {
        let text = format!(
            r#"{{"teams": [{{"id": 1, "name": "Reds"}}, {{"id": 2, "name": "Blues"}}],
                "matches": [{{"date": "2024-03-02", "{one}": 2, "{two}": 1, "score1": 3, "score2": 1}}]}}"#
        );
        let reading = json(&text);
        assert_eq!(contest_lines(&reading), ["Blues – Reds 2024-03-02: 1 2 (3), 2 1 (1)"], "{one}");
        assert_eq!(names(&reading), ["1 Reds", "2 Blues"], "{one}");
    }
}

#[test]
fn name_in_the_row_itself_wins() {
    let own = "\"player\": {\"name\": \"Dora\"}";
    let id = "\"player_id\": 3";
    for row in [format!("{own}, {id}"), format!("{id}, {own}")] {
        let reading = json(&RESULTS.replace(id, &row));
        assert_eq!(names(&reading), ["1 Ada", "2 Bea", "3 Dora"], "{row}");
    }
}

#[test]
fn contest_with_an_unknown_id_is_refused() {
    let reading = json(&RESULTS.replace("\"player_id\": 3", "\"player_id\": 4"));
    assert_eq!(contest_lines(&reading), ["Spring 2024-03-02: 1 2, 2 1"]);
    assert_eq!(refused(&reading).len(), 1);
}

#[test]
fn objects_without_ids_of_their_own_are_not_joined() {
    for id in [
        "\"id\": 1, \"name\": \"Bea\"",
        "\"number\": 2, \"name\": \"Bea\"",
    ] {
        let text = RESULTS.replace("\"id\": 2, \"name\": \"Bea\"", id);
        let reading = json(&text);
        assert_eq!(contest_lines(&reading)[0], "Spring 2024-03-02: 1 2, 2 1", "{id}");
        assert_eq!(names(&reading), [""; 0], "{id}");
    }
}

#[test]
fn archived_rows_are_read_by_their_ids() {
    let dated = RESULTS.replace("\"place\"", "\"date\": \"2024-05-01\", \"place\"");
    let before = read_archived(
        ArchivedBy::WithoutDoubts,
        FileFormat::JsonTable,
        dated.as_bytes(),
        "a.json",
        &ReadOptions::default(),
    );
    assert_eq!(contest_lines(&before.unwrap())[0], "t7 2024-05-01: 1 2, 2 1");
}

#[test]
fn sides_in_objects_are_joined_with_the_participants() {
    let text = r#"{"participants": [{"id": 1, "name": "Ada"}, {"id": 2, "name": "Bea"}],
        "matches": [{"id": 7, "date": "2024-03-02", "opponent1": {"id": 2, "score": 3}, "opponent2": {"id": 1, "score": 1}},
                    {"id": 8, "date": "2024-03-03", "opponent1": {"id": 1, "score": 0}, "opponent2": {"id": 2, "score": 2}}]}"#;
    let lines = [
        "Ada – Bea 2024-03-02: 1 2 (3), 2 1 (1)",
        "Ada – Bea 2024-03-03: 1 2 (2), 2 1 (0)",
    ];
    for text in [
        text.to_owned(),
        text.replace("participants", "players"),
        text.replace("opponent", "player"),
    ] {
        let reading = json(&text);
        assert_eq!(contest_lines(&reading), lines, "{text}");
        assert_eq!(names(&reading), ["1 Ada", "2 Bea"]);
    }
    // A player is no team, of two arrays neither is meant, and a side has its own name.
    for other in [
        text.replace("participants", "teams").replace("opponent", "player"),
        text.replace("\"matches\"", "\"entrants\": [{\"id\": 1, \"name\": \"Cy\"}], \"matches\""),
    ] {
        assert!(!notes(&json(&other)).contains("joined"), "{other}");
    }
    let named = text.replace("\"id\": 2, \"score\"", "\"name\": \"Di\", \"id\": 2, \"score\"");
    let named = named.replace("\"id\": 1, \"score\"", "\"id\": 1, \"name\": \"Ed\", \"score\"");
    assert_eq!(names(&json(&named)), ["1 Ed", "2 Di"]);
    // Only the names are those of the array.
    let scored = text.replace("\"name\": \"Ada\"", "\"name\": \"Ada\", \"score\": 90");
    let scored = scored.replace("\"id\": 2, \"score\": 3", "\"score\": 3, \"id\": 2");
    let games = ReadOptions {
        rows: Some("matches".into()),
        ..ReadOptions::default()
    };
    let reading = read(FileFormat::JsonTable, scored.as_bytes(), "a.json", &games).unwrap();
    assert_eq!(contest_lines(&reading), lines);
}
