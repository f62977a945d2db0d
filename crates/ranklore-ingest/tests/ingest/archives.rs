//! Documents in compressed files and in archives.

use std::io::{Cursor, Write};

use crate::NO_TIME_BOUND;
use proptest::prelude::*;
use ranklore_formats::ReadOptions;
use ranklore_ingest::{Error, ImportInputs, Preview, StatedFormat, preview};
use ranklore_replay::NoProgress;
use ranklore_test_support::TempDatabase;
use zip::write::SimpleFileOptions;

const TABLE: &str = "contest,date,place,player\nCup,2024-03-01,1,Ada\nCup,2024-03-01,2,Bea\n";

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

fn zstd_checked(bytes: &[u8]) -> Vec<u8> {
    let mut packed = zstd::Encoder::new(Vec::new(), 1).unwrap();
    packed.include_checksum(true).unwrap();
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

/// Changes the checksum, whose first byte is that far from the end.
fn with_wrong_checksum(mut packed: Vec<u8>, from_end: usize) -> Vec<u8> {
    let at = packed.len() - from_end;
    packed[at] ^= 1;
    packed
}

fn tar(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut tar = tar::Builder::new(Vec::new());
    for (name, bytes) in files {
        let mut header = tar::Header::new_ustar();
        header.set_size(bytes.len() as u64);
        tar.append_data(&mut header, name, *bytes).unwrap();
    }
    tar.into_inner().unwrap()
}

fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn preview_file(scratch: &TempDatabase, name: &str, bytes: Vec<u8>) -> Result<Preview, Error> {
    let name = format!("in/{name}");
    scratch.write(&name, bytes);
    let inputs = vec![scratch.path(&name)].into();
    preview(&inputs, &ReadOptions::default(), NO_TIME_BOUND, &NoProgress)
}

#[test]
fn container_does_not_change_the_document() {
    let scratch = TempDatabase::new();
    let table = TABLE.as_bytes();
    let twice = [gzip(&table[..30]), gzip(&table[30..])].concat();
    for (name, bytes) in [
        ("cup.csv", table.to_vec()),
        ("cup.csv.gz", gzip(table)),
        ("CUP.CSV.GZ", twice),
        ("cup.csv.zst", zstd::bulk::compress(table, 1).unwrap()),
        ("x.tar", tar(&[("cup.csv", table)])),
        ("x.tar.gz", gzip(&tar(&[("cup.csv", table)]))),
        ("x.tgz", gzip(&tar(&[("./cup.csv.gz", &gzip(table))]))),
        ("x.zip", zip(&[("cup.csv", table)])),
        ("y.zip", zip(&[("cup.csv.gz", &gzip(table))])),
    ] {
        let previewed = preview_file(&scratch, name, bytes).unwrap();
        let contest = &previewed.contests[0];
        assert_eq!(contest.document.to_lowercase(), "cup.csv", "{name}");
        assert_eq!((previewed.contests.len(), previewed.results), (1, 2), "{name}");
        assert!(previewed.refused.is_empty(), "{name}: {:?}", previewed.refused);
    }
}

#[test]
fn zip_entries_that_are_no_documents_are_passed_over() {
    let scratch = TempDatabase::new();
    let table = TABLE.as_bytes();
    let bytes = zip(&[
        ("2024/cup.csv", table),
        ("__MACOSX/._cup.csv", b"\0"),
        ("2024/photo.jpg", b"\xff"),
        ("README.txt", b"About"),
        ("inner.zip", b"PK"),
    ]);
    let previewed = preview_file(&scratch, "season.zip", bytes).unwrap();
    assert_eq!(previewed.contests[0].document, "2024/cup.csv");
    assert_eq!((previewed.contests.len(), previewed.passed_over), (1, 3));
}

#[test]
fn damaged_containers_are_refused() {
    let scratch = TempDatabase::new();
    let table = TABLE.as_bytes();
    for (name, bytes, message) in [
        ("cup.csv.gz", gzip(table)[..40].to_vec(), "cannot be read: "),
        ("cup.csv.gz", table.to_vec(), "cannot be read: "),
        ("cup.csv.gz", with_wrong_checksum(gzip(table), 8), "cannot be read: "),
        ("cup.csv.zst", table.to_vec(), "cannot be read: "),
        ("cup.csv.zst", with_wrong_checksum(zstd_checked(table), 4), "cannot be read: "),
    ] {
        let previewed = preview_file(&scratch, name, bytes).unwrap();
        let refused = &previewed.refused[0];
        assert_eq!(refused.document, "cup.csv", "{name}");
        assert!(refused.what.starts_with(message), "{name}: {}", refused.what);
    }
    let intact = zip(&[("cup.csv", table)]);
    let mut flipped = intact.clone();
    flipped[40] ^= 1;
    for (name, bytes) in [
        ("a.zip", intact[..intact.len() / 2].to_vec()),
        ("b.zip", flipped),
        ("c.tar.gz", gzip(&tar(&[("cup.csv", table)]))[..60].to_vec()),
        ("d.tgz", b"no archive".to_vec()),
        ("e.tar.gz", with_wrong_checksum(gzip(&tar(&[("cup.csv", table)])), 8)),
        ("f.tar.zst", with_wrong_checksum(zstd_checked(&tar(&[("cup.csv", table)])), 4)),
    ] {
        let error = preview_file(&scratch, name, bytes).unwrap_err();
        let message = format!("{name} is truncated or damaged");
        assert!(error.to_string().contains(&message), "{name}: {error}");
    }
}

#[test]
fn zip_entry_that_cannot_be_unpacked_is_refused_alone() {
    let scratch = TempDatabase::new();
    let table = TABLE.as_bytes();
    let bytes = zip(&[("a.csv", table), ("b.csv", table)]);
    let second = bytes.windows(5).position(|at| at == b"b.csv").unwrap() - 30;
    let directory = bytes.windows(4).position(|at| at == b"PK\x01\x02").unwrap();
    let entry = bytes[directory + 1..].windows(4).position(|at| at == b"PK\x01\x02");
    let entry = directory + 1 + entry.unwrap();
    for (flag, method, message) in [
        (1, 8, "is encrypted: unpack the archive and import its files"),
        (0, 9, "cannot be unpacked ("),
    ] {
        let mut bytes = bytes.clone();
        for (flags, methods) in [(second + 6, second + 8), (entry + 8, entry + 10)] {
            bytes[flags] |= flag;
            bytes[methods] = method;
        }
        let previewed = preview_file(&scratch, "x.zip", bytes).unwrap();
        assert_eq!(previewed.contests.len(), 1, "{:?}", previewed.refused);
        assert_eq!(previewed.refused[0].document, "b.csv");
        assert!(previewed.refused[0].what.starts_with(message), "{:?}", previewed.refused);
    }
}

#[test]
fn stated_format_applies_to_files_of_other_names() {
    let scratch = TempDatabase::new();
    let tabs = TABLE.replace(',', "\t");
    scratch.write("in/cup.dat", &tabs);
    scratch.write("in/folder/notes.csv", &tabs);
    scratch.write("in/folder/1.json", "{}");
    let inputs_of = |path: &str, format| ImportInputs {
        format: Some(format),
        ..vec![scratch.path(path)].into()
    };
    let read = |inputs| preview(&inputs, &ReadOptions::default(), NO_TIME_BOUND, &NoProgress);
    let error = read(vec![scratch.path("in/cup.dat")].into()).unwrap_err();
    assert!(error.to_string().contains("--format"), "{error}");
    let previewed = read(inputs_of("in/cup.dat", StatedFormat::Tsv)).unwrap();
    assert_eq!((previewed.results, previewed.refused.len()), (2, 0));
    let previewed = read(inputs_of("in/folder", StatedFormat::Tsv)).unwrap();
    assert_eq!((previewed.results, previewed.passed_over), (2, 1));
    let tables = ImportInputs {
        format: Some(StatedFormat::Table),
        ..vec![scratch.path("in/folder")].into()
    };
    assert_eq!(read(tables).unwrap().results, 2);
}

const CONTEST: &str =
    r#"{"name":"Harbour","duration":"5:00:00","start_time":"2024-05-04T10:00:00Z"}"#;
const TEAMS: &str = r#"[{"id":"1","name":"Gulls"},{"id":"2","name":"Brass Lamp"}]"#;
const SCOREBOARD: &str = r#"{"state":{"ended":"x","finalized":"x"},"rows":[
    {"rank":1,"team_id":"2","score":{"num_solved":3}},{"rank":2,"team_id":"1","score":{}}]}"#;

