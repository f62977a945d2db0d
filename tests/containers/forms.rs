//! Writes one table in every form of a document.

use std::fmt::Write as _;
use std::io::{Cursor, Write};
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use serde_json::{Map, Value, json};

use super::{TABLE, content_hash, gzip, run_with_input, zip};
use crate::support::Scratch;

/// Returns the cells of the table, its headings first.
fn rows() -> Vec<Vec<&'static str>> {
    TABLE.lines().map(|row| row.split(',').collect()).collect()
}

/// Returns an object for each row, without empty cells.
fn objects() -> Vec<Value> {
    let rows = rows();
    let object = |row: &Vec<&str>| {
        let cells = rows[0].iter().zip(row).filter(|(_, cell)| !cell.is_empty());
        let fields = cells.map(|(heading, cell)| ((*heading).to_owned(), json!(cell)));
        Value::Object(fields.collect::<Map<_, _>>())
    };
    rows[1..].iter().map(object).collect()
}

fn json_lines() -> String {
    objects().iter().fold(String::new(), |mut lines, object| {
        writeln!(lines, "{object}").unwrap();
        lines
    })
}

fn parquet() -> Vec<u8> {
    let rows = rows();
    let columns = rows[0].iter().enumerate().map(|(column, heading)| {
        let cells = rows[1..].iter().map(|row| Some(row[column]).filter(|cell| !cell.is_empty()));
        let cells: ArrayRef = Arc::new(cells.collect::<StringArray>());
        (*heading, cells, true)
    });
    let batch = RecordBatch::try_from_iter_with_nullable(columns).unwrap();
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    bytes
}

fn zip_parts(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, part) in parts {
        zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(part.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn xlsx() -> Vec<u8> {
    const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006/relationships";
    let mut sheet = format!("<worksheet xmlns='{MAIN}'><sheetData>");
    for (row, cells) in (1..).zip(rows()) {
        write!(sheet, "<row r='{row}'>").unwrap();
        for (column, cell) in ('A'..).zip(cells).filter(|(_, cell)| !cell.is_empty()) {
            write!(sheet, "<c r='{column}{row}' t='inlineStr'><is><t>{cell}</t></is></c>").unwrap();
        }
        sheet.push_str("</row>");
    }
    sheet.push_str("</sheetData></worksheet>");
    let workbook = format!(
        "<workbook xmlns='{MAIN}' xmlns:r='{OFFICE}'><sheets><sheet name='Cup' sheetId='1' r:id='rId1'/></sheets></workbook>"
    );
    let relations = format!(
        "<Relationships xmlns='{PACKAGE}'><Relationship Id='rId1' Type='{OFFICE}/worksheet' Target='worksheets/sheet1.xml'/></Relationships>"
    );
    let root = format!(
        "<Relationships xmlns='{PACKAGE}'><Relationship Id='rId1' Type='{OFFICE}/officeDocument' Target='xl/workbook.xml'/></Relationships>"
    );
    zip_parts(&[
        ("_rels/.rels", &root),
        ("xl/workbook.xml", &workbook),
        ("xl/_rels/workbook.xml.rels", &relations),
        ("xl/worksheets/sheet1.xml", &sheet),
    ])
}

fn ods() -> Vec<u8> {
    const NAMES: &str = "urn:oasis:names:tc:opendocument:xmlns";
    let mut content = format!(
        "<office:document-content xmlns:office='{NAMES}:office:1.0' xmlns:table='{NAMES}:table:1.0' xmlns:text='{NAMES}:text:1.0'><office:body><office:spreadsheet><table:table table:name='Cup'>"
    );
    for cells in rows() {
        content.push_str("<table:table-row>");
        for cell in cells {
            write!(
                content,
                "<table:table-cell office:value-type='string'><text:p>{cell}</text:p></table:table-cell>"
            )
            .unwrap();
        }
        content.push_str("</table:table-row>");
    }
    content.push_str("</table:table></office:spreadsheet></office:body></office:document-content>");
    let kind = "application/vnd.oasis.opendocument.spreadsheet";
    zip_parts(&[("mimetype", kind), ("content.xml", &content)])
}

/// Returns a workbook of Excel 97 with one record for each cell.
fn xls() -> Vec<u8> {
    let record = |kind: u16, data: &[u8]| {
        let length = u16::try_from(data.len()).unwrap();
        [&kind.to_le_bytes()[..], &length.to_le_bytes(), data].concat()
    };
    let begin = record(0x0809, &[0, 6, 5, 0]);
    let end = record(0x000a, &[]);
    let sheet_at =
        |start: u32| record(0x0085, &[&start.to_le_bytes()[..], &[0, 0, 3, 0], b"Cup"].concat());
    let start = begin.len() + sheet_at(0).len() + end.len();
    let sheet = sheet_at(u32::try_from(start).unwrap());
    let mut stream = [&begin[..], &sheet, &end, &begin].concat();
    for (row, cells) in (0_u16..).zip(rows()) {
        for (column, cell) in (0_u16..).zip(cells).filter(|(_, cell)| !cell.is_empty()) {
            let units: Vec<u16> = cell.encode_utf16().collect();
            let length = u16::try_from(units.len()).unwrap();
            let head = [row, column, 0, length].map(u16::to_le_bytes).concat();
            // 1: characters of two bytes.
            let text: Vec<u8> = units.into_iter().flat_map(u16::to_le_bytes).collect();
            stream.extend(record(0x0204, &[&head[..], &[1], &text].concat()));
        }
    }
    stream.extend(end);
    let mut file = cfb::CompoundFile::create(Cursor::new(Vec::new())).unwrap();
    let mut workbook = file.create_stream("Workbook").unwrap();
    workbook.write_all(&stream).unwrap();
    drop(workbook);
    file.into_inner().into_inner()
}

#[test]
fn table_in_every_form_is_imported_alike() {
    let expected = {
        let scratch = Scratch::new();
        scratch.write("cup.csv", TABLE);
        scratch.ok(&["import", "cup.csv", "--source", "club"]);
        content_hash(&scratch)
    };
    for (name, format, bytes) in [
        ("cup.json", "json", json!(objects()).to_string().into_bytes()),
        ("rows.json", "json", json!({ "rows": objects() }).to_string().into_bytes()),
        ("cup.jsonl", "jsonl", json_lines().into_bytes()),
        ("cup.ndjson", "jsonl", json_lines().into_bytes()),
        ("cup.parquet", "parquet", parquet()),
        ("cup.xlsx", "xlsx", xlsx()),
        ("cup.ods", "ods", ods()),
        ("cup.xls", "xls", xls()),
        ("cup.txt", "csv", TABLE.replace(',', "|").into_bytes()),
    ] {
        let packed = format!("{name}.gz");
        let archive = format!("{name}.zip");
        for (file, content) in [
            (name, bytes.clone()),
            (&packed, gzip(&bytes)),
            (&archive, zip(name, &bytes)),
        ] {
            let scratch = Scratch::new();
            scratch.write(file, content);
            scratch.ok(&["import", file, "--source", "club"]);
            assert_eq!(content_hash(&scratch), expected, "{file}");
            scratch.ok(&["rebuild", "club"]);
            assert_eq!(content_hash(&scratch), expected, "{file}, rebuilt");
        }
        let scratch = Scratch::new();
        let arguments = ["import", "-", "--source", "club", "--format", format];
        let run = run_with_input(&scratch, &arguments, &bytes);
        assert_eq!(run.code, Some(0), "{format}: {}", run.err);
        assert_eq!(content_hash(&scratch), expected, "--format {format}");
    }
}
