//! Teams in systems for individuals (paper, section 3.3): a team performs as the sum of its
//! members' performances, and a member is credited with the part not expected of the others.

use std::ops::Range;

use crate::numerics::two_double::TwoDouble;
use crate::system::{RatingRound, group_ranges};

/// The ranges of the teams among the entrants of a round, best place first. An individual is a team
/// of one.
pub(crate) fn team_ranges<'a>(round: &RatingRound<'a>) -> impl Iterator<Item = Range<usize>> + 'a {
    let alone = if round.teams.is_none() {
        round.entrants.len()
    } else {
        0
    };
    let together = group_ranges(round.teams.unwrap_or_default());
    (0..alone)
        .map(|entrant| entrant..entrant + 1)
        .chain(together)
}

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
#[derive(Clone, Copy, Debug)]
pub(crate) struct TeamPrior {
    mu: TwoDouble,
    variance: TwoDouble,
    members: usize,
}

impl TeamPrior {
    pub(crate) fn from_members(members: impl ExactSizeIterator<Item = MemberPrior>) -> Self {
        if members.len() < 2 {
            return Self::sum(members);
        }
        let mut members: Vec<MemberPrior> = members.collect();
        // Sorted, since the last bits of a sum depend on the order.
        members.sort_unstable_by(|a, b| {
            let by_rating = a.mu.total_cmp(&b.mu);
            let by_skill = || a.variance.total_cmp(&b.variance);
            (by_rating.then_with(by_skill)).then_with(|| a.noise.total_cmp(&b.noise))
        });
        Self::sum(members.into_iter())
    }

    fn sum(members: impl Iterator<Item = MemberPrior>) -> Self {
        let mut team = Self {
            mu: TwoDouble::ZERO,
            variance: TwoDouble::ZERO,
            members: 0,
        };
        for member in members {
            team.mu = team.mu.plus(member.mu);
            team.variance = team.variance.plus(member.variance).plus(member.noise);
            team.members += 1;
        }
        team
    }

    /// Returns the sum of ratings.
    pub(crate) fn mu(&self) -> f64 {
        self.mu.value()
    }

    /// Returns the variance of the performance, Σ (σ² + β²).
    pub(crate) fn variance(&self) -> f64 {
        self.variance.value()
    }

    /// Derives a member's performance from that of the team: the performance, at most `ceiling`,
    /// and its variance around the member's skill if teammates add to it (otherwise it is β²).
    pub(crate) fn credit(
        &self,
        performance: f64,
        member: MemberPrior,
        ceiling: f64,
    ) -> (f64, Option<f64>) {
        if self.members == 1 {
            return (performance.min(ceiling) + 0.0, None);
        }
        // In two doubles: a newcomer beside a settled member would cancel the digits of the latter.
        let others = self.mu.plus(-member.mu);
        let own = performance - others.value();
        // Adding 0 turns −0 into 0: storage does not keep −0.
        (
            own.min(ceiling) + 0.0,
            Some(self.variance.plus(-member.variance).value()),
        )
    }
}
