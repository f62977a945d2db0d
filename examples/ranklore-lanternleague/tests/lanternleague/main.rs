//! The tests that every source needs, and the whole pipeline up to ratings.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "clippy takes the helpers of tests for no tests"
)]

mod conformance;
mod documentation;
mod fixtures;
mod oddities;
mod pipeline;
