//! The `Source` implementation for CTFtime.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use ranklore_source::{
    AccountRename, Accounts, Classification, Document, NameDisplay, Profile, Registration, Request,
    SiteReadError, SiteReading, Source, Terms,
};

use crate::requests::{self, CtftimeRequest, YEARS};
use crate::{classify, events, merges, minimise, results, teams};

/// The site publishes names of teams, not of people.
static PROFILE: Profile = Profile::new(
    "ctftime",
    Terms {
        // A documented API for programs.
        obeys_robots_txt: false,
        // Scoreboards appear days after the end and are corrected for some weeks.
        provisional_period: Duration::from_hours(60 * 24),
        attribution: "CTFtime (https://ctftime.org)",
        licence: "The interface is for data analysis and applications of one's own; the site asks \
                  not to run clones of CTFtime with it, since its data is moderated by hand.",
        names: NameDisplay::AsPublished,
        ..Terms::new("https://ctftime.org")
    },
);

/// The registration of the source `ctftime`.
pub static REGISTRATION: Registration = Registration {
    profile: &PROFILE,
    open: |_| Ok(Box::new(CtftimeSource)),
    open_archive: |_| Box::new(CtftimeSource),
};

/// The source `ctftime`.
#[derive(Clone, Copy, Debug, Default)]
pub struct CtftimeSource;

impl Source for CtftimeSource {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    /// Requests the results of every year once it begins.
    fn initial_requests(&self) -> Vec<Request> {
        YEARS.map(requests::results).collect()
    }

    fn classify(&self, request: &Request, status: u16, body: &[u8]) -> Classification {
        classify::classify(CtftimeRequest::parse(&request.key()).as_ref(), status, body)
    }

    fn minimise<'b>(&self, request_key: &str, body: &'b [u8]) -> Cow<'b, [u8]> {
        minimise::minimise(CtftimeRequest::parse(request_key).as_ref(), body)
    }

    fn read(&self, document: &Document<'_>) -> Result<SiteReading, SiteReadError> {
        let key = document.request_key;
        let body = document.body;
        match CtftimeRequest::parse(key) {
            Some(CtftimeRequest::Results(year)) => results::read(key, body, year),
            Some(CtftimeRequest::Events(window)) => events::read(key, body, window),
            Some(CtftimeRequest::Teams(offset)) => teams::read(key, body, offset),
            Some(CtftimeRequest::Team(id)) => teams::read_team(document, id),
            None => Err(SiteReadError::unknown_request(key, "CTFtime")),
        }
    }

    fn accounts(&self) -> Option<&dyn Accounts> {
        Some(self)
    }
}

impl Accounts for CtftimeSource {
    /// Requests the list of teams from its first page.
    fn list(&self) -> Vec<Request> {
        requests::teams(0).into_iter().collect()
    }

    /// Requests each team by itself.
    fn lookup(&self, names: &[&str]) -> Vec<Request> {
        teams::team_requests(names)
    }

    /// Requests pages of teams, where they are fewer than the single teams.
    fn find_names(&self, unnamed: &[&str], pages: &[(String, Arc<SiteReading>)]) -> Vec<Request> {
        teams::find_requests(unnamed, pages)
    }

    /// Results identify teams by id. Names come from team pages, single teams and organisers of
    /// events.
    fn may_name_competitors(&self, request_key: &str) -> bool {
        let question = CtftimeRequest::parse(request_key);
        matches!(
            question,
            Some(CtftimeRequest::Events(_) | CtftimeRequest::Teams(_) | CtftimeRequest::Team(_))
        )
    }

    /// Finds teams that were merged into another.
    fn find_merged(&self, before: &SiteReading, after: &SiteReading) -> Vec<AccountRename> {
        merges::find_merged_teams(before, after)
    }
}
