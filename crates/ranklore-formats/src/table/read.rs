//! Chooses the reader for a table, long or wide, and the columns that are contests.
//!
//! A column without a date can be a contest or a part of one, such as a split time. A place or a
//! total beside it suggests a part, a heading such as "Round 3" a contest. If both are there, or
//! neither, the table is refused until the user states the layout.

use super::columns::{ColumnMeaning, is_time_heading};
use super::grid::{CellGrid, column_letters};
use super::header::{HeaderTable, find_header_row};
use super::result_columns::{ResultColumns, Series, find_date_row, has_dated_headings};
use crate::options::{ReadOptions, StatedLayout};
use crate::reading::{Candidates, FileReadError};
use crate::table::people::bare_id::recognise_bare_id;
use crate::table::values::cells::is_blank;
use crate::table::values::numbers::is_time;
use crate::table::{games, long, wide};

/// Reads the contests of a table.
pub(crate) fn read(
    grid: CellGrid,
    file_name: &str,
    options: &ReadOptions,
) -> Result<Candidates, FileReadError> {
    if options.every_days == Some(0) {
        return Err(FileReadError::whole_document(
            "--every 0 gives contests no order; pass --every 1 or more",
        ));
    }
    if reads_games(&grid, options) {
        return games::read(grid, file_name, options);
    }
    let mut table = HeaderTable::new(grid, &options.columns)?;
    recognise_bare_id(&mut table)?;
    if let Some(heading) = &options.same_name_by {
        table.exclude_from_results(heading);
    }
    let source = TableSource {
        table: &table,
        file_name,
        options,
    };
    match options.layout {
        Some(StatedLayout::Rows) => source.read_rows(),
        Some(StatedLayout::Players) => source.read_players(),
        Some(StatedLayout::Single) => source.read_single(),
        Some(StatedLayout::Games) | None => source.read_unstated(),
    }
}

/// True if the table is one of games, as the user or the headings say. A table with a column of
/// competitors is not: documents that were imported before are read as then.
fn reads_games(grid: &CellGrid, options: &ReadOptions) -> bool {
    match options.layout {
        Some(StatedLayout::Games) => true,
        Some(_) => false,
        None => {
            games::states_games(&options.columns)
                || (find_header_row(grid, &options.columns).is_none()
                    && games::find_game_header(grid, &options.columns).is_some())
        }
    }
}

/// The column that ranks the competitors of a table as a whole.
#[derive(Clone, Copy)]
enum Ranking {
    /// Places or scores.
    Result(usize),
    /// Sums, averages or places under a heading that does not say so. They decide only if the
    /// user gives the column this meaning.
    Unstated(usize, ColumnMeaning),
}

struct TableSource<'t> {
    table: &'t HeaderTable,
    file_name: &'t str,
    options: &'t ReadOptions,
}

