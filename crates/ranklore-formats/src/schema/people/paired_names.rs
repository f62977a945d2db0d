//! The columns that name both competitors of a game: people beside their teams, and the numbers of
//! the sides.

use crate::schema::game_claims::{Claim, Pair, STATED, find_names, find_winner};
use crate::schema::table::HeaderTable;
use crate::values::cells::is_blank;
use crate::vocabulary::member_headings::find_member_headings;
use crate::vocabulary::seats::{Field, Pairing, SeatHeading};
use crate::vocabulary::words::{has_word, split_words};
use ranklore_contest::EntrantKind;
use ranklore_grid::{CommandOptions, FileReadError, Reason};

/// Words of headings of the numbers that competitors wear.
pub(crate) const SIDE_NUMBERS: &str = "nr no num number nummer numero bib dossard startnr id";

/// Words for the two sides in headings of numbers.
const SIDES: [[&str; 2]; 5] = [
    ["1", "2"],
    ["a", "b"],
    ["home", "away"],
    ["white", "black"],
    ["red", "blue"],
];

/// Returns the best pair of columns that name competitors. Errors if another pair does, too, and
/// neither the cells nor an option say which.
pub(crate) fn find_pairing(
    table: &HeaderTable,
    claims: &[Claim],
) -> Result<(Pairing, Pair), FileReadError> {
    let mut pairs: Vec<(Pairing, Pair)> = find_names(claims).collect();
    drop_counts(table, claims, &mut pairs);
    let Some(&(pairing, names)) = pairs.first() else {
        return Ok((Pairing::Numbered, [0, 0]));
    };
    let Some((heading, kind)) = name_heading(claims, names).filter(|(h, _)| h.word != STATED)
    else {
        return Ok((pairing, names));
    };
    check_rival_sides(table, claims, names)?;
    for &(rival_pairing, rival) in &pairs[1..] {
        // Winner and loser only repeat the names of other columns.
        if rival_pairing == Pairing::WinnerLoser && pairing != rival_pairing {
            continue;
        }
        if rival_pairing != pairing {
            return Err(refuse_two_pairs(table, names, rival));
        }
        let Some((rival_heading, rival_kind)) = name_heading(claims, rival) else {
            continue;
        };
        match [names, rival].map(|pair| name_winners(table, claims, pair)) {
            [false, true] => return Ok((pairing, rival)),
            [true, false] => continue,
            _ => {}
        }
        let are_twins = rival_heading.word == heading.word;
        let [teams, people] = match (kind, rival_kind) {
            (EntrantKind::Person, EntrantKind::Team) if pairing == Pairing::HomeAway => {
                [rival, names]
            }
            _ => [names, rival],
        };
        let are_people_of_teams = (teams == rival
            || (kind, rival_kind) == (EntrantKind::Team, EntrantKind::Person))
            && !number_members(table, people);
        if are_people_of_teams
            && (pairing == Pairing::WhiteBlack || meet_as_teams(table, teams, people))
        {
            return Ok((pairing, people));
        }
        let is_doubtful = are_people_of_teams || (are_twins && differ(table, names, rival));
        if is_doubtful && table.grid.limits().reader.refuses_doubts() {
            return Err(refuse_two_pairs(table, names, rival));
        }
    }
    Ok((pairing, names))
}

/// Errors if another column is headed like one of the sides in another language: `Local` beside `Casa` may
/// be the ground.
fn check_rival_sides(
    table: &HeaderTable,
    claims: &[Claim],
    names: Pair,
) -> Result<(), FileReadError> {
    let is_rival = |column: usize, own: usize| {
        let (Claim::Seat(heading), Claim::Seat(side)) = (&claims[column], &claims[own]) else {
            return false;
        };
        let is_bare = heading.word.is_empty() && heading.member.is_none();
        let are_sides = matches!(heading.pairing, Some(Pairing::HomeAway | Pairing::WhiteBlack));
        column != own
            && is_bare
            && are_sides
            && heading == side
            && table
                .data_rows()
                .any(|row| table.grid.cell(row, column) != table.grid.cell(row, own))
    };
    let columns = || 0..claims.len();
    let mut rivals = names
        .into_iter()
        .filter_map(|own| Some([own, columns().find(|&column| is_rival(column, own))?]));
    let Some(sides) = rivals.next().filter(|_| table.grid.limits().reader.refuses_doubts()) else {
        return Ok(());
    };
    let both = table.describe_columns(&sides);
    let cases = sides.map(|column| {
        let case = format!("if {} names no side", table.describe_column(column));
        (table.ignore_option(column), case)
    });
    let cases = cases.iter().map(|(option, case)| (option.clone(), case.as_str()));
    let problem = format!("{both} are headed as the same side");
    Err(table.refuse_headings(Reason::with_options(problem, cases)))
}

