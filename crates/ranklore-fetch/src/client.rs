//! HTTP client for one host: one request at a time, rate limited.

use std::collections::HashMap;
use std::fmt;
use std::time::{Duration, SystemTime};

use ranklore_contest::UnixSeconds;
use ranklore_source::{Request, Source};
use reqwest::Url;
use reqwest::header::{CONTENT_TYPE, ETAG, LAST_MODIFIED};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep};

use crate::answer::{Answered, Fresh, Validators};
use crate::exchange::check::check;
use crate::exchange::hop::{Answer, Ask, Authorization, Hop, host};
use crate::exchange::tls;
use crate::exchange::token::Tokens;
use crate::failed::{Failed, FetchError, Patience, Rejection};
use crate::log::{Exchange, log_wait};
use crate::options::{HostState, Options};
use crate::rate_limit::allowance;
use crate::rate_limit::clock::{Clock, rounded_up, since_epoch};
use crate::rate_limit::pace::Pace;
use crate::retry::{LONGEST, Miss, Tries, retry_after};
use crate::robots::Robots;
use crate::shown::{first_line, line_of, shown};
use crate::stop::Stop;

/// Number of challenges in a row after which the host cools down.
const WALLS: u32 = 3;
/// Lifetime of a cached `robots.txt`.
const ROBOTS_LAST: Duration = Duration::from_hours(24);

type OnWait = Box<dyn Fn(Duration, &Failed) + Send + Sync>;

/// Rate-limited HTTP client for one host. All requests of a source go through it, one after the
/// other.
pub struct Client {
    options: Options,
    base: Url,
    http: reqwest::Client,
    clock: Clock,
    pace: Pace,
    aside: Option<(UnixSeconds, String)>,
    walls: u32,
    /// The number of requests sent.
    requests: u32,
    /// `robots.txt` by origin, with the time it was read.
    robots: HashMap<String, (Instant, Robots)>,
    /// Source of bearer tokens, where the site requires them.
    tokens: Option<Tokens>,
    /// Reason for the wait before the next request, reported to the caller.
    spent: Option<Failed>,
    stop: Stop,
    on_wait: Option<OnWait>,
    keeper: Option<Keeper>,
}

/// Channel to the task that saves the host state outside the process.
pub(crate) type Keeper = mpsc::UnboundedSender<ToKeep>;

/// A host state to save, and the signal that it is saved.
pub(crate) struct ToKeep {
    pub(crate) state: HostState,
    pub(crate) kept: oneshot::Sender<()>,
}

impl Client {
    /// Creates a client that continues from the host state of an earlier run. `now` is the
    /// wall-clock time; the client advances it with its own clock. A stored delay of up to 1 min is
    /// waited for. During a longer one the client sends no request.
    pub fn new(options: Options, state: HostState, now: SystemTime) -> Result<Self, FetchError> {
        // Read the time before the slow setup below.
        let clock = Clock::told(now);
        let base = root_of(&options.base_url)?;
        let http = tls::client(&options, &base)?;
        let tokens = tokens(&options, &base)?;
        let mut pace = Pace::new(options.interval, &state, clock);
        let (mut aside, mut spent) = (None, None);
        if let Some(until) = clock.believed(&state) {
            let wait = clock.until(until);
            let reason = "an earlier run received this delay".to_owned();
            if wait > LONGEST {
                aside = Some((until, reason));
            } else if !wait.is_zero() {
                pace.rest(since_epoch(until));
                spent = Some(Failed::SetAside {
                    host: host(&base),
                    not_before: until,
                    reason,
                });
            }
        }
        Ok(Self {
            pace,
            aside,
            options,
            base,
            http,
            clock,
            walls: 0,
            requests: 0,
            robots: HashMap::new(),
            tokens,
            spent,
            stop: Stop::new(),
            on_wait: None,
            keeper: None,
        })
    }

