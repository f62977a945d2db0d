//! Contests as all documents about them have them, of which the newest that can be taken decide.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ranklore_contest::{ContentHash, Contest};
use ranklore_source::{ContestOutcome, Listed, OfficialRating, ReadError, Request, Results, Stage};
use ranklore_store::{ContestState, DocumentId, DocumentRow, Store, SyncOutcome};

use crate::derive::answers::distinct;
use crate::derive::parts::Part;
use crate::derive::site::Site;
use crate::error::Error;

/// A contest as all documents about it have it.
pub(crate) struct Derived {
    /// Its results, unless there never were any.
    pub(crate) stood: Option<Stood>,
    /// How far it has come.
    pub(crate) state: ContestState,
    /// What the newest answer to the first question came to; none if there was never one.
    pub(crate) newest: Option<NewestAnswer>,
    /// What was set right or is odd, in sentences.
    pub(crate) warnings: Vec<String>,
    /// What the newest answer to the first question leaves out, with how many.
    pub(crate) left_out: BTreeMap<&'static str, u64>,
    /// Why the newest answer to the first question cannot be taken.
    pub(crate) refused: Option<String>,
    /// What further questions add to its results.
    pub(crate) further: Further,
    /// Of an event of several contests, each of them.
    pub(crate) several: Vec<(Listed, Derived)>,
    /// What the newest answer to the first question is made of, itself and its parts; nothing
    /// where it cannot be taken, or says nothing.
    pub(crate) made_of: Vec<DocumentId>,
    /// What its results are made of.
    pub(crate) stood_of: Vec<DocumentId>,
    /// The newest answer to the first question, whatever it is worth.
    pub(crate) first: Option<DocumentId>,
    /// The time to read the documents; of an event it counts with the first contest.
    pub(crate) took: Duration,
}

/// What further questions about a contest came to, beyond what they add to its results.
#[derive(Default)]
pub(crate) struct Further {
    /// Why newest answers cannot be read.
    pub(crate) refused: Vec<String>,
    /// What the site does not let be read.
    pub(crate) closed: Vec<String>,
    /// What does not fit the answer to the first question, in sentences.
    pub(crate) warnings: Vec<String>,
}

/// Results, and what they were read from.
pub(crate) struct Stood {
    pub(crate) contest: Contest,
    pub(crate) hash: ContentHash,
    pub(crate) document_id: DocumentId,
    pub(crate) official: Vec<OfficialRating>,
}

/// What the newest answer about a contest came to.
#[derive(Clone, Copy)]
pub(crate) struct NewestAnswer {
    pub(crate) outcome: SyncOutcome,
    pub(crate) fetched_at: i64,
}

