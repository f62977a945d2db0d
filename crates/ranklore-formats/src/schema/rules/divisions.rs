//! Rules about columns that divide contests together.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use super::duplicates::equal_claims;
use super::plausibility::divide_contests;
use super::rankings::{divide, rank_all};
use super::scores::holds_times;
use crate::options::ReadOptions;
use crate::schema::evidence::{Change, Evidence};
use crate::schema::table::HeaderTable;
use crate::values::cells::{CellStatus, is_blank, parse_place};
use crate::values::rankings::{are_rising_places, is_gapless};
use crate::vocabulary::headings::MatchStrength;
use crate::vocabulary::kinds::is_division_heading;
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::words::{has_word, normalise_word};
use ranklore_grid::{CommandOptions, FileReadError, Reason};

/// Headings of ids, from those of whole competitions to those of their parts.
const NESTED_IDS: [&str; 5] = [
    "competitionid",
    "tournamentid",
    "eventid",
    "raceid",
    "roundid",
];

/// Reads a column that is headed as a division and holds a ranking as places: `Class.` is French for
/// both. Of numbers that rise with each row under `Class.` some may be missing: nobody races alone in
/// each division.
pub(super) fn divisions_that_rank(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    let &[(strength, column)] = table.claims(ColumnMeaning::Division) else {
        return Ok(None);
    };
    let rises = || {
        let cells = || table.values(column);
        let numbers: HashSet<&str> = cells().collect();
        let count = cells().count();
        let contests = table.contest_rows();
        let has_place = table
            .first_column(ColumnMeaning::Place)
            .is_some_and(|c| rank_all(table, contests, c));
        count > 2
            && numbers.len() == count
            && contests.len() < 2
            && table.heading(column).ends_with('.')
            && !has_place
            && are_rising_places(cells())
    };
    if strength == MatchStrength::Stated
        || !(rank_all(table, table.contest_rows(), column) || rises())
    {
        return Ok(None);
    }
    let observation = format!("{} holds a ranking", table.describe_column(column));
    Ok(Some(Evidence::new(
        observation,
        vec![Change::Means(ColumnMeaning::Place, column)],
    )))
}

/// Headings of results, which can be places.
const RESULTS: &str = "result results ergebnis resultat resultado risultato tulos wynik";

/// The fewest steps from a place and its time to the next that hardly rise together by chance.
const MIN_RISING_STEPS: usize = 4;

/// Reads a result beside a time as the place if it rises in each contest, or in each division, with the
/// rows and the times. If the values of only one other column divide the rows so, it is the division.
pub(super) fn results_beside_times(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    use ColumnMeaning::{Division, Place, Score};
    if table.has_column(Place) || !table.grid.limits().reader.refuses_doubts() {
        return Ok(None);
    }
    let scores = || table.claims(Score).iter().filter(|claim| claim.0 == MatchStrength::Vague);
    // A result of 0 is no place.
    let is_place =
        |cell: &str| cell.bytes().all(|byte| byte.is_ascii_digit()) && parse_place(cell).is_some();
    let is_result = |&column: &usize| {
        has_word(RESULTS, &normalise_word(table.heading(column)))
            && table.holds_only(column, |cell| is_place(cell) || CellStatus::parse(cell).is_some())
    };
    let Some(result) = scores().map(|claim| claim.1).find(is_result) else {
        return Ok(None);
    };
    let mut times = scores().map(|claim| claim.1);
    let Some(time) = times.find(|&column| column != result && holds_times(table, column)) else {
        return Ok(None);
    };
    let contests = table.contest_rows();
    let rises = |contests: &[Vec<usize>]| rise_with_times(table, contests, [result, time]);
    let mut changes = vec![Change::Means(Place, result)];
    if !rises(&divide_contests(table, contests)) {
        let divides =
            |&column: &usize| divide(table, contests, column).is_some_and(|parts| rises(&parts));
        let mut columns = table.unknown_columns.iter().copied().filter(divides);
        let Some(first) = columns.next() else {
            return Ok(None);
        };
        let division = Change::Means(Division, first);
        changes.extend(columns.next().is_none().then_some(division));
    }
    let columns: Vec<usize> = changes.iter().skip(1).filter_map(Change::column).collect();
    let [place, time] = [result, time].map(|column| table.describe_column(column));
    let within = match columns[..] {
        [] => String::new(),
        _ => format!(" in each value of {}", table.describe_columns(&columns)),
    };
    let note = format!("{place} holds places, since the times in {time} rise with it{within}");
    changes.push(Change::Note(note.clone()));
    Ok(Some(Evidence::new(note, changes)))
}

