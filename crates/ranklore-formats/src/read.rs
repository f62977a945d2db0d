//! Reads a document of any format.

use std::borrow::Cow;

use crate::cross_tables::{h9, opengotha, trf};
use crate::file_format::{FileFormat, is_html};
use crate::options::ReadOptions;
use crate::races::{hytek, iof, lenex};
use crate::reading::{Candidates, FileReading};
use crate::unread_formats::describe_unread_bytes;
use crate::vocabulary::field_roles::TableHeadings;
use crate::{feed, icpc, json, openfootball, pgn, table, workbook};
use ranklore_grid::{
    ArchivedBy, CellGrid, FileReadError, Headings as _, MAX_DOCUMENT_BYTES, ReadLimits,
    SEARCHED_ROWS, convert_yaml, read_json, read_json_lines, read_parquet, read_text,
};

/// Reads a document. `file_name` (or a path) names the contest of a table or a feed that names
/// none, and may contain its date.
///
/// Bytes that the caller gives away (a `Vec`) are not held beside the table that they are.
///
/// Pure: the same bytes, name and options always give the same reading.
///
/// # Errors
/// [`FileReadError`] if nothing can be read: the document is too long, is not JSON, text or a
/// workbook, has no known columns, or needs an option. Refused contests and rows are not errors:
/// they are in [`FileReading::refused`].
pub fn read<'b>(
    format: FileFormat,
    bytes: impl Into<Cow<'b, [u8]>>,
    file_name: &str,
    options: &ReadOptions,
) -> Result<FileReading, FileReadError> {
    let bytes = bytes.into();
    if format != FileFormat::Html && is_html(&bytes) {
        return Err(FileReadError::whole_document(
            "the document is a web page (HTML), perhaps an error message of the server; download the \
             table itself, or pass --format html if the page has it",
        ));
    }
    if let Some(kind) = describe_unread_bytes(&bytes) {
        return Err(FileReadError::whole_document(format!("the document is {kind}")));
    }
    read_within(ReadLimits::NEW, format, bytes, file_name, options)
}

/// Reads a document as it was read when it was imported, also by a version with other limits for its
/// rows and cells than [`read`] has.
///
/// # Errors
/// Those of [`read`].
pub fn read_archived(
    reader: ArchivedBy,
    format: FileFormat,
    bytes: &[u8],
    file_name: &str,
    options: &ReadOptions,
) -> Result<FileReading, FileReadError> {
    let limits = ReadLimits {
        reader,
        ..ReadLimits::ARCHIVED
    };
    read_within(limits, format, bytes.into(), file_name, options)
}

fn read_within(
    limits: ReadLimits,
    format: FileFormat,
    bytes: Cow<'_, [u8]>,
    file_name: &str,
    options: &ReadOptions,
) -> Result<FileReading, FileReadError> {
    if bytes.len() > MAX_DOCUMENT_BYTES {
        let length = bytes.len();
        return Err(FileReadError::whole_document(format!(
            "the document has {length} bytes, more than the limit of {MAX_DOCUMENT_BYTES}; split it"
        )));
    }
    if !(options.conditions.is_empty() || format.is_table()) {
        let reason = "--where selects rows of tables, and this document is none; leave it out";
        return Err(FileReadError::whole_document(reason));
    }
    let candidates = match format {
        FileFormat::Json => json::read::read(&bytes, limits)?,
        FileFormat::CtftimeFeed => feed::read(&bytes, file_name, options, limits)?,
        FileFormat::Icpc => icpc::read(&bytes, options)?,
        FileFormat::Openfootball => openfootball::json::read(&bytes, file_name, limits)?,
        FileFormat::FootballText => openfootball::text::read(&bytes, file_name, limits)?,
        FileFormat::Pgn => pgn::read(&bytes, options, limits)?,
        FileFormat::Trf => trf::read(&bytes, file_name, options, limits)?,
        FileFormat::H9 => h9::read(&bytes, file_name, options, limits)?,
        FileFormat::IofXml => iof::read(&bytes, file_name, options, limits)?,
        FileFormat::Lenex => lenex::read(&bytes, file_name, options, limits)?,
        FileFormat::HyTek => hytek::read(&bytes, file_name, options, limits)?,
        FileFormat::OpenGotha => opengotha::read(&bytes, file_name, options, limits)?,
        FileFormat::Table | FileFormat::Tsv => {
            read_text_table(format, bytes, file_name, options, limits)?
        }
        FileFormat::JsonTable | FileFormat::JsonLines | FileFormat::Parquet => {
            let grid = read_records(format, bytes, options, limits)?;
            table::read(grid, file_name, options)?
        }
        FileFormat::Yaml => {
            let json = convert_yaml(&bytes)?;
            drop(bytes);
            let format = FileFormat::of_json(&json);
            return read_within(limits, format, json.into(), file_name, options);
        }
        FileFormat::Xlsx
        | FileFormat::Xls
        | FileFormat::Ods
        | FileFormat::Markdown
        | FileFormat::Html => workbook::read(format, bytes, file_name, options, limits)?,
    };
    Ok(candidates.into_reading())
}

/// Reads a table whose rows are objects or records.
fn read_records(
    format: FileFormat,
    bytes: Cow<'_, [u8]>,
    options: &ReadOptions,
    limits: ReadLimits,
) -> Result<CellGrid, FileReadError> {
    let headings = TableHeadings(&options.columns);
    let rows = options.rows.as_deref();
    match format {
        FileFormat::Parquet => read_parquet(bytes.into_owned(), &headings, limits),
        FileFormat::JsonLines => read_json_lines(&bytes, rows, &headings, limits),
        _ => read_json(&bytes, rows, &headings, limits),
    }
}

fn read_text_table(
    format: FileFormat,
    bytes: Cow<'_, [u8]>,
    file_name: &str,
    options: &ReadOptions,
    limits: ReadLimits,
) -> Result<Candidates, FileReadError> {
    let headings = TableHeadings(&options.columns);
    let delimiter = (format == FileFormat::Tsv).then_some(b'\t');
    let grid = read_text(bytes, delimiter, &headings, limits)?;
    let has_columns = has_columns(&grid, &headings);
    table::read(grid, file_name, options).map_err(|error| {
        if has_columns {
            return error;
        }
        let reason = "the text has no columns: its lines are not split by commas, semicolons, \
                      tabs, bars or gaps of two blanks; save the results as a table with headings, \
                      such as Place,Name,Score";
        FileReadError::new(error.at, reason)
    })
}

/// True if at least half of the rows have several cells, or a heading is known.
fn has_columns(grid: &CellGrid, headings: &TableHeadings<'_>) -> bool {
    let split_rows = (0..grid.row_count()).filter(|row| grid.width(*row) > 1);
    let mut first_rows = 0..grid.row_count().min(SEARCHED_ROWS);
    2 * split_rows.count() >= grid.row_count()
        || first_rows.any(|row| grid.cells(row).any(|cell| headings.role(cell).is_some()))
}
