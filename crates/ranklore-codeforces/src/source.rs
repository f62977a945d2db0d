//! The `Source` implementation for Codeforces.

use std::borrow::Cow;
use std::time::Duration;

use ranklore_source::assemble::{self, AnswerArchive, Assembly};
use ranklore_source::{
    Accounts, Classification, Document, LateChecks, NameDisplay, PartialWording, Profile,
    Registration, Request, SiteListing, SiteReadError, SiteReading, Source, SourceOption, Terms,
};

use crate::requests::{self, CodeforcesRequest};
use crate::{accounts, classify, join, listing, minimise, rating_changes, standings};

static PROFILE: Profile = Profile {
    options: &[SourceOption {
        flag: true,
        ..SourceOption::switch(
            "standings",
            "Request standings too: points, penalties, team members",
        )
    }],
    partial: PartialWording {
        what: "without standings",
        option: "--standings",
    },
    team_name: standings::team_name,
    // Ratings follow within 1 or 2 days and may be recomputed days later: the default of 30 days. Some
    // rounds are recomputed or rolled back later still.
    ..Profile::new(
        "codeforces",
        Terms {
            interval: Duration::from_secs(2),
            obeys_robots_txt: false,
            late_checks: LateChecks {
                period: Duration::from_hours(90 * 24),
                requests: 5,
            },
            attribution: "Codeforces (https://codeforces.com)",
            licence: "The site documents a public interface and names no licence for what it \
                      answers.",
            may_publish: true,
            names: NameDisplay::AsPublished,
            ..Terms::new("https://codeforces.com")
        },
    )
};

/// The registration of the source `codeforces`.
pub static REGISTRATION: Registration = Registration {
    profile: &PROFILE,
    open: |values| {
        Ok(Box::new(CodeforcesSource {
            standings: values.is_set("standings"),
        }))
    },
    open_archive: |_| Box::new(CodeforcesSource { standings: true }),
};

/// The source `codeforces`.
#[derive(Clone, Copy, Debug, Default)]
pub struct CodeforcesSource {
    /// Requests standings too: points, penalties and team members, up to 15 MB per contest. Places
    /// and ratings do not need them.
    pub standings: bool,
}

impl Source for CodeforcesSource {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    /// Requests the list of contests.
    fn initial_requests(&self) -> Vec<Request> {
        vec![requests::contest_list()]
    }

    fn classify(&self, request: &Request, status: u16, body: &[u8]) -> Classification {
        classify::classify(CodeforcesRequest::parse(&request.key()).as_ref(), status, body)
    }

    fn minimise<'b>(&self, request_key: &str, body: &'b [u8]) -> Cow<'b, [u8]> {
        minimise::minimise(CodeforcesRequest::parse(request_key).as_ref(), body)
    }

    fn read(&self, document: &Document<'_>) -> Result<SiteReading, SiteReadError> {
        let key = document.request_key;
        let body = document.body;
        match CodeforcesRequest::parse(key) {
            Some(CodeforcesRequest::ContestList) => listing::read(key, body),
            Some(CodeforcesRequest::RatingChanges(contest)) => {
                rating_changes::read(key, body, contest)
            }
            Some(CodeforcesRequest::Standings(contest)) => standings::read(key, body, contest),
            Some(CodeforcesRequest::RatedUsers) => accounts::read_rated_users(key, body),
            Some(CodeforcesRequest::UserInfo(handles)) => {
                accounts::read_user_info(key, body, &handles)
            }
            None => Err(SiteReadError::unknown_request(key, "Codeforces")),
        }
    }

    /// Drops the requests for standings unless the options include them.
    fn apply_options(&self, _request_key: &str, reading: &mut SiteReading) {
        if !self.standings {
            for listed in &mut reading.listed {
                listed.results.retain(|request| !requests::is_standings(request));
            }
        }
    }

    fn accounts(&self) -> Option<&dyn Accounts> {
        Some(self)
    }

    /// Takes places from rating changes, points and teams from standings: see
    /// [`join`](crate::join).
    fn assemble(&self, listed: &SiteListing, archive: &dyn AnswerArchive) -> Assembly {
        assemble::newest(listed, archive, Vec::new(), Some(join::join))
    }
}

impl Accounts for CodeforcesSource {
    /// Requests all rated users: see [`rated_users_request`](crate::rated_users_request).
    fn list(&self) -> Vec<Request> {
        vec![requests::rated_users_request()]
    }

    /// Requests accounts by handle: see [`user_info_requests`](crate::user_info_requests).
    fn lookup(&self, names: &[&str]) -> Vec<Request> {
        accounts::user_info_requests(names.iter().copied())
    }
}
