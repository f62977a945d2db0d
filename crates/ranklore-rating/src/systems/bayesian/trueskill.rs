//! TrueSkill, the classic factor graph (Herbrich, Minka and Graepel, TrueSkill: A Bayesian Skill
//! Rating System, 2006): a chain of teams, each better than the next or drawing with it.

use pulp::Arch;
use serde::{Deserialize, Serialize};

use crate::display::{Display, Provisional};
use crate::model::{ModelSystem, RatingModel};
use crate::numerics::two_double::TwoDouble;
use crate::parameters::{self, InvalidParameter, check_between};
use crate::players::{GaussianPlayer, Players};
use crate::search_range::{ADVANTAGE, SHIFT, UNIT, choice, fixed, log};
use crate::solve::chain::{MAX_SWEEPS, Message, PlaceChain, PlaceLink};
use crate::solve::draw_margin::DrawMargin;
use crate::system::{RatedEntrant, RatingRound, group_ranges};
use crate::system_info::{Support, SystemInfo};
use crate::unfinished_policy::UnfinishedPolicy;
use crate::win_model::{PerformanceShape, WinModel};

/// Parameters of TrueSkill (Herbrich, Minka and Graepel 2006; the model is that of section 2), in
/// rating points.
///
/// Names and proportions of the defaults are those of the Python package `trueskill` 0.4.5. Its
/// defaults are `mu` 25, `sigma` 25/3, `beta` 25/6, `tau` 25/300 and `draw_probability` 0.1; with
/// them and the `margin` `fixed` this crate gives its published numbers. Only the ratios to sigma
/// matter. The ranges are this crate's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TrueSkillParameters {
    /// Rating of a newcomer, in rating points; -1e6 to 1e6. By default 1500, this crate's for most
    /// systems.
    pub mu: f64,
    /// Uncertainty of a newcomer, in rating points; 0.001 to 1e6. By default 350, likewise.
    pub sigma: f64,
    /// Standard deviation of a performance around the skill, β, in rating points; 0.001 to 1e6. By
    /// default 175, half of `sigma`, as in the package.
    pub beta: f64,
    /// Standard deviation of the change of a skill from contest to contest, in rating points; 0 to
    /// 1e6. By default 3.5, a hundredth of `sigma`, as in the package.
    pub tau: f64,
    /// Probability p of a draw between neighbours among equal teams of certain skills; 0 to
    /// 0.999999. It determines the draw margin: ε = Φ⁻¹((p + 1)/2)·√n·β in a contest of two teams
    /// of n players together, as in the package. With 0 only equal performances draw, and tied
    /// teams have the same performance. By default 0.1, as in the package.
    pub draw_probability: f64,
    /// The meaning of `draw_probability` in contests of more than two teams. By default
    /// `adjacent`: ε = z·β·√(n/2) for neighbours of n players together, where z solves
    /// p = 1 − (N·∫φ(x)·(1 − Φ(x + z) + Φ(x))^(N−1) dx − 1)/(N − 1) for N teams. `fixed` uses the
    /// margin of two teams, as the package does: with it N newcomers in strict order span N
    /// margins, and the winner of 10,000 gains 124,000 points where exact inference gives 1,200.
    pub margin: DrawMargin,
    /// Rating points that the first move, or playing at home, is worth in a contest of two teams:
    /// they are added to the performance of the team; -1e4 to 1e4. By default 0. The paper has no
    /// such parameter; World Football Elo Ratings add 100 to the home team in this way.
    pub advantage: f64,
}

impl Default for TrueSkillParameters {
    fn default() -> Self {
        Self {
            mu: 1500.0,
            sigma: 350.0,
            beta: 175.0,
            tau: 3.5,
            draw_probability: 0.1,
            margin: DrawMargin::Adjacent,
            advantage: 0.0,
        }
    }
}

/// A player in a contest, for [`TrueSkill::posterior`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrueSkillPlayer {
    /// The rating before the contest.
    pub mu: f64,
    /// The uncertainty before the contest.
    pub sigma: f64,
    /// The share of the contest that the player played for the team, 0 to 1: the factor of their
    /// performance in the team's (partial play).
    pub share: f64,
}

