//! The systems in all their forms, and random contests.

use ranklore_rating::likelihood::{Orientation, UnfinishedModel};
use ranklore_rating::{
    Elo, EloModel, EloPairwise, EloPairwiseParameters, EloParameters, EloUpdate, GradientStep,
    InitialRating, LearningRate, PairAggregation, PlackettLuce, PlackettLuceParameters,
    RatedEntrant, RatingRound, RatingSystem, Thurstone, ThurstoneParameters,
};

use crate::random::Random;

/// The practical adaptations of the note's section 5; none by default.
#[derive(Clone, Default)]
pub(crate) struct Adaptations {
    pub(crate) learning_rate: Option<LearningRate>,
    pub(crate) dummy_mu: Option<f64>,
    pub(crate) floor: Option<f64>,
}

pub(crate) type Make = Box<dyn Fn(&Adaptations) -> Box<dyn RatingSystem>>;

macro_rules! form {
    ($system:ident, $parameters:ident { $($name:ident: $value:expr),* }) => {
        Box::new(|adapted: &Adaptations| -> Box<dyn RatingSystem> {
            let defaults = $parameters::default();
            Box::new(
                $system::new($parameters {
                    $($name: $value,)*
                    learning_rate: adapted.learning_rate.clone().unwrap_or(defaults.learning_rate),
                    dummy_mu: adapted.dummy_mu,
                    floor: adapted.floor,
                    ..defaults
                })
                .unwrap_or_else(|invalid| panic!("{invalid}")),
            )
        })
    };
}

/// All systems for contests of any size, in all their forms.
pub(crate) fn multiplayer_systems() -> Vec<(&'static str, Make)> {
    vec![
        (
            "mean",
            form!(
                EloPairwise,
                EloPairwiseParameters {
                    pairs: PairAggregation::Mean
                }
            ),
        ),
        (
            "sum",
            form!(
                EloPairwise,
                EloPairwiseParameters {
                    pairs: PairAggregation::Sum
                }
            ),
        ),
        (
            "mean, Gaussian",
            form!(
                EloPairwise,
                EloPairwiseParameters {
                    model: EloModel::Gaussian
                }
            ),
        ),
        (
            "sum, Gaussian, bounded",
            form!(
                EloPairwise,
                EloPairwiseParameters {
                    pairs: PairAggregation::Sum,
                    model: EloModel::Gaussian,
                    update: EloUpdate::Bounded
                }
            ),
        ),
        (
            "elimination",
            form!(
                PlackettLuce,
                PlackettLuceParameters {
                    orientation: Orientation::Elimination,
                    step: GradientStep::Plain
                }
            ),
        ),
        (
            "elimination, independent",
            form!(
                PlackettLuce,
                PlackettLuceParameters {
                    block: UnfinishedModel::Independent,
                    step: GradientStep::Plain
                }
            ),
        ),
        (
            "race",
            form!(
                PlackettLuce,
                PlackettLuceParameters {
                    orientation: Orientation::Race,
                    step: GradientStep::Plain
                }
            ),
        ),
        (
            "thurstone",
            form!(
                Thurstone,
                ThurstoneParameters {
                    step: GradientStep::Plain
                }
            ),
        ),
        ("elimination, clipped", form!(PlackettLuce, PlackettLuceParameters {})),
        (
            "independent, clipped",
            form!(
                PlackettLuce,
                PlackettLuceParameters {
                    block: UnfinishedModel::Independent
                }
            ),
        ),
        (
            "race, clipped",
            form!(
                PlackettLuce,
                PlackettLuceParameters {
                    orientation: Orientation::Race
                }
            ),
        ),
        ("thurstone, clipped", form!(Thurstone, ThurstoneParameters {})),
    ]
}

/// The multiplayer systems and the system for contests of two.
pub(crate) fn all_systems() -> Vec<(&'static str, Make)> {
    let mut forms = multiplayer_systems();
    forms.push((
        "elo",
        form!(
            Elo,
            EloParameters {
                model: EloModel::Exponential
            }
        ),
    ));
    forms.push((
        "elo, Gaussian",
        form!(
            Elo,
            EloParameters {
                model: EloModel::Gaussian
            }
        ),
    ));
    forms
}

/// A round with owned slices.
#[derive(Clone, Debug)]
pub(crate) struct Contest {
    pub(crate) entrants: Vec<u32>,
    pub(crate) groups: Vec<u32>,
    pub(crate) finishers: u32,
    pub(crate) weight: f64,
}

impl Contest {
    /// Draws `count` out of `pool`, about one in four tied, the last `unfinished` unfinished.
    pub(crate) fn random(
        random: &mut Random,
        count: usize,
        pool: usize,
        unfinished: usize,
    ) -> Self {
        let mut order: Vec<(usize, u32)> =
            (0..pool as u32).map(|competitor| (random.below(1 << 20), competitor)).collect();
        order.sort_unstable();
        order.truncate(count);
        let finishers = (count - unfinished) as u32;
        let mut groups: Vec<u32> =
            (1..finishers).filter(|&end| end == 1 || random.below(4) != 0).collect();
        groups.push(finishers);
        if unfinished > 0 {
            groups.push(count as u32);
        }
        Self {
            entrants: order.into_iter().map(|(_, competitor)| competitor).collect(),
            groups,
            finishers,
            weight: random.between(0.5, 1.5),
        }
    }

    pub(crate) fn rate(&self, system: &mut dyn RatingSystem) -> Vec<RatedEntrant> {
        let mut rated = Vec::new();
        system.rate(
            &RatingRound {
                finishers: self.finishers,
                weight: self.weight,
                ..RatingRound::new(&self.entrants, &self.groups)
            },
            &mut rated,
        );
        rated
    }
}

/// Creates a system with these initial ratings.
pub(crate) fn started(make: &Make, adapted: &Adaptations, mu: &[f64]) -> Box<dyn RatingSystem> {
    let mut system = make(adapted);
    for (competitor, &mu) in (0..).zip(mu) {
        system.set_initial_rating(competitor, InitialRating { mu, sigma: None });
    }
    system
}

pub(crate) fn ratings(random: &mut Random, count: usize, spread: f64) -> Vec<f64> {
    (0..count).map(|_| random.between(1500.0 - spread, 1500.0 + spread)).collect()
}

/// The gain of each entrant, in their order.
pub(crate) fn gains(make: &Make, adapted: &Adaptations, mu: &[f64], contest: &Contest) -> Vec<f64> {
    let rows = contest.rate(started(make, adapted, mu).as_mut());
    let gain = |(&entrant, row): (&u32, &RatedEntrant)| row.mu - mu[entrant as usize];
    contest.entrants.iter().zip(&rows).map(gain).collect()
}
