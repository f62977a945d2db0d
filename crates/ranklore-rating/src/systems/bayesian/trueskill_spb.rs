//! TrueSkill of St Petersburg (Nikolenko and Sirotkin 2010): a level for every place.
//!
//! In the classic chain a tie is a run of draws, and the position in the run matters. Here every
//! place has a level; each entrant's performance lies within `eps` of the level of their place, and
//! each level lies more than 2·`eps` above the next. Performance is skill plus noise of deviation
//! `beta`; skills are inferred by expectation propagation ([`crate::TrueSkill`]).
//!
//! # Accuracy of other implementations
//!
//! The implementation in use, by the authors of Elo-MMR, predicts 71 to 73 % of the pairs of the
//! 768 Codeforces rounds of 2010 to 2018; other systems predict 76 %. Its authors suspect that
//! message passing breaks down at hundreds of places. It does not: for 10,000 equals in strict
//! order, the levels agree with the order statistics of the normal distribution. The cause is two
//! mistakes:
//!
//! 1. **One shared message.** The truncation nodes of a contest are copies of one node and share
//!    the memory of its message. The link that is computed last (between the first two places) thus
//!    stands for all links, and the last entrant's slack for all entrants'. With two places there
//!    is one link and no error. Newcomers in strict order are off by at most 0.7 points if four,
//!    and by 14 to 17 if six; unequal players by up to hundreds. With thousands, one pair
//!    determines all distances.
//! 2. **Half the variance.** Moments are taken under the density exp(−(x/σ)²), of variance σ²/2.
//!    The winner of two gains 1/√2 of the correct amount, and deviations shrink even if a result
//!    carries no information. In large contests levels are almost known, and the effect is small.
//!
//! The tests compare the ratings of this file with those of an independent implementation that has
//! neither. Pair inversion / rank deviation on these rounds, percent:
//!
//! | `eps`, `beta`, `sigma_drift` | `margin` | | everybody | experienced | top 100 |
//! |---|---|---|---|---|---|
//! | 11.5, 40, 10 | `fixed` | published | 71.17 / 19.44 | 73.20 / 18.18 | 60.93 / 26.70 |
//! | | `fixed` | here, with half the variance | 75.767 / 16.577 | 75.496 / 16.865 | 60.967 / 26.778 |
//! | | `fixed` | here | 75.767 / 16.577 | 75.496 / 16.865 | 60.963 / 26.779 |
//! | | `adjacent` | here | 76.201 / 16.291 | 75.869 / 16.609 | 61.970 / 26.122 |
//! | 1, 175, 35 | `fixed` | crate multi-skill 0.1.2 | 59.302 / 26.930 | 64.953 / 23.452 | 60.550 / 26.911 |
//! | | `fixed` | here | 75.706 / 16.658 | 76.030 / 16.507 | 61.477 / 26.437 |
//! | | `adjacent` | here, the defaults | 75.613 / 16.727 | 76.290 / 16.325 | 62.106 / 26.026 |
//! | 0.1, 175, 35 | `fixed` | here | 75.720 / 16.656 | 76.279 / 16.336 | 62.036 / 26.066 |
//! | | `adjacent` | here | 75.613 / 16.727 | 76.290 / 16.325 | 62.106 / 26.026 |
//!
//! Cost of a fixed `eps`: N places span at least 2·`eps`·(N − 1) points, whatever the skills. At
//! 11.5 and 4,000 places that is 92,000 points, and ratings of these rounds reach from −40,000 to
//! 17,000. With `margin` `adjacent` they reach from 800 to 2,300, and at 1, 175, 35 from 600 to
//! 2,600. Predictions then hardly depend on `eps`.
//!
//! Ruled out as causes: the stopping criterion of message passing (with changes of 1, 0.1, 0.01 or
//! 0.0001 points the figures for 11.5, 40, 10 are equal to the last digit; contests of more than
//! 2,000 take 16 sweeps on average and at most 24) and the parallel refinement of links (it has the
//! same fixed point as sequential refinement). The usual form of truncation loses all digits far
//! out; the one here does not (`truncated.rs`).

use pulp::Arch;
use serde::{Deserialize, Serialize};

