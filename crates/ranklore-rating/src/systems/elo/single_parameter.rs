//! What systems with one number a competitor have in common: a rating, and a step along the
//! gradient of what a contest's outcome says about it (multiplayer note, sections 3 and 5).

use serde::{Deserialize, Serialize};

use crate::parameters::{self, InvalidParameter, check};
use crate::players::Players;
use crate::solve::likelihood::Outcome;
use crate::system::{CompetitorIndex, Past, Rated, Round, Start};

/// Ratings end here, in points: a game of great weight, or of a large learning rate, may throw a
/// rating beyond where it came from, and further each time.
const FARTHEST: f64 = 1e6;

/// Points that a rating moves by for a gradient of 1, the same for all or by rating.
///
/// In JSON a number, or a list of `[rating, rate]` in increasing order of the ratings: between
/// two of them the rate is interpolated linearly, outside it is that of the nearest
/// (multiplayer note, section 5.2). Each rate is 1e-6 to 1e6.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum LearningRate {
    /// The same whatever the rating.
    Fixed(f64),
    /// By rating: ratings and the rates there.
    Knots(Vec<(f64, f64)>),
}

impl LearningRate {
    /// The rate at a rating.
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
            Self::Fixed(rate) => return parameters::factor(name, *rate),
            Self::Knots(knots) => knots,
        };
        check(
            name,
            knots.len() as f64,
            "a number or some knots",
            |count| count > 0.0,
        )?;
        for (index, &(rating, rate)) in knots.iter().enumerate() {
            parameters::rating(name, rating)?;
            parameters::factor(name, rate)?;
            check(name, rating, "knots of increasing ratings", |rating| {
                index == 0 || knots[index - 1].0 < rating
            })?;
        }
        Ok(())
    }
}

/// The parameters that all systems of one number have. Each says in its own what they are.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) scale: f64,
    pub(crate) learning_rate: LearningRate,
    pub(crate) initial_mu: f64,
    pub(crate) dummy_mu: Option<f64>,
    pub(crate) floor: Option<f64>,
}

/// Everybody's rating.
#[derive(Debug)]
pub(crate) struct SingleParameter {
    settings: Settings,
    mu: Players<f64>,
}

impl SingleParameter {
    /// With nobody rated yet.
    pub(crate) fn new(settings: Settings) -> Result<Self, InvalidParameter> {
        check("scale", settings.scale, "between 1 and 1e6", |scale| {
            (1.0..=1e6).contains(&scale)
        })?;
        settings.learning_rate.validate()?;
        parameters::rating("initial_mu", settings.initial_mu)?;
        if let Some(dummy) = settings.dummy_mu {
            parameters::rating("dummy_mu", dummy)?;
        }
        if let Some(floor) = settings.floor {
            parameters::rating("floor", floor)?;
        }
        Ok(Self {
            mu: Players::of(settings.initial_mu),
            settings,
        })
    }

    pub(crate) fn start(&mut self, competitor: CompetitorIndex, start: Start) {
        *self.mu.meet_one(competitor) = start.mu;
    }

    /// A rating is all there is to know of a competitor, and it stands in the row.
    pub(crate) fn recall(&mut self, competitor: CompetitorIndex, past: &Past) {
        *self.mu.meet_one(competitor) = past.rated.mu;
    }

    pub(crate) fn mu(&self, competitor: CompetitorIndex) -> f64 {
        *self.mu.get(competitor)
    }

    /// Moves everybody along the gradient that `gradient` gives for an outcome in which, where
    /// there is a dummy, it stands last.
    pub(crate) fn rate(
        &mut self,
        round: &Round<'_>,
        rated: &mut Vec<Rated>,
        gradient: impl FnOnce(&Outcome<'_>) -> Vec<f64>,
    ) {
        rated.clear();
        round.assert_alone();
        if !round.has_order() {
            return;
        }
        self.mu.meet(round);
        let ratings = round.entrants.iter().map(|&entrant| self.mu(entrant));
        let mut ratings: Vec<f64> = ratings.map(|mu| mu / self.settings.scale).collect();
        let mut groups = round.groups.to_vec();
        let mut finishers = round.finishers;
        if let Some(dummy) = self.settings.dummy_mu {
            // It shares the last place, and nothing is known of those who do among themselves.
            ratings.push(dummy / self.settings.scale);
            finishers = groups[groups.len() - 2];
            if let Some(last) = groups.last_mut() {
                *last += 1;
            }
        }
        let gradient = gradient(&Outcome {
            ratings: &ratings,
            groups: &groups,
            finishers,
        });
        rated.reserve(round.entrants.len());
        for (&entrant, gradient) in round.entrants.iter().zip(gradient) {
            let mu = &mut self.mu[entrant];
            let step = round.weight * self.settings.learning_rate.at(*mu) * gradient;
            // A step too long for the gradient throws ratings further each time: they end somewhere.
            let moved = (*mu + step).clamp(-FARTHEST, FARTHEST);
            // Adding 0 makes −0 a 0, so that the rating may be stored where −0 is lost.
            *mu = moved.max(self.settings.floor.unwrap_or(f64::NEG_INFINITY)) + 0.0;
            rated.push(Rated {
                mu: *mu,
                sigma: 0.0,
                performance: *mu,
                volatility: None,
            });
        }
    }
}
