//! Performances against what ratings expect, by experience, division, half of the places and size
//! (Elo-SRM: Batty and Kamenetsky 2020, section 4).

use std::collections::HashMap;

use ranklore_contest::SourceName;
use ranklore_rating::metrics::{
    EXPERIENCE_BANDS, Metric, Prediction, SIZE_BANDS, Slice, evaluate_contest,
};
use ranklore_rating::{RankPerformance, rank_performances};
use ranklore_replay::{Error, Progress, ReplayContest, RunSelection, SystemSpec};
use ranklore_store::{ContestId, Store};
use serde::Serialize;

use crate::experiments::contests::{ExperimentContests, ExperimentReplay};
use crate::predictions::comparison::LeftOut;
use crate::predictions::slices::load_divisions;
use crate::predictions::system_replay::SystemReplay;

/// Rating systems whose expectations are compared with results.
#[derive(Clone, Debug)]
pub struct PerformanceRequest {
    /// The source.
    pub source: SourceName,
    /// The systems. Those that do not rate all contests are left out.
    pub systems: Vec<SystemSpec>,
}

/// The performances of all entrants in all rated contests of a source.
#[derive(Clone, Debug, Serialize)]
pub struct PerformanceReport {
    /// The source.
    pub source: SourceName,
    /// Number of rated contests.
    pub contests: u64,
    /// The systems, in the order of the request.
    pub systems: Vec<SystemPerformances>,
    /// The systems that are left out.
    pub left_out: Vec<LeftOut>,
}

/// The performances by the ratings of one system.
#[derive(Clone, Debug, Serialize)]
pub struct SystemPerformances {
    /// The system with its settings.
    pub system: String,
    /// The mean magnitude of a performance, in powers of two of the rank: 0 if all ranks are those
    /// expected.
    pub error: f64,
    /// The mean change of a rating by a contest, in rating points.
    pub change: f64,
    /// The standard deviation of these changes.
    pub change_deviation: f64,
    /// The largest gain by a contest.
    pub largest_gain: f64,
    /// The rating of a newcomer after the last contest.
    pub initial: f64,
    /// The median of the last ratings of all competitors.
    pub median: f64,
    /// The highest rating after any contest.
    pub highest: f64,
    /// The performances of groups of results.
    pub groups: Vec<GroupPerformance>,
    /// The contests in which the system predicts better than the first one; empty for the first.
    pub better: Vec<ContestsBetter>,
}

/// The results of some entrants. A system without ratings of them has no change.
#[derive(Clone, Debug, Serialize)]
pub struct GroupPerformance {
    /// The entrants, such as `2-7 contests` or `division 1, upper half`.
    pub group: String,
    /// Number of results.
    pub results: u64,
    /// The mean change of their ratings, in rating points.
    pub change: Option<f64>,
    /// Their mean performance, in powers of two of the rank: above 0 if they do better than expected.
    pub performance: f64,
    /// The mean magnitude of their performances.
    pub error: f64,
}

/// Percentages of contests in which a system predicts better than the first one; equal predictions
/// count one half. Contests of ties only have no order to predict.
#[derive(Clone, Debug, Serialize)]
pub struct ContestsBetter {
    /// The contests, such as `division 1` or `size 17-99`.
    pub group: String,
    /// Number of contests.
    pub contests: u64,
    /// By Kendall's tau.
    pub kendall_tau: Option<f64>,
    /// By Spearman's rho.
    pub spearman_rho: Option<f64>,
    /// By the mean magnitude of the performances.
    pub error: Option<f64>,
}

