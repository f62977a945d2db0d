//! Options of a client, and the state of a host between runs.

use std::time::Duration;

use ranklore_contest::UnixSeconds;
use ranklore_source::{OtherHost, Terms, TokenTerms};

use crate::credentials::{Credentials, SessionCookie};

/// Contact in the user agent, unless the user sets another.
pub const DEFAULT_CONTACT: &str = "https://github.com/ranklore/ranklore";

/// Options of a client for one site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchOptions {
    /// The base URL of the site or of a mirror: `https://codeforces.com`.
    pub base_url: String,
    /// The base URL of the site itself. If `base_url` differs, it is a mirror and issues its own
    /// tokens: no token of the site is sent there.
    pub site_url: &'static str,
    /// Token terms, if the site requires registered programs. A mirror has the same path below its
    /// base URL.
    pub token: Option<TokenTerms>,
    /// Credentials of this program; required if the site issues tokens.
    pub credentials: Option<Credentials>,
    /// Session cookie of the user, for requests that need it. Sent to the host of `base_url` only.
    pub cookie: Option<SessionCookie>,
    /// Other hosts that answer some of the requests. A mirror answers all itself.
    pub other_hosts: &'static [OtherHost],
    /// Minimum interval between the starts of two requests. Zero for one's own mirror, which then
    /// never cools down after challenges.
    pub interval: Duration,
    /// True to fetch and obey `robots.txt`.
    pub obey_robots: bool,
    /// Contact of the operator, an address or a URL: part of the user agent.
    pub contact: String,
    /// Maximum size of a response, in decompressed bytes.
    pub max_body: usize,
    /// Maximum time of one attempt, from connecting to the last byte.
    pub timeout: Duration,
    /// Maximum time from connecting to the head of the final response. Ends a flood of interim
    /// responses (1xx).
    pub head_timeout: Duration,
    /// Maximum number of attempts if the connection, the time or the server fails.
    pub max_attempts: u32,
    /// Minimum wait before the second attempt. Doubles with each attempt, plus jitter of up to 100
    /// %, up to 1 min before jitter.
    pub backoff: Duration,
    /// Maximum number of redirects per request.
    pub max_redirects: u32,
    /// Other hosts that redirects may lead to, with the port if it is not the default.
    pub allow_hosts: Vec<String>,
    /// Cool-down of a host after three challenges in a row.
    pub cool_down: Duration,
    /// Maximum number of requests in all: retries, redirects, tokens and `robots.txt` count.
    pub max_requests: Option<u32>,
}

impl FetchOptions {
    /// Default of [`FetchOptions::max_body`], in bytes.
    pub const DEFAULT_MAX_BODY: usize = 256 << 20;

    /// Creates options from the terms of a site.
    #[must_use]
    pub fn from_terms(terms: &Terms) -> Self {
        Self {
            base_url: terms.base_url.to_owned(),
            site_url: terms.base_url,
            token: terms.token,
            credentials: None,
            cookie: None,
            other_hosts: terms.other_hosts,
            interval: terms.interval,
            obey_robots: terms.obeys_robots_txt,
            contact: DEFAULT_CONTACT.to_owned(),
            max_body: Self::DEFAULT_MAX_BODY,
            timeout: Duration::from_mins(2),
            head_timeout: Duration::from_mins(1),
            max_attempts: 5,
            backoff: Duration::from_secs(1),
            max_redirects: 5,
            allow_hosts: Vec::new(),
            cool_down: Duration::from_hours(1),
            max_requests: None,
        }
    }
}

/// State of a host between runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HostState {
    /// Start of the last request, rounded up; set before it is sent.
    pub last_request_at: Option<UnixSeconds>,
    /// End of the delay or cool-down, rounded up.
    pub not_before: Option<UnixSeconds>,
}
