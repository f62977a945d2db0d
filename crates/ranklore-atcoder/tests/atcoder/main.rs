//! Tests of the source with fixtures in the site's format.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "clippy takes the helpers of tests for no tests"
)]

mod any_bytes;
mod conformance;
mod contests;
mod fixtures;
mod join;
mod layout;
mod real_data;
mod refusals;
mod renames;
mod results;
mod standings;
