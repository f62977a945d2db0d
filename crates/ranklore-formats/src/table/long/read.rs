//! Reads long tables: one row per result.

use std::cell::OnceCell;
use std::collections::HashMap;

use super::columns::{LongColumns, LongSource};
use super::contests::ContestBuilder;
use super::rows::{LongRow, RowGroup};
use super::separation::find_division_column;
use crate::options::ReadOptions;
use crate::reading::{Candidates, FileReadError, RefusedEntries, RefusedEntry, TableShape};
use crate::table::columns::is_summary_label;
use crate::table::header::HeaderTable;
use crate::table::standings::{Problems, RowMark, RowResult as Row};
use crate::table::starting_ratings::StartingRatingCollector;
use crate::table::statuses::{StatusWords, status_option, status_options};
use crate::table::values::cells::{CellStatus, is_blank, parse_place, parse_place_range};
use crate::table::values::dates::{self, DateError, DateStyle, PeriodNotes};
use crate::table::values::numbers::NumberStyle;
use ranklore_contest::{ContestTime, Quoted, shorten};

/// The values that the rows of one contest have in common.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct GroupKey<'t> {
    id: &'t str,
    event: &'t str,
    name: &'t str,
    division: &'t str,
    date: Option<ContestTime>,
}

/// A cell of a date, and the time or the error in it.
type DateCell<'t> = (&'t str, Result<ContestTime, DateError>);

/// The column that is to blame, if it is one, and the reason to refuse a row.
type RowRefusal = (Option<usize>, String);

