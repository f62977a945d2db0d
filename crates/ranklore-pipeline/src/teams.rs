//! Who is rated where people stand in teams: the team, or the people in it.

use std::collections::HashSet;

use ranklore_store::{CompetitorId, Member};
use serde_json::{Map, Value};

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
        let parameters: Map<String, Value> = serde_json::from_str(parameters).unwrap_or_default();
        let word = parameters.get(Self::PARAMETER).and_then(Value::as_str);
        word.and_then(Self::from_word).unwrap_or_default()
    }
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

/// The crews of a contest by rank, of standings in any order and members in the order of
/// [`Store::members_in`](ranklore_store::Store::members_in).
///
/// Whoever stands in several counts in the one with the best place; of several of one place in
/// the one with the fewest people, and then in that of the first name. A crew of which nobody is
/// left is left out.
pub(crate) fn crews(
    standings: impl IntoIterator<Item = (CompetitorId, u32)>,
    members: &[Member],
    counts_as: impl Fn(CompetitorId) -> CompetitorId,
) -> Vec<Crew> {
    // Where the members of each team begin, to be found by the team.
    let mut starts: Vec<(CompetitorId, usize)> = Vec::new();
    for (index, member) in members.iter().enumerate() {
        if index == 0 || members[index - 1].competitor_id != member.competitor_id {
            starts.push((member.competitor_id, index));
        }
    }
    starts.sort_unstable();
    let mut crews: Vec<(usize, Crew)> = Vec::new();
    for (account, rank) in standings {
        let at = starts.binary_search_by_key(&account, |start| start.0);
        let (order, mut people) = match at {
            Ok(found) => {
                let start = starts[found].1;
                let team = members[start..].iter();
                let team = team.take_while(|member| member.competitor_id == account);
                (
                    start,
                    team.map(|member| counts_as(member.person_id)).collect(),
                )
            }
            Err(_) => (0, vec![counts_as(account)]),
        };
        people.sort_unstable();
        people.dedup();
        let crew = Crew {
            account,
            rank,
            people,
        };
        crews.push((order, crew));
    }
    crews.sort_by_key(|(order, crew)| (crew.rank, crew.people.len(), *order));
    let mut counted = HashSet::new();
    for (_, crew) in &mut crews {
        crew.people.retain(|&person| counted.insert(person));
    }
    crews.retain(|(_, crew)| !crew.people.is_empty());
    crews.into_iter().map(|(_, crew)| crew).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(id: i64) -> CompetitorId {
        CompetitorId::new(id)
    }

    fn of(standings: &[(i64, u32)], members: &[(i64, i64)]) -> Vec<(i64, Vec<i64>)> {
        let members: Vec<Member> = (members.iter())
            .map(|&(team, person)| Member {
                competitor_id: id(team),
                person_id: id(person),
            })
            .collect();
        let standings = standings.iter().map(|&(account, rank)| (id(account), rank));
        // Whoever has a number above 100 counts as who has it without the 100.
        crews(standings, &members, |of| id(of.get() % 100))
            .into_iter()
            .map(|crew| {
                let people = crew.people.iter().map(|of| of.get());
                (crew.account.get(), people.collect())
            })
            .collect()
    }

    #[test]
    fn people_count_once_where_they_did_best() {
        // Team 50 has two places with two accounts of 1; 60 is a team nobody is known of.
        let standings = [(52, 3), (60, 2), (50, 1), (51, 3), (7, 2)];
        let members = [(50, 1), (50, 2), (51, 101), (51, 3), (52, 2), (52, 1)];
        assert_eq!(
            of(&standings, &members),
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
        let three = [
            (50, 1),
            (50, 2),
            (50, 3),
            (51, 1),
            (51, 4),
            (52, 1),
            (52, 5),
        ];
        let expected = [(51, vec![1, 4]), (52, vec![5]), (50, vec![2, 3])];
        assert_eq!(of(&[(50, 1), (51, 1), (52, 1)], &three), expected);
        let other = [
            (52, 1),
            (52, 5),
            (50, 1),
            (50, 2),
            (50, 3),
            (51, 1),
            (51, 4),
        ];
        let expected = [(52, vec![1, 5]), (51, vec![4]), (50, vec![2, 3])];
        assert_eq!(of(&[(52, 1), (50, 1), (51, 1)], &other), expected);
        // Twice in a team is once.
        assert_eq!(of(&[(50, 1)], &[(50, 1), (50, 101)]), [(50, vec![1])]);
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
