//! Elo-MMR(ρ): logistic performances, a robust update (paper, algorithms 1 to 3).

use pulp::Arch;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::display::{Display, Provisional};
use crate::model::{ModelSystem, RatingModel};
use crate::numerics::dispatch::dispatch;
use crate::parameters::{self, InvalidParameter, check_between, check_range};
use crate::players::{PlayerState, Players};
use crate::search_range::{ACCURACY, FLAG, NO_NUMBER, SHIFT, UNIT, choice, fixed, linear, log};
use crate::sigma_growth::{SECONDS_PER_DAY, SigmaGrowth};
use crate::solve::belief::{MmrBelief, Noise, SCALE_OF_DEVIATION, TransferCache};
use crate::solve::performance::{logistic_performances, logistic_unfinished};
use crate::system::{InitialRating, PastResult, RatedEntrant, RatingRound};
use crate::system_info::{Promise, Support, SystemInfo};
use crate::teams::{MemberPrior, PerformanceSolvers, member_credits};
use crate::unfinished_policy::UnfinishedPolicy;
use crate::win_model::{Belief, PerformanceShape, WinModel};

/// Entrants updated together. Fixed, so that the number of threads changes no bit.
const RUN_LENGTH: usize = 256;

/// Number of histories prefetched from memory at a time.
const PREFETCHED: usize = 16;

/// Parameters of Elo-MMR(ρ) and, without `rho` and `history_limit`, of Elo-MMX (Ebtekar and Liu, An
/// Elo-like System for Massive Multiplayer Competitions, 2021).
///
/// The paper has β², the variance of a performance around the skill (section 3.1), and γ², the
/// variance that a skill gains before a contest (section 4), both free (section 4.2) and without
/// numbers. Here, as in the authors' implementation, both follow from a weight and an uncertainty.
///
/// With w = `weight_limit` · contest weight · `newcomer_weights[n]` for an entrant of n earlier
/// contests (1 past the end of the list),
/// β² is (1 + 1/w)·`sigma_limit`² + `drift_per_day`/w and
/// γ² is w·`sigma_limit`² + `drift_per_day`·(days since the last contest).
/// So w is the weight of one contest against all before it, and `sigma_limit` the uncertainty that
/// remains in the long run: if `drift_per_day` is 0, equation 8 reproduces it after each contest.
/// The ranges are this crate's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EloMmrParameters {
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
    /// Speed at which old performances transfer weight to the Gaussian part of the belief, relative
    /// to their decay, ρ, a plain number: from 0 (never) to infinity, written `inf` (at once);
    /// section 4.2, equation 11. Inverse momentum (section 5.2). By default 1, as in the authors'
    /// implementation; from 0 to 1 it matters little (section 6.4).
    #[serde(with = "parameters::extended")]
    pub rho: f64,
    /// True if a tie is half a win and half a loss (footnote 3), instead of one of each (section
    /// 3.1). By default false, as in the paper.
    pub split_ties: bool,
    /// Factors on the weight of a competitor's first contests, one per contest, plain numbers; each
    /// 1e-6 to 1e6. Not in the paper, but in the authors' implementation; none by default, as
    /// there.
    pub newcomer_weights: Vec<f64>,
    /// Number of past performances kept separately, from 0; older ones are merged into the Gaussian
    /// part (section 5.3, history compression). Absent by default: then performances are merged
    /// once all merged ones together move a rating by less than its rounding, and about
    /// 40/((1 + `rho`)·w) remain, 111 with the default parameters. The paper's experiments keep 500
    /// (section 6.2). Merging preserves the current rating but not all later ones: with few kept, a
    /// better place may be worth a little less later.
    pub history_limit: Option<usize>,
    /// Rating of a newcomer, `μ_init`, in rating points; -1e6 to 1e6. By default 1500, which
    /// the paper calls common (section 4.2).
    pub initial_mu: f64,
    /// Uncertainty of a newcomer, `σ_init`, in rating points; 0.001 to 1e6. By default 350,
    /// likewise (section 4.2).
    pub initial_sigma: f64,
}

