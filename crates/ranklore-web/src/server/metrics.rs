//! Counters of the server, in the text format of Prometheus.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};

use axum::http::StatusCode;

use crate::answers::App;
use crate::database::Lane;
use crate::server::connections::Connections;

/// The answers since the start, by status.
#[derive(Debug, Default)]
pub(crate) struct AnswerCounts(Mutex<BTreeMap<u16, AnswerCount>>);

#[derive(Clone, Copy, Debug, Default)]
struct AnswerCount {
    answers: u64,
    bytes: u64,
}

impl AnswerCounts {
    pub(crate) fn add(&self, status: StatusCode, bytes: u64) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(status.as_u16()).or_default();
        count.answers += 1;
        count.bytes += bytes;
    }

    fn all(&self) -> BTreeMap<u16, AnswerCount> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Returns the page of all metrics.
pub(crate) fn format_metrics(
    app: &App,
    connections: &Connections,
    counts: &AnswerCounts,
) -> String {
    let mut page = Page(String::new());
    let (open, dropped) = connections.counts();
    page.metric("connections", "gauge", "Open connections.", [("", open as f64)]);
    let help = "Connections that made room for others.";
    page.metric("connections_dropped_total", "counter", help, [("", dropped as f64)]);
    let counts = counts.all();
    let by_status = |value: fn(&AnswerCount) -> u64| {
        let rows = counts.iter();
        rows.map(move |(status, count)| (format!("{{status=\"{status}\"}}"), value(count) as f64))
    };
    let help = "Answers by HTTP status.";
    page.metric("answers_total", "counter", help, by_status(|count| count.answers));
    let help = "Bytes of the bodies that were sent.";
    page.metric("answer_bytes_total", "counter", help, by_status(|count| count.bytes));
    let lanes = [("quick", Lane::Quick), ("slow", Lane::Slow)];
    let lanes = lanes.map(|(name, lane)| {
        let slots = app.database.slots(lane);
        (format!("{{lane=\"{name}\"}}"), slots.count_running(), slots.count_waiting())
    });
    let running = lanes.iter().map(|(lane, running, _)| (lane, *running as f64));
    page.metric("queries_running", "gauge", "Queries that run.", running);
    let waiting = lanes.iter().map(|(lane, _, waiting)| (lane, *waiting as f64));
    page.metric("queries_waiting", "gauge", "Requests that wait for a query.", waiting);
    let answers = app.answer_cache.count();
    page.metric("kept_answers", "gauge", "Answers that are kept.", [("", answers.count as f64)]);
    page.metric("kept_answer_bytes", "gauge", "Bytes of these.", [("", answers.bytes as f64)]);
    let ages = [("oldest", answers.oldest), ("newest", answers.newest)];
    let ages = ages.map(|(name, age)| (format!("{{answer=\"{name}\"}}"), age.as_secs_f64()));
    page.metric("kept_answer_age_seconds", "gauge", "The time since they were made.", ages);
    page.0
}

struct Page(String);

impl Page {
    /// Adds a metric with its values, each with its labels.
    fn metric(
        &mut self,
        name: &str,
        kind: &str,
        help: &str,
        values: impl IntoIterator<Item = (impl std::fmt::Display, f64)>,
    ) {
        // Writing to a string does not fail.
        let _ = write!(self.0, "# HELP ranklore_{name} {help}\n# TYPE ranklore_{name} {kind}\n");
        for (labels, value) in values {
            let _ = writeln!(self.0, "ranklore_{name}{labels} {value}");
        }
    }
}
