//! Reads text tables: detects the encoding and the delimiter, and splits lines.

use std::borrow::Cow;

use crate::reading::{FileReadError, Location};
use crate::table::columns::ColumnMeaning;
use crate::table::grid::{CellGrid, MAX_COLUMNS};
use crate::table::header;

/// The delimiters that are tried.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// The number of bytes that are examined to detect the delimiter.
const SAMPLE_BYTES: usize = 64 << 10;

/// Reads a text table into a grid.
pub(crate) fn read_text(bytes: &[u8]) -> Result<CellGrid, FileReadError> {
    let (text, encoding_note) = decode(bytes)?;
    if let Some(at) = text.find(|c: char| c.is_control() && !c.is_whitespace()) {
        let line = 1 + text[..at].matches('\n').count() as u64;
        return Err(FileReadError::new(
            Location::Line(line),
            "this is not a text table: it has control characters; save it as CSV or .xlsx",
        ));
    }
    let (text, first_line, stated) = split_separator_line(&text);
    let delimiter = match stated {
        Some(delimiter) => delimiter,
        None => detect_delimiter(text)?,
    };
    let mut grid = split_cells(text, first_line, delimiter, Extent::Whole)?;
    grid.notes.extend(encoding_note);
    grid.notes.push(format!(
        "cells are separated by {}",
        match delimiter {
            b',' => "commas",
            b';' => "semicolons",
            b'\t' => "tabs",
            _ => "bars",
        }
    ));
    Ok(grid)
}

/// Decodes UTF-8, UTF-16 with a byte order mark, or else windows-1252 (a superset of Latin-1).
fn decode(bytes: &[u8]) -> Result<(Cow<'_, str>, Option<String>), FileReadError> {
    if let Some((encoding, mark)) = encoding_rs::Encoding::for_bom(bytes) {
        let (text, failed) = encoding.decode_without_bom_handling(&bytes[mark..]);
        if failed {
            return Err(FileReadError::whole_document(format!(
                "the byte order mark says {}, but the text is not; save it again as UTF-8",
                encoding.name()
            )));
        }
        return Ok((text, None));
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok((Cow::Borrowed(text), None)),
        Err(error) => {
            let line = bytes[..error.valid_up_to()].split(|&b| b == b'\n').count();
            let (text, _) = encoding_rs::WINDOWS_1252.decode_without_bom_handling(bytes);
            let note = format!("read as Latin-1 (windows-1252), since line {line} is not UTF-8");
            Ok((text, Some(note)))
        }
    }
}

/// Splits off Excel's first line `sep=;`. Returns the rest, the number of its first line, and the
/// delimiter.
fn split_separator_line(text: &str) -> (&str, u64, Option<u8>) {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let stated = first.trim_end_matches('\r').trim_matches('"');
    match stated.as_bytes() {
        [s, e, p, b'=', delimiter @ (b',' | b';' | b'\t' | b'|')]
            if [*s, *e, *p].eq_ignore_ascii_case(b"sep") =>
        {
            (rest, 2, Some(*delimiter))
        }
        _ => (text, 1, None),
    }
}

/// Returns the delimiter that gives the most known headings in a row; then the most rows of the
/// commonest width; then the greatest width.
fn detect_delimiter(text: &str) -> Result<u8, FileReadError> {
    let end = text.floor_char_boundary(SAMPLE_BYTES);
    // The last line of the sample may be incomplete.
    let sample = match text[..end].rfind('\n') {
        Some(line_end) if end < text.len() => &text[..=line_end],
        _ => &text[..end],
    };
    let mut best = None;
    for delimiter in DELIMITERS {
        // Errors are reported for the chosen delimiter only.
        let Ok(grid) = split_cells(sample, 1, delimiter, Extent::Sample) else {
            continue;
        };
        let known = |row| {
            grid.cells(row)
                .filter(|cell| ColumnMeaning::from_heading(cell).is_some())
        };
        let searched = 0..grid.row_count().min(header::SEARCHED_ROWS);
        let headings = searched.map(|row| known(row).count()).max().unwrap_or(0);
        let mut widths = std::collections::BTreeMap::new();
        for width in (0..grid.row_count())
            .map(|row| grid.width(row))
            .filter(|&width| width > 1)
        {
            *widths.entry(width).or_insert(0_usize) += 1;
        }
        let widths = widths.into_iter().map(|(width, rows)| (rows, width));
        let (agreeing, width) = widths.max().unwrap_or((0, 1));
        let merit = (headings, agreeing, width);
        if best.is_none_or(|(most, _)| merit > most) {
            best = Some((merit, delimiter));
        }
    }
    match best {
        Some((_, delimiter)) => Ok(delimiter),
        None => split_cells(sample, 1, b',', Extent::Sample).map(|_| b','),
    }
}

