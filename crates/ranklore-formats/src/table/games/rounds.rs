//! Orders the rounds of a tournament: `3`, `Matchday 12`, `R16`, `Semifinal`.

use std::collections::HashMap;

use crate::table::columns::{has_word, normalise_word};

/// The words for rounds of a knock-out, from the first to the last.
const KNOCK_OUTS: [&str; 9] = [
    "r256 roundof256 last256",
    "r128 roundof128 last128",
    "r64 roundof64 last64",
    "r32 roundof32 last32 sechzehntelfinale",
    "r16 roundof16 last16 achtelfinale huitiemesdefinale octavosdefinal",
    "qf quarterfinal quarterfinals viertelfinale quartsdefinale cuartosdefinal cuartos",
    "sf semifinal semifinals halbfinale demifinale demifinales semifinales",
    "br bronze bronzefinal thirdplace 3rdplace thirdplaceplayoff 3rdplaceplayoff spielumplatz3",
    "f final thefinal finals finale endspiel",
];

/// The rank of the first knock-out round, behind all numbered rounds.
const FIRST_KNOCK_OUT: i64 = 10_001;

/// The rank of qualifying rounds, before all others.
const QUALIFYING: i64 = -10;

/// The ranks of the rounds in a column.
pub(super) struct RoundRanks<'t> {
    ranks: HashMap<&'t str, i64>,
    /// The first round that is neither a number nor a known word; such rounds have the rank 0.
    pub(super) unknown: Option<&'t str>,
}

impl<'t> RoundRanks<'t> {
    pub(super) fn from_cells(cells: impl Iterator<Item = &'t str>) -> Self {
        let mut ranks: HashMap<&str, i64> = HashMap::new();
        let mut labels = Vec::new();
        let mut last = None;
        for cell in cells {
            if last != Some(cell) && !cell.is_empty() && ranks.insert(cell, 0).is_none() {
                labels.push(cell);
            }
            last = Some(cell);
        }
        // R16 is a round of 16, unless there is a round such as R15.
        let numbers_rounds = labels
            .iter()
            .filter_map(|label| short_round(label))
            .any(|n| !matches!(n, 16 | 32 | 64 | 128 | 256));
        let mut unknown = None;
        for label in labels {
            match rank(label, numbers_rounds) {
                Some(rank) => {
                    ranks.insert(label, rank);
                }
                None => unknown = unknown.or(Some(label)),
            }
        }
        Self { ranks, unknown }
    }

    /// Returns the rank of a round; that of a blank cell is 0.
    pub(super) fn rank(&self, round: &str) -> i64 {
        self.ranks.get(round).copied().unwrap_or(0)
    }
}

/// Returns the number of `R12`.
fn short_round(label: &str) -> Option<u32> {
    let digits = label.strip_prefix(['R', 'r'])?;
    let fits = digits.bytes().all(|byte| byte.is_ascii_digit());
    fits.then(|| digits.parse().ok())?
}

/// Returns the rank of a round; `numbers_rounds` is true if R16 is the sixteenth round.
fn rank(label: &str, numbers_rounds: bool) -> Option<i64> {
    if let Some(number) = short_round(label).filter(|_| numbers_rounds) {
        return Some(i64::from(number.min(9_999)));
    }
    let word = normalise_word(label);
    if let Some(at) = KNOCK_OUTS.iter().position(|words| has_word(words, &word)) {
        return Some(FIRST_KNOCK_OUT + at as i64);
    }
    let qualifying = word.strip_prefix('q').and_then(|n| n.parse::<i64>().ok());
    if let Some(number) = qualifying.filter(|number| (1..=9).contains(number)) {
        return Some(QUALIFYING + number);
    }
    // Round robins and early rounds precede a knock-out.
    if has_word("rr roundrobin er groupstage group gruppenphase pr", &word) {
        return Some(0);
    }
    let begin = label.find(|c: char| c.is_ascii_digit())?;
    let digits = &label[begin..];
    let end = digits.find(|c: char| !c.is_ascii_digit());
    let number: i64 = digits[..end.unwrap_or(digits.len())].parse().ok()?;
    Some(number.min(9_999))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_are_ordered() {
        for labels in [
            &["1", "2", "10"][..],
            &["Round 1", "Round 2", "Round 10", "Final"],
            &["R1", "R2", "R15", "R16"],
            &[
                "Q1", "Q2", "RR", "R128", "R64", "R32", "R16", "QF", "SF", "BR", "F",
            ],
            &[
                "1st Round",
                "4th Round",
                "Quarterfinals",
                "Semifinals",
                "The Final",
            ],
            &["Group A", "Viertelfinale", "Halbfinale", "Finale"],
            &["1.3", "2.1"],
        ] {
            let ranks = RoundRanks::from_cells(labels.iter().copied());
            let ordered: Vec<i64> = labels.iter().map(|label| ranks.rank(label)).collect();
            assert!(ordered.is_sorted_by(|a, b| a < b), "{labels:?}: {ordered:?}");
        }
        let ranks = RoundRanks::from_cells(["Group A", "2", "99999999999999999999"].into_iter());
        assert_eq!((ranks.unknown, ranks.rank("Group A")), (Some("Group A"), 0));
    }
}
