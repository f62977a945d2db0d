//! The client: one host, one request at a time, at a pace.

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

/// So many walls in a row, and the host is left alone.
const WALLS: u32 = 3;
/// How long a `robots.txt` is believed.
const ROBOTS_LAST: Duration = Duration::from_hours(24);

type OnWait = Box<dyn Fn(Duration, &Failed) + Send + Sync>;

/// A polite client of one host: the requests of one source go through it, one after the other.
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
    /// By origin, with when it was read.
    robots: HashMap<String, (Instant, Robots)>,
    /// What lets in, where the site wants to know who asks.
    tokens: Option<Tokens>,
    /// Why the next request rests, if somebody is to hear of that.
    spent: Option<Failed>,
    stop: Stop,
    on_wait: Option<OnWait>,
    keeper: Option<Keeper>,
}

/// Who keeps what is to be remembered of the host, in a place that outlives the process.
pub(crate) type Keeper = mpsc::UnboundedSender<ToKeep>;

/// A state of the host, and whom to tell once it is kept.
pub(crate) struct ToKeep {
    pub(crate) state: HostState,
    pub(crate) kept: oneshot::Sender<()>,
}

impl Client {
    /// A client that goes on where an earlier one left the host. `now` is the time of day: the
    /// client counts on from there. A moment that is at most a minute away is waited for, as
    /// within a run; before one that is further away nothing is asked.
    ///
    /// # Errors
    /// If the options make no sense, if credentials are missing or would be sent for everybody to
    /// read, or if this system cannot be trusted to check certificates.
    pub fn new(options: Options, state: HostState, now: SystemTime) -> Result<Self, FetchError> {
        // What follows takes a while.
        let clock = Clock::told(now);
        let base = root_of(&options.base_url)?;
        let http = tls::client(&options, &base)?;
        let tokens = tokens(&options, &base)?;
        let mut pace = Pace::new(options.interval, &state, clock);
        let (mut aside, mut spent) = (None, None);
        if let Some(until) = clock.believed(&state) {
            let wait = clock.until(until);
            let reason = "an earlier run was told so".to_owned();
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

    /// What to remember of the host until the next run, or the next crash: as of now.
    #[must_use]
    pub fn state(&self) -> HostState {
        let aside = self.is_aside().map(|(until, _)| until);
        let rest = self.pace.rest_until();
        HostState {
            last_request_at: self.pace.last(),
            not_before: aside.max(rest.filter(|until| self.clock.is_before(*until))),
        }
    }

    /// From now on nothing is asked before its state is kept there.
    pub(crate) fn keep_with(&mut self, keeper: Keeper) {
        self.keeper = Some(keeper);
    }

    /// Which host that is: its name, and its port where it is not the usual one.
    #[must_use]
    pub fn host(&self) -> String {
        host(&self.base)
    }

    /// Returns the number of requests sent, retries, redirects, tokens and `robots.txt` included.
    #[must_use]
    pub fn requests(&self) -> u32 {
        self.requests
    }

    /// As [`Client::host`], before there is a client: what to look up what is remembered by.
    ///
    /// # Errors
    /// If the root of the site is none.
    pub fn host_of(options: &Options) -> Result<String, FetchError> {
        Ok(host(&root_of(&options.base_url)?))
    }

    /// What ends all waiting from elsewhere.
    #[must_use]
    pub fn stop(&self) -> Stop {
        self.stop.clone()
    }

    /// Who hears of every wait but the usual pace, as it begins: how long, and why.
    pub fn on_wait(&mut self, hears: impl Fn(Duration, &Failed) + Send + Sync + 'static) {
        self.on_wait = Some(Box::new(hears));
    }

    /// Asks for one document, as often as it takes and is decent, and gives an answer that may
    /// be archived. `known` are the validators of what the caller has.
    ///
    /// Whether it ends well or not, [`Client::state`] has changed. A future that is dropped
    /// leaves the client fit for more.
    ///
    /// # Errors
    /// [`Failed`], each case by its name.
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

    /// One try; or two, where the first shows that the token is not taken any more, which is not
    /// to happen twice (`renewed`).
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

    /// What lets in, if anything has to; asked for at its turn, unless one is held that lasts.
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
                    reason: "a secret goes nowhere else",
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

    /// Where redirects lead to, as far as `robots.txt` lets, if it is to be obeyed: those of
    /// `robots.txt` itself are followed without.
    async fn follow(&mut self, ask: &Ask, obey: bool) -> Result<Answer, Miss> {
        let mut at = ask.clone();
        for _ in 0..=self.options.redirects {
            if obey {
                // On the heap, since reading `robots.txt` follows redirects, too.
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

    /// One request over the wire, at its turn. That it starts is kept before it does, so that
    /// a process that dies meanwhile has not asked in secret.
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
        // Whatever becomes of the answer: redirects count, too.
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

    /// Has the state kept, and waits for that; goes on if nobody keeps anything.
    async fn keep(&self) {
        if let Some(keeper) = &self.keeper {
            let (kept, done) = oneshot::channel();
            let state = self.state();
            if keeper.send(ToKeep { state, kept }).is_ok() {
                // Fails only where the keeper has gone.
                let _ = done.await;
            }
        }
    }

    /// Asks the site's `robots.txt`, if it has not been read today.
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

    /// A site that has none allows all; one that cannot say allows nothing.
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

    /// Waits for the next try, or gives up.
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
                let reason = format!("{WALLS} walls in a row, the last with {}", failed.said());
                return Err(self.set_aside(self.options.aside.max(after), reason).await);
            }
        } else if failed.patience() != Patience::Attempts {
            self.walls = 0;
        }
        if after > LONGEST {
            let reason = format!("it asked for that with {}", failed.said());
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

/// What lets in, where the site wants to know who asks.
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
    // What cannot be read may hold a password anywhere.
    let url = Url::parse(text).map_err(|error| wrong("that".into(), &error.to_string()))?;
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
