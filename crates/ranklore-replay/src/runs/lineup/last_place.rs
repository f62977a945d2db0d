//! A contest in which one competitor came last of those that finished, for experiments.

use std::ops::Range;

use ranklore_store::RatableContest;

use super::ReplayContest;

/// A contest with another last place than it had.
#[derive(Debug)]
pub struct ContestWithLast<'r> {
    row: &'r RatableContest,
    entrants: Vec<u32>,
    teams: Option<Vec<u32>>,
    groups: Vec<u32>,
    finishers: u32,
    advantaged: Option<u32>,
}

impl<'r> ContestWithLast<'r> {
    /// Puts an entrant, or its team, after all others that finished, alone. The others keep their
    /// order. Returns `None` if it did not take part or finish, or is there already.
    #[must_use]
    pub fn new(contest: &ReplayContest<'r>, entrant: u32) -> Option<Self> {
        let ranges: Vec<_> = contest.team_ranges().collect();
        let has_entrant = |team: &Range<usize>| contest.entrants[team.clone()].contains(&entrant);
        let finishers = contest.finishers as usize;
        let moved = ranges[..finishers].iter().position(has_entrant)?;
        let mut order: Vec<usize> = (0..ranges.len()).filter(|&team| team != moved).collect();
        order.insert(finishers - 1, moved);
        let mut entrants = Vec::with_capacity(contest.entrants.len());
        let mut teams = Vec::with_capacity(ranges.len());
        for team in order {
            entrants.extend_from_slice(&contest.entrants[ranges[team].clone()]);
            teams.push(entrants.len() as u32);
        }
        let moved = moved as u32;
        let mut groups: Vec<u32> = Vec::with_capacity(contest.groups.len() + 1);
        for &end in contest.groups.iter().filter(|&&end| end <= contest.finishers) {
            let end = end - u32::from(end > moved);
            // Its own tie group is empty without it.
            if end > groups.last().copied().unwrap_or(0) {
                groups.push(end);
            }
        }
        groups.push(contest.finishers);
        groups.extend(contest.groups.iter().filter(|&&end| end > contest.finishers));
        let is_same = moved + 1 == contest.finishers && groups == contest.groups;
        (!is_same).then(|| Self {
            row: contest.row,
            entrants,
            teams: contest.teams.map(|_| teams),
            groups,
            finishers: contest.finishers,
            advantaged: contest.advantaged.map(|index| {
                let is_between = index > moved && index < contest.finishers;
                if index == moved {
                    contest.finishers - 1
                } else {
                    index - u32::from(is_between)
                }
            }),
        })
    }

    /// Returns the contest.
    #[must_use]
    pub fn contest(&self) -> ReplayContest<'_> {
        ReplayContest {
            row: self.row,
            entrants: &self.entrants,
            teams: self.teams.as_deref(),
            groups: &self.groups,
            finishers: self.finishers,
            advantaged: self.advantaged,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::ROW;
    use super::*;

    /// The rank of entrants that did not finish.
    const UNFINISHED: u32 = 9;

    /// Returns the rank of each entrant by number, as it is the group's first place.
    fn ranks(contest: &ReplayContest<'_>) -> Vec<u32> {
        let mut ranks = vec![0; contest.entrants.len()];
        let mut start = 0;
        for &end in contest.groups {
            for &entrant in &contest.entrants[start as usize..end as usize] {
                ranks[entrant as usize] = if start < contest.finishers {
                    start
                } else {
                    UNFINISHED
                };
            }
            start = end;
        }
        ranks
    }

    #[test]
    fn others_are_ranked_as_without_the_last_one() {
        for count in 1..=5_u32 {
            // Each bit ends a tie group.
            for ties in 0..1_u32 << (count - 1) {
                for finishers in 0..=count {
                    let ends = (1..=count).filter(|&end| {
                        end == count
                            || end == finishers
                            || end < finishers && ties & 1 << (end - 1) != 0
                    });
                    let groups: Vec<u32> = ends.collect();
                    let entrants: Vec<u32> = (0..count).collect();
                    let contest = ReplayContest {
                        row: &ROW,
                        entrants: &entrants,
                        teams: None,
                        groups: &groups,
                        finishers,
                        advantaged: (count == 2).then_some(1),
                    };
                    let before = ranks(&contest);
                    for moved in 0..count {
                        let own = before[moved as usize];
                        let others = (0..count as usize).filter(|&other| other != moved as usize);
                        let is_last = others
                            .clone()
                            .all(|other| before[other] < own || before[other] == UNFINISHED);
                        let Some(with_last) = ContestWithLast::new(&contest, moved) else {
                            assert!(own == UNFINISHED || is_last, "{groups:?} {finishers} {moved}");
                            continue;
                        };
                        assert!(own != UNFINISHED && !is_last, "{groups:?} {finishers} {moved}");
                        let after = ranks(&with_last.contest());
                        assert_eq!(after[moved as usize], finishers - 1);
                        for other in others {
                            // One fewer is above those whom the moved one beat.
                            let is_lifted = own < before[other] && before[other] != UNFINISHED;
                            let expected = before[other] - u32::from(is_lifted);
                            assert_eq!(after[other], expected, "{groups:?} {finishers} {moved}");
                        }
                        if let Some(advantaged) = with_last.contest().advantaged {
                            assert_eq!(with_last.contest().entrants[advantaged as usize], 1);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn team_of_the_entrant_comes_last() {
        let contest = ReplayContest {
            row: &ROW,
            entrants: &[4, 7, 1, 2, 3],
            teams: Some(&[2, 3, 5]),
            groups: &[1, 3],
            finishers: 3,
            advantaged: None,
        };
        assert!(ContestWithLast::new(&contest, 5).is_none());
        let with_last = ContestWithLast::new(&contest, 7).unwrap();
        let with_last = with_last.contest();
        assert_eq!(with_last.entrants, [1, 2, 3, 4, 7]);
        assert_eq!(with_last.teams, Some(&[1, 3, 5][..]));
        assert_eq!(with_last.groups, [2, 3]);
    }
}
