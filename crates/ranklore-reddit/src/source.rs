//! The implementation of the source `reddit`.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};
use std::time::Duration;

use ranklore_source::assemble::{self, AnswerArchive, Assembly};
use ranklore_source::{
    Classification, ContestOutcome, DeletionPolicy, Document, NameDisplay, Profile, Registration,
    Request, Results, SiteListing, SiteReadError, SiteReading, Source, Terms, TokenTerms,
};

use crate::classify::ErrorBody;
use crate::listing::SubredditListing;
use crate::nesting::{MAX_NESTING, is_too_deep};
use crate::requests::{ListingPage, RedditRequest};
use crate::{classify, comments, listing, minimise, options, requests, tally};

static PROFILE: Profile = Profile {
    options: &options::OPTIONS,
    imports_archives: true,
    ..Profile::new(
        "reddit",
        Terms {
            // The site allows 100 requests a minute.
            interval: Duration::from_secs(1),
            // A documented API for registered programs.
            obeys_robots_txt: false,
            // Scores change as long as users vote, and deletions must be noticed by the next sync:
            // a thread is never settled.
            provisional_period: Duration::from_hours(100 * 366 * 24),
            attribution: "Reddit (https://www.reddit.com)",
            licence: "The interface is for those who agree to Reddit's terms for data; what \
                      people delete there is to be deleted everywhere, and nothing of it is to be \
                      passed on.",
            names: NameDisplay::AsPublished,
            deletions: DeletionPolicy::Honoured {
                contest_of: |request_key| {
                    requests::thread_of_key(request_key).map(|id| id.to_string())
                },
            },
            token: Some(TokenTerms {
                url: "https://www.reddit.com/api/v1/access_token",
                form: &[("grant_type", "client_credentials")],
                registration_url: "https://www.reddit.com/prefs/apps",
            }),
            ..Terms::new("https://oauth.reddit.com")
        },
    )
};

/// The registration of the source `reddit`.
pub static REGISTRATION: Registration = Registration {
    profile: &PROFILE,
    open: |values| Ok(Box::new(RedditSource::new(options::parse_listings(values)?))),
    open_archive: |keys| Box::new(RedditSource::from_archive(keys.iter().map(String::as_str))),
};

/// The source `reddit`.
#[derive(Clone, Debug, Default)]
pub struct RedditSource {
    listings: Vec<SubredditListing>,
    /// Pages requested in earlier syncs.
    pages: Vec<ListingPage>,
}

impl RedditSource {
    /// Returns a source that starts with these listings.
    #[must_use]
    pub const fn new(listings: Vec<SubredditListing>) -> Self {
        Self {
            listings,
            pages: Vec::new(),
        }
    }

    /// Returns the source for an archive: it starts with every page that was ever requested, and no
    /// page leads to another.
    ///
    /// `request_keys` are those of all archived documents, in any order, with repetitions.
    #[must_use]
    pub fn from_archive<'k>(request_keys: impl IntoIterator<Item = &'k str>) -> Self {
        let keys: BTreeSet<&str> = request_keys.into_iter().collect();
        let pages = keys.into_iter().filter_map(|key| match RedditRequest::parse(key) {
            Some(RedditRequest::Page(page)) => Some(page),
            _ => None,
        });
        Self {
            listings: Vec::new(),
            pages: pages.collect(),
        }
    }
}

impl Source for RedditSource {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    /// Returns the first page of every listing, each once.
    fn initial_requests(&self) -> Vec<Request> {
        let mut keys = HashSet::new();
        let first = self.listings.iter().map(SubredditListing::first_page);
        first
            .chain(self.pages.iter().cloned())
            .map(|page| requests::page_request(&page))
            .filter(|request| keys.insert(request.key()))
            .collect()
    }

    fn classify(&self, request: &Request, status: u16, body: &[u8]) -> Classification {
        classify::classify(RedditRequest::parse(&request.key()).as_ref(), status, body)
    }

    /// Keeps ids, names and scores; no text written by users.
    fn minimise<'b>(&self, request_key: &str, body: &'b [u8]) -> Cow<'b, [u8]> {
        minimise::minimise(RedditRequest::parse(request_key).as_ref(), body)
    }

    /// The site adds random amounts to the scores of comments.
    fn without_noise<'b>(&self, request_key: &str, body: &'b [u8]) -> Option<Cow<'b, [u8]>> {
        minimise::without_scores(RedditRequest::parse(request_key).as_ref(), body)
    }

    fn read(&self, document: &Document<'_>) -> Result<SiteReading, SiteReadError> {
        let key = document.request_key;
        let body = document.body;
        let Some(question) = RedditRequest::parse(key) else {
            return Err(SiteReadError::unknown_request(key, "Reddit"));
        };
        if let Err(error) = std::str::from_utf8(body) {
            let expected = format!("text in UTF-8: {error}");
            return Err(SiteReadError::whole_document(key, expected));
        }
        if is_too_deep(body) {
            let expected = format!("an answer nested {MAX_NESTING} levels deep at most");
            return Err(SiteReadError::whole_document(key, expected));
        }
        match question {
            RedditRequest::Page(page) => listing::read_page(key, body, &page),
            RedditRequest::Thread(thread)
            | RedditRequest::CommentTree { thread, .. }
            | RedditRequest::MoreComments { thread, .. }
                if matches!(document.status, 403 | 404) =>
            {
                read_error_body(document, &thread.to_string())
            }
            RedditRequest::Thread(thread) => comments::read_thread(key, body, thread, None),
            RedditRequest::CommentTree { thread, comment } => {
                comments::read_thread(key, body, thread, Some(comment))
            }
            RedditRequest::MoreComments { thread, comments } => {
                comments::read_more_comments(key, body, thread, &comments)
            }
        }
    }

    /// Keeps the next page only if a listing continues there.
    fn apply_options(&self, request_key: &str, reading: &mut SiteReading) {
        if let Some(RedditRequest::Page(page)) = RedditRequest::parse(request_key) {
            listing::limit_to_listings(&page, reading, &self.listings);
        }
    }

    /// Joins the parts of a thread; each comment is in one part only.
    fn assemble(&self, listed: &SiteListing, archive: &dyn AnswerArchive) -> Assembly {
        assemble::parts(listed, archive, tally::sum_parts)
    }
}

/// Reads the error response for a thread that is removed or not public.
fn read_error_body(document: &Document<'_>, thread: &str) -> Result<SiteReading, SiteReadError> {
    let key = document.request_key;
    let status = document.status;
    if ErrorBody::parse(status, document.body).is_none() {
        let expected = format!("an error response with the error {status}");
        return Err(SiteReadError::whole_document(key, expected));
    }
    let outcome = match status {
        404 => ContestOutcome::Gone,
        _ => ContestOutcome::Closed,
    };
    Ok(SiteReading {
        results: vec![Results::new(thread, outcome)],
        ..SiteReading::default()
    })
}
