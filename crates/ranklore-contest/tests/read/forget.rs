//! Persons are blanked in documents, and all else reads as before.

use std::collections::BTreeSet;
use std::io::{Cursor, Read as _, Write as _};

use super::{lines, lower, table};
use proptest::prelude::*;
use ranklore_contest::{
    CannotRedact, EntrantKind, Format, ReadOptions, Reading, Redacted, read, redact, redact_read,
};

pub(super) const JSON: Format = Format::Json;
const TABLE: Format = Format::Table;

/// Blanks for names, by their order.
pub(super) fn blanks<'n>(names: &'n [&str]) -> impl Fn(&str) -> Option<String> + 'n {
    move |name| {
        let index = names.iter().position(|known| *known == name)?;
        Some(format!("forgotten-{}", index + 1))
    }
}

fn try_forget(
    format: Format,
    bytes: &[u8],
    options: &ReadOptions,
    names: &[&str],
) -> Result<Option<Redacted>, CannotRedact> {
    redact(format, bytes, "in/Cup.csv", options, &blanks(names))
}

/// Blanks names and holds what comes of it against the promises.
fn forget_with(format: Format, bytes: &[u8], options: &ReadOptions, names: &[&str]) -> Redacted {
    let redacted = try_forget(format, bytes, options, names).unwrap().unwrap();
    let again = |format, bytes: &[u8], options| read(format, bytes, "in/Cup.csv", options);
    let found = again(redacted.format, &redacted.bytes, &redacted.options);
    match (again(format, bytes, options), found) {
        (Ok(mut expected), Ok(found)) => {
            expected.forget(&blanks(names));
            assert_eq!(found.contests, expected.contests);
            assert_eq!(found.starting_ratings, expected.starting_ratings);
            assert_eq!(found.states, expected.states);
            assert_eq!(found.names, expected.names);
            assert_eq!(found.merges, expected.merges);
            assert_eq!(found.refused.len(), expected.refused.len());
        }
        (expected, found) => assert!(expected.is_err() && found.is_err()),
    }
    let twice = try_forget(redacted.format, &redacted.bytes, &redacted.options, names);
    assert_eq!(twice, Ok(None), "once is enough");
    redacted
}

/// Blanks names and returns the text that comes of it.
pub(super) fn forget(format: Format, text: &str, names: &[&str]) -> String {
    let redacted = forget_with(format, text.as_bytes(), &ReadOptions::default(), names);
    assert_eq!(redacted.format, format);
    String::from_utf8(redacted.bytes).unwrap()
}

fn persons(reading: &Reading) -> BTreeSet<String> {
    let entrants = reading.contests.iter().flat_map(|c| &c.entrants);
    let names = entrants.flat_map(|entrant| {
        let own = (entrant.kind == EntrantKind::Person).then_some(&entrant.competitor);
        own.into_iter().chain(&entrant.members)
    });
    names.cloned().collect()
}

fn fixture(path: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/");
    std::fs::read(format!("{folder}{path}")).unwrap()
}

#[test]
fn everybody_in_every_fixture() {
    let results = ReadOptions {
        sheet: Some("Results".to_owned()),
        ..lower()
    };
    let rounds = (1..=6).map(|round| format!("club/round-{round}.json"));
    let tables = [
        "import/wide.csv",
        "import/races.xlsx",
        "import/teams.tsv",
        "import/long.csv",
        "import/wide-date-row.csv",
        "import/ties.json",
        "import/long-semicolon-latin1.csv",
        "demo/lantern-league.csv",
    ];
    for path in rounds.chain(tables.map(str::to_owned)) {
        let bytes = fixture(&path);
        let format = Format::from_file_name(&path).unwrap();
        let default = ReadOptions::default();
        let options = match format {
            Format::Xlsx => &results,
            _ => &default,
        };
        let reading = read(format, &bytes, "in/Cup.csv", options).unwrap();
        let persons = persons(&reading);
        assert!(!persons.is_empty(), "{path}");
        for person in &persons {
            let redacted = forget_with(format, &bytes, options, &[person]);
            let text = lossy(&redacted.bytes);
            assert!(!text.contains(person), "{path}: {person}");
        }
        let all: Vec<&str> = persons.iter().map(String::as_str).collect();
        forget_with(format, &bytes, options, &all);
        let nobody = try_forget(format, &bytes, options, &["Nobody Known"]);
        assert_eq!(nobody, Ok(None), "{path}");
    }
}

