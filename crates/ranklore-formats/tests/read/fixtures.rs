//! The example files of fixtures/import, with their expected readings.

use super::{contest_lines, lower_is_better, notes, refused};
use ranklore_contest::{EntrantKind, StartingRating};
use ranklore_formats::{FileFormat, FileReading, Location, ReadOptions, TableShape, read};

fn fixture(name: &str, options: &ReadOptions) -> FileReading {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/import/");
    let bytes = std::fs::read(format!("{folder}{name}")).unwrap();
    let format = FileFormat::from_file_name(name).unwrap();
    read(format, &bytes, name, options).unwrap()
}

#[test]
fn long_table_is_read() {
    let reading = fixture("long.csv", &ReadOptions::default());
    assert_eq!(
        contest_lines(&reading),
        [
            "Spring Run 2024-03-01: 1 Zoë Alder (98.5), 2 Bram Okoro (91), 2 Castle, Ida (91), dnf Dov Lindqvist",
            "Summer Run 2024-06-02T18:30:00Z: 1 Bram Okoro (88), 2 Zoë Alder (80.25), dq Castle, Ida",
        ]
    );
    assert_eq!(reading.refused, []);
    assert_eq!(reading.contests.get(0).unwrap().external_id, "Spring Run@1709251200");
    let layout = reading.layout.unwrap();
    assert_eq!((layout.shape, layout.header_line), (TableShape::Long, Some(1)));
    assert_eq!(layout.columns[4].letters, "E");
    assert_eq!(layout.columns[4].meaning, Some("competitor"));
    assert_eq!(layout.columns[6].meaning, None, "comments mean nothing");
}

#[test]
fn latin1_table_with_decimal_commas_is_read() {
    let reading = fixture("long-semicolon-latin1.csv", &ReadOptions::default());
    assert_eq!(
        contest_lines(&reading),
        [
            "Frühlingslauf 2024-03-01: 1 Zoë Alder (98.5), 2 Bram Okoro (91), 2 Jörg Käfer (91)",
            "Sommerlauf 2024-06-02: 1 Bram Okoro (1088.25), 2 Zoë Alder (980)",
        ]
    );
    let rating = |mu| StartingRating { mu, sigma: None };
    assert_eq!(
        reading.starting_ratings,
        [
            (EntrantKind::Person, "Zoë Alder".to_owned(), rating(1600.0)),
            (EntrantKind::Person, "Bram Okoro".to_owned(), rating(1450.0))
        ]
    );
}

#[test]
fn teams_in_divisions_are_read() {
    let reading = fixture("teams.tsv", &ReadOptions::default());
    assert_eq!(
        contest_lines(&reading),
        [
            "Harbour CTF 2024-10-05: 1 Null Pointers [ada bram], 2 Segfaults [cleo]",
            "Harbour CTF 2024-10-05: 1 Off By One [dot], 2 eli",
        ]
    );
    let junior = &reading.contests.get(1).unwrap();
    assert_eq!(junior.external_id, "Harbour CTF/Junior@1728086400");
    assert_eq!(junior.division.as_deref(), Some("Junior"));
    assert_eq!(junior.event.as_deref(), Some("Harbour CTF"));
    // Before Open, whichever stands first in the table.
    assert_eq!(junior.ordinal, Some(1));
    assert_eq!(junior.entrants[0].kind.as_str(), "team");
    assert_eq!(junior.entrants[1].kind.as_str(), "person");
}

#[test]
fn wide_table_with_dated_headings_is_read() {
    let reading = fixture("wide.csv", &ReadOptions::default());
    assert_eq!(
        contest_lines(&reading),
        [
            "Round 1 (2024-03-01) 2024-03-01: 1 Zoë Alder (13), 2 Bram Okoro (11), 2 Ida Castle (11)",
            "Round 2 (2024-03-08) 2024-03-08: 1 Bram Okoro (13), 2 Ida Castle (7)",
            "Round 3 (2024-03-15) 2024-03-15: 1 Ida Castle (10), 2 Zoë Alder (9), dnf Bram Okoro",
        ]
    );
    assert!(notes(&reading).contains("scores, highest first"));
    assert!(notes(&reading).contains("columns not used: \"Total\""));
    assert!(notes(&reading).contains("line 6 left out"));
}

#[test]
fn wide_table_with_date_row_is_read() {
    let reading = fixture("wide-date-row.csv", &ReadOptions::default());
    assert_eq!(
        contest_lines(&reading),
        [
            "Lauf 1 2024-03-01: 1 Zoë Alder, 2 Bram Okoro, 2 Ida Castle",
            "Lauf 2 2024-03-08: 1 Bram Okoro, 2 Zoë Alder",
        ]
    );
    assert!(notes(&reading).contains("the cells are places"));
}

#[test]
fn json_ties_are_read() {
    let reading = fixture("ties.json", &ReadOptions::default());
    assert_eq!(contest_lines(&reading), ["Ties 2024-03-01: 1 zoe, 2 bram, 2 ida, 4 dov"]);
    let contest = &reading.contests.get(0).unwrap();
    assert_eq!((contest.external_id.as_str(), contest.weight), ("7", 0.5));
    assert_eq!(contest.url, None);
}

#[test]
fn named_workbook_sheet_is_read() {
    let options = ReadOptions {
        sheet: Some("Results".to_owned()),
        ..lower_is_better()
    };
    let reading = fixture("races.xlsx", &options);
    assert_eq!(
        contest_lines(&reading),
        [
            "Evening 1 2024-03-01T19:30:00Z: 1 Zoë Alder (61.234), 2 Bram Okoro (62.5), dnf Ida Castle",
            "Evening 2 2024-03-08: 1 Ida Castle (60), 2 Zoë Alder (63.1), 2 Bram Okoro (63.1)",
        ]
    );
    assert_eq!(reading.refused[0].at, Location::Cell("Results!C10".to_owned()));
    assert_eq!(
        refused(&reading),
        [
            "Results!C10: contest \"Evening 3\": place \"x\" is not a place such as 1, T3, 3= or dnf; if \"x\" is a status, pass --status x=dnf (dnf, dq, dns or finished)"
        ]
    );

    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/import/");
    let bytes = std::fs::read(format!("{folder}races.xlsx")).unwrap();
    let error = |sheet: Option<&str>| {
        let options = ReadOptions {
            sheet: sheet.map(str::to_owned),
            ..ReadOptions::default()
        };
        read(FileFormat::Xlsx, &bytes, "races.xlsx", &options).unwrap_err().to_string()
    };
    assert!(error(None).contains("no column is headed competitor"));
    assert!(error(Some("Result")).contains("its sheets: Notes, Results"));
}

#[test]
fn parquet_of_other_writers_is_read() {
    let reading = fixture("relay.parquet", &ReadOptions::default());
    assert_eq!(
        contest_lines(&reading),
        [
            "Harbour Relay 2024-05-04T18:30:00Z: 1 Gulls [Ada Lark Bo Elm] (61.234), 2 Brass Lamp [Cy Reed Di Moss] (62.5), dnf Tides",
            "Castle Relay 2024-06-01: 1 Brass Lamp [Cy Reed] (0.3333333333333333), 2 Gulls [Ada Lark Bo Elm] (70)",
        ]
    );
    assert_eq!(refused(&reading), [""; 0]);
    assert!(notes(&reading).contains("arrays of objects and maps are not read: \"result.laps\""));
}
