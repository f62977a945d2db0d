//! Assembles contests from all answers about them. [`Source::assemble`](crate::Source::assemble)
//! calls the function here that fits its site.
//!
//! | function | for a site where |
//! |---|---|
//! | [`newest`] | one request, in any form, has the results of a contest; others may add to it |
//! | [`parts`] | the results come in parts, each linking to the next |
//! | [`event`] | one answer covers all contests of an event |
//!
//! All of them use the newest usable answer. If it has no results and an older answer had, the
//! contest keeps the older ones.

mod event;
mod newest;
mod parts;

use std::collections::BTreeMap;
use std::sync::Arc;

use ranklore_contest::Contest;
use serde::Serialize;

use crate::{
    ContestOutcome, ItemCounts, OfficialRating, Request, Results, SiteListing, SiteReadError,
    SiteReading,
};

pub use event::event;
pub use newest::{JoinResults, newest};
pub use parts::{MAX_PARTS, parts};

/// The archived answers of a site.
pub trait AnswerArchive {
    /// Returns all answers to a request, newest first.
    fn answers(&self, request: &Request) -> Vec<ArchivedAnswer>;

    /// Reads an answer.
    ///
    /// # Errors
    /// [`SiteReadError`] of the source.
    fn read(&self, answer: &ArchivedAnswer) -> Result<Arc<SiteReading>, SiteReadError>;
}

/// An archive without answers. Only [`deciding_requests`](field@Assembly::deciding_requests) and
/// [`Assembly::is_event`] of its assemblies are meaningful.
#[derive(Clone, Copy, Debug)]
pub struct EmptyArchive;

impl AnswerArchive for EmptyArchive {
    fn answers(&self, _: &Request) -> Vec<ArchivedAnswer> {
        Vec::new()
    }

    fn read(&self, answer: &ArchivedAnswer) -> Result<Arc<SiteReading>, SiteReadError> {
        let key = &*answer.request_key;
        Err(SiteReadError::whole_document(key, "an answer in the archive"))
    }
}

/// The number of an answer in its archive; later answers have greater numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AnswerId(pub i64);

/// An answer in an archive, not read yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchivedAnswer {
    /// The number of the answer.
    pub id: AnswerId,
    /// The [`Request::key`] of its request.
    pub request_key: String,
    /// The time of the response, in seconds since 1970.
    pub fetched_at: i64,
    /// True if the next newer answer to the same request has the same bytes.
    pub is_repeat: bool,
}

/// The contests assembled from all answers about one listed contest or event.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Assembly {
    /// The contest, or those of an event; empty if no answer has results.
    pub contests: Vec<AssembledContest>,
    /// True if the listing is an event of several contests.
    pub is_event: bool,
    /// Parts of the newest answer that are not archived yet.
    pub missing: Vec<Request>,
    /// The newest answer to a deciding request.
    pub newest: Option<NewestAnswer>,
    /// The number of items that this answer announces and that arrived, if it announces any.
    pub counts: Option<ItemCounts>,
    /// The reason why the newest answer was refused.
    pub refused: Option<RefusedInput>,
    /// Refused answers to further requests, or refused parts of an event.
    pub further_refused: Vec<RefusedInput>,
    /// Answers to further requests that the site does not let anyone read.
    pub closed: Vec<RefusedInput>,
    /// Warnings of the newest answers, in sentences for users.
    pub warnings: Vec<String>,
    /// [`SiteReading::left_out`] of the newest answer and its parts.
    pub left_out: BTreeMap<String, u64>,
    /// The requests whose answers decide.
    pub deciding_requests: Vec<Request>,
    /// The newest answer to these requests, with its parts; empty if it is refused or has no data.
    pub newest_answers: Vec<AnswerId>,
    /// The answers that the results come from.
    pub result_answers: Vec<AnswerId>,
}

/// The newest answer to a deciding request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewestAnswer {
    /// The number of the answer.
    pub id: AnswerId,
    /// The time of the response, in seconds since 1970.
    pub fetched_at: i64,
    /// The verdict of this answer on the contest.
    pub verdict: NewestVerdict,
}

