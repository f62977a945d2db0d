//! A forgotten name is in no byte of the database, its log, later backups and exports, in any
//! spelling of any document.

use std::collections::BTreeSet;
use std::io::{Cursor, Read as _, Write as _};
use std::path::Path;

use crate::support::{Scratch, contest, fixtures};
use ranklore_contest::{SourceName, UnixSeconds};
use ranklore_store::{Body, NewDocument, Store};

/// A name with a non-ASCII letter that has two Unicode forms.
const NAME: &str = "Chloë Ottoline";
const DECOMPOSED: &str = "Chloe\u{308} Ottoline";

/// Returns the spellings of the last name that a byte search finds; its letters have no other
/// forms.
fn find_spellings(bytes: &[u8]) -> Vec<&'static str> {
    let utf_16 = |to_bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        "ottoline".encode_utf16().flat_map(to_bytes).collect()
    };
    let lower = bytes.to_ascii_lowercase();
    let has = |needle: &[u8]| lower.windows(needle.len()).any(|window| window == needle);
    let mut spellings = Vec::new();
    for (name, needle) in [
        ("the last name", b"ottoline".to_vec()),
        ("the first name", "chloë".into()),
        ("in capitals", "chloË".into()),
        ("decomposed", "chloe\u{308}".into()),
        ("in Latin-1", b"chlo\xeb o".to_vec()),
        ("in UTF-16", utf_16(u16::to_le_bytes)),
        ("in UTF-16, big end first", utf_16(u16::to_be_bytes)),
        ("with an escape of JSON", b"chlo\\u00eb".to_vec()),
        ("with an entity", b"chlo&euml;".to_vec()),
        ("with a number of HTML", b"chlo&#235;".to_vec()),
        ("percent-encoded", b"chlo%c3%ab".to_vec()),
        ("escaped in full", b"\\u004f\\u0074\\u0074\\u006f".to_vec()),
    ] {
        if has(&needle) {
            spellings.push(name);
        }
    }
    spellings
}

/// Calls `note` with the name and content of every file below a folder.
fn search_folder(folder: &Path, note: &mut impl FnMut(String, &[u8])) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        // Imported files belong to the user.
        if name == "in" {
            continue;
        }
        note(format!("the name of {name}"), name.as_bytes());
        if path.is_dir() {
            search_folder(&path, note);
        } else {
            note(name, &std::fs::read(&path).unwrap());
        }
    }
}
/// Lists files with the name in content or path, and documents with it in their compressed body.
fn list_traces(scratch: &Scratch) -> Vec<String> {
    let mut places = Vec::new();
    let mut note = |place: String, bytes: &[u8]| {
        for trace in find_spellings(bytes) {
            places.push(format!("{place}: {trace}"));
        }
    };
    search_folder(&scratch.path(""), &mut note);
    let store = scratch.store();
    for source in store.sources().unwrap() {
        for row in store.documents(source.source_id).unwrap() {
            let Ok(document) = store.document(row.document_id) else {
                places.push(format!("document {} is damaged", row.request_key));
                continue;
            };
            for trace in find_spellings(&document.body) {
                places.push(format!("packed in {}: {trace}", row.request_key));
            }
        }
    }
    places
}

/// Returns a round without the person; no reader uses the column `remark`.
fn table(round: u32, remark: &str) -> String {
    format!(
        "contest,date,player,place,remark\n\
         Round {round},2024-03-{round:02},ada,1,\n\
         Round {round},2024-03-{round:02},cy,2,\"protest by {remark}, upheld\"\n"
    )
}

