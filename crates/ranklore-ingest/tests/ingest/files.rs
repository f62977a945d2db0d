//! The documents that an import finds, their order and their keys.

use std::io::{Read, Write};
use std::sync::atomic::{AtomicI64, Ordering};

use crate::NO_TIME_BOUND;
use ranklore_formats::ReadOptions;
use ranklore_ingest::{Error, ImportRequest, Preview, check_paths, import, preview};
use ranklore_replay::NoProgress;
use ranklore_test_support::{TempDatabase, at, contest_file, random_contest_file};

use super::{import_folder, import_request};

fn contest_json(id: u32) -> String {
    contest_file(id, 86_400 * i64::from(id), &[vec!["a"], vec!["b"]]).to_string()
}

fn preview_paths(scratch: &TempDatabase, paths: &[&str]) -> Result<Preview, Error> {
    let paths: Vec<_> = paths.iter().map(|path| scratch.path(path)).collect();
    preview(&paths.into(), &ReadOptions::default(), NO_TIME_BOUND, &NoProgress)
}

fn documents(preview: &Preview) -> Vec<&str> {
    let documents = preview.contests.iter().map(|contest| &*contest.document);
    documents.collect()
}

/// Appends an entry with a name that the tar crate would refuse.
fn append_entry(
    tar: &mut tar::Builder<impl Write>,
    kind: tar::EntryType,
    name: &str,
    content: &[u8],
) {
    let mut header = tar::Header::new_ustar();
    header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
    header.set_size(content.len() as u64);
    header.set_entry_type(kind);
    header.set_cksum();
    tar.append(&header, content).unwrap();
}

#[test]
fn folders_are_read_in_natural_name_order() {
    let scratch = TempDatabase::new();
    let names = [
        "2.json",
        "10.json",
        "a/1.json",
        "a/b/2.JSON",
        "a/b.json",
        "b.json",
        "b/11.json",
    ];
    for (index, name) in names.iter().enumerate().rev() {
        scratch.write(&format!("in/{name}"), contest_json(index as u32));
    }
    for litter in [
        ".hidden.json",
        "~$lock.xlsx",
        ".git/3.json",
        "readme",
        "a/notes.md",
        "a/ReadMe.txt",
    ] {
        scratch.write(&format!("in/{litter}"), "{");
    }
    let previewed = preview_paths(&scratch, &["in"]).unwrap();
    assert_eq!(
        documents(&previewed),
        [
            "2.json",
            "10.json",
            "a/1.json",
            "a/b/2.JSON",
            "a/b.json",
            "b/11.json",
            "b.json"
        ]
    );
    assert_eq!(previewed.passed_over, 3, "hidden ones are not even counted");
    assert!(previewed.refused.is_empty(), "{:?}", previewed.refused);
    let previewed = preview_paths(&scratch, &["in/a/ReadMe.txt"]).unwrap();
    assert_eq!(previewed.refused.len(), 1, "it was asked for");
    // Several paths are read in the given order.
    let previewed = preview_paths(&scratch, &["in/b.json", "in/2.json", "in/a/b"]).unwrap();
    assert_eq!(documents(&previewed), ["b.json", "2.json", "2.JSON"]);
}

