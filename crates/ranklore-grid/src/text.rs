//! Reads text tables: detects the encoding and the delimiter, and splits lines.

use std::borrow::Cow;

use crate::aligned::{self, split_aligned};
use crate::delimiters::{
    DELIMITERS, check_delimiter, has_commas_in_prose, name_delimiter, split_separator_line,
};
use crate::document::{FileReadError, Location};
use crate::encodings::decode_text;
use crate::grid::{CellGrid, MAX_COLUMNS, trim_cell};
use crate::headings::{Headings, SEARCHED_ROWS};
use crate::limits::ReadLimits;
use crate::quotes::{close_up_quotes, unquote_lines};

/// The number of bytes that are examined to detect the delimiter.
const SAMPLE_BYTES: usize = 64 << 10;

/// Reads a text table into a grid, which takes the place of the text. The delimiter is detected
/// unless it is given: it is the one that gives the most known `headings`.
///
/// # Errors
/// [`FileReadError`] if the document is not a text, or exceeds the limits.
pub fn read_text(
    bytes: Cow<'_, [u8]>,
    delimiter: Option<u8>,
    headings: &dyn Headings,
    limits: ReadLimits,
) -> Result<CellGrid, FileReadError> {
    let (text, encoding_note) = decode_text(bytes)?;
    if let Some(at) = text.find(|c: char| c.is_control() && !c.is_whitespace()) {
        let line = 1 + text[..at].matches('\n').count() as u64;
        let reason = "this is not a text table: it has control characters; save it as CSV or .xlsx";
        return Err(FileReadError::new(Location::Line(line), reason));
    }
    let unquoted = unquote_lines(&text);
    let quote_note = unquoted
        .as_ref()
        .map(|_| "each line is one quoted cell: the quotes are ignored");
    let text = unquoted.unwrap_or(text);
    let aligned = delimiter.is_none().then(|| split_aligned(&text, headings)).flatten();
    let delimiter = delimiter.or(aligned.as_ref().map(|_| aligned::MARK));
    let separators = aligned.as_ref().map(|_| "blanks, in columns of one width");
    let text = aligned.unwrap_or(text);
    let (rest, first_line, stated_delimiter) = split_separator_line(&text);
    let start = text.len() - rest.len();
    let delimiter = match delimiter.or(stated_delimiter) {
        Some(delimiter) => delimiter,
        None => detect_delimiter(rest, headings)?,
    };
    let closed_up = if limits.reader.refuses_doubts() {
        close_up_quotes(rest, delimiter)
    } else {
        None
    };
    let blank_note = closed_up.as_ref().map(|_| "blanks before quoted cells are ignored");
    let text = match closed_up {
        Some(rest) => format!("{}{rest}", &text[..start]),
        None => text,
    };
    let mut grid = split_cells(text, start, first_line, delimiter, Extent::Whole(limits))?;
    if limits.reader.refuses_doubts() {
        check_delimiter(&grid, delimiter)?;
    }
    grid.notes.extend(encoding_note);
    grid.notes.extend(quote_note.into_iter().chain(blank_note).map(str::to_owned));
    let separators = separators.unwrap_or(name_delimiter(delimiter));
    let note = format!("cells are separated by {separators}");
    grid.notes.push(note);
    Ok(grid)
}

/// Returns the delimiter that gives the most known headings in a row; then the most rows of the
/// commonest width; then the greatest width.
fn detect_delimiter(text: &str, headings: &dyn Headings) -> Result<u8, FileReadError> {
    let end = text.floor_char_boundary(SAMPLE_BYTES);
    // The last line of the sample may be incomplete.
    let sample = match text[..end].rfind('\n') {
        Some(line_end) if end < text.len() => &text[..=line_end],
        _ => &text[..end],
    };
    let mut best = None;
    let delimiters = if has_commas_in_prose(sample) {
        &DELIMITERS[1..]
    } else {
        &DELIMITERS
    };
    for &delimiter in delimiters {
        // Errors are reported for the chosen delimiter only.
        let Ok(grid) = split_cells(sample.to_owned(), 0, 1, delimiter, Extent::Sample) else {
            continue;
        };
        let searched_rows = 0..grid.row_count().min(SEARCHED_ROWS);
        let known_headings = searched_rows
            .map(|row| {
                let cells = grid.cells(row);
                cells.filter(|cell| headings.role(cell).is_some()).count()
            })
            .max()
            .unwrap_or(0);
        let mut rows_by_width = std::collections::BTreeMap::new();
        for row in 0..grid.row_count() {
            if grid.width(row) > 1 {
                *rows_by_width.entry(grid.width(row)).or_insert(0_usize) += 1;
            }
        }
        let commonest = rows_by_width.into_iter().map(|(width, rows)| (rows, width)).max();
        let (rows, width) = commonest.unwrap_or((0, 1));
        let merit = (known_headings, rows, width);
        if best.is_none_or(|(most, _)| merit > most) {
            best = Some((merit, delimiter));
        }
    }
    match best {
        Some((_, delimiter)) => Ok(delimiter),
        None => split_cells(sample.to_owned(), 0, 1, b',', Extent::Sample).map(|_| b','),
    }
}