#[test]
fn answers_of_a_contest_api_are_one_document() {
    let scratch = TempDatabase::new();
    let folder = [
        ("contest.json", CONTEST),
        ("teams.json", TEAMS),
        ("scoreboard.json", SCOREBOARD),
    ];
    for (name, text) in folder {
        scratch.write(&format!("in/harbour/{name}"), text);
    }
    scratch.write("in/bay/scoreboard.json", SCOREBOARD);
    let files = folder.map(|(name, text)| (format!("harbour/{name}"), text.as_bytes()));
    let files = files.each_ref().map(|(name, bytes)| (&**name, *bytes));
    scratch.write("harbour.tar.gz", gzip(&tar(&files)));
    scratch.write("harbour.zip", zip(&files));
    let read = |path: &str| {
        let inputs = ImportInputs {
            format: Some(StatedFormat::Icpc),
            ..vec![scratch.path(path)].into()
        };
        preview(&inputs, &ReadOptions::default(), NO_TIME_BOUND, &NoProgress).unwrap()
    };
    for (path, document) in [
        ("in/harbour", "scoreboard.json"),
        ("in/harbour/scoreboard.json", "scoreboard.json"),
        ("harbour.tar.gz", "harbour/scoreboard.json"),
        ("harbour.zip", "harbour/scoreboard.json"),
    ] {
        let previewed = read(path);
        assert_eq!(previewed.contests.len(), 1, "{path}: {:?}", previewed.refused);
        assert_eq!(previewed.contests[0].document, document, "{path}");
        assert_eq!(previewed.total_refused, 0, "{path}: {:?}", previewed.refused);
    }
    let previewed = read("in");
    assert_eq!(previewed.contests[0].document, "harbour/scoreboard.json");
    let refused = &previewed.refused[0];
    assert_eq!(refused.document, "bay/scoreboard.json");
    let lacks = "lacks contest.json and teams.json";
    assert!(refused.what.starts_with(lacks), "{}", refused.what);
    scratch.write("in/harbour/teams.json", "<html>");
    let refused = read("in/harbour").refused;
    assert_eq!(refused[0].document, "teams.json");
    assert_eq!(refused[1].document, "scoreboard.json");
}

