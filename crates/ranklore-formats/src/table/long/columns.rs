//! The columns of a long table.

use std::collections::HashMap;

use crate::options::ReadOptions;
use crate::reading::{FileReadError, TableShape};
use crate::table::columns::{ColumnMeaning, MatchStrength, is_stroke_heading, is_time_heading};
use crate::table::header::HeaderTable;
use crate::table::members::NameColumns;
use crate::table::rankings::are_ranking;
use crate::table::values::cells::{is_blank, parse_place};
use crate::table::values::numbers::is_time;

/// The indices of the columns.
#[derive(Clone)]
pub(super) struct LongColumns {
    pub(super) contest: Option<usize>,
    pub(super) id: Option<usize>,
    pub(super) event: Option<usize>,
    pub(super) date: Option<usize>,
    pub(super) division: Option<usize>,
    pub(super) ordinal: Option<usize>,
    pub(super) url: Option<usize>,
    pub(super) weight: Option<usize>,
    pub(super) place: Option<usize>,
    pub(super) score: Option<usize>,
    pub(super) penalty: Option<usize>,
    pub(super) names: NameColumns,
    pub(super) status: Option<usize>,
    pub(super) lower_is_better: bool,
    pub(super) used: HashMap<usize, &'static str>,
}

impl LongColumns {
    pub(super) fn from_table(
        table: &HeaderTable,
        options: &ReadOptions,
    ) -> Result<Self, FileReadError> {
        let mut used = HashMap::new();
        let mut find = |meaning: ColumnMeaning| -> Result<Option<usize>, FileReadError> {
            let column = table.find_column(meaning)?;
            used.extend(column.map(|column| (column, meaning.as_str())));
            Ok(column)
        };
        let names = NameColumns::from_table(table, TableShape::Long, options)?;
        let mut columns = Self {
            contest: find(ColumnMeaning::Contest)?,
            id: find(ColumnMeaning::ContestId)?,
            event: find(ColumnMeaning::Event)?,
            date: find(ColumnMeaning::Date)?,
            division: find(ColumnMeaning::Division)?,
            ordinal: find(ColumnMeaning::Ordinal)?,
            url: find(ColumnMeaning::Url)?,
            weight: find(ColumnMeaning::Weight)?,
            place: find(ColumnMeaning::Place)?,
            score: find(ColumnMeaning::Score)?,
            penalty: find(ColumnMeaning::Penalty)?,
            names,
            status: find(ColumnMeaning::Status)?,
            lower_is_better: options.lower_is_better,
            used: HashMap::new(),
        };
        if columns.contest.is_none() {
            // An "event" column without a contest column names the contest.
            columns.contest = columns.event.take();
            used.extend(
                columns
                    .contest
                    .map(|column| (column, ColumnMeaning::Contest.as_str())),
            );
        }
        let names = &columns.names;
        used.extend(names.people.map(|of| (of, names.meaning.as_str())));
        used.extend(names.team.map(|of| (of, ColumnMeaning::Team.as_str())));
        for &(column, meaning) in &names.identities.used {
            used.entry(column).or_insert(meaning);
        }
        columns.used = used;
        Ok(columns)
    }

    /// Returns the columns with this one as the division, or as the event if another is that.
    pub(super) fn with_division(
        &self,
        column: usize,
        table: &HeaderTable,
        notes: &mut Vec<String>,
    ) -> Self {
        let mut columns = self.clone();
        let meaning = if self.division.is_none() {
            columns.division = Some(column);
            ColumnMeaning::Division
        } else if self.contest.is_none() {
            columns.contest = Some(column);
            ColumnMeaning::Contest
        } else {
            columns.event = Some(column);
            ColumnMeaning::Event
        };
        columns.used.insert(column, meaning.as_str());
        notes.push(format!(
            "places repeat, and {} separates them into rankings: it is read as the {}",
            table.describe_column(column),
            meaning.as_str()
        ));
        columns
    }

    /// Notes if places or scores decide the order. Errors if the scores are times and no option
    /// says which end is better.
    pub(super) fn check_ranking_basis(
        &self,
        table: &HeaderTable,
        options: &ReadOptions,
        notes: &mut Vec<String>,
    ) -> Result<(), FileReadError> {
        let times = self
            .score
            .is_some_and(|column| table.values(column).any(is_time));
        match (self.place, self.score) {
            (Some(place), _) => {
                let marks = |cell: &str| is_blank(cell) || parse_place(cell).is_some();
                let mut other = table.values(place).filter(|cell| !marks(cell));
                if let Some(cell) = other.next()
                    && !table.values(place).any(|cell| parse_place(cell).is_some())
                {
                    return Err(FileReadError::new(
                        table.grid.location(table.header_row, place),
                        format!(
                            "{} holds no place, but values such as {:?}: pass --column {} if they are something else",
                            table.describe_column(place),
                            cell.chars().take(40).collect::<String>(),
                            table.column_option(place, ColumnMeaning::Ignore),
                        ),
                    ));
                }
                notes.push(format!(
                    "the places in {} decide",
                    table.describe_column(place)
                ));
                if options.lower_is_better {
                    notes.push("--lower-is-better has no effect on places".to_owned());
                }
            }
            (None, Some(score)) => {
                let heading = table.describe_column(score);
                // Under "total", "result" or an unknown heading the cells tell.
                let known = ColumnMeaning::from_heading(table.heading(score));
                let shown = times
                    && !matches!(known, Some((ColumnMeaning::Score, strength))
                        if strength != MatchStrength::Vague);
                let counts = is_stroke_heading(table.heading(score));
                if (shown || counts || is_time_heading(table.heading(score)))
                    && !options.lower_is_better
                {
                    let what = if counts { "strokes" } else { "times" };
                    return Err(FileReadError::new(
                        table.grid.location(table.header_row, score),
                        format!(
                            "the column {heading} holds {what}: pass --lower-is-better if the lowest wins, or head it \"score\" if the highest does"
                        ),
                    ));
                }
                let given = || table.values(score).filter(|cell| !is_blank(cell));
                if !table.has_definite_column(ColumnMeaning::Score)
                    && !options.lower_is_better
                    && given().nth(2).is_some()
                    && are_ranking(given())
                {
                    return Err(FileReadError::new(
                        table.grid.location(table.header_row, score),
                        format!(
                            "the numbers of {heading} can be places or scores: pass --column {} or --column {}",
                            table.column_option(score, ColumnMeaning::Place),
                            table.column_option(score, ColumnMeaning::Score),
                        ),
                    ));
                }
                notes.push(format!(
                    "the scores in {heading} decide, {} first",
                    if options.lower_is_better {
                        "lowest"
                    } else {
                        "highest"
                    }
                ));
                if times && !options.lower_is_better {
                    notes.push(
                        "times are read as seconds; pass --lower-is-better if the shortest wins"
                            .to_owned(),
                    );
                }
            }
            (None, None) => {}
        }
        if times {
            notes.push("times are kept in seconds".to_owned());
        }
        Ok(())
    }
}
