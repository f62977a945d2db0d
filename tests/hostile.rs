//! Documents that are too large, too deep, odd or malicious are refused clearly; the others are
//! imported, and memory stays bounded. docs/faults.md lists all cases.

#![cfg(unix)]

use std::fs::File;
use std::process::{Command, Stdio};

use crate::support::{CommandOutput, RANKLORE, Scratch, append, contest};

/// The memory limit of an import in KiB: twice the largest document, and a margin.
#[cfg(target_os = "linux")]
const MEMORY_LIMIT_KIB: u32 = 768 * 1024;

const IMPORT: [&str; 4] = ["import", "in", "--source", "club"];

/// Returns a folder with one valid contest in `in/`.
fn scratch_with_good_file() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("in/good.json", contest(77, 0, &[&["a"], &["b"]]));
    scratch
}

/// Imports `in/` within the memory limit.
fn import(scratch: &Scratch) -> CommandOutput {
    #[cfg(target_os = "linux")]
    let setup = format!("ulimit -v {MEMORY_LIMIT_KIB} && ");
    #[cfg(not(target_os = "linux"))]
    let setup = "";
    let mut command = Command::new("sh");
    command
        .args(["-c", &format!("{setup}exec \"$0\" \"$@\""), RANKLORE])
        .args(IMPORT)
        .current_dir(scratch.path("."))
        .env_remove("RANKLORE_DB")
        .stdin(Stdio::null());
    CommandOutput::run(command)
}

fn assert_only_good_contest(scratch: &Scratch) {
    let contests = scratch.rows("SELECT external_id FROM contest");
    assert_eq!(contests, ["77"]);
    assert_eq!(scratch.store().check().unwrap(), []);
}

#[test]
fn ten_gigabyte_json_is_refused_unread() {
    let scratch = scratch_with_good_file();
    // A sparse file: takes no disk space.
    let file = File::create(scratch.path("in/huge.json")).unwrap();
    file.set_len(10 << 30).unwrap();
    import(&scratch)
        .exits(3)
        .says("huge.json: is larger than the 256 MiB a document may have: split it");
    assert_only_good_contest(&scratch);
}

#[test]
fn deeply_nested_json_is_refused() {
    let scratch = scratch_with_good_file();
    let deep = 1_000_000;
    scratch.write("in/arrays.json", "[".repeat(deep));
    scratch.write("in/objects.json", "{\"a\":".repeat(deep));
    let closed = format!("{}{}", "[".repeat(deep), "]".repeat(deep));
    let name = format!("{{\"name\":{closed}}}");
    scratch.write("in/name.json", name);
    let done = import(&scratch).exits(3);
    for words in ["arrays.json: ", "objects.json: ", "name.json: "] {
        assert!(done.err.contains(words), "no {words:?} in\n{}", done.err);
    }
    assert_only_good_contest(&scratch);
}

/// Returns a tar header that claims this size.
fn tar_header(kind: tar::EntryType, name: &str, size: u64) -> tar::Header {
    let mut header = tar::Header::new_gnu();
    header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
    header.set_entry_type(kind);
    header.set_size(size);
    header.set_cksum();
    header
}

#[test]
fn archive_links_and_devices_are_skipped() {
    use tar::EntryType;
    let scratch = Scratch::new();
    let mut tar = tar::Builder::new(Vec::new());
    append(&mut tar, "good.json", contest(1, 0, &[&["a"], &["b"]]).as_bytes());
    append(&mut tar, "../../up.json", contest(2, 0, &[&["a"], &["b"]]).as_bytes());
    append(&mut tar, "/tmp/rooted.json", contest(3, 0, &[&["a"], &["b"]]).as_bytes());
    for (kind, name) in [
        (EntryType::Symlink, "symbolic.json"),
        (EntryType::Link, "hard.json"),
        (EntryType::Char, "characters.json"),
        (EntryType::Block, "blocks.json"),
        (EntryType::Fifo, "pipe.json"),
    ] {
        let mut header = tar_header(kind, name, 0);
        header.set_link_name("/etc/passwd").unwrap();
        header.set_device_major(1).unwrap();
        header.set_device_minor(5).unwrap();
        header.set_cksum();
        tar.append(&header, std::io::empty()).unwrap();
    }
    let packed = zstd::bulk::compress(&tar.into_inner().unwrap(), 1).unwrap();
    scratch.write("deep/er/in/a.tar.zst", packed);
    let arguments = ["import", "deep/er/in/a.tar.zst", "--source", "club"];
    scratch.ok(&arguments);
    let keys = scratch.rows("SELECT request_key FROM document ORDER BY document_id");
    assert_eq!(keys, ["good.json", "../../up.json", "/tmp/rooted.json"]);
    assert_eq!(scratch.list("."), ["deep", "ranklore.sqlite", "ranklore.sqlite.lock"]);
    assert_eq!(scratch.list("deep"), ["er"]);
    assert_eq!(scratch.list("deep/er/in"), ["a.tar.zst"]);
}

