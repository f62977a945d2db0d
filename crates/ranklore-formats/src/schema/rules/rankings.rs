//! Rules that compare columns with the rankings of a table.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::scores::{holds_times, scores_by_place};
use crate::options::ReadOptions;
use crate::schema::evidence::{Change, Evidence};
use crate::schema::league_table::LeagueTable;
use crate::schema::table::HeaderTable;
use crate::values::cells::{CellStatus, is_blank, parse_place};
use crate::values::dates::{DateStyle, parse_cell};
use crate::values::numbers::is_time;
use crate::values::rankings::{are_ranking, is_gapless, is_nearly_complete, is_ranking};
use crate::vocabulary::headings::MatchStrength;
use crate::vocabulary::kinds::{is_no_contest_heading, is_overall_place_heading};
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::rounds::{is_non_round_heading, is_round_heading};
use crate::vocabulary::words::{has_word, normalise_word};
use ranklore_contest::ContestTime;
use ranklore_grid::{FileReadError, Reason};

/// Reads a column headed "result" or the like as places if its cells say so: 1st, 2nd place, T3.
pub(super) fn places_in_words(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    let Some(&(MatchStrength::Vague, column)) = table.claims(ColumnMeaning::Score).first() else {
        return Ok(None);
    };
    let mut cells = table.values(column).filter(|cell| !is_blank(cell)).peekable();
    let are_places = cells.peek().is_some()
        && !table.has_column(ColumnMeaning::Place)
        && table.values(column).any(|cell| parse_place(cell).is_some())
        && cells.all(|cell| {
            let is_word = cell.contains(char::is_alphabetic);
            is_word && (parse_place(cell).is_some() || CellStatus::parse(cell).is_some())
        });
    Ok(are_places.then(|| {
        let observation = format!("{} holds places in words", table.describe_column(column));
        Evidence::new(observation, vec![Change::Means(ColumnMeaning::Place, column)])
    }))
}

/// Reads a column of medals as places. Errors if some competitors have none: they are not ranked.
pub(super) fn medals(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    let is_medal =
        |cell: &str| !cell.contains(|c: char| c.is_ascii_digit()) && parse_place(cell).is_some();
    let holds_medals = |&column: &usize| {
        let mut cells = table.values(column).filter(|cell| !is_blank(cell));
        cells.next().is_some_and(is_medal) && cells.all(is_medal)
    };
    let mut unknown_columns = table.unknown_columns.iter().copied();
    let column = unknown_columns.find(holds_medals);
    let Some(column) = column.filter(|_| !table.has_column(ColumnMeaning::Place)) else {
        return Ok(None);
    };
    let observation = format!("{} holds medals", table.describe_column(column));
    if table.values(column).any(is_blank) {
        let place = table.column_option(column, ColumnMeaning::Place);
        let cases = [
            (place, "if they are the places, without the other competitors"),
            (table.ignore_option(column), "if they are not"),
        ];
        return Err(table.refuse_column(column, Reason::with_options(observation, cases)));
    }
    let changes = vec![Change::Means(ColumnMeaning::Place, column)];
    Ok(Some(Evidence::new(observation, changes)))
}

/// Reads G, S and B among places as 1, 2 and 3 if no other cell is one of these.
pub(super) fn letters_of_medals(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    let Some(column) = table.first_column(ColumnMeaning::Place) else {
        return Ok(None);
    };
    let is_other = |cell: &str| {
        is_blank(cell)
            || place_of_medal(cell).is_some()
            || CellStatus::parse(cell).is_some()
            || parse_place(cell).is_some_and(|place| place > MEDALS)
    };
    let has_gold = table.values(column).any(|cell| place_of_medal(cell) == Some("1"));
    Ok((has_gold && table.values(column).all(is_other)).then(|| {
        let note = format!("G, S and B in {} are medals", table.describe_column(column));
        let join = |cells: &[&str]| {
            let places = cells.iter().map(|cell| place_of_medal(cell).unwrap_or(cell));
            places.collect::<String>()
        };
        Evidence::join(&[column], ColumnMeaning::Place, join, note)
    }))
}