#[test]
fn archive_entry_names_are_never_paths() {
    let scratch = TempDatabase::new();
    let mut tar = tar::Builder::new(Vec::new());
    let file = tar::EntryType::Regular;
    append_entry(&mut tar, file, "./1.json", contest_json(1).as_bytes());
    append_entry(&mut tar, file, "../../2.json", contest_json(2).as_bytes());
    append_entry(&mut tar, file, "/etc/3.json", contest_json(3).as_bytes());
    append_entry(&mut tar, file, "a/4.json", contest_json(4).as_bytes());
    for hidden in ["._1.json", "a/.5.json", "./.git/6.json", "a/~$7.xlsx"] {
        append_entry(&mut tar, file, hidden, b"{");
    }
    append_entry(&mut tar, tar::EntryType::Symlink, "8.json", b"");
    append_entry(&mut tar, tar::EntryType::Link, "9.json", b"");
    append_entry(&mut tar, tar::EntryType::Fifo, "10.json", b"");
    append_entry(&mut tar, tar::EntryType::Directory, "a.json/", b"");
    append_entry(&mut tar, file, "readme.md", b"");
    append_entry(&mut tar, file, "a/readme.txt", b"About these rounds");
    let packed = zstd::bulk::compress(&tar.into_inner().unwrap(), 1).unwrap();
    scratch.write("in/rounds.tar.zst", packed);
    let before: Vec<_> = std::fs::read_dir(scratch.path("in")).unwrap().collect();
    assert_eq!(before.len(), 1);
    let previewed = preview_paths(&scratch, &["in"]).unwrap();
    assert_eq!(documents(&previewed), ["1.json", "../../2.json", "/etc/3.json", "a/4.json"]);
    assert_eq!(previewed.passed_over, 2);
    assert!(previewed.refused.is_empty(), "{:?}", previewed.refused);
    assert_eq!(std::fs::read_dir(scratch.path("in")).unwrap().count(), 1);
}

#[test]
fn duplicate_keys_get_their_path_as_prefix() {
    let scratch = TempDatabase::new();
    for (index, year) in ["2022", "2023", "2024"].iter().enumerate() {
        scratch.write(&format!("in/{year}/r.json"), contest_json(index as u32));
    }
    let mut tar = tar::Builder::new(Vec::new());
    for id in [5, 6] {
        append_entry(&mut tar, tar::EntryType::Regular, "r.json", contest_json(id).as_bytes());
    }
    scratch.write("in/x.tar.zst", zstd::bulk::compress(&tar.into_inner().unwrap(), 1).unwrap());
    let previewed =
        preview_paths(&scratch, &["in/2022/r.json", "in/2023", "in/x.tar.zst"]).unwrap();
    let documents = documents(&previewed);
    assert_eq!(documents[0], "r.json");
    assert!(documents[1].ends_with("/in/2023/r.json"), "{documents:?}");
    assert!(documents[2].ends_with("/in/x.tar.zst/r.json"), "{documents:?}");
    assert!(documents[3].ends_with("/in/x.tar.zst/r.json#2"), "{documents:?}");
    assert_eq!(preview_paths(&scratch, &["in"]).unwrap().contests[0].document, "2022/r.json");
}

#[test]
fn oversized_document_is_refused_and_rest_read() {
    let scratch = TempDatabase::new();
    let too_large = ranklore_formats::MAX_DOCUMENT_BYTES as u64 + 1;
    // The sparse file takes no space on disk.
    scratch.write("in/2.json", contest_json(2));
    let file = std::fs::File::create(scratch.path("in/1.json")).unwrap();
    file.set_len(too_large).unwrap();
    let mut tar = tar::Builder::new(zstd::Encoder::new(Vec::new(), 1).unwrap());
    let mut header = tar::Header::new_ustar();
    header.set_path("3.json").unwrap();
    header.set_size(too_large);
    header.set_cksum();
    tar.append(&header, std::io::repeat(b' ').take(too_large)).unwrap();
    append_entry(&mut tar, tar::EntryType::Regular, "4.json", contest_json(4).as_bytes());
    scratch.write("in/rounds.tar.zst", tar.into_inner().unwrap().finish().unwrap());
    let previewed = preview_paths(&scratch, &["in"]).unwrap();
    assert_eq!(documents(&previewed), ["2.json", "4.json"]);
    let refused: Vec<_> = previewed.refused.iter().map(|r| (&*r.document, &*r.what)).collect();
    let refusal_text = "is larger than the 256 MiB a document may have: split it";
    assert_eq!(refused, [("1.json", refusal_text), ("3.json", refusal_text)]);
}

