//! Names and accounts of competitors, for sites where they change.

use std::sync::Arc;

use crate::{Reading, Renamed, Request};

/// Names and accounts of the competitors of a site. A source implements the methods that its site
/// answers.
pub trait Accounts {
    /// Returns the requests for everybody whom the site knows today: they read as
    /// [`Reading::accounts`] or [`Reading::named`].
    fn list(&self) -> Vec<Request> {
        Vec::new()
    }

    /// Returns the requests that say what became of these names: they read as
    /// [`Reading::accounts`], [`Reading::renamed`] and [`Reading::unknown`]; or as
    /// [`Reading::named`] where something else than a name identifies competitors. Names that can
    /// be no account's, such as those of teams, are left out.
    ///
    /// Costly: the sync looks up only names that [`Accounts::list`] no longer gives.
    fn lookup(&self, _names: &[&str]) -> Vec<Request> {
        Vec::new()
    }

    /// Returns the requests that name these competitors ([`Reading::named`]), as few as that
    /// takes. `pages` are the newest answers to [`Accounts::list`] and to what these lead to, by
    /// the keys of their requests. The sync sends the first and asks again.
    fn find(&self, unnamed: &[&str], _pages: &[(String, Arc<Reading>)]) -> Vec<Request> {
        self.lookup(unnamed)
    }

    /// Returns the competitors whose results stand as somebody else's in a later answer (`after`)
    /// to the question that `before` answered, because the site merged the two. A pure function
    /// of the two.
    fn merged(&self, _before: &Reading, _after: &Reading) -> Vec<Renamed> {
        Vec::new()
    }

    /// True if an answer to this question may name competitors whom something else than their
    /// name identifies ([`Reading::named`]). If those of [`Accounts::list`] do, the first sync
    /// requests them too, and not only one a month later.
    fn names_in(&self, _request_key: &str) -> bool {
        false
    }
}
