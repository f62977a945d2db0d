//! What a source is.

use std::borrow::Cow;
use std::time::Duration;

use ranklore_contest::UnixSeconds;

use crate::assemble::{self, Archive, Assembly};
use crate::json::redact_members;
use crate::{Accounts, Listed, ReadError, Reading, Redacted, Request, Terms};

/// An answer of a site, as it lies in the archive.
#[derive(Clone, Copy, Debug)]
pub struct Document<'a> {
    /// [`Request::key`] of what was asked for; [`Asked`](crate::Asked) takes it apart.
    pub request_key: &'a str,
    /// When it came.
    pub fetched_at: UnixSeconds,
    /// HTTP status.
    pub status: u16,
    /// The decoded bytes, as [`Source::minimise`] left them.
    pub body: &'a [u8],
}

/// What to make of an answer before it is archived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It answers the question, be it with a no: archive and read it.
    Answer,
    /// It would answer later: asked too often, or overloaded. Ask again after a while.
    RetryLater(String),
    /// It is a wall and not an answer: a challenge for people, a block. Says which.
    Blocked(String),
    /// It is nothing that can be read: cut off, of another kind. Says why. Asked once more it
    /// may be better.
    Invalid(String),
}

/// One site: which documents to ask for, and how to read them. It never touches the network:
/// the same code serves mining, rebuilding from the archive and tests.
///
/// Reading is a pure function of the document. Of several documents with one key the newest
/// speaks.
pub trait Source: Send + Sync {
    /// The name of the source, by the rules of `SourceName`.
    fn name(&self) -> &'static str;

    /// On which terms it may be asked.
    fn terms(&self) -> &Terms;

    /// How long one try of a request may take, from connecting to the last byte. Longer than two
    /// minutes for sites that take their time to make large answers.
    fn patience(&self) -> Duration {
        Duration::from_mins(2)
    }

    /// What to ask for at the beginning of every sync.
    fn start(&self) -> Vec<Request>;

    /// What to make of an answer. Called with decoded bytes, for every HTTP status but
    /// redirects and 304.
    fn classify(&self, request: &Request, status: u16, body: &[u8]) -> Verdict;

    /// What to archive of an answer: without fields that are nobody's business (names of
    /// people behind handles, cities), and without what differs although nothing changed, so
    /// that unchanged answers are equal. Everything it leaves reads the same.
    fn minimise<'b>(&self, request_key: &str, body: &'b [u8]) -> Cow<'b, [u8]>;

    /// What a document says.
    ///
    /// # Errors
    /// [`ReadError`], naming the document, the path of the field and what was expected there.
    fn read(&self, document: &Document<'_>) -> Result<Reading, ReadError>;

    /// The document with `blank(name)` wherever it names a person whom `blank` knows, in its key
    /// as well; nothing where it names no such person. Everything else stays as it is, so that it
    /// says the same of everybody else.
    ///
    /// Goes by where names stand, and not by what the document reads as: one that is broken is
    /// redacted as well as can be. What is already redacted is left as it is. What somebody is
    /// called whom something else identifies ([`Reading::named`]) goes with that: it gets its own
    /// blank where there is one, else the same. Without another word, names stand in
    /// [`Source::person_members`].
    fn redact<'d>(
        &self,
        document: &Document<'d>,
        blank: &dyn Fn(&str) -> Option<String>,
    ) -> Option<Redacted<'d>> {
        let members = Some(self.person_members()).filter(|members| !members.is_empty())?;
        let body = redact_members(document.body, members, blank)?;
        Some(Redacted {
            request_key: Cow::Borrowed(document.request_key),
            body: Cow::Owned(body),
        })
    }

    /// The members of JSON objects in which people are named, at any depth: `name`, `handle`.
    /// Without another word there are none: the site names nobody, or [`Source::redact`] says
    /// where.
    fn person_members(&self) -> &'static [&'static str] {
        &[]
    }

    /// What a team is called that is known by its people alone, who come in the order of their
    /// names. Nothing where teams have names of their own, which stay when one of their people is
    /// forgotten.
    fn team(&self, members: &[String]) -> Option<String> {
        let _ = members;
        None
    }

    /// Returns the names and accounts that the site tells of; `None` where names never change.
    fn accounts(&self) -> Option<&dyn Accounts> {
        None
    }

    /// The contest that a document is about, by its id: an answer, or a file of one contest.
    /// Nothing where it lists contests, or tells of several. Asked of sites alone whose deletions
    /// are honoured ([`Deletions`](crate::Deletions)).
    fn of_contest(&self, request_key: &str) -> Option<String> {
        let _ = request_key;
        None
    }

    /// Makes the contest, or those of an event, of all answers about what a list has as `listed`.
    ///
    /// A pure function of the archive. The functions of [`assemble`](crate::assemble) cover the
    /// usual cases; by default the newest answer to the only request decides.
    fn assemble(&self, listed: &Listed, archive: &dyn Archive) -> Assembly {
        assemble::newest(listed, archive, Vec::new(), None)
    }
}
