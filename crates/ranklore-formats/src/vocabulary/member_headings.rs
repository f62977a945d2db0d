//! Headings of columns that name one member of a team each: `Player 1`, `Player 2`, …

use super::headings::MatchStrength;
use super::meanings::ColumnMeaning;
use super::seats::heading_word;

/// Returns the columns of members among columns with their headings, in order of their numbers: a
/// noun of persons with the numbers from 1, at least to 2, each once.
pub(crate) fn find_member_headings<'h>(
    headings: impl Iterator<Item = (usize, &'h str)>,
) -> Vec<usize> {
    let numbered = headings.filter_map(|(column, heading)| {
        let (noun, number) = parse_member_heading(heading)?;
        Some((noun, number, column))
    });
    let mut numbered: Vec<(String, usize, usize)> = numbered.collect();
    numbered.sort_unstable();
    let series = numbered.chunk_by(|a, b| a.0 == b.0).find(|series| {
        let mut numbers = (1..).zip(series.iter());
        series.len() > 1 && numbers.all(|(expected, (_, number, _))| *number == expected)
    });
    series.into_iter().flatten().map(|(_, _, column)| *column).collect()
}

/// Splits `Player 1`, `driver2` or `Team member 3 name` into noun and number.
fn parse_member_heading(heading: &str) -> Option<(String, usize)> {
    let word = heading_word(heading);
    let word = word.strip_suffix("name").unwrap_or(&word);
    let noun = word.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = word[noun.len()..].parse().ok()?;
    let names_person = matches!(noun, "p" | "name")
        || match ColumnMeaning::from_heading(noun) {
            Some((ColumnMeaning::Competitor, strength)) => strength != MatchStrength::Vague,
            Some((meaning, _)) => meaning == ColumnMeaning::Members,
            None => false,
        };
    // A number in the noun is that of a side: `team1_player2`.
    let has_side = noun.contains(|c: char| c.is_ascii_digit());
    (names_person && !has_side).then(|| (noun.to_owned(), number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbered_persons_are_members() {
        for (headings, expected) in [
            (&["Team", "Player 1", "Player 2", "Player 3"][..], &[1, 2, 3][..]),
            (&["Driver 2", "Place", "Driver 1"], &[2, 0]),
            (&["P1", "P2", "P3", "P4"], &[0, 1, 2, 3]),
            (&["Player1Name", "Player2Name"], &[0, 1]),
            (&["Name 2", "Name 1"], &[1, 0]),
            (&["Team member 1", "Team member 2"], &[0, 1]),
            (&["Schwimmer 1", "Rower 1", "Rower 2"], &[1, 2]),
            (&["Player 1", "Player 3"], &[]),
            (&["Player 1", "Player 1", "Player 2"], &[]),
            (&["Player 2", "Player"], &[]),
            (&["Round 1", "Round 2"], &[]),
            (&["Team 1", "Team 2"], &[]),
            (&["T1", "T2"], &[]),
            (&["team1_player1_name", "team1_player2_name"], &[]),
        ] {
            let columns = find_member_headings(headings.iter().copied().enumerate());
            assert_eq!(columns, expected, "{headings:?}");
        }
    }
}
