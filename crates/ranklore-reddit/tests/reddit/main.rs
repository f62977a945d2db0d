//! Tests of ranklore-reddit with answers and archives in the site's layout.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "clippy takes the helpers of tests for no tests"
)]

mod any_bytes;
mod comments;
mod conformance;
mod deleted;
mod dump;
mod fixtures;
mod layout;
mod listings;
mod real_data;
mod refusals;
mod sorted;
mod texts;