    /// Returns the host state to save now for the next run.
    #[must_use]
    pub fn state(&self) -> HostState {
        let aside = self.is_aside().map(|(until, _)| until);
        let rest = self.pace.rest_until();
        HostState {
            last_request_at: self.pace.last(),
            not_before: aside.max(rest.filter(|until| self.clock.is_before(*until))),
        }
    }

    /// Saves the host state through `keeper` before each request from now on.
    pub(crate) fn keep_with(&mut self, keeper: Keeper) {
        self.keeper = Some(keeper);
    }

    /// Returns the host name, with the port if it is not the default.
    #[must_use]
    pub fn host(&self) -> String {
        host(&self.base)
    }

    /// Returns the number of requests sent, retries, redirects, tokens and `robots.txt` included.
    #[must_use]
    pub fn requests(&self) -> u32 {
        self.requests
    }

    /// Returns the host, as [`Client::host`] does, without creating a client. Use it to look up the
    /// saved state.
    /// # Errors
    /// If the root of the site is none.
    pub fn host_of(options: &Options) -> Result<String, FetchError> {
        Ok(host(&root_of(&options.base_url)?))
    }

    /// Returns a handle that interrupts all waits, from any thread.
    #[must_use]
    pub fn stop(&self) -> Stop {
        self.stop.clone()
    }

    /// Calls `hears` at the start of every wait, except for the usual interval, with its length and
    /// reason.
    pub fn on_wait(&mut self, hears: impl Fn(Duration, &Failed) + Send + Sync + 'static) {
        self.on_wait = Some(Box::new(hears));
    }

    /// Fetches one document, with retries, and returns a response that may be archived. `known` are
    /// the validators of the caller's copy.
    ///
    /// Changes [`Client::state`] also on failure. The future may be dropped: the client stays
    /// usable.
    pub async fn fetch(
        &mut self,
        source: &dyn Source,
        request: &Request,
        known: Option<&Validators>,
    ) -> Result<Answered, Failed> {
        let stop = self.stop.clone();
        tokio::select! {
            biased;
            () = stop.wait() => Err(Failed::Interrupted),
            answered = self.answered(source, request, known) => answered,
        }
    }

    async fn answered(
        &mut self,
        source: &dyn Source,
        request: &Request,
        known: Option<&Validators>,
    ) -> Result<Answered, Failed> {
        if let Some((not_before, reason)) = self.is_aside() {
            return Err(Failed::SetAside {
                host: self.host(),
                not_before,
                reason,
            });
        }
        let mut ask = Ask::of(&self.base, request, known, self.options.max_body)?;
        let mut tries = Tries::new(self.options.attempts, self.options.backoff);
        let mut renewed = false;
        loop {
            match self.once(source, request, &ask, &mut renewed).await {
                Ok(answered) => {
                    self.walls = 0;
                    return Ok(answered);
                }
                Err(miss) => self.pause(&mut tries, miss).await?,
            }
            ask.attempt += 1;
        }
    }

    /// Sends a request once; a second time with a new token if the site rejects the token (401).
    /// Renews the token at most once per request (`renewed`).
    async fn once(
        &mut self,
        source: &dyn Source,
        request: &Request,
        ask: &Ask,
        renewed: &mut bool,
    ) -> Result<Answered, Miss> {
        let authorized = ask.authorized(self.authorization(ask.attempt).await?);
        let mut answer = self.follow(&authorized, self.options.robots).await?;
        if answer.status == 401 && answer.authorized && !*renewed && self.options.attempts > 1 {
            *renewed = true;
            if let Some(tokens) = &mut self.tokens {
                tokens.drop_token();
            }
            let authorized = ask.authorized(self.authorization(ask.attempt).await?);
            answer = self.follow(&authorized, self.options.robots).await?;
        }
        let fetched_at = self.clock.seconds();
        let url = shown(&answer.url);
        if answer.status == 304 && ask.is_conditional() {
            return Ok(Answered::NotModified { url, fetched_at });
        }
        if let Err(failed) = check(source, request, &answer) {
            return Err(self.missed(failed, &answer));
        }
        Ok(Answered::Fresh(Fresh {
            url,
            fetched_at,
            status: answer.status,
            validators: Validators {
                etag: answer.text_of(&ETAG),
                last_modified: answer.text_of(&LAST_MODIFIED),
            },
            media_type: answer.text_of(&CONTENT_TYPE),
            body: answer.body,
        }))
    }

