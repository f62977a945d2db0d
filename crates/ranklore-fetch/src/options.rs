//! How to ask, and what is remembered of a host between runs.

use std::time::Duration;

use ranklore_contest::UnixSeconds;
use ranklore_source::{Terms, TokenTerms};

use crate::credentials::Credentials;

/// Whom to turn to about this client, unless the user names somebody else.
pub const CONTACT: &str = "https://github.com/ranklore/ranklore";

/// How to ask one site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The root of the site, or of a mirror: `https://codeforces.com`.
    pub base_url: String,
    /// The root of the site itself. Where `base_url` is another, that is a mirror, which is asked
    /// for tokens of its own: no token of the site goes there.
    pub site: &'static str,
    /// Where the site gives tokens, if it lets in registered programs alone. Of a mirror: the
    /// same path below its root.
    pub token: Option<TokenTerms>,
    /// What the site knows this program by; needed where there are tokens.
    pub credentials: Option<Credentials>,
    /// From the start of one request to the start of the next, at least; nothing for one's own
    /// mirror, which is then never set aside for its challenges either.
    pub interval: Duration,
    /// Whether `robots.txt` is asked for and obeyed.
    pub robots: bool,
    /// Who answers for the requests, an address or a URL: part of the user agent.
    pub contact: String,
    /// How large an answer may be, in decoded bytes.
    pub max_body: usize,
    /// How long one try may take, from connecting to the last byte.
    pub timeout: Duration,
    /// How many times a request is put in all when connections, time or the server fail.
    pub attempts: u32,
    /// Before the second try at least; doubled with each further one, up to twice as much by
    /// chance, never longer than a minute or so.
    pub backoff: Duration,
    /// How often one answer may send on to another address.
    pub redirects: u32,
    /// Other hosts that redirects may lead to, with a port where it is not the usual one.
    pub allow_hosts: Vec<String>,
    /// How long a host is left alone after three challenges in a row.
    pub aside: Duration,
    /// Sends no more requests than this in all: retries, redirects, tokens and `robots.txt` count.
    pub max_requests: Option<u32>,
}

impl Options {
    /// How large an answer may be unless somebody says otherwise, in decoded bytes.
    pub const MAX_BODY: usize = 256 << 20;

    /// How to ask a site on its own terms.
    #[must_use]
    pub fn of(terms: &Terms) -> Self {
        Self {
            base_url: terms.base_url.to_owned(),
            site: terms.base_url,
            token: terms.token,
            credentials: None,
            interval: terms.interval,
            robots: terms.robots,
            contact: CONTACT.to_owned(),
            max_body: Self::MAX_BODY,
            timeout: Duration::from_mins(2),
            attempts: 5,
            backoff: Duration::from_secs(1),
            redirects: 5,
            allow_hosts: Vec::new(),
            aside: Duration::from_hours(1),
            max_requests: None,
        }
    }
}

/// What is remembered of a host between runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HostState {
    /// When the last request to it started, or is about to, rounded up.
    pub last_request_at: Option<UnixSeconds>,
    /// It is left alone until then, rounded up.
    pub not_before: Option<UnixSeconds>,
}
