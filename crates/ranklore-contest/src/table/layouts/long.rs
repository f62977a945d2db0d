//! Reads long tables: one row per result.

use std::collections::HashMap;

use crate::contest::EntrantKind;
use crate::options::ReadOptions;
use crate::reading::{
    Candidates, FileReadError, Location, RefusedEntries, RefusedEntry, TableShape,
};
use crate::table::columns::{ColumnMeaning, is_summary_label, is_time_heading};
use crate::table::header::HeaderTable;
use crate::table::long_contests;
use crate::table::long_rows::{LongColumns, LongRow, RowGroup};
use crate::table::separation::find_division_column;
use crate::table::standings::{Problems, RowMark, RowResult as Row};
use crate::table::starting_ratings::StartingRatingCollector;
use crate::table::values::cells::{CellStatus, is_blank};
use crate::table::values::dates::{self, DateError};
use crate::table::values::numbers::{NumberStyle, is_time};
use crate::time::UnixSeconds;

type GroupKey<'t> = (&'t str, &'t str, &'t str, &'t str, Option<UnixSeconds>);

pub(in crate::table) fn read(
    table: &HeaderTable,
    file_name: &str,
    options: &ReadOptions,
) -> Result<Candidates, FileReadError> {
    let recognised = LongColumns::from_table(table, options)?;
    let mut notes = vec!["one row per result".to_owned()];
    recognised.check_ranking_basis(table, options, &mut notes)?;
    let reader = LongTableReader::read_rows(table, &recognised, options);
    let division = find_division_column(&reader.groups, table, &recognised);
    let divided = division.map(|column| recognised.with_division(column, table, &mut notes));
    let columns = divided.as_ref().unwrap_or(&recognised);
    let mut reader = match &divided {
        Some(columns) => LongTableReader::read_rows(table, columns, options),
        None => reader,
    };
    let mut ratings = StartingRatingCollector::new(table)?;
    for row in table.data_rows() {
        if reader.is_summary_row(row) {
            continue;
        }
        let who = reader.cell(row, columns.competitor);
        match (who, reader.cell(row, columns.team)) {
            ("", team) => ratings.read_row(table, row, EntrantKind::Team, team),
            // A team member's rating belongs to the person and not to the team.
            (who, _) => ratings.read_row(table, row, EntrantKind::Person, who),
        }
    }
    notes.extend(reader.notes());
    let mut found = Candidates {
        refused: std::mem::take(&mut reader.refused),
        ..Candidates::default()
    };
    let groups = reader.groups;
    long_contests::build_contests(
        groups, table, columns, file_name, options, &mut found, &mut notes,
    )?;
    let mut used = columns.used.clone();
    ratings.finish(&mut found, &mut used);
    found.layout = Some(table.layout(TableShape::Long, &used, notes));
    Ok(found)
}

impl LongColumns {
    fn from_table(table: &HeaderTable, options: &ReadOptions) -> Result<Self, FileReadError> {
        let mut used = HashMap::new();
        let mut find = |meaning: ColumnMeaning| -> Result<Option<usize>, FileReadError> {
            let column = table.find_column(meaning)?;
            used.extend(column.map(|column| (column, meaning.as_str())));
            Ok(column)
        };
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
            competitor: find(ColumnMeaning::Competitor)?,
            team: find(ColumnMeaning::Team)?,
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
        columns.used = used;
        Ok(columns)
    }

    /// Returns the columns with this one as the division.
    fn with_division(&self, column: usize, table: &HeaderTable, notes: &mut Vec<String>) -> Self {
        notes.push(format!(
            "places repeat, and {} separates them into rankings: it is read as the division",
            table.describe_column(column)
        ));
        let mut columns = self.clone();
        columns.division = Some(column);
        columns
            .used
            .insert(column, ColumnMeaning::Division.as_str());
        columns
    }

