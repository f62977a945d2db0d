//! Assembles results in several parts, each linking to the next, such as the comments of a thread.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use super::newest::{ContestAnswer, FurtherAnswers, find_contest_answer};
use super::{AnswerArchive, AnswerId, ArchivedAnswer, Assembly};
use crate::{ContestOutcome, Request, Results, SiteListing, SiteReadError, SiteReading};

/// The maximum number of parts of a contest: a faulty site could link to new parts forever.
pub const MAX_PARTS: usize = 20_000;

/// Assembles a contest whose first answer links to parts ([`SiteReading::parts`]), which may link
/// to more. `add_up` adds the parts to the first answer, in link order. An answer is usable if all
/// of its parts arrived after it and before the next answer to the same request, so that results of
/// different days are not mixed.
pub fn parts(
    listed: &SiteListing,
    archive: &dyn AnswerArchive,
    add_up: fn(Results, Vec<Results>) -> Results,
) -> Assembly {
    let Some(request) = listed.results.first() else {
        return Assembly::default();
    };
    let mut assembly = Assembly::new(vec![request.clone()]);
    let mut next = None;
    // Two equal answers may differ in their parts.
    for answer in &archive.answers(request) {
        let mut missing = Vec::new();
        let said = read_with_parts(listed, archive, answer, next, add_up, &mut missing);
        if next.is_none() {
            assembly.missing = missing;
        }
        next = Some(answer.id);
        if assembly.add_answer(listed, answer, said, |results| {
            (results, FurtherAnswers::default())
        }) {
            break;
        }
    }
    assembly
}

/// Reads an answer and its parts.
fn read_with_parts(
    listed: &SiteListing,
    archive: &dyn AnswerArchive,
    first: &ArchivedAnswer,
    next: Option<AnswerId>,
    add_up: fn(Results, Vec<Results>) -> Results,
    missing: &mut Vec<Request>,
) -> Result<Option<ContestAnswer>, SiteReadError> {
    let reading = archive.read(first)?;
    let parts = reading.parts.clone();
    let Some(mut said) = find_contest_answer(listed, first.id, reading) else {
        return Ok(None);
    };
    let mut results = Vec::new();
    for (id, reading) in read_parts(archive, first, next, &parts, missing)? {
        said.answers.push(id);
        said.warnings.extend(reading.warnings.iter().cloned());
        for (what, number) in &reading.left_out {
            *said.left_out.entry(what.clone()).or_default() += number;
        }
        let reading = Arc::unwrap_or_clone(reading);
        let of_it = |of: &Results| of.external_id == listed.external_id;
        results.extend(reading.results.into_iter().filter(of_it));
    }
    said.results = add_up(said.results, results);
    Ok(Some(said))
}

/// Reads each part of an answer once, in link order. Adds parts without an answer to `missing`;
/// while there are any, the answer is not usable.
fn read_parts(
    archive: &dyn AnswerArchive,
    first: &ArchivedAnswer,
    next: Option<AnswerId>,
    parts: &[Request],
    missing: &mut Vec<Request>,
) -> Result<Vec<(AnswerId, Arc<SiteReading>)>, SiteReadError> {
    let lacking = |expected: String| {
        let document = first.request_key.as_str();
        Err(SiteReadError::whole_document(document, expected))
    };
    let came_with =
        |part: &ArchivedAnswer| part.id > first.id && next.is_none_or(|next| part.id < next);
    let mut readings = Vec::new();
    let mut taken = HashSet::new();
    let mut queue: VecDeque<Request> = parts.iter().cloned().collect();
    while let Some(request) = queue.pop_front() {
        let key = request.key();
        if !taken.insert(key.clone()) {
            continue;
        }
        if taken.len() + queue.len() > MAX_PARTS {
            return lacking(format!("at most {MAX_PARTS} parts"));
        }
        let Some(answer) = archive.answers(&request).into_iter().find(came_with) else {
            missing.push(request);
            continue;
        };
        let reading = archive.read(&answer)?;
        if !has_standings(&reading) {
            return lacking(format!("all of its parts: {key} has no standings"));
        }
        queue.extend(reading.parts.iter().cloned());
        readings.push((answer.id, reading));
    }
    match missing.first() {
        Some(part) => lacking(format!("all of its parts: {} has no answer", part.key())),
        None => Ok(readings),
    }
}

/// True if a document has the outcome of a contest, even one without entrants.
fn has_standings(reading: &SiteReading) -> bool {
    let mut outcomes = reading.results.iter().map(|of| &of.outcome);
    outcomes.all(|of| {
        matches!(
            of,
            ContestOutcome::Standings { .. } | ContestOutcome::NothingYet
        )
    })
}
