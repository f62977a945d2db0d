//! The probe: a few requests that test whether a site still has the layout its reader expects.

use std::convert::Infallible;

use ranklore_contest::UnixSeconds;
use ranklore_fetch::{Client, FetchError, FetchOptions, FetchOutcome};
use ranklore_replay::Progress;
use ranklore_source::{ContestOutcome, Document, Request, SiteListing, SiteReading, Source, Stage};
use ranklore_store::{HostRow, Store};
use serde::Serialize;

use crate::error::Error;
use crate::mine::plan::{MineRequest, fetch_options, first_lists};
use crate::mine::report::StopReason;
use crate::mine::session::connect;

/// The most requests of a probe, including `robots.txt`, tokens and redirects.
pub const MAX_PROBE_REQUESTS: u32 = 3;

/// The outcome of a probe.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ProbeReport {
    /// The number of requests sent.
    pub requests: u32,
    /// The documents that were read, in the order of the requests.
    pub documents: Vec<ProbedDocument>,
    /// The sums over these documents.
    #[serde(flatten)]
    pub totals: ProbeTotals,
    /// The first sign of an unknown layout; `None` if everything was understood.
    pub unknown: Option<UnknownLayout>,
    /// The reason why the probe stopped early.
    pub stopped: Option<StopReason>,
    /// True if the user interrupted it.
    pub interrupted: bool,
}

/// The numbers of all documents of a probe, summed up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ProbeTotals {
    /// Contests listed.
    pub listed: usize,
    /// Contests with standings.
    pub contests: usize,
    /// Results in these standings.
    pub results: usize,
}

/// A document whose layout is unknown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnknownLayout {
    /// The request key of the document.
    pub document: String,
    /// The place and the reason.
    pub why: String,
}

/// The contents of one document, in numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ProbedDocument {
    /// The request key.
    #[serde(rename = "request")]
    pub request_key: String,
    /// A description of the document, such as `the list of contests`.
    pub what: String,
    /// The number of contests that it lists.
    pub listed: usize,
    /// The number of contests of other lists that it describes.
    pub described: usize,
    /// The number of documents that it leads to.
    pub leads_to: usize,
    /// The number of contests with standings.
    pub contests: usize,
    /// The results in these standings.
    pub results: usize,
}

impl ProbeTotals {
    fn sum(documents: &[ProbedDocument]) -> Self {
        let sum = |number: fn(&ProbedDocument) -> usize| documents.iter().map(number).sum();
        Self {
            listed: sum(|of| of.listed),
            contests: sum(|of| of.contests),
            results: sum(|of| of.results),
        }
    }
}

/// Requests and reads the newest list of a site, the results of the newest finished contest and a
/// list that the first one leads to, within [`MAX_PROBE_REQUESTS`]. Does not retry and writes
/// nothing. `store` tells when the site was last requested.
///
/// # Errors
/// [`Error::Fetch`] if no request can be sent at all; [`Error::Store`].
pub fn probe(
    store: Option<&Store>,
    source: &dyn Source,
    request: &MineRequest,
    now: UnixSeconds,
    watch: &dyn Progress,
) -> Result<ProbeReport, Error> {
    let options = FetchOptions {
        max_attempts: 1,
        max_requests: Some(MAX_PROBE_REQUESTS),
        ..fetch_options(source, request)
    };
    let known = match store {
        Some(store) => store.host(&Client::host_of(&options)?)?,
        None => HostRow::default(),
    };
    let (mut client, waits) = connect(options, &known, now)?;
    let interrupted = || {
        waits.report(watch);
        watch.is_interrupted()
    };
    let mut probing = ProbeState::new(source, now);
    while let Some(request) = probing.next_request() {
        if client.client().requests() >= MAX_PROBE_REQUESTS {
            break;
        }
        let mut before = |_| Ok::<_, Infallible>(());
        let Ok(fetched) = client.fetch(source, &request, None, &interrupted, &mut before);
        match fetched {
            Ok(answered) => probing.handle_answer(&request, &answered),
            Err(failed) => probing.handle_error(&request, &failed),
        }
        if probing.is_finished() {
            break;
        }
    }
    Ok(probing.finish(client.client().requests()))
}

/// The state of a running probe.
struct ProbeState<'s> {
    source: &'s dyn Source,
    now: UnixSeconds,
    /// The lists that a sync starts with, the newest last.
    starts: Vec<Request>,
    /// The documents that lists lead to.
    lists: Vec<Request>,
    /// The listed contests.
    listed: Vec<SiteListing>,
    /// The keys of the requests sent.
    asked: Vec<String>,
    /// True if a list that another list leads to was requested.
    followed: bool,
    report: ProbeReport,
}

impl<'s> ProbeState<'s> {
    fn new(source: &'s dyn Source, now: UnixSeconds) -> Self {
        let mut starts = first_lists(source, &MineRequest::default(), now);
        // The first one is used of lists without an opening time.
        starts.reverse();
        starts.sort_by_key(|request| request.opens_at);
        Self {
            source,
            now,
            starts,
            lists: Vec::new(),
            listed: Vec::new(),
            asked: Vec::new(),
            followed: false,
            report: ProbeReport::default(),
        }
    }