/// UTF-8, else Latin-1.
fn lossy(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec())
        .unwrap_or_else(|_| bytes.iter().map(|&byte| char::from(byte)).collect())
}

#[test]
fn a_reading_forgets_persons_and_not_teams() {
    let text = "event,date,place,team,player,rating\n\
        Cup,2024-03-01,1,Bea,Bea,\nCup,2024-03-01,2,,Ada,1600\nCup,2024-03-01,3,Ida,,1500";
    let mut reading = table(text).unwrap();
    assert!(!reading.forget(&blanks(&["Ida"])));
    assert!(reading.forget(&blanks(&["Bea", "Ada"])));
    assert_eq!(
        lines(&reading),
        ["Cup 2024-03-01: 1 Bea [forgotten-1], 2 forgotten-2, 3 Ida"]
    );
    assert_eq!(reading.starting_ratings[0].1, "forgotten-2");
    assert_eq!(reading.starting_ratings[1].1, "Ida");
}

#[test]
fn json_is_changed_in_place() {
    let text = "\u{feff}[{\"name\":\"R\",\"time_seconds\":1e0},\n {\"name\" : \"R\", \
        \"organiser\": \"Zo\\u00eb \\\"Z\\\"\\n\", \"time_seconds\": 86400, \"standings\":\
        [[\"Zo\\u00EB \\\"Z\\\"\\n\", 0, 0 ],[\"Zoë\", 1, 1]]}]";
    assert_eq!(
        forget(JSON, text, &["Zoë \"Z\"\n"]),
        text.replace("Zo\\u00eb \\\"Z\\\"\\n", "forgotten-1")
            .replace("Zo\\u00EB \\\"Z\\\"\\n", "forgotten-1")
    );
}

#[test]
fn json_that_was_refused() {
    // Of two contests one is refused, for all that names somebody in it.
    let text = r#"[{"name":"A","time_seconds":86400,"standings":[["Ada",0,0]]},
        {"name":"Bea","Ada":1,"standings":[{"handle":"Ada"},["Bea",0,1]]}]"#;
    assert_eq!(
        forget(JSON, text, &["Ada", "Bea"]),
        text.replace("Ada", "forgotten-1")
            .replace("Bea", "forgotten-2")
    );
    for damaged in [
        r#"{"name":"A","standings":[["Ada",0,0],["Bea"#,
        r#"{"name":"A,"standings":[["Ada",0,0]]}"#,
        r#"{"name":"A"} ["Ada"]"#,
        r#"{"name":"A","standings":[[Ada,0,0]]"#,
        "{\"name\":\"A\",\"standings\":[[\"Ada,0,0]\n]",
        "place,name\n1,Ada\n",
    ] {
        assert_eq!(
            forget(JSON, damaged, &["Ada"]),
            damaged.replace("Ada", "forgotten-1")
        );
    }
}

#[test]
fn what_a_contest_is_called_stays() {
    let json = r#"{"name":"Ada","id":"Ada","time_seconds":86400,"x":["Ada"],"standings":[["Ada",0,0],["name",1,1]]}"#;
    assert_eq!(
        forget(JSON, json, &["Ada", "name"]),
        r#"{"name":"Ada","id":"Ada","time_seconds":86400,"x":["forgotten-1"],"standings":[["forgotten-1",0,0],["forgotten-2",1,1]]}"#
    );
    let long = "round,date,place,player,note\nAda,2024-03-01,1,Ada,Ada\nAda,2024-03-01,2,Bea,x\n";
    assert_eq!(
        forget(TABLE, long, &["Ada"]),
        "round,date,place,player,note\nAda,2024-03-01,1,forgotten-1,forgotten-1\nAda,2024-03-01,2,Bea,x\n"
    );
    let named_by_file = "place,player\n1,Cup\n2,Bea";
    let options = super::from_2024(1);
    let redacted = forget_with(TABLE, named_by_file.as_bytes(), &options, &["Cup"]);
    assert_eq!(redacted.bytes, b"place,player\n1,forgotten-1\n2,Bea");
    let only_contest = "round,date,place,player\nAda,2024-03-01,1,Bea";
    let options = ReadOptions::default();
    assert_eq!(
        try_forget(TABLE, only_contest.as_bytes(), &options, &["Ada"]),
        Ok(None),
        "nobody is called so"
    );
}

