//! The winners of earlier contests of the same name, such as last year's.

use std::cmp::Reverse;

use ranklore_contest::ContestTime;
use ranklore_store::{ContestListFilter, ContestRow, Store};
use serde::Serialize;

use crate::error::Error;
use crate::views::coverage::UnratedReason;
use crate::views::names::{CompetitorLabel, Labeller};

/// The number of earlier contests.
const EARLIER: usize = 10;

/// The number of winners of a contest, if the first place is shared.
const WINNERS: usize = 3;

/// The fewest letters of a name that says which contests belong together.
const MIN_LETTERS: usize = 3;

/// An earlier contest, and who was first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PastContest {
    /// The id within the source.
    pub external_id: String,
    /// The name as published.
    pub name: String,
    /// The end, in Unix seconds.
    pub ends_at: Option<i64>,
    /// Who was first, three at most.
    pub winners: Vec<CompetitorLabel>,
}

/// Loads the winners of the ten newest contests of the source before this one that have the same
/// name, apart from numbers, and the same division. Games of two have none: their names are those of
/// the players.
pub(super) fn load_past_winners(
    store: &Store,
    contest: &ContestRow,
    labeller: &mut Labeller,
) -> Result<Vec<PastContest>, Error> {
    let before = contest.ends_at.and_then(ContestTime::new);
    let series = || series_of(&contest.name);
    let has_name = series().filter(|c| c.is_alphabetic()).count() >= MIN_LETTERS;
    let Some(before) = before.filter(|_| has_name && contest.entrants > 2) else {
        return Ok(Vec::new());
    };
    let filter = ContestListFilter {
        source_id: contest.source_id,
        division: contest.division.clone(),
        state: None,
        since: None,
        until: Some(before),
    };
    let mut earlier = Vec::new();
    store.for_each_listed_contest(&filter, |of| {
        let is_same = of.entrants > 2
            && of.division == contest.division.as_deref()
            && series_of(of.name).eq(series());
        earlier.extend(is_same.then_some((of.ends_at, of.contest_id)));
    })?;
    earlier.sort_unstable_by_key(|&newest| Reverse(newest));
    let mut past = Vec::new();
    for (_, contest_id) in earlier {
        if past.len() == EARLIER {
            break;
        }
        for row in store.contests_by_id([contest_id])? {
            let reason = UnratedReason::for_all_runs(&row);
            if !matches!(reason, None | Some(UnratedReason::UnratedBySource)) {
                continue;
            }
            let first = store.first_of_contest(contest_id, WINNERS)?;
            if first.is_empty() {
                continue;
            }
            let labels = labeller.load_labels(store, first.iter().copied())?;
            past.push(PastContest {
                winners: (first.iter().filter_map(|of| labels.get(of).cloned())).collect(),
                external_id: row.external_id,
                name: row.name,
                ends_at: row.ends_at,
            });
        }
    }
    Ok(past)
}

/// Returns the letters of the words of a name, in lower case, without ordinals such as `12th`.
fn series_of(name: &str) -> impl Iterator<Item = char> {
    let is_word = |word: &&str| word.contains(char::is_alphabetic) && !is_ordinal(word);
    let words = name.split_whitespace().filter(is_word);
    words.flat_map(|word| {
        let letters = word.chars().filter(|c| c.is_alphabetic());
        letters.flat_map(char::to_lowercase).chain([' '])
    })
}

fn is_ordinal(word: &str) -> bool {
    let ending = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let ending = ending.trim_end_matches(|c: char| !c.is_alphabetic());
    word.starts_with(|c: char| c.is_ascii_digit())
        && ["st", "nd", "rd", "th"]
            .iter()
            .any(|of| ending.eq_ignore_ascii_case(of))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_one_series_differ_in_numbers_only() {
        let is_same = |a: &str, b: &str| series_of(a).eq(series_of(b));
        for same in [
            &["Lantern Open 2023", "lantern open 2024", "Lantern Open"][..],
            &[
                "12th Lake Cup",
                "1st Lake Cup",
                "Lake Cup #3",
                "3. Lake Cup",
            ],
            &["Harbour Round 101 (Div. 2)", "Harbour Round 99 (Div. 2)"],
            &["Šlapanice 2019-20", "ŠLAPANICE 2021"],
        ] {
            for name in same {
                assert!(is_same(name, same[0]), "{name}");
                assert!(!is_same(name, "Lake Open 1"), "{name}");
            }
        }
        assert!(!is_same("Lake Open", "LakeOpen"));
        for number in ["", "7", "2023-11-16", "12th", "(22nd)"] {
            let letters: String = series_of(number).collect();
            assert!(letters.len() <= MIN_LETTERS, "{number}");
        }
    }
}
