//! Errors of the client and of its requests.

use std::time::Duration;

use ranklore_contest::UnixSeconds;

/// Reason that no client could be created.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// The base URL is invalid.
    #[error("{url} is not a base URL: {reason}; use a form such as https://example.org")]
    InvalidBaseUrl {
        /// The URL, redacted.
        url: String,
        /// The reason.
        reason: String,
    },
    /// The site requires registered credentials.
    #[error(
        "the site requires a registered program: register one at {register} and set its id and secret"
    )]
    MissingCredentials {
        /// The registration page.
        register: &'static str,
    },
    /// Secrets would be sent unencrypted.
    #[error("{url} is not https, so the credentials would be sent unencrypted: use https")]
    Unencrypted {
        /// The URL they would be sent to.
        url: String,
    },
    /// The contact is invalid in a user agent.
    #[error(
        "the contact {contact:?} is invalid in a user agent: use an e-mail address or a URL in ASCII"
    )]
    InvalidContact {
        /// The contact given.
        contact: String,
    },
    /// The system has no root certificates.
    #[error(
        "this system has no root certificates, so https cannot be used: install them (on Debian: apt-get install ca-certificates) or set SSL_CERT_FILE to a file of certificates"
    )]
    NoRootCertificates,
    /// Another error of TLS or of the proxy variables.
    #[error("cannot create an HTTP client: {reason}; check the proxy variables")]
    Setup {
        /// The error message.
        reason: String,
    },
}

