//! Joins rating changes and standings of one contest.

use std::collections::{HashMap, HashSet};

use ranklore_contest::{Entrant, EntrantKind, EntrantOutcome, Place};
use ranklore_source::{ContestOutcome, Results, renumber_places};

/// Joins the rating changes of a contest (`changes`) with its standings (`standings`).
///
/// Rating changes decide the outcome, the entrants, their places and the official ratings.
/// Standings add points, penalties and teams. If all members of a team share one place in the
/// rating changes, they become one entrant, the team, and places are renumbered; official ratings
/// stay with the members. An entrant missing from the standings has neither points nor penalty. An
/// entrant missing from the rating changes was not rated and is left out. Name and time come from
/// the rating changes, where present.
///
/// Returns a warning for every mismatch: another contest, missing people, members on different
/// places.
#[must_use]
pub fn join(changes: Results, standings: Results) -> (Results, Vec<String>) {
    let id = changes.external_id.clone();
    if standings.external_id != id {
        let other_id = &standings.external_id;
        let warning = format!("contest {id}: standings of contest {other_id} were ignored");
        return (changes, vec![warning]);
    }
    let (entrants, official, rows) = match (changes.outcome, standings.outcome) {
        (
            ContestOutcome::Standings { entrants, official },
            ContestOutcome::Standings { entrants: rows, .. },
        ) => (entrants, official, rows),
        (outcome, _) => return (Results { outcome, ..changes }, Vec::new()),
    };
    let mut joining = Joiner {
        id: &id,
        rows: &rows,
        row_of: rows_by_person(&rows),
        warnings: Vec::new(),
    };
    let entrants = joining.merge_teams(entrants);
    let mut missing = entrants.iter().filter(|entrant| entrant.score.is_none());
    if let Some(first) = missing.next() {
        joining.warnings.push(format!(
            "contest {id}: {:?} and {} more were rated but are missing from the standings",
            first.competitor,
            missing.count()
        ));
    }
    let warnings = joining.warnings;
    let joined = Results {
        name: changes.name.or(standings.name),
        stood_at: changes.stood_at.or(standings.stood_at),
        outcome: ContestOutcome::Standings { entrants, official },
        ..changes
    };
    (joined, warnings)
}

/// Returns the row of each person, alone or in a team.
fn rows_by_person(rows: &[Entrant]) -> HashMap<&str, usize> {
    let mut row_of = HashMap::with_capacity(rows.len());
    for (index, row) in rows.iter().enumerate() {
        if row.members.is_empty() {
            row_of.entry(row.competitor.as_str()).or_insert(index);
        }
        for member in &row.members {
            row_of.entry(member.as_str()).or_insert(index);
        }
    }
    row_of
}

struct Joiner<'a> {
    id: &'a str,
    rows: &'a [Entrant],
    row_of: HashMap<&'a str, usize>,
    warnings: Vec<String>,
}

impl Joiner<'_> {
    /// Adds points and penalties, and merges team members on one place into their team.
    fn merge_teams(&mut self, people: Vec<Entrant>) -> Vec<Entrant> {
        // Places of the members, by the row of their team.
        let mut places_by_row: HashMap<usize, Vec<Option<Place>>> = HashMap::new();
        for person in &people {
            if let Some(&row) = self.row_of.get(person.competitor.as_str())
                && self.rows[row].kind == EntrantKind::Team
            {
                let place = person.outcome.place();
                places_by_row.entry(row).or_default().push(place);
            }
        }
        let mut entrants = Vec::with_capacity(people.len());
        let mut merged_rows = HashSet::new();
        let mut split_rows = Vec::new();
        for person in people {
            let Some(&row) = self.row_of.get(person.competitor.as_str()) else {
                entrants.push(person);
                continue;
            };
            let listed = &self.rows[row];
            let is_team = listed.kind == EntrantKind::Team;
            let places = places_by_row.get(&row).map_or(&[][..], Vec::as_slice);
            let share_place = places.len() == listed.members.len()
                && places.iter().all(|place| *place == places[0]);
            if !is_team || !share_place {
                if is_team {
                    split_rows.push(row);
                }
                entrants.push(Entrant {
                    score: listed.score,
                    penalty: listed.penalty,
                    ..person
                });
            } else if merged_rows.insert(row) {
                entrants.push(Entrant {
                    outcome: person.outcome,
                    ..listed.clone()
                });
            }
        }
        split_rows.sort_unstable();
        split_rows.dedup();
        for row in split_rows {
            self.warnings.push(format!(
                "contest {}: the members of team {:?} have different places and are listed alone",
                self.id, self.rows[row].competitor
            ));
        }
        if !merged_rows.is_empty() {
            renumber_entrants(&mut entrants);
        }
        entrants
    }
}

/// Renumbers places after team members were merged.
fn renumber_entrants(entrants: &mut [Entrant]) {
    let finished = entrants.iter().filter_map(|entrant| entrant.outcome.place());
    let (places, _) = renumber_places(finished.map(Place::get));
    for (entrant, place) in entrants.iter_mut().zip(places) {
        entrant.outcome = EntrantOutcome::Finished(place);
    }
}
