//! Games that are listed for each of their teams: a column says whose list a row is from.

use std::collections::{HashMap, HashSet};

use super::GameColumns;
use crate::schema::people::side_results::SideResult;
use crate::schema::table::HeaderTable;
use crate::values::cells::is_blank;
use crate::vocabulary::seats::{Seat, heading_word, names_competitor};
use ranklore_grid::{FileReadError, Reason};

/// The ends of headings of whose list a row is from.
const ENDS: [&str; 4] = ["id", "name", "code", "abbreviation"];

impl GameColumns {
    /// Finds the column that says from whose list a row is. Leaves out results such as `W`, which are those of
    /// its team, beside scores that agree. Errors if nothing shows whose results they are.
    pub(super) fn read_logs(&mut self, table: &mut HeaderTable) -> Result<(), FileReadError> {
        let unread = table.unread_columns(&self.used);
        let log = unread.into_iter().find(|&column| self.is_log(table, column));
        let Some(log) = log.filter(|_| table.grid.limits().reader.refuses_doubts()) else {
            return Ok(());
        };
        self.log = Some(log);
        let is_word = |cell: &str| SideResult::parse_word(cell).is_some();
        let Some(outcome) = self.outcome.filter(|&column| table.holds_only(column, is_word)) else {
            return Ok(());
        };
        if self.scores.is_none() {
            return Err(refuse_results(table, outcome, log));
        }
        if table.data_rows().all(|row| self.agrees_with_log(table, row, outcome, log)) {
            self.outcome = None;
            self.used.remove(&outcome);
            let [result, log] = [outcome, log].map(|column| table.describe_column(column));
            table.grid.notes.push(format!("{result} is that of {log}, as the scores say"));
        }
        Ok(())
    }

    /// True if a column headed as a team or a player names one of both competitors in each row, or has
    /// several values, each with a competitor who stands in all its rows.
    fn is_log(&self, table: &HeaderTable, column: usize) -> bool {
        let word = heading_word(table.heading(column));
        let noun = ENDS.iter().find_map(|end| word.strip_suffix(end)).unwrap_or(&word);
        if !names_competitor(noun) || table.values(column).any(is_blank) {
            return false;
        }
        let names = |row| self.names.map(|name| table.grid.cell(row, name));
        if table.data_rows().all(|row| names(row).contains(&table.grid.cell(row, column))) {
            return true;
        }
        let mut owners: HashMap<&str, HashSet<&str>> = HashMap::new();
        for row in table.data_rows() {
            let names = names(row);
            owners
                .entry(table.grid.cell(row, column))
                .or_insert_with(|| names.into())
                .retain(|owner| names.contains(owner));
        }
        let recurs = owners.len() < table.data_rows().len();
        owners.len() > 1 && recurs && owners.values().all(|owners| !owners.is_empty())
    }

    /// True if the result of the team whose list a row is from is that of the scores.
    fn agrees_with_log(&self, table: &HeaderTable, row: usize, outcome: usize, log: usize) -> bool {
        let cell = |column| table.grid.cell(row, column);
        let numbers = self.scores.map(|scores| scores.map(|column| cell(column).parse::<f64>()));
        let Some([Ok(one), Ok(two)]) = numbers else {
            return is_blank(cell(outcome));
        };
        let owner = Seat::BOTH.into_iter().find(|seat| cell(self.names[seat.index()]) == cell(log));
        let difference = match owner {
            Some(Seat::One) => one - two,
            Some(Seat::Two) => two - one,
            None => return false,
        };
        match SideResult::parse_word(cell(outcome)) {
            Some(SideResult::Win) => difference > 0.0,
            Some(SideResult::Draw) => difference.abs() < f64::EPSILON,
            Some(SideResult::Loss) => difference < 0.0,
            None => false,
        }
    }
}

fn refuse_results(table: &HeaderTable, outcome: usize, log: usize) -> FileReadError {
    let [result, owner] = [outcome, log].map(|column| table.describe_column(column));
    let problem =
        format!("{result} may be the result of {owner}, or of the competitor named first");
    let cases = [(table.ignore_option(log), "if it is that of the competitor named first")];
    let reason = Reason::with_options(problem, cases);
    table.refuse_column(
        outcome,
        reason.map_text(|text| format!("{text}; if not, add a column \"winner\"")),
    )
}
