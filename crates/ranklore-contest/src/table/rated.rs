//! Reads the starting ratings of competitors.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use super::columns::Meaning;
use super::header::Table;
use crate::contest::{EntrantKind, START_MU, START_SIGMA, StartingRating};
use crate::reading::{At, Candidates, ReadError, Refusal, Refusals};
use crate::table::values::cells::is_blank;
use crate::table::values::numbers::Style;

/// Collects the starting ratings of a table.
pub(super) struct StartingRatings {
    mu: Option<(usize, Style)>,
    sigma: Option<(usize, Style)>,
    found: Vec<(EntrantKind, String, StartingRating)>,
    /// The index in `found`, the line, and true if a conflict was reported, for each competitor.
    known: HashMap<(EntrantKind, String), (usize, u64, bool)>,
    refused: Refusals,
}

impl StartingRatings {
    pub(super) fn of(table: &Table) -> Result<Self, ReadError> {
        let find = |meaning| -> Result<_, ReadError> {
            let column = table.column(meaning)?;
            Ok(column.map(|column| (column, table.style(Some(column)))))
        };
        Ok(Self {
            mu: find(Meaning::StartingRating)?,
            sigma: find(Meaning::StartingSigma)?,
            found: Vec::new(),
            known: HashMap::new(),
            refused: Refusals::default(),
        })
    }

    /// Reads the starting rating of `competitor` from a row.
    pub(super) fn read_row(
        &mut self,
        table: &Table,
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
        let (at, line) = (table.grid.at(row, column), table.grid.line(row));
        let rating = match self.rating(table, row, cell, style) {
            Ok(rating) => rating,
            Err(why) => return self.refuse(at, format!("{competitor:?}: {why}")),
        };
        let whose = (kind, competitor.to_owned());
        match self.known.get_mut(&whose) {
            None => {
                let known = (self.found.len(), line, false);
                self.known.insert(whose, known);
                self.found.push((kind, competitor.to_owned(), rating));
            }
            Some((index, first, told)) if self.found[*index].2 != rating && !*told => {
                *told = true;
                let why = format!(
                    "{competitor:?} has another starting rating here than on line {first}: {} and {}; the first is kept",
                    rating.mu, self.found[*index].2.mu
                );
                self.refuse(at, why);
            }
            Some(_) => {}
        }
    }

    fn rating(
        &self,
        table: &Table,
        row: usize,
        cell: &str,
        style: Style,
    ) -> Result<StartingRating, String> {
        let read = |what: &str, cell: &str, style: Style, range: RangeInclusive<f64>| {
            let number = style.number(cell).map_err(|error| error.why(what, cell))?;
            if range.contains(&number) {
                return Ok(number);
            }
            let (low, high) = (range.start(), range.end());
            Err(format!("{what} {cell:?} lies outside {low} to {high}"))
        };
        let mu = read("starting rating", cell, style, START_MU)?;
        let sigma = self
            .sigma
            .map(|(column, style)| (table.grid.cell(row, column), style));
        let sigma = sigma.filter(|(cell, _)| !is_blank(cell));
        let sigma = sigma.map(|(cell, style)| read("starting sigma", cell, style, START_SIGMA));
        let sigma = sigma.transpose()?;
        Ok(StartingRating { mu, sigma })
    }

    fn refuse(&mut self, at: At, why: String) {
        self.refused.push(Refusal {
            at,
            contest: None,
            why,
        });
    }

    /// Moves the ratings and refusals to `to`, and the columns to `used`.
    pub(super) fn finish(self, to: &mut Candidates, used: &mut HashMap<usize, &'static str>) {
        for (column, meaning) in [
            (self.mu, Meaning::StartingRating),
            (
                self.sigma.filter(|_| self.mu.is_some()),
                Meaning::StartingSigma,
            ),
        ] {
            used.extend(column.map(|(column, _)| (column, meaning.word())));
        }
        to.starting_ratings.extend(self.found);
        to.refused.append(self.refused);
    }
}