/// TrueSkill with the state of all its competitors, mu and sigma.
///
/// A tie of several teams is a run of draws between neighbours, and the position in the run makes a
/// small difference. Tied teams are sorted by rating, best first, and equal teams share their
/// updates evenly, so that the order of the list changes nothing. The weight of a contest is not
/// used; entrants that did not finish are tied for the last place. A row's performance is the
/// rating.
pub type TrueSkill = ModelSystem<TrueSkillParameters>;

impl RatingModel for TrueSkillParameters {
    type Player = GaussianPlayer;

    const INFO: SystemInfo = SystemInfo {
        name: "trueskill",
        summary: "TrueSkill: teams in a chain of wins and draws, by expectation propagation",
        source: "Herbrich, Minka and Graepel, TrueSkill: A Bayesian Skill Rating System, 2006",
        supports: &[Support::Ties, Support::Teams, Support::Advantage],
        max_entrants: None,
        drifts_in_games: false,
        promises: &[],
        unfinished: UnfinishedPolicy::Tied,
        conservative_k: 3.0,
        titles: &[],
        parameters: &[
            fixed("mu", SHIFT),
            fixed("sigma", UNIT),
            log("beta", 20.0, 1000.0),
            log("tau", 0.35, 100.0),
            log("draw_probability", 0.005, 0.6),
            choice("margin", &["adjacent", "fixed"]),
            ADVANTAGE,
        ],
    };

    fn validate(&self) -> Result<(), InvalidParameter> {
        parameters::check_rating("mu", self.mu)?;
        parameters::check_uncertainty("sigma", self.sigma)?;
        parameters::check_uncertainty("beta", self.beta)?;
        parameters::check_drift("tau", self.tau)?;
        let draw = self.draw_probability;
        let range = "between 0 and 0.999999";
        check_between("draw_probability", draw, range, 0.0..=0.999_999)?;
        parameters::check_advantage(self.advantage)
    }

    fn advantage(&self) -> f64 {
        self.advantage
    }

    fn newcomer(&self) -> GaussianPlayer {
        GaussianPlayer::new(self.mu, self.sigma)
    }

    fn display(&self) -> Display {
        let in_units_of_package =
            self.mu.to_bits() == 25.0_f64.to_bits() && (self.sigma - 25.0 / 3.0).abs() < 0.1;
        if !in_units_of_package {
            return Display::mu_in_scale(self.sigma);
        }
        // In the units of the package, as racetime.gg shows it (racetime-app, `models/user.py`).
        Display {
            scale: 100.0,
            k: 2.0,
            whole: true,
            ..Display::mu_in_scale(self.sigma)
        }
    }

    fn provisional(&self) -> Provisional {
        Provisional::by_sigma(0.22 * self.sigma)
    }

    fn win_model(&self) -> WinModel {
        let noise = self.beta * self.beta + self.tau * self.tau;
        WinModel {
            draw_margin: self.margin.quantile(self.draw_probability, 2) * self.beta,
            ..WinModel::new(PerformanceShape::Normal, noise)
        }
    }

