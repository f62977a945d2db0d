//! Rules about the columns that name entrants.

use std::collections::{HashMap, HashSet};

use crate::options::ReadOptions;
use crate::schema::evidence::{Change, Evidence};
use crate::schema::table::HeaderTable;
use crate::values::cells::is_blank;
use crate::vocabulary::headings::MatchStrength;
use crate::vocabulary::kinds::{is_object_name_heading, is_place_or_role_heading};
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::words::normalise_word;
use ranklore_grid::{FileReadError, Reason};

/// Reads the only column of ids as the names of competitors or teams, if no other column names them.
pub(super) fn ids_as_names(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    use ColumnMeaning::{Competitor, CompetitorId, GivenName, Members, Surname, Team, TeamId};
    let (entrants, column) = match (table.claims(CompetitorId), table.claims(TeamId)) {
        (&[(_, column)], []) => (Competitor, column),
        ([], &[(_, column)]) => (Team, column),
        _ => return Ok(None),
    };
    let names = [Competitor, Team, Members, GivenName, Surname];
    if names.iter().any(|&meaning| table.has_column(meaning)) {
        return Ok(None);
    }
    let observation = format!(
        "{} names the competitors, as no other column does",
        table.describe_column(column)
    );
    let changes = vec![
        Change::Means(entrants, column),
        Change::Note(observation.clone()),
    ];
    Ok(Some(Evidence::new(observation, changes)))
}

/// Drops a column of numbers that is headed like one of names, beside it: the numbers may be ids.
pub(super) fn numbers_beside_names(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    let &[(strength, one), (other_strength, two)] = table.claims(ColumnMeaning::Competitor) else {
        return Ok(None);
    };
    if strength != other_strength || strength == MatchStrength::Stated {
        return Ok(None);
    }
    let are_numbers = |column: usize| {
        let is_number = |cell: &str| is_blank(cell) || cell.bytes().all(|b| b.is_ascii_digit());
        table.values(column).all(is_number)
    };
    let column = match [one, two].map(are_numbers) {
        [true, false] => one,
        [false, true] => two,
        _ => return Ok(None),
    };
    let observation = format!("{} holds numbers beside names", table.describe_column(column));
    let option = table.column_option(column, ColumnMeaning::CompetitorId);
    let note = format!("{observation}: pass {option} if they are ids");
    let changes = vec![Change::MeansNothing(column), Change::Note(note)];
    Ok(Some(Evidence::new(observation, changes)))
}

/// Drops a column headed "crew" beside the competitor: it holds other people in the boat.
pub(super) fn crew_of_helm(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    let (Some(helm), Some(crew)) = (
        table.first_column(ColumnMeaning::Competitor),
        table.first_column(ColumnMeaning::Team),
    ) else {
        return Ok(None);
    };
    if normalise_word(table.heading(crew)) != "crew" {
        return Ok(None);
    }
    let observation =
        format!("{} sails with {}", table.describe_column(crew), table.describe_column(helm));
    let note = format!(
        "only {} is rated, and not {}",
        table.describe_column(helm),
        table.describe_column(crew)
    );
    Ok(Some(Evidence::new(
        observation,
        vec![Change::MeansNothing(crew), Change::Note(note)],
    )))
}

/// Refuses teams as competitors if a column that is not read names people, who may be meant.
pub(super) fn people_beside_teams(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    use ColumnMeaning::{Competitor, Members, Team};
    let Some(team) = table.first_column(Team) else {
        return Ok(None);
    };
    if table.has_column(Competitor) || table.has_column(Members) {
        return Ok(None);
    }
    let mut unknown_columns = table.unknown_columns.iter().copied();
    let names_people = |column: &usize| {
        !is_place_or_role_heading(table.heading(*column))
            && (names_people(table, *column) || names_others(table, *column, team))
    };
    let Some(people) = unknown_columns.find(names_people) else {
        return Ok(None);
    };
    let problem = format!(
        "{} may name the competitors, and {} only their teams",
        table.describe_column(people),
        table.describe_column(team),
    );
    let cases = [
        (table.column_option(people, Competitor), "if people compete"),
        (table.ignore_option(people), "if teams do"),
    ];
    Err(table.refuse_column(people, Reason::with_options(problem, cases)))
}

/// Drops a column of teams beside competitors if members of one team have different results: the team
/// is an affiliation. Errors elsewhere refuse a table in which only some teams are so.
pub(super) fn teams_as_affiliations(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    use ColumnMeaning::{Competitor, Place, Score, Team};
    let result = table.first_column(Place).or_else(|| table.first_column(Score));
    let (Some(_), Some(&(strength, team)), Some(result)) =
        (table.first_column(Competitor), table.claims(Team).first(), result)
    else {
        return Ok(None);
    };
    if strength == MatchStrength::Stated {
        return Ok(None);
    }
    let mut several = 0;
    let mut divided = 0;
    for rows in table.contest_rows() {
        let mut results: HashMap<&str, HashSet<&str>> = HashMap::new();
        let mut members: HashMap<&str, usize> = HashMap::new();
        for &row in &rows {
            let (team, result) = (table.grid.cell(row, team), table.grid.cell(row, result));
            if !is_blank(team) && !is_blank(result) {
                results.entry(team).or_default().insert(result);
                *members.entry(team).or_default() += 1;
            }
        }
        several += members.values().filter(|&&count| count > 1).count();
        divided += results
            .iter()
            .filter(|(team, r)| r.len() > 1 && r.len() == members[*team])
            .count();
    }
    Ok((divided > 0 && divided * 2 > several).then(|| {
        let observation = format!(
            "members of one team of {} have different results",
            table.describe_column(team)
        );
        let note = format!(
            "{observation}, so that it is an affiliation: pass {} if teams compete",
            table.column_option(team, Team)
        );
        Evidence::new(observation, vec![Change::MeansNothing(team), Change::Note(note)])
    }))
}

/// True if a column headed like `marble_name` tells the entrants of each contest apart at least as well
/// as their teams do.
fn names_others(table: &HeaderTable, column: usize, team: usize) -> bool {
    let heading = table.heading(column);
    if !is_object_name_heading(heading) || !table.grid.limits().reader.refuses_doubts() {
        return false;
    }
    let count = |column| table.values(column).collect::<HashSet<&str>>().len();
    let differ = |rows: &Vec<usize>| {
        let mut names = HashSet::new();
        let mut cells = rows.iter().map(|&row| table.grid.cell(row, column));
        cells.all(|cell| cell.contains(char::is_alphabetic) && names.insert(cell))
    };
    count(column) >= count(team) && table.contest_rows().iter().all(differ)
}

/// True if the cells of a column are mostly different names of two or three words.
fn names_people(table: &HeaderTable, column: usize) -> bool {
    let mut names: HashSet<&str> = HashSet::new();
    let mut cells = 0;
    for cell in table.values(column).filter(|cell| !is_blank(cell)) {
        cells += 1;
        let words: Vec<&str> = cell.split_whitespace().collect();
        let are_names = words.iter().all(|word| {
            word.starts_with(char::is_uppercase)
                && word.chars().all(|c| c.is_alphabetic() || "-'’.,".contains(c))
        });
        if are_names && (2..=3).contains(&words.len()) {
            names.insert(cell);
        }
    }
    let rows = table.data_rows().len();
    // A person has a result in each contest.
    cells * 2 > rows && names.len() > 1 && {
        let named = table.values(column).filter(|cell| names.contains(cell)).count();
        named * 10 >= cells * 8 && names.len() * table.contest_rows().len() * 2 >= cells
    }
}
