//! The `Source` implementation for Topcoder.

use std::borrow::Cow;
use std::time::Duration;

use ranklore_source::assemble::{self, Archive, Assembly};
use ranklore_source::html::Page;
use ranklore_source::{
    Accounts, Document, Listed, Names, Profile, ReadError, Reading, Registration, Request,
    SavedFiles, Source, SourceOption, Terms, Verdict,
};

use crate::ask::Question;
use crate::feeds::{results, rounds};
use crate::options::Options;
use crate::pages::{matches, stats};
use crate::saved::{SAVED_LIST, saved_file};
use crate::values::text::Encoding;
use crate::{classify, minimise, round};

static PROFILE: Profile = Profile {
    // The site takes minutes for large responses.
    timeout: Duration::from_mins(15),
    options: &[SourceOption {
        flag: true,
        ..SourceOption::switch("pages", "Request HTML pages in place of feeds")
    }],
    saved_files: Some(SavedFiles {
        request: saved_file,
        list: SAVED_LIST,
    }),
    // Ratings follow within days and responses are hours old: the default of 30 days. The interval
    // is the default too, since the server is slow.
    ..Profile::new(
        "topcoder",
        Terms {
            attribution: "Topcoder (https://www.topcoder.com)",
            licence: "The site names no licence for its feeds of algorithm matches.",
            names: Names::AsTheyAre,
            ..Terms::new("https://community.topcoder.com")
        },
    )
};

/// The registration of the source `topcoder`.
pub static REGISTRATION: Registration = Registration {
    profile: &PROFILE,
    open: |values| {
        Ok(Box::new(Topcoder::new(if values.is_set("pages") {
            Options::Pages
        } else {
            Options::Feeds
        })))
    },
    of_archive: |_| Box::new(Topcoder::new(Options::Both)),
};

/// The source `topcoder`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Topcoder {
    options: Options,
}

impl Topcoder {
    /// Creates a source with these options.
    #[must_use]
    pub const fn new(options: Options) -> Self {
        Self { options }
    }
}

impl Source for Topcoder {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    /// Requests the list of rounds.
    fn start(&self) -> Vec<Request> {
        let questions: &[Question] = match self.options {
            Options::Feeds => &[Question::Rounds],
            Options::Pages => &[Question::Matches(1)],
            // Of lists with equal times the last one counts, and feeds contain more.
            Options::Both => &[Question::Matches(1), Question::Rounds],
        };
        questions
            .iter()
            .map(|question| question.request())
            .collect()
    }

    fn classify(&self, request: &Request, status: u16, body: &[u8]) -> Verdict {
        classify::classify(Question::parse(&request.key()), status, body)
    }

    fn minimise<'b>(&self, request_key: &str, body: &'b [u8]) -> Cow<'b, [u8]> {
        minimise::minimise(Question::parse(request_key), body)
    }

    fn read(&self, document: &Document<'_>) -> Result<Reading, ReadError> {
        let (key, body) = (document.request_key, document.body);
        match Question::parse(key) {
            Some(Question::Rounds) => rounds::read(key, body),
            Some(Question::Results(round)) => results::read(key, body, round),
            Some(Question::Matches(from)) => matches::read(key, &page(key, body)?, from),
            Some(Question::Stats(round, division)) => {
                stats::read(key, &page(key, body)?, round, division)
            }
            None => Err(ReadError::unasked(key, "Topcoder")),
        }
    }

    /// Takes the newer of the feed and the page of a division.
    fn assemble(&self, listed: &Listed, archive: &dyn Archive) -> Assembly {
        assemble::newest(listed, archive, round::forms(&listed.external_id), None)
    }

    fn accounts(&self) -> Option<&dyn Accounts> {
        Some(self)
    }
}

impl Accounts for Topcoder {
    /// Results identify coders by number and contain their handles.
    fn names_in(&self, request_key: &str) -> bool {
        let question = Question::parse(request_key);
        matches!(question, Some(Question::Results(_) | Question::Stats(..)))
    }
}

fn page(key: &str, body: &[u8]) -> Result<Page, ReadError> {
    let text = Encoding::guess(body).decode(body).unwrap_or_default();
    Page::read(key, &text)
}