/// The number of places that win a medal.
const MEDALS: u32 = 3;

/// Returns the place of the letter of a medal.
fn place_of_medal(cell: &str) -> Option<&'static str> {
    match cell {
        "G" | "g" => Some("1"),
        "S" | "s" => Some("2"),
        "B" | "b" => Some("3"),
        _ => None,
    }
}

/// Reads times in a column headed as a place, such as "Finish", as the scores beside places; without
/// places, "Fin" is an end.
pub(super) fn finishes_without_places(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    let claims = table.claims(ColumnMeaning::Place);
    let holds_places = |column| table.values(column).any(|cell| parse_place(cell).is_some());
    let has_place = claims.first().is_some_and(|claim| claim.0 != MatchStrength::Vague);
    let has_score = table.has_column(ColumnMeaning::Score);
    let vague = claims
        .iter()
        .filter(|claim| claim.0 == MatchStrength::Vague)
        .map(|claim| claim.1);
    for column in vague.filter(|&column| !holds_places(column)) {
        let word = normalise_word(table.heading(column));
        let (holds, change) = if !has_place && word == "fin" {
            ("no places", Change::MeansNothing(column))
        } else if has_place
            && !has_score
            && has_word("fin finish finished", &word)
            && table.values(column).any(is_time)
        {
            ("times", Change::Means(ColumnMeaning::Score, column))
        } else {
            continue;
        };
        let observation = format!("{} holds {holds}", table.describe_column(column));
        return Ok(Some(Evidence::new(observation, vec![change])));
    }
    Ok(None)
}

/// Finds the only ranking among columns with vague headings of places, such as "Fin" and "#".
pub(super) fn ranking_among_vague_places(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    let claims = table.claims(ColumnMeaning::Place);
    if claims.first().is_none_or(|claim| claim.0 != MatchStrength::Vague) {
        return Ok(None);
    }
    let contests = table.contest_rows();
    let mut rankings = claims.iter().filter(|claim| rank_all(table, contests, claim.1));
    let (Some(&(_, column)), None, true) = (rankings.next(), rankings.next(), claims.len() > 1)
    else {
        return Ok(None);
    };
    let observation = format!("{} alone holds a ranking", table.describe_column(column));
    Ok(Some(Evidence::new(
        observation,
        vec![Change::Means(ColumnMeaning::Place, column)],
    )))
}

/// Headings of counts that can be a ranking by chance, such as wins.
const COUNT_WORDS: &str = "w d l t g v e gp mp f a gf ga gd pf pa diff win wins won loss losses lost \
     draw draws drawn";

/// Headings of numbers that are given out before a contest, or count rows.
const GIVEN_NUMBERS: &str = "seat entry serial ord key pick start order draw lot";

/// Returns the columns that count games in a league table.
fn league_counts(table: &HeaderTable) -> Vec<usize> {
    LeagueTable::find(table).map_or(Vec::new(), |league| league.counts().collect())
}

/// The relation of the classes of a contest to its places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Classes {
    /// Each class has places of its own.
    Divide,
    /// The places are those of all.
    Describe,
    /// Some classes have a first place.
    Doubtful,
    /// Too many places are missing to tell.
    Incomplete,
}

