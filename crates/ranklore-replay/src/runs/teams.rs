//! Rating of teams: the team as a whole, or its members.

use std::collections::{HashMap, HashSet};

use ranklore_contest::{EntrantOutcome, Place, word_enum};
use ranklore_store::{CompetitorId, ContestId, Store, TeamMember};
use serde_json::Value;

word_enum! {
    /// The competitors that are rated in teams.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum TeamMode {
        /// The team, as a competitor of its own.
        #[default]
        Whole = "whole",
        /// The members. A team without known members is rated as a whole.
        Members = "members",
    }
}

impl TeamMode {
    /// Name of the parameter of runs.
    pub const PARAMETER: &str = "teams";

    /// Reads the mode from the parameters of a run (canonical JSON).
    pub fn from_run_parameters(parameters: &str) -> Self {
        read_word_parameter(parameters, Self::PARAMETER, Self::from_word)
    }
}

/// Reads a parameter of a run (canonical JSON); the default if it is not one of the words.
pub(crate) fn read_word_parameter<T: Default>(
    parameters: &str,
    name: &str,
    from_word: fn(&str) -> Option<T>,
) -> T {
    let parameters: Value = serde_json::from_str(parameters).unwrap_or_default();
    let word = parameters[name].as_str();
    word.and_then(from_word).unwrap_or_default()
}

/// Returns the place; entrants that did not finish rank below all others.
pub fn rank(outcome: EntrantOutcome) -> u32 {
    outcome.place().map_or(u32::MAX, Place::get)
}

/// A team as it is rated, possibly of one member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RatedTeam {
    /// The competitor in the standings: the team, or the individual.
    pub account: CompetitorId,
    /// The place; entrants that did not finish rank below all others.
    pub rank: u32,
    /// The merge targets of its members, without duplicates.
    pub people: Vec<CompetitorId>,
}

/// Returns the rated teams of a contest, ordered by rank, from standings in any order and members
/// ordered by team. `counts_as` returns the merge target of an account.
///
/// A person in several teams counts in the one with the best place, then in the smallest, then in
/// the first by name. Teams without remaining members are omitted. `by_name` returns the teams
/// ordered by name, and is called only if needed.
pub(crate) fn rated_teams<E>(
    standings: impl IntoIterator<Item = (CompetitorId, u32)>,
    members: &[TeamMember],
    counts_as: impl Fn(CompetitorId) -> CompetitorId,
    by_name: impl FnOnce() -> Result<Vec<CompetitorId>, E>,
) -> Result<Vec<RatedTeam>, E> {
    let mut teams = Vec::new();
    for (account, rank) in standings {
        let start = members.partition_point(|member| member.competitor_id < account);
        let mut people: Vec<_> = members[start..]
            .iter()
            .take_while(|member| member.competitor_id == account)
            .map(|member| counts_as(member.person_id))
            .collect();
        if people.is_empty() {
            people.push(counts_as(account));
        }
        people.sort_unstable();
        people.dedup();
        teams.push(RatedTeam {
            account,
            rank,
            people,
        });
    }
    teams.sort_by_key(|team| (team.rank, team.people.len()));
    let mut counted = HashSet::new();
    let mut people = teams.iter().flat_map(|team| &team.people);
    if people.all(|&person| counted.insert(person)) {
        return Ok(teams);
    }
    let order: HashMap<CompetitorId, usize> = by_name()?.into_iter().zip(0..).collect();
    teams.sort_by_key(|team| {
        let position = order.get(&team.account).copied();
        (team.rank, team.people.len(), position)
    });
    counted.clear();
    for team in &mut teams {
        team.people.retain(|&person| counted.insert(person));
    }
    teams.retain(|team| !team.people.is_empty());
    Ok(teams)
}

/// Loads the rated teams of a stored contest.
///
/// # Errors
/// Errors if the database cannot be read.
pub fn load_rated_teams(
    store: &Store,
    contest: ContestId,
    standings: impl IntoIterator<Item = (CompetitorId, u32)>,
    counts_as: impl Fn(CompetitorId) -> CompetitorId,
) -> Result<Vec<RatedTeam>, ranklore_store::Error> {
    let members = store.members_of_contest(contest)?;
    rated_teams(standings, &members, counts_as, || store.teams_by_name(contest))
}

