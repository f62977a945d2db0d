//! Topcoder's system as deployed: integer ratings and volatilities.

use serde::{Deserialize, Serialize};

use crate::model::{ModelSystem, RatingModel};
use crate::numerics::normal::quantile;
use crate::parameters::{self, InvalidParameter, check_between};
use crate::players::Players;
use crate::search_range::{linear, log};
use crate::system::{RatedEntrant, RatingRound, group_ranges};
use crate::system_info::{Promise, Support, SystemInfo};
use crate::systems::sites::titles::TOPCODER_TITLES;
use crate::systems::sites::topcoder::{TopcoderPlayer, expected_ranks};
use crate::unfinished_policy::UnfinishedPolicy;
use crate::win_model::{PerformanceShape, WinModel};

/// Parameters of Topcoder's system as deployed: the initial state of newcomers. The constants of
/// the algorithm itself are the site's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TopcoderOfficialParameters {
    /// Rating of a newcomer, in rating points; -1e6 to 1e6. By default 1200, the site's.
    pub initial_mu: f64,
    /// Volatility of a newcomer, in rating points; 0.001 to 1e6. By default 515, the site's.
    pub initial_sigma: f64,
    /// Volatility after the first contest, whatever its result, in rating points; 1 to 1e6. By
    /// default 385, the site's.
    pub first_sigma: f64,
}

impl Default for TopcoderOfficialParameters {
    fn default() -> Self {
        Self {
            initial_mu: 1200.0,
            initial_sigma: 515.0,
            first_sigma: 385.0,
        }
    }
}

/// Topcoder's system as deployed, with the state of all its competitors. Veterans, rated before,
/// are rated among themselves, newcomers among all entrants. All stored numbers are rounded to
/// integers, a rating to 1 at least.
///
/// The sigma of a row is the volatility. A veteran who meets only newcomers keeps both.
/// Probabilities are exact, but the site approximates them to 1e-7: a rating next to a half may be
/// rounded differently there. Weights are ignored. Entrants that did not finish are tied for the
/// last place.
pub type TopcoderOfficial = ModelSystem<TopcoderOfficialParameters>;

impl RatingModel for TopcoderOfficialParameters {
    type Player = TopcoderPlayer;

    const INFO: SystemInfo = SystemInfo {
        name: "topcoder-official",
        summary: "Topcoder's algorithm (SRM, \"Qubits\") as deployed, in integers",
        source: "Topcoder, Algorithm Competition Rating System, and the ratings library of the site",
        supports: &[Support::Ties],
        max_entrants: None,
        drifts_in_games: false,
        promises: &[Promise::Robust],
        unfinished: UnfinishedPolicy::Tied,
        conservative_k: 0.0,
        titles: TOPCODER_TITLES,
        parameters: &[
            // Caps and weights of the algorithm are in points: no parameter is only a unit.
            linear("initial_mu", 500.0, 2000.0),
            log("initial_sigma", 100.0, 1500.0),
            log("first_sigma", 100.0, 1500.0),
        ],
    };

    fn validate(&self) -> Result<(), InvalidParameter> {
        parameters::check_newcomer(self.initial_mu, self.initial_sigma)?;
        check_between("first_sigma", self.first_sigma, "between 1 and 1e6", 1.0..=1e6)
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
        let entrants = round.entrants.iter();
        let everybody: Vec<TopcoderPlayer> = entrants.map(|&entrant| players[entrant]).collect();
        let (veterans, groups) = veterans(&everybody, round.groups);
        let ceiling = round.performance_ceiling;
        let first = self.first_sigma;
        let among_veterans = if veterans.len() == everybody.len() {
            Vec::new()
        } else {
            rate_together(&veterans, &groups, ceiling, first)
        };
        let among_all = rate_together(&everybody, round.groups, ceiling, first);
        let mut among_veterans = among_veterans.into_iter();
        for (player, among_all) in everybody.iter().zip(among_all) {
            let among_veterans = match player.contests {
                0 => None,
                _ => among_veterans.next(),
            };
            rated.push(among_veterans.unwrap_or(among_all));
        }
        players.apply_rows(round, rated);
    }
}

/// The entrants rated before, in the same order, and the ends of their tie groups.
fn veterans(everybody: &[TopcoderPlayer], groups: &[u32]) -> (Vec<TopcoderPlayer>, Vec<u32>) {
    let mut veterans = Vec::new();
    let mut ends = Vec::new();
    for group in group_ranges(groups) {
        let group = &everybody[group];
        veterans.extend(group.iter().filter(|player| player.contests > 0));
        ends.push(veterans.len() as u32);
    }
    ends.dedup();
    ends.retain(|&end| end > 0);
    (veterans, ends)
}

