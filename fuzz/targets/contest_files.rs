//! Contest files: the first byte selects the format and the options, the rest is the file.
//! Workbooks are left out, since a fuzzer does not get beyond the ZIP around them.

#![no_main]

use std::collections::{BTreeMap, HashSet};

use libfuzzer_sys::fuzz_target;
use ranklore_contest::ContestTime;
use ranklore_formats::{
    ColumnMeaning, DateOrder, DecimalMark, FileFormat, MemberSeparator, OutcomeNumbers,
    ReadOptions, RowCondition, StatedCells, StatedLayout, read,
};

fuzz_target!(|data: &[u8]| {
    let Some((choice, bytes)) = data.split_first() else {
        return;
    };
    let is_set = |bit: u8| choice & (1 << bit) != 0;
    let format = if is_set(0) {
        FileFormat::Table
    } else {
        FileFormat::Json
    };
    let order = if is_set(2) {
        DateOrder::Mdy
    } else {
        DateOrder::Dmy
    };
    let options = ReadOptions {
        dates: is_set(1).then_some(order),
        lower_is_better: is_set(3),
        start: is_set(4).then_some(ContestTime::MIN),
        every_days: is_set(5).then_some(u32::MAX),
        sheet: None,
        all_sheets: is_set(5),
        columns: if is_set(6) {
            // A heading that other tables of the corpus have, too.
            [("Club".to_owned(), ColumnMeaning::Division)].into()
        } else {
            BTreeMap::new()
        },
        layout: is_set(7).then_some(match (is_set(5), is_set(2)) {
            (true, true) => StatedLayout::Contests,
            (true, false) => StatedLayout::Players,
            (false, true) => StatedLayout::Games,
            (false, false) => StatedLayout::Single,
        }),
        cells: (is_set(2) && is_set(4)).then_some(StatedCells::Scores),
        no_headings: is_set(4) && is_set(6),
        rows: (is_set(1) && is_set(6)).then(|| "rows".to_owned()),
        conditions: if is_set(0) && is_set(6) {
            RowCondition::try_from("Club!=".to_owned()).into_iter().collect()
        } else {
            Vec::new()
        },
        anonymous: is_set(1) && is_set(5),
        same_name_by: (is_set(3) && is_set(6)).then(|| "Club".to_owned()),
        members: is_set(7).then(|| MemberSeparator::from("/".to_owned())),
        statuses: BTreeMap::new(),
        decimal_mark: (is_set(3) && is_set(5)).then_some(DecimalMark::Comma),
        outcome: (is_set(0) && is_set(2)).then_some(OutcomeNumbers::PointsOfTwo),
    };
    let Ok(reading) = read(format, bytes, "folder/round 7.csv", &options) else {
        return;
    };
    let mut ids = HashSet::new();
    for contest in reading.contests.iter() {
        assert_eq!(contest.validate(), Ok(()));
        assert!(ids.insert(contest.external_id.clone()), "one contest twice");
        let _ = contest.content_hash();
    }
    let again = read(format, bytes, "folder/round 7.csv", &options);
    assert_eq!(again.as_ref(), Ok(&reading), "read again, it says something else");
});
