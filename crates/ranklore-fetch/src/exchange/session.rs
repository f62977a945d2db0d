//! The session of a user who is logged in at a site.

use reqwest::Url;

use crate::credentials::SessionCookie;
use crate::error::FetchError;
use crate::exchange::http::Authorization;
use crate::redact::shown_url;

/// The session cookie of a user, which is sent until the site answers it with a login page.
pub(crate) struct UserSession {
    cookie: Option<SessionCookie>,
    has_expired: bool,
}

impl UserSession {
    /// Creates a session; requests are sent as from nobody if there is no cookie.
    pub(crate) const fn new(cookie: Option<SessionCookie>) -> Self {
        Self {
            cookie,
            has_expired: false,
        }
    }

    /// Returns the cookie for a request to this URL.
    pub(crate) fn authorization(&self, url: &Url) -> Result<Option<Authorization>, FetchError> {
        if self.has_expired {
            return Err(expired(url));
        }
        Ok(self.cookie.clone().map(Authorization::Cookie))
    }

    /// Ends the session if a request with the cookie failed with a login page.
    pub(crate) fn check_failure(&mut self, url: &Url, failure: FetchError) -> FetchError {
        match failure {
            FetchError::LoginWall { .. } if self.cookie.is_some() => {
                self.has_expired = true;
                expired(url)
            }
            other => other,
        }
    }
}

fn expired(url: &Url) -> FetchError {
    FetchError::SessionExpired {
        url: shown_url(url),
    }
}