impl Default for EloMmrParameters {
    fn default() -> Self {
        Self {
            weight_limit: 0.2,
            sigma_limit: 80.0,
            drift_per_day: 0.0,
            rho: 1.0,
            split_ties: false,
            newcomer_weights: Vec::new(),
            history_limit: None,
            initial_mu: 1500.0,
            initial_sigma: 350.0,
        }
    }
}

impl EloMmrParameters {
    fn contest_noise(&self) -> ContestNoise<'_> {
        ContestNoise {
            weight_limit: self.weight_limit,
            sigma_limit: self.sigma_limit,
            drift_per_day: self.drift_per_day,
            newcomer_weights: &self.newcomer_weights,
        }
    }
}

/// The noise of contests, common to Elo-MMR(ρ) and Elo-MMX.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContestNoise<'a> {
    pub(crate) weight_limit: f64,
    pub(crate) sigma_limit: f64,
    pub(crate) drift_per_day: f64,
    pub(crate) newcomer_weights: &'a [f64],
}

impl ContestNoise<'_> {
    pub(crate) fn validate(&self) -> Result<(), InvalidParameter> {
        parameters::check_factor("weight_limit", self.weight_limit)?;
        parameters::check_uncertainty("sigma_limit", self.sigma_limit)?;
        let drift = self.drift_per_day;
        check_between("drift_per_day", drift, "between 0 and 1e9", 0.0..=1e9)?;
        for &weight in self.newcomer_weights {
            parameters::check_factor("newcomer_weights", weight)?;
        }
        Ok(())
    }

    /// Returns for an entrant with this attendance the variance γ² that the skill gains before the
    /// contest, and the noise of the performance in it.
    #[inline(always)]
    pub(crate) fn for_attendance(
        &self,
        contest_weight: f64,
        ends_at: i64,
        attendance: Attendance,
    ) -> (f64, Noise) {
        let weight = self.weight(contest_weight, attendance.contests);
        let days = attendance.days_until(ends_at);
        (self.skill_growth(weight, days), self.performance_noise(weight))
    }

    /// Returns γ² + β² of a contest of weight 1 for an entrant without newcomer weights who has not
    /// drifted since the last contest.
    pub(crate) fn long_run(&self) -> f64 {
        let weight = self.weight_limit;
        self.skill_growth(weight, 0.0) + self.performance_noise(weight).variance
    }

    /// Returns the weight w of a contest of weight `contest_weight` for an entrant of `earlier`
    /// contests.
    #[inline(always)]
    fn weight(&self, contest_weight: f64, earlier: u32) -> f64 {
        let newcomer = self.newcomer_weights.get(earlier as usize);
        self.weight_limit * contest_weight * newcomer.copied().unwrap_or(1.0)
    }

    /// Returns the variance of a performance around the skill, β².
    #[inline(always)]
    fn performance_noise(&self, weight: f64) -> Noise {
        Noise {
            variance: (1.0 + 1.0 / weight) * self.sigma_limit * self.sigma_limit
                + self.drift_per_day / weight,
        }
    }

    /// Returns the variance that a skill gains before a contest, γ².
    #[inline(always)]
    fn skill_growth(&self, weight: f64, days: f64) -> f64 {
        weight * self.sigma_limit * self.sigma_limit + self.drift_per_day * days
    }
}

/// The time of a competitor's last contest and the number of contests.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Attendance {
    contests: u32,
    last_ends_at: i64,
}

impl Attendance {
    /// Returns the days since the last contest; 0 before the first.
    #[inline(always)]
    fn days_until(self, now: i64) -> f64 {
        if self.contests == 0 {
            0.0
        } else {
            now.saturating_sub(self.last_ends_at).max(0) as f64 / SECONDS_PER_DAY
        }
    }

    #[inline(always)]
    pub(crate) fn attend(&mut self, now: i64) {
        self.contests += 1;
        self.last_ends_at = now;
    }
}

#[derive(Clone, Debug)]
pub struct EloMmrPlayer {
    belief: MmrBelief,
    attendance: Attendance,
}

/// The steps around a performance, the same for new and for restored ones.
impl EloMmrPlayer {
    fn newcomer(mu: f64, sigma: f64) -> Self {
        Self {
            belief: MmrBelief::new(mu, sigma),
            attendance: Attendance::default(),
        }
    }

