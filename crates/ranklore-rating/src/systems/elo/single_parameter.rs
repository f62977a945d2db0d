//! Common part of systems with one number per competitor: a rating, and a step along the gradient
//! of the log-likelihood of a contest's outcome (multiplayer note, sections 3 and 5).

use serde::{Deserialize, Serialize};

use crate::display::Display;
use crate::model::RatingModel;
use crate::open_period::OpenPeriod;
use crate::parameters::{self, InvalidParameter, check_between, check_range};
use crate::players::{PlayerState, Players};
use crate::solve::likelihood::RankingOutcome;
use crate::system::{InitialRating, MAX_RATING, PastResult, RatedEntrant, RatingRound};
use crate::system_info::{Support, SystemInfo};
use crate::win_model::{Belief, WinModel};

/// Points that a rating moves by for a gradient of 1, constant or by rating.
///
/// In JSON a number, or a list of `[rating, rate]` in increasing order of the ratings: linearly
/// interpolated between two of them, outside that of the nearest (multiplayer note, section 5.2).
/// Each rate is 1e-6 to 1e6.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected a number, or a list of [rating, rate]")]
pub enum LearningRate {
    /// A rate for all ratings.
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
        check_range(name, knots.len() as f64, "a number or some knots", |count| count > 0.0)?;
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

/// Limit of the steps along a gradient.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GradientStep {
    /// Each component of the gradient is clipped to ±(1 + ln N) in a contest of N > 2 entrants, the
    /// dummy included; the weight of the contest multiplies the step. Equals stay within it, unless
    /// unfinished entrants are independent. Clipping gains reduces all losses by one factor, and
    /// the reverse, so that they still sum to zero and no loss becomes a gain. A contest of two is
    /// Elo and has no limit.
    #[default]
    Clipped,
    /// No limit (multiplayer note): an upset in a contest of N can move a rating by N learning
    /// rates.
    Plain,
}

impl GradientStep {
    /// Limits a gradient whose sum is zero.
    pub(crate) fn limit(self, mut gradient: Vec<f64>) -> Vec<f64> {
        let limit = 1.0 + libm::log(gradient.len() as f64);
        let is_unlimited = self == Self::Plain || gradient.len() == 2;
        if is_unlimited || gradient.iter().all(|gradient| gradient.abs() <= limit) {
            return gradient;
        }
        for gradient in &mut gradient {
            *gradient = gradient.clamp(-limit, limit);
        }
        // Sorted, since the last bits of a sum depend on the order.
        let mut sorted = gradient.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        let (losses, gains) = sorted.split_at(sorted.partition_point(|&gradient| gradient < 0.0));
        let total_loss = -losses.iter().sum::<f64>();
        let total_gain = gains.iter().sum::<f64>();
        let loss_factor = (total_gain / total_loss).min(1.0);
        let gain_factor = (total_loss / total_gain).min(1.0);
        for gradient in &mut gradient {
            let is_loss = *gradient < 0.0;
            *gradient *= if is_loss { loss_factor } else { gain_factor };
        }
        gradient
    }
}

/// The common parameters of these systems. Each system documents them in its own struct.
#[derive(Clone, Copy, Debug)]
pub struct SingleParameterSettings<'a> {
    pub(crate) scale: f64,
    pub(crate) learning_rate: &'a LearningRate,
    pub(crate) initial_mu: f64,
    pub(crate) dummy_mu: Option<f64>,
    pub(crate) floor: Option<f64>,
    pub(crate) advantage: f64,
    pub(crate) win_model: WinModel,
}

/// A likelihood of outcomes: the part in which these systems differ.
pub trait GradientModel: Send {
    /// The description of the system.
    const INFO: SystemInfo;

    /// Returns the common parameters.
    fn settings(&self) -> SingleParameterSettings<'_>;