/// Returns the fixture workbook with another word, in two pieces, on a sheet that no reader uses.
fn workbook() -> Vec<u8> {
    let bytes = std::fs::read(fixtures().join("import/races.xlsx")).unwrap();
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for index in 0..archive.len() {
        let mut file = archive.by_index(index).unwrap();
        let mut xml = String::new();
        file.read_to_string(&mut xml).unwrap();
        let before = "<t>The results are on the other sheet.</t>";
        let xml = xml.replace(before, "<r><t>By Chlo</t></r><r><t>&#235; Ottoline</t></r>");
        let options = zip::write::SimpleFileOptions::default();
        writer.start_file(file.name(), options).unwrap();
        writer.write_all(xml.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// Archives files that cannot be read, as earlier versions did.
fn archive_unreadable(scratch: &Scratch) {
    let mut store = Store::open_writer(scratch.db(), "a test").unwrap();
    let mut batch = store.batch().unwrap();
    let club = SourceName::new("club").unwrap();
    let source_id = batch.source_id(&club).unwrap().unwrap();
    for (key, reading, body) in [
        ("13.json", r#"{"format":"json"}"#, format!("{{\"name\": \"{NAME}\", cut o")),
        ("14.csv", r#"{"format":"table"}"#, format!("{NAME}\n")),
    ] {
        let document = NewDocument {
            request_key: key,
            url: None,
            fetched_at: UnixSeconds::MIN,
            status: None,
            etag: None,
            last_modified: None,
            media_type: None,
            reading: Some(reading),
            body: Body::Plain(body.as_bytes()),
            redacted_content: None,
        };
        batch.archive_document(source_id, &document).unwrap();
    }
    batch.commit().unwrap();
}

/// Imports documents with the name in every spelling, mostly in places that no reader uses.
fn league() -> Scratch {
    let scratch = Scratch::new();
    let utf_16 = |text: &str, to_bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        let units = ["\u{feff}", text].concat();
        units.encode_utf16().flat_map(to_bytes).collect()
    };
    let latin_1 = |text: &str| -> Vec<u8> {
        let letters = text.chars();
        letters.map(|c| u8::try_from(u32::from(c)).unwrap()).collect()
    };
    scratch.write("in/1.json", contest(1, 1, &[&[NAME], &["ada"], &["cy"]]));
    scratch.write("in/2.csv", table(2, NAME));
    scratch.write("in/3.csv", table(3, DECOMPOSED));
    scratch.write("in/4.csv", table(4, &NAME.to_uppercase()));
    scratch.write("in/5.csv", latin_1(&table(5, NAME)));
    scratch.write("in/6.csv", utf_16(&table(6, NAME), u16::to_le_bytes));
    scratch.write("in/15.csv", utf_16(&table(15, NAME), u16::to_be_bytes));
    scratch.write("in/7.csv", table(7, "Chlo&euml; Ottoline or Chlo&#235;&nbsp;Ottoline"));
    scratch.write("in/8.csv", table(8, "https://club.example/Chlo%C3%AB%20Ottoline"));
    let escaped = "Chlo\\u00eb \\u004f\\u0074\\u0074\\u006f\\u006c\\u0069\\u006e\\u0065";
    let noted = contest(9, 9, &[&["ada"], &["cy"]]);
    let noted = noted.replacen('{', &format!("{{\"note\": \"by {escaped}\","), 1);
    scratch.write("in/9.json", noted);
    scratch.write("in/races.xlsx", workbook());
    scratch.write("in/Chloë_Ottoline.csv", table(11, "nobody"));
    // Other spellings: an entrant, a contest name, a team name, a refused row.
    let upper = NAME.to_uppercase();
    let other_table = format!(
        "contest,date,player,place\nThe {NAME} cup,2024-03-12,{upper},1\n\
         The {NAME} cup,2024-03-12,cy,2\nBad,2024-03-13,ada,1\nBad,2024-03-13,ada,{NAME}?\n"
    );
    scratch.write("in/12.csv", other_table);
    scratch.run(&IMPORT).exits(3);
    archive_unreadable(&scratch);
    scratch.ok(&[
        "withdraw",
        "club",
        "Round 2@1709337600",
        "--note",
        &format!("asked by {NAME}"),
    ]);
    scratch.ok(&["rate", "club"]);
    scratch
}

const IMPORT: [&str; 6] = ["import", "in", "--source", "club", "--sheet", "Results"];

#[test]
fn forgotten_name_is_in_no_byte_in_any_spelling() {
    let scratch = league();
    let spellings: BTreeSet<String> = list_traces(&scratch)
        .iter()
        .filter_map(|place| Some(place.rsplit_once(": ")?.1.to_owned()))
        .collect();
    assert_eq!(spellings.len(), 12, "a spelling is not tested: {spellings:?}");
    let results = "SELECT count(*), sum(place) FROM standing";
    let before = scratch.rows(results);
    let done = scratch.json(&["forget", "--yes", "club", NAME]);
    assert_eq!(list_traces(&scratch), [""; 0]);
    assert_eq!(scratch.rows(results), before);
    assert_eq!(done["spellings"], serde_json::json!([NAME.to_uppercase()]));
    let unreadable: Vec<&str> = done["unreadable"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["document"].as_str().unwrap())
        .collect();
    assert_eq!(unreadable, ["14.csv", "13.json"]);
    assert_eq!(scratch.json(&["rate", "club"])[0]["unchanged"], true);
    let hash = scratch.content_hash();
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), hash);
    assert_eq!(list_traces(&scratch), [""; 0]);
}

#[test]
fn forgotten_name_stays_out_of_imports_and_exports() {
    let scratch = league();
    scratch.ok(&["forget", "--yes", "club", NAME]);
    let rows = scratch.everything();
    let hash = scratch.content_hash();
    // The same files are recognised, also under other file names.
    scratch.run(&IMPORT);
    assert_eq!(scratch.everything(), rows);
    for (index, file) in scratch.list("in").into_iter().enumerate() {
        let ending = file.rsplit('.').next().unwrap();
        let again = format!("in/again/Chloë Ottoline {index}.{ending}");
        let bytes = std::fs::read(scratch.path(&format!("in/{file}"))).unwrap();
        scratch.write(&again, bytes);
    }
    scratch.run(&[
        "import", "in/again", "--source", "club", "--sheet", "Results",
    ]);
    scratch.ok(&["rebuild"]);
    scratch.ok(&["rate", "club"]);
    scratch.ok(&["backup", "later.sqlite"]);
    for form in ["csv", "jsonl", "elo-mmr", "sqlite", "parquet"] {
        scratch.ok(&["export", "club", "--to", form, "--format", form]);
    }
    assert_eq!(list_traces(&scratch), [""; 0]);
    assert_eq!(scratch.content_hash(), hash);
    let documents = "SELECT count(*) FROM document";
    assert!(scratch.count(documents) > 2 * 13, "the copies are archived");
}
