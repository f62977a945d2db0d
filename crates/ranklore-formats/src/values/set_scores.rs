//! Scores of the sets of a game in one cell: `21/15,21/13`, `6-4 3-6 7-6(4)`.

/// The smallest sum of the scores of a game with sets. Smaller numbers count won games or sets.
const MIN_SUM: u16 = 10;

/// Returns the scores of the sets in a cell. Empty unless it has those of two sets or more.
pub(crate) fn parse_sets(cell: &str) -> Vec<[u16; 2]> {
    // Most cells are names and single numbers.
    if cell.len() > 80 || !cell.starts_with(|c: char| c.is_ascii_digit() || "([".contains(c)) {
        return Vec::new();
    }
    let parts = cell.split([' ', ',', ';']).filter(|part| !part.is_empty());
    let sets: Option<Vec<[u16; 2]>> = parts.map(parse_set).collect();
    let has_points = |sets: &Vec<[u16; 2]>| sets.iter().flatten().sum::<u16>() >= MIN_SUM;
    sets.filter(|sets| sets.len() > 1 && has_points(sets)).unwrap_or_default()
}

/// Parses `21-15`, `7-6(4)` or `[10-8]`.
fn parse_set(part: &str) -> Option<[u16; 2]> {
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
}
