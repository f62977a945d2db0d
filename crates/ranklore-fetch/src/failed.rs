//! What can go wrong, each case by its name.

use std::time::Duration;

use ranklore_contest::UnixSeconds;

/// Why no client could be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FetchError {
    /// The root of the site is not one.
    #[error("{url} is no root of a site: {reason}; it should look like https://example.org")]
    BaseUrl {
        /// What was given, without secrets.
        url: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The site lets in registered programs alone.
    #[error(
        "the site lets in registered programs alone: register one at {register}, and give its id and secret"
    )]
    NoCredentials {
        /// Where programs are registered.
        register: &'static str,
    },
    /// Id and secret would go over the wire for everybody to read.
    #[error("{url} is not https, so everybody on the way could read id and secret: use https")]
    Unencrypted {
        /// Where they would be sent.
        url: String,
    },
    /// The contact cannot stand in a user agent.
    #[error(
        "the contact {contact:?} cannot stand in a user agent: write an address or a URL of plain letters"
    )]
    Contact {
        /// What was given.
        contact: String,
    },
    /// There is nothing to check the certificates of sites against.
    #[error(
        "this system has no root certificates, so no https site can be trusted: install them (on Debian: apt-get install ca-certificates), or name a file of them in SSL_CERT_FILE"
    )]
    NoRootCertificates,
    /// Anything else, of TLS or of the proxy variables.
    #[error("no HTTP client could be made: {reason}; are the proxy variables right?")]
    Setup {
        /// What was said.
        reason: String,
    },
}

