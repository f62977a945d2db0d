//! Reads workbooks: one sheet, which is a table, or all that are tables.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::file_format::FileFormat;
use crate::layouts::numbering::{check_numbered_order, nth_contest_time};
use crate::options::{MemberSeparator, ReadOptions, StatedLayout};
use crate::reading::Candidates;
use crate::schema::header_row::{TableKind, find_header_row};
use crate::table;
use crate::vocabulary::words::normalise_word;
use ranklore_contest::{Quoted, shorten};
use ranklore_grid::{
    CellGrid, CommandOptions, FileReadError, Location, ReadLimits, Reason, Sheet, Workbook,
    list_sheets, open_html, open_markdown, open_ods, open_xls, open_xlsx, read_sheet,
};

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
    let open = match format {
        FileFormat::Xls => open_xls,
        FileFormat::Ods => open_ods,
        FileFormat::Markdown => open_markdown,
        FileFormat::Html => open_html,
        _ => open_xlsx,
    };
    let is_page = matches!(format, FileFormat::Markdown | FileFormat::Html);
    let mut workbook = open(&bytes, limits)?;
    if options.all_sheets {
        return AllSheets::new(file_name, options, limits).read(&mut *workbook);
    }
    let sheet = match &options.sheet {
        None if is_page => {
            choose_table(&mut *workbook, format == FileFormat::Html, options, limits)?
        }
        name => choose_sheet(workbook.sheets(), name.as_deref())?,
    };
    let mut grid = read_sheet(&mut *workbook, sheet, limits)?;
    let choice = describe_choice(workbook.sheets(), sheet);
    grid.notes.push(choice.clone());
    // The tables of a page are different contests, also if each is read alone.
    if is_page && options.sheet.is_some() && limits.reader.refuses_doubts() {
        grid.contest_name = Some(workbook.sheets()[sheet].name.clone());
    }
    if format == FileFormat::Markdown {
        // Its rows are lines of a text.
        grid.sheet = None;
    }
    let names_choice = format == FileFormat::Html && workbook.sheets().len() > 1;
    drop(workbook);
    drop(bytes);
    table::read(grid, file_name, options).map_err(|mut error| {
        if names_choice {
            error.why.push_str("; ");
            error.why.push_str(&choice);
        }
        error
    })
}

/// Returns the index of the sheet with this name, else of the first.
fn choose_sheet(sheets: &[Sheet], name: Option<&str>) -> Result<usize, FileReadError> {
    let Some(name) = name else {
        return sheets.first().map(|_| 0).ok_or_else(no_sheets);
    };
    let index = sheets.iter().position(|sheet| sheet.name == name);
    index.ok_or_else(|| {
        FileReadError::whole_document(format!(
            "the workbook has no sheet {}; its sheets: {}",
            Quoted(name),
            list_sheets(sheets.iter().map(|sheet| &*sheet.name))
        ))
    })
}

/// Returns the index of the only table of a document that has competitors, else of the first table, or
/// of the longest of a page.
fn choose_table(
    workbook: &mut dyn Workbook,
    is_page: bool,
    options: &ReadOptions,
    limits: ReadLimits,
) -> Result<usize, FileReadError> {
    let all = AllSheets::new("", options, limits);
    let mut tables = Vec::new();
    let mut first_choice = 0;
    let mut most_rows = 0;
    for index in 0..workbook.sheets().len() {
        let grid = read_sheet(workbook, index, limits)?;
        // On pages, small tables can arrange texts.
        if is_page && grid.row_count() > most_rows {
            most_rows = grid.row_count();
            first_choice = index;
        }
        if all.is_table(&grid) || all.are_games(&grid) {
            tables.push(index);
        }
    }
    let sheets = workbook.sheets();
    if tables.len() < 2 {
        let index = tables.first().copied().unwrap_or(first_choice);
        return sheets.get(index).map(|_| index).ok_or_else(|| {
            FileReadError::whole_document(
                "the document has no table: in Markdown a ruler such as |---|---| below a row of \
                 headings, in HTML <table>; if a script fills a page, download the results themselves",
            )
        });
    }
    let sheet_option = |name: &str| CommandOptions::new("--sheet", name);
    let named = tables
        .iter()
        .map(|&index| (sheet_option(&sheets[index].name), "for that table".to_owned()));
    let all_tables = (sheet_option("all"), "if each is a contest".to_owned());
    let cases = [all_tables].into_iter().chain(named.take(MAX_LISTED_TABLES));
    let observation = format!("the document has {} tables with competitors", tables.len());
    Err(FileReadError::new(Location::Whole, Reason::with_options(observation, cases)))
}

/// The most tables that a refusal names.
const MAX_LISTED_TABLES: usize = 5;

fn no_sheets() -> FileReadError {
    FileReadError::whole_document("the workbook has no sheets")
}

/// Describes which sheet is read, and which are not.
fn describe_choice(sheets: &[Sheet], chosen: usize) -> String {
    let name = Quoted(&sheets[chosen].name);
    let unread_names: Vec<&str> = sheets
        .iter()
        .enumerate()
        .filter(|&(index, _)| index != chosen)
        .map(|(_, sheet)| &*sheet.name)
        .collect();
    if unread_names.is_empty() {
        return format!("the sheet is {name}");
    }
    let unread = list_sheets(unread_names.into_iter());
    format!("the sheet is {name}; not read (--sheet NAME, or --sheet all): {unread}")
}

