//! Who is rated where people stand in teams: the team, or the people in it.

use std::collections::{HashMap, HashSet};

use ranklore_contest::{Outcome, Place};
use ranklore_store::{CompetitorId, ContestId, Member, Store};
use serde_json::Value;

use crate::error::Error;

/// Who is rated where people stand in teams.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Teams {
    /// The team, as a competitor of its own.
    #[default]
    Whole,
    /// The people in it. A team of which nobody is known is rated as a whole.
    Members,
}

impl Teams {
    /// All there are, in the order they are listed.
    pub const ALL: [Self; 2] = [Self::Whole, Self::Members];

    /// The parameter of runs that says so.
    pub(crate) const PARAMETER: &str = "teams";

    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Members => "members",
        }
    }

    /// What a word stands for.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|of| of.as_str() == word)
    }

    /// What the parameters of a run say, which are canonical JSON.
    pub(crate) fn of_run(parameters: &str) -> Self {
        word_of_run(parameters, Self::PARAMETER, Self::from_word)
    }
}

/// The value of a parameter of a run, whose parameters are canonical JSON; the default if it is
/// none of the words.
pub(crate) fn word_of_run<T: Default>(
    parameters: &str,
    name: &str,
    from_word: fn(&str) -> Option<T>,
) -> T {
    let parameters: Value = serde_json::from_str(parameters).unwrap_or_default();
    let word = parameters[name].as_str();
    word.and_then(from_word).unwrap_or_default()
}

/// The place, with everybody who did not finish behind all others.
pub(crate) fn rank(outcome: Outcome) -> u32 {
    outcome.place().map_or(u32::MAX, Place::get)
}

/// Those who stand together and count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Crew {
    /// What stands in the standings: the team, or whoever stands alone.
    pub(crate) account: CompetitorId,
    /// The place, with everybody who did not finish behind all others.
    pub(crate) rank: u32,
    /// As whom its people count, nobody twice.
    pub(crate) people: Vec<CompetitorId>,
}

/// The crews of a contest by rank, of standings in any order and members by team. `counts_as` says
/// as whom accounts count.
///
/// Whoever stands in several counts in the one with the best place; of several of one place in
/// the one with the fewest people, and then in that of the first name. A crew of which nobody is
/// left is left out. `by_name` gives the teams in that order, and is asked only if it matters.
pub(crate) fn crews<E>(
    standings: impl IntoIterator<Item = (CompetitorId, u32)>,
    members: &[Member],
    counts_as: impl Fn(CompetitorId) -> CompetitorId,
    by_name: impl FnOnce() -> Result<Vec<CompetitorId>, E>,
) -> Result<Vec<Crew>, E> {
    let mut crews = Vec::new();
    for (account, rank) in standings {
        let start = members.partition_point(|member| member.competitor_id < account);
        let team = members[start..].iter();
        let team = team.take_while(|member| member.competitor_id == account);
        let mut people: Vec<_> = team.map(|member| counts_as(member.person_id)).collect();
        if people.is_empty() {
            people.push(counts_as(account));
        }
        people.sort_unstable();
        people.dedup();
        crews.push(Crew {
            account,
            rank,
            people,
        });
    }
    crews.sort_by_key(|crew| (crew.rank, crew.people.len()));
    let mut counted = HashSet::new();
    let everybody = || crews.iter().flat_map(|crew| &crew.people);
    if everybody().all(|&person| counted.insert(person)) {
        return Ok(crews);
    }
    let order: HashMap<CompetitorId, usize> = by_name()?.into_iter().zip(0..).collect();
    crews.sort_by_key(|crew| {
        (
            crew.rank,
            crew.people.len(),
            order.get(&crew.account).copied(),
        )
    });
    counted.clear();
    for crew in &mut crews {
        crew.people.retain(|&person| counted.insert(person));
    }
    crews.retain(|crew| !crew.people.is_empty());
    Ok(crews)
}

/// The crews of a stored contest.
pub(crate) fn crews_of(
    store: &Store,
    contest: ContestId,
    standings: impl IntoIterator<Item = (CompetitorId, u32)>,
    counts_as: impl Fn(CompetitorId) -> CompetitorId,
) -> Result<Vec<Crew>, Error> {
    let members = store.members_in(contest)?;
    let by_name = || Ok(store.teams_by_name(contest)?);
    crews(standings, &members, counts_as, by_name)
}

/// The rating of people together: the sum, which does not depend on the order in which they are
/// listed, to the last bit.
pub(crate) fn together(mut ratings: impl Iterator<Item = f64>) -> f64 {
    let one = ratings.next().unwrap_or_default();
    // Nearly everybody stands alone.
    let Some(other) = ratings.next() else {
        return one;
    };
    let mut ratings: Vec<f64> = [one, other].into_iter().chain(ratings).collect();
    ratings.sort_unstable_by(f64::total_cmp);
    ratings.into_iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(id: i64) -> CompetitorId {
        CompetitorId::new(id)
    }

    /// Teams are called in the order of `names`.
    fn of(standings: &[(i64, u32)], members: &[(i64, i64)], names: &[i64]) -> Vec<(i64, Vec<i64>)> {
        let members: Vec<Member> = (members.iter())
            .map(|&(team, person)| Member {
                competitor_id: id(team),
                person_id: id(person),
            })
            .collect();
        let standings = standings.iter().map(|&(account, rank)| (id(account), rank));
        // Whoever has a number above 100 counts as who has it without the 100.
        let counts_as = |of: CompetitorId| id(of.get() % 100);
        let by_name = || Ok::<_, ()>(names.iter().map(|&of| id(of)).collect());
        crews(standings, &members, counts_as, by_name)
            .unwrap()
            .into_iter()
            .map(|crew| {
                let people = crew.people.iter().map(|of| of.get());
                (crew.account.get(), people.collect())
            })
            .collect()
    }

    #[test]
    fn people_count_once_where_they_did_best() {
        // Team 60 is one of which nobody is known.
        let standings = [(52, 3), (60, 2), (50, 1), (51, 3), (7, 2)];
        let members = [(50, 1), (50, 2), (51, 101), (51, 3), (52, 2), (52, 1)];
        assert_eq!(
            of(&standings, &members, &[50, 51, 52]),
            [
                (50, vec![1, 2]),
                (60, vec![60]),
                (7, vec![7]),
                (51, vec![3]),
            ]
        );
    }

    #[test]
    fn of_equal_places_the_smaller_team_counts_then_the_first_name() {
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
        assert_eq!(of(&tied, &members, &[50, 51, 52]), expected);
        let expected = [(52, vec![1, 5]), (51, vec![4]), (50, vec![2, 3])];
        assert_eq!(of(&tied, &members, &[52, 50, 51]), expected);
        // Twice in a team is once.
        assert_eq!(of(&[(50, 1)], &[(50, 1), (50, 101)], &[]), [(50, vec![1])]);
    }

    #[test]
    fn sums_do_not_depend_on_the_order() {
        let ratings = [1500.1, 1499.7, 1612.3, 1388.9];
        let all = together(ratings.into_iter());
        let other = together(ratings.into_iter().rev());
        assert_eq!(all.to_bits(), other.to_bits());
    }

    #[test]
    fn runs_say_who_is_rated() {
        assert_eq!(
            Teams::of_run(r#"{"rho":1.0,"teams":"members"}"#),
            Teams::Members
        );
        assert_eq!(Teams::of_run(r#"{"rho":1.0}"#), Teams::Whole);
        assert_eq!(Teams::of_run("{}"), Teams::Whole);
    }
}
