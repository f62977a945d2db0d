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

use crate::base_url::{build_token_provider, check_encrypted, parse_base_url, parse_other_hosts};
use crate::error::{ClientError, FetchError, Rejection, RetryPolicy};
use crate::exchange::connection::check_connection;
use crate::exchange::http::{
    Authorization, Exchange, HttpResponse, WireRequest, host, is_same_host,
};
use crate::exchange::session::UserSession;
use crate::exchange::tls;
use crate::exchange::token::TokenProvider;
use crate::exchange::validate::validate_response;
use crate::log::{RequestLog, log_wait};
use crate::options::{FetchOptions, HostState};
use crate::outcome::{FetchOutcome, FetchedDocument, Validators};
use crate::rate_limit::clock::{Clock, ceil_seconds, since_epoch};
use crate::rate_limit::pace::Pace;
use crate::rate_limit::quota;
use crate::redact::{first_line, redacted_url, shown_url, single_line};
use crate::retry::{FailedAttempt, MAX_WAIT, RetryBudget, Wait, parse_retry_after};
use crate::robots::Robots;

/// Number of challenges in a row after which the host cools down.
const MAX_CHALLENGES: u32 = 3;
/// Lifetime of a cached `robots.txt`.
const ROBOTS_LIFETIME: Duration = Duration::from_hours(24);

/// Longest wait before a second connection to a host that was never reached.
const MAX_FIRST_BACKOFF: Duration = Duration::from_secs(2);

type OnWait = Box<dyn Fn(&Wait) + Send + Sync>;

/// Rate-limited HTTP client for one host. All requests of a source go through it, one after the
/// other.
pub struct Client {
    options: FetchOptions,
    base: Url,
    /// Beginnings of paths that other hosts answer, with the roots of these hosts.
    other_hosts: Vec<(&'static str, Url)>,
    http: reqwest::Client,
    clock: Clock,
    pace: Pace,
    cool_down: Option<(UnixSeconds, String)>,
    challenges: u32,
    /// The number of requests sent.
    requests: u32,
    /// `robots.txt` by origin, with the time it was read.
    robots: HashMap<String, (Instant, Robots)>,
    /// Source of bearer tokens, where the site requires them.
    token_provider: Option<TokenProvider>,
    /// Session of the user, for requests that need it.
    session: UserSession,
    /// Reason for the wait before the next request, reported to the caller.
    wait_reason: Option<FetchError>,
    on_wait: Option<OnWait>,
    state_sink: Option<StateSink>,
}

/// Channel to the task that saves the host state outside the process.
pub(crate) type StateSink = mpsc::UnboundedSender<SaveState>;

/// A host state to save, and the signal that it is saved.
pub(crate) struct SaveState {
    pub(crate) state: HostState,
    pub(crate) saved: oneshot::Sender<()>,
}

impl Client {
    /// Creates a client that continues from the host state of an earlier run. `now` is the
    /// wall-clock time; the client advances it with its own clock. A stored delay of up to 1 min is
    /// waited for. During a longer one the client sends no request.
    ///
    /// # Errors
    /// Invalid options; credentials that are missing or would be sent without encryption; a system
    /// whose certificates cannot be verified.
    pub fn new(
        mut options: FetchOptions,
        state: HostState,
        now: SystemTime,
    ) -> Result<Self, ClientError> {
        // Read the time before the slow setup below.
        let clock = Clock::from_system_time(now);
        let base = parse_base_url(&options.base_url)?;
        let http = tls::build_client(&options, &base)?;
        let tokens = build_token_provider(&options, &base)?;
        if options.cookie.is_some() {
            check_encrypted(&base)?;
        }
        let session = UserSession::new(options.cookie.take());
        let mut pace = Pace::new(options.interval, &state, clock);
        let mut cool_down = None;
        let mut wait_reason = None;
        if let Some(until) = clock.valid_not_before(&state) {
            let wait = clock.until(until);
            let reason = "an earlier run received this delay".to_owned();
            if wait > MAX_WAIT {
                cool_down = Some((until, reason));
            } else if !wait.is_zero() {
                pace.delay_until(since_epoch(until));
                wait_reason = Some(FetchError::CoolingDown {
                    host: host(&base),
                    not_before: until,
                    reason,
                });
            }
        }
        Ok(Self {
            pace,
            cool_down,
            other_hosts: parse_other_hosts(&options, &base)?,
            options,
            base,
            http,
            clock,
            challenges: 0,
            requests: 0,
            robots: HashMap::new(),
            token_provider: tokens,
            session,
            wait_reason,
            on_wait: None,
            state_sink: None,
        })
    }

