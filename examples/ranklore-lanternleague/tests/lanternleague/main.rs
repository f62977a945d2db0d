//! What every source needs to be tested for, and the whole way to ratings.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "clippy takes the helpers of tests for no tests"
)]

mod documentation;
mod fixtures;
mod mined_and_rated;
mod oddities;
mod promises;