/// Reason that a request returned no document. An error is never read as an empty contest.
///
/// URLs are redacted and cut to 200 characters. Text of the site is cut to one line of 120
/// characters without control characters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FetchError {
    /// The caller interrupted the request.
    #[error("interrupted")]
    Interrupted,
    /// The request is invalid: a bug of the source.
    #[error("invalid request for {url}: {reason}; this is a bug, please report it")]
    InvalidRequest {
        /// The requested URL.
        url: String,
        /// The reason.
        reason: String,
    },
    /// The connection failed: no network, unknown host, refused, or an invalid certificate.
    #[error("{url} could not be reached: {reason}; check the network connection and the site")]
    Unreachable {
        /// The requested URL.
        url: String,
        /// The error chain.
        reason: String,
    },
    /// The request timed out.
    #[error("{url} did not answer within {} s; try again later", after.as_secs_f32())]
    TimedOut {
        /// The requested URL.
        url: String,
        /// The timeout.
        after: Duration,
    },
    /// No head of a final response arrived in time: the server sent nothing, a part of a head, or
    /// interim responses (1xx) without an end.
    #[error("{url} sent no final response within {} s; try again later", after.as_secs_f32())]
    NoFinalResponse {
        /// The requested URL.
        url: String,
        /// The timeout.
        after: Duration,
    },
    /// The response was cut off, is no HTTP, or could not be decompressed.
    #[error("the response of {url} was cut off or is invalid: {reason}; try again later")]
    Truncated {
        /// The requested URL.
        url: String,
        /// The error chain.
        reason: String,
    },
    /// The decompressed response exceeds the limit.
    #[error(
        "the response of {url} is larger than {limit} bytes, decompressed; raise the limit if that is expected"
    )]
    TooLarge {
        /// The requested URL.
        url: String,
        /// The limit in bytes.
        limit: usize,
    },
    /// The request was redirected too often.
    #[error("{url} redirects more than {limit} times; open it in a browser to see where it leads")]
    TooManyRedirects {
        /// The requested URL.
        url: String,
        /// The limit.
        limit: u32,
    },
    /// The request was redirected to a disallowed address.
    #[error(
        "{url} redirects to {to}, which is refused: {reason}; open it in a browser to see where it leads"
    )]
    RedirectRefused {
        /// The requested URL.
        url: String,
        /// The redirect target.
        to: String,
        /// The reason.
        reason: &'static str,
    },
    /// The site limits the rate of requests.
    #[error("{} limits the rate of requests (HTTP {}: {}); try again later", .0.url, .0.status, .0.words)]
    RateLimited(Rejection),
    /// The site failed: 5xx, or a message of its own.
    #[error("{} failed with HTTP {} ({}); try again later", .0.url, .0.status, .0.words)]
    ServerError(Rejection),
    /// The site refused the request, in a form that its source cannot read.
    #[error(
        "{} was refused with HTTP {} ({}); open it in a browser to see why",
        .0.url, .0.status, .0.words
    )]
    Refused(Rejection),
    /// The site refused the credentials.
    #[error(
        "{url} rejects the credentials (HTTP {status}: {code}); check id and secret, and that the program is still registered"
    )]
    NotAuthorized {
        /// The token URL.
        url: String,
        /// HTTP status; may be 200.
        status: u16,
        /// The error code: lower-case letters and `_`, or a number.
        code: String,
    },
    /// The response contains the secret it was requested with. The client discards it and quotes
    /// nothing.
    #[error(
        "{url} repeats the secret of the request, so its response was discarded; create a new secret if that address is not the site's"
    )]
    SecretEchoed {
        /// The requested URL.
        url: String,
    },
    /// The response is a challenge page (CAPTCHA or browser check).
    #[error(
        "{} responded with a challenge page (HTTP {}: {}); try again later, at a longer interval",
        .0.url, .0.status, .0.words
    )]
    Challenge(Rejection),
    /// The response is a login page.
    #[error(
        "{url} responded with a login page ({first_line}): it is not public, or it blocks programs"
    )]
    LoginWall {
        /// The URL of the login page.
        url: String,
        /// The page's title or first line.
        first_line: String,
    },
    /// The response to a request with a session cookie is a login page.
    #[error(
        "{url}: the site asks for a login, so the session cookie is invalid or has expired; log in again and replace the cookie by the new one"
    )]
    SessionExpired {
        /// The requested URL.
        url: String,
    },
    /// The source classified the response as a block.
    #[error(
        "{} is blocked (HTTP {}): {}; try again later, at a longer interval",
        .0.url, .0.status, .0.words
    )]
    Blocked(Rejection),
    /// The response is an HTML page; JSON was expected.
    #[error(
        "{} responded with an HTML page in place of JSON (HTTP {}: {}); open it in a browser to see why",
        .0.url, .0.status, .0.words
    )]
    HtmlInsteadOfJson(Rejection),
    /// The JSON ends prematurely.
    #[error("the JSON of {url} is truncated after {bytes} bytes ({first_line}); try again later")]
    TruncatedJson {
        /// The requested URL.
        url: String,
        /// Bytes received.
        bytes: usize,
        /// First line of the response.
        first_line: String,
    },
    /// The response is neither JSON nor a page.
    #[error(
        "{url} responded with invalid JSON: {reason} ({first_line}); open it in a browser to see why"
    )]
    NotJson {
        /// The requested URL.
        url: String,
        /// The parser's message.
        reason: String,
        /// First line of the response.
        first_line: String,
    },
    /// The response is empty.
    #[error("{url} responded with an empty body (HTTP {status}); try again later")]
    Empty {
        /// The requested URL.
        url: String,
        /// HTTP status.
        status: u16,
    },
    /// The response declares an unexpected media type.
    #[error(
        "{url} responded with {media_type} in place of {due} ({first_line}); open it in a browser to see why"
    )]
    WrongMediaType {
        /// The requested URL.
        url: String,
        /// The `Content-Type`.
        media_type: String,
        /// The expected kind of content.
        due: &'static str,
        /// First line of the response.
        first_line: String,
    },
    /// The source classified the response as invalid.
    #[error(
        "the response of {url} cannot be read: {reason} ({first_line}); open it in a browser to see why"
    )]
    Unreadable {
        /// The requested URL.
        url: String,
        /// The reason given by the source.
        reason: String,
        /// First line of the response.
        first_line: String,
    },
    /// The host cools down; no request was sent.
    #[error("{host} is left alone until {not_before}: {reason}; try again then")]
    CoolingDown {
        /// The host.
        host: String,
        /// The end of the cool-down.
        not_before: UnixSeconds,
        /// The reason.
        reason: String,
    },
    /// The client has sent all requests that
    /// [`FetchOptions::max_requests`](crate::FetchOptions::max_requests) allows.
    #[error("{url} was not requested: the limit of {limit} requests is reached")]
    RequestLimitReached {
        /// The URL to be requested.
        url: String,
        /// The limit.
        limit: u32,
    },
    /// The site's `robots.txt` disallows the URL.
    #[error("robots.txt disallows {url} (\"{rule}\"); ask the operator of the site")]
    ForbiddenByRobots {
        /// The URL to be requested.
        url: String,
        /// The disallowing line.
        rule: String,
    },
}

/// A rejecting response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The URL of the response.
    pub url: String,
    /// HTTP status.
    pub status: u16,
    /// The title or first line of the response, or the reason given by the site or its source.
    pub words: String,
}

/// Replacement for text of a site.
pub(crate) const REDACTED: &str = "…";

/// Retry policy of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RetryPolicy {
    /// Never: the error would repeat.
    Never,
    /// Once: one invalid response may be an accident, two are not.
    Once,
    /// Until the limit of attempts: the error is mostly temporary.
    UntilLimit,
}

impl FetchError {
    /// True if the site blocks the client for now.
    #[must_use]
    pub fn is_blocked(&self) -> bool {
        matches!(
            self,
            Self::RateLimited { .. }
                | Self::Challenge { .. }
                | Self::SessionExpired { .. }
                | Self::Blocked { .. }
                | Self::CoolingDown { .. }
        )
    }

