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
        let span = AnswerSpan {
            first: answer,
            next,
        };
        let contest_answer = read_with_parts(listed, archive, span, add_up, &mut missing);
        if next.is_none() {
            assembly.missing = missing;
        }
        next = Some(answer.id);
        let has_results = assembly.add_answer(listed, answer, contest_answer, |results| {
            (results, FurtherAnswers::default())
        });
        if has_results {
            break;
        }
    }
    assembly
}

/// An answer and the next one to the same request, between which its parts arrived.
#[derive(Clone, Copy)]
struct AnswerSpan<'a> {
    first: &'a ArchivedAnswer,
    next: Option<AnswerId>,
}

impl AnswerSpan<'_> {
    fn contains(self, part: &ArchivedAnswer) -> bool {
        part.id > self.first.id && self.next.is_none_or(|next| part.id < next)
    }
}

/// Reads an answer and its parts.
fn read_with_parts(
    listed: &SiteListing,
    archive: &dyn AnswerArchive,
    span: AnswerSpan<'_>,
    add_up: fn(Results, Vec<Results>) -> Results,
    missing: &mut Vec<Request>,
) -> Result<Option<ContestAnswer>, SiteReadError> {
    let reading = archive.read(span.first)?;
    let parts = reading.parts.clone();
    let Some(mut contest_answer) = find_contest_answer(listed, span.first.id, reading) else {
        return Ok(None);
    };
    let mut part_results = Vec::new();
    for (id, reading) in read_parts(archive, span, &parts, missing)? {
        contest_answer.answers.push(id);
        let reading = Arc::unwrap_or_clone(reading);
        contest_answer.warnings.extend(reading.warnings);
        for (description, number) in reading.left_out {
            *contest_answer.left_out.entry(description).or_default() += number;
        }
        let results = reading.results.into_iter();
        part_results.extend(results.filter(|part| part.external_id == listed.external_id));
    }
    contest_answer.results = add_up(contest_answer.results, part_results);
    Ok(Some(contest_answer))
}

/// Reads each part of an answer once, in link order. Adds parts without an answer to `missing`;
/// while there are any, the answer is not usable.
fn read_parts(
    archive: &dyn AnswerArchive,
    span: AnswerSpan<'_>,
    parts: &[Request],
    missing: &mut Vec<Request>,
) -> Result<Vec<(AnswerId, Arc<SiteReading>)>, SiteReadError> {
    let refuse = |expected: String| {
        let document = span.first.request_key.as_str();
        Err(SiteReadError::whole_document(document, expected))
    };
    let mut readings = Vec::new();
    let mut requested = HashSet::new();
    let mut queue: VecDeque<Request> = parts.iter().cloned().collect();
    while let Some(request) = queue.pop_front() {
        let key = request.key();
        if !requested.insert(key.clone()) {
            continue;
        }
        if requested.len() + queue.len() > MAX_PARTS {
            return refuse(format!("at most {MAX_PARTS} parts"));
        }
        let mut answers = archive.answers(&request).into_iter();
        let Some(answer) = answers.find(|answer| span.contains(answer)) else {
            missing.push(request);
            continue;
        };
        let reading = archive.read(&answer)?;
        if !has_standings(&reading) {
            return refuse(format!("all of its parts: {key} has no standings"));
        }
        queue.extend(reading.parts.iter().cloned());
        readings.push((answer.id, reading));
    }
    match missing.first() {
        Some(part) => refuse(format!("all of its parts: {} has no answer", part.key())),
        None => Ok(readings),
    }
}

/// True if a document has the outcome of a contest, even one without entrants.
fn has_standings(reading: &SiteReading) -> bool {
    reading.results.iter().all(|results| {
        matches!(results.outcome, ContestOutcome::Standings { .. } | ContestOutcome::NothingYet)
    })
}