/// Finds classes, categories or age groups beside one ranking of all: they describe competitors.
/// Errors if the contests of a table disagree, or if all lack too many places.
pub(super) fn classes_within_one_ranking(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    let Some(place) = table.first_column(ColumnMeaning::Place) else {
        return Ok(None);
    };
    let mut changes = Vec::new();
    let mut observations = Vec::new();
    for &(strength, column) in table.claims(ColumnMeaning::Division) {
        if strength == MatchStrength::Stated {
            continue;
        }
        let contests = table.contest_rows();
        let contests =
            contests.iter().filter_map(|rows| classify_classes(table, rows, place, column));
        let mut relations: Vec<Classes> = contests.collect();
        // Complete rankings say what the classes are in the others.
        if relations.contains(&Classes::Describe) {
            relations.retain(|relation| *relation != Classes::Incomplete);
        } else if relations.contains(&Classes::Incomplete) {
            let problem = format!(
                "the places in {} are too incomplete to tell what {} is",
                table.describe_column(place),
                table.describe_column(column)
            );
            return Err(refuse_classes(table, column, problem));
        } else {
            continue;
        }
        if relations.iter().any(|relation| *relation != Classes::Describe) {
            let problem = format!(
                "{} divides the ranking of some contests and not of others",
                table.describe_column(column)
            );
            return Err(refuse_classes(table, column, problem));
        }
        changes.push(Change::MeansNothing(column));
        observations.push(format!(
            "{} describes competitors, since the places in {} are one ranking of all: pass {} if each is a contest of its own",
            table.describe_column(column),
            table.describe_column(place),
            table.column_option(column, ColumnMeaning::Division)
        ));
    }
    changes.extend(observations.iter().cloned().map(Change::Note));
    Ok((!changes.is_empty()).then(|| Evidence::new(observations.join("; "), changes)))
}

/// Returns the error for classes that divide contests, or describe competitors.
fn refuse_classes(table: &HeaderTable, column: usize, problem: String) -> FileReadError {
    let division = table.column_option(column, ColumnMeaning::Division);
    let cases = [
        (division, "if each is a contest of its own"),
        (table.ignore_option(column), "if it describes competitors"),
    ];
    table.refuse_column(column, Reason::with_options(problem, cases))
}

/// Returns the relation of the classes of a contest to its places. `None` if there are no two.
pub(super) fn classify_classes(
    table: &HeaderTable,
    rows: &[usize],
    place_column: usize,
    column: usize,
) -> Option<Classes> {
    let mut all: Vec<u32> = Vec::new();
    let mut unclassed: Vec<u32> = Vec::new();
    let mut by_class: HashMap<&str, Vec<u32>> = HashMap::new();
    for &row in rows {
        let Some(place) = parse_place(table.grid.cell(row, place_column)) else {
            continue;
        };
        all.push(place);
        let class = table.grid.cell(row, column);
        if is_blank(class) {
            unclassed.push(place);
        } else {
            by_class.entry(class).or_default().push(place);
        }
    }
    all.sort_unstable();
    unclassed.sort_unstable();
    let firsts = by_class.values().filter(|places| places.contains(&1)).count();
    let class_count = by_class.len();
    let are_rankings = by_class.into_values().all(|mut places| {
        places.sort_unstable();
        is_gapless(places)
    });
    // The places go on in rows that have no class.
    let is_partial = class_count > 0 && firsts < 2 && !unclassed.is_empty();
    if is_partial && is_ranking(all.iter().copied()) && !(are_rankings && is_gapless(unclassed)) {
        return Some(Classes::Describe);
    }
    if class_count < 2 {
        return None;
    }
    let lacks_places = table.grid.limits().reader.refuses_doubts()
        && !is_overall_place_heading(table.heading(place_column))
        && !is_nearly_complete(all.iter().copied());
    Some(match (are_rankings, is_ranking(all)) {
        (true, _) => Classes::Divide,
        (false, true) => Classes::Describe,
        (false, false) if firsts <= 1 && lacks_places => Classes::Incomplete,
        // Some competitors are missing.
        (false, false) if firsts <= 1 => Classes::Describe,
        (false, false) if firsts == class_count => Classes::Divide,
        (false, false) => Classes::Doubtful,
    })
}