/// Removes the pairs of columns that hold only numbers beside names of both sides: `Home Players` counts
/// them.
fn drop_counts(table: &HeaderTable, claims: &[Claim], pairs: &mut Vec<(Pairing, Pair)>) {
    if !table.grid.limits().reader.refuses_doubts() {
        return;
    }
    // Longer numbers are ids.
    let is_count = |cell: &str| cell.len() <= 2 && cell.bytes().all(|byte| byte.is_ascii_digit());
    let are_counts = |pairing: Pairing, pair: Pair| {
        let heading = name_heading(claims, pair);
        pairing == Pairing::HomeAway
            && heading.is_some_and(|(heading, kind)| {
                heading.word != STATED && kind == EntrantKind::Person
            })
            && pair.into_iter().all(|column| table.holds_only(column, is_count))
    };
    let mut named = pairs.clone();
    named.retain(|&(pairing, pair)| {
        name_heading(claims, pair).is_some() && !are_counts(pairing, pair)
    });
    pairs.retain(|&(pairing, pair)| {
        !are_counts(pairing, pair) || named.iter().all(|&(known, _)| known != pairing)
    });
}

/// Returns the heading of the first of two columns, and the kind of competitor, if it is a name.
pub(crate) fn name_heading(claims: &[Claim], pair: Pair) -> Option<(&SeatHeading, EntrantKind)> {
    match &claims[pair[0]] {
        Claim::Seat(heading) => match heading.field {
            Field::Name(_, _)
                if heading.word.is_empty() && heading.pairing == Some(Pairing::HomeAway) =>
            {
                Some((heading, EntrantKind::Team))
            }
            Field::Name(kind, _) => Some((heading, kind)),
            _ => None,
        },
        _ => None,
    }
}

/// True if two columns are the first of a longer series, as the members of a team are.
fn number_members(table: &HeaderTable, pair: Pair) -> bool {
    let headings = table.grid.cells(table.header_row).enumerate();
    let members = find_member_headings(headings);
    members.len() > 2 && members.contains(&pair[0])
}

/// True if each cell of the winner is one of both names of its row.
fn name_winners(table: &HeaderTable, claims: &[Claim], names: Pair) -> bool {
    let Some(winner) = find_winner(claims) else {
        return false;
    };
    table.data_rows().all(|row| {
        let cell = table.grid.cell(row, winner);
        is_blank(cell) || names.iter().any(|&column| table.grid.cell(row, column) == cell)
    })
}

/// True if the cells of two pairs of columns differ in a row.
fn differ(table: &HeaderTable, pair: Pair, rival: Pair) -> bool {
    let cells = |pair: Pair, row: usize| pair.map(|column| table.grid.cell(row, column));
    table.data_rows().any(|row| cells(pair, row) != cells(rival, row))
}

/// True if the people of two teams meet each other in rows that follow one another.
fn meet_as_teams(table: &HeaderTable, teams: Pair, people: Pair) -> bool {
    let cells = |pair: Pair, row: usize| pair.map(|column| table.grid.cell(row, column));
    table.data_rows().skip(1).any(|row| {
        let [one, two] = cells(people, row);
        let others = cells(people, row - 1);
        cells(teams, row) == cells(teams, row - 1)
            && !others.contains(&one)
            && !others.contains(&two)
    })
}

