//! Finds the columns of results in a table with one row per competitor: contests of a series, or
//! parts of one contest, such as split times.

use std::collections::HashMap;

use crate::options::{ReadOptions, StatedLayout};
use crate::schema::league_table::LeagueTable;
use crate::schema::table::HeaderTable;
use crate::values::cells::{CellStatus, is_blank, parse_place};
use crate::values::dates::{self, DateRules, DateStyle};
use crate::values::numbers::{NumberError, NumberStyle};
use crate::vocabulary::kinds::{SeasonStatistic, is_no_contest_heading, is_total_heading};
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::rounds::{
    is_final_heading, is_non_round_heading, is_place_of_round, is_round_heading, is_score_of_round,
    result_of_round, strip_result_word,
};
use crate::vocabulary::words::{has_word, normalise_word};
use ranklore_grid::{CommandOptions, FileReadError, Reason};

/// The columns of results among those without a meaning, each kind from left to right.
#[derive(Clone, Debug, Default)]
pub(crate) struct ResultColumns {
    /// With a date in the heading, or in a first row labelled "date".
    pub(crate) dated: Vec<usize>,
    /// Without a date, headed like rounds.
    pub(crate) rounds: Vec<usize>,
    /// Without a date, mostly numbers or times under another heading.
    pub(crate) parts: Vec<usize>,
    /// Parts with a word for a total in the heading, or the sum of other columns.
    pub(crate) totals: Vec<usize>,
}

/// The number of options that a message lists.
const MAX_LISTED_OPTIONS: usize = 12;

/// The most letters of a heading such as `GF` or `Pts` in a league table.
const MAX_STATISTIC_LETTERS: usize = 3;

/// The columns that are read as contests, and those that are not.
pub(crate) struct Series {
    pub(crate) columns: Vec<usize>,
    pub(crate) left_out: Vec<usize>,
    /// The difference of the columns that are read, as a verb phrase: `have dates`.
    pub(crate) condition: &'static str,
}

impl ResultColumns {
    pub(crate) fn find(table: &HeaderTable, options: &ReadOptions) -> Self {
        let date_row = find_date_row(table);
        let are_statistics = LeagueTable::find(table).is_some();
        let mut results = Self::default();
        let mut finals = Vec::new();
        let months = find_months(table, options);
        for &column in &table.unknown_columns {
            let heading = table.heading(column);
            if heading.is_empty() || is_non_round_heading(heading) || counts_rows(table, column) {
                continue;
            }
            let is_statistic = are_statistics
                && (normalise_word(heading).len() <= MAX_STATISTIC_LETTERS
                    || SeasonStatistic::from_heading(heading).is_some());
            let rows = table.data_rows().filter(|&row| Some(row) != date_row);
            let mut cells = rows.map(|row| table.grid.cell(row, column));
            let has_date = date_row.is_some_and(|row| !is_blank(table.grid.cell(row, column)));
            let rules = DateRules::new(options, table.grid.limits());
            if dates::find_day(heading, rules).is_some() || months.contains(&column) {
                if table.values(column).any(|cell| !is_blank(cell)) {
                    results.dated.push(column);
                }
            } else if has_date {
                if cells.any(is_result) {
                    results.dated.push(column);
                }
            } else if is_round_heading(heading) {
                if cells.any(is_result) {
                    results.rounds.push(column);
                }
            } else if are_mostly_numbers(cells) && !is_statistic && !is_constant(table, column) {
                if is_final_heading(heading) {
                    finals.push(column);
                } else if is_total_heading(heading) {
                    results.totals.push(column);
                } else {
                    results.parts.push(column);
                }
            }
        }
        // A final belongs to numbered rounds.
        let series = if results.rounds.is_empty() || !results.dated.is_empty() {
            &mut results.parts
        } else {
            &mut results.rounds
        };
        series.append(&mut finals);
        series.sort_unstable();
        results
    }

