//! Tests of the source with fixtures in the site's format.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "clippy takes the helpers of tests for no tests"
)]

mod any_bytes;
mod assembly;
mod conformance;
mod fixtures;
mod layout;
mod options;
mod pages;
mod races;
mod real_data;
