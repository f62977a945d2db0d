//! Rules about the columns that name entrants.

use std::collections::{HashMap, HashSet};

use crate::options::ReadOptions;
use crate::schema::evidence::{Change, Evidence};
use crate::schema::people::bare_id::holds_numbers_of_people;
use crate::schema::table::HeaderTable;
use crate::values::cells::is_blank;
use crate::vocabulary::headings::MatchStrength;
use crate::vocabulary::kinds::{is_nation_heading, is_phase_heading};
use crate::vocabulary::kinds::{is_object_name_heading, is_place_or_role_heading};
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::words::{has_word, normalise_word, split_words};
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

/// Drops columns of numbers that are headed like names, beside names: they may be ids.
pub(super) fn numbers_beside_names(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    use ColumnMeaning::{Competitor, GivenName, Surname};
    let claims = table.claims(Competitor);
    if claims.iter().any(|claim| claim.0 == MatchStrength::Stated) {
        return Ok(None);
    }
    let columns = claims.iter().map(|claim| claim.1);
    let (numbers, names): (Vec<usize>, Vec<usize>) =
        columns.partition(|&column| holds_numbers_of_people(table, column));
    let has_parts = table.has_column(GivenName) && table.has_column(Surname);
    // A name with several numbers is that of their contest.
    let contests = table.contest_rows();
    let are_names = |&name: &usize| {
        numbers.iter().all(|&number| {
            contests.iter().all(|rows| {
                let mut names: HashMap<&str, &str> = HashMap::new();
                rows.iter().all(|&row| {
                    let [name, number] = [name, number].map(|column| table.grid.cell(row, column));
                    is_blank(name) || *names.entry(name).or_insert(number) == number
                })
            })
        })
    };
    if numbers.is_empty() || (names.is_empty() && !has_parts) || !names.iter().all(are_names) {
        return Ok(None);
    }
    let observation = format!("{} holds numbers beside names", table.describe_columns(&numbers));
    let changes = numbers.into_iter().map(Change::MeansNothing).collect();
    Ok(Some(Evidence::new(observation, changes)))
}

/// Reads the ids of people as the competitors if the other column names their nations or teams: many
/// names of a contest stand beside several ids with results of their own.
pub(super) fn nations_of_people(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    use ColumnMeaning::{Competitor, CompetitorId, Members, Place, Score, Team};
    let mut names = [Competitor, Team].into_iter().flat_map(|meaning| table.claims(meaning));
    let (&[(strength, id)], Some(&(name_strength, name)), None, false) = (
        table.claims(CompetitorId),
        names.next(),
        names.next(),
        table.has_column(Members),
    ) else {
        return Ok(None);
    };
    let is_of_people = table.claims(Team).is_empty() && !is_nation_heading(table.heading(name));
    if is_of_people || [strength, name_strength].contains(&MatchStrength::Stated) {
        return Ok(None);
    }
    let result = table.first_column(Place).or_else(|| table.first_column(Score));
    let mut shared = 0;
    let mut filled = 0;
    for rows in table.contest_rows() {
        let mut results: HashMap<&str, HashSet<[&str; 2]>> = HashMap::new();
        for &row in rows {
            let [id, name] = [id, name].map(|column| table.grid.cell(row, column));
            if !is_blank(id) && !is_blank(name) {
                results.entry(name).or_default().insert([id, table.cell(row, result)]);
            }
        }
        for people in results.values() {
            filled += people.len();
            // Those who share a result are members of a team.
            let results: HashSet<&str> = people.iter().map(|[_, result]| *result).collect();
            shared += results.len().saturating_sub(1);
        }
    }
    // Two rows may be those of namesakes.
    if filled < 3 || 3 * shared < filled {
        return Ok(None);
    }
    let [ids, names] = [id, name].map(|column| table.describe_column(column));
    let observation = format!("one name of {names} has several ids of {ids} in a contest");
    let note = format!(
        "{observation}: the ids compete, pass {} if the names do",
        table.ignore_option(id)
    );
    let changes = vec![
        Change::MeansNothing(name),
        Change::Means(Competitor, id),
        Change::Note(note),
    ];
    Ok(Some(Evidence::new(observation, changes)))
}

/// Reads the id with the noun of the names as that of the competitors: `horse_id` beside `horse_name`,
/// not the `user_id` of the owners.
pub(super) fn id_of_the_noun(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    use ColumnMeaning::{Competitor, CompetitorId};
    let (Some(name), claims) = (table.first_column(Competitor), table.claims(CompetitorId)) else {
        return Ok(None);
    };
    let reader = table.grid.limits().reader;
    if !reader.refuses_doubts() || claims.iter().any(|claim| claim.0 == MatchStrength::Stated) {
        return Ok(None);
    }
    let mut noun = split_words(table.heading(name));
    noun.pop_if(|word| word == "name");
    if noun.is_empty() {
        return Ok(None);
    }
    noun.push("id".to_owned());
    let others: Vec<usize> = claims.iter().map(|claim| claim.1).collect();
    let columns = table.unknown_columns.iter().chain(&others).copied();
    let Some(id) = columns.into_iter().find(|&c| split_words(table.heading(c)) == noun) else {
        return Ok(None);
    };
    if others == [id] || !identifies_names(table, id, name) {
        return Ok(None);
    }
    let [id_column, names] = [id, name].map(|column| table.describe_column(column));
    let observation = format!("{id_column} is the id of {names}");
    let rivals = others.into_iter().filter(|&other| other != id).map(Change::MeansNothing);
    let changes = rivals.chain([Change::Means(CompetitorId, id)]).collect();
    Ok(Some(Evidence::new(observation, changes)))
}

