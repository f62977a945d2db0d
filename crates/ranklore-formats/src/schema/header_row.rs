//! Finds the row of headings, in tables of results and in tables of games.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::options::{ReadOptions, StatedLayout};
use crate::schema::game_claims::{
    claims, count_known_headings, find_names, name_winner, states_games,
};
use crate::schema::joint_names::{Versus, find_joint_names};
use crate::schema::people::unnamed::find_unnamed;
use crate::values::cells::is_blank;
use crate::vocabulary::headings::MatchStrength;
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::member_headings::find_member_headings;
use crate::vocabulary::words::normalise_word;
use ranklore_grid::{CellGrid, FileReadError, column_letters};

/// Returns the table without further rows of the same headings, as pages that are joined have them. Errors if
/// such a row can begin another contest, and no column tells it.
pub(crate) fn drop_repeated_headings(
    grid: CellGrid,
    header: TableHeader,
    stated_meanings: &BTreeMap<String, ColumnMeaning>,
) -> Result<CellGrid, FileReadError> {
    let Some(header_row) = header.row else {
        return Ok(grid);
    };
    let has_texts = grid.cells(header_row).filter(|cell| !cell.is_empty()).nth(1).is_some();
    if !has_texts || grid.records.is_some() || !grid.limits().reader.refuses_doubts() {
        return Ok(grid);
    }
    let repeats = |row: usize| {
        row > header_row
            && grid.cell(row, 0) == grid.cell(header_row, 0)
            && grid.cells(row).eq(grid.cells(header_row))
    };
    let repeated: Vec<usize> = (header_row + 1..grid.row_count()).filter(|&r| repeats(r)).collect();
    let Some(&first) = repeated.first() else {
        return Ok(grid);
    };
    // Places that restart are found later.
    let has_place = grid.cells(header_row).any(|heading| {
        find_meaning(&grid, heading, stated_meanings).is_some_and(|m| m.0 == ColumnMeaning::Place)
    });
    if header.kind == TableKind::Results
        && !has_place
        && !names_contests_of_parts(&grid, header_row, &repeated, stated_meanings)
    {
        return Err(FileReadError::new(
            grid.row_location(first),
            "the headings stand again: if another contest begins here, add a column that names the contests; else remove the row",
        ));
    }
    let rows = match repeated.len() {
        1 => grid.row_location(first).to_string(),
        count => format!("{count} rows, first on {}", grid.row_location(first)),
    };
    let note = format!("the headings stand again on {rows}, left out");
    let mut distinct =
        grid.retain_rows(|row| !repeats(row)).map_err(FileReadError::whole_document)?;
    distinct.notes.push(note);
    Ok(distinct)
}

/// True if columns name contests, and none has rows before and behind repeated headings.
fn names_contests_of_parts(
    grid: &CellGrid,
    header_row: usize,
    repeated: &[usize],
    stated_meanings: &BTreeMap<String, ColumnMeaning>,
) -> bool {
    let columns = grid.cells(header_row).enumerate().filter(|(_, heading)| {
        find_meaning(grid, heading, stated_meanings).is_some_and(|m| m.0.describes_contest())
    });
    let columns: Vec<usize> = columns.map(|(column, _)| column).collect();
    let mut parts: HashMap<Vec<&str>, usize> = HashMap::new();
    !columns.is_empty()
        && (header_row + 1..grid.row_count())
            .filter(|row| repeated.binary_search(row).is_err())
            .all(|row| {
                let part = repeated.partition_point(|&heading| heading < row);
                let contest = columns.iter().map(|&column| grid.cell(row, column)).collect();
                *parts.entry(contest).or_insert(part) == part
            })
}

/// The number of rows that are searched for headings; titles and dates may precede them.
pub(crate) const SEARCHED_ROWS: usize = 20;

/// The kind of a table, as its headings tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TableKind {
    /// Rows of results: one column or two name a competitor.
    Results,
    /// Rows of games: two columns name the competitors, and others the result.
    Games,
}

