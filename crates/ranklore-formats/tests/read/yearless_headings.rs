//! Headings and names of contests that are days without a year.

use ranklore_contest::ContestTime;
use ranklore_formats::ReadOptions;

use super::{contest_lines, notes, table, table_with};

fn from_june() -> ReadOptions {
    ReadOptions {
        start: ContestTime::parse("2024-06-01"),
        ..ReadOptions::default()
    }
}

#[test]
fn days_in_headings_have_the_year_of_the_start() {
    for (headings, dates) in [
        ("23 June,30 June", ["2024-06-23", "2024-06-30"]),
        ("Jun 23,Jul 7", ["2024-06-23", "2024-07-07"]),
        ("23.06.,30.06.", ["2024-06-23", "2024-06-30"]),
        ("Sun 28 Dec,Sun 4 Jan", ["2024-12-28", "2025-01-04"]),
    ] {
        let text = format!("name,{headings}\nAnn,1,2\nBo,2,1\nCy,3,3\n");
        let reading = table_with(&text, &from_june()).unwrap();
        let lines = contest_lines(&reading);
        for (line, date) in lines.iter().zip(dates) {
            assert!(line.contains(&format!(" {date}: ")), "{line}");
        }
        assert_eq!(lines.len(), 2, "{headings}");
        assert!(notes(&reading).contains("are the next from 2024-06-01"));
        let error = table(&text).err().unwrap();
        assert!(error.contains("has no year: pass --start"), "{error}");
    }
}

#[test]
fn days_in_names_have_the_year_of_the_start() {
    let text = "race,place,name\n23 June,1,Ann\n23 June,2,Bo\n7 July,1,Bo\n7 July,2,Ann\n";
    let reading = table_with(text, &from_june()).unwrap();
    assert_eq!(
        contest_lines(&reading),
        [
            "23 June 2024-06-23: 1 Ann, 2 Bo",
            "7 July 2024-07-07: 1 Bo, 2 Ann"
        ]
    );
}

#[test]
fn doubtful_days_are_not_numbered() {
    for headings in ["6/23,6/30", "23.06,30.06", "Jun-23,Jul-7"] {
        let text = format!("name,{headings}\nAnn,1,2\nBo,2,1\nCy,3,3\n");
        for layout in [None, Some(ranklore_formats::StatedLayout::Players)] {
            let options = ReadOptions {
                layout,
                ..from_june()
            };
            let error = table_with(&text, &options).err().unwrap();
            assert!(error.contains("can be dates, whose year or order is not known"), "{error}");
        }
    }
}
