//! Rows of text tables with more cells than headings.

use ranklore_formats::{ArchivedBy, FileFormat, FileReading, ReadOptions, read, read_archived};

use crate::{contest_lines, from_2024, refused, table, table_with};

const LONG: &str = "Contest,Date,Place,Name,Club\nR1,2024-03-01,1,Ivy Fox,Reds\nR1,2024-03-01,2,Lee, Max,Blues\n\
                    R1,2024-03-01,3,O'Shea, Pat, Jr.,Reds\nR2,2024-03-08,1,Ivy Fox,Reds\nR2,2024-03-08,2,Uma,,\n";

fn read_with_separator(text: &str, separator: &str) -> FileReading {
    let text = text.replace(',', separator);
    let format = if separator == "\t" {
        FileFormat::Tsv
    } else {
        FileFormat::Table
    };
    read(format, text.as_bytes(), "a.csv", &ReadOptions::default()).unwrap()
}

#[test]
fn row_with_more_cells_than_headings_refuses_its_contest() {
    for separator in [",", ";", "\t", "|"] {
        let reading = read_with_separator(LONG, separator);
        assert_eq!(contest_lines(&reading), ["R2 2024-03-08: 1 Ivy Fox, 2 Uma"]);
        let [refusal] = &refused(&reading)[..] else {
            panic!("{:?}", refused(&reading));
        };
        let reason = "line 3: contest \"R1\": 6 cells, 5 headings (2 lines have more cells than \
                      headings); quote cells that contain the separator, or give each column a \
                      heading; line 4: 7 cells, 5 headings";
        assert!(refusal.starts_with(reason), "{refusal}");
    }
    let quoted = LONG
        .replace("Lee, Max", "\"Lee, Max\"")
        .replace("O'Shea, Pat, Jr.", "\"O'Shea, Pat, Jr.\"");
    assert_eq!(table(&quoted).unwrap().contests.len(), 2);
}

#[test]
fn row_whose_contest_cannot_be_told_refuses_the_document() {
    let text = "Name,Contest,Date,Place\nIvy Fox,R1,2024-03-01,1\nLee, Max,R1,2024-03-01,2\nUma,R1,2024-03-01,3\n";
    let error = table(text).unwrap_err();
    assert!(error.starts_with("line 3: 5 cells, 4 headings; quote cells"), "{error}");
    let wide = "Name,R1,R2\nIvy,1,2\nLee, Max,2,1\n";
    let error = table_with(wide, &from_2024(7)).unwrap_err();
    assert!(error.starts_with("line 3: 4 cells, 3 headings; quote cells"), "{error}");
}

#[test]
fn games_with_more_cells_than_headings_are_counted_once() {
    let text = "Date,White,Black,Result\n2024-03-01,Ivy,Max,1-0\n2024-03-02,Lee, Max,Ivy,1-0\n2024-03-03,Roe, Al,Ivy,1-0\n";
    let reading = table(text).unwrap();
    assert_eq!(reading.contests.len(), 1);
    let refused = refused(&reading);
    assert_eq!(refused.len(), 1, "{refused:?}");
    assert!(
        refused[0].starts_with("line 3: 5 cells, 4 headings (2 lines have more"),
        "{refused:?}"
    );
}

#[test]
fn empty_cells_at_the_end_are_no_error() {
    let text = "Contest,Date,Place,Name,\nR1,2024-03-01,1,Ivy,\nR1,2024-03-01,2,Max,,,\n";
    assert_eq!(contest_lines(&table(text).unwrap()), ["R1 2024-03-01: 1 Ivy, 2 Max"]);
    // A column without a heading is one if most rows fill it.
    let unnamed = "Contest,Date,Place,Name,\nR1,2024-03-01,1,Ivy,x\nR1,2024-03-01,2,Max,y\n";
    assert_eq!(table(unnamed).unwrap().contests.len(), 1);
    let shifted = "Contest,Date,Place,Name,\nR1,2024-03-01,1,Ivy,\nR1,2024-03-01,2,Max,\nR1,2024-03-01,3,Lee, Jo,\n";
    assert!(refused(&table(shifted).unwrap())[0].contains("6 cells, 4 headings"));
}

#[test]
fn archived_row_is_read_as_it_was_when_it_was_imported() {
    let archived = |reader| {
        let options = ReadOptions::default();
        read_archived(reader, FileFormat::Table, LONG.as_bytes(), "a.csv", &options).unwrap()
    };
    assert_eq!(Ok(archived(ArchivedBy::Current).contests), table(LONG).map(|new| new.contests));
    assert_eq!(archived(ArchivedBy::WithoutDoubts).contests.len(), 2);
}
