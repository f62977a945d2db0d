//! The `Source` implementation for Topcoder.

use std::borrow::Cow;
use std::time::Duration;

use ranklore_source::assemble::{self, AnswerArchive, Assembly};
use ranklore_source::html::HtmlPage;
use ranklore_source::{
    Accounts, Classification, Document, NameDisplay, Profile, Registration, Request, SavedFiles,
    SiteListing, SiteReadError, SiteReading, Source, SourceOption, Terms,
};

use crate::feeds::{results, rounds};
use crate::pages::{match_list, round_stats};
use crate::requests::TopcoderRequest;
use crate::saved_files::{SAVED_ROUND_LIST, parse_saved_file_name};
use crate::values::text::Encoding;
use crate::{classify, contests, minimise};

static PROFILE: Profile = Profile {
    // The site takes minutes for large responses.
    timeout: Duration::from_mins(15),
    options: &[SourceOption {
        flag: true,
        ..SourceOption::switch("pages", "Request HTML pages in place of feeds")
    }],
    saved_files: Some(SavedFiles {
        request: parse_saved_file_name,
        list: SAVED_ROUND_LIST,
    }),
    // Ratings follow within days and responses are hours old: the default of 30 days. The interval
    // is the default too, since the server is slow.
    ..Profile::new(
        "topcoder",
        Terms {
            attribution: "Topcoder (https://www.topcoder.com)",
            licence: "The site names no licence for its feeds of algorithm matches.",
            names: NameDisplay::AsPublished,
            ..Terms::new("https://community.topcoder.com")
        },
    )
};

/// The registration of the source `topcoder`.
pub static REGISTRATION: Registration = Registration {
    profile: &PROFILE,
    open: |values| {
        Ok(Box::new(if values.is_set("pages") {
            TopcoderSource::Pages
        } else {
            TopcoderSource::Feeds
        }))
    },
    open_archive: |_| Box::new(TopcoderSource::Both),
};

/// The source `topcoder`, by the formats that it requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TopcoderSource {
    /// XML feeds.
    #[default]
    Feeds,
    /// HTML pages in place of feeds, for when the feeds are gone. Pages give the day of a round but
    /// not the time, and no volatilities.
    Pages,
    /// Both formats, to read every archived response.
    Both,
}

impl Source for TopcoderSource {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    /// Requests the list of rounds.
    fn initial_requests(&self) -> Vec<Request> {
        let questions: &[TopcoderRequest] = match self {
            Self::Feeds => &[TopcoderRequest::RoundList],
            Self::Pages => &[TopcoderRequest::MatchList(1)],
            // Of lists with equal times the last one counts, and feeds contain more.
            Self::Both => &[TopcoderRequest::MatchList(1), TopcoderRequest::RoundList],
        };
        questions.iter().map(|question| question.to_request()).collect()
    }

    fn classify(&self, request: &Request, status: u16, body: &[u8]) -> Classification {
        classify::classify(TopcoderRequest::parse(&request.key()), status, body)
    }

    fn minimise<'b>(&self, request_key: &str, body: &'b [u8]) -> Cow<'b, [u8]> {
        minimise::minimise(TopcoderRequest::parse(request_key), body)
    }

    fn read(&self, document: &Document<'_>) -> Result<SiteReading, SiteReadError> {
        let key = document.request_key;
        let body = document.body;
        match TopcoderRequest::parse(key) {
            Some(TopcoderRequest::RoundList) => rounds::read(key, body),
            Some(TopcoderRequest::RoundResults(round)) => results::read(key, body, round),
            Some(TopcoderRequest::MatchList(from)) => {
                match_list::read(key, &parse_page(key, body)?, from)
            }
            Some(TopcoderRequest::RoundStats(round, division)) => {
                round_stats::read(key, &parse_page(key, body)?, round, division)
            }
            None => Err(SiteReadError::unknown_request(key, "Topcoder")),
        }
    }

    /// Takes the newer of the feed and the page of a division.
    fn assemble(&self, listed: &SiteListing, archive: &dyn AnswerArchive) -> Assembly {
        assemble::newest(listed, archive, contests::result_requests(&listed.external_id), None)
    }

    fn accounts(&self) -> Option<&dyn Accounts> {
        Some(self)
    }
}

impl Accounts for TopcoderSource {
    /// Results identify coders by number and contain their handles.
    fn may_name_competitors(&self, request_key: &str) -> bool {
        let question = TopcoderRequest::parse(request_key);
        matches!(
            question,
            Some(TopcoderRequest::RoundResults(_) | TopcoderRequest::RoundStats(..))
        )
    }
}

fn parse_page(key: &str, body: &[u8]) -> Result<HtmlPage, SiteReadError> {
    let text = Encoding::guess(body).decode(body).unwrap_or_default();
    HtmlPage::parse(key, &text)
}
