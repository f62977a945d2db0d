//! Workbooks: .xlsx, .xls and .ods.

use std::io::{Cursor, Write as _};

use super::{contest_lines, from_2024, lower_is_better, notes, refused};
use ranklore_formats::{FileFormat, FileReading, ReadOptions, read};

const FORMATS: [FileFormat; 3] = [FileFormat::Xlsx, FileFormat::Xls, FileFormat::Ods];

/// Reads a workbook of fixtures/import, which spreadsheet programs wrote in each format.
fn read_fixture(
    stem: &str,
    format: FileFormat,
    options: &ReadOptions,
) -> Result<FileReading, String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/import");
    let name = format!("{stem}.{}", format.ending());
    let bytes = std::fs::read(format!("{folder}/{name}")).unwrap();
    read(format, &bytes, &name, options).map_err(|error| error.to_string())
}

fn sheet(name: &str) -> ReadOptions {
    ReadOptions {
        sheet: Some(name.to_owned()),
        ..lower_is_better()
    }
}

/// Packs parts into a ZIP archive.
fn archive(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in parts {
        let options = zip::write::SimpleFileOptions::default();
        writer.start_file(*name, options).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// An .ods workbook with these tables.
pub(crate) fn ods(tables: &str) -> Vec<u8> {
    let content = format!(
        "<office:document-content><office:body><office:spreadsheet>{tables}\
         </office:spreadsheet></office:body></office:document-content>"
    );
    archive(&[("content.xml", &content)])
}

/// A row of an .ods table with these texts.
fn ods_row(texts: &[&str]) -> String {
    let cells = texts.iter().map(|text| {
        format!(
            "<table:table-cell office:value-type='string'><text:p>{text}</text:p></table:table-cell>"
        )
    });
    format!("<table:table-row>{}</table:table-row>", cells.collect::<String>())
}

/// A record of an .xls workbook.
pub(crate) fn record(kind: u16, data: &[&[u8]]) -> Vec<u8> {
    let data = data.concat();
    let length = u16::try_from(data.len()).unwrap();
    [&kind.to_le_bytes()[..], &length.to_le_bytes(), &data].concat()
}

/// The address and style of a cell.
fn address(row: u16, column: u16) -> Vec<u8> {
    [row, column, 0].map(u16::to_le_bytes).concat()
}

/// A text of low bytes with its length.
fn short_text(text: &str) -> Vec<u8> {
    let length = u16::try_from(text.len()).unwrap();
    [&length.to_le_bytes()[..], &[0], text.as_bytes()].concat()
}

pub(crate) fn text_cell(row: u16, column: u16, text: &str) -> Vec<u8> {
    record(0x0204, &[&address(row, column), &short_text(text)])
}

fn number_cell(row: u16, column: u16, value: f64) -> Vec<u8> {
    record(0x0203, &[&address(row, column), &value.to_le_bytes()])
}

const BEGIN: [u8; 4] = [0, 6, 5, 0];

/// An .xls workbook with one sheet of these records, after these records.
pub(crate) fn xls(before: &[u8], cells: &[u8]) -> Vec<u8> {
    let sheet_record = |start: u32| record(0x85, &[&start.to_le_bytes(), &[0, 0, 1, 0], b"S"]);
    let begin = record(0x0809, &[&BEGIN]);
    let end = record(0x0a, &[]);
    let start = begin.len() + before.len() + sheet_record(0).len() + end.len();
    let stream = [
        &begin,
        before,
        &sheet_record(u32::try_from(start).unwrap()),
        &end,
        &begin,
        cells,
        &end,
    ];
    compound_file(&[("Workbook", &stream.concat())])
}

fn compound_file(streams: &[(&str, &[u8])]) -> Vec<u8> {
    let mut file = cfb::CompoundFile::create(Cursor::new(Vec::new())).unwrap();
    for (name, bytes) in streams {
        file.create_stream(name).unwrap().write_all(bytes).unwrap();
    }
    file.into_inner().into_inner()
}

fn read_bytes(format: FileFormat, bytes: &[u8]) -> Result<FileReading, String> {
    let options = lower_is_better();
    let read = read(format, bytes, "cup 2024-03-01.x", &options);
    read.map_err(|error| error.to_string())
}

#[test]
fn formats_of_workbooks_give_the_same_reading() {
    let [xlsx, xls, ods] =
        FORMATS.map(|format| read_fixture("races", format, &sheet("Results")).unwrap());
    assert_eq!(
        contest_lines(&xlsx),
        [
            "Evening 1 2024-03-01T19:30:00Z: 1 Zoë Alder (61.234), 2 Bram Okoro (62.5), dnf Ida Castle",
            "Evening 2 2024-03-08: 1 Ida Castle (60), 2 Zoë Alder (63.1), 2 Bram Okoro (63.1)",
        ]
    );
    assert_eq!(refused(&xlsx).len(), 1);
    assert_eq!(xls, xlsx);
    assert_eq!(ods, xlsx);
    let note = "the sheet is \"Results\"; not read (--sheet NAME, or --sheet all): Notes";
    assert!(notes(&ods).contains(note), "{}", notes(&ods));
}

#[test]
fn durations_and_percentages_give_the_same_reading() {
    let times = ReadOptions {
        sheet: Some("R2 08.03.2024".to_owned()),
        ..from_2024(1)
    };
    let shares = ReadOptions {
        columns: [("Share".to_owned(), ranklore_formats::ColumnMeaning::Score)].into(),
        ..times.clone()
    };
    for options in [times, shares] {
        let [xlsx, xls, ods] =
            FORMATS.map(|format| read_fixture("season", format, &options).unwrap());
        assert_eq!(xlsx.refused, []);
        assert_eq!(xlsx.contests.get(0).unwrap().entrants.len(), 3);
        assert!(xlsx.contests.get(0).unwrap().entrants[0].score.is_some());
        assert_eq!(xls, xlsx);
        assert_eq!(ods, xlsx);
    }
}

#[test]
fn unknown_sheet_is_refused_with_the_others() {
    for format in FORMATS {
        let error = read_fixture("races", format, &sheet("Result")).unwrap_err();
        assert_eq!(error, "the workbook has no sheet \"Result\"; its sheets: Notes, Results");
    }
}

#[test]
fn ods_values_are_read() {
    let cell = |kind: &str, value: &str, text: &str| {
        format!(
            "<table:table-cell office:value-type='{kind}' {value}><text:p>{text}</text:p></table:table-cell>"
        )
    };
    let row = |cells: &[String]| format!("<table:table-row>{}</table:table-row>", cells.concat());
    let table = [
        ods_row(&["Player", "Date", "Score", "Remark"]),
        row(&[
            "<table:table-cell office:value-type='string'><text:p>Zoë <text:span>Alder</text:span>\
             <office:annotation><text:p>a comment</text:p></office:annotation></text:p></table:table-cell>"
                .to_owned(),
            cell("date", "office:date-value='2024-03-01T19:29:59.999999998'", "1.3.24"),
            cell("float", "table:formula='of:=1+1' office:value='1.5'", "2"),
            cell("string", "calcext:value-type='error' office:string-value=''", "#N/A"),
        ]),
        row(&[
            "<table:table-cell office:value-type='string'><text:p>Bo<text:s text:c='1'/>&#x42;&apos;C</text:p></table:table-cell>"
                .to_owned(),
            cell("date", "office:date-value='2024-03-01T19:30:00'", "1.3.24"),
            cell("time", "office:time-value='PT00H01M01.5S'", "1:01"),
            cell("boolean", "office:boolean-value='true'", "TRUE"),
        ]),
    ]
    .concat();
    let table = format!("<table:table table:name='S'>{table}</table:table>");
    let reading = read_bytes(FileFormat::Ods, &ods(&table)).unwrap();
    assert_eq!(
        contest_lines(&reading),
        ["2024-03-01T19:30:00Z 2024-03-01T19:30:00Z: 1 Zoë Alder (1.5), 2 Bo B'C (61.5)"]
    );
}

#[test]
fn ods_repeats_of_blank_cells_take_no_memory() {
    let blanks = "<table:table-row table:number-rows-repeated='4000000000'>\
                  <table:table-cell table:number-columns-repeated='4000000000'/></table:table-row>";
    let table = format!(
        "<table:table table:name='S'>{blanks}{}{blanks}{}</table:table>",
        ods_row(&["Player", "Place"]),
        ods_row(&["Ada", "1"])
    );
    let reading = read_bytes(FileFormat::Ods, &ods(&table)).unwrap();
    assert_eq!(contest_lines(&reading), ["cup 2024-03-01 2024-03-01: 1 Ada"]);
}

#[test]
fn ods_repeats_of_filled_cells_are_limited() {
    let table = |row: &str, cell: &str| {
        format!(
            "<table:table table:name='S'>{}<table:table-row {row}>\
             <table:table-cell {cell} office:value-type='float' office:value='1'/></table:table-row></table:table>",
            ods_row(&["Player", "Place"]),
        )
    };
    let error = |table: &str| read_bytes(FileFormat::Ods, &ods(table)).unwrap_err();
    let rows = error(&table("table:number-rows-repeated='4000000000'", ""));
    assert!(rows.contains("more than 4194304 rows"), "{rows}");
    let columns = error(&table("", "table:number-columns-repeated='4000000000'"));
    assert!(columns.contains("more than 2000 columns"), "{columns}");
    let spaces = "<table:table table:name='S'><table:table-row><table:table-cell><text:p>a\
                  <text:s text:c='4000000000'/></text:p></table:table-cell></table:table-row></table:table>";
    let spaces = error(spaces);
    assert_eq!(spaces, "S!A1: the cell has more than 1 MiB: shorten it");
}

#[test]
fn deep_ods_is_refused() {
    let nested = |depth| {
        let (open, close) = ("<text:span>".repeat(depth), "</text:span>".repeat(depth));
        let name = format!("{open}Ada{close}");
        let rows = [ods_row(&["Player", "Place"]), ods_row(&[&name, "1"])].concat();
        read_bytes(FileFormat::Ods, &ods(&format!("<table:table>{rows}</table:table>")))
    };
    assert!(nested(100).is_ok());
    let error = nested(100_000).unwrap_err();
    assert!(error.contains("cannot be read"), "{error}");
}

#[test]
fn encrypted_workbooks_are_named() {
    let encrypted_office = compound_file(&[("EncryptedPackage", b"x"), ("EncryptionInfo", b"y")]);
    let manifest = "<manifest:encryption-data manifest:checksum='x'/>";
    let protected = [
        (FileFormat::Xlsx, encrypted_office.clone()),
        (FileFormat::Xls, encrypted_office),
        (FileFormat::Xls, xls(&record(0x2f, &[&[1, 0]]), &[])),
        (
            FileFormat::Ods,
            archive(&[
                ("META-INF/manifest.xml", manifest),
                ("content.xml", "\u{1}"),
            ]),
        ),
        (FileFormat::Ods, archive(&[("encrypted-package", "\u{1}")])),
    ];
    for (format, bytes) in protected {
        assert_eq!(
            read_bytes(format, &bytes).unwrap_err(),
            "the workbook is encrypted: open it and save it again without a password"
        );
    }
}

#[test]
fn wrong_endings_are_named() {
    let xls = xls(&[], &[]);
    for format in [FileFormat::Xlsx, FileFormat::Ods] {
        let error = read_bytes(format, &xls).unwrap_err();
        assert!(error.contains("pass --format xls"), "{error}");
    }
    let error = read_bytes(FileFormat::Xls, &ods("")).unwrap_err();
    assert!(error.contains("--format ods"), "{error}");
    let error = read_bytes(FileFormat::Ods, &ods("")).unwrap_err();
    assert_eq!(error, "the workbook has no sheets");
    for format in FORMATS {
        let error = read_bytes(format, b"name,place\nAda,1").unwrap_err();
        let expected = format!("this is not an .{} workbook", format.ending());
        assert!(error.starts_with(&expected), "{error}");
    }
}

#[test]
fn xls_values_are_read() {
    let formula =
        |row, column, value: &[u8; 8]| record(6, &[&address(row, column), value, &[0; 8]]);
    let text_formula = [0, 0, 0, 0, 0, 0, 0xff, 0xff];
    let cells = [
        text_cell(0, 0, "Player"),
        text_cell(0, 1, "Place"),
        text_cell(0, 2, "Score"),
        text_cell(0, 3, "Date"),
        // A formula whose value is a text, with its shared formula between them.
        formula(1, 0, &text_formula),
        record(0x04bc, &[&[0; 10]]),
        record(0x0207, &[&short_text("Zoe Alder")]),
        formula(1, 1, &1_f64.to_le_bytes()),
        // Two numbers in one record: 1.25, and the date as an integer.
        record(
            0xbd,
            &[
                &[1, 0, 2, 0],
                &[0, 0],
                &(125_u32 << 2 | 3).to_le_bytes(),
                &[1, 0],
                &(45352_u32 << 2 | 2).to_le_bytes(),
                &[3, 0],
            ],
        ),
        // A chart within the sheet has cells of its own.
        record(0x0809, &[&BEGIN]),
        number_cell(1, 0, 7.0),
        record(0x0a, &[]),
        // Some programs write columns first.
        number_cell(2, 3, 45352.0),
        number_cell(2, 2, -2.5),
        record(0x0205, &[&address(2, 1), &[0x07, 1]]),
        text_cell(2, 0, "Bram Okoro"),
    ]
    .concat();
    let styles = [
        record(0x041e, &[&[164, 0], &short_text("General")]),
        record(0xe0, &[&[0; 20]]),
        record(0xe0, &[&[0, 0, 14, 0]]),
    ]
    .concat();
    let reading = read_bytes(FileFormat::Xls, &xls(&styles, &cells)).unwrap();
    assert_eq!(contest_lines(&reading), [""; 0]);
    assert_eq!(
        refused(&reading),
        ["S!B3: contest \"2024-03-01\": place \"#DIV/0!\" is not a place such as 1, T3, 3= or dnf"]
    );
}

#[test]
fn days_before_the_epoch_of_spreadsheets_are_dates() {
    let styles = [record(0xe0, &[&[0; 20]]), record(0xe0, &[&[0, 0, 14, 0]])].concat();
    let reading = |serial: f64, mode: u8| {
        let address = [1_u16, 2, 1].map(u16::to_le_bytes).concat();
        let cells = [
            text_cell(0, 0, "Player"),
            text_cell(0, 1, "Place"),
            text_cell(0, 2, "Date"),
            text_cell(1, 0, "Zoe"),
            number_cell(1, 1, 1.0),
            record(0x0203, &[&address, &serial.to_le_bytes()]),
        ];
        let before = [record(0x22, &[&[mode, 0]]), styles.clone()].concat();
        read_bytes(FileFormat::Xls, &xls(&before, &cells.concat()))
    };
    for (serial, date) in [
        (-1.0, "1899-12-29"),
        (-18_114.0, "1850-05-27"),
        (-18_113.5, "1850-05-27T12:00:00Z"),
        (-115_780.0, "1583-01-01"),
    ] {
        let lines = contest_lines(&reading(serial, 0).unwrap());
        assert!(lines[0].contains(&format!(" {date}: 1 Zoe")), "{lines:?}");
    }
    for (serial, mode) in [(-0.5, 0), (-115_781.0, 0), (-18_114.0, 1)] {
        let error = reading(serial, mode).unwrap_err();
        assert_eq!(error, format!("S!C2: {serial} is not a date"));
    }
}

/// Shared texts across records, and cells that refer to them.
pub(crate) fn shared_texts_across_records() -> (Vec<u8>, Vec<u8>) {
    let first = [
        &[8, 0, 0, 0, 8, 0, 0, 0][..],
        &[6, 0, 0],
        b"Player",
        &[5, 0, 0],
        b"Place",
    ];
    let name: Vec<u8> = "ë Żak".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let texts = [
        // The name begins with low bytes and continues in UTF-16.
        record(0xfc, &[&first.concat(), &[7, 0, 0], b"Zo"]),
        record(0x3c, &[&[1], &name]),
        // A text with two runs of formatting.
        record(0x3c, &[&[3, 0, 8, 2, 0], b"Bob", &[0; 3]]),
        record(0x3c, &[&[0; 5]]),
    ]
    .concat();
    let shared =
        |row, column, index: u32| record(0xfd, &[&address(row, column), &index.to_le_bytes()]);
    let cells = [
        shared(0, 0, 0),
        shared(0, 1, 1),
        shared(1, 0, 2),
        number_cell(1, 1, 1.0),
        shared(2, 0, 3),
        number_cell(2, 1, 2.0),
    ]
    .concat();
    (texts, cells)
}

#[test]
fn shared_texts_continue_in_another_record() {
    let (texts, cells) = shared_texts_across_records();
    let reading = read_bytes(FileFormat::Xls, &xls(&texts, &cells)).unwrap();
    assert_eq!(contest_lines(&reading), ["cup 2024-03-01 2024-03-01: 1 Zoë Żak, 2 Bob"]);
}

#[test]
fn broken_xls_is_refused() {
    let cells = [text_cell(0, 0, "Player"), text_cell(1, 0, "Ada")].concat();
    let error = |cells: &[u8]| read_bytes(FileFormat::Xls, &xls(&[], cells)).unwrap_err();
    let twice = error(&[cells.clone(), text_cell(1, 0, "Bo")].concat());
    assert_eq!(twice, "S!A2: the sheet has this cell twice");
    let unknown = error(
        &[
            cells.clone(),
            record(0xfd, &[&address(1, 1), &[9, 0, 0, 0]]),
        ]
        .concat(),
    );
    assert_eq!(unknown, "S!B2: the cell is broken");
    let far = error(&[cells, number_cell(9, 65_535, 1.0)].concat());
    assert!(far.contains("more than 2000 columns"), "{far}");
}

fn all_sheets() -> ReadOptions {
    ReadOptions {
        all_sheets: true,
        ..lower_is_better()
    }
}

#[test]
fn each_sheet_is_a_contest_or_a_table() {
    let [xlsx, xls, ods] =
        FORMATS.map(|format| read_fixture("season", format, &all_sheets()).unwrap());
    assert_eq!(
        contest_lines(&xlsx),
        [
            "Round 1 (2024-03-01) 2024-03-01: 1 Zoë Alder (3671), 2 Bram Okoro (90061)",
            "R2 08.03.2024 2024-03-08: 1 Bram Okoro (3600), 2 Ida Castle (3725), dnf Łucja Żak",
            "A final 2024-03-15: 1 Ida Castle, 2 Zoë Alder",
            "B final 2024-03-15T18:00:00Z: 1 Łucja Żak, 2 Bram Okoro",
        ]
    );
    assert_eq!(refused(&xlsx), [""; 0]);
    assert_eq!(xlsx.other_layouts.len(), 2);
    let text = notes(&xlsx);
    assert!(text.contains("the sheet is \"Round 1 (2024-03-01)\""), "{text}");
    assert!(text.contains("no tables, skipped: Notes, Blank"), "{text}");
    assert!(text.contains("hidden sheets, skipped (--sheet NAME reads one): Draft 2024-03-22"));
    assert_eq!(xls, xlsx);
    assert_eq!(ods, xlsx);
}

/// An .ods workbook with these sheets of rows.
fn ods_sheets(sheets: &[(&str, &[&[&str]])]) -> Vec<u8> {
    let tables = sheets.iter().map(|(name, rows)| {
        let rows: String = rows.iter().map(|row| ods_row(row)).collect();
        format!("<table:table table:name='{name}'>{rows}</table:table>")
    });
    ods(&tables.collect::<String>())
}

fn read_all(
    file_name: &str,
    sheets: &[(&str, &[&[&str]])],
    options: &ReadOptions,
) -> Result<FileReading, String> {
    let read = read(FileFormat::Ods, ods_sheets(sheets), file_name, options);
    read.map_err(|error| error.to_string())
}

const TWO: &[&[&str]] = &[&["Player", "Place"], &["Ada", "1"], &["Bo", "2"]];

#[test]
fn sheets_without_dates_are_numbered_on() {
    let options = ReadOptions {
        all_sheets: true,
        ..from_2024(7)
    };
    let wide: &[&[&str]] = &[
        &["Player", "Round 1", "Round 2"],
        &["Ada", "1", "2"],
        &["Bo", "2", "1"],
    ];
    let reading = read_all("cup.ods", &[("A", TWO), ("B", wide), ("C", TWO)], &options).unwrap();
    let dates: Vec<String> = contest_lines(&reading);
    let dates: Vec<&str> = dates.iter().map(|line| line.split(':').next().unwrap()).collect();
    assert_eq!(
        dates,
        [
            "A 2024-01-01",
            "Round 1 2024-01-08",
            "Round 2 2024-01-15",
            "C 2024-01-22"
        ]
    );
    let error = read_all("cup.ods", &[("Day 10", TWO), ("Day 2", TWO)], &options).unwrap_err();
    assert!(error.contains("\"Day 10\" stands before \"Day 2\""), "{error}");
}

#[test]
fn sheets_take_their_date_from_the_file_name() {
    let sheets: &[(&str, &[&[&str]])] = &[("Open", TWO), ("Junior", TWO), ("Late_2024-05-05", TWO)];
    let reading = read_all("cup 2024-05-04.ods", sheets, &all_sheets()).unwrap();
    let dates: Vec<String> = contest_lines(&reading);
    let dates: Vec<&str> = dates.iter().map(|line| line.split(':').next().unwrap()).collect();
    assert_eq!(
        dates,
        [
            "Open 2024-05-04",
            "Junior 2024-05-04",
            "Late_2024-05-05 2024-05-05"
        ]
    );
}

#[test]
fn sheets_with_a_column_of_dates_keep_their_names() {
    let sheet: &[&[&str]] = &[
        &["Date", "Player", "Place"],
        &["2024-05-04", "Ada", "1"],
        &["2024-05-04", "Bo", "2"],
    ];
    let reading =
        read_all("cup.ods", &[("Open", sheet), ("Junior", sheet)], &all_sheets()).unwrap();
    assert_eq!(
        contest_lines(&reading),
        [
            "Open 2024-05-04: 1 Ada, 2 Bo",
            "Junior 2024-05-04: 1 Ada, 2 Bo"
        ]
    );
}

#[test]
fn locations_name_the_sheet() {
    let bad: &[&[&str]] = &[&["Player", "Place"], &["Ada", "1"], &["Bo", "x?"]];
    let undecided: &[&[&str]] = &[&["Player", "Club"], &["Ada", "Elms"]];
    let twice: &[&[&str]] = &[
        &["Contest", "Date", "Player", "Place"],
        &["Cup", "2024-05-04", "Ada", "1"],
        &["Cup", "2024-05-04", "Bo", "2"],
    ];
    let both: &[&[&str]] = &[&["Player", "Place"], &["Ada", "1"], &["Ada", "2"]];
    let sheets: &[(&str, &[&[&str]])] = &[
        ("A 2024-05-01", TWO),
        ("B 2024-05-02", bad),
        ("C 2024-05-03", undecided),
        ("D", twice),
        ("E", twice),
        ("F 2024-05-05", both),
    ];
    let reading = read_all("cup.ods", sheets, &all_sheets()).unwrap();
    assert_eq!(reading.contests.len(), 2);
    let refused = refused(&reading);
    assert!(
        refused[0].starts_with("B 2024-05-02!B3: contest \"B 2024-05-02\": place"),
        "{refused:?}"
    );
    assert!(refused[1].starts_with("C 2024-05-03!A1: no column holds places"), "{refused:?}");
    assert!(
        refused[2].starts_with("F 2024-05-05!A3: contest \"F 2024-05-05\": \"Ada\" stands twice"),
        "{refused:?}"
    );
    assert!(refused[3].starts_with("E!A2: contest \"Cup\""), "{refused:?}");
    assert!(refused[3].contains("an earlier contest (D!A2)"), "{refused:?}");
}

#[test]
fn workbook_without_tables_is_refused() {
    let notes: &[&[&str]] = &[&["Nothing", "here"], &["Ada", "1"]];
    let error = read_all("cup.ods", &[("A", notes), ("B", &[])], &all_sheets()).unwrap_err();
    assert!(error.starts_with("none of the 2 sheets is a table"), "{error}");
}

#[test]
fn options_hold_for_the_sheets_that_have_what_they_name() {
    let options = ReadOptions {
        columns: [("Ringe".to_owned(), ranklore_formats::ColumnMeaning::Place)].into(),
        statuses: [("mp".to_owned(), ranklore_formats::CellStatus::Disqualified)].into(),
        ..all_sheets()
    };
    let rings: &[&[&str]] = &[&["Player", "Ringe"], &["Ada", "1"], &["Bo", "MP"]];
    let sheets: &[(&str, &[&[&str]])] = &[("A 2024-05-01", TWO), ("B 2024-05-02", rings)];
    let reading = read_all("cup.ods", sheets, &options).unwrap();
    assert_eq!(
        contest_lines(&reading),
        [
            "A 2024-05-01 2024-05-01: 1 Ada, 2 Bo",
            "B 2024-05-02 2024-05-02: 1 Ada, dq Bo",
        ]
    );
    let error = read_all("cup.ods", &sheets[..1], &options).unwrap_err();
    assert!(error.contains("no column is headed \"Ringe\" in any sheet"), "{error}");
}

#[test]
fn sheets_that_share_their_cells_are_not_read_without_end() {
    let mut stream = record(0x0809, &[&BEGIN]);
    let sheets = 1_000_u32;
    let name = |index: u32| format!("S{index:03}");
    let sheet_record = |start: u32, index: u32| {
        record(0x85, &[&start.to_le_bytes(), &[0, 0, 4, 0], name(index).as_bytes()])
    };
    let start = stream.len() + sheets as usize * sheet_record(0, 0).len() + 4;
    for index in 0..sheets {
        stream.extend(sheet_record(u32::try_from(start).unwrap(), index));
    }
    stream.extend(record(0x0a, &[]));
    stream.extend(record(0x0809, &[&BEGIN]));
    stream.extend(record(0x0201, &[&[0; 6]]).repeat(100_000));
    stream.extend(record(0x0a, &[]));
    let bytes = compound_file(&[("Workbook", &stream)]);
    let reading = read(FileFormat::Xls, bytes, "x.xls", &all_sheets()).unwrap();
    assert_eq!(reading.refused.len(), 998, "the cells are read twice");
}
