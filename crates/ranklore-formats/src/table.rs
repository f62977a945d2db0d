//! Reads a table downwards: from the grid to its schema, to the layout, to the contests.

use std::collections::BTreeMap;

use crate::layouts::{games, long, wide};
use crate::options::{ReadOptions, StatedLayout};
use crate::reading::Candidates;
use crate::schema::games::find_game_columns;
use crate::schema::header_row::{
    TableHeader, TableKind, drop_repeated_headings, name_blank_headings,
};
use crate::schema::layout::{Layout, decide_layout};
use crate::schema::people::line_breaks::join_broken_names;
use crate::schema::people::side_columns::{check_unknown_sides, find_evident_sides};
use crate::schema::ragged::{drop_filler_rows, drop_surplus_cells};
use crate::schema::reshape::conditions::select_rows;
use crate::schema::reshape::keyed_scores::place_keyed_scores;
use crate::schema::reshape::listed_players::unfold_listed_players;
use crate::schema::reshape::place_columns::unfold_places;
use crate::schema::reshape::sections::unfold_sections;
use crate::schema::reshape::set_columns::join_set_columns;
use crate::schema::reshape::sideways::turn_sideways;
use crate::schema::rules::apply_column_rules;
use crate::schema::rules::duplicates::check_unnamed_blocks;
use crate::schema::table::HeaderTable;
use crate::schema::unnamed_competitors::refuse_table;
use crate::schema::unnamed_games::check_games_without_headings;
use ranklore_grid::{CellGrid, FileReadError};

/// The note for a table whose headings do not name the two sides of a game.
const EVIDENT_SIDES: &str = "no heading names the competitors, and the columns are two sides of a game: \
     pass --layout rows if they are not";

/// Reads the contests of a table.
pub(crate) fn read(
    mut grid: CellGrid,
    file_name: &str,
    options: &ReadOptions,
) -> Result<Candidates, FileReadError> {
    if options.every_days == Some(0) {
        return Err(FileReadError::whole_document(
            "--every 0 gives contests no order; pass --every 1 or more",
        ));
    }
    if options.no_headings {
        grid.insert_letters()?;
    }
    if options.layout == Some(StatedLayout::Contests) {
        let grid = select_rows(grid, options)?;
        return read_sideways(&grid, file_name, options);
    }
    grid = rearrange(grid, options)?;
    let (cells, bytes) = grid.size();
    tracing::debug!("grid: {} rows, {cells} cells, {bytes} bytes of text", grid.row_count());
    let (mut grid, mut header) = find_headings(grid, options)?;
    let sides = header.row.is_none().then(|| find_evident_sides(&grid, options)).flatten();
    let options = sides.as_ref().unwrap_or(options);
    if sides.is_some() {
        header = TableHeader::find(&grid, options);
        grid.notes.push(EVIDENT_SIDES.to_owned());
    }
    if header.row.is_none() {
        grid = check_unknown_headings(grid, options)?;
    }
    let grid = drop_repeated_headings(grid, header, &options.columns)?;
    let grid = drop_filler_rows(grid, header.row.unwrap_or_default())?;
    let grid = grid.normalise_spellings(header.row.unwrap_or_default())?;
    let grid = join_broken_names(grid, header.row.unwrap_or_default(), options)?;
    if header.kind == TableKind::Games {
        let (mut table, columns) = find_game_columns(grid, header.row, options)?;
        table.state_decimal_mark(options.decimal_mark);
        tracing::debug!("layout: rows are games, by {}", table.list_headings());
        return games::read(&table, &columns, file_name, options);
    }
    let header_row = header.row.ok_or_else(|| refuse_table(&grid))?;
    let mut table = HeaderTable::new(grid, header_row, &options.columns)?;
    table.state_decimal_mark(options.decimal_mark);
    let row = table.grid.row_location(table.header_row);
    tracing::debug!("headings on {row} propose {:?}", table.proposals);
    apply_column_rules(&mut table, options)?;
    match decide_layout(&table, options)? {
        Layout::Long(layout) => long::read(&table, &layout, file_name, options),
        Layout::Wide(layout) => wide::read(&table, &layout, file_name, options),
    }
}

/// Returns the table with its headings, without faults in its columns, and with one column of sets.
fn find_headings(
    mut grid: CellGrid,
    options: &ReadOptions,
) -> Result<(CellGrid, TableHeader), FileReadError> {
    let mut header = TableHeader::find(&grid, options);
    if let Some(repaired) = repair_columns(&grid, header.row.unwrap_or_default(), options)? {
        grid = repaired;
        header = TableHeader::find(&grid, options);
    }
    if header.row.is_none()
        && let Some(joined) = join_set_columns(&grid, options)?
    {
        let joined_header = TableHeader::find(&joined, options);
        if joined_header.row.is_some() {
            return Ok((joined, joined_header));
        }
    }
    Ok((grid, header))
}

/// Errors if no heading of a table is known, and its cells show what it is.
fn check_unknown_headings(
    grid: CellGrid,
    options: &ReadOptions,
) -> Result<CellGrid, FileReadError> {
    check_games_without_headings(&grid, options)?;
    check_unnamed_blocks(check_unknown_sides(grid, options)?)
}

/// Returns the rows that the user selects, each with all that belongs to it.
fn rearrange(mut grid: CellGrid, options: &ReadOptions) -> Result<CellGrid, FileReadError> {
    if let Some(unfolded) = unfold_places(&grid, options)? {
        grid = unfolded;
    }
    if let Some(unfolded) = unfold_listed_players(&grid, options)? {
        grid = unfolded;
    }
    if let Some(unfolded) = unfold_sections(&grid, options)? {
        grid = unfolded;
    }
    // Titles of sections fail every condition: they are cells of their rows by now.
    grid = select_rows(grid, options)?;
    place_keyed_scores(grid, options)
}

/// Reads a table whose rows are contests and whose columns are competitors.
fn read_sideways(
    grid: &CellGrid,
    file_name: &str,
    options: &ReadOptions,
) -> Result<Candidates, FileReadError> {
    let sideways = turn_sideways(grid, options)?;
    let options = ReadOptions {
        layout: Some(StatedLayout::Players),
        columns: BTreeMap::new(),
        conditions: Vec::new(),
        no_headings: false,
        ..options.clone()
    };
    read(sideways, file_name, &options)
}

/// Returns a table with the headings that the user names by letters, or without the cells that shift
/// its rows.
fn repair_columns(
    grid: &CellGrid,
    header_row: usize,
    options: &ReadOptions,
) -> Result<Option<CellGrid>, FileReadError> {
    let named = name_blank_headings(grid, header_row, &options.columns)?;
    let whole = drop_surplus_cells(named.as_ref().unwrap_or(grid), header_row)?;
    Ok(whole.or(named))
}
