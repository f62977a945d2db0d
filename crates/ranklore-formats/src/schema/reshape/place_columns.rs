//! Turns a table with one row per contest, whose columns are places, into one with one row per
//! result.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::options::ReadOptions;
use crate::schema::header_row::{NAME_MEANINGS, SEARCHED_ROWS, find_meaning, is_count};
use crate::values::cells::is_blank;
use crate::values::dates::{DateError, DateStyle, parse_cell};
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::places::place_of_heading;
use crate::vocabulary::words::{has_word, normalise_word};
use ranklore_contest::Quoted;
use ranklore_grid::{CellGrid, CommandOptions, FileReadError, Reason, Records};

/// Keys of objects that hold places, without the plural s.
const RESULT_WORDS: &str = "result place podium ranking standing winner position medal";

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
    let may_unfold = match &grid.records {
        None => true,
        Some(Records::Elements(paths)) => {
            !paths.has_groups() && grid.limits().reader.refuses_doubts()
        }
        Some(_) => false,
    };
    if options.layout.is_some() || options.no_headings || !may_unfold {
        return Ok(None);
    }
    let most = if grid.records.is_some() {
        1
    } else {
        SEARCHED_ROWS
    };
    let mut searched = 0..grid.row_count().min(most);
    let Some(columns) = searched.find_map(|row| PlaceColumns::find(grid, row, &options.columns))
    else {
        return check_named_contests(grid, options).map(|()| None);
    };
    columns.check_options(&options.columns)?;
    columns.check_contests()?;
    columns.check_names()?;
    columns.unfold().map(Some).map_err(FileReadError::whole_document)
}

/// Errors if the first row has a heading "name" beside those of winners and runners-up, and a date: the
/// names are those of contests, if no name is that of a winner and no other column holds results.
fn check_named_contests(grid: &CellGrid, options: &ReadOptions) -> Result<(), FileReadError> {
    let names = (grid.row_count() > 0)
        .then(|| grid.cells(0).position(|heading| heading.eq_ignore_ascii_case("name")))
        .flatten()
        .filter(|&column| !options.columns.contains_key(grid.cell(0, column)));
    let Some(column) = names.filter(|_| grid.limits().reader.refuses_doubts()) else {
        return Ok(());
    };
    let heading = grid.cell(0, column);
    let mut meanings = options.columns.clone();
    meanings.insert(heading.to_owned(), ColumnMeaning::Contest);
    let has_result = grid.cells(0).any(|heading| {
        let meaning = find_meaning(grid, heading, &meanings).map(|known| known.0);
        matches!(meaning, Some(ColumnMeaning::Score | ColumnMeaning::Status))
    });
    let columns = PlaceColumns::find(grid, 0, &meanings).filter(|_| !has_result);
    let Some(columns) = columns.filter(|columns| columns.keys.len() > 1) else {
        return Ok(());
    };
    let winners: BTreeSet<&str> = columns.cells().map(|(_, _, cell)| cell).collect();
    if columns.rows().any(|row| winners.contains(grid.cell(row, column))) {
        return Ok(());
    }
    let option = CommandOptions::new("--column", format!("{heading}=contest"));
    let problem = "the columns of a row name who took each place";
    let cases = [(option, "if each row is a contest of this name")];
    Err(FileReadError::new(grid.row_location(0), Reason::with_options(problem, cases)))
}

