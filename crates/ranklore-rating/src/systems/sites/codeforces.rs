//! The rating system of Codeforces as the paper evaluates it: real numbers, no corrections.

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

use crate::model::{ModelSystem, RatingModel};
use crate::parameters::{self, InvalidParameter};
use crate::players::{GaussianPlayer, Players};
use crate::search_range::{DISPLAY, SHIFT, UNIT, fixed, log};
use crate::solve::performance::{ExpectedLosses, Opponents, Slope};
use crate::system::{RatedEntrant, RatingRound};
use crate::system_info::{Promise, Support, SystemInfo};
use crate::systems::sites::titles::CODEFORCES_TITLES;
use crate::unfinished_policy::UnfinishedPolicy;
use crate::win_model::WinModel;

/// Parameters of the real-valued Codeforces system. The algorithm is that of Mirzayanov, Open
/// Codeforces Rating System, 2015, whose formulas have no numbers; Ebtekar and Liu, An Elo-like
/// System for Massive Multiplayer Competitions, 2021, compare it (section 6.2) and give no
/// parameters. `beta` and `weight` are those of their implementation, the ranges this crate's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CodeforcesParameters {
    /// Standard deviation of the logistic difference of two entrants' performances, in rating
    /// points; 0.001 to 1e6. A contest of weight W has beta/√W. By default π/√3 · 400/ln 10, which
    /// gives Mirzayanov's win probability `1/(1 + 10^((r_j − r_i)/400))`: a lead of 400 points wins
    /// ten times in eleven.
    pub beta: f64,
    /// Weight of one performance against the previous rating, a plain number; 1e-6 to 1e6.
    /// Multiplied by the weight of the contest. By default 1, with which the rating moves half the
    /// way, as in Mirzayanov's `d_i = (R − r_i)/2`.
    pub weight: f64,
    /// Rating of a newcomer, in rating points; -1e6 to 1e6. By default 1500, as for Elo-MMR
    /// (Ebtekar and Liu, section 4.2); that of the site is in
    /// [`CodeforcesOfficialParameters`](crate::CodeforcesOfficialParameters).
    pub initial_mu: f64,
    /// Uncertainty shown with every rating, in rating points; 0.001 to 1e6. The system computes
    /// none; by default 350, the newcomer's of other systems.
    pub initial_sigma: f64,
}

impl Default for CodeforcesParameters {
    fn default() -> Self {
        Self {
            beta: 315.089_222_066_618_85,
            weight: 1.0,
            initial_mu: 1500.0,
            initial_sigma: 350.0,
        }
    }
}

/// The Codeforces system with the state of all its competitors.
///
/// The performance is the rating whose expected rank (the seed) would be the geometric mean of the
/// competitor's expected and actual rank, where a tie has the mean of its places. The rating moves
/// towards it. Entrants that did not finish are tied for the last place.
pub type Codeforces = ModelSystem<CodeforcesParameters>;

impl RatingModel for CodeforcesParameters {
    type Player = GaussianPlayer;

    const INFO: SystemInfo = SystemInfo {
        name: "codeforces",
        summary: "Codeforces in real numbers: halfway to the rating of the rank between expected and actual",
        source: "Mirzayanov, Open Codeforces Rating System, 2015, as in Ebtekar and Liu, Elo-MMR, 2021",
        supports: &[Support::Ties, Support::Weights],
        max_entrants: None,
        drifts_in_games: false,
        promises: &[Promise::IncentiveCompatible],
        unfinished: UnfinishedPolicy::Tied,
        conservative_k: 0.0,
        titles: CODEFORCES_TITLES,
        parameters: &[
            fixed("beta", UNIT),
            log("weight", 0.05, 10.0),
            fixed("initial_mu", SHIFT),
            fixed("initial_sigma", DISPLAY),
        ],
    };

    fn validate(&self) -> Result<(), InvalidParameter> {
        parameters::check_uncertainty("beta", self.beta)?;
        parameters::check_factor("weight", self.weight)?;
        parameters::check_newcomer(self.initial_mu, self.initial_sigma)
    }

    fn newcomer(&self) -> GaussianPlayer {
        GaussianPlayer::new(self.initial_mu, self.initial_sigma)
    }

