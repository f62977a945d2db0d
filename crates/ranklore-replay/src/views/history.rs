//! The contests of a competitor one after the other, and what stands out in them.

use std::cmp::Reverse;

use ranklore_contest::{EntrantOutcome, Place};
use ranklore_store::{Completeness, ContestRow};
use serde::{Serialize, Serializer};

use crate::views::coverage::UnratedReason;
use crate::views::names::CompetitorLabel;

/// One contest of a competitor.
#[derive(Clone, Debug, Serialize)]
pub struct PlayerContest {
    /// The contest: external id, name, time, number of entrants, completeness.
    #[serde(flatten, serialize_with = "serialize_contest")]
    pub contest: ContestRow,
    /// The account in the standings; of several in one contest the one that counts.
    #[serde(serialize_with = "CompetitorLabel::serialize_id")]
    pub account: CompetitorLabel,
    /// The team of the competitor, where the run rates people in teams.
    #[serde(serialize_with = "CompetitorLabel::serialize_id_if_any")]
    pub team: Option<CompetitorLabel>,
    /// Place or status.
    #[serde(flatten, serialize_with = "serialize_outcome")]
    pub outcome: EntrantOutcome,
    /// The rating after it; none if the run has none.
    #[serde(flatten, serialize_with = "serialize_step")]
    pub rating: Option<RatingStep>,
    /// The reason why it is not rated now; none if it is. A stale run may have a rating of it all
    /// the same.
    pub unrated: Option<UnratedReason>,
}

/// The keys of a contest in the history of a competitor.
#[derive(Serialize)]
struct ContestKeys<'a> {
    /// The id within the source.
    contest: &'a str,
    /// The name as published.
    name: &'a str,
    /// The time of the results, in Unix seconds.
    ends_at: Option<i64>,
    /// The number of entrants.
    entrants: u32,
    /// The number of items announced by the site and received, if the site announces any.
    completeness: Option<&'a Completeness>,
}

fn serialize_contest<S: Serializer>(
    contest: &ContestRow,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let keys = ContestKeys {
        contest: &contest.external_id,
        name: &contest.name,
        ends_at: contest.ends_at,
        entrants: contest.entrants,
        completeness: contest.completeness.as_ref(),
    };
    keys.serialize(serializer)
}

/// The keys of a result: one of them is null.
#[derive(Serialize)]
struct OutcomeKeys {
    /// The place; 1 is first, ties share the lowest.
    place: Option<u32>,
    /// `dnf` or `dq`.
    status: Option<&'static str>,
}

/// Serialises a result into the object that contains it.
pub(crate) fn serialize_outcome<S: Serializer>(
    outcome: &EntrantOutcome,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let keys = OutcomeKeys {
        place: outcome.place().map(Place::get),
        status: outcome.status(),
    };
    keys.serialize(serializer)
}

/// The keys of a rating after a contest; all null if there is none.
#[derive(Default, Serialize)]
struct StepKeys {
    /// The rating.
    mu: Option<f64>,
    /// The uncertainty of the rating.
    sigma: Option<f64>,
    /// The performance in this contest alone; null in the run `official`.
    performance: Option<f64>,
    /// The change of mu; null for the first contest.
    change: Option<f64>,
}

fn serialize_step<S: Serializer>(
    step: &Option<RatingStep>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let keys = step.map_or_else(StepKeys::default, |step| StepKeys {
        mu: Some(step.mu),
        sigma: Some(step.sigma),
        performance: step.performance,
        change: step.change,
    });
    keys.serialize(serializer)
}

/// The rating of a competitor after a contest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatingStep {
    /// The rating after it.
    pub mu: f64,
    /// Its uncertainty.
    pub sigma: f64,
    /// How well they did in this contest alone, in systems that say so.
    pub performance: Option<f64>,
    /// How far mu moved; none in the first contest.
    pub change: Option<f64>,
}

/// Rated contests that stand out; the earlier among equals.
#[derive(Clone, Debug, Serialize)]
pub struct Highlights {
    /// The highest mu.
    pub highest: PlayerContest,
    /// The lowest mu.
    pub lowest: PlayerContest,
    /// The best place, in the largest field.
    pub best_place: Option<PlayerContest>,
    /// The place furthest down its field.
    pub worst_place: Option<PlayerContest>,
    /// The largest gain.
    pub gain: Option<PlayerContest>,
    /// The largest loss.
    pub loss: Option<PlayerContest>,
}

/// What stands out in a history; nothing if nothing in it is rated.
pub(crate) fn find_highlights(history: &[PlayerContest]) -> Option<Highlights> {
    let mu = |step: &RatingStep, _: &PlayerContest| Some(step.mu);
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
    key: impl Fn(&RatingStep, &PlayerContest) -> Option<K>,
) -> Option<PlayerContest> {
    let mut greatest: Option<(K, &PlayerContest)> = None;
    for of in history {
        let Some(key) = of.rating.as_ref().and_then(|step| key(step, of)) else {
            continue;
        };
        if greatest.as_ref().is_none_or(|(most, _)| key > *most) {
            greatest = Some((key, of));
        }
    }
    greatest.map(|(_, contest)| contest.clone())
}
