//! Joins the two forms of one contest: results and standings.

use std::collections::{HashMap, HashSet};

use ranklore_contest::{Entrant, EntrantKind};
use ranklore_source::{ContestOutcome, OfficialRating, Results};

/// Joins two answers about a contest, of which `newer` decides entrants and places. Ratings come from
/// the form that has them, the results; scores, times and teams from the other, the standings.
///
/// Returns a warning if the two differ in an entrant or a place.
#[must_use]
pub fn join(newer: Results, older: Results) -> (Results, Vec<String>) {
    let ContestOutcome::Standings {
        entrants: older_entrants,
        official: older_official,
    } = older.outcome
    else {
        return (newer, Vec::new());
    };
    let ContestOutcome::Standings { entrants, official } = newer.outcome else {
        return (newer, Vec::new());
    };
    let older_by_name: HashMap<&str, &Entrant> =
        older_entrants.iter().map(|entrant| (&*entrant.competitor, entrant)).collect();
    let difference = describe_difference(&newer.external_id, &entrants, &older_by_name);
    let entrants: Vec<Entrant> = entrants
        .into_iter()
        .map(|entrant| match older_by_name.get(&*entrant.competitor) {
            Some(older) => add_scores(entrant, older),
            None => entrant,
        })
        .collect();
    let official = if official.is_empty() {
        ratings_of(&entrants, older_official)
    } else {
        official
    };
    let joined = Results {
        outcome: ContestOutcome::Standings { entrants, official },
        ..newer
    };
    (joined, difference.into_iter().collect())
}

fn add_scores(entrant: Entrant, older: &Entrant) -> Entrant {
    let is_team = older.kind == EntrantKind::Team;
    Entrant {
        kind: if is_team {
            EntrantKind::Team
        } else {
            entrant.kind
        },
        score: entrant.score.or(older.score),
        penalty: entrant.penalty.or(older.penalty),
        ..entrant
    }
}

/// Returns the ratings of these entrants.
fn ratings_of(entrants: &[Entrant], mut official: Vec<OfficialRating>) -> Vec<OfficialRating> {
    let names: HashSet<&str> = entrants.iter().map(|entrant| &*entrant.competitor).collect();
    official.retain(|rating| names.contains(&*rating.competitor));
    official
}

/// Describes the first entrant whose place differs, or who is missing from one of the answers.
fn describe_difference(
    contest: &str,
    newer: &[Entrant],
    older_by_name: &HashMap<&str, &Entrant>,
) -> Option<String> {
    let differing = newer.iter().find(|entrant| {
        let older = older_by_name.get(&*entrant.competitor);
        older.is_none_or(|older| older.outcome != entrant.outcome)
    });
    let example = match differing {
        Some(entrant) => format!(", first at {:?}", entrant.competitor),
        None if newer.len() == older_by_name.len() => return None,
        None => String::new(),
    };
    Some(format!(
        "contest {contest}: results and standings differ{example} ({} and {} entrants); the newer \
         answer counts",
        newer.len(),
        older_by_name.len()
    ))
}
