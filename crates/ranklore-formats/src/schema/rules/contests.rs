//! Rules that ask whether the cells of a column can name contests, as its heading says.

use std::collections::{BTreeMap, HashSet};

use super::rankings::{Classes, classify_classes, longest_ranking, rank_all};
use crate::options::ReadOptions;
use crate::schema::evidence::{Change, Evidence};
use crate::schema::table::HeaderTable;
use crate::values::cells::{is_blank, parse_place};
use crate::vocabulary::headings::MatchStrength;
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::words::{has_word, normalise_word};
use ranklore_grid::{FileReadError, Reason};

/// The rows of one date, by the name of their contest.
type RowsByName<'t> = BTreeMap<&'t str, Vec<usize>>;

/// Errors if a column that its heading calls contests, such as "Course" or "Group", divides one
/// ranking of all.
pub(super) fn contests_within_one_ranking(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    let (Some((meaning, column)), Some(place)) =
        (contest_names(table), table.first_column(ColumnMeaning::Place))
    else {
        return Ok(None);
    };
    let is_divided = |rows: &Vec<usize>| {
        classify_classes(table, rows, place, column) == Some(Classes::Describe)
            && rank_all(table, std::slice::from_ref(rows), place)
    };
    if !table.contest_rows_without(Some(column)).iter().any(is_divided) {
        return Ok(None);
    }
    let problem = format!(
        "the places in {} are one ranking across the values of {}",
        table.describe_column(place),
        table.describe_column(column)
    );
    Err(refuse_contests(table, meaning, column, problem))
}

/// Reads texts under a plural such as "Games" as the event: no count is a text. Beside them, the event
/// is the contest.
pub(super) fn named_games(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    use ColumnMeaning::{Contest, Event, Summary};
    let is_text = |cell: &str| is_blank(cell) || cell.contains(char::is_alphabetic);
    let named = table.claims(Summary).iter().find(|claim| {
        claim.0 == MatchStrength::Vague
            && has_word("games championships", &normalise_word(table.heading(claim.1)))
            && table.values(claim.1).all(is_text)
    });
    let (Some(&(_, games)), Some((_, event))) = (named, contest_names(table)) else {
        return Ok(None);
    };
    if table.has_column(Contest) && table.has_column(Event) {
        return Ok(None);
    }
    let [games_column, event_column] = [games, event].map(|column| table.describe_column(column));
    let observation = format!("{games_column} names the event of the contests in {event_column}");
    let changes = vec![Change::Means(Contest, event), Change::Means(Event, games)];
    Ok(Some(Evidence::new(observation, changes)))
}

/// Errors if a column that its heading calls contests gives each row a contest of its own, or holds
/// numbers of competitors, such as their matches.
pub(super) fn numbers_of_competitors(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    let Some((meaning, column)) = contest_names(table) else {
        return Ok(None);
    };
    let occasions: Vec<RowsByName<'_>> = table
        .contest_rows_without(Some(column))
        .iter()
        .map(|rows| rows_by_name(table, rows, column))
        .collect();
    let groups = || occasions.iter().flat_map(BTreeMap::values);
    let has_one_each = table.has_column(ColumnMeaning::Date)
        && groups().all(|rows| rows.len() == 1)
        && groups().nth(2).is_some()
        && occasions.iter().any(|occasion| occasion.len() > 1);
    let problem = if has_one_each {
        format!("each contest of {} has one entrant", table.describe_column(column))
    } else if are_no_labels(table, column) && occasions.iter().any(|names| may_count(table, names))
    {
        format!("{} holds numbers that differ within a date", table.describe_column(column))
    } else {
        return Ok(None);
    };
    Err(refuse_contests(table, meaning, column, problem))
}

