//! Names and accounts of competitors, for sites where they change.

use std::sync::Arc;

use crate::{AccountRename, Request, SiteReading};

/// Names and accounts of the competitors of a site. A source implements the methods that its site
/// supports.
pub trait Accounts {
    /// Returns the requests for all competitors whom the site knows today. Their answers read as
    /// [`SiteReading::accounts`] or [`SiteReading::named`].
    fn list(&self) -> Vec<Request> {
        Vec::new()
    }

    /// Returns the requests that look up the present names of these competitors. Their answers read
    /// as [`SiteReading::accounts`], [`SiteReading::renamed`] and [`SiteReading::unknown`], or as
    /// [`SiteReading::named`] if competitors have identifiers other than names. Leaves out names
    /// that cannot be an account's, such as those of teams.
    ///
    /// Costly: a sync looks up only names that are missing from [`Accounts::list`].
    fn lookup(&self, _names: &[&str]) -> Vec<Request> {
        Vec::new()
    }

    /// Returns the fewest requests that name these competitors ([`SiteReading::named`]). `pages`
    /// are the newest answers to [`Accounts::list`] and to the requests these lead to, by request
    /// key. The sync sends the first request and calls this again.
    fn find_names(&self, unnamed: &[&str], _pages: &[(String, Arc<SiteReading>)]) -> Vec<Request> {
        self.lookup(unnamed)
    }

    /// Returns the competitors whose results belong to another competitor in a later answer
    /// (`after`) to the request that `before` answered, because the site merged the two. A pure
    /// function.
    fn find_merged(&self, _before: &SiteReading, _after: &SiteReading) -> Vec<AccountRename> {
        Vec::new()
    }

    /// Returns the competitors who have another name in a later answer (`after`) about a contest, to the
    /// request that `before` answered. A pure function, for sites that change past results when an
    /// account is renamed and offer no lookup.
    fn find_renamed(&self, _before: &SiteReading, _after: &SiteReading) -> Vec<AccountRename> {
        Vec::new()
    }

    /// True if an answer to this request may name competitors who have identifiers other than names
    /// ([`SiteReading::named`]). If answers to [`Accounts::list`] do, the first sync requests them
    /// at once and not a month later.
    fn may_name_competitors(&self, _request_key: &str) -> bool {
        false
    }
}