/// Refuses scores if a column that is not read is a ranking in each contest and contradicts them, or separates equal
/// ones: it may hold the places.
pub(super) fn ranking_beside_scores(
    table: &HeaderTable,
    options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    let score = match table.claims(ColumnMeaning::Score).first() {
        // Of two equal claims, the user has to choose first.
        Some(&(strength, score))
            if strength != MatchStrength::Stated
                && table.find_column(ColumnMeaning::Score).is_ok() =>
        {
            score
        }
        _ => return Ok(None),
    };
    if table.has_column(ColumnMeaning::Place) {
        return Ok(None);
    }
    let candidates = find_places_beside_scores(table);
    let contests = table.contest_rows();
    let rankings = candidates.into_iter().filter(|&column| rank_all(table, contests, column));
    let (contradicting, agreeing): (Vec<usize>, Vec<usize>) = rankings.partition(|&column| {
        let mut contests = contests.iter();
        contests.any(|rows| contradicts(table, rows, [column, score], options.lower_is_better))
    });
    let refuse = |column: usize, problem: &str| {
        let [ranking, scores] = [column, score].map(|column| table.describe_column(column));
        let problem = format!("{ranking} is a ranking in each contest and {problem} in {scores}");
        let cases = [
            (table.column_option(column, ColumnMeaning::Place), "if it is the place"),
            (table.ignore_option(column), "if it is not"),
        ];
        Err(table.refuse_column(column, Reason::with_options(problem, cases)))
    };
    match (&contradicting[..], &agreeing[..]) {
        (&[column], _) => match find_rising_times(table, contests, [column, score]) {
            Some(evidence) => Ok(Some(evidence)),
            None => refuse(column, "contradicts the scores"),
        },
        (&[column, ..], _) => refuse(column, "contradicts the scores"),
        ([], &[column])
            if !has_word(GIVEN_NUMBERS, &normalise_word(table.heading(column)))
                && separates(table, contests, [column, score]) =>
        {
            refuse(column, "separates equal scores")
        }
        _ => Ok(None),
    }
}

/// Returns the unread columns whose heading does not exclude places, and whose cells may be some.
fn find_places_beside_scores(table: &HeaderTable) -> Vec<usize> {
    let counts = league_counts(table);
    let may_hold_places = |column: &usize| {
        let heading = table.heading(*column);
        let mut cells = table.values(*column).filter(|cell| !is_blank(cell));
        !(heading.is_empty()
            || counts.contains(column)
            || has_word(COUNT_WORDS, &normalise_word(heading))
            || is_non_round_heading(heading)
            || is_round_heading(heading))
            && cells.next().is_some_and(|cell| parse_place(cell).is_some())
            // In a constant column, all would be tied.
            && table.values(*column).any(|cell| parse_place(cell).is_some_and(|place| place > 1))
    };
    let mut candidates: Vec<usize> = table.unknown_columns.clone();
    candidates.retain(may_hold_places);
    candidates
}

/// True if two rows of a contest have equal scores and different places of a ranking.
fn separates(table: &HeaderTable, contests: &[Vec<usize>], columns: [usize; 2]) -> bool {
    table.grid.limits().reader.refuses_doubts()
        && contests.iter().any(|rows| {
            let placed = scores_by_place(table, rows, columns);
            placed
                .windows(2)
                .any(|two| two[0].0 < two[1].0 && two[0].1.total_cmp(&two[1].1).is_eq())
        })
}

