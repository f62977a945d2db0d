//! A contest with its prediction, and the entrants of it that a slice selects.

use super::slice::EntrantFilter;
use crate::Belief;
use crate::system::group_ranges;

/// The prediction for one contest and its result, in order of place. Evaluations that are to be
/// compared have the same contests, with their entrants in the same order.
#[derive(Clone, Debug, Default)]
pub struct Prediction {
    /// The entrants before the contest. Their order by `mu`, which is not NaN, is the prediction;
    /// the rest is for win probabilities.
    pub beliefs: Vec<Belief>,
    /// The index of the competitor of each entrant; of a team, of its first member. Intervals
    /// allow for the competitors that contests share. May be empty.
    pub competitors: Vec<u32>,
    /// Number of earlier contests with an order, for each entrant.
    pub earlier: Vec<u32>,
    /// Ends of the tie groups, as in [`RatingRound::groups`](crate::RatingRound::groups).
    pub groups: Vec<u32>,
    /// The number of entrants that finished. The others are the last group and are not ordered
    /// among themselves.
    pub finishers: u32,
    /// The number of the contest, from which its sample of pairs is drawn.
    pub number: u64,
    /// The number of the event, from 0: the divisions of an event share it. Intervals resample
    /// events.
    pub event: u32,
    /// The indices of the slices made by [`Slice::of_contests`](super::Slice::of_contests) that
    /// the contest belongs to.
    pub slices: Vec<usize>,
}

/// The selected entrants of a contest, by place. There are at least two, of whom one finished.
pub(super) struct SelectedContest {
    /// Indices of the entrants in the prediction.
    pub(super) entrants: Vec<u32>,
    pub(super) beliefs: Vec<Belief>,
    /// For each entrant the start and the end of the tie group.
    pub(super) ties: Vec<(u32, u32)>,
    pub(super) finishers: usize,
}

impl SelectedContest {
    /// Selects entrants; `None` if no two of them have a result. A tie that reaches beyond the last
    /// place stays whole.
    pub(super) fn new(prediction: &Prediction, filter: EntrantFilter) -> Option<Self> {
        let mut entrants = Vec::new();
        let mut ties = Vec::new();
        for group in group_ranges(&prediction.groups) {
            let first = entrants.len() as u32;
            if first >= filter.last_place {
                break;
            }
            let selected = group.filter(|&i| filter.earlier.contains(prediction.earlier[i]));
            entrants.extend(selected.map(|i| i as u32));
            let after = entrants.len() as u32;
            ties.extend((first..after).map(|_| (first, after)));
        }
        let finishers = entrants.partition_point(|&i| i < prediction.finishers);
        (entrants.len() >= 2 && finishers > 0).then(|| Self {
            beliefs: entrants.iter().map(|&i| prediction.beliefs[i as usize]).collect(),
            finishers,
            entrants,
            ties,
        })
    }

    /// True if all entrants tie: there is no order to predict, but an expected score of ½.
    pub(super) fn is_all_tied(&self) -> bool {
        self.ties[0].1 as usize == self.ties.len()
    }
}