    /// Lets the skill drift until a contest and returns the noise of the performance in it.
    #[inline(always)]
    fn enter_contest(
        &mut self,
        weight: f64,
        ends_at: i64,
        noise: ContestNoise<'_>,
        transfer: &mut TransferCache,
    ) -> Noise {
        let (growth, noise) = noise.for_attendance(weight, ends_at, self.attendance);
        self.belief.diffuse(growth, transfer);
        noise
    }

    /// Ends a contest after its performance was observed.
    #[inline(always)]
    fn leave_contest(&mut self, ends_at: i64, history_limit: Option<usize>) {
        if let Some(limit) = history_limit {
            self.belief.merge_beyond(limit);
        }
        self.attendance.attend(ends_at);
    }
}

impl PlayerState<EloMmrParameters> for EloMmrPlayer {
    fn with_initial_rating(&self, model: &EloMmrParameters, start: InitialRating) -> Self {
        Self::newcomer(start.mu, start.sigma.unwrap_or(model.initial_sigma))
    }

    fn restore(&mut self, model: &EloMmrParameters, past: &PastResult) {
        // Not dispatched: almost nothing here is in lanes, and the bits are the same.
        let individual_noise = TransferCache::with(model.rho, |transfer| {
            self.enter_contest(past.weight, past.ends_at, model.contest_noise(), transfer)
        });
        let rated = &past.rated;
        let noise = rated.volatility.map_or(individual_noise, |variance| Noise { variance });
        let performance = rated.performance.unwrap_or(rated.mu);
        self.belief.restore(performance, noise, rated.mu);
        self.leave_contest(past.ends_at, model.history_limit);
    }

    fn belief(&self, _: &EloMmrParameters) -> Belief {
        Belief::new(self.belief.mu, self.belief.variance.sqrt())
    }

    fn heap_bytes(&self) -> usize {
        self.belief.heap_bytes()
    }
}

/// Elo-MMR(ρ) with the state of all its competitors.
///
/// Members of teams are rated by their teams' results (paper, section 3.3). In their rows
/// [`volatility`](RatedEntrant::volatility) is the variance of the performance around the skill, to
/// which teammates add. Entrants that did not finish lost to every finisher and to no other
/// entrant. Works for all ρ from 0 to infinity; ρ = ∞ keeps no history. The time for a career is
/// linear in its contests, once they are more than 40/((1 + ρ)·w).
pub type EloMmr = ModelSystem<EloMmrParameters>;

impl RatingModel for EloMmrParameters {
    type Player = EloMmrPlayer;

    const INFO: SystemInfo = SystemInfo {
        name: "elo-mmr",
        summary: "Elo-MMR(ρ): logistic performances, robust",
        source: "Ebtekar and Liu, Elo-MMR: A Rating System for Massive Multiplayer Competitions, 2021",
        supports: &[
            Support::Ties,
            Support::Teams,
            Support::Weights,
            Support::Time,
        ],
        max_entrants: None,
        drifts_in_games: false,
        promises: &[Promise::IncentiveCompatible, Promise::Robust],
        unfinished: UnfinishedPolicy::Censored,
        conservative_k: 3.0,
        titles: &[],
        parameters: &[
            log("weight_limit", 0.02, 2.0),
            log("sigma_limit", 20.0, 320.0),
            linear("drift_per_day", 0.0, 200.0),
            log("rho", 0.05, 20.0),
            choice("split_ties", FLAG),
            fixed("newcomer_weights", NO_NUMBER),
            fixed("history_limit", ACCURACY),
            fixed("initial_mu", SHIFT),
            fixed("initial_sigma", UNIT),
        ],
    };

    fn validate(&self) -> Result<(), InvalidParameter> {
        self.contest_noise().validate()?;
        check_range("rho", self.rho, "0 or more, or inf", |rho| rho >= 0.0)?;
        parameters::check_newcomer(self.initial_mu, self.initial_sigma)
    }

    fn newcomer(&self) -> EloMmrPlayer {
        EloMmrPlayer::newcomer(self.initial_mu, self.initial_sigma)
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
        WinModel::new(PerformanceShape::LogisticEach, self.contest_noise().long_run())
    }

