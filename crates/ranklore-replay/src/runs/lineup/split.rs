//! Contests held in groups of their entrants, for experiments.

use std::borrow::Cow;
use std::ops::Range;

use ranklore_rating::metrics::SplitMix64;
use ranklore_store::RatableContest;

use super::{Replay, ReplayContest};

impl Replay<'_> {
    /// Splits the entrants of each rated contest at random into the fewest groups of at most `size`,
    /// from 2, whose sizes differ by 1 at most. Each group is a contest of the same time, ranked by
    /// the places among its entrants. The competitors keep their indices.
    #[must_use]
    pub fn split(&self, size: u32, seed: u64) -> Replay<'static> {
        let mut split = Replay::new(Cow::Owned(Vec::new()), self.all_tied);
        split.add_competitors(&self.competitors);
        for (contest, number) in self.rated_contests() {
            let ranges: Vec<_> = contest.team_ranges().collect();
            let teams = ranges.len();
            let mut order: Vec<usize> = (0..teams).collect();
            let mut random = SplitMix64::new(&[seed, number]);
            for index in 0..teams {
                order.swap(index, index + random.below(teams - index));
            }
            let count = teams.div_ceil(size as usize);
            for group in 0..count {
                let group = &mut order[group * teams / count..(group + 1) * teams / count];
                group.sort_unstable();
                split.push_group(&contest, &ranges, group);
            }
        }
        split
    }

    /// Appends a contest of some teams of another one, given by their indices in order of place.
    /// `ranges` are those of all its teams.
    fn push_group(
        &mut self,
        contest: &ReplayContest<'_>,
        ranges: &[Range<usize>],
        teams: &[usize],
    ) {
        self.rows.to_mut().push(RatableContest {
            entrants: teams.len() as u32,
            ..*contest.row
        });
        let mut end = 0;
        for &team in teams {
            let members = &contest.entrants[ranges[team].clone()];
            self.entrants.extend_from_slice(members);
            end += members.len() as u32;
            if contest.teams.is_some() {
                self.teams.push(end);
            }
        }
        let tie_group = |team: usize| contest.groups.partition_point(|&end| end as usize <= team);
        let mut end = 0;
        for tied in teams.chunk_by(|&a, &b| tie_group(a) == tie_group(b)) {
            end += tied.len() as u32;
            self.groups.push(end);
        }
        let is_whole = teams.len() == ranges.len();
        let finishers = teams.partition_point(|&team| team < contest.finishers as usize);
        self.push_ends(finishers as u32, contest.advantaged.filter(|_| is_whole));
    }
}

#[cfg(test)]
mod tests {
    use ranklore_rating::AllTied;
    use ranklore_store::CompetitorId;

    use super::super::tests::ROW;
    use super::super::{Lineup, UNPLACED};
    use super::*;

    /// Returns a replay of one contest of teams with these sizes and ranks.
    fn replay(teams: &[(u32, u32)]) -> Replay<'static> {
        let mut replay = Replay::new(Cow::Owned(vec![ROW]), AllTied::default());
        let mut lineup = Lineup::default();
        let mut next = 1..;
        for &(members, rank) in teams {
            let people: Vec<_> =
                next.by_ref().take(members as usize).map(CompetitorId::new).collect();
            lineup.push_team(rank, &people);
        }
        replay.push(&lineup);
        replay
    }

    /// Returns the members and the rank of each team, the same for those that did not finish.
    fn teams(contest: &ReplayContest<'_>) -> Vec<(Vec<u32>, u32)> {
        let ranges = (0_u32..).zip(contest.team_ranges());
        let teams = ranges.map(|(team, range)| {
            let rank = contest.groups.partition_point(|&end| end <= team) as u32;
            let rank = if team < contest.finishers {
                rank
            } else {
                UNPLACED
            };
            (contest.entrants[range].to_vec(), rank)
        });
        teams.collect()
    }

    #[test]
    fn each_team_is_in_one_group_and_keeps_its_order() {
        let with_teams = [
            (2, 1),
            (1, 2),
            (3, 2),
            (1, 2),
            (2, 5),
            (1, 6),
            (1, UNPLACED),
            (2, UNPLACED),
        ];
        let individuals = [1, 1, 3, 4, 4, 4, 7, 8, UNPLACED, UNPLACED].map(|rank| (1, rank));
        for contest in [&with_teams[..], &individuals] {
            let whole = replay(contest);
            let all = teams(&whole.contest(0));
            for size in 2..=contest.len() as u32 + 1 {
                for seed in 0..20 {
                    let split = whole.split(size, seed);
                    let mut members = Vec::new();
                    for group in split.contests() {
                        let own = teams(&group);
                        assert!(own.len() <= size as usize, "{size} {seed}");
                        assert_eq!(group.row.entrants as usize, own.len());
                        let rank_in_whole = |team: &Vec<u32>| {
                            all.iter().find(|(other, _)| other == team).unwrap().1
                        };
                        for (a, a_rank) in &own {
                            for (b, b_rank) in &own {
                                let order = rank_in_whole(a).cmp(&rank_in_whole(b));
                                assert_eq!(a_rank.cmp(b_rank), order, "{size} {seed}");
                            }
                        }
                        members.extend_from_slice(group.entrants);
                    }
                    members.sort_unstable();
                    assert_eq!(members.len(), whole.contest(0).entrants.len());
                    assert!((0..).zip(&members).all(|(index, &member)| index == member));
                    let sizes: Vec<u32> =
                        split.contests().map(|group| group.row.entrants).collect();
                    let [smallest, largest] = [sizes.iter().min(), sizes.iter().max()];
                    assert!(largest.unwrap() - smallest.unwrap() <= 1, "{size} {seed}");
                }
            }
        }
    }

    #[test]
    fn groups_are_drawn_anew_by_seed() {
        let whole = replay(&[1, 2, 3, 4, 5, 6, 7, 8].map(|rank| (1, rank)));
        let groups = |seed| -> Vec<Vec<u32>> {
            let split = whole.split(4, seed);
            split.contests().map(|group| group.entrants.to_vec()).collect()
        };
        assert_eq!(groups(1), groups(1));
        assert_ne!(groups(1), groups(2));
    }
}
