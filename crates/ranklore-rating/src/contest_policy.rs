//! Policies for contests in which entrants did not finish, or all are tied.

use crate::display::{Display, Provisional};
use crate::sigma_growth::{PeriodGrowth, SigmaGrowth};
use crate::system::{
    CompetitorIndex, InitialRating, PastResult, RatedEntrant, RatingRound, RatingSystem,
};
use crate::unfinished_policy::UnfinishedPolicy;
use crate::win_model::{Belief, WinModel};
use crate::words::words;

/// Treatment of contests whose entrants are all tied, such as drawn games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum AllTied {
    /// Drawn contests are results like any other.
    #[default]
    Rate,
    /// Drawn contests are not rated, and do not count as earlier contests, as in the authors'
    /// implementation of Elo-MMR.
    Skip,
}

words!(AllTied {
    Rate: "rate",
    Skip: "skip",
});

impl AllTied {
    /// True if a contest is rated.
    #[must_use]
    pub const fn rates(self, round: &RatingRound<'_>) -> bool {
        round.has_result()
            && match self {
                Self::Rate => true,
                Self::Skip => round.has_order(),
            }
    }
}

/// The policies of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContestPolicy {
    /// Treatment of entrants that did not finish.
    pub unfinished: UnfinishedPolicy,
    /// Treatment of contests whose entrants are all tied, after the other policy was applied.
    pub all_tied: AllTied,
}

/// A rating system whose contests pass through policies first.
pub struct WithContestPolicy<S: ?Sized> {
    policy: ContestPolicy,
    system: Box<S>,
}

impl<S: RatingSystem + ?Sized> WithContestPolicy<S> {
    /// Wraps `system`, applying a policy to each contest.
    #[must_use]
    pub const fn new(policy: ContestPolicy, system: Box<S>) -> Self {
        Self { policy, system }
    }
}

impl<S: RatingSystem + ?Sized> RatingSystem for WithContestPolicy<S> {
    fn set_initial_rating(&mut self, competitor: CompetitorIndex, start: InitialRating) {
        self.system.set_initial_rating(competitor, start);
    }

    fn restore(&mut self, competitor: CompetitorIndex, past: &PastResult) {
        self.system.restore(competitor, past);
    }

    fn belief(&self, competitor: CompetitorIndex) -> Belief {
        self.system.belief(competitor)
    }

    fn bytes(&self) -> usize {
        self.system.bytes()
    }

    fn win_model(&self) -> WinModel {
        self.system.win_model()
    }

    fn advantage(&self) -> f64 {
        self.system.advantage()
    }

    fn newcomer_mu(&self, event: u32) -> f64 {
        self.system.newcomer_mu(event)
    }

    fn display(&self) -> Display {
        self.system.display()
    }

    fn provisional(&self) -> Provisional {
        self.system.provisional()
    }

    fn sigma_growth(&self) -> SigmaGrowth {
        self.system.sigma_growth()
    }

    fn period_growth(&self) -> Option<PeriodGrowth> {
        self.system.period_growth()
    }

    fn rate(&mut self, round: &RatingRound<'_>, rated: &mut Vec<RatedEntrant>) {
        rated.clear();
        let applied = self.policy.unfinished.apply(round);
        if round.has_result() && self.policy.all_tied.rates(&applied) {
            self.system.rate(&applied, rated);
        }
    }
}
