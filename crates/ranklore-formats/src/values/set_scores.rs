//! Scores of the sets of a game in one cell: `21/15,21/13`, `6-4 3-6 7-6(4)`.

use std::cmp::Ordering;
use std::collections::HashMap;

/// The smallest sum of the scores of a game with sets, unless each set has the points of a winner: `4:0 4:1`.
/// Smaller numbers count won games or sets.
const MIN_SUM: u16 = 10;

/// The fewest points that win a set.
const MIN_POINTS: u16 = 4;

/// The number of games from which periods hardly end as sets do.
const MANY_GAMES: usize = 5;

/// The points of both sides in a set.
type Set = [u16; 2];

/// Returns the scores of the sets in a cell. Empty unless it has those of two sets or more.
pub(crate) fn parse_sets(cell: &str) -> Vec<Set> {
    // Most cells are names and single numbers.
    if cell.len() > 80 || !cell.starts_with(|c: char| c.is_ascii_digit() || "([".contains(c)) {
        return Vec::new();
    }
    let parts = cell.split([' ', ',', ';']).filter(|part| !part.is_empty());
    let sets: Option<Vec<Set>> = parts.map(parse_set).collect();
    // Goals in brackets are those of the half.
    let has_goals = cell.contains('(');
    let have_points = |sets: &Vec<Set>| {
        let are_won = || sets.iter().all(|[one, two]| *one.max(two) >= MIN_POINTS);
        has_min_sum(sets) || (!has_goals && are_won())
    };
    sets.filter(|sets| sets.len() > 1 && have_points(sets)).unwrap_or_default()
}

fn has_min_sum(sets: &[Set]) -> bool {
    sets.iter().flatten().sum::<u16>() >= MIN_SUM
}

/// True if a cell is the score of one set.
pub(crate) fn is_set(cell: &str) -> bool {
    parse_set(cell).is_some()
}

/// Returns the numbers of sets that both sides won, for each cell with several sets. Empty unless all are
/// sets: periods, whose points are added up, look alike.
pub(crate) fn count_won_sets<'c>(
    cells: impl Iterator<Item = &'c str>,
) -> HashMap<&'c str, [u16; 2]> {
    let mut games = HashMap::new();
    for cell in cells {
        match parse_set(cell) {
            // A result such as 1-0.
            Some([one, two]) if one.max(two) < MIN_POINTS => return HashMap::new(),
            Some(_) => {}
            None => {
                games.entry(cell).or_insert_with(|| parse_sets(cell));
            }
        }
    }
    games.retain(|_, sets| !sets.is_empty());
    count_all_won(&games).unwrap_or_else(|| {
        // Games that ended early are shorter than the sets of the others.
        games.retain(|_, sets| has_min_sum(sets));
        count_all_won(&games).unwrap_or_default()
    })
}

fn count_all_won<'c>(games: &HashMap<&'c str, Vec<Set>>) -> Option<HashMap<&'c str, [u16; 2]>> {
    let won: Option<HashMap<&str, [u16; 2]>> =
        games.iter().map(|(cell, sets)| Some((*cell, count_won(sets)?))).collect();
    won.filter(|won| end_as_sets(games, won))
}

/// Returns the numbers of sets that both sides won, if the winner of most won the last one.
fn count_won(sets: &[Set]) -> Option<[u16; 2]> {
    let mut won = [0, 0];
    let mut last = 0;
    for [one, two] in sets {
        last = match one.cmp(two) {
            Ordering::Greater => 0,
            Ordering::Less => 1,
            Ordering::Equal => return None,
        };
        won[last] += 1;
    }
    (won[last] > won[1 - last]).then_some(won)
}

/// True if each game ends when a side has won as many sets as in all others, and each set when a side has
/// as many points as in all others, or two more than the other side. The last of all possible sets may
/// be shorter, or stand as 1-0. In a few games, no winner has fewer points.
fn end_as_sets(games: &HashMap<&str, Vec<Set>>, won: &HashMap<&str, [u16; 2]>) -> bool {
    let points = |[one, two]: &Set| *one.max(two);
    let needed = won.values().flatten().max().copied().unwrap_or_default();
    let full_count = 2 * (usize::from(needed).max(1) - 1);
    let full_sets = || games.values().flat_map(|sets| &sets[..sets.len().min(full_count)]);
    let target = full_sets().map(points).min().unwrap_or_default();
    let mut last_sets = games.values().filter_map(|sets| sets.get(full_count));
    let has_fewer_points = |(cell, sets): (&&str, &Vec<Set>)| {
        let sums = [0, 1].map(|side| sets.iter().map(|set| set[side]).sum::<u16>());
        sums[1].cmp(&sums[0]) == won[cell][0].cmp(&won[cell][1])
    };
    won.values().all(|won| won.iter().max() == Some(&needed))
        && target >= MIN_POINTS
        && full_sets().all(|set| points(set) == target || set[0].abs_diff(set[1]) <= 2)
        && last_sets.all(|set| matches!(set, [1, 0] | [0, 1]) || 5 * points(set) >= 3 * target)
        && (games.values().filter(|sets| has_min_sum(sets)).count() >= MANY_GAMES
            || !games.iter().any(has_fewer_points))
}

/// Parses `21-15`, `7-6(4)` or `[10-8]`.
fn parse_set(part: &str) -> Option<Set> {
    // A number in brackets is that of a tie-break.
    let part = part.trim_matches(['(', ')', '[', ']']);
    let part = part.split('(').next()?;
    let (one, two) = part.split_once(['-', '/', ':'])?;
    let parse = |text: &str| {
        let is_score = (1..=2).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
        is_score.then(|| text.parse().ok())?
    };
    Some([parse(one)?, parse(two)?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_parsed() {
        let two = vec![[21, 15], [21, 13]];
        for cell in [
            "21/15,21/13",
            "21-15 21-13",
            "21:15; 21:13",
            "(21-15, 21-13)",
            "21-15(4) [21-13]",
        ] {
            assert_eq!(parse_sets(cell), two, "{cell}");
        }
        for cell in [
            "",
            "21-15",
            "2024-01-01 10:30",
            "1/2-1/2",
            "1-0 0-1",
            "6-4 ret.",
            "3-2 OT",
            "Ann Bo",
        ] {
            assert_eq!(parse_sets(cell), Vec::<[u16; 2]>::new(), "{cell}");
        }
    }

    #[test]
    fn short_games_show_no_sets() {
        let cells = ["0:4 4:3 4:3", "4:0 4:0", "4:0 4:1", "4:1 4:0", "0:4 0:4"];
        assert!(count_won_sets(cells.into_iter()).is_empty());
    }
}
