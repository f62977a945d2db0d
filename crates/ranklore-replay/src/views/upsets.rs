//! Upsets: whom the ratings before a contest were furthest wrong about.

use std::cmp::Reverse;

use serde::Serialize;

use crate::views::names::CompetitorLabel;

/// As many are named on either side.
const MAX_UPSETS: usize = 5;

/// Fewer places than this share of the field are no upset …
const MIN_SHARE: f64 = 0.2;

/// … nor is a single place, which is a fifth of a field of five.
const MIN_PLACES: u32 = 2;

/// Who finished far from where they were predicted, furthest first, at most five of either kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Upsets {
    /// Better than predicted.
    #[serde(rename = "better_than_predicted")]
    pub above: Vec<Upset>,
    /// Worse than predicted.
    #[serde(rename = "worse_than_predicted")]
    pub below: Vec<Upset>,
}

/// Somebody who finished far from where they were predicted. Places are among those who had been
/// rated before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Upset {
    /// The index of the entry.
    #[serde(skip)]
    pub entry: usize,
    /// The competitor of the entry; set in every view.
    #[serde(flatten)]
    pub competitor: Option<CompetitorLabel>,
    /// The predicted place.
    pub predicted: u32,
    /// The place in the end.
    pub place: u32,
    /// So many of `rivals` it went against the prediction with.
    pub reversed: u32,
    /// How many were rated higher, or lower for those who did worse than predicted.
    pub rivals: u32,
}

/// An entrant who had been rated before.
pub(crate) struct PredictedEntrant {
    /// Which of the entries.
    pub(crate) entry: usize,
    /// The place, with everybody who did not finish behind all others.
    pub(crate) rank: u32,
    /// The place by rating.
    pub(crate) predicted: u32,
}

/// Finds the upsets among entrants that are in the order of place.
pub(crate) fn find_upsets(known: &[PredictedEntrant]) -> Upsets {
    let mut by_rating: Vec<u32> = known.iter().map(|of| of.predicted).collect();
    by_rating.sort_unstable();
    let (mut above, mut below) = (Vec::new(), Vec::new());
    for of in known {
        // Whoever is tied has all places of the tie; the nearest ones tell.
        let place = known.partition_point(|other| other.rank < of.rank) as u32 + 1;
        let last_place = known.partition_point(|other| other.rank <= of.rank) as u32;
        let last_predicted = by_rating.partition_point(|&other| other <= of.predicted) as u32;
        above.push((of.predicted.saturating_sub(last_place), of, place));
        below.push((place.saturating_sub(last_predicted), of, place));
    }
    let above = furthest(above, known.len()).map(|(_, of, place)| {
        let higher = known.iter().filter(|other| other.predicted < of.predicted);
        Upset::new(of, place, higher.map(|other| other.rank > of.rank))
    });
    let below = furthest(below, known.len()).map(|(_, of, place)| {
        let lower = known.iter().filter(|other| other.predicted > of.predicted);
        Upset::new(of, place, lower.map(|other| other.rank < of.rank))
    });
    Upsets {
        above: above.collect(),
        below: below.collect(),
    }
}

impl Upset {
    /// `rivals` says of each whether it went against the prediction.
    fn new(of: &PredictedEntrant, place: u32, rivals: impl Iterator<Item = bool>) -> Self {
        let rivals: Vec<bool> = rivals.collect();
        Self {
            entry: of.entry,
            competitor: None,
            predicted: of.predicted,
            place,
            reversed: rivals.iter().map(|&lost| u32::from(lost)).sum(),
            rivals: rivals.len() as u32,
        }
    }
}

/// Those off by most places, in a field of so many; in the order of place among equals.
fn furthest(
    mut all: Vec<(u32, &PredictedEntrant, u32)>,
    field: usize,
) -> impl Iterator<Item = (u32, &PredictedEntrant, u32)> {
    let least = (MIN_SHARE * field as f64).max(f64::from(MIN_PLACES));
    all.retain(|&(places, ..)| f64::from(places) >= least);
    all.sort_by_key(|&(places, ..)| Reverse(places));
    all.into_iter().take(MAX_UPSETS)
}
