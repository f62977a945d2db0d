//! The parameters of a sync.

use std::path::PathBuf;
use std::time::Duration;

use ranklore_contest::{SourceName, UnixSeconds};
use ranklore_fetch::{Credentials, FetchOptions, SessionCookie};
use ranklore_source::Source;

use crate::error::Error;

/// The parameters of a sync.
#[derive(Clone, Debug, Default)]
pub struct MineRequest {
    /// The name of the source in the database; `None` for the name of the site. A source must have
    /// one site only: contests of another would be marked as withdrawn.
    pub name: Option<SourceName>,
    /// Only contests that ended at this time or later.
    pub since: Option<UnixSeconds>,
    /// Only contests that ended before this time.
    pub until: Option<UnixSeconds>,
    /// The most contests to request: those never requested first, oldest first, then those
    /// requested longest ago.
    pub limit: Option<usize>,
    /// True to request known and final contests again.
    pub full: bool,
    /// True to look up every account missing from the site's list; otherwise this is done every 30
    /// days.
    pub names: bool,
    /// A folder of saved answers to read in place of the site, with file names as in
    /// [`Profile::saved_files`](ranklore_source::Profile::saved_files). No request is sent then.
    pub from_files: Option<PathBuf>,
    /// The address of a mirror, in place of the site's own.
    pub base_url: Option<String>,
    /// The minimum time between the starts of two requests, in place of the site's own.
    pub interval: Option<Duration>,
    /// The wait before the first retry, in place of the default of 1 s; it doubles with each retry.
    pub backoff: Option<Duration>,
    /// The client credentials for the site, if it requires them:
    /// [`load_credentials`](crate::load_credentials()).
    pub credentials: Option<Credentials>,
    /// The session cookie of the user, if requests need it: [`load_cookie`](crate::load_cookie()).
    pub cookie: Option<SessionCookie>,
}

impl MineRequest {
    /// True if only a part of what is due is requested.
    pub(crate) fn is_partial(&self) -> bool {
        self.since.is_some() || self.until.is_some() || self.limit.is_some()
    }

    /// True if a contest that ended at this time is inside the time window.
    pub(crate) fn is_in_window(&self, ends_at: Option<UnixSeconds>) -> bool {
        self.since.is_none_or(|since| ends_at.is_some_and(|at| at >= since))
            && self.until.is_none_or(|until| ends_at.is_some_and(|at| at < until))
    }

    /// Returns the validated name of the source in the database.
    pub(crate) fn source_name(&self, source: &dyn Source) -> Result<SourceName, Error> {
        match &self.name {
            Some(name) => Ok(name.clone()),
            None => SourceName::new(source.profile().name).map_err(Error::invalid_request),
        }
    }

    /// Returns the fetch options for a site: its own terms, overridden by the request.
    pub(crate) fn fetch_options(&self, source: &dyn Source) -> FetchOptions {
        let profile = source.profile();
        let terms = FetchOptions::from_terms(&profile.terms);
        FetchOptions {
            base_url: self.base_url.clone().unwrap_or(terms.base_url),
            interval: self.interval.unwrap_or(terms.interval),
            backoff: self.backoff.unwrap_or(terms.backoff),
            credentials: self.credentials.clone(),
            cookie: self.cookie.clone(),
            timeout: profile.timeout,
            head_timeout: profile.timeout / 2,
            ..terms
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::find_site;
    use ranklore_source::OptionValues;

    #[test]
    fn fetch_timeouts_come_from_profile() {
        let timeouts = |name: &str| {
            let open = find_site(name).unwrap().open;
            let source = open(&OptionValues::default()).unwrap();
            let options = MineRequest::default().fetch_options(&*source);
            (options.timeout.as_secs(), options.head_timeout.as_secs())
        };
        assert_eq!(timeouts("codeforces"), (120, 60));
        assert_eq!(timeouts("topcoder"), (900, 450));
    }
}