/// Drops a column of numbers such as "Race number" that differ in each row of a ranking, and not in its
/// order: they are those of the competitors.
pub(super) fn start_numbers(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    let Some(&(strength, column)) = table.claims(ColumnMeaning::Ordinal).first() else {
        return Ok(None);
    };
    let Some(place) = table.first_column(ColumnMeaning::Place) else {
        return Ok(None);
    };
    let word = normalise_word(table.heading(column));
    let may_be_start = ["race", "start", "bib"].iter().any(|start| word.starts_with(start));
    let differ = |rows: &Vec<usize>| {
        let mut numbers = HashSet::new();
        rows.iter().all(|&row| numbers.insert(table.grid.cell(row, column)))
    };
    let is_ranking = |rows: &Vec<usize>| {
        let places = || rows.iter().filter_map(|&row| parse_place(table.grid.cell(row, place)));
        let counts_rows = (1..).zip(rows).all(|(count, &row)| {
            table
                .grid
                .cell(row, column)
                .parse::<usize>()
                .is_ok_and(|number| number == count)
        });
        places().any(|place| place > 1) && !counts_rows
    };
    let contests = table.contest_rows();
    let are_starts = contests.iter().all(|rows| differ(rows) && is_ranking(rows));
    if strength <= MatchStrength::Exact || !may_be_start || !are_starts || contests.is_empty() {
        return Ok(None);
    }
    let observation = format!("{} numbers the rows of each contest", table.describe_column(column));
    let note = format!(
        "{observation}, as start numbers do: pass {} if it orders the contests",
        table.column_option(column, ColumnMeaning::Ordinal)
    );
    Ok(Some(drop_column(column, note)))
}

/// Drops a column of links that are no addresses of contests: texts such as "link", or an address for
/// each row.
pub(super) fn links_of_rows(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    let Some(&(strength, column)) = table.claims(ColumnMeaning::Url).first() else {
        return Ok(None);
    };
    if strength == MatchStrength::Stated || !table.grid.limits().reader.refuses_doubts() {
        return Ok(None);
    }
    let cells = || table.values(column).filter(|cell| !is_blank(cell));
    let holds = if cells().any(|cell| !is_address(cell)) {
        "texts that are no addresses"
    } else if differ_in_rows(table, column) {
        "an address for each row"
    } else {
        return Ok(None);
    };
    let observation = format!("{} holds {holds}, and is not read", table.describe_column(column));
    Ok(Some(drop_column(column, observation)))
}

/// True if a cell can be the address of a page: `https://a.example/1`, `/races/1`, `a.example`.
fn is_address(cell: &str) -> bool {
    !cell.starts_with('[') && !cell.contains(char::is_whitespace) && cell.contains(['/', '.', ':'])
}

/// Drops a column of numbers such as "Order" that differ in each row of a ranking: they order the
/// competitors, and not the contests.
pub(super) fn running_orders(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    let (Some(&(strength, column)), Some(place)) = (
        table.claims(ColumnMeaning::Ordinal).first(),
        table.first_column(ColumnMeaning::Place),
    ) else {
        return Ok(None);
    };
    let contests = table.contest_rows();
    if strength <= MatchStrength::Exact
        || !table.grid.limits().reader.refuses_doubts()
        || !differ_in_rows(table, column)
        || contests.iter().any(|rows| rows.len() < 2)
        || longest_ranking(table, contests, place) < 2
    {
        return Ok(None);
    }
    let observation = format!(
        "{} numbers the competitors of each contest, and is not read: pass {} if it orders the contests",
        table.describe_column(column),
        table.column_option(column, ColumnMeaning::Ordinal)
    );
    Ok(Some(drop_column(column, observation)))
}

/// True if the cells of a column differ in all rows of each contest, and some contest has two of them.
fn differ_in_rows(table: &HeaderTable, column: usize) -> bool {
    let mut has_several = false;
    let differ = |rows: &Vec<usize>| {
        let cells = rows.iter().map(|&row| table.grid.cell(row, column));
        let filled: Vec<&str> = cells.filter(|cell| !is_blank(cell)).collect();
        has_several |= filled.len() > 1;
        filled.iter().collect::<HashSet<_>>().len() == filled.len()
    };
    table.contest_rows().iter().all(differ) && has_several
}

/// Returns the finding that a column has none of the meanings of its heading.
fn drop_column(column: usize, note: String) -> Evidence {
    let changes = vec![
        Change::MeansNothing(column),
        Change::IsNoContest(column),
        Change::Note(note.clone()),
    ];
    Evidence::new(note, changes)
}

