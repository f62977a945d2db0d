//! Elo-MMX: Gaussian performances, a Gaussian update (paper, sections 3 and 4).

use serde::{Deserialize, Serialize};

use crate::display::{Display, Provisional};
use crate::model::{ModelSystem, RatingModel};
use crate::parameters::{self, InvalidParameter};
use crate::players::{PlayerState, Players};
use crate::search_range::{FLAG, NO_NUMBER, SHIFT, UNIT, choice, fixed, linear, log};
use crate::sigma_growth::SigmaGrowth;
use crate::solve::performance::{gaussian_performances, gaussian_unfinished};
use crate::system::{InitialRating, PastResult, RatedEntrant, RatingRound};
use crate::system_info::{Promise, Support, SystemInfo};
use crate::systems::mmr::elo_mmr::{Attendance, ContestNoise, in_pool};
use crate::teams::{MemberPrior, PerformanceSolvers, member_credits};
use crate::unfinished_policy::UnfinishedPolicy;
use crate::win_model::{Belief, PerformanceShape, WinModel};

/// Parameters of Elo-MMX (Ebtekar and Liu, An Elo-like System for Massive Multiplayer Competitions,
/// 2021): those of [`EloMmrParameters`](crate::EloMmrParameters) without the history, which a
/// Gaussian belief does not have; see there for the derivation of the paper's β² (section 3.1) and
/// γ² (section 4). Neither they nor their defaults are in the paper, unless noted otherwise; the
/// ranges are this crate's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EloMmxParameters {
    /// Weight of one contest in the long run, a plain number; 1e-6 to 1e6. By default 0.2, as
    /// in the authors' implementation.
    pub weight_limit: f64,
    /// Uncertainty in the long run, in rating points: the σ of equation 8 that γ² and β² hold
    /// in balance; 0.001 to 1e6. By default 80, as in the authors' implementation.
    pub sigma_limit: f64,
    /// Variance that a skill gains a day between contests, in points² a day; 0 to 1e9. The part
    /// of γ² that grows with time, as the paper says of Glicko (section 4). By default 0, as in
    /// the authors' implementation: only contests count.
    pub drift_per_day: f64,
    /// True if a tie is half a win and half a loss (footnote 3), instead of a term of its own, the
    /// density of equal performances (theorem 3.2). By default false, as in the paper.
    pub split_ties: bool,
    /// Factors on the weight of a competitor's first contests, one per contest, plain numbers; each
    /// 1e-6 to 1e6. Not in the paper, but in the authors' implementation; none by default, as
    /// there.
    pub newcomer_weights: Vec<f64>,
    /// Rating of a newcomer, `μ_init`, in rating points; -1e6 to 1e6. By default 1500, which
    /// the paper calls common (section 4.2).
    pub initial_mu: f64,
    /// Uncertainty of a newcomer, `σ_init`, in rating points; 0.001 to 1e6. By default 350,
    /// likewise (section 4.2).
    pub initial_sigma: f64,
}

