//! How rating changes and standings of one contest fit together.

use std::collections::{HashMap, HashSet};

use ranklore_contest::{Entrant, EntrantKind, Outcome, Place};
use ranklore_source::{ContestOutcome, Results, places};

/// Makes one of the rating changes of a contest (`changes`) and its standings (`standings`).
///
/// Rating changes decide how the contest came out, who stood and on which place; what the site
/// made of it is theirs too. Standings add points and penalties, and teams: where people of
/// one team all stood on one place in the rating changes, they become one entrant, the team, and
/// places are counted by teams; official ratings stay with its members. Somebody who is in the
/// rating changes alone has neither points nor penalty; who is in the standings alone was not
/// rated and is left out. Names and times are those of the rating changes, where they say any.
///
/// Pure. Beside the results there is a sentence for everything that does not fit: other
/// contests, people who are missing, teams whose people stood apart.
#[must_use]
pub fn join(changes: Results, standings: Results) -> (Results, Vec<String>) {
    let id = changes.external_id.clone();
    if standings.external_id != id {
        let warning = format!(
            "contest {id}: standings of contest {} were left aside",
            standings.external_id
        );
        return (changes, vec![warning]);
    }
    let (entrants, official, rows) = match (changes.outcome, standings.outcome) {
        (
            ContestOutcome::Stood { entrants, official },
            ContestOutcome::Stood { entrants: rows, .. },
        ) => (entrants, official, rows),
        (outcome, _) => return (Results { outcome, ..changes }, Vec::new()),
    };
    let mut joining = Joining {
        id: &id,
        rows: &rows,
        row_of: rows_by_person(&rows),
        warnings: Vec::new(),
    };
    let entrants = joining.teams(entrants);
    let mut without = entrants.iter().filter(|entrant| entrant.score.is_none());
    let first = without.next().map(|entrant| entrant.competitor.clone());
    if let Some(first) = first {
        let more = without.count();
        joining.warnings.push(format!(
            "contest {id}: {first:?} and {more} more were rated and are not in the standings"
        ));
    }
    let warnings = joining.warnings;
    let joined = Results {
        external_id: changes.external_id,
        name: changes.name.or(standings.name),
        stood_at: changes.stood_at.or(standings.stood_at),
        outcome: ContestOutcome::Stood { entrants, official },
        counts: changes.counts,
    };
    (joined, warnings)
}

/// The row of each person, in a team or alone.
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

struct Joining<'a> {
    id: &'a str,
    rows: &'a [Entrant],
    row_of: HashMap<&'a str, usize>,
    warnings: Vec<String>,
}

impl Joining<'_> {
    /// Gives everybody points and penalty, and makes teams of those who stood as such.
    fn teams(&mut self, people: Vec<Entrant>) -> Vec<Entrant> {
        // Of each row that is a team's: on which places its people stood.
        let mut stood: HashMap<usize, Vec<Option<Place>>> = HashMap::new();
        for person in &people {
            if let Some(&row) = self.row_of.get(person.competitor.as_str())
                && self.rows[row].kind == EntrantKind::Team
            {
                let place = person.outcome.place();
                stood.entry(row).or_default().push(place);
            }
        }
        let whole = |row: usize| {
            let places = stood.get(&row).map_or(&[][..], Vec::as_slice);
            places.len() == self.rows[row].members.len()
                && places.iter().all(|place| *place == places[0])
        };
        let (mut entrants, mut made) = (Vec::with_capacity(people.len()), HashSet::new());
        let mut apart = Vec::new();
        for person in people {
            let Some(&row) = self.row_of.get(person.competitor.as_str()) else {
                entrants.push(person);
                continue;
            };
            let found = &self.rows[row];
            let (score, penalty) = (found.score, found.penalty);
            if found.kind != EntrantKind::Team || !whole(row) {
                if found.kind == EntrantKind::Team {
                    apart.push(row);
                }
                entrants.push(Entrant {
                    score,
                    penalty,
                    ..person
                });
            } else if made.insert(row) {
                entrants.push(Entrant {
                    outcome: person.outcome,
                    ..found.clone()
                });
            }
        }
        apart.sort_unstable();
        apart.dedup();
        for row in apart {
            self.warnings.push(format!(
                "contest {}: the people of team {:?} were not rated on one place, and stand alone",
                self.id, self.rows[row].competitor
            ));
        }
        if !made.is_empty() {
            count_anew(&mut entrants);
        }
        entrants
    }
}

/// Places by entrants, after several of them became one.
fn count_anew(entrants: &mut [Entrant]) {
    let finished = entrants
        .iter()
        .filter_map(|entrant| entrant.outcome.place());
    let (places, _) = places(finished.map(Place::get));
    for (entrant, place) in entrants.iter_mut().zip(places) {
        entrant.outcome = Outcome::Finished(place);
    }
}
