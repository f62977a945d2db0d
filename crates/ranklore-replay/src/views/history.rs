//! The contests of a competitor one after the other, and what stands out in them.

use std::cmp::Reverse;

use ranklore_contest::{Outcome, Place};
use ranklore_store::{CompetitorId, CompetitorRow, ContestRow};

use crate::views::coverage::Unrated;

/// One contest of a competitor.
#[derive(Clone, Debug)]
pub struct PlayerContest {
    /// Which.
    pub contest: ContestRow,
    /// The account they stood under; of several in one contest the one that counts.
    pub account: CompetitorId,
    /// The team they stood in, where the run rates people in teams.
    pub team: Option<CompetitorRow>,
    /// How it went.
    pub outcome: Outcome,
    /// What the run made of it; none if it has no rating of it.
    pub rating: Option<Step>,
    /// Why it is not rated, as things are now; none if it is. A run that is stale may have a
    /// rating of it all the same.
    pub unrated: Option<Unrated>,
}

/// What a contest made of a rating.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// The rating after it.
    pub mu: f64,
    /// Its uncertainty.
    pub sigma: f64,
    /// How well they did in this contest alone, in systems that say so.
    pub performance: Option<f64>,
    /// How far mu moved; none in the first contest.
    pub change: Option<f64>,
}

/// Rated contests that stand out, as indices of the history; the earlier among equals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Highlights {
    /// The highest mu.
    pub highest: usize,
    /// The lowest mu.
    pub lowest: usize,
    /// The best place, in the largest field.
    pub best_place: Option<usize>,
    /// The place furthest down its field.
    pub worst_place: Option<usize>,
    /// The largest gain.
    pub gain: Option<usize>,
    /// The largest loss.
    pub loss: Option<usize>,
}

/// What stands out in a history; nothing if nothing in it is rated.
pub(crate) fn highlights(history: &[PlayerContest]) -> Option<Highlights> {
    let mu = |step: &Step, _: &PlayerContest| Some(step.mu);
    let place = |of: &PlayerContest| of.outcome.place().map(Place::get);
    let share = |of: &PlayerContest| Some(f64::from(place(of)?) / f64::from(of.contest.entrants));
    Some(Highlights {
        highest: greatest(history, mu)?,
        lowest: greatest(history, |step, of| mu(step, of).map(|mu| -mu))?,
        best_place: greatest(history, |_, of| {
            Some((Reverse(place(of)?), of.contest.entrants))
        }),
        worst_place: greatest(history, |_, of| share(of)),
        gain: greatest(history, |step, _| step.change.filter(|&by| by > 0.0)),
        loss: greatest(history, |step, _| {
            step.change.filter(|&by| by < 0.0).map(|by| -by)
        }),
    })
}

/// The first rated contest with the greatest key.
fn greatest<K: PartialOrd>(
    history: &[PlayerContest],
    key: impl Fn(&Step, &PlayerContest) -> Option<K>,
) -> Option<usize> {
    let mut greatest: Option<(K, usize)> = None;
    for (index, of) in history.iter().enumerate() {
        let Some(key) = of.rating.as_ref().and_then(|step| key(step, of)) else {
            continue;
        };
        if greatest.as_ref().is_none_or(|(most, _)| key > *most) {
            greatest = Some((key, index));
        }
    }
    greatest.map(|(_, index)| index)
}
