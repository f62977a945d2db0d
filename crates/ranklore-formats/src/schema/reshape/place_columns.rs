//! Turns a table with one row per contest, whose columns are places, into one with one row per
//! result.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::options::ReadOptions;
use crate::schema::header_row::{NAME_MEANINGS, SEARCHED_ROWS, find_meaning};
use crate::values::cells::is_blank;
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::places::place_of_heading;
use ranklore_contest::Quoted;
use ranklore_grid::{CellGrid, CommandOptions, FileReadError, Reason};

/// The columns of places below a row of headings.
struct PlaceColumns<'g> {
    grid: &'g CellGrid,
    header_row: usize,
    /// The place and column of each.
    places: Vec<(u32, usize)>,
    /// The columns that describe the contest, or that the user names.
    others: Vec<usize>,
    /// The columns that tell contests apart.
    keys: Vec<usize>,
}

/// Returns the table with a row for each result, if headings such as "1st", "2nd" and "3rd" or
/// "Gold", "Silver" and "Bronze" stand above names. Errors if rows can be one contest, or if a cell
/// can name several competitors.
pub(crate) fn unfold_places(
    grid: &CellGrid,
    options: &ReadOptions,
) -> Result<Option<CellGrid>, FileReadError> {
    if options.layout.is_some() || options.no_headings || grid.records.is_some() {
        return Ok(None);
    }
    let mut searched = 0..grid.row_count().min(SEARCHED_ROWS);
    let Some(columns) = searched.find_map(|row| PlaceColumns::find(grid, row, &options.columns))
    else {
        return Ok(None);
    };
    columns.check_options(&options.columns)?;
    columns.check_contests()?;
    columns.check_names()?;
    columns.unfold().map(Some).map_err(FileReadError::whole_document)
}

impl<'g> PlaceColumns<'g> {
    fn find(
        grid: &'g CellGrid,
        header_row: usize,
        stated_meanings: &BTreeMap<String, ColumnMeaning>,
    ) -> Option<Self> {
        use ColumnMeaning::{Contest, ContestId, Date, Event};
        let mut places = Vec::new();
        let mut others = Vec::new();
        let mut keys = Vec::new();
        for (column, heading) in grid.cells(header_row).enumerate() {
            if let Some(place) = place_of_heading(heading) {
                places.push((place, column));
                continue;
            }
            let meaning = find_meaning(grid, heading, stated_meanings).map(|known| known.0);
            if meaning.is_some_and(|m| NAME_MEANINGS.contains(&m) || m == ColumnMeaning::Place) {
                return None;
            }
            let describes_contest = meaning.is_some_and(ColumnMeaning::describes_contest);
            if describes_contest || stated_meanings.contains_key(heading) {
                others.push(column);
            }
            if meaning.is_some_and(|m| [Contest, ContestId, Event, Date].contains(&m)) {
                keys.push(column);
            }
        }
        let columns = Self {
            grid,
            header_row,
            places,
            others,
            keys,
        };
        (columns.are_from_first() && columns.hold_names()).then_some(columns)
    }

    /// True if there are the first three places at least, or a winner and a runner-up. First and
    /// second can be players.
    fn are_from_first(&self) -> bool {
        let places: BTreeSet<u32> = self.places.iter().map(|&(place, _)| place).collect();
        let has_no_gap = (1..).zip(&places).all(|(position, &place)| place == position);
        let has_final = self.places.iter().any(|&(place, column)| {
            place == 2 && self.grid.cell(self.header_row, column).to_lowercase().starts_with("run")
        });
        has_no_gap && (places.len() > 2 || (places.len() == 2 && has_final))
    }

    fn cells(&self) -> impl Iterator<Item = (usize, usize, &'g str)> {
        let grid = self.grid;
        let places = &self.places;
        self.rows().flat_map(move |row| {
            places.iter().map(move |&(_, column)| (row, column, grid.cell(row, column)))
        })
    }

    fn rows(&self) -> std::ops::Range<usize> {
        self.header_row + 1..self.grid.row_count()
    }

    /// True if the columns hold names. Numbers are counts of medals and places, or scores.
    fn hold_names(&self) -> bool {
        let mut cells = self.cells().filter(|(_, _, cell)| !is_blank(cell)).peekable();
        cells.peek().is_some() && cells.all(|(_, _, cell)| cell.contains(char::is_alphabetic))
    }

