//! Games of chess in PGN and matches in the JSON of openfootball: the first byte selects the format,
//! the rest is the file.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ranklore_formats::{ColumnMeaning, FileFormat, ReadOptions, any_text, read};

fuzz_target!(|data: &[u8]| {
    let Some((choice, bytes)) = data.split_first() else {
        return;
    };
    let format = if choice & 1 == 0 {
        FileFormat::Pgn
    } else {
        FileFormat::Openfootball
    };
    let mut options = ReadOptions::default();
    if choice & 2 != 0 {
        let heading = "WhiteFideId".to_owned();
        options.columns.insert(heading, ColumnMeaning::Ignore);
    }
    let _ = FileFormat::of_text(bytes);
    let _ = FileFormat::of_json(bytes);
    let _ = any_text(bytes, &|_| false);
    let Ok(reading) = read(format, bytes, "folder/games", &options) else {
        return;
    };
    for contest in reading.contests.iter() {
        assert_eq!(contest.validate(), Ok(()));
        assert_eq!(contest.entrants.len(), 2);
    }
    let again = read(format, bytes, "folder/games", &options);
    assert_eq!(again, Ok(reading), "read again, it says something else");
});