#[test]
fn cells_are_changed_in_place() {
    let text = "\u{feff}contest; date ;place;player;note\r\n\r\n\
        A;2024-03-01;1; \"Ada \"\"A\"\"; Co\" ;x\r\n\
        A;2024-03-01;2;\"Ada \"\"A\"\"; Co\";\"Ada \"\"A\"\"\"\r\n\
        B;2024-03-02;1;Ada;\r\nB;2024-03-02;1;Adam;";
    assert_eq!(
        forget(TABLE, text, &["Ada \"A\"; Co", "Ada"]),
        text.replace("2;\"Ada \"\"A\"\"; Co\"", "2;\"forgotten-1\"")
            .replace("1;Ada;", "1;forgotten-2;")
    );
}

#[test]
fn lines_keep_their_numbers() {
    let text = "contest,date,place,player\nA,2024-03-01,1,\"Ada\nLee\"\nB,2024-03-01,x,Ada\n";
    let blanked = forget(TABLE, text, &["Ada\nLee", "Ada"]);
    assert_eq!(
        blanked,
        "contest,date,place,player\nA,2024-03-01,1,\"forgotten-1\n\"\nB,2024-03-01,x,forgotten-2\n"
    );
    let refused = |text: &str| table(text).unwrap().refused;
    assert_eq!(refused(&blanked), refused(text));
}

#[test]
fn words_of_the_table_stay() {
    let long = "name,date,place,player\nPlayer,2024-03-01,1,2\n";
    assert!(table(long).is_ok());
    for (text, name) in [
        (
            "round,date,place,player\nA,2024-03-01,1,player\nA,2024-03-01,2,x",
            "player",
        ),
        (
            "round,date,place,player\nA,2024-03-01,1,place\nA,2024-03-01,2,x",
            "place",
        ),
        (
            "round,date,place,player\nA,2024-03-01,1,A\nA,2024-03-01,2,x",
            "A",
        ),
        (
            "round,date,place,player\nA,2024-03-01,1,2024-03-01\nA,2024-03-01,2,x",
            "2024-03-01",
        ),
        (
            "round,date,place,player\nA,2024-03-01,1,1\nA,2024-03-01,2,x",
            "1",
        ),
        (
            "Name,Round 1 (2024-03-01)\nName,3\nTotal,2\nTotals,5\n",
            "Name",
        ),
        (
            "Name,Round 1 (2024-03-01)\nRound 1 (2024-03-01),3\nx,2\n",
            "Round 1 (2024-03-01)",
        ),
        ("Name,Round 1 (2024-03-01)\nTotal,3\nx,2\n", "Total"),
    ] {
        let blanked = forget(TABLE, text, &[name]);
        assert_eq!(blanked.lines().next(), text.lines().next(), "{text}");
    }
    // The label of the last row is nobody.
    let text = "Name,Round 1 (2024-03-01)\nAda,3\nTotal,3\n";
    let options = ReadOptions::default();
    assert_eq!(
        try_forget(TABLE, text.as_bytes(), &options, &["Total"]),
        Ok(None)
    );
    assert_eq!(
        forget(TABLE, text, &["Total", "Ada"]),
        "Name,Round 1 (2024-03-01)\nforgotten-2,3\nTotal,3\n"
    );
    // That one cannot be blanked everywhere does not keep another who was not read.
    let text = "round,date,place,player,status\nAda,2024-03-01,1,Ada,\nAda,2024-03-01,,Bea,DNS\n";
    assert_eq!(
        forget(TABLE, text, &["Ada", "Bea"]),
        text.replace("1,Ada", "1,forgotten-1")
            .replace("Bea", "forgotten-2")
    );
}