    fn check_options(
        &self,
        stated_meanings: &BTreeMap<String, ColumnMeaning>,
    ) -> Result<(), FileReadError> {
        let mut headings = self.places.iter().map(|&(_, c)| self.grid.cell(self.header_row, c));
        headings.find(|&heading| stated_meanings.contains_key(heading)).map_or(Ok(()), |heading| {
            let reason = format!(
                "the columns are places, from {}: leave out --column for them, or write one row per result",
                Quoted(heading)
            );
            Err(FileReadError::new(self.grid.row_location(self.header_row), reason))
        })
    }

    /// Errors if two rows have the same contest, as far as known columns tell.
    fn check_contests(&self) -> Result<(), FileReadError> {
        let mut contests = HashSet::new();
        let key = |row| self.keys.iter().map(move |&c| self.grid.cell(row, c)).collect::<Vec<_>>();
        let filled = self.rows().filter(|&row| {
            self.places.iter().any(|&(_, column)| !is_blank(self.grid.cell(row, column)))
        });
        let rows: Vec<usize> = filled.collect();
        let Some(&repeated) = rows.iter().find(|&&row| !contests.insert(key(row))) else {
            return Ok(());
        };
        let differs = |&column: &usize| {
            let mut values = HashSet::new();
            let heading = self.grid.cell(self.header_row, column);
            !heading.is_empty()
                && rows.iter().all(|&row| values.insert(self.grid.cell(row, column)))
        };
        let place_columns: Vec<usize> = self.places.iter().map(|place| place.1).collect();
        let mut unread = (0..self.grid.width(self.header_row))
            .filter(|column| !place_columns.contains(column) && !self.keys.contains(column));
        let problem = "each row is a contest and its columns are places, but nothing tells this contest from another";
        let reason = match unread.find(differs) {
            Some(column) => {
                let option = |meaning: &str| {
                    let heading = self.grid.cell(self.header_row, column);
                    CommandOptions::new("--column", format!("{heading}={meaning}"))
                };
                let cases = [
                    (option("contest"), "if it names them"),
                    (option("date"), "if it dates them"),
                ];
                Reason::with_options(problem, cases)
            }
            None => format!("{problem}: add a column headed \"contest\"").into(),
        };
        Err(FileReadError::new(self.grid.row_location(repeated), reason))
    }

    /// Errors if a cell can name several competitors.
    fn check_names(&self) -> Result<(), FileReadError> {
        let is_list =
            |cell: &str| cell.contains(['/', '&', ';', ',', '+']) || cell.contains(" and ");
        self.cells().find(|(_, _, cell)| is_list(cell)).map_or(Ok(()), |(row, column, cell)| {
            let reason = format!(
                "{} may be a tie, a team or one name: write one row per result, with columns headed \"place\" and \"competitor\"",
                Quoted(cell)
            );
            Err(FileReadError::new(self.grid.location(row, column), reason))
        })
    }

    fn unfold(&self) -> Result<CellGrid, String> {
        let grid = self.grid;
        let mut unfolded = grid.with_same_source();
        let line = |row| grid.line_number(row).unwrap_or(row as u64 + 1);
        unfolded.begin_row(line(self.header_row))?;
        for &column in &self.others {
            unfolded.push_cell(grid.cell(self.header_row, column))?;
        }
        unfolded.push_cell("place")?;
        unfolded.push_cell("competitor")?;
        for row in self.rows() {
            for &(place, column) in &self.places {
                let name = grid.cell(row, column);
                if is_blank(name) {
                    continue;
                }
                unfolded.begin_row(line(row))?;
                for &other in &self.others {
                    unfolded.push_cell(grid.cell(row, other))?;
                }
                unfolded.push_cell(&place.to_string())?;
                unfolded.push_cell(name)?;
            }
        }
        let headings = self.places.iter().map(|&(_, c)| grid.cell(self.header_row, c).to_owned());
        let headings: Vec<String> = headings.take(4).collect();
        unfolded.notes.push(format!(
            "one row per contest, the columns are places: {}; other columns are not read",
            headings.join(", ")
        ));
        Ok(unfolded)
    }
}