use crate::display::{Display, Provisional};
use crate::model::{ModelSystem, RatingModel};
use crate::numerics::dispatch::dispatch;
use crate::numerics::lanes::{LANES, Lanes};
use crate::numerics::two_double::TwoDouble;
use crate::parameters::{self, InvalidParameter, check_between};
use crate::players::{GaussianPlayer, Players};
use crate::search_range::{ACCURACY, SHIFT, UNIT, choice, fixed, log};
use crate::solve::chain::{MAX_SWEEPS, Message, PlaceChain, PlaceLink};
use crate::solve::draw_margin::DrawMargin;
use crate::solve::truncated::factor_within;
use crate::system::{RatedEntrant, RatingRound, group_ranges};
use crate::system_info::{Support, SystemInfo};
use crate::unfinished_policy::UnfinishedPolicy;
use crate::win_model::{PerformanceShape, WinModel};

/// Parameters of TrueSkill SPb, in rating points. The model is that of Nikolenko and Sirotkin
/// 2010; names and defaults are not theirs, but those of the implementation of Ebtekar and Liu,
/// `TrueSkillSPb`, with which they compare it (An Elo-like System for Massive Multiplayer
/// Competitions, 2021, section 6.2, which has no numbers). The ranges are this crate's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TrueSkillSpbParameters {
    /// Largest distance of a performance from the level of its place, in rating points; 0.001 to
    /// 1e5. Levels of neighbouring places are at least twice this apart. In contests of more than
    /// two, `margin` scales it. By default 1, as in the implementation.
    pub eps: f64,
    /// The meaning of `eps` in contests of more than two. By default `adjacent`: performances of
    /// two equals are within 2·`eps` with probability p = erf(`eps`/`beta`), at most 0.999999; in a
    /// contest of N entrants the distance is such that neighbours among N equals are within twice
    /// it with the same probability. N counts entrants, not places, since a model of the contest
    /// cannot depend on its result. `fixed` uses `eps` in all contests, as the implementation does:
    /// N places span at least 2·`eps`·(N − 1) points, whatever the skills.
    pub margin: DrawMargin,
    /// Standard deviation of a performance around the skill in a contest of weight 1, in rating
    /// points; 0.001 to 1e6. For weight W it is `beta`/√W. By default 175, as in the
    /// implementation.
    pub beta: f64,
    /// Convergence threshold: inference ends when no level of a place changes by this, in its mean
    /// or its deviation, in rating points; 1e-9 to 1e3. Numerical, not part of the model; by
    /// default 1e-4, as in the implementation.
    pub convergence_eps: f64,
    /// Standard deviation of the change of a skill from contest to contest, in rating points; 0 to
    /// 1e6. By default 35, as in the implementation.
    pub sigma_drift: f64,
    /// Rating of a newcomer, in rating points; -1e6 to 1e6. By default 1500, as for Elo-MMR
    /// (Ebtekar and Liu, section 4.2).
    pub initial_mu: f64,
    /// Uncertainty of a newcomer, in rating points; 0.001 to 1e6. By default 350, likewise.
    pub initial_sigma: f64,
}

impl Default for TrueSkillSpbParameters {
    fn default() -> Self {
        Self {
            eps: 1.0,
            margin: DrawMargin::Adjacent,
            beta: 175.0,
            convergence_eps: 1e-4,
            sigma_drift: 35.0,
            initial_mu: 1500.0,
            initial_sigma: 350.0,
        }
    }
}

/// TrueSkill SPb with the state of all its competitors, mu and sigma. A row's performance is the
/// rating: the message about an entrant's level has no bound.
///
/// Entrants that did not finish are tied for the last place.
pub type TrueSkillSpb = ModelSystem<TrueSkillSpbParameters>;

impl RatingModel for TrueSkillSpbParameters {
    type Player = GaussianPlayer;

    const INFO: SystemInfo = SystemInfo {
        name: "trueskill-spb",
        summary: "TrueSkill of St Petersburg: a level for every place, for many ties",
        source: "Nikolenko and Sirotkin, Extensions of the TrueSkill Rating System, 2010",
        supports: &[Support::Ties, Support::Weights],
        max_entrants: None,
        drifts_in_games: false,
        promises: &[],
        unfinished: UnfinishedPolicy::Tied,
        conservative_k: 3.0,
        titles: &[],
        parameters: &[
            log("eps", 0.1, 100.0),
            choice("margin", &["adjacent", "fixed"]),
            log("beta", 20.0, 1000.0),
            fixed("convergence_eps", ACCURACY),
            log("sigma_drift", 2.0, 150.0),
            fixed("initial_mu", SHIFT),
            fixed("initial_sigma", UNIT),
        ],
    };

