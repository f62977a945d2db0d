//! Reads workbooks: one sheet, which is a table, or all that are tables.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::file_format::FileFormat;
use crate::limits::ReadLimits;
use crate::options::{MemberSeparator, ReadOptions, StatedLayout};
use crate::reading::{Candidates, FileReadError, Location, RefusedEntry};
use crate::table::columns::normalise_word;
use crate::table::formats::sheet::{Sheet, Workbook, list_sheets, open_workbook, read_sheet};
use crate::table::grid::CellGrid;
use crate::table::{self, check_numbered_order, find_header_row, nth_contest_time};
use ranklore_contest::{Quoted, shorten};

/// The most sheets of a workbook of which all are read.
const MAX_SHEETS: usize = 4_096;

/// Reads the sheets of a workbook that the options choose, else the first.
pub(crate) fn read(
    format: FileFormat,
    bytes: Cow<'_, [u8]>,
    file_name: &str,
    options: &ReadOptions,
    limits: ReadLimits,
) -> Result<Candidates, FileReadError> {
    let mut workbook = open_workbook(format, &bytes, limits)?;
    if options.all_sheets {
        return AllSheets::new(file_name, options, limits).read(&mut *workbook);
    }
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

fn no_sheets() -> FileReadError {
    FileReadError::whole_document("the workbook has no sheets")
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

/// Reads the sheets of a workbook that are tables, and joins what they hold.
struct AllSheets<'o> {
    file_name: &'o str,
    options: &'o ReadOptions,
    limits: ReadLimits,
    found: Candidates,
    /// The sheets without headings or rows, and those that are hidden.
    no_tables: Vec<String>,
    hidden: Vec<String>,
    tables: usize,
    /// The rows, cells, bytes and results of the sheets so far.
    rows: usize,
    cells: usize,
    bytes: usize,
    results: usize,
    /// The names of sheets that are dated from the start.
    numbered: Vec<String>,
    /// The stated headings, statuses and separators that occur in a sheet.
    occurring: HashSet<&'o str>,
    /// True if sheets of games are read: those of a workbook that has no other tables.
    reads_games: bool,
    /// The sheets of games that are skipped.
    games: Vec<String>,
}

impl<'o> AllSheets<'o> {
    fn new(file_name: &'o str, options: &'o ReadOptions, limits: ReadLimits) -> Self {
        Self {
            file_name,
            options,
            limits,
            found: Candidates::default(),
            no_tables: Vec::new(),
            hidden: Vec::new(),
            tables: 0,
            rows: 0,
            cells: 0,
            bytes: 0,
            results: 0,
            numbered: Vec::new(),
            occurring: HashSet::new(),
            reads_games: options.layout == Some(StatedLayout::Games),
            games: Vec::new(),
        }
    }

    fn read(mut self, workbook: &mut dyn Workbook) -> Result<Candidates, FileReadError> {
        let count = workbook.sheets().len();
        if count == 0 {
            return Err(no_sheets());
        }
        if count > MAX_SHEETS {
            return Err(FileReadError::whole_document(format!(
                "the workbook has more than {MAX_SHEETS} sheets: split it"
            )));
        }
        for index in 0..count {
            let sheet = &workbook.sheets()[index];
            let name = sheet.name.clone();
            if sheet.is_hidden {
                self.hidden.push(name);
                continue;
            }
            let read = match read_sheet(workbook, index, self.limits) {
                Ok(grid) => {
                    self.count_cells(&grid)?;
                    if !self.is_table(&grid) {
                        let skipped = if self.are_games(&grid) {
                            &mut self.games
                        } else {
                            &mut self.no_tables
                        };
                        skipped.push(name);
                        continue;
                    }
                    self.read_table(grid, &name)?
                }
                Err(error) => Err(error),
            };
            self.tables += 1;
            match read {
                Ok(candidates) => self.add(candidates, &name)?,
                Err(error) => self.found.refused.push(RefusedEntry {
                    at: in_sheet(&name, error.at),
                    contest: None,
                    why: error.why,
                }),
            }
        }
        if self.tables == 0 && !self.games.is_empty() {
            let mut games = Self::new(self.file_name, self.options, self.limits);
            games.reads_games = true;
            return games.read(workbook);
        }
        self.finish(count)
    }

    /// Errors if the sheets have more cells together than a document may have.
    fn count_cells(&mut self, grid: &CellGrid) -> Result<(), FileReadError> {
        let (cells, bytes) = grid.size();
        self.rows += grid.row_count();
        self.cells += cells;
        self.bytes += bytes;
        let limits = self.limits;
        if self.rows > limits.results
            || self.cells > limits.cells
            || self.bytes > limits.sheet_bytes
        {
            return Err(FileReadError::whole_document(format!(
                "the sheets have together more than {} rows, {} cells or {} MiB of text: split the \
                 workbook",
                limits.results,
                limits.cells,
                limits.sheet_bytes >> 20
            )));
        }
        Ok(())
    }

    /// True if the sheet has headings and rows below them.
    fn is_table(&self, grid: &CellGrid) -> bool {
        let header = find_header_row(grid, &self.options.columns);
        header.is_some_and(|row| row + 1 < grid.row_count())
            || (self.reads_games && self.are_games(grid))
    }

    /// True if the sheet has headings of games and rows below them.
    fn are_games(&self, grid: &CellGrid) -> bool {
        let header = table::find_game_header(grid, &self.options.columns);
        header.is_some_and(|row| row + 1 < grid.row_count())
    }

    /// Reads a sheet as a table. Its name is that of the contests that have none.
    fn read_table(
        &mut self,
        mut grid: CellGrid,
        name: &str,
    ) -> Result<Result<Candidates, FileReadError>, FileReadError> {
        let mut options = self.options_for(&grid);
        if let Some(start) = self.options.start {
            let start = nth_contest_time(self.options, start, self.found.numbered);
            options.start = Some(start.map_err(FileReadError::whole_document)?);
        }
        grid.contest_name = Some(name.to_owned());
        grid.notes.push(format!("the sheet is {}", Quoted(name)));
        Ok(table::read(grid, self.file_name, &options))
    }

    /// Returns the options without those that name what the sheet has not; another sheet can have
    /// it.
    fn options_for(&mut self, grid: &CellGrid) -> ReadOptions {
        let mut options = self.options.clone();
        let mut occurs = |stated: &'o str, is_it: &dyn Fn(&str) -> bool| {
            let occurs = (0..grid.row_count()).any(|row| grid.cells(row).any(is_it));
            if occurs {
                self.occurring.insert(stated);
            }
            occurs
        };
        for heading in self.options.columns.keys() {
            if !occurs(heading, &|cell| cell == heading) {
                options.columns.remove(heading);
            }
        }
        for word in self.options.statuses.keys() {
            let normalised = normalise_word(word);
            let is_it = |cell: &str| {
                cell == word.trim() || !normalised.is_empty() && normalise_word(cell) == normalised
            };
            if !occurs(word, &is_it) {
                options.statuses.remove(word);
            }
        }
        if let Some(MemberSeparator::Text(separator)) = &self.options.members
            && !occurs(separator, &|cell| cell.contains(&**separator))
        {
            options.members = Some(MemberSeparator::None);
        }
        options
    }

    /// Adds the contests of a sheet.
    fn add(&mut self, mut sheet: Candidates, name: &str) -> Result<(), FileReadError> {
        let found = &mut self.found;
        let entrants = sheet.contests.iter().map(|of| of.entrants.len());
        self.results += entrants.sum::<usize>();
        if self.results > self.limits.results {
            return Err(FileReadError::whole_document(format!(
                "the sheets have together more than {} results: split the workbook",
                self.limits.results
            )));
        }
        found.append_contests(&mut sheet, |at| in_sheet(name, at));
        let mut refused = sheet.refused;
        refused.relocate(|at| in_sheet(name, at));
        found.refused.append(refused);
        found.starting_ratings.extend(sheet.starting_ratings);
        found.warnings.extend(sheet.warnings);
        found.dated_names.extend(sheet.dated_names);
        if sheet.numbered > 0 {
            found.numbered += sheet.numbered;
            self.numbered.push(name.to_owned());
        }
        match &found.layout {
            None => found.layout = sheet.layout,
            Some(_) => found.other_layouts.extend(sheet.layout),
        }
        Ok(())
    }

    fn finish(mut self, sheets: usize) -> Result<Candidates, FileReadError> {
        if self.tables == 0 {
            return Err(FileReadError::whole_document(format!(
                "none of the {sheets} sheets is a table with a column of competitors: choose one \
                 with --sheet NAME, and name its columns with --column HEADING=competitor"
            )));
        }
        self.check_occurrence()?;
        check_numbered_order(self.numbered.iter().map(String::as_str))
            .map_err(FileReadError::whole_document)?;
        // Of several starting ratings of a competitor, the first counts.
        let mut known = HashSet::new();
        (self.found.starting_ratings)
            .retain(|(kind, competitor, _)| known.insert((*kind, competitor.clone())));
        if let Some(layout) = &mut self.found.layout {
            for (what, names) in [
                ("sheets that are no tables, skipped", &self.no_tables),
                (
                    "sheets of games, skipped (--sheet NAME reads one, --layout games all)",
                    &self.games,
                ),
                (
                    "hidden sheets, skipped (--sheet NAME reads one)",
                    &self.hidden,
                ),
            ] {
                if !names.is_empty() {
                    let names = list_sheets(names.iter().map(String::as_str));
                    layout.notes.push(format!("{what}: {names}"));
                }
            }
        }
        Ok(self.found)
    }

    /// Errors if an option names what no sheet has.
    fn check_occurrence(&self) -> Result<(), FileReadError> {
        let columns = self.options.columns.keys();
        let columns = columns.map(|heading| (heading, "--column", "column is headed"));
        let statuses = self.options.statuses.keys();
        let statuses = statuses.map(|word| (word, "--status", "status, place or score is"));
        let members = match &self.options.members {
            Some(MemberSeparator::Text(separator)) => Some((separator, "--members", "name has")),
            _ => None,
        };
        let mut stated = columns.chain(statuses).chain(members);
        match stated.find(|(stated, ..)| !self.occurring.contains(stated.as_str())) {
            None => Ok(()),
            Some((stated, option, what)) => Err(FileReadError::whole_document(format!(
                "no {what} {} in any sheet, as {option} says; write it as in the workbook",
                Quoted(stated)
            ))),
        }
    }
}

/// Returns the location in the sheet with this name; a row is that of its first cell.
fn in_sheet(name: &str, at: Location) -> Location {
    match at {
        Location::Line(row) => Location::Cell(format!("{}!A{row}", shorten(name))),
        Location::Whole => Location::Cell(shorten(name).into_owned()),
        other => other,
    }
}
