//! Reads wide tables: one row per player, one column per contest.

mod blank_rows;
mod cell_kinds;
mod discards;
mod order;
mod zeros;

use std::cell::OnceCell;
use std::collections::HashMap;

use crate::layouts::dated_names::DatedNameCollector;
use crate::layouts::numbering::{
    MISSING_DATE, check_numbered_order, describe_numbering, no_dates, nth_contest_time,
};
use crate::layouts::race_points::RaceCell;
use crate::layouts::standings::{
    Problems, RowMark, RowResult as Row, find_duplicates, rank_entrants, renumbered_note,
};
use crate::layouts::starting_ratings::StartingRatingCollector;
use crate::layouts::wide::cell_kinds::CellKind;
use crate::options::ReadOptions;
use crate::reading::{Candidates, TableLayout, TableShape};
use crate::schema::layout::WideLayout;
use crate::schema::people::names::NameColumns;
use crate::schema::ragged::RaggedRows;
use crate::schema::series::find_date_row;
use crate::schema::table::HeaderTable;
use crate::values::cells::{CellStatus, is_blank, parse_place};
use crate::values::dates::{self, DateError, DateRules, DateStyle, PeriodNotes, ReadDate};
use crate::values::doubtful_scores::{find_gap, find_missing_score};
use crate::values::numbers::{NumberStyle, is_time};
use crate::values::rankings::{are_gapless_places, are_ranking};
use crate::values::statuses::{StatusWords, refuse_number, status_options};
use crate::vocabulary::kinds::is_summary_label;
use crate::vocabulary::meanings::ColumnMeaning;
use ranklore_contest::{Contest, ContestTime, Quoted, id_from_name};
use ranklore_grid::{FileReadError, Location, Reason};

pub(crate) fn read(
    table: &HeaderTable,
    layout: &WideLayout,
    file_name: &str,
    options: &ReadOptions,
) -> Result<Candidates, FileReadError> {
    let WideLayout { series, names } = layout;
    let rounds = &series.columns;
    let statuses = StatusWords::new(&options.statuses)?;
    let mut notes = vec!["one row per player, one column per contest".to_owned()];
    if !series.left_out.is_empty() {
        notes.push(format!(
            "columns left out, because only other columns {}: {}",
            series.condition,
            table.describe_columns(&series.left_out)
        ));
    }
    let date_row = find_date_row(table);
    let mut wide = WideTable {
        table,
        rounds,
        players: find_players(table, names, date_row, &mut notes),
        names,
        statuses: &statuses,
        file_name,
        options,
        score_style: None,
        lower_is_better: options.lower_is_better,
        has_minus_discards: false,
        status_options: OnceCell::new(),
    };
    wide.has_minus_discards = wide.find_minus_discards()?;
    let ragged = RaggedRows::find(table);
    if let Some(&row) = wide.players.iter().find(|&&row| ragged.contains(row)) {
        return Err(ragged.refuse_document(table, row));
    }
    statuses.check_occurrence(&options.statuses, wide.cells())?;
    notes.extend(names.identities.notes(table));
    wide.check_separation(&find_used_columns(rounds, names))?;
    wide.check_blank_rows(&mut notes)?;
    let cells = wide.decide_cells(&mut notes)?;
    wide.lower_is_better = cells == CellKind::LowestScores;
    wide.score_style = (cells != CellKind::Places).then(|| wide.number_style());
    wide.drop_open_rounds(&mut notes);
    let mut used = find_used_columns(wide.rounds, names);
    wide.check_scores()?;
    wide.check_zeros()?;
    let RoundTimes { times, numbered } = wide.read_times(date_row, &mut notes)?;
    let mut candidates = wide.read_rounds(times, &mut notes)?;
    candidates.numbered = numbered;
    let rows = wide.players.iter().copied();
    let ratings = StartingRatingCollector::from_rows(table, names, rows)?;
    ratings.finish(&mut candidates, &mut used);
    candidates.layout = Some(TableLayout {
        cells: Some(cells.as_stated()),
        lower_is_better: wide.lower_is_better,
        ..table.layout(TableShape::Wide, &used, notes)
    });
    Ok(candidates)
}

/// Returns the rows of players: all except the row of dates and summaries at the bottom.
fn find_players(
    table: &HeaderTable,
    names: &NameColumns,
    date_row: Option<usize>,
    notes: &mut Vec<String>,
) -> Vec<usize> {
    let mut rows: Vec<usize> = table.data_rows().collect();
    rows.retain(|&row| Some(row) != date_row);
    let mut end = rows.len();
    while let Some(last) = end.checked_sub(1) {
        let row = rows[last];
        let name = names.cell(table, row);
        let mut cells = table.grid.cells(row).filter(|cell| !is_blank(cell));
        if name.is_empty() || is_summary_label(name) {
            notes.push(format!("{} left out: it names no player", table.grid.row_location(row)));
            rows.remove(last);
        } else if cells.nth(1).is_some() {
            break;
        }
        // A row without results can be a footnote below the summaries.
        end = last;
    }
    rows
}