    fn rate(&self, players: &mut Players, round: &RatingRound<'_>, rated: &mut Vec<RatedEntrant>) {
        let entrants = round.entrants.iter().map(|&entrant| players[entrant]);
        let participants: Vec<TrueSkillPlayer> = entrants
            .map(|GaussianPlayer { mu, sigma }| TrueSkillPlayer {
                mu,
                sigma,
                share: 1.0,
            })
            .collect();
        let alone: Vec<u32>;
        let ends = if let Some(teams) = round.teams {
            teams
        } else {
            alone = (1..=round.entrants.len() as u32).collect();
            &alone
        };
        let mut teams = self.teams(&participants, ends);
        for (index, team) in teams.iter_mut().enumerate() {
            team.mean += round.advantage_of(index, self.advantage);
        }
        // Sorted by rating within ties, independent of the order of the list.
        let mut order: Vec<usize> = (0..teams.len()).collect();
        for group in group_ranges(round.groups) {
            order[group].sort_by(|&a, &b| teams[a].compare(&teams[b]));
        }
        let sorted: Vec<WeightedTeam> = order.iter().map(|&index| teams[index].clone()).collect();
        let mut sorted_updates = self.infer_updates(&sorted, round.groups);
        for group in group_ranges(round.groups) {
            let mut updates = &mut sorted_updates[group.clone()];
            for equals in sorted[group].chunk_by(|a, b| a.compare(b).is_eq()) {
                let (equal_updates, later) = updates.split_at_mut(equals.len());
                equal_updates.fill(PerformanceUpdate::mean(equal_updates));
                updates = later;
            }
        }
        let mut updates = vec![PerformanceUpdate::NONE; teams.len()];
        for (&index, &update) in order.iter().zip(&sorted_updates) {
            updates[index] = update;
        }
        let ratings = teams
            .iter()
            .zip(&updates)
            .flat_map(|(team, update)| team.member_ratings(update));
        for (&entrant, (mu, sigma)) in round.entrants.iter().zip(ratings) {
            players[entrant] = GaussianPlayer::new(mu, sigma);
            rated.push(players[entrant].row());
        }
    }
}

impl TrueSkill {
    /// Returns ratings (mu, sigma) after one contest, best team first: for partial play, and for
    /// contests outside of any history. Skills drift by `tau` before the contest.
    ///
    /// `teams` holds the ends (exclusive) of the teams in `players`, `groups` those of the groups
    /// of tied teams in `teams`. Tied teams draw with their neighbours in the order given. A share
    /// of 0 leaves a player's rating unchanged except for `tau`.
    ///
    /// # Panics
    /// If the slices are inconsistent.
    #[must_use]
    pub fn posterior(
        &self,
        players: &[TrueSkillPlayer],
        teams: &[u32],
        groups: &[u32],
    ) -> Vec<(f64, f64)> {
        let teams = self.model.teams(players, teams);
        let updates = self.model.infer_updates(&teams, groups);
        let teams_and_updates = teams.iter().zip(&updates);
        teams_and_updates
            .flat_map(|(team, update)| team.member_ratings(update))
            .collect()
    }
}

impl TrueSkillParameters {
    fn teams(&self, players: &[TrueSkillPlayer], ends: &[u32]) -> Vec<WeightedTeam> {
        let drift = self.tau * self.tau;
        let noise = self.beta * self.beta;
        group_ranges(ends)
            .map(|team| WeightedTeam::from_players(&players[team], drift, noise))
            .collect()
    }

    /// Infers each team's update from the order.
    fn infer_updates(&self, teams: &[WeightedTeam], groups: &[u32]) -> Vec<PerformanceUpdate> {
        if teams.len() < 2 {
            return vec![PerformanceUpdate::NONE; teams.len()];
        }
        let priors: Vec<Message> = teams.iter().map(WeightedTeam::prior_message).collect();
        let narrowest = priors.iter().map(|prior| prior.precision).fold(0.0, f64::max);
        // The draw margin divided by √(players)·beta.
        let draw_quantile = self.margin.quantile(self.draw_probability, teams.len());
        let mut group = groups.iter().peekable();
        let links = teams.windows(2).enumerate().map(|(index, pair)| {
            let players = pair[0].members.len() + pair[1].members.len();
            let margin = draw_quantile * self.beta * (players as f64).sqrt();
            let is_last = group.next_if(|&&end| end as usize == index + 1).is_some();
            if is_last {
                PlaceLink::MoreThan(margin)
            } else {
                PlaceLink::Within(margin)
            }
        });
        let mut chain = PlaceChain::new(priors, links);
        let max_change = CONVERGENCE / narrowest.sqrt();
        for sweep in 0..MAX_SWEEPS {
            if chain.sweep() < max_change && sweep > 1 {
                break;
            }
            chain.refine(Arch::new());
        }
        let places = teams.iter().enumerate();
        places.map(|(place, team)| team.update_from(chain.message_to(place))).collect()
    }
}

/// Inference ends when no team's performance changes by more than this share of the smallest
/// deviation of one.
const CONVERGENCE: f64 = 1e-7;

