//! Makes contests of all answers about them: [`Source::assemble`](crate::Source::assemble) calls
//! the function here that fits its site.
//!
//! | function | for a site where |
//! |---|---|
//! | [`newest`] | one request, in whatever form, tells how a contest came out; further ones may add to it |
//! | [`parts`] | the results stand in parts, of which one leads to the next |
//! | [`event`] | one answer tells of all contests of an event |
//!
//! All of them go by the newest answer that can be taken. If the newest has no results any more
//! and an older one had, the contest keeps those.

mod event;
mod newest;
mod parts;

use std::collections::BTreeMap;
use std::sync::Arc;

use ranklore_contest::Contest;
use serde::Serialize;

use crate::{
    ContestOutcome, ItemCounts, Listed, OfficialRating, ReadError, Reading, Request, Results,
};

pub use event::event;
pub use newest::{Join, newest};
pub use parts::{MAX_PARTS, parts};

/// The answers of a site in its archive.
pub trait Archive {
    /// Returns all answers to a request, the newest first.
    fn answers(&self, request: &Request) -> Vec<Answer>;

    /// Reads an answer.
    ///
    /// # Errors
    /// [`ReadError`] of the source.
    fn read(&self, answer: &Answer) -> Result<Arc<Reading>, ReadError>;
}

/// An archive without answers: of what is assembled from it,
/// [`decided_by`](field@Assembly::decided_by) and [`Assembly::is_event`] are of use.
#[derive(Clone, Copy, Debug)]
pub struct NoAnswers;

impl Archive for NoAnswers {
    fn answers(&self, _: &Request) -> Vec<Answer> {
        Vec::new()
    }

    fn read(&self, answer: &Answer) -> Result<Arc<Reading>, ReadError> {
        let expected = "an answer in the archive";
        Err(ReadError::whole(&*answer.request_key, expected))
    }
}

/// The number of an answer in its archive; of two answers the later one has the greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AnswerId(pub i64);

/// One answer in an archive, not read yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Its number.
    pub id: AnswerId,
    /// [`Request::key`] of what was asked.
    pub request_key: String,
    /// The time at which it came, in seconds since 1970.
    pub fetched_at: i64,
    /// True if the next newer answer to the same request has the same bytes.
    pub repeated: bool,
}

/// The contests that the answers about one listed contest, or event, come to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Assembly {
    /// The contest, or those of an event; nothing where no answer has results.
    pub contests: Vec<AssembledContest>,
    /// True if what is listed is no contest itself, but an event of several.
    pub is_event: bool,
    /// The parts of the newest answer that have no answer yet.
    pub missing: Vec<Request>,
    /// The newest answer to the request that decides.
    pub newest: Option<Newest>,
    /// The items that this answer announces, and those that arrived, where it announces any.
    pub counts: Option<ItemCounts>,
    /// The reason why that answer cannot be taken.
    pub refused: Option<Refusal>,
    /// The reasons why answers to further requests cannot be taken, or a part of an event.
    pub further_refused: Vec<Refusal>,
    /// Answers to further requests that the site does not let be read.
    pub closed: Vec<Refusal>,
    /// Oddities of the newest answers, in sentences for people.
    pub warnings: Vec<String>,
    /// [`Reading::left_out`] of the newest answer and its parts.
    pub left_out: BTreeMap<String, u64>,
    /// The requests any of whose answers may decide.
    pub decided_by: Vec<Request>,
    /// The newest answer to these and its parts; nothing where it cannot be taken or says nothing.
    pub made_of: Vec<AnswerId>,
    /// The answers that the results are made of.
    pub stood_of: Vec<AnswerId>,
}

/// The newest answer to the request that decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Newest {
    /// Its number.
    pub id: AnswerId,
    /// The time at which it came, in seconds since 1970.
    pub fetched_at: i64,
    /// Its verdict on the contest.
    pub verdict: NewestVerdict,
}

/// A [`ContestOutcome`] without its standings, or that there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewestVerdict {
    /// The contest has results.
    Stood,
    /// The contest has no results so far.
    NothingYet,
    /// The site does not rate the contest.
    NotRated,
    /// The site does not know the contest.
    Gone,
    /// The site does not let the results be read.
    Closed,
    /// The answer cannot be taken.
    Refused,
}

impl From<&ContestOutcome> for NewestVerdict {
    fn from(outcome: &ContestOutcome) -> Self {
        match outcome {
            ContestOutcome::Stood { .. } => Self::Stood,
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
    /// The ratings that the site itself gave.
    pub official: Vec<OfficialRating>,
    /// The answer that its standings were read from.
    pub read_from: AnswerId,
    /// The time at which an answer last had it, in seconds since 1970.
    pub stood_at: i64,
    /// True if the newest answer about its event has it no more.
    pub taken_back: bool,
    /// False for a contest that counts for no rating.
    pub rated: bool,
}

/// Something that cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, thiserror::Error)]
#[error("{document}: {what}")]
pub struct Refusal {
    /// The document: its path below what was named, the request key of an answer, or `contest` and
    /// its id.
    pub document: String,
    /// Where in it, which contest, and why.
    pub what: String,
}

impl From<ReadError> for Refusal {
    fn from(error: ReadError) -> Self {
        Self {
            document: error.document,
            what: format!("{}: {}", error.at, error.expected),
        }
    }
}

impl Refusal {
    /// Something about a contest as a whole.
    #[must_use]
    pub fn of_contest(external_id: &str, what: String) -> Self {
        Self {
            document: format!("contest {external_id}"),
            what,
        }
    }

    /// Returns the reason as it is told of this contest, whose name goes without saying.
    #[must_use]
    pub fn reason(&self, external_id: &str) -> String {
        match self.document.strip_prefix("contest ") {
            Some(id) if id == external_id => self.what.clone(),
            _ => self.to_string(),
        }
    }
}

impl Assembly {
    /// Returns what is known of a contest of which these requests will decide.
    fn decided_by(requests: Vec<Request>) -> Self {
        Self {
            decided_by: requests,
            ..Self::default()
        }
    }

    /// Notes the newest answer, unless there is a newer one; true if there was none.
    fn note_newest(&mut self, answer: &Answer, verdict: NewestVerdict) -> bool {
        let first = self.newest.is_none();
        if first {
            self.newest = Some(Newest {
                id: answer.id,
                fetched_at: answer.fetched_at,
                verdict,
            });
        }
        first
    }

    /// Notes that an answer cannot be taken, if it is the newest.
    fn refuse(&mut self, answer: &Answer, why: Refusal) {
        if self.newest.is_none_or(|newest| newest.id == answer.id) {
            self.newest = None;
            self.note_newest(answer, NewestVerdict::Refused);
            self.made_of.clear();
            self.refused = Some(why);
        }
    }
}

/// Returns the contest that a list and results make, with the ratings of the site itself.
///
/// # Errors
/// The reason why they make none.
fn contest(listed: &Listed, results: Results) -> Result<(Contest, Vec<OfficialRating>), String> {
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
