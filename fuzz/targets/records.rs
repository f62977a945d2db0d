//! Tables of JSON, JSON Lines, YAML, Parquet and HTML, and scoreboards of the ICPC contest API: the first byte
//! selects the format, the rest is the file.

#![no_main]

use std::panic::{set_hook, take_hook};

use libfuzzer_sys::fuzz_target;
use ranklore_contest::ContestTime;
use ranklore_formats::{FileFormat, ReadOptions, any_text, read};

fuzz_target!(init: pass_library_panics(), |data: &[u8]| {
    let Some((choice, bytes)) = data.split_first() else {
        return;
    };
    let format = match (choice % 4, choice & 8 != 0) {
        (0, false) => FileFormat::JsonTable,
        (0, true) => FileFormat::Yaml,
        (1, false) => FileFormat::JsonLines,
        (1, true) => FileFormat::Html,
        (2, _) => FileFormat::Parquet,
        _ => FileFormat::Icpc,
    };
    let options = ReadOptions {
        start: (choice & 64 != 0).then_some(ContestTime::MIN),
        ..ReadOptions::default()
    };
    let _ = FileFormat::of_json(bytes);
    let _ = any_text(bytes, &|_| false);
    let Ok(reading) = read(format, bytes, "folder/round 7", &options) else {
        return;
    };
    for contest in reading.contests.iter() {
        assert_eq!(contest.validate(), Ok(()));
    }
    let again = read(format, bytes, "folder/round 7", &options);
    assert_eq!(again, Ok(reading), "read again, it says something else");
});

/// The reader turns panics of the Parquet library into errors. The hook of the fuzzer would abort
/// before it can.
fn pass_library_panics() {
    let abort = take_hook();
    set_hook(Box::new(move |panic| {
        let file = panic.location().map_or("", |of| of.file());
        if !["/parquet-", "/arrow-"].iter().any(|of| file.contains(of)) {
            abort(panic);
        }
    }));
}