    /// Returns the next request: results as soon as a finished contest is listed, otherwise another
    /// list.
    fn next_request(&mut self) -> Option<Request> {
        if let Some(request) = self.next_results_request() {
            return Some(request);
        }
        if !self.lists.is_empty() && (!self.followed || self.listed.is_empty()) {
            self.followed = true;
            // The first one wins a tie.
            let newest = (self.lists.iter().enumerate().rev())
                .max_by_key(|(_, request)| (self.is_past(request), request.settles_at))
                .map(|(index, _)| index);
            return newest.map(|index| self.lists.swap_remove(index));
        }
        if self.listed.is_empty() {
            // The newest list may be empty, such as that of a year that has just begun.
            return self.starts.pop();
        }
        None
    }

    /// True if the time covered by a list is over: the list of the current month may be empty.
    fn is_past(&self, list: &Request) -> bool {
        (list.covers.as_ref()).is_none_or(|covers| *covers.end() <= self.now)
    }

    /// Returns the request for the results of the newest finished contest, if they are in a
    /// document of their own.
    fn next_results_request(&self) -> Option<Request> {
        let is_over = |of: &&SiteListing| {
            of.stage == Stage::Finished && of.rateable && of.ends_at.is_none_or(|at| at <= self.now)
        };
        let mut over: Vec<&SiteListing> = self.listed.iter().filter(is_over).collect();
        over.sort_by_key(|of| std::cmp::Reverse(of.ends_at));
        let is_open = |request: &&Request| !self.asked.contains(&request.key());
        if self.report.documents.iter().any(|of| of.contests > 0) {
            // The further requests for the contest that has results, if there are any.
            let asked = |of: &&SiteListing| of.results.iter().any(|request| !is_open(&request));
            let of = over.into_iter().find(asked)?;
            return of.results.iter().find(is_open).cloned();
        }
        over.iter()
            .find_map(|of| of.results.first().filter(is_open))
            .cloned()
    }

    fn handle_answer(&mut self, request: &Request, answered: &FetchOutcome) {
        let key = request.key();
        self.asked.push(key.clone());
        let FetchOutcome::Fresh(fresh) = answered else {
            return self.set_unknown(key, "the site says that it has not changed".to_owned());
        };
        let reading = self.source.read(&Document {
            request_key: &key,
            fetched_at: fresh.fetched_at,
            status: fresh.status,
            body: &self.source.minimise(&key, &fresh.body),
        });
        let mut reading = match reading {
            Ok(reading) => reading,
            Err(error) => {
                return self.set_unknown(key, format!("{}: {}", error.at, error.expected));
            }
        };
        self.source.apply_options(&key, &mut reading);
        self.report.documents.push(summarise(request, &reading));
        if let Some(error) = reading.refused.first() {
            return self.set_unknown(key, format!("{}: {}", error.at, error.expected));
        }
        let of_contests = self.listed.iter().flat_map(|of| &of.results);
        // Documents that results lead to are parts of the results.
        if !of_contests.map(Request::key).any(|of| of == key) {
            self.lists.extend(reading.follow);
        }
        self.listed.extend(reading.listed);
    }

    fn handle_error(&mut self, request: &Request, failed: &FetchError) {
        match failed {
            FetchError::Interrupted => self.report.interrupted = true,
            // An answer of another format.
            FetchError::HtmlInsteadOfJson { .. }
            | FetchError::NotJson { .. }
            | FetchError::WrongMediaType { .. }
            | FetchError::Unreadable { .. } => self.set_unknown(request.key(), failed.to_string()),
            failed => self.report.stopped = Some(StopReason::from_error(failed)),
        }
    }

    fn set_unknown(&mut self, document: String, why: String) {
        self.report.unknown = Some(UnknownLayout { document, why });
    }

    fn is_finished(&self) -> bool {
        self.report.interrupted || self.report.stopped.is_some() || self.report.unknown.is_some()
    }

    fn finish(mut self, requests: u32) -> ProbeReport {
        self.report.requests = requests;
        // A list may be empty, such as that of a month without contests.
        let found = |of: &ProbedDocument| of.listed + of.described + of.leads_to > 0;
        if !self.is_finished() && !self.report.documents.iter().any(found) {
            let last = self.asked.pop().unwrap_or_default();
            self.set_unknown(last, "no contest is listed".to_owned());
        }
        self.report.totals = ProbeTotals::sum(&self.report.documents);
        self.report
    }
}

fn summarise(request: &Request, reading: &SiteReading) -> ProbedDocument {
    let standings = reading.results.iter().filter_map(|of| match &of.outcome {
        ContestOutcome::Standings { entrants, .. } => Some(entrants.len()),
        _ => None,
    });
    ProbedDocument {
        request_key: request.key(),
        what: request.what.clone(),
        listed: reading.listed.len(),
        described: reading.described.len(),
        leads_to: reading.follow.len(),
        contests: standings.clone().count(),
        results: standings.sum(),
    }
}
