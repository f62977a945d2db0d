//! Finds the row of headings and the meaning of each column.

use std::collections::{BTreeMap, HashMap};

use super::columns::{ColumnMeaning, MatchStrength, is_overall_heading};
use super::grid::{CellGrid, column_letters};
use super::name_parts::NameParts;
use super::rankings::are_ranking;
use crate::reading::{FileReadError, Location, RecognisedColumn, TableLayout, TableShape};
use crate::table::values::cells::{CellStatus, is_blank};
use crate::table::values::numbers::{NumberStyle, is_time};
use ranklore_contest::{Quoted, quote_for_shell};

/// The number of rows that are searched for headings; titles and dates may precede them.
pub(super) const SEARCHED_ROWS: usize = 20;

/// The number of columns that a message lists.
const MAX_LISTED_COLUMNS: usize = 12;

/// A grid with its headings and their meanings.
pub(super) struct HeaderTable {
    pub(super) grid: CellGrid,
    /// The row of headings.
    pub(super) header_row: usize,
    /// The best column for each meaning, and another that matches equally well.
    columns: BTreeMap<ColumnMeaning, (usize, MatchStrength, Option<usize>)>,
    /// The columns without a known meaning, from left to right.
    pub(super) unknown_columns: Vec<usize>,
    /// The columns that the user excludes.
    ignored_columns: Vec<usize>,
    /// The columns that are joined into the names of competitors.
    name_parts: Option<NameParts>,
}

/// The meanings of columns of names, the best first.
const NAME_MEANINGS: [ColumnMeaning; 3] = [
    ColumnMeaning::Competitor,
    ColumnMeaning::Team,
    ColumnMeaning::Members,
];

/// Returns the row of headings, if one names competitors.
pub(crate) fn find_header_row(
    grid: &CellGrid,
    stated_meanings: &BTreeMap<String, ColumnMeaning>,
) -> Option<usize> {
    find_best_row(grid, |row| {
        let headings = grid.cells(row);
        let mut meanings: Vec<_> = headings
            .filter_map(|heading| find_meaning(grid, heading, stated_meanings))
            .map(|(meaning, _)| meaning)
            .collect();
        meanings.sort_unstable();
        meanings.dedup();
        let has = |meaning: ColumnMeaning| meanings.contains(&meaning);
        (NAME_MEANINGS.into_iter().any(has)
            || (has(ColumnMeaning::GivenName) && has(ColumnMeaning::Surname)))
        .then_some(meanings.len())
    })
}

/// Returns the row with the most known headings, among the first rows. The first of several equally
/// good rows wins.
pub(super) fn find_best_row(
    grid: &CellGrid,
    count_known_headings: impl Fn(usize) -> Option<usize>,
) -> Option<usize> {
    // The first row of records has the names of their fields.
    let searched = if grid.records.is_some() {
        1
    } else {
        grid.row_count().min(SEARCHED_ROWS)
    };
    (0..searched)
        .filter_map(|row| Some((count_known_headings(row)?, row)))
        .max_by_key(|&(count, row)| (count, std::cmp::Reverse(row)))
        .map(|(_, row)| row)
}

/// Returns the meaning of a heading, as stated or known.
fn find_meaning(
    grid: &CellGrid,
    heading: &str,
    stated_meanings: &BTreeMap<String, ColumnMeaning>,
) -> Option<(ColumnMeaning, MatchStrength)> {
    if let Some(&meaning) = stated_meanings.get(heading) {
        return Some((meaning, MatchStrength::Stated));
    }
    // The headings of records are the paths of their fields.
    let known = if grid.records.is_some() {
        ColumnMeaning::from_path(heading)
    } else {
        ColumnMeaning::from_heading(heading)
    };
    let ids = [ColumnMeaning::CompetitorId, ColumnMeaning::TeamId];
    known.filter(|(meaning, _)| grid.recognises_ids() || !ids.contains(meaning))
}

