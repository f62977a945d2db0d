//! Tests of the source with fixtures in the site's format.
#![expect(
    clippy::unwrap_used,
    reason = "clippy takes the helpers of tests for no tests"
)]

mod any_bytes;
mod competition;
mod conformance;
mod fixtures;
mod layout;
mod listing;
mod real_data;