    /// Returns the authorization, if the site requires one. Requests a token if none is valid.
    async fn authorization(&mut self, attempt: u32) -> Result<Option<Authorization>, Miss> {
        let Some(tokens) = &self.tokens else {
            return Ok(None);
        };
        if let Some(bearer) = tokens.bearer() {
            return Ok(Some(bearer));
        }
        let ask = tokens.ask().with_attempt(attempt);
        let mut answer = match self.hop(&ask).await? {
            Hop::Whole(answer) => answer,
            Hop::On(on) => {
                return Err(Miss::from(Failed::RedirectRefused {
                    url: shown(&ask.url),
                    to: shown(&on.url),
                    reason: "a request for a token is not redirected",
                }));
            }
        };
        let Some(tokens) = &mut self.tokens else {
            return Ok(None);
        };
        match tokens.take(&mut answer) {
            Ok(bearer) => Ok(Some(bearer)),
            Err(failed) => Err(self.missed(failed, &answer)),
        }
    }

    fn missed(&self, failed: Failed, answer: &Answer) -> Miss {
        let busy = failed.patience() == Patience::Attempts || matches!(answer.status, 429 | 500..);
        let after = retry_after(&answer.headers, self.clock.since_epoch());
        Miss {
            after: after.filter(|_| busy),
            ..Miss::from(failed)
        }
    }

    /// Follows redirects. Checks each address against `robots.txt` if `obey` is set.
    async fn follow(&mut self, ask: &Ask, obey: bool) -> Result<Answer, Miss> {
        let mut at = ask.clone();
        for _ in 0..=self.options.redirects {
            if obey {
                // Boxed, since reading `robots.txt` follows redirects too.
                Box::pin(self.obey(&at.url)).await?;
            }
            match self.hop(&at).await? {
                Hop::On(on) => at = *on,
                Hop::Whole(answer) => return Ok(answer.asked_at(&ask.url)),
            }
        }
        Err(Miss::from(Failed::TooManyRedirects {
            url: shown(&ask.url),
            limit: self.options.redirects,
        }))
    }

    /// Sends one request when its turn comes. Saves the host state first, so that a killed process
    /// has recorded the request.
    async fn hop(&mut self, ask: &Ask) -> Result<Hop, Failed> {
        if let Some(limit) = self.options.max_requests
            && self.requests >= limit
        {
            let url = shown(&ask.url);
            return Err(Failed::NoRequestsLeft { url, limit });
        }
        let spent = self.spent.take();
        self.tell_wait(self.pace.wait(), spent.as_ref());
        self.pace.turn().await;
        self.keep().await;
        self.pace.start();
        self.requests += 1;
        let mut exchange = Exchange::begin(ask);
        let hop = self.exchange(ask, &mut exchange).await;
        exchange.end(hop)
    }

    async fn exchange(&mut self, ask: &Ask, exchange: &mut Exchange) -> Result<Hop, Failed> {
        let response = ask.send(&self.http, &self.options).await?;
        exchange.answered(response.status().as_u16());
        // Apply the quota of every response, redirects included.
        if let Some(rest) = allowance::rest(response.headers()) {
            self.pace.rest(self.clock.after(rest));
            self.spent = Some(Failed::RateLimited(Rejection {
                url: shown(&ask.url),
                status: response.status().as_u16(),
                words: "no more requests are allowed until then".to_owned(),
            }));
            self.keep().await;
        }
        ask.take(response, &self.options).await
    }

    /// Saves the state and waits until it is saved. Does nothing without a state sink.
    async fn keep(&self) {
        if let Some(keeper) = &self.keeper {
            let (kept, done) = oneshot::channel();
            let state = self.state();
            if keeper.send(ToKeep { state, kept }).is_ok() {
                // Fails only if the state sink is gone.
                let _ = done.await;
            }
        }
    }

