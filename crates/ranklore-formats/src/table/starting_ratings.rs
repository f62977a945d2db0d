//! Reads the starting ratings of competitors.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use super::columns::ColumnMeaning;
use super::header::HeaderTable;
use crate::reading::{Candidates, FileReadError, Location, RefusedEntries, RefusedEntry};
use crate::table::values::cells::is_blank;
use crate::table::values::numbers::NumberStyle;
use ranklore_contest::{
    EntrantKind, Quoted, STARTING_MU_RANGE, STARTING_SIGMA_RANGE, StartingRating,
};

/// Collects the starting ratings of a table.
pub(super) struct StartingRatingCollector {
    mu: Option<(usize, NumberStyle)>,
    sigma: Option<(usize, NumberStyle)>,
    found: Vec<(EntrantKind, String, StartingRating)>,
    /// The index in `found`, the line, and true if a conflict was reported, for each competitor.
    known: HashMap<(EntrantKind, String), (usize, usize, bool)>,
    refused: RefusedEntries,
}

impl StartingRatingCollector {
    pub(super) fn new(table: &HeaderTable) -> Result<Self, FileReadError> {
        let find = |meaning| -> Result<_, FileReadError> {
            let column = table.find_column(meaning)?;
            Ok(column.map(|column| (column, table.number_style(Some(column)))))
        };
        Ok(Self {
            mu: find(ColumnMeaning::StartingRating)?,
            sigma: find(ColumnMeaning::StartingSigma)?,
            found: Vec::new(),
            known: HashMap::new(),
            refused: RefusedEntries::default(),
        })
    }

    /// Reads the starting rating of `competitor` from a row.
    pub(super) fn read_row(
        &mut self,
        table: &HeaderTable,
        row: usize,
        kind: EntrantKind,
        competitor: &str,
    ) {
        let Some((column, style)) = self.mu else {
            return;
        };
        let cell = table.grid.cell(row, column);
        if is_blank(cell) || competitor.is_empty() {
            return;
        }
        let at = table.grid.location(row, column);
        let rating = match self.read_rating(table, row, cell, style) {
            Ok(rating) => rating,
            Err(why) => {
                return self.refuse(
                    at,
                    format!("{competitor}: {why}", competitor = Quoted(competitor)),
                );
            }
        };
        let whose = (kind, competitor.to_owned());
        match self.known.get_mut(&whose) {
            None => {
                let known = (self.found.len(), row, false);
                self.known.insert(whose, known);
                self.found.push((kind, competitor.to_owned(), rating));
            }
            Some((index, first, told)) if self.found[*index].2 != rating && !*told => {
                *told = true;
                let why = format!(
                    "{competitor} has another starting rating here than on {}: {} and {}; the first is kept",
                    table.grid.row_location(*first),
                    rating.mu,
                    self.found[*index].2.mu,
                    competitor = Quoted(competitor)
                );
                self.refuse(at, why);
            }
            Some(_) => {}
        }
    }

    fn read_rating(
        &self,
        table: &HeaderTable,
        row: usize,
        cell: &str,
        style: NumberStyle,
    ) -> Result<StartingRating, String> {
        let read = |what: &str, cell: &str, style: NumberStyle, range: RangeInclusive<f64>| {
            let number = style
                .parse(cell)
                .map_err(|error| error.message(what, cell))?;
            if range.contains(&number) {
                return Ok(number);
            }
            let (low, high) = (range.start(), range.end());
            Err(format!(
                "{what} {cell} lies outside {low} to {high}",
                cell = Quoted(cell)
            ))
        };
        let mu = read("starting rating", cell, style, STARTING_MU_RANGE)?;
        let sigma = (self.sigma)
            .map(|(column, style)| (table.grid.cell(row, column), style))
            .filter(|(cell, _)| !is_blank(cell))
            .map(|(cell, style)| read("starting sigma", cell, style, STARTING_SIGMA_RANGE))
            .transpose()?;
        Ok(StartingRating { mu, sigma })
    }

    fn refuse(&mut self, at: Location, why: String) {
        self.refused.push(RefusedEntry {
            at,
            contest: None,
            why,
        });
    }

    /// Moves the ratings and refusals to `to`, and the columns to `used`.
    pub(super) fn finish(self, to: &mut Candidates, used: &mut HashMap<usize, &'static str>) {
        for (column, meaning) in [
            (self.mu, ColumnMeaning::StartingRating),
            (
                self.sigma.filter(|_| self.mu.is_some()),
                ColumnMeaning::StartingSigma,
            ),
        ] {
            used.extend(column.map(|(column, _)| (column, meaning.as_str())));
        }
        to.starting_ratings.extend(self.found);
        to.refused.append(self.refused);
    }
}
