//! Reads the ratings that a table publishes with its results.

use std::collections::{BTreeMap, HashMap};

use crate::reading::{Candidates, RefusedEntries, RefusedEntry};
use crate::schema::people::names::NameColumns;
use crate::schema::table::HeaderTable;
use crate::values::cells::is_blank;
use crate::values::numbers::{NumberError, NumberStyle};
use crate::vocabulary::meanings::ColumnMeaning;
use ranklore_contest::{Contest, EntrantKind, OfficialRating};
use ranklore_grid::FileReadError;

/// Collects published ratings while contests are read: those of people.
pub(crate) struct PublishedRatingCollector {
    before: Option<NumberColumn>,
    after: Option<NumberColumn>,
    /// The changes from the ratings before, if the table has none after.
    change: Option<NumberColumn>,
    ratings: BTreeMap<String, Vec<OfficialRating>>,
    refused: RefusedEntries,
    /// The rows with ratings that are not numbers.
    unreadable: Vec<usize>,
}

/// A column of numbers.
#[derive(Clone, Copy)]
struct NumberColumn {
    column: usize,
    meaning: ColumnMeaning,
    style: NumberStyle,
}

impl NumberColumn {
    fn find(table: &HeaderTable, meaning: ColumnMeaning) -> Result<Option<Self>, FileReadError> {
        let column = table.find_column(meaning)?;
        Ok(column.map(|column| Self {
            column,
            meaning,
            style: table.number_style(Some(column)),
        }))
    }

    fn parse(self, table: &HeaderTable, row: usize) -> Result<Option<f64>, NumberError> {
        let cell = table.grid.cell(row, self.column);
        if is_blank(cell) {
            return Ok(None);
        }
        self.style.parse(cell).map(Some)
    }
}

impl PublishedRatingCollector {
    /// Finds the columns of ratings. Without one of ratings after, the changes lead to them.
    pub(crate) fn from_table(table: &HeaderTable) -> Result<Self, FileReadError> {
        let before = NumberColumn::find(table, ColumnMeaning::RatingBefore)?;
        let after = NumberColumn::find(table, ColumnMeaning::RatingAfter)?;
        let change = NumberColumn::find(table, ColumnMeaning::RatingChange)?;
        Ok(Self {
            before,
            after,
            change: change.filter(|_| before.is_some() && after.is_none()),
            ratings: BTreeMap::new(),
            refused: RefusedEntries::default(),
            unreadable: Vec::new(),
        })
    }

    /// Adds the ratings in these rows of a contest, in the order of its entrants.
    pub(crate) fn add_rows(
        &mut self,
        table: &HeaderTable,
        names: &NameColumns,
        rows: &[usize],
        contest: &Contest,
    ) {
        if self.after.or(self.change).is_none() {
            return;
        }
        let mut ratings = Vec::new();
        for &row in rows {
            let Some(competitor) = find_person(table, names, row) else {
                continue;
            };
            let (before, after) = self.read_row(table, row);
            ratings.extend(after.map(|after| OfficialRating {
                competitor,
                before,
                after,
                volatility: None,
            }));
        }
        if ratings.is_empty() {
            return;
        }
        let entrants = contest.entrants.iter();
        let people = entrants
            .flat_map(|entrant| std::iter::once(&entrant.competitor).chain(&entrant.members));
        let positions: HashMap<&String, usize> = people.zip(0..).collect();
        ratings.sort_by_key(|rating| positions.get(&rating.competitor).copied());
        // The first contest of an id counts.
        self.ratings.entry(contest.external_id.clone()).or_insert(ratings);
    }

    /// Reads the ratings before and after a contest.
    fn read_row(&mut self, table: &HeaderTable, row: usize) -> (Option<f64>, Option<f64>) {
        let [before, after, change] = [self.before, self.after, self.change]
            .map(|column| self.read_cell(table, row, column?));
        // A newcomer has no rating before, and what the change is added to is not known.
        let changed = before.zip(change).map(|(before, change)| before + change);
        (before, after.or(changed))
    }

    fn read_cell(&mut self, table: &HeaderTable, row: usize, column: NumberColumn) -> Option<f64> {
        match column.parse(table, row) {
            Ok(number) => return number,
            Err(NumberError::NotANumber) => self.unreadable.push(row),
            Err(error) => {
                let reason =
                    error.reason(column.meaning.as_str(), table.grid.cell(row, column.column));
                let at = table.grid.location(row, column.column);
                self.refused.push(RefusedEntry::new(at, None, reason));
            }
        }
        None
    }

    /// Moves the ratings and refusals to the candidates, the columns to `used`, and what was left out to
    /// `notes`.
    pub(crate) fn finish(
        self,
        table: &HeaderTable,
        candidates: &mut Candidates,
        used: &mut HashMap<usize, &'static str>,
        notes: &mut Vec<String>,
    ) {
        if !self.ratings.is_empty() {
            let columns = [self.before, self.after, self.change].into_iter().flatten();
            used.extend(columns.map(|column| (column.column, column.meaning.as_str())));
            notes.push("published ratings are kept as the run official".to_owned());
        }
        if let Some(&first) = self.unreadable.first() {
            let count = self.unreadable.len();
            let at = table.grid.row_location(first);
            notes.push(format!(
                "published ratings that are not numbers left out: {count}, first on {at}"
            ));
        }
        candidates.official = self.ratings;
        candidates.refused.append(self.refused);
    }
}

/// Returns the person of a row: the competitor, or the one member of the team whom the row names.
fn find_person(table: &HeaderTable, names: &NameColumns, row: usize) -> Option<String> {
    let entrant = names.entrant(table, row).ok().flatten()?;
    match &entrant.members[..] {
        [member] if !names.list_members() => Some(member.clone()),
        [] if entrant.kind == EntrantKind::Person => Some(entrant.competitor.into_owned()),
        _ => None,
    }
}
