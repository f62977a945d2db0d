//! Decides what a column headed only "id" identifies, or one of numbers that is headed like names.

use std::collections::{HashMap, HashSet};

use crate::options::ReadOptions;
use crate::schema::evidence::{Change, Evidence};
use crate::schema::people::identities::is_absent;
use crate::schema::table::HeaderTable;
use crate::values::cells::{is_blank, parse_place};
use crate::values::rankings::is_gapless;
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::words::normalise_word;
use ranklore_grid::{CommandOptions, FileReadError, Location, Reason, Records};

/// Reads a column headed only "id", or numbers headed like names beside those, as the ids of
/// competitors if each id has one name, each name one id, and an id recurs. Notes that it is not read
/// if no id recurs, since it may number the rows. Errors otherwise: it may identify contests, or number
/// the rows of each.
pub(crate) fn bare_id_of_competitors(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    use ColumnMeaning::{CompetitorId, ContestId, Ignore, Place, Score};
    let reader = table.grid.limits().reader;
    if !reader.recognises_ids() || table.has_column(CompetitorId) {
        return Ok(None);
    }
    let mut columns = table.unknown_columns.iter().copied();
    let is_id = |column| normalise_word(table.heading(column)) == "id";
    let Some(column) = columns.find(|&c| is_id(c) || numbers_people(table, c)) else {
        return Ok(None);
    };
    let option = |meaning| table.column_option(column, meaning);
    let described = table.describe_column(column);
    let has_result = [Place, Score].iter().any(|&meaning| table.has_column(meaning));
    match find_recurrence(table, column) {
        Recurrence::OfCompetitors => Ok(Some(Evidence::new(
            format!("{described} recurs with one name for each id"),
            vec![Change::Means(CompetitorId, column)],
        ))),
        Recurrence::Never => {
            let note = format!(
                "{described} may number the rows and is not read: pass {} if it identifies competitors",
                option(CompetitorId)
            );
            let observation = format!("no id of {described} recurs");
            Ok(Some(Evidence::new(observation, vec![Change::Note(note)])))
        }
        // Without another result, the numbers may be places.
        Recurrence::Other if !(is_id(column) || (reader.refuses_doubts() && has_result)) => {
            Ok(None)
        }
        Recurrence::Other => {
            let may_be_contest = is_id(column) && !table.has_column(ContestId);
            let contests = may_be_contest.then(|| option(ContestId));
            let rest = [CompetitorId, Ignore].map(option);
            let options: Vec<CommandOptions> = contests.into_iter().chain(rest).collect();
            let listed: Vec<String> = options.iter().map(ToString::to_string).collect();
            let reason = format!(
                "{described} repeats with different names, and does not say what it identifies: pass {}",
                listed.join(" or ")
            );
            Err(table.refuse_column(column, Reason::from(reason).naming(options)))
        }
    }
}

/// Reads the id of a JSON object around an array of rows as the id of the contest. The id of an object
/// around several contests is not read.
#[expect(clippy::unnecessary_wraps, reason = "all rules have one type")]
pub(crate) fn id_around_rows(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    use ColumnMeaning::ContestId;
    let mut columns = table.unknown_columns.iter().copied();
    let column = columns.find(|&column| normalise_word(table.heading(column)) == "id");
    let arrays = find_arrays(table);
    let (Some(column), Some(arrays)) = (column, arrays) else {
        return Ok(None);
    };
    let name_column = table.name_column();
    let cells = |rows: &[usize], column: usize| {
        let cells = rows.iter().map(|&row| table.grid.cell(row, column));
        cells.collect::<HashSet<&str>>()
    };
    let surrounds = |rows: &Vec<usize>| {
        let ids = cells(rows, column);
        ids.len() == 1 && !ids.into_iter().any(is_absent)
    };
    // A person who holds results has one name in all of them.
    let lists_people = |rows: &Vec<usize>| cells(rows, name_column).len() == rows.len();
    if table.has_column(ContestId)
        || !table.grid.limits().reader.refuses_doubts()
        || !arrays.iter().any(|rows| rows.len() > 1)
        || !arrays.iter().all(|rows| surrounds(rows) && lists_people(rows))
    {
        return Ok(None);
    }
    let ids: HashSet<&str> = arrays.iter().map(|rows| table.grid.cell(rows[0], column)).collect();
    let described = table.describe_column(column);
    if ids.len() < arrays.len() {
        let note = format!("{described} is the id of what several contests belong to");
        let changes = vec![Change::IsNoContest(column), Change::Note(note.clone())];
        return Ok(Some(Evidence::new(note, changes)));
    }
    // Teams hold rows of their members, whose places are those of all.
    let rank = |rows: &Vec<usize>, place: usize| {
        are_ranked(rows.iter().map(|&row| table.grid.cell(row, place)))
    };
    let has_rankings = table.first_column(ColumnMeaning::Place).map_or_else(
        || table.has_column(ColumnMeaning::Date),
        |place| arrays.iter().all(|rows| rank(rows, place)),
    );
    let note = format!("{described} is the id of the object around each array of rows: a contest");
    let changes = vec![Change::Means(ContestId, column), Change::Note(note.clone())];
    Ok(has_rankings.then(|| Evidence::new(note, changes)))
}

