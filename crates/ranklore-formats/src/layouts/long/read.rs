//! Reads long tables: one row per result.

mod other_rows;

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use super::contests::ContestBuilder;
use super::marks::{MarkReader, RowRefusal};
use super::repeats::{find_labelled_rows, find_repeated_rows, find_unplaced_repeats};
use super::rows::{LongRow, RowGroup, is_member_row};
use super::separation::find_division_column;
use super::unplaced::{propose_omission, propose_status_column};
use crate::layouts::published_ratings::PublishedRatingCollector;
use crate::layouts::standings::{Problems, RowResult as Row};
use crate::layouts::starting_ratings::StartingRatingCollector;
use crate::options::ReadOptions;
use crate::reading::{Candidates, RefusedEntries, RefusedEntry, TableShape};
use crate::schema::layout::{LongLayout, refuse_several};
use crate::schema::long::{LongColumns, LongSource};
use crate::schema::people::names::NamedEntrant;
use crate::schema::ragged::RaggedRows;
use crate::schema::series::is_result;
use crate::schema::table::HeaderTable;
use crate::values::cells::{is_blank, is_nameless, parse_place};
use crate::values::dates::{self, DateError, DateRules, DateStyle, PeriodNotes};
use crate::values::numbers::NumberStyle;
use crate::values::statuses::{StatusWords, are_names, status_options, unplaced_options};
use crate::vocabulary::meanings::ColumnMeaning;
use ranklore_contest::{ContestTime, EntrantKind};
use ranklore_grid::{FileReadError, Reason};

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

pub(crate) fn read(
    table: &HeaderTable,
    layout: &LongLayout,
    file_name: &str,
    options: &ReadOptions,
) -> Result<Candidates, FileReadError> {
    let recognised = &layout.columns;
    let mut notes = layout.notes.clone();
    notes.extend(recognised.names.separator_note());
    let statuses = find_status_words(table, recognised, options)?;
    let date_cells = recognised.date.into_iter().flat_map(|column| table.values(column));
    let heading = recognised.date.map_or("", |column| table.heading(column));
    let rules = DateRules::new(options, table.grid.limits()).below(heading);
    let date_style = DateStyle::from_cells(date_cells, rules);
    let undivided = LongTableReader::read_rows(table, recognised, &statuses, date_style, options);
    undivided.check_ragged()?;
    notes.extend(undivided.check_dates()?);
    // Only the groups show which column divides them; then the rows are read again.
    let division = find_division_column(&undivided.groups, table, recognised);
    let divided = division.map(|column| recognised.with_division(column, table, &mut notes));
    let columns = divided.as_ref().unwrap_or(recognised);
    let mut reader = match &divided {
        Some(columns) => LongTableReader::read_rows(table, columns, &statuses, date_style, options),
        None => undivided,
    };
    reader.check_ragged()?;
    let rows = table.data_rows().filter(|&row| !reader.is_summary_row(row));
    let ratings = StartingRatingCollector::from_rows(table, &columns.names, rows)?;
    notes.extend(reader.notes().into_iter().flatten());
    notes.extend(std::mem::take(&mut reader.periods).into_notes());
    notes.extend(columns.names.identities.notes(table));
    let source = LongSource {
        table,
        columns,
        file_name,
        options,
    };
    let builder = ContestBuilder::new(source, notes);
    let mut published = PublishedRatingCollector::from_table(table)?;
    let (mut candidates, mut notes) =
        builder.build(reader.groups, reader.refused, &mut published)?;
    let mut used = columns.used.clone();
    ratings.finish(&mut candidates, &mut used);
    published.finish(table, &mut candidates, &mut used, &mut notes);
    if layout.is_single {
        check_undivided(table, &recognised.used, &used)?;
    }
    let mut other_results = layout.other_results.clone();
    other_results.retain(|column| !used.contains_key(column));
    let mut table_layout = table.layout(TableShape::Long, &used, notes);
    table_layout.best_first = candidates.best_first;
    if !other_results.is_empty() {
        let columns = table.describe_columns(&other_results);
        table_layout.notes.push(format!("no contests of their own: {columns}"));
    }
    candidates.layout = Some(table_layout);
    Ok(candidates)
}

