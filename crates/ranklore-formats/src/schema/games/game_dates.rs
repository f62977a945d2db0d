//! The dates of games: under a known heading, under another one, in parts, or numbered days.

use super::GameColumns;
use crate::options::ReadOptions;
use crate::schema::dates::date_parts::{DateParts, is_month_or_day_heading};
use crate::schema::dates::yearless_dates::holds_yearless_dates;
use crate::schema::game_claims::Claim;
use crate::schema::rules::unread_dates::{find_unread_dates, read_dates};
use crate::schema::table::HeaderTable;
use crate::values::dates::{DateError, DateStyle, parse_cell, parse_clock_time, parse_year};
use crate::vocabulary::kinds::{DateKind, YEAR_WORDS};
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::words::{has_word, normalise_word, split_words, strip_brackets};
use ranklore_grid::{FileReadError, Reason};

/// Words of headings of numbers that are as long as times.
const NUMBERED_THINGS: &str = "no nr num number code phone telephone telefon telefono telefone tel mobile mobil handy \
     cell account konto fide licence license lizenz licencia passport member seed hash key";

/// The most columns of times that a message lists.
const MAX_UNIX_TIMES: usize = 3;

impl GameColumns {
    /// Finds the date under a heading that is not known, if no other column is that.
    pub(super) fn find_date(
        &mut self,
        table: &mut HeaderTable,
        options: &ReadOptions,
    ) -> Result<(), FileReadError> {
        if self.date.is_some() {
            return Ok(());
        }
        let unread = table.unread_columns(&self.used);
        let dates = find_unread_dates(table, options, &unread, |_| true)?;
        let years = || find_years(table, &unread).filter(|_| options.start.is_none());
        let Some(column) = dates.or_else(years) else {
            return Ok(());
        };
        self.date = Some(column);
        self.used.insert(column, ColumnMeaning::Date.as_str());
        let evidence = read_dates(table, column);
        table.apply(evidence)
    }

    /// Joins columns of years, months and days to the date, if no other column is that.
    pub(super) fn join_date(
        &mut self,
        table: &mut HeaderTable,
        options: &ReadOptions,
    ) -> Result<(), FileReadError> {
        let is_yearless = |column| holds_yearless_dates(table, column);
        if options.start.is_some() && !self.date.is_some_and(is_yearless) {
            return Ok(());
        }
        let read_parts = [self.date, self.event];
        let is_free =
            |column| !self.used.contains_key(&column) || read_parts.contains(&Some(column));
        let Some(parts) = DateParts::find(table, options, is_free)? else {
            return Ok(());
        };
        if self.date.is_none_or(|date| Some(date) == parts.day) {
            self.event = self.event.filter(|event| parts.columns().all(|part| part != *event));
            self.date = parts.columns().min();
            self.used
                .extend(parts.columns().map(|column| (column, ColumnMeaning::Date.as_str())));
            let evidence = parts.evidence(table);
            table.apply(evidence)?;
        }
        Ok(())
    }

    /// Returns the advice to date the games by a column of seconds or milliseconds since 1970, if some that are
    /// not read hold them.
    pub(crate) fn name_unix_times(&self, table: &HeaderTable) -> Option<Reason> {
        let is_id = |column: usize| {
            let words = split_words(table.heading(column));
            let is_number = |word: &String| has_word(NUMBERED_THINGS, word);
            words
                .iter()
                .any(|word| is_number(word) || word.ends_with("id") || word.ends_with("ids"))
        };
        let mut columns = table.unread_columns(&self.used);
        columns.retain(|&column| {
            table.holds_only(column, is_unix_time) && table.holds_several(column) && !is_id(column)
        });
        let kind = |column: &usize| DateKind::from_heading(table.heading(*column));
        // Rows can be created long after the games.
        if columns.iter().any(|column| kind(column) != DateKind::Person) {
            columns.retain(|column| kind(column) != DateKind::Person);
        }
        columns.truncate(MAX_UNIX_TIMES);
        if columns.is_empty() || !table.grid.limits().reader.refuses_doubts() {
            return None;
        }
        let cases = columns.into_iter().map(|column| {
            let case = format!("if {} dates the games", table.describe_column(column));
            (table.column_option(column, ColumnMeaning::Date), case)
        });
        let cases: Vec<_> = cases.collect();
        Some(Reason::with_options("no heading is that of a date", cases))
    }

    /// Reads a column of days as the order of the games, unless another is.
    pub(super) fn number_days(&mut self, column: usize) {
        self.date = None;
        self.time_of_day = None;
        self.round = self.round.or(Some(column));
        self.used = self.meanings();
    }
}

/// True if a column headed like dates numbers the days of each event: 1, 2, 3.
pub(super) fn counts_days(table: &HeaderTable, column: usize) -> bool {
    let is_number = |cell: &str| cell.len() <= 2 && cell.bytes().all(|b| b.is_ascii_digit());
    table.holds_only(column, is_number)
}

/// True for a number of seconds or milliseconds since 1970, from 2001 on.
fn is_unix_time(cell: &str) -> bool {
    matches!(cell.len(), 10 | 13)
        && cell.starts_with('1')
        && cell.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the only column of several years among those that are not read, if none of these is headed like a
/// month or a day.
fn find_years(table: &HeaderTable, unread: &[usize]) -> Option<usize> {
    let mut years = unread.iter().copied().filter(|&column| {
        let word = normalise_word(&strip_brackets(table.heading(column)));
        has_word(YEAR_WORDS, &word) && table.holds_only(column, |cell| parse_year(cell).is_some())
    });
    let year = years.next().filter(|_| years.next().is_none());
    let dates_more = |&column: &usize| is_month_or_day_heading(table.heading(column));
    let reads_years = table.grid.limits().reader.refuses_doubts();
    year.filter(|&year| reads_years && table.holds_several(year) && !unread.iter().any(dates_more))
}

/// True if all cells of a column that are not blank are times of the day, and some are not blank.
pub(super) fn holds_times(table: &HeaderTable, column: usize) -> bool {
    table.holds_only(column, |cell| parse_clock_time(cell).is_some())
}

/// True if all cells of a column that are not blank are dates, and some are not blank.
pub(super) fn holds_dates(table: &HeaderTable, column: usize) -> bool {
    use DateError::{Ambiguous, ShortYear};
    let date = |cell: &str| parse_cell(cell, DateStyle::default());
    table.holds_only(column, |cell| matches!(date(cell), Ok(_) | Err(Ambiguous | ShortYear)))
}

/// Returns the column that is headed like rounds and holds dates, such as a game day.
pub(super) fn find_dated_rounds(table: &HeaderTable, claims: &[Claim]) -> Option<usize> {
    (0..claims.len()).find(|&column| {
        matches!(claims[column], Claim::Game(ColumnMeaning::Ordinal, _))
            && holds_dates(table, column)
    })
}