#[test]
fn what_was_read_before_is_taken_and_forgets_as_well() {
    let text = "round,date,place,player\nA,2024-03-01,1,Ada\nA,2024-03-01,2,Bea\n";
    let (bytes, options) = (text.as_bytes(), ReadOptions::default());
    let mut reading = read(TABLE, bytes, "in/Cup.csv", &options);
    let names = blanks(&["Ada"]);
    let redacted = redact_read(TABLE, bytes, "in/Cup.csv", &options, &mut reading, &names);
    let redacted = redacted.unwrap().unwrap();
    let again = read(TABLE, &redacted.bytes, "in/Cup.csv", &options);
    assert_eq!(reading, again);
    let reading = reading.unwrap();
    let persons: Vec<&str> = reading.persons().collect();
    assert_eq!(persons, ["forgotten-1", "Bea"]);
}

#[test]
fn a_row_left_out_is_blanked_too() {
    let text = "round,date,place,player,status\nA,2024-03-01,1,Ada,\nA,2024-03-01,,Bea,DNS\n\
        B,2024-03-01,?,Bea,\n";
    assert_eq!(
        forget(TABLE, text, &["Bea"]),
        text.replace("Bea", "forgotten-1")
    );
}

#[test]
fn encodings_are_kept() {
    let text = "round,date,place,player\nÄ,2024-03-01,1,Zoë\nÄ,2024-03-01,2,Jörg\n";
    let expected = text.replace("Zoë", "forgotten-1");
    let latin = |text: &str| -> Vec<u8> { text.chars().map(|c| c as u8).collect() };
    let utf16 = |text: &str, bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        let marked = format!("\u{feff}{text}");
        marked.encode_utf16().flat_map(bytes).collect()
    };
    for encode in [
        &latin as &dyn Fn(&str) -> Vec<u8>,
        &|text| format!("\u{feff}{text}").into_bytes(),
        &|text| utf16(text, u16::to_le_bytes),
        &|text| utf16(text, u16::to_be_bytes),
    ] {
        let redacted = forget_with(TABLE, &encode(text), &ReadOptions::default(), &["Zoë"]);
        assert_eq!(redacted.bytes, encode(&expected));
    }
    // Without her the Latin-1 would be taken for UTF-8.
    let text = "round,date,place,player\nÃ¤,2024-03-01,1,Zoë\n";
    let redacted = forget_with(TABLE, &latin(text), &ReadOptions::default(), &["Zoë"]);
    assert_eq!(
        redacted.bytes,
        text.replace("Zoë", "forgotten-1").as_bytes()
    );
}

#[test]
fn delimiters_within_names_do_not_matter() {
    let text = "player;round 1 2024-03-01\n\"a;b;c\";1\n\"d,e,f\";2";
    assert_eq!(
        forget(TABLE, text, &["a;b;c"]),
        text.replace("a;b;c", "forgotten-1")
    );
    let stated = "sep=|\r\nround|date|place|player\r\nA|2024-03-01|1|a,b\r\n";
    assert_eq!(
        forget(TABLE, stated, &["a,b"]),
        stated.replace("a,b", "forgotten-1")
    );
}

#[test]
fn tables_that_were_refused() {
    for text in [
        "who,what\nAda,1\nBea,\"Ada\"",
        "round;date;place;player\nA;2024-03-01;1;\"Ada\nA;2024-03-01;2;Bea\nA;2024-03-01;2;Ada",
        "round,date,place,player\nA,03/04/2024,1,Ada\n",
        "player,name\nAda,Ada",
        "{\"players\": [\"Ada\"]}",
    ] {
        let names = ["Ada"];
        let blanked = forget(TABLE, text, &names);
        assert!(!blanked.contains("Ada"), "{blanked}");
    }
    for bytes in [
        &b"\xff\xfeAda\n1"[..],
        b"Ada\0,1",
        b"PK\x03\x04Ada",
        b"\xd0\xcf\0",
    ] {
        for format in [JSON, Format::CtftimeFeed, TABLE, Format::Xlsx] {
            let error = try_forget(format, bytes, &ReadOptions::default(), &["Ada"]);
            let mentions = bytes.starts_with(b"Ada");
            assert_eq!(error.unwrap_err().mentions, mentions, "{bytes:?}");
        }
    }
}

