//! Workbooks: the first byte selects the format and the sheets, the rest is the content of an .ods
//! workbook or the records of an .xls workbook. A fuzzer does not get beyond the containers around
//! them, so the target packs them.

#![no_main]

use std::io::{Cursor, Write};

use libfuzzer_sys::fuzz_target;
use ranklore_contest::ContestTime;
use ranklore_formats::{FileFormat, ReadOptions, any_text, read};

fuzz_target!(|data: &[u8]| {
    let Some((choice, content)) = data.split_first() else {
        return;
    };
    let packed = if choice & 1 == 0 {
        pack_ods(content).map(|bytes| (FileFormat::Ods, bytes))
    } else {
        pack_xls(content).map(|bytes| (FileFormat::Xls, bytes))
    };
    let Ok((format, bytes)) = packed else {
        return;
    };
    let options = ReadOptions {
        all_sheets: choice & 2 != 0,
        start: Some(ContestTime::MIN),
        ..ReadOptions::default()
    };
    let _ = any_text(&bytes, &|_| false);
    let Ok(reading) = read(format, &bytes[..], "round 7.x", &options) else {
        return;
    };
    for contest in reading.contests.iter() {
        assert_eq!(contest.validate(), Ok(()));
    }
    let again = read(format, &bytes[..], "round 7.x", &options);
    assert_eq!(again.as_ref(), Ok(&reading), "read again, it says something else");
});

fn pack_ods(content: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    archive.start_file("content.xml", zip::write::SimpleFileOptions::default())?;
    archive.write_all(content)?;
    Ok(archive.finish()?.into_inner())
}

fn pack_xls(records: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut file = cfb::CompoundFile::create(Cursor::new(Vec::new()))?;
    file.create_stream("Workbook")?.write_all(records)?;
    Ok(file.into_inner().into_inner())
}