/// Returns the words for statuses in the columns of statuses, places and scores. Errors if a stated word
/// is in none of these, nor in place of a name, such as NA.
fn find_status_words(
    table: &HeaderTable,
    columns: &LongColumns,
    options: &ReadOptions,
) -> Result<[StatusWords; 3], FileReadError> {
    let words = StatusWords::new(&options.statuses)?;
    let status_columns = [columns.status, columns.place, columns.score];
    let cells = |column: Option<usize>| column.into_iter().flat_map(|column| table.values(column));
    let names = [columns.names.people, columns.names.team].into_iter().flat_map(cells);
    let unnamed = names.filter(|name| is_nameless(name));
    let searched = status_columns.into_iter().flat_map(cells).chain(unnamed);
    words.check_occurrence(&options.statuses, searched)?;
    let mut statuses = words.by_column(status_columns.map(cells));
    if columns.has_race_codes {
        statuses[0].add_race_codes();
    }
    Ok(statuses)
}

/// Errors if a column of no known meaning divides the table, which is one contest as the user says:
/// it separates the places.
fn check_undivided(
    table: &HeaderTable,
    recognised: &HashMap<usize, &'static str>,
    used: &HashMap<usize, &'static str>,
) -> Result<(), FileReadError> {
    let mut unknown_columns = table.unknown_columns.iter();
    let dividing = unknown_columns.find(|column| {
        let meaning = used.get(column).copied();
        !recognised.contains_key(column)
            && meaning.and_then(ColumnMeaning::from_word).is_some_and(|meaning| {
                matches!(meaning, ColumnMeaning::Event | ColumnMeaning::Division)
                    && !table.has_column(meaning)
            })
    });
    dividing.map_or(Ok(()), |&column| Err(refuse_several(table, column)))
}

/// Reads the rows and groups them by contest.
struct LongTableReader<'t> {
    table: &'t HeaderTable,
    columns: &'t LongColumns,
    marks: MarkReader<'t>,
    penalty_style: NumberStyle,
    /// The words in the columns of statuses, places and scores.
    statuses: &'t [StatusWords; 3],
    /// True if a row without a name is an entrant of its contest alone.
    allows_anonymous: bool,
    /// The options that give a meaning to the unknown statuses of the table, once needed.
    status_options: OnceCell<Option<Reason>>,
    status_column: OnceCell<Option<Reason>>,
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
    without_result: Vec<usize>,
    absent: usize,
    repeated: Vec<usize>,
    /// Rows without a place of competitors who have one in another row.
    unplaced_repeats: Vec<usize>,
    /// Rows of competitors whose names are not known.
    unknown: Vec<usize>,
    /// Rows with the name of a summary that are read as competitors.
    labelled: Vec<usize>,
    ragged: RaggedRows,
    /// The first of the rows at the end that sum up the others.
    summaries_from: usize,
}