#[test]
fn json_that_is_no_contest_file_is_a_table() {
    let scratch = TempDatabase::new();
    let rows = [
        r#"{"contest":"Mug","date":"2024-03-01","place":1,"player":"Ada"}"#,
        r#"{"contest":"Mug","date":"2024-03-01","place":2,"player":"Bo"}"#,
    ];
    scratch.write("in/1.json", format!("[{}]", rows.join(",")));
    scratch.write("in/2.jsonl", rows.join("\n").replace("Mug", "Bowl"));
    scratch.write("in/3.json", r#"{"name":"Vase"}"#);
    scratch.write("in/4.json", r#"{"name":"Jar","standings":[["Ada",0,0]]}"#);
    scratch.write("in/5.csv", TABLE);
    let read = |format| {
        let inputs = ImportInputs {
            format,
            ..vec![scratch.path("in")].into()
        };
        let preview =
            preview(&inputs, &ReadOptions::default(), NO_TIME_BOUND, &NoProgress).unwrap();
        let refused = preview.refused.iter();
        let refused: Vec<String> = refused
            .map(|refusal| format!("{}: {}", refusal.document, refusal.what))
            .collect();
        (preview.results, refused)
    };
    let (results, refused) = read(None);
    assert_eq!(results, 6, "{refused:?}");
    assert!(refused[0].starts_with("3.json: this is neither a contest file"), "{refused:?}");
    assert!(refused[1].contains("\"time_seconds\" is missing"), "{refused:?}");
    let json = Some(StatedFormat::Json);
    assert_eq!((read(json).0, read(json).1.len()), (2, 2));
    let tables = Some(StatedFormat::Table);
    assert_eq!((read(tables).0, read(tables).1.len()), (6, 2));
}

/// Returns the name of a container, and its bytes with some of them altered or cut off.
fn broken_container() -> impl Strategy<Value = (&'static str, Vec<u8>)> {
    let table = TABLE.as_bytes();
    let files = [("cup.csv", table), ("2/cup.csv.gz", &gzip(table))];
    let containers = vec![
        ("x.csv.gz", gzip(table)),
        ("x.csv.zst", zstd::bulk::compress(table, 1).unwrap()),
        ("x.tar", tar(&files)),
        ("x.tar.gz", gzip(&tar(&files))),
        ("x.zip", zip(&files)),
    ];
    let changes = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6);
    let cut = prop::option::of(any::<prop::sample::Index>());
    (prop::sample::select(containers), changes, cut).prop_map(
        |((name, mut bytes), changes, cut)| {
            for (at, byte) in changes {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            if let Some(cut) = cut {
                bytes.truncate(cut.index(bytes.len()));
            }
            (name, bytes)
        },
    )
}

proptest! {
    #[test]
    fn broken_containers_give_errors_or_documents((name, bytes) in broken_container()) {
        let scratch = TempDatabase::new();
        if let Ok(previewed) = preview_file(&scratch, name, bytes) {
            prop_assert!(previewed.contests.len() + previewed.refused.len() > 0, "{name}");
        }
    }
}