/// Why there is no answer. None of these looks like a contest without entrants.
///
/// Addresses are without secrets, and what a site said is cut to a line without control
/// characters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Failed {
    /// Somebody asked for an end.
    #[error("interrupted")]
    Interrupted,
    /// The request cannot be put as it is: a bug of the source.
    #[error("{url} cannot be asked for: {reason}; that is a bug, please report it")]
    Unaskable {
        /// What was to be asked for.
        url: String,
        /// What is wrong with it.
        reason: String,
    },
    /// No connection: no network, no such host, nobody listening, a certificate in doubt.
    #[error("{url} could not be reached: {reason}; is this machine online, and the site up?")]
    Unreachable {
        /// What was asked for.
        url: String,
        /// Down to the last cause.
        reason: String,
    },
    /// Connected, perhaps, but not done in time.
    #[error("{url} did not answer within {} s; try again later", after.as_secs_f32())]
    TimedOut {
        /// What was asked for.
        url: String,
        /// The time there was.
        after: Duration,
    },
    /// The answer ended before its end, or could not be unpacked.
    #[error("the answer of {url} was cut off: {reason}; try again later")]
    Cut {
        /// What was asked for.
        url: String,
        /// Down to the last cause.
        reason: String,
    },
    /// The answer, unpacked, is larger than allowed.
    #[error(
        "the answer of {url} is larger than {limit} bytes, unpacked, and was left there; allow more if that is right"
    )]
    TooLarge {
        /// What was asked for.
        url: String,
        /// The limit.
        limit: usize,
    },
    /// Sent on and on.
    #[error("{url} sends on more than {limit} times; open it in a browser to see where it leads")]
    TooManyRedirects {
        /// What was asked for.
        url: String,
        /// The limit.
        limit: u32,
    },
    /// Sent on to where nobody said that we may go.
    #[error("{url} sends on to {to}: {reason}; not followed: allow that host if it is the site's")]
    RedirectRefused {
        /// What was asked for.
        url: String,
        /// Where it leads.
        to: String,
        /// Why not.
        reason: &'static str,
    },
    /// Asked too often, or of a site that has too much to do.
    #[error("{} asks for patience (HTTP {}: {}); try again later", .0.url, .0.status, .0.words)]
    RateLimited(Rejection),
    /// The site failed.
    #[error("{} failed with HTTP {} ({}); try again later", .0.url, .0.status, .0.words)]
    ServerError(Rejection),
    /// The site said no, in a form that its source does not read.
    #[error(
        "{} was refused with HTTP {} ({}); open it in a browser to see why",
        .0.url, .0.status, .0.words
    )]
    Refused(Rejection),
    /// The site gives no token for the credentials.
    #[error(
        "{url} does not take the credentials (HTTP {status}: {code}); check id and secret, and whether the program is still registered"
    )]
    NotAuthorized {
        /// Where tokens are given.
        url: String,
        /// HTTP status: 200 too.
        status: u16,
        /// The error code: small letters, or a number.
        code: String,
    },
    /// The answer has the secret in it that it was asked with; so nothing of it is told or kept.
    #[error(
        "{url} repeats the secret that it was asked with, and its answer was thrown away; get another secret if that address is not the site's"
    )]
    SecretRepeated {
        /// What was asked for.
        url: String,
    },
    /// A page that wants to see a person.
    #[error(
        "{} answered with a challenge for people (HTTP {}: {}); try again later, and less often",
        .0.url, .0.status, .0.words
    )]
    Challenge(Rejection),
    /// A page that wants a name and a password.
    #[error(
        "{url} answered with a login page ({first_line}): it is not public, or not to programs"
    )]
    LoginWall {
        /// Where the login page is.
        url: String,
        /// How the page begins, or its title.
        first_line: String,
    },
    /// The source took the answer for a wall.
    #[error(
        "{} is blocked (HTTP {}): {}; try again later, and less often",
        .0.url, .0.status, .0.words
    )]
    Blocked(Rejection),
    /// A page where JSON was due.
    #[error(
        "{} answered with a page (HTTP {}: {}) where JSON was due; open it in a browser to see why",
        .0.url, .0.status, .0.words
    )]
    HtmlForJson(Rejection),
    /// JSON that ends in the middle.
    #[error(
        "the JSON of {url} ends in the middle, after {bytes} bytes ({first_line}); try again later"
    )]
    TruncatedJson {
        /// What was asked for.
        url: String,
        /// How much came.
        bytes: usize,
        /// How the answer begins.
        first_line: String,
    },
    /// Something that is not JSON and no page either.
    #[error(
        "{url} answered with something that is not JSON: {reason} ({first_line}); open it in a browser to see why"
    )]
    NotJson {
        /// What was asked for.
        url: String,
        /// What the parser says.
        reason: String,
        /// How the answer begins.
        first_line: String,
    },
    /// Nothing at all, and no word that there is nothing.
    #[error("{url} answered with nothing (HTTP {status}, no bytes); try again later")]
    Empty {
        /// What was asked for.
        url: String,
        /// HTTP status.
        status: u16,
    },
    /// Declared to be of a kind that was not due.
    #[error(
        "{url} answered with {media_type} where {due} was due ({first_line}); open it in a browser to see why"
    )]
    WrongType {
        /// What was asked for.
        url: String,
        /// The `Content-Type`.
        media_type: String,
        /// What was due.
        due: &'static str,
        /// How the answer begins.
        first_line: String,
    },
    /// The source can make nothing of it.
    #[error(
        "the answer of {url} cannot be read: {reason} ({first_line}); open it in a browser to see why"
    )]
    Unreadable {
        /// What was asked for.
        url: String,
        /// Why, in the source's words.
        reason: String,
        /// How the answer begins.
        first_line: String,
    },
    /// The host is left alone until a moment; nothing was asked.
    #[error("{host} is left alone until {not_before}: {reason}; try again then")]
    SetAside {
        /// Which host.
        host: String,
        /// Until when.
        not_before: UnixSeconds,
        /// What brought it about.
        reason: String,
    },
    /// Every request that [`Options::max_requests`](crate::Options::max_requests) allows was sent.
    #[error("{url} was not asked for: {limit} requests were sent, and no more are allowed")]
    NoRequestsLeft {
        /// The address that was to be requested.
        url: String,
        /// The limit.
        limit: u32,
    },
    /// The site's `robots.txt` says no.
    #[error("{url} is not for programs: robots.txt says {rule:?}; ask whoever runs the site")]
    RobotsForbid {
        /// What was to be asked for.
        url: String,
        /// The line that says so.
        rule: String,
    },
}

/// A reply in place of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The address it came from.
    pub url: String,
    /// HTTP status.
    pub status: u16,
    /// How it begins, or its title; or the reason, in the words of the site or of its source.
    pub words: String,
}

/// What stands in place of words of a site.
pub(crate) const WITHHELD: &str = "…";

/// How often a request is put again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Patience {
    /// It would be the same again.
    None,
    /// One bad answer may be an accident, two are none.
    Once,
    /// It passes, mostly.
    Attempts,
}

impl Failed {
    /// Whether the site does not want us now: later, or less often, it may.
    #[must_use]
    pub fn is_blocked(&self) -> bool {
        matches!(
            self,
            Self::RateLimited { .. }
                | Self::Challenge { .. }
                | Self::Blocked { .. }
                | Self::SetAside { .. }
        )
    }

    /// Whether other requests to the host would end the same way, so that a sync should end.
    #[must_use]
    pub fn concerns_host(&self) -> bool {
        matches!(
            self,
            Self::Interrupted
                | Self::Unreachable { .. }
                | Self::NotAuthorized { .. }
                | Self::SetAside { .. }
        )
    }

