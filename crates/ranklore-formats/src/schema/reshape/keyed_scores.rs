//! Scores under the ids of the competitors: `"score": {"17": 11, "4": 7}` beside the ids 4 and 17.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::options::ReadOptions;
use crate::schema::game_claims::{Pair, claims, find_names, find_pairs};
use crate::values::cells::is_blank;
use crate::vocabulary::seats::Field;
use crate::vocabulary::seats::scores::rank_score;
use ranklore_grid::{CellGrid, FileReadError};

/// Columns of one object of scores, by their keys.
struct KeyedScores<'g> {
    object: &'g str,
    columns: BTreeMap<&'g str, usize>,
}

/// Returns the table with the scores of both competitors in two columns, if each row has those under the
/// ids of its competitors and no others. Errors if they may as well be the first and second score.
pub(crate) fn place_keyed_scores(
    grid: CellGrid,
    options: &ReadOptions,
) -> Result<CellGrid, FileReadError> {
    if grid.records.is_none() || !grid.limits().reader.refuses_doubts() {
        return Ok(grid);
    }
    // The first row of records has the names of their fields.
    let header_row = 0;
    let claims = claims(&grid, header_row, &options.columns);
    let pairing = find_names(&claims).next().map(|(pairing, _)| pairing);
    let ids =
        pairing.and_then(|pairing| find_pairs(&claims, pairing, Field::Id(0)).first().copied());
    let (Some(ids), Some(scores)) = (ids, KeyedScores::find(&grid, header_row)) else {
        return Ok(grid);
    };
    if !scores.are_keyed_by(&grid, header_row, ids) {
        return Ok(grid);
    }
    let keys: Vec<&str> = scores.columns.keys().copied().collect();
    if keys == ["1", "2"] {
        return match scores.find_reversed(&grid, header_row, ids) {
            None => Ok(grid),
            Some(row) => Err(FileReadError::new(
                grid.row_location(row),
                format!(
                    "the scores \"{0}.1\" and \"{0}.2\" can be those of the first and second competitor, or of the competitors with the ids 1 and 2: write them as two fields, such as \"score1\" and \"score2\"",
                    scores.object
                ),
            )),
        };
    }
    scores.placed(&grid, header_row, ids)
}

impl<'g> KeyedScores<'g> {
    /// Finds the columns of an object of scores with several keys.
    fn find(grid: &'g CellGrid, header_row: usize) -> Option<Self> {
        let mut objects: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
        for (column, heading) in grid.cells(header_row).enumerate() {
            if let Some((object, key)) = heading.rsplit_once('.') {
                objects.entry(object).or_default().insert(key, column);
            }
        }
        let is_score = |object: &str| {
            let name = object.rsplit('.').next().unwrap_or(object);
            rank_score(&name.to_lowercase()).is_some()
        };
        let mut objects = objects
            .into_iter()
            .filter(|(object, columns)| columns.len() > 1 && is_score(object));
        objects.next().map(|(object, columns)| Self { object, columns })
    }

    /// True if each row has the scores under both its ids, and no others.
    fn are_keyed_by(&self, grid: &CellGrid, header_row: usize, ids: Pair) -> bool {
        let mut rows = header_row + 1..grid.row_count();
        rows.all(|row| {
            let row_ids = ids.map(|column| grid.cell(row, column));
            self.columns
                .iter()
                .all(|(key, &column)| is_blank(grid.cell(row, column)) != row_ids.contains(key))
                && row_ids.iter().all(|id| self.columns.contains_key(id))
        })
    }

    /// Returns the first row whose first competitor has the second key.
    fn find_reversed(&self, grid: &CellGrid, header_row: usize, ids: Pair) -> Option<usize> {
        let second = self.columns.keys().nth(1)?;
        (header_row + 1..grid.row_count()).find(|&row| grid.cell(row, ids[0]) == *second)
    }

    /// Returns the table with the scores in the first two columns of the object, in the order of the
    /// competitors.
    fn placed(
        &self,
        grid: &CellGrid,
        header_row: usize,
        ids: Pair,
    ) -> Result<CellGrid, FileReadError> {
        let columns: Vec<usize> = self.columns.values().copied().collect();
        let placed = grid.map_cells(|row, column, cell| {
            let Some(seat) = columns.iter().position(|&known| known == column) else {
                return Cow::Borrowed(cell);
            };
            match ids.get(seat) {
                None => Cow::Borrowed(""),
                Some(_) if row == header_row => Cow::Owned(format!("{}.{}", self.object, seat + 1)),
                Some(&id) => {
                    let score = self.columns.get(grid.cell(row, id));
                    Cow::Borrowed(score.map_or("", |&score| grid.cell(row, score)))
                }
            }
        });
        let mut placed = placed.ok_or_else(|| FileReadError::whole_document("is too large"))?;
        let note = format!("the keys of \"{}\" are the ids of the competitors", self.object);
        placed.notes.push(note);
        Ok(placed)
    }
}