    fn rate(
        &self,
        players: &mut Players<EloMmrPlayer>,
        round: &RatingRound<'_>,
        rated: &mut Vec<RatedEntrant>,
    ) {
        in_pool(round.entrants.len(), || {
            self.rate_all(players, round, rated);
        });
    }
}

impl EloMmrParameters {
    fn rate_all(
        &self,
        players: &mut Players<EloMmrPlayer>,
        round: &RatingRound<'_>,
        rated: &mut Vec<RatedEntrant>,
    ) {
        let competitors = round.entrants.iter();
        let mut entrants: Vec<MmrEntrant> = competitors
            .map(|&competitor| MmrEntrant {
                // Taken out for the round, so that runs of entrants can be updated in parallel.
                player: std::mem::replace(
                    &mut players[competitor],
                    EloMmrPlayer::newcomer(0.0, 1.0),
                ),
                noise: Noise { variance: 1.0 },
                performance: 0.0,
            })
            .collect();
        let arch = Arch::new();
        let noise = self.contest_noise();
        for_each_run(&mut entrants, |entrants| {
            TransferCache::with(self.rho, |transfer| {
                dispatch!(arch, diffuse(entrants, round, noise, transfer));
            });
        });
        let members: Vec<MemberPrior> = entrants.iter().map(MmrEntrant::member).collect();
        let solvers: PerformanceSolvers = (logistic_performances, logistic_unfinished);
        let credits = member_credits(round, &members, SCALE_OF_DEVIATION, self.split_ties, solvers);
        for (entrant, credit) in entrants.iter_mut().zip(&credits) {
            entrant.performance = credit.performance;
            // Teammates add to the variance of the performance.
            if let Some(variance) = credit.variance {
                entrant.noise = Noise { variance };
            }
        }
        for_each_run(&mut entrants, |entrants| {
            dispatch!(arch, update(entrants, round.ends_at, self.history_limit));
        });
        for ((&competitor, entrant), credit) in round.entrants.iter().zip(entrants).zip(credits) {
            rated.push(RatedEntrant {
                mu: entrant.player.belief.mu,
                sigma: entrant.player.belief.variance.sqrt(),
                performance: Some(credit.performance),
                volatility: credit.variance,
            });
            players[competitor] = entrant.player;
        }
    }
}

/// Runs `work`, the rating of `entrants`, on a thread of the pool if it has parallel steps: each of
/// them would otherwise hand over to the pool and wait for it.
pub(crate) fn in_pool(entrants: usize, work: impl FnOnce() + Send) {
    if entrants <= RUN_LENGTH {
        work();
    } else {
        rayon::scope(|_| work());
    }
}

/// Applies `work` to runs of entrants, in parallel if there are several.
pub(crate) fn for_each_run<T: Send>(entrants: &mut [T], work: impl Fn(&mut [T]) + Send + Sync) {
    if entrants.len() <= RUN_LENGTH {
        work(entrants);
    } else {
        entrants.par_chunks_mut(RUN_LENGTH).for_each(work);
    }
}

/// A player during a round.
struct MmrEntrant {
    player: EloMmrPlayer,
    noise: Noise,
    performance: f64,
}

impl MmrEntrant {
    fn member(&self) -> MemberPrior {
        MemberPrior {
            mu: self.player.belief.mu,
            variance: self.player.belief.variance,
            noise: self.noise.variance,
        }
    }
}

#[inline(always)]
fn diffuse(
    entrants: &mut [MmrEntrant],
    round: &RatingRound<'_>,
    noise: ContestNoise<'_>,
    transfer: &mut TransferCache,
) {
    let weight = round.weight;
    let ends_at = round.ends_at;
    for entrant in entrants {
        let player = &mut entrant.player;
        entrant.noise = player.enter_contest(weight, ends_at, noise, transfer);
    }
}

#[inline(always)]
fn update(entrants: &mut [MmrEntrant], now: i64, history_limit: Option<usize>) {
    for chunk in entrants.chunks_mut(PREFETCHED) {
        // Histories are scattered over memory: prefetching overlaps their cache misses.
        for entrant in &*chunk {
            entrant.player.belief.prefetch();
        }
        for entrant in chunk {
            let player = &mut entrant.player;
            player.belief.observe(entrant.performance, entrant.noise);
            player.leave_contest(now, history_limit);
        }
    }
}