    /// Whether the site has too much to do, or says so: other requests may end the same way.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        matches!(
            self,
            Self::RateLimited { .. } | Self::ServerError { .. } | Self::TimedOut { .. }
        )
    }

    /// The same without words of the site, in which anybody may be named: fit to be kept.
    #[must_use]
    pub fn without_words(&self) -> Self {
        let mut failed = self.clone();
        match &mut failed {
            Self::RateLimited(reply)
            | Self::ServerError(reply)
            | Self::Refused(reply)
            | Self::Challenge(reply)
            | Self::Blocked(reply)
            | Self::HtmlForJson(reply) => WITHHELD.clone_into(&mut reply.words),
            Self::SetAside { reason, .. } => WITHHELD.clone_into(reason),
            Self::NotAuthorized { code, .. } => WITHHELD.clone_into(code),
            Self::LoginWall { first_line, .. }
            | Self::TruncatedJson { first_line, .. }
            | Self::WrongType { first_line, .. } => WITHHELD.clone_into(first_line),
            Self::NotJson {
                reason, first_line, ..
            }
            | Self::Unreadable {
                reason, first_line, ..
            } => {
                WITHHELD.clone_into(reason);
                WITHHELD.clone_into(first_line);
            }
            Self::Interrupted
            | Self::Unaskable { .. }
            | Self::Unreachable { .. }
            | Self::TimedOut { .. }
            | Self::Cut { .. }
            | Self::TooLarge { .. }
            | Self::TooManyRedirects { .. }
            | Self::RedirectRefused { .. }
            | Self::SecretRepeated { .. }
            | Self::Empty { .. }
            | Self::NoRequestsLeft { .. }
            | Self::RobotsForbid { .. } => {}
        }
        failed
    }

    pub(crate) fn patience(&self) -> Patience {
        match self {
            Self::Unreachable { .. }
            | Self::TimedOut { .. }
            | Self::Cut { .. }
            | Self::RateLimited { .. }
            | Self::ServerError { .. } => Patience::Attempts,
            Self::Challenge { .. }
            | Self::LoginWall { .. }
            | Self::Blocked { .. }
            | Self::HtmlForJson { .. }
            | Self::TruncatedJson { .. }
            | Self::NotJson { .. }
            | Self::Empty { .. }
            | Self::WrongType { .. }
            | Self::Unreadable { .. } => Patience::Once,
            Self::Interrupted
            | Self::Unaskable { .. }
            | Self::TooLarge { .. }
            | Self::TooManyRedirects { .. }
            | Self::RedirectRefused { .. }
            | Self::Refused { .. }
            | Self::NotAuthorized { .. }
            | Self::SecretRepeated { .. }
            | Self::SetAside { .. }
            | Self::NoRequestsLeft { .. }
            | Self::RobotsForbid { .. } => Patience::None,
        }
    }

    /// What the site itself said, where that is the point.
    pub(crate) fn said(&self) -> String {
        match self {
            Self::RateLimited(reply)
            | Self::Blocked(reply)
            | Self::ServerError(reply)
            | Self::Challenge(reply) => format!("HTTP {}: {}", reply.status, reply.words),
            _ => self.to_string(),
        }
    }

    /// Whether it is a wall against programs: after three in a row the host is left alone.
    #[must_use]
    pub fn is_wall(&self) -> bool {
        matches!(self, Self::Challenge { .. } | Self::Blocked { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_has_no_words_of_the_site() {
        let (url, name) = ("https://example.org/a".to_owned(), "wilhelmina".to_owned());
        let (status, first_line) = (500, name.clone());
        let reply = Rejection {
            url: url.clone(),
            status,
            words: name.clone(),
        };
        for failed in [
            Failed::ServerError(reply.clone()),
            Failed::RateLimited(reply),
            Failed::TruncatedJson {
                url: url.clone(),
                bytes: 9,
                first_line: first_line.clone(),
            },
            Failed::NotJson {
                url: url.clone(),
                reason: name.clone(),
                first_line: first_line.clone(),
            },
            Failed::Unreadable {
                url: url.clone(),
                reason: name.clone(),
                first_line,
            },
            Failed::NotAuthorized {
                url,
                status,
                code: name.clone(),
            },
        ] {
            assert!(failed.to_string().contains(&name));
            let kept = failed.without_words().to_string();
            assert!(!kept.contains(&name), "{kept}");
            assert!(kept.contains("https://example.org/a"), "{kept}");
        }
    }
}