    fn validate(&self) -> Result<(), InvalidParameter> {
        check_between("eps", self.eps, "between 0.001 and 1e5", 1e-3..=1e5)?;
        parameters::check_uncertainty("beta", self.beta)?;
        let threshold = self.convergence_eps;
        check_between("convergence_eps", threshold, "between 1e-9 and 1e3", 1e-9..=1e3)?;
        parameters::check_drift("sigma_drift", self.sigma_drift)?;
        parameters::check_newcomer(self.initial_mu, self.initial_sigma)
    }

    fn newcomer(&self) -> GaussianPlayer {
        GaussianPlayer::new(self.initial_mu, self.initial_sigma)
    }

    fn display(&self) -> Display {
        Display::mu_in_scale(self.initial_sigma)
    }

    fn provisional(&self) -> Provisional {
        Provisional::by_sigma(0.25 * self.initial_sigma)
    }

    fn win_model(&self) -> WinModel {
        let noise = self.beta * self.beta + self.sigma_drift * self.sigma_drift;
        WinModel {
            // Performances at one level are within 2·eps of each other.
            draw_margin: 2.0_f64.sqrt() * self.eps,
            ..WinModel::new(PerformanceShape::Normal, noise)
        }
    }

    fn rate(&self, players: &mut Players, round: &RatingRound<'_>, rated: &mut Vec<RatedEntrant>) {
        let TrueSkillSpbParameters {
            beta,
            sigma_drift,
            convergence_eps,
            ..
        } = *self;
        let noise = beta * beta / round.weight;
        let drift = sigma_drift * sigma_drift;
        let eps = self.scaled_eps(noise, round.entrants.len());
        let mut field = PlaceModel::new(round.groups, eps, |row| {
            let player = players[round.entrants[row]];
            (player.mu, player.sigma * player.sigma + drift + noise)
        });
        let message = field.infer(convergence_eps, Arch::new());
        for (&entrant, message) in round.entrants.iter().zip(message) {
            let player = &mut players[entrant];
            let prior = player.sigma * player.sigma + drift;
            // The message about the skill: that about the performance, plus the noise.
            let variance = message.variance + noise;
            // Adding 0 turns −0 into 0: storage does not keep −0.
            player.mu += (message.mean - player.mu) * (prior / (prior + variance)) + 0.0;
            player.sigma = (prior * (variance / (prior + variance))).sqrt();
            rated.push(player.row());
        }
    }
}

impl TrueSkillSpbParameters {
    /// Returns `eps` for a contest, according to `margin`.
    fn scaled_eps(&self, noise: f64, entrants: usize) -> f64 {
        // The bounds keep quantiles finite and above 0.
        let draws = libm::erf(self.eps / noise.sqrt()).clamp(1e-100, 0.999_999);
        let quantile = |count| self.margin.quantile(draws, count);
        self.eps * (quantile(entrants) / quantile(2))
    }
}

/// The message of the places about one performance.
#[derive(Clone, Copy, Debug)]
struct PerformanceMessage {
    mean: f64,
    variance: f64,
}

/// The performances of a contest, its places and the factors between them.
struct PlaceModel<'a> {
    groups: &'a [u32],
    /// Rows by place, and by performance within a place: ties are listed in any order, and sums
    /// must not depend on it.
    order: Vec<usize>,
    entrants: Vec<EntrantLanes>,
    eps: f64,
    chain: PlaceChain,
    /// The sum of the entrants' messages to each place: precisions, and precisions times means
    /// relative to the first entrant's. In two doubles, since each entrant's message is subtracted
    /// again.
    sums: Vec<(f64, TwoDouble, TwoDouble)>,
}

/// Eight entrants, one per lane.
#[derive(Clone, Copy, Debug)]
struct EntrantLanes {
    /// Mean of the prior performance.
    mean: Lanes,
    variance: Lanes,
    /// The level of the place according to all other entrants.
    level_mean: Lanes,
    level_variance: Lanes,
    /// The factor of the slack, level minus performance.
    slack_mean: Lanes,
    slack_variance: Lanes,
}