    /// Reads the site's `robots.txt` unless it is cached, and checks the address against it.
    async fn obey(&mut self, url: &Url) -> Result<(), Miss> {
        let origin = url.origin().ascii_serialization();
        let known = self.robots.get(&origin);
        if known.is_none_or(|(read, _)| read.elapsed() > ROBOTS_LAST) {
            let robots = self.read_robots(url).await.map_err(|failed| Miss {
                last: true,
                ..Miss::from(failed)
            })?;
            if let Some(delay) = robots.crawl_delay()
                && self.pace.has_interval()
            {
                self.pace.slow_down(delay.min(LONGEST));
            }
            self.robots.insert(origin.clone(), (Instant::now(), robots));
        }
        let known = self.robots.get(&origin);
        match known.and_then(|(_, robots)| robots.forbids_url(url)) {
            None => Ok(()),
            Some(rule) => Err(Miss::from(Failed::RobotsForbid {
                url: shown(url),
                rule: line_of(rule),
            })),
        }
    }

    /// Fetches `robots.txt`. A missing file allows everything; a failing server allows nothing.
    async fn read_robots(&mut self, url: &Url) -> Result<Robots, Failed> {
        let mut ask = Ask::robots(url);
        let mut tries = Tries::new(self.options.attempts, self.options.backoff);
        loop {
            let miss = match self.follow(&ask, false).await {
                Err(miss) => miss,
                Ok(answer) => {
                    let reply = || Rejection {
                        url: shown(&answer.url),
                        status: answer.status,
                        words: first_line(&answer.body),
                    };
                    match answer.status {
                        200..300 => return Ok(Robots::of(&String::from_utf8_lossy(&answer.body))),
                        429 => self.missed(Failed::RateLimited(reply()), &answer),
                        500.. => self.missed(Failed::ServerError(reply()), &answer),
                        _ => return Ok(Robots::default()),
                    }
                }
            };
            self.pause(&mut tries, miss).await?;
            ask.attempt += 1;
        }
    }

    /// Waits before the next attempt, or returns the error if no attempt is left.
    async fn pause(&mut self, tries: &mut Tries, miss: Miss) -> Result<(), Failed> {
        let Miss {
            failed,
            after,
            last,
        } = miss;
        let after = after.unwrap_or_default();
        if failed.is_wall() {
            self.walls += 1;
            if self.walls >= WALLS && self.pace.has_interval() {
                self.walls = 0;
                let reason = format!(
                    "{WALLS} challenges in a row, the last with {}",
                    failed.said()
                );
                return Err(self.set_aside(self.options.aside.max(after), reason).await);
            }
        } else if failed.patience() != Patience::Attempts {
            self.walls = 0;
        }
        if after > LONGEST {
            let reason = format!("the server asked for this delay with {}", failed.said());
            return Err(self.set_aside(after, reason).await);
        }
        if !after.is_zero() {
            self.pace.rest(self.clock.after(after));
            self.keep().await;
        }
        let wait = if last { None } else { tries.wait(&failed) };
        let Some(wait) = wait else {
            if !after.is_zero() {
                self.spent = Some(failed.clone());
            }
            return Err(failed);
        };
        let wait = wait.max(after);
        self.tell_wait(wait, Some(&failed));
        sleep(wait).await;
        Ok(())
    }

    fn tell_wait(&self, wait: Duration, reason: Option<&Failed>) {
        log_wait(wait, reason);
        if let (Some(hears), Some(reason)) = (&self.on_wait, reason) {
            hears(wait, reason);
        }
    }

    async fn set_aside(&mut self, wait: Duration, reason: String) -> Failed {
        let not_before = rounded_up(self.clock.after(wait));
        self.aside = Some((not_before, reason.clone()));
        self.keep().await;
        Failed::SetAside {
            host: self.host(),
            not_before,
            reason,
        }
    }

