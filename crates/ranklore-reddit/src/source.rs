//! The implementation of the source `reddit`.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};
use std::time::Duration;

use ranklore_source::assemble::{self, Archive, Assembly};
use ranklore_source::{
    ContestOutcome, Deletions, Document, Listed, Names, Profile, ReadError, Reading, Registration,
    Request, Results, Source, Terms, TokenTerms, Verdict,
};

use crate::ask::{Page, Question};
use crate::classify::Refusal;
use crate::listing::Listing;
use crate::nesting::{MAX_NESTING, is_too_deep};
use crate::{ask, classify, comments, listing, minimise, options, tally};

static PROFILE: Profile = Profile {
    options: &options::OPTIONS,
    archives: true,
    ..Profile::new(
        "reddit",
        Terms {
            // The site allows 100 requests a minute.
            interval: Duration::from_secs(1),
            // A documented API for registered programs.
            robots: false,
            // Scores change as long as users vote, and deletions must be noticed by the next sync:
            // a thread is never settled.
            provisional: Duration::from_hours(100 * 366 * 24),
            attribution: "Reddit (https://www.reddit.com)",
            licence: "The interface is for those who agree to Reddit's terms for data; what \
                      people delete there is to be deleted everywhere, and nothing of it is to be \
                      passed on.",
            names: Names::AsTheyAre,
            deletions: Deletions::Honoured {
                contest_of: |request_key| ask::thread_of(request_key).map(|id| id.to_string()),
            },
            token: Some(TokenTerms {
                url: "https://www.reddit.com/api/v1/access_token",
                form: &[("grant_type", "client_credentials")],
                register: "https://www.reddit.com/prefs/apps",
            }),
            ..Terms::new("https://oauth.reddit.com")
        },
    )
};

/// The registration of the source `reddit`.
pub static REGISTRATION: Registration = Registration {
    profile: &PROFILE,
    open: |values| Ok(Box::new(Reddit::new(options::listings(values)?))),
    of_archive: |keys| Box::new(Reddit::of_archive(keys.iter().map(String::as_str))),
};

/// The source `reddit`.
#[derive(Clone, Debug, Default)]
pub struct Reddit {
    listings: Vec<Listing>,
    /// Pages requested in earlier syncs.
    pages: Vec<Page>,
}

impl Reddit {
    /// Returns a source that starts with these listings.
    #[must_use]
    pub const fn new(listings: Vec<Listing>) -> Self {
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
    pub fn of_archive<'k>(request_keys: impl IntoIterator<Item = &'k str>) -> Self {
        let keys: BTreeSet<&str> = request_keys.into_iter().collect();
        let pages = keys
            .into_iter()
            .filter_map(|key| match Question::parse(key) {
                Some(Question::Page(page)) => Some(page),
                _ => None,
            });
        Self {
            listings: Vec::new(),
            pages: pages.collect(),
        }
    }
}

impl Source for Reddit {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    /// Returns the first page of every listing, each once.
    fn start(&self) -> Vec<Request> {
        let mut keys = HashSet::new();
        let first = self.listings.iter().map(Listing::first);
        first
            .chain(self.pages.iter().cloned())
            .map(|page| ask::page(&page))
            .filter(|request| keys.insert(request.key()))
            .collect()
    }

    fn classify(&self, request: &Request, status: u16, body: &[u8]) -> Verdict {
        classify::classify(Question::parse(&request.key()).as_ref(), status, body)
    }

    /// Keeps ids, names and scores; no text written by users.
    fn minimise<'b>(&self, request_key: &str, body: &'b [u8]) -> Cow<'b, [u8]> {
        minimise::minimise(Question::parse(request_key).as_ref(), body)
    }

    fn read(&self, document: &Document<'_>) -> Result<Reading, ReadError> {
        let (key, body) = (document.request_key, document.body);
        let Some(question) = Question::parse(key) else {
            return Err(ReadError::unasked(key, "Reddit"));
        };
        if let Err(error) = std::str::from_utf8(body) {
            let expected = format!("text in UTF-8: {error}");
            return Err(ReadError::whole(key, expected));
        }
        if is_too_deep(body) {
            let expected = format!("an answer nested {MAX_NESTING} levels deep at most");
            return Err(ReadError::whole(key, expected));
        }
        match question {
            Question::Page(page) => listing::read(key, body, &page),
            Question::Thread(thread)
            | Question::Below { thread, .. }
            | Question::More { thread, .. }
                if matches!(document.status, 403 | 404) =>
            {
                refused(document, &thread.to_string())
            }
            Question::Thread(thread) => comments::read_thread(key, body, thread),
            Question::Below { thread, comment } => comments::read_below(key, body, thread, comment),
            Question::More { thread, comments } => {
                comments::read_more(key, body, thread, &comments)
            }
        }
    }

    /// Keeps the next page only if a listing continues there.
    fn narrow(&self, request_key: &str, reading: &mut Reading) {
        if let Some(Question::Page(page)) = Question::parse(request_key) {
            listing::narrow(&page, reading, &self.listings);
        }
    }

    /// Joins the parts of a thread; each comment is in one part only.
    fn assemble(&self, listed: &Listed, archive: &dyn Archive) -> Assembly {
        assemble::parts(listed, archive, tally::add_up)
    }
}

/// Reads the error response for a thread that is removed or not public.
fn refused(document: &Document<'_>, thread: &str) -> Result<Reading, ReadError> {
    let (key, status) = (document.request_key, document.status);
    if Refusal::of(status, document.body).is_none() {
        let expected = format!("an error response with the error {status}");
        return Err(ReadError::whole(key, expected));
    }
    let outcome = if status == 404 {
        ContestOutcome::Gone
    } else {
        ContestOutcome::Closed
    };
    Ok(Reading {
        results: vec![Results::new(thread, outcome)],
        ..Reading::default()
    })
}