impl<'a> PlaceModel<'a> {
    fn new(groups: &'a [u32], eps: f64, performance: impl Fn(usize) -> (f64, f64)) -> Self {
        let count = groups.last().map_or(0, |&end| end as usize);
        let mut order: Vec<usize> = (0..count).collect();
        for group in group_ranges(groups) {
            order[group].sort_unstable_by(|&a, &b| {
                let a = performance(a);
                let b = performance(b);
                a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
            });
        }
        // Initially the slack is uniform from −eps to eps.
        let mut entrants = vec![
            EntrantLanes {
                mean: Lanes::ZERO,
                variance: Lanes::ONE,
                level_mean: Lanes::ZERO,
                level_variance: Lanes::ONE,
                slack_mean: Lanes::ZERO,
                slack_variance: Lanes::splat(eps * eps / 3.0),
            };
            count.div_ceil(LANES)
        ];
        for (index, &row) in order.iter().enumerate() {
            let eight = &mut entrants[index / LANES];
            let lane = index % LANES;
            (eight.mean.0[lane], eight.variance.0[lane]) = performance(row);
        }
        let links = (1..groups.len()).map(|_| PlaceLink::MoreThan(2.0 * eps));
        Self {
            chain: PlaceChain::new(vec![Message::default(); groups.len()], links),
            sums: vec![(0.0, TwoDouble::ZERO, TwoDouble::ZERO); groups.len()],
            groups,
            order,
            entrants,
            eps,
        }
    }

    /// Returns the message about each row's performance, once no level changes by `max_change`.
    fn infer(&mut self, max_change: f64, arch: Arch) -> Vec<PerformanceMessage> {
        for sweep in 0..MAX_SWEEPS {
            self.send_to_places();
            let change = self.chain.sweep();
            self.receive_from_places();
            if change < max_change && sweep > 1 {
                break;
            }
            self.chain.refine(arch);
            dispatch!(arch, refine_slack(&mut self.entrants, self.eps));
        }
        let mut messages = vec![
            PerformanceMessage {
                mean: 0.0,
                variance: 0.0
            };
            self.order.len()
        ];
        for (index, &row) in self.order.iter().enumerate() {
            let eight = &self.entrants[index / LANES];
            let lane = index % LANES;
            messages[row] = PerformanceMessage {
                mean: eight.level_mean.0[lane] - eight.slack_mean.0[lane],
                variance: eight.level_variance.0[lane] + eight.slack_variance.0[lane],
            };
        }
        messages
    }

    /// Returns an entrant's message about the level of the place.
    #[inline(always)]
    fn message_from(&self, index: usize) -> Message {
        let eight = &self.entrants[index / LANES];
        let lane = index % LANES;
        Message {
            mean: eight.mean.0[lane] + eight.slack_mean.0[lane],
            precision: 1.0 / (eight.variance.0[lane] + eight.slack_variance.0[lane]),
        }
    }

    fn send_to_places(&mut self) {
        for (place, group) in group_ranges(self.groups).enumerate() {
            let first_message = self.message_from(group.start);
            let mut precision = TwoDouble::ZERO.plus(first_message.precision);
            let mut offset = TwoDouble::ZERO;
            for index in group.start + 1..group.end {
                let message = self.message_from(index);
                precision = precision.plus(message.precision);
                offset = offset.plus(message.precision * (message.mean - first_message.mean));
            }
            self.sums[place] = (first_message.mean, precision, offset);
            self.chain.prior[place] = Message {
                mean: first_message.mean + offset.value() / precision.value(),
                precision: precision.value(),
            };
        }
    }

    fn receive_from_places(&mut self) {
        for (place, group) in group_ranges(self.groups).enumerate() {
            let mut from_chain = self.chain.message_to(place);
            // An almost flat message for a level without information.
            from_chain.precision = from_chain.precision.max(1e-30);
            let is_tie = group.len() > 1;
            for index in group {
                let mut all = from_chain;
                if is_tie {
                    let message = self.message_from(index);
                    let (first, precision, offset) = self.sums[place];
                    let precision = precision.plus(-message.precision).value();
                    let offset = offset.plus(-message.precision * (message.mean - first)).value();
                    all = from_chain.combined_with(Message {
                        mean: first + offset / precision,
                        precision,
                    });
                }
                let eight = &mut self.entrants[index / LANES];
                let lane = index % LANES;
                eight.level_mean.0[lane] = all.mean;
                eight.level_variance.0[lane] = 1.0 / all.precision;
            }
        }
    }
}

#[inline(always)]
fn refine_slack(entrants: &mut [EntrantLanes], eps: f64) {
    for eight in entrants {
        let slack = factor_within(
            eight.level_mean - eight.mean,
            eight.level_variance + eight.variance,
            Lanes::splat(eps),
        );
        eight.slack_mean = slack.mean;
        eight.slack_variance = slack.variance;
    }
}