    /// Moves parts that are the sum of the rounds, or else of two other columns or more, to the
    /// totals.
    pub(crate) fn find_sums(&mut self, table: &HeaderTable) {
        let is_series = self.rounds.len() > 1;
        let in_sum = if is_series {
            self.rounds.clone()
        } else {
            sorted(self.rounds.clone(), self.parts.clone())
        };
        if !is_series && in_sum.len() < 3 {
            return;
        }
        let parse_column = |column: usize| {
            let style = table.number_style(Some(column));
            table.values(column).map(move |cell| style.parse(cell).ok())
        };
        let mut sums = vec![0.0; table.data_rows().len()];
        for &column in &in_sum {
            for (sum, number) in sums.iter_mut().zip(parse_column(column)) {
                *sum += number.unwrap_or_default();
            }
        }
        let (totals, parts) = self.parts.iter().partition(|&column| {
            // A sum that contains the column itself is twice the column.
            let factor = if in_sum.contains(column) { 2.0 } else { 1.0 };
            let mut numbers = 0;
            let are_sums = sums.iter().zip(parse_column(*column)).all(|(sum, number)| {
                number.is_none_or(|number| {
                    numbers += 1;
                    (factor * number - sum).abs() < 1e-6
                })
            });
            are_sums && numbers > 1
        });
        self.parts = parts;
        self.totals = sorted(std::mem::take(&mut self.totals), totals);
    }

    /// Returns the first part beside rounds that holds places: a ranking of three or more.
    pub(crate) fn unknown_places(&self, table: &HeaderTable) -> Option<usize> {
        let mut parts = self.parts.iter().copied();
        let place = parts.find(|&column| table.holds_ranking(column));
        place.filter(|_| !self.rounds.is_empty())
    }

    /// Returns the dated columns and the rounds without a date, which are reported as mistakes.
    pub(crate) fn into_dated_series(self) -> Series {
        Series {
            columns: sorted(self.dated, self.rounds),
            left_out: sorted(self.parts, self.totals),
            condition: "have dates",
        }
    }

    /// Returns the columns headed like rounds, without a date.
    pub(crate) fn into_rounds(self) -> Series {
        Series {
            columns: self.rounds,
            left_out: sorted(self.parts, self.totals),
            condition: "are headed like rounds",
        }
    }

    /// Returns the parts whose headings do not say that they are none.
    pub(crate) fn possible_contests(&self, table: &HeaderTable) -> Vec<usize> {
        let parts = self.parts.iter().copied();
        let is_possible = |heading: &str| {
            !is_no_contest_heading(heading) || has_word("heat week", &normalise_word(heading))
        };
        parts.filter(|&part| is_possible(table.heading(part))).collect()
    }

    /// Returns all columns without a date except totals, ratings and the like.
    pub(crate) fn into_rounds_and_parts(self, table: &HeaderTable) -> Series {
        let columns = sorted(self.rounds.clone(), self.possible_contests(table));
        let others = self.parts.iter().copied().filter(|part| !columns.contains(part)).collect();
        Series {
            columns,
            left_out: sorted(self.totals, others),
            condition: "are headed like contests",
        }
    }

    /// Returns the columns headed with a month, a week, a season or a year; `None` without any.
    pub(crate) fn to_period_series(
        &self,
        table: &HeaderTable,
        options: &ReadOptions,
    ) -> Option<Series> {
        let headings = self.parts.iter().map(|&c| table.heading(c));
        let words = headings.flat_map(str::split_whitespace);
        let style = DateStyle::from_cells(words, DateRules::new(options, table.grid.limits()));
        let (columns, undated): (Vec<usize>, _) = self
            .parts
            .iter()
            .partition(|&&c| dates::find_period(table.heading(c), style).is_some());
        (!columns.is_empty()).then(|| Series {
            columns,
            left_out: sorted(undated, self.totals.clone()),
            condition: "have dates",
        })
    }

    /// Returns all columns.
    pub(crate) fn into_columns(self) -> Vec<usize> {
        sorted(sorted(self.dated, self.rounds), sorted(self.parts, self.totals))
    }
}