#[test]
fn archive_entry_claiming_a_terabyte_is_refused() {
    let scratch = scratch_with_good_file();
    let mut tar = tar_header(tar::EntryType::Regular, "huge.json", 1 << 40).as_bytes().to_vec();
    tar.extend([b' '; 10_000]);
    scratch.write("in/a.tar.zst", zstd::bulk::compress(&tar, 1).unwrap());
    import(&scratch)
        .exits(1)
        .says("nothing was imported")
        .says("a.tar.zst is truncated or damaged");
    std::fs::remove_file(scratch.path("in/a.tar.zst")).unwrap();
    import(&scratch).exits(0);
    assert_only_good_contest(&scratch);
}

#[test]
fn gigabyte_name_in_archive_is_refused() {
    const PIECES: usize = 128;
    let piece = vec![b'a'; 16 << 20];
    let packed_piece = zstd::bulk::compress(&piece, 1).unwrap();
    for kind in [
        tar::EntryType::GNULongName,
        tar::EntryType::GNULongLink,
        tar::EntryType::XHeader,
    ] {
        let scratch = scratch_with_good_file();
        let long = tar_header(kind, "././@LongLink", piece.len() as u64 * PIECES as u64);
        let packed = zstd::bulk::compress(long.as_bytes(), 1).unwrap();
        scratch.write("in/a.tar.zst", [packed, packed_piece.repeat(PIECES)].concat());
        import(&scratch)
            .exits(1)
            .says("a.tar.zst is truncated or damaged")
            .says("the header of an entry is too long");
    }
}

