//! The end of a bout: the round and the time in which a fight ended, which date nothing.

use super::GameColumns;
use crate::schema::table::HeaderTable;
use crate::values::dates::parse_clock_time;
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::seats::heading_word;
use crate::vocabulary::words::has_word;
use ranklore_grid::{FileReadError, Reason};

/// Headings of the way in which a bout was won.
const METHODS: &str = "method winby wonby winmethod winningmethod methodofvictory victorymethod \
     victorytype wintype finishtype finishmethod decisiontype kotko";

/// The most rounds of a bout.
const MAX_ROUNDS: u32 = 15;

/// Bouts last less: an earlier time of the day is hardly that of a contest.
const EARLIEST_SECONDS: i64 = 6 * 3600;

impl GameColumns {
    /// Leaves out the round and the time in which bouts ended, of these columns. Errors if such times may be
    /// those of the day.
    pub(super) fn leave_out_ends_of_bouts(
        &mut self,
        table: &mut HeaderTable,
        free_columns: &[usize],
    ) -> Result<(), FileReadError> {
        if !table.grid.limits().reader.refuses_doubts() {
            return Ok(());
        }
        let is_free = |column: &usize| free_columns.contains(column);
        let time = self
            .time_of_day
            .filter(|column| is_free(column) && may_be_duration(table, *column));
        let round = self
            .round
            .filter(|column| is_free(column) && holds_rounds_of_bouts(table, *column));
        let unread = table.unread_columns(&self.used).into_iter();
        let has_method = unread
            .map(|column| heading_word(table.heading(column)))
            .any(|word| has_word(METHODS, &word));
        match (time, round) {
            (Some(time), None) => return Err(refuse_time(table, time)),
            (None, Some(_)) if !has_method => return Ok(()),
            _ => {}
        }
        for column in [time, round].into_iter().flatten() {
            self.used.remove(&column);
            let note =
                format!("{} tells when bouts ended: it is not read", table.describe_column(column));
            table.grid.notes.push(note);
        }
        self.time_of_day = self.time_of_day.filter(|column| Some(*column) != time);
        self.round = self.round.filter(|column| Some(*column) != round);
        Ok(())
    }
}

/// True if the cells under "time" may be minutes and seconds: all are before six o'clock, and some
/// are no multiple of five minutes, as the times of contests are.
fn may_be_duration(table: &HeaderTable, column: usize) -> bool {
    let is_early = |cell: &str| {
        let is_plain = cell.bytes().all(|byte| byte.is_ascii_digit() || b":.".contains(&byte));
        is_plain && parse_clock_time(cell).is_some_and(|(seconds, _)| seconds < EARLIEST_SECONDS)
    };
    let is_odd = |cell: &str| parse_clock_time(cell).is_some_and(|(seconds, _)| seconds % 300 != 0);
    heading_word(table.heading(column)) == "time"
        && table.holds_only(column, is_early)
        && table.values(column).any(is_odd)
}

/// True if a column numbers rounds as those of a bout.
fn holds_rounds_of_bouts(table: &HeaderTable, column: usize) -> bool {
    let is_round =
        |cell: &str| cell.parse::<u32>().is_ok_and(|round| (1..=MAX_ROUNDS).contains(&round));
    table.holds_only(column, is_round)
}

fn refuse_time(table: &HeaderTable, time: usize) -> FileReadError {
    let problem = format!(
        "{} holds durations, or times of the day before six o'clock",
        table.describe_column(time)
    );
    let cases = [
        (table.ignore_option(time), "if they are durations"),
        (
            table.column_option(time, ColumnMeaning::TimeOfDay),
            "if they are times of the day",
        ),
    ];
    table.refuse_column(time, Reason::with_options(problem, cases))
}