/// Returns the columns that are read, with their meanings for the layout.
fn find_used_columns(rounds: &[usize], names: &NameColumns) -> HashMap<usize, &'static str> {
    let mut used: HashMap<usize, &'static str> = rounds.iter().map(|&c| (c, "round")).collect();
    used.extend(names.identities.used.iter().copied());
    used.extend(names.team.map(|c| (c, ColumnMeaning::Team.as_str())));
    used.extend(names.people.map(|c| (c, names.meaning.as_str())));
    used
}

/// The time of a round, or the reason why it has none.
type RoundTime = Result<ContestTime, (Location, String)>;

/// The times of all rounds.
struct RoundTimes {
    times: Vec<RoundTime>,
    /// The number of rounds that are dated from the start.
    numbered: usize,
}

/// The columns of rounds and the rows of players, and how their cells are read.
struct WideTable<'t> {
    table: &'t HeaderTable,
    rounds: &'t [usize],
    players: Vec<usize>,
    names: &'t NameColumns,
    statuses: &'t StatusWords,
    file_name: &'t str,
    options: &'t ReadOptions,
    /// The style of scores; `None` if the cells are places.
    score_style: Option<NumberStyle>,
    lower_is_better: bool,
    /// True if a minus marks a place that a series does not count: `-6`.
    has_minus_discards: bool,
    /// The options that give a meaning to the unknown statuses of the table, once needed.
    status_options: OnceCell<Option<Reason>>,
}

