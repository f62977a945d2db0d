//! The probe: a few requests that test whether a site still has the layout its reader expects.

use std::cmp::Reverse;
use std::convert::Infallible;

use ranklore_contest::UnixSeconds;
use ranklore_fetch::{Client, FetchError, FetchOptions, FetchOutcome};
use ranklore_replay::Progress;
use ranklore_source::{ContestOutcome, Document, Request, SiteListing, SiteReading, Source, Stage};
use ranklore_store::{HostRow, Store};
use serde::Serialize;

use crate::error::Error;
use crate::mine::answers::fetch_failure::describe_read_error;
use crate::mine::plan::first_lists;
use crate::mine::report::StopReason;
use crate::mine::request::MineRequest;
use crate::mine::session::connect;

/// The most requests of a probe, including `robots.txt`, tokens and redirects.
pub const MAX_PROBE_REQUESTS: u32 = 3;

/// Days are given by their first second.
const DAY_SECONDS: i64 = 24 * 60 * 60;

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
    /// True if the user interrupted the probe.
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
        Self {
            listed: documents.iter().map(|document| document.listed).sum(),
            contests: documents.iter().map(|document| document.contests).sum(),
            results: documents.iter().map(|document| document.results).sum(),
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
        ..request.fetch_options(source)
    };
    let host_row = match store {
        Some(store) => store.host(&Client::host_of(&options)?)?,
        None => HostRow::default(),
    };
    let (mut client, waits) = connect(options, &host_row, now)?;
    let mut state = ProbeState::new(source, now);
    while let Some(request) = state.next_request() {
        if client.client().requests() >= MAX_PROBE_REQUESTS {
            break;
        }
        let Ok(response) = client.fetch(
            source,
            &request,
            None,
            &|| {
                waits.report(watch);
                watch.is_interrupted()
            },
            &mut |_| Ok::<_, Infallible>(()),
        );
        match response {
            Ok(response) => state.handle_answer(&request, &response),
            Err(error) => state.handle_error(&request, &error),
        }
        if state.is_finished() {
            break;
        }
    }
    Ok(state.finish(client.client().requests()))
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
    sent_keys: Vec<String>,
    /// True if a list that another list leads to was requested.
    has_followed: bool,
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
            sent_keys: Vec::new(),
            has_followed: false,
            report: ProbeReport::default(),
        }
    }

    /// Returns the next request: results as soon as a finished contest is listed, otherwise another
    /// list.
    fn next_request(&mut self) -> Option<Request> {
        if let Some(request) = self.next_results_request() {
            return Some(request);
        }
        if !self.lists.is_empty() && (!self.has_followed || self.listed.is_empty()) {
            self.has_followed = true;
            // The first one wins a tie.
            let lists = self.lists.iter().enumerate().rev();
            let newest = lists.max_by_key(|(_, list)| (is_past(list, self.now), list.settles_at));
            let index = newest.map(|(index, _)| index);
            return index.map(|index| self.lists.swap_remove(index));
        }
        if self.listed.is_empty() {
            // The newest list may be empty, such as that of a year that has just begun.
            return self.starts.pop();
        }
        None
    }

    /// Returns the request for the results of the newest finished contest, if they are in a
    /// document of their own.
    fn next_results_request(&self) -> Option<Request> {
        let finished = self.listed.iter().filter(|contest| {
            contest.stage == Stage::Finished
                && contest.rateable
                && contest.ends_at.is_none_or(|at| at <= self.now)
        });
        let mut newest_first: Vec<&SiteListing> = finished.collect();
        newest_first.sort_by_key(|contest| Reverse(contest.ends_at));
        let mut contests = newest_first.into_iter();
        if self.report.documents.iter().any(|d| d.contests > 0) {
            // The further requests for the contest that has results, if there are any.
            let contest =
                contests.find(|c| c.results.iter().any(|request| self.is_sent(request)))?;
            let mut requests = contest.results.iter();
            return requests.find(|request| !self.is_sent(request)).cloned();
        }
        let mut first_requests = contests.filter_map(|contest| contest.results.first());
        first_requests.find(|request| !self.is_sent(request)).cloned()
    }

    fn is_sent(&self, request: &Request) -> bool {
        self.sent_keys.contains(&request.key())
    }

    fn handle_answer(&mut self, request: &Request, response: &FetchOutcome) {
        let key = request.key();
        self.sent_keys.push(key.clone());
        let FetchOutcome::Fresh(fresh) = response else {
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
            Err(error) => return self.set_unknown(key, describe_read_error(&error)),
        };
        self.source.apply_options(&key, &mut reading);
        self.report.documents.push(summarise(request, &reading));
        if let Some(error) = reading.refused.first() {
            return self.set_unknown(key, describe_read_error(error));
        }
        let mut result_requests = self.listed.iter().flat_map(|contest| &contest.results);
        // Documents that results lead to are parts of the results.
        if !result_requests.any(|request| request.key() == key) {
            self.lists.extend(reading.follow);
        }
        self.listed.extend(reading.listed);
    }

    fn handle_error(&mut self, request: &Request, error: &FetchError) {
        match error {
            FetchError::Interrupted => self.report.interrupted = true,
            // An answer of another format.
            FetchError::HtmlInsteadOfJson { .. }
            | FetchError::NotJson { .. }
            | FetchError::WrongMediaType { .. }
            | FetchError::Unreadable { .. } => self.set_unknown(request.key(), error.to_string()),
            error => self.report.stopped = Some(StopReason::from_error(error)),
        }
    }

    fn set_unknown(&mut self, document: String, reason: String) {
        self.report.unknown = Some(UnknownLayout {
            document,
            why: reason,
        });
    }

    fn is_finished(&self) -> bool {
        self.report.interrupted || self.report.stopped.is_some() || self.report.unknown.is_some()
    }

    fn finish(mut self, requests: u32) -> ProbeReport {
        self.report.requests = requests;
        // A list may be empty, such as that of a month without contests.
        let mut documents = self.report.documents.iter();
        let has_contests = documents.any(|d| d.listed + d.described + d.leads_to > 0);
        if !self.is_finished() && !has_contests {
            let last = self.sent_keys.pop().unwrap_or_default();
            self.set_unknown(last, "no contest is listed".to_owned());
        }
        self.report.totals = ProbeTotals::sum(&self.report.documents);
        self.report
    }
}

/// True if the last day covered by a list is over: the list of the current month may be empty.
fn is_past(list: &Request, now: UnixSeconds) -> bool {
    let yesterday = now.get() - DAY_SECONDS;
    list.covers.as_ref().is_none_or(|covers| covers.end().get() <= yesterday)
}

fn summarise(request: &Request, reading: &SiteReading) -> ProbedDocument {
    let standings = reading.results.iter().filter_map(|result| match &result.outcome {
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

#[cfg(test)]
mod tests {
    use ranklore_source::MediaKind;

    use super::*;

    #[test]
    fn month_is_over_after_its_last_day() {
        // From the first to the 30th day of a month.
        let at = |day: i64, second: i64| UnixSeconds::new(day * DAY_SECONDS + second).unwrap();
        let mut list = Request::get("months/11", MediaKind::Html, "November");
        list.covers = Some(at(1, 0)..=at(30, 0));
        assert!(!is_past(&list, at(30, 0)));
        assert!(!is_past(&list, at(30, DAY_SECONDS - 1)));
        assert!(is_past(&list, at(31, 0)));
    }
}
