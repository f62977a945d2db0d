//! Contests with more entrants than a system rates.

use std::fmt;

use ranklore_rating::SystemInfo;
use ranklore_store::{RatableContest, Store};

use crate::runs::weights::Weights;

/// Selected contests that are too large for a system, of which there is at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OversizedContests {
    /// The name of the system.
    pub system: &'static str,
    /// The largest contest that it rates, in entrants.
    pub max_entrants: u32,
    /// Number of contests with more entrants.
    pub contests: u64,
    /// Number of selected contests.
    pub selected: u64,
    /// The largest of them: its name and its number of entrants.
    pub largest: (String, u32),
}

impl OversizedContests {
    /// True if no selected contest can be rated.
    #[must_use]
    pub const fn are_all(&self) -> bool {
        self.contests == self.selected
    }
}

impl fmt::Display for OversizedContests {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            system,
            max_entrants,
            contests,
            selected,
            largest: (name, entrants),
        } = self;
        write!(
            formatter,
            "{system} rates contests of at most {max_entrants} entrants; {contests} of {selected} \
             selected have more, the largest {entrants} (\"{name}\")"
        )
    }
}

/// True if a system does not rate a contest because of its size. Entrants are counted as published:
/// merges and left-out entrants do not change whether a contest is rated. A contest of weight 0 is
/// not rated by any system.
#[must_use]
pub fn is_oversized(about: &SystemInfo, weight: f64, entrants: u32) -> bool {
    weight > 0.0 && !about.supports_entrants(entrants)
}

/// Returns the contests that are too large for a system; `None` if it rates all.
///
/// # Errors
/// Errors if the database cannot be read.
pub fn find_oversized_contests(
    store: &Store,
    about: &SystemInfo,
    weights: Weights,
    contests: &[RatableContest],
) -> Result<Option<OversizedContests>, ranklore_store::Error> {
    let oversized: Vec<&RatableContest> = contests
        .iter()
        .filter(|row| is_oversized(about, weights.weight_of(row), row.entrants))
        .collect();
    let largest = oversized.iter().max_by_key(|row| row.entrants);
    let (Some(largest), Some(max_entrants)) = (largest, about.max_entrants) else {
        return Ok(None);
    };
    let row = store.contests_by_id([largest.contest_id])?.pop();
    Ok(Some(OversizedContests {
        system: about.name,
        max_entrants,
        contests: oversized.len() as u64,
        selected: contests.len() as u64,
        largest: (row.map(|row| row.name).unwrap_or_default(), largest.entrants),
    }))
}

/// Excludes the contests that are too large for a system: a contest of weight 0 is not rated.
pub fn exclude_oversized_contests(about: &SystemInfo, contests: &mut [RatableContest]) {
    for contest in contests {
        if is_oversized(about, contest.weight, contest.entrants) {
            contest.weight = 0.0;
        }
    }
}