/// The headings of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TableHeader {
    pub(crate) kind: TableKind,
    /// The row of headings; `None` if no row has the headings that this kind needs.
    pub(crate) row: Option<usize>,
}

impl TableHeader {
    /// Finds the headings of a table of the kind that the user or the headings state. A table with a
    /// column of competitors is not one of games: documents that were imported before are read as
    /// then. Ids alone name competitors if nothing else does.
    pub(crate) fn find(grid: &CellGrid, options: &ReadOptions) -> Self {
        let find = |kind| Self {
            kind,
            row: find_header_row(grid, kind, &options.columns),
        };
        match options.layout {
            Some(StatedLayout::Games) => find(TableKind::Games),
            Some(_) => find(TableKind::Results).or_by_ids(grid, options),
            None if states_games(&options.columns) => find(TableKind::Games),
            None => {
                let results = find(TableKind::Results);
                let games = || Some(find(TableKind::Games)).filter(|games| games.row.is_some());
                let is_game = |&row: &usize| {
                    has_joint_names(grid, row, &options.columns)
                        || names_both_seats(grid, row, &options.columns)
                        || counts_competitors(grid, row, &options.columns)
                };
                // A cell such as "Team" below the headings of games is no heading.
                let is_below_games = |&row: &usize| {
                    row > 0
                        && grid.limits().reader.refuses_doubts()
                        && games().is_some_and(|games| games.row < Some(row))
                };
                let results_row = results.row.filter(|row| !is_game(row) && !is_below_games(row));
                let header = results_row.map(|_| results).or_else(games);
                header.unwrap_or_else(|| results.or_by_ids(grid, options))
            }
        }
    }

    /// Returns the headings with ids of competitors or teams and a place or score, if there are no
    /// others, or else those with nations, clubs or other names that compete.
    fn or_by_ids(self, grid: &CellGrid, options: &ReadOptions) -> Self {
        use ColumnMeaning::{CompetitorId, Place, Score, TeamId};
        let has_ids = |&row: &usize| {
            let cells = grid.cells(row);
            let meanings: Vec<ColumnMeaning> = cells
                .filter_map(|heading| Some(find_meaning(grid, heading, &options.columns)?.0))
                .collect();
            let has = |meaning| meanings.contains(&meaning);
            (has(CompetitorId) || has(TeamId)) && (has(Place) || has(Score))
        };
        let has_unnamed = |&row: &usize| find_unnamed(grid, row, &options.columns).is_some();
        let find = |fits: &dyn Fn(&usize) -> bool| (0..searched_rows(grid)).find(fits);
        let row = self.row.or_else(|| find(&has_ids)).or_else(|| find(&has_unnamed));
        Self { row, ..self }
    }
}

/// True if a column counts competitors: it has a plural such as "teams" as its heading, and whole
/// numbers in its cells.
pub(crate) fn is_count(
    grid: &CellGrid,
    row: usize,
    column: usize,
    stated_meanings: &BTreeMap<String, ColumnMeaning>,
) -> bool {
    let heading = grid.cell(row, column);
    let cells = (row + 1..grid.row_count()).map(|row| grid.cell(row, column));
    let mut cells = cells.filter(|cell| !is_blank(cell)).peekable();
    !stated_meanings.contains_key(heading)
        && normalise_word(heading).ends_with('s')
        && cells.peek().is_some()
        && cells.all(|cell| cell.bytes().all(|byte| byte.is_ascii_digit()))
}

/// True if the heading of a column is one of names.
fn names_people(
    grid: &CellGrid,
    row: usize,
    column: usize,
    stated_meanings: &BTreeMap<String, ColumnMeaning>,
) -> bool {
    find_meaning(grid, grid.cell(row, column), stated_meanings)
        .is_some_and(|(meaning, _)| NAME_MEANINGS.contains(&meaning))
}

/// True if all columns of names count competitors.
fn counts_competitors(
    grid: &CellGrid,
    row: usize,
    stated_meanings: &BTreeMap<String, ColumnMeaning>,
) -> bool {
    let mut name_columns =
        (0..grid.width(row)).filter(|&column| names_people(grid, row, column, stated_meanings));
    let is_count = |column| is_count(grid, row, column, stated_meanings);
    name_columns.next().is_some_and(is_count) && name_columns.all(is_count)
}

