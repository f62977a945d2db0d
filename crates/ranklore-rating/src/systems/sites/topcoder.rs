//! Topcoder's system as the literature compares it: real-valued, any number of entrants.

mod expected_rank;
mod players;

use serde::{Deserialize, Serialize};

use crate::model::{ModelSystem, RatingModel};
use crate::numerics::normal::quantile;
use crate::parameters::{self, InvalidParameter, check_between};
use crate::players::Players;
use crate::search_range::{SHIFT, UNIT, fixed, linear, log};
use crate::system::{RatedEntrant, RatingRound, group_ranges};
use crate::system_info::{Promise, Support, SystemInfo};
use crate::systems::sites::titles::TOPCODER_TITLES;
use crate::unfinished_policy::UnfinishedPolicy;
use crate::win_model::{PerformanceShape, WinModel};

pub(crate) use expected_rank::expected_ranks;
pub(crate) use players::TopcoderPlayer;

/// Parameters of the real-valued Topcoder system. The algorithm is that of Topcoder, Algorithm
/// Competition Rating System, whose formulas have no numbers; Ebtekar and Liu, An Elo-like System
/// for Massive Multiplayer Competitions, 2021, compare it (section 6.2) and give no parameters. The
/// weight of a performance in the k-th contest there is 1/(1 − s) − 1 with the share s = 0.42/k +
/// 0.18. The authors' implementation made both constants parameters; the ranges are this crate's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TopcoderParameters {
    /// Share s of a performance in the new rating in the long run, a plain number; 1e-6 to
    /// 0.999999. By default 0.18, Topcoder's.
    pub weight_limit: f64,
    /// The weight in the first contest; in the k-th it is
    /// `weight_limit` + (`newcomer_weight` − `weight_limit`)/k. 1e-6 to 0.999999. By default
    /// 0.6, which is Topcoder's 0.42 + 0.18.
    pub newcomer_weight: f64,
    /// Rating of a newcomer, in rating points; -1e6 to 1e6. By default 1500, as for Elo-MMR
    /// (Ebtekar and Liu, section 4.2); that of the site is in
    /// [`TopcoderOfficialParameters`](crate::TopcoderOfficialParameters).
    pub initial_mu: f64,
    /// Volatility of a newcomer, in rating points; 0.001 to 1e6. By default 350, likewise.
    pub initial_sigma: f64,
}

impl Default for TopcoderParameters {
    fn default() -> Self {
        Self {
            weight_limit: 0.18,
            newcomer_weight: 0.6,
            initial_mu: 1500.0,
            initial_sigma: 350.0,
        }
    }
}

/// Lower bound of volatilities, in rating points: after hundreds of contests exactly as expected
/// they would vanish, and entrants could not be compared.
const MIN_VOLATILITY: f64 = 1e-3;

/// The weight and the cap of one contest for one entrant.
struct Step {
    /// Weight of the performance against that of the old rating.
    weight: f64,
    /// Largest change of the rating.
    cap: f64,
}

/// The real-valued Topcoder system with the state of all its competitors. Ratings and volatilities
/// give expected ranks; the performance is the advantage of the actual rank, on the scale of the
/// normal distribution. A better place can lead to a lower rating later, through the volatility.
///
/// The sigma of a row is the volatility. Entrants that did not finish are tied for the last place.
pub type Topcoder = ModelSystem<TopcoderParameters>;

impl RatingModel for TopcoderParameters {
    type Player = TopcoderPlayer;

    const INFO: SystemInfo = SystemInfo {
        name: "topcoder",
        summary: "Topcoder's algorithm in real numbers, as the literature compares it",
        source: "Ebtekar and Liu, Elo-MMR: A Rating System for Massive Multiplayer Competitions, 2021, section 6; Topcoder, Algorithm Competition Rating System",
        supports: &[Support::Ties, Support::Weights],
        max_entrants: None,
        drifts_in_games: false,
        promises: &[Promise::Robust],
        unfinished: UnfinishedPolicy::Tied,
        conservative_k: 0.0,
        titles: TOPCODER_TITLES,
        parameters: &[
            log("weight_limit", 0.02, 0.9),
            linear("newcomer_weight", 0.05, 0.95),
            fixed("initial_mu", SHIFT),
            fixed("initial_sigma", UNIT),
        ],
    };

    fn validate(&self) -> Result<(), InvalidParameter> {
        for (name, share) in [
            ("weight_limit", self.weight_limit),
            ("newcomer_weight", self.newcomer_weight),
        ] {
            check_between(name, share, "between 1e-6 and 0.999999", 1e-6..=0.999_999)?;
        }
        parameters::check_newcomer(self.initial_mu, self.initial_sigma)
    }

    fn newcomer(&self) -> TopcoderPlayer {
        TopcoderPlayer::newcomer(self.initial_mu, self.initial_sigma)
    }

    fn win_model(&self) -> WinModel {
        // The volatilities are all the noise: WP of the site.
        WinModel::new(PerformanceShape::Normal, 0.0)
    }

    fn rate(
        &self,
        players: &mut Players<TopcoderPlayer>,
        round: &RatingRound<'_>,
        rated: &mut Vec<RatedEntrant>,
    ) {
        let entrants = round.entrants.iter().map(|&entrant| players[entrant]);
        let prior: Vec<(f64, f64)> = entrants.map(|p| (p.mu, p.volatility)).collect();
        let expected = expected_ranks(&prior, round.weight.sqrt());
        let count = prior.len() as f64;
        for group in group_ranges(round.groups) {
            // A lone winner is at rank ½, since half of the entrant is above its middle.
            let rank = 0.5 * (group.start + group.end) as f64;
            let actual = -quantile(rank / count);
            for entrant in group {
                let player = players[round.entrants[entrant]];
                let Step { weight, cap } = self.step(&player, round.weight);
                let surprise = actual + quantile(expected.ranks[entrant] / count);
                let performance = player.mu + expected.spread * surprise;
                let performance = performance.min(round.performance_ceiling) + 0.0;
                let moved = (performance - player.mu) * (weight / (1.0 + weight));
                let square = player.volatility * player.volatility;
                let volatility = (moved * moved / weight + square / (1.0 + weight)).sqrt();
                rated.push(RatedEntrant {
                    mu: player.mu + moved.clamp(-cap, cap) + 0.0,
                    sigma: volatility.max(MIN_VOLATILITY),
                    performance: Some(performance),
                    volatility: None,
                });
            }
        }
        players.apply_rows(round, rated);
    }
}

impl TopcoderParameters {
    fn step(&self, player: &TopcoderPlayer, round_weight: f64) -> Step {
        let k = f64::from(player.contests) + 1.0;
        let limit = self.weight_limit;
        let share = limit + (self.newcomer_weight - limit) / k;
        // Topcoder's own cap belongs to Topcoder's own shares.
        let usual = 0.18 + 0.42 / k;
        let cap = (150.0 + 1500.0 / (k + 1.0)) * round_weight.sqrt() * share / usual;
        Step {
            weight: player.damping() * round_weight * share / (1.0 - share),
            cap,
        }
    }
}
