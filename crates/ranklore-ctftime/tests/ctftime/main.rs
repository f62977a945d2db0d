//! Tests of the source with fixtures in the site's format.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "clippy takes the helpers of tests for no tests"
)]

mod any_bytes;
mod conformance;
mod events;
mod fixtures;
mod layout;
mod merges;
mod real_data;
mod results;
mod teams;
