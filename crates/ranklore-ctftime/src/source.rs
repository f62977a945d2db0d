//! CTFtime, as a sync sees it.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use ranklore_source::{
    Accounts, Document, Names, Profile, ReadError, Reading, Registration, Renamed, Request, Source,
    Terms, Verdict,
};

use crate::ask::{self, Question, YEARS};
use crate::{classify, events, minimise, moved, results, teams};

/// It names teams, and no people in them.
static PROFILE: Profile = Profile::new(
    "ctftime",
    Terms {
        // A documented interface, for programs.
        robots: false,
        // Scoreboards come days after the end, and are set right for some weeks.
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

    /// The results of every year, as soon as it begins.
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
    /// The list of teams, from its first page on.
    fn list(&self) -> Vec<Request> {
        ask::teams(0).into_iter().collect()
    }

    /// Asks for each team by itself.
    fn lookup(&self, names: &[&str]) -> Vec<Request> {
        teams::lookup(names)
    }

    /// Pages of teams, where they take fewer requests than asking for each.
    fn find(&self, unnamed: &[&str], pages: &[(String, Arc<Reading>)]) -> Vec<Request> {
        teams::find(unnamed, pages)
    }

    /// Teams are numbers in results; pages of teams name them, and events who organised them.
    fn names_in(&self, request_key: &str) -> bool {
        let question = Question::parse(request_key);
        matches!(
            question,
            Some(Question::Events(_) | Question::Teams(_) | Question::Team(_))
        )
    }

    /// Teams that were merged into another.
    fn merged(&self, before: &Reading, after: &Reading) -> Vec<Renamed> {
        moved::moved(before, after)
    }
}
