//! The refusals of tables whose layout is in doubt, with the options that decide it.

use super::{LayoutFacts, Ranking};
use crate::schema::league_table::{LeagueTable, name_wins};
use crate::schema::people::names::is_numeric;
use crate::schema::ragged::RaggedRows;
use crate::schema::rules::rankings::find_unread_ranking;
use crate::schema::table::{HeaderTable, NAME_RESULT};
use crate::values::dates::parse_year;
use crate::vocabulary::kinds::{SeasonStatistic, is_rate_heading};
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::rounds::{is_non_round_heading, strip_result_word};
use ranklore_grid::{CommandOptions, FileReadError, Reason};

impl LayoutFacts<'_> {
    /// Returns the error for the headings. Rows with more cells say first why nothing fits.
    pub(super) fn refuse(&self, reason: impl Into<Reason>) -> FileReadError {
        let ragged = RaggedRows::find(self.table);
        let row = ragged.rows().next().filter(|_| ragged.are_most(self.table));
        match row {
            Some(row) => ragged.refuse_document(self.table, row),
            None => self.table.refuse_column(0, reason),
        }
    }

    pub(super) fn refuse_two_readings(&self, first: usize, ranking: Ranking) -> FileReadError {
        // Divisions are contests of their own.
        let layout = if self.has(ColumnMeaning::Division) {
            "rows"
        } else {
            "single"
        };
        let single = CommandOptions::new("--layout", layout);
        let (decisive_column, single, is_place) = match ranking {
            Ranking::Result(column) => (column, single, self.has(ColumnMeaning::Place)),
            Ranking::Unstated(column, ColumnMeaning::Score)
                if is_rate_heading(self.table.heading(column)) =>
            {
                return self.refuse_rate(first, column);
            }
            Ranking::Unstated(column, meaning) => {
                let single = single.and(self.table.column_option(column, meaning));
                (column, single, meaning == ColumnMeaning::Place)
            }
        };
        let lowest = if is_place || self.options.lower_is_better {
            ""
        } else {
            "(and --lower-is-better if the lowest wins) "
        };
        let problem = format!(
            "columns such as {} can be contests, or parts of one contest that {} decides",
            self.table.describe_column(first),
            self.table.describe_column(decisive_column),
        );
        let players = CommandOptions::new("--layout", "players");
        let cases = [
            (single, format!("{lowest}if they are parts of one")),
            (players, "if each is a contest".to_owned()),
        ];
        self.refuse(Reason::with_options(problem, cases))
    }

    /// Returns the error for columns beside ratings or averages, which decide no contest.
    fn refuse_rate(&self, first: usize, rate: usize) -> FileReadError {
        let players = CommandOptions::new("--layout", "players");
        let [first, rate] = [first, rate].map(|column| self.table.describe_column(column));
        let reason = format!(
            "columns such as {first} can be contests: pass {players} if each is one; {rate} rates competitors, and ranks them in no contest; or {NAME_RESULT}"
        );
        self.refuse(Reason::from(reason).naming([players]))
    }

    pub(super) fn refuse_unranked(&self) -> FileReadError {
        let mut unknown = self.table.unknown_columns.iter().copied();
        let result = unknown.find(|&column| {
            let heading = self.table.heading(column);
            let is_result = strip_result_word(heading).is_some()
                && !is_non_round_heading(heading)
                && SeasonStatistic::from_heading(heading).is_none()
                && !is_rate_heading(heading);
            is_result && is_numeric(self.table, column)
        });
        let result = result.map(|column| Ranking::Unstated(column, ColumnMeaning::Score));
        // A date says that rows are results, and letters say of no column that it is a contest.
        let are_results = self.table.has_column(ColumnMeaning::Date) || self.table.grid.has_letters;
        let contests = self.results().possible_contests(self.table);
        let Some(&first) = contests.first().filter(|_| !are_results) else {
            return self.refuse_unplaced(self.name_result(result));
        };
        let players = CommandOptions::new("--layout", "players");
        let ignore = self.table.ignore_option(first);
        let reason = self.name_result(result).map_text(|advice| {
            format!(
                "columns such as {} hold numbers or times, and no place, total or date shows what they are: pass {players} if each is a contest, and {ignore} if this one is none; or {advice}",
                self.table.describe_column(first),
            )
        });
        // Places of a contest are none.
        let can_be_contest = find_unread_ranking(self.table) != Some(first);
        let options = can_be_contest.then(|| [players.clone(), players.and(ignore)]);
        self.refuse(reason.naming(options.into_iter().flatten()))
    }

    /// Returns the error for a table in which no column can be a contest, and none ranks the competitors.
    pub(super) fn refuse_unplaced(&self, advice: Reason) -> FileReadError {
        self.refuse(advice.map_text(|advice| {
            format!(
                "no column holds places or scores: {advice}, or give each contest its own column (one row per player)"
            )
        }))
    }

    /// Returns the advice to read the only other column of a table without headings as scores, with either end
    /// first, unless it has years.
    fn name_only_numbers(&self) -> Option<Reason> {
        let columns = self.table.unknown_columns.iter().copied();
        let mut columns = columns.filter(|&column| is_numeric(self.table, column));
        let numbers = columns.next().filter(|_| columns.next().is_none())?;
        let may_be_scores = self.table.grid.has_letters
            && self.table.grid.width(self.table.header_row) == 2
            && !self.table.holds_only(numbers, |c| parse_year(c).is_some());
        let score = self.table.column_option(numbers, ColumnMeaning::Score);
        let lowest = CommandOptions::lower_is_better();
        may_be_scores.then(|| {
            let column = self.table.describe_column(numbers);
            Reason::from(format!(
                "pass {score} if {column} decides, and {lowest} if its lowest number wins"
            ))
            .naming([score.clone(), score.and(lowest)])
        })
    }

    /// Returns the advice to name the column that decides.
    pub(super) fn name_result(&self, ranking: Option<Ranking>) -> Reason {
        let is_rate = |column| is_rate_heading(self.table.heading(column));
        match ranking {
            Some(Ranking::Unstated(column, ColumnMeaning::Score)) if is_rate(column) => {
                Reason::from(format!(
                    "{} rates competitors, and ranks them in no contest; {NAME_RESULT}",
                    self.table.describe_column(column)
                ))
            }
            Some(Ranking::Unstated(column, meaning)) => self.table.advise_meaning(column, meaning),
            _ => match find_unread_ranking(self.table) {
                Some(column) => self.table.advise_meaning(column, ColumnMeaning::Place),
                None => match LeagueTable::find(self.table) {
                    Some(league) => league.name_score(self.table),
                    None => name_wins(self.table)
                        .or_else(|| self.name_only_numbers())
                        .unwrap_or_else(|| NAME_RESULT.into()),
                },
            },
        }
    }
}

/// Returns the error for a column that divides a table which is one contest, as the user says.
pub(crate) fn refuse_several(table: &HeaderTable, column: usize) -> FileReadError {
    let ignore = table.ignore_option(column);
    let reason = format!(
        "--layout single reads one contest, but {} divides the table into several: pass --layout rows, or exclude the column with {ignore}",
        table.describe_column(column),
    );
    table.refuse_column(0, Reason::from(reason).naming([ignore]))
}
