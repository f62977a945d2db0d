//! Policies for entrants that did not finish: below all finishers, unordered among themselves.

use serde::{Serialize, Serializer};

use crate::system::{CompetitorIndex, Past, Rated, RatingSystem, Round, Start};

/// Treatment of entrants that did not finish.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unfinished {
    /// Each lost to every finisher, with no order among themselves: the exact likelihood of that.
    /// Only for systems that have one.
    Censored,
    /// They tie for the last place.
    Tied,
    /// They are removed from the contest.
    Drop,
}

impl Serialize for Unfinished {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl Unfinished {
    /// All policies, in the order of listings.
    pub const ALL: [Self; 3] = [Self::Censored, Self::Tied, Self::Drop];

    /// Returns the name in files and output.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Censored => "censored",
            Self::Tied => "tied",
            Self::Drop => "drop",
        }
    }

    /// Parses a name.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|of| of.as_str() == word)
    }

    /// Returns the contest as the policy presents it to a system.
    #[must_use]
    pub fn seen<'a>(self, round: &Round<'a>) -> Round<'a> {
        let all = round.groups.last().copied().unwrap_or(0);
        if round.finishers >= all {
            return *round;
        }
        match self {
            Self::Censored => *round,
            Self::Tied => Round {
                finishers: all,
                ..*round
            },
            Self::Drop => {
                let finishers = round.finishers as usize;
                let people = match round.teams {
                    None => finishers,
                    Some(teams) => teams[..finishers].last().map_or(0, |&end| end as usize),
                };
                Round {
                    entrants: &round.entrants[..people],
                    teams: round.teams.map(|teams| &teams[..finishers]),
                    groups: &round.groups[..round.groups.len() - 1],
                    ..*round
                }
            }
        }
    }
}

/// A rating system whose contests pass through an [`UnfinishedPolicy`] first.
pub struct Treating<S: ?Sized> {
    unfinished: Unfinished,
    system: Box<S>,
}

impl<S: RatingSystem + ?Sized> Treating<S> {
    /// Wraps `system`, applying the policy `unfinished` to each contest.
    #[must_use]
    pub const fn new(unfinished: Unfinished, system: Box<S>) -> Self {
        Self { unfinished, system }
    }
}

impl<S: RatingSystem + ?Sized> RatingSystem for Treating<S> {
    fn start(&mut self, competitor: CompetitorIndex, start: Start) {
        self.system.start(competitor, start);
    }

    fn recall(&mut self, competitor: CompetitorIndex, past: &Past) {
        self.system.recall(competitor, past);
    }

    fn mu(&self, competitor: CompetitorIndex) -> f64 {
        self.system.mu(competitor)
    }

    fn newcomer_mu(&self, event: u32) -> f64 {
        self.system.newcomer_mu(event)
    }

    fn rate(&mut self, round: &Round<'_>, rated: &mut Vec<Rated>) {
        self.system.rate(&self.unfinished.seen(round), rated);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contest_is_seen_with_and_without_those_who_did_not_finish() {
        let round = Round {
            finishers: 3,
            ..Round::of(&[4, 2, 7, 1, 0], &[1, 3, 5])
        };
        let tied = Unfinished::Tied.seen(&round);
        assert_eq!((tied.finishers, tied.groups), (5, &[1, 3, 5][..]));
        let dropped = Unfinished::Drop.seen(&round);
        assert_eq!(
            (dropped.entrants, dropped.groups),
            (&[4, 2, 7][..], &[1, 3][..])
        );
        let censored = Unfinished::Censored.seen(&round);
        assert_eq!((censored.finishers, censored.entrants.len()), (3, 5));
        let teams = Round {
            teams: Some(&[2, 4, 5]),
            finishers: 1,
            ..Round::of(&[4, 2, 7, 1, 0], &[1, 3])
        };
        let dropped = Unfinished::Drop.seen(&teams);
        assert_eq!(
            (dropped.entrants, dropped.teams, dropped.groups),
            (&[4, 2][..], Some(&[2][..]), &[1][..])
        );
        assert!(!dropped.has_order());
    }
}
