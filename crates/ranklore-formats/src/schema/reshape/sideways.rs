//! Turns a table with one row per contest into one with one row per competitor.

use std::collections::HashMap;

use crate::options::ReadOptions;
use crate::schema::header_row::{SEARCHED_ROWS, find_meaning};
use crate::schema::series::is_result;
use crate::values::cells::is_blank;
use crate::values::dates::{DateError, DateRules, DateStyle, parse_cell, parse_year};
use crate::vocabulary::headings::MatchStrength;
use crate::vocabulary::kinds::{is_count_heading, is_place_or_role_heading, is_year_heading};
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::rounds::{is_non_round_heading, is_round_word};
use ranklore_contest::Quoted;
use ranklore_grid::{CellGrid, CommandOptions, FileReadError, Reason, column_letters};

/// The fewest rows that a competitor's results hardly count by chance.
const MIN_COUNTED_ROWS: usize = 3;

/// Returns the table with its columns as rows: below the names of contests a row of their dates, and
/// one for each column that can be a competitor, whose heading is the name.
pub(crate) fn turn_sideways(
    grid: &CellGrid,
    options: &ReadOptions,
) -> Result<CellGrid, FileReadError> {
    let table = ContestRows::find(grid, options)?;
    let date = table.find_date()?;
    let name = table.find_name(date);
    let competitors = table.find_competitors(name, date);
    table.check_competitors(&competitors, name, date)?;
    let names = name.map_or_else(Vec::new, |name| table.name_contests(name, Some(name) == date));
    let path = common_path(grid, table.header, &competitors);
    let rows: Vec<usize> = table.rows().collect();
    let mut headings = vec!["competitor".to_owned()];
    headings.extend(names);
    let mut lines: Vec<(String, usize)> = Vec::new();
    lines.extend(date.map(|date| ("date".to_owned(), date)));
    lines.extend(
        competitors
            .iter()
            .map(|&column| (table.heading(column)[path..].to_owned(), column)),
    );
    let mut sideways = grid.transpose(&rows, &headings, &lines)?;
    sideways.notes.push("one row per contest, one column per competitor".to_owned());
    let described = (0..grid.width(table.header)).filter(|&column| {
        !competitors.contains(&column) && table.meaning(column).is_none() && Some(column) != name
    });
    let described: Vec<usize> = described.filter(|&column| Some(column) != date).collect();
    sideways.notes.extend(table.note_unread(&described));
    Ok(sideways)
}

/// A table with one row per contest.
struct ContestRows<'g> {
    grid: &'g CellGrid,
    header: usize,
    options: &'g ReadOptions,
}

impl<'g> ContestRows<'g> {
    /// Finds the first row with a heading that names or dates contests. Errors if there is none, or if
    /// a stated heading is not in it.
    fn find(grid: &'g CellGrid, options: &'g ReadOptions) -> Result<Self, FileReadError> {
        let table = |header| Self {
            grid,
            header,
            options,
        };
        let mut tables = (0..grid.row_count().min(SEARCHED_ROWS)).map(table);
        let Some(table) = tables.find(|table| table.columns().any(|c| table.tells_contests(c)))
        else {
            return Err(FileReadError::whole_document(
                "no column is headed contest, race, date or the like, and --layout contests needs one: name it with --column HEADING=contest or --column HEADING=date",
            ));
        };
        let mut headings = options.columns.keys();
        match headings.find(|heading| !grid.cells(table.header).any(|cell| cell == *heading)) {
            None => Ok(table),
            Some(absent) => Err(FileReadError::new(
                grid.row_location(table.header),
                format!("no column is headed {}, as --column says", Quoted(absent)),
            )),
        }
    }

    fn columns(&self) -> std::ops::Range<usize> {
        0..self.grid.width(self.header)
    }

    fn rows(&self) -> std::ops::Range<usize> {
        self.header + 1..self.grid.row_count()
    }

