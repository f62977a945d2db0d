//! Reads long tables: one row per result.

use std::cell::OnceCell;
use std::collections::HashMap;

use super::columns::LongColumns;
use super::contests::build_contests;
use super::rows::{LongRow, RowGroup};
use super::separation::find_division_column;
use crate::options::ReadOptions;
use crate::reading::{Candidates, FileReadError, RefusedEntries, RefusedEntry, TableShape};
use crate::table::columns::{ColumnMeaning, is_summary_label};
use crate::table::header::HeaderTable;
use crate::table::standings::{Problems, RowMark, RowResult as Row};
use crate::table::starting_ratings::StartingRatingCollector;
use crate::table::statuses::{StatusWords, status_options};
use crate::table::values::cells::{CellStatus, is_blank, parse_place, parse_place_range};
use crate::table::values::dates::{self, DateError, DateStyle, PeriodNotes};
use crate::table::values::numbers::NumberStyle;
use ranklore_contest::{ContestTime, EntrantKind, Quoted, quote_for_shell, shorten};

type GroupKey<'t> = (&'t str, &'t str, &'t str, &'t str, Option<ContestTime>);

pub(in crate::table) fn read(
    table: &HeaderTable,
    file_name: &str,
    options: &ReadOptions,
) -> Result<Candidates, FileReadError> {
    let recognised = LongColumns::from_table(table, options)?;
    let mut notes = vec!["one row per result".to_owned()];
    recognised.check_ranking_basis(table, options, &mut notes)?;
    let statuses = StatusWords::new(&options.statuses)?;
    let marked = [recognised.status, recognised.place, recognised.score];
    let marked = marked.into_iter().flatten();
    statuses.check_occurrence(
        &options.statuses,
        marked.flat_map(|column| table.values(column)),
    )?;
    let reader = LongTableReader::read_rows(table, &recognised, &statuses, options);
    let division = find_division_column(&reader.groups, table, &recognised);
    let divided = division.map(|column| recognised.with_division(column, table, &mut notes));
    let columns = divided.as_ref().unwrap_or(&recognised);
    let mut reader = match &divided {
        Some(columns) => LongTableReader::read_rows(table, columns, &statuses, options),
        None => reader,
    };
    let mut ratings = StartingRatingCollector::new(table)?;
    let rated = table.has_column(ColumnMeaning::StartingRating);
    for row in table.data_rows().filter(|_| rated) {
        if reader.is_summary_row(row) {
            continue;
        }
        match columns.names.entrant(table, row) {
            // A team member's rating belongs to the person and not to the team.
            Ok(Some(named)) if named.members.len() == 1 && !columns.names.list_members() => {
                ratings.read_row(table, row, EntrantKind::Person, &named.members[0]);
            }
            Ok(Some(named)) => ratings.read_row(table, row, named.kind, &named.competitor),
            Ok(None) | Err(_) => {}
        }
    }
    notes.extend(reader.notes());
    notes.extend(std::mem::take(&mut reader.periods).into_notes());
    notes.extend(columns.names.identities.notes(table));
    let mut found = Candidates {
        refused: std::mem::take(&mut reader.refused),
        ..Candidates::default()
    };
    let groups = reader.groups;
    build_contests(
        groups, table, columns, file_name, options, &mut found, &mut notes,
    )?;
    let mut used = columns.used.clone();
    ratings.finish(&mut found, &mut used);
    found.layout = Some(table.layout(TableShape::Long, &used, notes));
    Ok(found)
}