    /// Returns the gradient of the log-likelihood, in the order of the outcome's ratings.
    fn gradient(&self, outcome: &RankingOutcome<'_>) -> Vec<f64>;
}

/// The state of a competitor.
#[derive(Clone, Copy, Debug)]
pub struct SingleParameterPlayer {
    mu: f64,
    /// The rating before a period, and the sum of the steps in it.
    period: OpenPeriod<f64, f64>,
}

impl SingleParameterPlayer {
    fn new(mu: f64) -> Self {
        Self {
            mu,
            period: OpenPeriod::new(mu),
        }
    }
}

impl<M> PlayerState<M> for SingleParameterPlayer {
    fn with_initial_rating(&self, _: &M, start: InitialRating) -> Self {
        Self::new(start.mu)
    }

    fn restore(&mut self, _: &M, past: &PastResult) {
        self.mu = past.rated.mu;
        self.period.restore(past.period);
    }

    fn belief(&self, _: &M) -> Belief {
        Belief::new(self.mu, 0.0)
    }
}

impl<G: GradientModel> RatingModel for G {
    type Player = SingleParameterPlayer;

    const INFO: SystemInfo = G::INFO;

    fn validate(&self) -> Result<(), InvalidParameter> {
        let settings = self.settings();
        check_between("scale", settings.scale, "between 1 and 1e6", 1.0..=1e6)?;
        settings.learning_rate.validate()?;
        let ratings = [
            ("initial_mu", Some(settings.initial_mu)),
            ("dummy_mu", settings.dummy_mu),
            ("floor", settings.floor),
        ];
        for (name, rating) in ratings {
            // Far from the bound of ratings, which ends a run.
            check_between(name, rating.unwrap_or(0.0), "between -1e5 and 1e5", -1e5..=1e5)?;
        }
        parameters::check_advantage(settings.advantage)
    }

    fn newcomer(&self) -> SingleParameterPlayer {
        SingleParameterPlayer::new(self.settings().initial_mu)
    }

    fn display(&self) -> Display {
        Display::mu_in_scale(self.settings().scale)
    }

    fn win_model(&self) -> WinModel {
        self.settings().win_model
    }

    fn advantage(&self) -> f64 {
        self.settings().advantage
    }

    fn bounds_ratings(&self) -> bool {
        true
    }

    /// Moves all entrants along the gradient. The dummy, if any, comes last in the outcome.
    fn rate(
        &self,
        players: &mut Players<SingleParameterPlayer>,
        round: &RatingRound<'_>,
        rated: &mut Vec<RatedEntrant>,
    ) {
        let settings = self.settings();
        let period = round.period.filter(|_| G::INFO.supports(Support::Periods));
        let entrants = round.entrants.iter().enumerate();
        let mut ratings: Vec<f64> = entrants
            .map(|(index, &competitor)| {
                let player = &mut players[competitor];
                player.period.enter(period, player.mu);
                let advantage = round.advantage_of(index, settings.advantage);
                (player.period.before + advantage) / settings.scale
            })
            .collect();
        let mut groups = round.groups.to_vec();
        let mut finishers = round.finishers;
        // Where all are tied there is no place below them.
        if let (Some(dummy), &[.., last_but_one, _]) = (settings.dummy_mu, round.groups) {
            // The dummy shares the last place, whose entrants are unordered.
            ratings.push(dummy / settings.scale);
            finishers = last_but_one;
            if let Some(last) = groups.last_mut() {
                *last += 1;
            }
        }
        let gradient = self.gradient(&RankingOutcome {
            ratings: &ratings,
            groups: &groups,
            finishers,
        });
        for (&entrant, gradient) in round.entrants.iter().zip(gradient) {
            let SingleParameterPlayer { mu, period } = &mut players[entrant];
            period.sums += round.weight * settings.learning_rate.at(period.before) * gradient;
            // A step too long for the gradient overshoots further each time.
            let moved = (period.before + period.sums).clamp(-MAX_RATING, MAX_RATING);
            // Adding 0 turns −0 into 0: storage does not keep −0.
            *mu = moved.max(settings.floor.unwrap_or(f64::NEG_INFINITY)) + 0.0;
            rated.push(RatedEntrant::without_performance(*mu, 0.0));
        }
    }
}
