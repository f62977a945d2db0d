//! Assembles contests from the newest answer to one request; further requests add to it.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::{
    AnswerArchive, AnswerId, ArchivedAnswer, AssembledContest, Assembly, NewestVerdict,
    RefusedInput, build_contest,
};
use crate::{ContestOutcome, Request, Results, SiteListing, SiteReadError, SiteReading};

/// Joins two documents about one contest, of which the first takes precedence. Also returns
/// warnings about differences, in sentences for users.
pub type JoinResults = fn(Results, Results) -> (Results, Vec<String>);

/// Assembles a contest from the newest answer to the first of
/// [`SiteListing::results`](crate::SiteListing::results), or to one of `forms`: requests for the
/// same data in another form. `join` adds the answers to the other requests of the listing; pass
/// `None` if there are none.
pub fn newest(
    listed: &SiteListing,
    archive: &dyn AnswerArchive,
    forms: Vec<Request>,
    join: Option<JoinResults>,
) -> Assembly {
    let Some(first) = listed.results.first() else {
        return Assembly::default();
    };
    // A listing may name one of the other forms first.
    let mut requests = vec![first.clone()];
    requests.extend(forms.into_iter().filter(|form| form.key() != first.key()));
    let answers = distinct_answers(archive, &requests);
    let mut assembly = Assembly::new(requests);
    for answer in &answers {
        let contest_answer = archive
            .read(answer)
            .map(|reading| find_contest_answer(listed, answer.id, reading));
        let has_results =
            assembly.add_answer(listed, answer, contest_answer, |results| match join {
                Some(join) => join_further_answers(listed, archive, results, answer, join),
                None => (results, FurtherAnswers::default()),
            });
        if has_results {
            break;
        }
    }
    assembly
}

/// The data of one answer about one contest.
pub(super) struct ContestAnswer {
    pub(super) results: Results,
    pub(super) warnings: Vec<String>,
    pub(super) left_out: BTreeMap<String, u64>,
    /// The answer and its parts.
    pub(super) answers: Vec<AnswerId>,
}

/// The warnings and refusals of answers to further requests.
#[derive(Default)]
pub(super) struct FurtherAnswers {
    refused: Vec<RefusedInput>,
    closed: Vec<RefusedInput>,
    warnings: Vec<String>,
    /// The answer that added the site's own ratings.
    official_from: Option<AnswerId>,
}

impl Assembly {
    /// Adds the data of an answer. Call it with the newest answer first. Returns true once there
    /// are results, so that older answers do not matter.
    pub(super) fn add_answer(
        &mut self,
        listed: &SiteListing,
        answer: &ArchivedAnswer,
        contest_answer: Result<Option<ContestAnswer>, SiteReadError>,
        add: impl FnOnce(Results) -> (Results, FurtherAnswers),
    ) -> bool {
        let contest_answer = match contest_answer {
            Ok(Some(contest_answer)) => contest_answer,
            Ok(None) => return false,
            Err(error) => {
                self.refuse_newest(answer, error.into());
                return false;
            }
        };
        let outcome = &contest_answer.results.outcome;
        if self.note_newest(answer, NewestVerdict::from(outcome)) {
            self.warnings = contest_answer.warnings;
            self.left_out = contest_answer.left_out;
            self.counts = contest_answer.results.counts.clone();
            if *outcome != ContestOutcome::Closed {
                self.newest_answers.clone_from(&contest_answer.answers);
            }
        }
        if !matches!(outcome, ContestOutcome::Standings { .. }) {
            return false;
        }
        let (results, further) = add(contest_answer.results);
        self.further_refused = further.refused;
        self.closed = further.closed;
        let further_warnings = further.warnings;
        // Ratings are read again from this document, such as after a merge.
        let read_from = further.official_from.unwrap_or(answer.id);
        match build_contest(listed.clone(), results) {
            Ok((contest, official)) => {
                self.warnings.extend(further_warnings);
                self.result_answers = contest_answer.answers;
                self.contests.push(AssembledContest {
                    contest,
                    official,
                    read_from,
                    last_seen_at: answer.fetched_at,
                    withdrawn: false,
                    rated: true,
                });
                true
            }
            Err(reason) => {
                let refusal = RefusedInput::for_contest(&listed.external_id, reason);
                self.refuse_newest(answer, refusal);
                false
            }
        }
    }
}

/// Returns the answers to these requests that differ from the previous answer, newest first.
fn distinct_answers(archive: &dyn AnswerArchive, requests: &[Request]) -> Vec<ArchivedAnswer> {
    let answers = requests.iter().flat_map(|request| archive.answers(request));
    let mut answers: Vec<ArchivedAnswer> = answers.filter(|answer| !answer.is_repeat).collect();
    answers.sort_by_key(|answer| Reverse((answer.fetched_at, answer.id)));
    answers
}

/// Returns the data of an answer about a contest, if it has any.
pub(super) fn find_contest_answer(
    listed: &SiteListing,
    id: AnswerId,
    reading: Arc<SiteReading>,
) -> Option<ContestAnswer> {
    let mut all_results = reading.results.iter();
    let index = all_results.position(|results| results.external_id == listed.external_id)?;
    let answers = vec![id];
    Some(match Arc::try_unwrap(reading) {
        Ok(mut reading) => ContestAnswer {
            results: reading.results.swap_remove(index),
            warnings: reading.warnings,
            left_out: reading.left_out,
            answers,
        },
        // The archive caches this reading, since it covers many contests; its warnings were
        // reported when it arrived.
        Err(shared) => ContestAnswer {
            results: shared.results[index].clone(),
            warnings: Vec::new(),
            left_out: BTreeMap::new(),
            answers,
        },
    })
}

/// Joins the results of the deciding answer with the newest answers to the other requests.
fn join_further_answers(
    listed: &SiteListing,
    archive: &dyn AnswerArchive,
    mut results: Results,
    deciding: &ArchivedAnswer,
    join: JoinResults,
) -> (Results, FurtherAnswers) {
    let mut joined = FurtherAnswers::default();
    let further = listed.results.iter().filter(|request| request.key() != deciding.request_key);
    for request in further {
        let answers = archive.answers(request).into_iter();
        let mut is_newest = true;
        for answer in answers.filter(|answer| !answer.is_repeat) {
            let contest_answer = match archive.read(&answer) {
                Ok(reading) => find_contest_answer(listed, answer.id, reading),
                Err(error) => {
                    if is_newest {
                        joined.refused.push(error.into());
                    }
                    is_newest = false;
                    continue;
                }
            };
            let Some(contest_answer) = contest_answer else {
                continue;
            };
            let further_results = contest_answer.results;
            if is_newest {
                joined.warnings.extend(contest_answer.warnings);
                if further_results.outcome == ContestOutcome::Closed {
                    let reason = format!("{}: the site does not let them be read", request.what);
                    let refusal = RefusedInput::for_contest(&listed.external_id, reason);
                    joined.closed.push(refusal);
                }
            }
            is_newest = false;
            if matches!(further_results.outcome, ContestOutcome::Standings { .. }) {
                let had_official = has_official(&results);
                let warnings;
                (results, warnings) = join(results, further_results);
                joined.warnings.extend(warnings);
                if !had_official && has_official(&results) {
                    joined.official_from = Some(answer.id);
                }
                break;
            }
        }
    }
    (results, joined)
}

fn has_official(results: &Results) -> bool {
    let outcome = &results.outcome;
    matches!(outcome, ContestOutcome::Standings { official, .. } if !official.is_empty())
}