impl<'g> PlaceColumns<'g> {
    fn find(
        grid: &'g CellGrid,
        header_row: usize,
        stated_meanings: &BTreeMap<String, ColumnMeaning>,
    ) -> Option<Self> {
        use ColumnMeaning::{Contest, ContestId, Date, Division, Event};
        let mut places = Vec::new();
        let mut others = Vec::new();
        let mut keys = Vec::new();
        let mut objects = BTreeSet::new();
        let mut has_score = false;
        for (column, heading) in grid.cells(header_row).enumerate() {
            // Of records, the heading is a path: "results.first".
            let (object, field) = heading
                .rsplit_once('.')
                .filter(|_| grid.records.is_some())
                .unwrap_or(("", heading));
            if let Some(place) = place_of_heading(field) {
                objects.insert(object);
                places.push((place, column));
                continue;
            }
            let meaning = find_meaning(grid, heading, stated_meanings).map(|known| known.0);
            has_score |= meaning == Some(ColumnMeaning::Score);
            let names_people = meaning.is_some_and(|m| NAME_MEANINGS.contains(&m))
                && !is_count(grid, header_row, column, stated_meanings);
            if names_people || meaning == Some(ColumnMeaning::Place) {
                return None;
            }
            let describes_contest = meaning.is_some_and(ColumnMeaning::describes_contest);
            if describes_contest || stated_meanings.contains_key(heading) {
                others.push(column);
            }
            if meaning.is_some_and(|m| [Contest, ContestId, Event, Date, Division].contains(&m)) {
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
        // First, second and third of a line-up or of a prediction are no places.
        let have_results = |object: &str| {
            object.is_empty()
                || (!has_score
                    && has_word(RESULT_WORDS, normalise_word(object).trim_end_matches('s')))
        };
        let are_places = objects.len() == 1 && objects.into_iter().all(have_results);
        (are_places && columns.are_from_first() && columns.hold_names()).then_some(columns)
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
        let problem = "each row is a contest and its columns are places, but nothing tells this contest from another";
        let cases = self.name_contests(&rows);
        let reason = if cases.is_empty() {
            format!("{problem}: add a column headed \"contest\"").into()
        } else {
            Reason::with_options(problem, cases)
        };
        Err(FileReadError::new(self.grid.row_location(repeated), reason))
    }

    /// Returns the options with columns that tell the contests in these rows apart: one of names, or
    /// two; else one of dates, or of ids.
    fn name_contests(&self, rows: &[usize]) -> Vec<(CommandOptions, &'static str)> {
        use ColumnMeaning::{Contest, Date, Division};
        let grid = self.grid;
        let differ = |columns: &[usize]| {
            let mut values = HashSet::new();
            rows.iter().all(|&row| {
                let columns = self.keys.iter().chain(columns);
                values.insert(columns.map(|&c| grid.cell(row, c)).collect::<Vec<_>>())
            })
        };
        let holds = |column: usize, is_kind: &dyn Fn(&str) -> bool| {
            rows.iter().all(|&row| is_kind(grid.cell(row, column)))
        };
        let option = |column: usize, meaning: ColumnMeaning| {
            let heading = grid.cell(self.header_row, column);
            CommandOptions::new("--column", format!("{heading}={}", meaning.as_str()))
        };
        let unread: Vec<usize> = (0..grid.width(self.header_row))
            .filter(|&column| {
                let is_place = self.places.iter().any(|place| place.1 == column);
                let heading = grid.cell(self.header_row, column);
                !is_place && !self.keys.contains(&column) && !heading.is_empty()
            })
            .collect();
        let is_name = |cell: &str| cell.contains(char::is_alphabetic);
        let names = || unread.iter().copied().filter(|&column| holds(column, &is_name));
        if let Some(column) = names().find(|&column| differ(&[column])) {
            return vec![(option(column, Contest), "if it names them")];
        }
        let mut pairs = names().flat_map(|one| names().map(move |two| (one, two)));
        if let Some((one, two)) = pairs.find(|&(one, two)| one < two && differ(&[one, two])) {
            let options = option(one, Contest).and(option(two, Division));
            return vec![(options, "if they name them")];
        }
        let is_date = |cell: &str| {
            let date = parse_cell(cell, DateStyle::default());
            matches!(date, Ok(_) | Err(DateError::Ambiguous | DateError::ShortYear))
        };
        let Some(column) = unread.iter().copied().find(|&column| differ(&[column])) else {
            return Vec::new();
        };
        if holds(column, &is_date) {
            return vec![(option(column, Date), "if it dates them")];
        }
        vec![(option(column, Contest), "if it names them")]
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
        let no_ids = BTreeMap::new();
        let mut unfolded = unfold_rows(grid, self.header_row, &self.others, &no_ids, |row| {
            let named = self.places.iter().map(|&(place, column)| (place, grid.cell(row, column)));
            named.filter(|(_, name)| !is_blank(name)).collect()
        })?;
        let headings = self.places.iter().map(|&(_, c)| grid.cell(self.header_row, c).to_owned());
        let headings: Vec<String> = headings.take(4).collect();
        unfolded.notes.push(format!(
            "one row per contest, the columns are places: {}; other columns are not read",
            headings.join(", ")
        ));
        Ok(unfolded)
    }
}

/// Returns a table with these columns and a row for each result of a contest: its place and competitor,
/// and the id of the contest if there are some for the rows.
pub(super) fn unfold_rows<'g>(
    grid: &'g CellGrid,
    header_row: usize,
    columns: &[usize],
    ids: &BTreeMap<usize, String>,
    results: impl Fn(usize) -> Vec<(u32, &'g str)>,
) -> Result<CellGrid, String> {
    let mut unfolded = grid.with_same_source();
    unfolded.begin_row_of(grid, header_row)?;
    for &column in columns {
        unfolded.push_cell(grid.cell(header_row, column))?;
    }
    if !ids.is_empty() {
        unfolded.push_cell(ColumnMeaning::ContestId.as_str())?;
    }
    unfolded.push_cell("place")?;
    unfolded.push_cell("competitor")?;
    for row in header_row + 1..grid.row_count() {
        for (place, name) in results(row) {
            unfolded.begin_row_of(grid, row)?;
            for &column in columns {
                unfolded.push_cell(grid.cell(row, column))?;
            }
            if let Some(id) = ids.get(&row) {
                unfolded.push_cell(id)?;
            }
            unfolded.push_cell(&place.to_string())?;
            unfolded.push_cell(name)?;
        }
    }
    Ok(unfolded)
}