impl Series {
    /// Errors if a column such as "Final" can be the last contest, or the places after all of them.
    pub(crate) fn check_final(&self, table: &HeaderTable) -> Result<(), FileReadError> {
        let is_final = |column: &&usize| is_final_heading(table.heading(**column));
        let (finals, others): (Vec<usize>, Vec<usize>) = self.columns.iter().partition(is_final);
        let [column] = finals[..] else {
            return Ok(());
        };
        let refuses_doubts = table.grid.limits().reader.refuses_doubts();
        if !refuses_doubts || others.len() < 2 || !ranks_all(table, column, &others) {
            return Ok(());
        }
        let described = table.describe_column(column);
        let problem = format!("{described} has a place for all, after all contests or in the last");
        let ignore = table.ignore_option(column);
        let single = CommandOptions::new("--layout", "single")
            .and(table.column_option(column, ColumnMeaning::Place));
        let cases = [
            (ignore, "if the others are contests"),
            (single, "if they are parts of one"),
        ];
        let reason = Reason::with_options(problem, cases);
        Err(table.refuse_column(
            column,
            reason.map_text(|text| {
                format!("{text}; or head it with a number as the others, if it is a contest too")
            }),
        ))
    }

    /// Errors if several columns are results of one contest, such as its places and its points, or if
    /// those of one contest are places and those of another points.
    pub(crate) fn check_single_columns(&self, table: &HeaderTable) -> Result<(), FileReadError> {
        let refuses_doubts = table.grid.limits().reader.refuses_doubts();
        let pairs = self.find_shared_contests(table);
        let first_headed = |is_result: fn(&str) -> bool| {
            let mut columns = self.columns.iter().copied();
            columns.find(|&column| is_result(table.heading(column)))
        };
        let mixed = first_headed(is_place_of_round).zip(first_headed(is_score_of_round));
        let mixed = mixed.filter(|_| refuses_doubts);
        let ((other, round), problem) = match (pairs.first(), mixed) {
            (Some(&pair), _) => (pair, "are results of one contest, not two"),
            (None, Some(pair)) => (pair, "are places and points"),
            (None, None) => return Ok(()),
        };
        let mut kinds: Vec<_> =
            self.columns.iter().map(|&c| result_of_round(table.heading(c))).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let further: Vec<usize> = pairs.iter().map(|&(_, column)| column).collect();
        let mut excluded: Vec<Vec<usize>> = vec![further];
        if kinds.len() > 1 && refuses_doubts {
            // The kind of the first column is kept first.
            let first = result_of_round(table.heading(self.columns[0]));
            kinds.sort_by_key(|&kind| kind != first);
            let is_of_kind = |column: &usize, kind| result_of_round(table.heading(*column)) == kind;
            let others = kinds.iter().map(|&kind| {
                let others = self.columns.iter().copied();
                others.filter(|column| !is_of_kind(column, kind)).collect()
            });
            excluded = others.collect();
        }
        let options = excluded.iter().filter_map(|columns| {
            let options = columns.iter().map(|&column| table.ignore_option(column));
            options.reduce(CommandOptions::and)
        });
        let listed: Vec<String> =
            excluded.iter().map(|columns| list_exclusions(table, columns)).collect();
        let reason = format!(
            "{} and {} {problem}: exclude the columns of one kind, such as {}",
            table.describe_column(other),
            table.describe_column(round),
            listed.join(", or "),
        );
        Err(table.refuse_column(round, Reason::from(reason).naming(options)))
    }