/// The part of the text that is split.
#[derive(Clone, Copy)]
enum Extent {
    Whole(ReadLimits),
    /// The beginning only. It may end within a quoted cell, and its errors are not reported.
    Sample,
}

/// Splits the text from `start` on into rows and cells. The cells replace the text from its
/// beginning, since without quotes and delimiters they are shorter than what was read.
fn split_cells(
    text: String,
    start: usize,
    first_line: u64,
    delimiter: u8,
    extent: Extent,
) -> Result<CellGrid, FileReadError> {
    let (limits, max_columns) = match extent {
        Extent::Whole(limits) => (limits, MAX_COLUMNS),
        Extent::Sample => (ReadLimits::ARCHIVED, SAMPLE_BYTES),
    };
    let mut grid = CellGrid::new(limits);
    grid.semicolons = delimiter == b';';
    let mut rows = RowSplitter {
        reader: csv_core::ReaderBuilder::new().delimiter(delimiter).build(),
        text: text.into_bytes(),
        at: start,
        record: vec![0; FIRST_RECORD_BYTES],
        ends: vec![0; max_columns + 1],
        line: LineCounter::new(first_line),
        max_row_bytes: limits.row_bytes,
    };
    let mut written = 0;
    loop {
        let begin = rows.at;
        let Some(columns) = rows.split_row()? else {
            break;
        };
        let row = &rows.text[begin..rows.at];
        let line = rows.line.of_row(row);
        // An unclosed quote would silently swallow the rows below it.
        if matches!(extent, Extent::Whole(_)) && has_unclosed_quote(row) {
            let reason = "the quoted cell that begins here is not closed; \
                          double the quotes within a quoted cell";
            return Err(FileReadError::new(Location::Line(line), reason));
        }
        if columns > max_columns {
            return Err(too_many_columns(line));
        }
        rows.line.advance(row);
        let full = |reason| FileReadError::new(Location::Line(line), reason);
        grid.begin_row(line).map_err(full)?;
        let mut cell_start = 0;
        for &end in &rows.ends[..columns] {
            let cell = std::str::from_utf8(&rows.record[cell_start..end]).map_err(no_table)?;
            let cell = trim_cell(cell);
            rows.text[written..written + cell.len()].copy_from_slice(cell.as_bytes());
            written += cell.len();
            grid.push_end(written).map_err(full)?;
            cell_start = end;
        }
        grid.drop_blank_row();
    }
    let mut text = rows.text;
    text.truncate(written);
    text.shrink_to_fit();
    Ok(grid.with_text(String::from_utf8(text).map_err(no_table)?))
}

fn no_table(error: impl std::fmt::Display) -> FileReadError {
    FileReadError::whole_document(format!("this is not a table: {error}"))
}

/// Splits a text into rows, and each row into cells.
struct RowSplitter {
    reader: csv_core::Reader,
    text: Vec<u8>,
    /// The offset of the next row.
    at: usize,
    /// The cells of the last row, without quotes and delimiters.
    record: Vec<u8>,
    /// The end of each of these cells.
    ends: Vec<usize>,
    line: LineCounter,
    max_row_bytes: usize,
}

