//! Policies for entrants that did not finish: below all finishers, unordered among themselves.

use crate::system::RatingRound;
use crate::words::words;

/// Treatment of entrants that did not finish.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnfinishedPolicy {
    /// Each lost to every finisher, with no order among themselves: the exact likelihood of that.
    /// Only for systems that have one.
    Censored,
    /// Unfinished entrants tie for the last place.
    Tied,
    /// Unfinished entrants are removed from the contest.
    Drop,
}

words!(UnfinishedPolicy {
    Censored: "censored",
    Tied: "tied",
    Drop: "drop",
});

impl UnfinishedPolicy {
    /// Returns the contest as the policy presents it to a system.
    #[must_use]
    pub fn apply<'a>(self, round: &RatingRound<'a>) -> RatingRound<'a> {
        let all = round.groups.last().copied().unwrap_or(0);
        if round.finishers >= all {
            return *round;
        }
        match self {
            Self::Censored => *round,
            Self::Tied => RatingRound {
                finishers: all,
                ..*round
            },
            Self::Drop => {
                let finishers = round.finishers as usize;
                let people = match round.teams {
                    None => finishers,
                    Some(teams) => teams[..finishers].last().map_or(0, |&end| end as usize),
                };
                RatingRound {
                    entrants: &round.entrants[..people],
                    teams: round.teams.map(|teams| &teams[..finishers]),
                    groups: &round.groups[..round.groups.len() - 1],
                    ..*round
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_policy_transforms_contest() {
        let round = RatingRound {
            finishers: 3,
            ..RatingRound::new(&[4, 2, 7, 1, 0], &[1, 3, 5])
        };
        let tied = UnfinishedPolicy::Tied.apply(&round);
        assert_eq!((tied.finishers, tied.groups), (5, &[1, 3, 5][..]));
        let dropped = UnfinishedPolicy::Drop.apply(&round);
        assert_eq!((dropped.entrants, dropped.groups), (&[4, 2, 7][..], &[1, 3][..]));
        let censored = UnfinishedPolicy::Censored.apply(&round);
        assert_eq!((censored.finishers, censored.entrants.len()), (3, 5));
        let teams = RatingRound {
            teams: Some(&[2, 4, 5]),
            finishers: 1,
            ..RatingRound::new(&[4, 2, 7, 1, 0], &[1, 3])
        };
        let dropped = UnfinishedPolicy::Drop.apply(&teams);
        assert_eq!(
            (dropped.entrants, dropped.teams, dropped.groups),
            (&[4, 2][..], Some(&[2][..]), &[1][..])
        );
        assert!(!dropped.has_order());
    }
}