/// A team: its performance is the sum of its members', each weighted by the share.
#[derive(Clone, Debug)]
struct WeightedTeam {
    members: Vec<WeightedMember>,
    mean: f64,
    /// Σ share²·σ²; `noise` is Σ share²·β².
    skill_variance: TwoDouble,
    noise: f64,
}

#[derive(Clone, Copy, Debug)]
struct WeightedMember {
    mu: f64,
    /// Variance of the skill, drift included.
    variance: f64,
    share: f64,
}

impl WeightedTeam {
    fn from_players(players: &[TrueSkillPlayer], drift: f64, noise: f64) -> Self {
        let members: Vec<WeightedMember> = players
            .iter()
            .map(|player| WeightedMember {
                mu: player.mu,
                variance: player.sigma * player.sigma + drift,
                share: player.share,
            })
            .collect();
        // Sorted, since the last bits of a sum depend on the order.
        let mut sorted = members.clone();
        sorted.sort_by(WeightedMember::compare);
        let shares: f64 = sorted.iter().map(|member| member.share * member.share).sum();
        Self {
            mean: sorted.iter().map(|member| member.share * member.mu).sum(),
            skill_variance: sorted
                .iter()
                .fold(TwoDouble::ZERO, |sum, member| sum.plus(member.weighted_variance())),
            // A team in which no member plays keeps a positive noise.
            noise: noise * shares.max(1e-12),
            members,
        }
    }

    fn variance(&self) -> f64 {
        self.skill_variance.value() + self.noise
    }

    fn prior_message(&self) -> Message {
        Message {
            mean: self.mean,
            precision: 1.0 / self.variance(),
        }
    }

    /// Compares by performance, best first. Teams that are equal here are equal to the chain.
    fn compare(&self, other: &Self) -> std::cmp::Ordering {
        let mean = other.mean.total_cmp(&self.mean);
        let variance = self.variance().total_cmp(&other.variance());
        mean.then(variance).then(self.members.len().cmp(&other.members.len()))
    }

    fn update_from(&self, message: Message) -> PerformanceUpdate {
        let all = 1.0 + self.variance() * message.precision;
        let pull = message.precision / all;
        PerformanceUpdate {
            surprise: (message.mean - self.mean) * pull,
            pull,
            rest: 1.0 / all,
        }
    }

    fn member_ratings(&self, update: &PerformanceUpdate) -> impl Iterator<Item = (f64, f64)> {
        self.members.iter().map(move |member| {
            let teammates =
                self.skill_variance.plus(-member.weighted_variance()).value() + self.noise;
            let left = update.rest + teammates * update.pull;
            (
                // Adding 0 turns −0 into 0: storage does not keep −0.
                member.mu + member.share * member.variance * update.surprise + 0.0,
                (member.variance * left).sqrt(),
            )
        })
    }
}

impl WeightedMember {
    fn weighted_variance(&self) -> f64 {
        self.share * self.share * self.variance
    }

    fn compare(&self, other: &Self) -> std::cmp::Ordering {
        let mu = self.mu.total_cmp(&other.mu);
        let variance = self.variance.total_cmp(&other.variance);
        mu.then(variance).then(self.share.total_cmp(&other.share))
    }
}

/// The update of a team's performance from N(m, v) by the message N(M, V). Members' means and
/// variances are linear in these numbers.
#[derive(Clone, Copy, Debug)]
struct PerformanceUpdate {
    /// (M − m)/(v + V).
    surprise: f64,
    /// 1/(v + V).
    pull: f64,
    /// V/(v + V).
    rest: f64,
}

impl PerformanceUpdate {
    const NONE: Self = Self {
        surprise: 0.0,
        pull: 0.0,
        rest: 1.0,
    };

    fn mean(updates: &[Self]) -> Self {
        let mean = |number: fn(&Self) -> f64| {
            updates.iter().map(number).sum::<f64>() / updates.len() as f64
        };
        Self {
            surprise: mean(|update| update.surprise),
            pull: mean(|update| update.pull),
            rest: mean(|update| update.rest),
        }
    }
}
