//! Forgetting a person removes the name from a reading, and the rest can be archived.

use std::collections::BTreeSet;

use ranklore_contest::{ForgottenNames, SearchedName, mentions_name, replace_names};
use ranklore_formats::{FileFormat, FileReading, ReadOptions, any_text, read};

use super::workbooks::{ods, record, shared_texts_across_records, text_cell, xls};
use super::{contest_lines, refused};

/// A forgotten person.
struct ForgottenPerson(&'static str);

impl ForgottenPerson {
    fn searched(&self) -> SearchedName {
        SearchedName::new(self.0).unwrap()
    }
}

impl ForgottenNames for ForgottenPerson {
    fn placeholder(&self, name: &str) -> Option<String> {
        (name == self.0).then(|| "forgotten-1".to_owned())
    }

    fn replace_in_text(&self, text: &str) -> Option<String> {
        let searched = self.searched();
        replace_names(text, &BTreeSet::from([searched.words]), &|key, _| {
            (key == searched.key).then(|| "forgotten-1".to_owned())
        })
    }

    fn is_mentioned_in(&self, text: &str) -> bool {
        let searched = self.searched();
        mentions_name(text, &BTreeSet::from([searched.words]), &|key| key == searched.key)
    }
}

const ADA: ForgottenPerson = ForgottenPerson("Ada Bell");

fn reading(format: FileFormat, text: &str) -> FileReading {
    read(format, text.as_bytes(), "in/Ada Bell.csv", &ReadOptions::default()).unwrap()
}

/// A JSON file with the name in every field of a reading.
const EVERYWHERE: &str = r#"{
    "name": "Ada Bell Cup", "id": "the Ada Bell cup", "event": "Ada Bell's club", "time_seconds": 86400,
    "division": "friends of Ada Bell", "url": "https://club.example/Ada%20Bell",
    "state": "provisional",
    "standings": [["Ada Bell", 0, 0], ["Cy", 1, 1], ["team Ada Bell", 2, 2]],
    "entrants": [null, null, {"kind": "team", "members": ["Ada Bell", "Dee"]}],
    "competitors": [
        {"kind": "person", "competitor": "Ada Bell", "name": "Ada Bell", "start_mu": 1600},
        {"kind": "person", "competitor": "Cy", "name": "Ada Bell", "merged_into": "Ada Bell"},
        {"kind": "team", "competitor": "team Ada Bell", "name": "Ada Bell & friends"}
    ]
}"#;

#[test]
fn forget_replaces_name_everywhere() {
    let mut reading = reading(FileFormat::Json, EVERYWHERE);
    assert_eq!(refused(&reading), [""; 0]);
    assert!(reading.persons().any(|name| name == "Ada Bell"));
    assert!(reading.forget(&ADA));
    let json = serde_json::to_string(&reading).unwrap();
    assert!(!json.contains("Bell"), "{json}");
    assert_eq!(
        contest_lines(&reading),
        ["forgotten-1 Cup 1970-01-02: 1 forgotten-1, 2 Cy, 3 team forgotten-1 [forgotten-1 Dee]"]
    );
    assert_eq!(serde_json::from_str::<FileReading>(&json).unwrap(), reading);
    assert!(!reading.forget(&ADA), "once is enough");
}

#[test]
fn forget_replaces_name_in_refusals() {
    let table =
        "date,player,place\n2024-03-01,Ada Bell,1\n2024-03-01,Cy,2\n2024-03-01,Dee,Ada Bell?\n";
    let mut reading = reading(FileFormat::Table, table);
    assert!(reading.forget(&ADA));
    assert_eq!(reading.layout.take().unwrap().header_line, Some(1));
    let json = serde_json::to_string(&reading).unwrap();
    assert!(!json.contains("Bell"), "{json}");
    assert!(json.contains("forgotten-1"), "{json}");
    assert_eq!(serde_json::from_str::<FileReading>(&json).unwrap(), reading);
}

#[test]
fn longer_names_of_others_stay() {
    let table = "contest,date,player,place\nX,2024-03-01,Ada Bell Smith,1\nX,2024-03-01,Cy,2\n";
    let mut reading = reading(FileFormat::Table, table);
    let before = reading.clone();
    assert!(!reading.forget(&ADA));
    assert_eq!(reading, before);
}