/// Replays rating systems in memory, and compares each result with the rank that the ratings before
/// it expect by the win probabilities of Elo, which Batty and Kamenetsky apply to all systems.
/// Training and newcomers count. Writes no run.
///
/// # Errors
/// [`Error::NoSource`], [`Error::NoContests`], [`Error::MixedTeamModes`], [`Error::MixedAllTied`],
/// [`Error::OverlappingEvents`], [`Error::NothingCompared`], [`Error::NothingRated`],
/// [`Error::Store`], [`Error::Interrupted`].
pub fn measure_performances(
    store: &Store,
    request: &PerformanceRequest,
    watch: &dyn Progress,
) -> Result<PerformanceReport, Error> {
    let selection = RunSelection::from_source(&request.source);
    let contests = ExperimentContests::load(store, &selection, &request.systems)?;
    let mut left_out = contests.left_out.clone();
    let replay = contests.replay(store)?;
    let groups = ResultGroups::new(load_divisions(store, &replay)?);
    let experiment = ExperimentReplay::new(&replay, &contests, watch);
    let competitors = replay.competitors.len();
    let records = experiment.replay_all(
        store,
        &mut left_out,
        || Record::new(groups.labels.len(), competitors),
        |record, system, contest| record.add_contest(&groups, system, contest),
    )?;
    let contest_groups: Vec<Vec<usize>> = replay
        .rated_contests()
        .map(|(contest, _)| groups.of_contest(&contest))
        .collect();
    let first = records.first().map(|(_, record)| record.contests.clone()).unwrap_or_default();
    let systems = records.into_iter().enumerate().map(|(index, (system, record))| {
        let better = match index {
            0 => Vec::new(),
            _ => groups.compare(&contest_groups, &record.contests, &first),
        };
        record.report(system, &groups, better)
    });
    Ok(PerformanceReport {
        source: request.source.clone(),
        contests: replay.rated,
        systems: systems.collect(),
        left_out,
    })
}

/// The groups of results and of contests.
struct ResultGroups {
    /// The names of the groups of results, in the order of their sums.
    labels: Vec<String>,
    /// The names of the groups of contests.
    contest_labels: Vec<String>,
    /// The number of the division of each contest.
    divisions: HashMap<ContestId, usize>,
}

/// All results, and then those by experience.
const ALL: usize = 0;

/// The results of entrants with an earlier contest, and then those of both halves of the places
/// among them.
const EXISTING: usize = ALL + 1 + EXPERIENCE_BANDS.len();

/// The results of existing entrants in the first division, and then of both halves, and so on.
const FIRST_DIVISION: usize = EXISTING + 3;

impl ResultGroups {
    fn new(divisions: Vec<(String, Vec<ContestId>)>) -> Self {
        let with_halves =
            |name: &str| ["", ", upper half", ", lower half"].map(|half| format!("{name}{half}"));
        let mut labels = vec!["all".to_owned()];
        labels.extend(EXPERIENCE_BANDS.map(|band| match band.high {
            1 => "first contest".to_owned(),
            _ => format!("{band} contests"),
        }));
        labels.extend(with_halves("existing"));
        let mut contest_labels = vec!["all".to_owned()];
        let mut numbers = HashMap::new();
        for (number, (division, contests)) in divisions.into_iter().enumerate() {
            let division = format!("division {division}");
            labels.extend(with_halves(&division));
            contest_labels.push(division);
            numbers.extend(contests.into_iter().map(|contest| (contest, number)));
        }
        contest_labels.extend(SIZE_BANDS.map(|band| format!("size {band}")));
        Self {
            labels,
            contest_labels,
            divisions: numbers,
        }
    }

    /// Returns the groups of an entrant whose contest has this number, from 1, in its career.
    fn of_entrant(
        &self,
        contest: ContestId,
        number: u32,
        half: Option<Half>,
    ) -> impl Iterator<Item = usize> {
        let band = EXPERIENCE_BANDS.iter().position(|band| band.contains(number));
        let division = self.divisions.get(&contest).map(|number| FIRST_DIVISION + 3 * number);
        let existing = half.into_iter().flat_map(move |half| {
            let starts = [Some(EXISTING), division].into_iter().flatten();
            starts.flat_map(move |start| [start, start + 1 + half as usize])
        });
        [ALL].into_iter().chain(band.map(|band| ALL + 1 + band)).chain(existing)
    }

    fn of_contest(&self, contest: &ReplayContest<'_>) -> Vec<usize> {
        let entrants = contest.team_ranges().count() as u32;
        let division = self.divisions.get(&contest.row.contest_id).map(|number| 1 + number);
        let first_size = self.contest_labels.len() - SIZE_BANDS.len();
        let size = SIZE_BANDS.iter().position(|band| band.contains(entrants));
        let size = size.map(|band| first_size + band);
        [Some(0), division, size].into_iter().flatten().collect()
    }

