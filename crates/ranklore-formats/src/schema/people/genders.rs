//! Women and men in a table of scores: one contest, or a contest for each gender.

use std::collections::HashMap;

use crate::options::{ReadOptions, StatedLayout};
use crate::schema::evidence::{Change, Evidence};
use crate::schema::table::HeaderTable;
use crate::vocabulary::genders::{is_gender_heading, is_gender_letter, is_gender_word};
use crate::vocabulary::meanings::ColumnMeaning;
use ranklore_grid::{FileReadError, Reason};

/// The fewest scores of a gender that divide a contest.
const MIN_SCORES: usize = 2;

/// The fewest scores of a gender whose order is hardly chance.
const MIN_ORDERED_SCORES: usize = 3;

/// The relation of the genders of a contest to the order of its rows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Genders {
    /// The scores of all stand in one order.
    Together,
    /// The scores of each gender stand in an order of their own, one list below the other.
    Restart,
    Doubtful,
}

/// Reads a column of genders as the division if the order of the scores restarts with each of them.
#[expect(clippy::unnecessary_wraps, reason = "all rules have one type")]
pub(crate) fn genders_in_lists(
    table: &HeaderTable,
    options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    use ColumnMeaning::{Place, Score};
    let score = table.first_column(Score).filter(|_| !table.has_column(Place));
    let is_long = matches!(options.layout, None | Some(StatedLayout::Rows));
    let Some((score, column)) =
        score.filter(|_| is_long).and_then(|score| Some((score, find_genders(table)?)))
    else {
        return Ok(None);
    };
    if classify_genders(table, column, score) != Some(Genders::Restart) {
        return Ok(None);
    }
    let observation = format!(
        "the scores in {} restart with each gender in {}",
        table.describe_column(score),
        table.describe_column(column)
    );
    let note = format!(
        "{observation}, so each is a contest of its own: pass {} if all are ranked together",
        table.ignore_option(column)
    );
    let changes = vec![
        Change::Means(ColumnMeaning::Division, column),
        Change::Note(note),
    ];
    Ok(Some(Evidence::new(observation, changes)))
}

/// Errors if a column that is not read says that women and men may be ranked apart, and the rows do not
/// stand in the order of all scores.
pub(crate) fn check_genders(table: &HeaderTable, score: usize) -> Result<(), FileReadError> {
    let Some(column) = find_genders(table) else {
        return Ok(());
    };
    if classify_genders(table, column, score).is_none_or(|genders| genders == Genders::Together) {
        return Ok(());
    }
    let problem =
        format!("{} may separate the scores into contests", table.describe_column(column));
    let division = table.column_option(column, ColumnMeaning::Division);
    let cases = [
        (division, "if each gender is ranked on its own"),
        (table.ignore_option(column), "if all are ranked together"),
    ];
    Err(table.refuse_column(column, Reason::with_options(problem, cases)))
}

/// Returns the unread column of genders, unless other columns divide the contests too.
fn find_genders(table: &HeaderTable) -> Option<usize> {
    if table.has_column(ColumnMeaning::Division) || !table.grid.limits().reader.refuses_doubts() {
        return None;
    }
    let holds_genders = |&column: &usize| {
        let is_headed = is_gender_heading(table.heading(column));
        table.holds_several(column)
            && table.holds_only(column, |cell| {
                is_gender_word(cell) || (is_headed && is_gender_letter(cell))
            })
    };
    table.unknown_columns.iter().copied().find(holds_genders)
}

/// Returns the relation of genders to the scores. `None` if no contest has several scores of two genders.
fn classify_genders(table: &HeaderTable, column: usize, score: usize) -> Option<Genders> {
    let style = table.number_style(Some(score));
    let mut relation = None;
    for rows in table.contest_rows() {
        let scored = rows.iter().filter_map(|&row| {
            let number = style.parse(table.grid.cell(row, score)).ok()?;
            Some((table.grid.cell(row, column), number))
        });
        let scored: Vec<(&str, f64)> = scored.collect();
        let Some(genders) = classify_scores(&scored) else {
            continue;
        };
        relation = match relation {
            Some(other) if other != genders => return Some(Genders::Doubtful),
            _ => Some(genders),
        };
    }
    relation
}

/// Returns the relation of the genders of a contest to the order of its scores.
fn classify_scores(scored: &[(&str, f64)]) -> Option<Genders> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for (gender, _) in scored {
        *counts.entry(gender).or_default() += 1;
    }
    if counts.values().filter(|&&count| count >= MIN_SCORES).count() < 2 {
        return None;
    }
    let falls = |scored: &[(&str, f64)]| scored.is_sorted_by(|a, b| a.1 >= b.1);
    let rises = |scored: &[(&str, f64)]| scored.is_sorted_by(|a, b| a.1 <= b.1);
    if falls(scored) || rises(scored) {
        return Some(Genders::Together);
    }
    let lists: Vec<&[(&str, f64)]> = scored.chunk_by(|a, b| a.0 == b.0).collect();
    let long = lists.iter().filter(|list| list.len() >= MIN_ORDERED_SCORES).count();
    let are_ordered = lists.iter().all(|list| falls(list)) || lists.iter().all(|list| rises(list));
    Some(if lists.len() == counts.len() && long > 1 && are_ordered {
        Genders::Restart
    } else {
        Genders::Doubtful
    })
}
