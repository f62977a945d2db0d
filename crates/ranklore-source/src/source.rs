//! What a source is.

use std::borrow::Cow;

use ranklore_contest::UnixSeconds;

use crate::assemble::{self, Archive, Assembly};
use crate::{Accounts, Listed, Profile, ReadError, Reading, Request};

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

/// The classification of a response before it is archived.
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
    /// The data of the source: its name, terms and options.
    fn profile(&self) -> &'static Profile;

    /// Returns the requests that every sync begins with.
    fn start(&self) -> Vec<Request>;

    /// Classifies a response. Called with decoded bytes, for every HTTP status but
    /// redirects and 304.
    fn classify(&self, request: &Request, status: u16, body: &[u8]) -> Verdict;

    /// Returns the part of an answer to archive: without fields that are nobody's business (names of
    /// people behind handles, cities), and without what differs although nothing changed, so
    /// that unchanged answers are equal. Everything it leaves reads the same.
    fn minimise<'b>(&self, request_key: &str, body: &'b [u8]) -> Cow<'b, [u8]>;

    /// Reads a document: everything it says, whatever the options of this sync are.
    ///
    /// # Errors
    /// [`ReadError`], naming the document, the path of the field and what was expected there.
    fn read(&self, document: &Document<'_>) -> Result<Reading, ReadError>;

    /// Leaves in a reading the requests that the options of this sync ask for, and adds what is
    /// worth a warning about them.
    fn narrow(&self, _request_key: &str, _reading: &mut Reading) {}

    /// Returns the names and accounts that the site tells of; `None` where names never change.
    fn accounts(&self) -> Option<&dyn Accounts> {
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
