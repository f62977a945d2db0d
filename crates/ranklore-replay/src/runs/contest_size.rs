//! Contests with more entrants than a system rates.

use std::fmt;

use ranklore_rating::SystemInfo;
use ranklore_store::ContestRow;
use serde::{Serialize, Serializer};

/// Selected contests that are too large for a system.
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
            "{system} rates contests of at most {max_entrants} entrants, and {contests} of the \
             {selected} selected contests have more: \"{name}\" has {entrants}"
        )
    }
}

impl Serialize for OversizedContests {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// True if a system does not rate a contest because of its size, as published.
pub(crate) fn is_oversized(about: &SystemInfo, contest: &ContestRow) -> bool {
    !about.supports_entrants(contest.entrants)
}

/// Returns the contests that are too large for a system; `None` if it rates all.
#[must_use]
pub fn find_oversized_contests(
    about: &SystemInfo,
    contests: &[ContestRow],
) -> Option<OversizedContests> {
    let oversized = || contests.iter().filter(|of| is_oversized(about, of));
    let largest = oversized().max_by_key(|of| of.entrants)?;
    Some(OversizedContests {
        system: about.name,
        max_entrants: about.max_entrants?,
        contests: oversized().count() as u64,
        selected: contests.len() as u64,
        largest: (largest.name.clone(), largest.entrants),
    })
}

/// Excludes the contests that are too large for a system: a contest of weight 0 is not rated.
pub(crate) fn exclude_oversized_contests(about: &SystemInfo, contests: &mut [ContestRow]) {
    for contest in contests.iter_mut().filter(|of| is_oversized(about, of)) {
        contest.weight = 0.0;
    }
}