    /// Returns the host state to save now for the next run.
    #[must_use]
    pub fn state(&self) -> HostState {
        let cool_down = self.active_cool_down().map(|(until, _)| until);
        let delay = self.pace.delayed_until();
        HostState {
            last_request_at: self.pace.last_request(),
            not_before: cool_down.max(delay.filter(|until| self.clock.is_before(*until))),
        }
    }

    /// Saves the host state through `keeper` before each request from now on.
    pub(crate) fn set_state_sink(&mut self, keeper: StateSink) {
        self.state_sink = Some(keeper);
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
    pub fn host_of(options: &FetchOptions) -> Result<String, ClientError> {
        Ok(host(&parse_base_url(&options.base_url)?))
    }

    /// Calls `callback` at the start of every wait, except for the usual interval.
    pub fn on_wait(&mut self, callback: impl Fn(&Wait) + Send + Sync + 'static) {
        self.on_wait = Some(Box::new(callback));
    }

    /// Errors if no connection to the host can be made: no network, unknown host, refused. Sends no
    /// request, and connects to no host that is left alone. Tries twice.
    ///
    /// # Errors
    /// [`FetchError::Unreachable`].
    pub async fn check_connection(&self) -> Result<(), FetchError> {
        if self.active_cool_down().is_some() {
            return Ok(());
        }
        let backoff = self.options.backoff.min(MAX_FIRST_BACKOFF);
        check_connection(&self.base, self.options.max_attempts, backoff).await
    }

    /// Fetches one document, with retries, and returns a response that may be archived. `known` are
    /// the validators of the caller's copy.
    ///
    /// Changes [`Client::state`] also on failure. The future may be dropped: the client stays
    /// usable.
    ///
    /// # Errors
    /// [`FetchError`]: one variant per failure.
    pub async fn fetch(
        &mut self,
        source: &dyn Source,
        request: &Request,
        known: Option<&Validators>,
    ) -> Result<FetchOutcome, FetchError> {
        if let Some((not_before, reason)) = self.active_cool_down() {
            return Err(FetchError::CoolingDown {
                host: self.host(),
                not_before,
                reason,
            });
        }
        let root = self.root_of(request);
        let mut wire_request =
            WireRequest::from_request(root, request, known, self.options.max_body)?;
        let mut tries = RetryBudget::new(self.options.max_attempts, self.options.backoff);
        let mut renewed = false;
        loop {
            match self.try_once(source, request, &wire_request, &mut renewed).await {
                Ok(outcome) => {
                    self.challenges = 0;
                    return Ok(outcome);
                }
                Err(failure) => self.back_off(&mut tries, failure).await?,
            }
            wire_request.attempt += 1;
        }
    }

    /// Sends a request once; a second time with a new token if the site rejects the token (401).
    /// Renews the token at most once per request (`renewed`).
    async fn try_once(
        &mut self,
        source: &dyn Source,
        request: &Request,
        wire_request: &WireRequest,
        has_renewed_token: &mut bool,
    ) -> Result<FetchOutcome, FailedAttempt> {
        let mut answer = self.send_authorized(wire_request).await?;
        if answer.status == 401
            && answer.authorized
            && !*has_renewed_token
            && self.options.max_attempts > 1
            && let Some(tokens) = &mut self.token_provider
        {
            *has_renewed_token = true;
            tokens.drop_token();
            answer = self.send_authorized(wire_request).await?;
        }
        let fetched_at = self.clock.unix_seconds();
        let url = redacted_url(&answer.url);
        if answer.status == 304 && wire_request.is_conditional() {
            return Ok(FetchOutcome::NotModified { url, fetched_at });
        }
        if let Err(failed) = validate_response(source, request, &answer) {
            let failed = if wire_request.needs_cookie {
                self.session.check_failure(&wire_request.url, failed)
            } else {
                failed
            };
            return Err(self.failed_attempt(failed, &answer));
        }
        Ok(FetchOutcome::Fresh(FetchedDocument {
            url,
            fetched_at,
            status: answer.status,
            validators: Validators {
                etag: answer.header_text(&ETAG),
                last_modified: answer.header_text(&LAST_MODIFIED),
            },
            media_type: answer.header_text(&CONTENT_TYPE),
            body: answer.body,
        }))
    }

    async fn send_authorized(
        &mut self,
        wire_request: &WireRequest,
    ) -> Result<HttpResponse, FailedAttempt> {
        let authorization = if !is_same_host(&wire_request.url, &self.base) {
            None
        } else if wire_request.needs_cookie {
            self.session.authorization(&wire_request.url)?
        } else {
            self.authorization(wire_request.attempt).await?
        };
        let authorized = wire_request.with_authorization(authorization);
        self.follow_redirects(&authorized, self.options.obey_robots).await
    }

    /// Returns the root URL of the host that answers a request.
    fn root_of(&self, request: &Request) -> &Url {
        let mut other_hosts = self.other_hosts.iter();
        let other = other_hosts.find(|(path, _)| request.path.starts_with(path));
        other.map_or(&self.base, |(_, root)| root)
    }

    /// Returns the authorization, if the site requires one. Requests a token if none is valid.
    async fn authorization(
        &mut self,
        attempt: u32,
    ) -> Result<Option<Authorization>, FailedAttempt> {
        let Some(tokens) = &self.token_provider else {
            return Ok(None);
        };
        if let Some(bearer) = tokens.bearer() {
            return Ok(Some(bearer));
        }
        let mut wire_request = tokens.request();
        wire_request.attempt = attempt;
        let mut answer = match self.send_in_turn(&wire_request).await? {
            Exchange::Response(answer) => answer,
            Exchange::Redirect(redirected) => {
                return Err(FailedAttempt::from(FetchError::RedirectRefused {
                    url: shown_url(&wire_request.url),
                    to: shown_url(&redirected.url),
                    reason: "a request for a token is not redirected",
                }));
            }
        };
        let Some(tokens) = &mut self.token_provider else {
            return Ok(None);
        };
        match tokens.accept_response(&mut answer) {
            Ok(bearer) => Ok(Some(bearer)),
            Err(failed) => Err(self.failed_attempt(failed, &answer)),
        }
    }

    fn failed_attempt(&self, failed: FetchError, answer: &HttpResponse) -> FailedAttempt {
        let is_overloaded = failed.retry_policy() == RetryPolicy::UntilLimit
            || matches!(answer.status, 429 | 500..);
        let after = parse_retry_after(&answer.headers, self.clock.since_epoch());
        FailedAttempt {
            retry_after: after.filter(|_| is_overloaded),
            ..FailedAttempt::from(failed)
        }
    }

    /// Follows redirects. Checks each address against `robots.txt` if `obey` is set.
    async fn follow_redirects(
        &mut self,
        wire_request: &WireRequest,
        obey: bool,
    ) -> Result<HttpResponse, FailedAttempt> {
        let mut at = wire_request.clone();
        for _ in 0..=self.options.max_redirects {
            if obey {
                // Boxed, since reading `robots.txt` follows redirects too.
                Box::pin(self.check_robots(&at.url)).await?;
            }
            match self.send_in_turn(&at).await? {
                Exchange::Redirect(redirected) => at = *redirected,
                Exchange::Response(mut answer) => {
                    answer.requested_url = wire_request.url.clone();
                    return Ok(*answer);
                }
            }
        }
        Err(FailedAttempt::from(FetchError::TooManyRedirects {
            url: shown_url(&wire_request.url),
            limit: self.options.max_redirects,
        }))
    }

    /// Sends one request when its turn comes. Saves the host state first, so that a killed process
    /// has recorded the request.
    async fn send_in_turn(&mut self, wire_request: &WireRequest) -> Result<Exchange, FetchError> {
        if let Some(limit) = self.options.max_requests
            && self.requests >= limit
        {
            let url = shown_url(&wire_request.url);
            return Err(FetchError::RequestLimitReached { url, limit });
        }
        let wait_reason = self.wait_reason.take();
        self.report_wait(self.pace.wait(), wait_reason.as_ref(), true);
        self.pace.wait_turn().await;
        self.save_state().await;
        self.pace.record_start();
        self.requests += 1;
        let mut exchange = RequestLog::begin(wire_request);
        let hop = self.send(wire_request, &mut exchange).await;
        exchange.finish(hop)
    }

    async fn send(
        &mut self,
        wire_request: &WireRequest,
        exchange: &mut RequestLog,
    ) -> Result<Exchange, FetchError> {
        let response = wire_request.send(&self.http, &self.options).await?;
        exchange.record_status(response.status().as_u16());
        // Apply the quota of every response, redirects included.
        if let Some(rest) = quota::time_to_reset(response.headers()) {
            self.pace.delay_until(self.clock.after(rest));
            self.wait_reason = Some(FetchError::RateLimited(Rejection {
                url: shown_url(&wire_request.url),
                status: response.status().as_u16(),
                words: "no more requests are allowed until then".to_owned(),
            }));
            self.save_state().await;
        }
        wire_request.read_response(response, &self.options).await
    }

    /// Saves the state and waits until it is saved. Does nothing without a state sink.
    async fn save_state(&self) {
        if let Some(keeper) = &self.state_sink {
            let (saved, done) = oneshot::channel();
            let state = self.state();
            if keeper.send(SaveState { state, saved }).is_ok() {
                // Fails only if the state sink is gone.
                let _ = done.await;
            }
        }
    }

    /// Reads the site's `robots.txt` unless it is cached, and checks the address against it.
    async fn check_robots(&mut self, url: &Url) -> Result<(), FailedAttempt> {
        let origin = url.origin().ascii_serialization();
        let cached = self.robots.get(&origin);
        if cached.is_none_or(|(read_at, _)| read_at.elapsed() > ROBOTS_LIFETIME) {
            let robots = self.fetch_robots(url).await.map_err(|failed| FailedAttempt {
                is_final: true,
                ..FailedAttempt::from(failed)
            })?;
            if let Some(delay) = robots.crawl_delay
                && self.pace.has_interval()
            {
                self.pace.slow_down(delay.min(MAX_WAIT));
            }
            self.robots.insert(origin.clone(), (Instant::now(), robots));
        }
        let cached = self.robots.get(&origin);
        match cached.and_then(|(_, robots)| robots.disallow_rule_for_url(url)) {
            None => Ok(()),
            Some(rule) => Err(FailedAttempt::from(FetchError::ForbiddenByRobots {
                url: shown_url(url),
                rule: single_line(rule),
            })),
        }
    }

    /// Fetches `robots.txt`. A missing file allows everything; a failing server allows nothing.
    async fn fetch_robots(&mut self, url: &Url) -> Result<Robots, FetchError> {
        let mut wire_request = WireRequest::for_robots(url);
        let mut tries = RetryBudget::new(self.options.max_attempts, self.options.backoff);
        loop {
            let failure = match self.follow_redirects(&wire_request, false).await {
                Err(failure) => failure,
                Ok(answer) => {
                    let rejection = || Rejection {
                        url: shown_url(&answer.url),
                        status: answer.status,
                        words: first_line(&answer.body),
                    };
                    match answer.status {
                        200..300 => {
                            return Ok(Robots::parse(&String::from_utf8_lossy(&answer.body)));
                        }
                        429 => self.failed_attempt(FetchError::RateLimited(rejection()), &answer),
                        500.. => self.failed_attempt(FetchError::ServerError(rejection()), &answer),
                        _ => return Ok(Robots::default()),
                    }
                }
            };
            self.back_off(&mut tries, failure).await?;
            wire_request.attempt += 1;
        }
    }

    /// Waits before the next attempt, or returns the error if no attempt is left.
    async fn back_off(
        &mut self,
        tries: &mut RetryBudget,
        failure: FailedAttempt,
    ) -> Result<(), FetchError> {
        let FailedAttempt {
            error,
            retry_after,
            is_final,
        } = failure;
        let after = retry_after.unwrap_or_default();
        if error.is_challenge() {
            self.challenges += 1;
            if self.challenges >= MAX_CHALLENGES && self.pace.has_interval() {
                self.challenges = 0;
                let reason = format!(
                    "{MAX_CHALLENGES} challenges in a row, the last with {}",
                    error.site_message()
                );
                let wait = self.options.cool_down.max(after);
                return Err(self.start_cool_down(wait, reason).await);
            }
        } else if error.retry_policy() != RetryPolicy::UntilLimit {
            self.challenges = 0;
        }
        if after > MAX_WAIT {
            let message = error.site_message();
            let reason = format!("the server asked for this delay with {message}");
            return Err(self.start_cool_down(after, reason).await);
        }
        if !after.is_zero() {
            self.pace.delay_until(self.clock.after(after));
            self.save_state().await;
        }
        let next_wait = (!is_final).then(|| tries.next_wait(&error)).flatten();
        let Some(next_wait) = next_wait else {
            if !after.is_zero() {
                self.wait_reason = Some(error.clone());
            }
            return Err(error);
        };
        let wait = next_wait.max(after);
        self.report_wait(wait, Some(&error), !after.is_zero());
        sleep(wait).await;
        Ok(())
    }

    fn report_wait(&self, duration: Duration, reason: Option<&FetchError>, is_demanded: bool) {
        log_wait(duration, reason);
        if let (Some(callback), Some(reason)) = (&self.on_wait, reason) {
            callback(&Wait {
                duration,
                reason: reason.clone(),
                is_demanded,
            });
        }
    }

    async fn start_cool_down(&mut self, wait: Duration, reason: String) -> FetchError {
        let not_before = ceil_seconds(self.clock.after(wait));
        self.cool_down = Some((not_before, reason.clone()));
        self.save_state().await;
        FetchError::CoolingDown {
            host: self.host(),
            not_before,
            reason,
        }
    }

    fn active_cool_down(&self) -> Option<(UnixSeconds, String)> {
        let cool_down = self.cool_down.clone();
        cool_down.filter(|(until, _)| self.clock.is_before(*until))
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("base", &shown_url(&self.base))
            .field("state", &self.state())
            .finish_non_exhaustive()
    }
}
