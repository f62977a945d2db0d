//! The slices of an evaluation, and those that each contest belongs to.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use ranklore_contest::ContestTime;
use ranklore_rating::metrics::{Band, SIZE_BANDS, Slice};
use ranklore_store::{ContestId, Store};

use crate::predictions::settings::{EvaluationSettings, SliceBy};
use ranklore_replay::{Error, Replay, ReplayContest};

/// The most divisions with a slice of their own, those with the most contests.
const MAX_DIVISIONS: usize = 20;

/// The slices, and how contests are assigned to them.
pub(crate) struct ContestSlices {
    pub(crate) slices: Vec<Slice>,
    sizes: Vec<(Band, usize)>,
    years: HashMap<String, usize>,
    divisions: HashMap<ContestId, usize>,
    /// The indices of both halves, and the number of the first contest of the second.
    halves: Option<([usize; 2], u64)>,
    /// True if newcomers count in slices of contests.
    with_newcomers: bool,
}

impl ContestSlices {
    /// Returns the slices of contests, of which those with these numbers are predicted.
    pub(crate) fn load(
        store: &Store,
        replay: &Replay<'_>,
        settings: &EvaluationSettings,
        predicted: Range<u64>,
    ) -> Result<Self, Error> {
        let mut all = Self {
            slices: Slice::standard().to_vec(),
            sizes: Vec::new(),
            years: HashMap::new(),
            divisions: HashMap::new(),
            halves: None,
            with_newcomers: settings.with_newcomers,
        };
        for by in &settings.slices {
            match by {
                SliceBy::Experience => {
                    all.slices.extend(Slice::by_experience());
                }
                SliceBy::Size => {
                    for band in SIZE_BANDS {
                        let index = all.add(format!("size {band}"));
                        all.sizes.push((band, index));
                    }
                }
                SliceBy::Year => {
                    let years = replay.contests().map(|contest| year(&contest));
                    for year in years.collect::<BTreeSet<_>>() {
                        let index = all.add(format!("year {year}"));
                        all.years.insert(year, index);
                    }
                }
                SliceBy::Half => {
                    let middle = predicted.start.midpoint(predicted.end);
                    let halves = ["half 1", "half 2"].map(|key| all.add(key.to_owned()));
                    all.halves = Some((halves, middle));
                }
                SliceBy::Division => all.add_divisions(store, replay)?,
            }
        }
        Ok(all)
    }

    fn add(&mut self, key: String) -> usize {
        let slice = Slice::of_contests(key);
        self.slices.push(if self.with_newcomers {
            slice.with_newcomers()
        } else {
            slice
        });
        self.slices.len() - 1
    }

    fn add_divisions(&mut self, store: &Store, replay: &Replay<'_>) -> Result<(), Error> {
        for (division, ids) in load_divisions(store, replay)? {
            let index = self.add(format!("division {division}"));
            self.divisions.extend(ids.into_iter().map(|id| (id, index)));
        }
        Ok(())
    }

    /// Returns the indices of the slices of contests that a contest belongs to; `number` counts
    /// contests with an order.
    pub(crate) fn of_contest(&self, contest: &ReplayContest<'_>, number: u64) -> Vec<usize> {
        let mut indices = Vec::new();
        let entrants = contest.team_ranges().count() as u32;
        let sizes = self.sizes.iter().filter(|(band, _)| band.contains(entrants));
        indices.extend(sizes.map(|&(_, index)| index));
        if !self.years.is_empty() {
            indices.extend(self.years.get(&year(contest)));
        }
        indices.extend(self.divisions.get(&contest.row.contest_id));
        if let Some((halves, middle)) = self.halves {
            indices.push(halves[usize::from(number >= middle)]);
        }
        indices
    }
}

/// Returns the divisions with the most contests, at most 20, each with its contests.
pub(crate) fn load_divisions(
    store: &Store,
    replay: &Replay<'_>,
) -> Result<Vec<(String, Vec<ContestId>)>, Error> {
    let rows = store.contests_by_id(replay.contests().map(|contest| contest.row.contest_id))?;
    let mut contests: BTreeMap<String, Vec<ContestId>> = BTreeMap::new();
    for row in rows {
        if let Some(division) = row.division {
            contests.entry(division).or_default().push(row.contest_id);
        }
    }
    let mut contests: Vec<_> = contests.into_iter().collect();
    contests.sort_by_key(|(_, ids)| std::cmp::Reverse(ids.len()));
    contests.truncate(MAX_DIVISIONS);
    Ok(contests)
}

/// Returns the year in which a contest ended, in UTC.
pub(crate) fn year(contest: &ReplayContest<'_>) -> String {
    let time = ContestTime::new(contest.row.ends_at).map(|at| at.to_string());
    time.map_or_else(String::new, |text| text.chars().take(4).collect())
}
