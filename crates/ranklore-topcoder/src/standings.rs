//! Standings of a division, with official ratings.

use ranklore_contest::{Entrant, EntrantKind, EntrantOutcome, Place};
use ranklore_source::{ContestOutcome, DisplayName, OfficialRating};

use crate::values::numbers::to_hundredths;

/// A coder who was placed and rated in a division.
pub(crate) struct RatedCoder {
    pub(crate) id: String,
    pub(crate) handle: String,
    pub(crate) points: f64,
    pub(crate) rating: CoderRating,
}

/// Official rating of a coder.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CoderRating {
    /// `None` before the first round, which the site writes as 0.
    pub(crate) before: Option<u32>,
    pub(crate) after: u32,
    /// Volatility, if the document has it.
    pub(crate) volatility: Option<u32>,
}

/// Ranks coders by points; ties keep the order of the document. Requires at least one coder.
pub(crate) fn rank_coders(
    mut coders: Vec<RatedCoder>,
    named: &mut Vec<DisplayName>,
) -> ContestOutcome {
    coders.sort_by_key(|coder| -to_hundredths(coder.points));
    let mut entrants: Vec<Entrant> = Vec::with_capacity(coders.len());
    let mut official = Vec::with_capacity(coders.len());
    let mut above = None;
    for (index, coder) in coders.into_iter().enumerate() {
        let points = to_hundredths(coder.points);
        let shared = entrants.last().map(|above| above.outcome);
        let outcome = match shared {
            Some(shared) if above == Some(points) => shared,
            _ => EntrantOutcome::Finished(Place::from_entrants_above(index as u32)),
        };
        above = Some(points);
        official.push(OfficialRating {
            competitor: coder.id.clone(),
            before: coder.rating.before.map(f64::from),
            after: f64::from(coder.rating.after),
            volatility: coder.rating.volatility.map(f64::from),
        });
        named.push(DisplayName {
            kind: EntrantKind::Person,
            competitor: coder.id.clone(),
            name: coder.handle,
        });
        let score = Some(coder.points);
        entrants.push(Entrant {
            score,
            ..Entrant::person(coder.id, outcome)
        });
    }
    ContestOutcome::Standings { entrants, official }
}