#[test]
fn report_keeps_first_refusals_and_number_of_all() {
    let scratch = TempDatabase::new();
    let mut tar = tar::Builder::new(Vec::new());
    for index in 0..250 {
        let name = format!("{index}.json");
        append_entry(&mut tar, tar::EntryType::Regular, &name, b"");
    }
    let packed = zstd::bulk::compress(&tar.into_inner().unwrap(), 1).unwrap();
    scratch.write("in/rounds.tar.zst", packed);
    let previewed = preview_paths(&scratch, &["in"]).unwrap();
    assert_eq!((previewed.refused.len(), previewed.total_refused), (100, 250));
    assert_eq!(previewed.refused[99].document, "99.json");
}

#[test]
fn truncated_archive_imports_nothing() {
    let scratch = TempDatabase::new();
    let mut tar = tar::Builder::new(Vec::new());
    for id in 0..20 {
        let file = random_contest_file(id, 86_400, 40).to_string();
        append_entry(&mut tar, tar::EntryType::Regular, &format!("{id}.json"), file.as_bytes());
    }
    let plain = tar.into_inner().unwrap();
    let packed = zstd::bulk::compress(&plain, 1).unwrap();
    drop(scratch.open_writer());
    let before = scratch.content_hash();
    // Truncated as zstd, and truncated as tar within complete zstd.
    let cuts = [packed[..packed.len() / 3].to_vec(), packed[..10].to_vec()];
    let inner = [plain.len() / 2, 700, 512 * 3 - 1]
        .map(|cut| zstd::bulk::compress(&plain[..cut], 1).unwrap());
    for (index, cut) in cuts.into_iter().chain(inner).enumerate() {
        scratch.write("in/rounds.tar.zst", cut);
        let error =
            import(&mut scratch.open_writer(), &import_request(&scratch), &NoProgress).unwrap_err();
        assert!(matches!(error, Error::DamagedArchive { .. }), "{index}: {error:?}");
        assert!(error.to_string().contains("rounds.tar.zst is truncated or damaged"));
        assert_eq!(scratch.content_hash(), before, "{index}");
    }
    scratch.write("in/rounds.tar.zst", packed);
    assert_eq!(import_folder(&scratch, &NoProgress).contests.added, 20);
}

#[test]
fn each_empty_path_has_its_own_error() {
    let scratch = TempDatabase::new();
    let check = |name: &str| check_paths(&vec![scratch.path(name)].into()).unwrap_err();
    assert!(matches!(check("nowhere"), Error::Unreadable { .. }));
    std::fs::create_dir(scratch.path("in")).unwrap();
    assert!(matches!(check("in"), Error::NothingToImport { .. }));
    scratch.write("in/notes.md", "");
    assert!(matches!(check("in"), Error::NothingToImport { .. }));
    scratch.write("notes.in", "");
    assert!(matches!(check("notes.in"), Error::UnknownFileType { .. }));
    scratch.write("meet/heats.cl2", "");
    let error = check("meet/heats.cl2").to_string();
    assert!(error.ends_with("is an SDIF file of swimming results; export the results as CSV"));
    scratch.write("in/1.json", "");
    check_paths(&vec![scratch.path("in")].into()).unwrap();
    let tar = tar::Builder::new(Vec::new()).into_inner().unwrap();
    scratch.write("in/empty/x.tar.zst", zstd::bulk::compress(&tar, 1).unwrap());
    let error = preview_paths(&scratch, &["in/empty"]).unwrap_err();
    assert!(matches!(error, Error::NothingToImport { .. }), "{error:?}");
}

#[test]
fn clock_is_read_at_start_and_end() {
    static TIME: AtomicI64 = AtomicI64::new(1_000);
    let scratch = TempDatabase::new();
    scratch.write("in/1.json", contest_json(1));
    let request = ImportRequest {
        clock: || at(TIME.fetch_add(60, Ordering::Relaxed)),
        ..import_request(&scratch)
    };
    import(&mut scratch.open_writer(), &request, &NoProgress).unwrap();
    let connection = rusqlite::Connection::open(scratch.database()).unwrap();
    let sql = "SELECT started_at, finished_at FROM sync_run";
    let times: (i64, i64) =
        connection.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    assert_eq!(times, (1_000, 1_060));
}