/// True if each id of a column has one name, and they do not number the rows.
fn identifies_names(table: &HeaderTable, id: usize, name: usize) -> bool {
    let mut names: HashMap<&str, &str> = HashMap::new();
    let mut count = 0;
    let has_one_name_each = table.data_rows().all(|row| {
        let [id, name] = [id, name].map(|column| table.grid.cell(row, column));
        count += usize::from(!is_blank(id));
        is_blank(id) || *names.entry(id).or_insert(name) == name
    });
    has_one_name_each && (count > names.len() || !holds_numbers_of_people(table, id))
}

/// Headings of names of people beside those who compete, who may compete themselves.
const RIVALS: &str = "jockey jockeys jockeyname owner owners ownername";

/// Headings of names of accounts, which name the same people as the others.
const ACCOUNTS: &str = "handle nickname user username userid alias gamertag login";

/// Errors if two columns may name the competitors, such as horses and jockeys, or `Name` and `Player`,
/// and name different ones.
pub(super) fn rival_names(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    use ColumnMeaning::Competitor;
    let [(strength, first), others @ ..] = table.claims(Competitor) else {
        return Ok(None);
    };
    let is_headed = |column, words| has_word(words, &normalise_word(table.heading(column)));
    let unread = table
        .unknown_columns
        .iter()
        .copied()
        .filter(|&column| is_headed(column, RIVALS));
    let is_account = |column: usize| is_headed(column, ACCOUNTS);
    // Equal claims are refused where the column is read.
    let others = others.iter().filter(|claim| claim.0 != *strength && !is_account(claim.1));
    let others = others.map(|claim| claim.1).filter(|&other| differ_in_contests(table, other));
    let mut rivals = others.chain(unread).filter(|&column| are_rivals(table, [*first, column]));
    if *strength == MatchStrength::Stated
        || is_account(*first)
        || !table.grid.limits().reader.refuses_doubts()
    {
        return Ok(None);
    }
    let Some(rival) = rivals.next() else {
        return Ok(None);
    };
    let [one, two] = [*first, rival].map(|column| table.describe_column(column));
    let cases = [
        (table.ignore_option(rival), format!("if those of {one} compete")),
        (table.column_option(rival, Competitor), format!("if those of {two} do")),
    ];
    let problem = format!("{one} and {two} both may name the competitors");
    Err(table.refuse_column(rival, Reason::with_options(problem, cases)))
}

/// True if the cells of two columns are mostly names that share no word. Names of accounts begin with
/// small letters.
fn are_rivals(table: &HeaderTable, columns: [usize; 2]) -> bool {
    let is_capital = |c: char| c.is_alphabetic() && !c.is_lowercase();
    let rows = table.data_rows();
    let differ = rows.clone().filter(|&row| {
        let cells = columns.map(|column| table.grid.cell(row, column));
        let [one, two] = cells.map(split_words);
        cells.iter().all(|cell| cell.starts_with(is_capital))
            && !one.iter().any(|word| two.contains(word))
    });
    2 * differ.count() > rows.len()
}

/// True if the cells of a column differ in each contest, as those of its competitors do.
fn differ_in_contests(table: &HeaderTable, column: usize) -> bool {
    table.contest_rows().iter().all(|rows| {
        let mut cells = HashSet::new();
        rows.iter().all(|&row| cells.insert(table.grid.cell(row, column)))
    })
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
    use ColumnMeaning::{Competitor, Division, Event, Members, Team};
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
    if is_phase_heading(table.heading(people)) && groups_teams(table, people, team) {
        let problem = format!("each value of {} has several teams", table.describe_column(people));
        let cases = [
            (table.column_option(people, Division), "if each is a contest of its own"),
            (table.column_option(people, Event), "if each names a competition of its own"),
        ];
        return Err(table.refuse_column(people, Reason::with_options(problem, cases)));
    }
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

/// True if a value of a column has several teams in some contest, and each of them once.
fn groups_teams(table: &HeaderTable, column: usize, team: usize) -> bool {
    let mut has_several = false;
    let are_single = table.contest_rows().iter().all(|rows| {
        let mut teams: HashMap<&str, HashSet<&str>> = HashMap::new();
        let mut rows = rows.iter();
        let is_new = rows.all(|&row| {
            let teams = teams.entry(table.grid.cell(row, column)).or_default();
            teams.insert(table.grid.cell(row, team))
        });
        has_several |= teams.values().any(|teams| teams.len() > 1);
        is_new
    });
    are_single && has_several && table.grid.limits().reader.refuses_doubts()
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
        for &row in rows {
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