pub(in crate::table) fn read(
    table: &HeaderTable,
    file_name: &str,
    options: &ReadOptions,
) -> Result<Candidates, FileReadError> {
    let recognised = LongColumns::from_table(table, options)?;
    let mut notes = vec!["one row per result".to_owned()];
    recognised.check_ranking_basis(table, options, &mut notes)?;
    let statuses = StatusWords::new(&options.statuses)?;
    let status_columns = [recognised.status, recognised.place, recognised.score];
    let status_cells = status_columns.into_iter().flatten().flat_map(|column| table.values(column));
    statuses.check_occurrence(&options.statuses, status_cells)?;
    let undivided = LongTableReader::read_rows(table, &recognised, &statuses, options);
    // Only the groups show which column divides them; then the rows are read again.
    let division = find_division_column(&undivided.groups, table, &recognised);
    let divided = division.map(|column| recognised.with_division(column, table, &mut notes));
    let columns = divided.as_ref().unwrap_or(&recognised);
    let mut reader = match &divided {
        Some(columns) => LongTableReader::read_rows(table, columns, &statuses, options),
        None => undivided,
    };
    let rows = table.data_rows().filter(|&row| !reader.is_summary_row(row));
    let ratings = StartingRatingCollector::from_rows(table, &columns.names, rows)?;
    notes.extend(reader.notes().into_iter().flatten());
    notes.extend(std::mem::take(&mut reader.periods).into_notes());
    notes.extend(columns.names.identities.note(table));
    let source = LongSource {
        table,
        columns,
        file_name,
        options,
    };
    let builder = ContestBuilder::new(source, notes);
    let (mut candidates, notes) = builder.build(reader.groups, reader.refused)?;
    let mut used = columns.used.clone();
    ratings.finish(&mut candidates, &mut used);
    candidates.layout = Some(table.layout(TableShape::Long, &used, notes));
    Ok(candidates)
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
    last_date: Option<DateCell<'t>>,
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
    fn read_rows(
        table: &'t HeaderTable,
        columns: &'t LongColumns,
        statuses: &'t StatusWords,
        options: &'t ReadOptions,
    ) -> Self {
        let mut reader = Self {
            table,
            columns,
            score_style: table.number_style(columns.score),
            penalty_style: table.number_style(columns.penalty),
            statuses,
            status_options: OnceCell::new(),
            groups: Vec::new(),
            group_index: HashMap::new(),
            date_style: DateStyle::from_cells(
                columns.date.into_iter().flat_map(|c| table.values(c)),
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
        };
        // Summaries stand below all results.
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
        self.table.cell(row, column)
    }

    fn read_date(&mut self, row: usize) -> Option<DateCell<'t>> {
        let cell = self.cell(row, self.columns.date);
        if is_blank(cell) {
            return None;
        }
        if self.last_date.is_none_or(|(last, _)| last != cell) {
            let time = dates::parse_cell(cell, self.date_style).map(|date| {
                self.periods.add(cell, date);
                date.time
            });
            self.last_date = Some((cell, time));
        }
        self.last_date
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
            && results.iter().all(|&c| is_blank(self.cell(row, c)))
    }

    fn names_competitor(&self, row: usize) -> bool {
        let columns = [self.columns.names.people, self.columns.names.team];
        columns.iter().any(|&c| !self.cell(row, c).is_empty())
    }

    fn names_contest(&self, row: usize) -> bool {
        let columns = [self.columns.contest, self.columns.id, self.columns.date];
        columns.iter().any(|&c| !self.cell(row, c).is_empty())
    }

    /// True if the last row sums up the others, or has no data of its own.
    fn sums_up(&self, row: usize) -> bool {
        let columns = self.columns;
        if self.is_footnote(row) {
            return true;
        }
        // A place or a status belongs to a competitor; a score may be a sum.
        let has_result = |column| !is_blank(self.cell(row, column));
        if has_result(columns.place) || has_result(columns.status) {
            return false;
        }
        if self.is_empty_row(row) {
            return true;
        }
        if self.statuses.parse(self.cell(row, columns.score)).is_some() {
            return false;
        }
        let is_unnamed = !self.names_competitor(row);
        let has_label_as_name = is_summary_label(self.cell(row, columns.names.people));
        let mut cells = self.table.grid.cells(row).filter(|cell| !cell.is_empty());
        let has_label = has_label_as_name || cells.next().is_some_and(is_summary_label);
        // Without places, a score without a name and a label may be a result.
        (has_label && (is_unnamed || has_label_as_name) && is_blank(self.cell(row, columns.date)))
            || (is_unnamed && !self.names_contest(row) && columns.place.is_some())
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
        if self.is_summary_row(row) {
            self.without_competitor.push(row);
            return;
        }
        let date = self.read_date(row);
        let Some(group) = self.find_group(row, date) else {
            self.refuse_unnamed_row(row);
            return;
        };
        let grid = &self.table.grid;
        // Reading the result borrows the reader, and with it the group.
        let mut problems = std::mem::take(&mut self.groups[group].problems);
        if let (Some((text, Err(error))), Some(column)) = (date, self.columns.date) {
            problems.push(grid.location(row, column), error.message(text));
        }
        let result = match self.read_result(row, &mut problems) {
            Ok(result) => result,
            Err((column, reason)) => {
                if self.unknown_status(row).is_some() {
                    problems.advise(self.status_options());
                }
                let at = match column {
                    Some(column) => grid.location(row, column),
                    None => grid.row_location(row),
                };
                problems.push(at, reason);
                None
            }
        };
        let group = &mut self.groups[group];
        group.problems = problems;
        group.rows.push(LongRow {
            row,
            date: date.and_then(|(_, time)| time.ok()),
            result,
        });
    }

    /// Returns the group of a row: by the id of the contest, or else by event and name, or else by
    /// date. `None` if columns name contests or have dates, and the row has neither.
    fn find_group(&mut self, row: usize, date: Option<DateCell<'t>>) -> Option<usize> {
        let columns = self.columns;
        let grid = &self.table.grid;
        let id = self.cell(row, columns.id);
        let contest = self.cell(row, columns.contest);
        let has_names = columns.contest.is_some() || columns.id.is_some();
        let is_unnamed = if has_names {
            id.is_empty() && contest.is_empty()
        } else {
            columns.date.is_some() && date.is_none()
        };
        if is_unnamed {
            return None;
        }
        let (event, name) = match (id, date) {
            ("", _) if has_names => (self.cell(row, columns.event), contest),
            // The text of an invalid date keeps its rows together.
            ("", Some((text, Err(_)))) => (grid.empty(), text),
            _ => (grid.empty(), grid.empty()),
        };
        let key = GroupKey {
            id,
            event,
            name,
            division: self.cell(row, columns.division),
            date: date.and_then(|(_, time)| time.ok()).filter(|_| !has_names),
        };
        let groups = &mut self.groups;
        // Contests of a table are mostly of one size, and together have as many rows as the table.
        let rows_before = self.last_group.map_or(0, |(_, last)| groups[last].rows.len());
        let group = match self.last_group {
            Some((last, group)) if last == key => group,
            _ => *self.group_index.entry(key).or_insert_with(|| {
                groups.push(RowGroup {
                    id,
                    // Without a column, no cell has this index.
                    event: grid.cell(row, columns.event.unwrap_or(usize::MAX)),
                    name: if id.is_empty() { name } else { contest },
                    division: key.division,
                    rows: Vec::with_capacity(rows_before),
                    problems: Problems::default(),
                });
                groups.len() - 1
            }),
        };
        self.last_group = Some((key, group));
        Some(group)
    }

    /// Refuses a row that has a result and no contest. The result may be missing from the contest
    /// above, which is refused too.
    fn refuse_unnamed_row(&mut self, row: usize) {
        let at = self.table.grid.row_location(row);
        let reason = if self.names_competitor(row) {
            "the row names a competitor and no contest".to_owned()
        } else {
            "the row has a result and names neither competitor nor contest".to_owned()
        };
        match self.last_group {
            Some((_, group)) => self.groups[group].problems.push(at, reason),
            None => self.refused.push(RefusedEntry {
                at,
                contest: None,
                why: reason,
            }),
        }
    }

    /// Returns the result of a row, or `None` if the competitor did not take part. An error is the
    /// column and the reason.
    fn read_result(
        &mut self,
        row: usize,
        problems: &mut Problems,
    ) -> Result<Option<Row<'t>>, RowRefusal> {
        let names = &self.columns.names;
        let entrant = names
            .entrant(self.table, row)
            .and_then(|entrant| entrant.ok_or_else(|| "the row names no competitor".to_owned()))
            .map_err(|reason| (names.people, reason))?;
        let members = entrant.members.iter().map(String::as_str);
        let mut published_names = std::iter::once(entrant.name).chain(members);
        if published_names.any(ranklore_contest::is_name_too_long) {
            let reason =
                format!("the name has more than {} characters", ranklore_contest::MAX_NAME_CHARS);
            return Err((names.people, reason));
        }
        let Some(mark) = self.read_mark(row)? else {
            self.absent += 1;
            return Ok(None);
        };
        let mut result = Row::new(row, entrant, mark);
        if result.score.is_none() {
            result.score = self.read_score(row);
        }
        result.penalty = self.read_penalty(row, problems);
        Ok(Some(result))
    }

    /// Returns the score beside a place or a status. Cells of other texts are counted for the notes.
    fn read_score(&mut self, row: usize) -> Option<f64> {
        let cell = self.cell(row, self.columns.score);
        if is_blank(cell) || self.statuses.parse(cell).is_some() {
            return None;
        }
        let score = self.score_style.parse(cell).ok();
        if score.is_none() {
            self.without_score.push(row);
        }
        score
    }

    fn read_penalty(&self, row: usize, problems: &mut Problems) -> Option<f64> {
        let column = self.columns.penalty?;
        let cell = self.table.grid.cell(row, column);
        if is_blank(cell) {
            return None;
        }
        let penalty = self.penalty_style.parse(cell);
        if let Err(error) = penalty {
            let at = self.table.grid.location(row, column);
            problems.push(at, error.message("penalty", cell));
        }
        penalty.ok()
    }

    /// Returns the status if it is not "finished", else the place, else the score.
    fn read_mark(&self, row: usize) -> Result<Option<RowMark>, RowRefusal> {
        let columns = self.columns;
        let words = self.statuses;
        let cells = [columns.status, columns.place, columns.score]
            .map(|column| (column, self.cell(row, column)));
        let statuses = cells.map(|(_, cell)| words.parse(cell));
        let [(_, status_cell), _, (_, score_cell)] = cells;
        if statuses[0].is_none() && !is_blank(status_cell) {
            let reason = format!("status {} is not known", Quoted(status_cell));
            return Err((columns.status, reason));
        }
        // Without a column of places, the score decides.
        let (column, cell) = cells[if columns.place.is_some() { 1 } else { 2 }];
        let rank = RankCell {
            column,
            cell,
            noun: columns.place.map_or("score", |_| "place"),
            score_style: columns.place.is_none().then_some(self.score_style),
        };
        let decisive = statuses.iter().zip(cells).find_map(|(&status, cell)| {
            let status = status.filter(|&status| status != CellStatus::Finished)?;
            Some((status, cell))
        });
        match decisive {
            Some((CellStatus::DidNotStart, (column, word)))
                if column != rank.column && words.is_walkover(word) && rank.parse().is_ok() =>
            {
                return Err((column, rank.refuse_walkover(word)));
            }
            Some((CellStatus::DidNotStart, _)) => return Ok(None),
            Some((CellStatus::DidNotFinish, _)) => return Ok(Some(RowMark::DidNotFinish)),
            Some((CellStatus::Disqualified, _)) => return Ok(Some(RowMark::Disqualified)),
            Some((CellStatus::Finished, _)) | None => {}
        }
        if !is_blank(rank.cell) && !words.is_lapped(rank.cell) {
            let mark = rank.parse();
            return mark.map(Some).map_err(|reason| (rank.column, reason));
        }
        // A lapped competitor without a place took part.
        if cells.iter().any(|(_, cell)| words.is_lapped(cell)) {
            return Ok(Some(RowMark::DidNotFinish));
        }
        let noun = rank.noun;
        // A dash means absent; an empty cell may be a mistake.
        if !rank.cell.is_empty() && is_blank(score_cell) && statuses[0].is_none() {
            Ok(None)
        } else if words.is_unknown_word(score_cell) {
            let reason =
                format!("there is no {noun}, and {} is not a known status", Quoted(score_cell));
            Err((columns.score, reason))
        } else {
            let reason = format!("there is no {noun}, and no status (dnf, dq, dns) instead");
            Err((rank.column, reason))
        }
    }

    /// Returns the word of a row that may be a status and is not known.
    fn unknown_status(&self, row: usize) -> Option<&'t str> {
        let columns = self.columns;
        let status = self.cell(row, columns.status);
        if self.statuses.parse(status).is_none() && !is_blank(status) {
            return Some(status);
        }
        let place = self.cell(row, columns.place);
        let score = Some(self.cell(row, columns.score)).filter(|_| is_blank(place));
        let mut cells = [Some(place), score].into_iter().flatten();
        cells.find(|cell| self.statuses.is_unknown_word(cell))
    }

    /// Returns the options that give a meaning to all unknown statuses of the table: the user
    /// needs one attempt.
    fn status_options(&self) -> Option<&str> {
        let options = self.status_options.get_or_init(|| {
            let rows = self.table.data_rows().filter(|&row| !self.is_summary_row(row));
            status_options(rows.filter_map(|row| self.unknown_status(row)))
        });
        options.as_deref()
    }

    fn notes(&self) -> [Option<String>; 3] {
        let absent = (self.absent > 0).then(|| {
            let rows = if self.absent == 1 { "row" } else { "rows" };
            format!("{} {rows} of absent competitors left out", self.absent)
        });
        let empty = "a summary or empty row left out,";
        let invalid = "a score that is not a number left out,";
        [
            self.describe_rows(empty, &self.without_competitor),
            self.describe_rows(invalid, &self.without_score),
            absent,
        ]
    }

    /// Returns a note about rows: their number and the first one.
    fn describe_rows(&self, note: &str, rows: &[usize]) -> Option<String> {
        let first = self.table.grid.row_location(*rows.first()?);
        Some(match rows.len() {
            1 => format!("{note} on {first}"),
            n => format!("{note} on {n} {}, first on {first}", self.table.grid.row_word()),
        })
    }
}

/// The cell of a row that decides the order: a place, or a score if the table has no places.
struct RankCell<'t> {
    column: Option<usize>,
    cell: &'t str,
    /// The word for the cell in messages.
    noun: &'static str,
    /// The style of a score.
    score_style: Option<NumberStyle>,
}

impl RankCell<'_> {
    /// Parses the place or score. A range is a place; in a column of scores it is the score of a
    /// game.
    fn parse(&self) -> Result<RowMark, String> {
        RowMark::parse(self.cell, self.score_style).or_else(|reason| {
            let is_place = self.score_style.is_none();
            let shared = is_place.then(|| parse_place_range(self.cell)).flatten();
            shared.map(RowMark::Place).ok_or(reason)
        })
    }

    /// Returns the reason to refuse a place or score beside a word for a walkover.
    fn refuse_walkover(&self, word: &str) -> String {
        format!(
            "{word} stands beside {} {}: pass {} if such competitors are ranked, or {} if they did not take part",
            self.noun,
            shorten(self.cell),
            status_option(word, "finished"),
            status_option(word, "dns"),
            word = Quoted(word)
        )
    }
}