    fn win_model(&self) -> WinModel {
        WinModel::logistic(3.0_f64.sqrt() / PI * self.beta)
    }

    fn rate(&self, players: &mut Players, round: &RatingRound<'_>, rated: &mut Vec<RatedEntrant>) {
        let mu: Vec<f64> =
            round.entrants.iter().map(|&competitor| players[competitor].mu).collect();
        let beta = self.beta / round.weight.sqrt();
        let performances = performances(&mu, round.groups, 3.0_f64.sqrt() / PI * beta);
        let weight = self.weight * round.weight;
        for (&competitor, performance) in round.entrants.iter().zip(performances) {
            // Adding 0 turns −0 into 0, here and below.
            let performance = performance.min(round.performance_ceiling) + 0.0;
            let player = &mut players[competitor];
            player.mu = (player.mu + weight * performance) / (1.0 + weight) + 0.0;
            rated.push(RatedEntrant {
                performance: Some(performance),
                ..player.row()
            });
        }
    }
}

/// The performances of all entrants, best place first: the zeros at which the expected rank ½ +
/// δ̄·L is the geometric mean of the expected rank at the entrant's own rating and of the actual
/// rank.
fn performances(mu: &[f64], groups: &[u32], scale: f64) -> Vec<f64> {
    let losses = ExpectedLosses::new(&Opponents {
        mu,
        scale: &vec![scale; mu.len()],
        groups,
    });
    // Between the first and the last place; each entrant, the own one included, is half a place.
    let mean_rank = |rank: f64, expected_rank: f64| (rank * expected_rank).sqrt() - 0.5;
    let expected_rank = |losses: f64| 0.5 + scale * losses;
    let rating_of = |losses: &ExpectedLosses, targets: &[f64], low: f64, high: f64| {
        losses.zeros(targets.len(), low, high, |index, _, all| Slope {
            value: all.value - targets[index] / scale,
            ..all
        })
    };
    // All mean ranks lie between those of the highest rated in the first place and of the lowest
    // rated in the last.
    let (lowest, highest) = losses.bounds();
    let ranks: Vec<f64> = ranks(groups).collect();
    let least = mean_rank(ranks[0], expected_rank(losses.at(highest).value));
    let most = mean_rank(ranks[mu.len() - 1], expected_rank(losses.at(lowest).value));
    // A rating this far below or above all N entrants loses N − ½ or ½, with a margin of a point.
    let reach = scale * libm::log(2.0 * mu.len() as f64) + scale;
    let ends = rating_of(&losses, &[least, most], lowest - reach, highest + reach);
    let low = ends[1].min(lowest);
    let high = ends[0].max(highest);
    let losses = losses.tabulated((low, high), EVALUATIONS_PER_SEARCH * mu.len(), 1.0);
    let mut targets: Vec<(f64, usize)> = losses
        .at_each(mu)
        .iter()
        .zip(ranks)
        .map(|(all, rank)| mean_rank(rank, expected_rank(all.value)))
        .zip(0..)
        .collect();
    targets.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    // Equal targets have equal performances, whatever the order of the entrants.
    let mut distinct: Vec<f64> = targets.iter().map(|target| target.0).collect();
    distinct.dedup();
    let zeros = rating_of(&losses, &distinct, low, high);
    let mut performances = vec![0.0; mu.len()];
    let equal_targets = targets.chunk_by(|a, b| a.0 == b.0);
    for (&zero, entrants) in zeros.iter().zip(equal_targets) {
        for &(_, index) in entrants {
            performances[index] = zero;
        }
    }
    performances
}

/// Approximate number of evaluations of the expected losses per performance.
const EVALUATIONS_PER_SEARCH: usize = 4;

/// The rank of each entrant, from 1: the mean of the places of the tie.
fn ranks(groups: &[u32]) -> impl Iterator<Item = f64> + '_ {
    let starts = std::iter::once(0).chain(groups.iter().copied());
    starts.zip(groups).flat_map(|(start, &end)| {
        let rank = 0.5 * (f64::from(start) + 1.0 + f64::from(end));
        std::iter::repeat_n(rank, (end - start) as usize)
    })
}