impl<'t> LongTableReader<'t> {
    fn read_rows(
        table: &'t HeaderTable,
        columns: &'t LongColumns,
        statuses: &'t [StatusWords; 3],
        date_style: DateStyle,
        options: &ReadOptions,
    ) -> Self {
        let mut reader = Self {
            table,
            columns,
            allows_anonymous: options.anonymous,
            marks: MarkReader::new(table, columns, statuses),
            penalty_style: table.number_style(columns.penalty),
            statuses,
            status_options: OnceCell::new(),
            status_column: OnceCell::new(),
            groups: Vec::new(),
            group_index: HashMap::new(),
            date_style,
            periods: PeriodNotes::default(),
            last_date: None,
            refused: RefusedEntries::default(),
            last_group: None,
            without_competitor: Vec::new(),
            without_score: Vec::new(),
            without_result: Vec::new(),
            absent: 0,
            repeated: Vec::new(),
            unplaced_repeats: Vec::new(),
            unknown: Vec::new(),
            labelled: Vec::new(),
            ragged: RaggedRows::find(table),
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
        reader.drop_rows();
        reader.drop_unknown_names();
        reader
    }

    /// Leaves out rows that repeat another of their contest, or sum up the others.
    fn drop_rows(&mut self) {
        let columns = self.columns;
        let names = &columns.names;
        let results = [columns.place, columns.score, columns.status];
        for group in &mut self.groups {
            let repeated = find_repeated_rows(self.table, &group.rows);
            group.rows.retain(|line| !repeated.contains(&line.row));
            self.repeated.extend(repeated);
            if self.columns.place.is_some() && group.problems.is_empty() {
                let unplaced = find_unplaced_repeats(self.table, results, &group.rows);
                group.rows.retain(|line| !unplaced.contains(&line.row));
                self.unplaced_repeats.extend(unplaced);
            }
            let labelled = find_labelled_rows(self.table, names, &group.rows, self.columns.score);
            group.rows.retain(|line| !labelled.sums.contains(&line.row));
            self.without_competitor.extend(labelled.sums);
            self.labelled.extend(labelled.doubtful);
        }
        for rows in [
            &mut self.repeated,
            &mut self.unplaced_repeats,
            &mut self.without_competitor,
            &mut self.labelled,
        ] {
            rows.sort_unstable();
        }
    }

    /// Errors if a row has more cells than headings, and no other row has its contest: the cells that
    /// name the contest may stand in wrong columns.
    fn check_ragged(&self) -> Result<(), FileReadError> {
        let mut in_contests = HashSet::new();
        let groups = self.groups.iter().filter(|_| !self.ragged.is_empty());
        for group in groups {
            let (ragged, whole): (Vec<usize>, Vec<usize>) = group
                .rows
                .iter()
                .map(|line| line.row)
                .partition(|&row| self.ragged.contains(row));
            if !whole.is_empty() {
                in_contests.extend(ragged);
            }
        }
        let mut rows = self.ragged.rows().filter(|&row| !self.is_summary_row(row));
        match rows.find(|row| !in_contests.contains(row)) {
            Some(row) => Err(self.ragged.refuse_document(self.table, row)),
            None => Ok(()),
        }
    }

    /// Errors if the dates of the table have several readings. Returns a note if they decide it.
    fn check_dates(&self) -> Result<Option<String>, FileReadError> {
        let Some(column) = self.columns.date else {
            return Ok(None);
        };
        let rows = self.table.data_rows().filter(|&row| !self.is_summary_row(row));
        let note = self.date_style.check(rows.map(|row| self.table.grid.cell(row, column)));
        note.map_err(|reason| self.table.refuse_column(column, reason))
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

    fn read_row(&mut self, row: usize) {
        if self.is_summary_row(row) {
            self.without_competitor.push(row);
            return;
        }
        if is_member_row(self.table, self.columns, row) && self.add_member(row) {
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
            _ if self.ragged.contains(row) => {
                problems.push(grid.row_location(row), self.ragged.describe(self.table, row));
                None
            }
            Ok(result) => result,
            Err((column, reason)) => {
                if self.marks.unknown_status(row).is_some() {
                    problems.advise(self.status_options());
                } else if is_blank(self.cell(row, self.columns.place.or(self.columns.score))) {
                    problems.advise(self.status_column());
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

    /// Adds the person of a row to the team on the row above. Returns false if there is no team, or if
    /// the row of the team names a person too.
    fn add_member(&mut self, row: usize) -> bool {
        let names = &self.columns.names;
        let last_rows = self.last_group.map(|(_, group)| &mut self.groups[group].rows);
        let team = last_rows.and_then(|rows| rows.last_mut()?.result.as_mut());
        let team = team.filter(|team| {
            team.kind == EntrantKind::Team && self.table.cell(team.row, names.people).is_empty()
        });
        match (team, names.entrant(self.table, row)) {
            (Some(team), Ok(Some(member))) if member.kind == EntrantKind::Person => {
                team.members.push(member.competitor.into_owned());
                true
            }
            _ => false,
        }
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
            None => self.refused.push(RefusedEntry::new(at, None, reason)),
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
        let entrant = names.entrant(self.table, row);
        let entrant = match entrant.map_err(|reason| (names.people, reason.into()))? {
            Some(entrant) => entrant,
            // The contest gives the entrant a name.
            None if self.allows_anonymous && names.is_anonymous(self.table, row) => {
                NamedEntrant::new(EntrantKind::Person, self.table.grid.empty())
            }
            None => {
                self.marks.check_unnamed(row)?;
                self.absent += 1;
                return Ok(None);
            }
        };
        let members = entrant.members.iter().map(String::as_str);
        let mut published_names = std::iter::once(entrant.name).chain(members);
        if published_names.any(ranklore_contest::is_name_too_long) {
            let reason =
                format!("the name has more than {} characters", ranklore_contest::MAX_NAME_CHARS);
            return Err((names.people, reason.into()));
        }
        if self.marks.lacks_result(row) {
            self.without_result.push(row);
            return Ok(None);
        }
        let Some(mark) = self.marks.read(row)? else {
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
        if is_blank(cell) || self.statuses[2].parse(cell).is_some() {
            return None;
        }
        let score = self.marks.score_style.parse(cell).ok();
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
            problems.push(at, error.reason("penalty", cell));
        }
        penalty.ok()
    }

    /// Returns the options that give a meaning to all unknown statuses of the table: the user
    /// needs one attempt.
    fn status_options(&self) -> Option<&Reason> {
        let options = self.status_options.get_or_init(|| {
            let mut rows = self.table.data_rows().filter(|&row| !self.is_summary_row(row));
            let words = rows.clone().filter_map(|row| {
                let is_winner = parse_place(self.cell(row, self.columns.place)) == Some(1);
                Some((self.marks.unknown_status(row)?, is_winner))
            });
            let words: Vec<(&str, bool)> = words.collect();
            let texts: Vec<&str> = words.iter().map(|word| word.0).collect();
            let column = self.columns.status.or(self.columns.place).or(self.columns.score);
            if are_names(&texts) && !rows.any(|row| is_result(self.cell(row, column))) {
                return None;
            }
            let mut advice = status_options(words.iter().copied())?;
            // A few words among places say who has none.
            let are_few = 2 * words.len() < self.table.data_rows().len();
            if are_few && self.columns.place.is_some() && self.columns.status.is_none() {
                advice = advice.naming(unplaced_options(words.into_iter().map(|word| word.0)));
            }
            Some(match self.marks.describe_other_words() {
                // Places are better evidence than words.
                Some(mut ignore) if self.columns.place.is_some() => {
                    ignore.append(advice);
                    ignore
                }
                Some(ignore) => {
                    advice.append(ignore);
                    advice
                }
                None => advice,
            })
        });
        options.as_ref()
    }

    /// Returns the advice to read a column as the status, or to leave out rows without a result.
    fn status_column(&self) -> Option<&Reason> {
        let advice = self.status_column.get_or_init(|| {
            propose_status_column(self.table, self.columns)
                .or_else(|| propose_omission(self.table, self.columns))
        });
        advice.as_ref()
    }

    fn notes(&self) -> [Option<String>; 8] {
        let absent = (self.absent > 0).then(|| {
            let rows = if self.absent == 1 { "row" } else { "rows" };
            format!("{} {rows} of absent competitors left out", self.absent)
        });
        let empty = "a summary or empty row left out,";
        let repeated = "a row equal to another of its contest in every cell left out,";
        let unplaced = "a row without a place of a competitor who has one in another row left out,";
        let labelled = "a competitor is named like a summary: remove the row if it is one,";
        let unknown = "a competitor of unknown name left out,";
        let unfinished = "a competitor with neither a status nor a result left out,";
        let invalid = "a score that is not a number left out,";
        [
            self.describe_rows(empty, &self.without_competitor),
            self.describe_rows(repeated, &self.repeated),
            self.describe_rows(unplaced, &self.unplaced_repeats),
            self.describe_rows(labelled, &self.labelled),
            self.describe_rows(unknown, &self.unknown),
            self.describe_rows(unfinished, &self.without_result),
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