    /// Returns the first column of each contest that has several, and each further one.
    fn find_shared_contests(&self, table: &HeaderTable) -> Vec<(usize, usize)> {
        let mut first_columns: HashMap<String, usize> = HashMap::new();
        for &round in &self.columns {
            let heading = table.heading(round);
            if strip_result_word(heading).is_none() {
                // "R1" beside "R1 Points" is the same contest.
                let contest = normalise_word(heading);
                first_columns.entry(contest).or_insert(round);
            }
        }
        let mut further_columns = Vec::new();
        for &round in &self.columns {
            let Some(contest) = strip_result_word(table.heading(round)) else {
                continue;
            };
            let other = *first_columns.entry(contest).or_insert(round);
            if table.heading(other) != table.heading(round) {
                further_columns.push((other, round));
            }
        }
        further_columns
    }
}

/// Returns the options that exclude the first of these columns.
fn list_exclusions(table: &HeaderTable, columns: &[usize]) -> String {
    let options = columns.iter().map(|&column| table.ignore_option(column));
    let listed = options.take(MAX_LISTED_OPTIONS).reduce(CommandOptions::and).unwrap_or_default();
    let ellipsis = if columns.len() > MAX_LISTED_OPTIONS {
        ", and so on"
    } else {
        ""
    };
    format!("{listed}{ellipsis}")
}

/// True if a column has the places of all who have a result in others.
fn ranks_all(table: &HeaderTable, column: usize, others: &[usize]) -> bool {
    let is_filled = |row: usize, column: usize| is_result(table.grid.cell(row, column));
    let mut rows = table.data_rows();
    table.holds_ranking(column)
        && rows.all(|row| {
            let has_result = others.iter().any(|&other| is_filled(row, other));
            !has_result || is_filled(row, column)
        })
}

/// True if two headings or more of columns without a meaning contain a date.
pub(crate) fn has_dated_headings(table: &HeaderTable, options: &ReadOptions) -> bool {
    let headings = table.unknown_columns.iter().map(|&c| table.heading(c));
    let rules = DateRules::new(options, table.grid.limits());
    let dates = headings.filter(|heading| dates::find_day(heading, rules).is_some());
    dates.take(2).count() == 2 || !find_months(table, options).is_empty()
}

/// Returns the columns headed as months that are contests: another column holds their sums, or the user
/// says that columns are contests.
fn find_months(table: &HeaderTable, options: &ReadOptions) -> Vec<usize> {
    let mut months = find_month_columns(table, options);
    if options.layout != Some(StatedLayout::Players) && !are_summed_up(table, &months) {
        months.clear();
    }
    months
}

/// Returns the columns without a meaning that are headed as months of a year: two or more, if no heading
/// is a pair of other numbers, such as `14/2025`.
pub(crate) fn find_month_columns(table: &HeaderTable, options: &ReadOptions) -> Vec<usize> {
    // A start dates contests without a day.
    if options.start.is_some() || !table.grid.limits().reader.refuses_doubts() {
        return Vec::new();
    }
    let headings = || table.unknown_columns.iter().map(|&c| (c, table.heading(c)));
    let words = headings().map(|(_, heading)| heading);
    let style = DateStyle::from_cells(words, DateRules::new(options, table.grid.limits()));
    let is_month = |heading| dates::parse_month_of_year(heading, style).is_some();
    let is_pair = |heading: &str| {
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let pair = heading.split_once(['/', '-', '.']);
        pair.is_some_and(|(one, two)| is_number(one) && is_number(two))
    };
    if headings().any(|(_, heading)| is_pair(heading) && !is_month(heading)) {
        return Vec::new();
    }
    let months = headings().filter(|(_, heading)| is_month(heading));
    let months: Vec<usize> = months.map(|(column, _)| column).collect();
    if months.len() > 1 { months } else { Vec::new() }
}

/// True if another column holds the sums of these in each row: they are parts of a season, and no
/// ratings.
fn are_summed_up(table: &HeaderTable, parts: &[usize]) -> bool {
    if parts.is_empty() {
        return false;
    }
    let parse = |row: usize, column: usize| match table.grid.cell(row, column) {
        cell if is_blank(cell) => Some(0.0),
        cell => table.number_style(Some(column)).parse(cell).ok(),
    };
    let sums_up = |column: usize| {
        table.data_rows().all(|row| {
            let sum = parts.iter().map(|&part| parse(row, part)).sum::<Option<f64>>();
            sum.zip(parse(row, column))
                .is_some_and(|(sum, total)| (sum - total).abs() < 0.01)
        })
    };
    let mut others = 0..table.grid.width(table.header_row);
    others.any(|column| !parts.contains(&column) && sums_up(column))
}