/// True if an id is that of a match with several games: all rows of an id follow one another with
/// other competitors, and at least half of the ids have several.
pub(crate) fn identifies_matches(table: &HeaderTable, id: usize, names: Pair) -> bool {
    let cells = || table.values(id);
    let repeated = cells().zip(cells().skip(1)).filter(|(cell, next)| cell == next).count();
    // Most ids are those of games, in tables of many rows.
    if 3 * repeated < table.data_rows().len() {
        return false;
    }
    let mut rows_by_id: Vec<(&str, Vec<[&str; 2]>)> = Vec::new();
    for row in table.data_rows() {
        let cell = table.grid.cell(row, id);
        let pair = names.map(|column| table.grid.cell(row, column));
        match rows_by_id.last_mut() {
            Some((last, pairs)) if *last == cell => {
                if pairs.contains(&pair) || pairs.contains(&[pair[1], pair[0]]) {
                    return false;
                }
                pairs.push(pair);
            }
            _ => rows_by_id.push((cell, vec![pair])),
        }
    }
    let several = rows_by_id.iter().filter(|(_, pairs)| pairs.len() > 1).count();
    let runs = rows_by_id.len();
    let mut ids: Vec<&str> = rows_by_id.into_iter().map(|(id, _)| id).collect();
    ids.sort_unstable();
    ids.dedup();
    ids.len() == runs && 2 * several >= runs && !ids.contains(&"")
}

/// Returns the columns with the numbers of both sides, if each cell of the winner is one of them.
/// Errors if 1 and 2 are also the sides, and mean another one.
pub(crate) fn find_side_numbers(
    table: &HeaderTable,
    winner: usize,
    unread: &[usize],
) -> Result<Option<Pair>, FileReadError> {
    let is_number = |cell: &str| cell.bytes().all(|byte| byte.is_ascii_digit());
    if !table.holds_only(winner, is_number) {
        return Ok(None);
    }
    let numbers: Vec<(usize, Vec<String>)> = unread
        .iter()
        .map(|&column| (column, split_words(table.heading(column))))
        .filter(|(_, words)| words.iter().any(|word| has_word(SIDE_NUMBERS, word)))
        .filter(|&(column, _)| table.values(column).all(|cell| is_blank(cell) || is_number(cell)))
        .collect();
    let are_sides = |one: &[String], two: &[String]| {
        let mut different = one.iter().zip(two).filter(|(one, two)| one != two);
        let sides = different.next().filter(|_| one.len() == two.len());
        sides.is_some_and(|(one, two)| SIDES.contains(&[&**one, &**two]))
            && different.next().is_none()
    };
    let names_one = |[one, two]: Pair| {
        table.data_rows().all(|row| {
            let winner = table.grid.cell(row, winner);
            let [one, two] = [one, two].map(|column| table.grid.cell(row, column) == winner);
            is_blank(winner) || one != two
        })
    };
    let pairs = numbers.iter().flat_map(|(one, words)| {
        let others = numbers.iter().filter(|(_, others)| are_sides(words, others));
        others.map(|(two, _)| [*one, *two])
    });
    let Some(pair) = pairs.into_iter().find(|&pair| names_one(pair)) else {
        return Ok(None);
    };
    if !table.holds_only(winner, |cell| matches!(cell, "1" | "2")) {
        return Ok(Some(pair));
    }
    check_sides(table, winner, pair).map(|()| None)
}

/// Errors if a winner of 1 or 2 means one side as a side, and another as a number.
fn check_sides(table: &HeaderTable, winner: usize, pair: Pair) -> Result<(), FileReadError> {
    let differs = |row: &usize| {
        let [first, winner] = [pair[0], winner].map(|column| table.grid.cell(*row, column));
        !is_blank(winner) && (first == winner) != (winner == "1")
    };
    let Some(row) = table.data_rows().find(differs) else {
        return Ok(());
    };
    let options = ignore_options(table, pair);
    let reason = format!(
        "{} may be 1 or 2 for the side, or a number of {}: pass {options} if it is the side, or write the names of winners",
        table.describe_column(winner),
        table.describe_columns(&pair),
    );
    let reason = Reason::from(reason).naming([options]);
    Err(FileReadError::new(table.grid.location(row, winner), reason))
}

fn refuse_two_pairs(table: &HeaderTable, names: Pair, rivals: Pair) -> FileReadError {
    let options = [names, rivals].map(|pair| ignore_options(table, pair));
    let reason = format!(
        "{} and {} both name the competitors of a game: exclude those that do not, with {} or {}",
        table.describe_columns(&names),
        table.describe_columns(&rivals),
        options[0],
        options[1],
    );
    table.refuse_headings(Reason::from(reason).naming(options))
}

/// Returns the options that exclude two columns.
pub(crate) fn ignore_options(table: &HeaderTable, [one, two]: Pair) -> CommandOptions {
    table.ignore_option(one).and(table.ignore_option(two))
}