    /// Counts the contests of each group in which a system predicts better than the first one.
    fn compare(
        &self,
        contest_groups: &[Vec<usize>],
        contests: &[ContestValues],
        first: &[ContestValues],
    ) -> Vec<ContestsBetter> {
        let mut counts = vec![0; self.contest_labels.len()];
        let mut shares = vec![[WonShare::default(); 3]; self.contest_labels.len()];
        for ((groups, own), first) in contest_groups.iter().zip(contests).zip(first) {
            for &group in groups {
                counts[group] += 1;
                for (share, (own, first)) in shares[group].iter_mut().zip(own.iter().zip(first)) {
                    share.add(*own, *first);
                }
            }
        }
        let groups = self.contest_labels.iter().zip(counts).zip(shares);
        let groups = groups.filter(|((_, contests), _)| *contests > 0);
        let better = groups.map(|((group, contests), shares)| {
            let [kendall_tau, spearman_rho, error] = shares.map(WonShare::percent);
            ContestsBetter {
                group: group.clone(),
                contests,
                kendall_tau,
                spearman_rho,
                error,
            }
        });
        better.collect()
    }
}

/// Half of the places among the entrants with an earlier contest.
#[derive(Clone, Copy)]
enum Half {
    Upper,
    Lower,
}

/// Kendall's tau, Spearman's rho, and the error with its sign changed: the higher, the better.
type ContestValues = [Option<f64>; 3];

/// A count of contests in which the first of two values is better.
#[derive(Clone, Copy, Default)]
struct WonShare {
    half_wins: u64,
    contests: u64,
}

impl WonShare {
    fn add(&mut self, own: Option<f64>, other: Option<f64>) {
        if let (Some(own), Some(other)) = (own, other) {
            self.contests += 1;
            self.half_wins += u64::from(own > other) + u64::from(own >= other);
        }
    }

    fn percent(self) -> Option<f64> {
        (self.contests > 0).then(|| 50.0 * self.half_wins as f64 / self.contests as f64)
    }
}

/// Sums over the results of a group.
#[derive(Clone, Copy, Default)]
struct GroupSums {
    results: u64,
    wins: f64,
    error: f64,
    changes: u64,
    change: f64,
}

/// The performances under one system, contest by contest.
struct Record {
    groups: Vec<GroupSums>,
    contests: Vec<ContestValues>,
    squared_changes: f64,
    largest_gain: f64,
    /// The last rating of each competitor.
    ratings: Vec<Option<f64>>,
    highest: f64,
    newcomer_mu: f64,
}

impl Record {
    fn new(groups: usize, competitors: usize) -> Self {
        Self {
            groups: vec![GroupSums::default(); groups],
            contests: Vec::new(),
            squared_changes: 0.0,
            largest_gain: f64::NEG_INFINITY,
            ratings: vec![None; competitors],
            highest: f64::NEG_INFINITY,
            newcomer_mu: 0.0,
        }
    }

    fn add_contest(
        &mut self,
        groups: &ResultGroups,
        system: &mut SystemReplay,
        contest: &ReplayContest<'_>,
    ) {
        let prediction = system.predict(contest, 0.0);
        let mu: Vec<f64> = prediction.beliefs.iter().map(|belief| belief.mu).collect();
        let performances = rank_performances(&mu, &prediction.groups);
        self.contests.push(value_contest(&prediction, &performances));
        let before: Vec<f64> = contest
            .entrants
            .iter()
            .map(|&entrant| {
                // The last rating, also one after an earlier contest of the same rating period.
                let rating = self.ratings[entrant as usize];
                rating.unwrap_or_else(|| system.mu_before(entrant, contest))
            })
            .collect();
        let mut after = Vec::with_capacity(before.len());
        system.rate(contest, |entrant, state| {
            after.push(state.mu);
            self.ratings[entrant as usize] = Some(state.mu);
            self.highest = self.highest.max(state.mu);
        });
        self.newcomer_mu = system.newcomer_mu();
        let changes: Vec<f64> = after.iter().zip(&before).map(|(after, mu)| after - mu).collect();
        for change in &changes {
            self.squared_changes += change * change;
            self.largest_gain = self.largest_gain.max(*change);
        }
        let halves = find_halves(&prediction);
        let entrants = contest.team_ranges().zip(&performances).zip(&prediction.earlier);
        for (((members, performance), &earlier), half) in entrants.zip(halves) {
            let changes =
                &changes[members.start.min(changes.len())..members.end.min(changes.len())];
            for group in groups.of_entrant(contest.row.contest_id, earlier + 1, half) {
                let sums = &mut self.groups[group];
                sums.results += 1;
                sums.wins += performance.wins;
                sums.error += performance.wins.abs();
                sums.changes += changes.len() as u64;
                sums.change += changes.iter().sum::<f64>();
            }
        }
    }