impl Site<'_> {
    /// The contest that a list has as `listed`, with what the documents about it say.
    ///
    /// The newest answer that can be taken decides. If it has no results any more and an older
    /// one had, the contest was taken back, and keeps them.
    pub(crate) fn derive(&self, store: &Store, listed: &Listed) -> Result<Derived, Error> {
        let began = Instant::now();
        let mut derived = if listed.several {
            self.derive_event(store, listed)?
        } else {
            self.derive_contest(store, listed)?
        };
        match derived.several.first_mut() {
            Some((_, first)) => first.took = began.elapsed(),
            None => derived.took = began.elapsed(),
        }
        Ok(derived)
    }

    fn derive_contest(&self, store: &Store, listed: &Listed) -> Result<Derived, Error> {
        let mut derived = Derived::of(listed);
        let Some((first, further)) = listed.results.split_first() else {
            return Ok(derived);
        };
        let mut stood_at = None;
        let mut rows = self.deciding(store, listed, first)?;
        // Of equal documents one may have its parts, and the other not.
        if !listed.in_parts {
            rows = distinct(rows).into_iter().map(|of| of.newest).collect();
        }
        derived.first = rows.first().map(|row| row.document_id);
        let mut next = None;
        for row in rows {
            let newest = derived.newest.is_none();
            let said = self.said(store, listed, &row, next)?;
            next = Some(row.document_id);
            let said = match said {
                Ok(Some(said)) => said,
                Ok(None) => continue,
                Err(error) => {
                    derived.refuse(newest, &row, error.to_string());
                    continue;
                }
            };
            if newest {
                derived.newest = Some(NewestAnswer {
                    outcome: self.outcome(listed, &said.results.outcome, row.fetched_at),
                    fetched_at: row.fetched_at,
                });
                derived.warnings = said.warnings;
                derived.left_out = said.left_out;
                if said.results.outcome != ContestOutcome::Closed {
                    derived.made_of.clone_from(&said.made_of);
                }
            }
            if !matches!(said.results.outcome, ContestOutcome::Stood { .. }) {
                continue;
            }
            let results;
            (results, derived.further) = self.join(store, listed, said.results, further)?;
            match contest(listed, results) {
                Ok((contest, official)) => {
                    derived.stood = Some(Stood {
                        hash: contest.content_hash(),
                        contest,
                        document_id: row.document_id,
                        official,
                    });
                    derived.stood_of = said.made_of;
                    stood_at = Some(row.fetched_at);
                    break;
                }
                Err(why) => derived.refuse(newest, &row, why),
            }
        }
        derived.warnings.append(&mut derived.further.warnings);
        if let Some(newest) = derived.newest {
            derived.state = self.state(listed, newest, stood_at);
        }
        Ok(derived)
    }

    /// What a document says of one contest, if it says anything of it; with the parts that came
    /// before `next`, where it stands in parts.
    fn said(
        &self,
        store: &Store,
        listed: &Listed,
        row: &DocumentRow,
        next: Option<DocumentId>,
    ) -> Result<Result<Option<OfOne>, ReadError>, Error> {
        let reading = match self.read_once(store, row)? {
            Ok(reading) => reading,
            Err(error) => return Ok(Err(error)),
        };
        let is_it = |of: &Results| of.external_id == listed.external_id;
        Ok(Ok(match Arc::try_unwrap(reading) {
            Ok(reading) => {
                let results = reading.results.into_iter().find(is_it);
                let said = results.map(|results| OfOne {
                    results,
                    warnings: reading.warnings,
                    left_out: reading.left_out,
                    made_of: vec![row.document_id],
                });
                match said {
                    Some(said) if listed.in_parts => {
                        match self.parts(store, row, next, &reading.follow)? {
                            Ok(parts) => Some(self.with_parts(listed, said, parts)),
                            Err(lacking) => return Ok(Err(lacking)),
                        }
                    }
                    said => said,
                }
            }
            Err(shared) => {
                let results = shared.results.iter().find(|of| is_it(of));
                results.map(|results| OfOne {
                    results: results.clone(),
                    // What is odd of all it tells of was said when it came.
                    warnings: Vec::new(),
                    left_out: BTreeMap::new(),
                    made_of: vec![row.document_id],
                })
            }
        }))
    }

    /// Adds to what one document says what its parts say.
    fn with_parts(&self, listed: &Listed, mut said: OfOne, parts: Vec<Part>) -> OfOne {
        let mut adds = Vec::with_capacity(parts.len());
        for part in parts {
            said.made_of.push(part.document_id);
            said.warnings.extend(part.reading.warnings);
            for (what, number) in part.reading.left_out {
                *said.left_out.entry(what).or_default() += number;
            }
            let results = part.reading.results.into_iter();
            adds.extend(results.filter(|of| of.external_id == listed.external_id));
        }
        said.results = self.source.add_up(said.results, adds);
        said
    }

    /// Adds to results what the newest answers to further questions have.
    fn join(
        &self,
        store: &Store,
        listed: &Listed,
        mut results: Results,
        further: &[Request],
    ) -> Result<(Results, Further), Error> {
        let mut found = Further::default();
        for request in further {
            let mut newest = true;
            for of in distinct(store.answers(self.source_id, &request.key())?) {
                let said = match self.said(store, listed, &of.newest, None)? {
                    Ok(Some(said)) => said,
                    Ok(None) => continue,
                    Err(error) => {
                        if newest {
                            found.refused.push(error.to_string());
                        }
                        newest = false;
                        continue;
                    }
                };
                if newest {
                    found.warnings.extend(said.warnings);
                    if said.results.outcome == ContestOutcome::Closed {
                        let what = &request.what;
                        let closed = format!("{what}: the site does not let them be read");
                        found.closed.push(closed);
                    }
                }
                newest = false;
                if matches!(said.results.outcome, ContestOutcome::Stood { .. }) {
                    let (joined, warnings) = self.source.join(results, said.results);
                    results = joined;
                    found.warnings.extend(warnings);
                    break;
                }
            }
        }
        Ok((results, found))
    }

    pub(crate) fn outcome(
        &self,
        listed: &Listed,
        said: &ContestOutcome,
        fetched_at: i64,
    ) -> SyncOutcome {
        match said {
            ContestOutcome::Stood { .. } => SyncOutcome::Read,
            ContestOutcome::NothingYet if fetched_at < self.settled_at(listed) => {
                SyncOutcome::NotYet
            }
            ContestOutcome::NothingYet | ContestOutcome::NotRated => SyncOutcome::NothingThere,
            ContestOutcome::Gone => SyncOutcome::Gone,
            ContestOutcome::Closed => SyncOutcome::Blocked,
        }
    }

    /// `stood_at` is when the answer came that has its results, if one has.
    pub(crate) fn state(
        &self,
        listed: &Listed,
        newest: NewestAnswer,
        stood_at: Option<i64>,
    ) -> ContestState {
        match (newest.outcome, stood_at) {
            // A closed door, and what cannot be read, take nothing back and settle nothing.
            (SyncOutcome::Read | SyncOutcome::Refused | SyncOutcome::Blocked, Some(stood_at)) => {
                if stood_at < self.settled_at(listed) {
                    ContestState::Provisional
                } else {
                    ContestState::Final
                }
            }
            // It had results once, or is gone before it had any.
            (_, Some(_)) | (SyncOutcome::Gone, None) => ContestState::Withdrawn,
            (SyncOutcome::NotYet, None) => ContestState::Provisional,
            (SyncOutcome::NothingThere, None) => ContestState::Unrated,
            (SyncOutcome::Blocked | SyncOutcome::GaveUp, None) => ContestState::Refused,
            (SyncOutcome::Read | SyncOutcome::Refused, None) => listed_state(listed),
        }
    }
}