/// Reads ids or numbers of contests as their names if they recur on other dates, and the rows of each
/// date are a ranking: they number the contests of a day. Beside names of contests, these are events.
pub(super) fn ids_within_dates(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    use ColumnMeaning::{Contest, ContestId, Date, Event, Ordinal, Place};
    let name = table.first_column(Contest);
    let claims = match table.claims(ContestId) {
        // Beside names, a number is their order.
        [] if name.is_none() && !table.has_column(Event) => table.claims(Ordinal),
        claims => claims,
    };
    let (&[(strength, id)], Some(date), Some(place)) =
        (claims, table.first_column(Date), table.first_column(Place))
    else {
        return Ok(None);
    };
    // Who writes "contest id" knows this program.
    let is_stated = matches!(strength, MatchStrength::Stated | MatchStrength::Exact);
    if is_stated || (name.is_some() && table.has_column(Event)) {
        return Ok(None);
    }
    let mut contests: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
    for row in table.data_rows() {
        let [id, date] = [id, date].map(|column| table.grid.cell(row, column));
        contests.entry((id, date)).or_default().push(row);
    }
    let ids: HashSet<&str> = contests.keys().map(|(id, _)| *id).collect();
    let dates: HashSet<&str> = contests.keys().map(|(_, date)| *date).collect();
    let contests: Vec<Vec<usize>> = contests.into_values().collect();
    if contests.len() == ids.len()
        || contests.len() == dates.len()
        || contests.iter().any(|rows| rows.len() < 2)
        || longest_ranking(table, &contests, place) < 2
    {
        return Ok(None);
    }
    let observation = format!("{} numbers the contests of each date", table.describe_column(id));
    let mut changes = vec![
        Change::Means(Contest, id),
        Change::Note(observation.clone()),
    ];
    changes.extend(name.map(|name| Change::Means(Event, name)));
    Ok(Some(Evidence::new(observation, changes)))
}

/// Returns the column that names contests by its heading only.
fn contest_names(table: &HeaderTable) -> Option<(ColumnMeaning, usize)> {
    use ColumnMeaning::{Contest, ContestId, Event};
    let meaning = if table.has_column(Contest) {
        Contest
    } else {
        Event
    };
    let &(strength, column) = table.claims(meaning).first()?;
    // Who writes "contest" knows this program.
    let is_stated = strength == MatchStrength::Stated
        || (meaning == Contest && strength == MatchStrength::Exact);
    (!is_stated && !table.has_column(ContestId)).then_some((meaning, column))
}

fn rows_by_name<'t>(table: &'t HeaderTable, rows: &[usize], column: usize) -> RowsByName<'t> {
    let mut names = RowsByName::new();
    for &row in rows {
        let name = table.grid.cell(row, column);
        if !is_blank(name) {
            names.entry(name).or_default().push(row);
        }
    }
    names
}

/// True if a column holds numbers that do not count from 1, as those of contests mostly do.
fn are_no_labels(table: &HeaderTable, column: usize) -> bool {
    let style = table.number_style(Some(column));
    let cells = table.values(column).filter(|cell| !is_blank(cell));
    let Ok(mut numbers) = cells.map(|cell| style.parse(cell)).collect::<Result<Vec<f64>, _>>()
    else {
        return false;
    };
    numbers.sort_by(f64::total_cmp);
    numbers.dedup();
    let labels = (1..).map(f64::from);
    !numbers.is_empty()
        && !numbers
            .iter()
            .zip(labels)
            .all(|(number, label)| number.total_cmp(&label).is_eq())
}

/// True if names of contests on one date may be counts: each competitor has one, one of them has a
/// row alone or rows apart, and the places do not restart.
fn may_count(table: &HeaderTable, names: &RowsByName<'_>) -> bool {
    let place = table.first_column(ColumnMeaning::Place);
    let competitor = table.name_column();
    let mut competitors = HashSet::new();
    let is_apart =
        |rows: &Vec<usize>| rows.len() == 1 || rows.windows(2).any(|pair| pair[0] + 1 != pair[1]);
    let has_first =
        |rows: &Vec<usize>| rows.iter().any(|&row| parse_place(table.cell(row, place)) == Some(1));
    names.len() > 1
        && names.values().any(is_apart)
        && !names.values().all(has_first)
        && names
            .values()
            .flatten()
            .all(|&row| competitors.insert(table.grid.cell(row, competitor)))
}

fn refuse_contests(
    table: &HeaderTable,
    meaning: ColumnMeaning,
    column: usize,
    problem: String,
) -> FileReadError {
    let cases = [
        (table.ignore_option(column), "if it describes competitors"),
        (table.column_option(column, meaning), "if each value is a contest of its own"),
    ];
    table.refuse_column(column, Reason::with_options(problem, cases))
}