    fn is_aside(&self) -> Option<(UnixSeconds, String)> {
        let aside = self.aside.as_ref();
        aside
            .filter(|(until, _)| self.clock.is_before(*until))
            .cloned()
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("base", &shown(&self.base))
            .field("state", &self.state())
            .finish_non_exhaustive()
    }
}

/// Creates the token provider, if the site requires tokens.
fn tokens(options: &Options, base: &Url) -> Result<Option<Tokens>, FetchError> {
    let Some(terms) = options.token else {
        return Ok(None);
    };
    let own = root_of(terms.url)?;
    let url = if *base == root_of(options.site)? {
        own
    } else {
        let root = base.as_str().trim_end_matches('/');
        root_of(&format!("{root}{}", own.path()))?
    };
    let Some(credentials) = options.credentials.clone() else {
        return Err(FetchError::NoCredentials {
            register: terms.register,
        });
    };
    for sent_to in [&url, base] {
        if sent_to.scheme() != "https" && !tls::is_loopback(sent_to) {
            return Err(FetchError::Unencrypted {
                url: shown(sent_to),
            });
        }
    }
    Ok(Some(Tokens::new(url, terms, credentials)))
}

fn root_of(text: &str) -> Result<Url, FetchError> {
    let wrong = |url: String, reason: &str| FetchError::BaseUrl {
        url,
        reason: reason.to_owned(),
    };
    // An unparsable URL may hold a password anywhere, so it is not quoted.
    let url = Url::parse(text).map_err(|error| wrong("the address".into(), &error.to_string()))?;
    let reason = match url.scheme() {
        "http" | "https" if url.query().is_some() || url.fragment().is_some() => {
            "it has parameters"
        }
        "http" | "https" => return Ok(url),
        _ => "it is neither http nor https",
    };
    Err(wrong(shown(&url), reason))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_root_is_a_root() {
        assert!(root_of("https://codeforces.com").is_ok());
        assert!(root_of("http://127.0.0.1:8080/mirror/").is_ok());
        for wrong in [
            "codeforces.com",
            "ftp://x.org",
            "https://x.org/?a=1",
            "",
            "file:///tmp",
        ] {
            assert!(root_of(wrong).is_err(), "{wrong}");
        }
        let error = root_of("ftp://me:secret@x.org").unwrap_err().to_string();
        assert!(!error.contains("secret"), "{error}");
    }

    #[test]
    fn tokens_are_of_the_site_or_of_the_mirror_and_go_over_no_open_wire() {
        let terms = ranklore_source::TokenTerms {
            url: "https://www.example.org/api/token",
            form: &[],
            register: "https://example.org",
        };
        let asked = |base_url: &str| {
            let options = Options {
                base_url: base_url.to_owned(),
                interval: Duration::ZERO,
                robots: false,
                contact: crate::CONTACT.to_owned(),
                max_body: 1,
                timeout: Duration::ZERO,
                attempts: 1,
                backoff: Duration::ZERO,
                redirects: 0,
                allow_hosts: Vec::new(),
                aside: Duration::ZERO,
                max_requests: None,
                site: "https://oauth.example.org",
                token: Some(terms),
                credentials: crate::Credentials::new("x".repeat(8), "y".repeat(8)).ok(),
            };
            let tokens = tokens(&options, &root_of(base_url).unwrap());
            tokens.map(|tokens| tokens.unwrap().ask().url.to_string())
        };
        for (base_url, url) in [
            (
                "https://oauth.example.org",
                "https://www.example.org/api/token",
            ),
            (
                "https://oauth.example.org/",
                "https://www.example.org/api/token",
            ),
            ("https://mirror.example", "https://mirror.example/api/token"),
            (
                "http://127.0.0.1:81/of/",
                "http://127.0.0.1:81/of/api/token",
            ),
        ] {
            assert_eq!(asked(base_url).unwrap(), url);
        }
        for open in ["http://oauth.example.org", "http://mirror.example"] {
            let error = asked(open).unwrap_err();
            assert!(matches!(error, FetchError::Unencrypted { .. }), "{error}");
        }
    }
}