impl HeaderTable {
    /// Finds the row of headings. `stated_meanings` are those by heading.
    pub(super) fn new(
        grid: CellGrid,
        stated_meanings: &BTreeMap<String, ColumnMeaning>,
    ) -> Result<Self, FileReadError> {
        if grid.row_count() == 0 {
            return Err(FileReadError::whole_document("the table is empty"));
        }
        let Some(header) = find_header_row(&grid, stated_meanings) else {
            return Err(refuse_table(&grid));
        };
        check_header_row(&grid, header, stated_meanings)?;
        let mut claims: BTreeMap<ColumnMeaning, Vec<(MatchStrength, usize)>> = BTreeMap::new();
        let mut ignored_columns = Vec::new();
        let mut unknown_columns = Vec::new();
        for (column, heading) in grid.cells(header).enumerate() {
            match find_meaning(&grid, heading, stated_meanings) {
                Some((ColumnMeaning::Ignore, _)) => ignored_columns.push(column),
                Some((meaning, strength)) => {
                    claims.entry(meaning).or_default().push((strength, column));
                }
                None => unknown_columns.push(column),
            }
        }
        let name_parts = NameParts::find(&grid, header, &mut claims, &mut unknown_columns)?;
        let grid = match name_parts {
            Some(parts) => parts.join(&grid, header)?,
            None => grid,
        };
        if let Some(place) = find_overall_place(&grid, header, &claims, &unknown_columns) {
            claims.remove(&ColumnMeaning::Summary);
            claims.insert(ColumnMeaning::Place, vec![(MatchStrength::Synonym, place)]);
        }
        let mut columns = BTreeMap::new();
        for (meaning, mut claims) in claims {
            claims.sort_unstable();
            let (strength, column) = claims[0];
            let rival = claims.get(1).filter(|rival| rival.0 == strength);
            columns.insert(meaning, (column, strength, rival.map(|rival| rival.1)));
        }
        Ok(Self {
            grid,
            header_row: header,
            columns,
            unknown_columns,
            ignored_columns,
            name_parts,
        })
    }

    /// Returns a table with this row of headings whose columns get their meanings elsewhere.
    pub(super) fn without_meanings(
        grid: CellGrid,
        header_row: usize,
        stated_meanings: &BTreeMap<String, ColumnMeaning>,
        unknown_columns: Vec<usize>,
    ) -> Result<Self, FileReadError> {
        check_header_row(&grid, header_row, stated_meanings)?;
        Ok(Self {
            grid,
            header_row,
            columns: BTreeMap::new(),
            unknown_columns,
            ignored_columns: Vec::new(),
            name_parts: None,
        })
    }

    /// Keeps columns with this heading from being contests.
    pub(super) fn exclude_from_results(&mut self, heading: &str) {
        let grid = &self.grid;
        self.unknown_columns
            .retain(|&column| grid.cell(self.header_row, column) != heading);
    }

    /// Gives a column without a meaning this one.
    pub(super) fn set_column(&mut self, meaning: ColumnMeaning, column: usize) {
        self.unknown_columns.retain(|&unknown| unknown != column);
        let claim = (column, MatchStrength::Synonym, None);
        self.columns.insert(meaning, claim);
    }

    /// True if some column has this meaning.
    pub(super) fn has_column(&self, meaning: ColumnMeaning) -> bool {
        self.columns.contains_key(&meaning)
    }

    /// True if some column has this meaning by an unambiguous heading.
    pub(super) fn has_definite_column(&self, meaning: ColumnMeaning) -> bool {
        let claim = self.columns.get(&meaning);
        claim.is_some_and(|&(_, strength, _)| strength != MatchStrength::Vague)
    }

    /// Returns the column with this meaning, the first of two that match equally well.
    pub(super) fn first_column(&self, meaning: ColumnMeaning) -> Option<usize> {
        self.columns.get(&meaning).map(|&(column, ..)| column)
    }

    /// Returns the column of sums or averages, which can rank competitors, as counts cannot.
    pub(super) fn total_column(&self) -> Option<usize> {
        self.has_definite_column(ColumnMeaning::Summary)
            .then(|| self.first_column(ColumnMeaning::Summary))?
    }

    /// Returns the column of names, of competitors, else of teams, else of members.
    pub(super) fn name_column(&self) -> usize {
        let mut columns =
            NAME_MEANINGS.into_iter().filter_map(|meaning| self.first_column(meaning));
        columns.next().unwrap_or_default()
    }

    /// Returns the column with this meaning, if there is one. Errors if two match equally well.
    pub(super) fn find_column(
        &self,
        meaning: ColumnMeaning,
    ) -> Result<Option<usize>, FileReadError> {
        match self.columns.get(&meaning) {
            None => Ok(None),
            Some(&(column, _, None)) => Ok(Some(column)),
            Some(&(column, _, Some(rival))) => Err(self.refuse_headings(format!(
                "the columns {} and {} both mean the {}; {}",
                self.describe_column(column),
                self.describe_column(rival),
                meaning.as_str(),
                if self.heading(column) == self.heading(rival) {
                    "give them different headings".to_owned()
                } else {
                    let option = self.ignore_option(rival);
                    format!("exclude one: --column {option}")
                }
            ))),
        }
    }

    /// Returns the error for a column, at its heading.
    pub(super) fn refuse_column(&self, column: usize, reason: impl Into<String>) -> FileReadError {
        FileReadError::new(self.heading_location(column), reason)
    }