/// Returns the first row of data if it is labelled "date".
pub(crate) fn find_date_row(table: &HeaderTable) -> Option<usize> {
    let row = table.header_row + 1;
    let label = table.grid.cell(row, table.name_column());
    matches!(ColumnMeaning::from_heading(label), Some((ColumnMeaning::Date, _))).then_some(row)
}

/// The fewest rows whose numbers can be those of the rows.
const MIN_COUNTED_ROWS: usize = 4;

/// True if a number in place of a heading and the cells below it number the rows, left of the names. The
/// numbers of rounds go on in the headings beside them.
fn counts_rows(table: &HeaderTable, column: usize) -> bool {
    let heading = |column: usize| table.heading(column).parse::<usize>().ok();
    let Some(start) = heading(column).filter(|_| column < table.name_column()) else {
        return false;
    };
    let filled = || table.values(column).filter(|cell| !is_blank(cell));
    heading(column + 1).is_none()
        && filled().count() >= MIN_COUNTED_ROWS
        && (start + 1..).zip(filled()).all(|(number, cell)| cell.parse() == Ok(number))
}

/// True if three cells or more hold one value: no contest ends so.
fn is_constant(table: &HeaderTable, column: usize) -> bool {
    let mut cells = table.values(column).filter(|cell| !is_blank(cell));
    let first = cells.next();
    let mut count = 1;
    let all_equal = cells.all(|cell| {
        count += 1;
        Some(cell) == first
    });
    all_equal && count > 2
}

fn sorted(mut columns: Vec<usize>, mut further: Vec<usize>) -> Vec<usize> {
    columns.append(&mut further);
    columns.sort_unstable();
    columns
}

/// True if a cell of a round is a place, a status, a number or a time.
pub(crate) fn is_result(cell: &str) -> bool {
    let style = NumberStyle::default();
    parse_place(cell).is_some()
        || CellStatus::parse(cell).is_some()
        || !matches!(style.parse(cell), Err(NumberError::NotANumber))
}

/// True if at least half of the cells that are not blank are places, numbers or times. Looks only
/// at their characters, since the columns of a long table come here too.
fn are_mostly_numbers<'c>(cells: impl Iterator<Item = &'c str>) -> bool {
    let mut numbers = 0;
    let mut texts = 0;
    for cell in cells.filter(|cell| !is_blank(cell)) {
        let digits = cell.trim_start_matches(['+', '-', '−']);
        let has_once = |mark: u8| digits.bytes().filter(|&byte| byte == mark).count() < 2;
        let is_number = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.')
            && digits.chars().all(|c| c.is_ascii_digit() || ".,:'’ ".contains(c))
            // Twice they are those of a date.
            && (has_once(b'.') && has_once(b','));
        if is_number || parse_place(cell).is_some() {
            numbers += 1;
        } else {
            texts += 1;
        }
    }
    numbers > 0 && numbers >= texts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_numbers_are_recognised() {
        for cells in [
            &["12:41,310", "", "+0:29", "DNF"][..],
            &["1'234.5", "text"],
            &["-12", "−3", ".5", "T3", "1st"],
        ] {
            assert!(are_mostly_numbers(cells.iter().copied()), "{cells:?}");
        }
        for cells in [
            &[][..],
            &["", "-"],
            &["1", "DNF", "DNF"],
            &["23.04.1999"],
            &["2024-03-01"],
            &["3w1", "5T5z 7 6", "Club 7"],
        ] {
            assert!(!are_mostly_numbers(cells.iter().copied()), "{cells:?}");
        }
    }
}