/// True if the columns of names are those of the two competitors of a game: `jugador_a`, `jugador_b`.
fn names_both_seats(
    grid: &CellGrid,
    row: usize,
    stated_meanings: &BTreeMap<String, ColumnMeaning>,
) -> bool {
    let claims = claims(grid, row, stated_meanings);
    let pair = find_names(&claims).next().map(|(_, pair)| pair);
    let columns =
        (0..grid.width(row)).filter(|&column| names_people(grid, row, column, stated_meanings));
    let mut columns = columns.peekable();
    // A third column can say from whose list a row is.
    let repeats = |column: usize, pair: [usize; 2]| {
        (row + 1..grid.row_count()).all(|row| {
            let cell = grid.cell(row, column);
            !is_blank(cell) && pair.iter().any(|&name| grid.cell(row, name) == cell)
        })
    };
    columns.peek().is_some()
        && pair.is_some_and(|pair| {
            columns.all(|column| pair.contains(&column) || repeats(column, pair))
        })
        && grid.limits().reader.refuses_doubts()
        && count_known_headings(grid, row, stated_meanings).is_some()
}

/// True if a column of names has two competitors in each cell, and others the results of games.
fn has_joint_names(
    grid: &CellGrid,
    row: usize,
    stated_meanings: &BTreeMap<String, ColumnMeaning>,
) -> bool {
    let joint =
        find_joint_names(grid, row, |column| names_people(grid, row, column, stated_meanings));
    joint.is_some_and(|(_, versus)| versus == Versus::Word)
        && count_known_headings(grid, row, stated_meanings).is_some()
}

/// The meanings of columns of names, the best first.
pub(crate) const NAME_MEANINGS: [ColumnMeaning; 3] = [
    ColumnMeaning::Competitor,
    ColumnMeaning::Team,
    ColumnMeaning::Members,
];

/// Returns the row of headings of a table of this kind: among the first rows, the one with the most
/// known headings. The first of several equally good rows wins.
pub(crate) fn find_header_row(
    grid: &CellGrid,
    kind: TableKind,
    stated_meanings: &BTreeMap<String, ColumnMeaning>,
) -> Option<usize> {
    let count = |row| match kind {
        TableKind::Results => count_result_headings(grid, row, stated_meanings),
        TableKind::Games => count_known_headings(grid, row, stated_meanings),
    };
    (0..searched_rows(grid))
        .filter_map(|row| Some((count(row)?, row)))
        .filter(|&(count, row)| count > 1 || !is_data_row(grid, row))
        .max_by_key(|&(count, row)| (count, std::cmp::Reverse(row)))
        .map(|(_, row)| row)
}

/// True if a row has a number below a row of as many different words: a cell such as "Nome", a town, is no
/// heading then, although it means "name" elsewhere.
fn is_data_row(grid: &CellGrid, row: usize) -> bool {
    let is_number = |cell: &str| cell.bytes().all(|byte| byte.is_ascii_digit());
    let has_words = |above: usize| {
        let mut words = HashSet::new();
        grid.width(above) == grid.width(row)
            && grid.cells(above).all(|cell| {
                !is_blank(cell)
                    && !cell.contains(|c: char| c.is_ascii_digit())
                    && words.insert(cell)
            })
    };
    grid.limits().reader.refuses_doubts()
        && grid.cells(row).any(|cell| !cell.is_empty() && is_number(cell))
        && (0..row).any(has_words)
}

