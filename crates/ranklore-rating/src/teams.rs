//! Teams in systems for individuals (paper, section 3.3): a team performs as the sum of its
//! members' performances, and a member is credited with the part not expected of the others.

use std::ops::Range;

use crate::numerics::two_double::TwoDouble;
use crate::solve::performance::{Opponents, Ties};
use crate::system::{RatingRound, group_ranges};

/// A member before a contest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MemberPrior {
    /// The rating.
    pub(crate) mu: f64,
    /// The variance of the skill, σ².
    pub(crate) variance: f64,
    /// The variance of a performance around the skill, β².
    pub(crate) noise: f64,
}

/// A team before a contest.
#[derive(Clone, Copy, Debug, Default)]
struct TeamPrior {
    /// The sum of ratings.
    mu: TwoDouble,
    /// The variance of the performance, Σ (σ² + β²).
    variance: TwoDouble,
    members: usize,
}

impl TeamPrior {
    fn from_members(members: &[MemberPrior]) -> Self {
        if let [alone] = members {
            return Self::default().plus(alone);
        }
        let mut members = members.to_vec();
        // Sorted, since the last bits of a sum depend on the order.
        members.sort_unstable_by(|a, b| {
            let by_rating = a.mu.total_cmp(&b.mu);
            by_rating
                .then_with(|| a.variance.total_cmp(&b.variance))
                .then_with(|| a.noise.total_cmp(&b.noise))
        });
        members.iter().fold(Self::default(), Self::plus)
    }

    fn plus(self, member: &MemberPrior) -> Self {
        Self {
            mu: self.mu.plus(member.mu),
            variance: self.variance.plus(member.variance).plus(member.noise),
            members: self.members + 1,
        }
    }

    /// Derives a member's performance from that of the team.
    fn credit(&self, performance: f64, member: MemberPrior, ceiling: f64) -> MemberCredit {
        let (performance, variance) = if self.members == 1 {
            (performance, None)
        } else {
            // In two doubles: a newcomer beside a settled member would cancel the latter's digits.
            let teammates = self.mu.plus(-member.mu);
            let variance = self.variance.plus(-member.variance).value();
            (performance - teammates.value(), Some(variance))
        };
        MemberCredit {
            // Adding 0 turns −0 into 0: storage does not keep −0.
            performance: performance.min(ceiling) + 0.0,
            variance,
        }
    }
}

/// A member's part in the performance of the team.
pub(crate) struct MemberCredit {
    /// The performance, at most the ceiling of the round.
    pub(crate) performance: f64,
    /// The variance around the member's skill if teammates add to it; otherwise it is β².
    pub(crate) variance: Option<f64>,
}

/// Functions that compute performances: one per group of tied teams, and one per unfinished team.
pub(crate) type PerformanceSolvers = (
    fn(&Opponents<'_>, Ties) -> Vec<f64>,
    fn(&Opponents<'_>, usize, Ties) -> Vec<f64>,
);

/// Computes the credit of each entrant of a round, in their order, for the results of the teams;
/// an individual is a team of one. Performances of deviation 1 have the scale `scale`.
pub(crate) fn member_credits(
    round: &RatingRound<'_>,
    members: &[MemberPrior],
    scale: f64,
    split_ties: bool,
    (solve, solve_unfinished): PerformanceSolvers,
) -> Vec<MemberCredit> {
    let people: Vec<Range<usize>> = match round.teams {
        Some(ends) => group_ranges(ends).collect(),
        None => (0..members.len()).map(|alone| alone..alone + 1).collect(),
    };
    let teams: Vec<TeamPrior> = people
        .iter()
        .map(|team| TeamPrior::from_members(&members[team.clone()]))
        .collect();
    let mu: Vec<f64> = teams.iter().map(|team| team.mu.value()).collect();
    let deviations = teams.iter().map(|team| team.variance.value().sqrt());
    let opponents = Opponents {
        mu: &mu,
        scale: &deviations.map(|deviation| scale * deviation).collect::<Vec<f64>>(),
        groups: round.groups,
    };
    let ties = if split_ties { Ties::Split } else { Ties::Whole };
    let performances = solve(&opponents, ties);
    let finishers = round.finishers as usize;
    let unfinished = if finishers < teams.len() {
        solve_unfinished(&opponents, finishers, ties)
    } else {
        Vec::new()
    };
    let mut credits = Vec::with_capacity(members.len());
    for (group, performance) in group_ranges(round.groups).zip(performances) {
        for team in group {
            let unfinished_performance = unfinished.get(team.wrapping_sub(finishers));
            let performance = *unfinished_performance.unwrap_or(&performance);
            credits.extend(
                members[people[team].clone()].iter().map(|&member| {
                    teams[team].credit(performance, member, round.performance_ceiling)
                }),
            );
        }
    }
    credits
}