/// What one document says of one contest.
struct OfOne {
    results: Results,
    warnings: Vec<String>,
    left_out: BTreeMap<&'static str, u64>,
    /// It, and the parts of it.
    made_of: Vec<DocumentId>,
}

impl Derived {
    /// Of a contest of which nothing is known but that it is listed.
    pub(crate) fn of(listed: &Listed) -> Self {
        Self {
            stood: None,
            state: listed_state(listed),
            newest: None,
            warnings: Vec::new(),
            left_out: BTreeMap::new(),
            refused: None,
            further: Further::default(),
            several: Vec::new(),
            made_of: Vec::new(),
            stood_of: Vec::new(),
            first: None,
            took: Duration::ZERO,
        }
    }

    /// Every contest of what was listed: itself, or each of an event. An event that is never asked
    /// about stands for its contests.
    pub(crate) fn each<'d>(&'d self, listed: &'d Listed) -> Vec<(&'d Listed, &'d Self)> {
        if listed.several && listed.rateable {
            self.several.iter().map(|(one, of)| (one, of)).collect()
        } else {
            vec![(listed, self)]
        }
    }

    /// It was listed, and is no more; so were the contests of an event.
    pub(crate) fn withdraw(&mut self) {
        self.state = ContestState::Withdrawn;
        for (_, part) in &mut self.several {
            part.state = ContestState::Withdrawn;
        }
    }

    /// An answer to the first question cannot be taken; only that of the newest is worth a word.
    pub(crate) fn refuse(&mut self, newest: bool, row: &DocumentRow, why: String) {
        if newest {
            self.made_of.clear();
            self.refused = Some(why);
            self.newest = Some(NewestAnswer {
                outcome: SyncOutcome::Refused,
                fetched_at: row.fetched_at,
            });
        }
    }
}

/// What was refused, and why: the answer to a question where that cannot be read, whichever of its
/// contests noticed; else the contest.
pub(crate) fn refused_of(listed: &Listed, why: String) -> (String, String) {
    let mut questions = listed.results.iter().chain(&listed.otherwise);
    let unread = questions.find_map(|request| {
        let key = request.key();
        let what = why.strip_prefix(&key)?.strip_prefix(": ")?.to_owned();
        Some((key, what))
    });
    unread.unwrap_or_else(|| (format!("contest {}", listed.external_id), why))
}

fn listed_state(listed: &Listed) -> ContestState {
    match listed.stage {
        _ if !listed.rateable => ContestState::Unrated,
        Stage::Announced => ContestState::Announced,
        Stage::Running => ContestState::Running,
        Stage::Finished => ContestState::Provisional,
    }
}

/// The contest, or why there is none.
pub(crate) fn contest(
    listed: &Listed,
    results: Results,
) -> Result<(Contest, Vec<OfficialRating>), String> {
    let ContestOutcome::Stood { entrants, official } = results.outcome else {
        return Err("it has no results".to_owned());
    };
    let Some(ends_at) = listed.ends_at.or(results.stood_at) else {
        return Err("nobody says when it ended".to_owned());
    };
    let contest = Contest {
        external_id: listed.external_id.clone(),
        name: listed.name.clone(),
        event: listed.event.clone(),
        division: listed.division.clone(),
        ordinal: listed.ordinal,
        url: listed.url.clone(),
        starts_at: listed.starts_at,
        ends_at,
        weight: 1.0,
        site_weight: listed.site_weight,
        performance_ceiling: None,
        entrants,
    };
    let valid = contest.validate().and_then(|()| contest.check_lengths());
    valid.map_err(|invalid| invalid.to_string())?;
    Ok((contest, official))
}
