//! Reads the starting ratings of competitors.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::RangeInclusive;

use crate::reading::{Candidates, RefusedEntries, RefusedEntry};
use crate::schema::people::names::NameColumns;
use crate::schema::table::HeaderTable;
use crate::values::cells::is_blank;
use crate::values::numbers::NumberStyle;
use crate::vocabulary::meanings::ColumnMeaning;
use ranklore_contest::{
    EntrantKind, Quoted, STARTING_MU_RANGE, STARTING_SIGMA_RANGE, StartingRating,
};
use ranklore_grid::{FileReadError, Location, Reason};

/// Collects the starting ratings of a table.
pub(crate) struct StartingRatingCollector {
    mu: Option<(usize, NumberStyle)>,
    sigma: Option<(usize, NumberStyle)>,
    ratings: Vec<(EntrantKind, String, StartingRating)>,
    first_ratings: HashMap<(EntrantKind, String), FirstRating>,
    refused: RefusedEntries,
}

/// The first starting rating of a competitor.
struct FirstRating {
    row: usize,
    rating: StartingRating,
    /// True if a different rating in another row was reported.
    has_conflict: bool,
}

impl StartingRatingCollector {
    /// Reads the starting ratings in these rows.
    pub(crate) fn from_rows(
        table: &HeaderTable,
        names: &NameColumns,
        rows: impl Iterator<Item = usize>,
    ) -> Result<Self, FileReadError> {
        let find = |meaning| -> Result<_, FileReadError> {
            let column = table.find_column(meaning)?;
            Ok(column.map(|column| (column, table.number_style(Some(column)))))
        };
        let mut collector = Self {
            mu: find(ColumnMeaning::StartingRating)?,
            sigma: find(ColumnMeaning::StartingSigma)?,
            ratings: Vec::new(),
            first_ratings: HashMap::new(),
            refused: RefusedEntries::default(),
        };
        let Some(mu) = collector.mu else {
            return Ok(collector);
        };
        for row in rows {
            let Ok(Some(entrant)) = names.entrant(table, row) else {
                continue;
            };
            if entrant.members.len() == 1 && !names.list_members() {
                // A team member's rating belongs to the person and not to the team.
                let person = &entrant.members[0];
                collector.read_row(table, row, mu, (EntrantKind::Person, person));
            } else {
                collector.read_row(table, row, mu, (entrant.kind, &entrant.competitor));
            }
        }
        Ok(collector)
    }

    /// Reads the starting rating of a competitor from a row.
    fn read_row(
        &mut self,
        table: &HeaderTable,
        row: usize,
        (column, style): (usize, NumberStyle),
        (kind, competitor): (EntrantKind, &str),
    ) {
        let cell = table.grid.cell(row, column);
        if is_blank(cell) || competitor.is_empty() {
            return;
        }
        let at = table.grid.location(row, column);
        let rating = match self.read_rating(table, row, cell, style) {
            Ok(rating) => rating,
            Err(reason) => {
                let name = Quoted(competitor);
                return self.refuse(at, reason.map_text(|text| format!("{name}: {text}")));
            }
        };
        let first = match self.first_ratings.entry((kind, competitor.to_owned())) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                self.ratings.push((kind, competitor.to_owned(), rating));
                entry.insert(FirstRating {
                    row,
                    rating,
                    has_conflict: false,
                })
            }
        };
        if first.rating != rating && !first.has_conflict {
            first.has_conflict = true;
            let reason = format!(
                "{competitor} has another starting rating here than on {}: {} and {}; the first is kept",
                table.grid.row_location(first.row),
                rating.mu,
                first.rating.mu,
                competitor = Quoted(competitor)
            );
            self.refuse(at, reason);
        }
    }

    fn read_rating(
        &self,
        table: &HeaderTable,
        row: usize,
        cell: &str,
        style: NumberStyle,
    ) -> Result<StartingRating, Reason> {
        let mu = parse_within(cell, style, "starting rating", STARTING_MU_RANGE)?;
        let sigma = self
            .sigma
            .map(|(column, style)| (table.grid.cell(row, column), style))
            .filter(|(cell, _)| !is_blank(cell))
            .map(|(cell, style)| parse_within(cell, style, "starting sigma", STARTING_SIGMA_RANGE))
            .transpose()?;
        Ok(StartingRating { mu, sigma })
    }

    fn refuse(&mut self, at: Location, reason: impl Into<Reason>) {
        self.refused.push(RefusedEntry::new(at, None, reason));
    }

    /// Moves the ratings and refusals to the candidates, and the columns to `used`.
    pub(crate) fn finish(
        self,
        candidates: &mut Candidates,
        used: &mut HashMap<usize, &'static str>,
    ) {
        for (column, meaning) in [
            (self.mu, ColumnMeaning::StartingRating),
            (self.sigma.filter(|_| self.mu.is_some()), ColumnMeaning::StartingSigma),
        ] {
            used.extend(column.map(|(column, _)| (column, meaning.as_str())));
        }
        candidates.starting_ratings.extend(self.ratings);
        candidates.refused.append(self.refused);
    }
}

/// Parses a number in a range; `noun` names it in the error.
fn parse_within(
    cell: &str,
    style: NumberStyle,
    noun: &str,
    range: RangeInclusive<f64>,
) -> Result<f64, Reason> {
    let number = style.parse(cell);
    let number = number.map_err(|error| error.reason(noun, cell))?;
    if range.contains(&number) {
        return Ok(number);
    }
    Err(Reason::from(format!(
        "{noun} {} lies outside {} to {}",
        Quoted(cell),
        range.start(),
        range.end()
    )))
}
