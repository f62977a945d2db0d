//! Rating systems as a model and the states of its competitors.

use crate::display::{Display, Provisional};
use crate::parameters::InvalidParameter;
use crate::players::{PlayerState, Players};
use crate::sigma_growth::{PeriodGrowth, SigmaGrowth};
use crate::system::{
    CompetitorIndex, InitialRating, PastResult, RatedEntrant, RatingRound, RatingSystem,
};
use crate::system_info::{Support, SystemInfo};
use crate::win_model::{Belief, WinModel};

/// The algorithm of a rating system, with its parameters.
pub trait RatingModel: Send + Sized {
    /// The state of one competitor.
    type Player: PlayerState<Self>;

    /// The description of the system.
    const INFO: SystemInfo;

    /// Errors if a parameter is outside its range.
    fn validate(&self) -> Result<(), InvalidParameter>;

    /// Returns the state of a newcomer.
    fn newcomer(&self) -> Self::Player;

    /// Returns the initial rating of a competitor whose first contest has `event` events before its
    /// own.
    fn newcomer_mu(&self, event: u32) -> f64 {
        let _ = event;
        self.newcomer().belief(self).mu
    }

    /// Returns the formula of the displayed rating.
    fn display(&self) -> Display {
        Display::MU
    }

    /// Returns the rule that marks a rating as provisional.
    fn provisional(&self) -> Provisional {
        Provisional::default()
    }

    /// Returns the rule by which sigma grows between contests, for systems that support
    /// [time](Support::Time).
    fn sigma_growth(&self) -> SigmaGrowth {
        SigmaGrowth::None
    }

    /// Returns the growth of sigma in a [rating period](RatingRound::period) without a contest; none
    /// for systems without periods, and for those without sigma.
    fn period_growth(&self) -> Option<PeriodGrowth> {
        None
    }

    /// Returns the model by which the system predicts a contest of weight 1 between two.
    fn win_model(&self) -> WinModel;

    /// Returns the rating points that the first move, or playing at home, is worth.
    fn advantage(&self) -> f64 {
        0.0
    }

    /// True if ratings stop at [`MAX_RATING`](crate::system::MAX_RATING).
    fn bounds_ratings(&self) -> bool {
        false
    }

    /// Rates a contest with a result and of a supported size: appends the entrants' rows to `rated`
    /// and updates their states, which `players` has.
    fn rate(
        &self,
        players: &mut Players<Self::Player>,
        round: &RatingRound<'_>,
        rated: &mut Vec<RatedEntrant>,
    );
}

/// A rating system: a model with the states of all its competitors.
#[derive(Debug)]
pub struct ModelSystem<M: RatingModel> {
    pub(crate) model: M,
    players: Players<M::Player>,
}

impl<M: RatingModel> ModelSystem<M> {
    /// The description of this system.
    pub const INFO: SystemInfo = M::INFO;

    /// Creates the system, without competitors.
    ///
    /// # Errors
    /// [`InvalidParameter`] if a parameter is outside its range.
    pub fn new(parameters: M) -> Result<Self, InvalidParameter> {
        parameters.validate()?;
        Ok(Self {
            players: Players::with_newcomer(parameters.newcomer()),
            model: parameters,
        })
    }
}

impl<M: RatingModel> RatingSystem for ModelSystem<M> {
    fn set_initial_rating(&mut self, competitor: CompetitorIndex, start: InitialRating) {
        let player = self.players.newcomer.with_initial_rating(&self.model, start);
        *self.players.add_competitor(competitor) = player;
    }

    fn restore(&mut self, competitor: CompetitorIndex, past: &PastResult) {
        self.players.add_competitor(competitor).restore(&self.model, past);
    }

    fn belief(&self, competitor: CompetitorIndex) -> Belief {
        self.players.get(competitor).belief(&self.model)
    }

    fn win_model(&self) -> WinModel {
        self.model.win_model()
    }

    fn advantage(&self) -> f64 {
        self.model.advantage()
    }

    fn bounds_ratings(&self) -> bool {
        self.model.bounds_ratings()
    }

    fn bytes(&self) -> usize {
        self.players.bytes(PlayerState::<M>::heap_bytes)
    }

    fn newcomer_mu(&self, event: u32) -> f64 {
        self.model.newcomer_mu(event)
    }

    fn display(&self) -> Display {
        self.model.display()
    }

    fn provisional(&self) -> Provisional {
        self.model.provisional()
    }

    fn sigma_growth(&self) -> SigmaGrowth {
        self.model.sigma_growth()
    }

    fn period_growth(&self) -> Option<PeriodGrowth> {
        self.model.period_growth()
    }

    fn rate(&mut self, round: &RatingRound<'_>, rated: &mut Vec<RatedEntrant>) {
        rated.clear();
        assert!(
            round.teams.is_none() || M::INFO.supports(Support::Teams),
            "this system does not support teams"
        );
        let size = round.teams.map_or(round.entrants.len(), <[u32]>::len) as u32;
        if round.has_result() && M::INFO.supports_entrants(size) {
            self.players.add_entrants(round);
            rated.reserve(round.entrants.len());
            self.model.rate(&mut self.players, round, rated);
        }
    }
}
