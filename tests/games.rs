//! Tables of games: layouts, containers, a season, corrections, mappings and rebuilds.

#![expect(
    clippy::unwrap_used,
    clippy::format_push_string,
    reason = "clippy takes the helpers of tests for no tests"
)]

use std::io::{Cursor, Write};
use std::sync::Arc;

use crate::support::Scratch;
use arrow_array::{ArrayRef, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use serde_json::{Map, Value, json};

const GAMES: &str = "date,round,white,black,result
2024-03-01,1,Ada,Bea,1-0
2024-03-01,1,Cy,Dov,1/2-1/2
2024-03-01,2,Bea,Cy,0-1
2024-03-02,3,Ada,Cy,1-0
2024-03-02,3,Ada,Cy,0-1
";

/// Imports a file as the source `club`. Returns the hash of the contents.
fn import(name: &str, content: impl AsRef<[u8]>, options: &[&str]) -> String {
    let scratch = Scratch::new();
    scratch.write(name, content);
    scratch.ok(&[&["import", name, "--source", "club"], options].concat());
    hash(&scratch)
}

fn hash(scratch: &Scratch) -> String {
    scratch.ok(&["check"]);
    scratch.ok(&["check", "--hash"]).out
}

fn rows(table: &str) -> Vec<Vec<&str>> {
    table.lines().map(|row| row.split(',').collect()).collect()
}

fn json_lines(table: &str) -> String {
    let rows = rows(table);
    let mut lines = String::new();
    for row in &rows[1..] {
        let cells = rows[0].iter().zip(row).filter(|(_, cell)| !cell.is_empty());
        let fields = cells.map(|(heading, cell)| ((*heading).to_owned(), json!(cell)));
        lines.push_str(&format!("{}\n", Value::Object(fields.collect::<Map<_, _>>())));
    }
    lines
}

fn parquet(table: &str) -> Vec<u8> {
    let rows = rows(table);
    let columns = rows[0].iter().enumerate().map(|(column, heading)| {
        let cells = rows[1..].iter().map(|row| Some(row[column]));
        let cells: ArrayRef = Arc::new(cells.collect::<StringArray>());
        (*heading, cells, true)
    });
    let batch = RecordBatch::try_from_iter_with_nullable(columns).unwrap();
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    bytes
}

/// Returns a workbook with a sheet for each table.
fn ods(tables: &[&str]) -> Vec<u8> {
    const NAMES: &str = "urn:oasis:names:tc:opendocument:xmlns";
    let mut content = format!(
        "<office:document-content xmlns:office='{NAMES}:office:1.0' xmlns:table='{NAMES}:table:1.0' xmlns:text='{NAMES}:text:1.0'><office:body><office:spreadsheet>"
    );
    for (index, table) in tables.iter().enumerate() {
        content.push_str(&format!("<table:table table:name='Sheet {index}'>"));
        for cells in rows(table) {
            let cells = cells.iter().map(|cell| {
                format!("<table:table-cell office:value-type='string'><text:p>{cell}</text:p></table:table-cell>")
            });
            let cells = cells.collect::<String>();
            content.push_str(&format!("<table:table-row>{cells}</table:table-row>"));
        }
        content.push_str("</table:table>");
    }
    content.push_str("</office:spreadsheet></office:body></office:document-content>");
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let kind = "application/vnd.oasis.opendocument.spreadsheet";
    for (name, part) in [("mimetype", kind), ("content.xml", &*content)] {
        let options = zip::write::SimpleFileOptions::default();
        zip.start_file(name, options).unwrap();
        zip.write_all(part.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn layouts_with_the_same_facts_have_the_same_hash() {
    let expected = import("games.csv", GAMES, &[]);
    let german = "Datum;Runde;Weiß;Schwarz;Ergebnis
1.3.2024;1;Ada;Bea;1:0
1.3.2024;1;Cy;Dov;½
1.3.2024;2;Bea;Cy;0:1
2.3.2024;3;Ada;Cy;+/-
2.3.2024;3;Ada;Cy;0:1
";
    let forfeit = ["--status", "forfeit=finished"];
    let winner = "Result,Winner,Black,White,Date,Round
1-0,Ada,Bea,Ada,2024-03-01,1
,draw,Dov,Cy,2024-03-01,1
,black,Cy,Bea,2024-03-01,2
,white,Cy,Ada,2024-03-02,3
,Cy,Cy,Ada,2024-03-02,3
";
    assert_eq!(import("spiele.csv", german, &forfeit), expected);
    assert_eq!(import("winner.csv", winner, &[]), expected);
    assert_eq!(import("games.jsonl", json_lines(GAMES), &[]), expected);
    assert_eq!(import("games.parquet", parquet(GAMES), &[]), expected);
    assert_eq!(import("games.ods", ods(&[GAMES]), &[]), expected);
    let layout_option = ["--layout", "games"];
    assert_eq!(import("games.tsv", GAMES.replace(',', "\t"), &layout_option), expected);
    // Without sides, a column of winners says as much as one of results.
    let points = "date,player_1,player_2,outcome\n2024-03-01,Bea,Ada,0\n2024-03-02,Ada,Cy,0.5\n";
    let of_two = "date,player 1,player 2,outcome\n2024-03-01,Bea,Ada,0\n2024-03-02,Ada,Cy,1\n2024-03-03,Ada,Cy,\n";
    let winners = "date,winner,loser,draw\n2024-03-01,Ada,Bea,\n2024-03-02,Cy,Ada,yes\n";
    let models = "date,model_a,model_b,winner\n2024-03-01,Ada,Bea,model_a\n2024-03-02,Cy,Ada,tie (bothbad)\n";
    let expected = import("points.csv", points, &[]);
    let option = ["--outcome", "points-of-2"];
    assert_eq!(import("of-two.csv", of_two, &option), expected);
    assert_eq!(import("winners.csv", winners, &[]), expected);
    assert_eq!(import("models.csv", models, &[]), expected);
}

#[test]
fn season_is_imported_as_a_whole() {
    let teams: Vec<String> = (1..=20).map(|team| format!("Team {team:02}")).collect();
    let mut season = "Date,HomeTeam,AwayTeam,FTHG,FTAG,FTR\n".to_owned();
    let mut games = 0_usize;
    for (home, one) in teams.iter().enumerate() {
        for (away, two) in teams.iter().enumerate().filter(|(away, _)| *away != home) {
            let goals = (home * 7 + away) % 4;
            let other = (home + away * 5) % 3;
            let result = match goals.cmp(&other) {
                std::cmp::Ordering::Greater => 'H',
                std::cmp::Ordering::Equal => 'D',
                std::cmp::Ordering::Less => 'A',
            };
            let (month, day) = (1 + games / 38, 1 + games % 28);
            season.push_str(&format!(
                "2024-{month:02}-{day:02},{one},{two},{goals},{other},{result}\n"
            ));
            games += 1;
        }
    }
    let scratch = Scratch::new();
    scratch.write("E0.csv", season);
    let done = scratch.ok(&["import", "E0.csv", "--source", "football"]);
    assert!(done.out.contains("380 contests with 760 results"), "{}", done.out);
    assert_eq!(scratch.count("SELECT count(*) FROM contest"), 380);
    assert_eq!(scratch.count("SELECT count(*) FROM competitor WHERE kind = 'team'"), 20);
    let before = hash(&scratch);
    scratch.ok(&["import", "E0.csv", "--source", "football"]);
    assert_eq!(hash(&scratch), before);
}

#[test]
fn longer_file_adds_games_and_correction_is_a_revision() {
    let scratch = Scratch::new();
    let report = |table: &str| {
        scratch.write("games.csv", table);
        scratch.ok(&["import", "games.csv", "--source", "club"]).out
    };
    report(GAMES);
    let longer = format!("{GAMES}2024-03-02,3,Ada,Cy,1-0\n2024-03-03,4,Bea,Dov,1-0\n");
    let out = report(&longer);
    assert!(out.contains("2 new, 0 revised, 5 unchanged"), "{out}");
    let out = report(&longer.replace("Bea,Cy,0-1", "Bea,Cy,1-0"));
    assert!(out.contains("0 new, 1 revised, 6 unchanged"), "{out}");
    let order = "SELECT external_id FROM contest ORDER BY ends_at, event, ordinal, external_id";
    assert_eq!(
        scratch.rows(order),
        [
            "2024-03-01 1 Ada – Bea",
            "2024-03-01 1 Cy – Dov",
            "2024-03-01 2 Bea – Cy",
            "2024-03-02 3 Ada – Cy",
            "2024-03-02 3 Ada – Cy #2",
            "2024-03-02 3 Ada – Cy #3",
            "2024-03-03 4 Bea – Dov",
        ]
    );
    let before = hash(&scratch);
    scratch.ok(&["rebuild"]);
    assert_eq!(hash(&scratch), before);
}

#[test]
fn bad_rows_are_named_and_the_rest_is_imported() {
    let scratch = Scratch::new();
    let table = format!(
        "{GAMES}2024-03-04,4,Ada,Ada,1-0\n2024-03-04,4,Ada,,1-0\n2024-02-30,4,Ada,Bea,1-0\n"
    );
    scratch.write("games.csv", table);
    let done = scratch.run(&["import", "games.csv", "--source", "club"]);
    let done = done
        .says("line 7: contest \"Ada – Ada\": \"Ada\" plays against themselves")
        .says("line 8: \"black\" (D) is blank: a game has two competitors")
        .says("line 9: contest \"Ada – Bea\": \"2024-02-30\" is not a date");
    assert_ne!(done.code, Some(0));
    assert_eq!(scratch.count("SELECT count(*) FROM contest"), 5);
}

#[test]
fn games_of_people_are_refused_where_people_have_pseudonyms() {
    let scratch = Scratch::new();
    let pgn = "[White \"Ada\"]\n[Black \"Bea\"]\n[Date \"2024.03.01\"]\n[Result \"1-0\"]\n\n1-0\n";
    let pairs = "date,player 1,player 2,outcome\n2024-03-01,Ada,Bea,1\n";
    let named =
        "contest,date,place,player\nAda – Bea,2024-03-01,1,Ada\nAda – Bea,2024-03-01,2,Bea\n";
    for (name, content) in [
        ("games.csv", GAMES),
        ("pairs.csv", pairs),
        ("games.pgn", pgn),
        ("named.csv", named),
    ] {
        scratch.write(name, content);
        let refused = scratch.run(&["import", name, "--source", "o2cm"]);
        assert_eq!(refused.code, Some(3), "{name}: {}", refused.err);
        let reason = "its games are named after both players";
        assert!(refused.err.contains(reason), "{name}: {}", refused.err);
        scratch.ok(&["import", name, "--source", "club"]);
    }
    let teams = "date,home,away,home score,away score\n2024-03-01,Owls,Larks,2,1\n";
    scratch.write("teams.csv", teams);
    scratch.ok(&["import", "teams.csv", "--source", "o2cm"]);
}

#[test]
fn options_of_games_are_kept_in_mappings_and_rebuilds() {
    let table = "date,Gracz 1,Gracz 2,outcome,score,remarks\n2024-03-01,Ada,Bea,2,x,y\n2024-03-02,Ada,Bea,1,x,y\n";
    let scratch = Scratch::new();
    scratch.write("games.csv", table);
    let columns = [
        "--column",
        "Gracz 1=player 1",
        "--column",
        "Gracz 2=player 2",
    ];
    let import = [&["import", "games.csv", "--source", "club"][..], &columns].concat();
    let refused = scratch.run(&import).exits(3);
    let refused =
        refused.says("the numbers of \"outcome\" (D) have several readings: pass --outcome points");
    assert!(!refused.err.contains("panicked"));
    let winner = ["--outcome", "winner"];
    let save = ["--dry-run", "--save-mapping", "games.toml"];
    scratch.ok(&[&import[..], &winner, &save].concat());
    let mapping = std::fs::read_to_string(scratch.path("games.toml")).unwrap();
    assert!(mapping.contains("layout = \"games\""), "{mapping}");
    assert!(mapping.contains("outcome = \"winner\""), "{mapping}");
    scratch.ok(&[
        "import",
        "games.csv",
        "--source",
        "club",
        "--mapping",
        "games.toml",
    ]);
    let places = "SELECT competitor.name FROM standing JOIN competitor USING (competitor_id)
        WHERE place = 1 ORDER BY contest_id";
    assert_eq!(scratch.rows(places), ["Bea", "Ada"]);
    let before = hash(&scratch);
    scratch.ok(&["rebuild"]);
    assert_eq!(hash(&scratch), before);
}

#[test]
fn sheets_of_games_are_read_if_no_sheet_has_competitors() {
    let later = GAMES.replace("2024-03-0", "2024-04-0");
    let scratch = Scratch::new();
    scratch.write("season.ods", ods(&[GAMES, &later]));
    let all = ["--sheet", "all"];
    scratch.ok(&[&["import", "season.ods", "--source", "club"], &all[..]].concat());
    assert_eq!(scratch.count("SELECT count(*) FROM contest"), 10);
    let standings = "contest,date,place,player\nCup,2024-05-01,1,Ada\nCup,2024-05-01,2,Bea\n";
    let mixed = Scratch::new();
    mixed.write("mixed.ods", ods(&[GAMES, standings]));
    let done = mixed.ok(&[&["import", "mixed.ods", "--source", "club"], &all[..]].concat());
    assert_eq!(mixed.count("SELECT count(*) FROM contest"), 1);
    assert!(done.err.contains("sheets of games, skipped"), "{}", done.err);
}
