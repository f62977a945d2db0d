//! Tables of JSON, JSON Lines and Parquet, and scoreboards of the ICPC contest API: the first byte
//! selects the format, the rest is the file.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ranklore_contest::ContestTime;
use ranklore_formats::{FileFormat, ReadOptions, any_text, read};

fuzz_target!(|data: &[u8]| {
    let Some((choice, bytes)) = data.split_first() else {
        return;
    };
    let format = match choice % 4 {
        0 => FileFormat::JsonTable,
        1 => FileFormat::JsonLines,
        2 => FileFormat::Parquet,
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
    for contest in &reading.contests {
        assert_eq!(contest.validate(), Ok(()));
    }
    let again = read(format, bytes, "folder/round 7", &options);
    assert_eq!(again, Ok(reading), "read again, it says something else");
});