/// The part of the text that is split.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    Whole,
    /// The beginning only. It may end within a quoted cell, and its errors are not reported.
    Sample,
}

/// Splits the text into rows and cells.
fn split_cells(
    text: &str,
    first_line: u64,
    delimiter: u8,
    extent: Extent,
) -> Result<CellGrid, FileReadError> {
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes());
    let mut record = csv::StringRecord::new();
    let mut grid = CellGrid::default();
    grid.semicolons = delimiter == b';';
    let (mut line, mut counted) = (first_line, 0);
    loop {
        let begin = reader.position().byte() as usize;
        let more = reader.read_record(&mut record).map_err(|error| {
            FileReadError::whole_document(format!("this is not a table: {error}"))
        })?;
        if !more {
            break;
        }
        let end = reader.position().byte() as usize;
        let raw = text.get(begin..end).unwrap_or_default();
        let raw = raw.trim_start_matches(['\r', '\n']);
        // The csv crate's line count points before blank lines and, with CR LF, before the line
        // feed.
        let start = end - raw.len();
        line += count_line_ends(&text[counted..start]);
        counted = start;
        // An unclosed quote would silently swallow the rows below it.
        if extent == Extent::Whole
            && raw.matches('"').count() % 2 == 1
            && raw.trim_end().contains(['\n', '\r'])
        {
            return Err(FileReadError::new(
                Location::Line(line),
                "the quoted cell that begins here is not closed; \
                 double the quotes within a quoted cell",
            ));
        }
        if extent == Extent::Whole && record.len() > MAX_COLUMNS {
            return Err(too_many_columns(line, record.len()));
        }
        grid.begin_row(line);
        for cell in &record {
            if !grid.push_cell(cell) {
                return Err(FileReadError::new(
                    Location::Line(line),
                    "the table is too long",
                ));
            }
        }
        grid.drop_blank_row();
    }
    Ok(grid)
}

pub(crate) fn too_many_columns(line: u64, columns: usize) -> FileReadError {
    FileReadError::new(
        Location::Line(line),
        format!("{columns} columns are more than the limit of {MAX_COLUMNS}"),
    )
}

/// Counts the ends of physical lines: LF, CR LF or CR.
fn count_line_ends(text: &str) -> u64 {
    (text.matches(['\r', '\n']).count() - text.matches("\r\n").count()) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<(u64, Vec<String>)> {
        let grid = read_text(text.as_bytes()).unwrap();
        (0..grid.row_count())
            .map(|row| {
                (
                    grid.line_number(row),
                    grid.cells(row).map(str::to_owned).collect(),
                )
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
    fn delimiter_is_detected() {
        for (text, width) in [
            ("place,name\n1,\"a;b;c;d\"", 2),
            ("place;name\n1;a,b,c\n2;d,e,f", 2),
            ("place\tname, first\n1\ta,b", 2),
            ("place|name\n1|a", 2),
            ("Standings, final, club;x\nplace;score;name\n1;2,5;a", 3),
            ("name;2024-03-01;2024-03-08\nAda;1,5;2,5\nBea;0,5;1,5", 3),
        ] {
            let grid = read_text(text.as_bytes()).unwrap();
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
            let grid = read_text(&bytes).unwrap();
            assert_eq!(grid.cell(0, 0), "place", "{bytes:?}");
            assert_eq!(grid.cell(1, 1), "Zoë", "{bytes:?}");
        }
        assert!(read_text(b"\xff\xfea").is_err(), "half a unit");
        assert!(read_text(b"place,name\n1,\0").is_err(), "binary");
    }

    #[test]
    fn unclosed_quote_reports_its_line() {
        let error = read_text(b"place,name\n1,\"Ada\n2,Bea\n3,Cleo")
            .err()
            .unwrap();
        assert_eq!(error.at, Location::Line(2));
        assert!(read_text(b"place,name\n1,5\" gun\n2,Bea").is_ok());
    }
}
