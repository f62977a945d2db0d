//! The replay of a rating system in memory, which predicts each contest before it rates it.

use std::time::{Duration, Instant};

use ranklore_rating::metrics::Prediction;
use ranklore_rating::{Display, RatedEntrant, RatingSystem, WinModel, has_diverged};
use ranklore_store::ContestId;

use crate::predictions::states::{CompetitorState, States, initial_states};
use ranklore_replay::{Identities, RatingPeriod, Replay, ReplayContest, System, Weights};

/// A system between two contests of a replay.
pub(crate) struct SystemReplay {
    rating: Box<dyn RatingSystem>,
    weights: Weights,
    period: Option<RatingPeriod>,
    states: States,
    rated: Vec<RatedEntrant>,
    duration: Duration,
    diverged: Option<ContestId>,
}

impl SystemReplay {
    /// Creates a replay before its first contest.
    pub(crate) fn new(system: System, replay: &Replay<'_>, identities: &Identities) -> Self {
        let mut rating = system.rating;
        replay.set_initial_ratings(&mut *rating, identities);
        Self {
            states: initial_states(&*rating, replay, identities),
            rating,
            weights: system.weights,
            period: system.period,
            rated: Vec::new(),
            duration: Duration::ZERO,
            diverged: None,
        }
    }

    /// Returns the model of win probabilities.
    pub(crate) fn win_model(&self) -> WinModel {
        self.rating.win_model()
    }

    /// Returns how ratings are displayed.
    pub(crate) fn display(&self) -> Display {
        self.rating.display()
    }

    /// Predicts the next contest by mu − k·sigma.
    pub(crate) fn predict(&mut self, contest: &ReplayContest<'_>, k: f64) -> Prediction {
        self.begin_contest(contest);
        self.states.predict_by_rating(contest, k)
    }

    /// Begins the next contest without a prediction.
    pub(crate) fn begin_contest(&mut self, contest: &ReplayContest<'_>) {
        self.states.begin_contest(contest.round_in(self.period).period);
    }

    /// Returns the rating of a competitor before a contest, which began.
    pub(crate) fn mu_before(&self, competitor: u32, contest: &ReplayContest<'_>) -> f64 {
        self.states.mu_before(competitor, contest)
    }

    /// Returns the rating of a newcomer in the next event.
    pub(crate) fn newcomer_mu(&self) -> f64 {
        self.rating.newcomer_mu(self.states.events())
    }

    /// Rates the contest that was predicted or begun, and calls `each` with each entrant and its state.
    pub(crate) fn rate(
        &mut self,
        contest: &ReplayContest<'_>,
        mut each: impl FnMut(u32, CompetitorState),
    ) {
        let mut round = contest.round_in(self.period);
        round.weight = self.weights.weight_of(contest.row);
        round.event = self.states.event_number(contest);
        let start = Instant::now();
        self.rated.clear();
        if round.weight > 0.0 {
            self.rating.rate(&round, &mut self.rated);
        }
        self.duration += start.elapsed();
        if self.diverged.is_none() && has_diverged(&self.rated) {
            self.diverged = Some(contest.row.contest_id);
        }
        for (&entrant, row) in contest.entrants.iter().zip(&self.rated) {
            each(entrant, self.states.add_rating(entrant, row.mu, row.sigma));
        }
        self.states.end_contest(contest, !self.rated.is_empty());
    }

    /// Returns the duration of the ratings, without predictions.
    pub(crate) const fn duration(&self) -> Duration {
        self.duration
    }

    /// Returns the memory of the ratings of all competitors.
    pub(crate) fn bytes(&self) -> u64 {
        self.rating.bytes() as u64
    }

    /// Returns the first contest in which a rating reaches the bound of ratings; `None` for a system
    /// that bounds no rating.
    pub(crate) fn diverged(&self) -> Option<ContestId> {
        self.diverged.filter(|_| self.rating.bounds_ratings())
    }
}
