//! The `Source` trait, archived documents and the classification of responses.

use std::borrow::Cow;
use std::ops::Range;

use ranklore_contest::UnixSeconds;

use crate::assemble::{self, AnswerArchive, Assembly};
use crate::{Accounts, Profile, Request, SiteListing, SiteReadError, SiteReading};

/// An archived answer of a site.
#[derive(Clone, Copy, Debug)]
pub struct Document<'a> {
    /// The [`Request::key`] of its request; [`RequestKey`](crate::RequestKey) parses it.
    pub request_key: &'a str,
    /// The time of the response.
    pub fetched_at: UnixSeconds,
    /// The HTTP status.
    pub status: u16,
    /// The decoded body, after [`Source::minimise`].
    pub body: &'a [u8],
}

/// The classification of a response before it is archived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Classification {
    /// Answers the request, even if negatively: archive and read it.
    Answer,
    /// The site limits the rate of requests: retry later. Contains the reason.
    RetryLater(String),
    /// The site failed for now, such as by an internal error or overload: retry later. Contains the
    /// reason.
    Failed(String),
    /// Not an answer but a block, such as a challenge page or a ban. Contains the reason.
    Blocked(String),
    /// Not readable: truncated or of another kind. Contains the reason. A retry may succeed.
    Invalid(String),
}

/// Returns a body without these ranges, which must be in order and not overlap. For
/// [`Source::minimise`].
#[must_use]
pub fn remove_ranges<'b>(body: &'b [u8], ranges: &[Range<usize>]) -> Cow<'b, [u8]> {
    if ranges.is_empty() {
        return Cow::Borrowed(body);
    }
    let mut left = Vec::with_capacity(body.len());
    let mut from = 0;
    for range in ranges {
        left.extend_from_slice(&body[from..range.start]);
        from = range.end;
    }
    left.extend_from_slice(&body[from..]);
    Cow::Owned(left)
}

/// A site: the documents to request, and the functions that read them. A source never accesses the
/// network: the same code serves mining, rebuilding from the archive, and tests.
///
/// Reading is a pure function of the document. The newest of several documents with one key counts.
pub trait Source: Send + Sync {
    /// Returns the data of the source: its name, terms and options.
    fn profile(&self) -> &'static Profile;

    /// Returns the requests that every sync begins with.
    fn initial_requests(&self) -> Vec<Request>;

    /// Classifies a response. Called with decoded bytes, for every HTTP status except redirects and
    /// 304.
    fn classify(&self, request: &Request, status: u16, body: &[u8]) -> Classification;

    /// Returns the part of an answer to archive: without needless personal data (real names behind
    /// handles, cities), and without data that varies although nothing changed, so that unchanged
    /// answers are equal. The result must read the same.
    fn minimise<'b>(&self, request_key: &str, body: &'b [u8]) -> Cow<'b, [u8]>;

    /// Returns an answer about a contest without the numbers that the site varies at random, such as
    /// scores; `None` if it varies none. A contest keeps its answers while newer ones differ from
    /// them in these numbers only and do not change its order.
    fn without_noise<'b>(&self, _request_key: &str, _body: &'b [u8]) -> Option<Cow<'b, [u8]>> {
        None
    }

    /// Reads all data of a document, independent of the options of this sync.
    ///
    /// # Errors
    /// [`SiteReadError`], naming the document, the path of the field and the expected data.
    fn read(&self, document: &Document<'_>) -> Result<SiteReading, SiteReadError>;

    /// Removes requests that the options of this sync exclude from a reading, and adds warnings
    /// about them.
    fn apply_options(&self, _request_key: &str, _reading: &mut SiteReading) {}

    /// True if the options of this sync lead to requests that
    /// [need a session cookie](Request::needs_cookie).
    fn requires_cookie(&self) -> bool {
        false
    }

    /// Returns the names and accounts that the site publishes; `None` if names never change.
    fn accounts(&self) -> Option<&dyn Accounts> {
        None
    }

    /// Assembles the contest, or the contests of an event, from all answers about a listing.
    ///
    /// A pure function of the archive. The functions of [`assemble`](crate::assemble) cover the
    /// usual cases; by default the newest answer to the only request decides.
    fn assemble(&self, listed: &SiteListing, archive: &dyn AnswerArchive) -> Assembly {
        assemble::newest(listed, archive, Vec::new(), None)
    }
}