/// Returns a workbook of a few megabytes whose only entry unpacks to a gigabyte of blanks.
fn zip_bomb() -> Vec<u8> {
    // Deflate with fixed codes: one literal, then "258 more of it" in 13 bits, repeated. Eight of
    // those are 13 bytes, which therefore repeat.
    let mut bits = vec![1_u8, 1, 0];
    bits.extend([0, 1, 0, 1, 0, 0, 0, 0]);
    for _ in 0..24 {
        bits.extend([1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0]);
    }
    let bytes: Vec<u8> = bits
        .chunks_exact(8)
        .map(|bits| bits.iter().rev().fold(0, |byte, bit| byte << 1 | bit))
        .collect();
    let mut packed = bytes[..2].to_vec();
    for _ in 0..(1 << 30) / (8 * 258) {
        packed.extend(&bytes[2..15]);
    }
    let name = b"xl/workbook.xml";
    // Fields shared by the local header and the directory: version, flags, deflate, time, date,
    // checksum, packed size, size, lengths of name and extra field.
    let mut common = vec![20, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    common.extend((packed.len() as u32).to_le_bytes());
    common.extend(1000_u32.to_le_bytes());
    common.extend([name.len() as u8, 0, 0, 0]);
    let mut zip = [b"PK\x03\x04", &common[..], name, &packed].concat();
    let directory = zip.len() as u32;
    zip.extend([b"PK\x01\x02\x14\0", &common[..], &[0; 14], name].concat());
    let size = zip.len() as u32 - directory;
    zip.extend(b"PK\x05\x06\0\0\0\0\x01\0\x01\0");
    zip.extend(size.to_le_bytes());
    zip.extend(directory.to_le_bytes());
    zip.extend([0, 0]);
    zip
}

#[test]
fn zip_bomb_workbook_is_refused() {
    let scratch = scratch_with_good_file();
    let bomb = zip_bomb();
    assert!(bomb.len() < 8 << 20);
    scratch.write("in/bomb.xlsx", bomb);
    import(&scratch)
        .exits(3)
        .says("bomb.xlsx: the workbook has a cell of more than 1 MiB");
    assert_only_good_contest(&scratch);
}

#[test]
fn unusual_handles_are_kept_or_refused() {
    let scratch = scratch_with_good_file();
    let odd = [
        "O'Brien",
        "\"quoted\"",
        "'); DROP TABLE contest; --",
        "two\nlines\r\n",
        " blanks ",
        "\0null",
        "%s{}\\",
        "-1",
    ];
    let thousand = "x".repeat(1_000);
    let names: Vec<[&str; 1]> = odd.into_iter().chain([&*thousand]).map(|name| [name]).collect();
    let groups: Vec<&[&str]> = names.iter().map(<[&str; 1]>::as_slice).collect();
    scratch.write("in/odd.json", contest(1, 1, &groups));
    let long = "x".repeat(10_000);
    scratch.write("in/long.json", contest(2, 2, &[&[&long], &["b"]]));
    scratch.write("in/nameless.json", contest(3, 3, &[&[""], &["b"]]));
    let done = import(&scratch).exits(3);
    let done = done.says("long.json: ").says("has 10000 characters");
    assert!(done.err.len() < 2_000, "the name is not printed whole");
    done.says("nameless.json: ").says("names no competitor");
    scratch.ok(&["rate", "club"]);
    let board = scratch.json(&["leaderboard", "club"]);
    let rows = board["rows"].as_array().unwrap();
    for [name] in names {
        assert!(rows.iter().any(|row| row["name"] == name), "{name:?}");
    }
    scratch.ok(&["leaderboard", "club"]);
    assert_eq!(scratch.store().check().unwrap(), []);
}

#[test]
fn contests_without_a_result_rate_nobody() {
    let scratch = scratch_with_good_file();
    scratch.write("in/nobody.json", contest(1, 1, &[]));
    scratch.write("in/one.json", contest(2, 2, &[&["a"]]));
    scratch.write("in/equals.json", contest(3, 3, &[&["a", "b", "c"]]));
    import(&scratch)
        .exits(3)
        .says("nobody.json: standings: contest \"Round 1\": the standings are empty");
    let rated = scratch.json(&["rate", "club"]);
    assert_eq!(rated[0]["contests"], 2);
    let skipped = scratch.json(&["rate", "club", "--all-tied", "skip"]);
    assert_eq!(skipped[0]["contests"], 1);
    let rows = |run: &str| {
        let board = scratch.json(&["leaderboard", "club", "--run", run]);
        board["rows"].as_array().unwrap().len()
    };
    assert_eq!([rows("1"), rows("2")], [3, 2]);
}

#[test]
fn invalid_places_are_refused() {
    let scratch = scratch_with_good_file();
    let wrong = |standings: &str| {
        format!(r#"{{"name": "Wrong", "time_seconds": 1700000000, "standings": {standings}}}"#)
    };
    scratch.write("in/1.json", wrong(r#"[["a", 0, 0], ["b", 2, 2]]"#));
    scratch.write("in/2.json", wrong(r#"[["a", 0, 1], ["b", 1, 1]]"#));
    scratch.write("in/3.json", wrong(r#"[["a", 1, 0], ["b", 1, 1]]"#));
    scratch.write("in/4.json", wrong(r#"[["a", 0, 4294967295], ["b", 1, 1]]"#));
    let done = import(&scratch).exits(3);
    for file in 1..=4 {
        let words = format!("{file}.json: standings");
        assert!(done.err.contains(&words), "no {words} in\n{}", done.err);
    }
    done.says("contest \"Wrong\"");
    assert_only_good_contest(&scratch);
}

#[test]
fn invalid_numbers_are_refused() {
    let scratch = scratch_with_good_file();
    let with =
        |field: &str| contest(1, 1, &[&["a"], &["b"]]).replacen('{', &format!("{{{field},"), 1);
    for (index, field) in [
        "\"weight\":NaN",
        "\"weight\":Infinity",
        "\"weight\":1e999",
        "\"weight\":-1e999",
        "\"weight\":1e300",
        "\"perf_ceiling\":1e999",
    ]
    .into_iter()
    .enumerate()
    {
        scratch.write(&format!("in/{index}.json"), with(field));
    }
    for (index, weight) in ["-inf", "inf", "1e999"].into_iter().enumerate() {
        let table = format!(
            "contest,date,player,place,contest weight\nA,2024-01-01,a,1,{weight}\nA,2024-01-01,b,2,{weight}\n"
        );
        scratch.write(&format!("in/{index}.csv"), table);
    }
    let done = import(&scratch).exits(3);
    for file in ["0.json", "1.json", "2.json", "3.json", "4.json", "5.json"] {
        assert!(done.err.contains(&format!("{file}: ")), "no {file} in\n{}", done.err);
    }
    for file in ["0.csv: line 2", "1.csv: line 2", "2.csv: line 2"] {
        assert!(done.err.contains(file), "no {file} in\n{}", done.err);
    }
    assert_only_good_contest(&scratch);
    for set in ["sigma_limit=1e999", "weight_limit=NaN", "initial_mu=inf"] {
        scratch.run(&["rate", "club", "--set", set]).exits(2);
    }
}

#[test]
fn times_before_1583_and_after_2199_are_refused() {
    let scratch = scratch_with_good_file();
    let at = |seconds: &str| contest(1, 1, &[&["a"], &["b"]]).replace("1700092800", seconds);
    for (file, seconds) in [
        ("past", "-12212553601"),
        ("future", "7258118400"),
        ("never", "9223372036854775807"),
        ("beyond", "99999999999999999999"),
    ] {
        scratch.write(&format!("in/{file}.json"), at(seconds));
    }
    for (file, date) in [
        ("past", "1582-12-31"),
        ("future", "2200-01-02"),
        ("none", "2024-02-30"),
    ] {
        let table = format!("contest,date,player,place\nA,{date},a,1\nA,{date},b,2\n");
        scratch.write(&format!("in/{file}.csv"), table);
    }
    let done = import(&scratch).exits(3);
    for file in [
        "past.json",
        "future.json",
        "never.json",
        "beyond.json",
        "past.csv",
        "future.csv",
        "none.csv",
    ] {
        assert!(done.err.contains(&format!("{file}: ")), "no {file} in\n{}", done.err);
    }
    done.says("outside 1583 to 2199");
    assert_only_good_contest(&scratch);
}