/// True if the cells that are places are those of one ranking.
fn are_ranked<'c>(cells: impl Iterator<Item = &'c str>) -> bool {
    let mut places: Vec<u32> = cells.filter_map(parse_place).collect();
    places.sort_unstable();
    is_gapless(places)
}

/// Returns the rows of each array of a JSON document, if objects are around the arrays.
fn find_arrays(table: &HeaderTable) -> Option<Vec<Vec<usize>>> {
    let array_of_row: Box<dyn Fn(usize) -> Option<u64>> = match &table.grid.records {
        Some(Records::Elements(paths)) if paths.has_groups() || !paths.list.is_empty() => {
            Box::new(|row| {
                Some(paths.starts.partition_point(|start| start.0 as usize <= row) as u64)
            })
        }
        Some(Records::Lines) => Box::new(|row| match table.grid.row_location(row) {
            Location::Line(line) => Some(line),
            _ => None,
        }),
        _ => return None,
    };
    let rows: Vec<usize> = table.data_rows().collect();
    let arrays = rows.chunk_by(|&one, &next| array_of_row(one) == array_of_row(next));
    Some(arrays.map(<[usize]>::to_vec).collect())
}

/// True if a column is headed like names and holds numbers of people.
fn numbers_people(table: &HeaderTable, column: usize) -> bool {
    let meaning = ColumnMeaning::from_heading(table.heading(column));
    meaning.is_some_and(|(meaning, _)| meaning == ColumnMeaning::Competitor)
        && holds_numbers_of_people(table, column)
}

/// True if all cells of a column that are not blank are whole numbers behind the same letters, if any:
/// `17`, or `P017` and `P023`.
pub(crate) fn holds_numbers_of_people(table: &HeaderTable, column: usize) -> bool {
    let letters = |cell: &str| cell.find(|c: char| c.is_ascii_digit());
    let mut cells = table.values(column).filter(|cell| !is_blank(cell)).peekable();
    let first = cells.peek().and_then(|first| Some(&first[..letters(first)?]));
    cells.all(|cell| {
        let number = first.and_then(|first| cell.strip_prefix(first));
        number.is_some_and(|number| {
            !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
        })
    })
}

enum Recurrence {
    /// An id recurs. Each has one name, and each name one id.
    OfCompetitors,
    /// No id recurs.
    Never,
    /// An id has several names, or a name several ids.
    Other,
}

fn find_recurrence(table: &HeaderTable, column: usize) -> Recurrence {
    let name_column = table.name_column();
    let mut names: HashMap<&str, &str> = HashMap::new();
    let mut pairs: HashSet<(&str, &str)> = HashSet::new();
    let mut has_recurring_id = false;
    let mut has_one_name_each = true;
    for row in table.data_rows() {
        let id = table.grid.cell(row, column);
        let name = table.grid.cell(row, name_column);
        if is_absent(id) || is_blank(name) {
            continue;
        }
        has_recurring_id |= !pairs.insert((id, name));
        has_one_name_each &= *names.entry(id).or_insert(name) == name;
    }
    let distinct_names: HashSet<&str> = names.values().copied().collect();
    match (has_recurring_id, has_one_name_each) {
        (true, true) if distinct_names.len() == names.len() => Recurrence::OfCompetitors,
        (false, true) => Recurrence::Never,
        _ => Recurrence::Other,
    }
}
