//! The `Source` implementation for AtCoder.

use std::borrow::Cow;
use std::time::Duration;

use ranklore_source::assemble::{self, AnswerArchive, Assembly};
use ranklore_source::{
    AccountRename, Accounts, Classification, CookieTerms, Document, LateChecks, NameDisplay,
    PartialWording, Profile, Registration, Request, SiteListing, SiteReadError, SiteReading,
    Source, SourceOption, Terms,
};

use crate::requests::{self, AtcoderRequest};
use crate::{classify, contests, join, minimise, renames, results, standings};

static PROFILE: Profile = Profile {
    options: &[SourceOption {
        flag: true,
        ..SourceOption::switch(
            "standings",
            "Request standings too: points, penalties, team members",
        )
    }],
    // Algorithm and heuristic contests have ratings of their own.
    separates_divisions: true,
    partial: PartialWording {
        what: "without standings",
        option: "--standings",
    },
    ..Profile::new(
        "atcoder",
        Terms {
            interval: Duration::from_secs(3),
            // Ratings follow within a day, those of heuristic contests within a week.
            provisional_period: Duration::from_hours(14 * 24),
            late_checks: LateChecks {
                period: Duration::from_hours(90 * 24),
                requests: 2,
            },
            attribution: "AtCoder (https://atcoder.jp); list of contests: AtCoder Problems \
                          (https://kenkoooo.com/atcoder)",
            licence: "The site names no licence for its results and documents no interface.",
            names: NameDisplay::AsPublished,
            cookie: Some(CookieTerms {
                name: "REVEL_SESSION",
                login_url: "https://atcoder.jp/login",
            }),
            other_hosts: &[requests::LIST_HOST],
            ..Terms::new("https://atcoder.jp")
        },
    )
};

/// The registration of the source `atcoder`.
pub static REGISTRATION: Registration = Registration {
    profile: &PROFILE,
    open: |values| {
        Ok(Box::new(AtcoderSource {
            standings: values.is_set("standings"),
        }))
    },
    open_archive: |_| Box::new(AtcoderSource { standings: true }),
};

/// The source `atcoder`.
#[derive(Clone, Copy, Debug, Default)]
pub struct AtcoderSource {
    /// Requests standings too, with the session cookie of the user: scores, times and teams, up to
    /// 20 MB per contest. Places and ratings do not need them.
    pub standings: bool,
}

impl Source for AtcoderSource {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    /// Requests the list of contests.
    fn initial_requests(&self) -> Vec<Request> {
        vec![requests::contest_list()]
    }

    fn classify(&self, request: &Request, status: u16, body: &[u8]) -> Classification {
        classify::classify(AtcoderRequest::parse(&request.key()), status, body)
    }

    fn minimise<'b>(&self, request_key: &str, body: &'b [u8]) -> Cow<'b, [u8]> {
        minimise::minimise(AtcoderRequest::parse(request_key), body)
    }

    fn read(&self, document: &Document<'_>) -> Result<SiteReading, SiteReadError> {
        let key = document.request_key;
        let body = document.body;
        match AtcoderRequest::parse(key) {
            Some(AtcoderRequest::ContestList) => contests::read(key, body, document.fetched_at),
            Some(AtcoderRequest::Results(contest)) => results::read(key, body, contest),
            Some(AtcoderRequest::Standings(contest)) => standings::read(key, body, contest),
            None => Err(SiteReadError::unknown_request(key, "AtCoder")),
        }
    }

    /// Drops the requests for standings unless the options include them.
    fn apply_options(&self, _request_key: &str, reading: &mut SiteReading) {
        if !self.standings {
            for listed in &mut reading.listed {
                listed.results.retain(|request| !request.needs_cookie);
            }
        }
    }

    fn requires_cookie(&self) -> bool {
        self.standings
    }

    fn accounts(&self) -> Option<&dyn Accounts> {
        Some(self)
    }

    /// Takes places from the newer of both forms, ratings from the results, scores and times from
    /// the standings: see [`join`](crate::join).
    fn assemble(&self, listed: &SiteListing, archive: &dyn AnswerArchive) -> Assembly {
        let forms = requests::contest_requests(&listed.external_id);
        assemble::newest(listed, archive, forms, Some(join::join))
    }
}

impl Accounts for AtcoderSource {
    /// The site shows past results under the names of today.
    fn find_renamed(&self, before: &SiteReading, after: &SiteReading) -> Vec<AccountRename> {
        renames::find_renamed_users(before, after)
    }
}
