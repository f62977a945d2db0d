//! Altered documents: read by the library, then imported by the program, many in one archive.

use std::io::{Cursor, Read as _, Write as _};
use std::panic::catch_unwind;
use std::path::Path;
use std::rc::Rc;

use ranklore_contest::ContestTime;
use ranklore_formats::{
    ArchivedBy, DateOrder, FileFormat, ReadOptions, StatedLayout, read, read_archived,
};

use crate::Round;
use crate::operations::{Operations, assert_no_crash};
use crate::random::Random;
use crate::support::{Scratch, archive, fixtures};

/// Documents in the archive of a round.
const DOCUMENTS: usize = if cfg!(debug_assertions) { 100 } else { 500 };

/// Larger fixtures would dominate the time.
const MAX_SEED_BYTES: u64 = 8 << 10;

/// Texts that mean something in tables or JSON, or that break readers.
const TOKENS: &[&str] = &[
    "",
    "0",
    "1",
    "-1",
    "=2",
    "T3",
    "1st",
    "3-4",
    "DNF",
    "DQ",
    "DNS",
    "n/a",
    "*",
    "-",
    "1e999",
    "NaN",
    "-0.0",
    "1,234",
    "1.234,5",
    "12:34",
    "1:23:45.6",
    "18446744073709551616",
    "2024-03-01",
    "03/04/2024",
    "31.12.1969",
    "2200-01-01",
    "1709251200",
    "45352",
    "\"",
    "\"\"",
    "'",
    ",",
    ";",
    "\t",
    "|",
    "\n",
    "\r\n",
    "\r",
    "\0",
    "\u{feff}",
    "\u{202e}",
    "é",
    "e\u{301}",
    "ß",
    "İ",
    "😀",
    "sep=;",
    "[",
    "]",
    "{",
    "}",
    ":",
    "null",
    "true",
    "\\ud800",
    "\\u0000",
    "time_seconds",
    "standings",
    "weight",
    "place",
    "contest",
    "team",
    "member",
    "division",
    "date",
    "forgotten-1",
];

/// Options of an import that settle what tables leave open.
const OPTIONS: &[&[&str]] = &[
    &[],
    &["--dates", "dmy"],
    &["--lower-is-better", "--start", "2024-01-06", "--every", "7"],
    &["--layout", "rows", "--dates", "mdy"],
    &[
        "--layout",
        "players",
        "--start",
        "2024-01-06",
        "--every",
        "7",
    ],
    &[
        "--layout",
        "single",
        "--start",
        "2024-01-06",
        "--members",
        "/",
    ],
];

/// A fixture; the parts of a workbook are altered one by one.
enum Seed {
    Text { name: String, bytes: Vec<u8> },
    Workbook(Vec<(String, Vec<u8>)>),
}

pub(crate) fn prepare(_: &Rc<Operations>) -> Round {
    let seeds = seeds();
    Box::new(move |scratch, random| {
        let documents: Vec<(String, Vec<u8>)> =
            (0..DOCUMENTS).map(|number| document(number, &seeds, random)).collect();
        let files = documents.iter().map(|(name, bytes)| (&**name, &**bytes));
        let mut packed = archive(files);
        let is_damaged = random.once_in(20);
        if is_damaged {
            alter(&mut packed, random);
        }
        scratch.write("in.tar.zst", packed);
        for (name, bytes) in &documents {
            let seed = random.next();
            if let Err(panic) = catch_unwind(|| read_twice(name, bytes, seed)) {
                scratch.write(&name.replace('/', "-"), bytes);
                panic!("{name}: {}", crate::message(&*panic));
            }
        }
        let options = *random.pick(OPTIONS);
        import(scratch, options, is_damaged)
    })
}

/// Imports the archive and asserts that what is stored is valid and can be derived again.
fn import(scratch: &Scratch, options: &[&str], is_damaged: bool) -> &'static str {
    let command = ["import", "in.tar.zst", "--source", "club", "--quiet"];
    let done = scratch.run(&[&command, options].concat());
    assert_no_crash(&done, "import");
    let failed = done.code == Some(1);
    assert!(
        matches!(done.code, Some(0 | 3)) || failed && done.err.contains("error:"),
        "import: exit code {:?}: {}",
        done.code,
        done.err
    );
    if !scratch.db().exists() {
        // All documents were refused, each by name, or the archive was.
        let is_refused = done.code == Some(3) && done.err.lines().count() >= DOCUMENTS;
        assert!(failed || is_refused, "import: no database: {:?}: {}", done.code, done.err);
        return if is_damaged {
            "damaged archives refused"
        } else {
            "archives refused"
        };
    }
    let hash = || {
        scratch.ok(&["check"]);
        scratch.ok(&["check", "--hash"]).out
    };
    let imported = hash();
    let rebuilt = scratch.run(&["rebuild"]);
    assert_no_crash(&rebuilt, "rebuild");
    assert_eq!(imported, hash(), "rebuilt, it is something else");
    let rated = scratch.run(&["rate", "club"]);
    assert_no_crash(&rated, "rate");
    hash();
    if is_damaged {
        "damaged archives imported"
    } else {
        "archives imported"
    }
}

