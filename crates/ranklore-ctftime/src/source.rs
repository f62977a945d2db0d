//! The `Source` implementation for CTFtime.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use ranklore_source::{
    Accounts, Document, Names, Profile, ReadError, Reading, Registration, Renamed, Request, Source,
    Terms, Verdict,
};

use crate::ask::{self, Question, YEARS};
use crate::{classify, events, minimise, moved, results, teams};

/// The site publishes names of teams, not of people.
static PROFILE: Profile = Profile::new(
    "ctftime",
    Terms {
        // A documented API for programs.
        robots: false,
        // Scoreboards appear days after the end and are corrected for some weeks.
        provisional: Duration::from_hours(60 * 24),
        attribution: "CTFtime (https://ctftime.org)",
        licence: "The interface is for data analysis and applications of one's own; the site asks \
                  not to run clones of CTFtime with it, since its data is moderated by hand.",
        names: Names::AsTheyAre,
        ..Terms::new("https://ctftime.org")
    },
);

/// The registration of the source `ctftime`.
pub static REGISTRATION: Registration = Registration {
    profile: &PROFILE,
    open: |_| Ok(Box::new(Ctftime)),
    of_archive: |_| Box::new(Ctftime),
};

/// The source `ctftime`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ctftime;

impl Source for Ctftime {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    /// Requests the results of every year once it begins.
    fn start(&self) -> Vec<Request> {
        YEARS.map(ask::results).collect()
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
            Some(Question::Results(year)) => results::read(key, body, year),
            Some(Question::Events(window)) => events::read(key, body, window),
            Some(Question::Teams(offset)) => teams::read(key, body, offset),
            Some(Question::Team(id)) => teams::read_one(document, id),
            None => Err(ReadError::unasked(key, "CTFtime")),
        }
    }

    fn accounts(&self) -> Option<&dyn Accounts> {
        Some(self)
    }
}

impl Accounts for Ctftime {
    /// Requests the list of teams from its first page.
    fn list(&self) -> Vec<Request> {
        ask::teams(0).into_iter().collect()
    }

    /// Requests each team by itself.
    fn lookup(&self, names: &[&str]) -> Vec<Request> {
        teams::lookup(names)
    }

    /// Requests pages of teams, where they are fewer than the single teams.
    fn find(&self, unnamed: &[&str], pages: &[(String, Arc<Reading>)]) -> Vec<Request> {
        teams::find(unnamed, pages)
    }

    /// Results identify teams by id. Names come from team pages, single teams and organisers of
    /// events.
    fn names_in(&self, request_key: &str) -> bool {
        let question = Question::parse(request_key);
        matches!(
            question,
            Some(Question::Events(_) | Question::Teams(_) | Question::Team(_))
        )
    }

    /// Finds teams that were merged into another.
    fn merged(&self, before: &Reading, after: &Reading) -> Vec<Renamed> {
        moved::moved(before, after)
    }
}