#[test]
fn archived_numbers_round_trip_exactly() {
    let text = r#"{"name": "X", "time_seconds": 1, "weight": 0.1, "site_weight": 24.700000000000003,
        "perf_ceiling": 2100.1, "standings": [["a", 0, 0], ["b", 1, 1]],
        "entrants": [{"score": 0.30000000000000004, "penalty": 1e-7}, {"score": 5e-324}]}"#;
    let reading = reading(FileFormat::Json, text);
    let json = serde_json::to_string(&reading).unwrap();
    assert_eq!(serde_json::from_str::<FileReading>(&json).unwrap(), reading);
}

#[test]
fn archived_json_is_stable() {
    let mut reading = reading(FileFormat::Json, EVERYWHERE);
    reading.forget(&ADA);
    let json = serde_json::to_string_pretty(&reading).unwrap();
    let stable = include_str!("../../../../fixtures/archive/reading-1.json");
    assert_eq!(json.trim(), stable.trim());
}

/// Returns true if a text of the document mentions the person.
fn mentions(bytes: &[u8], person: &ForgottenPerson) -> bool {
    any_text(bytes, &|text| person.is_mentioned_in(text)).unwrap()
}

#[test]
fn name_in_xls_is_found() {
    let wide = |text: &str| -> Vec<u8> {
        let length = u16::try_from(text.encode_utf16().count()).unwrap();
        let units = text.encode_utf16().flat_map(u16::to_le_bytes);
        length.to_le_bytes().into_iter().chain([1]).chain(units).collect()
    };
    let low_bytes = text_cell(0, 0, "Ada Bell");
    let utf_16 = record(0x0204, &[&[0; 6][..], &wide("Ada Bell")]);
    // One byte more moves the characters to odd offsets.
    let moved = [record(0x0042, &[&[0; 3]]), utf_16.clone()].concat();
    let formula = record(0x0207, &[&wide("Ada Bell")]);
    // The texts around a shared text are as long as a letter is in ASCII.
    let around = "x".repeat(65);
    let shared = |name: &[u8]| {
        let other = wide(&around);
        let texts: [&[u8]; 4] = [&[0; 8], &other, name, &other];
        record(0x00fc, &texts)
    };
    let low_shared = shared(&[&[8, 0, 0][..], b"Ada Bell"].concat());
    for cells in [low_bytes, utf_16, moved, formula] {
        assert!(mentions(&xls(&[], &cells), &ADA), "{cells:?}");
    }
    for texts in [shared(&wide("Ada Bell")), low_shared] {
        assert!(mentions(&xls(&texts, &[]), &ADA), "{texts:?}");
    }
    let other = xls(&shared(&wide("Ada Bella")), &text_cell(0, 0, "Ada"));
    assert!(!mentions(&other, &ADA));
    let (texts, _) = shared_texts_across_records();
    assert!(mentions(&xls(&texts, &[]), &ForgottenPerson("Zoë Żak")));
    assert!(mentions(&fixture("races.xls"), &ForgottenPerson("Zoë Alder")));
}

#[test]
fn name_in_ods_is_found() {
    for text in [
        "Ada Bell",
        "Ada<text:s/>Bell",
        "<text:span>Ad</text:span>a Bell",
        "Ada &#66;ell",
    ] {
        let table = format!("<table:table><text:p>{text}</text:p></table:table>");
        assert!(mentions(&ods(&table), &ADA), "{text}");
    }
    assert!(!mentions(&ods("<text:p>Ada Bella</text:p>"), &ADA));
    assert!(mentions(&fixture("races.ods"), &ForgottenPerson("Zoë Alder")));
}

fn fixture(name: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/import");
    std::fs::read(format!("{folder}/{name}")).unwrap()
}

#[test]
fn reading_of_workbook_loses_name() {
    let options = ReadOptions {
        sheet: Some("Results".to_owned()),
        ..ReadOptions::default()
    };
    let zoe = ForgottenPerson("Zoë Alder");
    for (format, name) in [
        (FileFormat::Xls, "races.xls"),
        (FileFormat::Ods, "races.ods"),
    ] {
        let mut reading = read(format, fixture(name), name, &options).unwrap();
        assert!(reading.forget(&zoe));
        let json = serde_json::to_string(&reading).unwrap();
        assert!(json.contains("Bram Okoro"));
        assert!(!mentions(json.as_bytes(), &zoe), "{json}");
    }
}
