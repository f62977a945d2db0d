//! Refuses people who share their results with the others of a boat or car, as if they competed alone.

use std::collections::{HashMap, HashSet};

use crate::reading::TableShape;
use crate::schema::table::HeaderTable;
use crate::values::cells::{is_blank, parse_place};
use crate::values::rankings::is_ranking;
use crate::vocabulary::kinds::is_boat_heading;
use crate::vocabulary::meanings::ColumnMeaning;
use ranklore_grid::{CommandOptions, FileReadError, Reason};

/// The number of rows that are looked at first.
const FIRST_ROWS: usize = 50;

/// Errors if a column that is not read names the boats of the people of a table. `results` are the
/// column of places or scores, or those of the contests of a wide table, which has no teams.
pub(crate) fn check_crews(
    table: &HeaderTable,
    shape: TableShape,
    results: &[usize],
) -> Result<(), FileReadError> {
    use ColumnMeaning::{Place, Score, Team};
    let is_wide = shape == TableShape::Wide;
    let teams = table.claims(Team).iter().map(|claim| claim.1).filter(|_| is_wide);
    let columns = table.unknown_columns.iter().copied().chain(teams).collect();
    let Some((column, problem)) = describe_crews(table, results, columns) else {
        return Ok(());
    };
    let team = table.column_option(column, Team);
    let team = match shape {
        TableShape::Wide => CommandOptions::new("--layout", "rows").and(team),
        _ => team,
    };
    let can_be_team = !is_wide || table.has_column(Place) || table.has_column(Score);
    let team = can_be_team.then_some((team, "if they are a team"));
    let alone = (table.ignore_option(column), "if each competes alone");
    let cases = team.into_iter().chain([alone]);
    Err(table.refuse_column(column, Reason::with_options(problem, cases)))
}

/// Returns the column that names the boats, and what it shows.
fn describe_crews(
    table: &HeaderTable,
    results: &[usize],
    columns: Vec<usize>,
) -> Option<(usize, String)> {
    if results.is_empty() || !table.grid.limits().reader.refuses_doubts() {
        return None;
    }
    let name = table.first_column(ColumnMeaning::Competitor)?;
    let crews = CrewFinder {
        table,
        name,
        results,
    };
    if !crews.may_share_results() {
        return None;
    }
    let contests = table.contest_rows();
    let mut boats = columns.into_iter().filter(|&column| is_boat_heading(table.heading(column)));
    let column = boats.find(|&column| crews.share_results(contests, column))?;
    let [names, boat] = [name, column].map(|column| table.describe_column(column));
    Some((column, format!("the people in {names} with one {boat} share their results")))
}

/// Compares the results of the people of each contest.
struct CrewFinder<'t> {
    table: &'t HeaderTable,
    name: usize,
    results: &'t [usize],
}

impl<'t> CrewFinder<'t> {
    fn result(&self, row: usize) -> Vec<&'t str> {
        self.results.iter().map(|&column| self.table.grid.cell(row, column)).collect()
    }

    /// True if many of the first rows have the result of another: to look at all rows would take time.
    fn may_share_results(&self) -> bool {
        let rows = self.table.data_rows().take(FIRST_ROWS);
        let results: HashSet<Vec<&str>> = rows.clone().map(|row| self.result(row)).collect();
        4 * results.len() <= 3 * rows.count()
    }

    /// True if the places of a contest are those of a ranking of all rows, with ties: 1, 1, 3, 3.
    fn has_ties(&self, rows: &[usize]) -> bool {
        let &[column] = self.results else {
            return false;
        };
        let cells = rows.iter().map(|&row| self.table.grid.cell(row, column));
        let mut places: Vec<u32> = cells.filter_map(parse_place).collect();
        places.sort_unstable();
        let is_place = self.table.first_column(ColumnMeaning::Place) == Some(column);
        is_place && places.windows(2).any(|pair| pair[0] == pair[1]) && is_ranking(places)
    }

    /// True if most rows have one value of a column with those beside them, of other names and with their
    /// results.
    fn share_results(&self, contests: &[Vec<usize>], column: usize) -> bool {
        let [mut boats, mut crews, mut members, mut rows] = [0; 4];
        let mut results: HashSet<(usize, &str, Vec<&str>)> = HashSet::new();
        let division = self.table.first_column(ColumnMeaning::Division);
        for (contest, contest_rows) in contests.iter().enumerate() {
            if self.has_ties(contest_rows) {
                return false;
            }
            let mut groups: HashMap<[&str; 2], Vec<usize>> = HashMap::new();
            for &row in contest_rows {
                let key = [Some(column), division].map(|column| self.table.cell(row, column));
                groups.entry(key).or_default().push(row);
            }
            rows += contest_rows.len();
            for ([boat, division], group) in groups {
                let result = self.result(group[0]);
                let mut names = HashSet::new();
                let is_crew = !is_blank(boat)
                    && group.windows(2).all(|rows| rows[0] + 1 == rows[1])
                    && group.iter().all(|&row| {
                        self.result(row) == result
                            && names.insert(self.table.grid.cell(row, self.name))
                    });
                if !is_crew && group.len() > 1 {
                    return false;
                }
                results.insert((contest, division, result));
                boats += 1;
                crews += usize::from(group.len() > 1);
                members += if group.len() > 1 { group.len() } else { 0 };
            }
        }
        crews > 1 && 2 * members > rows && 2 * results.len() > boats
    }
}