/// Reads a document with random options, also from the archive, and asserts that the contests are
/// valid.
fn read_twice(name: &str, bytes: &[u8], seed: u64) {
    let mut random = Random::new(seed, 0);
    let mut format = FileFormat::from_file_name(name).unwrap();
    if format == FileFormat::Json && random.once_in(4) {
        format = FileFormat::CtftimeFeed;
    }
    let layouts = [
        None,
        None,
        Some(StatedLayout::Rows),
        Some(StatedLayout::Players),
        Some(StatedLayout::Single),
    ];
    let options = ReadOptions {
        dates: *random.pick(&[None, Some(DateOrder::Dmy), Some(DateOrder::Mdy)]),
        lower_is_better: random.once_in(4),
        start: random.once_in(2).then_some(ContestTime::MIN),
        every_days: random.once_in(4).then_some(7),
        layout: *random.pick(&layouts),
        ..ReadOptions::default()
    };
    let reading = read(format, bytes, name, &options);
    for contest in reading.iter().flat_map(|reading| reading.contests.iter()) {
        assert_eq!(contest.validate(), Ok(()));
    }
    assert!(
        reading == read(format, bytes, name, &options),
        "read again, it is something else"
    );
    if reading.is_ok() {
        assert!(
            reading == read_archived(ArchivedBy::Current, format, bytes, name, &options),
            "read from the archive, it is something else"
        );
    }
}

fn seeds() -> Vec<Seed> {
    let mut files = Vec::new();
    for folder in ["club", "import", "tables"] {
        for entry in std::fs::read_dir(fixtures().join(folder)).unwrap() {
            let entry = entry.unwrap();
            if entry.metadata().unwrap().len() <= MAX_SEED_BYTES {
                files.push(entry.path());
            }
        }
    }
    // The order of a folder is that of the file system.
    files.sort();
    files.iter().filter_map(|path| seed(path)).collect()
}

fn seed(path: &Path) -> Option<Seed> {
    let name = path.file_name()?.to_str()?.to_owned();
    let bytes = std::fs::read(path).unwrap();
    match FileFormat::from_file_name(&name)? {
        FileFormat::Xlsx => {
            let mut zip = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
            let parts = (0..zip.len()).map(|index| {
                let mut part = zip.by_index(index).unwrap();
                let mut bytes = Vec::new();
                part.read_to_end(&mut bytes).unwrap();
                (part.name().to_owned(), bytes)
            });
            Some(Seed::Workbook(parts.collect()))
        }
        _ => Some(Seed::Text { name, bytes }),
    }
}

/// Returns a fixture with random changes, and its name in the archive.
fn document(number: usize, seeds: &[Seed], random: &mut Random) -> (String, Vec<u8>) {
    let changes = 1 + random.below(6);
    match random.pick(seeds) {
        Seed::Text { name, bytes } => {
            let mut bytes = bytes.clone();
            for _ in 0..changes {
                change(&mut bytes, seeds, random);
            }
            (format!("{number}/{name}"), bytes)
        }
        Seed::Workbook(parts) => {
            let mut parts = parts.clone();
            for _ in 0..changes {
                let part = random.below(parts.len());
                change(&mut parts[part].1, seeds, random);
            }
            (format!("{number}.xlsx"), zip(&parts))
        }
    }
}

fn zip(parts: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let stored =
        zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, bytes) in parts {
        zip.start_file(&**name, stored).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// Makes one change.
fn change(bytes: &mut Vec<u8>, seeds: &[Seed], random: &mut Random) {
    let start = random.below(bytes.len() + 1);
    let end = bytes.len().min(start + random.below(40));
    match random.below(10) {
        0 | 1 => alter(bytes, random),
        2 => drop(bytes.drain(start..end)),
        3 => {
            let copied = bytes[start..end].to_vec();
            let at = random.below(bytes.len() + 1);
            bytes.splice(at..at, copied);
        }
        4 => drop(bytes.splice(start..start, random.pick(TOKENS).bytes())),
        5..=7 => {
            let cell = cell_at(bytes, start);
            bytes.splice(cell, random.pick(TOKENS).bytes());
        }
        8 => {
            if let Seed::Text { bytes: other, .. } = random.pick(seeds) {
                bytes.truncate(start);
                bytes.extend(&other[random.below(other.len() + 1)..]);
            }
        }
        _ if random.once_in(3) => {
            let text = String::from_utf8_lossy(bytes);
            let units = std::iter::once(0xfeff).chain(text.encode_utf16());
            *bytes = units.flat_map(u16::to_le_bytes).collect();
        }
        _ => bytes.truncate(start),
    }
}

/// Alters one byte.
fn alter(bytes: &mut [u8], random: &mut Random) {
    if !bytes.is_empty() {
        let at = random.below(bytes.len());
        bytes[at] ^= 1 << random.below(8);
    }
}

/// Returns the cell or the word of JSON around a position.
fn cell_at(bytes: &[u8], at: usize) -> std::ops::Range<usize> {
    let ends = |byte: &u8| b",;\t|\n\r\"<>[]{}:".contains(byte);
    let start = bytes[..at].iter().rposition(ends).map_or(0, |end| end + 1);
    let end = bytes[at..].iter().position(ends).map_or(bytes.len(), |end| at + end);
    start..end
}