impl TableSource<'_> {
    fn read_unstated(&self) -> Result<Candidates, FileReadError> {
        if let Some(column) = self.contest_column().filter(|_| self.has_results()) {
            // Dated headings make columns contests, a column of contests makes rows results.
            return if has_dated_headings(self.table, self.options) {
                Err(self.refuse(format!(
                    "{} says to which contest a row belongs, and other headings have dates: pass --layout rows if one row is one result, or --layout players if each dated column is a contest",
                    self.table.describe_column(column)
                )))
            } else {
                self.read_long()
            };
        }
        let mut columns = ResultColumns::find(self.table, self.options);
        if !columns.dated.is_empty() {
            return self.read_wide(&columns.into_dated_series());
        }
        let ranking = self.find_ranking(&mut columns);
        let rounds = &columns.rounds;
        let parts = &columns.parts;
        let Some(&first) = rounds.first().or(parts.first()) else {
            return match ranking {
                Some(Ranking::Result(_)) => self.read_long(),
                _ => Err(self.refuse(format!(
                    "no column holds places or scores: {}, or give each contest its own column (one row per player)",
                    self.name_result(ranking)
                ))),
            };
        };
        // `--every` says that there are several contests.
        let is_series_stated = self.options.every_days.is_some();
        match ranking {
            // Beside a place or a total, other columns may be split times.
            Some(ranking) if rounds.is_empty() => {
                if self.decides_alone(ranking) && !(is_series_stated && parts.len() > 1) {
                    self.read_one_contest(columns)
                } else {
                    Err(self.refuse_two_readings(first, ranking))
                }
            }
            Some(ranking) if !is_series_stated => Err(self.refuse_two_readings(first, ranking)),
            None if rounds.len() < 2 && !parts.is_empty() => {
                match columns.to_period_series(self.table, self.options) {
                    Some(series) if rounds.is_empty() && self.options.start.is_none() => {
                        self.read_wide(&series)
                    }
                    _ => Err(self.refuse_unranked(parts[0])),
                }
            }
            _ => {
                self.check_no_contest_column(first)?;
                self.read_wide(&columns.into_rounds())
            }
        }
    }

    fn read_rows(&self) -> Result<Candidates, FileReadError> {
        self.check_no_date_row("rows")?;
        if !self.has_results() {
            return Err(self.refuse(format!(
                "--layout rows needs a column of places or scores: {}",
                self.name_result(None)
            )));
        }
        self.read_long()
    }

    fn read_players(&self) -> Result<Candidates, FileReadError> {
        let mut columns = ResultColumns::find(self.table, self.options);
        if !columns.dated.is_empty() {
            return self.read_wide(&columns.into_dated_series());
        }
        columns.find_sums(self.table);
        let Some(&first) = columns.rounds.first().or(columns.parts.first()) else {
            return Err(self.refuse(
                "--layout players needs a column for each contest, with numbers or places; columns of places, scores and sums are not contests",
            ));
        };
        self.check_no_contest_column(first)?;
        self.read_wide(&if columns.rounds.len() > 1 {
            columns.into_rounds()
        } else {
            columns.into_rounds_and_parts()
        })
    }

    fn read_single(&self) -> Result<Candidates, FileReadError> {
        use ColumnMeaning::{Contest, ContestId, Date, Division, Event};
        self.check_no_date_row("single")?;
        let mut columns = ResultColumns::find(self.table, self.options);
        if !(self.has(ColumnMeaning::Place) || self.has(ColumnMeaning::Score)) {
            let ranking = self.find_ranking(&mut columns);
            return Err(self.refuse(format!(
                "--layout single needs a column of places or scores, which decides: {}",
                self.name_result(ranking)
            )));
        }
        for meaning in [Contest, ContestId, Event, Date, Division] {
            let column = self.table.find_column(meaning)?;
            if let Some(column) = column.filter(|&column| self.holds_several(column)) {
                return Err(self.refuse_several(column));
            }
        }
        let candidates = self.read_one_contest(columns)?;
        // An unread column divides the table too if it separates the places.
        let divisions = [Event, Division].into_iter().filter(|&m| !self.has(m));
        let divisions: Vec<&str> = divisions.map(ColumnMeaning::as_str).collect();
        let mut layout = candidates.layout.iter().flat_map(|layout| &layout.columns);
        let dividing = layout.find(|c| c.meaning.is_some_and(|m| divisions.contains(&m)));
        let dividing_column = dividing.and_then(|dividing| {
            let mut columns = self.table.unknown_columns.iter().copied();
            columns.find(|&column| column_letters(column) == dividing.letters)
        });
        dividing_column.map_or(Ok(candidates), |column| Err(self.refuse_several(column)))
    }

    /// Reads the table as one contest, or those that rows name, and notes the columns of numbers
    /// that are not read.
    fn read_one_contest(&self, columns: ResultColumns) -> Result<Candidates, FileReadError> {
        let mut candidates = self.read_long()?;
        let Some(layout) = &mut candidates.layout else {
            return Ok(candidates);
        };
        let read_columns = layout.columns.iter().filter(|c| c.meaning.is_some());
        let read_letters: Vec<&str> = read_columns.map(|c| c.letters.as_str()).collect();
        let mut unread = columns.into_columns();
        unread.retain(|&column| !read_letters.contains(&&*column_letters(column)));
        if !unread.is_empty() {
            layout.notes.push(format!(
                "no contests of their own: {}",
                self.table.describe_columns(&unread)
            ));
        }
        Ok(candidates)
    }

    fn read_long(&self) -> Result<Candidates, FileReadError> {
        long::read(self.table, self.file_name, self.options)
    }

    fn read_wide(&self, series: &Series) -> Result<Candidates, FileReadError> {
        wide::read(self.table, series, self.options)
    }

    fn has(&self, meaning: ColumnMeaning) -> bool {
        self.table.has_column(meaning)
    }

    fn has_results(&self) -> bool {
        use ColumnMeaning::{Place, Score, Status};
        [Place, Score, Status].iter().any(|&m| self.has(m))
    }

    /// Returns a column that says to which contest a row belongs.
    fn contest_column(&self) -> Option<usize> {
        use ColumnMeaning::{Contest, ContestId, Date, Event};
        let mut columns = [Contest, ContestId, Event, Date].into_iter();
        columns.find_map(|m| self.table.first_column(m))
    }

    fn find_ranking(&self, columns: &mut ResultColumns) -> Option<Ranking> {
        let result = self.table.first_column(ColumnMeaning::Place);
        if let Some(column) = result.or_else(|| self.table.first_column(ColumnMeaning::Score)) {
            return Some(Ranking::Result(column));
        }
        columns.find_sums(self.table);
        let sums = columns.totals.first().copied();
        if let Some(total) = self.table.total_column().or(sums) {
            return Some(Ranking::Unstated(total, ColumnMeaning::Score));
        }
        let place = columns.unknown_places(self.table)?;
        Some(Ranking::Unstated(place, ColumnMeaning::Place))
    }

    /// True if columns that are not headed like rounds are no contests beside this one: an
    /// unambiguous place or score, or a time. A total may be that of a series, and "#" a number.
    fn decides_alone(&self, ranking: Ranking) -> bool {
        use ColumnMeaning::{Place, Score};
        let score = self.table.first_column(Score).filter(|&column| {
            is_time_heading(self.table.heading(column)) || self.table.values(column).any(is_time)
        });
        matches!(ranking, Ranking::Result(_))
            && (self.table.has_definite_column(Place)
                || self.table.has_definite_column(Score)
                || score.is_some()
                || (self.has(Place) && self.has(Score)))
    }

    /// True if a column has two different values.
    fn holds_several(&self, column: usize) -> bool {
        let mut values = self.table.values(column).filter(|cell| !is_blank(cell));
        let first = values.next();
        values.any(|value| Some(value) != first)
    }

    /// Errors if a first row dates the columns, which makes them contests.
    fn check_no_date_row(&self, layout: &str) -> Result<(), FileReadError> {
        match find_date_row(self.table) {
            None => Ok(()),
            Some(row) => Err(FileReadError::new(
                self.table.grid.location(row, 0),
                format!(
                    "the row of dates makes columns contests, which --layout {layout} denies: pass --layout players, or remove the row"
                ),
            )),
        }
    }

    /// Errors if a column says to which contest a row belongs, although columns are contests.
    fn check_no_contest_column(&self, first: usize) -> Result<(), FileReadError> {
        match self.contest_column() {
            None => Ok(()),
            Some(column) => Err(self.refuse(format!(
                "{} says to which contest a row belongs, so columns such as {} are no contests: exclude it with --column {}, or {}",
                self.table.describe_column(column),
                self.table.describe_column(first),
                self.table.ignore_option(column),
                self.name_result(None),
            ))),
        }
    }

    fn refuse(&self, reason: impl Into<String>) -> FileReadError {
        self.table.refuse_column(0, reason)
    }

    fn refuse_two_readings(&self, first: usize, ranking: Ranking) -> FileReadError {
        let (decisive_column, option, is_place) = match ranking {
            Ranking::Result(column) => (column, String::new(), self.has(ColumnMeaning::Place)),
            Ranking::Unstated(column, meaning) => {
                let option = self.table.column_option(column, meaning);
                let option = format!(" --column {option}");
                (column, option, meaning == ColumnMeaning::Place)
            }
        };
        let lowest = if is_place || self.options.lower_is_better {
            ""
        } else {
            " (and --lower-is-better if the lowest wins)"
        };
        self.refuse(format!(
            "columns such as {} can be contests, or parts of one contest that {} decides: pass --layout single{option}{lowest} if they are parts of one, or --layout players if each is a contest",
            self.table.describe_column(first),
            self.table.describe_column(decisive_column),
        ))
    }

    fn refuse_unranked(&self, first: usize) -> FileReadError {
        self.refuse(format!(
            "columns such as {} hold numbers or times, and no place, total or date shows what they are: pass --layout players if each is a contest, and --column {} if this one is none; or {}",
            self.table.describe_column(first),
            self.table.ignore_option(first),
            self.name_result(None),
        ))
    }

    fn refuse_several(&self, column: usize) -> FileReadError {
        self.refuse(format!(
            "--layout single reads one contest, but {} divides the table into several: pass --layout rows, or exclude the column with --column {}",
            self.table.describe_column(column),
            self.table.ignore_option(column),
        ))
    }

    /// Returns the advice to name the column that decides.
    fn name_result(&self, ranking: Option<Ranking>) -> String {
        match ranking {
            Some(Ranking::Unstated(column, meaning)) => format!(
                "pass --column {} if {} decides",
                self.table.column_option(column, meaning),
                self.table.describe_column(column)
            ),
            _ => {
                "name the column that decides with --column HEADING=place or --column HEADING=score"
                    .to_owned()
            }
        }
    }
}