/// The workbook of the fixtures with other words in it.
fn workbook(changes: &[(&str, &str)]) -> Vec<u8> {
    let mut good = zip::ZipArchive::new(Cursor::new(fixture("import/races.xlsx"))).unwrap();
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for index in 0..good.len() {
        let mut entry = good.by_index(index).unwrap();
        let mut xml = String::new();
        entry.read_to_string(&mut xml).unwrap();
        for (from, to) in changes {
            xml = xml.replace(from, to);
        }
        let options = zip::write::SimpleFileOptions::default();
        writer.start_file(entry.name(), options).unwrap();
        writer.write_all(xml.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

#[test]
fn a_workbook_becomes_text() {
    let options = ReadOptions {
        sheet: Some("Results".to_owned()),
        ..lower()
    };
    let bytes = fixture("import/races.xlsx");
    let redacted = forget_with(Format::Xlsx, &bytes, &options, &["Zoë Alder"]);
    assert_eq!((redacted.format, &redacted.options), (TABLE, &lower()));
    let text = String::from_utf8(redacted.bytes).unwrap();
    assert!(
        text.starts_with("sep=,\nEvening races 2024\nRace,Date,Pos."),
        "{text}"
    );
    assert!(
        text.contains(",2024-03-01 19:30:00,") && text.contains(",61.2340"),
        "{text}"
    );

    // Somebody stands on another sheet, made the workbook, or has a sheet of their own.
    for (from, to) in [
        ("The results are on the other sheet.", "Ada &amp; Co"),
        ("<dc:creator>openpyxl", "<dc:creator>Ada &#38; Co"),
        ("name=\"Notes\"", "name=\"Ada &amp; Co\""),
        ("Bram Okoro", "Ada, &quot;A&quot; &amp; Co"),
    ] {
        let bytes = workbook(&[(from, to)]);
        let names = ["Ada & Co", "Ada, \"A\" & Co"];
        let redacted = forget_with(Format::Xlsx, &bytes, &options, &names);
        assert_eq!(redacted.format, TABLE);
        assert!(!lossy(&redacted.bytes).contains("Ada"));
    }

    // The first sheet holds no table.
    let default = ReadOptions::default();
    let bytes = workbook(&[("The results are on the other sheet.", "Ada")]);
    let redacted = forget_with(Format::Xlsx, &bytes, &default, &["Ada"]);
    assert_eq!(redacted.bytes, b"sep=,\nforgotten-1\n");
    let nowhere = ReadOptions {
        sheet: Some("nowhere".to_owned()),
        ..default
    };
    let error = try_forget(Format::Xlsx, &bytes, &nowhere, &["Ada"]).unwrap_err();
    assert!(error.mentions);
    assert_eq!(
        try_forget(Format::Xlsx, &bytes, &nowhere, &["Bea"]),
        Ok(None)
    );
}

#[test]
fn what_cannot_be_redacted_says_so() {
    // A blank that stands already makes two of one.
    let error = redact(
        TABLE,
        b"player,round 1 2024-03-01\nAda,2\nBea,1",
        "x",
        &ReadOptions::default(),
        &|name| (name == "Ada").then(|| "Bea".to_owned()),
    )
    .unwrap_err();
    assert!(error.mentions);
    assert_eq!(
        error.to_string(),
        "with the names replaced, the document would read otherwise"
    );
}

/// A name as nobody would think of it.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ -~\n\té€]{0,8}[!-~é]",
        "\\PC{1,5}",
        "[a-c][,;|\t\"][a-c]",
        "(Name|Player|Total|date|R 1|2024-03-01|DNF|[0-9])",
    ]
    .prop_map(|name| name.trim().to_owned())
    .prop_filter("a cell has something in it", |name| {
        !name.trim_matches(['\u{feff}', '\u{200b}']).is_empty()
    })
}

fn names() -> impl Strategy<Value = (Vec<String>, Vec<String>)> {
    prop::collection::btree_set(name(), 2..6)
        .prop_map(|names| names.into_iter().collect::<Vec<_>>())
        .prop_shuffle()
        .prop_flat_map(|names| {
            let some = prop::sample::subsequence(names.clone(), 1..=names.len());
            (Just(names), some)
        })
}

fn quoted(cell: &str) -> String {
    format!("\"{}\"", cell.replace('"', "\"\""))
}

fn refs(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}

proptest! {
    #[test]
    fn anybody_in_json((names, gone) in names()) {
        let row = |(index, name)| serde_json::json!([name, index, index]);
        let standings: Vec<_> = names.iter().enumerate().map(row).collect();
        let json = serde_json::json!({"name": "R", "time_seconds": 86400, "standings": standings});
        forget_with(JSON, json.to_string().as_bytes(), &ReadOptions::default(), &refs(&gone));
        let pretty = serde_json::to_string_pretty(&[&json, &json]).unwrap();
        forget_with(JSON, pretty.as_bytes(), &ReadOptions::default(), &refs(&gone));
        let cut = &pretty.as_bytes()[..pretty.len() - 3];
        forget_with(JSON, cut, &ReadOptions::default(), &refs(&gone));
    }

    #[test]
    fn anybody_beside_a_contest((names, gone) in names(), shift in 0..4_usize, kinds in any::<u8>()) {
        let other = |index: usize| &names[(index + shift) % names.len()];
        let row = |(index, name)| serde_json::json!([name, index, index]);
        let standings: Vec<_> = names.iter().enumerate().map(row).collect();
        let entry = |(index, id): (usize, &String)| {
            // Teams are called as persons are, and stay.
            let kind = if kinds >> (index % 8) & 1 == 0 { "person" } else { "couple" };
            let into = Some(other(index)).filter(|into| *into != id);
            serde_json::json!({"name": other(index), "competitor": id, "kind": kind,
                "start_mu": 1400 + index, "merged_into": into, "note": other(index)})
        };
        let mut beside: Vec<_> = names.iter().enumerate().map(entry).collect();
        beside.push(serde_json::json!({"competitor": "the crew", "kind": "team", "name": names[0]}));
        let json = serde_json::json!({"name": "R", "time_seconds": 86400, "state": "unrated",
            "standings": standings, "competitors": beside});
        forget_with(JSON, json.to_string().as_bytes(), &ReadOptions::default(), &refs(&gone));
        let pretty = serde_json::to_string_pretty(&[&json, &json]).unwrap();
        forget_with(JSON, pretty.as_bytes(), &ReadOptions::default(), &refs(&gone));
    }

    #[test]
    fn any_bytes_are_redacted_or_refused(
        bytes in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..200),
            "[\\[\\]{}\",:a-c0-9\\\\\n\r;\t ]{0,200}".prop_map(String::into_bytes),
            "(player|name|place|R 1),(date|place|R 2)(\n[a-c1-3\"]{0,3},[a-c1-3\"]{0,3}){0,6}".prop_map(String::into_bytes),
        ],
        names in prop::collection::vec("[a-c1-3,:\\[]{1,2}", 1..4),
    ) {
        for format in [JSON, Format::CtftimeFeed, TABLE, Format::Xlsx] {
            for options in [&ReadOptions::default(), &super::from_2024(1)] {
                if let Ok(Some(redacted)) = try_forget(format, &bytes, options, &refs(&names)) {
                    let again = read(redacted.format, &redacted.bytes, "in/Cup.csv", &redacted.options);
                    match read(format, &bytes, "in/Cup.csv", options) {
                        Err(_) => prop_assert!(again.is_err()),
                        Ok(mut expected) => {
                            expected.forget(&blanks(&refs(&names)));
                            prop_assert_eq!(again.unwrap().contests, expected.contests);
                        }
                    }
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn anybody_in_tables((names, gone) in names(), delimiter in prop::sample::select(vec![",", ";", "\t"])) {
        let mut long = ["round", "date", "place", "player"].join(delimiter);
        // The labels of the first and the last row may mean something else than a person.
        let mut wide = ["player", "R 1 (2024-03-01)\ny", "9"].join(delimiter);
        for (index, name) in names.iter().enumerate() {
            let place = (index + 1).to_string();
            long += &format!("\n{}", ["R 1", "2024-03-01", &place, &quoted(name)].join(delimiter));
            wide += &format!("\n{}", [&*quoted(name), &place].join(delimiter));
        }
        wide += &format!("\nx{delimiter}9");
        for text in [long, wide] {
            forget_with(TABLE, text.as_bytes(), &ReadOptions::default(), &refs(&gone));
        }
    }
}
