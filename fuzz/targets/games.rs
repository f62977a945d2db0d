//! Games in PGN, TRF16, .h9, OpenGotha's XML and the forms of openfootball, and races in IOF XML,
//! Lenex and .hy3: the first byte selects the format, the rest is the file.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ranklore_formats::{ColumnMeaning, FileFormat, ReadOptions, any_text, read};

fuzz_target!(|data: &[u8]| {
    let Some((choice, bytes)) = data.split_first() else {
        return;
    };
    let format = match (choice >> 2) % 4 {
        1 if choice & 1 == 0 => FileFormat::Trf,
        1 => FileFormat::FootballText,
        2 if choice & 1 == 0 => FileFormat::H9,
        2 => FileFormat::HyTek,
        3 => FileFormat::of_xml(bytes),
        _ if choice & 1 == 0 => FileFormat::Pgn,
        _ => FileFormat::Openfootball,
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
        let is_race = matches!(format, FileFormat::IofXml | FileFormat::Lenex | FileFormat::HyTek);
        assert!(is_race || contest.entrants.len() == 2);
    }
    let again = read(format, bytes, "folder/games", &options);
    assert_eq!(again, Ok(reading), "read again, it says something else");
});