    pub(super) fn heading_location(&self, column: usize) -> Location {
        self.grid.location(self.header_row, column)
    }

    /// Returns the error for the headings, at their row.
    pub(super) fn refuse_headings(&self, reason: impl Into<String>) -> FileReadError {
        FileReadError::new(self.grid.row_location(self.header_row), reason)
    }

    /// Returns the heading of a column.
    pub(super) fn heading(&self, column: usize) -> &str {
        self.grid.cell(self.header_row, column)
    }

    /// Returns the heading and letters of a column, for messages.
    pub(super) fn describe_column(&self, column: usize) -> String {
        let heading = shorten(self.heading(column));
        format!("{heading} ({})", column_letters(column), heading = Quoted(&heading))
    }

    /// Returns the headings and letters of the first columns, for messages.
    pub(super) fn describe_columns(&self, columns: &[usize]) -> String {
        let texts = columns.iter().map(|&column| self.describe_column(column));
        list_first(&texts.collect::<Vec<_>>(), ", ")
    }

    /// Returns the first headings, for messages.
    pub(super) fn list_headings(&self) -> String {
        list_headings(&self.grid, self.header_row)
    }

    /// Returns a heading, quoted for a shell.
    pub(super) fn quoted_heading(&self, column: usize) -> String {
        quote_for_shell(&shorten(self.heading(column)))
    }

    /// Returns the value of `--column` that excludes a column, quoted for a shell.
    pub(super) fn ignore_option(&self, column: usize) -> String {
        self.column_option(column, ColumnMeaning::Ignore)
    }

    /// Returns the value of `--column` that gives a column this meaning, quoted for a shell.
    pub(super) fn column_option(&self, column: usize, meaning: ColumnMeaning) -> String {
        let heading = self.heading(column);
        let heading = if heading == shorten(heading) {
            heading
        } else {
            "HEADING"
        };
        quote_for_shell(&format!("{heading}={}", meaning.as_str()))
    }

    /// Returns the columns that are not read and may be: without a `used` meaning, and not excluded
    /// by the user.
    pub(super) fn unread_columns(&self, used: &HashMap<usize, &'static str>) -> Vec<usize> {
        let headings = self.grid.cells(self.header_row).enumerate();
        let unread = headings.filter(|(column, _)| {
            !(used.contains_key(column)
                || self.ignored_columns.contains(column)
                || self.name_parts.is_some_and(|parts| parts.has(*column))
                || self.has_starting_ratings(*column))
        });
        unread.map(|(column, _)| column).collect()
    }

    /// True if the user excludes columns.
    pub(super) fn excludes_columns(&self) -> bool {
        !self.ignored_columns.is_empty()
    }

    fn has_starting_ratings(&self, column: usize) -> bool {
        [ColumnMeaning::StartingRating, ColumnMeaning::StartingSigma]
            .into_iter()
            .any(|meaning| self.first_column(meaning) == Some(column))
    }

    /// Returns the rows below the headings.
    pub(super) fn data_rows(&self) -> std::ops::Range<usize> {
        self.header_row + 1..self.grid.row_count()
    }

    /// Returns the cell of a column, or an empty text without one.
    pub(super) fn cell(&self, row: usize, column: Option<usize>) -> &str {
        column.map_or_else(|| self.grid.empty(), |column| self.grid.cell(row, column))
    }

    /// Returns the cells of a column below the headings.
    pub(super) fn values(&self, column: usize) -> impl Iterator<Item = &str> {
        self.data_rows().map(move |row| self.grid.cell(row, column))
    }

    /// True if a column holds the places of a ranking of three or more.
    pub(super) fn holds_ranking(&self, column: usize) -> bool {
        let places = || self.values(column).filter(|cell| !is_blank(cell));
        places().nth(2).is_some() && are_ranking(places())
    }

    /// Returns the number style of a column.
    pub(super) fn number_style(&self, column: Option<usize>) -> NumberStyle {
        let values = column.into_iter().flat_map(|column| self.values(column));
        NumberStyle::from_cells(values, self.grid.semicolons)
    }

