//! The columns of a long table.

use std::collections::HashMap;

use crate::options::ReadOptions;
use crate::reading::{FileReadError, TableShape};
use crate::table::columns::{ColumnMeaning, MatchStrength, is_stroke_heading, is_time_heading};
use crate::table::header::HeaderTable;
use crate::table::members::NameColumns;
use crate::table::values::cells::{is_blank, parse_place};
use crate::table::values::numbers::is_time;

/// A long table with its columns, and what the user says about it.
#[derive(Clone, Copy)]
pub(super) struct LongSource<'t> {
    pub(super) table: &'t HeaderTable,
    pub(super) columns: &'t LongColumns,
    pub(super) file_name: &'t str,
    pub(super) options: &'t ReadOptions,
}

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
            used.extend(columns.contest.map(|column| (column, ColumnMeaning::Contest.as_str())));
        }
        let names = &columns.names;
        used.extend(names.people.map(|c| (c, names.meaning.as_str())));
        used.extend(names.team.map(|c| (c, ColumnMeaning::Team.as_str())));
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
        let has_times = self.score.is_some_and(|column| table.values(column).any(is_time));
        match (self.place, self.score) {
            (Some(place), _) => {
                check_places(table, place)?;
                notes.push(format!("the places in {} decide", table.describe_column(place)));
                if options.lower_is_better {
                    notes.push("--lower-is-better has no effect on places".to_owned());
                }
            }
            (None, Some(score)) if options.lower_is_better => notes.push(format!(
                "the scores in {} decide, lowest first",
                table.describe_column(score)
            )),
            (None, Some(score)) => {
                check_highest_wins(table, score, has_times)?;
                notes.push(format!(
                    "the scores in {} decide, highest first",
                    table.describe_column(score)
                ));
                if has_times {
                    notes.push(
                        "times are read as seconds; pass --lower-is-better if the shortest wins"
                            .to_owned(),
                    );
                }
            }
            (None, None) => {}
        }
        if has_times {
            notes.push("times are kept in seconds".to_owned());
        }
        Ok(())
    }
}

/// Errors if a column of places holds none, but other values.
fn check_places(table: &HeaderTable, place: usize) -> Result<(), FileReadError> {
    let mut cells = table.values(place).filter(|cell| !is_blank(cell));
    let Some(first) = cells.next() else {
        return Ok(());
    };
    if parse_place(first).is_some() || cells.any(|cell| parse_place(cell).is_some()) {
        return Ok(());
    }
    let reason = format!(
        "{} holds no place, but values such as {:?}: pass --column {} if they are something else",
        table.describe_column(place),
        first.chars().take(40).collect::<String>(),
        table.ignore_option(place),
    );
    Err(table.refuse_column(place, reason))
}

/// Errors if the lowest score of a column may win, or if its numbers may be places.
fn check_highest_wins(
    table: &HeaderTable,
    score: usize,
    has_times: bool,
) -> Result<(), FileReadError> {
    let heading = table.heading(score);
    // Under "total", "result" or an unknown heading the cells tell.
    let is_score_heading = matches!(ColumnMeaning::from_heading(heading),
        Some((ColumnMeaning::Score, strength)) if strength != MatchStrength::Vague);
    let counts_strokes = is_stroke_heading(heading);
    let column = table.describe_column(score);
    let reason = if counts_strokes || is_time_heading(heading) || (has_times && !is_score_heading) {
        let values = if counts_strokes { "strokes" } else { "times" };
        format!(
            "the column {column} holds {values}: pass --lower-is-better if the lowest wins, or head it \"score\" if the highest does"
        )
    } else if !table.has_definite_column(ColumnMeaning::Score) && table.holds_ranking(score) {
        format!(
            "the numbers of {column} can be places or scores: pass --column {} or --column {}",
            table.column_option(score, ColumnMeaning::Place),
            table.column_option(score, ColumnMeaning::Score),
        )
    } else {
        return Ok(());
    };
    Err(table.refuse_column(score, reason))
}