/// Reads the rows and groups them by contest.
struct LongTableReader<'t> {
    table: &'t HeaderTable,
    columns: &'t LongColumns,
    score_style: NumberStyle,
    penalty_style: NumberStyle,
    statuses: &'t StatusWords,
    /// The options that give a meaning to the unknown statuses of the table, once needed.
    status_options: OnceCell<Option<String>>,
    groups: Vec<RowGroup<'t>>,
    group_index: HashMap<GroupKey<'t>, usize>,
    date_style: DateStyle,
    periods: PeriodNotes,
    /// The last date cell and its value: consecutive rows mostly share a date.
    last_date: Option<(&'t str, Result<ContestTime, DateError>)>,
    refused: RefusedEntries,
    /// The group of the last row that belongs to one: consecutive rows mostly share it.
    last_group: Option<(GroupKey<'t>, usize)>,
    without_competitor: Vec<usize>,
    without_score: Vec<usize>,
    absent: usize,
    /// The first of the rows at the end that sum up the others.
    summaries_from: usize,
}

impl<'t> LongTableReader<'t> {
    fn new(
        table: &'t HeaderTable,
        columns: &'t LongColumns,
        statuses: &'t StatusWords,
        options: &'t ReadOptions,
    ) -> Self {
        let style = |column| table.number_style(column);
        Self {
            table,
            columns,
            score_style: style(columns.score),
            penalty_style: style(columns.penalty),
            statuses,
            status_options: OnceCell::new(),
            groups: Vec::new(),
            group_index: HashMap::new(),
            date_style: DateStyle::from_cells(
                columns.date.into_iter().flat_map(|of| table.values(of)),
                table.grid.date_rules(options),
            ),
            periods: PeriodNotes::default(),
            last_date: None,
            refused: RefusedEntries::default(),
            last_group: None,
            without_competitor: Vec::new(),
            without_score: Vec::new(),
            absent: 0,
            summaries_from: table.grid.row_count(),
        }
    }

    fn read_rows(
        table: &'t HeaderTable,
        columns: &'t LongColumns,
        statuses: &'t StatusWords,
        options: &'t ReadOptions,
    ) -> Self {
        let mut reader = Self::new(table, columns, statuses, options);
        while let Some(last) = reader.summaries_from.checked_sub(1)
            && table.data_rows().contains(&last)
            && reader.sums_up(last)
        {
            reader.summaries_from = last;
        }
        for row in table.data_rows() {
            reader.read_row(row);
        }
        reader
    }

    fn cell(&self, row: usize, column: Option<usize>) -> &'t str {
        let grid = &self.table.grid;
        column.map_or_else(|| grid.empty(), |column| grid.cell(row, column))
    }

    fn read_date(&mut self, row: usize) -> Option<(&'t str, Result<ContestTime, DateError>)> {
        let cell = self.cell(row, self.columns.date);
        if is_blank(cell) {
            return None;
        }
        match self.last_date {
            Some((last, date)) if last == cell => Some((cell, date)),
            _ => {
                let read = dates::parse_cell(cell, self.date_style).map(|date| {
                    self.periods.add(cell, date);
                    date.time
                });
                self.last_date = Some((cell, read));
                self.last_date
            }
        }
    }

    /// True if a row has no data of its own, or is one of the last rows and sums up the others.
    fn is_summary_row(&self, row: usize) -> bool {
        row >= self.summaries_from || self.is_empty_row(row)
    }

    /// True if a row has no competitor, contest and result.
    fn is_empty_row(&self, row: usize) -> bool {
        let columns = self.columns;
        let results = [columns.place, columns.status, columns.score];
        !self.names_competitor(row)
            && !self.names_contest(row)
            && results.iter().all(|&of| is_blank(self.cell(row, of)))
    }

    fn names_competitor(&self, row: usize) -> bool {
        let of = [self.columns.names.people, self.columns.names.team];
        of.iter().any(|&of| !self.cell(row, of).is_empty())
    }

    fn names_contest(&self, row: usize) -> bool {
        let of = [self.columns.contest, self.columns.id, self.columns.date];
        of.iter().any(|&of| !self.cell(row, of).is_empty())
    }

    /// True if the last row sums up the others, or has no data of its own.
    fn sums_up(&self, row: usize) -> bool {
        let columns = self.columns;
        let blank = |column| is_blank(self.cell(row, column));
        if self.is_footnote(row) {
            return true;
        }
        // A place or a status belongs to a competitor; a score may be a sum.
        if !(blank(columns.place) && blank(columns.status)) {
            return false;
        }
        if self.is_empty_row(row) {
            return true;
        }
        if self.statuses.parse(self.cell(row, columns.score)).is_some() {
            return false;
        }
        let who = self.cell(row, columns.names.people);
        let unnamed = !self.names_competitor(row);
        let mut cells = self.table.grid.cells(row).filter(|cell| !cell.is_empty());
        let labelled = is_summary_label(who) || cells.next().is_some_and(is_summary_label);
        let label_alone = (unnamed || is_summary_label(who)) && blank(columns.date);
        // Without places, a score without a name and a label may be a result.
        (labelled && label_alone)
            || (unnamed && !self.names_contest(row) && columns.place.is_some())
    }

    /// True if the only cell of a row is a text of several words below the places, such as
    /// "Tie break 1: direct encounter".
    fn is_footnote(&self, row: usize) -> bool {
        let text = self.cell(row, self.columns.place);
        let mut cells = self.table.grid.cells(row).filter(|cell| !cell.is_empty());
        text.starts_with(char::is_alphabetic)
            && text.contains([' ', ':'])
            && cells.next() == Some(text)
            && cells.next().is_none()
            && !self.names_competitor(row)
            && !self.names_contest(row)
            && parse_place(text).is_none()
            && self.statuses.parse(text).is_none()
    }

    fn read_row(&mut self, row: usize) {
        let (table, columns) = (self.table, self.columns);
        if self.is_summary_row(row) {
            self.without_competitor.push(row);
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
        let none = table.grid.empty();
        let (event, name) = match (id, names) {
            ("", true) => (self.cell(row, columns.event), contest),
            ("", false) => (none, date.filter(|d| d.1.is_err()).map_or(none, |d| d.0)),
            _ => (none, none),
        };
        let division = self.cell(row, columns.division);
        let key = (id, event, name, division, key_date);
        let groups = &mut self.groups;
        // Contests of a table are mostly of one size, and together have as many rows as the table.
        let rows_before = self
            .last_group
            .map_or(0, |(_, last)| groups[last].rows.len());
        let group = match self.last_group {
            Some((last, group)) if last == key => group,
            _ => *self.group_index.entry(key).or_insert_with(|| {
                groups.push(RowGroup {
                    id,
                    event: table.grid.cell(row, columns.event.unwrap_or(usize::MAX)),
                    name: if id.is_empty() { name } else { contest },
                    division,
                    rows: Vec::with_capacity(rows_before),
                    problems: Problems::default(),
                });
                groups.len() - 1
            }),
        };
        self.last_group = Some((key, group));
        let mut problems = std::mem::take(&mut self.groups[group].problems);
        if let (Some((text, Err(error))), Some(column)) = (date, columns.date) {
            problems.push(table.grid.location(row, column), error.message(text));
        }
        let result = match self.read_result(row, &mut problems) {
            Ok(result) => result,
            Err((column, why)) => {
                if self.unknown_status(row).is_some() {
                    problems.advise(self.status_options());
                }
                let at = column.map_or_else(
                    || table.grid.row_location(row),
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
        let at = self.table.grid.row_location(row);
        let why = if self.names_competitor(row) {
            "the row names a competitor and no contest".to_owned()
        } else {
            "the row has a result and names neither competitor nor contest".to_owned()
        };
        match self.last_group {
            Some((_, group)) => self.groups[group].problems.push(at, why),
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
    ) -> Result<Option<Row<'t>>, (Option<usize>, String)> {
        let (table, columns) = (self.table, self.columns);
        let grid = &table.grid;
        let people = columns.names.people;
        let named = (columns.names.entrant(table, row)).map_err(|why| (people, why))?;
        let Some(named) = named else {
            return Err((people, "the row names no competitor".to_owned()));
        };
        let members = named.members.iter().map(String::as_str);
        if (std::iter::once(named.name).chain(members)).any(ranklore_contest::is_name_too_long) {
            let why = format!(
                "the name has more than {} characters",
                ranklore_contest::MAX_NAME_CHARS
            );
            return Err((people, why));
        }
        let Some(mark) = self.read_mark(row)? else {
            self.absent += 1;
            return Ok(None);
        };
        let score_cell = self.cell(row, columns.score);
        let score = match mark {
            RowMark::Score(score) => Some(score),
            _ if is_blank(score_cell) || self.statuses.parse(score_cell).is_some() => None,
            _ => {
                let score = self.score_style.parse(score_cell).ok();
                if score.is_none() {
                    self.without_score.push(row);
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
        Ok(Some(Row {
            row,
            competitor: named.competitor,
            kind: named.kind,
            members: named.members,
            mark,
            score,
            penalty,
        }))
    }

    /// Returns the status if it is not "finished", else the place, else the score.
    fn read_mark(&self, row: usize) -> Result<Option<RowMark>, (Option<usize>, String)> {
        let (columns, words) = (self.columns, self.statuses);
        let cells = [columns.status, columns.place, columns.score]
            .map(|column| (column, self.cell(row, column)));
        let statuses = cells.map(|(_, cell)| words.parse(cell));
        let [(_, status_cell), (_, place_cell), (_, score_cell)] = cells;
        if statuses[0].is_none() && !is_blank(status_cell) {
            return Err((
                columns.status,
                format!(
                    "status {status_cell} is not known",
                    status_cell = Quoted(status_cell)
                ),
            ));
        }
        let (column, cell, what) = match columns.place {
            Some(place) => (Some(place), place_cell, "place"),
            None => (columns.score, score_cell, "score"),
        };
        let scores = columns.place.is_none().then_some(self.score_style);
        let decisive = statuses.iter().zip(cells).find_map(|(&status, cell)| {
            let status = status.filter(|&status| status != CellStatus::Finished)?;
            Some((status, cell))
        });
        match decisive {
            Some((CellStatus::DidNotStart, (beside, word)))
                if beside != column
                    && words.is_walkover(word)
                    && parse_mark(cell, scores).is_ok() =>
            {
                let option = |status| quote_for_shell(&format!("{}={status}", shorten(word)));
                let why = format!(
                    "{word} stands beside {what} {}: pass --status {} if such competitors are ranked, or --status {} if they did not take part",
                    shorten(cell),
                    option("finished"),
                    option("dns"),
                    word = Quoted(word)
                );
                return Err((beside, why));
            }
            Some((CellStatus::DidNotStart, _)) => return Ok(None),
            Some((CellStatus::DidNotFinish, _)) => return Ok(Some(RowMark::DidNotFinish)),
            Some((CellStatus::Disqualified, _)) => return Ok(Some(RowMark::Disqualified)),
            Some((CellStatus::Finished, _)) | None => {}
        }
        if is_blank(cell) || words.is_lapped(cell) {
            // A lapped competitor without a place took part.
            if cells.iter().any(|(_, cell)| words.is_lapped(cell)) {
                return Ok(Some(RowMark::DidNotFinish));
            }
            // A dash means absent; an empty cell may be a mistake.
            return if !cell.is_empty() && is_blank(score_cell) && statuses[0].is_none() {
                Ok(None)
            } else if words.is_unknown_word(score_cell) {
                let why = format!(
                    "there is no {what}, and {score_cell} is not a known status",
                    score_cell = Quoted(score_cell)
                );
                Err((columns.score, why))
            } else {
                let why = format!("there is no {what}, and no status (dnf, dq, dns) instead");
                Err((column, why))
            };
        }
        let mark = parse_mark(cell, scores).map_err(|why| (column, why))?;
        Ok(Some(mark))
    }

    /// Returns the word of a row that may be a status and is not known.
    fn unknown_status(&self, row: usize) -> Option<&'t str> {
        let columns = self.columns;
        let status = self.cell(row, columns.status);
        if self.statuses.parse(status).is_none() && !is_blank(status) {
            return Some(status);
        }
        let place = self.cell(row, columns.place);
        let unknown = |cell: &&str| self.statuses.is_unknown_word(cell);
        let score = Some(self.cell(row, columns.score)).filter(|_| is_blank(place));
        [Some(place), score].into_iter().flatten().find(unknown)
    }

    /// Returns the options that give a meaning to all unknown statuses of the table: the user
    /// needs one attempt.
    fn status_options(&self) -> Option<&str> {
        let words = || {
            let rows = (self.table.data_rows()).filter(|&row| !self.is_summary_row(row));
            rows.filter_map(|row| self.unknown_status(row))
        };
        (self.status_options)
            .get_or_init(|| status_options(words()))
            .as_deref()
    }

    fn notes(&self) -> Vec<String> {
        let rows = |what: &str, rows: &[usize]| {
            let first = self.table.grid.row_location(*rows.first()?);
            Some(match rows.len() {
                1 => format!("{what} on {first}"),
                n => format!(
                    "{what} on {n} {}, first on {first}",
                    self.table.grid.row_word()
                ),
            })
        };
        let absent = (self.absent > 0).then(|| {
            let rows = if self.absent == 1 { "row" } else { "rows" };
            format!("{} {rows} of absent competitors left out", self.absent)
        });
        [
            rows("a summary or empty row left out,", &self.without_competitor),
            rows(
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

/// Parses a place or a range of places, or a score if `scores` is the style of a score column. A
/// range is the score of a game elsewhere than in a column of places.
fn parse_mark(cell: &str, scores: Option<NumberStyle>) -> Result<RowMark, String> {
    RowMark::parse(cell, scores).or_else(|why| {
        let shared = scores.is_none().then(|| parse_place_range(cell)).flatten();
        shared.map(RowMark::Place).ok_or(why)
    })
}