/// True if numbers from 1 without gaps rise with the rows of each contest, and the times beside them: one
/// time of several rows is often that at which a game begins.
fn rise_with_times(
    table: &HeaderTable,
    contests: &[Vec<usize>],
    [result, time]: [usize; 2],
) -> bool {
    let style = table.number_style(Some(time));
    let mut steps = 0;
    let rise = contests.iter().all(|rows| {
        let placed = rows.iter().filter_map(|&row| {
            let place = parse_place(table.grid.cell(row, result))?;
            Some((place, style.parse(table.grid.cell(row, time)).ok()?))
        });
        let placed: Vec<(u32, f64)> = placed.collect();
        let rising =
            placed.windows(2).filter(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1);
        steps += rising.count();
        is_gapless(placed.iter().map(|&(place, _)| place))
            && placed.is_sorted_by(|one, two| match one.0.cmp(&two.0) {
                Ordering::Less => one.1 <= two.1,
                Ordering::Equal => one.1.total_cmp(&two.1).is_eq(),
                Ordering::Greater => false,
            })
    });
    rise && steps >= MIN_RISING_STEPS
}

/// Joins several columns that the user states as divisions.
pub(super) fn stated_divisions(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    let claims = table.claims(ColumnMeaning::Division).iter();
    let divisions = claims.filter(|claim| claim.0 == MatchStrength::Stated);
    let columns: Vec<usize> = divisions.map(|claim| claim.1).collect();
    Ok((columns.len() > 1).then(|| join_divisions(table, &columns)))
}

/// Reads the ids of the parts of a competition as its divisions if these have rankings: `event id`
/// beside `competition id`, and perhaps the type of the round. Errors if they have none.
pub(super) fn ids_of_parts(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    let columns = equal_claims(table, ColumnMeaning::ContestId).unwrap_or_default();
    let rank = |&column: &usize| {
        let word = normalise_word(table.heading(column));
        NESTED_IDS.iter().position(|known| *known == word)
    };
    let mut nested: Vec<(usize, usize)> =
        columns.iter().filter_map(|column| Some((rank(column)?, *column))).collect();
    nested.sort_unstable();
    let is_nested = nested.windows(2).all(|pair| pair[0].0 < pair[1].0);
    if nested.len() < 2
        || nested.len() < columns.len()
        || !is_nested
        || table.has_column(ColumnMeaning::Division)
    {
        return Ok(None);
    }
    let ids: Vec<usize> = nested.into_iter().map(|(_, column)| column).collect();
    let is_round = |column: &usize| normalise_word(table.heading(*column)).starts_with("round");
    let unknown_columns = || table.unknown_columns.iter().copied();
    let rounds = unknown_columns().filter(is_round).map(Some);
    let classes = unknown_columns().filter(|&c| is_division_heading(table.heading(c))).map(Some);
    // A round is a contest of its own, also in an extract with one round of each event.
    let mut divisions = rounds.chain([None]).chain(classes);
    let dividing = divisions.find_map(|round| {
        let columns: Vec<usize> = ids.iter().copied().chain(round).collect();
        divide_into_rankings(table, &columns).then_some(columns)
    });
    match dividing {
        Some(columns) => Ok(Some(join_divisions(table, &columns[1..]))),
        None => Err(refuse_ids(table, &ids)),
    }
}

