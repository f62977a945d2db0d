//! Events of several contests, all of which one document tells of: heats of a competition.

use std::collections::HashSet;

use ranklore_source::{ContestOutcome, Listed, Reading, Results};
use ranklore_store::{ContestState, DocumentRow, Store, SyncOutcome};

use crate::derive::answers::distinct;
use crate::derive::derived::{Derived, NewestAnswer, Stood, contest};
use crate::derive::site::Site;
use crate::error::Error;

impl Site<'_> {
    /// The event that a list has as `event`, with the contests that the documents about it tell
    /// of.
    ///
    /// The newest document that can be read decides. A contest of which it says nothing any more,
    /// and an older one did, was taken back and keeps its results; unless something of the newest
    /// cannot be taken, which may be just that contest.
    pub(crate) fn derive_event(&self, store: &Store, event: &Listed) -> Result<Derived, Error> {
        let mut derived = Derived::of(event);
        let Some(first) = event.results.first() else {
            return Ok(derived);
        };
        let mut known = HashSet::new();
        let mut gone = None;
        for of in distinct(store.answers(self.source_id, &first.key())?) {
            let row = of.newest;
            let newest = derived.newest.is_none();
            let mut reading = match self.read(store, &row)? {
                Ok(reading) => reading,
                Err(error) => {
                    derived.refuse(newest, &row, error.to_string());
                    continue;
                }
            };
            if newest {
                derived.newest = Some(self.newest(event, &reading, &row));
                derived.warnings = std::mem::take(&mut reading.warnings);
            }
            let state = gone.unwrap_or_else(|| match derived.newest {
                Some(newest) => self.state(event, newest, Some(row.fetched_at)),
                None => ContestState::Provisional,
            });
            let mut refused: Vec<String> =
                reading.refused.iter().map(ToString::to_string).collect();
            for (results, ordinal) in reading.results.into_iter().zip(1..) {
                let id = results.external_id.clone();
                if id == event.external_id || known.contains(&id) {
                    continue;
                }
                let one = one_of(event, &results, ordinal);
                match contest(&one, results) {
                    Ok((contest, official)) => {
                        let mut part = Derived::of(&one);
                        part.state = state;
                        part.stood = Some(Stood {
                            hash: contest.content_hash(),
                            contest,
                            document_id: row.document_id,
                            official,
                        });
                        known.insert(id);
                        derived.several.push((one, part));
                    }
                    Err(why) => refused.push(format!("contest {id}: {why}")),
                }
            }
            if gone.is_none() {
                gone = Some(if refused.is_empty() {
                    ContestState::Withdrawn
                } else {
                    state
                });
                derived.further.refused = refused;
            }
        }
        Ok(derived)
    }

    /// What the newest answer came to.
    fn newest(&self, event: &Listed, reading: &Reading, row: &DocumentRow) -> NewestAnswer {
        let mut outcomes = reading.results.iter().map(|results| &results.outcome);
        let stood = |outcome: &&ContestOutcome| matches!(outcome, ContestOutcome::Stood { .. });
        let outcome = outcomes.clone().find(stood).or_else(|| outcomes.next());
        NewestAnswer {
            outcome: outcome.map_or(SyncOutcome::Refused, |outcome| {
                self.outcome(event, outcome, row.fetched_at)
            }),
            fetched_at: row.fetched_at,
        }
    }
}

/// A contest of an event, as if it were listed.
fn one_of(event: &Listed, results: &Results, ordinal: i64) -> Listed {
    let id = &results.external_id;
    Listed {
        external_id: id.clone(),
        name: results.name.clone().unwrap_or_else(|| id.clone()),
        event: Some(event.name.clone()),
        ordinal: Some(ordinal),
        several: false,
        ..event.clone()
    }
}
