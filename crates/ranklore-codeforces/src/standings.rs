//! Standings: points, penalties, team members.

use std::borrow::Cow;
use std::collections::HashSet;

use ranklore_contest::{Entrant, EntrantKind, EntrantOutcome};
use ranklore_source::{ContestOutcome, Results, SiteReadError, SiteReading, renumber_places};
use serde::Deserialize;

use crate::rating_changes::{MAX_RANK, error_outcome, outcome_only};
use crate::response::{contest_times, parse_response, unexpected_error};

/// Upper bound of the absolute value of points and penalties.
const MAX_SCORE: f64 = 1e12;

#[derive(Deserialize)]
struct Standings<'a> {
    #[serde(borrow)]
    contest: ContestHeader<'a>,
    #[serde(borrow)]
    rows: Vec<StandingsRow<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ContestHeader<'a> {
    id: u32,
    #[serde(borrow)]
    name: Cow<'a, str>,
    phase: Phase,
    duration_seconds: u32,
    start_time_seconds: Option<i64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum Phase {
    Before,
    Coding,
    PendingSystemTest,
    SystemTest,
    Finished,
}

#[derive(Deserialize)]
struct StandingsRow<'a> {
    #[serde(borrow)]
    party: Party<'a>,
    rank: u32,
    points: f64,
    penalty: i64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Party<'a> {
    #[serde(borrow)]
    members: Vec<Member<'a>>,
    participant_type: Participation,
    team_id: Option<u64>,
    ghost: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum Participation {
    Contestant,
    Practice,
    Virtual,
    Manager,
    OutOfCompetition,
}

#[derive(Deserialize)]
struct Member<'a> {
    /// Missing for participants from other sites.
    #[serde(borrow, default)]
    handle: Option<Handle<'a>>,
}

/// Avoids the copy that `Option<Cow>` makes.
#[derive(Deserialize)]
#[serde(transparent)]
struct Handle<'a>(#[serde(borrow)] Cow<'a, str>);

pub(crate) fn read(key: &str, body: &[u8], contest: u32) -> Result<SiteReading, SiteReadError> {
    let (head, rows) = match parse_response::<Standings<'_>>(key, body)? {
        Ok(standings) => (standings.contest, standings.rows),
        Err((refusal, comment)) => {
            return error_outcome(&refusal)
                .map(|outcome| outcome_only(contest, outcome))
                .ok_or_else(|| unexpected_error(key, &comment));
        }
    };
    if head.id != contest {
        let expected = format!("{contest}, the contest asked for, not {}", head.id);
        return Err(SiteReadError::new(key, "result.contest.id", expected));
    }
    let times = contest_times(head.start_time_seconds, head.duration_seconds).map_err(
        |(field, expected)| SiteReadError::new(key, format!("result.contest.{field}"), expected),
    )?;
    let mut ranked: Vec<(u32, Entrant)> = Vec::with_capacity(rows.len());
    for (index, row) in rows.iter().enumerate() {
        if row.party.participant_type == Participation::Contestant && !row.party.ghost {
            ranked.push((row.rank, parse_entrant(key, index, row)?));
        }
    }
    // Standings before the end are provisional.
    if head.phase != Phase::Finished || ranked.is_empty() {
        return Ok(outcome_only(contest, ContestOutcome::NothingYet));
    }
    // Rows that are left out may have ranks too.
    let has_left_out = ranked.len() < rows.len();
    let mut warnings = sort_by_rank(contest, &mut ranked);
    let (places, first_changed) = renumber_places(ranked.iter().map(|(rank, _)| *rank));
    if let Some(index) = first_changed.filter(|_| warnings.is_empty() && !has_left_out) {
        let (rank, entrant) = &ranked[index];
        warnings.push(format!(
            "contest {contest}: ranks of the standings have gaps, first at {:?} (rank {rank}, \
             expected {}); places were renumbered",
            entrant.competitor,
            places[index].get()
        ));
    }
    let placed = ranked.into_iter().zip(places);
    let entrants = placed.map(|((_, entrant), place)| Entrant {
        outcome: EntrantOutcome::Finished(place),
        ..entrant
    });
    let outcome = ContestOutcome::from_entrants(entrants.collect());
    Ok(SiteReading {
        results: vec![Results {
            name: Some(head.name.into_owned()),
            stood_at: times.map(|(_, end)| end),
            ..Results::new(contest.to_string(), outcome)
        }],
        warnings,
        ..SiteReading::default()
    })
}