/// True if the rows with equal cells in these columns are rankings.
fn divide_into_rankings(table: &HeaderTable, columns: &[usize]) -> bool {
    let mut rows_by_cells: HashMap<Vec<&str>, Vec<usize>> = HashMap::new();
    for row in table.data_rows() {
        let cells = columns.iter().map(|&column| table.grid.cell(row, column));
        rows_by_cells.entry(cells.collect()).or_default().push(row);
    }
    let contests: Vec<Vec<usize>> = rows_by_cells.into_values().collect();
    let place = table.first_column(ColumnMeaning::Place);
    place.is_some_and(|place| rank_all(table, &contests, place))
}

fn join_divisions(table: &HeaderTable, columns: &[usize]) -> Evidence {
    let note = format!("each {} is a division", table.describe_columns(columns));
    let join = |cells: &[&str]| {
        let filled = cells.iter().copied().filter(|cell| !is_blank(cell));
        filled.collect::<Vec<_>>().join(" ")
    };
    Evidence::join(columns, ColumnMeaning::Division, join, note)
}

fn refuse_ids(table: &HeaderTable, ids: &[usize]) -> FileReadError {
    let parts = &ids[1..];
    let options = |meaning| {
        let options = parts.iter().map(|&column| table.column_option(column, meaning));
        options.reduce(CommandOptions::and).unwrap_or_default()
    };
    let problem = format!("the columns {} both mean the contest id", table.describe_columns(ids));
    let cases = [
        (
            options(ColumnMeaning::Division),
            "(and --column HEADING=division for each further column that divides contests, such as the round) if each is a contest of its own",
        ),
        (options(ColumnMeaning::Ignore), "if they are none"),
    ];
    table.refuse_headings(Reason::with_options(problem, cases))
}

/// The fewest scores whose order says that all competitors may be ranked together.
const MIN_ORDERED_SCORES: usize = 5;

/// Headings of divisions that compete apart.
const SEPARATE_DIVISIONS: &str = "division div league liga bracket";

/// Errors if classes alternate in the order of all scores, without places: they may describe competitors. Lists of
/// each class would stand one below the other.
pub(super) fn classes_within_one_order(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    use ColumnMeaning::{Division, Place, Score};
    let score = table.first_column(Score).filter(|_| !table.has_column(Place));
    let Some(score) = score.filter(|_| table.grid.limits().reader.refuses_doubts()) else {
        return Ok(None);
    };
    let mut columns = table.claims(Division).iter().filter(|&&(strength, column)| {
        strength != MatchStrength::Stated
            && !has_word(SEPARATE_DIVISIONS, &normalise_word(table.heading(column)))
    });
    let Some(&(_, column)) = columns.find(|&&(_, column)| alternate_in_order(table, column, score))
    else {
        return Ok(None);
    };
    let problem = format!(
        "the rows stand in the order of all scores in {}, and the values of {} alternate",
        table.describe_column(score),
        table.describe_column(column),
    );
    let cases = [
        (table.ignore_option(column), "if all are ranked together"),
        (table.column_option(column, Division), "if each is a contest of its own"),
    ];
    Err(table.refuse_column(column, Reason::with_options(problem, cases)))
}

/// True if the scores of each contest fall or rise from row to row, and in one of them several classes alternate.
fn alternate_in_order(table: &HeaderTable, column: usize, score: usize) -> bool {
    let style = table.number_style(Some(score));
    let mut alternate = false;
    let are_ordered = table.contest_rows().iter().all(|rows| {
        let scored = rows.iter().filter_map(|&row| {
            let number = style.parse(table.grid.cell(row, score)).ok()?;
            Some((table.grid.cell(row, column), number))
        });
        let scored: Vec<(&str, f64)> = scored.collect();
        let classes: HashSet<&str> = scored.iter().map(|&(class, _)| class).collect();
        let lists = scored.chunk_by(|one, two| one.0 == two.0).count();
        alternate |= scored.len() >= MIN_ORDERED_SCORES
            && scored.first().map(|first| first.1) != scored.last().map(|last| last.1)
            && classes.len() > 1
            // A class with one competitor ranks nobody.
            && (lists > classes.len() || classes.len() == scored.len());
        scored.is_sorted_by(|one, two| one.1 >= two.1)
            || scored.is_sorted_by(|one, two| one.1 <= two.1)
    });
    are_ordered && alternate
}
