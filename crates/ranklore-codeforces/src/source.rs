//! The `Source` implementation for Codeforces.

use std::borrow::Cow;
use std::time::Duration;

use ranklore_source::assemble::{self, Archive, Assembly};
use ranklore_source::{
    Accounts, Document, InPart, Listed, Names, Profile, ReadError, Reading, Registration, Request,
    Source, SourceOption, Terms, Verdict,
};

use crate::ask::{self, Question};
use crate::options::Options;
use crate::{accounts, changes, classify, join, list, minimise, standings};

static PROFILE: Profile = Profile {
    options: &[SourceOption {
        flag: true,
        ..SourceOption::switch(
            "standings",
            "Request standings too: points, penalties, team members",
        )
    }],
    in_part: InPart {
        what: "without standings",
        option: "--standings",
    },
    team_name: standings::team,
    // Ratings follow within 1 or 2 days and may be recomputed days later: the default of 30 days.
    ..Profile::new(
        "codeforces",
        Terms {
            interval: Duration::from_secs(2),
            robots: false,
            attribution: "Codeforces (https://codeforces.com)",
            licence: "The site documents a public interface and names no licence for what it \
                      answers.",
            may_publish: true,
            names: Names::AsTheyAre,
            ..Terms::new("https://codeforces.com")
        },
    )
};

/// The registration of the source `codeforces`.
pub static REGISTRATION: Registration = Registration {
    profile: &PROFILE,
    open: |values| {
        Ok(Box::new(Codeforces::new(Options {
            standings: values.is_set("standings"),
        })))
    },
    of_archive: |_| Box::new(Codeforces::new(Options { standings: true })),
};

/// The source `codeforces`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Codeforces {
    options: Options,
}

impl Codeforces {
    /// Creates a source with these options.
    #[must_use]
    pub const fn new(options: Options) -> Self {
        Self { options }
    }
}

impl Source for Codeforces {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    /// Requests the list of contests.
    fn start(&self) -> Vec<Request> {
        vec![ask::list()]
    }

    fn classify(&self, request: &Request, status: u16, body: &[u8]) -> Verdict {
        classify::classify(Question::parse(&request.key()).as_ref(), status, body)
    }

    fn minimise<'b>(&self, request_key: &str, body: &'b [u8]) -> Cow<'b, [u8]> {
        minimise::minimise(Question::parse(request_key).as_ref(), body)
    }

    fn read(&self, document: &Document<'_>) -> Result<Reading, ReadError> {
        let (key, body) = (document.request_key, document.body);
        match Question::parse(key) {
            Some(Question::List) => list::read(key, body),
            Some(Question::Changes(contest)) => changes::read(key, body, contest),
            Some(Question::Standings(contest)) => standings::read(key, body, contest),
            Some(Question::Rated) => accounts::read_rated(key, body),
            Some(Question::Info(handles)) => accounts::read_info(key, body, &handles),
            None => Err(ReadError::unasked(key, "Codeforces")),
        }
    }

    /// Drops the requests for standings unless the options include them.
    fn narrow(&self, _request_key: &str, reading: &mut Reading) {
        if !self.options.standings {
            for listed in &mut reading.listed {
                listed.results.retain(|request| !ask::is_standings(request));
            }
        }
    }

    fn accounts(&self) -> Option<&dyn Accounts> {
        Some(self)
    }

    /// Takes places from rating changes, points and teams from standings: see
    /// [`join`](crate::join).
    fn assemble(&self, listed: &Listed, archive: &dyn Archive) -> Assembly {
        assemble::newest(listed, archive, Vec::new(), Some(join::join))
    }
}

impl Accounts for Codeforces {
    /// Requests all rated users: see [`rated_users_request`](crate::rated_users_request).
    fn list(&self) -> Vec<Request> {
        vec![accounts::rated_list()]
    }

    /// Requests accounts by handle: see [`user_info_requests`](crate::user_info_requests).
    fn lookup(&self, names: &[&str]) -> Vec<Request> {
        accounts::info_requests(names.iter().copied())
    }
}
