//! The competitors of a system, and those with a Gaussian belief: the rating and its uncertainty of
//! the last row are their whole state.

use std::f64::consts::PI;
use std::ops::{Index, IndexMut};

use crate::system::{CompetitorIndex, InitialRating, PastResult, RatedEntrant, RatingRound};
use crate::win_model::Belief;

/// The state of one competitor of the model `M`.
pub trait PlayerState<M>: Clone + Send {
    /// Returns the state before the first contest with this initial rating; `self` is a newcomer.
    fn with_initial_rating(&self, model: &M, start: InitialRating) -> Self;

    /// Applies a row of an earlier run.
    fn restore(&mut self, model: &M, past: &PastResult);

    /// Returns the rating and its uncertainty; the variance is the square of a row's sigma.
    fn belief(&self, model: &M) -> Belief;

    /// Returns the memory of the state besides its own size, in bytes.
    fn heap_bytes(&self) -> usize {
        0
    }
}

/// The rating and the uncertainty of one competitor.
#[derive(Clone, Copy, Debug)]
pub struct GaussianPlayer {
    pub(crate) mu: f64,
    pub(crate) sigma: f64,
}

impl GaussianPlayer {
    pub(crate) const fn new(mu: f64, sigma: f64) -> Self {
        Self { mu, sigma }
    }

    /// Returns the row of a contest after which this is the state.
    pub(crate) const fn row(self) -> RatedEntrant {
        RatedEntrant::without_performance(self.mu, self.sigma)
    }
}

impl<M> PlayerState<M> for GaussianPlayer {
    fn with_initial_rating(&self, _: &M, start: InitialRating) -> Self {
        Self {
            mu: start.mu,
            sigma: start.sigma.unwrap_or(self.sigma),
        }
    }

    fn restore(&mut self, _: &M, past: &PastResult) {
        self.mu = past.rated.mu;
        self.sigma = past.rated.sigma;
    }

    fn belief(&self, _: &M) -> Belief {
        Belief::new(self.mu, self.sigma)
    }
}

/// The entrants of a round before it, in their order.
pub(crate) struct EntrantPriors {
    /// Ratings.
    pub(crate) mu: Vec<f64>,
    /// Scales of their logistic performances.
    pub(crate) scale: Vec<f64>,
    /// Variances of their skills.
    pub(crate) variances: Vec<f64>,
}

/// The competitors of a system; an unknown competitor has the state of a newcomer.
#[derive(Clone, Debug)]
pub struct Players<P = GaussianPlayer> {
    pub(crate) newcomer: P,
    known: Vec<P>,
}

impl<P: Clone> Players<P> {
    /// Creates an empty list.
    pub(crate) const fn with_newcomer(newcomer: P) -> Self {
        Self {
            newcomer,
            known: Vec::new(),
        }
    }

    /// Adds the entrants of a round, so that they can be indexed.
    pub(crate) fn add_entrants(&mut self, round: &RatingRound<'_>) {
        self.grow_to(round.entrants.iter().copied().max().unwrap_or(0));
    }

    /// Adds one competitor and returns the state.
    pub(crate) fn add_competitor(&mut self, competitor: CompetitorIndex) -> &mut P {
        self.grow_to(competitor);
        &mut self[competitor]
    }

    /// Returns the state of a competitor, known or not.
    pub(crate) fn get(&self, competitor: CompetitorIndex) -> &P {
        let player = self.known.get(competitor as usize);
        player.unwrap_or(&self.newcomer)
    }

    /// Returns the memory of all states, of which each has `heap_bytes` besides its own size.
    pub(crate) fn bytes(&self, heap_bytes: impl Fn(&P) -> usize) -> usize {
        let on_heap: usize = self.known.iter().map(heap_bytes).sum();
        self.known.capacity() * size_of::<P>() + on_heap
    }

    fn grow_to(&mut self, highest: CompetitorIndex) {
        if self.known.len() <= highest as usize {
            let newcomer = self.newcomer.clone();
            self.known.resize(highest as usize + 1, newcomer);
        }
    }
}

impl Players {
    /// Returns the entrants of a round before it: skills have drifted by the variance `drift`,
    /// performances vary around them by the variance `noise`.
    pub(crate) fn priors(&self, round: &RatingRound<'_>, drift: f64, noise: f64) -> EntrantPriors {
        let count = round.entrants.len();
        let to_scale = 3.0_f64.sqrt() / PI;
        let mut before = EntrantPriors {
            mu: Vec::with_capacity(count),
            scale: Vec::with_capacity(count),
            variances: Vec::with_capacity(count),
        };
        for &competitor in round.entrants {
            let player = self[competitor];
            let variance = player.sigma * player.sigma + drift;
            before.mu.push(player.mu);
            before.scale.push(to_scale * (variance + noise).sqrt());
            before.variances.push(variance);
        }
        before
    }
}

impl<P> Index<CompetitorIndex> for Players<P> {
    type Output = P;

    fn index(&self, competitor: CompetitorIndex) -> &P {
        &self.known[competitor as usize]
    }
}

impl<P> IndexMut<CompetitorIndex> for Players<P> {
    fn index_mut(&mut self, competitor: CompetitorIndex) -> &mut P {
        &mut self.known[competitor as usize]
    }
}