/// The core algorithm: new ratings of entrants in the order of their places.
fn rate_together(
    entrants: &[TopcoderPlayer],
    groups: &[u32],
    ceiling: f64,
    first: f64,
) -> Vec<RatedEntrant> {
    if entrants.len() < 2 {
        let players = entrants.iter();
        return players
            .map(|player| RatedEntrant::without_performance(player.mu + 0.0, player.volatility))
            .collect();
    }
    let prior: Vec<(f64, f64)> = entrants.iter().map(|p| (p.mu, p.volatility)).collect();
    let expected = expected_ranks(&prior, 1.0);
    let count = entrants.len() as f64;
    let mut rated = Vec::with_capacity(entrants.len());
    for group in group_ranges(groups) {
        let actual = -quantile(0.5 * (group.start + group.end) as f64 / count);
        for (player, &rank) in entrants[group.clone()].iter().zip(&expected.ranks[group]) {
            let &TopcoderPlayer {
                mu,
                volatility,
                contests,
            } = player;
            let surprise = actual + quantile(rank / count);
            let performance = (mu + surprise * expected.spread).min(ceiling) + 0.0;
            let share = 0.42 / (f64::from(contests) + 1.0) + 0.18;
            let weight = player.damping() * share / (1.0 - share);
            // An integer division.
            let cap = 150.0 + f64::from(1500 / (2 + contests));
            let moved = (performance - mu) * (weight / (1.0 + weight));
            let after = (mu + moved.clamp(-cap, cap)).max(1.0);
            let sigma = if contests == 0 {
                first
            } else {
                let step = after - mu;
                let retained = volatility * volatility / (1.0 + weight);
                (retained + step * step / weight).sqrt()
            };
            rated.push(RatedEntrant {
                mu: to_integer(after),
                // The site would divide by 0 if all volatilities were 0.
                sigma: to_integer(sigma).max(1.0),
                performance: Some(performance),
                volatility: None,
            });
        }
    }
    rated
}

/// The nearest integer, the higher of two.
fn to_integer(x: f64) -> f64 {
    libm::floor(x + 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rating, volatility and number of earlier contests.
    type Entrant = (f64, f64, u32);
    /// Entrants in the order of their scores, the ends of the tie groups, and the new ratings.
    type Case<'a> = (&'a [Entrant], &'a [u32], &'a [(f64, f64)]);

    const NEWCOMER: Entrant = (1200.0, 515.0, 0);

    /// The results are computed with the site's own source.
    #[test]
    fn matches_published_results_exactly() {
        let cases: [Case; 5] = [
            (
                &[(1400.0, 300.0, 5), (1600.0, 300.0, 5), (1800.0, 300.0, 5)],
                &[1, 2, 3],
                &[(1527.0, 340.0), (1600.0, 260.0), (1673.0, 340.0)],
            ),
            (
                &[(1500.0, 300.0, 5); 4],
                &[1, 3, 4],
                &[
                    (1586.0, 300.0),
                    (1500.0, 260.0),
                    (1500.0, 260.0),
                    (1414.0, 300.0),
                ],
            ),
            (
                &[NEWCOMER, (1600.0, 300.0, 10), (1400.0, 300.0, 5)],
                &[1, 2, 3],
                &[(1536.0, 385.0), (1565.0, 273.0), (1300.0, 313.0)],
            ),
            (
                &[(1650.0, 280.0, 5), (2100.0, 200.0, 15), NEWCOMER],
                &[1, 2, 3],
                &[(1804.0, 361.0), (2014.0, 253.0), (1091.0, 385.0)],
            ),
            (
                &[
                    (2300.0, 200.0, 30),
                    (1900.0, 250.0, 20),
                    (1200.0, 400.0, 2),
                    (2600.0, 150.0, 40),
                    NEWCOMER,
                ],
                &[1, 3, 4, 5],
                &[
                    (2398.0, 278.0),
                    (1941.0, 238.0),
                    (1439.0, 479.0),
                    (2415.0, 448.0),
                    (970.0, 385.0),
                ],
            ),
        ];
        for (before, groups, after) in cases {
            let entrants: Vec<TopcoderPlayer> = before
                .iter()
                .map(|&(mu, volatility, contests)| TopcoderPlayer {
                    mu,
                    volatility,
                    contests,
                })
                .collect();
            let rated = rate_together(&entrants, groups, f64::INFINITY, 385.0);
            let ratings: Vec<(f64, f64)> = rated.iter().map(|row| (row.mu, row.sigma)).collect();
            assert_eq!(ratings, after);
        }
    }

    #[test]
    fn ratings_are_rounded_to_the_nearest_integer() {
        let unrounded = 1400.0 + 126.725_617;
        assert_eq!(to_integer(unrounded), 1527.0);
        assert_eq!((to_integer(0.5), to_integer(-0.5)), (1.0, 0.0));
    }

    #[test]
    fn veterans_keep_order_and_ties() {
        let player = |contests: u32| TopcoderPlayer {
            mu: 1200.0,
            volatility: 515.0,
            contests,
        };
        let everybody = [0, 3, 1, 0, 0, 2, 5].map(player);
        let (experienced, groups) = veterans(&everybody, &[1, 3, 5, 7]);
        let contests: Vec<u32> = experienced.iter().map(|player| player.contests).collect();
        assert_eq!((contests, groups), (vec![3, 1, 2, 5], vec![2, 4]));
        let (experienced, groups) = veterans(&[player(0), player(0)], &[1, 2]);
        assert!(experienced.is_empty() && groups.is_empty());
    }
}
