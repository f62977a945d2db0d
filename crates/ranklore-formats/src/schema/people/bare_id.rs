//! Decides what a column headed only "id" identifies, or one of numbers that is headed like names.

use std::collections::{HashMap, HashSet};

use crate::options::ReadOptions;
use crate::schema::evidence::{Change, Evidence};
use crate::schema::people::identities::is_absent;
use crate::schema::table::HeaderTable;
use crate::values::cells::is_blank;
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::words::normalise_word;
use ranklore_grid::{CommandOptions, FileReadError, Reason};

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