impl Default for EloMmxParameters {
    fn default() -> Self {
        Self {
            weight_limit: 0.2,
            sigma_limit: 80.0,
            drift_per_day: 0.0,
            split_ties: false,
            newcomer_weights: Vec::new(),
            initial_mu: 1500.0,
            initial_sigma: 350.0,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct EloMmxPlayer {
    mu: f64,
    variance: f64,
    attendance: Attendance,
}

/// The steps around a performance, the same for new and for restored ones.
impl EloMmxPlayer {
    /// Lets the skill drift until a contest and returns β² of the performance in it.
    fn enter_contest(&mut self, weight: f64, ends_at: i64, noise: ContestNoise<'_>) -> f64 {
        let (growth, noise) = noise.for_attendance(weight, ends_at, self.attendance);
        self.variance += growth;
        noise.variance
    }

    /// Returns the rating after a performance.
    fn mu_after(&self, performance: f64, beta_squared: f64) -> f64 {
        let share = self.variance / (self.variance + beta_squared);
        // Adding 0 turns −0 into 0: storage does not keep −0.
        self.mu + (performance - self.mu) * share + 0.0
    }

    /// Ends a contest after which the rating is `mu`.
    fn leave_contest(&mut self, mu: f64, beta_squared: f64, ends_at: i64) {
        self.mu = mu;
        self.variance *= beta_squared / (self.variance + beta_squared);
        self.attendance.attend(ends_at);
    }
}

impl PlayerState<EloMmxParameters> for EloMmxPlayer {
    fn with_initial_rating(&self, model: &EloMmxParameters, start: InitialRating) -> Self {
        let sigma = start.sigma.unwrap_or(model.initial_sigma);
        Self {
            mu: start.mu,
            variance: sigma * sigma,
            ..*self
        }
    }

    fn restore(&mut self, model: &EloMmxParameters, past: &PastResult) {
        let individual_noise = self.enter_contest(past.weight, past.ends_at, model.contest_noise());
        let beta_squared = past.rated.volatility.unwrap_or(individual_noise);
        self.leave_contest(past.rated.mu, beta_squared, past.ends_at);
    }

    fn belief(&self, _: &EloMmxParameters) -> Belief {
        Belief::new(self.mu, self.variance.sqrt())
    }
}

/// Elo-MMX with the state of all its competitors. It keeps no history, and unlike Elo-MMR(ρ) it is
/// not robust: an extreme performance moves a rating without bound.
///
/// Members of teams are rated by their teams' results (paper, section 3.3). In their rows
/// [`volatility`](RatedEntrant::volatility) is the variance of the performance around the skill, to
/// which teammates add. Entrants that did not finish lost to every finisher and to no other
/// entrant.
pub type EloMmx = ModelSystem<EloMmxParameters>;

impl RatingModel for EloMmxParameters {
    type Player = EloMmxPlayer;

    const INFO: SystemInfo = SystemInfo {
        name: "elo-mmx",
        summary: "Elo-MMX: Gaussian performances, simple and fast, not robust",
        source: "Ebtekar and Liu, Elo-MMR: A Rating System for Massive Multiplayer Competitions, 2021",
        supports: &[
            Support::Ties,
            Support::Teams,
            Support::Weights,
            Support::Time,
        ],
        max_entrants: None,
        drifts_in_games: false,
        promises: &[Promise::IncentiveCompatible],
        unfinished: UnfinishedPolicy::Censored,
        conservative_k: 3.0,
        titles: &[],
        parameters: &[
            log("weight_limit", 0.02, 2.0),
            log("sigma_limit", 20.0, 320.0),
            linear("drift_per_day", 0.0, 200.0),
            choice("split_ties", FLAG),
            fixed("newcomer_weights", NO_NUMBER),
            fixed("initial_mu", SHIFT),
            fixed("initial_sigma", UNIT),
        ],
    };

    fn validate(&self) -> Result<(), InvalidParameter> {
        self.contest_noise().validate()?;
        parameters::check_newcomer(self.initial_mu, self.initial_sigma)
    }

    fn newcomer(&self) -> EloMmxPlayer {
        EloMmxPlayer {
            mu: self.initial_mu,
            variance: self.initial_sigma * self.initial_sigma,
            attendance: Attendance::default(),
        }
    }

    fn display(&self) -> Display {
        Display::mu_in_scale(self.initial_sigma)
    }

    fn provisional(&self) -> Provisional {
        Provisional::by_sigma(0.28 * self.initial_sigma)
    }

    fn sigma_growth(&self) -> SigmaGrowth {
        SigmaGrowth::per_day(self.drift_per_day)
    }

    fn win_model(&self) -> WinModel {
        WinModel::new(PerformanceShape::Normal, self.contest_noise().long_run())
    }

    fn rate(
        &self,
        players: &mut Players<EloMmxPlayer>,
        round: &RatingRound<'_>,
        rated: &mut Vec<RatedEntrant>,
    ) {
        let noise = self.contest_noise();
        let entrants = round.entrants.iter();
        let members: Vec<MemberPrior> = entrants
            .map(|&competitor| {
                let player = &mut players[competitor];
                let noise = player.enter_contest(round.weight, round.ends_at, noise);
                MemberPrior {
                    mu: player.mu,
                    variance: player.variance,
                    noise,
                }
            })
            .collect();
        let solvers: PerformanceSolvers = (gaussian_performances, gaussian_unfinished);
        let mut credits = Vec::new();
        in_pool(members.len(), || {
            credits = member_credits(round, &members, 1.0, self.split_ties, solvers);
        });
        for ((&competitor, member), credit) in round.entrants.iter().zip(members).zip(credits) {
            let noise = credit.variance.unwrap_or(member.noise);
            let player = &mut players[competitor];
            let mu = player.mu_after(credit.performance, noise);
            player.leave_contest(mu, noise, round.ends_at);
            rated.push(RatedEntrant {
                mu,
                sigma: player.variance.sqrt(),
                performance: Some(credit.performance),
                volatility: credit.variance,
            });
        }
    }
}

impl EloMmxParameters {
    fn contest_noise(&self) -> ContestNoise<'_> {
        ContestNoise {
            weight_limit: self.weight_limit,
            sigma_limit: self.sigma_limit,
            drift_per_day: self.drift_per_day,
            newcomer_weights: &self.newcomer_weights,
        }
    }
}
