//! Series of contests: their names differ in numbers at most.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

use ranklore_contest::ContestTime;
use ranklore_store::{CompetitorId, ContestId, ContestListFilter, SourceId, Store};

use crate::bounded_cache::BoundedCache;
use ranklore_replay::Error;

/// The number of winners of a contest, if the first place is shared.
const WINNERS: usize = 3;

/// The sources whose contests are kept.
const MAX_SOURCES: usize = 4;

/// The fewest letters of a name that says which contests belong together.
const MIN_LETTERS: usize = 3;

/// The contests of a source that can belong to a series, and the first of those that were looked up.
#[derive(Debug)]
pub(crate) struct ContestSeries {
    /// By the hash of name and division, the newest first.
    contests: Vec<(u64, Reverse<i64>, Reverse<ContestId>)>,
    winners: Mutex<HashMap<ContestId, Vec<CompetitorId>>>,
}

impl ContestSeries {
    pub(crate) fn load(store: &Store, source_id: SourceId) -> Result<Self, Error> {
        let filter = ContestListFilter {
            source_id,
            division: None,
            state: None,
            since: None,
            until: None,
        };
        let mut contests = Vec::new();
        store.for_each_listed_contest(&filter, |row| {
            if can_be_repeated(row.name, row.entrants)
                && let Some(ends_at) = row.ends_at
            {
                let hash = hash_series(row.name, row.division);
                contests.push((hash, Reverse(ends_at), Reverse(row.contest_id)));
            }
        })?;
        contests.sort_unstable();
        Ok(Self {
            contests,
            winners: Mutex::default(),
        })
    }

    /// Returns the winners of a contest, three at most. Looking them up reads all its results.
    pub(crate) fn winners(
        &self,
        store: &Store,
        contest: ContestId,
    ) -> Result<Vec<CompetitorId>, Error> {
        let lock = || self.winners.lock().unwrap_or_else(PoisonError::into_inner);
        // The lock is not held while the results are read.
        if let Some(winners) = lock().get(&contest) {
            return Ok(winners.clone());
        }
        let winners = store.first_of_contest(contest, WINNERS)?;
        lock().insert(contest, winners.clone());
        Ok(winners)
    }

    /// Returns the contests that ended before a time and have a name and division of the same hash,
    /// newest first. Nearly always they are of the same series.
    pub(crate) fn newest_before(
        &self,
        name: &str,
        division: Option<&str>,
        before: ContestTime,
    ) -> impl Iterator<Item = ContestId> {
        let hash = hash_series(name, division);
        let contests = &self.contests;
        let newest = (hash, Reverse(before.get()));
        let first = contests.partition_point(|contest| (contest.0, contest.1) <= newest);
        let earlier = contests[first..].iter();
        earlier
            .take_while(move |contest| contest.0 == hash)
            .map(|(_, _, Reverse(id))| *id)
    }
}

/// The contests of a few sources by source and hashes of the results of the database, kept between
/// views.
pub(crate) type SeriesCache = BoundedCache<(SourceId, Vec<i64>), Arc<ContestSeries>>;

/// Creates an empty cache of series.
pub(crate) fn series_cache() -> SeriesCache {
    BoundedCache::new(MAX_SOURCES)
}

/// True if a contest can belong to a series. The names of games are those of the players.
pub(crate) fn can_be_repeated(name: &str, entrants: u32) -> bool {
    let letters = series_of(name).filter(|c| c.is_alphabetic());
    entrants > 2 && letters.take(MIN_LETTERS).count() == MIN_LETTERS
}

/// True if two names differ in numbers at most.
pub(crate) fn is_same_series(a: &str, b: &str) -> bool {
    series_of(a).eq(series_of(b))
}

fn hash_series(name: &str, division: Option<&str>) -> u64 {
    let mut hasher = DefaultHasher::new();
    series_of(name).for_each(|c| c.hash(&mut hasher));
    division.hash(&mut hasher);
    hasher.finish()
}

/// Returns the letters of the words of a name, in lower case, without ordinals such as `12th`.
fn series_of(name: &str) -> impl Iterator<Item = char> {
    let words = name
        .split_whitespace()
        .filter(|word| word.contains(char::is_alphabetic) && !is_ordinal(word));
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
            .any(|ordinal| ending.eq_ignore_ascii_case(ordinal))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_one_series_differ_in_numbers_only() {
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
                assert!(is_same_series(name, same[0]), "{name}");
                assert!(!is_same_series(name, "Lake Open 1"), "{name}");
            }
        }
        assert!(!is_same_series("Lake Open", "LakeOpen"));
        for number in ["", "7", "2023-11-16", "12th", "(22nd)"] {
            assert!(!can_be_repeated(number, 3), "{number}");
        }
    }
}
