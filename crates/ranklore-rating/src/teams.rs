//! Teams in systems for individuals (paper, section 3.3): a team performs as the sum of its
//! members' performances, and a member is credited with what the others were not expected to do.

use std::ops::Range;

use crate::numerics::two_double::TwoDouble;
use crate::system::{Round, ranges};

/// Where the teams of a round stand among its entrants: one range each, best place first. Whoever
/// stands alone is a team of one.
pub(crate) fn teams<'a>(round: &Round<'a>) -> impl Iterator<Item = Range<usize>> + 'a {
    let alone = if round.teams.is_none() {
        round.entrants.len()
    } else {
        0
    };
    let together = ranges(round.teams.unwrap_or_default());
    (0..alone)
        .map(|entrant| entrant..entrant + 1)
        .chain(together)
}

/// A member before a contest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Member {
    /// The rating.
    pub(crate) mu: f64,
    /// The variance of the skill, σ².
    pub(crate) variance: f64,
    /// The variance of a performance around the skill, β².
    pub(crate) noise: f64,
}

/// A team before a contest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Team {
    mu: TwoDouble,
    variance: TwoDouble,
    members: usize,
}

impl Team {
    pub(crate) fn of(members: impl ExactSizeIterator<Item = Member>) -> Self {
        if members.len() < 2 {
            return Self::sum(members);
        }
        let mut members: Vec<Member> = members.collect();
        // In no order that they are listed in: the last bits of sums depend on it.
        members.sort_unstable_by(|a, b| {
            let by_rating = a.mu.total_cmp(&b.mu);
            let by_skill = || a.variance.total_cmp(&b.variance);
            (by_rating.then_with(by_skill)).then_with(|| a.noise.total_cmp(&b.noise))
        });
        Self::sum(members.into_iter())
    }

    fn sum(members: impl Iterator<Item = Member>) -> Self {
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

    /// The sum of ratings.
    pub(crate) fn mu(&self) -> f64 {
        self.mu.value()
    }

    /// The variance of its performance, σ² + β² summed.
    pub(crate) fn variance(&self) -> f64 {
        self.variance.value()
    }

    /// What a performance of the team says of a member: the performance, which counts no higher
    /// than `ceiling`, and its variance around the member's skill where that is not β² alone but
    /// the variance of the others too.
    pub(crate) fn credit(
        &self,
        performance: f64,
        member: Member,
        ceiling: f64,
    ) -> (f64, Option<f64>) {
        if self.members == 1 {
            return (performance.min(ceiling) + 0.0, None);
        }
        // Of a newcomer next to somebody settled a double would keep the newcomer alone.
        let others = self.mu.plus(-member.mu);
        let own = performance - others.value();
        // Adding 0 makes −0 a 0, so that the performance may be stored where −0 is lost.
        (
            own.min(ceiling) + 0.0,
            Some(self.variance.plus(-member.variance).value()),
        )
    }
}