    /// True if other requests to the host would fail the same way, so that a sync should end.
    #[must_use]
    pub fn concerns_host(&self) -> bool {
        matches!(
            self,
            Self::Interrupted
                | Self::Unreachable { .. }
                | Self::NotAuthorized { .. }
                | Self::CoolingDown { .. }
        )
    }

    /// True if the site is overloaded or says so. Other requests may fail the same way.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        matches!(
            self,
            Self::RateLimited { .. }
                | Self::ServerError { .. }
                | Self::TimedOut { .. }
                | Self::NoFinalResponse { .. }
        )
    }

    /// Returns the error without text of the site, which may contain names of people. Safe to
    /// store.
    #[must_use]
    pub fn redacted(&self) -> Self {
        let mut failed = self.clone();
        match &mut failed {
            Self::RateLimited(reply)
            | Self::ServerError(reply)
            | Self::Refused(reply)
            | Self::Challenge(reply)
            | Self::Blocked(reply)
            | Self::HtmlInsteadOfJson(reply) => REDACTED.clone_into(&mut reply.words),
            Self::CoolingDown { reason, .. } => REDACTED.clone_into(reason),
            Self::NotAuthorized { code, .. } => REDACTED.clone_into(code),
            Self::LoginWall { first_line, .. }
            | Self::TruncatedJson { first_line, .. }
            | Self::WrongMediaType { first_line, .. } => REDACTED.clone_into(first_line),
            Self::NotJson {
                reason, first_line, ..
            }
            | Self::Unreadable {
                reason, first_line, ..
            } => {
                REDACTED.clone_into(reason);
                REDACTED.clone_into(first_line);
            }
            Self::Interrupted
            | Self::InvalidRequest { .. }
            | Self::Unreachable { .. }
            | Self::TimedOut { .. }
            | Self::NoFinalResponse { .. }
            | Self::Truncated { .. }
            | Self::TooLarge { .. }
            | Self::TooManyRedirects { .. }
            | Self::RedirectRefused { .. }
            | Self::SecretEchoed { .. }
            | Self::SessionExpired { .. }
            | Self::Empty { .. }
            | Self::RequestLimitReached { .. }
            | Self::ForbiddenByRobots { .. } => {}
        }
        failed
    }

    pub(crate) fn retry_policy(&self) -> RetryPolicy {
        match self {
            Self::Unreachable { .. }
            | Self::TimedOut { .. }
            | Self::Truncated { .. }
            | Self::RateLimited { .. }
            | Self::ServerError { .. } => RetryPolicy::UntilLimit,
            Self::Challenge { .. }
            | Self::LoginWall { .. }
            | Self::Blocked { .. }
            | Self::HtmlInsteadOfJson { .. }
            | Self::TruncatedJson { .. }
            | Self::NotJson { .. }
            | Self::NoFinalResponse { .. }
            | Self::Empty { .. }
            | Self::WrongMediaType { .. }
            | Self::Unreadable { .. } => RetryPolicy::Once,
            _ => RetryPolicy::Never,
        }
    }

    /// Returns the site's own message where the error has one, else the error's text.
    pub(crate) fn site_message(&self) -> String {
        match self {
            Self::RateLimited(reply)
            | Self::Blocked(reply)
            | Self::ServerError(reply)
            | Self::Challenge(reply) => format!("HTTP {}: {}", reply.status, reply.words),
            _ => self.to_string(),
        }
    }

    /// True for a challenge or another block against programs. Three in a row start a cool-down.
    #[must_use]
    pub fn is_challenge(&self) -> bool {
        matches!(self, Self::Challenge { .. } | Self::Blocked { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redacted_error_has_no_site_text() {
        let (url, name) = ("https://example.org/a".to_owned(), "wilhelmina".to_owned());
        let (status, first_line) = (500, name.clone());
        let reply = Rejection {
            url: url.clone(),
            status,
            words: name.clone(),
        };
        for failed in [
            FetchError::ServerError(reply.clone()),
            FetchError::RateLimited(reply),
            FetchError::TruncatedJson {
                url: url.clone(),
                bytes: 9,
                first_line: first_line.clone(),
            },
            FetchError::NotJson {
                url: url.clone(),
                reason: name.clone(),
                first_line: first_line.clone(),
            },
            FetchError::Unreadable {
                url: url.clone(),
                reason: name.clone(),
                first_line,
            },
            FetchError::NotAuthorized {
                url,
                status,
                code: name.clone(),
            },
        ] {
            assert!(failed.to_string().contains(&name));
            let kept = failed.redacted().to_string();
            assert!(!kept.contains(&name), "{kept}");
            assert!(kept.contains("https://example.org/a"), "{kept}");
        }
    }
}
