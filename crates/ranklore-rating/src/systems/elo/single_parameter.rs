//! Common part of systems with one number per competitor: a rating, and a step along the gradient
//! of the log-likelihood of a contest's outcome (multiplayer note, sections 3 and 5).

use serde::{Deserialize, Serialize};

use crate::parameters::{self, InvalidParameter, check_range};
use crate::players::Players;
use crate::solve::likelihood::RankingOutcome;
use crate::system::{CompetitorIndex, InitialRating, PastResult, RatedEntrant, RatingRound};

/// Bound of ratings, in points: a contest of great weight, or a large learning rate, may overshoot,
/// and further each time.
const MAX_RATING: f64 = 1e6;

/// Points that a rating moves by for a gradient of 1, constant or by rating.
///
/// In JSON a number, or a list of `[rating, rate]` in increasing order of the ratings: linearly
/// interpolated between two of them, outside that of the nearest (multiplayer note, section 5.2).
/// Each rate is 1e-6 to 1e6.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum LearningRate {
    /// The same rate for all ratings.
    Fixed(f64),
    /// Knots: ratings and the rates there.
    Knots(Vec<(f64, f64)>),
}

impl LearningRate {
    /// Returns the rate at a rating.
    #[must_use]
    pub fn at(&self, mu: f64) -> f64 {
        match self {
            Self::Fixed(rate) => *rate,
            Self::Knots(knots) => {
                let next = knots.partition_point(|knot| knot.0 <= mu);
                match (next.checked_sub(1).map(|last| knots[last]), knots.get(next)) {
                    (Some((below, from)), Some(&(above, to))) => {
                        from + (to - from) * ((mu - below) / (above - below))
                    }
                    (Some((_, rate)), None) | (None, Some(&(_, rate))) => rate,
                    (None, None) => 0.0,
                }
            }
        }
    }

    fn validate(&self) -> Result<(), InvalidParameter> {
        let name = "learning_rate";
        let knots = match self {
            Self::Fixed(rate) => return parameters::check_factor(name, *rate),
            Self::Knots(knots) => knots,
        };
        check_range(
            name,
            knots.len() as f64,
            "a number or some knots",
            |count| count > 0.0,
        )?;
        for (index, &(rating, rate)) in knots.iter().enumerate() {
            parameters::check_rating(name, rating)?;
            parameters::check_factor(name, rate)?;
            check_range(name, rating, "knots of increasing ratings", |rating| {
                index == 0 || knots[index - 1].0 < rating
            })?;
        }
        Ok(())
    }
}

/// The common parameters of these systems. Each system documents them in its own struct.
#[derive(Clone, Debug)]
pub(crate) struct SingleParameterSettings {
    pub(crate) scale: f64,
    pub(crate) learning_rate: LearningRate,
    pub(crate) initial_mu: f64,
    pub(crate) dummy_mu: Option<f64>,
    pub(crate) floor: Option<f64>,
}

/// The ratings of all competitors.
#[derive(Debug)]
pub(crate) struct SingleParameter {
    settings: SingleParameterSettings,
    mu: Players<f64>,
}

impl SingleParameter {
    /// Creates the state, without competitors.
    pub(crate) fn new(settings: SingleParameterSettings) -> Result<Self, InvalidParameter> {
        check_range("scale", settings.scale, "between 1 and 1e6", |scale| {
            (1.0..=1e6).contains(&scale)
        })?;
        settings.learning_rate.validate()?;
        parameters::check_rating("initial_mu", settings.initial_mu)?;
        if let Some(dummy) = settings.dummy_mu {
            parameters::check_rating("dummy_mu", dummy)?;
        }
        if let Some(floor) = settings.floor {
            parameters::check_rating("floor", floor)?;
        }
        Ok(Self {
            mu: Players::with_newcomer(settings.initial_mu),
            settings,
        })
    }

    pub(crate) fn set_initial_rating(&mut self, competitor: CompetitorIndex, start: InitialRating) {
        *self.mu.add_competitor(competitor) = start.mu;
    }

    /// Restores a rating: the row contains the whole state of a competitor.
    pub(crate) fn restore(&mut self, competitor: CompetitorIndex, past: &PastResult) {
        *self.mu.add_competitor(competitor) = past.rated.mu;
    }

    pub(crate) fn mu(&self, competitor: CompetitorIndex) -> f64 {
        *self.mu.get(competitor)
    }

    /// Moves all entrants along the gradient that `gradient` returns for an outcome. The dummy, if
    /// any, comes last in it.
    pub(crate) fn rate(
        &mut self,
        round: &RatingRound<'_>,
        rated: &mut Vec<RatedEntrant>,
        gradient: impl FnOnce(&RankingOutcome<'_>) -> Vec<f64>,
    ) {
        rated.clear();
        round.assert_no_teams();
        if !round.has_order() {
            return;
        }
        self.mu.add_entrants(round);
        let ratings = round.entrants.iter().map(|&entrant| self.mu(entrant));
        let mut ratings: Vec<f64> = ratings.map(|mu| mu / self.settings.scale).collect();
        let mut groups = round.groups.to_vec();
        let mut finishers = round.finishers;
        if let Some(dummy) = self.settings.dummy_mu {
            // The dummy shares the last place, whose entrants are unordered.
            ratings.push(dummy / self.settings.scale);
            finishers = groups[groups.len() - 2];
            if let Some(last) = groups.last_mut() {
                *last += 1;
            }
        }
        let gradient = gradient(&RankingOutcome {
            ratings: &ratings,
            groups: &groups,
            finishers,
        });
        rated.reserve(round.entrants.len());
        for (&entrant, gradient) in round.entrants.iter().zip(gradient) {
            let mu = &mut self.mu[entrant];
            let step = round.weight * self.settings.learning_rate.at(*mu) * gradient;
            // A step too long for the gradient overshoots further each time: ratings are bounded.
            let moved = (*mu + step).clamp(-MAX_RATING, MAX_RATING);
            // Adding 0 turns −0 into 0: storage does not keep −0.
            *mu = moved.max(self.settings.floor.unwrap_or(f64::NEG_INFINITY)) + 0.0;
            rated.push(RatedEntrant {
                mu: *mu,
                sigma: 0.0,
                performance: *mu,
                volatility: None,
            });
        }
    }
}