impl RowSplitter {
    /// Splits the next row. Returns the number of its cells, or `None` at the end of the text.
    fn split_row(&mut self) -> Result<Option<usize>, FileReadError> {
        let begin = self.at;
        let mut filled = 0;
        let mut columns = 0;
        loop {
            let (result, bytes, output, cells) = self.reader.read_record(
                &self.text[self.at..],
                &mut self.record[filled..],
                &mut self.ends[columns..],
            );
            self.at += bytes;
            filled += output;
            columns += cells;
            let row = &self.text[begin..self.at];
            match result {
                // The end of the text: the next call, without input, ends its last row.
                csv_core::ReadRecordResult::InputEmpty => {}
                // The row goes on in a larger buffer, after the part that is filled.
                csv_core::ReadRecordResult::OutputFull => {
                    if self.record.len() >= self.max_row_bytes {
                        return Err(row_too_long(self.line.of_row(row), self.max_row_bytes));
                    }
                    let length = self.max_row_bytes.min(self.record.len() * 2);
                    self.record.resize(length, 0);
                }
                csv_core::ReadRecordResult::OutputEndsFull => {
                    return Err(too_many_columns(self.line.of_row(row)));
                }
                csv_core::ReadRecordResult::Record => return Ok(Some(columns)),
                csv_core::ReadRecordResult::End => return Ok(None),
            }
        }
    }
}

/// The initial size of the buffer for a row; it grows up to the limit.
const FIRST_RECORD_BYTES: usize = 16 << 10;

/// True if the bytes of a row go on after a line end and have an odd number of quotes.
fn has_unclosed_quote(row: &[u8]) -> bool {
    // An odd number of quotes splits the row into an even number of parts.
    row.split(|byte| *byte == b'"').count() % 2 == 0
        && std::str::from_utf8(row).is_ok_and(|row| row.trim().contains(['\r', '\n']))
}

/// Counts physical lines, which end with LF, CR LF or CR.
struct LineCounter {
    /// The line on which the next byte lies.
    line: u64,
    after_cr: bool,
}

impl LineCounter {
    const fn new(line: u64) -> Self {
        let after_cr = false;
        Self { line, after_cr }
    }

    /// Returns the line of the first byte of a row that no line end precedes.
    fn of_row(&self, row: &[u8]) -> u64 {
        let line_ends = row.iter().take_while(|byte| matches!(byte, b'\r' | b'\n'));
        let leading = line_ends.count();
        let mut to_row = Self { ..*self };
        to_row.advance(&row[..leading]);
        to_row.line
    }

    fn advance(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.line += u64::from(byte == b'\r' || (byte == b'\n' && !self.after_cr));
            self.after_cr = byte == b'\r';
        }
    }
}

fn row_too_long(line: u64, limit: usize) -> FileReadError {
    let limit = limit >> 20;
    let reason = format!(
        "the row that begins here has more than {limit} MiB: a quoted cell may not be closed; \
         double the quotes within a quoted cell"
    );
    FileReadError::new(Location::Line(line), reason)
}