/// Sorts entrants by rank, and removes all but the best row of each. Returns a warning for each
/// removed row.
fn sort_by_rank(contest: u32, ranked: &mut Vec<(u32, Entrant)>) -> Vec<String> {
    ranked.sort_by_key(|(rank, _)| *rank);
    let mut warnings = Vec::new();
    let mut competitors = HashSet::with_capacity(ranked.len());
    ranked.retain(|(rank, entrant)| {
        let is_first = competitors.insert(entrant.competitor.clone());
        if !is_first {
            warnings.push(format!(
                "contest {contest}: {:?} is listed twice in the standings, again with rank {rank}; \
                 the better row counts",
                entrant.competitor
            ));
        }
        is_first
    });
    warnings
}

/// Reads an entrant with points and penalty; the place is set later.
fn parse_entrant(
    key: &str,
    index: usize,
    row: &StandingsRow<'_>,
) -> Result<Entrant, SiteReadError> {
    let wrong = |field: &str, expected: String| {
        SiteReadError::new(key, format!("result.rows[{index}].{field}"), expected)
    };
    if !(1..=MAX_RANK).contains(&row.rank) {
        let expected = format!("a rank from 1 to {MAX_RANK}, not {}", row.rank);
        return Err(wrong("rank", expected));
    }
    // Values beyond 2⁵³ are refused, so the conversion is exact.
    let penalty = row.penalty as f64;
    for (field, number) in [("points", row.points), ("penalty", penalty)] {
        if !(-MAX_SCORE..=MAX_SCORE).contains(&number) {
            let expected = format!("a number within {MAX_SCORE:e} of 0, not {number:?}");
            return Err(wrong(field, expected));
        }
    }
    let mut members = Vec::with_capacity(row.party.members.len());
    for (number, member) in row.party.members.iter().enumerate() {
        match &member.handle {
            Some(Handle(handle)) if !handle.is_empty() => members.push(handle.to_string()),
            _ => {
                let field = format!("party.members[{number}].handle");
                return Err(wrong(&field, "a handle".to_owned()));
            }
        }
    }
    members.sort();
    if let Some([member, _]) = members.array_windows().find(|[a, b]| a == b) {
        let expected = format!("distinct members, not {member:?} twice");
        return Err(wrong("party.members", expected));
    }
    let competitor = match (members.as_slice(), row.party.team_id) {
        ([handle], None) => Some(handle.clone()),
        _ => team_name(&members),
    }
    .ok_or_else(|| wrong("party.members", "at least one member".to_owned()))?;
    let kind = if competitor == members[0] {
        members.clear();
        EntrantKind::Person
    } else {
        EntrantKind::Team
    };
    Ok(Entrant {
        competitor,
        kind,
        // Placeholder until the place is known.
        outcome: EntrantOutcome::DidNotFinish,
        score: Some(row.points),
        penalty: Some(penalty),
        side: None,
        members,
    })
}

/// Returns the key of a team: its members' handles in order. Team names change between contests,
/// and rating changes have only handles. Handles contain no spaces, so no team equals a person.
///
/// Returns `None` without members.
pub(crate) fn team_name(members: &[String]) -> Option<String> {
    match members {
        [] => None,
        [alone] => Some(format!("team {alone}")),
        several => Some(several.join(" + ")),
    }
}
