//! The rating system of Codeforces as deployed: integers, and two corrections against inflation.

use serde::{Deserialize, Serialize};

use crate::display::{Display, Provisional};
use crate::model::{ModelSystem, RatingModel};
use crate::numerics::lanes;
use crate::parameters::{self, InvalidParameter};
use crate::players::{PlayerState, Players};
use crate::search_range::{DISPLAY, SHIFT, fixed};
use crate::solve::performance::{ExpectedLosses, Opponents, Slope};
use crate::system::{InitialRating, PastResult, RatedEntrant, RatingRound};
use crate::system_info::{Support, SystemInfo};
use crate::systems::sites::titles::CODEFORCES_TITLES;
use crate::unfinished_policy::UnfinishedPolicy;
use crate::win_model::{Belief, WinModel};

/// Parameters of the deployed Codeforces system: the initial rating and the uncertainty shown.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CodeforcesOfficialParameters {
    /// Rating of a newcomer, in rating points; -1,000,000 to 1,000,000. By default 1400, the
    /// site's.
    pub initial_mu: i32,
    /// Uncertainty shown with every rating, in rating points; 0.001 to 1e6. The system computes
    /// none; by default 350, the newcomer's of other systems.
    pub initial_sigma: f64,
}

impl Default for CodeforcesOfficialParameters {
    fn default() -> Self {
        Self {
            initial_mu: 1400,
            initial_sigma: 350.0,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct CodeforcesPlayer {
    rating: i64,
    sigma: f64,
}

impl<M> PlayerState<M> for CodeforcesPlayer {
    fn with_initial_rating(&self, _: &M, start: InitialRating) -> Self {
        Self {
            rating: libm::round(start.mu) as i64,
            sigma: start.sigma.unwrap_or(self.sigma),
        }
    }

    fn restore(&mut self, _: &M, past: &PastResult) {
        self.rating = past.rated.mu as i64;
    }

    fn belief(&self, _: &M) -> Belief {
        Belief::new(self.rating as f64, self.sigma)
    }
}

/// The Codeforces system with the state of all its competitors.
///
/// An entrant's seed is the expected rank, the rank is the last place of the tie. The performance
/// is the rating, an integer from 1 to 5999, whose seed would be the geometric mean of both; the
/// rating moves half the way there, rounded towards zero. Then all changes are lowered so that
/// their sum is below 0, and once more by up to 10 so that the highest rated 4·√N together do not
/// gain.
///
/// The weight of a contest is ignored. An initial rating is rounded to an integer. Ratings are the
/// internal ones: since May 2020 the site shows lower ones during a newcomer's first six contests.
/// Entrants that did not finish are tied for the last place.
pub type CodeforcesOfficial = ModelSystem<CodeforcesOfficialParameters>;

impl RatingModel for CodeforcesOfficialParameters {
    type Player = CodeforcesPlayer;

    const INFO: SystemInfo = SystemInfo {
        name: "codeforces-official",
        summary: "Codeforces as deployed: integers, the last place of a tie, corrected for inflation",
        source: "Mirzayanov, Open Codeforces Rating System, 2015",
        supports: &[Support::Ties],
        max_entrants: None,
        drifts_in_games: true,
        promises: &[],
        unfinished: UnfinishedPolicy::Tied,
        conservative_k: 0.0,
        titles: CODEFORCES_TITLES,
        parameters: &[fixed("initial_mu", SHIFT), fixed("initial_sigma", DISPLAY)],
    };

    fn validate(&self) -> Result<(), InvalidParameter> {
        parameters::check_newcomer(self.initial_mu.into(), self.initial_sigma)
    }

    fn newcomer(&self) -> CodeforcesPlayer {
        CodeforcesPlayer {
            rating: self.initial_mu.into(),
            sigma: self.initial_sigma,
        }
    }

    fn display(&self) -> Display {
        // The last round before the change of May 2020 ended before that day.
        const SINCE: i64 = 1_590_278_400;
        Display {
            newcomer: NEWCOMER,
            newcomer_since: Some(SINCE),
            ..Display::MU
        }
    }

    fn provisional(&self) -> Provisional {
        // As long as the displayed rating is lowered.
        Provisional::by_contests(NEWCOMER.len() as u32)
    }

    fn win_model(&self) -> WinModel {
        WinModel::logistic(SCALE)
    }

    fn rate(
        &self,
        players: &mut Players<CodeforcesPlayer>,
        round: &RatingRound<'_>,
        rated: &mut Vec<RatedEntrant>,
    ) {
        let ratings: Vec<i64> =
            round.entrants.iter().map(|&competitor| players[competitor].rating).collect();
        let ceiling = libm::floor(round.performance_ceiling) as i64;
        let performances: Vec<i64> = performances(&ratings, round.groups)
            .into_iter()
            .map(|performance| performance.min(ceiling))
            .collect();
        let changes = rating_changes(&ratings, &performances);
        let entrants = round.entrants.iter().zip(performances).zip(changes);
        for ((&competitor, performance), change) in entrants {
            let player = &mut players[competitor];
            player.rating += change;
            rated.push(RatedEntrant {
                performance: Some(performance as f64),
                ..RatedEntrant::without_performance(player.rating as f64, player.sigma)
            });
        }
    }
}

/// The points by which the site lowers ratings after 0, 1, 2 … contests.
const NEWCOMER: &[f64] = &[1400.0, 900.0, 550.0, 300.0, 150.0, 50.0];

/// The changes of all ratings, with both corrections.
fn rating_changes(ratings: &[i64], performances: &[i64]) -> Vec<i64> {
    let count = ratings.len() as i64;
    // Integers are divided towards zero, as on the site.
    let mut changes: Vec<i64> = ratings
        .iter()
        .zip(performances)
        .map(|(rating, performance)| (performance - rating) / 2)
        .collect();
    let inflation = -changes.iter().sum::<i64>() / count - 1;
    for change in &mut changes {
        *change += inflation;
    }
    // The highest rated, best place first among equals. Equal ratings on equal places change alike,
    // so the choice among them does not matter.
    let mut highest: Vec<usize> = (0..ratings.len()).collect();
    highest.sort_by_key(|&entrant| -ratings[entrant]);
    let count_highest = count.min(4 * libm::round((count as f64).sqrt()) as i64);
    let total_gain: i64 =
        highest[..count_highest as usize].iter().map(|&entrant| changes[entrant]).sum();
    let correction = (-total_gain / count_highest).clamp(-10, 0);
    for change in &mut changes {
        *change += correction;
    }
    changes
}

/// 400/ln 10: a lead of this many points multiplies the odds by e.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// Bounds of the search for a performance: the first inclusive, the second exclusive.
const MIN_PERFORMANCE: i64 = 1;
const MAX_PERFORMANCE: i64 = 6000;

/// Approximate number of evaluations of the expected losses per performance.
const EVALUATIONS_PER_SEARCH: usize = 8;

/// An entrant in the search for a performance. Equal ranks and ratings have equal performances.
#[derive(Clone, Copy, Debug, PartialEq)]
struct SeedTarget {
    /// The last place of the tie.
    rank: u32,
    rating: i64,
    /// The geometric mean of rank and seed.
    target: f64,
}

/// The performances of all entrants, best place first.
fn performances(ratings: &[i64], groups: &[u32]) -> Vec<i64> {
    let mu: Vec<f64> = ratings.iter().map(|&rating| rating as f64).collect();
    let count = mu.len();
    let direct_losses = ExpectedLosses::new(&Opponents {
        mu: &mu,
        scale: &vec![SCALE; count],
        groups,
    });
    let (least, most) = zero_bounds(&direct_losses, groups[0], count as u32);
    let (lowest, highest) = direct_losses.bounds();
    // With a margin for the integers next to the ends.
    let low = least.min(lowest) - 2.0;
    let high = most.max(highest) + 2.0;
    let losses = direct_losses.tabulated((low, high), EVALUATIONS_PER_SEARCH * count, 1.0);
    let sorted = sorted_targets(ratings, groups, &losses.at_each(&mu));
    let mut targets: Vec<SeedTarget> = sorted.iter().map(|(target, _)| *target).collect();
    targets.dedup();
    let zeros = losses.zeros(targets.len(), least, most, |index, p, all| {
        let SeedTarget { rating, target, .. } = targets[index];
        let lost = loss(p, rating as f64);
        Slope {
            value: all.value - (lost + target - 1.0) / SCALE,
            fall: all.fall - lost * (1.0 - lost) / (SCALE * SCALE),
        }
    });
    let solved = Seeds::new(ratings).performances_near(&losses, &targets, &zeros);
    let mut performances = vec![0; count];
    let equal_targets = sorted.chunk_by(|a, b| a.0 == b.0);
    for (performance, entrants) in solved.into_iter().zip(equal_targets) {
        for &(_, index) in entrants {
            performances[index] = performance;
        }
    }
    performances
}

/// The geometric mean of a rank and of the seed, given the expected losses at the entrant's rating.
/// The entrant is no opponent of its own: the seed is one more than the losses to the others.
fn mean_of_rank_and_seed(rank: u32, all: Slope) -> f64 {
    (f64::from(rank) * (0.5 + SCALE * all.value)).sqrt()
}

/// Returns two ratings between which all zeros lie: between those for the highest rated in the first
/// place and the lowest rated in the last, the entrant itself added or taken away.
fn zero_bounds(losses: &ExpectedLosses, first_rank: u32, last_rank: u32) -> (f64, f64) {
    let (lowest, highest) = losses.bounds();
    let targets = [
        mean_of_rank_and_seed(first_rank, losses.at(highest)) - 1.0,
        mean_of_rank_and_seed(last_rank, losses.at(lowest)),
    ];
    let low = MIN_PERFORMANCE as f64;
    let high = MAX_PERFORMANCE as f64;
    let ends = losses.zeros(2, low, high, |index, _, all| Slope {
        value: all.value - targets[index] / SCALE,
        ..all
    });
    (ends[1].min(ends[0]), ends[0].max(ends[1]))
}

/// Returns the targets of all entrants with their indices, sorted by target; `losses` are the
/// expected losses at the ratings.
fn sorted_targets(ratings: &[i64], groups: &[u32], losses: &[Slope]) -> Vec<(SeedTarget, usize)> {
    let ranks = groups.iter().scan(0, |start, &end| {
        let size = end - std::mem::replace(start, end);
        Some(std::iter::repeat_n(end, size as usize))
    });
    let mut targets: Vec<(SeedTarget, usize)> = ranks
        .flatten()
        .zip(losses)
        .zip(ratings)
        .map(|((rank, &all), &rating)| SeedTarget {
            rank,
            rating,
            target: mean_of_rank_and_seed(rank, all),
        })
        .zip(0..)
        .collect();
    targets.sort_unstable_by(|(a, _), (b, _)| {
        let by_target = a.target.total_cmp(&b.target);
        by_target.then_with(|| (a.rank, a.rating).cmp(&(b.rank, b.rating)))
    });
    targets
}

/// The probability that a rating of `p` loses to a rating of `opponent`.
#[inline(always)]
fn loss(p: f64, opponent: f64) -> f64 {
    1.0 / (1.0 + lanes::exp(((p - opponent) / SCALE).clamp(-700.0, 700.0)))
}

/// Seeds as plain sums over ratings, from the lowest to the highest. They decide the integer of a
/// performance.
struct Seeds {
    /// Distinct ratings and their multiplicities.
    ratings: Vec<(f64, f64)>,
    /// Error bound of a seed from the expected losses.
    tolerance: f64,
}

impl Seeds {
    fn new(ratings: &[i64]) -> Self {
        let mut sorted = ratings.to_vec();
        sorted.sort_unstable();
        Self {
            ratings: sorted
                .chunk_by(|a, b| a == b)
                .map(|equal| (equal[0] as f64, equal.len() as f64))
                .collect(),
            tolerance: 1e-12 * ratings.len() as f64,
        }
    }

    /// Returns the seed that an entrant of `entrant_rating` would have with rating `p`.
    fn seed(&self, p: i64, entrant_rating: i64) -> f64 {
        let p = p as f64;
        let losses = self.ratings.iter().map(|(at, count)| count * loss(p, *at));
        1.0 + losses.sum::<f64>() - loss(p, entrant_rating as f64)
    }

    /// Returns the performances, given the real zeros of the seed equations.
    fn performances_near(
        &self,
        losses: &ExpectedLosses,
        targets: &[SeedTarget],
        zeros: &[f64],
    ) -> Vec<i64> {
        let floors: Vec<f64> = zeros
            .iter()
            .map(|&zero| {
                libm::floor(zero).clamp(MIN_PERFORMANCE as f64, (MAX_PERFORMANCE - 1) as f64)
            })
            .collect();
        let next_integers: Vec<f64> = floors.iter().map(|floor| floor + 1.0).collect();
        let losses_at_floors = losses.at_each(&floors);
        let losses_at_next = losses.at_each(&next_integers);
        let excess = |target: &SeedTarget, p: f64, all: Slope| {
            1.0 + SCALE * all.value - loss(p, target.rating as f64) - target.target
        };
        let mut performances = Vec::with_capacity(targets.len());
        for (index, target) in targets.iter().enumerate() {
            // The mean of rank and seed may have a larger error than the seed, for a high rank.
            let tolerance = self.tolerance * (1.0 + f64::from(target.rank) / target.target);
            let floor = floors[index] as i64;
            let is_certain = (floor == MIN_PERFORMANCE
                || excess(target, floors[index], losses_at_floors[index]) > tolerance)
                && (floor == MAX_PERFORMANCE - 1
                    || excess(target, next_integers[index], losses_at_next[index]) < -tolerance);
            performances.push(if is_certain {
                floor
            } else {
                self.performance(target.rank, target.rating)
            });
        }
        performances
    }

    /// Returns the highest rating whose seed is not below the mean of rank and seed, by definition.
    fn performance(&self, rank: u32, entrant_rating: i64) -> i64 {
        let target = (f64::from(rank) * self.seed(entrant_rating, entrant_rating)).sqrt();
        let mut low = MIN_PERFORMANCE;
        let mut high = MAX_PERFORMANCE;
        while high - low > 1 {
            let middle = i64::midpoint(low, high);
            if self.seed(middle, entrant_rating) < target {
                high = middle;
            } else {
                low = middle;
            }
        }
        low
    }
}