    fn report(
        self,
        system: String,
        groups: &ResultGroups,
        better: Vec<ContestsBetter>,
    ) -> SystemPerformances {
        let all = self.groups[ALL];
        let changes = all.changes.max(1) as f64;
        let change = all.change / changes;
        let mut ratings: Vec<f64> = self.ratings.into_iter().flatten().collect();
        let sums = groups.labels.iter().zip(&self.groups).filter(|(_, sums)| sums.results > 0);
        SystemPerformances {
            system,
            error: all.error / all.results.max(1) as f64,
            change,
            change_deviation: (self.squared_changes / changes - change * change).max(0.0).sqrt(),
            largest_gain: self.largest_gain,
            initial: self.newcomer_mu,
            median: find_median(&mut ratings),
            highest: self.highest,
            groups: sums.map(|(group, sums)| sums.report(group)).collect(),
            better,
        }
    }
}

impl GroupSums {
    fn report(&self, group: &str) -> GroupPerformance {
        let results = self.results as f64;
        GroupPerformance {
            group: group.to_owned(),
            results: self.results,
            change: (self.changes > 0).then(|| self.change / self.changes as f64),
            performance: self.wins / results,
            error: self.error / results,
        }
    }
}

/// Returns the values of a contest by which systems are compared.
fn value_contest(prediction: &Prediction, performances: &[RankPerformance]) -> ContestValues {
    let accuracy = evaluate_contest(prediction, &Slice::all(), None, 0);
    let error: f64 = performances.iter().map(|performance| performance.wins.abs()).sum();
    [
        accuracy.value(Metric::KendallTau),
        accuracy.value(Metric::SpearmanRho),
        Some(-error / performances.len() as f64),
    ]
}

/// Returns the half of each entrant with an earlier contest; a tie is in that of its middle.
fn find_halves(prediction: &Prediction) -> Vec<Option<Half>> {
    let existing = prediction.earlier.iter().filter(|&&earlier| earlier > 0).count();
    let mut halves = Vec::with_capacity(prediction.earlier.len());
    let mut above = 0;
    let mut start = 0;
    for &end in &prediction.groups {
        let tied = &prediction.earlier[start..end as usize];
        let existing_tied = tied.iter().filter(|&&earlier| earlier > 0).count();
        let half = if 2 * above + existing_tied <= existing {
            Half::Upper
        } else {
            Half::Lower
        };
        halves.extend(tied.iter().map(|&earlier| (earlier > 0).then_some(half)));
        above += existing_tied;
        start = end as usize;
    }
    halves
}

/// Returns the median; not a number without values.
fn find_median(values: &mut [f64]) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let Some(middle) = values.len().checked_sub(1).map(|last| last / 2) else {
        return f64::NAN;
    };
    f64::midpoint(values[middle], values[values.len() / 2])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_are_in_the_half_of_their_middle() {
        let halves = |earlier: &[u32], groups: &[u32]| -> String {
            let prediction = Prediction {
                earlier: earlier.to_vec(),
                groups: groups.to_vec(),
                ..Prediction::default()
            };
            let halves = find_halves(&prediction).into_iter();
            halves
                .map(|half| match half {
                    Some(Half::Upper) => 'u',
                    Some(Half::Lower) => 'l',
                    None => '-',
                })
                .collect()
        };
        assert_eq!(halves(&[1, 2, 3, 4], &[1, 2, 3, 4]), "uull");
        // The middle of an odd number is in the upper half.
        assert_eq!(halves(&[1, 2, 3], &[1, 2, 3]), "uul");
        assert_eq!(halves(&[1, 0, 2, 3, 0, 4], &[1, 2, 3, 4, 5, 6]), "u-ul-l");
        assert_eq!(halves(&[1, 1, 1, 1, 1], &[1, 5]), "ullll");
        assert_eq!(halves(&[1, 1, 1, 1, 1], &[4, 5]), "uuuul");
        assert_eq!(halves(&[0, 0], &[2]), "--");
    }

    #[test]
    fn median_of_an_even_number_is_between() {
        let odd = find_median(&mut [9.0, 1.0, 3.0]);
        let even = find_median(&mut [9.0, 1.0, 3.0, 4.0]);
        assert_eq!((odd, even), (3.0, 3.5));
        assert!(find_median(&mut []).is_nan());
    }
}
