//! Upsets: the entrants of a contest that finished furthest from their predicted place.

use std::cmp::Reverse;

use serde::Serialize;

use crate::names::labels::CompetitorLabel;

/// The number of upsets in each direction, at most.
const MAX_UPSETS: usize = 5;

/// The smallest distance of an upset, as a share of the field.
const MIN_SHARE: f64 = 0.2;

/// The smallest distance of an upset, in places: in a field of five, one place would be enough.
const MIN_PLACES: u32 = 2;

/// Entrants that finished far from their predicted place, furthest first, at most five in each
/// direction.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Upsets {
    /// Entrants that placed better than predicted.
    #[serde(rename = "better_than_predicted")]
    pub above: Vec<Upset>,
    /// Entrants that placed worse than predicted.
    #[serde(rename = "worse_than_predicted")]
    pub below: Vec<Upset>,
}

/// An entrant that finished far from its predicted place. Places are among entrants rated before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Upset {
    /// The index of the entry.
    #[serde(skip)]
    pub entry: usize,
    /// The competitor of the entry; set in every view.
    #[serde(flatten)]
    pub competitor: Option<CompetitorLabel>,
    /// The status of an entrant that did not finish.
    #[serde(skip)]
    pub status: Option<&'static str>,
    /// The predicted place.
    pub predicted: u32,
    /// The actual place.
    pub place: u32,
    /// The number of rivals whose order relative to the entrant was predicted wrongly.
    pub reversed: u32,
    /// The number of entrants rated higher; lower, if it placed worse than predicted.
    pub rivals: u32,
}

/// An entrant with an earlier rating.
pub(crate) struct PredictedEntrant {
    /// The index of the entry.
    pub(crate) entry: usize,
    /// The place; all unfinished entrants share one behind the finishers.
    pub(crate) rank: u32,
    /// The place by rating.
    pub(crate) predicted: u32,
}

/// Finds the upsets among entrants that are in the order of place.
pub(crate) fn find_upsets(entrants: &[PredictedEntrant]) -> Upsets {
    let mut predicted: Vec<u32> = entrants.iter().map(|entrant| entrant.predicted).collect();
    predicted.sort_unstable();
    let least = (MIN_SHARE * entrants.len() as f64).max(f64::from(MIN_PLACES));
    let mut above = Vec::new();
    let mut below = Vec::new();
    for entrant in entrants {
        // A tied entrant has all places of the tie; the nearest one counts.
        let place = entrants.partition_point(|other| other.rank < entrant.rank) as u32 + 1;
        let last_place = entrants.partition_point(|other| other.rank <= entrant.rank) as u32;
        let last_predicted = predicted.partition_point(|&other| other <= entrant.predicted) as u32;
        let places_above = entrant.predicted.saturating_sub(last_place);
        if f64::from(places_above) >= least {
            above.push((places_above, entrant, place));
        }
        let places_below = place.saturating_sub(last_predicted);
        if f64::from(places_below) >= least {
            below.push((places_below, entrant, place));
        }
    }
    let above = furthest(above).map(|(_, entrant, place)| {
        let higher = entrants.iter().filter(|other| other.predicted < entrant.predicted);
        Upset::new(entrant, place, higher.map(|other| other.rank > entrant.rank))
    });
    let below = furthest(below).map(|(_, entrant, place)| {
        let lower = entrants.iter().filter(|other| other.predicted > entrant.predicted);
        Upset::new(entrant, place, lower.map(|other| other.rank < entrant.rank))
    });
    Upsets {
        above: above.collect(),
        below: below.collect(),
    }
}

impl Upset {
    /// Creates an upset. `rivals` has true for each rival whose order was predicted wrongly.
    fn new(entrant: &PredictedEntrant, place: u32, rivals: impl Iterator<Item = bool>) -> Self {
        let rivals: Vec<bool> = rivals.collect();
        Self {
            entry: entrant.entry,
            competitor: None,
            status: None,
            predicted: entrant.predicted,
            place,
            reversed: rivals.iter().map(|&lost| u32::from(lost)).sum(),
            rivals: rivals.len() as u32,
        }
    }
}

/// Selects the entrants that are the most places off, in the order of place among equals.
fn furthest(
    mut entrants: Vec<(u32, &PredictedEntrant, u32)>,
) -> impl Iterator<Item = (u32, &PredictedEntrant, u32)> {
    entrants.sort_by_key(|&(places, ..)| Reverse(places));
    entrants.into_iter().take(MAX_UPSETS)
}