/// Reads the sheets of a workbook that are tables, and joins what they hold.
struct AllSheets<'o> {
    file_name: &'o str,
    options: &'o ReadOptions,
    limits: ReadLimits,
    candidates: Candidates,
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
            candidates: Candidates::default(),
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
            let table = match read_sheet(workbook, index, self.limits) {
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
            match table {
                Ok(candidates) => self.add(candidates, &name)?,
                Err(error) => {
                    let reason = Reason {
                        text: error.why,
                        options: error.options,
                    };
                    let refusal = (in_sheet(&name, error.at), reason);
                    self.candidates.refuse(None, refusal);
                }
            }
        }
        // Sheets of games count only where there are no other tables.
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
        let header = find_header_row(grid, TableKind::Results, &self.options.columns);
        header.is_some_and(|row| row + 1 < grid.row_count())
            || (self.reads_games && self.are_games(grid))
    }

    /// True if the sheet has headings of games and rows below them.
    fn are_games(&self, grid: &CellGrid) -> bool {
        let header = find_header_row(grid, TableKind::Games, &self.options.columns);
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
            let next_time = nth_contest_time(self.options, start, self.candidates.numbered);
            options.start = Some(next_time.map_err(FileReadError::whole_document)?);
        }
        grid.contest_name = Some(name.to_owned());
        grid.notes.push(format!("the sheet is {}", Quoted(name)));
        Ok(table::read(grid, self.file_name, &options))
    }

    /// Returns the options without those that name what the sheet has not; another sheet can have
    /// it.
    fn options_for(&mut self, grid: &CellGrid) -> ReadOptions {
        let mut options = self.options.clone();
        let mut occurs = |text: &'o str, matches: &dyn Fn(&str) -> bool| {
            let occurs = (0..grid.row_count()).any(|row| grid.cells(row).any(matches));
            if occurs {
                self.occurring.insert(text);
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
            if !occurs(word, &|cell| {
                cell == word.trim() || !normalised.is_empty() && normalise_word(cell) == normalised
            }) {
                options.statuses.remove(word);
            }
        }
        if let Some(MemberSeparator::Text(separator)) = &self.options.members
            && !occurs(separator, &|cell| cell.contains(&**separator))
        {
            options.members = Some(MemberSeparator::OneName);
        }
        options
    }

    /// Adds the contests of a sheet.
    fn add(&mut self, mut sheet: Candidates, name: &str) -> Result<(), FileReadError> {
        let candidates = &mut self.candidates;
        let entrants = sheet.contests.iter().map(|contest| contest.entrants.len());
        self.results += entrants.sum::<usize>();
        if self.results > self.limits.results {
            let limit = self.limits.results;
            return Err(FileReadError::whole_document(format!(
                "the sheets have together more than {limit} results: split the workbook"
            )));
        }
        candidates.append_contests(&mut sheet, |at| in_sheet(name, at));
        sheet.refused.relocate(|at| in_sheet(name, at));
        candidates.refused.append(sheet.refused);
        candidates.starting_ratings.extend(sheet.starting_ratings);
        for (contest, ratings) in sheet.official {
            candidates.official.entry(contest).or_insert(ratings);
        }
        candidates.warnings.extend(sheet.warnings);
        candidates.dated_names.extend(sheet.dated_names);
        if sheet.numbered > 0 {
            candidates.numbered += sheet.numbered;
            self.numbered.push(name.to_owned());
        }
        // The layout of the first sheet stands for the workbook.
        match &candidates.layout {
            None => candidates.layout = sheet.layout,
            Some(_) => candidates.other_layouts.extend(sheet.layout),
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
        let mut competitors = HashSet::new();
        self.candidates
            .starting_ratings
            .retain(|(kind, competitor, _)| competitors.insert((*kind, competitor.clone())));
        if let Some(layout) = &mut self.candidates.layout {
            for (description, names) in [
                ("sheets that are no tables, skipped", &self.no_tables),
                (
                    "sheets of games, skipped (--sheet NAME reads one, --layout games all)",
                    &self.games,
                ),
                ("hidden sheets, skipped (--sheet NAME reads one)", &self.hidden),
            ] {
                if !names.is_empty() {
                    let names = list_sheets(names.iter().map(String::as_str));
                    layout.notes.push(format!("{description}: {names}"));
                }
            }
        }
        Ok(self.candidates)
    }

    /// Errors if an option names what no sheet has.
    fn check_occurrence(&self) -> Result<(), FileReadError> {
        let headings = self.options.columns.keys();
        let words = self.options.statuses.keys();
        let separator = match &self.options.members {
            Some(MemberSeparator::Text(separator)) => Some(separator),
            _ => None,
        };
        let missing = headings
            .map(|heading| (heading, "--column", "column is headed"))
            .chain(words.map(|word| (word, "--status", "status, place or score is")))
            .chain(separator.map(|separator| (separator, "--members", "name has")))
            .find(|(text, ..)| !self.occurring.contains(text.as_str()));
        match missing {
            None => Ok(()),
            Some((text, option, predicate)) => Err(FileReadError::whole_document(format!(
                "no {predicate} {} in any sheet, as {option} says; write it as in the workbook",
                Quoted(text)
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