/// Returns a table whose blank headings are the letters that the user states for them, if there are
/// such; also the one behind the last heading.
pub(crate) fn name_blank_headings(
    grid: &CellGrid,
    row: usize,
    stated_meanings: &BTreeMap<String, ColumnMeaning>,
) -> Result<Option<CellGrid>, FileReadError> {
    if grid.has_letters || grid.records.is_some() || row >= grid.row_count() {
        return Ok(None);
    }
    let letters = |column: usize| {
        let letters = Some(column_letters(column)).filter(|_| grid.cell(row, column).is_empty());
        letters.filter(|letters| {
            stated_meanings.contains_key(letters) && grid.cells(row).all(|cell| cell != letters)
        })
    };
    let width = grid.width(row);
    if (0..=width).all(|column| letters(column).is_none()) {
        return Ok(None);
    }
    let mut named = grid.with_same_source();
    let mut fill = || -> Result<(), String> {
        for other in 0..grid.row_count() {
            named.begin_row_of(grid, other)?;
            if other != row {
                grid.cells(other).try_for_each(|cell| named.push_cell(cell))?;
                continue;
            }
            for column in 0..=width {
                match letters(column) {
                    Some(letters) => named.push_cell(&letters)?,
                    None if column < width => named.push_cell(grid.cell(row, column))?,
                    None => {}
                }
            }
        }
        Ok(())
    };
    fill().map_err(FileReadError::whole_document)?;
    Ok(Some(named))
}

/// Returns the number of rows that can be headings.
pub(crate) fn searched_rows(grid: &CellGrid) -> usize {
    // The first row of records has the names of their fields, and letters are the only headings.
    if grid.records.is_some() || grid.has_letters {
        1
    } else {
        grid.row_count().min(SEARCHED_ROWS)
    }
}

/// Returns the number of meanings in a row, if one names competitors.
fn count_result_headings(
    grid: &CellGrid,
    row: usize,
    stated_meanings: &BTreeMap<String, ColumnMeaning>,
) -> Option<usize> {
    let headings = grid.cells(row);
    let mut meanings: Vec<_> = headings
        .filter_map(|heading| find_meaning(grid, heading, stated_meanings))
        .map(|(meaning, _)| meaning)
        .collect();
    meanings.sort_unstable();
    meanings.dedup();
    let has = |meaning: ColumnMeaning| meanings.contains(&meaning);
    let has_names = NAME_MEANINGS.into_iter().any(has);
    let has_parts_of_names = has(ColumnMeaning::GivenName) && has(ColumnMeaning::Surname);
    let has_members = || names_members(grid, row, stated_meanings, has(ColumnMeaning::Place));
    (has_names || has_parts_of_names || has_members()).then_some(meanings.len())
}

/// True if numbered columns of a row of headings name the members of teams: three or more, or two
/// beside places and no result of a game.
fn names_members(
    grid: &CellGrid,
    row: usize,
    stated_meanings: &BTreeMap<String, ColumnMeaning>,
    has_places: bool,
) -> bool {
    let headings = grid.cells(row).enumerate();
    let unstated = headings.filter(|(_, heading)| !stated_meanings.contains_key(*heading));
    match find_member_headings(unstated).len() {
        0 | 1 => false,
        2 => has_places && count_known_headings(grid, row, stated_meanings).is_none(),
        _ => !name_winner(&claims(grid, row, stated_meanings)),
    }
}

/// Returns the meaning of a heading, as stated or known.
pub(crate) fn find_meaning(
    grid: &CellGrid,
    heading: &str,
    stated_meanings: &BTreeMap<String, ColumnMeaning>,
) -> Option<(ColumnMeaning, MatchStrength)> {
    use ColumnMeaning::{CompetitorId, RatingAfter, RatingBefore, RatingChange, TeamId};
    if let Some(&meaning) = stated_meanings.get(heading) {
        return Some((meaning, MatchStrength::Stated));
    }
    if grid.has_letters {
        return None;
    }
    // The headings of records are the paths of their fields.
    let known = if grid.records.is_some() {
        ColumnMeaning::from_path(heading)
    } else {
        ColumnMeaning::from_heading(heading)
    };
    let reader = grid.limits().reader;
    known.filter(|(meaning, _)| match meaning {
        CompetitorId | TeamId => reader.recognises_ids(),
        RatingBefore | RatingAfter | RatingChange => reader.refuses_doubts(),
        _ => true,
    })
}