impl<'t> WideTable<'t> {
    /// Returns the cells of all rounds.
    fn cells(&self) -> impl Iterator<Item = &'t str> {
        self.rounds.iter().flat_map(|&round| self.round_cells(round))
    }

    fn round_cells(&self, round: usize) -> impl Iterator<Item = &'t str> {
        self.raw_cells(round).map(|cell| {
            // The user may have stated what the whole cell means.
            if self.statuses.find_stated(cell).is_some() {
                cell
            } else {
                let cell = RaceCell::parse(cell).result();
                cell.strip_prefix('-').filter(|_| self.has_minus_discards).unwrap_or(cell)
            }
        })
    }

    fn raw_cells(&self, round: usize) -> impl Iterator<Item = &'t str> {
        let grid = &self.table.grid;
        self.players.iter().map(move |&row| grid.cell(row, round))
    }

    /// Errors if a round has gaps beside times, or a number that stands for no result and would win.
    fn check_scores(&self) -> Result<(), FileReadError> {
        let Some(style) = self.score_style else {
            return Ok(());
        };
        for &round in self.rounds {
            let rows = self.players.iter().copied();
            let cells: Vec<(usize, &str)> = rows.zip(self.round_cells(round)).collect();
            let are_times = cells.iter().any(|(_, cell)| is_time(cell));
            let missing = || {
                let lowest_wins = self.lower_is_better;
                lowest_wins
                    .then(|| find_missing_score(&cells, style, self.statuses, are_times))
                    .flatten()
            };
            if let Some((row, reason)) = find_gap(&cells, self.statuses).or_else(missing) {
                return Err(FileReadError::new(self.table.grid.location(row, round), reason));
            }
        }
        Ok(())
    }

    /// True if a cell is neither blank nor a status.
    fn is_result(&self, cell: &str) -> bool {
        !is_blank(cell) && self.statuses.parse(cell).is_none()
    }

    /// Errors if an unread column separates the places of a round into rankings of their own, such
    /// as classes. Read as one contest, their places would be ties, or scores.
    fn check_separation(&self, used: &HashMap<usize, &'static str>) -> Result<(), FileReadError> {
        let table = self.table;
        let unread = table.unread_columns(used);
        for &round in self.rounds {
            let players = self.players.iter().copied();
            let results: Vec<(usize, &str)> = players
                .zip(self.round_cells(round))
                .filter(|(_, cell)| self.is_result(cell))
                .collect();
            let cells = results.iter().map(|&(_, cell)| cell);
            let firsts = cells.clone().filter(|cell| parse_place(cell) == Some(1));
            // Rankings that start at 1 repeat their first place.
            if firsts.count() < 2 || are_ranking(cells) {
                continue;
            }
            let separating = unread.iter().find(|&&column| {
                let mut rankings: HashMap<&str, Vec<&str>> = HashMap::new();
                for &(row, cell) in &results {
                    let value = table.grid.cell(row, column);
                    rankings.entry(value).or_default().push(cell);
                }
                let long = rankings.values().filter(|places| places.len() > 1);
                long.count() > 1
                    && rankings.values().all(|places| are_gapless_places(places.iter().copied()))
            });
            if let Some(&column) = separating {
                let ignore = table.ignore_option(column);
                let reason = format!(
                    "places of {} repeat, and {} separates them into rankings: write a table for each, or pass {ignore} if these are ties",
                    table.describe_column(round),
                    table.describe_column(column),
                );
                return Err(table.refuse_column(round, Reason::from(reason).naming([ignore])));
            }
        }
        Ok(())
    }

    fn number_style(&self) -> NumberStyle {
        self.table.style_of(self.cells())
    }

    /// Returns the time of each round: from the row of dates, else from the heading. Rounds are
    /// numbered from the start only if none has a date.
    fn read_times(
        &self,
        date_row: Option<usize>,
        notes: &mut Vec<String>,
    ) -> Result<RoundTimes, FileReadError> {
        let table = self.table;
        let grid = &table.grid;
        let row_cells = |row| self.rounds.iter().map(move |&round| grid.cell(row, round));
        let words = row_cells(table.header_row).flat_map(str::split_whitespace);
        let cells = date_row.into_iter().flat_map(row_cells).chain(words);
        let style = DateStyle::from_cells(cells, DateRules::new(self.options, grid.limits()));
        let mut periods = PeriodNotes::default();
        let mut has_row_dates = false;
        let mut has_heading_dates = false;
        let mut times: Vec<RoundTime> = Vec::with_capacity(self.rounds.len());
        let mut dated_texts = Vec::new();
        for &round in self.rounds {
            // A blank cell of the row of dates leaves the heading.
            let filled_row = date_row.filter(|&row| !is_blank(grid.cell(row, round)));
            let row = filled_row.unwrap_or(table.header_row);
            let text = grid.cell(row, round);
            let date = if filled_row.is_some() {
                has_row_dates = true;
                Some(dates::parse_cell(text, style))
            } else {
                self.find_date_in_heading(text, style)
            };
            has_heading_dates |= filled_row.is_none() && date.is_some();
            dated_texts.extend(date.is_some().then_some(text));
            let time = match date {
                Some(Ok(date)) => {
                    periods.add(text, date);
                    Ok(date.time)
                }
                Some(Err(error)) => Err(error.message(text)),
                None => Err(MISSING_DATE.to_owned()),
            };
            times.push(time.map_err(|reason| (grid.location(row, round), reason)));
        }
        notes.extend(periods.into_notes());
        let order_note = style.check(dated_texts.into_iter());
        notes.extend(order_note.map_err(|reason| table.refuse_headings(reason))?);
        if !(has_row_dates || has_heading_dates) {
            return self.number_rounds(notes);
        }
        if let Some(row) = date_row.filter(|_| has_row_dates) {
            notes.push(format!("dates are those of {}", grid.row_location(row)));
        }
        if has_heading_dates {
            notes.push("dates are those of the headings".to_owned());
        }
        Ok(RoundTimes { times, numbered: 0 })
    }

    /// Returns the day in a heading, or the period if no start is given: a start numbers contests
    /// without a day.
    fn find_date_in_heading(
        &self,
        heading: &str,
        style: DateStyle,
    ) -> Option<Result<ReadDate, DateError>> {
        match dates::find_day(heading, style.rules) {
            Some(day) => Some(day.map(ReadDate::from)),
            None if self.options.start.is_none() => self.find_period_in_heading(heading, style),
            None => None,
        }
    }

    /// Returns the month that a heading is, or another period in it.
    fn find_period_in_heading(
        &self,
        heading: &str,
        style: DateStyle,
    ) -> Option<Result<ReadDate, DateError>> {
        let reads_months = self.table.grid.limits().reader.refuses_doubts();
        let month = dates::parse_month_of_year(heading, style).filter(|_| reads_months);
        month.map(Ok).or_else(|| dates::find_period(heading, style))
    }

    /// Dates the rounds from the start, from left to right.
    fn number_rounds(&self, notes: &mut Vec<String>) -> Result<RoundTimes, FileReadError> {
        let table = self.table;
        let first = self.rounds[0];
        let Some(start) = self.options.start else {
            return Err(table.refuse_column(first, no_dates(self.file_name)));
        };
        check_numbered_order(self.rounds.iter().map(|&round| table.heading(round)))
            .map_err(|reason| table.refuse_column(first, reason))?;
        let numbered = self.rounds.len();
        let order = "from left to right";
        notes.push(describe_numbering(self.options, start, numbered, order));
        let times = self.rounds.iter().enumerate().map(|(index, &round)| {
            nth_contest_time(self.options, start, index)
                .map_err(|reason| (table.heading_location(round), reason))
        });
        Ok(RoundTimes {
            times: times.collect(),
            numbered,
        })
    }

    /// Reads the contest of each round.
    fn read_rounds(
        &self,
        times: Vec<RoundTime>,
        notes: &mut Vec<String>,
    ) -> Result<Candidates, FileReadError> {
        let table = self.table;
        let mut candidates = Candidates::default();
        let mut dated_names = DatedNameCollector::default();
        let mut renumbered = Vec::new();
        let mut result_count = 0;
        for (&round, time) in self.rounds.iter().zip(times) {
            let name = table.heading(round);
            let mut problems = Problems::default();
            let ends_at = time.unwrap_or_else(|(at, reason)| {
                // A round with problems is refused, so this time is not used.
                problems.push(at, reason);
                ContestTime::MIN
            });
            let results = self.read_results(round, &mut problems);
            result_count += results.len();
            table.grid.check_results(result_count)?;
            self.check_results(round, &results, &mut problems);
            if !problems.is_empty() {
                candidates.refused.push(problems.into_refused_entry(name));
                continue;
            }
            let mut contest = Contest::new(id_from_name(name, ends_at), name, ends_at);
            let rows = results.iter().map(|result| result.row);
            dated_names.add_rows(table, self.names, rows, ends_at);
            let (entrants, is_renumbered) = rank_entrants(results, self.lower_is_better);
            contest.entrants = entrants;
            if is_renumbered {
                renumbered.push(name.to_owned());
            }
            candidates.add_contest(table.heading_location(round), &contest);
        }
        candidates.dated_names = dated_names.finish();
        notes.extend(renumbered_note(&renumbered));
        Ok(candidates)
    }

    /// Returns the results of a round, and reports cells that are none.
    fn read_results(&self, round: usize, problems: &mut Problems) -> Vec<Row<'t>> {
        let mut results = Vec::with_capacity(self.players.len());
        for (&row, cell) in self.players.iter().zip(self.round_cells(round)) {
            let at = || self.table.grid.location(row, round);
            let mark = match self.read_mark(cell) {
                Ok(Some(mark)) => mark,
                Ok(None) => continue,
                Err(reason) => {
                    let is_place = self.score_style.is_none();
                    let reason = if is_place {
                        refuse_number(cell, reason)
                    } else {
                        reason
                    };
                    problems.push(at(), reason);
                    continue;
                }
            };
            match self.names.entrant(self.table, row) {
                Ok(None) => {
                    let cell = Quoted(cell);
                    let reason = format!("{cell} has no competitor: the row names none");
                    problems.push(at(), reason);
                }
                Ok(Some(entrant)) => results.push(Row::new(row, entrant, mark)),
                Err(reason) => problems.push(at(), reason),
            }
        }
        results
    }

    fn read_mark(&self, cell: &str) -> Result<Option<RowMark>, Reason> {
        match self.statuses.parse(cell) {
            Some(CellStatus::DidNotStart) => Ok(None),
            Some(CellStatus::DidNotFinish) => Ok(Some(RowMark::DidNotFinish)),
            Some(CellStatus::Disqualified) => Ok(Some(RowMark::Disqualified)),
            Some(CellStatus::Finished) if self.statuses.is_lapped(cell) => {
                Ok(Some(RowMark::DidNotFinish))
            }
            None if is_blank(cell) => Ok(None),
            Some(CellStatus::Finished) | None => RowMark::parse(cell, self.score_style).map(Some),
        }
    }

    /// Reports competitors who occur twice in a round, and a round without any. Advises on unknown
    /// statuses if the round has problems.
    fn check_results(&self, round: usize, results: &[Row<'_>], problems: &mut Problems) {
        let table = self.table;
        let is_unknown = |cell: &&str| self.statuses.is_unknown_word(cell);
        if !problems.is_empty() && self.round_cells(round).any(|cell| is_unknown(&cell)) {
            // The options are those for all rounds: the user needs one attempt.
            let options = self.status_options.get_or_init(|| {
                let unknown = self.cells().filter(is_unknown);
                status_options(unknown.map(|word| (word, false)))
            });
            problems.advise(options.as_ref());
        }
        let grid = &table.grid;
        find_duplicates(results, table, self.names, |r| grid.location(r, round), problems);
        if results.is_empty() && problems.is_empty() {
            let reason = "no competitor took part".to_owned();
            problems.push(table.heading_location(round), reason);
        }
    }
}