/// Drops a column headed "Pl" or the like that is the sum of wins, draws and losses in each row: it
/// counts the games played.
pub(super) fn played_games(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    const WINS: &str = "w win wins won";
    const DRAWS: &str = "d draw draws drawn t tie ties tied";
    const LOSSES: &str = "l loss losses lost";
    let is_headed = |column: usize, words| has_word(words, &normalise_word(table.heading(column)));
    let find = |words| {
        let mut columns = 0..table.grid.width(table.header_row);
        columns.find(|&column| is_headed(column, words))
    };
    let (Some(wins), Some(losses)) = (find(WINS), find(LOSSES)) else {
        return Ok(None);
    };
    let summands: Vec<usize> = [wins, losses].into_iter().chain(find(DRAWS)).collect();
    let count = |row: usize, column: usize| table.grid.cell(row, column).trim().parse::<u32>().ok();
    let is_sum = |column: usize| {
        table.data_rows().all(|row| {
            let parts: Option<Vec<u32>> = summands.iter().map(|&part| count(row, part)).collect();
            parts.is_some_and(|parts| count(row, column) == Some(parts.iter().sum()))
        })
    };
    let mut places = table.claims(ColumnMeaning::Place).iter();
    let played = places.find(|claim| {
        claim.0 != MatchStrength::Stated && is_headed(claim.1, "pl plc") && is_sum(claim.1)
    });
    Ok(played.map(|&(_, column)| {
        let observation =
            format!("{} counts games beside wins and losses", table.describe_column(column));
        Evidence::new(observation, vec![Change::MeansNothing(column)])
    }))
}

/// Returns the only column that may hold places under a heading that does not say so: it is a ranking
/// in each contest, and its rows stand in that order. Numbers are no names beside a column of names.
pub(crate) fn find_unread_ranking(table: &HeaderTable) -> Option<usize> {
    let names = table.claims(ColumnMeaning::Competitor).iter().map(|claim| claim.1);
    let names: Vec<usize> = names.collect();
    let other_names = names.iter().filter(|_| names.len() > 1);
    let counts = league_counts(table);
    let may_hold_places = |column: &usize| {
        let word = normalise_word(table.heading(*column));
        // A letter in place of a heading counts nothing.
        let is_count =
            !table.grid.has_letters && (has_word(COUNT_WORDS, &word) || counts.contains(column));
        let heading = table.heading(*column);
        let is_no_place = is_round_heading(heading) || is_no_contest_heading(heading);
        !(word.is_empty() || is_count || is_no_place)
    };
    let columns = table.unknown_columns.iter().chain(other_names).copied();
    let columns: Vec<usize> = columns.filter(may_hold_places).collect();
    let contests = table.contest_rows();
    let undivided = ordered_rankings(table, contests, &columns);
    let rankings = if undivided.is_empty() {
        let mut dividing = table.unknown_columns.iter();
        let divided = dividing.find_map(|&column| {
            let rankings = ordered_rankings(table, &divide(table, contests, column)?, &columns);
            (!rankings.is_empty()).then_some(rankings)
        });
        divided.unwrap_or_default()
    } else {
        undivided
    };
    match rankings[..] {
        _ if table.grid.has_letters && has_rows_by_date(table, &names) => None,
        [column] => Some(column),
        [] if table.grid.has_letters => columns.into_iter().find(|&c| is_nearly_ranking(table, c)),
        _ => None,
    }
}

/// True if a name recurs in a table without headings, and its rows stand in the order of several dates: numbers that
/// rise with them count the rows.
fn has_rows_by_date(table: &HeaderTable, names: &[usize]) -> bool {
    let mut seen = HashSet::new();
    let mut names = names.iter().flat_map(|&column| table.values(column));
    if names.all(|name| seen.insert(name)) {
        return false;
    }
    table.unknown_columns.iter().any(|&column| {
        let is_date = |cell: &str| cell.contains(['-', '/', '.']);
        let dates = table.values(column).map(|cell| {
            let date = parse_cell(cell, DateStyle::default()).ok().filter(|_| is_date(cell));
            date.map(|date| date.time)
        });
        let dates: Option<Vec<ContestTime>> = dates.collect();
        dates.is_some_and(|dates| dates.is_sorted() && dates.first() != dates.last())
    })
}

/// True if a column left of the names holds places in the order of the rows, of which some are missing or
/// repeated.
fn is_nearly_ranking(table: &HeaderTable, column: usize) -> bool {
    let places: Option<Vec<u32>> = table.values(column).map(parse_place).collect();
    column < table.name_column()
        && places.is_some_and(|places| {
            let last = places.last().copied().unwrap_or_default();
            places.first() == Some(&1)
                && places.is_sorted()
                && 5 * last as usize >= 4 * places.len().max(3)
        })
}

