//! Reads workbooks: chooses a sheet, which is a table.

use std::borrow::Cow;

use crate::file_format::FileFormat;
use crate::limits::ReadLimits;
use crate::options::ReadOptions;
use crate::reading::{Candidates, FileReadError};
use crate::table;
use crate::table::formats::sheet::{Sheet, list_sheets, open_workbook, read_sheet};
use ranklore_contest::Quoted;

/// Reads a sheet of a workbook: the one that the options name, else the first.
pub(crate) fn read(
    format: FileFormat,
    bytes: Cow<'_, [u8]>,
    file_name: &str,
    options: &ReadOptions,
    limits: ReadLimits,
) -> Result<Candidates, FileReadError> {
    let mut workbook = open_workbook(format, &bytes, limits)?;
    let sheet = choose_sheet(workbook.sheets(), options.sheet.as_deref())?;
    let mut grid = read_sheet(&mut *workbook, sheet, limits)?;
    grid.notes.push(describe_choice(workbook.sheets(), sheet));
    drop(workbook);
    drop(bytes);
    table::read(grid, file_name, options)
}

/// Returns the index of the sheet with this name, else of the first.
fn choose_sheet(sheets: &[Sheet], stated: Option<&str>) -> Result<usize, FileReadError> {
    let Some(stated) = stated else {
        let no_sheets = || FileReadError::whole_document("the workbook has no sheets");
        return sheets.first().map(|_| 0).ok_or_else(no_sheets);
    };
    let found = sheets.iter().position(|sheet| sheet.name == stated);
    found.ok_or_else(|| {
        FileReadError::whole_document(format!(
            "the workbook has no sheet {}; its sheets: {}",
            Quoted(stated),
            list_sheets(sheets.iter().map(|sheet| &*sheet.name))
        ))
    })
}

/// Describes which sheet is read, and which are not.
fn describe_choice(sheets: &[Sheet], chosen: usize) -> String {
    let name = Quoted(&sheets[chosen].name);
    let others: Vec<&str> = (sheets.iter().enumerate())
        .filter(|&(index, _)| index != chosen)
        .map(|(_, sheet)| &*sheet.name)
        .collect();
    if others.is_empty() {
        return format!("the sheet is {name}");
    }
    let others = list_sheets(others.into_iter());
    format!("the sheet is {name}; not read (--sheet NAME, or --sheet all): {others}")
}