/// Returns the rating of a team: the sum of its members' ratings, bit-identical in any order.
pub fn sum_ratings(mut ratings: impl Iterator<Item = f64>) -> f64 {
    let first = ratings.next().unwrap_or_default();
    // Almost every team has one member.
    let Some(second) = ratings.next() else {
        return first;
    };
    let mut ratings: Vec<f64> = [first, second].into_iter().chain(ratings).collect();
    ratings.sort_unstable_by(f64::total_cmp);
    ratings.into_iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(id: i64) -> CompetitorId {
        CompetitorId::new(id)
    }

    /// Returns the rated teams; `names` lists teams in the order of their names.
    fn rated_teams_by_id(
        standings: &[(i64, u32)],
        members: &[(i64, i64)],
        names: &[i64],
    ) -> Vec<(i64, Vec<i64>)> {
        let members: Vec<TeamMember> = members
            .iter()
            .map(|&(team, person)| TeamMember {
                competitor_id: id(team),
                person_id: id(person),
            })
            .collect();
        let standings = standings.iter().map(|&(account, rank)| (id(account), rank));
        // A number above 100 is an account merged into that number minus 100.
        let counts_as = |account: CompetitorId| id(account.get() % 100);
        let by_name = || Ok::<_, ()>(names.iter().map(|&team| id(team)).collect());
        rated_teams(standings, &members, counts_as, by_name)
            .unwrap()
            .into_iter()
            .map(|team| {
                let people = team.people.iter().map(|person| person.get());
                (team.account.get(), people.collect())
            })
            .collect()
    }

    #[test]
    fn person_counts_once_in_best_team() {
        // Team 60 has no known members.
        let standings = [(52, 3), (60, 2), (50, 1), (51, 3), (7, 2)];
        let members = [(50, 1), (50, 2), (51, 101), (51, 3), (52, 2), (52, 1)];
        assert_eq!(
            rated_teams_by_id(&standings, &members, &[50, 51, 52]),
            [
                (50, vec![1, 2]),
                (60, vec![60]),
                (7, vec![7]),
                (51, vec![3]),
            ]
        );
    }

    #[test]
    fn tied_places_prefer_smaller_team_then_name() {
        let tied = [(50, 1), (51, 1), (52, 1)];
        let members = [
            (50, 1),
            (50, 2),
            (50, 3),
            (51, 1),
            (51, 4),
            (52, 1),
            (52, 5),
        ];
        let expected = [(51, vec![1, 4]), (52, vec![5]), (50, vec![2, 3])];
        assert_eq!(rated_teams_by_id(&tied, &members, &[50, 51, 52]), expected);
        let expected = [(52, vec![1, 5]), (51, vec![4]), (50, vec![2, 3])];
        assert_eq!(rated_teams_by_id(&tied, &members, &[52, 50, 51]), expected);
        // A member listed twice counts once.
        assert_eq!(rated_teams_by_id(&[(50, 1)], &[(50, 1), (50, 101)], &[]), [(50, vec![1])]);
    }

    #[test]
    fn rating_sum_is_order_independent() {
        let ratings = [1500.1, 1499.7, 1612.3, 1388.9];
        let all = sum_ratings(ratings.into_iter());
        let other = sum_ratings(ratings.into_iter().rev());
        assert_eq!(all.to_bits(), other.to_bits());
    }

    #[test]
    fn team_mode_is_read_from_run_parameters() {
        assert_eq!(
            TeamMode::from_run_parameters(r#"{"rho":1.0,"teams":"members"}"#),
            TeamMode::Members
        );
        assert_eq!(TeamMode::from_run_parameters(r#"{"rho":1.0}"#), TeamMode::Whole);
        assert_eq!(TeamMode::from_run_parameters("{}"), TeamMode::Whole);
    }
}