    /// Returns the layout, with the meanings of the `used` columns.
    pub(super) fn layout(
        &self,
        shape: TableShape,
        used: &HashMap<usize, &'static str>,
        notes: Vec<String>,
    ) -> TableLayout {
        let columns: Vec<RecognisedColumn> = self
            .grid
            .cells(self.header_row)
            .enumerate()
            .filter(|(column, heading)| !heading.is_empty() || used.contains_key(column))
            .map(|(column, heading)| RecognisedColumn {
                letters: column_letters(column),
                heading: heading.to_owned(),
                // The column of joined names keeps the meaning of its heading.
                meaning: self
                    .name_parts
                    .and_then(|parts| parts.meaning(column))
                    .or_else(|| used.get(&column).copied()),
            })
            .collect();
        let unused: Vec<String> = columns
            .iter()
            .filter(|column| column.meaning.is_none())
            .map(|column| Quoted(&column.heading).to_string())
            .collect();
        let mut all_notes = self.grid.notes.clone();
        all_notes.extend(notes);
        if !unused.is_empty() {
            all_notes.push(format!("columns not used: {}", list_first(&unused, ", ")));
        }
        TableLayout {
            shape,
            header_line: self.grid.line_number(self.header_row),
            columns,
            notes: all_notes,
        }
    }
}

/// Errors if no rows follow the headings, or if a stated heading is not among them.
fn check_header_row(
    grid: &CellGrid,
    header: usize,
    stated_meanings: &BTreeMap<String, ColumnMeaning>,
) -> Result<(), FileReadError> {
    let refuse = |reason| FileReadError::new(grid.row_location(header), reason);
    if header + 1 == grid.row_count() {
        return Err(refuse("there are no rows below the headings".to_owned()));
    }
    let mut headings = stated_meanings.keys();
    match headings.find(|heading| !grid.cells(header).any(|cell| cell == *heading)) {
        None => Ok(()),
        Some(absent) => Err(refuse(format!(
            "no column is headed {}, as --column says; the headings are {}",
            Quoted(absent),
            list_headings(grid, header)
        ))),
    }
}

/// Returns the error for a table in which no column names competitors.
fn refuse_table(grid: &CellGrid) -> FileReadError {
    let cells: Vec<String> = grid.cells(0).map(shorten).collect();
    let first = list_first(&cells, " | ");
    let reason = if grid.records.is_some() {
        format!(
            "no field is called competitor, player, name or the like; name it with --column FIELD=competitor; the fields are {first}"
        )
    } else {
        format!(
            "no column is headed competitor, player, name or the like in the first {SEARCHED_ROWS} rows; name it with --column HEADING=competitor; the first row reads {first}"
        )
    };
    FileReadError::new(grid.row_location(0), reason)
}

/// The number of characters of a heading in messages.
const MAX_SHOWN_HEADING: usize = 80;

/// Returns the beginning of a long heading, for messages.
fn shorten(heading: &str) -> String {
    let mut chars = heading.chars();
    let mut short: String = chars.by_ref().take(MAX_SHOWN_HEADING).collect();
    if chars.next().is_some() {
        short.push('…');
    }
    short
}

/// Joins the first [`MAX_LISTED_COLUMNS`] texts and the number of the others.
fn list_first(texts: &[impl AsRef<str>], separator: &str) -> String {
    let mut listed: Vec<&str> = texts.iter().take(MAX_LISTED_COLUMNS).map(AsRef::as_ref).collect();
    let omitted = texts.len() - listed.len();
    let ending = format!("and {omitted} more");
    if omitted > 0 {
        listed.push(&ending);
    }
    listed.join(separator)
}

pub(super) fn list_headings(grid: &CellGrid, header: usize) -> String {
    let headings = grid.cells(header).filter(|heading| !heading.is_empty());
    list_first(&headings.map(shorten).collect::<Vec<_>>(), " | ")
}

/// Returns the only column of sums if it is headed "overall" and holds places: a ranking beside
/// columns of times, of which it cannot be the sum.
fn find_overall_place(
    grid: &CellGrid,
    header: usize,
    claims: &BTreeMap<ColumnMeaning, Vec<(MatchStrength, usize)>>,
    unknown: &[usize],
) -> Option<usize> {
    use ColumnMeaning::{Contest, ContestId, Date, Event, Place, Score, Summary};
    let decides = [Place, Score, Contest, ContestId, Event, Date];
    let &[(strength, column)] = claims.get(&Summary)?.as_slice() else {
        return None;
    };
    if strength == MatchStrength::Stated
        || decides.iter().any(|meaning| claims.contains_key(meaning))
        || !is_overall_heading(grid.cell(header, column))
    {
        return None;
    }
    let results = |column| {
        (header + 1..grid.row_count())
            .map(move |row| grid.cell(row, column))
            .filter(|cell| !is_blank(cell) && CellStatus::parse(cell).is_none())
    };
    let holds_times = |&column: &usize| {
        let times = results(column).filter(|cell| is_time(cell)).count();
        times > 0 && 2 * times >= results(column).count()
    };
    (are_ranking(results(column)) && unknown.iter().any(holds_times)).then_some(column)
}