    /// Notes if places or scores decide the order. Errors if the scores are times and no option
    /// says which end is better.
    fn check_ranking_basis(
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
                if is_time_heading(table.heading(score)) && !options.lower_is_better {
                    return Err(FileReadError::new(
                        table.grid.location(table.header_row, score),
                        format!(
                            "the column {heading} holds times: pass --lower-is-better if the shortest wins, or head it \"score\" if the longest does"
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

/// Reads the rows and groups them by contest.
struct LongTableReader<'t> {
    table: &'t HeaderTable,
    columns: &'t LongColumns,
    options: &'t ReadOptions,
    score_style: NumberStyle,
    penalty_style: NumberStyle,
    groups: Vec<RowGroup<'t>>,
    group_index: HashMap<GroupKey<'t>, usize>,
    /// The last date cell and its value: consecutive rows mostly share a date.
    last_date: Option<(&'t str, Result<UnixSeconds, DateError>)>,
    refused: RefusedEntries,
    /// The group of the last row that belongs to one.
    last_group: Option<usize>,
    without_competitor: Vec<u64>,
    without_score: Vec<u64>,
    absent: usize,
}

impl<'t> LongTableReader<'t> {
    fn new(table: &'t HeaderTable, columns: &'t LongColumns, options: &'t ReadOptions) -> Self {
        let style = |column| table.number_style(column);
        Self {
            table,
            columns,
            options,
            score_style: style(columns.score),
            penalty_style: style(columns.penalty),
            groups: Vec::new(),
            group_index: HashMap::new(),
            last_date: None,
            refused: RefusedEntries::default(),
            last_group: None,
            without_competitor: Vec::new(),
            without_score: Vec::new(),
            absent: 0,
        }
    }

    fn read_rows(
        table: &'t HeaderTable,
        columns: &'t LongColumns,
        options: &'t ReadOptions,
    ) -> Self {
        let mut reader = Self::new(table, columns, options);
        for row in table.data_rows() {
            reader.read_row(row);
        }
        reader
    }

    fn cell(&self, row: usize, column: Option<usize>) -> &'t str {
        column.map_or("", |column| self.table.grid.cell(row, column))
    }

    fn read_date(&mut self, row: usize) -> Option<(&'t str, Result<UnixSeconds, DateError>)> {
        let cell = self.cell(row, self.columns.date);
        if is_blank(cell) {
            return None;
        }
        match self.last_date {
            Some((last, date)) if last == cell => Some((cell, date)),
            _ => {
                self.last_date = Some((cell, dates::parse_cell(cell, self.options.dates)));
                self.last_date
            }
        }
    }

    /// True if a row has no data of its own: no competitor, contest or result; or it is the last
    /// row and sums up the others.
    fn is_summary_row(&self, row: usize) -> bool {
        let columns = self.columns;
        let who = self.cell(row, columns.competitor);
        let nobody = who.is_empty() && self.cell(row, columns.team).is_empty();
        let contest = [columns.contest, columns.id, columns.date];
        let nowhere = contest.iter().all(|&c| self.cell(row, c).is_empty());
        let blank = |column| is_blank(self.cell(row, column));
        // A place or a status belongs to a competitor; a score may be a sum.
        if !(blank(columns.place) && blank(columns.status)) {
            return false;
        }
        if nobody && nowhere && blank(columns.score) {
            return true;
        }
        let last = row + 1 == self.table.grid.row_count();
        if !last || CellStatus::parse(self.cell(row, columns.score)).is_some() {
            return false;
        }
        let mut cells = self.table.grid.cells(row).filter(|cell| !cell.is_empty());
        let labelled = is_summary_label(who) || cells.next().is_some_and(is_summary_label);
        let label_alone = (nobody || is_summary_label(who)) && blank(columns.date);
        // Without places, a score without a name and a label may be a result.
        (labelled && label_alone) || (nobody && nowhere && columns.place.is_some())
    }

    fn read_row(&mut self, row: usize) {
        let (table, columns) = (self.table, self.columns);
        if self.is_summary_row(row) {
            self.without_competitor.push(table.grid.line_number(row));
            return;
        }
        let (id, contest) = (self.cell(row, columns.id), self.cell(row, columns.contest));
        let date = self.read_date(row);
        let names = columns.contest.is_some() || columns.id.is_some();
        let unnamed = names && id.is_empty() && contest.is_empty();
        if unnamed || (!names && columns.date.is_some() && date.is_none()) {
            self.refuse_unnamed_row(row);
            return;
        }
        let moment = date.and_then(|(_, date)| date.ok());
        let key_date = moment.filter(|_| !names);
        let (event, name) = match (id, names) {
            ("", true) => (self.cell(row, columns.event), contest),
            ("", false) => ("", date.filter(|d| d.1.is_err()).map_or("", |d| d.0)),
            _ => ("", ""),
        };
        let division = self.cell(row, columns.division);
        let groups = &mut self.groups;
        let group = *self
            .group_index
            .entry((id, event, name, division, key_date))
            .or_insert_with(|| {
                groups.push(RowGroup {
                    id,
                    event: table.grid.cell(row, columns.event.unwrap_or(usize::MAX)),
                    name: if id.is_empty() { name } else { contest },
                    division,
                    rows: Vec::new(),
                    problems: Problems::default(),
                });
                groups.len() - 1
            });
        self.last_group = Some(group);
        let mut problems = std::mem::take(&mut self.groups[group].problems);
        if let (Some((text, Err(error))), Some(column)) = (date, columns.date) {
            problems.push(table.grid.location(row, column), error.message(text));
        }
        let result = match self.read_result(row, &mut problems) {
            Ok(result) => result,
            Err((column, why)) => {
                let at = column.map_or_else(
                    || Location::Line(table.grid.line_number(row)),
                    |column| table.grid.location(row, column),
                );
                problems.push(at, why);
                None
            }
        };
        let group = &mut self.groups[group];
        group.problems = problems;
        group.rows.push(LongRow {
            row,
            date: moment,
            result,
        });
    }

    /// Refuses a row that has a result and no contest. The result may be missing from the contest
    /// above, which is refused too.
    fn refuse_unnamed_row(&mut self, row: usize) {
        let at = Location::Line(self.table.grid.line_number(row));
        let named = [self.columns.competitor, self.columns.team];
        let why = if named.iter().all(|&c| self.cell(row, c).is_empty()) {
            "the row has a result and names neither competitor nor contest".to_owned()
        } else {
            "the row names a competitor and no contest".to_owned()
        };
        match self.last_group {
            Some(group) => self.groups[group].problems.push(at, why),
            None => self.refused.push(RefusedEntry {
                at,
                contest: None,
                why,
            }),
        }
    }

    /// Returns the result of a row, or `None` if the competitor did not take part. An error is the
    /// column and the reason.
    fn read_result(
        &mut self,
        row: usize,
        problems: &mut Problems,
    ) -> Result<Option<Row>, (Option<usize>, String)> {
        let (grid, columns) = (&self.table.grid, self.columns);
        let who = self.cell(row, columns.competitor);
        let team = self.cell(row, columns.team);
        if who.is_empty() && team.is_empty() {
            return Err((columns.competitor, "the row names no competitor".to_owned()));
        }
        for name in [who, team] {
            if crate::reading::is_name_too_long(name) {
                let why = format!(
                    "the name has more than {} characters",
                    crate::MAX_NAME_CHARS
                );
                return Err((columns.competitor, why));
            }
        }
        let Some(mark) = self.read_mark(row)? else {
            self.absent += 1;
            return Ok(None);
        };
        let score_cell = self.cell(row, columns.score);
        let score = match mark {
            RowMark::Score(score) => Some(score),
            _ if is_blank(score_cell) || CellStatus::parse(score_cell).is_some() => None,
            _ => {
                let score = self.score_style.parse(score_cell).ok();
                if score.is_none() {
                    self.without_score.push(grid.line_number(row));
                }
                score
            }
        };
        let penalty_cell = self.cell(row, columns.penalty);
        let penalty = if is_blank(penalty_cell) {
            None
        } else {
            match self.penalty_style.parse(penalty_cell) {
                Ok(penalty) => Some(penalty),
                Err(error) => {
                    let column = columns.penalty.unwrap_or_default();
                    problems.push(
                        grid.location(row, column),
                        error.message("penalty", penalty_cell),
                    );
                    None
                }
            }
        };
        let (competitor, kind) = match team {
            "" => (who, EntrantKind::Person),
            team => (team, EntrantKind::Team),
        };
        let member = kind == EntrantKind::Team && !who.is_empty();
        Ok(Some(Row {
            at: Location::Line(grid.line_number(row)),
            line: grid.line_number(row),
            competitor: competitor.to_owned(),
            kind,
            members: member.then(|| who.to_owned()).into_iter().collect(),
            mark,
            score,
            penalty,
        }))
    }

    /// Returns the status if it is not "finished", else the place, else the score.
    fn read_mark(&self, row: usize) -> Result<Option<RowMark>, (Option<usize>, String)> {
        let columns = self.columns;
        let status_cell = self.cell(row, columns.status);
        let stated = if is_blank(status_cell) {
            None
        } else {
            Some(CellStatus::parse(status_cell).ok_or_else(|| {
                (
                    columns.status,
                    format!("status {status_cell:?} is not known; use finished, dnf, dq or dns"),
                )
            })?)
        };
        let (place_cell, score_cell) =
            (self.cell(row, columns.place), self.cell(row, columns.score));
        let statuses = [
            stated,
            CellStatus::parse(place_cell),
            CellStatus::parse(score_cell),
        ];
        let mut statuses = statuses.into_iter().flatten();
        match statuses.find(|&status| status != CellStatus::Finished) {
            Some(CellStatus::DidNotStart) => return Ok(None),
            Some(CellStatus::DidNotFinish) => return Ok(Some(RowMark::DidNotFinish)),
            Some(CellStatus::Disqualified) => return Ok(Some(RowMark::Disqualified)),
            Some(CellStatus::Finished) | None => {}
        }
        let (column, cell) = match columns.place {
            Some(place) => (Some(place), place_cell),
            None => (columns.score, score_cell),
        };
        if is_blank(cell) {
            // A dash means absent; an empty cell may be a mistake.
            return if !cell.is_empty() && is_blank(score_cell) && stated.is_none() {
                Ok(None)
            } else {
                let what = if columns.place.is_some() {
                    "place"
                } else {
                    "score"
                };
                let why = format!("there is no {what}, and no status (dnf, dq, dns) instead");
                Err((column, why))
            };
        }
        let scores = columns.place.is_none().then_some(self.score_style);
        let mark = RowMark::parse(cell, scores).map_err(|why| (column, why))?;
        Ok(Some(mark))
    }

    fn notes(&self) -> Vec<String> {
        let lines = |what: &str, lines: &[u64]| {
            let first = lines.first()?;
            Some(match lines.len() {
                1 => format!("{what} on line {first}"),
                n => format!("{what} on {n} lines, first on line {first}"),
            })
        };
        let absent = (self.absent > 0).then(|| {
            let rows = if self.absent == 1 { "row" } else { "rows" };
            format!("{} {rows} of absent competitors left out", self.absent)
        });
        [
            lines("a summary or empty row left out,", &self.without_competitor),
            lines(
                "a score that is not a number left out,",
                &self.without_score,
            ),
            absent,
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}