/// The kind of the newest [`ContestOutcome`], or `Refused`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewestVerdict {
    /// The contest has results.
    HasResults,
    /// The contest has no results yet.
    NothingYet,
    /// The site does not rate the contest.
    NotRated,
    /// The site does not know the contest.
    Gone,
    /// The site does not let anyone read the results.
    Closed,
    /// The answer was refused.
    Refused,
}

impl From<&ContestOutcome> for NewestVerdict {
    fn from(outcome: &ContestOutcome) -> Self {
        match outcome {
            ContestOutcome::Standings { .. } => Self::HasResults,
            ContestOutcome::NothingYet => Self::NothingYet,
            ContestOutcome::NotRated => Self::NotRated,
            ContestOutcome::Gone => Self::Gone,
            ContestOutcome::Closed => Self::Closed,
        }
    }
}

/// A contest with results.
#[derive(Clone, Debug, PartialEq)]
pub struct AssembledContest {
    /// The contest with its standings.
    pub contest: Contest,
    /// The site's own ratings.
    pub official: Vec<OfficialRating>,
    /// The answer that the standings were read from.
    pub read_from: AnswerId,
    /// The time of the last answer that has the contest, in seconds since 1970.
    pub last_seen_at: i64,
    /// True if the newest answer about its event no longer has it.
    pub withdrawn: bool,
    /// False if the contest counts for no rating.
    pub rated: bool,
}

/// A document, or a part of one, that was refused.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, thiserror::Error)]
#[error("{document}: {what}")]
pub struct RefusedInput {
    /// The document: its path within the import, the request key of an answer, or `contest` and its
    /// id.
    pub document: String,
    /// The location, the contest and the reason.
    pub what: String,
}

impl From<SiteReadError> for RefusedInput {
    fn from(error: SiteReadError) -> Self {
        Self {
            document: error.document,
            what: format!("{}: {}", error.at, error.expected),
        }
    }
}

impl RefusedInput {
    /// Returns a refusal of a whole contest.
    #[must_use]
    pub fn for_contest(external_id: &str, what: String) -> Self {
        Self {
            document: format!("contest {external_id}"),
            what,
        }
    }

    /// Returns the reason for use next to the name of this contest, without repeating that name.
    #[must_use]
    pub fn reason_for_contest(&self, external_id: &str) -> String {
        match self.document.strip_prefix("contest ") {
            Some(id) if id == external_id => self.what.clone(),
            _ => self.to_string(),
        }
    }
}

impl Assembly {
    /// Returns an empty assembly for these deciding requests.
    fn new(requests: Vec<Request>) -> Self {
        Self {
            deciding_requests: requests,
            ..Self::default()
        }
    }

    /// Records the newest answer. Returns false, without a change, if there is one already.
    fn note_newest(&mut self, answer: &ArchivedAnswer, verdict: NewestVerdict) -> bool {
        let is_newest = self.newest.is_none();
        if is_newest {
            self.newest = Some(NewestAnswer {
                id: answer.id,
                fetched_at: answer.fetched_at,
                verdict,
            });
        }
        is_newest
    }

    /// Records that an answer is refused, if it is the newest.
    fn refuse_newest(&mut self, answer: &ArchivedAnswer, refusal: RefusedInput) {
        if self.newest.is_none_or(|newest| newest.id == answer.id) {
            self.newest = None;
            self.note_newest(answer, NewestVerdict::Refused);
            self.newest_answers.clear();
            self.refused = Some(refusal);
        }
    }
}

/// Builds the contest from its listing and results, with the site's own ratings.
///
/// # Errors
/// The reason why the contest is invalid.
fn build_contest(
    listed: SiteListing,
    results: Results,
) -> Result<(Contest, Vec<OfficialRating>), String> {
    let ContestOutcome::Standings { entrants, official } = results.outcome else {
        return Err("it has no results".to_owned());
    };
    let Some(ends_at) = listed.ends_at.or(results.stood_at) else {
        return Err("its end time is unknown".to_owned());
    };
    let contest = listed.into_contest(ends_at, entrants);
    contest
        .validate()
        .and_then(|()| contest.check_name_lengths())
        .map_err(|invalid| invalid.to_string())?;
    Ok((contest, official))
}