/// Returns the columns that are a ranking in each contest, in the order of its rows.
fn ordered_rankings(table: &HeaderTable, contests: &[Vec<usize>], columns: &[usize]) -> Vec<usize> {
    let is_in_order = |column: usize| {
        contests.iter().all(|rows| {
            let places = rows.iter().filter_map(|&row| parse_place(table.grid.cell(row, column)));
            places.is_sorted()
        })
    };
    let is_ranking = |&column: &usize| {
        let mut cells = table.values(column).filter(|cell| !is_blank(cell));
        cells.any(|cell| parse_place(cell) != Some(1))
            && rank_all(table, contests, column)
            && is_in_order(column)
    };
    columns.iter().copied().filter(is_ranking).collect()
}

/// Returns the rows of each contest by the values of a column, if these are words and at most half as
/// many as the rows.
pub(super) fn divide(
    table: &HeaderTable,
    contests: &[Vec<usize>],
    column: usize,
) -> Option<Vec<Vec<usize>>> {
    let is_word = |cell: &str| cell.contains(char::is_alphabetic);
    let values: HashSet<&str> = table.values(column).collect();
    if 2 * values.len() > table.data_rows().len() || !values.into_iter().all(is_word) {
        return None;
    }
    let mut parts: Vec<Vec<usize>> = Vec::new();
    for rows in contests {
        let mut by_value: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for &row in rows {
            by_value.entry(table.grid.cell(row, column)).or_default().push(row);
        }
        parts.extend(by_value.into_values());
    }
    Some(parts)
}

/// True if a column holds a ranking in each contest, and one of three or more in some.
pub(super) fn rank_all(table: &HeaderTable, contests: &[Vec<usize>], column: usize) -> bool {
    longest_ranking(table, contests, column) > 2
}

/// Returns the length of the longest ranking of a contest in a column; 0 if some contest has none.
pub(super) fn longest_ranking(
    table: &HeaderTable,
    contests: &[Vec<usize>],
    column: usize,
) -> usize {
    let mut longest = 0;
    let is_ranked = |rows: &Vec<usize>| {
        let cells = rows.iter().map(|&row| table.grid.cell(row, column));
        let filled: Vec<&str> = cells
            .filter(|cell| !is_blank(cell) && CellStatus::parse(cell).is_none())
            .collect();
        longest = longest.max(filled.len());
        are_ranking(filled.into_iter())
    };
    if contests.iter().all(is_ranked) {
        longest
    } else {
        0
    }
}

/// True if the scores of a contest are not in the order of a ranking.
fn contradicts(
    table: &HeaderTable,
    rows: &[usize],
    columns: [usize; 2],
    lower_is_better: bool,
) -> bool {
    !scores_by_place(table, rows, columns).is_sorted_by(|a, b| {
        if lower_is_better {
            a.1 <= b.1
        } else {
            a.1 >= b.1
        }
    })
}

/// Finds that the times of all contests rise with a ranking, and are equal where its places are: it is the
/// place.
fn find_rising_times(
    table: &HeaderTable,
    contests: &[Vec<usize>],
    [ranking, score]: [usize; 2],
) -> Option<Evidence> {
    let rise = |rows: &Vec<usize>| {
        let placed = scores_by_place(table, rows, [ranking, score]);
        placed.is_sorted_by(|a, b| a.0.cmp(&b.0) == a.1.total_cmp(&b.1))
    };
    let is_place = table.grid.limits().reader.refuses_doubts()
        && holds_times(table, score)
        && contests.iter().all(rise);
    let [place, times] = [ranking, score].map(|column| table.describe_column(column));
    let note = format!("{place} is the place: the times in {times} rise with it");
    let changes = vec![
        Change::Means(ColumnMeaning::Place, ranking),
        Change::Note(note.clone()),
    ];
    is_place.then(|| Evidence::new(note, changes))
}
