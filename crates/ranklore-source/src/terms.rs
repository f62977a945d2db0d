//! Terms of access to a site.

use std::time::Duration;

/// The terms of access to a site, and of the use of its answers.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// The root URL of the site, without a trailing slash: `https://codeforces.com`.
    pub base_url: &'static str,
    /// The minimum time between the starts of two requests.
    pub interval: Duration,
    /// True if `robots.txt` is fetched and obeyed. Sites with a documented interface state their
    /// rules there.
    pub obeys_robots_txt: bool,
    /// The time after its end for which a contest may change and is read again at every sync.
    pub provisional_period: Duration,
    /// The checks of contests that are final here and that the site may still correct.
    pub late_checks: LateChecks,
    /// The credit to show with the results.
    pub attribution: &'static str,
    /// The site's terms for using its data, in a sentence.
    pub licence: &'static str,
    /// True if results may be published again.
    pub may_publish: bool,
    /// The names of people wherever results are displayed or published.
    pub names: NameDisplay,
    /// The treatment of data that people delete on the site.
    pub deletions: DeletionPolicy,
    /// The source of access tokens; `None` if the site needs none.
    pub token: Option<TokenTerms>,
    /// The session cookie of the user; `None` if no request needs one.
    pub cookie: Option<CookieTerms>,
    /// Other hosts that answer some of the requests. They get neither token nor cookie.
    pub other_hosts: &'static [OtherHost],
}

impl Terms {
    /// Returns cautious terms for a site of which only the root URL is known: one request every 5
    /// s, within `robots.txt`; results may change for 30 days, are not published, and show
    /// pseudonyms. Attribution and licence are empty.
    #[must_use]
    pub const fn new(base_url: &'static str) -> Self {
        Self {
            base_url,
            interval: Duration::from_secs(5),
            obeys_robots_txt: true,
            provisional_period: Duration::from_hours(30 * 24),
            late_checks: LateChecks::NONE,
            attribution: "",
            licence: "",
            may_publish: false,
            names: NameDisplay::Pseudonyms,
            deletions: DeletionPolicy::Kept,
            token: None,
            cookie: None,
            other_hosts: &[],
        }
    }
}

/// Checks of contests after their [provisional period](Terms::provisional_period): each sync requests
/// a few of them again, those requested longest ago first, each at most once a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LateChecks {
    /// The time after its end for which a contest is checked.
    pub period: Duration,
    /// The most requests of one sync.
    pub requests: usize,
}

impl LateChecks {
    /// No checks: only a full sync requests final contests again.
    pub const NONE: Self = Self {
        period: Duration::ZERO,
        requests: 0,
    };
}

/// The names of people wherever results are displayed or published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameDisplay {
    /// Names as published by the site, such as handles.
    AsPublished,
    /// Pseudonyms, unless names are asked for: for sites that show real names and exclude search
    /// engines.
    Pseudonyms,
}

/// The treatment of data that people delete on a site: accounts or contributions.
#[derive(Clone, Copy, Debug)]
pub enum DeletionPolicy {
    /// Older answers stay in the archive, and a deleted contest keeps its results.
    Kept,
    /// Deleted here too, at the next sync. Every known contest is requested again, even if no list
    /// has it; once its newest answer is complete, older documents about it and results that the
    /// site no longer has are deleted.
    Honoured {
        /// Returns the id of the contest that a document is about, by the key of an answer or the
        /// path of a file. `None` if it lists contests or covers several.
        contest_of: fn(request_key: &str) -> Option<String>,
    },
}

/// The token endpoint of a site with OAuth 2 client credentials (RFC 6749, section 4.4). The form
/// is sent by POST with the client id and secret (HTTP Basic), and the `access_token` of the answer
/// is sent with every request until it expires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenTerms {
    /// The full URL, perhaps of another host: `https://example.org/token`.
    pub url: &'static str,
    /// The fields of the form, not encoded.
    pub form: &'static [(&'static str, &'static str)],
    /// The page where users register a client and get its id and secret.
    pub registration_url: &'static str,
}

/// The session cookie of a user who is logged in. It is sent only with requests that
/// [need it](crate::Request::needs_cookie).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CookieTerms {
    /// The name of the cookie.
    pub name: &'static str,
    /// The page where users log in.
    pub login_url: &'static str,
}

/// A host other than that of the site that answers requests of a source. A mirror has its paths too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherHost {
    /// The root URL, without a trailing slash: `https://lists.example`.
    pub base_url: &'static str,
    /// The beginning of the paths of its requests: `lists/`.
    pub path: &'static str,
}