pub(crate) fn too_many_columns(line: u64) -> FileReadError {
    let reason =
        format!("there are more than {MAX_COLUMNS} columns: split the table into several files");
    FileReadError::new(Location::Line(line), reason)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::headings::FieldRole;

    /// Knows the headings of the tests.
    struct FewHeadings;

    impl Headings for FewHeadings {
        fn role(&self, heading: &str) -> Option<FieldRole> {
            ["place", "name", "score"].contains(&heading).then_some(FieldRole::Other)
        }

        fn field_role(&self, path: &str) -> Option<FieldRole> {
            self.role(path)
        }

        fn is_stated(&self, _heading: &str) -> bool {
            false
        }
    }

    fn read(bytes: &[u8]) -> Result<CellGrid, FileReadError> {
        read_text(bytes.into(), None, &FewHeadings, ReadLimits::NEW)
    }

    fn lines(text: &str) -> Vec<(u64, Vec<String>)> {
        let grid = read(text.as_bytes()).unwrap();
        (0..grid.row_count())
            .map(|row| {
                (grid.line_number(row).unwrap(), grid.cells(row).map(str::to_owned).collect())
            })
            .collect()
    }

    fn row(line: u64, cells: [&str; 2]) -> (u64, Vec<String>) {
        (line, cells.map(str::to_owned).to_vec())
    }

    #[test]
    fn line_numbers_count_physical_lines() {
        let rows = [
            row(1, ["place", "name"]),
            row(3, ["1", "Ada\nB"]),
            row(6, ["2", "C"]),
        ];
        for line_end in ["\n", "\r\n"] {
            let text = "place,name\n\n1,\"Ada\nB\"\n , \n2,C".replace('\n', line_end);
            let mut expected = rows.to_vec();
            expected[1].1[1] = format!("Ada{line_end}B");
            assert_eq!(lines(&text), expected, "{line_end:?}");
        }
        let old_mac = "place,name\r\r1,A\r2,C";
        assert_eq!(lines(old_mac)[2], row(4, ["2", "C"]));
        let stated = "sep=;\r\nplace;name\r\n1;a,b,c,d";
        assert_eq!(lines(stated)[1], row(3, ["1", "a,b,c,d"]));
    }

    #[test]
    fn quotes_round_whole_lines_are_ignored() {
        let plain = "rank,name\n1,Ada\n2,Bo\n";
        for quoted in [
            "\"rank,name\"\n\"1,Ada\"\n\"2,Bo\"\n",
            "\"rank,name\"\r\n\"1,Ada\"\r\n\"2,Bo\"",
        ] {
            assert_eq!(lines(quoted), lines(plain), "{quoted}");
        }
        // One cell with a comma, or a line without quotes.
        assert_eq!(lines("\"a,b\"\n\"c\"\n")[0].1, ["a,b"]);
        assert_eq!(lines("\"a,b\"\n1,2\n")[0].1[0], "a,b");
    }

    #[test]
    fn blanks_before_quoted_cells_are_ignored() {
        for text in [
            "place, name\n1, \"Barman, Troy\"\n2, \"\"\n",
            "\"place\", \"name\"\r\n\"1\" , \"Barman, Troy\" \r\n\"2\",  \"\"",
            "sep=,\nplace,name\n1, \"Barman, Troy\"\n2,\n",
        ] {
            let cells: Vec<_> = lines(text).into_iter().map(|(_, cells)| cells).collect();
            let rows = [["place", "name"], ["1", "Barman, Troy"], ["2", ""]];
            assert_eq!(cells, rows.map(|row| row.map(str::to_owned).to_vec()), "{text}");
        }
        let quoted = lines("place, name\n1, \"Ann \"\"Doc\"\" Ash\"\n");
        assert_eq!(quoted[1].1[1], "Ann \"Doc\" Ash");
        // A nickname in quotes.
        for name in ["\"Doc\" Ash", "Ann \"Doc\" Ash", "Ann \"Doc\""] {
            let rows = lines(&format!("place, name\n1, {name}\n2, \"Bo\"\n"));
            assert_eq!(rows[1].1[1], name);
            assert_eq!(rows[2].1[1], "\"Bo\"");
        }
        let archived = read_text(
            "place,name\n1, \"Bo\"\n".as_bytes().into(),
            None,
            &FewHeadings,
            ReadLimits::ARCHIVED,
        );
        assert_eq!(archived.unwrap().cell(1, 1), "\"Bo\"");
    }

    #[test]
    fn delimiter_is_detected() {
        for (text, width) in [
            ("place,name\n1,\"a;b;c;d\"", 2),
            ("place;name\n1;a,b,c\n2;d,e,f", 2),
            ("place\tname, first\n1\ta,b", 2),
            ("place|name\n1|a", 2),
            ("Standings, final, club;x\nplace;score;name\n1;2,5;a", 3),
            ("name;2024-03-01;2024-03-08\nAda;1,5;2,5\nBea;0,5;1,5", 3),
        ] {
            let grid = read(text.as_bytes()).unwrap();
            assert_eq!(grid.width(grid.row_count() - 1), width, "{text}");
        }
    }

    #[test]
    fn encoding_is_detected() {
        let utf16 = |big: bool| {
            let units = "\u{feff}place,name\n1,Zoë".encode_utf16();
            units
                .flat_map(|u| {
                    if big {
                        u.to_be_bytes()
                    } else {
                        u.to_le_bytes()
                    }
                })
                .collect::<Vec<u8>>()
        };
        for bytes in [
            "place,name\n1,Zoë".as_bytes().to_vec(),
            "\u{feff}place,name\n1,Zoë".as_bytes().to_vec(),
            b"place,name\n1,Zo\xeb".to_vec(),
            utf16(true),
            utf16(false),
        ] {
            let grid = read(&bytes).unwrap();
            assert_eq!(grid.cell(0, 0), "place", "{bytes:?}");
            assert_eq!(grid.cell(1, 1), "Zoë", "{bytes:?}");
        }
        assert!(read(b"\xff\xfea").is_err(), "half a unit");
        assert!(read(b"place,name\n1,\0").is_err(), "binary");
    }

    #[test]
    fn unclosed_quote_reports_its_line() {
        let error = read(b"place,name\n1,\"Ada\n2,Bea\n3,Cleo").err().unwrap();
        assert_eq!(error.at, Location::Line(2));
        assert!(read(b"place,name\n1,5\" gun\n2,Bea").is_ok());
    }

    /// Returns the lines and cells of the rows as the csv crate splits them, or the line of an
    /// unclosed quote.
    fn split_by_csv(text: &str, delimiter: u8) -> Result<Vec<(u64, Vec<String>)>, u64> {
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(delimiter)
            .has_headers(false)
            .flexible(true)
            .from_reader(text.as_bytes());
        let mut record = csv::StringRecord::new();
        let mut rows = Vec::new();
        loop {
            let begin = reader.position().byte() as usize;
            if !reader.read_record(&mut record).unwrap() {
                return Ok(rows);
            }
            let end = reader.position().byte() as usize;
            let raw = text[begin..end].trim_start_matches(['\r', '\n']);
            let above = &text[..end - raw.len()];
            let ends = above.matches(['\r', '\n']).count() - above.matches("\r\n").count();
            let line = 1 + ends as u64;
            if raw.matches('"').count() % 2 == 1 && raw.trim_end().contains(['\r', '\n']) {
                return Err(line);
            }
            let cells = record.iter().map(|cell| trim_cell(cell).to_owned());
            let cells: Vec<String> = cells.collect();
            if cells.iter().any(|cell| !cell.is_empty()) {
                rows.push((line, cells));
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        #[test]
        fn cells_are_split_as_by_csv_crate(
            pieces in prop::collection::vec(prop::sample::select(vec![
                "a", "bc", "é", " ", "\"", "\"", "\"\"", "\n", "\r\n", "\r", ",", ",", ";", "\t",
                "\u{feff}", "\u{a0}", "\"x\ny\"", ",\"", "\",",
            ]), 0..40),
            delimiter in prop::sample::select(DELIMITERS.to_vec()),
            before in prop::sample::select(vec!["", "sep=,\n"]),
        ) {
            let text = pieces.concat();
            let whole = Extent::Whole(ReadLimits::NEW);
            let split = split_cells(format!("{before}{text}"), before.len(), 1, delimiter, whole);
            let split = split.map_err(|error| error.at).map(|grid| {
                (0..grid.row_count())
                    .map(|row| {
                        let cells = grid.cells(row).map(str::to_owned);
                        (grid.line_number(row).unwrap(), cells.collect())
                    })
                    .collect::<Vec<(u64, Vec<String>)>>()
            });
            let expected = split_by_csv(&text, delimiter).map_err(Location::Line);
            prop_assert_eq!(split, expected);
        }
    }

    #[test]
    fn limits_of_rows_columns_cells_and_texts_apply_while_reading() {
        let limits = ReadLimits {
            results: 3,
            cells: 10,
            row_bytes: 1 << 20,
            ..ReadLimits::NEW
        };
        let refusal = |text: &str| {
            let read = read_text(text.as_bytes().into(), None, &FewHeadings, limits);
            read.err().map(|error| error.to_string())
        };
        assert_eq!(refusal("place,name\n1,a\n,\n2,b\n3,c\n\n"), None);
        let rows = refusal("place,name\n1,a\n\n2,b\n3,c\n4,d\n").unwrap();
        assert!(rows.starts_with("line 6: ") && rows.contains("more than 3 rows"), "{rows}");
        let cells = refusal("place,name,a\n1,a,b,c\n2,b,c,d").unwrap();
        assert!(cells.starts_with("line 3: ") && cells.contains("more than 10 cells"), "{cells}");
        let long = refusal(&format!("place,name\n1,{}", "x".repeat(1 << 20))).unwrap();
        assert!(long.starts_with("line 2: ") && long.contains("more than 1 MiB"), "{long}");
        let wide = format!("place,name\n{}", ",".repeat(MAX_COLUMNS));
        let columns = refusal(&wide).unwrap();
        assert!(
            columns.starts_with("line 2: ") && columns.contains("more than 2000 columns"),
            "{columns}"
        );
        assert!(read(&wide.as_bytes()[..wide.len() - 1]).is_ok());
    }
}
