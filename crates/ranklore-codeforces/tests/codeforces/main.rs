//! Tests of the source with fixtures in the site's format.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "clippy takes the helpers of tests for no tests"
)]

mod accounts;
mod any_bytes;
mod conformance;
mod fixtures;
mod join;
mod listing;
mod rating_changes;
mod real_data;
mod refusals;
mod standings;