    fn heading(&self, column: usize) -> &'g str {
        self.grid.cell(self.header, column)
    }

    fn meaning(&self, column: usize) -> Option<ColumnMeaning> {
        Some(find_meaning(self.grid, self.heading(column), &self.options.columns)?.0)
    }

    fn is_stated(&self, column: usize) -> bool {
        self.options.columns.contains_key(self.heading(column))
    }

    /// Returns the cells of a column that are not blank.
    fn values(&self, column: usize) -> impl Iterator<Item = &'g str> {
        let grid = self.grid;
        self.rows()
            .map(move |row| grid.cell(row, column))
            .filter(|cell| !is_blank(cell))
    }

    /// True if a heading names or dates contests.
    fn tells_contests(&self, column: usize) -> bool {
        use ColumnMeaning::{Contest, ContestId, Date, Event};
        let meaning = self.meaning(column);
        meaning.is_some_and(|meaning| [Contest, ContestId, Event, Date].contains(&meaning))
            || (meaning.is_none() && self.heads_contests(column))
    }

    /// True if the heading of a column without a meaning is that of years or of numbers of rounds.
    fn heads_contests(&self, column: usize) -> bool {
        let heading = self.heading(column);
        is_year_heading(heading) || is_round_word(heading)
    }

    /// True if the numbers of a column count the rows, or those of each date.
    fn counts_rows(&self, column: usize, date: Option<usize>) -> bool {
        let number = |row| self.grid.cell(row, column).parse::<i64>().ok();
        let date = |row| date.map_or("", |date| self.grid.cell(row, date));
        let mut pairs = self.rows().zip(self.rows().skip(1));
        self.rows().len() >= MIN_COUNTED_ROWS
            && pairs.all(|(row, next)| match (number(row), number(next)) {
                (Some(before), Some(number)) => {
                    number == before + 1 || (number == 1 && date(row) != date(next))
                }
                _ => false,
            })
    }

    /// True if some cell of a column is a date of this kind, and all cells are.
    fn holds_dates(&self, column: usize, is_kind: fn(&str) -> bool) -> bool {
        let rules = DateRules::new(self.options, self.grid.limits());
        let style = DateStyle::from_cells(self.values(column), rules);
        let is_date = |cell| match parse_cell(cell, style) {
            Ok(_) | Err(DateError::Ambiguous | DateError::SeasonOrMonth | DateError::Weekday) => {
                true
            }
            Err(_) => false,
        };
        self.values(column).next().is_some()
            && self.values(column).all(|cell| is_kind(cell) && is_date(cell))
    }

    /// Returns the column of dates: the one that is headed so, else the only one with whole dates, else
    /// that of years or seasons. Errors if several columns hold whole dates.
    fn find_date(&self) -> Result<Option<usize>, FileReadError> {
        let is_headed = |&column: &usize| self.meaning(column) == Some(ColumnMeaning::Date);
        let headed = self.columns().filter(is_headed).min_by_key(|&column| {
            let known = find_meaning(self.grid, self.heading(column), &self.options.columns);
            known.map_or(MatchStrength::Vague, |(_, strength)| strength)
        });
        // "Day" can number the contests.
        let is_dated = |&column: &usize| {
            self.is_stated(column) || !self.values(column).all(|cell| cell.parse::<u8>().is_ok())
        };
        if let Some(column) = headed.filter(is_dated) {
            return Ok(Some(column));
        }
        let unknown = || self.columns().filter(|&column| self.meaning(column).is_none());
        let dates: Vec<usize> = unknown().filter(|&c| self.holds_dates(c, is_written)).collect();
        match dates[..] {
            [] => {}
            [column] => return Ok(Some(column)),
            _ => {
                let problem = "several columns hold dates";
                let cases = dates.iter().map(|&column| {
                    let case = format!("if {} dates the contests", self.describe(column));
                    (self.option(column, ColumnMeaning::Date), case)
                });
                return Err(self.refuse(Reason::with_options(problem, cases)));
            }
        }
        let has_years = |&column: &usize| {
            is_year_heading(self.heading(column)) && self.holds_dates(column, |_| true)
        };
        // A start numbers contests without a day.
        Ok(unknown().find(has_years).filter(|_| self.options.start.is_none()))
    }

    /// Returns the column that names the contests.
    fn find_name(&self, date: Option<usize>) -> Option<usize> {
        use ColumnMeaning::{Competitor, Contest, ContestId, Date, Event};
        let find = |meanings: &[ColumnMeaning]| {
            self.columns()
                .find(|&c| self.meaning(c).is_some_and(|known| meanings.contains(&known)))
        };
        // "Name" is that of the contest, if columns are competitors.
        let is_name = |&column: &usize| match self.meaning(column) {
            Some(Competitor) => !self.is_stated(column) && !self.values(column).any(is_result),
            None => is_round_word(self.heading(column)) && self.counts_rows(column, date),
            Some(_) => false,
        };
        let named = find(&[Contest]).or_else(|| find(&[ContestId, Event]));
        named
            .or_else(|| self.columns().find(is_name))
            .or(date)
            .or_else(|| find(&[Date]))
    }

    /// Returns the names of the contests. Several of one date are numbered if it is their name.
    fn name_contests(&self, name: usize, is_date: bool) -> Vec<String> {
        let mut counts: HashMap<&str, u32> = HashMap::new();
        let names = self.rows().map(|row| {
            let name = self.grid.cell(row, name);
            let count = counts.entry(name).and_modify(|count| *count += 1).or_insert(1);
            if is_date && *count > 1 {
                format!("{name} ({count})")
            } else {
                name.to_owned()
            }
        });
        names.collect()
    }

    /// Returns the columns that can be competitors.
    fn find_competitors(&self, name: Option<usize>, date: Option<usize>) -> Vec<usize> {
        let stands_for_competitor = |&column: &usize| match self.meaning(column) {
            Some(ColumnMeaning::Competitor) => true,
            Some(_) => false,
            None => !self.heading(column).is_empty() && !self.describes_contests(column, date),
        };
        let columns = self.columns().filter(|&column| ![name, date].contains(&Some(column)));
        let mut competitors: Vec<usize> = columns.filter(stands_for_competitor).collect();
        if self.grid.limits().reader.refuses_doubts() {
            let all = competitors.clone();
            competitors
                .retain(|&column| !(self.stands_outside(column, &all) && self.is_constant(column)));
        }
        competitors
    }

    /// True if a field of records stands outside the object that has others of these: `turn` beside
    /// `amounts.Ada` and `amounts.Bea`.
    fn stands_outside(&self, column: usize, columns: &[usize]) -> bool {
        let object = |column: usize| self.heading(column).split_once('.').map(|(object, _)| object);
        let mut objects = columns.iter().filter_map(|&column| object(column));
        let first = objects.next();
        self.grid.records.is_some()
            && !self.is_stated(column)
            && object(column).is_none()
            && objects.next().is_some_and(|second| Some(second) == first)
    }

    /// True if two rows or more have the same cell in a column.
    fn is_constant(&self, column: usize) -> bool {
        let mut cells = self.rows().map(|row| self.grid.cell(row, column));
        let first = cells.next();
        self.rows().len() > 1 && cells.all(|cell| Some(cell) == first)
    }

    /// True if the cells of a column without a meaning are no competitor's, under such a heading.
    fn describes_contests(&self, column: usize, date: Option<usize>) -> bool {
        let holds_no_results =
            || !self.values(column).any(is_result) || self.counts_rows(column, date);
        self.holds_dates(column, is_written)
            || (is_year_heading(self.heading(column)) && self.holds_dates(column, |_| true))
            || (self.heads_description(column) && holds_no_results())
    }

    /// True if the heading of a column without a meaning is seldom a name.
    fn heads_description(&self, column: usize) -> bool {
        let heading = self.heading(column);
        self.heads_contests(column)
            || is_non_round_heading(heading)
            || is_count_heading(heading)
            || is_place_or_role_heading(heading)
    }

    /// Errors if the results of a competitor may describe the contests: by the heading, or left of all
    /// others by numbers that count the rows or are years in order.
    fn check_competitors(
        &self,
        competitors: &[usize],
        name: Option<usize>,
        date: Option<usize>,
    ) -> Result<(), FileReadError> {
        use ColumnMeaning::{Competitor, Contest, Date, Ignore};
        let refuses_doubts = self.grid.limits().reader.refuses_doubts();
        if competitors.len() < 2 && refuses_doubts {
            let problem = "no two columns can be competitors, and --layout contests needs them: write one row per result";
            return Err(self.refuse(problem.into()));
        }
        let are_years = |column| {
            let years: Vec<_> = self.values(column).map(parse_year).collect();
            let is_rising = years.is_sorted_by(|a, b| a < b) || years.is_sorted_by(|a, b| a > b);
            years.len() >= MIN_COUNTED_ROWS && !years.contains(&None) && is_rising
        };
        let is_doubtful = |column| {
            let stands_first = competitors.first() == Some(&column);
            self.heads_description(column)
                || self.stands_outside(column, competitors)
                || (stands_first && (self.counts_rows(column, date) || are_years(column)))
        };
        let mut unstated = competitors.iter().copied().filter(|&column| !self.is_stated(column));
        let column = match unstated.find(|&column| is_doubtful(column)) {
            Some(column) if refuses_doubts => column,
            _ => return Ok(()),
        };
        let (meaning, case) = if date.is_none() && are_years(column) {
            (Date, "if they date the contests")
        } else if name.is_none() {
            (Contest, "if they name the contests")
        } else {
            (Ignore, "if they describe the contests")
        };
        let cases = [
            (self.option(column, meaning), case),
            (self.option(column, Competitor), "if they are the results of a competitor"),
        ];
        let problem = format!("the numbers of {} have two readings", self.describe(column));
        Err(self.refuse(Reason::with_options(problem, cases)))
    }

    /// Returns the note on columns that describe contests, if there are any.
    fn note_unread(&self, columns: &[usize]) -> Option<String> {
        let headed = columns.iter().filter(|&&column| !self.heading(column).is_empty());
        let columns: Vec<String> = headed.map(|&column| self.describe(column)).collect();
        (!columns.is_empty())
            .then(|| format!("columns that describe contests are not read: {}", columns.join(", ")))
    }

    fn describe(&self, column: usize) -> String {
        format!("{} ({})", Quoted(self.heading(column)), column_letters(column))
    }

    fn option(&self, column: usize, meaning: ColumnMeaning) -> CommandOptions {
        CommandOptions::new("--column", format!("{}={}", self.heading(column), meaning.as_str()))
    }

    fn refuse(&self, reason: Reason) -> FileReadError {
        FileReadError::new(self.grid.row_location(self.header), reason)
    }
}

/// True for a text that can be a date and no number: 2024-03-01, 1.3.2024.
fn is_written(cell: &str) -> bool {
    cell.len() >= 8 && (cell.contains(['-', '/']) || cell.matches('.').count() > 1)
}

/// Returns the length of the path to the object whose keys are the competitors of records:
/// `result.` of `result.Ada` and `result.Bea`.
fn common_path(grid: &CellGrid, header: usize, competitors: &[usize]) -> usize {
    let mut headings = competitors.iter().map(|&column| grid.cell(header, column));
    let first = headings.next().filter(|_| grid.records.is_some() && competitors.len() > 1);
    let Some(first) = first else {
        return 0;
    };
    let mut common = first;
    for heading in headings {
        let same = common.char_indices().zip(heading.chars()).find(|((_, a), b)| a != b);
        let end = same.map_or(common.len().min(heading.len()), |((at, _), _)| at);
        common = &common[..end];
    }
    // The dot of "J. Lark" is part of a name.
    let mut dots = common.match_indices('.').rev().map(|(at, _)| at + 1);
    dots.find(|&end| first[end..].starts_with(|c: char| !c.is_whitespace()))
        .unwrap_or(0)
}
