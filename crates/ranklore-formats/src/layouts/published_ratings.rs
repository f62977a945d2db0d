//! Reads the ratings that a table publishes with its results.

use std::collections::{BTreeMap, HashMap};

use crate::reading::Candidates;
use crate::schema::people::names::NameColumns;
use crate::schema::table::HeaderTable;
use crate::values::cells::is_blank;
use crate::values::numbers::NumberStyle;
use crate::vocabulary::meanings::ColumnMeaning;
use ranklore_contest::{EntrantKind, OfficialRating};
use ranklore_grid::FileReadError;

/// A column of numbers and their style.
type NumberColumn = (usize, NumberStyle);

/// Collects published ratings while contests are read: those of people.
pub(crate) struct PublishedRatingCollector {
    before: Option<NumberColumn>,
    after: Option<RatingAfter>,
    ratings: BTreeMap<String, Vec<OfficialRating>>,
    unreadable: u64,
}

/// Where the rating after a contest is.
#[derive(Clone, Copy)]
enum RatingAfter {
    Column(NumberColumn),
    /// The column of changes from the rating before.
    Change(NumberColumn),
}

impl PublishedRatingCollector {
    /// Finds the columns of ratings. Without one of ratings after, the changes lead to them.
    pub(crate) fn from_table(table: &HeaderTable) -> Result<Self, FileReadError> {
        let find = |meaning| -> Result<_, FileReadError> {
            let column = table.find_column(meaning)?;
            // Documents of earlier versions were read without ratings.
            let column = column.filter(|_| table.grid.limits().reader.refuses_doubts());
            Ok(column.map(|column| (column, table.number_style(Some(column)))))
        };
        let before = find(ColumnMeaning::RatingBefore)?;
        let after = find(ColumnMeaning::RatingAfter)?.map(RatingAfter::Column);
        let change = find(ColumnMeaning::RatingChange)?.filter(|_| before.is_some());
        Ok(Self {
            before,
            after: after.or_else(|| change.map(RatingAfter::Change)),
            ratings: BTreeMap::new(),
            unreadable: 0,
        })
    }

    /// Adds the ratings in these rows of a contest.
    pub(crate) fn add_rows(
        &mut self,
        table: &HeaderTable,
        names: &NameColumns,
        rows: &[usize],
        contest: &str,
    ) {
        let Some(after) = self.after else { return };
        let mut ratings = Vec::new();
        for &row in rows {
            let Some(competitor) = find_person(table, names, row) else {
                continue;
            };
            match self.read_row(table, row, after) {
                Ok(Some((before, after))) => ratings.push(OfficialRating {
                    competitor,
                    before,
                    after,
                    volatility: None,
                }),
                Ok(None) => {}
                Err(NotANumber) => self.unreadable += 1,
            }
        }
        if !ratings.is_empty() {
            // The first contest of an id counts.
            self.ratings.entry(contest.to_owned()).or_insert(ratings);
        }
    }

    /// Reads the ratings before and after a contest; `None` without the one after.
    fn read_row(
        &self,
        table: &HeaderTable,
        row: usize,
        after: RatingAfter,
    ) -> Result<Option<(Option<f64>, f64)>, NotANumber> {
        let parse = |(column, style): NumberColumn| {
            let cell = table.grid.cell(row, column);
            if is_blank(cell) {
                return Ok(None);
            }
            style.parse(cell).map(Some).map_err(|_| NotANumber)
        };
        let before = self.before.map_or(Ok(None), parse)?;
        let after = match after {
            RatingAfter::Column(column) => parse(column)?,
            // A newcomer has no rating before, and what the change is added to is not known.
            RatingAfter::Change(column) => {
                before.zip(parse(column)?).map(|(mu, change)| mu + change)
            }
        };
        Ok(after.map(|after| (before, after)))
    }

    /// Moves the ratings to the candidates, the columns to `used`, and a note about what was left out
    /// to `notes`.
    pub(crate) fn finish(
        self,
        candidates: &mut Candidates,
        used: &mut HashMap<usize, &'static str>,
        notes: &mut Vec<String>,
    ) {
        let Some(after) = self.after else { return };
        let ((column, _), meaning) = match after {
            RatingAfter::Column(column) => (column, ColumnMeaning::RatingAfter),
            RatingAfter::Change(column) => (column, ColumnMeaning::RatingChange),
        };
        used.insert(column, meaning.as_str());
        used.extend(self.before.map(|(column, _)| (column, ColumnMeaning::RatingBefore.as_str())));
        if !self.ratings.is_empty() {
            notes.push("published ratings are kept as the run official".to_owned());
        }
        if self.unreadable > 0 {
            notes.push(format!(
                "published ratings that are not numbers left out: {}",
                self.unreadable
            ));
        }
        candidates.official = self.ratings;
    }
}

/// A cell of a rating has something else.
struct NotANumber;

/// Returns the person of a row: the competitor, or the one member of the team whom the row names.
fn find_person(table: &HeaderTable, names: &NameColumns, row: usize) -> Option<String> {
    let entrant = names.entrant(table, row).ok().flatten()?;
    match &entrant.members[..] {
        [member] if !names.list_members() => Some(member.clone()),
        [] if entrant.kind == EntrantKind::Person => Some(entrant.competitor.into_owned()),
        _ => None,
    }
}
