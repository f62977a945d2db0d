//! Short constructors of contests and decisions.

use ranklore_contest::{
    Contest, ContestTime, Entrant, EntrantKind, EntrantOutcome, Place, SourceName, UnixSeconds,
};
use ranklore_store::{Decision, DecisionAction};

use crate::random_groups;

/// Seconds in a day.
pub const DAY: i64 = 86_400;

/// Converts Unix seconds.
pub fn at(seconds: i64) -> UnixSeconds {
    UnixSeconds::new(seconds).unwrap()
}

/// Converts seconds since 1970 to the time of a contest.
pub fn contest_time(seconds: i64) -> ContestTime {
    ContestTime::new(seconds).unwrap()
}

/// Parses the name of a source.
pub fn source(name: &str) -> SourceName {
    SourceName::new(name).unwrap()
}

/// Creates a contest of persons, listed by place and without ties.
pub fn contest(external_id: &str, ends_at: i64, order: &[&str]) -> Contest {
    let entrants = (0..).zip(order).map(|(above, name)| {
        let place = Place::from_entrants_above(above);
        Entrant::person(*name, EntrantOutcome::Finished(place))
    });
    contest_with_entrants(external_id, ends_at, entrants.collect())
}

/// Creates a contest with these entrants, named `Round` and its id.
pub fn contest_with_entrants(external_id: &str, ends_at: i64, entrants: Vec<Entrant>) -> Contest {
    Contest {
        external_id: external_id.into(),
        name: format!("Round {external_id}"),
        event: None,
        division: None,
        ordinal: None,
        url: None,
        starts_at: None,
        ends_at: contest_time(ends_at),
        weight: 1.0,
        site_weight: None,
        performance_ceiling: None,
        entrants,
    }
}

/// Creates a contest on a day. `order` lists the entrants by place: `=` joins tied entrants, `!`
/// marks one that did not finish, `+` joins the members of a team. `"a b=c !d e+f"` has all of
/// them.
pub fn round(external_id: &str, day: i64, order: &str) -> Contest {
    let mut entrants = Vec::new();
    for group in order.split(' ') {
        let above = entrants.len() as u32;
        for name in group.split('=') {
            let mut entrant = match name.strip_prefix('!') {
                Some(name) => Entrant::person(name, EntrantOutcome::DidNotFinish),
                None => Entrant::person(
                    name,
                    EntrantOutcome::Finished(Place::from_entrants_above(above)),
                ),
            };
            if entrant.competitor.contains('+') {
                entrant.kind = EntrantKind::Team;
                entrant.members = entrant.competitor.split('+').map(str::to_owned).collect();
            }
            entrants.push(entrant);
        }
    }
    let contest = contest_with_entrants(external_id, day * DAY, entrants);
    contest.validate().unwrap();
    contest
}

/// Creates a contest of [`random_groups`].
pub fn random_contest(id: u32, ends_at: i64, entrants: usize) -> Contest {
    let mut finished = Vec::new();
    for group in random_groups(id, entrants) {
        let place = Place::from_entrants_above(finished.len() as u32);
        let tied = group.into_iter();
        finished.extend(tied.map(|name| Entrant::person(name, EntrantOutcome::Finished(place))));
    }
    contest_with_entrants(&id.to_string(), ends_at, finished)
}

/// Merges a person into another one.
pub fn merge(subject: &str, into: &str) -> Decision {
    decide_about_person(DecisionAction::Merge, subject, Some(into))
}

/// Splits a merged person from the other one.
pub fn split(subject: &str) -> Decision {
    decide_about_person(DecisionAction::Split, subject, None)
}

/// Renames a person.
pub fn rename(subject: &str, name: &str) -> Decision {
    decide_about_person(DecisionAction::Rename, subject, Some(name))
}

fn decide_about_person(action: DecisionAction, subject: &str, object: Option<&str>) -> Decision {
    Decision {
        kind: Some(EntrantKind::Person),
        object: object.map(str::to_owned),
        ..Decision::new(action, subject)
    }
}

/// Withdraws a contest.
pub fn withdraw(contest: &str) -> Decision {
    Decision::new(DecisionAction::Withdraw, contest)
}

/// Restores a contest that was withdrawn.
pub fn restore(contest: &str) -> Decision {
    Decision::new(DecisionAction::Restore, contest)
}
