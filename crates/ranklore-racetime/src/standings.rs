//! The standings of a race, of persons or of teams.

use std::collections::{BTreeMap, HashSet};

use ranklore_contest::{Entrant, EntrantKind, EntrantOutcome, Place};
use ranklore_source::DisplayName;

use crate::entrants::{EntrantResult, RaceEntrant, RaceTeam};
use crate::values::{FieldResult, FinishTime};

/// Returns the competitor of an entrant: the user, or for a deleted account one of this race alone.
pub(crate) fn person_id(race: &str, index: usize, entrant: &RaceEntrant<'_>) -> String {
    match &entrant.user {
        Some(user) => user.id.0.clone(),
        None => format!("deleted account {} of {race}", index + 1),
    }
}

/// Returns the competitor of a team. A team of a single race has no slug, and others may have its
/// name.
fn team_id(race: &str, team: &RaceTeam<'_>) -> String {
    match &team.slug {
        Some(slug) => slug.clone().into_owned(),
        None => format!("{} of {race}", team.name),
    }
}

/// Returns the names of the entrants and of their teams.
pub(crate) fn display_names(race: &str, entrants: &[RaceEntrant<'_>]) -> Vec<DisplayName> {
    let mut names = Vec::with_capacity(entrants.len());
    for entrant in entrants {
        if let Some(user) = &entrant.user {
            names.push(DisplayName {
                kind: EntrantKind::Person,
                competitor: user.id.0.clone(),
                name: user.name.clone().into_owned(),
            });
        }
        if let Some(team) = &entrant.team {
            let name = DisplayName {
                kind: EntrantKind::Team,
                competitor: team_id(race, team),
                name: team.name.clone().into_owned(),
            };
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}

/// Reads the standings of a finished race.
pub(crate) fn read(race: &str, entrants: &[RaceEntrant<'_>]) -> FieldResult<Vec<Entrant>> {
    if entrants.is_empty() {
        return Err(("entrants".to_owned(), "at least one entrant".to_owned()));
    }
    let mut users = HashSet::with_capacity(entrants.len());
    for (index, entrant) in entrants.iter().enumerate() {
        check_entrant(entrant, index)?;
        if let Some(user) = &entrant.user
            && !users.insert(&*user.id.0)
        {
            let expected = format!("each user once, not {} again", user.id.0);
            return Err((format!("entrants[{index}].user.id"), expected));
        }
    }
    if entrants.iter().any(|entrant| entrant.team.is_some()) {
        read_teams(race, entrants)
    } else {
        read_persons(race, entrants)
    }
}

/// Checks that an entrant who finished has a time and the place of the row, and that names are not
/// empty.
fn check_entrant(entrant: &RaceEntrant<'_>, index: usize) -> FieldResult<()> {
    let invalid =
        |field: &str, expected: &str| Err((format!("entrants[{index}].{field}"), expected.into()));
    if entrant.user.as_ref().is_some_and(|user| user.name.trim().is_empty()) {
        return invalid("user.name", "the name of the user");
    }
    if let Some(team) = &entrant.team {
        if team.name.trim().is_empty() {
            return invalid("team.name", "the name of the team");
        }
        if team.slug.as_ref().is_some_and(|slug| slug.trim().is_empty()) {
            return invalid("team.slug", "the word in the URL of the team, or null");
        }
    }
    if entrant.status.value == EntrantResult::Done {
        if entrant.finish_time.is_none() {
            return invalid("finish_time", "a time, since the entrant finished");
        }
        // The site has no ties.
        let expected_place = Place::from_entrants_above(index as u32);
        if entrant.place != Some(expected_place) {
            let place = entrant.place.map_or("null".to_owned(), |place| place.get().to_string());
            let expected = format!(
                "{}, as finishers come first and no two share a place, not {place}",
                expected_place.get()
            );
            return invalid("place", &expected);
        }
    }
    Ok(())
}

/// Returns the standings of persons, in the order of the site.
fn read_persons(race: &str, entrants: &[RaceEntrant<'_>]) -> FieldResult<Vec<Entrant>> {
    let mut last_time = FinishTime(0);
    let mut persons = Vec::with_capacity(entrants.len());
    for (index, entrant) in entrants.iter().enumerate() {
        let outcome = match (entrant.status.value, entrant.place) {
            (EntrantResult::Done, Some(place)) => EntrantOutcome::Finished(place),
            (EntrantResult::Dq, _) => EntrantOutcome::Disqualified,
            _ => EntrantOutcome::DidNotFinish,
        };
        let time = entrant.finish_time.filter(|_| outcome.place().is_some());
        if let Some(time) = time {
            if time < last_time {
                let (least, seconds) = (last_time.seconds(), time.seconds());
                let expected =
                    format!("{least} s or more, the time of the place before, not {seconds} s");
                return Err((format!("entrants[{index}].finish_time"), expected));
            }
            last_time = time;
        }
        persons.push(Entrant {
            score: time.map(FinishTime::seconds),
            ..Entrant::person(person_id(race, index, entrant), outcome)
        });
    }
    Ok(persons)
}

/// The members of a team and their results so far.
#[derive(Default)]
struct TeamResult {
    members: Vec<String>,
    /// The sum of the finish times of the members.
    total: u64,
    is_unfinished: bool,
    is_disqualified: bool,
}

impl TeamResult {
    /// Returns the mean time of the members; `None` if one of them did not finish.
    fn mean_time(&self) -> Option<FinishTime> {
        (!self.is_unfinished).then(|| FinishTime(self.total / self.members.len().max(1) as u64))
    }
}

/// Returns the standings of teams as the site ranks them: by the mean time of the members; a team
/// finishes if all its members do.
fn read_teams(race: &str, entrants: &[RaceEntrant<'_>]) -> FieldResult<Vec<Entrant>> {
    let mut teams: BTreeMap<String, TeamResult> = BTreeMap::new();
    for (index, entrant) in entrants.iter().enumerate() {
        let Some(team) = &entrant.team else {
            let expected = "a team, since others of this race have one".to_owned();
            return Err((format!("entrants[{index}].team"), expected));
        };
        let result = teams.entry(team_id(race, team)).or_default();
        result.members.push(person_id(race, index, entrant));
        result.total += entrant.finish_time.map_or(0, |time| time.0);
        result.is_unfinished |= entrant.status.value != EntrantResult::Done;
        result.is_disqualified |= entrant.status.value == EntrantResult::Dq;
    }
    let mut rows: Vec<(String, TeamResult)> = teams.into_iter().collect();
    rows.sort_by_key(|(_, team)| team.mean_time().map_or(u64::MAX, |time| time.0));
    let times: Vec<FinishTime> = rows.iter().filter_map(|(_, team)| team.mean_time()).collect();
    let standings = rows.into_iter().map(|(competitor, team)| {
        let time = team.mean_time();
        let outcome = match time {
            Some(time) => {
                let faster = times.partition_point(|other| *other < time);
                EntrantOutcome::Finished(Place::from_entrants_above(faster as u32))
            }
            None if team.is_disqualified => EntrantOutcome::Disqualified,
            None => EntrantOutcome::DidNotFinish,
        };
        Entrant {
            kind: EntrantKind::Team,
            score: time.map(FinishTime::seconds),
            members: team.members,
            ..Entrant::person(competitor, outcome)
        }
    });
    Ok(standings.collect())
}
